"""Recording: what claims come to is written down as facts, each change with its reason; nothing that is so already."""

from __future__ import annotations

from collections import Counter
from typing import Final

from memd.distill.judge import Standing
from memd.model import Fact
from memd.store import claims, fact_changes, facts, judged
from memd.store.judged import Applied, State, never

_NO_LONGER: Final = "the session it came from no longer says so"
_MERGED: Final = "another fact says it"


def record(
    conn: facts.Connection,
    standings: tuple[Standing, ...],
    before: set[int],
    touched: set[int],
    now_ms: int,
    session_id: int | None,
) -> Applied:
    """Write down what claims come to.

    `before` are the facts that these claims were part of, `touched` those that lost a claim; what is left of neither is
    taken back. `session_id` is the session that is noted in the facts' histories.
    """
    return _Writing(conn, now_ms, session_id).write(standings, before, touched)


class _Writing:
    """Standings being written down as facts."""

    def __init__(self, conn: facts.Connection, now_ms: int, session_id: int | None) -> None:
        self._conn = conn
        self._now_ms = now_ms
        self._session_id = session_id
        self._added: list[int] = []
        self._updated: list[int] = []
        self._superseded: list[int] = []
        self._retracted: list[int] = []
        self._known = 0
        self._changed: set[int] = set()
        self._left: set[int | None] = set()
        """Facts that claims have left for another."""
        self._facts: dict[int, Fact] = {}
        """The facts at hand as they were."""

    def write(self, standings: tuple[Standing, ...], before: set[int], touched: set[int]) -> Applied:
        homes = self._homes(standings)
        self._facts = {fact.id: fact for fact in facts.load(self._conn, set(homes.values()))}
        for standing in standings:
            self._say(standing, homes[standing], lost=homes[standing] in touched)
        for standing in standings:
            self._rule(standing, homes)
        gone = (before | touched) - set(homes.values())
        for fact in sorted(gone):
            self._retire(fact)
        against = {
            (min(homes[one], homes[other]), max(homes[one], homes[other])): reason
            for one in standings
            for other, reason in one.against
            if one.until is None and other.until is None and homes[one] != homes[other]
        }
        contradicting = judged.set_contradictions(
            self._conn, homes.values(), against, self._now_ms, session_id=self._session_id
        )
        judged.drop_contradictions(self._conn, self._retracted)
        return Applied(
            tuple(self._added), tuple(self._updated), tuple(self._superseded), tuple(self._retracted), self._known,
            contradicting, changed=tuple(sorted(self._changed)),
        )  # fmt: skip

    def _homes(self, standings: tuple[Standing, ...]) -> dict[Standing, int]:
        """Give each standing the fact that most of its claims are part of, or a new one."""
        homes = {standing: standing.fact for standing in standings if standing.fact is not None}
        taken = set(homes.values())
        for standing in standings:
            if standing in homes:
                continue
            votes = Counter(claim.fact for claim in standing.claims if claim.fact is not None)
            fact = next(
                (one for one, _ in sorted(votes.items(), key=lambda vote: (-vote[1], vote[0])) if one not in taken),
                None,
            )
            homes[standing] = self._adopted(standing, taken) if fact is None else fact
            taken.add(homes[standing])
        return homes

    def _adopted(self, standing: Standing, taken: set[int]) -> int:
        voice = standing.voice
        fact = judged.adoptable(self._conn, voice, taken)
        if fact is not None:
            return fact
        new = fact_changes.NewFact(
            kind=voice.kind, title=voice.title, body=voice.body, origin="distill",
            valid_from=_since(standing, self._now_ms), project_id=voice.project, parts=voice.parts, tags=voice.tags,
            slot=voice.slot, confidence=standing.confidence, session_id=standing.claims[0].session,
        )  # fmt: skip
        fact = fact_changes.add(self._conn, new, self._now_ms, "is new").id
        self._added.append(fact)
        self._changed.add(fact)
        return fact

    def _say(self, standing: Standing, fact: int, *, lost: bool) -> None:
        """Let a fact say what its claims say, and be made of just them. `lost`: it was made of more."""
        voice, old = standing.voice, self._facts[fact]
        moved = [claim for claim in standing.claims if claim.fact != fact]
        for claim in moved:
            claims.bind(self._conn, claim.id, fact)
            self._left.add(claim.fact)
            if claim.fact is None and fact not in self._added:
                self._known += 1
                fact_changes.note(self._conn, fact, self._now_ms, "NONE", "is said again", session_id=claim.session)
        if standing.pin is None:
            self._word(standing, old)
        spoken = [claim.at for claim in standing.claims if claim.at is not None]
        since = _since(standing, old.valid_from)
        span = (since, standing.confidence, max(spoken, default=since), voice.slot)
        if standing.pin is not None:
            span = (min(since, old.valid_from), max(standing.confidence, old.confidence), span[2], old.slot)
        if moved or lost or span != (old.valid_from, old.confidence, old.last_seen_at, old.slot):
            self._changed.add(fact)
            learnt_in = next((claim.session for claim in standing.claims if claim.session is not None), None)
            judged.set_span(
                self._conn, fact, since=span[0], confidence=span[1], session_id=learnt_in, seen=span[2], slot=span[3]
            )

    def _word(self, standing: Standing, old: Fact) -> None:
        voice = standing.voice
        tags = tuple(sorted({tag for claim in standing.claims for tag in claim.tags}))
        said = (voice.title, voice.body, voice.kind, voice.parts, tags)
        if said == (old.title, old.body, old.kind, old.parts, old.tags):
            return
        fact_changes.update(
            self._conn, old.id, self._now_ms, "is said more precisely", title=voice.title, body=voice.body,
            parts=voice.parts, tags=tags, kind=voice.kind, session_id=self._session_id, only_these_tags=True,
        )  # fmt: skip
        if (voice.title, voice.body) != (old.title, old.body):
            self._updated.append(old.id)
        self._changed.add(old.id)

    def _rule(self, standing: Standing, homes: dict[Standing, int]) -> None:
        """Let a fact hold, or have been replaced; what a person ended stays as they left it."""
        if standing.pin is not None and standing.pin.ruling == "closed":
            return
        fact = homes[standing]
        by = None if standing.successor is None else homes[standing.successor]
        if standing.until is None:
            state, reason = State("current"), "nothing replaces it any more"
        else:
            state, reason = State("superseded", standing.until, by), standing.reason
        old = self._facts[fact]
        if (old.status, old.valid_to, old.superseded_by) == (state.status, state.until, by and self._facts[by].uid):
            return
        judged.set_state(self._conn, fact, state, self._now_ms, reason, session_id=self._session_id)
        self._changed.add(fact)
        if state.status == "superseded":
            self._superseded.append(fact)

    def _retire(self, fact: int) -> None:
        """A fact that nothing says any more is taken back, unless somebody made it or ruled on it."""
        found = facts.get(self._conn, fact)
        if judged.has_claims(self._conn, fact) or found.origin != "distill" or found.ruling is not None:
            return
        if judged.has_evidence(self._conn, fact):
            return
        if found.status != "retracted":
            reason = _MERGED if fact in self._left else _NO_LONGER
            judged.set_state(self._conn, fact, never(found), self._now_ms, reason, session_id=self._session_id)
            self._retracted.append(fact)
            self._changed.add(fact)


def _since(standing: Standing, otherwise: int) -> int:
    return min((claim.at for claim in standing.claims if claim.at is not None), default=otherwise)
