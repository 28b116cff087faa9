"""Relations derived of what sessions said, lost and derived again: `python -m tests.bench.bench_rederive [STATEMENTS]`.

10,000 statements are made up of which each relates two names. Their relations are dropped and derived again twice, the
first time with a stop in the middle, as at the end of a daemon. Printed are the relations, the steps and the processor
time; the relations have to be the same every time, and the second time the very rows. All are said alike, so that each
is compared with many: the time grows with the square of their number (2,000: 49 s; 10,000: some twenty minutes).
"""

from __future__ import annotations

import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from memd.distill import recomparing
from memd.store import edges, projects
from memd.store.connection import connect_writer
from memd.store.migrate import migrate
from tests.unit.store.rows import NOW
from tests.unit.store.test_judged import candidate, says, session

_STATEMENTS: Final = 10_000
_IN_A_SESSION: Final = 100
_COUNT: Final = "SELECT count(*) FROM edges WHERE origin = 'distill'"
_DAY: Final = 86_400_000


def _fill(conn: sqlite3.Connection, statements: int) -> None:
    project = projects.resolve(conn, "/home/ada/harbor", [], "harbor", NOW)
    for first in range(0, statements, _IN_A_SESSION):
        said = [
            candidate(f"The {_name(number)} service uses {_name(-number - 1)} for its states", (100 + number) * _DAY)
            for number in range(first, min(first + _IN_A_SESSION, statements))
        ]
        said_in = session(conn, project, f"r{first}")
        conn.execute("BEGIN")
        says(conn, said_in, *said)
        conn.execute("COMMIT")


def _name(number: int) -> str:
    """Return a name that no other number has, and that shares no word with theirs."""
    made = random.Random(number)
    return "".join(made.choice("bdfgklmnprstvz") + made.choice("aeiou") for _ in range(4)).capitalize()


def _told(conn: sqlite3.Connection) -> list[tuple[object, ...]]:
    """Return the derived relations by what they relate, in an order of their own."""
    names = dict(conn.execute("SELECT 'entity:' || uid, name FROM entities"))
    rows = conn.execute("SELECT src, rel, dst, valid_from, valid_to, quote FROM edges WHERE origin = 'distill'")
    return sorted(((names.get(src, src), rel, names.get(dst, dst), *more) for src, rel, dst, *more in rows), key=str)


def _steps(conn: sqlite3.Connection) -> Iterator[None]:
    """Go through everything step by step, as the daemon's job does."""
    while (at := recomparing.place(conn)) is not None:
        conn.execute("BEGIN")
        recomparing.write(conn, recomparing.next_step(conn, at), NOW)
        conn.execute("COMMIT")
        yield


def main() -> None:
    """Print the figures; fails where relations differ."""
    statements = int(sys.argv[1]) if len(sys.argv) > 1 else _STATEMENTS
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "memd.db"
        migrate(database, Path(folder), 0)
        with closing(connect_writer(database)) as conn:
            _fill(conn, statements)
            before = _told(conn)
            edges.delete_origin(conn, "distill", None)
            recomparing.begin(conn)
        began, stopped = time.process_time(), 0
        with closing(connect_writer(database)) as conn:
            for stopped, _ in enumerate(_steps(conn), start=1):  # noqa: B007 - told below
                if conn.execute(_COUNT).fetchone()[0] * 2 >= len(before):
                    break
        with closing(connect_writer(database)) as conn:
            steps = stopped + sum(1 for _ in _steps(conn))
            spent = time.process_time() - began
            assert _told(conn) == before, "other relations than before"
            rows = conn.execute("SELECT * FROM edges ORDER BY id").fetchall()
            recomparing.begin(conn)
            again = sum(1 for _ in _steps(conn))
            assert conn.execute("SELECT * FROM edges ORDER BY id").fetchall() == rows, "other rows the second time"
        print(
            f"{len(before)} relations of {statements} statements: lost, derived again in {steps} steps, stopped after"
            f" {stopped}, in {spent:.1f} s of processor time; a second time ({again} steps) nothing changed"
        )


if __name__ == "__main__":
    main()
