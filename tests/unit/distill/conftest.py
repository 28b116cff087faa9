from __future__ import annotations

import pytest

from tests.unit.distill.talk import Talk


@pytest.fixture
def talk() -> Talk:
    return Talk()
