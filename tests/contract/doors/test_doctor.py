"""Faults of a real installation: the doctor names each with what mends it."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.contract.doors.conftest import Home


def checks(home: Home) -> dict[str, dict[str, Any]]:
    """What `memd doctor --json` says, by name; where anything is wrong its exit status tells."""
    told = home.memd("doctor", "--json")
    found = {check["name"]: check for check in told.json["checks"]}
    assert told.status == (0 if all(check["ok"] for check in found.values()) else 1)
    return found


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
