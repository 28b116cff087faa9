"""What is kept of a file is kept in short transactions, and whoever stops between two of them loses nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memd.errors import StoreError
from memd.store import code_steps
from memd.store.writer import Writer
from tests.unit.codegraph.places import Place, placed

BEFORE = {
    "ships.py": "".join(f"def sail{n}(): sail{n + 1}()\n" for n in range(12)) + "# WHY: the tide\n",
    "port.py": "from ships import sail1\n\ndef leave():\n    sail1()\n    gone()\n",
    "old.py": "from ships import sail2\n\ndef stay(): sail2()\n",
}
AFTER = {
    "ships.py": "".join(f"def sail{n}(): sail{n + 2}()\n" for n in range(3, 16)) + "# WHY: the moon\n",
    "port.py": "from ships import sail3\n\ndef leave():\n    sail3()\n    lost()\n    gone()\n",
}


def counted(monkeypatch: pytest.MonkeyPatch, most: int | None = None) -> list[int]:
    """The rows that each background transaction changes; after `most` of them there is no room on the disk."""
    rows: list[int] = []
    plain = Writer.run

    async def run(self: Writer, function: Callable[[sqlite3.Connection], Any], *, background: bool = False) -> Any:
        def measured(conn: sqlite3.Connection) -> Any:
            if most is not None and len(rows) >= most:
                raise StoreError("there is no room")
            before = conn.total_changes
            result = function(conn)
            rows.append(conn.total_changes - before)
            return result

        return await plain(self, measured if background else function, background=background)

    monkeypatch.setattr(Writer, "run", run)
    return rows


async def changed(place: Place) -> None:
    """Have the tree be as it is afterwards."""
    (place.root / "old.py").unlink()
    place.write(AFTER)


_OF_FILE = "JOIN code_files f ON f.id = x.file_id ORDER BY 1, 2, 3"
_OF_NODE = "JOIN code_nodes n ON n.id = x.node_id"


async def rows_of(place: Place) -> list[Any]:
    """All that is known of the files' content, without row ids and times."""
    return [
        *await place.rows("SELECT path, digest, lines, resolved FROM code_files ORDER BY 1"),
        *await place.rows(f"SELECT f.path, x.name, x.ord FROM code_definitions x {_OF_FILE}"),
        *await place.rows(f"SELECT f.path, x.name, 0 FROM code_mentions x {_OF_FILE}"),
        *await place.rows(f"SELECT f.path, x.name, x.line FROM code_unresolved x {_OF_FILE}"),
        *await place.rows(f"SELECT n.node, x.tag, x.text FROM code_reasons x {_OF_NODE} ORDER BY 1"),
        *await place.rows(f"SELECT n.node, x.line FROM code_symbols x {_OF_NODE} WHERE valid_to IS NULL ORDER BY 1, 2"),
    ]


async def test_a_file_with_much_in_it_is_kept_in_transactions_of_few_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = counted(monkeypatch)
    async with placed(tmp_path) as place:
        place.write({"many.py": "".join(f"def sail{n}(): sail{n + 1}(); sail{n + 2}()\n" for n in range(2000))})
        await place.index()
        assert await place.edges() == place.fresh()
        # A node, its edge and what is found by its name.
        assert max(rows) <= 3 * code_steps.ROWS_AT_ONCE


async def test_whatever_transaction_fails_the_next_look_finds_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_steps, "ROWS_AT_ONCE", 4)
    (tmp_path / "whole").mkdir()
    async with placed(tmp_path / "whole") as place:
        place.write(AFTER)
        await place.index()
        wanted = await rows_of(place)
    most, failed = 0, True
    while failed:
        most, failed = most + 2, False
        folder = tmp_path / str(most)
        folder.mkdir()
        async with placed(folder) as place:
            place.write(BEFORE)
            await place.index()
            await changed(place)
            with monkeypatch.context() as broken:
                counted(broken, most)
                try:
                    await place.index()
                except StoreError:
                    failed = True
            await place.index()
            assert await place.edges() == place.fresh(), most
            assert await rows_of(place) == wanted, most
    assert most > 20
