"""`memd forget`: whatever holds some words is deleted for good, after it was shown."""

from __future__ import annotations

from memd.doors.cli import outcome, reach
from memd.doors.cli.invocation import Invocation
from memd.errors import UsageError

_DEADLINE_S = 300.0


def run(invocation: Invocation) -> int:
    """Print what holds the words and would go, or with `--apply` went. Raises UsageError for words that are none."""
    given, terminal = invocation.given, invocation.terminal
    text = " ".join(given.text)
    if not text.strip():
        raise UsageError("memd forget takes the words that are to be nowhere any more.")
    params = {"text": text, "apply": given.apply, "copies": given.copies}
    raw = reach.ask(invocation, "words.forget", params, deadline_s=_DEADLINE_S)
    if given.json:
        terminal.say(reach.pretty(raw))
        return 0
    terminal.say_all(outcome.told("words.forget", raw, invocation.places().paths.socket) or ())
    if not given.apply:
        terminal.say("", "Nothing was changed. With --apply it is done.")
    return 0
