"""Outcome: what an operation did, in a line or a few, where its answer is not shown whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from memd.doors.cli import reach
from memd.doors.cli.columns import one_line
from memd.doors.cli.wording import counted, counted_as, project_name, short
from memd.operations.answers import FactAnswer
from memd.operations.deleting_answers import DeletedAnswer, ProjectDeletedAnswer, WordsForgottenAnswer
from memd.operations.fact_answers import (
    BatchAnswer,
    ChangedAnswer,
    LearnAnswer,
    MessagesAnswer,
    PurgeAnswer,
    RememberAnswer,
)
from memd.operations.status_answers import JobControlAnswer

_CHANGED: Final = {
    "facts.retract": "Taken back, and never learnt again",
    "facts.invalidate": "Holds no longer",
    "facts.restore": "Holds again",
    "facts.revise": "Holds no longer",
    "facts.edit": "Changed",
    "facts.verify": "Noted as checked",
    "facts.rate": "Noted",
    "facts.use": "Noted as used",
    "facts.evergreen": "Noted",
}
_CONTROLLED: Final = {"jobs.run": "Runs now", "jobs.pause": "Paused", "jobs.resume": "Goes on"}
_ENDS: Final = (".", "!", "?", "…")
_IN_LOG: Final = "(The database is in use; what is left of the text in its log goes within the hour.)"


def told(op: str, raw: bytes, socket: Path) -> tuple[str, ...] | None:
    """Return what an operation did, in lines; None for an operation whose answer is to be shown whole.

    Raises DaemonUnavailable for an answer that this version does not expect.
    """
    decode: Any = reach.decode
    match op:
        case "facts.remember" | "facts.note":
            return tuple(_kept(decode(raw, RememberAnswer, socket)))
        case "facts.learn":
            learnt: LearnAnswer = decode(raw, LearnAnswer, socket)
            return (*(line for one in learnt.learnt for line in _kept(one)), f"Known already: {learnt.known:,}.")
        case "messages.add":
            return tuple(_looked_through(decode(raw, MessagesAnswer, socket)))
        case "facts.batch":
            answer: BatchAnswer = decode(raw, BatchAnswer, socket)
            return tuple(line for one in answer.facts for line in _kept(one))
        case "brief" | "handoff" | "wakeup":
            text: str = msgspec.json.decode(raw)["text"]
            return tuple(text.splitlines()) or None
        case "facts.forget" | "facts.purge":
            return tuple(_gone(decode(raw, PurgeAnswer, socket)))
        case "messages.forget" | "sessions.forget":
            deleted: DeletedAnswer = decode(raw, DeletedAnswer, socket)
            return tuple(_deleted(deleted))
        case "words.forget":
            return tuple(_words(decode(raw, WordsForgottenAnswer, socket)))
        case "projects.delete":
            return tuple(_project(decode(raw, ProjectDeletedAnswer, socket)))
        case "jobs.run" | "jobs.pause" | "jobs.resume":
            done: JobControlAnswer = decode(raw, JobControlAnswer, socket)
            return (f"{_CONTROLLED[op]}: {', '.join(map(one_line, done.jobs)) or 'none'}.",)
        case _ if op in _CHANGED:
            return tuple(_changed(op, decode(raw, ChangedAnswer, socket)))
        case _:
            return None


def ids(raw: bytes) -> Iterator[str]:
    """Give the id of each fact that was kept."""
    answer: Any = msgspec.json.decode(raw)
    for one in answer.get("facts", (answer,)):
        yield str(one["fact"]["id"])


def _changed(op: str, answer: ChangedAnswer) -> Iterator[str]:
    fact = answer.fact
    yield f"{'Nothing changed' if answer.action == 'NONE' else _CHANGED[op]}: {_named(fact)}"
    if op == "facts.rate":
        yield f"It was of help {counted(fact.helpful, 'time')} and of none {counted(fact.unhelpful, 'time')}."
    elif op == "facts.evergreen":
        yield "Age takes no weight from it." if fact.evergreen else "It loses weight with age, as others do."
    if answer.successor is not None:
        yield f"Holds now: {_named(answer.successor)}"
    yield from (f"({one_line(warning)})" for warning in answer.warnings)


def _gone(answer: PurgeAnswer) -> Iterator[str]:
    did = "Removed" if answer.applied else "Would remove"
    if answer.count == 1 and len(answer.facts) == 1:
        yield f"{did} for good: {_named(answer.facts[0])}"
        return
    yield f"{did} for good: {counted(answer.count, 'fact')}."
    yield from (f"  {_titled(fact)}" for fact in answer.facts)
    if answer.count > len(answer.facts) > 0:
        yield f"  and {answer.count - len(answer.facts):,} more"


def _kept(answer: RememberAnswer) -> Iterator[str]:
    fact = answer.fact
    where = "everywhere" if fact.project is None else f"for {one_line(project_name(fact.project))}"
    verb = "Known already" if answer.action == "NONE" else "Kept"
    replaced, contradicted = (", ".join(map(short, ids)) for ids in (answer.replaced, answer.contradicts))
    more = f", in place of {replaced}" if replaced else ""
    more += f", beside {contradicted}, which it contradicts" if contradicted else ""
    yield f"{verb} {where}: {one_line(fact.kind)} {short(fact.id)}{more}."
    if answer.file:
        yield f"  {one_line(answer.file)}"
    yield from (f"({one_line(warning)})" for warning in answer.warnings)


def _looked_through(answer: MessagesAnswer) -> Iterator[str]:
    yield from (line for one in answer.facts for line in _kept(one))
    if not answer.facts:
        why = f": {one_line(answer.passed_over)}" if answer.passed_over else ""
        yield f"Nothing to keep in {counted(answer.taken, 'message')}{why}."


def _deleted(answer: DeletedAnswer) -> Iterator[str]:
    agents = f" of it and of {counted(answer.agents, 'agent')}" if answer.agents else ""
    calls = f", {counted(answer.tool_calls, 'tool call')}" if answer.tool_calls else ""
    facts = f", and {counted(len(answer.forgotten), 'fact')} learnt from nothing else" if answer.forgotten else ""
    did = "Removed" if answer.applied else "Would remove"
    yield f"{did} for good: {counted(answer.messages, 'message')}{agents}{calls}{facts}."
    if answer.begins and not answer.applied:
        yield f"  begins: {one_line(answer.begins)}"
    yield from (f"  fact: {_titled(fact)}" for fact in answer.forgotten)
    if answer.kept:
        yield f"({counted(answer.kept, 'fact stays', 'facts stay')}, as something else says so too.)"
    if answer.shared_with:
        losers = counted(len(answer.shared_with), "session that has", "sessions that have")
        yield f"(Lost as well to {losers} it as history: {', '.join(answer.shared_with)}.)"
    yield from _elsewhere(answer)


def _words(answer: WordsForgottenAnswer) -> Iterator[str]:
    said = f"{counted(answer.messages, 'message')} in {counted(answer.sessions, 'session')}"
    parts = (
        (answer.messages, said),
        (len(answer.forgotten), counted(len(answer.forgotten), "fact")),
        (answer.prompts, counted(answer.prompts, "kept prompt")),
        (answer.handoffs, counted(answer.handoffs, "handoff")),
        (answer.entities, counted(answer.entities, "entity", "entities")),
    )
    found = ", ".join(told for count, told in parts if count)
    did = "Removed" if answer.applied else "Would remove"
    yield f"{did} for good: {found}." if found else "Nothing holds these words."
    yield from (f"  fact: {_titled(fact)}" for fact in answer.forgotten)
    if answer.kept:
        yield f"({counted(answer.kept, 'fact stays', 'facts stay')}, as something else says so too.)"
    if answer.blocks:
        named = ", ".join(map(one_line, answer.blocks))
        yield f"(Also in {counted(len(answer.blocks), 'block')} of yours, which only you change: {named}.)"
    if answer.projects:
        named = ", ".join(map(one_line, answer.projects))
        stay = counted(len(answer.projects), "project, which stays", "projects, which stay")
        yield f"(Also in the name or folder of {stay}: {named}.)"
    yield from _elsewhere(answer)


def _elsewhere(answer: DeletedAnswer | WordsForgottenAnswer) -> Iterator[str]:
    if answer.applied and not answer.clean:
        yield _IN_LOG
    if answer.copies_removed:
        yield f"(Removed as well: {counted(answer.copies_removed, 'copy', 'copies')} of the database of before.)"
    if answer.copies:
        yield f"(May also be in {_copies(answer.copies)}:)"
        yield from (f"  {one_line(path)}" for path in answer.copies)
    if answer.transcripts:
        yield "(Also in what the host itself keeps, which memd never changes:)"
        yield from (f"  {one_line(path)}" for path in answer.transcripts)


def _project(answer: ProjectDeletedAnswer) -> Iterator[str]:
    verb = "Removed for good" if answer.applied else "Would be removed for good"
    counts = ", ".join(counted_as(count, name.replace("_", " ")) for name, count in answer.counts.items() if count)
    yield f"{verb}: {one_line(answer.name)} ({one_line(answer.project)}), with {counts or 'nothing in it'}."
    if answer.everywhere:
        fate = "goes as well" if answer.everywhere_goes else "stays; --everywhere removes it as well"
        yield f"What was said there and holds everywhere {fate}:"
        yield from (f"  {_titled(fact)}" for fact in answer.everywhere)
    if answer.applied and not answer.clean:
        yield _IN_LOG
    if answer.copies:
        yield f"(May still be in {_copies(answer.copies)}:)"
        yield from (f"  {one_line(path)}" for path in answer.copies)
    if answer.transcripts:
        yield f"(Still in {counted(len(answer.transcripts), 'file')} that the hosts keep, which memd never changes.)"


def _copies(paths: Sequence[str]) -> str:
    one = len(paths) == 1
    return f"{counted(len(paths), 'backup')} of before; --copies removes {'it' if one else 'them'} as well"


def _named(fact: FactAnswer) -> str:
    """Return a fact as the end of a sentence."""
    titled = _titled(fact)
    return titled if titled.endswith(_ENDS) else f"{titled}."


def _titled(fact: FactAnswer) -> str:
    return f"{one_line(fact.kind)} {short(fact.id)}, {one_line(fact.title)}"
