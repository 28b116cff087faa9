"""Aging: facts that name a symbol which is no longer there are marked, with what became of it.

A name counts only where the fact writes it as one: in full (`Class.method`), or with something that is not in plain
words (`parse_tide`, `TideTable`, `tide()`, `` `tide` ``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from memd.store import code_graph, fact_marks
from memd.store.code_files import Connection
from memd.text.tokens import match_query

_MOST: Final = 200
_SHORTEST: Final = 3
_NOBODY: Final = 0
"""The row id of no session."""
_MADE: Final = re.compile(r"_|[a-z0-9][A-Z]")


@dataclass(frozen=True, slots=True)
class Mark:
    """A fact by its row id, and the name in it that nothing has any more, since when and what node had it."""

    fact: int
    name: str
    node: str
    at: int


def marks(conn: Connection, project: int, since: int, session: int | None) -> tuple[Mark, ...]:
    """Return the facts of a project that name what ended after a time and is nowhere else."""
    found = []
    for node, at, _ in code_graph.ended(conn, project, since, _MOST):
        qualname = node.partition("::")[2] or node.rpartition("/")[2]
        name = qualname.rpartition(".")[2] if "::" in node else qualname
        if len(name) < _SHORTEST or code_graph.find(conn, project, name, None, 1):
            continue
        expression = match_query(f'"{name}"')
        not_from = session if session is not None else _NOBODY
        facts = fact_marks.naming(conn, project, at + 1, expression, not_from=not_from) if expression else ()
        for fact, text in fact_marks.texts(conn, facts).items():
            if _names(text, name, qualname):
                found.append(Mark(fact, name, node, at))
    return tuple(found)


def mark(conn: Connection, found: Iterable[Mark], session: int | None) -> None:
    """Mark facts as stale; one that was deleted since it was found is passed over."""
    for one in found:
        fact_marks.mark_stale(
            conn, one.fact, one.name, "removed", one.at, session, f"code:{one.node} is no longer there"
        )


def _names(text: str, name: str, qualname: str) -> bool:
    if qualname != name and re.search(rf"(?<!\w){re.escape(qualname)}(?!\w)", text):
        return True
    if _MADE.search(name) or "." in name:
        return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
    return re.search(rf"`{re.escape(name)}(?:\(\))?`|(?<!\w){re.escape(name)}\(", text) is not None
