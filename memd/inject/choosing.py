"""Choosing: the few facts, and what is known of named files, that a prompt is given.

Candidates come from the words of the facts, from what was said and done around them where the prompt's words stand, and
from the rules for what the prompt wants done; relevance has the last word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memd.inject import errors_seen, passages
from memd.inject.material import SURE, TASKS
from memd.inject.mentions import files_in, history_line, symbols_in
from memd.inject.passages import Passage
from memd.inject.prompt import asks_what_is_left, request_of
from memd.inject.put_aside import put_aside
from memd.model import Fact, Project
from memd.recall.relevance import FLOOR, LATER_FLOOR, Asked, Corpus, Relevance, prior_of, rank
from memd.store import facts, foremost, history, injections, rarity, search, sessions, surroundings
from memd.store.facts import Connection
from memd.store.injections import Given
from memd.store.surroundings import Surroundings
from memd.text.concepts import words_of
from memd.text.tokens import match_query, terms
from memd.text.values import asks_of_now

_CANDIDATES: Final = 60
_PLACES: Final = 12
_LOOKED_UP: Final = 64
_HISTORIES: Final = 2
_MOST_QUOTED: Final = 2
_HARDLY_MORE: Final = 2
"""Words beside a file's name up to which a request is about the file and nothing else."""
_RULES: Final = frozenset({"preference", "convention"})
_WHY: Final = frozenset({"because", "cause", "fix"})
_SETTLED_FLOOR: Final = 0.25
"""How likely a fact has to be wanted that was settled where a fitting question stands."""
_ENOUGH: Final = 0.8
"""Of how likely the best fact is, what another has to be to be said beside it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a prompt is given: facts with how likely they are wanted, the files of each, lines on named files."""

    facts: tuple[tuple[Fact, Relevance], ...] = ()
    files: Mapping[int, tuple[str, ...]] | None = None
    histories: tuple[tuple[str, str], ...] = ()
    """Each with the name it is about."""
    passages: tuple[Passage, ...] = ()
    """What was said in earlier sessions, where there is no fact."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A prompt, and the session that it comes from with what that was given."""

    prompt: str
    host: str
    native_id: str
    project: Project | None
    given: Given
    most: int
    again: bool = False
    """Whether an earlier prompt of the session was given something: then only what is surer is said."""


def choose(conn: Connection, wanted: Wanted, *, hurried: Callable[[], bool] = lambda: False) -> Choice:
    """Return what a prompt is given, nothing for most prompts.

    `hurried` tells when there is no time left to look into what was said around facts.
    """
    request = request_of(wanted.prompt)
    asked = Asked.of(request)
    match = _expression(request, asked)
    if not match:
        return Choice()
    project = None if wanted.project is None else wanted.project.id
    found = [fact for fact, _ in search.facts(conn, match, project, _CANDIDATES, unasked=True)]
    places: tuple[int, ...] = ()
    if project is not None and not hurried():
        places = _places(conn, request, project)
        known = {fact.id for fact in found}
        found += facts.load(conn, [fact for fact in surroundings.facts_at(conn, places, project) if fact not in known])
    around = surroundings.of_facts(conn, [fact.id for fact in found])
    # Names first: of a long prompt's words not all can be looked up in time.
    looked_up = sorted(asked.terms, key=lambda term: term not in asked.names)[:_LOOKED_UP]
    corpus = Corpus(rarity.of_words(conn, looked_up), rarity.facts(conn))
    floor = LATER_FLOOR if wanted.again else FLOOR
    # What the session knows already takes part in the comparison, but no place among the few.
    ranked = rank(
        request,
        found,
        len(found),
        around={fact: around_text(one) for fact, one in around.items()},
        prior={fact: prior_of(*counts) for fact, counts in injections.record_of(conn, around).items()},
        corpus=corpus,
        floor=floor,
    )
    files = files_of(ranked, around)
    aside = put_aside(fact for fact, _ in ranked)
    ranked = tuple(one for one in ranked if one[0].id not in aside)
    chosen = _nearest(_of_the_file(request, ranked, files), wanted.given.facts)[: wanted.most]
    quoted: tuple[Passage, ...] = ()
    if not (ranked or wanted.again or hurried()):
        quoted = _passages(conn, wanted, asked, corpus, places)
        if quoted and project is not None:
            chosen, quoted = _settled(conn, wanted, request, quoted, corpus)
            files = files_of(chosen, surroundings.of_facts(conn, [fact.id for fact, _ in chosen]))
    if not chosen and project is not None and asks_what_is_left(request):
        chosen, quoted = _left(conn, wanted, project), ()
    if chosen:
        quoted = _outcomes(conn, wanted, [fact for fact, _ in chosen])
    if not hurried():
        quoted = _with_errors(conn, wanted, request, chosen, quoted)
    return Choice(tuple(chosen), files, _histories(conn, wanted, request), quoted)


def _with_errors(
    conn: Connection,
    wanted: Wanted,
    request: str,
    chosen: Iterable[tuple[Fact, Relevance]],
    quoted: tuple[Passage, ...],
) -> tuple[Passage, ...]:
    """Return what came of errors that the request brings again, the passages where it brings none."""
    if wanted.project is None:
        return quoted
    session = sessions.by_native(conn, wanted.host, wanted.native_id)
    besides = None if session is None else session.id
    found = errors_seen.seen(
        conn, request, wanted.project.id, besides=besides, most=_MOST_QUOTED, known=wanted.given.extra
    )
    said = "\n".join(fact.body for fact, _ in chosen)
    return tuple(one for one in found if one.text not in said) or quoted


def _left(conn: Connection, wanted: Wanted, project: int) -> list[tuple[Fact, Relevance]]:
    """Return the latest that a project's sessions left open, but for what the session knows of."""
    found = foremost.newest(conn, project, TASKS, wanted.most + len(wanted.given.facts), sure=SURE, everywhere=False)
    new = [fact for fact in found if fact.id not in wanted.given.facts]
    return [(fact, Relevance(1.0, ("left open",))) for fact in new[: wanted.most]]


def files_of(
    chosen: Iterable[tuple[Fact, Relevance]], around: Mapping[int, Surroundings]
) -> dict[int, tuple[str, ...]]:
    """Return the files that were changed where facts were said, by row id of the fact."""
    return {fact.id: around[fact.id].files for fact, _ in chosen if fact.id in around}


def around_text(around: Surroundings) -> str:
    """Return what was said and done around a fact as one text, to compare a prompt with."""
    return "\n".join((around.text, *around.files))


def _expression(request: str, asked: Asked) -> str:
    """Return the FTS5 expression for all that a request may mean: its words in any form, and its concepts' words."""
    own = match_query(request)
    if not own:
        return ""
    forms = (f'"{term}"*' for term in asked.terms if len(term) > 3 and '"' not in term)
    meant = (match_query(word) for name in sorted(asked.intents or asked.concepts) for word in words_of(name))
    return " OR ".join(dict.fromkeys((f"({own})", *forms, *filter(None, meant))))


def _places(conn: Connection, request: str, project: int) -> tuple[int, ...]:
    """Return row ids of the messages where the request's words, files and symbols stand, the best first."""
    where = search.Where(project_id=project)
    said = match_query(request)
    places = [row for row, _, _ in search.messages(conn, said, where, _PLACES)] if said else []
    named = (f'"{name.rsplit("/", 1)[-1]}"' for name in (*files_in(request), *symbols_in(request)))
    # A name may be all marks, such as `____`, and then there is nothing to look for.
    if expression := match_query(" ".join(named)):
        calls = search.calls(conn, expression, where, _PLACES)
        places += [message for _, message, _ in calls]
    return tuple(dict.fromkeys(places))


def _passages(
    conn: Connection, wanted: Wanted, asked: Asked, corpus: Corpus, places: Sequence[int]
) -> tuple[Passage, ...]:
    session = sessions.by_native(conn, wanted.host, wanted.native_id)
    besides = None if session is None else session.id
    found = passages.find(conn, asked, corpus, places, besides=besides, most=min(_MOST_QUOTED, wanted.most))
    return tuple(passage for passage in found if passage.name not in wanted.given.extra)


def _settled(
    conn: Connection, wanted: Wanted, request: str, quoted: Sequence[Passage], corpus: Corpus
) -> tuple[list[tuple[Fact, Relevance]], tuple[Passage, ...]]:
    """Return what was settled where somebody only asked or reported, and the passages that this leaves.

    What the session knows of the matter already is no reason to quote how it came up.
    """
    project = None if wanted.project is None else wanted.project.id
    kept, chosen = [], dict[int, tuple[Fact, Relevance]]()
    for passage in quoted:
        if not passage.asks:
            kept.append(passage)
            continue
        near = surroundings.facts_at(conn, [passage.message.id], project)
        if not wanted.given.facts.isdisjoint(near):
            continue
        around = {fact: around_text(one) for fact, one in surroundings.of_facts(conn, near).items()}
        found = rank(request, facts.load(conn, near), 1, around=around, corpus=corpus, floor=_SETTLED_FLOOR)
        if not found:
            kept.append(passage)
        chosen.update((fact.id, (fact, relevance)) for fact, relevance in found)
    return list(chosen.values())[: wanted.most], tuple(kept)


def _outcomes(conn: Connection, wanted: Wanted, chosen: Sequence[Fact]) -> tuple[Passage, ...]:
    """Return what came of what somebody reported, for facts that are no more than the report."""
    reported = [
        fact for fact in chosen if fact.kind not in _RULES and not any(part.name in _WHY for part in fact.parts)
    ]
    told = passages.conclusions(conn, [evidence.message for fact in reported for evidence in fact.evidence])
    said = "\n".join(fact.body for fact in chosen)
    found = [passage for passage in told.values() if passage.text not in said]
    return tuple(passage for passage in found if passage.name not in wanted.given.extra)[:_MOST_QUOTED]


def _nearest(ranked: Sequence[tuple[Fact, Relevance]], given: Iterable[int]) -> list[tuple[Fact, Relevance]]:
    """Return those that are near the best one; what stands far behind it is another matter."""
    if not ranked:
        return []
    least = _ENOUGH * ranked[0][1].score
    known = frozenset(given)
    return [(fact, relevance) for fact, relevance in ranked if relevance.score >= least and fact.id not in known]


def _of_the_file(
    request: str, ranked: Sequence[tuple[Fact, Relevance]], files: Mapping[int, tuple[str, ...]]
) -> Sequence[tuple[Fact, Relevance]]:
    """Return, for a request that is hardly more than a file's name, all but what names other files alone.

    Facts about its neighbours share its path with it, and nothing else.
    """
    named = files_in(request)
    if not named or len(terms(_without(request, named))) > _HARDLY_MORE:
        return ranked
    names = [name.rsplit("/", 1)[-1].casefold() for name in named]
    return [
        (fact, relevance)
        for fact, relevance in ranked
        if not files_in(fact.body)
        or any(name in "\n".join((fact.body, *files.get(fact.id, ()))).casefold() for name in names)
    ]


def _without(request: str, names: Iterable[str]) -> str:
    for name in names:
        request = request.replace(name, " ")
    return request


def _histories(conn: Connection, wanted: Wanted, request: str) -> tuple[tuple[str, str], ...]:
    if wanted.project is None or asks_of_now(request):
        return ()
    lines = []
    for name in files_in(request):
        if name in wanted.given.extra:
            continue
        known = history.of_file(conn, wanted.project.id, name, besides=(wanted.host, wanted.native_id))
        if known is not None:
            lines.append((name, history_line(known, wanted.project.root)))
    return tuple(lines[:_HISTORIES])
