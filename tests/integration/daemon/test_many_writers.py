"""Several programs that hand things to memd at once lose nothing and keep nothing twice."""

from __future__ import annotations

import subprocess
import sys

from tests.integration.daemon.daemon_under_test import Home, running

PROGRAMS, EACH = 4, 250
_PROGRAM = """
import json, socket, sys
number, count, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
with socket.socket(socket.AF_UNIX) as door:
    door.connect(path)
    with door.makefile("rwb") as lines:
        for each in range(count):
            text = f"What did ship {number} load in hold {each}?"
            lines.write(json.dumps({"op": "prompts.save", "params": {"text": text}}).encode() + b"\\n")
            lines.flush()
            assert json.loads(lines.readline())["ok"]
"""


def test_a_thousand_rows_of_four_programs_are_all_there_once(home: Home) -> None:
    with running(home) as daemon:
        words = [sys.executable, "-c", _PROGRAM]
        programs = [
            subprocess.Popen([*words, str(number), str(EACH), str(home.paths.socket)]) for number in range(PROGRAMS)
        ]
        assert [program.wait(timeout=90) for program in programs] == [0] * PROGRAMS
        daemon.kill9()
        assert home.query("SELECT count(*), count(DISTINCT text) FROM prompts") == [(PROGRAMS * EACH, PROGRAMS * EACH)]
        assert home.query("PRAGMA journal_mode") == [("wal",)]
        assert home.query("PRAGMA quick_check") == [("ok",)]
        assert home.query("PRAGMA foreign_key_check") == []
