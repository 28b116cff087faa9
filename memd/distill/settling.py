"""Settling: what a session says becomes claims, and the facts that it touches are judged anew.

A session's claims replace those it made before. Judged anew is everything that chains of links connect with what came
or went, so the outcome is that of judging all claims there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from memd.distill import companions, graphing, lineage
from memd.distill.comparing import Features, compared, digest, features, lookup_terms, packed, unpacked
from memd.distill.judge import Pin, stand
from memd.distill.recording import record
from memd.distill.sweeping import across, sweeps
from memd.model import Candidate, Claim, Evidence, LinkKind, Session
from memd.store import claims, facts, judged, sessions
from memd.store.claims import NewClaim
from memd.store.judged import Applied

_READ: Final = 3000
"""So many statements are kept at hand while a session is compared."""
_TIED_ANEW: Final = 50
"""Sessions whose facts are tied anew when one of these is another."""
_SWAPPED: Final[dict[LinkKind, LinkKind]] = {"undoes": "undone", "undone": "undoes"}


@dataclass(frozen=True, slots=True)
class Prepared:
    """The claims of a session, with what is stated for the first time compared with what was known."""

    new: tuple[NewClaim, ...]
    said: tuple[Features, ...]
    links: tuple[tuple[int, int, LinkKind], ...]
    """What each new statement is to known ones, by place and row id."""
    newest: int
    """Row id of the newest statement that was compared with."""
    homeless: int


def claim_features(claim: Claim | Candidate) -> Features:
    """Return a claim or candidate as it is compared."""
    return features(claim.kind, claim.slot, claim.title, claim.body, claim.parts)


def prepare(conn: facts.Connection, session: Session, candidates: Sequence[Candidate]) -> Prepared:
    """Return the claims that a session makes, compared with all that may concern them. Reads only.

    Without a project there are claims only of what holds everywhere. What somebody wants forgotten is left out.
    """
    project = None if session.project is None else session.project.id
    placed = [
        (None if one.everywhere else project, timed(one, session, place))
        for place, one in enumerate(candidates)
        if one.everywhere or project is not None
    ]
    # Made twice in one session, it is one claim: the first.
    placed = list({(scope, _stating(one)): (scope, one) for scope, one in reversed(placed)}.values())[::-1]
    said = [claim_features(one) for _, one in placed]
    known = {scope: _forgotten(conn, scope, said) for scope in (None, project)}
    kept = [place for place, (scope, _) in enumerate(placed) if digest(said[place].text) not in known[scope]]
    new = tuple(new_claim(placed[place][1], placed[place][0], said[place]) for place in kept)
    own = tuple(said[place] for place in kept)
    graphing.foretell(one.candidate for one in new)
    read = dict[int, Features]()
    links = tuple(
        (place, other, kind)
        for place, one in enumerate(new)
        if not (claims.known_statement(conn, one) or (0, False))[1]
        for other, kind in links_of(conn, own[place], one.project, one.candidate.slot, read=read)
    )
    return Prepared(new, own, links, claims.newest_statement(conn), len(candidates) - len(placed))


def new_claim(candidate: Candidate, project_id: int | None, said: Features) -> NewClaim:
    """Return a candidate as a claim to be stored."""
    return NewClaim(candidate, project_id, len(said.words), said.identifiers, lookup_terms(said), packed(said))


def links_of(
    conn: facts.Connection,
    said: Features,
    project_id: int | None,
    slot: str | None,
    after: int = 0,
    *,
    read: dict[int, Features] | None = None,
) -> list[tuple[int, LinkKind]]:
    """Return what a statement is to each of those that it may concern, those later than `after`.

    These are those of its own scope; and where what holds everywhere says that it is a change, those of projects.
    `read`: what was read for other statements of the same session, which mostly are near the same ones.
    """
    links: list[tuple[int, LinkKind]] = []
    read = {} if read is None else read
    terms = lookup_terms(said)
    for other in claims.near(conn, project_id, slot, terms, after):
        kind = compared(said, _read(other, read))
        if kind is not None:
            links.append((other.id, kind))
    if project_id is None and not sweeps(said):
        return links
    for other in claims.near(conn, project_id, slot, terms, after, across=True):
        theirs = _read(other, read)
        kind = across(said, theirs) if project_id is None else across(theirs, said)
        if kind is not None:
            links.append((other.id, kind if project_id is None else reversed_link(kind)))
    return links


def _read(stated: claims.Stated, read: dict[int, Features]) -> Features:
    known = read.get(stated.id)
    if known is None:
        known = unpacked(stated.features)
        if len(read) < _READ:
            read[stated.id] = known
    return known


def settle(conn: facts.Connection, session_id: int, prepared: Prepared, now_ms: int) -> Applied:
    """Make facts of all that is to be learnt from a session, given as everything it says.

    Saying the same again changes nothing. Raises NotFound for an unknown session.
    """
    sessions.get(conn, session_id)
    before = {claim.statement: claim for claim in claims.of_session(conn, session_id)}
    statements, seeds = _stated(conn, prepared)
    own: dict[int, int] = {}
    for place, new in enumerate(prepared.new):
        known, said = before.pop(statements[place], None), new.candidate
        if known is None:
            own[place] = claims.add(conn, new, statements[place], session_id)
            seeds.add(statements[place])
        else:
            own[place] = known.id
            if (known.confidence, known.at, known.tags) != (said.confidence, said.at, said.tags):
                claims.renew(conn, known.id, said)
                seeds.add(statements[place])
    gone = tuple(before.values())
    touched = {claim.fact for claim in gone if claim.fact is not None}
    touched |= claims.forget_unclaimed_evidence(conn, session_id)
    left = {claim.statement for claim in gone}
    seeds |= left | claims.neighbours(conn, left)
    claims.remove(conn, gone)
    applied = rejudge(conn, seeds, now_ms, touched=touched, session_id=session_id)
    for place, claim in own.items():
        _rest(conn, claim, prepared.new[place].candidate.evidence, session_id)
    companions.tie(conn, session_id, _told(conn, session_id), now_ms)
    return replace(applied, homeless=prepared.homeless)


def rejudge(
    conn: facts.Connection,
    seeds: Iterable[int],
    now_ms: int,
    *,
    touched: Iterable[int] = (),
    session_id: int | None = None,
    derive_all: bool = False,
) -> Applied:
    """Judge anew all that chains of links connect with some statements, and write down what it comes to.

    `touched` are facts that lost a claim. `session_id` is the session that is noted in the facts' histories. What facts
    tell of is derived of those that changed, or (`derive_all`) of every one that was looked at.
    """
    members, links = claims.component(conn, seeds)
    known = judged.ruled(conn, {claim.fact for claim in members if claim.fact is not None})
    own = {claim.fact for claim in members if claim.session is None}
    pins = {
        fact: Pin(fact, one.status, one.since, one.until, one.ruling, one.evergreen, one.learnt)
        for fact, one in known.items()
        if fact in own
    }
    standings = stand(members, links, pins)
    applied = record(conn, standings, set(known), set(touched), now_ms, session_id)
    derived = {*applied.changed, *pins, *(known if derive_all else ())}
    graphing.derive(conn, derived, now_ms)
    lineage.draw(conn, derived, now_ms)
    companions.part(conn, applied.changed)
    # What other sessions said may be part of another fact now, or hold again.
    for other in claims.sessions_of(conn, {*applied.changed, *applied.added}, _TIED_ANEW):
        if other != session_id:
            companions.tie(conn, other, _told(conn, other), now_ms)
    return applied


def _told(conn: facts.Connection, session_id: int) -> list[companions.Said]:
    """Return the facts that a session's claims are part of, with all that it says of each and what that rests on."""
    found: dict[int, companions.Said] = {}
    for fact, told, messages in claims.spoken(conn, session_id):
        words, before = unpacked(told).context, found.get(fact)
        if before is not None:
            words, messages = words | before.words, messages | before.messages
        found[fact] = companions.Said(fact, words, messages)
    return list(found.values())


def _stated(conn: facts.Connection, prepared: Prepared) -> tuple[list[int], set[int]]:
    """Return the row ids of what the claims state, and of these what was not compared before; its links are stored."""
    statements: list[int] = []
    fresh: list[int] = []
    for place, new in enumerate(prepared.new):
        statement, is_compared = claims.known_statement(conn, new) or (None, False)
        if statement is None:
            statement = claims.add_statement(conn, new)
        elif not is_compared:
            claims.add_terms(conn, statement, new)
        statements.append(statement)
        if not is_compared:
            fresh.append(place)
    links = [(statements[place], other, kind) for place, other, kind in prepared.links]
    made = {statements[place] for place in fresh}
    for place in fresh:
        new = prepared.new[place]
        # What came since they were compared, and the others of this session.
        late = links_of(conn, prepared.said[place], new.project, new.candidate.slot, prepared.newest)
        links += [
            (statements[place], other, kind) for other, kind in late if other not in made or other < statements[place]
        ]
    claims.add_links(conn, (ordered(*link) for link in links))
    return statements, made


def ordered(one: int, other: int, kind: LinkKind) -> tuple[int, int, LinkKind]:
    """Return a link with the smaller row id first."""
    if one < other:
        return one, other, kind
    return other, one, reversed_link(kind)


def reversed_link(kind: LinkKind) -> LinkKind:
    """Return what the other of two statements is to the one, where this one is `kind` to the other."""
    return _SWAPPED.get(kind, kind)


def _rest(conn: facts.Connection, claim: int, evidence: Sequence[Evidence], session_id: int) -> None:
    """Let a claim rest on its evidence."""
    fact = claims.fact_of(conn, claim)
    if fact is not None:
        own = [replace(one, session=one.session or session_id) for one in evidence]
        claims.set_evidence(conn, claim, fact, own)


def timed(candidate: Candidate, session: Session, place: int) -> Candidate:
    """Return a candidate with its time: where the host tells none, its session's, after what stands before it."""
    if candidate.at is not None:
        return candidate
    base = session.started_at if session.started_at is not None else session.last_at
    return candidate if base is None else replace(candidate, at=base + place)


def _forgotten(conn: facts.Connection, project_id: int | None, said: Iterable[Features]) -> set[str]:
    return judged.forgotten(conn, project_id, {digest(one.text) for one in said})


def _stating(said: Candidate) -> tuple[object, ...]:
    """What makes two candidates state the same."""
    return said.kind, said.title, said.body, said.slot, said.parts
