"""Code changes: what happens to the graph when a file is new, other, renamed or gone, and when its references were
resolved. Nothing is deleted that was true: symbols and edges end, with who ended them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import orjson

_FILE: Final = "SELECT id, made_in FROM code_files WHERE project_id = ? AND path = ?"
_PUT_FILE: Final = """
    INSERT INTO code_files (project_id, path, language, digest, lines, facts, indexed_at, by_session)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (project_id, path) DO UPDATE SET language = excluded.language, digest = excluded.digest,
        lines = excluded.lines, facts = excluded.facts, indexed_at = excluded.indexed_at, resolved = 0,
        made_in = iif(digest = excluded.digest, made_in, NULL),
        by_session = iif(digest = excluded.digest, by_session, excluded.by_session)
    RETURNING id
"""
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
_FORGET_FILE: Final = "DELETE FROM code_files WHERE id = ?"
_RESOLVED: Final = "UPDATE code_files SET resolved = 1 WHERE id = ?"
_FORGET_DEFINITIONS: Final = "DELETE FROM code_definitions WHERE file_id = ?"
_ADD_DEFINITION: Final = "INSERT INTO code_definitions (project_id, name, file_id, ord) VALUES (?, ?, ?, ?)"
_FORGET_MENTIONS: Final = "DELETE FROM code_mentions WHERE file_id = ?"
_ADD_MENTION: Final = "INSERT INTO code_mentions (project_id, name, file_id) VALUES (?, ?, ?)"
_FORGET_REASONS: Final = "DELETE FROM code_reasons WHERE file_id = ?"
_ADD_REASON: Final = "INSERT INTO code_reasons (file_id, ord, node_id, tag, text, line) VALUES (?, ?, ?, ?, ?, ?)"
_FORGET_UNRESOLVED: Final = "DELETE FROM code_unresolved WHERE file_id = ?"
_ADD_UNRESOLVED: Final = "INSERT INTO code_unresolved (file_id, ord, src, name, line, reason) VALUES (?, ?, ?, ?, ?, ?)"
_PUT_NODE: Final = "INSERT OR IGNORE INTO code_nodes (project_id, node, name) VALUES (?, ?, ?)"
_NODES: Final = """
    SELECT node, id FROM code_nodes WHERE project_id = ?1 AND node IN (SELECT value FROM json_each(?2))
"""
_RENAME_NODES: Final = """
    UPDATE OR IGNORE code_nodes SET node = ?3 || substr(node, length(?2) + 1)
    WHERE project_id = ?1 AND (node = ?2 OR substr(node, 1, length(?2) + 2) = ?2 || '::')
"""
_RENAME_FILE_NODE: Final = "UPDATE code_nodes SET name = ? WHERE project_id = ? AND node = ?"
_SYMBOLS: Final = """
    SELECT s.id, n.node, s.kind, s.signature, s.doc, s.line, s.end_line, s.body
    FROM code_symbols s JOIN code_nodes n ON n.id = s.node_id WHERE s.file_id = ? AND s.valid_to IS NULL
"""
_ADD_SYMBOL: Final = """
    INSERT INTO code_symbols (node_id, file_id, kind, line, end_line, signature, doc, body, valid_from, session_id,
        changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_MOVE_SYMBOL: Final = """
    UPDATE code_symbols SET line = ?, end_line = ?, doc = ?, body = ?, changed_at = ifnull(?, changed_at) WHERE id = ?
"""
_END_SYMBOL: Final = "UPDATE code_symbols SET valid_to = ?, ended_by = ?, file_id = NULL WHERE id = ?"
_EDGES: Final = "SELECT id, kind, src, dst, line, confidence FROM code_edges WHERE file_id = ? AND valid_to IS NULL"
_ADD_EDGE: Final = """
    INSERT INTO code_edges (project_id, file_id, kind, src, dst, line, confidence, valid_from, session_id, made_in)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_MOVE_EDGE: Final = "UPDATE code_edges SET line = ?, confidence = ? WHERE id = ?"
_END_EDGE: Final = "UPDATE code_edges SET valid_to = ?, ended_by = ?, ended_in = ?, file_id = NULL WHERE id = ?"


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


def put_file(conn: sqlite3.Connection, project: int, file: FileRow, cause: Cause) -> None:
    """Keep a file that is new or other than before. Its edges stay as they were until it is resolved again."""
    by_session = cause.session is not None
    row = (project, file.path, file.language, file.digest, file.lines, file.facts, cause.at, by_session)
    (file_id,) = conn.execute(_PUT_FILE, row).fetchone()
    conn.execute(_FORGET_DEFINITIONS, (file_id,))
    conn.executemany(
        _ADD_DEFINITION, ((project, name, file_id, place) for name, place in sorted(set(file.definitions)))
    )
    conn.execute(_FORGET_MENTIONS, (file_id,))
    conn.executemany(_ADD_MENTION, ((project, name, file_id) for name in sorted(set(file.mentions))))
    ids = _node_ids(
        conn, project, (file.path, *(one.node for one in file.symbols), *(one.node for one in file.reasons))
    )
    _put_symbols(conn, file_id, file.symbols, ids, cause)
    conn.execute(_FORGET_REASONS, (file_id,))
    conn.executemany(
        _ADD_REASON,
        ((file_id, place, ids[one.node], one.tag, one.text, one.line) for place, one in enumerate(file.reasons)),
    )


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


def drop_file(conn: sqlite3.Connection, project: int, path: str, cause: Cause) -> None:
    """End what a file that is gone held and showed."""
    row = conn.execute(_FILE, (project, path)).fetchone()
    if row is None:
        return
    file_id, _ = row
    for symbol, *_ in conn.execute(_SYMBOLS, (file_id,)).fetchall():
        conn.execute(_END_SYMBOL, (cause.at, cause.session, symbol))
    for edge, *_ in conn.execute(_EDGES, (file_id,)).fetchall():
        conn.execute(_END_EDGE, (cause.at, cause.session, cause.commit, edge))
    conn.execute(_FORGET_FILE, (file_id,))


def put_edges(
    conn: sqlite3.Connection,
    project: int,
    path: str,
    edges: Sequence[EdgeRow],
    unresolved: Sequence[UnresolvedRow],
    cause: Cause,
    *,
    by_itself: bool = True,
) -> None:
    """Keep what a file's references were resolved to; what they no longer show ends.

    `by_itself`: the file itself is another than it was, so that its own commit did that and not the one of `cause`.
    """
    row = conn.execute(_FILE, (project, path)).fetchone()
    if row is None:
        return  # it went while it was resolved
    file_id, made_in = row
    if by_itself and cause.session is None:
        cause = replace(cause, commit=made_in)
    ids = _node_ids(conn, project, [node for edge in edges for node in (edge.src, edge.dst)])
    known = {
        (kind, src, dst): (edge, line, confidence)
        for edge, kind, src, dst, line, confidence in conn.execute(_EDGES, (file_id,))
    }
    for edge in edges:
        key = (edge.kind, ids[edge.src], ids[edge.dst])
        before = known.pop(key, None)
        if before is None:
            values = (project, file_id, *key, edge.line, edge.confidence, cause.at, cause.session, cause.commit)
            conn.execute(_ADD_EDGE, values)
        elif before[1:] != (edge.line, edge.confidence):
            conn.execute(_MOVE_EDGE, (edge.line, edge.confidence, before[0]))
    for edge_id, *_ in known.values():
        conn.execute(_END_EDGE, (cause.at, cause.session, cause.commit, edge_id))
    conn.execute(_FORGET_UNRESOLVED, (file_id,))
    conn.executemany(
        _ADD_UNRESOLVED,
        ((file_id, place, one.src, one.name, one.line, one.reason) for place, one in enumerate(unresolved)),
    )
    conn.execute(_RESOLVED, (file_id,))


def _put_symbols(
    conn: sqlite3.Connection, file_id: int, symbols: Sequence[SymbolRow], ids: dict[str, int], cause: Cause
) -> None:
    known = {
        (node, kind, signature): (symbol, doc, line, end_line, body)
        for symbol, node, kind, signature, doc, line, end_line, body in conn.execute(_SYMBOLS, (file_id,))
    }
    for one in symbols:
        before = known.pop((one.node, one.kind, one.signature), None)
        if before is None:
            row = (one.kind, one.line, one.end_line, one.signature, one.doc, one.body)
            conn.execute(_ADD_SYMBOL, (ids[one.node], file_id, *row, cause.at, cause.session, cause.at))
        elif before[1:] != (one.doc, one.line, one.end_line, one.body):
            changed = cause.at if before[4] != one.body else None
            conn.execute(_MOVE_SYMBOL, (one.line, one.end_line, one.doc, one.body, changed, before[0]))
    for symbol, *_ in known.values():
        conn.execute(_END_SYMBOL, (cause.at, cause.session, symbol))


def _node_ids(conn: sqlite3.Connection, project: int, nodes: Iterable[str]) -> dict[str, int]:
    wanted = sorted(set(nodes))
    conn.executemany(_PUT_NODE, ((project, node, _name(node)) for node in wanted))
    return dict(conn.execute(_NODES, (project, orjson.dumps(wanted).decode())))


def _name(node: str) -> str:
    path, _, qualname = node.partition("::")
    return qualname.rpartition(".")[2] if qualname else path.rpartition("/")[2]
