"""A file that memd writes is the old or the new one whole, whenever its program is killed; none is half or empty."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

# What writes is a child that is killed at some moment; its parent has loaded everything already and looks at the file.
_KILLING = """
import os, random, signal, sys, time
from pathlib import Path
path, chance = Path(sys.argv[1]), random.Random(20261130)
{prepare}
for number in range(30):
    child = os.fork()
    if not child:
        while True:
            {write}
    time.sleep(chance.uniform(0.0, 0.04))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert {whole}, number
"""
_TEXTS = "texts = [name * 300_000 for name in 'ab']; path.write_text(texts[0])"
_IS_ONE = "path.read_text() in texts"
CASES = {
    "settings": (
        f"from memd_hooks import files; {_TEXTS}",
        "[files.write_private(path, text.encode()) for text in texts]",
        _IS_ONE,
    ),
    "notes": (
        f"from memd.operations import entries; {_TEXTS}", "[entries.write(path, text) for text in texts]", _IS_ONE
    ),
    "backups": (
        (
            "from memd.store import backup, connection, migrate\nsource = path.with_name('source.db')\n"
            "migrate.migrate(source, path.parent, 0)\n"
            "conn = connection.connect_reader(source)\nbackup.copy_to(conn, path)"
        ),
        "backup.copy_to(connection.connect_reader(source), path)",
        "backup.check(path, full=True) is None",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_file_is_whole_whenever_its_program_is_killed(case: str, tmp_path: Path) -> None:
    prepare, write, whole = CASES[case]
    code = _KILLING.format(prepare=prepare, write=write, whole=whole)
    program = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "file")], capture_output=True, text=True, timeout=50, check=False
    )
    assert (program.returncode, program.stderr) == (0, "")
