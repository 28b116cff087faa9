"""What the Codex reader carries from one read to the next, inside the cursor; small whatever the file's size."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Self

import orjson

from memd.adapter import FileChange, ToolKind
from memd_adapters.states import dumped, remember

_OPEN_CALLS: Final = 64
_PROCESSES: Final = 8
_REMEMBERED_TEXTS: Final = 600
_REMEMBERED_TURNS: Final = 100


@dataclass(slots=True)
class Call:
    """A tool call whose output has not come yet, with what is known of its end by then."""

    name: str
    kind: ToolKind
    changes: list[FileChange] = field(default_factory=list)
    """What the patch asks for; `reported` tells that it is the host's word instead."""
    reported: bool = False
    ok: bool | None = None
    exit_code: int | None = None
    child: str = ""
    process: str = ""
    """The process that a `write_stdin` speaks to."""
    asked: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class State:
    """The reader's memory. Every field has a JSON form; an unreadable state counts as none."""

    session: str = ""
    known: dict[str, str | int] = field(default_factory=dict)
    """Fields of the session that were told already."""
    pending: dict[str, str | int | bool] = field(default_factory=dict)
    """Fields to tell with the session's next message."""
    begun: bool = False
    rows: int = 0
    shape: str = ""
    """How the file began: `bare` items, or rows in an `envelope`."""
    metas: int = 0
    paginated: bool = False
    base: str = ""
    """Where the file takes up a thread that was reverted: a link in the thread's earlier file."""
    cwd: str = ""
    origin: str = ""
    """The session whose history is being replayed at the start of a fork's file."""
    replayed_at: int | None = None
    seq: int = 0
    turn: str = ""
    between: bool = False
    """True from a turn's end until the next one's start."""
    messages: int = 0
    """How many messages the turn has."""
    prompted: bool = False
    reply: str = ""
    """The message that the model's next rows belong to."""
    seen: dict[str, int] = field(default_factory=dict)
    """How often each text came in this turn."""
    prompts: dict[str, int] = field(default_factory=dict)
    """How often each prompt came, where turns have no ids."""
    turns: list[tuple[str, int, bool]] = field(default_factory=list)
    """The last turns: name, number of messages, and whether they had a prompt."""
    calls: dict[str, Call] = field(default_factory=dict)
    processes: dict[str, list[str]] = field(default_factory=dict)
    """Number of a running process -> the call that started it, and the beginning of its output."""

    def remember_call(self, call_id: str, call: Call) -> None:
        """Keep a call until its output comes; the oldest goes when too many wait."""
        remember(self.calls, call_id, call, _OPEN_CALLS)

    def remember_process(self, number: str, call_id: str, output: str) -> None:
        """Note that a call's process goes on running."""
        remember(self.processes, number, [call_id, output], _PROCESSES)

    def end_turn(self, turn: str) -> None:
        """Begin a turn of another name."""
        if self.messages or self.prompted:
            self.turns.append((self.turn, self.messages, self.prompted))
            del self.turns[:-_REMEMBERED_TURNS]
        self.turn, self.messages, self.prompted, self.reply = turn, 0, False, ""
        self.seen.clear()

    def dump(self) -> str:
        """Return the state as JSON; fields at their defaults are left out."""
        return dumped(self)

    @classmethod
    def load(cls, text: str) -> Self:
        """Return the state that `dump` wrote, or a fresh one for anything else."""
        try:
            raw = orjson.loads(text) if text else {}
            state = cls(**raw)
            state.turns = [(turn, count, prompted) for turn, count, prompted in state.turns]
            state.calls = {
                call_id: Call(**{**call, "changes": [FileChange(**change) for change in call["changes"]]})
                for call_id, call in raw.get("calls", {}).items()
            }
        except (orjson.JSONDecodeError, TypeError, ValueError, KeyError, AttributeError):
            return cls()
        return state


def count(counts: dict[str, int], digest: str) -> int:
    """Count a text once more and return its number; those not met for longest are forgotten."""
    number = counts.pop(digest, 0) + 1
    counts[digest] = number
    if len(counts) > _REMEMBERED_TEXTS:
        del counts[next(iter(counts))]
    return number
