from __future__ import annotations

import os
import shutil
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from memd.config import CaptureConfig, load
from tests.integration.capture.house import SESSION, Talk, house
from tests.unit.adapters import test_cline_resumed as cline

_TEXTS = "SELECT text FROM messages ORDER BY id"

pytestmark = pytest.mark.filterwarnings("ignore:Callback with id:RuntimeWarning")


async def test_what_lay_there_before_is_read(tmp_path: Path) -> None:
    Talk(tmp_path).say("use sqlite", "agreed")
    async with house(tmp_path) as home:
        await home.capture.caught_up()
        assert await home.texts() == ["use sqlite", "agreed"]


async def test_a_new_session_and_what_is_appended_to_it_are_read(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        talk = Talk(tmp_path).say("one")
        await home.until_texts("one")
        talk.say("two", "three")
        await home.until_texts("one", "two", "three")


async def test_a_torn_last_line_is_left_until_it_is_whole(tmp_path: Path) -> None:
    talk = Talk(tmp_path).say("one")
    row = talk.row("two")
    talk.append(row[:40])
    async with house(tmp_path) as home:
        await home.until_texts("one")
        talk.append(row[40:])
        await home.until_texts("one", "two")


async def test_a_file_that_grows_while_it_is_read_is_read_to_its_end_once(tmp_path: Path) -> None:
    talk = Talk(tmp_path)
    texts = [f"message {number}" for number in range(300)]
    async with house(tmp_path) as home:
        for text in texts:
            talk.say(text)
            await anyio.lowlevel.checkpoint()
        await home.until_texts(*texts)


async def test_a_file_rewritten_in_place_repeats_nothing(tmp_path: Path) -> None:
    talk = Talk(tmp_path).say("one", "two", "three")
    async with house(tmp_path) as home:
        await home.until_texts("one", "two", "three")
        content = talk.path.read_bytes()
        lines = content.splitlines(keepends=True)
        talk.path.write_bytes(lines[0] + lines[1] + talk.row("four"))
        await home.until(lambda rows: rows == [(4,)], "SELECT count(*) FROM messages")
        assert sorted(await home.texts()) == ["four", "one", "three", "two"]


async def test_a_truncated_file_loses_nothing_and_goes_on(tmp_path: Path) -> None:
    talk = Talk(tmp_path).say("one", "two", "three")
    async with house(tmp_path) as home:
        await home.until_texts("one", "two", "three")
        first = talk.path.read_bytes().splitlines(keepends=True)[0]
        talk.path.write_bytes(first)
        talk.say("four")
        await home.until(lambda rows: rows == [(4,)], "SELECT count(*) FROM messages")


async def test_a_file_replaced_by_a_copy_of_itself_repeats_nothing(tmp_path: Path) -> None:
    talk = Talk(tmp_path).say("one", "two")
    async with house(tmp_path) as home:
        await home.until_texts("one", "two")
        copy = talk.path.with_suffix(".tmp")
        copy.write_bytes(talk.path.read_bytes() + talk.row("three"))
        copy.rename(talk.path)
        await home.until_texts("one", "two", "three")
        inode = talk.path.stat().st_ino
        await home.until(lambda rows: rows == [(inode,)], "SELECT inode FROM sources")


async def test_a_moved_file_goes_on_as_the_same_source(tmp_path: Path) -> None:
    talk = Talk(tmp_path).say("one", "two")
    async with house(tmp_path) as home:
        await home.until_texts("one", "two")
        target = tmp_path / ".claude" / "projects" / "-moved" / talk.path.name
        target.parent.mkdir()
        talk.path.rename(target)
        talk.path = target
        talk.say("three")
        await home.until_texts("one", "two", "three")
        await home.until(lambda rows: rows == [(str(target), None)], "SELECT path, gone_at FROM sources")
        assert await home.query("SELECT count(*) FROM sessions") == [(1,)]


async def test_a_file_moved_while_memd_was_down_goes_on_as_the_same_source(tmp_path: Path) -> None:
    talk = Talk(tmp_path).say("one", "two")
    async with house(tmp_path) as home:
        await home.until_texts("one", "two")
    target = tmp_path / ".claude" / "projects" / "-moved" / talk.path.name
    target.parent.mkdir()
    talk.path.rename(target)
    async with house(tmp_path) as home:
        await home.capture.caught_up()
        assert await home.query("SELECT path, gone_at FROM sources") == [(str(target), None)]
        assert await home.texts() == ["one", "two"]


async def test_a_deleted_file_keeps_its_session(tmp_path: Path) -> None:
    talk = Talk(tmp_path).say("one", "two")
    async with house(tmp_path) as home:
        await home.until_texts("one", "two")
        talk.path.unlink()
        await home.until(lambda rows: rows[0][0] is not None, "SELECT gone_at FROM sources")
        assert await home.texts() == ["one", "two"]


async def test_a_file_deleted_while_memd_was_down_is_noted_and_one_that_returns_too(tmp_path: Path) -> None:
    talk = Talk(tmp_path).say("one")
    async with house(tmp_path) as home:
        await home.until_texts("one")
    content = talk.path.read_bytes()
    talk.path.unlink()
    async with house(tmp_path) as home:
        await home.until(lambda rows: rows[0][0] is not None, "SELECT gone_at FROM sources")
        talk.path.write_bytes(content)
        await home.until(lambda rows: rows == [(None,)], "SELECT gone_at FROM sources")
        assert await home.texts() == ["one"]


async def test_folders_that_appear_later_are_read(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await home.capture.caught_up()
        aside = tmp_path / "aside"
        talk = Talk(aside).say("one")
        (aside / ".claude").rename(tmp_path / ".claude")
        await home.until_texts("one")
        talk.path = tmp_path / talk.path.relative_to(aside)
        talk.say("two")
        await home.until_texts("one", "two")


async def test_the_newest_session_is_read_first(tmp_path: Path) -> None:
    names = [f"5e551011-0000-4000-8000-{number:012}" for number in range(30)]
    for number, name in enumerate(names):
        talk = Talk(tmp_path, name).say(f"in session {number}", "yes")
        os.utime(talk.path, (1_700_000_000 + number, 1_700_000_000 + number))
    async with house(tmp_path) as home:
        await home.capture.caught_up()
        rows = await home.query("SELECT native_id FROM sessions ORDER BY id")
        order = [names.index(str(name)) for (name,) in rows]
        assert len(order) == 30
        assert all(abs(place - (29 - number)) <= 3 for place, number in enumerate(order))


async def test_thousands_of_files_are_read_once(tmp_path: Path) -> None:
    for number in range(1200):
        Talk(tmp_path, f"5e551011-0000-4000-8000-{number:012}", slug=f"-p{number % 20}").say(f"note {number}")
    async with house(tmp_path) as home:
        with anyio.fail_after(120):
            await home.capture.caught_up()
        assert await home.query("SELECT count(*), count(DISTINCT text) FROM messages") == [(1200, 1200)]
        status = await home.capture.status()
        assert status.bytes_done == status.bytes_total > 0
    async with house(tmp_path) as home:
        await home.capture.caught_up()
        assert home.workers.status().started == 0, "a second start found nothing to read"


async def test_a_source_is_read_by_rescan_where_nothing_is_watched(tmp_path: Path) -> None:
    from memd.capture.watch import Watcher

    def polled(roots: object) -> Watcher:
        return Watcher(roots, drain_s=0.02, check_s=0.1, poll_s=0.1, poll_always=True)  # type: ignore[arg-type]

    async with house(tmp_path, watcher=polled) as home:
        talk = Talk(tmp_path).say("one")
        await home.until_texts("one")
        talk.say("two")
        await home.until_texts("one", "two")


async def test_secrets_never_reach_the_disk(tmp_path: Path) -> None:
    secret = "-".join(["sk", "ant", "api03", "Qw7" * 12])
    Talk(tmp_path).say(f"my key is {secret}", f"do not post {secret}")
    async with house(tmp_path) as home:
        await home.capture.caught_up()
        assert len(await home.texts()) == 2
    for file in (tmp_path / "memd.db", tmp_path / "memd.db-wal"):
        if file.exists():
            assert secret.encode() not in file.read_bytes()


async def test_a_folder_may_be_a_root_of_several_hosts(tmp_path: Path) -> None:
    shared = tmp_path / "kept"
    (shared / "projects" / "-p").mkdir(parents=True)
    config = CaptureConfig(extra_roots=(f"codex={shared}", f"claude_code={shared}"))
    async with house(tmp_path, config=config, hosts=("codex", "claude_code")) as home:
        await home.capture.caught_up()
        talk = Talk(tmp_path)
        talk.path = shared / "projects" / "-p" / talk.path.name
        talk.say("seen as it is written")
        await home.until_texts("seen as it is written")


async def test_a_comma_list_adds_folders_of_any_shape_and_what_is_watched_anyway_is_read_once(tmp_path: Path) -> None:
    talk = Talk(tmp_path).say("watched anyway")
    fixtures = Path(__file__).parents[2] / "fixtures"
    codex, work = tmp_path / "kept", tmp_path / "work"
    shutil.copytree(fixtures / "codex" / "bare" / "sessions", codex)
    shutil.copytree(fixtures / "aider" / "written-crlf", work)
    other = "5e551011-0000-4000-8000-000000000002"
    elsewhere = Talk(tmp_path / "elsewhere", other).say("of another machine")
    named = (f"claude_code={talk.path.parents[1]}", f"claude_code={elsewhere.path.parents[1]}", f"codex={codex}")
    env = {"MEMD_CAPTURE_EXTRA_ROOTS": ", ".join((*named, f"aider={work}", f"codex={codex}"))}
    config = load(tmp_path / "no.toml", env).capture
    async with house(tmp_path, config=config, hosts=("claude_code", "codex", "aider")) as home:
        await home.capture.caught_up()
        assert await home.texts() == ["watched anyway"]
        assert await home.texts(other) == ["of another machine"]
        hosts = await home.query("SELECT host, count(*) FROM sessions GROUP BY host ORDER BY host")
        assert hosts == [("aider", 1), ("claude_code", 2), ("codex", 1)]
        assert await home.query("SELECT count(*) FROM sources") == [(4,)]
        talk.say("and went on")
        await home.until_texts("watched anyway", "and went on")


@pytest.mark.parametrize("newer", ["task", "session"])
async def test_a_task_gone_on_with_in_a_session_of_its_id_is_captured_once(tmp_path: Path, newer: str) -> None:
    history = cline.write(tmp_path / cline.BESIDE / "api_conversation_history.json", cline.HISTORY)
    rows = [*cline.COPIED, cline.text("user", cline.WARNINGS[0]), *cline.NEW]
    messages = cline.session(tmp_path, rows, legacyTask=True)
    os.utime(history if newer == "session" else messages, (1_795_000_000, 1_795_000_000))  # the newest is read first
    async with house(tmp_path, hosts=["cline"]) as home:
        await home.capture.caught_up()
        thanks = cline.text("user", '<user_input mode="act">thanks</user_input>', ts=cline.T + 902, id="n3")
        cline.session(tmp_path, [*rows, thanks], legacyTask=True)
        await home.until_texts(*cline.ALL_TEXTS, "thanks", session=cline.TASK)
        assert await home.query("SELECT native_id, messages FROM sessions") == [(cline.TASK, 8)]


def at_rest(home: Path) -> list[bytes]:
    """Whatever the database has on disk."""
    return [file.read_bytes() for file in home.glob("memd.db*")]


async def test_sessions_of_an_excluded_folder_leave_no_trace(tmp_path: Path) -> None:
    talk = Talk(tmp_path, cwd="/home/ada/secret/plan").say("hidden")
    other = "5e551011-0000-4000-8000-000000000002"
    Talk(tmp_path, other, cwd="/home/ada/harbor").say("open")
    async with house(tmp_path, config=CaptureConfig(exclude=("/home/ada/secret/**",))) as home:
        await home.capture.caught_up()
        talk.say("hidden as well")
        await home.until_texts("open", session=other)
        await home.capture.rescan()
        await home.capture.caught_up()
        assert await home.query("SELECT native_id FROM sessions") == [(other,)]
        assert await home.query("SELECT count(*) FROM sources") == [(1,)]


async def test_a_session_that_moves_into_an_excluded_folder_is_stored_up_to_there(tmp_path: Path) -> None:
    config = CaptureConfig(exclude=("/home/ada/secret/**",))
    talk = Talk(tmp_path, cwd="/home/ada/harbor").say("open")
    talk.cwd = "/home/ada/secret/plan"
    talk.say("hidden")
    async with house(tmp_path, config=config) as home:
        await home.capture.caught_up()
        assert await home.texts() == ["open"]
    talk.say("hidden while nobody looked")
    async with house(tmp_path, config=config) as home:
        await home.capture.caught_up()
        talk.say("hidden as well")
        await home.capture.rescan()
        await home.capture.caught_up()
        talk.cwd = "/home/ada/harbor"
        talk.say("open again")
        await home.until_texts("open", "open again")
        counts = "SELECT k.count, c.lines FROM source_skips k JOIN sources c ON c.id = k.source_id"
        ((left_out, lines),) = await home.query(counts)
        assert (left_out, lines) == (5, 5)  # counted once although the file was read twice
    assert not [file for file in at_rest(tmp_path) if b"hidden" in file]


async def test_a_secret_in_the_name_of_a_folder_is_not_stored(tmp_path: Path) -> None:
    secret = "gh" + "p_" + "q7Zt3LmW9xKd2RvB8nYc5HsJ4fGp6TaE1uNo"
    repo = tmp_path / "work" / secret
    (repo / ".git").mkdir(parents=True)
    (repo / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    Talk(tmp_path, cwd=str(repo / "src")).say("one")
    Talk(tmp_path, "5e551011-0000-4000-8000-000000000002", cwd=str(repo)).say("two")
    async with house(tmp_path) as home:
        await home.capture.caught_up()
        ((name, root, sessions),) = await home.query(
            "SELECT p.name, p.root, count(*) FROM sessions s JOIN projects p ON p.id = s.project_id GROUP BY 1, 2"
        )
        assert (name, sessions) == ("[redacted:github]", 2)
        assert await home.capture.project_root(repo / "docs") == Path(str(root))
    assert not [file for file in at_rest(tmp_path) if secret.encode() in file]


async def test_a_session_gets_the_project_of_its_folder(tmp_path: Path) -> None:
    repo = tmp_path / "harbor"
    (repo / ".git").mkdir(parents=True)
    (repo / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    Talk(tmp_path, cwd=str(repo / "src")).say("one")
    async with house(tmp_path) as home:
        await home.capture.caught_up()
        rows = await home.query("SELECT p.root, p.name FROM sessions s JOIN projects p ON p.id = s.project_id")
        assert rows == [(str(repo), "harbor")]


async def test_a_session_at_home_has_no_project(tmp_path: Path) -> None:
    Talk(tmp_path, cwd=str(tmp_path)).say("one")
    async with house(tmp_path) as home:
        await home.capture.caught_up()
        assert await home.query("SELECT native_id, project_id FROM sessions") == [(SESSION, None)]


async def test_a_host_that_writes_into_work_trees_is_followed_into_one_it_comes_to_later(tmp_path: Path) -> None:
    (tmp_path / ".aider").mkdir()
    asked = ["\n# aider chat started at 2026-04-05 06:07:08\n", "\n#### use sqlite  \n", "\nAgreed.\n"]
    async with house(tmp_path, config=CaptureConfig(rescan_s=1), hosts=["aider"]) as home:
        await home.capture.caught_up()
        history = tmp_path / "harbor" / ".aider.chat.history.md"
        history.parent.mkdir()
        history.write_text("".join(asked))
        await home.until(lambda rows: [text for (text,) in rows] == ["use sqlite", "Agreed."], _TEXTS)
        with history.open("a") as more:
            more.write("\n#### and the tests?  \n\nTomorrow.\n")
        await home.until(lambda rows: len(rows) == 4, _TEXTS)
