"""A session is stored under what its host calls it, unless that should not be stored."""

from __future__ import annotations

import pytest

from memd.text.session_ids import LONGEST, session_id

KEY = "gh" + "p_" + "a1B2c3D4e5F6" * 3
PLAIN = [
    "0a11ce00-0000-4000-8000-000000000001",
    "agent-0a11ce0000000002",
    "ses_7f2c9a1d0ffeAbCdEfGhIjKlMn",
    "1764547200000",
    "2026-12-01T10-00-00-0a11ce",
    "task.1__step",
]
OTHERS = [
    KEY,
    f"session of {KEY}",
    "../../etc/passwd",
    "/etc/passwd",
    "a/../b",
    "..",
    "~/x",
    "a\x1b[2Jb",
    "a\nb",
    "a\x00b",
    "x" * (LONGEST + 1),
    "\ud800",
]


@pytest.mark.parametrize("told", PLAIN)
def test_an_id_of_a_host_stays_as_it_is(told: str) -> None:
    assert session_id(told) == told


@pytest.mark.parametrize("told", OTHERS)
def test_what_is_a_secret_a_path_or_no_name_is_called_otherwise_and_always_the_same(told: str) -> None:
    stored = session_id(told)

    assert told not in stored
    assert stored == session_id(told) == session_id(stored)
    assert stored != session_id(told + "1")
    assert len(stored) < 40
    assert stored.isascii()
