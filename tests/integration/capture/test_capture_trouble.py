from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import anyio
import pytest

from memd.adapter import Adapter, HostEnv, Root, Source
from memd.capture.roots import find_roots
from memd.capture.storage import Storage
from memd.capture.watch import Watcher
from memd.clock import SystemClock
from memd.config import CaptureConfig
from memd.errors import StoreFull, WorkerFailed
from memd.registry import adapters
from memd.store import capturing, projects
from memd.store.writer import Writer
from memd.workers.pool import Workers
from tests.integration.capture.house import SESSION, Talk, house

pytestmark = pytest.mark.filterwarnings("ignore:Callback with id:RuntimeWarning")

T = TypeVar("T")
OTHER = "5e551011-0000-4000-8000-000000000002"


class UnluckyWorkers(Workers):
    """Workers whose process is killed in the middle of the first tasks that are about a certain file."""

    def __init__(self, about: str, failures: int) -> None:
        super().__init__()
        self.about = about
        self.left = failures
        self.batch_bytes: list[int] = []

    async def run(  # type: ignore[explicit-override]
        self, task: str, payload: object, **options: Any
    ) -> object:
        if self.about in str(payload):
            self.batch_bytes.append(payload.limits.batch_bytes)  # type: ignore[attr-defined]
            if self.left:
                self.left -= 1
                raise WorkerFailed(task, "was ended by SIGKILL")
        return await super().run(task, payload, **options)


async def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    talk = Talk(tmp_path)
    texts = [f"message {number}" for number in range(400)]
    talk.say(*texts[:200])
    async with house(tmp_path) as home:
        async with anyio.create_task_group() as group:

            async def kill() -> None:
                for _ in range(8):
                    await anyio.sleep(0.03)
                    for pid in home.workers.status().processes:
                        with suppress(ProcessLookupError):  # of one that was killed before the pool knows a while later
                            os.kill(pid, signal.SIGKILL)

            group.start_soon(kill)
            for text in texts[200:]:
                talk.say(text)
                await anyio.sleep(0.001)
        await home.until_texts(*texts)


async def test_a_source_that_kills_workers_is_tried_in_smaller_pieces(tmp_path: Path) -> None:
    Talk(tmp_path).say("one", "two")
    workers = UnluckyWorkers(SESSION, failures=2)
    async with house(tmp_path, workers=workers) as home:
        await home.until_texts("one", "two")
        assert workers.batch_bytes[0] > workers.batch_bytes[1] > workers.batch_bytes[2]
        assert await home.query("SELECT error FROM sources") == [(None,)]


async def test_a_source_that_always_fails_is_told_holds_up_nobody_and_is_tried_when_it_changes(tmp_path: Path) -> None:
    talk = Talk(tmp_path).say("one")
    Talk(tmp_path, OTHER).say("fine")
    workers = UnluckyWorkers(SESSION, failures=1000)
    async with house(tmp_path, workers=workers) as home:
        await home.until_texts("fine", session=OTHER)
        await home.until(
            lambda rows: rows and "ended by SIGKILL" in str(rows[0][0]),
            "SELECT error FROM sources WHERE path = ?",
            str(talk.path),
        )
        status = await home.capture.status()
        assert any(SESSION in error for error in status.hosts[0].errors)
        await home.capture.caught_up()
        tries = len(workers.batch_bytes)
        await home.capture.rescan()
        await home.capture.caught_up()
        assert len(workers.batch_bytes) == tries, "it did not change"
        workers.left = 0
        talk.say("two")
        await home.until_texts("one", "two")
        assert (await home.capture.status()).hosts[0].errors == ()


async def test_a_file_that_is_no_transcript_is_told(tmp_path: Path) -> None:
    talk = Talk(tmp_path)
    talk.append(b"this is not JSON\nnor is this\n")
    Talk(tmp_path, OTHER).say("fine")
    async with house(tmp_path) as home:
        await home.until_texts("fine", session=OTHER)
        await home.capture.caught_up()
        (host,) = (await home.capture.status()).hosts
        assert host.errors == (
            f"{talk.path}: {talk.path}: is no transcript of Claude Code: none of its lines is a JSON object.",
        )


class FullDisk(Writer):
    """A writer on a disk that is full for a while."""

    full = False

    async def run(  # type: ignore[explicit-override]
        self, function: Callable[..., T], *, background: bool = False
    ) -> T:
        if self.full:
            raise StoreFull(Path("/home/ada/memd.db"))
        return await super().run(function, background=background)


async def test_a_full_disk_is_waited_for_and_told(tmp_path: Path) -> None:
    from memd.store.migrate import migrate

    database = tmp_path / "memd.db"
    migrate(database, tmp_path / "backups", 0)
    async with FullDisk.open(database) as writer:
        assert isinstance(writer, FullDisk)
        storage = Storage(writer, first_wait_s=0.01)
        writer.full = True
        stored: list[str] = []

        async def store() -> None:
            result, _ = await storage.run(lambda conn: conn.execute("SELECT 'kept'").fetchone()[0], background=True)
            stored.append(result)

        async with anyio.create_task_group() as group:
            group.start_soon(store)
            with anyio.fail_after(120):
                while storage.blocked is None:  # noqa: ASYNC110 - it tells nobody
                    await anyio.sleep(0.005)
            assert "No space is left" in storage.blocked
            assert stored == []
            writer.full = False
        assert stored == ["kept"]
        assert storage.blocked is None


async def test_what_a_host_writes_is_told_in_the_status(tmp_path: Path) -> None:
    talk = Talk(tmp_path).say("one", "two")
    talk.append(b'{"type":"hologram","sessionId":"x"}\n')
    async with house(tmp_path) as home:
        await home.capture.caught_up()
        status = await home.capture.status()
        (host,) = status.hosts
        assert (host.host, host.title, host.present, host.sources) == ("claude_code", "Claude Code", True, 1)
        assert (host.lag_s, host.waiting, status.queue, status.scanned, status.blocked) == (0.0, 0, 0, True, None)
        assert (host.newest_captured, host.version) == (1772359202000, "2.1.332")
        assert host.newest_on_disk == talk.path.stat().st_mtime_ns // 1_000_000
        assert any("hologram" in reason for reason in host.skipped)
        assert any("does not know" in warning and "hologram" in warning for warning in host.warnings)
        assert {root.mode for root in host.roots} >= {"native"}


async def test_a_host_that_writes_but_yields_nothing_is_warned_of(tmp_path: Path) -> None:
    Talk(tmp_path).append(b'{"type":"hologram","sessionId":"x"}\n')
    async with house(tmp_path) as home:
        await home.capture.caught_up()
        (host,) = (await home.capture.status()).hosts
        assert any("nothing could be read" in warning for warning in host.warnings)


class HangingWorkers(Workers):
    """Workers that never come to an end with anything."""

    async def run(self, *_: object, **__: object) -> object:  # type: ignore[explicit-override]
        await anyio.sleep_forever()
        raise AssertionError


class LaterClock(SystemClock):
    """The clock of this machine, some time later."""

    later_s = 0.0

    def monotonic_s(self) -> float:  # type: ignore[explicit-override]
        return super().monotonic_s() + self.later_s


async def test_a_host_whose_files_wait_and_yield_nothing_is_warned_of_within_a_minute(tmp_path: Path) -> None:
    config, clock = CaptureConfig(), LaterClock()
    Talk(tmp_path).say("one")
    async with house(tmp_path, config=config, workers=HangingWorkers(), clock=clock) as home:
        with anyio.fail_after(120):
            while not (await home.capture.status()).scanned:  # noqa: ASYNC110 - nothing tells of it
                await anyio.sleep(0.01)
        (host,) = (await home.capture.status()).hosts
        assert (host.present, host.waiting, host.warnings) == (True, 1, ()), "it has only just been seen"
        # The rest of a minute, when it was seen as late as it can be.
        clock.later_s = 60 - config.rescan_s
        (host,) = (await home.capture.status()).hosts
        told = "Claude Code has written files here, but nothing could be read from them so far; 1 waits."
        assert host.warnings == (told,)


STRANGE = {
    "claude_code": ".claude/projects/-p/5e551011-0000-4000-8000-000000000001.jsonl",
    "codex": ".codex/sessions/2026/01/01/rollout-2026-01-01T10-00-00-0c0dec00-0000-7000-8000-0000000000aa.jsonl",
    "gemini": ".gemini/tmp/harbor/chats/session-2026-05-01T10-00-9e000000.jsonl",
    "qwen": ".qwen/projects/-p/chats/0e1e0000-0000-4000-8000-0000000000a1.jsonl",
    "copilot": ".copilot/session-state/c0b10000-0000-4000-8000-0000000000a1/events.jsonl",
    "cursor": ".cursor/projects/p/agent-transcripts/aaaa1111-0000-4000-8000-000000000001.jsonl",
    "cline": ".cline/data/sessions/1795000000000_ada01/1795000000000_ada01.messages.json",
    "continue": ".continue/sessions/0ada0000-c000-4000-8000-000000000001.json",
    "opencode": ".local/share/opencode/opencode.db",
    "kilo": ".local/share/kilo/kilo.db",
    "roo": ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/1746778360000/ui_messages.json",
    "aider": ".aider.chat.history.md",
}


async def test_formats_that_no_host_had_so_far_are_warned_of_at_the_next_look(tmp_path: Path) -> None:
    def unwatched(roots: object) -> Watcher:
        del roots
        return Watcher((), drain_s=0.02, check_s=0.1, poll_s=0.2)

    assert set(STRANGE) == set(adapters())
    assert CaptureConfig().rescan_s <= 60
    async with house(tmp_path, hosts=STRANGE, watcher=unwatched) as home:
        await home.capture.caught_up()
        for relative in STRANGE.values():
            path = tmp_path / relative
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text('{"kind":"hologram","of":"a harbour"}\n')
        await home.capture.rescan()
        await home.capture.caught_up()
        told = {host.host: host for host in (await home.capture.status()).hosts}
    for host, relative in STRANGE.items():
        assert told[host].newest_on_disk == (tmp_path / relative).stat().st_mtime_ns // 1_000_000
        assert told[host].newest_captured is None
        assert any("nothing could be read" in warning for warning in told[host].warnings), host


async def test_a_machine_without_the_host_is_no_reason_to_warn(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await home.capture.caught_up()
        (host,) = (await home.capture.status()).hosts
        assert (host.present, host.warnings, host.newest_on_disk) == (False, (), None)


async def test_a_line_of_sixty_megabytes_stays_within_its_memory(tmp_path: Path) -> None:
    talk = Talk(tmp_path).say("before")
    row = talk.row("HUGE")
    head, tail = row.split(b"HUGE")
    with talk.path.open("ab") as file:
        file.write(head)
        for _ in range(60):
            file.write(b"word " * (1 << 18 >> 2) * 4)
        file.write(tail)
    talk.say("after")
    async with house(tmp_path, workers=Workers(1, memory_bytes=160 << 20)) as home:
        await home.capture.caught_up()
        texts = await home.texts()
        assert (texts[0], texts[-1]) == ("before", "after")
        assert len(texts[1]) < 2_000_000
        peak = await home.workers.run("memd.workers.probe:peak_rss_bytes", None, deadline_s=20)
        assert peak < 120 << 20


async def test_two_runs_that_are_cut_differently_store_the_same(tmp_path: Path) -> None:
    once, twice = tmp_path / "once", tmp_path / "twice"
    for home in (once, twice):
        Talk(home).say(*[f"message {number}" for number in range(50)])
    async with house(once, config=CaptureConfig()) as one:
        await one.capture.caught_up()
        whole = await one.query("SELECT key, seq, text FROM messages ORDER BY key")
    talk = Talk(twice)
    content = talk.path.read_bytes()
    talk.path.write_bytes(b"")
    async with house(twice) as two:
        for start in range(0, len(content), 777):
            talk.append(content[start : start + 777])
            await anyio.sleep(0.002)
        await two.until(lambda rows: rows == [(50,)], "SELECT count(*) FROM messages")
        assert await two.query("SELECT key, seq, text FROM messages ORDER BY key") == whole


async def test_a_loop_of_links_and_a_name_that_is_no_utf8_end_nothing(tmp_path: Path) -> None:
    talk = Talk(tmp_path).say("Hello.")
    odd = Talk(tmp_path, OTHER, slug=os.fsdecode(b"odd\xff"))
    async with house(tmp_path) as home:
        await home.until_texts("Hello.")
        odd.say("Nobody can name me.")
        talk.path.with_name("loop.jsonl").symlink_to("loop.jsonl")
        await anyio.sleep(0.1)
        talk.say("Still there.")
        await home.until_texts("Hello.", "Still there.")
        await home.capture.rescan()
        (host,) = (await home.capture.status()).hosts
        shown = f"{tmp_path}/.claude/projects/odd\\xff/{OTHER}.jsonl"
        assert f"{shown} cannot be read: its name is not UTF-8." in host.warnings


async def test_a_defect_in_one_source_does_not_end_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Talk(tmp_path, OTHER).say("Too much.")
    take_in = capturing.take_in

    def faulty(conn: sqlite3.Connection, source: Source, *arguments: Any) -> object:
        if source.session == OTHER:
            raise OverflowError("int too large to convert to SQLite INTEGER")
        return take_in(conn, source, *arguments)

    monkeypatch.setattr(capturing, "take_in", faulty)
    async with house(tmp_path) as home:
        await home.until(lambda rows: rows, "SELECT 1 FROM sources WHERE error LIKE '%int too large%'")
        Talk(tmp_path).say("Hello.")
        await home.until_texts("Hello.")


async def test_a_folder_that_is_no_path_stops_nobody(tmp_path: Path) -> None:
    odd, plain = Talk(tmp_path, cwd="/w/har\0bor"), Talk(tmp_path, session=OTHER, cwd="/w/harbor")
    for talk in (odd, plain):
        talk.say("one")
    config = CaptureConfig(rescan_s=1)
    async with house(tmp_path, config=config, hosts=("claude_code", "aider")) as here:
        await here.until_texts("one")
        await here.until_texts("one", session=OTHER)
        assert await here.query("SELECT root FROM projects") == [("/w/harbor",)]
        # as an earlier version kept it
        await here.writer.run(lambda conn: projects.resolve(conn, Path("/w/har\0bor"), (), "x", 1))
        await here.capture.refresh_projects()
        await here.capture._find_new_roots()
        assert Path("/w/harbor") in await here.readers.run(capturing.known_places)
        plain.say("two")
        await here.until_texts("one", "two", session=OTHER)


def test_a_host_whose_places_cannot_be_found_holds_up_no_other(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Lost:
        def roots(self, env: HostEnv) -> tuple[Root, ...]:
            raise ValueError("embedded null byte")

    known = {"lost": cast("Adapter", Lost()), "claude_code": adapters()["claude_code"]}
    found = find_roots(CaptureConfig(), HostEnv(tmp_path, {}, "linux"), known)
    assert {adapter for adapter, _ in found} == {known["claude_code"]}
    assert "host=lost" in caplog.text
