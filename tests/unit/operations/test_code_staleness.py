from __future__ import annotations

import pytest

from memd.operations.code_staleness import STILL_THERE, weight


@pytest.mark.parametrize(
    ("change", "missing", "weighs"),
    [
        ("changed", (), STILL_THERE),
        ("changed", ("read_tide",), 1.0),
        ("removed", (), 1.0),
        ("renamed", (), 1.0),
    ],
)
def test_a_change_after_which_everything_named_is_still_there_weighs_little(
    change: str, missing: tuple[str, ...], weighs: float
) -> None:
    assert weight(change, missing) == weighs
