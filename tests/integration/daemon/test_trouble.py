"""Faults of the machine: no space, no permission, a damaged database."""

from __future__ import annotations

import ctypes
import os
import resource
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from tests.integration.daemon.daemon_under_test import Home, running, start, wait_until
from tests.integration.daemon.talk import Talk

FIRST = "0a11ce00-0000-4000-8000-000000000001"
_PR_CAPBSET_DROP = 24
_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH = 1, 2


def _like_anybody() -> None:
    """Let file modes count for root as well: what is executed next cannot override them."""
    if os.getuid() == 0:
        libc = ctypes.CDLL(None)
        for capability in (_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH):
            assert libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) == 0


def test_a_full_disk_stops_storing_and_nothing_else_and_it_goes_on_when_there_is_space(
    home: Home, project: Path
) -> None:
    talk = Talk(home.transcript(FIRST), project)
    talk.user("The first word about the anchor")
    with running(home) as daemon:
        wait_until(lambda: bool(home.call("search", query="anchor")["hits"]), "the first word")
        # A write beyond the limit fails with EFBIG, as one on a full disk does with ENOSPC.
        daemon.limit_files(home.paths.database.stat().st_size + 150_000)
        for number in range(3000):
            talk.user(f"Word {number} about the capstan " + "and the chain " * 20)
        wait_until(lambda: any("space" in one for one in home.call("status")["degraded"]), "the word about the disk")
        acknowledged = home.call("status")["messages"]
        (storing,) = (check for check in home.call("health")["checks"] if check["name"] == "storing")
        assert not storing["ok"]
        assert storing["fix"] == "free space, or mend owner and mode"
        assert home.call("search", query="anchor")["hits"]
        hook = home.start_hook({"hook_event_name": "Stop", "session_id": FIRST})
        assert hook.communicate(timeout=90) == (b"", b"")

        daemon.limit_files(resource.RLIM_INFINITY)
        wait_until(lambda: home.call("status")["messages"] >= 3001, "the last word")
        status = home.call("status")
    assert acknowledged < 3001
    assert status["messages"] == 3001
    assert not [one for one in status["degraded"] if "space" in one]


def test_what_was_stored_before_the_disk_was_full_outlives_a_kill(home: Home, project: Path) -> None:
    talk = Talk(home.transcript(FIRST), project)
    with running(home) as daemon:
        daemon.limit_files(home.paths.database.stat().st_size + 300_000)
        for number in range(3000):
            talk.user(f"Word {number} about the capstan " + "and the chain " * 20)
        wait_until(lambda: any("space" in one for one in home.call("status")["degraded"]), "the word about the disk")
        acknowledged = home.call("status")["messages"]
        daemon.kill9()
    assert home.query("SELECT count(*) FROM messages") == [(acknowledged,)]
    with running(home):
        wait_until(lambda: home.call("status")["messages"] >= 3000, "the last word")
        assert home.call("status")["messages"] == 3000


def test_a_full_disk_keeps_nobody_from_asking_and_what_is_due_is_distilled_when_there_is_space(
    home: Home, project: Path
) -> None:
    talk = Talk(home.transcript(FIRST), project)
    talk.user("We decided to moor the ferries at the east pier because the west pier is silting up.")
    with running(home) as daemon:
        wait_until(lambda: bool(home.call("search", query="ferries")["hits"]), "the first word")
        daemon.limit_files(1_000)
        home.hook("SessionEnd", FIRST, project, reason="exit")
        for query in ("zeppelin", "hangar", "balloon"):
            assert home.call("search", query=query)["hits"] == []
        assert home.call("status")["pid"] == daemon.pid

        daemon.limit_files(resource.RLIM_INFINITY)
        wait_until(lambda: bool(home.call("facts.list")), "the decision")
        assert home.call("status")["pid"] == daemon.pid


def test_a_disk_that_is_full_from_the_start_is_named(home: Home) -> None:
    # What measures coverage has no room either, and would complain where only memd is to.
    home.settings.update(COVERAGE_PROCESS_START="", COVERAGE_PROCESS_CONFIG="")
    daemon = start(home, ready=False, prepare=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)))
    assert daemon.process.wait(timeout=90) == 5
    assert "space" in daemon.complaint()
    assert daemon.complaint().count("\n") == 1


def test_a_read_only_data_folder_is_named(home: Home) -> None:
    home.paths.data_dir.mkdir(parents=True)
    home.paths.data_dir.chmod(0o500)
    daemon = start(home, ready=False, prepare=_like_anybody)
    assert daemon.process.wait(timeout=90) == 5
    assert str(home.paths.data_dir) in daemon.complaint()
    assert daemon.complaint().count("\n") == 1
    assert list(home.paths.data_dir.iterdir()) == []
    home.paths.data_dir.chmod(0o700)


def test_a_read_only_database_is_named_and_untouched(home: Home, project: Path) -> None:
    with running(home) as daemon:
        Talk(home.transcript(FIRST), project).user("The first word about the anchor")
        wait_until(lambda: bool(home.call("search", query="anchor")["hits"]), "the first word")
        assert daemon.stop() == 0
    before = home.paths.database.read_bytes()
    home.paths.database.chmod(0o400)
    home.paths.data_dir.chmod(0o500)
    daemon = start(home, ready=False, prepare=_like_anybody)
    assert daemon.process.wait(timeout=90) == 5
    assert daemon.complaint().count("\n") == 1
    assert home.paths.database.read_bytes() == before
    home.paths.data_dir.chmod(0o700)


def test_a_database_damaged_while_down_is_restored_and_what_followed_read_again(home: Home, project: Path) -> None:
    talk = Talk(home.transcript(FIRST), project)
    talk.user("Before the backup: the anchor")
    with running(home) as daemon:
        wait_until(lambda: bool(home.call("search", query="anchor")["hits"]), "the first word")
        home.call("backup.now")
        talk.user("After the backup: the capstan")
        wait_until(lambda: bool(home.call("search", query="capstan")["hits"]), "the second word")
        assert not home.paths.clean_shutdown_file.exists()
        daemon.stop()
    assert home.paths.clean_shutdown_file.exists()  # by which what nobody touches is known again, and not read through
    with home.paths.database.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * 60_000)
    with running(home):
        wait_until(lambda: bool(home.call("search", query="capstan")["hits"]), "the second word again")
        status = home.call("status")
        assert status["messages"] == 2
        assert "damaged" in status["recovery"]


def test_a_damaged_database_without_a_backup_begins_anew_and_keeps_the_old_file(home: Home, project: Path) -> None:
    talk = Talk(home.transcript(FIRST), project)
    talk.user("The first word about the anchor")
    with running(home) as daemon:
        wait_until(lambda: bool(home.call("search", query="anchor")["hits"]), "the first word")
        assert daemon.stop() == 0
    home.paths.database.write_bytes(b"this is no database any more " * 4000)
    with running(home):
        wait_until(lambda: bool(home.call("search", query="anchor")["hits"]), "the first word again")
        assert "read" in home.call("status")["recovery"]
    assert list(home.paths.data_dir.glob("memd.db.damaged-*"))


def test_damage_that_only_reads_come_upon_is_put_right_while_running(home: Home, project: Path) -> None:
    talk = Talk(home.transcript(FIRST), project)
    for number in range(400):
        talk.user(f"Word {number} about the anchor " + "and the chain " * 20)
    with running(home) as daemon:
        wait_until(lambda: home.call("status")["messages"] == 400, "the last word")
        assert daemon.stop() == 0  # what was written lies in the file now, and no longer in its log
    with running(home):
        with home.paths.database.open("r+b") as file:
            file.seek(home.paths.database.stat().st_size // 4)
            file.write(b"\xa5" * (home.paths.database.stat().st_size // 2))
        wait_until(lambda: searched(home) and "damaged" in str(told(home).get("recovery")), "the story of the recovery")
        wait_until(lambda: told(home).get("messages") == 400, "what was there before")
    assert list(home.paths.data_dir.glob("memd.db.damaged-*"))


def searched(home: Home) -> bool:
    """Read of the database what is damaged in it, whatever comes of that."""
    with suppress(OSError):
        home.raw(b'{"op": "search", "params": {"query": "anchor 399"}}\n', lines=1)
    return True


def told(home: Home) -> dict[str, object]:
    """What the status says, nothing while the daemon begins anew."""
    try:
        return dict(home.call("status"))
    except (OSError, ValueError, AssertionError):
        return {}


def test_a_machine_that_allows_too_few_files_is_told_so_in_one_sentence(home: Home) -> None:
    daemon = start(home, ready=False, prepare=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20)))
    assert daemon.process.wait(timeout=90) == 1
    assert daemon.complaint() == ("memd: Only 20 files may be open at once, and memd needs 64; raise it (ulimit -n).\n")


def test_a_database_of_a_newer_memd_is_refused_untouched(home: Home) -> None:
    with running(home) as daemon:
        assert daemon.stop() == 0
    with closing(sqlite3.connect(home.paths.database)) as conn:
        conn.execute("PRAGMA user_version = 999")
    before = home.paths.database.read_bytes()
    daemon = start(home, ready=False)
    assert daemon.process.wait(timeout=90) == 5
    assert "update memd" in daemon.complaint()
    assert daemon.complaint().count("\n") == 1
    assert home.paths.database.read_bytes() == before
