"""What memd leaves on the disk: for its owner only, and nothing secret in any of it."""

from __future__ import annotations

import os
import random
import stat
import string
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.integration.daemon.daemon_under_test import Home, running, settled, wait_until
from tests.integration.daemon.talk import Talk

FIRST, SECOND = "0a11ce00-0000-4000-8000-000000000001", "0a11ce00-0000-4000-8000-000000000002"
_CHANCE = random.Random(20261130)


def _token() -> str:
    """A token of a code forge, made up here so that no scanner finds one in this file."""
    return "gh" + "p_" + "".join(_CHANCE.choices(string.ascii_letters + string.digits, k=36))


PLACES = (
    "prompt", "reply", "thinking", "tool input", "tool output", "error", "title", "hook prompt", "spooled prompt",
    "torn hook", "query", "operation", "summary of a compaction", "why it starts", "model", "why it ends",
)  # fmt: skip
SECRETS = {place: _token() for place in PLACES}
KEPT_BACK = {
    place: "".join(_CHANCE.choices(string.ascii_lowercase, k=14))
    for place in (
        "prompt", "unclosed", "reply", "title", "output", "hook prompt", "compaction", "fact", "its title", "edit",
        "note", "handoff", "summary", "block", "kept prompt", "message", "query",
    )
}  # fmt: skip
"""Words that nobody takes for a secret unless a person marks them as private."""


def ours(home: Home) -> Iterator[Path]:
    """Everything that memd made in a home."""
    paths = home.paths
    for folder in (paths.data_dir, paths.state_dir, paths.cache_dir, paths.config_dir, paths.runtime_dir):
        if folder.exists():
            yield from (folder, *folder.rglob("*"))


def leaks(home: Home) -> list[tuple[str, str]]:
    """Each secret that stands in a file, with the file: everything in the home but the host's own transcripts."""
    found = []
    for path in home.folder.rglob("*"):
        if path.is_file() and ".claude" not in path.parts:
            content = path.read_bytes().lower()
            found += [(place, str(path)) for place, secret in SECRETS.items() if secret.lower().encode() in content]
    return found


def tell(home: Home, project: Path) -> None:
    """Let a secret stand wherever a host may write or send one."""
    talk = Talk(home.transcript(FIRST), project)
    talk.user(f"Push with the token {SECRETS['prompt']} to the harbour, and remember the lighthouse")
    talk.model(f"Let's use {SECRETS['reply']} from now on, because the old one has expired.")
    talk.tool("Bash", {"command": f"curl -H 'Authorization: Bearer {SECRETS['tool input']}' https://harbor.example"},
              f"token={SECRETS['tool output']}")  # fmt: skip
    talk.tool("Bash", {"command": "make deploy"}, f"denied for {SECRETS['error']}", failed=True)
    talk.model("Done.", thinking=f"I should hide {SECRETS['thinking']} from them.")
    talk.note("ai-title", aiTitle=f"Rotating {SECRETS['title']}")
    home.hook("SessionStart", SECOND, project, source=SECRETS["why it starts"], model=SECRETS["model"])
    home.hook("UserPromptSubmit", FIRST, project, prompt=f"why does {SECRETS['hook prompt']} not open the lighthouse?")
    home.hook("PostCompact", FIRST, project, compact_summary=f"The token is {SECRETS['summary of a compaction']}")
    home.raw(b'{"op":"hook","host":"claude_code","bytes":900}\n{"prompt":"' + SECRETS["torn hook"].encode())
    home.call("search", query=f"{SECRETS['query']} lighthouse")
    home.raw(f'{{"op":"{SECRETS["operation"]}","params":{{}}}}\n'.encode(), lines=1)


def test_no_secret_reaches_the_disk_whichever_way_it_comes(home: Home, project: Path) -> None:
    with running(home) as daemon:
        assert daemon.stop() == 0
    spooled = {"session_id": SECOND, "cwd": str(project), "prompt": f"use {SECRETS['spooled prompt']}"}
    hook = home.start_hook({**spooled, "hook_event_name": "UserPromptSubmit"})
    assert hook.communicate(timeout=90) == (b"", b"")
    assert list(home.paths.spool_dir.iterdir())
    assert leaks(home) == []
    home.settings["MEMD_LOG_LEVEL"] = "debug"

    with running(home) as daemon:
        tell(home, project)
        wait_until(lambda: bool(home.call("search", query="lighthouse")["hits"]), "the prompt")
        home.hook("SessionEnd", FIRST, project, reason=SECRETS["why it ends"])
        wait_until(lambda: bool(home.query("SELECT 1 FROM session_summaries")), "the distilled session")
        home.call("backup.now")
        daemon.kill9()
    assert home.paths.database.with_name("memd.db-wal").stat().st_size
    assert leaks(home) == []

    with running(home) as daemon:
        assert daemon.stop() == 0
    assert leaks(home) == []
    assert list(home.paths.backups_dir.iterdir())


def private(place: str) -> str:
    """A text of which a word is marked as private, or all that follows it."""
    end = "" if place == "unclosed" else "</private> of the pier"
    return f"The keeper of the lighthouse <private>{KEPT_BACK[place]}{end}"


def test_nothing_that_is_marked_private_reaches_the_disk_whichever_way_it_comes(home: Home, project: Path) -> None:
    with running(home) as daemon:
        talk = Talk(home.transcript(FIRST), project)
        talk.user(private("prompt"))
        talk.user(private("unclosed"))
        talk.model(private("reply"))
        talk.tool("Bash", {"command": "cat keeper"}, private("output"))
        talk.note("ai-title", aiTitle=private("title"))
        home.hook("UserPromptSubmit", FIRST, project, prompt=private("hook prompt"))
        home.hook("PostCompact", FIRST, project, compact_summary=private("compaction"))
        wait_until(lambda: bool(home.call("search", query="keeper")["hits"]), "the prompt")
        home.hook("SessionEnd", FIRST, project, reason="other")
        wait_until(lambda: settled(home), "the distilled session")
        here = {"project": str(project)}
        made = home.call("facts.remember", text=private("fact"), title=private("its title"), **here)
        home.call("facts.edit", fact=made["fact"]["id"], text=private("edit"))
        home.call("facts.note", text=private("note"), **here)
        home.call("handoff.leave", text=private("handoff"), **here)
        home.call("sessions.summarise", session=FIRST, text=private("summary"))
        home.call("blocks.set", label="watch", value=private("block"), **here)
        home.call("prompts.save", text=private("kept prompt"), **here)
        home.call("messages.add", messages=[{"content": private("message")}], infer=False, **here)
        home.call("search", query=private("query"))
        home.call("jobs.run", job="traces")
        home.call("backup.now")
        daemon.kill9()
    files = [path for path in home.folder.rglob("*") if path.is_file() and ".claude" not in path.parts]
    kept = {path: path.read_bytes().lower() for path in files}
    assert any(b"lighthouse" in content for content in kept.values())
    assert [place for place, word in KEPT_BACK.items() if any(word.encode() in one for one in kept.values())] == []


def _as_usual() -> None:
    os.umask(0o022)


def test_files_and_folders_are_for_their_owner_only(home: Home, project: Path) -> None:
    config = home.paths.config_file
    hook = home.start_hook({"hook_event_name": "Stop", "session_id": FIRST, "cwd": str(project)})
    assert hook.communicate(timeout=90) == (b"", b"")
    init = [sys.executable, "-m", "memd", "config", "init"]
    assert subprocess.run(init, env=home.env, preexec_fn=_as_usual, capture_output=True, check=False).returncode == 0
    with running(home, prepare=_as_usual) as daemon:
        Talk(home.transcript(FIRST), project).user("The first word about the anchor")
        wait_until(lambda: bool(home.call("search", query="anchor")["hits"]), "the first word")
        home.call("backup.now")
        seen = {path: stat.S_IMODE(path.lstat().st_mode) for path in ours(home)}
        daemon.kill9()
    names = {path.name for path in seen}
    assert {"memd.db", "memd.db-wal", "memd.sock", "daemon.lock", "memd.log", "backups", "spool"} <= names
    assert config in seen
    assert {str(path): oct(mode) for path, mode in seen.items() if mode & 0o077} == {}
    assert {oct(mode) for path, mode in seen.items() if path.is_dir()} == {"0o700"}
    assert {oct(mode) for path, mode in seen.items() if path.is_file()} == {"0o600"}


def test_nothing_is_written_outside_of_memds_own_folders(home: Home, project: Path) -> None:
    with running(home) as daemon:
        Talk(home.transcript(FIRST), project).user("Let's use SQLite instead of Postgres, because there is no server.")
        home.hook("SessionEnd", FIRST, project, reason="other")
        before = {path for path in home.folder.rglob("*") if path not in set(ours(home))}
        wait_until(lambda: settled(home), "the distilled session")
        home.hook("SessionStart", SECOND, project, source="startup")
        home.call("backup.now")
        assert daemon.stop() == 0
    assert {path for path in home.folder.rglob("*") if path not in set(ours(home))} == before
