"""Distillation: from one session to its summary, events and candidates for facts. A pure function of the transcript.

The rules each look at the whole thread and yield drafts; weighing keeps the few that are worth it. What a subagent was told and
said is nobody's intent: its session gives a summary and events, and no facts.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

from memd.distill import causes, commands, decisions, findings, instructions, leftovers
from memd.distill.draft import Draft, candidate
from memd.distill.events import events_of
from memd.distill.summary import summarise
from memd.distill.thread import Thread
from memd.distill.weigh import weigh
from memd.model import Candidate, Distilled, Evidence, Transcript

_RULES: Final = (instructions.find, decisions.find, causes.find, leftovers.find, findings.find)
_COMMAND_CONFIDENCE: Final = 0.55
_MAX_COMMANDS: Final = 2


def distill(transcript: Transcript) -> Distilled:
    """Return what one session leaves behind. The same transcript always gives the same; abandoned messages count for nothing."""
    thread = Thread(transcript)
    events = events_of(thread.messages, thread.runs)
    found = tuple(_candidates(thread)) if transcript.session.kind != "subagent" else ()
    return Distilled(summary=summarise(thread, events), candidates=found, events=events)


def _candidates(thread: Thread) -> Iterator[Candidate]:
    kept: tuple[Draft, ...] = weigh(thread, chain.from_iterable(rule(thread) for rule in _RULES))
    for draft in kept:
        yield candidate(draft, thread.session)
    said = " ".join(draft.text for draft in kept)
    yield from _commands(thread, said)


def _commands(thread: Thread, said: str) -> Iterator[Candidate]:
    """Yield the commands that proved themselves and that no kept draft names already."""
    fresh = [
        (aim, command, run)
        for aim, command, run in commands.used(thread)
        if command not in said and aim in ("test", "build", "deploy")
    ]
    for aim, command, run in fresh[:_MAX_COMMANDS]:
        message = thread.messages[run.position]
        text, parts = commands.told(aim, command)
        yield Candidate(
            kind="config",
            title=text.rstrip(".")[:80],
            body=text,
            parts=parts,
            evidence=(Evidence(message.id, thread.session.id, run.command[:200], message.at),),
            confidence=_COMMAND_CONFIDENCE,
            at=message.at,
            slot=f"command:{aim}",
        )
