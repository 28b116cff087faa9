"""A store that is cut off, overwritten or of an odd shape is read as far as it goes or refused by its name."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memd.errors import ImportRefused
from memd.importers.registry import ReadRequest, read
from tests.unit.importers.stores import STORES

SYSTEMS = sorted({system for system, _ in STORES.values()})
ODD = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
RELAXED = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)


def read_or_refused(path: Path, system: str | None) -> None:
    """Read a store; what cannot be read is refused in a sentence that names a file of it."""
    store = path if path.is_dir() else path.parent
    before = {each: each.read_bytes() for each in store.rglob("*") if each.is_file()}
    refused, haul = "", None
    try:
        haul = read(ReadRequest(path, system))
    except ImportRefused as error:
        refused = str(error)
    assert not refused or (str(store) in refused and "\n" not in refused)
    for item in () if haul is None else haul.items:
        assert item.key
        assert item.title
        assert item.body
        json.dumps(item.more)
    assert {each: each.read_bytes() for each in store.rglob("*") if each.is_file()} == before


def files_of(path: Path) -> list[Path]:
    return [path] if path.is_file() else sorted(each for each in path.rglob("*") if each.is_file())


@pytest.mark.parametrize("name", STORES)
@given(data=st.data())
@RELAXED
def test_a_store_that_is_cut_off_or_overwritten_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    system, write = STORES[name]
    folder = tmp_path_factory.mktemp("store")
    path = write(folder)
    victim = data.draw(st.sampled_from(files_of(path)))
    whole = victim.read_bytes()
    at = data.draw(st.integers(0, len(whole)))
    noise = data.draw(st.binary(max_size=40))
    kept = data.draw(st.booleans())
    victim.write_bytes(whole[:at] + noise + (whole[at + len(noise) :] if kept else b""))

    read_or_refused(path, None)
    read_or_refused(path, system)


@pytest.mark.parametrize("name", [name for name, (_, write) in STORES.items() if "database" in name or "mem" in name])
@given(data=st.data())
@RELAXED
def test_columns_of_any_value_are_borne(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    system, write = STORES[name]
    path = write(tmp_path_factory.mktemp("store"))
    if path.is_dir() or path.suffix in {".json", ".jsonl"}:
        return
    values = st.none() | st.integers(-(2**60), 2**60) | st.floats() | st.text(max_size=12) | st.binary(max_size=12)
    with closing(sqlite3.connect(path)) as conn:
        tables = [row[0] for row in conn.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        table = data.draw(st.sampled_from(tables))
        columns = [row[1] for row in conn.execute(f"PRAGMA table_info({table})") if not row[5]]
        column = data.draw(st.sampled_from(columns))
        conn.execute(f"UPDATE {table} SET {column} = ?", (data.draw(values),))
        conn.commit()

    read_or_refused(path, system)


def _json_documents() -> dict[str, tuple[str, str, Callable[[Any], Any]]]:
    """Documents of odd members, by system: the file's name, and what is around a member."""
    return {
        "thoth": ("thoth.json", "thoth", lambda odd: {"version": 1, "exported_at": "x", "observations": odd}),
        "mem0": ("mem0.json", "mem0", lambda odd: {"results": odd}),
        "memd": ("memd.json", "memd", lambda odd: {"memd_export": 1, "facts": odd, "relations": odd, "blocks": odd}),
    }


@pytest.mark.parametrize("name", _json_documents())
@given(odd=ODD, rows=st.lists(ODD, max_size=4))
@RELAXED
def test_a_document_of_odd_members_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, name: str, odd: object, rows: list[object]
) -> None:
    file, system, around = _json_documents()[name]
    path = tmp_path_factory.mktemp("store") / file
    for document in (around(odd), around(rows), odd):
        path.write_text(json.dumps(document))
        read_or_refused(path, system)


@given(lines=st.lists(ODD, max_size=5))
@RELAXED
def test_lines_and_chunks_of_odd_members_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, lines: list[object]
) -> None:
    vault = tmp_path_factory.mktemp("vault") / "memory.jsonl"
    entity = {"type": "entity", "name": "Quay", "observations": lines}
    vault.write_text("".join(json.dumps(line) + "\n" for line in [*lines, entity]))
    read_or_refused(vault, "rawthink")
    sync = tmp_path_factory.mktemp("sync")
    (sync / "chunks").mkdir()
    for number, document in enumerate([{"version": 2, "mutations": lines}, *lines]):
        with gzip.open(sync / "chunks" / f"chunk-{number}.json.gz", "wt") as file:
            json.dump(document, file)
    read_or_refused(sync, "thoth")
