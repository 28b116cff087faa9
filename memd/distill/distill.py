"""Distillation: from one session to its summary, events and candidates for facts. A pure function of the transcript.

The rules each look at the whole thread and yield drafts; weighing keeps the few that are worth it. What a subagent
was told and said is nobody's intent: its session gives a summary and events, and no facts.
"""

from __future__ import annotations

from itertools import chain
from typing import Final

from memd.distill import answers, causes, commands, decisions, findings, instructions, leftovers
from memd.distill.draft import candidate
from memd.distill.events import events_of
from memd.distill.summary import summarise
from memd.distill.thread import Thread
from memd.distill.weigh import weigh
from memd.model import Candidate, Distilled, Transcript

_RULES: Final = (
    instructions.find,
    answers.find,
    decisions.find,
    causes.find,
    leftovers.find,
    findings.find,
    commands.find,
)


def distill(transcript: Transcript) -> Distilled:
    """Return what one session leaves behind. The same transcript always gives the same."""
    thread = Thread(transcript)
    events = events_of(thread.messages, thread.runs)
    found = _candidates(thread) if transcript.session.kind != "subagent" else ()
    return Distilled(summary=summarise(thread, events), candidates=found, events=events)


def _candidates(thread: Thread) -> tuple[Candidate, ...]:
    drafts = weigh(thread, chain.from_iterable(rule(thread) for rule in _RULES))
    return tuple(candidate(draft, thread.session) for draft in drafts)
