"""Fusion: what the lanes say of sessions and messages, weighed into one order.

Each part of a score is divided by the largest there is, so that parts compare; then they are added by weights that
were fitted on conversations with known answers (`make eval-retrieval`). Sums of scores do better here than fusing by
place: a lane that finds little says so by its scores, not by its places. The parts of a score are kept and add up to
it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from memd.recall.lexical import Words

K = TypeVar("K")

_WITH_MEANING: Final = {"words": 0.25, "together": 0.12, "share": 0.18, "meaning": 0.45}
_WITH_TIER: Final = {"words": 0.27, "together": 0.13, "share": 0.20, "meaning": 0.15, "tier": 0.25}
_WORDS_ALONE: Final = {"words": 0.53, "together": 0.16, "share": 0.31}
_TIME: Final = 0.80
_RECENT: Final = 0.002
_RECENT_HALF_LIFE_DAYS: Final = 30.0
_RECENT_LEAST: Final = 0.1
_OTHERS: Final = 0.85
"""What a session's further messages count for at most beside its best one."""


@dataclass(frozen=True, slots=True)
class Cosines(Generic[K]):
    """Cosines of things, and the largest there is, which counts as 1."""

    of: Mapping[K, float]
    nearest: float


@dataclass(frozen=True, slots=True)
class Ranked:
    """A message in the order of the answer. `parts` add up to `score`."""

    message: int
    session: int
    score: float
    parts: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class SessionScore:
    """A session with the parts of its score."""

    session: int
    score: float
    parts: Mapping[str, float]


def recency(age_days: float) -> float:
    """Return from 0.1 to 1 how recent something is: halved with every 30 days."""
    return max(_RECENT_LEAST, math.exp2(-max(age_days, 0.0) / _RECENT_HALF_LIFE_DAYS))


def both(meaning: Cosines[K], tier: Cosines[K] | None) -> dict[K, float]:
    """Return how near things are (0 to 1) by one embedding or two, each measured by the nearest it has found."""
    if tier is None:
        return {thing: max(cosine, 0.0) / (meaning.nearest or 1.0) for thing, cosine in meaning.of.items()}
    whole = _WITH_TIER["meaning"] + _WITH_TIER["tier"]
    found: dict[K, float] = {}
    for name, cosines in (("meaning", meaning), ("tier", tier)):
        for thing, near in both(cosines, None).items():
            found[thing] = found.get(thing, 0.0) + _WITH_TIER[name] / whole * near
    return found


def sessions(
    words: Words,
    meaning: Mapping[int, float] | None,
    times: Mapping[int, float],
    recent: Mapping[int, float],
    tier: Mapping[int, float] | None = None,
    most: int | None = None,
    lean: float = 1.0,
) -> list[SessionScore]:
    """Return the sessions that any lane found, best first; at most so many, None: all.

    `meaning` is the best cosine of each session (None: the lane did not run), `tier` the same by a second
    embedding, `times` how near each is to the time asked for (0 to 1), `recent` its recency (0 to 1). `lean` is how
    much meaning counts, as a multiple of its weight.
    """
    weights = (_WITH_TIER if tier else _WITH_MEANING) if meaning else _WORDS_ALONE
    if lean != 1.0:
        weights = {name: weight * lean if name in ("meaning", "tier") else weight for name, weight in weights.items()}
    near = {name: found for name, found in (("meaning", meaning), ("tier", tier)) if name in weights and found}
    held = words.sessions.items()
    best = max((one.best for _, one in held), default=0.0) or 1.0
    together = max((one.together for _, one in held), default=0.0) or 1.0
    parts: dict[str, dict[int, float]] = {
        "words": {session: weights["words"] * one.best / best for session, one in held},
        "together": {session: weights["together"] * one.together / together for session, one in held},
        "share": {session: weights["share"] * one.share for session, one in held},
    }
    always = {*parts, *near}
    lanes = [(name, weights[name], found, max(0.0, *found.values()) or 1.0) for name, found in near.items()]
    for name, weight, of, largest in (*lanes, ("time", _TIME, times, 1.0), ("recency", _RECENT, recent, 1.0)):
        parts[name] = {session: weight * one / largest for session, one in of.items() if one > 0}

    scores = dict.fromkeys(words.sessions.keys() | times.keys() | {each for of in near.values() for each in of}, 0.0)
    for of in parts.values():
        for session, part in of.items():
            if session in scores:
                scores[session] += part
    ordered = sorted(((score, session) for session, score in scores.items()), reverse=True)
    return [
        SessionScore(session, score, {
            name: of.get(session, 0.0) for name, of in parts.items() if name in always or session in of
        })
        for score, session in ordered[:most]
    ]  # fmt: skip


def messages(
    ranked: list[SessionScore],
    words: Words,
    meaning: Mapping[int, tuple[int, float]],
    then: Mapping[int, int],
    most_sessions: int,
    per_session: int,
    lean: float = 1.0,
) -> list[Ranked]:
    """Return the messages of the best sessions, best first: of each at most `per_session`.

    `meaning` is session and cosine of messages, which count `lean` times as much as usual, `then` the sessions of
    messages that only their time speaks for. The best message of a session has the session's score.
    """
    chosen = {one.session: one for one in ranked[:most_sessions]}
    top = max(words.messages.values(), default=0.0) or 1.0
    nearest = max(max((cosine for _, cosine in meaning.values()), default=0.0), 0.0) or 1.0
    weighed: dict[int, list[tuple[float, int]]] = {session: [] for session in chosen}
    for session, own in weighed.items():
        for row in words.rows_of.get(session, ()):
            near = lean * max(meaning[row][1], 0.0) / nearest if row in meaning else 0.0
            own.append((words.messages[row] / top + near, row))
    for row, (session, cosine) in meaning.items():
        if session in chosen and row not in words.messages:
            weighed[session].append((lean * max(cosine, 0.0) / nearest, row))
    for row, session in then.items():
        if session in chosen:
            weighed[session].append((0.0, row))
    found = []
    for session, rows in weighed.items():
        one = chosen[session]
        rows.sort(reverse=True)
        if not rows:
            continue
        best = rows[0][0] or 1.0  # what only its time speaks for has no score of its own
        for place, (score, row) in enumerate(rows[:per_session]):
            share = 1.0 if place == 0 else _OTHERS * score / best
            parts = {name: round(part * share, 4) for name, part in one.parts.items()}
            found.append(Ranked(row, session, round(sum(parts.values()), 4), parts))
    found.sort(key=lambda one: (-one.score, -one.message))
    return found
