"""The injector: gives a session what it should know, once, and keeps the ledger of what it was given."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

import anyio
from anyio import to_thread

from memd.clock import Clock
from memd.config import InjectConfig
from memd.inject import identity
from memd.inject.choosing import Choice, Wanted, choose
from memd.inject.framing import fact_line
from memd.inject.material import SURE, gather
from memd.inject.packing import NOTHING, Bundle, Line, Section, pack
from memd.inject.past import gathered_then
from memd.inject.prompt import worth_looking
from memd.inject.recovery import Lost, recovery
from memd.inject.wakeup import layout_of, rest, wakeup
from memd.model import Project
from memd.store import facts, history, injections, projects, sessions
from memd.store.injections import Injection
from memd.store.readers import Readers
from memd.store.writer import Writer
from memd.workers.answering import Answering

logger = logging.getLogger(__name__)

WAKEUP: Final = "wakeup"
PROMPT: Final = "prompt"
RECOVERY: Final = "recovery"

# Of the time for looking, what may have passed for what was said around facts to be looked into as well.
_FIRST_LOOK: Final = 0.5
_LEARNT: Final = 12


class Injector:
    """Makes bundles; every fact in one is noted and not given again to that session until it is re-armed."""

    def __init__(
        self,
        config: InjectConfig,
        readers: Readers,
        writer: Writer,
        clock: Clock,
        place: Callable[[Path], Awaitable[Path | None]],
        config_dir: Path | None = None,
        *,
        answering: Answering,
    ) -> None:
        """`place` tells the root of the project a folder belongs to, by the same rules that capture goes by.

        In `config_dir` the user may say who he is; see `memd.inject.identity`. `answering` is told of each prompt that
        is looked into.
        """
        self._config = config
        self._place = place
        self._readers = readers
        self._writer = writer
        self._clock = clock
        self._answering = answering
        self._config_dir = config_dir
        self._layout, self.problems = layout_of(config.sections)
        for problem in self.problems:
            logger.warning("event=config warning=%s", problem)

    async def project_of(self, cwd: Path) -> Project | None:
        """Return the project that a folder belongs to, as far as memd knows it."""
        root = await self._place(cwd)
        return await self._readers.run(lambda conn: projects.by_path(conn, root)) if root else None

    async def ask_who(self) -> str:
        """Return the sentence that asks the user who he is, once; "" otherwise."""
        return await to_thread.run_sync(identity.ask_once, self._config_dir)

    async def session_of(self, host: str, native_id: str) -> int | None:
        """Return the row id of a host's session, None for one that was not seen."""
        session = await self._readers.run(lambda conn: sessions.by_native(conn, host, native_id))
        return None if session is None else session.id

    async def wakeup(self, project: Project | None, as_of_ms: int | None = None) -> Bundle:
        """Return what a session in this project would be given at its start, or would have been at an earlier time.

        Nothing is noted.
        """
        if as_of_ms is not None:
            then = as_of_ms
            return await self._readers.run(
                lambda conn: wakeup(gathered_then(conn, project, then), self._config.wakeup_tokens, self._layout)
            )
        who = await to_thread.run_sync(identity.read, self._config_dir)
        return await self._readers.run(
            lambda conn: wakeup(gather(conn, project, who), self._config.wakeup_tokens, self._layout)
        )

    async def session_start(self, host: str, native_id: str, cwd: Path | None, source: str = "") -> Bundle:
        """Return what this session is given at its start, and note it; after a compaction only what that took away."""
        project = await self.project_of(cwd) if cwd else None
        if source == "compact":
            lost = await self._readers.run(lambda conn: _lost(conn, host, native_id))
            if lost is not None:
                return await self._recover(host, native_id, project, lost)
        bundle = await self.wakeup(project)
        await self._note(host, native_id, bundle, WAKEUP, project, reason=source or "startup")
        return bundle if bundle.text else replace(NOTHING, why="nothing is known of this project yet")

    async def late_start(self, host: str, native_id: str, cwd: Path | None, told: str = "") -> Bundle:
        """Return what a session should have been given at its start, unless it has been, and note it.

        What stands in `told` it knows already.
        """
        given = await self._readers.run(lambda conn: injections.given(conn, host, native_id))
        if given.events & {WAKEUP, RECOVERY}:
            return NOTHING
        if not told:
            return await self.session_start(host, native_id, cwd)
        return await self._rest(host, native_id, cwd, Bundle(told, (), 0), self._config.wakeup_tokens, "startup")

    async def rest_of_start(self, host: str, native_id: str, cwd: Path | None, early: Bundle) -> Bundle:
        """Return what a session was not given at its start because it was not known yet, and note it.

        `early` is what it was given. That the session before it was still being distilled is no reason to forget it.
        """
        return await self._rest(host, native_id, cwd, early, self._config.wakeup_tokens - early.tokens, "late")

    async def _rest(
        self, host: str, native_id: str, cwd: Path | None, early: Bundle, budget_tokens: int, reason: str
    ) -> Bundle:
        project = await self.project_of(cwd) if cwd else None
        who = await to_thread.run_sync(identity.read, self._config_dir)
        bundle = await self._readers.run(
            lambda conn: rest(gather(conn, project, who), early, budget_tokens, self._layout)
        )
        await self._note(host, native_id, bundle, WAKEUP, project, reason=reason)
        return bundle

    async def prompt(self, host: str, native_id: str, cwd: Path | None, text: str) -> Bundle:
        """Return the few facts that a prompt asks for, and note them.

        Nothing for a prompt that is no real one, when no fact is relevant enough, when the session knows them already,
        or when there is no time to tell.
        """
        if not worth_looking(text) or self._config.prompt_tokens <= 0:
            return replace(NOTHING, why="this prompt is not looked into")
        project = await self.project_of(cwd) if cwd else None
        choice = None
        with anyio.move_on_after(self._config.prompt_ms / 1000), self._answering.one():
            choice = await self._readers.run(lambda conn: self._choose(conn, host, native_id, project, text))
        if choice is None:
            logger.info("event=prompt_not_looked_up reason=time host=%s", host)
            return replace(NOTHING, why="there was no time to look")
        lines: tuple[Line, ...] = tuple(
            (fact_line(fact, _within(choice, fact.id, project)), fact.id) for fact, _ in choice.facts
        )
        beside = {passage.name: passage.line for passage in choice.passages} | dict(choice.histories)
        sections = (
            Section("This may bear on the request", 0.8, lines),
            Section("Said in earlier sessions", 0.6, _plain(passage.line for passage in choice.passages)),
            Section("Files named", 0.2, _plain(line for _, line in choice.histories)),
        )
        bundle = pack(project.name if project else None, sections, self._config.prompt_tokens)
        shown = tuple(name for name, line in beside.items() if line in bundle.text)
        scores = {fact.id: round(relevance.score, 3) for fact, relevance in choice.facts}
        await self._note(host, native_id, bundle, PROMPT, project, scores=scores, extra=shown)
        return bundle if bundle.text else replace(NOTHING, why="nothing known bears on this prompt")

    async def rearm(self, host: str, native_id: str) -> None:
        """Allow a session to be given again what it lost (compaction) or starts without (resume, clear)."""
        await self._writer.run(lambda conn: injections.rearm(conn, host, native_id))

    async def _recover(self, host: str, native_id: str, project: Project | None, lost: Lost) -> Bundle:
        material = await self._readers.run(lambda conn: gather(conn, project))
        bundle = recovery(material, lost, self._config.recovery_tokens, project.root if project else None)
        await self._note(host, native_id, bundle, RECOVERY, project, reason="compact")
        return bundle

    def _choose(self, conn: facts.Connection, host: str, native_id: str, project: Project | None, text: str) -> Choice:
        given = injections.given(conn, host, native_id)
        again = PROMPT in given.events
        if again and not self._config.later_prompts:
            return Choice()
        wanted = Wanted(text, host, native_id, project, given, self._config.prompt_facts, again)
        late = self._clock.monotonic_s() + _FIRST_LOOK * self._config.prompt_ms / 1000
        return choose(conn, wanted, hurried=lambda: self._clock.monotonic_s() > late)

    async def _note(
        self,
        host: str,
        native_id: str,
        bundle: Bundle,
        event: str,
        project: Project | None,
        *,
        reason: str = "",
        scores: Mapping[int, float] | None = None,
        extra: tuple[str, ...] = (),
    ) -> None:
        if not bundle.text:
            return
        now = self._clock.now_ms()
        given = Injection(
            host,
            native_id,
            event,
            {fact: (scores or {}).get(fact) for fact in bundle.facts},
            bundle.tokens,
            reason,
            project.id if project else None,
            extra,
        )
        await self._writer.run(lambda conn: injections.record(conn, given, now))


def _plain(lines: Iterable[str]) -> tuple[Line, ...]:
    return tuple((line, None) for line in lines)


def _within(choice: Choice, fact: int, project: Project | None) -> tuple[str, ...]:
    """Return the files that go with a fact, told from the project's root."""
    root = f"{project.root}/" if project else "/"
    return tuple(path.removeprefix(root) for path in (choice.files or {}).get(fact, ()) if path.startswith(root))


def _lost(conn: facts.Connection, host: str, native_id: str) -> Lost | None:
    """Return what a compaction took from a session, None for one that was never given anything."""
    ids = injections.lost(conn, host, native_id)
    session = sessions.by_native(conn, host, native_id)
    if not ids and session is None:
        return None
    given = facts.load(conn, ids)
    if session is None:
        return Lost(given, ())
    learnt = facts.list_facts(conn, facts.FactFilter(session_id=session.id, sure=SURE), limit=_LEARNT)
    return Lost(given, history.changed_in(conn, session.id), history.compaction_of(conn, session.id), learnt)
