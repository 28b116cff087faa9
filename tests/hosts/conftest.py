"""What the tests with real agents share: a scripted model, a desk, and memd installed at it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hosts import claude_code_client, stories
from tests.hosts.claude_code_client import Desk
from tests.hosts.memd_under_test import Memd, installed_memd
from tests.hosts.script import script
from tests.hosts.scripted_model import ScriptedModel, running
from tests.hosts.wire_anthropic import AnthropicWire


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    """A scripted model that listens, with nothing to say yet."""
    with running(script(), AnthropicWire()) as running_model:
        yield running_model


@pytest.fixture
def desk(model: ScriptedModel) -> Iterator[Desk]:
    """A fresh home with the real client, whose model knows the harbour's stories."""
    program = claude_code_client.installed()
    if program is None:
        pytest.skip(claude_code_client.MISSING)
    with claude_code_client.desk(program, model.url) as fresh:
        model.script = script(*stories.harbor(fresh.project))
        yield fresh


@pytest.fixture
def memd(desk: Desk) -> Iterator[Memd]:
    """memd installed at the desk, its daemon running."""
    with installed_memd(desk) as running_memd:
        yield running_memd
