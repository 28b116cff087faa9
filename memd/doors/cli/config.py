"""`memd config`: the settings in force, and the file they come from."""

from __future__ import annotations

from pathlib import Path

from memd import config
from memd.doors.cli import reach
from memd.doors.cli.columns import bullets, one_line, wrap
from memd.doors.cli.invocation import Invocation
from memd.errors import ConfigError
from memd.operations.upkeep_answers import ConfigAnswer
from memd.paths import make_private
from memd_service import files


def run(invocation: Invocation) -> int:
    """Show the settings, write the documented file, or tell where it lies."""
    path = invocation.places().paths.config_file
    match invocation.given.action:
        case "path":
            invocation.terminal.say(reach.json_text(str(path)) if invocation.given.json else str(path))
        case "init":
            _write(path)
            invocation.terminal.tell(
                f"Every setting stands in {path} with its default; `memd restart` takes up changes."
            )
        case _:
            _show(invocation, path)
    return 0


def _show(invocation: Invocation, path: Path) -> None:
    settings = config.load(path, invocation.env)
    answer = ConfigAnswer(str(path), config.entries(settings), settings.warnings)
    terminal = invocation.terminal
    if invocation.given.json:
        terminal.say(reach.json_text(answer))
        return
    terminal.tell(f"# {path}" + ("" if path.exists() else " (not there: defaults)"))
    for name, value in answer.settings.items():
        terminal.say_all(wrap(one_line(f"{name} = {reach.value_text(value)}"), terminal.columns))
    if answer.warnings:
        terminal.say("", terminal.style("Not as it should be:", "yellow"))
        terminal.say_all(bullets(map(one_line, answer.warnings), terminal.columns))


def _write(path: Path) -> None:
    make_private(path.parent)
    if path.exists() or path.is_symlink():
        raise ConfigError(path, "is there already")
    files.write(path, config.template().encode(), mode=0o600)
