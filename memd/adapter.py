"""The adapter contract: what a host adapter promises.

An adapter turns what one host writes into the values below. It is pure: it is told the home folder and the environment,
reads host files only, never writes, never asks the time, and keeps nothing between calls. All it needs to go on is in
the cursor it returned last, which the store commits in the same transaction as the rows that the cursor proves.

Two promises carry exactly-once capture: reading any prefix, in any pieces, any number of times, yields parts with the
same keys; and a part's key depends only on the host's own ids (or on the content's position where a host has none),
never on the path of the home folder, on the time, or on how the file was cut into reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, TypeAlias, runtime_checkable

Role: TypeAlias = Literal["user", "assistant", "system"]
MessageKind: TypeAlias = Literal[
    "prompt",  # what a person (or the caller of an agent) asked
    "reply",  # what the model said, with its tool calls
    "summary",  # a compaction summary: the host's own words, not the user's
    "command",  # a slash command or a shell line typed by the user, with its output
    "notice",  # the host speaking: interruptions, background results, errors
]
ToolKind: TypeAlias = Literal["shell", "edit", "write", "read", "search", "web", "agent", "todo", "mcp", "other"]
ChangeOp: TypeAlias = Literal["create", "update", "delete", "rename"]
SessionKind: TypeAlias = Literal["main", "subagent", "fork", "background"]


@dataclass(frozen=True, slots=True)
class HostEnv:
    """What an adapter may know of the machine: handed in, never looked up."""

    home: Path
    env: Mapping[str, str]
    platform: str
    extra_roots: tuple[Path, ...] = ()
    projects: tuple[Path, ...] = ()
    """Folders known as projects, from the sessions of all hosts; for hosts that write into work trees."""


@dataclass(frozen=True, slots=True)
class Root:
    """A folder (or file) below which a host writes; it may not exist yet."""

    host: str
    path: Path


@dataclass(frozen=True, slots=True)
class Source:
    """One thing to read: a file or a database, with what its path alone tells."""

    host: str
    path: Path
    session: str | None = None
    """Native id of the session it holds, where the path tells it."""
    parent: str | None = None
    """Native id of the session it belongs to (a subagent's file)."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far a source has been read.

    `offset` bytes were consumed, always up to the end of a line, and `size` bytes were looked at: the whole file unless
    it held more than one read takes, so a file of this size, inode and mtime has nothing new to give. `head` and `tail`
    are digests of the first and the last bytes before `offset`, so that a file rewritten in place is noticed although
    size and inode agree. `state` is the adapter's own JSON (a row watermark, what the parser carries from one read to
    the next).
    """

    offset: int = 0
    size: int = 0
    inode: int = 0
    mtime_ns: int = 0
    head: str = ""
    tail: str = ""
    state: str = ""


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """How much one read may take."""

    batch_bytes: int = 4 << 20
    """Bytes of source after which a read returns with `more`."""
    line_bytes: int = 8 << 20
    """A longer line is not held in memory: its long strings are cut while it streams past."""


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A tool call as the model made it. `input` is JSON text."""

    call_id: str
    name: str
    kind: ToolKind
    input: str


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that a tool call changed, with the lines added and removed where the host tells."""

    path: str
    op: ChangeOp
    added: int | None = None
    removed: int | None = None


@dataclass(frozen=True, slots=True)
class SessionUpdate:
    """What became known of a session. None means "not said here"; a later value replaces an earlier one.

    The first `cwd` is where the session belongs to; a later one says that what follows was written elsewhere.
    """

    session: str
    kind: SessionKind | None = None
    parent: str | None = None
    forked_from: str | None = None
    cwd: str | None = None
    branch: str | None = None
    model: str | None = None
    agent: str | None = None
    title: str | None = None
    title_by_user: bool = False
    version: str | None = None
    started_at: int | None = None
    ended_at: int | None = None
    end_reason: str | None = None


@dataclass(frozen=True, slots=True)
class MessagePart:
    """One stored row of a host: a whole message, or one of the rows that make it up.

    Parts with the same `message` key of a session are one message; their texts that are not empty are joined in `seq`
    order with a blank line between. `part` identifies the row across all sessions of the host: a part seen again
    (replay, fork, background copy) adds nothing, and a part first seen in another session links that message instead of
    repeating it. `replace` says that the host updates rows in place: the part's content then replaces what was stored
    for it. `parent` is the part this row answers, where the host keeps a tree; a prompt whose parent lies before an
    earlier prompt is a rewind and leaves what lies between abandoned.
    """

    session: str
    message: str
    part: str
    seq: int
    role: Role
    kind: MessageKind
    at: int | None
    text: str = ""
    thinking: str = ""
    tool_calls: tuple[ToolUse, ...] = ()
    model: str | None = None
    parent: str | None = None
    copied_from: str | None = None
    """Native id of the session this row was copied from, where the host says so."""
    replace: bool = False


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What came back from a tool call of the same session."""

    session: str
    call_id: str
    part: str
    seq: int
    ok: bool | None
    output: str
    at: int | None = None
    exit_code: int | None = None
    changes: tuple[FileChange, ...] = ()
    child: str | None = None
    """Native id of the session that the call started (a subagent)."""
    parent: str | None = None
    output_chars: int = 0
    """Characters the host gave; `output` may be cut to its head and tail."""


@dataclass(frozen=True, slots=True)
class ChainLink:
    """A row that carries nothing to keep but stands in the host's tree; kept so that rewinds can be told."""

    session: str
    part: str
    seq: int
    parent: str | None


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """Messages that the host itself took back (a revert); they are kept and marked abandoned."""

    session: str
    messages: tuple[str, ...]


Event: TypeAlias = SessionUpdate | MessagePart | ToolResult | ChainLink | Withdrawn


@dataclass(frozen=True, slots=True)
class Batch:
    """What one read gave.

    `skipped` counts what was passed over, by reason ("unknown row kind: foo", "damaged line", ...): never silence.
    `restarted` says that the source was rewritten and this read began at its start again. `more` says that another read
    would give more now.
    """

    events: tuple[Event, ...]
    cursor: Cursor
    more: bool = False
    restarted: bool = False
    skipped: Mapping[str, int] = field(default_factory=dict)
    lines: int = 0


@dataclass(frozen=True, slots=True)
class LiveProcess:
    """A host process that says it is working on a session (from the host's own pid file)."""

    session: str
    pid: int
    started: str | None
    """The process start time in the host's words; for Linux, clock ticks since boot as /proc/PID/stat has it."""


@runtime_checkable
class Adapter(Protocol):
    """A host adapter. Everything about a host lives on it; no other module asks which host it is."""

    @property
    def name(self) -> str:
        """The host's word in memd: lower case, `claude_code`."""
        ...

    @property
    def title(self) -> str:
        """The product's name as its makers write it."""
        ...

    def roots(self, env: HostEnv) -> tuple[Root, ...]:
        """Return where this host writes on such a machine, whether it exists or not."""
        ...

    def classify(self, root: Root, path: Path) -> Source | None:
        """Return the source at a path below a root, or None when it is none of this host's; looks at the path only."""
        ...

    def recognise(self, path: Path, head: bytes) -> Source | None:
        """Return a source for a file lying anywhere, when its first bytes (up to 64 KiB) are this host's; else None."""
        ...

    def read(self, source: Source, cursor: Cursor | None, limits: ReadLimits) -> Batch:
        """Read on from a cursor (None: from the start) and return what is complete by now.

        Raises TranscriptError when the source is no transcript of this host at all, OSError when it cannot be
        read. Whatever single rows hold, nothing else escapes: a row that cannot be understood is counted in `skipped`.
        """
        ...

    def live(self, root: Root) -> tuple[LiveProcess, ...]:
        """Return the processes the host itself lists as running; empty where it keeps no such list."""
        ...
