"""Aging: facts that name a symbol which is no longer there are marked, with what became of it.

A name counts only where the fact writes it as one: in full (`Class.method`), or with something that is not in plain
words (`parse_tide`, `TideTable`, `tide()`, `` `tide` ``).
"""

from __future__ import annotations

import re
from typing import Final

from memd.store import code_graph, fact_marks
from memd.store.code_files import Connection
from memd.text.tokens import match_query

_MOST: Final = 200
_SHORTEST: Final = 3
_NOBODY: Final = 0
"""The row id of no session."""
_MADE: Final = re.compile(r"_|[a-z0-9][A-Z]")


def age(conn: Connection, project: int, since: int, session: int | None) -> int:
    """Mark the facts of a project that name what ended after a time and is nowhere else; return how many."""
    marked = 0
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
                fact_marks.mark_stale(conn, fact, name, "removed", at, session, f"code:{node} is no longer there")
                marked += 1
    return marked


def _names(text: str, name: str, qualname: str) -> bool:
    if qualname != name and re.search(rf"(?<!\w){re.escape(qualname)}(?!\w)", text):
        return True
    if _MADE.search(name) or "." in name:
        return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
    return re.search(rf"`{re.escape(name)}(?:\(\))?`|(?<!\w){re.escape(name)}\(", text) is not None
