"""A transcript folded in memory and one taken through the store are the same, whatever was read first."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import pytest

from memd.adapter import Cursor, Event, ReadLimits
from memd.fold import fold, read_all
from memd.model import Message, Session, Transcript
from memd.store import sessions
from memd.store.ingest import Prepared, store_batch
from memd.store.migrate import migrations
from tests.contract.adapters.samples import BESIDE, Sample, samples

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


def through_the_store(members: Sequence[Sample], chance: random.Random) -> dict[str, tuple[Session, list[Message]]]:
    conn = sqlite3.connect(":memory:", isolation_level=None)
    conn.execute("PRAGMA foreign_keys = ON")
    for migration in migrations():
        conn.executescript(migration.sql)
    for sample in members:
        cursor: Cursor | None = None
        more = True
        while more:
            limits = ReadLimits(batch_bytes=chance.choice((2_000, 20_000, 1 << 22)))
            batch = sample.adapter.read(sample.source(), cursor, limits)
            conn.execute("BEGIN IMMEDIATE")
            store_batch(conn, sample.source(), Prepared(batch, tuple("" for _ in batch.events)), 1)
            conn.execute("COMMIT")
            cursor, more = batch.cursor, batch.more
    found = [session for (session,) in conn.execute(_WITH_ROWS).fetchall()]
    stored = [sessions.transcript(conn, session, include_copies=False, include_abandoned=True) for session in found]
    conn.close()
    return {transcript.session.native_id: plain(transcript) for transcript in stored}


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("seed", [1, 2])
def test_fold_and_store_agree(name: str, seed: int) -> None:
    chance = random.Random(seed)
    members = list(FAMILIES[name])
    chance.shuffle(members)
    events: list[Event] = []
    for sample in members:
        events += read_all(sample.adapter, sample.source(), ReadLimits())[0]
    folded = {transcript.session.native_id: plain(transcript) for transcript in fold(members[0].adapter.name, events)}
    assert through_the_store(members, chance) == folded
