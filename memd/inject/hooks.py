"""Answers to hooks: what a host is told when it reports an event, and what memd takes from the event.

Reading an event never fails the host: whatever goes wrong, the answer is empty and the log says why. The same event
reported twice (settings and plugin both registered, another host running the same settings) is answered once.
"""

from __future__ import annotations

import hashlib
import logging
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

import anyio
import orjson
from anyio import to_thread

from memd.capture.pipeline import Capture
from memd.clock import Clock
from memd.config import Config
from memd.distill.distiller import Distiller
from memd.errors import DamagedDatabase, MemdError
from memd.inject import rules
from memd.inject.framing import noticed
from memd.inject.packing import NOTHING, Bundle
from memd.inject.service import Injector
from memd.text.redaction import redact
from memd.text.session_ids import session_id
from memd.text.tokens import estimate_tokens
from memd_hooks.events import HookEvent, parse_event
from memd_hooks.replies import reply

logger = logging.getLogger(__name__)

_SAME_EVENT_S: Final = 5.0
_REMEMBERED: Final = 512
_SAME_COMPACTION_S: Final = 120.0
_DUMPS: Final = 16
_DUMP_READ_S: Final = 5.0
_DUMP_S: Final = 60.0
_WORTH_SAYING: Final = 5
"""Transcripts behind from which on a session is told; one or two are sessions that go on."""
COMPACTION_NOTE: Final = (
    "Keep in the summary what was settled here and why, what was rejected, what is left open, and the commands that"
    " work."
)
_FRESH_STARTS: Final = frozenset({"resume", "clear", "compact"})
# Of the quarter of a second that a hook has, what may go into reading and distilling what the last session left.
_SETTLE_S: Final = 0.12
_ANSWER_S: Final = 0.2

_SWITCHES: Final = {
    "SessionStart": "session_start",
    "PreToolUse": "session_start",
    "UserPromptSubmit": "user_prompt_submit",
    "PreCompact": "pre_compact",
    "PostCompact": "post_compact",
    "Stop": "stop",
    "SubagentStop": "subagent_stop",
    "SessionEnd": "session_end",
}


class HookAnswers:
    """Answers hook events and hands them to capture."""

    def __init__(
        self,
        config: Config,
        clock: Clock,
        capture: Capture,
        distiller: Distiller,
        injector: Injector,
        manifest_file: Path | None = None,
    ) -> None:
        """In `manifest_file` stands which rules files were registered."""
        self._config = config
        self._clock = clock
        self._capture = capture
        self._distiller = distiller
        self._injector = injector
        self._manifest_file = manifest_file
        self._seen: OrderedDict[bytes, float] = OrderedDict()
        self._woken: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._early: OrderedDict[tuple[str, str], Bundle] = OrderedDict()
        self._recovered: OrderedDict[tuple[str, str], float] = OrderedDict()
        self._dump, self._to_dump = anyio.create_memory_object_stream[HookEvent](_DUMPS)

    async def serve(self) -> None:
        """Distill sessions that are about to be compacted, until cancelled: the compaction takes longer than that.

        Raises DamagedDatabase; other trouble is logged, and the session is distilled when it ends.
        """
        async with self._dump, self._to_dump:
            async for event in self._to_dump:
                try:
                    await self._distill_as_it_is(event)
                except DamagedDatabase:
                    raise
                except MemdError as error:
                    logger.warning("event=not_distilled_before_compaction error=%s", error)

    async def _distill_as_it_is(self, event: HookEvent) -> None:
        paths = [] if event.transcript_path is None else [event.transcript_path]
        known = (event.host_is, event.session_id)
        await self._capture.settle(session=known, paths=paths, deadline_s=_DUMP_READ_S)
        session = await self._injector.session_of(*known)
        if session is not None:
            await self._distiller.distill_now(session, _DUMP_S)

    async def answer(self, host: str, named: str, env: str, body: bytes) -> bytes:
        """Return the bytes the host is to get for an event, b"" for nothing."""
        event = parse_event(host, body, named=named, env=env)
        if event is None:
            logger.info("event=hook_not_understood host=%s bytes=%d", host, len(body))
            return b""
        if not self._switched_on(event) or self._again(event, body):
            return b""
        if event.cwd is not None and self._capture.excludes(event.cwd):
            return b""  # whoever keeps memd out of a folder wants nothing of it in there
        event = _without_secrets(event)
        try:
            await self.take(event)
            bundle = await self._bundle(event)
        except MemdError as error:
            logger.warning("event=hook_failed host=%s hook=%s error=%s", host, event.event, error)
            return b""
        receipt, behind = "", self._behind(event)
        if self._config.inject.receipts:
            asked = await self._injector.ask_who() if event.event == "SessionStart" else ""
            receipt = "; ".join(filter(None, (self._receipt(bundle), behind, asked)))
        return reply(event, noticed(bundle.text, behind), receipt)

    async def take(self, event: HookEvent) -> None:
        """Note what an event says of its session's life; also for events that nobody waits for."""
        await self._capture.on_event(event)
        if event.event in ("UserPromptSubmit", "Stop"):
            self._distiller.warm_up(_ANSWER_S if event.event == "UserPromptSubmit" else 0.0)
        if event.event == "PreCompact":
            with suppress(anyio.WouldBlock):
                self._dump.send_nowait(event)
        if event.source in _FRESH_STARTS or event.event == "PreCompact" or self._compacted_unseen(event):
            await self._injector.rearm(event.host, event.session_id)

    async def take_spooled(self, spooled: Mapping[str, object]) -> None:
        """Note an event that was left in the spool; one that cannot be understood is logged and let go."""
        host = spooled.get("host")
        body = orjson.dumps({**spooled, "hook_event_name": spooled.get("event")})
        event = parse_event(host, body) if isinstance(host, str) else None
        if event is None:
            logger.info("event=spooled_event_not_understood")
            return
        if not self._switched_on(event):
            return
        event = _without_secrets(event)
        try:
            await self.take(event)
        except MemdError as error:
            logger.warning("event=spooled_event_failed error=%s", error)

    async def _bundle(self, event: HookEvent) -> Bundle:
        if event.host != event.host_is or event.agent_id:
            # A subagent is told what it needs by the session that started it.
            return NOTHING
        if event.event == "SessionStart":
            settled = await self._settle(event)
            if event.source == "compact":
                self._recovered[event.host, event.session_id] = self._clock.monotonic_s()
                while len(self._recovered) > _REMEMBERED:
                    self._recovered.popitem(last=False)
            bundle = await self._injector.session_start(event.host, event.session_id, event.cwd, event.source)
            if not settled:
                self._early[event.host, event.session_id] = bundle
                while len(self._early) > _REMEMBERED:
                    self._early.popitem(last=False)
            return bundle
        if event.event == "PreToolUse":
            return await self._late_wakeup(event)
        if event.event == "PreCompact" and self._config.inject.compaction_note:
            return Bundle(COMPACTION_NOTE, (), estimate_tokens(COMPACTION_NOTE))
        if event.event == "UserPromptSubmit":
            return await self._at_prompt(event)
        return NOTHING

    async def _at_prompt(self, event: HookEvent) -> Bundle:
        """Return what a prompt asks for, and before it what the session's start came too early for."""
        started_s = self._clock.monotonic_s()
        early = self._early.pop((event.host, event.session_id), None)
        if early is None:
            return await self._injector.prompt(event.host, event.session_id, event.cwd, event.prompt)
        await self._settle(event)
        late = await self._injector.rest_of_start(event.host, event.session_id, event.cwd, early)
        asked = NOTHING
        with anyio.move_on_after(_ANSWER_S - (self._clock.monotonic_s() - started_s)):
            asked = await self._injector.prompt(event.host, event.session_id, event.cwd, event.prompt)
        return late.followed_by(asked)

    async def _late_wakeup(self, event: HookEvent) -> Bundle:
        """Return a session's wakeup at the first tool it uses, for hosts that take none at its start.

        What the host's rules file says it was told already.
        """
        session = (event.host, event.session_id)
        if session in self._woken:
            return NOTHING
        self._woken[session] = None
        while len(self._woken) > _REMEMBERED:
            self._woken.popitem(last=False)
        await self._settle(event)
        told = ""
        if self._manifest_file is not None:
            told = await to_thread.run_sync(rules.told, self._manifest_file, event.host)
        return await self._injector.late_start(event.host, event.session_id, event.cwd, told)

    async def _settle(self, event: HookEvent) -> bool:
        """Have what earlier sessions of this project left read and distilled; tell whether there was time for all."""
        if event.cwd is None:
            return True
        with anyio.move_on_after(_SETTLE_S):
            read = await self._capture.settle(cwd=event.cwd, deadline_s=_SETTLE_S)
            project = await self._injector.project_of(event.cwd)
            if project is None:
                return read
            return await self._distiller.settle(project.id, _SETTLE_S) and read
        return False

    def _compacted_unseen(self, event: HookEvent) -> bool:
        """Return whether a compaction is reported whose recovery was not given yet.

        Some clients report it after the start that follows it: what that gave must not be given again.
        """
        if event.event != "PostCompact":
            return False
        given = self._recovered.get((event.host, event.session_id))
        return given is None or self._clock.monotonic_s() - given > _SAME_COMPACTION_S

    def _switched_on(self, event: HookEvent) -> bool:
        switch = _SWITCHES.get(event.event)
        return switch is None or bool(getattr(self._config.hooks, switch))

    def _again(self, event: HookEvent, body: bytes) -> bool:
        """Return whether just this event was reported a moment ago, by another registration for the same host.

        A host that runs another's registration besides its own must not lose its answer to the one that gets none.
        """
        registered = hashlib.blake2b(event.host.encode(), digest_size=16).digest()
        key = hashlib.blake2b(body, digest_size=16, key=registered, person=event.event.encode()[:16]).digest()
        now = self._clock.monotonic_s()
        before = self._seen.pop(key, None)
        self._seen[key] = now
        while len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)
        return before is not None and now - before < _SAME_EVENT_S

    def _behind(self, event: HookEvent) -> str:
        """Return a sentence at a session's start where what it is told may lack the latest, "" where memd keeps up."""
        waiting = self._capture.unread if event.event == "SessionStart" else 0
        if waiting < _WORTH_SAYING:
            return ""
        return (
            f"{waiting:,} transcripts of earlier sessions are not read yet; that goes on by itself, and `memd status`"
            " tells how far it is"
        )

    @staticmethod
    def _receipt(bundle: Bundle) -> str:
        """Return the line for the person: what was given, or why nothing was."""
        if not bundle.text:
            return f"memd: nothing given, {bundle.why}" if bundle.why else ""
        count = len(bundle.facts)
        what = "earlier words" if not count else "1 fact" if count == 1 else f"{count} facts"
        return f"memd: {what} from earlier sessions, about {bundle.tokens} tokens"


def _without_secrets(event: HookEvent) -> HookEvent:
    """Return an event of which the words that are kept as the host said them hold nothing secret."""
    source, reason, model = (redact(told).text for told in (event.source, event.reason, event.model))
    return replace(event, session_id=session_id(event.session_id), source=source, reason=reason, model=model)
