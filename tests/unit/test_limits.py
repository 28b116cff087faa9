from __future__ import annotations

import subprocess
import sys

import pytest

TRY = """
import resource, sys
soft, hard = map(int, sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
from memd.errors import TooFewFiles
from memd.limits import open_enough_files
try:
    open_enough_files()
except TooFewFiles as error:
    print(error)
else:
    print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


@pytest.mark.parametrize(
    ("soft", "hard", "outcome"),
    [
        (20, 20, "Only 20 files may be open at once, and memd needs 64; raise it (ulimit -n)."),
        (20, 300, "300"),
        (256, 256, "256"),
    ],
)
def test_the_limit_on_open_files_is_raised_as_far_as_allowed(soft: int, hard: int, outcome: str) -> None:
    asked = [sys.executable, "-c", TRY, str(soft), str(hard)]
    done = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == outcome
