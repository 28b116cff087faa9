"""A dump of what the store means: everything but row ids, uids and the times of storing.

Two stores that read the same sources, in whatever order and cuts, dump the same text.
"""

from __future__ import annotations

import sqlite3
from typing import Final

import orjson

_SESSIONS: Final = """
    SELECT s.host, s.native_id, s.kind, s.parent, s.forked_from, p.root, s.cwd, s.branch, s.model, s.agent, s.version,
        s.title, s.title_origin, s.started_at, s.last_at, s.ended_at, s.end_reason, s.state, s.messages
    FROM sessions s LEFT JOIN projects p ON p.id = s.project_id ORDER BY 1, 2
"""
_MESSAGES: Final = """
    SELECT s.host, s.native_id, m.key, m.seq, m.role, m.kind, m.at, m.text, m.thinking, m.model, m.abandoned
    FROM messages m JOIN sessions s ON s.id = m.session_id ORDER BY 1, 2, 3
"""
_COPIES: Final = """
    SELECT s.host, s.native_id, o.native_id, m.key, c.seq, c.abandoned
    FROM message_copies c JOIN sessions s ON s.id = c.session_id
    JOIN messages m ON m.id = c.message_id JOIN sessions o ON o.id = m.session_id ORDER BY 1, 2, 3, 4
"""
_PARTS: Final = """
    SELECT s.host, s.native_id, p.part, p.seq, o.native_id, m.key, p.chars, p.thinking
    FROM message_parts p JOIN sessions s ON s.id = p.session_id
    LEFT JOIN messages m ON m.id = p.message_id LEFT JOIN sessions o ON o.id = m.session_id ORDER BY 1, 2, 3
"""
_CALLS: Final = """
    SELECT s.host, s.native_id, t.call_id, m.key, t.part, t.name, t.kind, t.input, t.ok, t.exit_code, t.output,
        t.output_chars, t.finished_at, t.child, t.result_part
    FROM tool_calls t JOIN sessions s ON s.id = t.session_id JOIN messages m ON m.id = t.message_id ORDER BY 1, 2, 3
"""
_CHANGES: Final = """
    SELECT s.host, s.native_id, t.call_id, f.path, f.op, f.added, f.removed, f.at
    FROM file_changes f JOIN sessions s ON s.id = f.session_id JOIN tool_calls t ON t.id = f.tool_call_id
    ORDER BY 1, 2, 3, 4, 5
"""
_SOURCES: Final = """
    SELECT host, path, session, "offset", size, inode, mtime_ns, head, tail, state, lines, error
    FROM sources ORDER BY 1, 2
"""
_SKIPS: Final = """
    SELECT s.host, s.path, k.reason, k.count FROM source_skips k JOIN sources s ON s.id = k.source_id ORDER BY 1, 2, 3
"""
_PROJECTS: Final = "SELECT root, name FROM projects ORDER BY 1"
_ALIASES: Final = """
    SELECT p.root, a.path FROM project_aliases a JOIN projects p ON p.id = a.project_id ORDER BY 1, 2
"""
_FACTS: Final = """
    SELECT p.root, f.kind, f.title, f.body, f.topic, f.slot, f.status, f.epistemic, f.origin, f.confidence, f.evergreen,
        f.author, s.native_id, f.valid_from, b.title,
        (SELECT json_group_array(json_array(name, text)) FROM (
            SELECT name, text FROM fact_parts WHERE fact_id = f.id ORDER BY ord)),
        (SELECT json_group_array(tag) FROM (SELECT tag FROM fact_tags WHERE fact_id = f.id ORDER BY tag)),
        (SELECT json_group_array(json_array(native_id, key, quote)) FROM (
            SELECT es.native_id, em.key, e.quote FROM evidence e
            LEFT JOIN messages em ON em.id = e.message_id LEFT JOIN sessions es ON es.id = e.session_id
            WHERE e.fact_id = f.id ORDER BY 1, 2, 3))
    FROM facts f LEFT JOIN projects p ON p.id = f.project_id LEFT JOIN sessions s ON s.id = f.session_id
    LEFT JOIN facts b ON b.id = f.superseded_by ORDER BY 1, 2, 3, 4, 7, 14
"""
_SUMMARIES: Final = """
    SELECT s.host, s.native_id, y.title, y.text, y.open_ends
    FROM session_summaries y JOIN sessions s ON s.id = y.session_id ORDER BY 1, 2
"""
_EVENTS: Final = """
    SELECT s.host, s.native_id, e.kind, e.text, e.ok, e.detail
    FROM session_events e JOIN sessions s ON s.id = e.session_id ORDER BY 1, 2, 3, 4
"""
_TABLES: Final = {
    "project": _PROJECTS,
    "alias": _ALIASES,
    "source": _SOURCES,
    "skip": _SKIPS,
    "session": _SESSIONS,
    "message": _MESSAGES,
    "copy": _COPIES,
    "part": _PARTS,
    "call": _CALLS,
    "change": _CHANGES,
    "fact": _FACTS,
    "summary": _SUMMARIES,
    "event": _EVENTS,
}


def dump(conn: sqlite3.Connection) -> str:
    """Return the store's content as lines of JSON, each a table's name and the values of a row, in a stable order."""
    lines = [orjson.dumps([name, *row]).decode() for name, sql in _TABLES.items() for row in conn.execute(sql)]
    return "\n".join(lines)
