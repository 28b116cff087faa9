"""Stating: what a person says to memd itself, and how they rule on what is known.

Both become claims that no session made. The judge weighs them with all others, so that what a person ruled stays so
whatever sessions are read, read again or read late.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from memd.distill.comparing import Features, apart, compared, digest, lookup_terms, share, unpacked
from memd.distill.settling import claim_features, links_of, new_claim, ordered, rejudge
from memd.model import Candidate, Fact, FactKind, Visibility
from memd.store import carried, claims, edges, erasing, fact_changes, fact_marks, facts, judged
from memd.store.edges import NewEdge
from memd.store.fact_changes import NewFact
from memd.store.judged import State, never

Action: TypeAlias = Literal["ADD", "UPDATE", "SUPERSEDE", "CONTRADICT", "NONE"]
Verdict: TypeAlias = Literal["supersede", "retract", "both"]

SIMILAR: Final = 0.6
"""Share of terms from which on a fact is named as similar."""
_MOST_SIMILAR: Final = 5
AUTO_LINK: Final = "auto-link"
"""Origin of the relations to similar facts; they are taken away by it."""
_LINKED: Final = 0.7
_MOST_LINKED: Final = 3


@dataclass(frozen=True, slots=True)
class Stated:
    """What became of a statement. `similar` are facts alike with the share of terms they have in common."""

    fact: Fact
    action: Action
    reason: str
    replaced: tuple[Fact, ...] = ()
    contradicts: tuple[Fact, ...] = ()
    similar: tuple[tuple[Fact, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Edit:
    """Other words and marks for a fact; None stays."""

    title: str | None = None
    body: str | None = None
    kind: FactKind | None = None
    tags: tuple[str, ...] | None = None
    topic: str | None = None
    epistemic: str | None = None
    visibility: Visibility | None = None


def state(conn: facts.Connection, new: NewFact, now_ms: int, *, again: bool = False) -> Stated:
    """Keep a statement: as a new fact, or as what a known fact says already or says better now.

    `again`: as a new fact in any case.
    """
    said = _said(new)
    own = claim_features(said)
    found = claims.near(conn, new.project_id, new.slot, lookup_terms(own))
    near = {one.id: unpacked(one.features) for one in found}
    known = _known(conn, own, near)
    similar = _similar(conn, own, near, known)
    if known is not None and not again:
        return replace(_merge(conn, known, new, own, now_ms), similar=similar)
    fact = fact_changes.add(conn, new, now_ms, "was said to memd")
    statement = _claim(conn, said, own, new.project_id, fact.id)
    erasing.remember_again(conn, digest(own.text), new.project_id)
    rejudge(conn, (statement,), now_ms)
    for other, score in similar[:_MOST_LINKED]:
        if score >= _LINKED:
            related = NewEdge(
                f"fact:{fact.uid}", "related_to", f"fact:{other.uid}", AUTO_LINK, score, project_id=new.project_id
            )
            edges.link(conn, related, now_ms)
    return replace(_outcome(conn, fact.id), similar=similar)


def repeat(conn: facts.Connection, fact_id: int, new: NewFact, now_ms: int) -> Stated:
    """Count that just what a fact says was said again. Raises NotFound."""
    fact = facts.get(conn, fact_id)
    fact_marks.repeated(conn, fact.id, now_ms)
    fact_changes.add_evidence(conn, fact.id, new.evidence)
    fact_changes.note(conn, fact.id, now_ms, "NONE", "is said again")
    return Stated(facts.get(conn, fact.id), "NONE", "is known already")


def reword(conn: facts.Connection, fact_id: int, new: NewFact, now_ms: int, reason: str) -> Stated:
    """Let a fact say something else from now on, as its next version. Raises NotFound."""
    pin(conn, fact_id)
    fact_changes.update(
        conn, fact_id, now_ms, reason, title=new.title, body=new.body, parts=new.parts, tags=new.tags, kind=new.kind
    )
    fact_changes.add_evidence(conn, fact_id, new.evidence)
    said = _said(new)
    statement = _claim(conn, said, claim_features(said), new.project_id, fact_id)
    rejudge(conn, (statement,), now_ms)
    return replace(_outcome(conn, fact_id), action="UPDATE", reason=reason)


def edit(conn: facts.Connection, fact_id: int, change: Edit, now_ms: int, reason: str) -> Fact:
    """Say a fact in other words, or give it other marks. Raises NotFound."""
    old = facts.get(conn, fact_id)
    pin(conn, fact_id)
    title, body = change.title or old.title, old.body if change.body is None else change.body
    fact = fact_changes.update(
        conn, fact_id, now_ms, reason, title=title, body=body, kind=change.kind,
        parts=() if change.body is not None and old.parts else None,
        tags=old.tags if change.tags is None else change.tags, only_these_tags=change.tags is not None,
    )  # fmt: skip
    marked = False
    for name in ("topic", "epistemic", "visibility"):
        value = getattr(change, name)
        if value is not None:
            marked = marked or getattr(old, name) != value
            fact_marks.set_field(conn, fact_id, name, value)
    if marked and fact == old:
        fact_changes.note(conn, fact_id, now_ms, "UPDATE", reason)
    if (fact.title, fact.body, fact.kind) != (old.title, old.body, old.kind):
        said = _again(fact)
        rejudge(conn, (_claim(conn, said, claim_features(said), _scope(fact), fact_id),), now_ms)
    return facts.get(conn, fact_id)


def replace_with(
    conn: facts.Connection, fact_id: int, title: str, body: str, since: int, now_ms: int, reason: str
) -> tuple[Fact, Fact]:
    """Let another statement hold in a fact's place from a time on; return both. Raises NotFound."""
    old = facts.get(conn, fact_id)
    pin(conn, fact_id)
    new = NewFact(
        kind=old.kind, title=title, body=body, origin="user", valid_from=max(since, old.valid_from),
        project_id=_scope(old), tags=old.tags, slot=old.slot, topic=old.topic, epistemic=old.epistemic,
        domain=old.domain, visibility=old.visibility,
    )  # fmt: skip
    fact = fact_changes.add(conn, new, now_ms, reason)
    said = _said(new)
    statement = _claim(conn, said, claim_features(said), new.project_id, fact.id)
    ended = end(conn, fact_id, new.valid_from, now_ms, reason, by=fact)
    rejudge(conn, (statement,), now_ms)
    return ended, facts.get(conn, fact.id)


def end(conn: facts.Connection, fact_id: int, at: int, now_ms: int, reason: str, *, by: Fact | None = None) -> Fact:
    """Let a fact hold only until a time. Raises NotFound."""
    fact = facts.get(conn, fact_id)
    state_ = State("superseded", max(at, fact.valid_from), None if by is None else by.id)
    return _close(conn, fact_id, state_, now_ms, reason)


def retract(conn: facts.Connection, fact_id: int, now_ms: int, reason: str) -> Fact:
    """Take a fact back as never true: it held at no time, and what says so is not learnt again. Raises NotFound."""
    return _close(conn, fact_id, never(facts.get(conn, fact_id)), now_ms, reason)


def restore(conn: facts.Connection, fact_id: int, now_ms: int, reason: str) -> Fact:
    """Let a fact hold again, whatever is said against it. Raises NotFound."""
    facts.get(conn, fact_id)
    own = pin(conn, fact_id)
    fact_marks.rule(conn, fact_id, "kept")
    judged.set_state(conn, fact_id, State("current"), now_ms, reason)
    rejudge(conn, own, now_ms)
    return facts.get(conn, fact_id)


def adopt(conn: facts.Connection, fact_id: int, now_ms: int, reason: str) -> None:
    """Let what sessions said be a person's own word, which stays when those are deleted. Raises NotFound."""
    facts.get(conn, fact_id)
    own = pin(conn, fact_id)
    fact_marks.told_by_hand(conn, fact_id, now_ms, reason)
    rejudge(conn, own, now_ms)


def set_evergreen(conn: facts.Connection, fact_id: int, evergreen: bool, now_ms: int, reason: str) -> None:
    """Let a fact lose no weight by age and give way to nobody, or no longer. Raises NotFound."""
    facts.get(conn, fact_id)
    own = pin(conn, fact_id)
    fact_marks.set_evergreen(conn, fact_id, evergreen, now_ms, reason)
    rejudge(conn, own, now_ms)


def resolve(conn: facts.Connection, keep: int, other: int, verdict: Verdict, now_ms: int, reason: str) -> None:
    """Decide between two facts that cannot both hold. Raises NotFound."""
    kept = facts.get(conn, keep)
    facts.get(conn, other)
    if verdict == "both":
        fact_marks.decide(conn, keep, other, "both", now_ms, reason)
        return
    fact_marks.decide(conn, keep, other, "one", now_ms, reason)
    if verdict == "retract":
        retract(conn, other, now_ms, reason)
    else:
        end(conn, other, max(kept.valid_from, facts.get(conn, other).valid_from), now_ms, reason, by=kept)
    restore(conn, keep, now_ms, reason)


def forget(conn: facts.Connection, fact_id: int, now_ms: int) -> None:
    """Delete a fact with every word of it, its history's too; reading its sessions again does not bring it back."""
    _delete(conn, fact_id, now_ms, "FORGET", "was to be forgotten")


def purge(conn: facts.Connection, fact_id: int, now_ms: int, reason: str) -> None:
    """Delete a fact; a line of history keeps what it said. Reading its sessions again does not bring it back."""
    _delete(conn, fact_id, now_ms, "PURGE", reason)


def texts_of(conn: facts.Connection, fact_id: int) -> frozenset[str]:
    """Return the digests of what is not learnt again once a fact is deleted: its texts. Raises NotFound."""
    own = claim_features(_again(facts.get(conn, fact_id)))
    return frozenset(digest(said.text) for said in (own, *map(claim_features, claims.of_fact(conn, fact_id))))


def fold(conn: facts.Connection, fact_id: int, into: int, now_ms: int) -> None:
    """Let a fact be part of another that says the same; what related to it relates to that one. Raises NotFound."""
    target = facts.get(conn, into)
    own = pin(conn, into)
    for claim in claims.of_fact(conn, fact_id):
        if claim.statement != own[0]:
            claims.set_link(conn, *ordered(own[0], claim.statement, "same"))
        if claim.session is None:
            claims.bind(conn, claim.id, into)
    folded = facts.get(conn, fact_id)
    edges.repoint(conn, f"fact:{folded.uid}", f"fact:{target.uid}")
    judged.set_state(conn, fact_id, never(folded), now_ms, f"says the same as {target.title!r}")
    fact_marks.rule(conn, fact_id, "closed")
    rejudge(conn, own, now_ms)


def pin(conn: facts.Connection, fact_id: int) -> tuple[int, ...]:
    """Make a fact a person's: each of its claims is theirs too. Returns the row ids of what they state."""
    carried.made_by_hand(conn, fact_id)
    members = claims.of_fact(conn, fact_id)
    own = tuple(dict.fromkeys(claim.statement for claim in members if claim.session is None))
    if own:
        return own
    if members:
        last = {claim.statement: claim.id for claim in members}
        for claim in last.values():
            claims.copy_for_person(conn, claim)
        return tuple(last)
    fact = facts.get(conn, fact_id)
    said = _again(fact)
    return (_claim(conn, said, claim_features(said), _scope(fact), fact_id),)


def say_as_it_is(conn: facts.Connection, fact_id: int) -> None:
    """Keep the words that a fact has by now as a person's, judged against nothing. Raises NotFound."""
    fact = facts.get(conn, fact_id)
    said = _again(fact)
    _claim(conn, said, claim_features(said), _scope(fact), fact_id)


def _close(conn: facts.Connection, fact_id: int, closed: State, now_ms: int, reason: str) -> Fact:
    own = pin(conn, fact_id)
    fact_marks.rule(conn, fact_id, "closed")
    judged.set_state(conn, fact_id, closed, now_ms, reason)
    rejudge(conn, own, now_ms)
    return facts.get(conn, fact_id)


def _delete(conn: facts.Connection, fact_id: int, now_ms: int, action: Literal["FORGET", "PURGE"], reason: str) -> None:
    fact = facts.get(conn, fact_id)
    members = claims.of_fact(conn, fact_id)
    texts = texts_of(conn, fact_id)
    stated = {claim.statement for claim in members}
    around = stated | claims.neighbours(conn, stated)
    claims.remove(conn, members)
    erasing.erase(conn, fact, texts, now_ms, action, reason)
    rejudge(conn, around, now_ms)


def _known(conn: facts.Connection, own: Features, near: Mapping[int, Features]) -> Fact | None:
    """The fact that says the same already; one that was taken back only in just these words."""
    same = {statement: said for statement, said in near.items() if compared(own, said) == "same"}
    stated = [claim for claim in claims.of_statements(conn, same) if claim.fact is not None]
    found = {fact.id: fact for fact in facts.load(conn, {claim.fact for claim in stated if claim.fact is not None})}
    for claim in sorted(stated, key=lambda one: (same[one.statement].text != own.text, -one.words, one.id)):
        fact, said = found.get(claim.fact or 0), same[claim.statement]
        if fact is None or apart(own.identifiers, said.identifiers):
            continue
        if fact.status == "current" or (fact.status == "retracted" and said.text == own.text):
            return fact
    return None


def _similar(
    conn: facts.Connection, own: Features, near: Mapping[int, Features], known: Fact | None
) -> tuple[tuple[Fact, float], ...]:
    alike = {statement: round(share(own, said), 2) for statement, said in near.items()}
    close = {statement: score for statement, score in alike.items() if score >= SIMILAR}
    scores: dict[int, float] = {}
    for claim in claims.of_statements(conn, close):
        if claim.fact is not None and (known is None or claim.fact != known.id):
            scores[claim.fact] = max(scores.get(claim.fact, 0.0), close[claim.statement])
    best = sorted(scores, key=lambda fact: (-scores[fact], fact))[:_MOST_SIMILAR]
    return tuple((fact, scores[fact.id]) for fact in facts.load(conn, best) if fact.status != "retracted")


def _merge(conn: facts.Connection, fact: Fact, new: NewFact, own: Features, now_ms: int) -> Stated:
    before = claim_features(_again(fact))
    more_precise = len(own.words) > len(before.words) and before.identifiers <= own.identifiers
    pinned = pin(conn, fact.id)
    if fact.status == "retracted":
        restore(conn, fact.id, now_ms, "was said to memd again")
    if not more_precise:
        rejudge(conn, pinned, now_ms)
        return repeat(conn, fact.id, new, now_ms)
    return reword(conn, fact.id, replace(new, parts=new.parts or fact.parts), now_ms, "is said more precisely")


def _outcome(conn: facts.Connection, fact_id: int) -> Stated:
    fact = facts.get(conn, fact_id)
    replaced = facts.replaced_by(conn, fact_id)
    against = facts.load(conn, (
        pair.other if pair.one == fact_id else pair.one
        for pair in fact_marks.contradictions(conn, None, decided=False) if fact_id in (pair.one, pair.other)
    ))  # fmt: skip
    if replaced:
        return Stated(fact, "SUPERSEDE", facts.history(conn, replaced[0].id)[-1].reason, replaced, against)
    if against:
        return Stated(fact, "CONTRADICT", "cannot hold beside what is known", contradicts=against)
    return Stated(fact, "ADD", "is new")


def _claim(conn: facts.Connection, said: Candidate, own: Features, project_id: int | None, fact_id: int) -> int:
    """Store what a person states as part of a fact; return the row id of the statement."""
    new = new_claim(said, project_id, own)
    statement, is_compared = claims.known_statement(conn, new) or (None, False)
    if statement is None or not is_compared:
        links = links_of(conn, own, project_id, said.slot)
        if statement is None:
            statement = claims.add_statement(conn, new)
        else:
            claims.add_terms(conn, statement, new)
        claims.add_links(conn, (ordered(statement, other, kind) for other, kind in links))
    claims.add(conn, new, statement, None, fact_id)
    return statement


def _said(new: NewFact) -> Candidate:
    return Candidate(
        new.kind, new.title, new.body, new.parts, (), new.confidence, new.valid_from, new.project_id is None, new.slot,
        new.tags,
    )  # fmt: skip


def _again(fact: Fact) -> Candidate:
    return Candidate(
        fact.kind, fact.title, fact.body, fact.parts, (), fact.confidence, fact.valid_from, fact.project is None,
        fact.slot, fact.tags,
    )  # fmt: skip


def _scope(fact: Fact) -> int | None:
    return None if fact.project is None else fact.project.id
