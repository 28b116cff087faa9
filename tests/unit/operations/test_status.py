from __future__ import annotations

import os
import sqlite3
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import orjson
import pytest

from memd.adapter import Cursor, HostEnv, Source
from memd.capture.pipeline import Capture
from memd.operations.health import health
from memd.operations.jobs import list_jobs
from memd.operations.settings import show_config
from memd.operations.status import RECOVERY, status
from memd.operations.upkeep import backup_now, stop
from memd.registry import adapters
from memd.store import backup, jobs, maintenance, meta, sources
from tests.unit.operations.conftest import FIRST, HOST, NOW, Harbor


async def test_the_status_holds_what_is_documented(harbor: Harbor) -> None:
    told = orjson.loads(orjson.dumps(await status.call(harbor.memory, {})))

    assert told["pid"] == os.getpid()
    assert told["uptime_s"] == 3600.0
    assert (told["sessions"], told["messages"], told["facts"], told["projects"]) == (3, 6, 2, 1)
    assert set(told["queues"]) == {"sources", "writes", "distill"}
    host = told["hosts"]["claude_code"]
    assert {"present", "sources", "newest_on_disk", "newest_captured", "lag_s", "skipped", "errors"} <= set(host)
    assert host["skipped"] == {"unknown row kind: hologram": 2}
    assert (host["sessions"], host["messages"]) == (3, 6)
    assert host["newest_captured"].startswith("2026-11-29T10:00:00")


async def test_everything_that_is_not_as_it_should_be_is_a_sentence(harbor: Harbor) -> None:
    await harbor.memory.writer.run(lambda conn: jobs.failed(conn, "backup", NOW, NOW, "No space is left."))

    told = await status.call(harbor.memory, {})

    assert told.warnings == harbor.memory.config.warnings
    for words in ("hologram", "The job backup failed at 2026-11-29T10:00:00.000Z: No space is left.", "inject.tokns"):
        assert any(words in sentence for sentence in told.degraded), words


async def test_the_status_of_a_host_that_is_not_here_says_so(harbor: Harbor) -> None:
    host = (await status.call(harbor.memory, {})).hosts["claude_code"]

    assert (host.present, host.sources, host.lag_s, host.newest_on_disk) == (False, 0, None, None)


async def test_the_story_of_a_recovery_is_told(harbor: Harbor) -> None:
    assert (await status.call(harbor.memory, {})).recovery is None
    await harbor.memory.writer.run(lambda conn: meta.put(conn, RECOVERY, "The database was damaged."))

    assert (await status.call(harbor.memory, {})).recovery == "The database was damaged."


async def test_the_database_and_its_backups_are_told(harbor: Harbor) -> None:
    assert (await status.call(harbor.memory, {})).database.newest_backup is None

    taken = await backup_now.call(harbor.memory, {})
    told = (await status.call(harbor.memory, {})).database

    assert taken.at == told.newest_backup == "2026-11-29T11:00:00.000Z"
    assert told.backups == 1
    assert told.bytes > 0
    assert backup.backups(harbor.memory.paths.backups_dir)[0].path.stat().st_mode & 0o777 == 0o600


async def test_a_healthy_memory_has_only_what_a_person_should_look_at(harbor: Harbor) -> None:
    checks = {check.name: check for check in (await health.call(harbor.memory, {})).checks}

    assert checks["database"].ok
    assert checks["disk"].ok
    assert "on: session_start" in checks["hooks"].detail
    for check in checks.values():
        assert check.detail
        assert check.ok or check.fix


async def test_hosts_that_wrote_nothing_are_one_check(harbor: Harbor) -> None:
    memory = harbor.memory
    hosts = {name: adapters()[name] for name in ("claude_code", "codex", "gemini")}
    capture = Capture(
        memory.config.capture,
        HostEnv(harbor.home, {}, "linux"),
        hosts,
        writer=memory.writer,
        readers=memory.readers,
        workers=memory.workers,
        clock=memory.clock,
    )

    told = await health.call(replace(memory, capture=capture), {})

    checks = {check.name: check for check in told.checks}
    assert checks["other agents"].detail == "nothing on this machine is by Codex CLI, Gemini CLI"
    assert "Claude Code files" in checks
    assert not [name for name in checks if name.startswith(("Codex", "Gemini"))]


async def test_of_a_host_it_is_told_what_was_found_by_which_version_and_what_was_passed_over(harbor: Harbor) -> None:
    def told(conn: sqlite3.Connection) -> None:
        source = Source(HOST, Path("/home/ada/x.jsonl"), FIRST)
        skipped = {"damaged line": 2, "NUL bytes": 1}
        sources.save(conn, source, Cursor(9, 9), NOW, lines=1, skipped=skipped, restarted=False)
        conn.execute("UPDATE sessions SET version = '2.1.332' WHERE native_id = ?", (FIRST,))

    await harbor.memory.writer.run(told)
    (harbor.home / ".claude/projects/-p").mkdir(parents=True)
    (harbor.home / ".claude/projects/-p" / f"{FIRST}.jsonl").write_text("{}")
    await harbor.memory.capture.rescan()

    checks = {check.name: check for check in (await health.call(harbor.memory, {})).checks}

    detail = checks["Claude Code files"].detail
    assert "Found: 1 file, the newest written by version 2.1.332" in detail
    assert "passed over: damaged line (2)" in detail
    assert "NUL bytes (1)" in detail


async def test_a_failed_job_and_an_unknown_format_fail_the_health_with_a_fix(harbor: Harbor) -> None:
    await harbor.memory.writer.run(lambda conn: jobs.failed(conn, "backup", NOW, NOW, "No space is left."))

    failed = {check.name: check for check in (await health.call(harbor.memory, {})).checks if not check.ok}

    assert "No space is left." in failed["jobs"].detail
    assert all(check.fix for check in failed.values())


async def test_an_index_that_is_half_built_and_a_model_that_is_dead_are_named_with_a_fix(
    harbor: Harbor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await harbor.memory.writer.run(lambda conn: maintenance.rebuild(conn, "messages_fts"))
    dead = "The model at http://127.0.0.1:9 does not answer."
    monkeypatch.setattr(type(harbor.memory.distiller), "model_error", property(lambda _: dead))

    failed = {check.name: check for check in (await health.call(harbor.memory, {})).checks if not check.ok}

    assert "messages (0 rows)" in failed["indexes"].detail
    assert "index_rebuild" in failed["indexes"].fix
    assert dead in failed["models"].detail
    await harbor.memory.writer.run(_rebuilt)
    assert "indexes" not in {check.name for check in (await health.call(harbor.memory, {})).checks if not check.ok}


def _rebuilt(conn: sqlite3.Connection) -> None:
    while maintenance.rebuild_some(conn):
        continue


async def test_jobs_are_listed_with_their_last_run(harbor: Harbor) -> None:
    await harbor.memory.writer.run(lambda conn: jobs.finished(conn, "rescan", NOW, NOW + 1))

    (job,) = await list_jobs.call(harbor.memory, {})

    assert (job.name, job.runs, job.failures, job.error) == ("rescan", 1, 0, None)
    assert job.ok == "2026-11-29T10:00:00.001Z"


async def test_the_settings_in_force_are_told(harbor: Harbor) -> None:
    told = await show_config.call(harbor.memory, {})

    assert told.settings["inject.wakeup_tokens"] == 800
    assert told.warnings == harbor.memory.config.warnings


async def test_a_stop_is_passed_on(harbor: Harbor) -> None:
    assert (await stop.call(harbor.memory, {})).pid == os.getpid()
    assert harbor.stopped == [None]


async def test_it_is_told_how_long_writes_kept_others_waiting_and_which_changed_the_most(harbor: Harbor) -> None:
    def many(conn: sqlite3.Connection) -> None:
        conn.executemany("INSERT INTO meta (key, value) VALUES (?, '')", [(f"k{n}",) for n in range(5000)])
        end = time.thread_time() + 0.06
        while time.thread_time() < end:
            pass

    before = (await status.call(harbor.memory, {})).writes
    await harbor.memory.writer.run(partial(many))

    told = (await status.call(harbor.memory, {})).writes

    assert told.transactions == before.transactions + 1
    assert (told.above_50_ms_cpu, told.most_rows) == (before.above_50_ms_cpu + 1, 5000)
    assert told.longest_ms >= told.longest_cpu_ms >= 60
    assert told.longest == told.largest == f"{__name__}.{many.__qualname__}"
