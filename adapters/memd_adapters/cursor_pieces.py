"""Pieces of a Cursor conversation, told under the same keys whichever of Cursor's stores they were found in.

A session may stand in up to four stores: its chat store, the editor's database, a transcript of rows and one of text.
They share the session's id and nothing else; a transcript has no ids at all. So a piece is known by its content: by the
prompt that opened its turn, by what it says, and by how many times that was said before, the prompt in the session and
the piece in its turn. A message is what was said and the calls that followed, up to the next thing said; that too is
the same in every store. Times and models, which only some stores have, come as parts of their own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, Self, TypeAlias

import orjson

from memd.adapter import Event, MessageKind, MessagePart, Role, ToolResult, ToolUse, Withdrawn
from memd_adapters.cursor_text import squeezed
from memd_adapters.cursor_tools import Call, Result
from memd_adapters.jsonl_rows import Json
from memd_adapters.shaping import OUTPUT_CHARS, clean, head_and_tail, input_text

PieceKind: TypeAlias = Literal["prompt", "text", "thinking", "call", "summary", "notice"]

# A place: the turn; how many texts of the turn came before, which every store has, and how many pieces since, of which
# some stores lack one or the other; before a piece its thoughts; and bits of the key. The last keep what took the place
# of something from being taken for it.
_MOST_TURNS: Final = (1 << 14) - 1
_SINCE_BITS: Final = 12
_PIECE_BITS: Final = 24
_ASIDE: Final = 1 << (_PIECE_BITS - 1)
_STEP_BITS: Final = 6
_SAID: Final = 1 << (_STEP_BITS - 1)
_KEY_BITS: Final = 19
# Of several results of a call the one with the last place counts, so the rank of its store comes first in it.
_RANK_BITS: Final = 4
_SPOKEN: Final[dict[PieceKind, tuple[Role, MessageKind]]] = {
    "prompt": ("user", "prompt"),
    "text": ("assistant", "reply"),
    "thinking": ("assistant", "reply"),
    "call": ("assistant", "reply"),
    "summary": ("system", "summary"),
    "notice": ("system", "notice"),
}


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing that was said, thought or done. `at` is in UTC epoch milliseconds, None where the store has no time."""

    kind: PieceKind
    text: str = ""
    at: int | None = None
    model: str | None = None
    call: Call | None = None
    result: Result | None = None
    occurrence: int | None = None
    """Which one of the session's prompts with the same words a prompt is, where that is not simply the next one."""
    gone: bool = False
    """Whether it was taken back: a rewind, or a reply that was asked for anew."""

    @property
    def size(self) -> int:
        """About how much there is of it."""
        return 64 + len(self.text) + (len(self.result.output) if self.result else 0)

    @property
    def mark(self) -> str:
        """What the piece is known by."""
        return f"{self.kind} {self.call.mark if self.call else squeezed(self.text)}"


@dataclass(slots=True)
class Turns:
    """Where a conversation stands: what was said how often, and to which message a call belongs."""

    prompts: dict[str, int] = field(default_factory=dict)
    turn: str = ""
    number: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    index: int = 0
    group: str = ""

    def dump(self) -> list[Json]:
        """Return the state as JSON values."""
        return [dict(self.prompts), self.turn, self.number, dict(self.counts), self.index, self.group]

    @classmethod
    def load(cls, value: Json) -> Self:
        """Return what `dump` gave; the beginning of a conversation for anything else."""
        match value:
            case [dict(prompts), str(turn), int(number), dict(counts), int(index), str(group)]:
                return cls(_counts(prompts), turn, number, _counts(counts), index, group)
            case _:
                return cls()


def _next(index: int, *, text: bool) -> int:
    """Return the place in a turn after another one, for a text or for something else."""
    if text:
        return min(((index >> _SINCE_BITS) + 1) << _SINCE_BITS, _ASIDE - 1)
    return index + ((index + 1) & ((1 << _SINCE_BITS) - 1) != 0)


def _counts(value: dict[str, Json]) -> dict[str, int]:
    return {key: count for key, count in value.items() if type(count) is int}


class Telling:
    """Tells the pieces of one session in their order."""

    def __init__(self, session: str, turns: Turns) -> None:
        self._session = session
        self._turns = turns
        self._thoughts: list[tuple[Piece, str, int]] = []
        self._gone_turn = False
        self._aside = 0
        self._aside_group = ""
        self.live: set[str] = set()
        """The messages that were told and stand."""
        self.gone: dict[str, None] = {}
        """The messages that were told and were taken back."""

    def tell(self, piece: Piece) -> Iterator[Event]:
        """Yield what a piece tells; a thought is told with what it led to."""
        if piece.kind == "prompt" or (self._thoughts and self._thoughts[0][0].gone != piece.gone):
            yield from self.finish()
        key, seq = self._prompt(piece) if piece.kind == "prompt" else self._answer(piece)
        if piece.kind == "thinking":
            self._thoughts.append((piece, key, seq))
            return
        message = self._group(piece, key)
        if piece.kind in ("text", "call"):
            yield from self._think(message)
        yield from self._parts(piece, key, message, seq)

    def finish(self) -> Iterator[Event]:
        """Yield the thoughts that led to nothing."""
        if self._thoughts:
            first, key, _ = self._thoughts[0]
            yield from self._think((self._aside_group if self._is_aside(first) else self._turns.group) or key)

    def _is_aside(self, piece: Piece) -> bool:
        """Tell whether a piece was taken back although the turn it stands in was not."""
        return piece.gone and not self._gone_turn

    def _prompt(self, piece: Piece) -> tuple[str, int]:
        """Begin a turn; return the prompt's key and place."""
        turns = self._turns
        said = _digest(piece.mark)
        count = piece.occurrence or turns.prompts.get(said, 0) + 1
        turns.prompts[said] = max(turns.prompts.get(said, 0), count)
        turns.number += 1
        turns.turn = _digest(self._session, said, str(count))
        turns.counts, turns.index, turns.group = {}, 0, ""
        self._gone_turn, self._aside, self._aside_group = piece.gone, 0, ""
        return turns.turn, self._seq(0, _SAID, turns.turn)

    def _answer(self, piece: Piece) -> tuple[str, int]:
        """Return the key and the place of what is not a prompt; a thought stands just before what follows it."""
        turns = self._turns
        said = _digest(piece.mark)[:10]
        count = turns.counts.get(said, 0) + 1
        turns.counts[said] = count
        key = _digest(self._session, turns.turn, said, str(count))
        thinks = piece.kind == "thinking"
        step = min(len(self._thoughts), _SAID - 1) if thinks else _SAID
        if self._is_aside(piece):
            self._aside += not thinks
            return key, self._seq(_ASIDE + min(self._aside + thinks, _ASIDE - 1), step, key)
        after = _next(turns.index, text=piece.kind == "text")
        turns.index = turns.index if thinks else after
        return key, self._seq(after, step, key)

    def _seq(self, index: int, step: int, key: str) -> int:
        turn = min(self._turns.number, _MOST_TURNS)
        bits = int(key[:8], 16) & ((1 << _KEY_BITS) - 1)
        return ((((turn << _PIECE_BITS) | index) << _STEP_BITS) | step) << _KEY_BITS | bits

    def _group(self, piece: Piece, key: str) -> str:
        """Return the message that a piece belongs to: what was said opens one, a call joins it."""
        if piece.kind not in ("text", "call"):
            return key
        aside = self._is_aside(piece)
        group = self._aside_group if aside else self._turns.group
        message = group if piece.kind == "call" and group else key
        if aside:
            self._aside_group = message
        else:
            self._turns.group = message
        return message

    def _think(self, message: str) -> Iterator[Event]:
        for piece, key, seq in self._thoughts:
            yield from self._parts(piece, key, message, seq)
        self._thoughts.clear()

    def _parts(self, piece: Piece, key: str, message: str, seq: int) -> Iterator[Event]:
        role, kind = _SPOKEN[piece.kind]
        if piece.gone:
            self.gone[message] = None
        else:
            self.live.add(message)
        thinks = piece.kind == "thinking"
        yield MessagePart(
            session=self._session,
            message=message,
            part=key,
            seq=seq,
            role=role,
            kind=kind,
            at=None,
            text="" if thinks else clean(piece.text),
            thinking=clean(piece.text) if thinks else "",
            tool_calls=() if piece.call is None else (_use(piece.call, key),),
        )
        if piece.at is not None or piece.model is not None:
            detail = f"{key}:{_digest(str(piece.at), str(piece.model))[:8]}"
            yield MessagePart(self._session, message, detail, seq, role, kind, piece.at, model=piece.model)
        if piece.result is not None:
            yield self._result(piece.result, key, seq)

    def _result(self, result: Result, key: str, seq: int) -> ToolResult:
        output = clean(result.output)
        return ToolResult(
            session=self._session,
            call_id=key,
            part=f"{key}:{result.rank}",
            seq=(1 + result.rank) << (63 - _RANK_BITS) | seq >> _RANK_BITS,
            ok=result.ok,
            output=head_and_tail(output, OUTPUT_CHARS),
            at=result.at,
            exit_code=result.exit_code,
            changes=result.changes,
            child=result.child,
            output_chars=len(output),
        )


@dataclass(slots=True)
class Progress:
    """How much of a conversation was told: so many pieces, by their digest."""

    count: int = 0
    digest: str = ""

    def dump(self) -> list[Json]:
        """Return it as JSON values."""
        return [self.count, self.digest]

    @classmethod
    def load(cls, value: Json) -> Self:
        """Return what `dump` gave; nothing told for anything else."""
        match value:
            case [int(count), str(digest)] if count >= 0:
                return cls(count, digest)
            case _:
                return cls()


def tell_whole(session: str, pieces: Sequence[Piece], progress: Progress, budget: int) -> tuple[list[Event], int, bool]:
    """Tell what is new of a conversation that is read as a whole; move `progress` on.

    Returns the events, about how many bytes they are of, and whether all was told within the budget (at least one
    piece is). When what was told before is no longer how the conversation begins, it is told again from its start.
    """
    marks = [f"{piece.mark} {piece.result is not None} {piece.at} {piece.gone}" for piece in pieces]
    if progress.count > len(marks) or progress.digest != _digest(*marks[: progress.count]):
        progress.count = 0
    telling = Telling(session, Turns())
    events: list[Event] = []
    spent = 0
    count = len(pieces)
    for number, piece in enumerate(pieces):
        new = list(telling.tell(piece))
        if number < progress.count:
            continue
        events += new
        spent += piece.size
        if spent >= budget and number + 1 < len(pieces):
            count = number + 1
            break
    else:
        events += telling.finish()
    if gone := tuple(key for key in telling.gone if key not in telling.live) if events else ():
        events.append(Withdrawn(session, gone))
    progress.count, progress.digest = count, _digest(*marks[:count])
    return events, spent, count == len(pieces)


def _use(call: Call, key: str) -> ToolUse:
    return ToolUse(key, clean(call.name), call.kind, input_text({} if call.given is None else call.given))


def _digest(*texts: str) -> str:
    return hashlib.blake2b("\0".join(texts).encode("utf-8", "replace"), digest_size=12).hexdigest()


def dumped(value: Json) -> str:
    """Return JSON text for a cursor's state."""
    return orjson.dumps(value).decode()
