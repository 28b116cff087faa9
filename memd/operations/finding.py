"""Finding: the lanes of a search, each giving hits whose scores compare, and hits put together into one answer."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from memd.distill import decay
from memd.model import Fact, Message, Session
from memd.operations import ageing
from memd.operations.answers import DoubtAnswer, FreshAnswer, HitAnswer
from memd.operations.scopes import Scope
from memd.operations.shapes import time_of
from memd.operations.snippet import Passage, passage
from memd.operations.telling import sessions_of
from memd.recall.diversity import diverse
from memd.recall.near import Near
from memd.recall.question import Question
from memd.recall.recall import MEANINGFUL, Recalled, nearness_of_facts
from memd.recall.sureness import FEW
from memd.store import deleting, fact_views, facts, messages, search, sessions
from memd.store.chosen import Chosen, ChosenFacts
from memd.store.facts import Connection
from memd.text.clip import clip
from memd.text.tokens import how_many, terms

# Facts and calls are told apart by their place in the lane and by how much of the query stands together in them; the
# scores of messages, from 0 to a little above 1, are recall's own.
_PLACES: Final = 10
_FACTS: Final = 1.19
_MEANT: Final = 0.95
"""What the nearest fact counts for beside the nearest message; as _FACTS fitted on the coding-memory benchmark."""
_CALLS: Final = 0.8
_UNCOVERED: Final = 0.4
_CATEGORY: Final = 1.25
# What use, age and grounds make of a fact decides between those that are as relevant and no more: proven against
# candidate is one place in the lane.
_STANDING: Final = 0.1
_LEAST_STANDING: Final = _PLACES / (_PLACES + 1)
"""One place in the lane, however old: what its own words ask for stays first."""
_NEW: Final = decay.WEIGHTS["candidate"]
_SAME: Final = 1e-9
_BEHIND: Final = 0.95
"""Of the score of what holds these, the most that what is only near to them has."""
_DAY_MS: Final = 86_400_000
_SPARE: Final = 3
"""So many times as many facts are looked at where they are filtered by what only their evidence tells."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What all lanes are asked: the question, its terms, the MATCH expression, where, and how much to give."""

    question: Question
    words: frozenset[str]
    match: str
    chosen: Chosen
    scope: Scope
    limit: int
    now_ms: int
    category: str | None = None
    explain: bool = False
    chars: int = 480
    standing: bool = True
    as_of: int | None = None
    """Facts are those that held at this time, in the words that they had."""
    topic: str | None = None
    tag: str | None = None
    lean: float = 1.0
    """What meaning counts, as a multiple of what was measured as best."""

    @property
    def facts(self) -> ChosenFacts:
        """Which facts are asked for, as far as their own rows tell."""
        project = self.chosen.project_id
        return ChosenFacts(project, project is None, self.scope.facts, self.as_of, self.topic, self.tag)


@dataclass(slots=True)
class Found:
    """Hits with what they are compared by."""

    hit: HitAnswer
    said: str
    message: int | None = None
    evidence: frozenset[int] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True)
class Worded:
    """A fact that was found by its words: by its place among these, and how much of the question it has (0 to 1)."""

    fact: Fact
    parts: dict[str, float]
    covered: float = 0.0


def facts_by_words(conn: Connection, asked: Asked) -> tuple[Worded, ...]:
    """Return the facts that are found by their words, best first."""
    chosen = asked.facts
    best = search.facts(
        conn, asked.match, chosen.project_id, asked.limit * (_SPARE if _is_filtered(asked.chosen) else 1),
        kinds=chosen.kinds, as_of=chosen.as_of, all_projects=chosen.all_projects, topic=chosen.topic,
        tag=chosen.tag,
    )  # fmt: skip
    found = []
    place, last = 0, None
    for at, (fact, words) in enumerate(best):
        # Those whose words fit as well share a place.
        place, last = (place, last) if last is not None and abs(words - last) < _SAME else (at, words)
        as_it_was = _as_of(conn, fact, chosen.as_of)
        said = f"{as_it_was.title}\n{as_it_was.body}\n" + "\n".join(part.text for part in as_it_was.parts)
        share = _share(said, asked.words)
        parts = {"place": _FACTS * _PLACES / (_PLACES + place), "covered": _covered(share)}
        found.append(Worded(as_it_was, parts, share))
    return tuple(found)


def of_facts(conn: Connection, worded: Sequence[Worded], near: Near | None, asked: Asked) -> Iterator[Found]:
    """Give the facts that are found by their words or by what they mean: of both, what speaks more for a fact counts.

    A meaning is as good as it is near beside the nearest of all facts and messages.
    """
    cosines = near.cosines_of_facts() if near else {}
    meanings = nearness_of_facts(near) if near else {}
    known = {one.fact.id: one for one in worded}
    others = [fact for fact, cosine in cosines.items() if fact not in known and cosine > 0]
    loaded = facts.load(conn, others[: asked.limit * (_SPARE if _is_filtered(asked.chosen) else 1)])
    every = [*worded, *(Worded(_as_of(conn, fact, asked.facts.as_of), {}) for fact in loaded)]
    told_in = sessions_of(conn, [one.fact for one in every])
    aged = ageing.of(conn, [one.fact for one in every])
    for one in every:
        fact = one.fact
        hosts = {told_in[evidence.session].host for evidence in fact.evidence if evidence.session in told_in}
        if not _wanted(fact, hosts, asked.chosen):
            continue
        meaning = _MEANT * asked.lean * meanings.get(fact.id, 0.0)
        by_words = math.prod(one.parts.values()) if one.parts else 0.0
        parts = dict(one.parts) if by_words >= meaning else {"meaning": meaning}
        if asked.standing:
            # What a new fact has counts as nothing: messages, beside which it stands, have nothing of the kind.
            parts["standing"] = max((decay.weight(fact, asked.now_ms) / _NEW) ** _STANDING, _LEAST_STANDING)
        if asked.standing and fact.id in aged:
            parts["stale"] = ageing.factor(aged[fact.id])
        if asked.category is not None and fact.kind == asked.category:
            parts["category"] = _CATEGORY
        means_it = cosines.get(fact.id, 0.0) >= MEANINGFUL or not one.parts
        lanes = tuple(lane for lane, did in (("facts", bool(one.parts)), ("semantic", means_it)) if did)
        yield _fact(fact, min(hosts, default=None), parts, lanes, aged.get(fact.id, ()), asked)


def of_messages(conn: Connection, recalled: Recalled, asked: Asked) -> Iterator[Found]:
    """Give the messages that recall has found."""
    loaded = messages.by_ids(conn, [one.message for one in recalled.messages])
    known = sessions.by_ids(conn, {session for session, _ in loaded.values()})
    names = deleting.names(conn, loaded)
    for one in recalled.messages:
        if one.message in loaded:
            session, message = loaded[one.message]
            shown = passage(message, asked.words, asked.chars, calls=asked.chosen.role is None)
            lanes = recalled.lanes_of.get(one.message, ())
            yield _message(message, known[session], shown, one.score, dict(one.parts), lanes, asked, names)


def of_calls(conn: Connection, asked: Asked) -> Iterator[Found]:
    """Give the messages whose tool calls are found by what was run and what came out."""
    chosen, scope = asked.chosen, asked.scope
    where = search.Where(
        chosen.project_id, chosen.session_id, chosen.role, chosen.since, chosen.until,
        host=chosen.host, ok=scope.ok, call_kinds=scope.call_kinds,
    )  # fmt: skip
    rows = tuple(dict.fromkeys(row for _, row, _ in search.calls(conn, asked.match, where, asked.limit)))
    loaded = messages.by_ids(conn, rows)
    known = sessions.by_ids(conn, {session for session, _ in loaded.values()})
    names = deleting.names(conn, loaded)
    for place, row in enumerate(rows):
        if row in loaded:
            session, message = loaded[row]
            shown = passage(message, asked.words, asked.chars)
            covered = _covered(_share(shown.text, asked.words))
            parts = {"place": _CALLS * _PLACES / (_PLACES + place), "covered": covered}
            score = parts["place"] * parts["covered"]
            yield _message(message, known[session], shown, score, parts, ("calls",), asked, names)


def literally(conn: Connection, shown: Sequence[tuple[int, Passage]], mode: str, asked: Asked) -> tuple[HitAnswer, ...]:
    """Return the messages (row ids) in which letters were found, each with the passage that holds them first."""
    loaded = messages.by_ids(conn, dict.fromkeys(row for row, _ in shown))
    known = sessions.by_ids(conn, {session for session, _ in loaded.values()})
    names = deleting.names(conn, loaded)
    best = {row: one for row, one in reversed(shown) if row in loaded}
    return tuple(
        _message(loaded[row][1], known[loaded[row][0]], best[row], 1.0, {mode: 1.0}, (mode,), asked, names).hit
        for row in dict.fromkeys(row for row, _ in shown)
        if row in best
    )


def words_first(found: Sequence[Found], asked: Asked) -> list[Found]:
    """Return what was found, with what is only near to a few words behind what holds all of them.

    The nearest of all has the full measure of nearness, however far it is: a number or a name means nothing.
    """
    if not 0 < len(asked.question.things) <= FEW:
        return list(found)
    least = _BEHIND * max((one.hit.score for one in found if holds_all(one, asked)), default=math.inf)
    return [
        _behind(one, least) if one.hit.lanes == ("semantic",) and one.hit.score > least and not holds_all(one, asked)
        else one
        for one in found
    ]  # fmt: skip


def holds_all(one: Found, asked: Asked) -> bool:
    """Return whether a hit holds all words that were asked for, as they were written."""
    said = one.said.casefold()
    return bool(asked.words) and all(word in said for word in asked.words)


def _behind(one: Found, score: float) -> Found:
    """Return a hit with a lower score, whose parts still make it: those of messages are added, of facts multiplied."""
    why = one.hit.why
    if why:
        why = {**why, "behind": score - one.hit.score if "words" in why else score / one.hit.score}
    return replace(one, hit=replace(one.hit, score=round(score, 4), why=_rounded(dict(why))))


def together(found: Sequence[Found], limit: int) -> tuple[HitAnswer, ...]:
    """Return the best hits: each message once, none that a fact among them comes from, near-duplicates further down."""
    by_message: dict[int, Found] = {}
    others: list[Found] = []
    for one in found:
        if one.message is None:
            others.append(one)
        elif one.message not in by_message or by_message[one.message].hit.score < one.hit.score:
            lanes = by_message[one.message].hit.lanes if one.message in by_message else ()
            by_message[one.message] = _with_lanes(one, lanes)
        else:
            by_message[one.message] = _with_lanes(by_message[one.message], one.hit.lanes)
    ranked = sorted([*others, *by_message.values()], key=lambda one: -one.hit.score)
    told: set[int] = set()
    for one in ranked[:limit]:
        told |= one.evidence
    kept = [one for one in ranked if one.message is None or one.message not in told][: limit * 2]
    order = diverse([one.hit.score for one in kept], [frozenset(terms(one.said)) for one in kept])
    return tuple(kept[place].hit for place in sorted(order[:limit]))


def _wanted(fact: Fact, hosts: set[str], chosen: Chosen) -> bool:
    return (
        (chosen.host is None or chosen.host in hosts)
        and (chosen.session_id is None or any(one.session == chosen.session_id for one in fact.evidence))
        and (chosen.since is None or fact.valid_from >= chosen.since)
        and (chosen.until is None or fact.valid_from < chosen.until)
    )


def _share(text: str, asked: frozenset[str]) -> float:
    """Return the share of the terms asked for that a text has."""
    return how_many(asked, text) / len(asked) if asked else 1.0


def _covered(share: float) -> float:
    return _UNCOVERED + (1 - _UNCOVERED) * share


def _with_lanes(one: Found, lanes: tuple[str, ...]) -> Found:
    both = tuple(dict.fromkeys((*one.hit.lanes, *lanes)))
    return one if both == one.hit.lanes else replace(one, hit=replace(one.hit, lanes=both))


def _is_filtered(chosen: Chosen) -> bool:
    """Return whether facts are filtered by what only they and their evidence tell."""
    return (chosen.host, chosen.session_id, chosen.since, chosen.until) != (None, None, None, None)


def _as_of(conn: Connection, fact: Fact, as_of: int | None) -> Fact:
    return fact if as_of is None else fact_views.as_of(conn, fact, as_of)


def _fact(
    fact: Fact,
    host: str | None,
    parts: dict[str, float],
    lanes: tuple[str, ...],
    doubts: tuple[DoubtAnswer, ...],
    asked: Asked,
) -> Found:
    score = math.prod(parts.values())
    quote = fact.evidence[0].quote if fact.evidence else ""
    hit = HitAnswer(
        text=clip(fact.body, asked.chars, tail_share=0),
        session=fact.session,
        score=round(score, 4),
        at=time_of(fact.valid_from),
        kind=fact.kind,
        id=fact.uid,
        title=fact.title,
        project=None if fact.project is None else fact.project.root,
        host=host,
        role=None,
        lanes=lanes,
        sentence=quote,
        why=_rounded(parts) if asked.explain else {},
        fresh=FreshAnswer(
            age_days=_days(fact.last_seen_at or fact.valid_from, asked.now_ms),
            last_used=time_of(fact.last_used_at),
            uses=fact.uses,
            verified=time_of(fact.verified_at),
            evergreen=fact.evergreen,
            maturity=decay.maturity(fact.uses),
            basis=fact.basis,
            confidence=fact.confidence,
            verified_days=None if fact.verified_at is None else _days(fact.verified_at, asked.now_ms),
            revision=fact.revision,
            repeats=fact.repeats,
        ),
        chars=len(fact.body),
        stale=doubts,
    )
    return Found(
        hit,
        f"{fact.title} {fact.body}",
        evidence=frozenset(one.message for one in fact.evidence if one.message),
    )


def _message(
    message: Message,
    session: Session,
    shown: Passage,
    score: float,
    parts: dict[str, float],
    lanes: tuple[str, ...],
    asked: Asked,
    names: Mapping[int, str],
) -> Found:
    hit = HitAnswer(
        text=shown.text,
        session=session.uid,
        score=round(score, 4),
        at=time_of(message.at),
        kind="message",
        id=None,
        title=session.title,
        project=None if session.project is None else session.project.root,
        host=session.host,
        role="tool" if shown.printed else message.role,
        lanes=lanes,
        sentence=shown.sentence,
        why=_rounded(parts) if asked.explain else {},
        fresh=FreshAnswer(age_days=None if message.at is None else _days(message.at, asked.now_ms)),
        tool=shown.tool,
        chars=shown.chars,
        message=names.get(message.id),
    )
    return Found(hit, shown.text, message.id)


def _rounded(parts: dict[str, float]) -> dict[str, float]:
    return {name: round(part, 4) for name, part in parts.items()}


def _days(at: int, now_ms: int) -> float:
    return round(max(now_ms - at, 0) / _DAY_MS, 1)
