from __future__ import annotations

import pytest

from memd.capture.status import Observed, host_capture
from memd.store.sources import HostStatus


@pytest.mark.parametrize(("gone", "present"), [(0, True), (1, False)])
def test_what_was_read_since_the_last_look_through_is_present(gone: int, *, present: bool) -> None:
    observed = Observed("claude_code", "Claude Code", scans=(), roots=(), newest_read_ns=1, waiting=0)
    stored = HostStatus("claude_code", 1, gone, 2, newest_captured=1, read_at=1, skipped={}, errors=())
    assert host_capture(observed, stored).present is present
