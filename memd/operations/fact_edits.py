"""Edits: how a person or an agent changes what is known. Nothing here deletes; each leaves a line of history."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from anyio import to_thread

from memd.distill import stating
from memd.distill.structure import title_of
from memd.model import Fact
from memd.operations import saving
from memd.operations.fact_answers import ChangedAnswer
from memd.operations.fact_params import WHICH, FactParams, ReasonParams, epistemic_of, kind_of, time_given
from memd.operations.memory import Memory
from memd.operations.registry import operation
from memd.operations.telling import told
from memd.store import fact_marks, facts
from memd.store.facts import Connection


@dataclass(frozen=True, slots=True)
class EditParams:
    """Other words for a fact; what is not given stays."""

    fact: str = field(metadata={"help": WHICH})
    text: str | None = field(default=None, metadata={"help": "the new text"})
    title: str | None = field(default=None, metadata={"help": "the new title"})
    kind: str | None = field(default=None, metadata={"help": "another kind"})
    tags: tuple[str, ...] | None = field(default=None, metadata={"help": "tags in place of those it has"})
    topic: str | None = field(default=None, metadata={"help": "another topic key"})
    epistemic: str | None = field(default=None, metadata={"help": "observed, reported, assumed, verified, disputed"})
    visibility: Literal["private", "shareable"] | None = field(default=None, metadata={"help": "private or shareable"})
    reason: str = field(default="", metadata={"help": "why; it is kept in the fact's history"})


@dataclass(frozen=True, slots=True)
class ReviseParams:
    """What is so instead, from a time on."""

    fact: str = field(metadata={"help": WHICH})
    text: str = field(metadata={"help": "what is so now"})
    title: str = field(default="", metadata={"help": "it in a few words; none: its first sentence"})
    since: str | None = field(default=None, metadata={"help": "since when; none: now"})
    reason: str = field(default="", metadata={"help": "why; it is kept in both facts' histories"})


@dataclass(frozen=True, slots=True)
class InvalidateParams:
    """A fact that no longer holds."""

    fact: str = field(metadata={"help": WHICH})
    at: str | None = field(default=None, metadata={"help": "until when it held; none: now"})
    successor: str | None = field(default=None, metadata={"help": "id of the fact that holds instead"})
    reason: str = field(default="", metadata={"help": "why; it is kept in the fact's history"})


@dataclass(frozen=True, slots=True)
class RateParams:
    """How a fact did."""

    fact: str = field(metadata={"help": WHICH})
    rating: Literal["helpful", "unhelpful"] = field(metadata={"help": "helpful or unhelpful"})
    reason: str = field(default="", metadata={"help": "why; it is kept in the fact's history"})


@dataclass(frozen=True, slots=True)
class EvergreenParams:
    """Whether a fact loses weight by age."""

    fact: str = field(metadata={"help": WHICH})
    evergreen: bool = field(default=True, metadata={"help": "false: it loses weight again when nobody uses it"})


@operation("facts.edit", writes=True)
async def edit(memory: Memory, params: EditParams) -> ChangedAnswer:
    """Say a fact in other words; what it said before stays as a version.

    Raises NotFound, and BadParameter for a text or title that says nothing or is too long, or a kind or status that
    there is not.
    """
    change = await to_thread.run_sync(_edit_of, params)
    now = memory.clock.now_ms()

    def write(conn: Connection) -> ChangedAnswer:
        fact = facts.find(conn, params.fact)
        reason = saving.clean(params.reason) or "was edited"
        new = stating.edit(conn, fact.id, _titled(change, fact), now, reason)
        changed = _words(new) != _words(fact)
        edited = told(conn, new)
        warnings = saving.length_warnings(change.body or "")
        if fact.status == "retracted":
            warnings = (*warnings, "the fact was taken back and stays so")
        if not changed:
            return ChangedAnswer(edited, "NONE", "nothing changed", warnings=warnings)
        return ChangedAnswer(edited, "UPDATE", reason, warnings=warnings)

    return await memory.writer.run(write)


def _words(fact: Fact) -> tuple[object, ...]:
    """Return what an edit can change of a fact."""
    return (fact.title, fact.body, fact.kind, fact.parts, fact.tags, fact.topic, fact.epistemic, fact.visibility)


def _titled(change: stating.Edit, fact: Fact) -> stating.Edit:
    """Return an edit with a new title where the old one was words of the text that is replaced."""
    if change.body is None or change.title is not None:
        return change
    words = fact.title.removesuffix("…")
    if words in change.body or words not in " ".join(fact.body.split()):
        return change
    return replace(change, title=title_of(change.body))


def _edit_of(params: EditParams) -> stating.Edit:
    """Return an edit cleaned and checked; raises BadParameter."""
    tags = None if params.tags is None else tuple(dict.fromkeys(filter(None, map(saving.clean, params.tags))))
    return stating.Edit(
        title=saving.said("facts.edit", params.title) if params.title else None,
        body=None if params.text is None else saving.said("facts.edit", params.text),
        kind=None if params.kind is None else kind_of(params.kind, "facts.edit"),
        tags=tags,
        topic=None if params.topic is None else saving.clean(params.topic),
        epistemic=None if params.epistemic is None else epistemic_of(params.epistemic, "facts.edit"),
        visibility=params.visibility,
    )


@operation("facts.revise", writes=True)
async def revise(memory: Memory, params: ReviseParams) -> ChangedAnswer:
    """Let another statement hold from a time on; the old one stays, with its end and its successor.

    Raises NotFound, and BadParameter for a text that says nothing or a date that is none.
    """
    since = time_given(params.since, "facts.revise")
    text = await to_thread.run_sync(saving.said, "facts.revise", params.text)
    now = memory.clock.now_ms()

    def write(conn: Connection) -> ChangedAnswer:
        fact = facts.find(conn, params.fact)
        reason = saving.clean(params.reason) or "was revised"
        title = saving.clean(params.title) or title_of(text)
        old, new = stating.replace_with(conn, fact.id, title, text, now if since is None else since, now, reason)
        return ChangedAnswer(told(conn, old), "SUPERSEDE", reason, told(conn, new), saving.length_warnings(text))

    return await memory.writer.run(write)


@operation("facts.invalidate", writes=True)
async def invalidate(memory: Memory, params: InvalidateParams) -> ChangedAnswer:
    """Let a fact hold only until a time; it stays, and `as_of` before that time still gives it.

    Raises NotFound, and BadParameter for a date that is none.
    """
    until = time_given(params.at, "facts.invalidate")
    now = memory.clock.now_ms()

    def write(conn: Connection) -> ChangedAnswer:
        fact = facts.find(conn, params.fact)
        by = None if params.successor is None else facts.find(conn, params.successor)
        reason = saving.clean(params.reason) or "no longer holds"
        ended = stating.end(conn, fact.id, now if until is None else until, now, reason, by=by)
        return ChangedAnswer(told(conn, ended), "SUPERSEDE", reason, None if by is None else told(conn, by))

    return await memory.writer.run(write)


@operation("facts.retract", writes=True)
async def retract(memory: Memory, params: ReasonParams) -> ChangedAnswer:
    """Take a fact back as never true: it is kept with its history, given to nobody, and not learnt again.

    Raises NotFound, and BadParameter when several facts could be meant.
    """
    now = memory.clock.now_ms()

    def write(conn: Connection) -> ChangedAnswer:
        fact = facts.find(conn, params.fact)
        reason = saving.clean(params.reason) or "was taken back"
        return ChangedAnswer(told(conn, stating.retract(conn, fact.id, now, reason)), "RETRACT", reason)

    return await memory.writer.run(write)


@operation("facts.restore", writes=True)
async def restore(memory: Memory, params: ReasonParams) -> ChangedAnswer:
    """Let a fact that was replaced or taken back hold again.

    Raises NotFound, and BadParameter when several facts could be meant.
    """
    now = memory.clock.now_ms()

    def write(conn: Connection) -> ChangedAnswer:
        fact = facts.find(conn, params.fact)
        reason = saving.clean(params.reason) or "holds again"
        return ChangedAnswer(told(conn, stating.restore(conn, fact.id, now, reason)), "RESTORE", reason)

    return await memory.writer.run(write)


@operation("facts.verify", writes=True)
async def verify(memory: Memory, params: ReasonParams) -> ChangedAnswer:
    """Note that a fact was checked and still holds; it is no longer marked as stale.

    Raises NotFound, and BadParameter when several facts could be meant.
    """
    now = memory.clock.now_ms()

    def write(conn: Connection) -> ChangedAnswer:
        fact = facts.find(conn, params.fact)
        reason = saving.clean(params.reason) or "was checked"
        facts.mark_verified(conn, fact.id, now, reason)
        fact_marks.not_stale(conn, fact.id)
        return ChangedAnswer(told(conn, facts.get(conn, fact.id)), "VERIFY", reason)

    return await memory.writer.run(write)


@operation("facts.rate", writes=True)
async def rate(memory: Memory, params: RateParams) -> ChangedAnswer:
    """Say whether a fact was of help.

    Raises NotFound, and BadParameter when several facts could be meant.
    """
    now = memory.clock.now_ms()

    def write(conn: Connection) -> ChangedAnswer:
        fact = facts.find(conn, params.fact)
        reason = ": ".join(filter(None, (f"was {params.rating}", saving.clean(params.reason))))
        fact_marks.rate(conn, fact.id, params.rating == "helpful", now, reason)
        return ChangedAnswer(told(conn, facts.get(conn, fact.id)), "RATE", reason)

    return await memory.writer.run(write)


@operation("facts.evergreen", writes=True)
async def evergreen(memory: Memory, params: EvergreenParams) -> ChangedAnswer:
    """Let a fact keep its weight for ever, or no longer.

    Raises NotFound, and BadParameter when several facts could be meant.
    """
    now = memory.clock.now_ms()

    def write(conn: Connection) -> ChangedAnswer:
        fact = facts.find(conn, params.fact)
        reason = "is evergreen" if params.evergreen else "is evergreen no longer"
        stating.set_evergreen(conn, fact.id, params.evergreen, now, reason)
        return ChangedAnswer(told(conn, facts.get(conn, fact.id)), "UPDATE", reason)

    return await memory.writer.run(write)


@operation("facts.use", writes=True)
async def use(memory: Memory, params: FactParams) -> ChangedAnswer:
    """Count that a fact was of use; with enough uses it becomes established, then proven.

    Raises NotFound, and BadParameter when several facts could be meant.
    """
    now = memory.clock.now_ms()

    def write(conn: Connection) -> ChangedAnswer:
        fact = facts.find(conn, params.fact)
        facts.mark_used(conn, (fact.id,), now)
        return ChangedAnswer(told(conn, facts.get(conn, fact.id)), "NONE", "was used")

    return await memory.writer.run(write)
