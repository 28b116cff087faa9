"""Aging: facts that name a symbol which is gone, or a function that changed, are marked with what became of it.

A name counts only where the fact writes it as one: in full (`Class.method`), or with something that is not in plain
words (`parse_tide`, `TideTable`, `tide()`, `` `tide` ``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from memd.model import FactChange
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
    """A fact by its row id, and the name in it whose node changed or is no longer anywhere, since when."""

    fact: int
    name: str
    node: str
    change: FactChange
    at: int


def marks(
    conn: Connection, project: int, since: int, session: int | None, paths: Sequence[str] = ()
) -> tuple[Mark, ...]:
    """Return the facts of a project that name what ended after a time and is nowhere else, or a changed function.

    `paths` are the files that changed since then.
    """
    found: list[Mark] = []
    for node, at, _ in code_graph.ended(conn, project, since, _MOST):
        qualname = node.partition("::")[2] or node.rpartition("/")[2]
        name = qualname.rpartition(".")[2] if "::" in node else qualname
        if not code_graph.find(conn, project, name, None, 1):
            found += _naming(conn, project, session, Mark(0, name, node, "removed", at), qualname)
    for node, at in code_graph.changed(conn, project, paths, since, _MOST):
        qualname = node.partition("::")[2]
        name = qualname.rpartition(".")[2]
        # A name that several have says of none of them that it changed.
        if len(code_graph.find(conn, project, name, None, 2)) == 1:
            found += _naming(conn, project, session, Mark(0, name, node, "changed", at), qualname)
    return tuple(found)


def mark(conn: Connection, found: Iterable[Mark], session: int | None, commit: str | None = None) -> None:
    """Mark facts as stale; one that was deleted since it was found is passed over.

    `commit` is where the tree stood when that was seen, told where no session did it.
    """
    seen = f" (seen at commit {commit[:12]})" if commit and session is None else ""
    for one in found:
        told = "is no longer there" if one.change == "removed" else "was changed"
        fact_marks.mark_stale(conn, one.fact, one.name, one.change, one.at, session, f"code:{one.node} {told}{seen}")


def _naming(conn: Connection, project: int, session: int | None, what: Mark, qualname: str) -> Iterator[Mark]:
    """Yield a mark for each fact that names something; not for those that the session says itself."""
    expression = match_query(f'"{what.name}"') if len(what.name) >= _SHORTEST else ""
    if not expression:
        return
    not_from = session if session is not None else _NOBODY
    facts = fact_marks.naming(conn, project, what.at + 1, expression, not_from=not_from)
    for fact, text in fact_marks.texts(conn, facts).items():
        if _names(text, what.name, qualname):
            yield replace(what, fact=fact)


def _names(text: str, name: str, qualname: str) -> bool:
    if qualname != name and re.search(rf"(?<!\w){re.escape(qualname)}(?!\w)", text):
        return True
    if _MADE.search(name) or "." in name:
        return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
    return re.search(rf"`{re.escape(name)}(?:\(\))?`|(?<!\w){re.escape(name)}\(", text) is not None
