"""What the tests of the store share: a database in memory with the schema, and hosts' rows to put in."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest

from tests.unit.store.rows import database


@pytest.fixture
def conn() -> Iterator[sqlite3.Connection]:
    connection = database()
    yield connection
    connection.close()
