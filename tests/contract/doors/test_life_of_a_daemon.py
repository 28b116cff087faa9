"""What a person can do to the daemon with commands, and what each says."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from memd.doors.cli import client
from tests.contract.doors.conftest import DECIDED, Home, write_session

SETTINGS = '{ "model":"opus",\n\t"hooks" : {}}'


def settings_of(home: Home) -> Path:
    return home.folder / ".claude" / "settings.json"


def everything(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def test_install_reads_what_is_there_and_says_what_comes_next(home: Home) -> None:
    write_session(home)
    told = home.memd("install", "--yes")

    assert told.status == 0, told
    assert "Claude Code: 2 sessions, 4 messages" in told.out
    assert "From now on:" in told.out
    assert str(home.paths.hook_shim) in settings_of(home).read_text()
    assert home.memd("install", "--yes").status == 0
    assert len(home.memd("sessions", "--json").json) == 2


def test_a_purge_leaves_nothing_behind(home: Home) -> None:
    settings_of(home).write_text(SETTINGS)
    before = everything(home.folder)
    assert home.memd("install").status == 0

    told = home.memd("uninstall", "--purge", "--yes")

    assert told.status == 0, told
    assert everything(home.folder) == before


def test_uninstall_keeps_the_memory_and_install_finds_it_again(home: Home) -> None:
    write_session(home)
    home.memd("install")
    told = home.memd("uninstall")
    assert told.status == 0
    assert "Kept:" in told.out
    assert home.paths.database.exists()
    without = home.memd("sessions")
    assert (without.status, DECIDED[:4] in without.out or "harbor" in without.out) == (0, True)
    assert "read from the database as it is" in without.err

    assert home.memd("install").status == 0
    assert DECIDED in {session["native_id"] for session in home.memd("sessions", "--json").json}


def test_a_plan_changes_nothing(home: Home) -> None:
    before = everything(home.folder)

    told = home.memd("install", "--plan")

    assert told.status == 0
    assert "hook client: write" in told.out
    assert everything(home.folder) == before


def test_a_program_can_read_what_an_install_would_do_and_what_it_did(home: Home) -> None:
    (home.folder / ".cursor").mkdir()
    planned = home.memd("install", "--plan", "--json").json
    assert planned["changes"] is True
    (cursor,) = (step["what"] for step in planned["steps"] if step["part"] == "Cursor")
    assert str(home.folder / ".cursor" / "hooks.json") in cursor

    done = home.memd("install", "--json")
    assert (done.status, done.json["failed"], done.json["undone"]) == (0, None, [])
    assert any(str(home.folder / ".cursor" / "hooks.json") in said for said in done.json["done"])
    again = home.memd("install", "--plan", "--json").json
    assert [step["part"] for step in again["steps"] if step["changes"]] == ["service"]


def test_settings_that_cannot_be_read_stop_an_install_before_it_begins(home: Home) -> None:
    settings_of(home).write_text('{"hooks": [')
    before = everything(home.folder)

    told = home.memd("install")

    assert told.status == 7
    assert str(settings_of(home)) in told.err
    assert told.err.count("\n") == 1
    assert everything(home.folder) == before


def test_a_daemon_that_was_killed_is_started_by_the_next_command_that_reads(home: Home) -> None:
    home.memd("install")
    pid = home.memd("status", "--json").json["pid"]
    os.kill(pid, signal.SIGKILL)

    assert home.memd("sessions", "--json").json == []
    assert home.memd("status", "--json").json["pid"] != pid


def test_down_stops_restart_starts_and_the_status_tells_which(home: Home) -> None:
    home.memd("install")

    assert home.memd("down").out.startswith("memd is stopped.")
    assert home.memd("status").status == 4
    assert home.memd("restart").out.startswith("memd runs as process")
    assert home.memd("status").status == 0

    home.paths.config_file.parent.mkdir(parents=True, exist_ok=True)
    home.paths.config_file.write_text("[inject]\nwakeup_tokens = 'many'\n")
    assert "wakeup_tokens" in home.memd("restart").out


def test_a_second_daemon_is_refused(home: Home) -> None:
    home.memd("install")

    told = home.memd("up")

    assert told.status == 4
    assert "already running" in told.err
    assert told.err.count("\n") == 1


def test_a_daemon_in_the_foreground_stops_when_asked_through_the_socket(home: Home) -> None:
    daemon = subprocess.Popen(
        [sys.executable, "-I", "-m", "memd", "up"], env=home.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        home.until("status", tells=lambda status: status["pid"] == daemon.pid)
        client.call(home.paths.socket, "stop", {})

        assert daemon.wait(90) == 0
    finally:
        daemon.kill()
        daemon.wait()
    assert not home.paths.socket.exists()


def test_a_database_of_a_newer_memd_is_refused_untouched(home: Home) -> None:
    home.paths.data_dir.mkdir(parents=True)
    with closing(sqlite3.connect(home.paths.database)) as conn:
        conn.execute("CREATE TABLE meta (key TEXT)")
        conn.execute("PRAGMA application_id = 0")
        conn.execute("PRAGMA user_version = 999")
    before = home.paths.database.read_bytes()

    told = home.memd("up")

    assert told.status == 5
    assert told.err.count("\n") == 1
    assert home.paths.database.read_bytes() == before


def test_a_folder_that_cannot_be_made_is_named(home: Home) -> None:
    (home.folder / "file").touch()

    told = home.memd("--data-dir", str(home.folder / "file" / "memd"), "up")

    assert told.status in {1, 5, 6}
    assert "file" in told.err
    assert told.err.count("\n") == 1


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_named(home: Home) -> None:
    locked = home.folder / "locked"
    locked.mkdir(mode=0o500)

    told = home.memd("--data-dir", str(locked / "memd"), "up")

    assert told.status in {1, 5, 6}
    assert str(locked) in told.err
