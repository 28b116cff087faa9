"""Code staleness: which symbols that a fact names are gone from its project's code, and how much that weighs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memd.model import Fact
from memd.store import code_graph
from memd.store.facts import Connection

STILL_THERE: Final = 0.3
"""What a change weighs after which all that a fact names is still there."""
_MOST: Final = 40
"""Names of one fact that are looked up."""
# As a text names symbols: in backticks, with a call's parentheses, with dots, or in what is no plain word.
_NAMED: Final = re.compile(
    r"`([A-Za-z_$][\w$.:]{0,120})(?:\(\))?`|\b([A-Za-z_$][\w$.]{0,120})\(\)|\b([A-Za-z_]\w{0,60}(?:\.[A-Za-z_]\w{0,60}){1,4})\b"
    r"|\b(\w{3,80})\b"
)
_MADE: Final = re.compile(r"\w_\w|[a-z0-9][A-Z]")


def missing(conn: Connection, fact: Fact) -> tuple[str, ...]:
    """Return the symbols that a fact names, that its project's code once had and that it has no more, in order."""
    if fact.project is None:
        return ()
    project = fact.project.id
    text = "\n".join((fact.title, fact.body, *(part.text for part in fact.parts)))
    return tuple(name for name in _names(text) if _is_gone(conn, project, name))


def weight(change: str, gone: tuple[str, ...]) -> float:
    """Return what a change of something that a fact names weighs, 0 to 1."""
    return STILL_THERE if change == "changed" and not gone else 1.0


def _names(text: str) -> Iterator[str]:
    found: dict[str, None] = {}
    for quoted, called, dotted, word in _NAMED.findall(text):
        name = (quoted or called or dotted).rstrip(".:") or (word if _MADE.search(word) else "")
        if name:
            found[name] = None
    yield from list(found)[:_MOST]


def _is_gone(conn: Connection, project: int, name: str) -> bool:
    if code_graph.find(conn, project, name, None, 1):
        return False
    last = code_graph.last_known(conn, project, name.replace("::", ".").rpartition(".")[2])
    return last is not None and last.valid_to is not None and last.kind != "file"
