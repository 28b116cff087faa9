"""Search: facts and messages for a query, best first, with the lanes that were searched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from memd.errors import BadParameter
from memd.model import Fact, Message, Session
from memd.operations.answers import HitAnswer, SearchAnswer
from memd.operations.memory import Memory
from memd.operations.registry import operation
from memd.operations.scope import project_id
from memd.operations.shapes import time_of
from memd.operations.snippet import snippet
from memd.operations.telling import sessions_of
from memd.store import messages, search, sessions
from memd.store.facts import Connection
from memd.text.tokens import match_query, terms

What: TypeAlias = Literal["facts", "messages"]

_MOST: Final = 500
# Each lane scores on a scale of its own; what compares across them is the place in the lane (reciprocal rank fusion,
# Cormack, Clarke, Buettcher 2009) and how much of the query stands together in what is shown.
_FUSION: Final = 10
_WEIGHTS: Final = {"facts": 1.25, "messages": 1.0, "calls": 0.8}
_COVERED: Final = 0.6
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
    """Messages by row id: the lanes that found each, and its score in the better of them."""

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


def _search(conn: Connection, params: SearchParams) -> SearchAnswer:
    project = project_id(conn, params.project)
    match = match_query(params.query)
    lanes = (("facts",) if "facts" in params.kinds else ()) + (
        ("messages", "calls") if "messages" in params.kinds else ()
    )
    if not match:
        return SearchAnswer(params.query, (), lanes)
    # What a filter takes away afterwards must not leave an answer short.
    enough = params.limit * (_FILTERED if params.host else 1)
    asked = frozenset(terms(params.query))
    hits: list[HitAnswer] = []
    if "facts" in params.kinds:
        hits += _facts(conn, match, asked, project, enough, params.host)
    if "messages" in params.kinds:
        hits += _messages(conn, match, asked, project, enough, params.host)
    hits.sort(key=lambda hit: -hit.score)
    return SearchAnswer(params.query, tuple(hits[: params.limit]), lanes)


def _facts(
    conn: Connection, match: str, asked: frozenset[str], project: int | None, limit: int, host: str | None
) -> Iterable[HitAnswer]:
    found = [fact for fact, _ in search.facts(conn, match, project, limit, all_projects=project is None)]
    known = sessions_of(conn, found)
    for place, fact in enumerate(found):
        hosts = {known[evidence.session].host for evidence in fact.evidence if evidence.session in known}
        if host is None or host in hosts:
            said = f"{fact.title}\n{fact.body}\n" + "\n".join(part.text for part in fact.parts)
            score = _score("facts", place) * _coverage(said, asked)
            yield _fact_hit(fact, min(hosts, default=None), score)


def _messages(
    conn: Connection, match: str, asked: frozenset[str], project: int | None, limit: int, host: str | None
) -> Iterable[HitAnswer]:
    where = search.Where(project_id=project)
    said = [row[0] for row in search.messages(conn, match, where, limit)]
    done = [row[1] for row in search.calls(conn, match, where, limit)]
    found = _fused({"messages": said, "calls": tuple(dict.fromkeys(done))})
    best = sorted(found.scores, key=lambda row: -found.scores[row])[:limit]
    loaded = messages.by_ids(conn, best)
    known = sessions.by_ids(conn, {session for session, _ in loaded.values()})
    for row in best:
        if row not in loaded:
            continue
        session_id, message = loaded[row]
        session = known[session_id]
        if host is None or session.host == host:
            shown = snippet(message, asked)
            yield _message_hit(message, session, shown, found.scores[row] * _coverage(shown, asked), found.lanes[row])


def _fused(lanes: dict[str, Sequence[int]]) -> _Found:
    scores: dict[int, float] = {}
    found: dict[int, tuple[str, ...]] = {}
    for lane, rows in lanes.items():
        for place, row in enumerate(rows):
            scores[row] = max(scores.get(row, 0.0), _score(lane, place))
            found[row] = (*found.get(row, ()), lane)
    return _Found(scores, found)


def _score(lane: str, place: int) -> float:
    return _WEIGHTS[lane] * _FUSION / (_FUSION + place)


def _coverage(text: str, asked: frozenset[str]) -> float:
    share = len(asked.intersection(terms(text))) / len(asked) if asked else 1.0
    return 1 - _COVERED + _COVERED * share


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


def _message_hit(message: Message, session: Session, shown: str, score: float, lanes: tuple[str, ...]) -> HitAnswer:
    return HitAnswer(
        text=shown,
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
