"""A transcript folded in memory and one taken through the store are the same, in whatever order files were read."""

from __future__ import annotations

import itertools
import random
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import groupby
from typing import TypeAlias

import pytest

from memd.adapter import Batch, Cursor, Event, ReadLimits, Source
from memd.fold import fold, read_all
from memd.model import Message, Session, Transcript
from memd.store import sessions
from memd.store.ingest import Prepared, store_batch
from memd.store.migrate import migrations
from tests.contract.adapters.samples import BESIDE, Sample, samples

Told: TypeAlias = dict[str, tuple[Session, list[Message]]]

_WITH_ROWS = "SELECT id FROM sessions WHERE id IN (SELECT session_id FROM message_parts)"
"""A session that only its name is known of is none yet."""


def family(sample: Sample) -> str:
    """Return what samples belong together: the files of one home, or of one version recorded elsewhere."""
    parts = sample.path.relative_to(sample.folder).parts
    if "projects" in parts:
        return "/".join((sample.adapter.name, *parts[: parts.index("projects")]))
    if parts[0].startswith("synthetic"):
        return sample.name
    place = "beside" if sample.folder.is_relative_to(BESIDE) else "here"
    return f"{sample.adapter.name} {parts[0].split('__')[0]} {place}"


FAMILIES = {name: list(members) for name, members in groupby(sorted(samples(), key=family), key=family)}


def plain(transcript: Transcript) -> tuple[Session, list[Message]]:
    """Take away what only a store gives (row ids, revisions, life) and what redaction may change (lengths)."""
    session = replace(transcript.session, id=0, uid="", revision=0, state="live", project=None)
    messages = [
        replace(message, id=0, tool_calls=tuple(replace(call, output_chars=0) for call in message.tool_calls))
        for message in transcript.messages
    ]
    return session, messages


def database() -> sqlite3.Connection:
    conn = sqlite3.connect(":memory:", isolation_level=None)
    conn.execute("PRAGMA foreign_keys = ON")
    for migration in migrations():
        conn.executescript(migration.sql)
    return conn


def through_the_store(reads: Iterable[tuple[Source, Batch]]) -> Told:
    """Store what was read, each batch in a transaction of its own, and return the sessions that come of it."""
    with closing(database()) as conn:
        for source, batch in reads:
            conn.execute("BEGIN IMMEDIATE")
            store_batch(conn, source, Prepared(batch, tuple("" for _ in batch.events)), 1)
            conn.execute("COMMIT")
        found = [session for (session,) in conn.execute(_WITH_ROWS).fetchall()]
        stored = [sessions.transcript(conn, session, include_copies=False, include_abandoned=True) for session in found]
    return {transcript.session.native_id: plain(transcript) for transcript in stored}


def batches(sample: Sample, chance: random.Random) -> list[tuple[Source, Batch]]:
    """Read a sample in pieces of sizes that nobody chose."""
    read = []
    cursor: Cursor | None = None
    more = True
    while more:
        limits = ReadLimits(batch_bytes=chance.choice((2_000, 20_000, 1 << 22)))
        batch = sample.adapter.read(sample.source(), cursor, limits)
        read.append((sample.source(), batch))
        cursor, more = batch.cursor, batch.more
    return read


def interleaved(queues: Iterable[list[tuple[Source, Batch]]], chance: random.Random) -> Iterator[tuple[Source, Batch]]:
    """Take from queues in turns that chance decides; what comes from one stays in its order."""
    waiting = [iter(queue) for queue in queues]
    while waiting:
        turn = chance.randrange(len(waiting))
        try:
            yield next(waiting[turn])
        except StopIteration:
            del waiting[turn]


def orders(members: Sequence[Sample], chance: random.Random) -> Iterator[Sequence[Sample]]:
    """Return every order in which few samples can be read; of many their own, its reverse and some others."""
    if len(members) <= 3:
        yield from itertools.permutations(members)
        return
    yield members
    yield members[::-1]
    for _ in range(2):
        yield chance.sample(members, len(members))


def folded(members: Sequence[Sample]) -> Told:
    events: list[Event] = []
    for sample in members:
        events += read_all(sample.adapter, sample.source(), ReadLimits())[0]
    return {transcript.session.native_id: plain(transcript) for transcript in fold(members[0].adapter.name, events)}


@pytest.mark.parametrize("name", FAMILIES)
def test_fold_and_store_agree_whatever_is_read_first(name: str) -> None:
    chance = random.Random(name)
    members = FAMILIES[name]
    expected = folded(members)
    for order in orders(members, chance):
        assert folded(order) == expected
        assert through_the_store(itertools.chain.from_iterable(batches(sample, chance) for sample in order)) == expected


@pytest.mark.parametrize("name", [name for name, members in FAMILIES.items() if len(members) > 1])
def test_files_may_be_read_in_turns(name: str) -> None:
    chance = random.Random(name)
    members = FAMILIES[name]
    expected = folded(members)
    for _ in range(2):
        queues = [batches(sample, chance) for sample in members]
        assert through_the_store(interleaved(queues, chance)) == expected
