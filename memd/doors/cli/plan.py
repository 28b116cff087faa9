"""The plan: what an install would change, said and not done.

Nothing here needs more than Python, so that a checkout can tell it before anything was installed.
"""

from __future__ import annotations

from memd.doors.cli.columns import bullets
from memd.doors.cli.terminal import Terminal
from memd_service.install import Plan


def say(plan: Plan, terminal: Terminal, *before: str) -> None:
    """Print what would change; `before` is what the caller would do first."""
    changes = [*before, *(f"{step.part}: {step.what}" for step in plan.steps if step.changes)]
    if not changes:
        terminal.say("Everything is in place; nothing would change.")
        return
    terminal.say("This would change:")
    terminal.say_all(bullets(changes, terminal.columns, whole=True))
