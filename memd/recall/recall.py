"""Recall: a question becomes ranked messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final

from memd.recall import fusion, lexical
from memd.recall.dates import nearness
from memd.recall.fusion import Cosines, Ranked
from memd.recall.lexical import Words
from memd.recall.near import Near
from memd.recall.question import Question
from memd.store import moments, postings
from memd.store.chosen import Chosen
from memd.store.facts import Connection
from memd.store.postings import Frequencies

_PER_SESSION: Final = 3
MEANINGFUL: Final = 0.25
"""Cosine from which on a message has something to do with a question that shares no word with it."""
_DAY_MS: Final = 86_400_000
_SPOKEN_THEN: Final = 20
_DAYS_LOOKED_AT: Final = 8


@dataclass(frozen=True, slots=True)
class Recalled:
    """Messages, best first. `lacking` are the things asked for that nothing holds, by number."""

    messages: tuple[Ranked, ...]
    lacking: tuple[int, ...] = ()
    share: float = 0.0
    """How much of what was asked for the best session holds (0 to 1)."""
    cosine: float = 0.0
    """The best cosine, 0 where that lane did not run."""
    lanes_of: Mapping[int, tuple[str, ...]] = field(default_factory=dict)


def recall(
    conn: Connection,
    question: Question,
    chosen: Chosen,
    limit: int,
    *,
    near: Near | None = None,
    frequencies: Frequencies = postings.count,
    recent: bool = True,
) -> Recalled:
    """Return the messages that answer a question best, at most `limit`, several of one session where they are good.

    `near` is what the semantic lane found, None where it did not run. `recent` lets what is recent win between equals.
    """
    words = by_words(conn, question, chosen, frequencies=frequencies)
    return ranked(conn, question, words, chosen, limit, near=near, recent=recent)


def by_words(
    conn: Connection, question: Question, chosen: Chosen, *, frequencies: Frequencies = postings.count
) -> Words:
    """Return what the words of a question say: the part of `recall` that need not wait for the semantic lane."""
    found = postings.scan(conn, question.things, chosen, frequencies=frequencies)
    return lexical.weigh(found, question.counts)


def ranked(
    conn: Connection,
    question: Question,
    words: Words,
    chosen: Chosen,
    limit: int,
    *,
    near: Near | None = None,
    recent: bool = True,
    lean: float = 1.0,
) -> Recalled:
    """Return the messages that answer a question best, of what the lanes have found; meaning counts `lean` times."""
    meaning, tier = _meant(near), _meant(near.tier if near else None)
    known = {row: session for found in (meaning, tier) for row, (session, _) in found.items()}
    then = _spoken_then(conn, question, chosen, words.sessions.keys() | set(known.values()))
    times: dict[int, float] = {}
    if question.times:
        session_of = words.session_of | then | known
        times = _times(question, session_of, moments.of(conn, {*words.messages, *known, *then}))
    last = moments.last_of_sessions(conn, words.sessions.keys() | set(known.values())) if recent else {}
    ordered = fusion.sessions(
        words,
        _best_by_session(meaning.values()) or None,
        times,
        {session: fusion.recency((question.now_ms - when) / _DAY_MS) for session, when in last.items()},
        _best_by_session(tier.values()) or None,
        limit,
        lean,
    )
    nearness = fusion.both(_cosines(meaning), _cosines(tier) if tier else None)
    found = fusion.messages(
        ordered, words, {row: (known[row], near) for row, near in nearness.items()}, then, limit, _PER_SESSION, lean
    )[:limit]
    return Recalled(
        tuple(found),
        words.lacking,
        share=max((held.share for held in words.sessions.values()), default=0.0),
        cosine=max((0.0, *(cosine for found in (meaning, tier) for _, cosine in found.values()))),
        lanes_of={one.message: _lanes(one.message, words.messages, meaning, tier) or ("time",) for one in found},
    )


def nearness_of_facts(near: Near) -> dict[int, float]:
    """Return how near facts are (row ids), 0 to 1, beside the nearest of all facts and messages."""

    def cosines(one: Near) -> Cosines[int]:
        of = dict(one.facts)
        return Cosines(of, max([*of.values(), *(cosine for _, _, cosine in one.messages)], default=0.0))

    return fusion.both(cosines(near), None if near.tier is None else cosines(near.tier))


def _meant(near: Near | None) -> dict[int, tuple[int, float]]:
    """Return session and cosine of the messages that an embedding has found."""
    return {row: (session, cosine) for row, session, cosine in near.messages} if near else {}


def _cosines(found: Mapping[int, tuple[int, float]]) -> Cosines[int]:
    of = {row: cosine for row, (_, cosine) in found.items()}
    return Cosines(of, max(of.values(), default=0.0))


def _best_by_session(found: Iterable[tuple[int, float]]) -> dict[int, float]:
    best: dict[int, float] = {}
    for session, cosine in found:
        best[session] = max(best.get(session, 0.0), cosine)
    return best


def _spoken_then(conn: Connection, question: Question, chosen: Chosen, known: AbstractSet[int]) -> dict[int, int]:
    """Return what was asked first in sessions of the days a question means, where no other lane found them."""
    if chosen.role == "assistant" or chosen.kind is not None or chosen.since is not None or chosen.until is not None:
        return {}
    return {
        message: session
        for when in question.times
        if when.until - when.since <= _DAYS_LOOKED_AT * _DAY_MS
        for session, message in moments.spoken(conn, when.since, when.until, chosen, _SPOKEN_THEN)
        if session not in known
    }


def _times(question: Question, session_of: Mapping[int, int], at: Mapping[int, int]) -> dict[int, float]:
    near: dict[int, float] = {}
    for row, when in at.items():
        session = session_of[row]
        near[session] = max(near.get(session, 0.0), nearness(when, question.times))
    return near


def _lanes(row: int, words: Mapping[int, float], *meant: Mapping[int, tuple[int, float]]) -> tuple[str, ...]:
    cosines = [found[row][1] for found in meant if row in found]
    means_it = bool(cosines) and (max(cosines) >= MEANINGFUL or row not in words)
    return tuple(name for name, found in (("messages", row in words), ("semantic", means_it)) if found)
