from __future__ import annotations

from pathlib import Path

import pytest

from memd.store import schema


def test_the_program_writes_the_snapshot_that_lies_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Path(schema.__file__).with_name("schema.sql").read_text("utf-8")
    monkeypatch.setattr(schema, "__file__", str(tmp_path / "schema.py"))

    assert schema.main() == 0
    assert (tmp_path / "schema.sql").read_text("utf-8") == kept
