"""Shapes: values of the model as they are told outside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

import orjson

from memd.clock import iso
from memd.distill.decay import maturity
from memd.model import Events, Evidence, Fact, Message, Session, Summary, ToolCall
from memd.operations.answers import (
    ChangeAnswer,
    ChangeOfFact,
    DoubtAnswer,
    EvidenceAnswer,
    FactAnswer,
    MessageAnswer,
    SessionAnswer,
    SummaryAnswer,
    ToolCallAnswer,
)
from memd.operations.event_answers import CommandAnswer, ErrorAnswer, EventsAnswer, PackageAnswer
from memd.store.fact_changes import Change
from memd.text.clip import clip

_TOPIC_CHARS: Final = 300


def time_of(at_ms: int | None) -> str | None:
    """Return a stored time as ISO-8601 UTC with a Z, or None."""
    return None if at_ms is None else iso(at_ms)


def session_answer(session: Session) -> SessionAnswer:
    """Return a session as it is told."""
    return SessionAnswer(
        id=session.uid,
        native_id=session.native_id,
        host=session.host,
        project=None if session.project is None else session.project.root,
        title=session.title,
        started=time_of(session.started_at),
        ended=time_of(session.ended_at),
        messages=session.messages,
        parent=session.parent,
        kind=session.kind,
        state=session.state,
        last=time_of(session.last_at),
        cwd=session.cwd,
        branch=session.branch,
        model=session.model,
        agent=session.agent,
        forked_from=session.forked_from,
    )


def message_answer(message: Message, name: str = "") -> MessageAnswer:
    """Return a message as it is told; `name` is what it is called outside."""
    return MessageAnswer(
        role=message.role,
        kind=message.kind,
        at=time_of(message.at),
        text=message.text,
        tool_calls=tuple(map(_call, message.tool_calls)),
        abandoned=message.abandoned,
        model=message.model,
        id=name,
    )


def events_answer(events: Events, told: Iterable[Message]) -> EventsAnswer:
    """Return what happened in a session whose messages are told."""
    messages = [message for message in told if not message.abandoned]
    asked = (clip(" ".join(one.text.split()), _TOPIC_CHARS, tail_share=0) for one in messages if one.kind == "prompt")
    tools = Counter(call.name for message in messages for call in message.tool_calls)
    return EventsAnswer(
        topics=tuple(dict.fromkeys(topic for topic in asked if topic)),
        files=events.files_changed,
        commands=tuple(CommandAnswer(one.command, one.ok) for one in events.commands),
        commits=events.commits,
        errors=tuple(ErrorAnswer(one.text, one.fixed, one.fix) for one in events.errors),
        packages=tuple(PackageAnswer(one.name, one.action) for one in events.packages),
        urls=events.urls,
        tools=dict(tools.most_common()),
    )


def summary_answer(summary: Summary) -> SummaryAnswer:
    """Return a summary as it is told."""
    return SummaryAnswer(summary.title, summary.text, summary.open_ends)


def doubt_answers(fact: Fact) -> tuple[DoubtAnswer, ...]:
    """Return why a fact may be out of date, as it is told."""
    return tuple(DoubtAnswer(one.name, one.change, one.detail, time_of(one.at), one.session) for one in fact.doubts)


def fact_answer(fact: Fact, sessions: Mapping[int, Session]) -> FactAnswer:
    """Return a fact as it is told; `sessions` are those of its evidence, by row id."""
    parts: dict[str, str] = {}
    for part in fact.parts:
        parts[part.name] = f"{parts[part.name]}; {part.text}" if part.name in parts else part.text
    return FactAnswer(
        id=fact.uid,
        kind=fact.kind,
        title=fact.title,
        text=fact.body,
        project=None if fact.project is None else fact.project.root,
        status=fact.status,
        session=fact.session,
        evidence=tuple(_evidence(evidence, sessions) for evidence in fact.evidence),
        parts=parts,
        confidence=fact.confidence,
        valid_from=time_of(fact.valid_from),
        valid_to=time_of(fact.valid_to),
        superseded_by=fact.superseded_by,
        tags=fact.tags,
        topic=fact.topic,
        epistemic=fact.epistemic,
        basis=fact.basis,
        origin=fact.origin,
        author=fact.author,
        evergreen=fact.evergreen,
        visibility=fact.visibility,
        domain=fact.domain,
        metadata=orjson.loads(fact.metadata),
        revision=fact.revision,
        repeats=fact.repeats,
        last_seen=time_of(fact.last_seen_at),
        uses=fact.uses,
        last_used=time_of(fact.last_used_at),
        maturity=maturity(fact.uses),
        verified=time_of(fact.verified_at),
        promoted=time_of(fact.promoted_at),
        helpful=fact.helpful,
        unhelpful=fact.unhelpful,
        stale=doubt_answers(fact),
    )


def change_answer(change: Change) -> ChangeOfFact:
    """Return a line of a fact's history as it is told."""
    return ChangeOfFact(
        at=time_of(change.at),
        action=change.action,
        reason=change.reason,
        old_title=change.old_title,
        old_text=change.old_body,
        other=change.other,
        session=change.session,
    )


def _evidence(evidence: Evidence, sessions: Mapping[int, Session]) -> EvidenceAnswer:
    session = sessions.get(evidence.session)
    return EvidenceAnswer(evidence.quote, None if session is None else session.uid, time_of(evidence.at))


def _call(call: ToolCall) -> ToolCallAnswer:
    return ToolCallAnswer(
        id=call.call_id,
        name=call.name,
        kind=call.kind,
        input=call.input,
        ok=call.ok,
        exit_code=call.exit_code,
        output=call.output,
        output_chars=call.output_chars,
        changes=tuple(ChangeAnswer(change.path, change.op, change.added, change.removed) for change in call.changes),
    )
