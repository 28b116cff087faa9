from __future__ import annotations

from pathlib import Path

import pytest

from memd.adapter import Root
from memd.capture.scan import Scan
from memd.capture.status import Observed, host_capture


@pytest.mark.parametrize(("newest_read_ns", "present"), [(1, True), (None, False)])
def test_what_was_read_since_the_last_look_through_is_present(newest_read_ns: int | None, *, present: bool) -> None:
    observed = Observed("claude_code", "Claude Code", scans=(), roots=(), newest_read_ns=newest_read_ns, waiting=0)
    assert host_capture(observed, None).present is present


@pytest.mark.parametrize(("present_s", "warned"), [(9.0, False), (10.0, True)])
def test_a_host_is_given_a_moment_while_its_files_wait(present_s: float, *, warned: bool) -> None:
    scan = Scan(Root("codex", Path("/home/ada/.codex")), exists=True, sources=3)
    observed = Observed("codex", "Codex", (scan,), (), newest_read_ns=None, waiting=3, present_s=present_s)
    told = ("Codex has written files here, but nothing could be read from them so far; 3 wait.",)
    assert host_capture(observed, None).warnings == (told if warned else ())
