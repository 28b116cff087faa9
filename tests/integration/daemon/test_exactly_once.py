"""Whatever instant the daemon or a worker dies at, the rows in the end are those of an undisturbed run."""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from memd.errors import StoreError
from tests.bench.make_transcripts import write_tree
from tests.integration.daemon.daemon_under_test import Daemon, Home, answers, running, settled, start, wait_until

ROOT = Path(__file__).parents[3]
FIXTURES = ROOT / "tests" / "fixtures" / "claude_code" / "2.1.332"
STORIES = ("fork", "branch", "subagent", "background-agent", "interactive")
SOAK = bool(os.environ.get("MEMD_SOAK"))
KILLS = int(os.environ.get("MEMD_KILLS", "200" if SOAK else "50"))
WORKER_KILLS = 60 if SOAK else 15
MEGABYTES = 24 if SOAK else 8
SESSIONS = 24
LONGEST_LIFE_S = 0.7


@dataclass(slots=True)
class History:
    """Months of sessions in a home: what was written at first, and what its host goes on writing, piece by piece."""

    home: Home
    later: Iterator[tuple[Path, bytes]]

    def go_on(self, pieces: int) -> None:
        """Write some more pieces, which begin and end in the middle of lines."""
        for path, piece in itertools.islice(self.later, pieces):
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("ab") as file:
                file.write(piece)

    def finish(self) -> None:
        """Write whatever is left."""
        self.go_on(1_000_000)


@pytest.fixture
def history(home: Home) -> History:
    """A generated tree of which two thirds are written later, and real sessions with a fork, a branch and subagents."""
    chance = random.Random(20261130)
    tree = home.folder / ".claude" / "projects"
    made = home.folder / "made"
    write_tree(made, MEGABYTES, SESSIONS)
    for story in STORIES:
        shutil.copytree(FIXTURES / story / "projects" / "-home-ada-harbor", made / "projects" / f"-home-ada-{story}")
    pieces: list[list[tuple[Path, bytes]]] = []
    for path in sorted((made / "projects").rglob("*.jsonl")):
        place = tree / path.relative_to(made / "projects")
        place.parent.mkdir(parents=True, exist_ok=True)
        content = path.read_bytes()
        cuts = sorted(chance.randrange(len(content)) for _ in range(2 * KILLS // SESSIONS))
        place.write_bytes(content[: len(content) // 3])
        cuts = [len(content) // 3, *(cut for cut in cuts if cut > len(content) // 3), len(content)]
        pieces.append([(place, content[here:there]) for here, there in itertools.pairwise(cuts)])
    shutil.rmtree(made)
    in_turns = itertools.chain.from_iterable(itertools.zip_longest(*pieces))
    return History(home, (piece for piece in in_turns if piece is not None))


def final(home: Home) -> list[str]:
    """Let a daemon finish undisturbed, and return all that was captured."""
    with running(home) as daemon:
        wait_until(lambda: settled(home) and not unread(home), "the end of the work", patience_s=600)
        assert daemon.stop() == 0
    return captured(home)


def captured(home: Home) -> list[str]:
    """Everything that was captured, and each session's own summary and events.

    Facts are left out: they are judged against each other, and the generated sessions' words are random, so which of
    two nearly equal statements stands depends on which was distilled first. That is for the tests of the judge.
    """
    lines = home.dump().splitlines()
    return sorted(line for line in lines if not json.loads(line)[0].startswith(("fact", "evidence", "tag")))


def forget(home: Home) -> None:
    """Begin anew, with the same transcripts on the same disk."""
    for folder in (home.paths.data_dir, home.paths.state_dir):
        shutil.rmtree(folder)


def unread(home: Home) -> list[Path]:
    """Transcripts of which whole lines were not read."""
    read = dict(home.query('SELECT path, "offset" FROM sources'))
    files = (home.folder / ".claude" / "projects").rglob("*.jsonl")
    return [path for path in files if read.get(str(path)) != path.read_bytes().rfind(b"\n") + 1]


def stage(home: Home, dead: Daemon) -> str:
    """What a daemon that was killed had come to."""
    if f"event=ready pid={dead.pid} " not in home.paths.log_file.read_text():
        return "starting"
    try:
        if unread(home):
            return "reading"
        rest = home.query("SELECT count(*) FROM sessions WHERE state <> 'ended' OR revision > distilled")
    except (StoreError, sqlite3.Error):
        return "starting"
    return "distilling" if rest[0][0] else "quiet"


@pytest.mark.timeout(7200 if SOAK else 1800)
def test_a_daemon_killed_again_and_again_ends_with_exactly_the_same_rows(history: History) -> None:
    home = history.home
    chance = random.Random(20261130)
    stages: Counter[str] = Counter()
    with running(home) as first:
        assert first.stop() == 0
    for number in range(KILLS):
        daemon = start(home, ready=False)
        if number % 5:
            # Four out of five die while they work, on however slow a machine.
            wait_until(lambda: answers(home), "the daemon's first answer")
        time.sleep(chance.random() * LONGEST_LIFE_S / 2)
        # In every other life nothing new is written, so that it comes to what follows reading.
        history.go_on(number % 2 * 4)
        time.sleep(chance.random() * LONGEST_LIFE_S / 2)
        if number % 16 == 9:  # nor are there only kills while it reads, where that takes longer than a life
            wait_until(lambda: not unread(home), "everything to be read")
        daemon.kill9()
        stages[stage(home, daemon)] += 1
    history.finish()
    got = final(home)
    forget(home)
    expected = final(home)

    assert got == expected
    assert len(expected) > 1000
    print(f"killed while {dict(stages)}")
    assert stages["reading"] >= KILLS // 5, stages
    assert stages["starting"], stages
    assert stages["distilling"] + stages["quiet"], stages


@pytest.mark.timeout(3600 if SOAK else 900)
def test_killed_workers_lose_and_repeat_nothing(history: History) -> None:
    home = history.home
    killed = 0
    with running(home) as daemon:
        end = time.monotonic() + 300
        while killed < WORKER_KILLS and time.monotonic() < end:
            history.go_on(4)
            time.sleep(0.05)
            for pid in set(home.processes()) - {daemon.pid}:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    killed += 1
        history.finish()
        wait_until(lambda: settled(home) and not unread(home), "the end of the work", patience_s=600)
        assert home.call("status")["hosts"]["claude_code"]["errors"] == []
        assert daemon.stop() == 0
    got = captured(home)
    forget(home)

    assert killed >= WORKER_KILLS
    assert got == final(home)
