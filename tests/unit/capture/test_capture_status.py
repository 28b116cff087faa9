from __future__ import annotations

import pytest

from memd.capture.status import Observed, host_capture


@pytest.mark.parametrize(("newest_read_ns", "present"), [(1, True), (None, False)])
def test_what_was_read_since_the_last_look_through_is_present(newest_read_ns: int | None, *, present: bool) -> None:
    observed = Observed("claude_code", "Claude Code", scans=(), roots=(), newest_read_ns=newest_read_ns, waiting=0)
    assert host_capture(observed, None).present is present
