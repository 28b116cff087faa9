"""Judged: what the judge said of a session's statements becomes facts; saying it again changes nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final, assert_never

from memd.model import Candidate, Evidence, Fact, Judgement
from memd.store import fact_changes, fact_rows, sessions
from memd.store.fact_changes import NewFact

_SAID: Final = """
    SELECT id FROM facts WHERE project_id IS ? AND kind = ? AND title = ? AND body = ?
    ORDER BY status = 'retracted', id
"""
_TAKEN_BACK_BY_A_PERSON: Final = """
    SELECT session_id IS NULL FROM fact_history WHERE fact_id = ? AND action = 'RETRACT'
    ORDER BY at DESC, id DESC LIMIT 1
"""
_OF_SESSION: Final = """
    SELECT DISTINCT e.fact_id FROM evidence e JOIN facts f ON f.id = e.fact_id
    WHERE e.session_id = ? AND f.origin = 'distill' AND f.status != 'retracted'
"""
_EVIDENCE: Final = "SELECT id, message_id, quote FROM evidence WHERE session_id = ? AND fact_id = ?"
_FORGET_EVIDENCE: Final = "DELETE FROM evidence WHERE id = ?"
_HAS_EVIDENCE: Final = "SELECT EXISTS (SELECT 1 FROM evidence WHERE fact_id = ?)"
_REPLACED_BY: Final = "SELECT id FROM facts WHERE superseded_by = ? AND status = 'superseded'"
_ROW_ID: Final = "SELECT id FROM facts WHERE uid = ?"
_CHAIN: Final = """
    SELECT id, status, valid_from, superseded_by FROM facts
    WHERE project_id IS ? AND slot = ? AND status != 'retracted' ORDER BY valid_from, id
"""
_RECHAIN: Final = "UPDATE facts SET superseded_by = ?, valid_to = ? WHERE id = ?"

_NO_LONGER: Final = "the session it came from no longer says so"


@dataclass(frozen=True, slots=True)
class Applied:
    """What changed. `homeless` counts statements of a session without a project that do not hold everywhere."""

    added: tuple[int, ...] = ()
    updated: tuple[int, ...] = ()
    superseded: tuple[int, ...] = ()
    retracted: tuple[int, ...] = ()
    known: int = 0
    homeless: int = 0


def apply(conn: sqlite3.Connection, session_id: int, judgements: Sequence[Judgement], now_ms: int) -> Applied:
    """Make facts of all that is to be learnt from a session, given as the judge's complete judgement of it.

    Judgements of one candidate follow each other and concern one fact. What an earlier distillation of the session gave
    and this one does not is retracted, unless it has evidence elsewhere: so a session that grew ends with the facts of
    one that was distilled at once. What a person took back stays so. Raises NotFound for an unknown session.
    """
    return _Applying(conn, session_id, now_ms).run(judgements)


@dataclass(slots=True)
class _Counts:
    added: list[int] = field(default_factory=list)
    updated: list[int] = field(default_factory=list)
    superseded: list[int] = field(default_factory=list)
    retracted: list[int] = field(default_factory=list)
    known: int = 0
    homeless: int = 0


class _Applying:
    """One session's judgements being applied."""

    def __init__(self, conn: sqlite3.Connection, session_id: int, now_ms: int) -> None:
        self._conn = conn
        self._session_id = session_id
        self._now_ms = now_ms
        project = sessions.get(conn, session_id).project
        self._project_id = None if project is None else project.id
        self._counts = _Counts()
        self._evidence: dict[int, list[Evidence]] = {}
        """The evidence of this session for each fact that it speaks for."""

    def run(self, judgements: Sequence[Judgement]) -> Applied:
        """Apply them all, then take back what is said no more."""
        before: Candidate | None = None
        fact: int | None = None
        for judgement in judgements:
            if judgement.candidate is not before:
                before, fact = judgement.candidate, None
            if self._project_id is None and not judgement.candidate.everywhere and judgement.target is None:
                self._counts.homeless += 1
                continue
            fact = self._take(judgement, fact)
        self._settle_evidence()
        self._retire()
        counts = self._counts
        return Applied(
            tuple(counts.added), tuple(counts.updated), tuple(counts.superseded), tuple(counts.retracted),
            counts.known, counts.homeless,
        )  # fmt: skip

    def _take(self, judgement: Judgement, fact: int | None) -> int | None:
        candidate, target, reason = judgement.candidate, judgement.target, judgement.reason
        match judgement.verdict:
            case "NONE":
                fact = self._repeat(candidate, target)
            case "UPDATE":
                fact = self._reword(candidate, target, reason)
            case "ADD":
                fact = fact or self._put(candidate, reason)
            case "SUPERSEDE":
                fact = fact or self._put(candidate, reason)
                if fact is not None and target is not None and target.id != fact:
                    self._supersede(target.id, fact, reason)
            case "SUPERSEDED":
                fact = fact or self._put(candidate, reason)
                if fact is not None and target is not None and target.id != fact:
                    self._supersede(fact, target.id, reason)
            case _:
                assert_never(judgement.verdict)
        if fact is not None:
            self._evidence.setdefault(fact, []).extend(self._own(candidate.evidence))
            if candidate.slot is not None:
                self._rechain(fact, candidate.slot)
        return fact

    def _repeat(self, candidate: Candidate, target: Fact | None) -> int | None:
        self._counts.known += 1
        if target is None:
            return None
        if candidate.at is not None:
            fact_changes.held_since(self._conn, target.id, candidate.at)
        return target.id

    def _reword(self, candidate: Candidate, target: Fact | None, reason: str) -> int | None:
        if target is None:
            return self._put(candidate, reason)
        changed = fact_changes.update(
            self._conn, target.id, self._now_ms, reason, title=candidate.title, body=candidate.body,
            parts=candidate.parts, tags=candidate.tags, slot=candidate.slot, confidence=candidate.confidence,
            session_id=self._session_id,
        )  # fmt: skip
        if candidate.at is not None:
            fact_changes.held_since(self._conn, target.id, candidate.at)
        if (changed.title, changed.body) != (target.title, target.body):
            self._counts.updated.append(target.id)
        return target.id

    def _put(self, candidate: Candidate, reason: str) -> int | None:
        """Return the fact that says just this, added or found; None when a person took it back."""
        at = self._now_ms if candidate.at is None else candidate.at
        project_id = None if candidate.everywhere else self._project_id
        said = (project_id, candidate.kind, candidate.title, candidate.body)
        for fact in fact_rows.load(self._conn, [row[0] for row in self._conn.execute(_SAID, said)]):
            if fact.status == "retracted":
                by_a_person = self._conn.execute(_TAKEN_BACK_BY_A_PERSON, (fact.id,)).fetchone()
                if by_a_person is not None and by_a_person[0]:
                    return None
                fact_changes.restore(self._conn, fact.id, self._now_ms, "is said again", session_id=self._session_id)
                return fact.id
            if fact.status == "current" or (fact.valid_to is not None and at <= fact.valid_to):
                self._counts.known += 1
                fact_changes.held_since(self._conn, fact.id, at)
                return fact.id
        new = NewFact(
            kind=candidate.kind, title=candidate.title, body=candidate.body, origin="distill", valid_from=at,
            project_id=project_id, parts=candidate.parts, tags=candidate.tags, slot=candidate.slot,
            confidence=candidate.confidence, session_id=self._session_id,
        )  # fmt: skip
        fact_id = fact_changes.add(self._conn, new, self._now_ms, reason).id
        self._counts.added.append(fact_id)
        return fact_id

    def _supersede(self, old: int, by: int, reason: str) -> None:
        fact_changes.supersede(self._conn, old, by, self._now_ms, reason, session_id=self._session_id)
        self._counts.superseded.append(old)

    def _rechain(self, fact_id: int, slot: str) -> None:
        """Let each replaced value of a slot be followed by the next one, in whatever order they came to be known."""
        (fact,) = fact_rows.load(self._conn, (fact_id,))
        chain = self._conn.execute(_CHAIN, (fact.project.id if fact.project else None, slot)).fetchall()
        for (old, status, since, successor), (after, _, until, _) in pairwise(chain):
            if status == "superseded" and successor != after and until > since:
                self._conn.execute(_RECHAIN, (after, until, old))

    def _own(self, evidence: Iterable[Evidence]) -> list[Evidence]:
        return [replace(one, session=one.session or self._session_id) for one in evidence]

    def _settle_evidence(self) -> None:
        """Let this session's evidence for the facts it speaks for be just what it has for them now."""
        for fact_id, evidence in self._evidence.items():
            self._forget(fact_id, [one for one in evidence if one.session == self._session_id])
            fact_changes.add_evidence(self._conn, fact_id, evidence)

    def _forget(self, fact_id: int, kept: list[Evidence]) -> None:
        still = {(one.message or None, one.quote) for one in kept}
        found = self._conn.execute(_EVIDENCE, (self._session_id, fact_id)).fetchall()
        gone = [(row,) for row, message, quote in found if (message, quote) not in still]
        self._conn.executemany(_FORGET_EVIDENCE, gone)

    def _retire(self) -> None:
        for (fact_id,) in self._conn.execute(_OF_SESSION, (self._session_id,)).fetchall():
            if fact_id in self._evidence:
                continue
            self._forget(fact_id, [])
            if self._conn.execute(_HAS_EVIDENCE, (fact_id,)).fetchone()[0]:
                continue
            (fact,) = fact_rows.load(self._conn, (fact_id,))
            fact_changes.retract(self._conn, fact_id, self._now_ms, _NO_LONGER, session_id=self._session_id)
            self._counts.retracted.append(fact_id)
            self._hand_on(fact)

    def _hand_on(self, gone: Fact) -> None:
        """What a retracted fact had replaced is replaced by its successor, or holds again."""
        row = self._conn.execute(_ROW_ID, (gone.superseded_by,)).fetchone()
        for (replaced,) in self._conn.execute(_REPLACED_BY, (gone.id,)).fetchall():
            if row is None:
                reason = "what replaced it was taken back"
                fact_changes.restore(self._conn, replaced, self._now_ms, reason, session_id=self._session_id)
            else:
                reason = "what replaced it was itself replaced"
                fact_changes.supersede(self._conn, replaced, row[0], self._now_ms, reason, session_id=self._session_id)
