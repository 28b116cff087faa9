"""Distillation: from one session to its summary, events and candidates for facts. A pure function of the transcript.

The rules each look at the whole thread and yield drafts; weighing keeps the few that are worth it. What a subagent
was told and said is nobody's intent: its session gives a summary and events, and no facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from memd.distill import (
    amending,
    answers,
    assent,
    causes,
    commands,
    decisions,
    homes,
    howto,
    instructions,
    leftovers,
    mended,
    picking,
    replies,
    turning,
)
from memd.distill.draft import Draft, candidate
from memd.distill.events import events_of
from memd.distill.setting import Setting
from memd.distill.summary import summarise
from memd.distill.thread import Thread
from memd.distill.weigh import weigh
from memd.model import Candidate, Distilled, Transcript

_RULES: Final[dict[str, Callable[[Thread], Iterator[Draft]]]] = {
    "instruction": instructions.find,
    "answer": answers.find,
    "decision": decisions.find,
    "assent": assent.find,
    "turn": turning.find,
    "amendment": amending.find,
    "cause": causes.find,
    "mended": mended.find,
    "leftover": leftovers.find,
    "command": commands.find,
    "howto": howto.find,
    "pick": picking.find,
    "reply": replies.find,
}


def distill(transcript: Transcript) -> Distilled:
    """Return what one session leaves behind. The same transcript always gives the same."""
    thread = Thread(transcript)
    events = events_of(thread.messages, thread.runs)
    found = _candidates(thread) if transcript.session.kind != "subagent" else ()
    return Distilled(
        summary=homes.of_summary(summarise(thread, events)), candidates=found, events=homes.of_events(events)
    )


def _candidates(thread: Thread) -> tuple[Candidate, ...]:
    setting, drafts = setting_of(thread)
    return tuple(homes.of_candidate(candidate(draft, thread.session)) for draft in weigh(setting, drafts))


def setting_of(thread: Thread) -> tuple[Setting, tuple[Draft, ...]]:
    """Return the setting of a session and the drafts that its rules found."""
    drafts = tuple(replace(draft, rule=name) for name, rule in _RULES.items() for draft in rule(thread))
    return Setting(thread, drafts), drafts
