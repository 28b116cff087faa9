"""What other memories keep, written as they write it, with invented people and words."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

THOTH = """
    CREATE TABLE observation_versions (id INTEGER PRIMARY KEY, observation_id INTEGER, title TEXT, content TEXT,
        type TEXT, version_number INTEGER, created_at TEXT);
    INSERT INTO observation_versions VALUES
        (1, 1, 'SQLite for tides', 'Use Postgres', 'decision', 1, '2026-01-03 10:00:00');
    CREATE TABLE sessions (id TEXT PRIMARY KEY, project TEXT, started_at TEXT, summary TEXT);
    CREATE TABLE user_prompts (id INTEGER PRIMARY KEY, session_id TEXT, content TEXT, project TEXT, created_at TEXT);
    CREATE TABLE observations (id INTEGER PRIMARY KEY, sync_id TEXT, session_id TEXT, type TEXT, title TEXT,
        content TEXT, tool_name TEXT, project TEXT, scope TEXT, topic_key TEXT, normalized_hash TEXT,
        revision_count INTEGER, duplicate_count INTEGER, created_at TEXT, updated_at TEXT, deleted_at TEXT);
    INSERT INTO user_prompts (content, project) VALUES ('Where do tides live?', 'harbor');
    INSERT INTO observations VALUES
        (1, 'obs-1', 's1', 'decision', 'SQLite for tides', 'Use SQLite, the office has no server', NULL, 'harbor',
            'project', 'storage/tides', 'h', 2, 0, '2026-01-02 10:00:00', '2026-01-03 10:00:00', NULL),
        (2, 'obs-2', 's1', 'pattern', 'Lamps first', 'Lamps are checked before buoys', NULL, 'harbor', 'personal',
            NULL, 'h', 1, 0, '2026-01-02 10:00:00', NULL, NULL),
        (3, 'obs-3', 's1', 'bugfix', 'Gone', 'Was deleted', NULL, 'harbor', 'project', NULL, 'h', 1, 0,
            '2026-01-02 10:00:00', NULL, '2026-01-04 10:00:00'),
        (4, 'obs-4', 's1', 'bugfix', 'Empty', '  ', NULL, 'harbor', 'project', NULL, 'h', 1, 0, NULL, NULL, NULL);
"""
MEMVAULT = """
    CREATE TABLE memories (id TEXT PRIMARY KEY, user_id TEXT, agent_id TEXT, run_id TEXT, memory TEXT,
        memory_type TEXT, hash TEXT, embedding BLOB, metadata TEXT, created_at TEXT, updated_at TEXT);
    CREATE TABLE blocks (scope_type TEXT, scope_id TEXT, label TEXT, value TEXT, value_limit INTEGER, position INTEGER);
    CREATE TABLE history (id INTEGER PRIMARY KEY, memory_id TEXT);
    INSERT INTO memories VALUES
        ('mem_1', 'ada', NULL, NULL, '用户喜欢用 pnpm', 'user', 'h', x'00', '{"lang": "zh"}', '2026-01-02', NULL),
        ('mem_2', 'ada', 'bot', NULL, 'Knows how to dredge', 'procedural', 'h', NULL, 'not json', '1767348000', NULL),
        ('mem_3', 'ada', NULL, NULL, '', 'agent', 'h', NULL, NULL, NULL, NULL);
    INSERT INTO blocks VALUES ('user', 'ada', 'persona', 'Calm and short', 2000, 0), ('user', 'ada', 'x', '', 2000, 1);
"""
CLAUDE_MEM = """
    CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY, project TEXT);
    CREATE TABLE observations (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, text TEXT, type TEXT,
        title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT,
        created_at TEXT, created_at_epoch INTEGER);
    CREATE TABLE session_summaries (id INTEGER PRIMARY KEY, project TEXT, request TEXT, investigated TEXT, learned TEXT,
        completed TEXT, next_steps TEXT, notes TEXT, created_at TEXT, created_at_epoch INTEGER);
    INSERT INTO observations VALUES (7, 'm1', 'harbor', NULL, 'feature', 'Tide table', 'In SQLite',
        '["has 12 columns"]', 'Added the table', '["storage"]', '["a.py"]', '["tides.py"]', NULL, 1767348000000);
    INSERT INTO observations (id, type) VALUES (8, 'change');
    INSERT INTO session_summaries VALUES (1, 'harbor', 'Store the tides', '', 'Zinc rusts', 'The table', '', NULL, NULL,
        1767348000000);
"""


def database(path: Path, script: str) -> Path:
    """Write a database."""
    with closing(sqlite3.connect(path)) as conn:
        conn.executescript(script)
    return path


def thoth(folder: Path) -> Path:
    return database(folder / "thoth.db", THOTH)


def thoth_export(folder: Path) -> Path:
    path = folder / "export.json"
    rows = [
        {"id": 1, "sync_id": "obs-1", "type": "decision", "title": "SQLite for tides", "content": "Use SQLite",
         "project": "harbor", "scope": "project", "created_at": "2026-01-02 10:00:00"},
        "no row",
    ]  # fmt: skip
    path.write_text(
        json.dumps({"version": 1, "exported_at": "x", "sessions": [], "observations": rows, "prompts": [{}]})
    )
    return path


def thoth_chunks(folder: Path) -> Path:
    (folder / "chunks").mkdir()
    row = {
        "type": "learning",
        "title": "Zinc",
        "content": "Salt water eats zinc",
        "project": "harbor",
        "scope": "project",
    }

    def mutation(number: int, key: str, operation: str, data: object) -> dict[str, object]:
        return {"operation": operation, "entity_type": "observation", "entity_id": number, "sync_id": key, "data": data}

    first = [mutation(1, "a", "create", row), mutation(2, "b", "create", {**row, "title": "Gone"})]
    second = [
        mutation(3, "a", "update", {**row, "content": "Salt water eats zinc first"}),
        mutation(4, "b", "delete", None),
    ]
    for number, mutations in ((1, first), (3, second)):
        chunk = {"version": 2, "from_mutation_id": number, "created_at": "x", "mutations": mutations}
        (folder / "chunks" / f"chunk-{9 - number}.json.gz").write_bytes(gzip.compress(json.dumps(chunk).encode()))
    return folder


def memvault(folder: Path) -> Path:
    return database(folder / "memvault.db", MEMVAULT)


def agent_knowledge(folder: Path) -> Path:
    pages = {
        "decisions/tides.md": (
            "---\ntitle: SQLite for tides\ntags: [storage, tides]\nupdated: 2026-01-02\nauthor: ada\nevergreen: true\n"
            "confidence: inferred\nconfidence_score: 0.7\nreviewed_by: bo\n---\nUse SQLite.\n"
        ),
        "projects/harbor.md": "# Harbor\n\nThe harbour's own program.\n",
        "workflows/release.md": '---\ntitle: "Releases"\ntags:\n  - release\n---\nOn Tuesdays.\n',
        "notes/empty.md": "---\ntitle: Empty\n---\n\n",
        ".git/notes.md": "not an entry",
    }
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def rawthink(folder: Path) -> Path:
    rows: list[object] = [
        {"type": "entity", "name": "tide storage", "entityType": "decision", "domain": "storage",
         "epistemic": "assertion", "observations": [
             {"text": "Use SQLite", "kind": "decided", "created": "2026-01-02", "status": "active"},
             {"text": "Postgres", "kind": "rejected", "created": "2026-01-02", "status": "active"},
             {"text": "Use files", "kind": "decided", "created": "2025-12-01", "status": "invalidated",
              "invalidated_at": "2026-01-02"},
             "an old plain text",
         ]},
        {"type": "relation", "from": "tide storage", "to": "harbor", "relationType": "part_of"},
    ]  # fmt: skip
    (folder / "memory.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows) + '{"torn\n')
    for name, text in {
        "sessions/2026-01-02-tides.md": "# Tides\n\nMoved them.\n",
        "qnotes/q1.md": "---\nid: q1\ndate: 2026-01-03\ntags: [lamp]\nsession_ref: 2026-01-02-tides\n---\nAsk.\n",
    }.items():
        path = folder / "vault" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def claude_mem(folder: Path) -> Path:
    return database(folder / "claude-mem.db", CLAUDE_MEM)


def mem0(folder: Path) -> Path:
    path = folder / "memories.json"
    rows = [
        {
            "id": "1",
            "memory": "Prefers short answers",
            "user_id": "ada",
            "categories": ["style"],
            "created_at": "2026-01-02",
        },
        {"id": "2", "memory": " ", "user_id": "ada"},
        {
            "id": "3",
            "memory": "The wick is dry",
            "hash": "90f7",
            "user_id": "ada",
            "role": "assistant",
            "created_at": "2026-01-02T12:55:30.764910+00:00",
            "updated_at": "2026-01-03T12:55:30.764910+00:00",
        },
    ]
    path.write_text(json.dumps({"results": rows}))
    return path


STORES: dict[str, tuple[str, Callable[[Path], Path]]] = {
    "thoth database": ("thoth", thoth),
    "thoth export": ("thoth", thoth_export),
    "thoth chunks": ("thoth", thoth_chunks),
    "memvault": ("memvault", memvault),
    "agent-knowledge": ("agent_knowledge", agent_knowledge),
    "rawthink": ("rawthink", rawthink),
    "claude-mem": ("claude_mem", claude_mem),
    "mem0": ("mem0", mem0),
}
