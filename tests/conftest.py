from __future__ import annotations

import inspect
from collections.abc import Iterator

import pytest
from blockbuster import blockbuster_ctx
from hypothesis import HealthCheck, settings

# The rooms that run on the event loop. The store is left out: tests call its plain functions from coroutines.
_ON_THE_LOOP = (
    "memd.capture",
    "memd.daemon",
    "memd.distill.distiller",
    "memd.doors.socket",
    "memd.inject",
    "memd.operations",
    "memd.schedule",
    "memd.workers",
)

# What takes longest begins first: the last file to begin decides how long the others are waited for.
_BEGINS_FIRST = ("tests/integration/daemon/test_exactly_once.py", "tests/integration/", "tests/contract/doors/")

# How long an example takes says something of the machine and nothing of memd.
settings.register_profile("memd", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("memd")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what takes long first; among equals the order stays as it was shuffled."""

    def place(item: pytest.Item) -> int:
        return next((at for at, path in enumerate(_BEGINS_FIRST) if item.nodeid.startswith(path)), len(_BEGINS_FIRST))

    items.sort(key=place)


@pytest.fixture
def anyio_backend() -> str:
    """The daemon runs on asyncio: APScheduler and aiosqlite know nothing else."""
    return "asyncio"


@pytest.fixture(autouse=True)
def _nothing_blocks_the_loop(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test in which memd's code blocks the event loop (opens a file, sleeps, runs a query on it)."""
    function = getattr(request, "function", None)
    if function is None or not inspect.iscoroutinefunction(function):
        yield
        return
    with blockbuster_ctx(list(_ON_THE_LOOP)):
        yield
