"""Aider and its successor cecli: one history in Markdown for each work tree, with all its sessions one after another.

    <work tree>/.aider.chat.history.md    <work tree>/.aider.input.history
    <work tree>/.cecli/chat.history       <work tree>/.cecli/input.history

A session is known by its work tree's name and the time in its header, and by its number among headers of one second.
Two programs that write to one history at the same time cannot be told apart: what follows the later header is its own.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final, Self

import orjson

from memd.adapter import Batch, Cursor, Event, HostEnv, LiveProcess, ReadLimits, Root, SessionUpdate, Source
from memd.errors import TranscriptError
from memd_adapters.aider_lines import HEADER_ANYWHERE, Reader
from memd_adapters.aider_llm import is_log, is_log_read, read_log
from memd_adapters.aider_places import HISTORIES, histories_beside, history_files, naming
from memd_adapters.aider_times import input_beside, input_times, local_ms, plain
from memd_adapters.aider_turns import Turn
from memd_adapters.aider_words import learn
from memd_adapters.cutting import whole_head
from memd_adapters.jsonl import STRINGS_CUT, Lines, read_lines
from memd_adapters.shaping import clean

_NAMES: Final = tuple(Path(name).name for name in HISTORIES)
_MARKS: Final = (b"", b"#", b">", b"_", b"\r")
"""How lines begin that may not be the model's."""
_ANY: Final = re.compile(b"")
"""Of every line that is too long the beginning is taken."""


class Aider:
    """The adapter; it holds nothing."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The host's word in memd."""
        return "aider"

    @property
    def title(self) -> str:
        """The product's name."""
        return "Aider"

    def roots(self, env: HostEnv) -> tuple[Root, ...]:
        """Return the histories there may be, file by file, and the extra roots as they are given."""
        paths = dict.fromkeys([*history_files(env), *env.extra_roots])
        return tuple(Root(self.name, path) for path in paths if path.is_absolute())

    def classify(self, root: Root, path: Path) -> Source | None:
        """Return the history at a path: the root itself, or a file below it that has a history's name."""
        if path != root.path and not (path.is_relative_to(root.path) and _is_history(path)):
            return None
        return Source(self.name, path)

    def recognise(self, path: Path, head: bytes) -> Source | None:
        """Return a source when there is a session's header in the first bytes; or for a log of what the model was sent.

        Such a log only where no history lies beside it, because a history says the same and more.
        """
        is_alone = is_log(head) and not any(other.is_file() for other in histories_beside(path))
        return Source(self.name, path) if HEADER_ANYWHERE.search(head) or is_alone else None

    def read(self, source: Source, cursor: Cursor | None, limits: ReadLimits) -> Batch:
        """Read on; see `memd.adapter.Adapter.read`. The cursor stands where the turn at hand begins."""
        lines = read_lines(source.path, cursor, limits, beheaded=_ANY)
        if lines.unchanged:
            return Batch((), lines.cursor)
        if is_log_read(lines, cursor):
            return read_log(source, cursor, lines)
        fresh = cursor is None or lines.restarted
        start = Cursor() if cursor is None or fresh else cursor
        reading = _Reading(source.path, State() if fresh else State.load(start.state), start.offset)
        reading.take(lines)
        count = len(lines.lines)
        restarted = lines.restarted
        while lines.more and reading.offset == start.offset:
            lines = read_lines(source.path, lines.cursor, limits, beheaded=_ANY)
            if lines.restarted:
                raise OSError(f"{source.path} was written anew while it was read")
            reading.take(lines)
            count += len(lines.lines)
        if not lines.more:
            reading.tell_open(lines.torn)
        if reading.strange and not lines.more:
            raise TranscriptError(source.path, "is no history of aider: there is no header of a session in it")
        return Batch(
            events=tuple(reading.events),
            cursor=reading.cursor(start, lines, limits),
            more=lines.more,
            restarted=restarted,
            skipped=+(lines.skipped + reading.skipped),
            lines=count,
        )

    def live(self, root: Root) -> tuple[LiveProcess, ...]:
        """Aider keeps no list of its processes."""
        del root
        return ()


def _is_history(path: Path) -> bool:
    if path.name == "chat.history":
        return path.parent.name == ".cecli"
    return path.name.endswith(".aider.chat.history.md")


@dataclass(slots=True)
class State:
    """What is carried from one read to the next: as it was where the turn at hand begins."""

    session: str = ""
    header: str = ""
    equal: int = 0
    """How many headers of this second came before."""
    turns: int = 0
    spoke_at: int = 0
    """When the session began, then the moment after the user spoke last: no later word is older."""
    pending: dict[str, str | int] = field(default_factory=dict)
    """What is known of the session and was not told yet."""
    model: str = ""
    reader: Reader = field(default_factory=Reader)

    def dump(self) -> str:
        """Return the state as JSON."""
        return orjson.dumps(asdict(self)).decode()

    @classmethod
    def load(cls, text: str) -> Self:
        """Return the state that `dump` wrote, or a fresh one for anything else."""
        try:
            raw = orjson.loads(text) if text else {}
            return cls(**{**raw, "reader": Reader(**raw.get("reader", {}))})
        except (orjson.JSONDecodeError, TypeError, AttributeError):
            return cls()


class _Reading:
    """One read: the lines taken so far, and where the turn at hand began."""

    def __init__(self, path: Path, state: State, offset: int) -> None:
        self._path = path
        self._state = state
        self._saved = state.dump()
        self._turn: Turn | None = None
        self._times: Mapping[str, list[int]] | None = None
        self._nothing_known = not state.session
        self.offset = offset
        self.events: list[Event] = []
        self.skipped: Counter[str] = Counter()
        self.strange = False

    def take(self, lines: Lines) -> None:
        """Take lines, and tell each turn that they end."""
        ends = [*lines.offsets[1:], lines.cursor.offset] if lines.offsets else []
        for raw, offset, end in zip(lines.lines, lines.offsets, ends, strict=True):
            line = _text(raw)
            if end - offset - 1 > len(raw):
                self.skipped[STRINGS_CUT] += 1
                line = f"{whole_head(line)} [cut: {end - offset - 1} bytes in all]  "
            self._line(line.removeprefix("\ufeff"), offset)

    def _line(self, line: str, offset: int) -> None:
        state = self._state
        before = replace(state.reader) if line.startswith("#") else state.reader
        continued = state.reader.many
        kind, said = state.reader.tell(line)
        match kind:
            case "header":
                self._close()
                self._mark(offset, before)
                self._begin(said)
            case "user" if state.session:
                self._user(said, offset, before)
            case _ if not state.session:
                self.strange |= bool(line.strip()) and self._nothing_known
            case "tool":
                if self._turn is not None:
                    self._turn.tool(said, continued=continued)
                self._learn(said)
            case "blank":
                if self._turn is not None:
                    self._turn.blank()
            case _:
                if self._turn is not None:
                    self._turn.text(line)

    def _mark(self, offset: int, before: Reader) -> None:
        """Note that nothing before this line is needed any more; the next read may begin with it."""
        self.offset, self._saved = offset, replace(self._state, reader=before).dump()

    def _begin(self, header: str) -> None:
        state = self._state
        equal = state.equal + 1 if state.header == header else 0
        began = local_ms(header)
        tree = work_tree(self._path)
        name = "\0".join((tree.name if tree else "", header, str(equal)))
        session = hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=12).hexdigest()
        folder = tree or naming(self._path)
        pending: dict[str, str | int] = {"cwd": clean(str(folder))} if folder else {}
        if began is not None:
            pending["started_at"] = began
        self._state = State(session, header, equal, spoke_at=began or 0, pending=pending, reader=state.reader)
        self.strange = self._nothing_known = False

    def _user(self, said: str, offset: int, before: Reader) -> None:
        turn = self._turn
        if turn is None or not turn.goes_on(formatted=self._state.reader.formatted is True):
            self._close()
            self._mark(offset, before)
            turn = self._turn = Turn(self._state.session, self._state.turns, self._state.model or None)
        turn.user(said)

    def _learn(self, said: str) -> None:
        fields = learn(said)
        if "model" in fields:
            self._state.model = str(fields["model"])
            if self._turn is not None:
                self._turn.model = self._state.model
        self._state.pending |= fields

    def _close(self) -> None:
        if self._turn is not None:
            self._tell(self._turn)
            self._turn = None
            self._state.turns += 1

    def tell_open(self, torn: bytes) -> None:
        """Tell the turn at hand as far as it has come, with the model's last line where that lacks its newline.

        All of it is told again by the next read. A line that is not the model's is waited for: what it is shows at its
        end.
        """
        turn = self._turn
        if turn is not None and torn[:1] not in _MARKS and not self._state.reader.goes_on:
            turn.text(_text(torn))
        if turn is not None:
            self._tell(turn)

    def _tell(self, turn: Turn) -> None:
        state = self._state
        events = tuple(turn.events(self._time_of(turn)))
        if events:
            if state.pending:
                self.events.append(SessionUpdate(state.session, **state.pending))  # type: ignore[arg-type]  # by name
                state.pending = {}
            self.events += events

    def _time_of(self, turn: Turn) -> int | None:
        """Return when the user spoke: the first time of this input that is not before their last word."""
        if self._times is None:
            self._times = input_times(input_beside(self._path))
        floor = self._state.spoke_at
        at = next((at for at in self._times.get(plain("\n".join(turn.said)), ()) if at >= floor), None)
        if at is not None:
            self._state.spoke_at = at + 1
        return at

    def cursor(self, start: Cursor, end: Lines, limits: ReadLimits) -> Cursor:
        """Return the cursor to store: where the turn at hand begins, with the file as it was seen."""
        stamp = end.cursor
        if self.offset == start.offset:
            found = start
        else:
            want = replace(limits, batch_bytes=self.offset - start.offset)
            found = read_lines(self._path, start if start.offset else None, want, beheaded=_ANY).cursor
            if found.offset != self.offset:
                raise OSError(f"{self._path} was written anew while it was read")
        size = min(stamp.size, found.offset) if end.more else stamp.size
        return Cursor(found.offset, size, stamp.inode, stamp.mtime_ns, found.head, found.tail, self._saved)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace").rstrip("\r\n")


def work_tree(path: Path) -> Path | None:
    """Return the work tree that a history belongs to, where its name and place say that it is one's."""
    if path.name not in _NAMES:
        return None
    return path.parent.parent if path.parent.name == ".cecli" else path.parent


ADAPTER: Final = Aider()
