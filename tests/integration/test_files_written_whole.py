"""A file that memd writes is the old or the new one whole, whenever its program is killed; none is half or empty."""

from __future__ import annotations

import os
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
for number in range({kills}):
    child = os.fork()
    if not child:
        while True:
            {write}
    time.sleep(chance.uniform(0.0, 0.04))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "it ended by itself"
    assert {whole}, number
"""
_KILLS = 100 if os.environ.get("MEMD_SOAK") else 13
"""Of each program; a hundred together."""
_TEXTS = "texts = [name * 300_000 for name in 'ab']; path.write_text(texts[0])"
_IS_ONE = "path.read_text() in texts"
CASES = {
    "files of memd's own": (
        f"from memd_hooks import files; {_TEXTS}",
        "[files.write_private(path, text.encode()) for text in texts]",
        _IS_ONE,
    ),
    "settings of hosts": (
        f"from memd_hooks import files; {_TEXTS}",
        "[files.change(path, lambda before: text.encode()) for text in texts]",
        _IS_ONE,
    ),
    "manifest": (
        (
            "from memd_hooks import manifest\nrecords = ["
            "manifest.FileRecord(Path('/x') / name, 'claude_code', name * 300_000, manifest.Before()) for name in 'ab']"
            "\nmanifest.save(path, manifest.Manifest((records[0],)))"
        ),
        "[manifest.save(path, manifest.Manifest((record,))) for record in records]",
        "manifest.load(path).files in [(record,) for record in records]",
    ),
    "configuration": (
        "from memd.doors.cli import config",
        "config._write(path); path.unlink()",
        "not path.exists() or path.read_text() == config.config.template() and path.unlink() is None",
    ),
    "exports": (
        f"from memd.doors.cli import export; {_TEXTS}", "[export._write(path, text) for text in texts]", _IS_ONE
    ),
    "services": (
        f"from memd_service import files; {_TEXTS}",
        "[files.write(path, text.encode(), mode=0o600) for text in texts]",
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
    code = _KILLING.format(kills=_KILLS, prepare=prepare, write=write, whole=whole)
    program = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "file")], capture_output=True, text=True, timeout=150, check=False
    )
    assert (program.returncode, program.stderr) == (0, "")
