"""Why a symbol is as it is: what memory knows of it. Functions of a reader's connection."""

from __future__ import annotations

import re
from typing import Final

from memd.clock import iso
from memd.model import Project
from memd.operations.code_answers import (
    ErrorLinkAnswer,
    FactLinkAnswer,
    ReasonAnswer,
    RunAnswer,
    SessionLinkAnswer,
    WhyAnswer,
)
from memd.operations.code_walks import impact, made
from memd.store import code_graph, code_links, search
from memd.store.code_graph import Node
from memd.store.code_links import TouchedBy
from memd.store.facts import Connection
from memd.text.tokens import match_query

_EDITS: Final = 500
_STEPS: Final = 3
_TESTS: Final = re.compile(
    r"\b(?:pytest|unittest|tox|nox|jest|vitest|mocha|ava|rspec|phpunit|ctest|gotestsum|nextest)\b"
    r"|\b(?:go|cargo|npm|pnpm|yarn|bun|deno|make|mvn|gradle|gradlew|dotnet|swift|mix|rake|node)\s+(?:\S+\s+)?(?:--|[\w:-]*:)?test\b"
)


def why(conn: Connection, project: Project, node: Node, limit: int) -> WhyAnswer:
    """Return what is known of why a node is as it is."""
    file, _, qualname = node.node.partition("::")
    within = [node.id, *code_graph.members(conn, project.id, node.node, None, 200)]
    reasons = tuple(
        ReasonAnswer(f"code:{one.node}", one.tag, one.text, one.line)
        for one in code_graph.reasons(conn, within)[:limit]
    )
    spelled = (file, f"{project.root}/{file}", f"./{file}")
    touched = code_links.touched_by(conn, project.id, spelled, limit * 5)
    edited = _edited(conn, project, spelled, qualname) if qualname else {one.id for one in touched}
    gone = iso(node.valid_to) if node.valid_to is not None else None
    return WhyAnswer(
        project.name,
        made(conn, node),
        reasons,
        tuple(_facts(conn, project, file, qualname, limit)),
        tuple(_sessions(touched, edited if qualname else set(), limit)),
        gone,
        tuple(_errors(conn, project, file, qualname, edited))[:limit],
        tuple(_runs(conn, edited))[:limit],
        impact(conn, project, node, _STEPS, None, limit).tests if gone is None else (),
    )


def _facts(conn: Connection, project: Project, file: str, qualname: str, limit: int) -> list[FactLinkAnswer]:
    """Return facts that name a symbol, or, of a file, the file."""
    last = qualname.rpartition(".")[2]
    base = file.rpartition("/")[2]
    words = [word for word in (last, base) if word]
    expression = " OR ".join(f"({match})" for word in words if (match := match_query(f'"{word}"')))
    if not expression:
        return []
    named = _word(last) if last else _word(base)
    exact = _word(qualname) if "." in qualname else named
    found = search.facts(conn, expression, project.id, limit * 5, unasked=True)  # its comments are told already
    chosen: list[tuple[int, FactLinkAnswer]] = []
    for fact, _ in found:
        text = "\n".join(
            (fact.title, fact.body, *(part.text for part in fact.parts), *(one.quote for one in fact.evidence))
        )
        rank = 0 if exact.search(text) else 1 if named.search(text) else 2
        if rank < 2 and (rank == 0 or "." not in qualname or base in text or _names_owner(qualname, text)):
            chosen.append((rank, FactLinkAnswer(fact.uid, fact.kind, fact.title, fact.body, fact.status)))
    chosen.sort(key=lambda one: one[0])
    return [answer for _, answer in chosen[:limit]]


def _names_owner(qualname: str, text: str) -> bool:
    return any(_word(part).search(text) for part in qualname.split(".")[:-1])


def _edited(conn: Connection, project: Project, spelled: tuple[str, ...], qualname: str) -> set[int]:
    """Return the sessions (row ids) whose edits of a file hold a symbol's name."""
    word = _word(qualname.rpartition(".")[2])
    return {session for session, given in code_links.edits(conn, project.id, spelled, _EDITS) if word.search(given)}


def _sessions(touched: list[TouchedBy], edited: set[int], limit: int) -> list[SessionLinkAnswer]:
    """Return sessions that changed the file, those first whose edits hold the symbol's name."""
    answers = [
        SessionLinkAnswer(one.uid, one.host, one.title, iso(one.at) if one.at is not None else None, one.id in edited)
        for one in touched
    ]
    answers.sort(key=lambda one: not one.edited_symbol)
    return answers[:limit]


def _errors(conn: Connection, project: Project, file: str, qualname: str, edited: set[int]) -> list[ErrorLinkAnswer]:
    """Return errors that name a symbol or its file, then those that a session had which edited it and mended them."""
    names = [_word(file), _word(file.rpartition("/")[2]), *([_word(qualname.rpartition(".")[2])] if qualname else [])]
    found = []
    for one in code_links.errors(conn, project.id):
        text = f"{one.text}\n{one.detail or ''}"
        named = any(name.search(text) for name in names)
        if named or (one.session in edited and one.ok):
            at = iso(one.at) if one.at is not None else None
            found.append(ErrorLinkAnswer(one.text, one.uid, at, one.ok, one.detail, named))
    found.sort(key=lambda error: not error.names_it)
    return found


def is_test_run(command: str) -> bool:
    """Tell whether a command runs tests."""
    return _TESTS.search(command) is not None


def _runs(conn: Connection, edited: set[int]) -> list[RunAnswer]:
    return [
        RunAnswer(one.text, one.uid, iso(one.at) if one.at is not None else None, one.ok)
        for one in code_links.runs(conn, edited)
        if is_test_run(one.text)
    ]


def _word(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w]){re.escape(word)}(?![\w])")
