"""Code changes: what a file of code is kept as, and what happens to the graph when one is renamed or committed.

Nothing is deleted that was true: symbols and edges end, with who ended them (`code_steps`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_FILE: Final = "SELECT id, made_in FROM code_files WHERE project_id = ? AND path = ?"
_CREDIT_FILE: Final = "UPDATE code_files SET made_in = ? WHERE project_id = ? AND path = ? RETURNING id, indexed_at"
# What was uncommitted when it was seen first is what that commit made.
_CREDIT_SYMBOLS: Final = """
    UPDATE code_symbols SET made_in = ?1 WHERE file_id = ?2 AND valid_to IS NULL AND session_id IS NULL
        AND (made_in = 'uncommitted' OR (made_in IS NULL AND valid_from >= ?3))
"""
_CREDIT_EDGES: Final = """
    UPDATE code_edges SET made_in = ?1 WHERE file_id = ?2 AND valid_to IS NULL AND made_in = 'uncommitted'
"""
_RENAME_FILE: Final = "UPDATE code_files SET path = ? WHERE id = ?"
_RENAME_NODES: Final = """
    UPDATE OR IGNORE code_nodes SET node = ?3 || substr(node, length(?2) + 1)
    WHERE project_id = ?1 AND (node = ?2 OR substr(node, 1, length(?2) + 2) = ?2 || '::')
"""
_RENAME_FILE_NODE: Final = "UPDATE code_nodes SET name = ? WHERE project_id = ? AND node = ?"


@dataclass(frozen=True, slots=True)
class SymbolRow:
    """A symbol of a file: `node` is its name in the graph, `body` a number that changes with its source."""

    node: str
    kind: str
    line: int
    end_line: int
    signature: str
    doc: str
    body: int


@dataclass(frozen=True, slots=True)
class ReasonRow:
    """A comment that gives a reason, and the node it stands in."""

    node: str
    tag: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file as it is to be kept. `facts` are packed and compressed; `definitions` are names with places in them."""

    path: str
    language: str
    digest: bytes
    lines: int
    facts: bytes
    definitions: tuple[tuple[str, int], ...]
    mentions: tuple[str, ...]
    symbols: tuple[SymbolRow, ...]
    reasons: tuple[ReasonRow, ...]


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """An edge that a file shows."""

    kind: str
    src: str
    dst: str
    line: int
    confidence: float


@dataclass(frozen=True, slots=True)
class UnresolvedRow:
    """A reference of a file that has no grounds."""

    src: str
    name: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Cause:
    """When something changed, and the session that changed it where that is known.

    Else `commit` is git's name of the commit that did, or that it is in none; None where that is not known.
    """

    at: int
    session: int | None = None
    commit: str | None = None


def credit(conn: sqlite3.Connection, project: int, commits: Mapping[str, str]) -> None:
    """Keep in which commits files got the content that they have, and what they showed first with it."""
    for path, commit in commits.items():
        row = conn.execute(_CREDIT_FILE, (commit, project, path)).fetchone()
        if row is not None:
            conn.execute(_CREDIT_SYMBOLS, (commit, *row))
            conn.execute(_CREDIT_EDGES, (commit, row[0]))


def rename_file(conn: sqlite3.Connection, project: int, old: str, new: str) -> None:
    """Take a file for the same under another path: its nodes keep their history."""
    row = conn.execute(_FILE, (project, old)).fetchone()
    if row is None:
        return
    conn.execute(_RENAME_FILE, (new, row[0]))
    conn.execute(_RENAME_NODES, (project, old, new))
    conn.execute(_RENAME_FILE_NODE, (new.rpartition("/")[2], project, new))
