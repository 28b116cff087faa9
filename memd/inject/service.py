"""The injector: gives a session what it should know, once, and keeps the ledger of what it was given."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from memd.clock import Clock
from memd.config import InjectConfig
from memd.inject.framing import fact_line
from memd.inject.material import gather
from memd.inject.prompt import worth_looking
from memd.inject.wakeup import NOTHING, Bundle, Section, pack, wakeup
from memd.model import Fact, Project
from memd.recall.relevance import rank
from memd.store import facts, injections, projects, search
from memd.store.injections import Injection
from memd.store.readers import Readers
from memd.store.writer import Writer
from memd.text.tokens import match_query

_CANDIDATES: Final = 60
_WAKEUP: Final = "wakeup"
_PROMPT: Final = "prompt"


class Injector:
    """Makes bundles; every fact in one is noted and not given again to that session until it is re-armed."""

    def __init__(
        self,
        config: InjectConfig,
        readers: Readers,
        writer: Writer,
        clock: Clock,
        place: Callable[[Path], Awaitable[Path | None]],
    ) -> None:
        """`place` tells the root of the project a folder belongs to, by the same rules that capture goes by."""
        self._config = config
        self._place = place
        self._readers = readers
        self._writer = writer
        self._clock = clock

    async def project_of(self, cwd: Path) -> Project | None:
        """Return the project that a folder belongs to, as far as memd knows it."""
        root = await self._place(cwd)
        return await self._readers.run(lambda conn: projects.by_path(conn, root)) if root else None

    async def wakeup(self, project: Project | None) -> Bundle:
        """Return what a session in this project would be given at its start; nothing is noted."""
        material = await self._readers.run(lambda conn: gather(conn, project))
        return wakeup(material, self._config.wakeup_tokens)

    async def session_start(self, host: str, native_id: str, cwd: Path | None) -> Bundle:
        """Return what this session is given at its start, and note it."""
        project = await self.project_of(cwd) if cwd else None
        bundle = await self.wakeup(project)
        await self._note(host, native_id, bundle, _WAKEUP)
        return bundle

    async def late_start(self, host: str, native_id: str, cwd: Path | None) -> Bundle:
        """Return what a session should have been given at its start, unless it has been, and note it."""
        given = await self._readers.run(lambda conn: injections.given(conn, host, native_id))
        return NOTHING if _WAKEUP in given.events else await self.session_start(host, native_id, cwd)

    async def prompt(self, host: str, native_id: str, cwd: Path | None, text: str) -> Bundle:
        """Return the few facts that a session's first real prompt asks for, and note them.

        Nothing for a prompt that is no real one, when no fact is relevant enough, when the session knows them already,
        or when an earlier prompt was given some.
        """
        match = match_query(text) if worth_looking(text) else ""
        if not match:
            return NOTHING
        project = await self.project_of(cwd) if cwd else None
        chosen = await self._readers.run(lambda conn: self._choose(conn, host, native_id, project, text, match))
        lines = tuple((fact_line(fact), fact.id) for fact in chosen)
        section = Section("This may bear on the request", 1.0, lines)
        bundle = pack(project.name if project else None, (section,), self._config.prompt_tokens)
        await self._note(host, native_id, bundle, _PROMPT)
        return bundle

    async def rearm(self, host: str, native_id: str) -> None:
        """Allow a session to be given again what it lost (compaction) or starts without (resume, clear)."""
        await self._writer.run(lambda conn: injections.rearm(conn, host, native_id))

    def _choose(
        self, conn: facts.Connection, host: str, native_id: str, project: Project | None, text: str, match: str
    ) -> list[Fact]:
        given = injections.given(conn, host, native_id)
        if _PROMPT in given.events:
            return []
        found = search.facts(conn, match, project_id=project.id if project else None, limit=_CANDIDATES)
        # What the session knows already takes part in weighing the words, but no place among the few.
        ranked = rank(text, [fact for fact, _ in found], len(found))
        return [fact for fact, _ in ranked if fact.id not in given.facts][: self._config.prompt_facts]

    async def _note(self, host: str, native_id: str, bundle: Bundle, event: str) -> None:
        if not bundle.text:
            return
        now = self._clock.now_ms()
        given = Injection(host, native_id, event, dict.fromkeys(bundle.facts), bundle.tokens)
        await self._writer.run(lambda conn: injections.record(conn, given, now))
