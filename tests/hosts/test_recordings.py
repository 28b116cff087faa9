from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.hosts.claude_code_client import PINNED_VERSION
from tests.hosts.record import FIXTURES, STORIES

RECORDED = sorted(FIXTURES.rglob("*.json*"))


def test_every_story_has_its_recording() -> None:
    assert {path.name for path in (FIXTURES / PINNED_VERSION).iterdir()} == set(STORIES)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: str(path.relative_to(FIXTURES)))
def test_a_recording_is_small_and_names_no_other_home(path: Path) -> None:
    text = path.read_text()
    assert len(text) < 100_000
    assert set(re.findall(r"/(?:home|root|Users)\b(?:/\w+)?", text)) <= {"/home/ada"}
    assert "memd" not in text


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: str(path.relative_to(FIXTURES)))
def test_a_recording_is_whole_lines_of_json(path: Path) -> None:
    lines = path.read_bytes().split(b"\n")
    assert lines.pop() == b""
    assert all(isinstance(json.loads(line), dict) for line in lines)
