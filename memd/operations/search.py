"""Search: facts and messages for a query, best first, with the lanes that were searched."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from memd.errors import BadParameter
from memd.model import Fact, Message, Session
from memd.operations.answers import HitAnswer, SearchAnswer
from memd.operations.facts import sessions_of
from memd.operations.memory import Memory
from memd.operations.registry import operation
from memd.operations.scope import project_id
from memd.operations.shapes import time_of
from memd.operations.snippet import snippet
from memd.store import messages, search, sessions
from memd.text.tokens import match_query, terms

What: TypeAlias = Literal["facts", "messages"]

_MOST: Final = 500
# Reciprocal rank fusion (Cormack, Clarke, Buettcher 2009): lanes score on scales of their own, places compare.
_FUSION: Final = 60
_WEIGHTS: Final = {"facts": 1.25, "messages": 1.0, "calls": 0.8}
_FILTERED: Final = 5


@dataclass(frozen=True, slots=True)
class SearchParams:
    """What to look for, and where."""

    query: str = field(metadata={"help": "words; text in double quotes is looked for as it stands"})
    project: str | None = field(default=None, metadata={"help": "a folder in the project, its name or its id"})
    host: str | None = field(default=None, metadata={"help": "the host, such as claude_code"})
    limit: int = field(default=10, metadata={"help": "at most so many hits"})
    kinds: tuple[What, ...] = field(default=("facts", "messages"), metadata={"help": "facts, messages, or both"})


@dataclass(frozen=True, slots=True)
class _Found:
    """Row ids with the lanes that found each and its fused score."""

    scores: dict[int, float]
    lanes: dict[int, tuple[str, ...]]


@operation("search", reads=True)
async def search_all(memory: Memory, params: SearchParams) -> SearchAnswer:
    """Find facts and messages, best first.

    Raises NotFound when there is no such project, BadParameter for a limit out of range.
    """
    if not 1 <= params.limit <= _MOST:
        raise BadParameter("search", f"limit must be from 1 to {_MOST}, not {params.limit}")
    return await memory.readers.run(lambda conn: _search(conn, params))


def _search(conn: sqlite3.Connection, params: SearchParams) -> SearchAnswer:
    project = project_id(conn, params.project)
    match = match_query(params.query)
    lanes = (("facts",) if "facts" in params.kinds else ()) + (
        ("messages", "calls") if "messages" in params.kinds else ()
    )
    if not match:
        return SearchAnswer(params.query, (), lanes)
    # What a filter takes away afterwards must not leave an answer short.
    enough = params.limit * (_FILTERED if params.host else 1)
    hits: list[HitAnswer] = []
    if "facts" in params.kinds:
        hits += _facts(conn, match, project, enough, params.host)
    if "messages" in params.kinds:
        hits += _messages(conn, match, project, enough, params)
    hits.sort(key=lambda hit: -hit.score)
    return SearchAnswer(params.query, tuple(hits[: params.limit]), lanes)


def _facts(
    conn: sqlite3.Connection, match: str, project: int | None, limit: int, host: str | None
) -> Iterable[HitAnswer]:
    found = [fact for fact, _ in search.facts(conn, match, project, limit, all_projects=project is None)]
    known = sessions_of(conn, found)
    for place, fact in enumerate(found):
        hosts = {known[evidence.session].host for evidence in fact.evidence if evidence.session in known}
        if host is None or host in hosts:
            yield _fact_hit(fact, next(iter(sorted(hosts)), None), _score("facts", place))


def _messages(
    conn: sqlite3.Connection, match: str, project: int | None, limit: int, params: SearchParams
) -> Iterable[HitAnswer]:
    where = search.Where(project_id=project)
    said = [row[0] for row in search.messages(conn, match, where, limit)]
    done = [row[1] for row in search.calls(conn, match, where, limit)]
    found = _fused({"messages": said, "calls": tuple(dict.fromkeys(done))})
    best = sorted(found.scores, key=lambda row: -found.scores[row])[:limit]
    loaded = messages.by_ids(conn, best)
    known = sessions.by_ids(conn, {session for session, _ in loaded.values()})
    asked = frozenset(terms(params.query))
    for row in best:
        if row not in loaded:
            continue
        session_id, message = loaded[row]
        session = known[session_id]
        if params.host is None or session.host == params.host:
            yield _message_hit(message, session, asked, found.scores[row], found.lanes[row])


def _fused(lanes: dict[str, Sequence[int]]) -> _Found:
    scores: dict[int, float] = {}
    found: dict[int, tuple[str, ...]] = {}
    for lane, rows in lanes.items():
        for place, row in enumerate(rows):
            scores[row] = scores.get(row, 0.0) + _score(lane, place)
            found[row] = (*found.get(row, ()), lane)
    return _Found(scores, found)


def _score(lane: str, place: int) -> float:
    return _WEIGHTS[lane] * _FUSION / (_FUSION + place)


def _fact_hit(fact: Fact, host: str | None, score: float) -> HitAnswer:
    return HitAnswer(
        text=fact.body or fact.title,
        session=fact.session,
        score=round(score, 4),
        at=time_of(fact.valid_from),
        kind=fact.kind,
        id=fact.uid,
        title=fact.title,
        project=None if fact.project is None else fact.project.root,
        host=host,
        role=None,
        lanes=("facts",),
    )


def _message_hit(
    message: Message, session: Session, asked: frozenset[str], score: float, lanes: tuple[str, ...]
) -> HitAnswer:
    return HitAnswer(
        text=snippet(message, asked),
        session=session.uid,
        score=round(score, 4),
        at=time_of(message.at),
        kind="message",
        id=None,
        title=session.title,
        project=None if session.project is None else session.project.root,
        host=session.host,
        role=message.role,
        lanes=lanes,
    )
