"""What the tests with real agents share: a scripted model, a desk or seat, memd installed there, and the table."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import pytest

from tests.hosts import claude_code_client, stories, table
from tests.hosts.claude_code_client import Desk
from tests.hosts.client import Client
from tests.hosts.clients import CLIENTS
from tests.hosts.memd_under_test import Memd, installed_memd
from tests.hosts.script import script
from tests.hosts.scripted_model import ScriptedModel, running
from tests.hosts.seat import Seat
from tests.hosts.seat import seat as seat_with
from tests.hosts.wire_anthropic import AnthropicWire

_RESULTS = pytest.StashKey[table.Results]()


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    """A scripted model that listens, with nothing to say yet."""
    with running(script(), AnthropicWire()) as running_model:
        yield running_model


@pytest.fixture
def desk(model: ScriptedModel) -> Iterator[Desk]:
    """A fresh home with the real Claude Code, whose model knows the harbour's stories."""
    program = claude_code_client.installed()
    if program is None:
        pytest.skip(claude_code_client.MISSING)
    with claude_code_client.desk(program, model.url) as fresh:
        model.script = script(*stories.harbor(fresh.project))
        yield fresh


@pytest.fixture(params=CLIENTS, ids=lambda client: client.host)
def seat(request: pytest.FixtureRequest) -> Iterator[Seat]:
    """A fresh home with one of the other clients, whose model knows the decision."""
    client: Client = request.param
    if client.package.missing:
        pytest.skip(client.package.missing)
    with seat_with(client) as fresh:
        yield fresh


@pytest.fixture
def memd(request: pytest.FixtureRequest) -> Iterator[Memd]:
    """memd installed where the test's client is, its daemon running."""
    at_seat = "seat" in request.fixturenames
    place = request.getfixturevalue("seat").machine if at_seat else request.getfixturevalue("desk")
    with installed_memd(place) as running_memd:
        yield running_memd


def pytest_configure(config: pytest.Config) -> None:
    """Keep what the tests prove of each host, for the table at the end."""
    config.addinivalue_line("markers", "proves(column): what of the table of hosts a test proves")
    config.stash[_RESULTS] = table.Results()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note how a test that proves something ended."""
    report = yield
    mark = item.get_closest_marker("proves")
    if mark is not None:
        called = getattr(item, "callspec", None)
        client: Client | None = called.params.get("seat") if called else None
        host = client.host if client else "claude_code"
        item.config.stash[_RESULTS].note(host, mark.args[0], report)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the table, and keep it for `tests.hosts.table` to write into the README."""
    results = config.stash[_RESULTS]
    if results.cells:
        terminalreporter.section("what was proven with the real programs")
        terminalreporter.write(results.table())
        results.save()
