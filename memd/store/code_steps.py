"""Code steps: what becomes of a file's rows and edges in the graph, in steps small enough for their own transactions.

What differs is found by a reader, so that a step writes nothing but that: a file of 10,000 calls keeps no hook waiting.
Between two steps a file holds rows of before and of after; it counts as unread, or as not resolved, until the last one,
and whoever stops in between does it again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final, TypeAlias, TypeVar

import orjson

from memd.store.code_changes import Cause, EdgeRow, FileRow, SymbolRow, UnresolvedRow

Step: TypeAlias = tuple[int, Callable[[sqlite3.Connection], None]]
"""About how many rows it changes, and what does it."""
ROWS_AT_ONCE: Final = 800
"""Rows that a step changes at most, and that one transaction does: some 10 ms."""

_FILE: Final = "SELECT id, made_in FROM code_files WHERE project_id = ? AND path = ?"
# Its digest is that of no file.
_BEGIN_FILE: Final = """
    INSERT OR IGNORE INTO code_files (project_id, path, language, digest, lines, facts, indexed_at, by_session)
    VALUES (?, ?, ?, x'', ?, x'', ?, ?)
"""
_PUT_FILE: Final = """
    UPDATE code_files SET language = ?2, lines = ?4, facts = ?5, indexed_at = ?6, resolved = 0,
        made_in = iif(digest = ?3, made_in, NULL), by_session = iif(digest = ?3, by_session, ?7), digest = ?3
    WHERE id = ?1
"""
_DEFINITIONS: Final = "SELECT name, ord FROM code_definitions WHERE file_id = ?"
_FORGET_DEFINITION: Final = "DELETE FROM code_definitions WHERE project_id = ? AND name = ? AND file_id = ? AND ord = ?"
_ADD_DEFINITION: Final = "INSERT INTO code_definitions (project_id, name, file_id, ord) VALUES (?, ?, ?, ?)"
_MENTIONS: Final = "SELECT name FROM code_mentions WHERE file_id = ?"
_FORGET_MENTION: Final = "DELETE FROM code_mentions WHERE project_id = ? AND name = ? AND file_id = ?"
_ADD_MENTION: Final = "INSERT INTO code_mentions (project_id, name, file_id) VALUES (?, ?, ?)"
_FORGET_REASONS: Final = "DELETE FROM code_reasons WHERE file_id = ?"
_ADD_REASON: Final = "INSERT INTO code_reasons (file_id, ord, node_id, tag, text, line) VALUES (?, ?, ?, ?, ?, ?)"
_PUT_NODE: Final = "INSERT OR IGNORE INTO code_nodes (project_id, node, name) VALUES (?, ?, ?)"
_NODES: Final = """
    SELECT node, id FROM code_nodes WHERE project_id = ?1 AND node IN (SELECT value FROM json_each(?2))
"""
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
_EDGES: Final = """
    SELECT e.id, e.kind, s.node, d.node, e.line, e.confidence FROM code_edges e
    JOIN code_nodes s ON s.id = e.src JOIN code_nodes d ON d.id = e.dst WHERE e.file_id = ? AND e.valid_to IS NULL
"""
_ADD_EDGE: Final = """
    INSERT INTO code_edges (project_id, file_id, kind, src, dst, line, confidence, valid_from, session_id, made_in)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_MOVE_EDGE: Final = "UPDATE code_edges SET line = ?, confidence = ? WHERE id = ?"
_END_EDGE: Final = "UPDATE code_edges SET valid_to = ?, ended_by = ?, ended_in = ?, file_id = NULL WHERE id = ?"
_UNRESOLVED: Final = "SELECT ord, src, name, line, reason FROM code_unresolved WHERE file_id = ?"
_FORGET_UNRESOLVED: Final = "DELETE FROM code_unresolved WHERE file_id = ? AND ord = ?"
_ADD_UNRESOLVED: Final = """
    INSERT OR REPLACE INTO code_unresolved (file_id, ord, src, name, line, reason) VALUES (?, ?, ?, ?, ?, ?)
"""
_UNREAD: Final = "UPDATE code_files SET digest = x'' WHERE id = ?"
_FORGET_FILE: Final = "DELETE FROM code_files WHERE id = ?"
_RESOLVED: Final = "UPDATE code_files SET resolved = 1 WHERE id = ?"

_Row = TypeVar("_Row")
_Rows: TypeAlias = Callable[[sqlite3.Connection, int, Sequence[_Row]], object]


def file_steps(conn: sqlite3.Connection, project: int, file: FileRow, cause: Cause) -> list[Step]:
    """Return what keeps a file that is new or other than before. Its edges stay until it is resolved again.

    Nothing else may change what is stored of the file until the last step is taken, which makes its content known.
    """
    named = (project, file.path)
    known = conn.execute(_FILE, named).fetchone()
    own = (0 if known is None else known[0],)
    by_session = cause.session is not None
    defined, held = set(file.definitions), set(conn.execute(_DEFINITIONS, own))
    mentioned, heard = set(file.mentions), {name for (name,) in conn.execute(_MENTIONS, own)}
    new, moved, ended = _symbol_changes(conn.execute(_SYMBOLS, own), file.symbols, cause)

    def begin(conn: sqlite3.Connection) -> None:
        conn.execute(_BEGIN_FILE, (*named, file.language, file.lines, cause.at, by_session))

    def finish(conn: sqlite3.Connection, row: int, _: object) -> None:
        nodes = _node_ids(conn, project, (file.path, *(one.node for one in file.reasons)))
        conn.execute(_FORGET_REASONS, (row,))
        conn.executemany(
            _ADD_REASON,
            ((row, place, nodes[one.node], one.tag, one.text, one.line) for place, one in enumerate(file.reasons)),
        )
        conn.execute(_PUT_FILE, (row, file.language, file.digest, file.lines, file.facts, cause.at, by_session))

    def add(conn: sqlite3.Connection, row: int, some: Sequence[SymbolRow]) -> None:
        nodes = _node_ids(conn, project, (one.node for one in some))
        conn.executemany(
            _ADD_SYMBOL,
            (
                (nodes[one.node], row, one.kind, one.line, one.end_line, one.signature, one.doc, one.body, cause.at,
                 cause.session, cause.at)
                for one in some
            ),
        )  # fmt: skip

    steps = _Steps(named)
    steps.first(begin)
    steps.each(
        sorted(held - defined),
        lambda conn, row, some: conn.executemany(_FORGET_DEFINITION, ((project, one[0], row, one[1]) for one in some)),
    )
    steps.each(
        sorted(defined - held),
        lambda conn, row, some: conn.executemany(_ADD_DEFINITION, ((project, one[0], row, one[1]) for one in some)),
    )
    steps.each(
        sorted(heard - mentioned),
        lambda conn, row, some: conn.executemany(_FORGET_MENTION, ((project, one, row) for one in some)),
    )
    steps.each(
        sorted(mentioned - heard),
        lambda conn, row, some: conn.executemany(_ADD_MENTION, ((project, one, row) for one in some)),
    )
    steps.each(new, add)
    steps.each(moved, lambda conn, _, some: conn.executemany(_MOVE_SYMBOL, some))
    steps.each(ended, lambda conn, _, some: conn.executemany(_END_SYMBOL, some))
    steps.once(finish, 1 + len(file.reasons))
    return steps.taken


def edge_steps(
    conn: sqlite3.Connection,
    project: int,
    path: str,
    edges: Iterable[EdgeRow],
    unresolved: Iterable[UnresolvedRow],
    cause: Cause,
    *,
    by_itself: bool = True,
) -> list[Step]:
    """Return what keeps that to which a file's references were resolved; what they no longer show ends.

    `by_itself`: the file itself is another than it was, so that its own commit did that and not the one of `cause`.
    """
    named = (project, path)
    known = conn.execute(_FILE, named).fetchone()
    if known is None:
        return []  # it went while it was resolved
    row, made_in = known
    if by_itself and cause.session is None:
        cause = replace(cause, commit=made_in)
    shown = {one[1:4]: (one[0], *one[4:]) for one in conn.execute(_EDGES, (row,))}
    new, moved = [], []
    for edge in edges:
        before = shown.pop((edge.kind, edge.src, edge.dst), None)
        if before is None:
            new.append(edge)
        elif before[1:] != (edge.line, edge.confidence):
            moved.append((edge.line, edge.confidence, before[0]))
    ended = [(cause.at, cause.session, cause.commit, one[0]) for one in shown.values()]
    loose = {(place, one.src, one.name, one.line, one.reason) for place, one in enumerate(unresolved)}
    kept = set(conn.execute(_UNRESOLVED, (row,)))
    gone = sorted({one[0] for one in kept} - {one[0] for one in loose})

    def add(conn: sqlite3.Connection, row: int, some: Sequence[EdgeRow]) -> None:
        nodes = _node_ids(conn, project, (node for edge in some for node in (edge.src, edge.dst)))
        conn.executemany(
            _ADD_EDGE,
            (
                (project, row, one.kind, nodes[one.src], nodes[one.dst], one.line, one.confidence, cause.at,
                 cause.session, cause.commit)
                for one in some
            ),
        )  # fmt: skip

    steps = _Steps(named)
    steps.each(new, add)
    steps.each(moved, lambda conn, _, some: conn.executemany(_MOVE_EDGE, some))
    steps.each(ended, lambda conn, _, some: conn.executemany(_END_EDGE, some))
    steps.each(gone, lambda conn, row, some: conn.executemany(_FORGET_UNRESOLVED, ((row, one) for one in some)))
    steps.each(
        sorted(loose - kept), lambda conn, row, some: conn.executemany(_ADD_UNRESOLVED, ((row, *one) for one in some))
    )
    steps.once(lambda conn, row, _: conn.execute(_RESOLVED, (row,)))
    return steps.taken


def drop_steps(conn: sqlite3.Connection, project: int, path: str, cause: Cause) -> list[Step]:
    """Return what ends all that a file which is gone held and showed."""
    known = conn.execute(_FILE, (project, path)).fetchone()
    if known is None:
        return []
    own = (known[0],)
    ended = [(cause.at, cause.session, symbol) for symbol, *_ in conn.execute(_SYMBOLS, own)]
    shown = [(cause.at, cause.session, cause.commit, edge) for edge, *_ in conn.execute(_EDGES, own)]
    steps = _Steps((project, path))
    # It may be there again before all is done.
    steps.once(lambda conn, row, _: conn.execute(_UNREAD, (row,)))
    steps.each(ended, lambda conn, _, some: conn.executemany(_END_SYMBOL, some))
    steps.each(shown, lambda conn, _, some: conn.executemany(_END_EDGE, some))
    steps.each(
        list(conn.execute(_DEFINITIONS, own)),
        lambda conn, row, some: conn.executemany(_FORGET_DEFINITION, ((project, one[0], row, one[1]) for one in some)),
    )
    steps.each(
        [name for (name,) in conn.execute(_MENTIONS, own)],
        lambda conn, row, some: conn.executemany(_FORGET_MENTION, ((project, one, row) for one in some)),
    )
    steps.each(
        [place for place, *_ in conn.execute(_UNRESOLVED, own)],
        lambda conn, row, some: conn.executemany(_FORGET_UNRESOLVED, ((row, one) for one in some)),
    )
    steps.once(lambda conn, row, _: conn.execute(_FORGET_FILE, (row,)))
    return steps.taken


def together(steps: Iterable[Step]) -> Iterator[Callable[[sqlite3.Connection], None]]:
    """Yield steps, in their order, as few transactions of `ROWS_AT_ONCE` rows or one step each."""
    waiting: list[Callable[[sqlite3.Connection], None]] = []
    rows = 0
    for weight, step in steps:
        if waiting and rows + weight > ROWS_AT_ONCE:
            yield _all_of(waiting)
            waiting, rows = [], 0
        waiting.append(step)
        rows += weight
    if waiting:
        yield _all_of(waiting)


class _Steps:
    """The steps of a file. Each finds its row when it is taken; where that has gone meanwhile nothing is done."""

    def __init__(self, named: tuple[int, str]) -> None:
        self._named = named
        self.taken: list[Step] = []

    def first(self, step: Callable[[sqlite3.Connection], None]) -> None:
        self.taken.append((1, step))

    def each(self, rows: Sequence[_Row], step: _Rows[_Row]) -> None:
        for some in _by_some(rows):
            self._add(len(some), some, step)

    def once(self, step: _Rows[Any], rows: int = 1) -> None:
        self._add(rows, (), step)

    def _add(self, weight: int, some: Sequence[_Row], step: _Rows[_Row]) -> None:
        def take(conn: sqlite3.Connection) -> None:
            found = conn.execute(_FILE, self._named).fetchone()
            if found is not None:
                step(conn, found[0], some)

        self.taken.append((weight, take))


def _all_of(steps: Sequence[Callable[[sqlite3.Connection], None]]) -> Callable[[sqlite3.Connection], None]:
    def take(conn: sqlite3.Connection) -> None:
        for step in steps:
            step(conn)

    return take


def _by_some(rows: Iterable[_Row]) -> Iterator[list[_Row]]:
    coming = iter(rows)
    while some := list(islice(coming, ROWS_AT_ONCE)):
        yield some


def _symbol_changes(
    held: Iterable[tuple[Any, ...]], symbols: Sequence[SymbolRow], cause: Cause
) -> tuple[list[SymbolRow], list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """Return the symbols that are new, and the values for those that are another and for those that are gone."""
    known = {
        (node, kind, signature): (symbol, doc, line, end_line, body)
        for symbol, node, kind, signature, doc, line, end_line, body in held
    }
    new, moved = [], []
    for one in symbols:
        before = known.pop((one.node, one.kind, one.signature), None)
        if before is None:
            new.append(one)
        elif before[1:] != (one.doc, one.line, one.end_line, one.body):
            changed = cause.at if before[4] != one.body else None
            moved.append((one.line, one.end_line, one.doc, one.body, changed, before[0]))
    return new, moved, [(cause.at, cause.session, symbol) for symbol, *_ in known.values()]


def _node_ids(conn: sqlite3.Connection, project: int, nodes: Iterable[str]) -> dict[str, int]:
    wanted = sorted(set(nodes))
    conn.executemany(_PUT_NODE, ((project, node, _name(node)) for node in wanted))
    return dict(conn.execute(_NODES, (project, orjson.dumps(wanted).decode())))


def _name(node: str) -> str:
    path, _, qualname = node.partition("::")
    return qualname.rpartition(".")[2] if qualname else path.rpartition("/")[2]
