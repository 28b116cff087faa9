from __future__ import annotations

import json
from pathlib import Path

import pytest

from memd.adapter import HostEnv, LiveProcess, Root, Source
from memd_adapters.claude_code import ADAPTER
from tests.unit.adapters.claude_rows import OTHER, SESSION, Rows

HOME = Path("/home/ada")
PROJECTS = HOME / ".claude" / "projects"
SLUG = PROJECTS / "-home-ada-harbor"
AGENT = "a2646945cc569a679"


def roots(platform: str = "linux", extra: tuple[Path, ...] = (), **env: str) -> list[str]:
    return [str(root.path) for root in ADAPTER.roots(HostEnv(HOME, env, platform, extra))]


def classify(path: Path, root: Path = PROJECTS) -> tuple[str | None, str | None] | None:
    source = ADAPTER.classify(Root("claude_code", root), path)
    return None if source is None else (source.session, source.parent)


def test_the_home_folder_and_the_xdg_folder_are_read() -> None:
    assert roots()[:2] == ["/home/ada/.claude/projects", "/home/ada/.config/claude/projects"]
    assert "/srv/cfg/claude/projects" in roots(XDG_CONFIG_HOME="/srv/cfg")


def test_claude_config_dir_may_be_one_folder_or_several() -> None:
    assert roots(CLAUDE_CONFIG_DIR="/srv/claude")[0] == "/srv/claude/projects"
    assert roots(CLAUDE_CONFIG_DIR="/srv/a, ~/b ,")[:2] == ["/srv/a/projects", "/home/ada/b/projects"]


def test_a_decomposed_folder_name_is_composed_as_the_host_does() -> None:
    assert roots(CLAUDE_CONFIG_DIR="/srv/cafe\u0301")[0] == "/srv/caf\u00e9/projects"


def test_a_relative_claude_config_dir_is_left_out() -> None:
    assert roots(CLAUDE_CONFIG_DIR="somewhere") == roots()


def test_a_folder_named_twice_is_one_root() -> None:
    assert roots(CLAUDE_CONFIG_DIR="/home/ada/.claude") == roots()


def test_the_desktop_app_has_a_place_of_its_own() -> None:
    assert "/home/ada/Library/Application Support/Claude/local-agent-mode-sessions" in roots("darwin")


def test_extra_roots_are_taken_and_resume_copies_are_not() -> None:
    assert roots(extra=(Path("/srv/old"), Path("/tmp/claude-resume-abc")))[-1] == "/srv/old"
    assert classify(Path("/tmp/claude-resume-abc/projects/-x") / f"{SESSION}.jsonl", Path("/tmp")) is None


def test_sessions_and_subagents_are_told_by_their_place() -> None:
    assert classify(SLUG / f"{SESSION}.jsonl") == (SESSION, None)
    assert classify(SLUG / SESSION / "subagents" / f"agent-{AGENT}.jsonl") == (AGENT, SESSION)
    assert classify(SLUG / SESSION / "subagents" / "workflows" / "wf" / f"agent-{AGENT}.jsonl") == (AGENT, SESSION)
    assert classify(SLUG / SESSION / "chat.jsonl") == (SESSION, None)


def test_the_short_id_of_an_agent_is_unique_below_its_parent_only() -> None:
    assert classify(SLUG / SESSION / "subagents" / "agent-a13f09c.jsonl") == (f"{SESSION}:a13f09c", SESSION)
    assert classify(SLUG / "agent-a13f09c.jsonl") == (None, None)


@pytest.mark.parametrize(
    "path",
    [
        SLUG / SESSION / "subagents" / f"agent-acompact-{AGENT}.jsonl",
        SLUG / "agent-acompact-1.jsonl",
        SLUG / SESSION / "subagents" / f"agent-{AGENT}.meta.json",
        SLUG / SESSION / "subagents" / "workflows" / "wf" / "journal.jsonl",
        SLUG / SESSION / "tool-results" / "b1.txt",
        SLUG / SESSION / "before-cleanup" / "x.jsonl.replaced",
        SLUG / SESSION / "custom-title.json",
        SLUG / f"{SESSION}.jsonl.superseded-17",
        SLUG / f"{SESSION}.jsonl.compact.tmp.1f",
        SLUG / "sessions-index.json",
        HOME / ".claude" / "history.jsonl",
        HOME / ".claude" / "sessions" / "17.json",
        Path("/elsewhere") / f"{SESSION}.jsonl",
    ],
)
def test_what_is_no_transcript_is_no_source(path: Path) -> None:
    assert classify(path) is None


def test_a_root_may_be_the_configuration_folder_or_one_projects_folder() -> None:
    assert classify(SLUG / f"{SESSION}.jsonl", HOME / ".claude") == (SESSION, None)
    assert classify(HOME / ".claude" / "history.jsonl", HOME / ".claude") is None
    assert classify(SLUG / f"{SESSION}.jsonl", SLUG) == (SESSION, None)


def test_desktop_sessions_lie_in_a_configuration_folder_each() -> None:
    root = HOME / "Library/Application Support/Claude/local-agent-mode-sessions"
    folder = root / "org" / "acct" / "local_1"
    assert classify(folder / ".claude" / "projects" / "-x" / f"{SESSION}.jsonl", root) == (SESSION, None)
    assert classify(folder / "audit.jsonl", root) is None


def test_a_transcript_lying_anywhere_is_recognised_by_its_rows(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("hello")
    assert ADAPTER.recognise(tmp_path / "export.jsonl", rows.lines()) == Source(
        "claude_code", tmp_path / "export.jsonl", SESSION
    )
    assert ADAPTER.recognise(tmp_path / f"{OTHER}.jsonl", rows.lines()) == Source(
        "claude_code", tmp_path / f"{OTHER}.jsonl", OTHER
    )


def test_a_first_line_too_long_to_see_whole_is_recognised(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("x" * 100_000)
    for line in (rows.lines(), b'{"type":"api-request-shape","sessionId":"' + b"x" * 100_000):
        assert ADAPTER.recognise(tmp_path / f"{SESSION}.jsonl", line[:65536]) is not None


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"\0" * 100,
        b"not json\n",
        b'{"display":"hi","pastedContents":{},"timestamp":1,"project":"/x","sessionId":"s"}\n',
        b'{"uuid":"1","parentUuid":null,"sessionId":"s","type":"user","message":{"role":"user","parts":[]}}\n',
        b'{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"x"}}\n',
    ],
)
def test_what_another_program_wrote_is_not_recognised(tmp_path: Path, head: bytes) -> None:
    assert ADAPTER.recognise(tmp_path / "x.jsonl", head) is None


def test_running_processes_are_those_of_the_pid_files(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    (folder / "4711.json").write_text(json.dumps({"pid": 4711, "sessionId": SESSION, "procStart": "80153"}))
    (folder / "12.json").write_text(json.dumps({"pid": 12, "sessionId": OTHER}))
    (folder / "13.json").write_text("{half")
    (folder / "14.json").write_text(json.dumps({"pid": "14", "sessionId": OTHER}))
    secret = folder / "4711.0a1b.key"
    secret.write_text("secret")
    secret.chmod(0)
    assert ADAPTER.live(Root("claude_code", tmp_path / "projects")) == (
        LiveProcess(OTHER, 12, None),
        LiveProcess(SESSION, 4711, "80153"),
    )
    assert ADAPTER.live(Root("claude_code", tmp_path / "none" / "projects")) == ()
