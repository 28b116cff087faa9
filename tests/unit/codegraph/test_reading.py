"""The number of the way in which sources are read goes with that way."""

from __future__ import annotations

from pathlib import Path

import pytest

from memd.codegraph.tasks import READING
from tests.unit.codegraph import reading


def test_whoever_changes_how_sources_are_read_is_told_to_have_kept_projects_read_again() -> None:
    assert (word := reading.told()) is None, word


def test_a_change_that_only_speaks_to_a_reader_is_no_other_way(tmp_path: Path) -> None:
    one, other, third = (tmp_path / name for name in ("one.py", "other.py", "third.py"))
    one.write_text('"""Adds."""\n\ndef add(a):\n    # one more\n    return a + 1\n')
    other.write_text('"""Adds,\n\nby one.\n"""\ndef add(a):\n\n    return a + 1\n')
    third.write_text('"""Adds."""\n\ndef add(a):\n    # one more\n    return a + 2\n')
    assert reading.said(one) == reading.said(other) != reading.said(third)


def test_what_differs_from_the_record_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = tmp_path / "reading.json"
    monkeypatch.setattr(reading, "RECORD", record)
    record.write_text(f'{{"reading": {READING}, "digest": "another"}}')
    assert "raise READING" in str(reading.told())
    record.write_text(f'{{"reading": {READING - 1}, "digest": "another"}}')
    assert "run `python" in str(reading.told())
    record.write_text(f'{{"reading": {READING}, "digest": "{reading.digest()}"}}')
    assert reading.told() is None
