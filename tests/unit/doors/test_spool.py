from __future__ import annotations

from pathlib import Path

from memd.doors.spool import done, take


def test_spooled_events_are_given_in_order_and_once_they_are_taken_up_forgotten(tmp_path: Path) -> None:
    (tmp_path / "events.ndjson").write_bytes(b'{"event":"Stop"}\n{"event":"SessionEnd"}\n')
    assert [event["event"] for event in take(tmp_path)] == ["Stop", "SessionEnd"]
    done(tmp_path)
    assert take(tmp_path) == ()
    assert list(tmp_path.iterdir()) == []


def test_a_crash_before_done_gives_them_again_together_with_newer_ones(tmp_path: Path) -> None:
    (tmp_path / "events.ndjson").write_bytes(b'{"event":"Stop"}\n')
    take(tmp_path)
    (tmp_path / "events.ndjson").write_bytes(b'{"event":"SessionEnd"}\n')
    assert [event["event"] for event in take(tmp_path)] == ["Stop", "SessionEnd"]
    done(tmp_path)
    assert take(tmp_path) == ()


def test_torn_and_foreign_lines_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "events.ndjson").write_bytes(b'\x00\xff\n[1]\n{"event":"Stop"}\n{"event":"Sess')
    assert [event["event"] for event in take(tmp_path)] == ["Stop"]


def test_no_spool_is_no_event(tmp_path: Path) -> None:
    assert take(tmp_path / "none") == ()
    done(tmp_path)
