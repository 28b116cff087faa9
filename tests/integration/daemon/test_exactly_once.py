"""Whatever instant the daemon dies at, the rows in the end are those of an undisturbed run."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.integration.daemon.daemon_under_test import Home, running, settled, start, wait_until

ROOT = Path(__file__).parents[3]
FIXTURES = ROOT / "tests" / "fixtures" / "claude_code" / "2.1.332"
KILLS = 200 if os.environ.get("MEMD_SOAK") else 50
MEGABYTES = 24 if os.environ.get("MEMD_SOAK") else 10


@pytest.fixture
def history(home: Home) -> Home:
    """Months of sessions: a generated tree, and real ones with a fork, a branch and subagents."""
    tree = home.folder / ".claude" / "projects"
    generator = ROOT / "tests" / "bench" / "make_transcripts.py"
    subprocess.run(
        [sys.executable, str(generator), str(home.folder / "made"), "--mb", str(MEGABYTES), "--sessions", "30"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    for path in sorted((home.folder / "made").rglob("*.jsonl")):
        place = tree / path.parent.name
        place.mkdir(exist_ok=True)
        path.rename(place / path.name)
    shutil.rmtree(home.folder / "made")
    for story in ("fork", "branch", "subagent", "background-agent", "interactive"):
        shutil.copytree(FIXTURES / story, tree / f"-home-ada-{story}", dirs_exist_ok=True)
    return home


def _final(home: Home) -> list[str]:
    with running(home) as daemon:
        wait_until(lambda: settled(home), "the end of the work", patience_s=120)
        assert daemon.stop() == 0
    return _captured(home)


def _captured(home: Home) -> list[str]:
    """Everything that was captured, and each session's own summary and events.

    Facts are left out: they are judged against each other, and the generated sessions' words are random, so which of
    two nearly equal statements stands depends on which was distilled first. That is for the tests of the judge.
    """
    lines = home.dump().splitlines()
    return sorted(line for line in lines if not json.loads(line)[0].startswith(("fact", "evidence", "tag")))


def _reset(home: Home) -> None:
    for folder in (home.paths.data_dir, home.paths.state_dir):
        shutil.rmtree(folder)


@pytest.mark.timeout(7200 if os.environ.get("MEMD_SOAK") else 240)
def test_a_daemon_killed_again_and_again_ends_with_exactly_the_same_rows(history: Home) -> None:
    expected = _final(history)
    assert len(expected) > 1000
    _reset(history)

    chance = random.Random(20261130)
    cut_short = 0
    for _ in range(KILLS):
        daemon = start(history, ready=False)
        time.sleep(0.2 + chance.random() * 0.6)
        daemon.kill9()
        cut_short += not _complete(history)
    got = _final(history)

    assert got == expected
    assert cut_short > KILLS // 5, "most kills came when the work was done: make the history larger"


def _complete(home: Home) -> bool:
    files = list((home.folder / ".claude" / "projects").rglob("*.jsonl"))
    if not home.paths.database.exists():
        return False
    try:
        lines = home.dump().splitlines()
    except Exception:
        return False
    kinds = [json.loads(line)[0] for line in lines]
    return kinds.count("session") >= len(files)


def test_killed_workers_lose_and_repeat_nothing(history: Home) -> None:
    expected = _final(history)
    _reset(history)
    with running(history) as daemon:
        for _ in range(15):
            time.sleep(0.1)
            subprocess.run(["pkill", "-9", "-P", str(daemon.process.pid)], check=False)
        wait_until(lambda: settled(history), "the end of the work", patience_s=120)
        assert daemon.stop() == 0
    assert _captured(history) == expected
