"""Commands: the one way to test, build, run or deploy here, as it was used with success again and again."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from memd.distill.calls import Run
from memd.distill.draft import Draft
from memd.distill.shell import Purpose, Simple, is_work, purpose
from memd.distill.thread import Statement, Thread
from memd.model import FactPart

_MIN_RUNS: Final = 3
_CONFIDENCE: Final = 0.5
_NAMES_FILE: Final = re.compile(r"\w\.\w+$")
_TOLD: Final = ("test", "build", "deploy")
_VERBS: Final[dict[Purpose, str]] = {
    "test": "Test",
    "build": "Build",
    "lint": "Lint",
    "deploy": "Deploy",
    "migrate": "Migrate",
    "run": "Run",
}


def used(thread: Thread) -> Iterator[tuple[Purpose, str, Run]]:
    """Yield for each purpose the command that served it best, with its last run.

    It has to have passed three times, or once after another command for the same purpose had failed.
    """
    served: dict[Purpose, dict[str, list[Run]]] = defaultdict(lambda: defaultdict(list))
    for run in thread.runs:
        if run.ok:
            for part in run.parts:
                aim = purpose(part)
                if aim in _VERBS and is_work(part) and not part.scratch:
                    served[aim][general(part)].append(run)
    for aim, commands in served.items():
        command, times = max(commands.items(), key=lambda entry: len(entry[1]))
        if len(times) >= _MIN_RUNS or _prevailed(thread, aim, command):
            yield aim, command, times[-1]


def _prevailed(thread: Thread, aim: Purpose, command: str) -> bool:
    """Whether a command passed after a different one for the same purpose had failed."""
    failed: set[str] = set()
    for run in thread.runs:
        for part in run.parts:
            if purpose(part) == aim and is_work(part):
                other = general(part)
                if run.ok is False:
                    failed.add(other)
                elif (
                    run.ok
                    and other == command
                    and any(not command.startswith(one) and not one.startswith(command) for one in failed)
                ):
                    return True
    return False


def general(part: Simple) -> str:
    """Return a command without the arguments that change from run to run (single files), as one would tell it."""
    words = [
        word
        for at, word in enumerate(part.words)
        if not word.startswith("-") or word.startswith("--") or (word == "-m" and at == 1)
    ]
    kept = [
        word
        for word in words[:6]
        if not ("/" in word[1:] and _NAMES_FILE.search(word) is not None and word is not part.words[0])
    ]
    return " ".join(kept)


def find(thread: Thread) -> Iterator[Draft]:
    """Yield the commands to test, build and deploy that proved themselves."""
    for aim, command, run in used(thread):
        if aim in _TOLD:
            said = Statement(
                run.command,
                thread.messages[run.position],
                run.position,
                0,
                thread.order_at(run.position),
                "assistant",
                False,
                False,
                False,
            )
            parts = (FactPart("command", command), FactPart("purpose", aim))
            yield Draft(
                "config",
                said,
                _CONFIDENCE,
                parts=parts,
                slot=f"command:{aim}",
                wording=f"{_VERBS[aim]} with `{command}`.",
            )
