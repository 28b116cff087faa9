"""Search: facts and messages for a query, best first, with the lanes that were searched."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

import anyio
from anyio import to_thread

from memd.adapter import Role
from memd.clock import zone_asked_from
from memd.errors import BadParameter
from memd.inject.prompt import request_of
from memd.operations import finding, fitting, linking
from memd.operations.answers import HitAnswer, SearchAnswer
from memd.operations.bearing import bearing
from memd.operations.days import of_those_days
from memd.operations.fact_params import kind_of, time_given
from memd.operations.finding import Asked, Found, Worded
from memd.operations.gaps import note_gap
from memd.operations.literal import search_literally
from memd.operations.memory import Memory
from memd.operations.registry import operation
from memd.operations.scope import project_id
from memd.operations.scopes import SCOPES, Scope, ScopeName
from memd.recall import question, sureness
from memd.recall.asking import Wanted
from memd.recall.imagining import COUNTS, Imagining
from memd.recall.lexical import Words
from memd.recall.linking import Links, follow
from memd.recall.near import Near
from memd.recall.recall import Recalled, by_words, ranked
from memd.recall.respelling import respelled
from memd.recall.semantic import Lane
from memd.recall.sureness import Grounds
from memd.store import sessions
from memd.store.chosen import Chosen
from memd.store.facts import Connection
from memd.text.tokens import terms

logger = logging.getLogger(__name__)

What: TypeAlias = Literal["facts", "messages"]
Mode: TypeAlias = Literal["words", "exact", "regex"]

_MOST: Final = 500
_READ_CHARS: Final = 2_000
"""Characters of a query above which it is a prompt or a pasted log, of which only the telling parts are looked for."""
_OF_A_SESSION: Final = 4
"""So many times as many hits are put together where only one of each session is given."""
_SPARE: Final = 5
_NO_MESSAGES: Final = "looks through messages alone, and none are asked for; facts were looked for by words"


@dataclass(frozen=True, slots=True)
class SearchParams:
    """What to look for, and where."""

    query: str = field(metadata={"help": "words; text in double quotes is looked for as it stands"})
    project: str | None = field(default=None, metadata={"help": "a folder in the project, its name or its id"})
    host: str | None = field(default=None, metadata={"help": "the host, such as claude_code"})
    limit: int = field(default=10, metadata={"help": "at most so many hits"})
    kinds: tuple[What, ...] = field(default=("facts", "messages"), metadata={"help": "facts, messages, or both"})
    scope: ScopeName = field(default="all", metadata={"help": "only errors, plans, configs, tools, files or decisions"})
    mode: Mode = field(
        default="words",
        metadata={"help": "words; exact: what holds this text, also what tools printed; regex: what matches it"},
    )
    session: str | None = field(default=None, metadata={"help": "only of this session, by its id"})
    role: Role | None = field(default=None, metadata={"help": "only what the user or the assistant said"})
    since: str | None = field(default=None, metadata={"help": "only from this time on"})
    until: str | None = field(default=None, metadata={"help": "only before this time"})
    as_of: str | None = field(default=None, metadata={"help": "what held, and had been said, at this time"})
    category: str | None = field(default=None, metadata={"help": "a kind of fact to prefer, such as decision"})
    topic: str | None = field(default=None, metadata={"help": "only facts of this topic"})
    tag: str | None = field(default=None, metadata={"help": "only facts with this tag"})
    strict: bool = field(default=False, metadata={"help": "nothing but facts of the category"})
    by_session: bool = field(default=False, metadata={"help": "of each session only the best hit"})
    recent: bool = field(default=True, metadata={"help": "let the more recent of equals come first"})
    standing: bool = field(
        default=True,
        metadata={"help": "let use and age of facts, and changes of what they name, decide between equals"},
    )
    explain: bool = field(default=False, metadata={"help": "say what each score is made of"})
    chars: int = field(default=480, metadata={"help": "at most so many characters of each hit"})
    budget: int | None = field(default=None, metadata={"help": "at most so many characters of all hits together"})
    compact: bool = field(default=False, metadata={"help": "a line for each hit"})


@dataclass(slots=True)
class _Notes:
    """What is to be said of a search besides its hits: why a lane did not run, and words that were read otherwise."""

    lanes: dict[str, str] = field(default_factory=dict)
    read_as: dict[str, tuple[str, ...]] = field(default_factory=dict)


_Beside: TypeAlias = tuple[tuple[Worded, ...], tuple[Found, ...], Links]


@dataclass(frozen=True, slots=True)
class _Parts:
    """What was found by words: facts, calls as hits, what is related to what the question names, and the words of
    messages (None: not asked for).
    """

    facts: tuple[Worded, ...]
    calls: tuple[Found, ...]
    links: Links
    words: Words | None


@operation("search", reads=True)
async def search_all(memory: Memory, params: SearchParams) -> SearchAnswer:
    """Find facts and messages, best first.

    Of a query above 2,000 characters the parts that say most are looked for, which `notes` tells. Raises NotFound when
    there is no such project or session, BadParameter for a limit out of range.
    """
    if not 1 <= params.limit <= _MOST:
        raise BadParameter("search", f"limit must be from 1 to {_MOST}, not {params.limit}")
    if params.budget is not None and params.budget < 1:
        raise BadParameter("search", f"budget must be 1 or more, not {params.budget}")
    if not memory.config.search.messages and "messages" in params.kinds:
        return await _only_facts(memory, params)
    length, cut = len(params.query), params.mode == "words" and len(params.query) > _READ_CHARS
    if cut:
        said = await to_thread.run_sync(request_of, params.query)
        params = replace(params, query=said[:_READ_CHARS])
    asked = await memory.readers.run(lambda conn: _asked(conn, params, memory.clock.now_ms()))
    asked = replace(asked, lean=max(memory.config.search.meaning_percent, 0) / 100)
    if params.mode == "words" or not (asked.scope.messages or asked.scope.calls):
        with memory.answering.one():
            answer = await _search(memory, params, asked)
        if params.mode != "words":
            answer = replace(answer, notes={**answer.notes, params.mode: _NO_MESSAGES})
    else:
        found = await search_literally(memory, params.query, params.mode, asked)
        notes: dict[str, str] = {params.mode: found.note} if found.note else {}
        any_hit = bool(found.hits)
        answer = SearchAnswer(params.query, found.hits, (params.mode,), notes=notes, sure=any_hit, found=any_hit)
    if not answer.found and asked.match and params.mode == "words":  # a literal is looked up, to see it gone, say
        await note_gap(memory, params.query, asked.chosen.project_id)
    if cut:
        note = f"{length:,} characters long; looked for were {len(params.query):,} of them that say most"
        answer = replace(answer, notes={**answer.notes, "query": note})
    return _fitted(answer, params)


def _fitted(answer: SearchAnswer, params: SearchParams) -> SearchAnswer:
    """Return an answer cut to the room there is for it, with how large it is and how much was left out."""
    hits = fitting.lines(answer.hits) if params.compact else answer.hits
    if params.budget is not None:
        hits = fitting.within(hits, params.budget)
    return replace(answer, hits=hits, chars=sum(len(hit.text) for hit in hits), left=len(answer.hits) - len(hits))


async def _only_facts(memory: Memory, params: SearchParams) -> SearchAnswer:
    """Answer where messages are not looked through, and say so."""
    why = "are not looked through (search.messages is off)"
    if "facts" not in params.kinds:
        return SearchAnswer(params.query, (), (), notes={"messages": why}, sure=False, found=False)
    answer = await search_all.function(memory, replace(params, kinds=("facts",)))
    return replace(answer, notes={**answer.notes, "messages": why})


def _asked(conn: Connection, params: SearchParams, now_ms: int) -> Asked:
    session = None if params.session is None else sessions.find(conn, params.session).id
    as_of, until = time_given(params.as_of, "search"), time_given(params.until, "search")
    chosen = Chosen(
        project_id=project_id(conn, params.project),
        host=params.host,
        session_id=session,
        role=params.role,
        since=time_given(params.since, "search"),
        until=min((at for at in (until, None if as_of is None else as_of + 1) if at is not None), default=None),
    )
    read = question.read(params.query, now_ms, zone_asked_from())
    return Asked(
        question=read,
        words=frozenset(terms(read.matter)),
        match=read.match,
        chosen=chosen,
        scope=_scope(params),
        limit=params.limit,
        now_ms=now_ms,
        category=None if params.category is None else kind_of(params.category, "search"),
        explain=params.explain,
        standing=params.standing,
        chars=params.chars,
        as_of=as_of,
        topic=params.topic,
        tag=params.tag,
    )


def _scope(params: SearchParams) -> Scope:
    """Return what is looked through: what the scope has of the kinds asked for."""
    scope = SCOPES[params.scope]
    if "facts" not in params.kinds or params.role is not None:
        scope = replace(scope, facts=())
    if "messages" not in params.kinds:
        scope = replace(scope, messages=False, calls=False)
    if params.topic is not None or params.tag is not None:
        scope = replace(scope, messages=False, calls=False)
    if params.strict and params.category is not None:
        kind = kind_of(params.category, "search")
        wanted = (kind,) if scope.facts is None or kind in scope.facts else ()
        scope = replace(scope, facts=wanted, messages=False, calls=False)
    return scope


async def _search(memory: Memory, params: SearchParams, asked: Asked) -> SearchAnswer:
    """Ask all lanes, some beside the others, and put together what they found."""
    if asked.question.only_times:
        of_days = await memory.readers.run(lambda conn: of_those_days(conn, params.query, asked))
        if of_days is not None:
            return of_days
    notes, words, beside, meant = _Notes(), list[Words](), list[_Beside](), list[Near]()

    async def by_the_words() -> None:
        if asked.scope.messages:
            words.append(await memory.readers.run(lambda conn: _words(conn, asked, notes)))

    async def in_facts_and_calls() -> None:
        beside.append(await memory.readers.run(lambda conn: _beside(conn, asked)))

    async def by_meaning() -> None:
        if memory.semantic is not None and asked.lean > 0:
            meant.extend(await _meant(memory.semantic, memory.imagining, asked, notes))
        elif asked.match:
            notes.lanes["semantic"] = "is switched off"

    async with anyio.create_task_group() as group:
        # Another process works for the first; of the two threads the one that has more to do begins.
        group.start_soon(by_meaning)
        group.start_soon(in_facts_and_calls)
        group.start_soon(by_the_words)
    parts = _Parts(*beside[0], words[0] if words else None)
    near = meant[0] if meant else None
    for imagined in meant[1:]:
        near = meant[0].with_other(imagined, COUNTS)
    answer = await memory.readers.run(lambda conn: _answer(conn, params, asked, parts, near, notes))
    return replace(answer, lanes=(*answer.lanes, "imagined")) if len(meant) > 1 else answer


async def _meant(lane: Lane, imagining: Imagining | None, asked: Asked, notes: _Notes) -> tuple[Near, ...]:
    """Return what is near to the question, then to an answer where a model may imagine one; () without the lane."""
    wanted = Wanted(asked.chosen if asked.scope.messages else None, None if asked.scope.facts == () else asked.facts)
    if not asked.match or wanted == Wanted(None):
        return ()
    found: dict[str, Near] = {}

    async def to_the_question() -> None:
        near, why = await lane.near(asked.question.matter, wanted)
        _take("semantic", near, why)

    async def to_an_answer(imagining: Imagining) -> None:
        text, why = await imagining.answer(asked.question.matter)
        near, why = (None, why) if text is None else await lane.near(text, wanted)
        _take("imagined", near, why)

    def _take(name: str, near: Near | None, why: str | None) -> None:
        if near is not None:
            found[name] = near
        if why is not None:
            notes.lanes[name] = why

    async with anyio.create_task_group() as group:
        group.start_soon(to_the_question)
        if imagining is not None:
            group.start_soon(to_an_answer, imagining)
    return tuple(found[name] for name in ("semantic", "imagined") if name in found) if "semantic" in found else ()


def _words(conn: Connection, asked: Asked, notes: _Notes) -> Words:
    """Return what the words of messages say, of those one letter away where they are nowhere."""
    words = by_words(conn, asked.question, asked.chosen)
    others = respelled(conn, asked.question, words.lacking)
    if others is None:
        return words
    notes.read_as.update(others.read_as)
    return by_words(conn, others.question, asked.chosen)


def _beside(conn: Connection, asked: Asked) -> _Beside:
    """Return the facts and the calls that are found by their words, and what is related to what the question names."""
    with_facts = bool(asked.match) and asked.scope.facts != ()
    return (
        finding.facts_by_words(conn, asked) if with_facts else (),
        tuple(finding.of_calls(conn, asked)) if asked.match and asked.scope.calls else (),
        follow(conn, asked.question.matter, asked.facts) if with_facts else Links(),
    )


def _answer(
    conn: Connection, params: SearchParams, asked: Asked, parts: _Parts, near: Near | None, notes: _Notes
) -> SearchAnswer:
    scope, recalled = asked.scope, Recalled(())
    found = [*finding.of_facts(conn, parts.facts, near, asked), *parts.calls]
    found += linking.of_links(conn, parts.links, {one.hit.id for one in found}, asked)
    if parts.links.cut:
        notes.lanes[linking.LANE] = linking.CUT
    if parts.words is not None:
        recalled = ranked(
            conn,
            asked.question,
            parts.words,
            asked.chosen,
            asked.limit + _SPARE,
            near=near,
            recent=params.recent,
            lean=asked.lean,
        )
        found += finding.of_messages(conn, recalled, asked)
    ran = {"facts": scope.facts != (), "messages": scope.messages, "semantic": near is not None, "calls": scope.calls,
           linking.LANE: parts.links.named}  # fmt: skip
    found = finding.words_first(found, asked)
    hits = finding.together(found, asked.limit * _OF_A_SESSION if params.by_session else asked.limit)
    if params.by_session:
        hits = _best_of_each_session(hits)[: asked.limit]
    grounds = _grounds(asked, parts, recalled, near)
    if not sureness.is_sure(grounds):
        bears = bearing(conn, asked.question.matter, [one.fact for one in parts.facts], near)
        grounds = replace(grounds, bears=bears)
    return SearchAnswer(
        params.query,
        hits,
        tuple(lane for lane, did in ran.items() if did),
        notes=notes.lanes,
        read_as=notes.read_as,
        sure=bool(hits) and sureness.is_sure(grounds),
        found=bool(hits) and sureness.is_found(grounds),
        grounds=grounds.figures if params.explain else {},
    )


def _best_of_each_session(hits: Sequence[HitAnswer]) -> tuple[HitAnswer, ...]:
    """Return the first hit of each session, and those of none."""
    first = {hit.session: place for place, hit in reversed(list(enumerate(hits)))}
    return tuple(hit for place, hit in enumerate(hits) if hit.session is None or first[hit.session] == place)


def _grounds(asked: Asked, parts: _Parts, recalled: Recalled, near: Near | None) -> Grounds:
    """Return what the lanes say of the best they found."""
    things, unknown = len(asked.question.things), not (parts.facts or parts.calls)
    if parts.words is not None:
        unknown = unknown and len(parts.words.lacking) == things
    typed = things <= sureness.FEW and any(finding.holds_all(one, asked) for one in parts.calls)
    return Grounds(
        None if near is None else max([recalled.cosine, *near.cosines_of_facts().values()]),
        recalled.share,
        1.0 if typed else max((one.covered for one in parts.facts), default=0.0),
        bool(parts.facts),
        bool(parts.calls),
        things,
        unknown,
        sureness.is_cjk(asked.question.matter),
    )
