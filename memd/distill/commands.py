"""Commands: the one way to test, build, run or deploy here, as it was used with success again and again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from memd.distill.calls import Run
from memd.distill.shell import Purpose, Simple, is_work, purpose
from memd.distill.thread import Thread
from memd.model import FactPart

_MIN_RUNS: Final = 2
_VERBS: Final[dict[Purpose, str]] = {
    "test": "Test",
    "build": "Build",
    "lint": "Lint",
    "deploy": "Deploy",
    "migrate": "Migrate",
    "run": "Run",
}


def used(thread: Thread) -> Iterator[tuple[Purpose, str, Run]]:
    """Yield for each purpose the command that served it with success most often, if it did so twice, with its last run."""
    served: dict[Purpose, dict[str, list[Run]]] = defaultdict(lambda: defaultdict(list))
    for run in thread.runs:
        if run.ok:
            for part in run.parts:
                aim = purpose(part)
                if aim in _VERBS and is_work(part) and not part.scratch:
                    served[aim][general(part)].append(run)
    for aim, commands in served.items():
        command, times = max(commands.items(), key=lambda entry: len(entry[1]))
        if len(times) >= _MIN_RUNS:
            yield aim, command, times[-1]


def general(part: Simple) -> str:
    """Return a command without the arguments that change from run to run (single files, numbers), as one would tell it."""
    words = [word for word in part.words if not word.startswith("-") or word.startswith("--")]
    kept = [
        word for word in words[:6] if not ("/" in word[1:] and "." in word.split("/")[-1] and word is not part.words[0])
    ]
    return " ".join(kept)


def told(aim: Purpose, command: str) -> tuple[str, tuple[FactPart, ...]]:
    """Return the sentence and the parts of a command fact."""
    return f"{_VERBS[aim]} with `{command}`.", (FactPart("command", command), FactPart("purpose", aim))
