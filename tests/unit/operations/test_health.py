"""What the daemon finds when it looks at itself: each planted fault is named, with what mends it."""

from __future__ import annotations

import shutil
import socket
from dataclasses import replace
from typing import Any

import pytest

from memd.capture.exclusion import Exclusion
from memd.config import EmbedConfig, ModelConfig
from memd.errors import ModelMisconfigured
from memd.operations.catalog import OPERATIONS
from memd.operations.memory import Memory
from memd.operations.status_answers import HealthAnswer, HealthCheck
from memd.recall import embedding
from memd.store import jobs as job_log
from memd.store import maintenance
from tests.unit.operations.conftest import NOW, Harbor


async def look(harbor: Harbor, memory: Memory | None = None) -> dict[str, HealthCheck]:
    answer = await OPERATIONS["health"].call(memory or harbor.memory, {})
    assert isinstance(answer, HealthAnswer)
    checks = {check.name: check for check in answer.checks}
    # The harbour's one transcript is nowhere on the disk.
    assert not checks.pop("Claude Code files").ok
    return checks


async def fault(harbor: Harbor, name: str, memory: Memory | None = None) -> HealthCheck:
    """The one check that fails, which has a fix."""
    wrong = [check for check in (await look(harbor, memory)).values() if not check.ok]
    assert [check.name for check in wrong] == [name]
    assert wrong[0].fix
    return wrong[0]


async def test_a_memory_that_is_well_has_no_fault(harbor: Harbor) -> None:
    assert all(check.ok and not check.fix for check in (await look(harbor)).values())


async def test_a_damaged_database_is_named(harbor: Harbor) -> None:
    def end_of_log(conn: Any) -> None:
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    await harbor.memory.writer.outside_transaction(end_of_log)
    path = harbor.memory.paths.database
    with path.open("r+b") as file:
        for page in range(20, path.stat().st_size // 4096):
            file.seek(page * 4096)
            file.write(b"\xa5" * 64)

    answer: Any = await OPERATIONS["health"].call(harbor.memory, {})
    (wrong,) = (check for check in answer.checks if not check.ok)

    assert wrong.name == "database"
    assert f"{path} is damaged" in wrong.detail
    assert wrong.fix.startswith("memd restart")


async def test_an_index_that_is_built_by_half_is_named_and_its_fix_mends_it(harbor: Harbor) -> None:
    await harbor.memory.writer.run(lambda conn: maintenance.rebuild(conn, "messages_fts"))

    found = await fault(harbor, "indexes")
    await OPERATIONS["index.rebuild"].call(harbor.memory, {})

    assert "only in part: messages (0 rows)" in found.detail
    assert found.fix.startswith("memd admin index_rebuild")
    assert (await look(harbor))["indexes"].ok


@pytest.mark.parametrize("shape", [(128, 16), (256, 16), (257, 40)], ids=str)
async def test_vectors_of_other_dimensions_are_named_and_their_fix_mends_it(
    harbor: Harbor, shape: tuple[int, int]
) -> None:
    code, signs = (bytes(length) for length in shape)

    def plant(conn: Any) -> None:
        (message, session) = conn.execute("SELECT id, session_id FROM messages LIMIT 1").fetchone()
        conn.execute(
            "INSERT INTO vectors (message_id, session_id, reply, model, signs, code) VALUES (?, ?, 0, ?, ?, ?)",
            (message, session, embedding.MODEL, signs, code),
        )
        (fact,) = conn.execute("SELECT id FROM facts LIMIT 1").fetchone()
        conn.execute(
            "INSERT INTO fact_vectors (fact_id, model, signs, code) VALUES (?, ?, ?, ?)",
            (fact, embedding.MODEL, signs, code),
        )

    def waiting(conn: Any) -> list[Any]:
        return [conn.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("vectors", "vectors_due")]

    await harbor.memory.writer.run(plant)

    found = await fault(harbor, "vectors")
    await OPERATIONS["index.rebuild"].call(harbor.memory, {})

    assert f"2 of {embedding.MODEL}" in found.detail
    assert found.fix.startswith("memd admin index_rebuild")
    assert (await look(harbor))["vectors"].ok
    assert await harbor.memory.readers.run(waiting) == [0, 1]


@pytest.mark.parametrize("kind", ["model", "embed"])
async def test_a_model_at_whose_address_nobody_is_is_named_before_it_is_asked(harbor: Harbor, kind: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        model = ModelConfig(api="openai", url=url, name="m") if kind == "model" else ModelConfig()
        embed = EmbedConfig(api="openai", url=url, name="e") if kind == "embed" else EmbedConfig()
        memory = replace(harbor.memory, config=replace(harbor.memory.config, model=model, embed=embed))
        dead = await fault(harbor, "models", memory)
        taken.listen()
        alive = (await look(harbor, memory))["models"]

    assert f"{url} cannot be reached" in dead.detail
    assert "memd config" in dead.fix
    assert alive.ok


async def test_a_model_that_lacks_its_key_is_named(harbor: Harbor) -> None:
    said = str(ModelMisconfigured("model.name is not set"))
    memory = replace(harbor.memory, config=replace(harbor.memory.config, warnings=(said,)))

    assert (await fault(harbor, "models", memory)).detail == said


async def test_a_job_that_fails_is_named_with_how_often_it_did_and_why_until_it_ends_well(harbor: Harbor) -> None:
    def fail(conn: Any) -> None:
        job_log.started(conn, "backup", NOW)
        job_log.finished(conn, "backup", NOW, NOW + 1)
        for begun in (NOW + 10, NOW + 20):
            job_log.started(conn, "backup", begun)
            job_log.failed(conn, "backup", begun, begun + 1, f"The folder is gone at {begun - NOW}.")

    def mend(conn: Any) -> None:
        job_log.started(conn, "backup", NOW + 30)
        job_log.finished(conn, "backup", NOW + 30, NOW + 31)

    await harbor.memory.writer.run(fail)
    found = await fault(harbor, "jobs")
    await harbor.memory.writer.run(mend)

    assert found.detail == "backup: The folder is gone at 20. (2 of 3 runs failed)"
    assert (await look(harbor))["jobs"].ok


async def test_a_disk_that_is_nearly_full_is_named(harbor: Harbor, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(harbor.memory.paths.data_dir)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=5 << 20))

    found = await fault(harbor, "disk")

    assert "5 MB are free" in found.detail
    assert found.fix == "free some space, 200 MB at least"


async def test_what_is_kept_of_a_folder_that_was_excluded_later_is_named_with_what_deletes_it(harbor: Harbor) -> None:
    capture = replace(harbor.memory.config.capture, exclude=(f"{harbor.root}/**",))
    config = replace(harbor.memory.config, capture=capture)
    exclusion = Exclusion(capture.exclude, (), harbor.home)
    setattr(harbor.memory.capture, "_exclusion", exclusion)  # noqa: B010 - as a start with these settings makes it
    memory = replace(harbor.memory, config=config)

    found = await fault(harbor, "excluded", memory)
    said: Any = await OPERATIONS["status"].call(memory, {})

    assert str(harbor.root) in found.detail
    assert found.fix == f"memd session projects_delete {harbor.root} --apply"
    assert any(found.fix in sentence for sentence in said.degraded)

    await OPERATIONS["projects.delete"].call(memory, {"project": str(harbor.root), "apply": True})
    assert (await look(harbor, memory))["excluded"].ok
