"""Registering in Claude Code's settings: once, at the end, and gone again without a trace."""

from __future__ import annotations

import json
import stat
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from memd.errors import SettingsError
from memd_hooks import claude_code
from memd_hooks.claude_code import EVENTS, TIMEOUT_S, Version, plan_install, plan_uninstall, settings_file
from memd_hooks.shim import hook_command

NEWEST: Version = (2, 1, 332)
SHIM = Path("/home/ada/.local/share/memd/bin/memd-hook")
COMMAND = hook_command(Path("/opt/ada's python/bin/python3"), SHIM, "claude_code")
ORDINARY = b"""{
  "permissions": {"allow": ["Bash(make:*)"], "deny": []},
  "hooks": {
    "Stop": [
      {
        "hooks": [{"type": "command", "command": "say done"}]
      }
    ],
    "PreToolUse": [ ]
  },
  "model": "opus"
}
"""


@dataclass(frozen=True, slots=True)
class Desk:
    """A home with Claude Code's settings and memd's state folder."""

    settings: Path
    state: Path

    def install(self, command: str = COMMAND, version: Version | None = NEWEST) -> tuple[str, ...]:
        plan = plan_install(self.settings, command, version=version)
        done = claude_code.apply(plan, self.state)
        assert done.steps == plan.steps
        return done.steps

    def uninstall(self) -> tuple[str, ...]:
        return claude_code.apply(plan_uninstall(self.settings), self.state).steps

    def hooks(self) -> Any:
        return json.loads(self.settings.read_bytes())["hooks"]

    def left(self) -> list[str]:
        """Every file and folder below the home."""
        home = self.state.parent
        return sorted(str(path.relative_to(home)) for path in home.rglob("*"))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    (tmp_path / "state").mkdir()
    return Desk(tmp_path / ".claude" / "settings.json", tmp_path / "state")


@pytest.fixture
def ordinary(desk: Desk) -> Desk:
    desk.settings.parent.mkdir()
    desk.settings.write_bytes(ORDINARY)
    return desk


def test_every_event_gets_a_group_of_our_own(desk: Desk) -> None:
    assert desk.install() == tuple(f"add a hook for {event}" for event in EVENTS)
    assert desk.hooks() == {
        event: [{"hooks": [{"type": "command", "command": COMMAND, "timeout": TIMEOUT_S}]}] for event in EVENTS
    }


def test_the_timeout_is_in_seconds() -> None:
    assert 1 <= TIMEOUT_S <= 30


def test_our_group_is_the_last_and_the_others_stay(ordinary: Desk) -> None:
    ordinary.install()
    stop = ordinary.hooks()["Stop"]
    assert stop[0] == {"hooks": [{"type": "command", "command": "say done"}]}
    assert len(stop) == 2
    assert ordinary.hooks()["PreToolUse"] == []


def test_a_second_install_changes_no_byte(ordinary: Desk) -> None:
    ordinary.install()
    files = (ordinary.settings, ordinary.state / "installed.json")
    before = [(file.read_bytes(), file.stat().st_ino) for file in files]
    assert ordinary.install() == ()
    assert not plan_install(ordinary.settings, COMMAND, version=NEWEST).changes
    assert [(file.read_bytes(), file.stat().st_ino) for file in files] == before


def test_a_plan_writes_nothing(desk: Desk) -> None:
    assert plan_install(desk.settings, COMMAND).changes
    assert not plan_uninstall(desk.settings).changes
    assert desk.left() == ["state"]


DOCUMENTS = {
    "an ordinary file": ORDINARY,
    "CRLF, tabs and no last line end": ORDINARY.replace(b"\n", b"\r\n").replace(b"  ", b"\t").rstrip(),
    "a byte order mark": b"\xef\xbb\xbf" + ORDINARY,
    "one line": b'{"model":"opus","hooks":{"Stop":[{"hooks":[]}]}}',
    "an empty object": b"{}",
    "an empty object over lines": b"{\n}\n",
    "empty hooks": b'{\n  "hooks": {}\n}\n',
    "empty events": b'{"hooks": {"Stop": [ ], "SessionStart": []}}',
    "an empty file": b"",
    "white space": b"\n  \n",
}


@pytest.mark.parametrize("data", DOCUMENTS.values(), ids=DOCUMENTS)
def test_uninstall_gives_back_the_bytes(desk: Desk, data: bytes) -> None:
    desk.settings.parent.mkdir()
    desk.settings.write_bytes(data)
    desk.install()
    assert desk.uninstall() == tuple(f"remove the hook for {event}" for event in desk_order(data))
    assert desk.settings.read_bytes() == data
    assert desk.left() == [".claude", ".claude/settings.json", "state"]


def desk_order(data: bytes) -> list[str]:
    """Events in the order in which they stand in the settings after an install."""
    document = json.loads(data.decode("utf-8-sig").strip() or "{}")
    there = [event for event in document.get("hooks", {}) if event in EVENTS]
    return there + [event for event in EVENTS if event not in there]


def test_no_file_is_no_file_again_and_the_folder_goes_with_it(desk: Desk) -> None:
    desk.install()
    desk.uninstall()
    assert desk.left() == ["state"]


def test_a_file_that_memd_made_stays_once_it_holds_something_else(desk: Desk) -> None:
    desk.install()
    settings = json.loads(desk.settings.read_bytes())
    desk.settings.write_text(json.dumps(settings | {"model": "opus"}, indent=2))
    desk.uninstall()
    assert desk.settings.read_bytes() == b'{\n  "model": "opus"\n}'


def test_what_the_person_edits_meanwhile_is_what_uninstall_leaves(ordinary: Desk) -> None:
    def edit(data: bytes) -> bytes:
        data = data.replace(b'"model": "opus"', b'"model": "sonnet",\n    "theme":"dark"')
        return data.replace(b'"say done"}', b'"say well done"}, {"type": "command", "command": "date"}')

    ordinary.install()
    ordinary.settings.write_bytes(edit(ordinary.settings.read_bytes()))
    ordinary.uninstall()
    assert ordinary.settings.read_bytes() == edit(ORDINARY)


def test_without_the_manifest_uninstall_still_takes_out_what_is_ours(ordinary: Desk) -> None:
    ordinary.install()
    (ordinary.state / "installed.json").write_bytes(b"\x00 damaged")
    ordinary.uninstall()
    assert ordinary.settings.read_bytes() == ORDINARY


def test_uninstall_without_install_changes_nothing(ordinary: Desk) -> None:
    assert ordinary.uninstall() == ()
    assert ordinary.settings.read_bytes() == ORDINARY


def test_a_new_command_takes_the_old_ones_place(ordinary: Desk) -> None:
    ordinary.install()
    raw = ordinary.settings.read_bytes().replace(b'"timeout": 5', b'"timeout": 9')
    ordinary.settings.write_bytes(raw)
    other = hook_command(Path("/usr/bin/python3"), Path("/home/ada/memd/bin/memd-hook"), "claude_code")
    assert set(ordinary.install(other)) == {f"update the hook for {event}" for event in EVENTS}
    assert ordinary.settings.read_bytes() == raw.replace(json.dumps(COMMAND).encode(), json.dumps(other).encode())
    ordinary.uninstall()
    assert ordinary.settings.read_bytes() == ORDINARY


def test_doubles_and_unknown_events_are_cleared_away(ordinary: Desk) -> None:
    ordinary.install()
    once = ordinary.settings.read_bytes()
    settings = json.loads(once)
    ours = settings["hooks"]["Stop"][-1]
    settings["hooks"]["Stop"] += [ours, {"matcher": "x", "hooks": [*ours["hooks"], *ours["hooks"]]}]
    settings["hooks"]["Notification"] = [ours]
    ordinary.settings.write_text(json.dumps(settings))
    assert sorted(ordinary.install()) == ["remove a second hook for Stop"] * 3 + ["remove the hook for Notification"]
    assert ordinary.hooks() == json.loads(once)["hooks"]


def test_our_handler_in_the_persons_own_group_goes_alone(ordinary: Desk) -> None:
    ordinary.install()
    settings = json.loads(ordinary.settings.read_bytes())
    theirs, ours = settings["hooks"]["Stop"]
    theirs["hooks"] += ours["hooks"]
    settings["hooks"]["Stop"] = [theirs]
    ordinary.settings.write_text(json.dumps(settings))
    assert ordinary.install() == ()
    ordinary.uninstall()
    assert json.loads(ordinary.settings.read_bytes()) == json.loads(ORDINARY)


@pytest.mark.parametrize(
    "command",
    [
        "echo memd-hook",
        "/usr/bin/my-memd-hook claude_code",
        "/x/memd-hook codex",
        "/x/memd-hook claude_code_2",
        "grep memd-hook claude_code.log",
        "/x/memd-hooks claude_code",
    ],
)
def test_what_only_looks_like_ours_is_not_touched(ordinary: Desk, command: str) -> None:
    data = ORDINARY.replace(b"say done", command.encode())
    ordinary.settings.write_bytes(data)
    ordinary.uninstall()
    assert ordinary.settings.read_bytes() == data
    ordinary.install()
    assert len(ordinary.hooks()["Stop"]) == 2


def test_handlers_of_odd_shapes_are_passed_over(ordinary: Desk) -> None:
    odd = {
        "Stop": [5, {"hooks": None}, {"hooks": ["x", {"command": 5}, {"type": "prompt"}]}, {}],
        "PreToolUse": {"a": 1},
    }
    ordinary.settings.write_text(json.dumps({"hooks": odd}))
    before = ordinary.settings.read_bytes()
    ordinary.install()
    ordinary.uninstall()
    assert ordinary.settings.read_bytes() == before


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b'{"model": "opus",}', "line 1, column 18"),
        (b'{\n  // why not\n  "model": "opus"}', "line 2, column 3"),
        (b'{"hooks": []}', "hooks is not an object"),
        (b'{"hooks": {"Stop": {}}}', "hooks.Stop is not a list"),
        (b"\xff\xfe{\x00}\x00", "not UTF-8"),
        (b"[]", "the document is not an object"),
    ],
)
def test_a_file_that_is_not_certain_is_refused_and_left(desk: Desk, data: bytes, problem: str) -> None:
    desk.settings.parent.mkdir()
    desk.settings.write_bytes(data)
    with pytest.raises(SettingsError, match=problem) as caught:
        plan_install(desk.settings, COMMAND)
    assert str(desk.settings) in str(caught.value)
    with pytest.raises(SettingsError, match=problem):
        claude_code.apply(plan_of_another_day(desk), desk.state)
    assert desk.settings.read_bytes() == data
    assert desk.left() == [".claude", ".claude/settings.json", "state"]


def plan_of_another_day(desk: Desk) -> claude_code.Plan:
    """A plan that was made when the file was still in order."""
    return replace(plan_install(desk.settings.with_name("absent.json"), COMMAND), settings=desk.settings)


def test_a_link_to_the_settings_stays_a_link_and_its_mode_stays(ordinary: Desk) -> None:
    real = ordinary.settings.parent / "dotfiles.json"
    ordinary.settings.rename(real)
    real.chmod(0o644)
    ordinary.settings.symlink_to(real)
    ordinary.install()
    assert ordinary.settings.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o644
    ordinary.uninstall()
    assert real.read_bytes() == ORDINARY
    assert ordinary.settings.is_symlink()


def test_the_bytes_of_before_are_kept_in_private_until_uninstall(ordinary: Desk) -> None:
    ordinary.install()
    (backup,) = (ordinary.state / "before").iterdir()
    assert (backup.read_bytes(), stat.S_IMODE(backup.stat().st_mode)) == (ORDINARY, 0o600)
    ordinary.install(COMMAND.replace("memd/bin", "memd/other"))
    assert backup.read_bytes() == ORDINARY
    ordinary.uninstall()
    assert ordinary.left() == [".claude", ".claude/settings.json", "state"]


def test_a_state_folder_that_cannot_be_written_leaves_the_settings_alone(ordinary: Desk) -> None:
    ordinary.state.rmdir()
    ordinary.state.write_bytes(b"")
    with pytest.raises(SettingsError, match="cannot be written"):
        ordinary.install()
    assert ordinary.settings.read_bytes() == ORDINARY


@pytest.mark.parametrize(
    ("version", "left_out"),
    [
        (NEWEST, set()),
        ((2, 1, 76), set()),
        ((2, 1, 75), {"PostCompact"}),
        (None, {"PostCompact"}),
        ((1, 0, 84), {"PostCompact", "SessionEnd"}),
        ((1, 0, 60), {"PostCompact", "SessionEnd", "SessionStart"}),
        ((1, 0, 0), set(EVENTS)),
    ],
)
def test_an_event_that_this_claude_code_does_not_know_is_not_registered(
    desk: Desk, version: Version | None, left_out: set[str]
) -> None:
    """An unknown name would make it ignore the person's whole settings file."""
    desk.install(version=version)
    there = set(desk.hooks()) if desk.settings.exists() else set()
    assert set(EVENTS) - there == left_out


def test_a_downgrade_takes_the_newer_events_out_again(desk: Desk) -> None:
    desk.install()
    assert desk.install(version=(2, 0, 76)) == ("remove the hook for PostCompact",)
    assert "PostCompact" not in desk.hooks()


def test_the_settings_are_where_claude_code_reads_them() -> None:
    home = Path("/home/ada")
    assert settings_file(home, {}) == home / ".claude/settings.json"
    assert settings_file(home, {"CLAUDE_CONFIG_DIR": ""}) == home / ".claude/settings.json"
    assert settings_file(home, {"CLAUDE_CONFIG_DIR": "/srv/claude"}) == Path("/srv/claude/settings.json")
