"""What was learnt can be read where no daemon runs, straight from the database, and nothing can be written."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
from contextlib import closing

from tests.contract.doors.agent import agent_of
from tests.contract.doors.conftest import Home, Told, write_session
from tests.contract.doors.test_every_command import type_
from tests.contract.doors.test_every_operation import ask


def alone(home: Home, *words: str) -> Told:
    """Type a command in this process: one that asks no daemon loads all that there is, which is done once here."""
    typed = type_(home, list(words))
    return Told(typed.status, typed.out, typed.err)


def test_after_an_uninstall_timeline_context_and_figures_are_what_an_agent_was_told(home: Home) -> None:
    write_session(home)
    assert home.memd("install", "--yes").status == 0
    fact = home.until("facts", tells=len).json[0]["id"]
    asked = {
        ("memory", "timeline", fact): ("search", {"action": "timeline", "fact": fact}),
        ("wakeup", "--project", "harbor"): ("session", {"action": "wakeup", "project": "harbor"}),
        ("session", "projects"): ("session", {"action": "projects"}),
        ("sessions",): ("session", {"action": "list", "project": "all"}),
    }
    shown = ask(home, "facts.show", {"fact": fact})
    with agent_of(home, "--profile=full") as pumped:
        pumped.greet()
        answers = {words: pumped.call(tool, **given) for words, (tool, given) in asked.items()}
    found = ask(home, "search", {"query": "sqlite instead of postgres"})
    assert home.memd("uninstall", "--yes").status == 0
    before = hashlib.sha256(home.paths.database.read_bytes()).digest()

    for words, answer in answers.items():
        told = alone(home, *words, "--json")
        assert told.status == 0, told
        assert "read from the database as it is" in told.err
        assert _without_nothing(told.json) == answer["structuredContent"]["result"], (words, answer)
    assert alone(home, "facts", fact, "--json").json["fact"]["text"] == shown["fact"]["text"]
    hits = alone(home, "search", "sqlite", "instead", "of", "postgres", "--json").json["hits"]
    assert hits[0]["id"] == found["hits"][0]["id"]
    assert hashlib.sha256(home.paths.database.read_bytes()).digest() == before


def test_what_writes_and_what_tells_of_the_daemon_needs_one(home: Home) -> None:
    assert home.memd("install", "--yes").status == 0
    assert home.memd("uninstall", "--yes").status == 0

    for words in (("remember", "The lamp is lit at dusk"), ("status",), ("admin", "jobs"), ("memory", "forget", "ab")):
        refused = alone(home, *words)
        assert (refused.status, refused.out) == (4, ""), words
        assert "memd install" in refused.err
    unknown = alone(home, "facts", "0123456789")
    assert unknown.status == 3


def test_a_database_of_an_earlier_memd_is_left_to_the_daemon(home: Home) -> None:
    assert home.memd("install", "--yes").status == 0
    assert home.memd("uninstall", "--yes").status == 0
    with closing(sqlite3.connect(home.paths.database)) as conn:
        conn.execute("PRAGMA user_version = 3")

    refused = alone(home, "facts")

    assert refused.status == 5
    assert "earlier memd" in refused.err
    assert os.fspath(home.paths.database) in refused.err


def test_a_restored_database_that_holds_what_was_deleted_is_left_to_the_daemon(home: Home) -> None:
    assert home.memd("install", "--yes").status == 0
    kept = home.memd("remember", "The lamp is lit at dusk", "--json").json
    taken = home.memd("admin", "backup", "--json").json["path"]
    assert home.memd("memory", "forget", kept["fact"]["id"], "--apply").status == 0
    assert home.memd("uninstall", "--yes").status == 0
    assert alone(home, "facts").status == 0
    shutil.copy(taken, home.paths.database)

    refused = alone(home, "search", "lamp")

    assert (refused.status, refused.out) == (5, "")
    assert "deleted for good" in refused.err


def _without_nothing(value: object) -> object:
    """What an agent is told leaves out what is null or empty, and rounds numbers."""
    from memd.doors.mcp.shape import prune

    return prune(value)
