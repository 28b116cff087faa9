"""Words: whatever holds them is deleted for good, wherever it stands: a name, a figure that nobody should have."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from memd.distill import stating
from memd.distill.unlearning import Origin, concerned
from memd.errors import BadParameter
from memd.operations import deleting, notes, taking_over
from memd.operations.announcing import announced, of_facts, of_messages
from memd.operations.deleting_answers import WordsForgottenAnswer
from memd.operations.memory import Memory
from memd.operations.pieces import write_in_pieces
from memd.operations.registry import operation
from memd.operations.scrub import scrub
from memd.operations.telling import told_all
from memd.store import deleting as stored
from memd.store import facts, meta
from memd.store.facts import Connection
from memd.store.occurrences import Occurrences, drop_rest, occurrences_of

logger = logging.getLogger(__name__)

_LEAST_CHARS: Final = 4
_DISTILL_S: Final = 60.0
_UNFINISHED: Final = "words being forgotten"
"""The note of the words from before the first of them goes until the last one has."""


@dataclass(frozen=True, slots=True)
class WordsParams:
    """Words that are to be nowhere any more."""

    text: str = field(metadata={"help": f"the words as they are written, {_LEAST_CHARS} characters or more"})
    copies: bool = field(
        default=False,
        metadata={"help": "also from backups: take a new one, and remove older ones and damaged databases set aside"},
    )
    apply: bool = field(default=False, metadata={"help": "do it; without this it is only shown what would be done"})


@dataclass(frozen=True, slots=True)
class _Going:
    found: Occurrences
    origin: Origin
    """The messages among these."""
    facts: tuple[int, ...]
    """Those that hold the words, and those that rest on nothing but messages that do."""
    staying: int


@operation("words.forget", writes=True, destroys=True)
async def forget(memory: Memory, params: WordsParams) -> WordsForgottenAnswer:
    """Delete every message and fact that holds some words, for good; reading it all again does not bring them back.

    Kept prompts, handoffs and entities go as well; blocks and projects that hold them are named.
    Raises BadParameter for fewer than 4 characters.
    """
    words = " ".join(params.text.split())
    if len(words) < _LEAST_CHARS:
        raise BadParameter("words.forget", f"say {_LEAST_CHARS} characters or more, not {words!r}")
    going = await memory.readers.run(lambda conn: _going(conn, words))
    answer = await memory.readers.run(lambda conn: _told(conn, going))
    if params.apply:
        await _apply(memory, words, going)
        answer = replace(answer, applied=True, clean=await scrub(memory))
    left, removed = await deleting.copies_left(memory, remove=params.apply and params.copies)
    return replace(answer, copies=left, copies_removed=removed)


async def go_on(memory: Memory) -> bool:
    """Bring a deletion that the daemon was killed at to its end; return whether there was one. Raises StoreError.

    What of it is in the log of deletions has gone by then (`recarrying`); prompts, handoffs and names are not in that.
    """
    words = await memory.readers.run(lambda conn: meta.get(conn, _UNFINISHED))
    if words is None:
        return False
    await _let_go(memory, words, await memory.readers.run(lambda conn: _going(conn, words)))
    await notes.without_erased(memory)
    await scrub(memory)
    logger.info("event=words_forgotten_after_restart")
    return True


def _going(conn: Connection, words: str) -> _Going:
    found = occurrences_of(conn, words)
    origin = Origin(frozenset(found.messages), frozenset())
    alone, staying = concerned(conn, origin)
    gone = tuple(sorted({*found.facts, *alone}))
    return _Going(found, origin, gone, len(set(staying) - set(gone)))


def _told(conn: Connection, going: _Going) -> WordsForgottenAnswer:
    return WordsForgottenAnswer(
        applied=False,
        messages=len(going.found.messages),
        sessions=len(going.found.sessions),
        forgotten=told_all(conn, facts.load(conn, going.facts)),
        kept=going.staying,
        prompts=going.found.prompts,
        handoffs=going.found.handoffs,
        blocks=going.found.blocks,
        entities=going.found.entities,
        projects=going.found.projects,
        transcripts=stored.sources_of(conn, going.found.sessions),
        copies=(),
    )


async def _apply(memory: Memory, words: str, going: _Going) -> None:
    await memory.writer.run(lambda conn: meta.put(conn, _UNFINISHED, words))
    await _let_go(memory, words, going)
    for session in going.found.sessions:
        await memory.distiller.distill_now(session, _DISTILL_S)
    await notes.without_erased(memory)


async def _let_go(memory: Memory, words: str, going: _Going) -> None:
    now = memory.clock.now_ms()
    of_what_was_said = await memory.readers.run(lambda conn: of_messages(conn, going.found.messages, (), now))
    of_what_is_known = await memory.readers.run(lambda conn: of_facts(conn, going.facts, now))
    async with announced(memory, of_what_was_said), announced(memory, of_what_is_known):
        await write_in_pieces(memory.writer, going.facts, partial(_forget, now_ms=now))
        await deleting.let_go(memory, going.origin, now)
        await memory.writer.run(lambda conn: _rest(conn, words, now))


def _forget(conn: Connection, ids: Sequence[int], now_ms: int) -> None:
    for fact in facts.load(conn, ids):
        stating.forget(conn, fact.id, now_ms)


def _rest(conn: Connection, words: str, now_ms: int) -> None:
    meta.put(conn, _UNFINISHED, None)
    for uid in drop_rest(conn, words):
        taking_over.bar_handoff(conn, uid, now_ms)
