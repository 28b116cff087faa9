"""`memd wakeup`: what a session that starts here would be given, or would have been."""

from __future__ import annotations

from pathlib import Path

from memd.doors.cli import reach
from memd.doors.cli.columns import wrap
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.places import project_word
from memd.doors.cli.wording import counted
from memd.operations.answers import WakeupAnswer


def run(invocation: Invocation) -> int:
    """Print the text; it is only looked at, and not counted as given."""
    terminal = invocation.terminal
    project = project_word(invocation.given.project) or str(Path.cwd())
    asked = {"project": project, "as_of": invocation.given.as_of}
    raw = reach.ask(invocation, "wakeup", {name: value for name, value in asked.items() if value is not None})
    if invocation.given.json:
        terminal.say(reach.pretty(raw))
        return 0
    answer = reach.decode(raw, WakeupAnswer, invocation.places().paths.socket)
    if not answer.text:
        terminal.error(f"There is nothing to tell a session in {answer.project or project} yet.")
        return 0
    terminal.say_all(wrap(answer.text, terminal.columns))
    terminal.say("", f"({counted(answer.tokens, 'token')}, {counted(len(answer.facts), 'fact')})")
    return 0
