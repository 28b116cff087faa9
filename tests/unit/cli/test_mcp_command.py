"""`memd mcp`: becomes the pump at once where that is clear, and in the long way where it is not."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from memd.doors.cli import main as cli
from memd.doors.cli.terminal import Terminal
from tests.unit.cli.conftest import CommandLine


class BecameError(Exception):
    """The process would be another program now."""


@pytest.fixture
def became(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The command lines that the process became."""
    lines: list[list[str]] = []

    def become(_program: str, argv: list[str], _env: object = None) -> None:
        lines.append(argv)
        raise BecameError

    monkeypatch.setattr("os.execv", become)
    monkeypatch.setattr("os.execve", become)
    return lines


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The pump of a person's installation, in a home with nothing else."""
    for name in ("MEMD_DATA_DIR", "MEMD_CONFIG_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    pump = tmp_path / ".local" / "share" / "memd" / "bin" / "memd-mcp"
    pump.parent.mkdir(parents=True)
    pump.write_text("the pump")
    return pump


def test_the_installed_pump_is_started_with_what_it_was_given(
    installed: Path, became: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["memd", "mcp", "--profile", "recall"])

    with pytest.raises(BecameError):
        cli.main()

    assert became == [[sys.executable, "-I", "-S", str(installed), "--profile", "recall"]]


def test_the_pump_is_looked_for_where_the_system_keeps_data(
    installed: Path, became: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    moved = tmp_path / "data" / "memd" / "bin" / "memd-mcp"
    moved.parent.mkdir(parents=True)
    installed.rename(moved)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(sys, "argv", ["memd", "mcp"])

    with pytest.raises(BecameError):
        cli.main()

    assert became[0][3] == str(moved)


def test_on_a_mac_the_pump_lies_in_the_library(
    installed: Path, became: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    moved = tmp_path / "Library" / "Application Support" / "memd" / "bin" / "memd-mcp"
    moved.parent.mkdir(parents=True)
    installed.rename(moved)
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(sys, "argv", ["memd", "mcp"])

    with pytest.raises(BecameError):
        cli.main()

    assert became[0][3] == str(moved)


@pytest.mark.parametrize("setting", ['data_dir = "/elsewhere"\n', '  "data_dir" = "/elsewhere"\n'])
def test_a_configuration_that_moves_the_data_takes_the_long_way(
    setting: str, installed: Path, became: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    config = tmp_path / ".config" / "memd" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f"# mine\n{setting}")
    monkeypatch.setattr(sys, "argv", ["memd", "mcp"])
    monkeypatch.setattr(cli, "run", lambda words, env, terminal: 7)

    assert cli.main() == 7
    assert became == []


@pytest.mark.parametrize("words", [["--cost"], ["--json"], ["--help"], ["-h"], ["--data-dir", "/x"]])
def test_what_is_no_business_of_the_pump_takes_the_long_way(
    words: list[str], installed: Path, became: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["memd", "mcp", *words])
    monkeypatch.setattr(cli, "run", lambda words, env, terminal: 7)

    assert cli.main() == 7
    assert became == []


@pytest.mark.parametrize("variable", ["MEMD_DATA_DIR", "MEMD_CONFIG_DIR"])
def test_an_environment_that_moves_memd_takes_the_long_way(
    variable: str, installed: Path, became: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(variable, str(tmp_path / "elsewhere"))
    monkeypatch.setattr(sys, "argv", ["memd", "mcp"])

    with pytest.raises(BecameError):
        cli.main()

    ((program, *options, source),) = became
    assert (program, options) == (sys.executable, ["-I", "-S", "-c"])
    if variable == "MEMD_DATA_DIR":
        assert f"{tmp_path}/elsewhere" in source


def test_the_long_way_hands_profile_and_project_on(memd: CommandLine, became: list[list[str]]) -> None:
    with pytest.raises(BecameError):
        memd("mcp", "--profile", "record", "--project", "/srv/harbor")

    assert became[0][-2:] == ["--profile=record", "--project=/srv/harbor"]
    assert str(memd.paths.mcp_socket) in became[0][4]


def test_a_person_at_a_terminal_is_told_who_runs_it(memd: CommandLine, became: list[list[str]]) -> None:
    told = memd("mcp", interactive=True)

    assert told.status == 2
    assert "run by agents" in told.err
    assert became == []


def test_what_the_tools_cost_is_told_by_profile(memd: CommandLine) -> None:
    rows = memd("mcp", "--cost").out.splitlines()
    assert rows[0].split()[0] == "PROFILE"
    assert [row.split()[0] for row in rows[1:4]] == ["recall", "record", "full"]

    costs = json.loads(memd("mcp", "--cost", "--json").out)
    tokens = [one["tokens"] for one in costs]
    assert tokens[:3] == sorted(tokens[:3])
    assert tokens[0] > 0


@pytest.mark.parametrize(
    ("error", "status", "complaint"),
    [
        (BrokenPipeError(), 141, ""),
        (OSError(28, "No space left on device"), 1, "The answer could not be written: No space left on device."),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_an_answer_that_cannot_be_written_ends_with_a_status_of_its_own(
    error: OSError | KeyboardInterrupt, status: int, complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flush() -> None:
        raise error

    out, err = io.StringIO(), io.StringIO()
    monkeypatch.setattr(out, "flush", flush)
    terminal = Terminal(out, err, False, False)
    monkeypatch.setattr(Terminal, "of_process", lambda env: terminal)
    monkeypatch.setattr(cli, "_write_no_more", lambda: None)

    assert cli.main(["version"]) == status
    assert complaint in err.getvalue()
    assert bool(err.getvalue()) == bool(complaint)
