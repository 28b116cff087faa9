"""Blocks: small always-visible texts (label, value, limit) that a person or an agent edits; their history is kept."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from dataclasses import replace as replace_fields
from typing import Final, Literal

from memd.errors import BadParameter, NotFound
from memd.store.uid import uuid7

DEFAULT_LIMIT: Final = 2_000
"""Characters a block may hold unless it says otherwise."""
MOST_CHARS: Final = 4_000
"""The largest limit a block may have: every session pays for it."""
_LABEL_CHARS: Final = 60

_COLUMNS: Final = (
    "b.uid, b.project_id, b.label, b.value, b.char_limit, b.position, b.author, b.created_at, b.updated_at"
)
_LIST: Final = f"""
    SELECT {_COLUMNS} FROM blocks b WHERE (b.project_id IS ?1 OR (?2 AND b.project_id IS NULL))
        AND (?3 IS NULL OR b.label = ?3)
    ORDER BY b.project_id IS NOT NULL, b.position, b.label
"""  # noqa: S608 - constant columns
_ONE: Final = f"SELECT {_COLUMNS} FROM blocks b WHERE b.project_id IS ? AND b.label = ?"  # noqa: S608 - constant columns
_NEXT_POSITION: Final = "SELECT ifnull(max(position), 0) + 1 FROM blocks WHERE project_id IS ?"
_INSERT: Final = """
    INSERT INTO blocks (uid, project_id, label, value, char_limit, position, author, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_UPDATE: Final = """
    UPDATE blocks SET value = ?, char_limit = ?, position = ?, author = ?, updated_at = ? WHERE uid = ?
"""
_MOVE: Final = "UPDATE blocks SET project_id = ?, label = ? WHERE uid = ?"
_DELETE: Final = "DELETE FROM blocks WHERE uid = ?"
_REMEMBER: Final = """
    INSERT INTO block_history (block_uid, label, at, action, old_value, author) VALUES (?, ?, ?, ?, ?, ?)
"""
_HISTORY: Final = "SELECT at, action, old_value, author FROM block_history WHERE block_uid = ? ORDER BY at, id"

BlockAction = Literal["SET", "APPEND", "REPLACE", "DELETE"]


@dataclass(frozen=True, slots=True)
class Block:
    """A block. `project_id` None: shown everywhere. `limit` counts characters; times are UTC milliseconds."""

    uid: str
    project_id: int | None
    label: str
    value: str
    limit: int
    position: int
    author: str | None
    created_at: int
    updated_at: int


@dataclass(frozen=True, slots=True)
class BlockChange:
    """One change of a block: what it held before, None when it was made."""

    at: int
    action: BlockAction
    old_value: str | None
    author: str | None


def visible(conn: sqlite3.Connection, project_id: int | None, label: str | None = None) -> tuple[Block, ...]:
    """Return the blocks that a session in a project is shown, those that are shown everywhere first, in their order."""
    return tuple(Block(*row) for row in conn.execute(_LIST, (project_id, True, label)))


def visible_at(conn: sqlite3.Connection, project_id: int | None, at_ms: int) -> tuple[Block, ...]:
    """Return the blocks there are now as a session at a time would have been shown them, with their values of then.

    One that was removed since is not among them: where it was shown is not known any more.
    """
    found = []
    for block in visible(conn, project_id):
        later = next((change for change in history(conn, block.uid) if change.at > at_ms), None)
        value = block.value if later is None else later.old_value
        if value is not None:
            found.append(replace_fields(block, value=value))
    return tuple(found)


def of_scope(conn: sqlite3.Connection, project_id: int | None, label: str | None = None) -> tuple[Block, ...]:
    """Return a project's own blocks in their order; those that are shown everywhere for None."""
    return tuple(Block(*row) for row in conn.execute(_LIST, (project_id, False, label)))


def get(conn: sqlite3.Connection, project_id: int | None, label: str) -> Block:
    """Return a block of just this scope. Raises NotFound."""
    row = conn.execute(_ONE, (project_id, label)).fetchone()
    if row is None:
        raise NotFound("block", label)
    return Block(*row)


def put(
    conn: sqlite3.Connection,
    project_id: int | None,
    label: str,
    value: str,
    now_ms: int,
    *,
    limit: int | None = None,
    position: int | None = None,
    author: str | None = None,
) -> Block:
    """Give a block its value, making it where there is none; what is not given stays as it was.

    Raises BadParameter for a label or a limit that cannot be, and for a value over the limit: nothing is cut.
    """
    _check_label(label)
    row = conn.execute(_ONE, (project_id, label)).fetchone()
    if row is not None:
        return _change(conn, Block(*row), value, now_ms, "SET", author, limit=limit, position=position)
    most = DEFAULT_LIMIT if limit is None else limit
    _check(label, value, most)
    if position is None:
        position = conn.execute(_NEXT_POSITION, (project_id,)).fetchone()[0]
    uid = uuid7(now_ms)
    conn.execute(_INSERT, (uid, project_id, label, value, most, position, author, now_ms, now_ms))
    conn.execute(_REMEMBER, (uid, label, now_ms, "SET", None, author))
    return get(conn, project_id, label)


def append(
    conn: sqlite3.Connection, project_id: int | None, label: str, text: str, now_ms: int, author: str | None = None
) -> Block:
    """Add a line to a block. Raises NotFound, or BadParameter when it would not fit: nothing is cut."""
    block = get(conn, project_id, label)
    value = f"{block.value.rstrip()}\n{text}" if block.value.strip() else text
    return _change(conn, block, value, now_ms, "APPEND", author)


def replace(
    conn: sqlite3.Connection,
    project_id: int | None,
    label: str,
    old: str,
    new: str,
    now_ms: int,
    author: str | None = None,
) -> Block:
    """Put `new` where `old` stands in a block.

    Raises NotFound, or BadParameter when `old` is not there exactly once or the value would not fit.
    """
    block = get(conn, project_id, label)
    times = block.value.count(old) if old else 0
    if times != 1:
        what = "does not stand" if not times else f"stands {times} times"
        raise BadParameter("old", f"{old!r} {what} in the block {label!r}; give a text that stands there once")
    return _change(conn, block, block.value.replace(old, new), now_ms, "REPLACE", author)


def delete(
    conn: sqlite3.Connection, project_id: int | None, label: str, now_ms: int, author: str | None = None
) -> Block:
    """Remove a block and return what it was; its history stays. Raises NotFound."""
    block = get(conn, project_id, label)
    conn.execute(_REMEMBER, (block.uid, block.label, now_ms, "DELETE", block.value, author))
    conn.execute(_DELETE, (block.uid,))
    return block


def give(conn: sqlite3.Connection, project_id: int, into: int, name: str) -> None:
    """Let a project's blocks belong to another one; a label that is taken there gets the former project's name."""
    taken = {block.label for block in of_scope(conn, into)}
    for block in of_scope(conn, project_id):
        label = block.label if block.label not in taken else f"{block.label[: _LABEL_CHARS - 20]} ({name[:16]})"
        while label in taken:
            label = f"{label}'"
        taken.add(label)
        conn.execute(_MOVE, (into, label, block.uid))


def history(conn: sqlite3.Connection, uid: str) -> tuple[BlockChange, ...]:
    """Return what happened to a block, the oldest first."""
    return tuple(BlockChange(*row) for row in conn.execute(_HISTORY, (uid,)))


def _change(
    conn: sqlite3.Connection,
    block: Block,
    value: str,
    now_ms: int,
    action: BlockAction,
    author: str | None,
    *,
    limit: int | None = None,
    position: int | None = None,
) -> Block:
    most = block.limit if limit is None else limit
    _check(block.label, value, most)
    place = block.position if position is None else position
    if (value, most, place) == (block.value, block.limit, block.position):
        return block
    conn.execute(_REMEMBER, (block.uid, block.label, now_ms, action, block.value, author))
    conn.execute(_UPDATE, (value, most, place, author, now_ms, block.uid))
    return get(conn, block.project_id, block.label)


def _check_label(label: str) -> None:
    if not label.strip() or label != label.strip() or not label.isprintable() or len(label) > _LABEL_CHARS:
        raise BadParameter(
            "label", f"must be one line of 1 to {_LABEL_CHARS} characters without blanks around it, not {label!r}"
        )


def _check(label: str, value: str, limit: int) -> None:
    if not 0 < limit <= MOST_CHARS:
        raise BadParameter("limit", f"must be 1 to {MOST_CHARS} characters, not {limit}")
    if len(value) > limit:
        raise BadParameter(
            "value",
            f"has {len(value)} characters, and the block {label!r} may hold {limit}; shorten it or raise its limit",
        )
