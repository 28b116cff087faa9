from __future__ import annotations

from pathlib import Path

import pytest
from anyio import to_thread
from blockbuster import BlockingError

from memd.capture.scan import stamp_of


async def test_code_of_ours_that_asks_the_disk_on_the_loop_is_caught(tmp_path: Path) -> None:
    (tmp_path / "HEAD").write_text("ref: refs/heads/main")
    with pytest.raises(BlockingError):
        stamp_of(tmp_path / "HEAD")


async def test_the_same_in_a_thread_is_fine(tmp_path: Path) -> None:
    (tmp_path / "HEAD").write_text("ref: refs/heads/main")
    assert await to_thread.run_sync(stamp_of, tmp_path / "HEAD") is not None
