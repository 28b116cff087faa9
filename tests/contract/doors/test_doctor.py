"""Faults of a real installation: the doctor names each with what mends it."""

from __future__ import annotations

import os
import signal
import socket
from contextlib import closing
from typing import Any

from tests.contract.doors.conftest import Home


def checks(home: Home) -> dict[str, dict[str, Any]]:
    """What `memd doctor --json` says, by name; where anything is wrong its exit status tells."""
    told = home.memd("doctor", "--json")
    found = {check["name"]: check for check in told.json["checks"]}
    assert told.status == (0 if all(check["ok"] for check in found.values()) else 1)
    return found


def wrong(home: Home) -> dict[str, str]:
    """The fix of everything that is wrong."""
    return {name: check["fix"] for name, check in checks(home).items() if not check["ok"]}


def test_a_daemon_that_was_killed_is_named_and_so_is_the_one_that_took_over(home: Home) -> None:
    home.memd("install")
    before = home.memd("status", "--json").json["pid"]
    assert checks(home)["last end"]["fix"] == ""
    os.kill(before, signal.SIGKILL)

    stale = checks(home)["daemon"]
    home.memd("restart")
    after = home.memd("status", "--json").json["pid"]
    taken_over = checks(home)["last end"]
    told = home.memd("doctor")

    assert not stale["ok"]
    assert f"process {before} ended without a goodbye and left a stale lock" in stale["detail"]
    assert str(home.paths.lock_file) in stale["detail"]
    assert stale["fix"] == "memd restart"
    assert taken_over["ok"]
    assert f"process {before}" in taken_over["detail"]
    assert f"Process {after} took over" in taken_over["detail"]
    assert told.out.startswith("note last end")
    assert told.status == 0

    home.memd("restart")
    assert checks(home)["last end"]["fix"] == ""


def test_what_keeps_a_daemon_from_working_is_named_with_its_fix(home: Home) -> None:
    home.memd("install")
    settings = home.folder / ".claude" / "settings.json"
    registered = settings.read_text()
    settings.write_text("{}")
    assert wrong(home) == {"Claude Code": "run `memd install` again"}
    settings.write_text(registered)
    assert wrong(home) == {}

    home.memd("down")
    path = home.paths.socket
    with closing(socket.socket(socket.AF_UNIX)) as stranger:
        stranger.bind(str(path))
        stranger.listen()
        daemon = checks(home)["daemon"]
        assert f"another process answers at its socket {path}" in daemon["detail"]
        assert daemon["fix"] == "memd restart"
    path.unlink()

    path.write_text("no socket")
    assert wrong(home) == {"socket path": f"move {path} away", "daemon": "memd restart"}
    path.unlink()

    whole = home.paths.database.read_bytes()
    home.paths.database.write_bytes(whole[:8192] + bytes(8192) + whole[16384:])
    assert wrong(home)["database"].startswith("memd restart (it restores")
    home.paths.database.write_bytes(b"no database at all, but a text that somebody put here")
    assert wrong(home)["database"].startswith("update memd, or move")
    home.paths.database.write_bytes(whole)

    home.paths.config_file.write_text("[inject\n")
    assert wrong(home)["configuration"].startswith("mend ")
    home.paths.config_file.unlink()

    assert home.memd("restart").status == 0
    assert wrong(home) == {}
