"""What every adapter promises (memd.adapter), held against every sample there is of its host."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memd.adapter import Adapter, Batch, Cursor, Event, HostEnv, ReadLimits, Root, SessionUpdate, Source
from memd.errors import TranscriptError
from memd.fold import fold, read_all
from memd.model import Transcript
from memd_adapters import ADAPTERS
from tests.contract.adapters.samples import FIXTURES, ROOT, Sample, samples
from tests.contract.adapters.shapes import misshapen_file

SAMPLES = samples()
every_sample = pytest.mark.parametrize("sample", SAMPLES, ids=[sample.name for sample in SAMPLES])
OURS = [sample for sample in SAMPLES if sample.path.is_relative_to(FIXTURES) and sample.path.stat().st_size < 200_000]
every_adapter = pytest.mark.parametrize("adapter", ADAPTERS.values(), ids=list(ADAPTERS))


def told(adapter: Adapter, events: Iterable[Event]) -> dict[str, Transcript]:
    return {transcript.session.native_id: transcript for transcript in fold(adapter.name, events)}


def read_on(sample: Sample, source: Source, cursor: Cursor | None, limits: ReadLimits) -> Iterator[Batch]:
    more = True
    while more:
        batch = sample.adapter.read(source, cursor, limits)
        yield batch
        cursor, more = batch.cursor, batch.more


def texts_of(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from texts_of(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from texts_of(getattr(value, field.name))


def numbers_of(value: object) -> Iterator[int]:
    if isinstance(value, int):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from numbers_of(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from numbers_of(getattr(value, field.name))


@every_adapter
def test_every_adapter_has_samples_of_its_own(adapter: Adapter) -> None:
    assert any(sample.adapter is adapter and sample.path.is_relative_to(FIXTURES) for sample in SAMPLES)


@every_sample
@pytest.mark.parametrize("batch_bytes", [1, 3000])
def test_small_pieces_tell_the_same_as_one_read(sample: Sample, batch_bytes: int) -> None:
    events, skipped = read_all(sample.adapter, sample.source(), ReadLimits())
    again, skipped_again = read_all(sample.adapter, sample.source(), ReadLimits(batch_bytes=batch_bytes))
    assert told(sample.adapter, again) == told(sample.adapter, events)
    assert skipped_again == skipped


@every_sample
def test_reading_while_the_file_grows_tells_the_same(sample: Sample, tmp_path: Path) -> None:
    content = sample.path.read_bytes()
    chance = random.Random(len(content))
    stops = sorted(chance.randrange(len(content) + 1) for _ in range(12))
    path = sample.copy(tmp_path, empty=True)
    source = sample.source(path)
    events: list[Event] = []
    cursor: Cursor | None = None
    for stop in [*stops, len(content)]:
        with path.open("ab") as file:
            file.write(content[path.stat().st_size : stop])
        try:
            for batch in read_on(sample, source, cursor, ReadLimits(batch_bytes=chance.choice((1, 2000, 1 << 20)))):
                assert not batch.restarted
                events += batch.events
                cursor = batch.cursor
        except TranscriptError:
            pass  # nothing in it makes sense yet
    whole, _ = read_all(sample.adapter, sample.source(), ReadLimits())
    assert told(sample.adapter, seen_from(tmp_path, events)) == told(sample.adapter, seen_from(sample.folder, whole))


@every_sample
def test_reading_again_adds_nothing(sample: Sample) -> None:
    events, _ = read_all(sample.adapter, sample.source(), ReadLimits())
    repeated, _ = read_all(sample.adapter, sample.source(), ReadLimits(batch_bytes=5000))
    assert told(sample.adapter, events + repeated + events[::3]) == told(sample.adapter, events)


@every_sample
def test_nothing_depends_on_where_the_home_folder_is(sample: Sample, tmp_path: Path) -> None:
    path = sample.copy(tmp_path / "another" / "home")
    moved, _ = read_all(sample.adapter, sample.source(path), ReadLimits())
    events, _ = read_all(sample.adapter, sample.source(), ReadLimits())
    assert seen_from(tmp_path / "another" / "home", moved) == seen_from(sample.folder, events)


def seen_from(home: Path, events: Iterable[Event]) -> list[Event]:
    """Return events with folders below the home folder told from there: some hosts write into the work tree itself."""
    return [
        replace(event, cwd=str(Path(event.cwd).relative_to(home)))
        if isinstance(event, SessionUpdate) and event.cwd and Path(event.cwd).is_relative_to(home)
        else event
        for event in events
    ]


@every_sample
def test_an_unchanged_source_gives_nothing_new(sample: Sample) -> None:
    *_, last = read_on(sample, sample.source(), None, ReadLimits())
    again = sample.adapter.read(sample.source(), last.cursor, ReadLimits())
    assert (again.events, again.more, again.lines) == ((), False, 0)
    assert again.cursor == last.cursor


@every_sample
def test_the_cursor_survives_being_stored(sample: Sample) -> None:
    for batch in read_on(sample, sample.source(), None, ReadLimits(batch_bytes=2000)):
        assert batch.cursor.state == "" or json.loads(batch.cursor.state) is not None
        assert len(batch.cursor.state) < 64 << 10


@every_sample
def test_texts_can_be_written_and_inputs_are_json(sample: Sample) -> None:
    events, _ = read_all(sample.adapter, sample.source(), ReadLimits())
    for event in events:
        for text in texts_of(event):
            text.encode()
            assert "\0" not in text
    for transcript in fold(sample.adapter.name, events):
        for message in transcript.messages:
            for call in message.tool_calls:
                assert call.input == "" or json.loads(call.input) is not None


@every_adapter
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=600))
def test_any_bytes_are_borne(adapter: Adapter, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "any.jsonl"
    path.write_bytes(content)
    _bear(adapter, Source(adapter.name, path, "s"))
    adapter.recognise(path, content)


def _bear(adapter: Adapter, source: Source) -> None:
    try:
        events, _ = read_all(adapter, source, ReadLimits(batch_bytes=4096, line_bytes=20_000))
    except (TranscriptError, OSError):
        return
    for event in events:
        for text in texts_of(event):
            text.encode()
        for number in numbers_of(event):
            assert -(1 << 63) <= number < 1 << 63, "no database takes it"
    fold(adapter.name, events)


def mutated(content: bytes, chance: random.Random) -> bytes:
    """Damage a file as crashes, bad disks and strangers do."""
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(content) + 1)
        length = chance.choice((1, 3, 40, 2000))
        match chance.randrange(6):
            case 0:
                content = content[:at] + content[at + length :]
            case 1:
                content = content[:at] + chance.randbytes(length) + content[at:]
            case 2:
                content = content[:at] + content[at : at + length] * 2 + content[at + length :]
            case 3:
                content = content[:at] + b"\0" * length + content[at + length :]
            case 4:
                values = (b"null", b"[]", b"{}", b"1e999", b'"x"', b"[[[{}]]]", b"99999999999999999999", b"true")
                content = content.replace(
                    chance.choice((b'"user"', b"true", b"null", b'"text"')), chance.choice(values)
                )
            case _:
                content = content.replace(b"\n", b"", 1) if chance.random() < 0.5 else content[: at or 1]
    return content


@every_sample
def test_damaged_files_are_borne(sample: Sample, tmp_path: Path) -> None:
    chance = random.Random(sample.name)
    path = sample.copy(tmp_path)
    content = sample.path.read_bytes()[:60_000]
    for _ in range(12):
        path.write_bytes(mutated(content, chance))
        _bear(sample.adapter, sample.source(path))


@pytest.mark.parametrize("sample", OURS, ids=[sample.name for sample in OURS])
def test_rows_of_any_shape_are_borne(sample: Sample, tmp_path: Path) -> None:
    chance = random.Random(sample.name)
    path = sample.copy(tmp_path)
    content = sample.path.read_bytes()
    beside = [other for other in sorted(tmp_path.rglob("*.json")) if other != path]
    for _ in range(8):
        path.write_bytes(misshapen_file(content, chance))
        for other in chance.sample(beside, min(len(beside), 2)):
            other.write_bytes(misshapen_file(other.read_bytes(), chance))
        sample.adapter.recognise(path, path.read_bytes()[:65536])
        _bear(sample.adapter, sample.source(path))


READ_ONLY = """
import os, sys
opened = []
def watch(event, args):
    if event == "open":
        path, mode, flags = args
        if isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND):
            opened.append(str(path))
    elif event in ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate", "os.utime"):
        opened.append(event)
from pathlib import Path
from memd.adapter import ReadLimits, Root
from memd_adapters import ADAPTERS
from memd.fold import read_all
sys.addaudithook(watch)
adapter = ADAPTERS[sys.argv[1]]
for name in sys.argv[2:]:
    path = Path(name)
    source = adapter.recognise(path, path.read_bytes()[:65536])
    read_all(adapter, source, ReadLimits())
    read_all(adapter, source, ReadLimits(batch_bytes=2000))
    adapter.live(Root(adapter.name, path.parent))
print(opened)
"""


@every_adapter
def test_a_hosts_files_are_opened_for_reading_only(adapter: Adapter, tmp_path: Path) -> None:
    paths = [sample.copy(tmp_path) for sample in SAMPLES if sample.adapter is adapter]
    for path in tmp_path.rglob("*"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in tmp_path.rglob("*")}
    python = [sys.executable, "-X", "utf8", "-B", "-c", READ_ONLY, adapter.name, *map(str, paths)]
    done = subprocess.run(python, capture_output=True, text=True, check=False, cwd=ROOT, env={**os.environ})
    for path in [tmp_path, *tmp_path.rglob("*")]:
        path.chmod(0o755)
    assert (done.stdout.strip(), done.returncode) == ("[]", 0), done.stderr
    assert {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in tmp_path.rglob("*")} == before


@every_adapter
def test_roots_are_absolute_and_need_not_exist(adapter: Adapter, tmp_path: Path) -> None:
    env = HostEnv(tmp_path / "nobody", {}, "linux", (tmp_path / "extra",))
    roots = adapter.roots(env)
    assert roots
    again = adapter.roots(replace(env, extra_roots=(tmp_path / "extra", *(root.path for root in roots))))
    assert [root.path for root in again].count(tmp_path / "extra") == 1
    assert set(again) == set(roots)
    assert len(again) == len(set(again))
    for root in roots:
        assert root.path.is_absolute()
        assert root.host == adapter.name
        assert adapter.live(root) == ()
        assert adapter.classify(root, tmp_path / "elsewhere.txt") is None


@every_adapter
def test_a_missing_file_is_an_os_error(adapter: Adapter, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        adapter.read(Source(adapter.name, tmp_path / "none.jsonl", "s"), None, ReadLimits())
    assert adapter.live(Root(adapter.name, tmp_path / "none")) == ()
