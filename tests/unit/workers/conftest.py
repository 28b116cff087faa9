from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memd.workers.pool import Workers


@pytest.fixture
def make_workers() -> Callable[..., Workers]:
    """A pool whose processes can import the drills."""

    def make(**options: object) -> Workers:
        return Workers(import_path=(Path(__file__).parent,), **options)  # type: ignore[arg-type]

    return make
