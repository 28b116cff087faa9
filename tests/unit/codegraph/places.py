"""A tree in a temporary folder and its stored graph: real database, real workers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memd.codegraph.facts import FileFacts
from memd.codegraph.graph import resolve_all
from memd.codegraph.indexer import Indexed, Indexer
from memd.codegraph.parse import extract
from memd.codegraph.registry import language_in
from memd.store.migrate import migrate
from memd.store.readers import Readers
from memd.store.writer import Writer
from memd.workers.pool import Workers

PROJECT = 1


class Clock:
    """A clock that goes on by a second whenever it is read."""

    def __init__(self) -> None:
        self.at = 1_790_000_000_000

    def now_ms(self) -> int:
        self.at += 1000
        return self.at

    def monotonic_s(self) -> float:
        return self.at / 1000


@dataclass
class Place:
    """A tree and its stored graph."""

    root: Path
    indexer: Indexer
    readers: Readers
    writer: Writer
    clock: Clock

    def write(self, files: Mapping[str, str]) -> None:
        for path, text in files.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text)

    async def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        return await self.readers.run(lambda conn: conn.execute(sql, values).fetchall())

    async def edges(self, when: int | None = None) -> set[tuple[str, str, str]]:
        """The edges that hold now, or held at a time."""
        held = (
            "e.valid_to IS NULL"
            if when is None
            else f"e.valid_from <= {when} AND (e.valid_to IS NULL OR e.valid_to > {when})"
        )
        sql = f"""SELECT e.kind, s.node, d.node FROM code_edges e JOIN code_nodes s ON s.id = e.src
            JOIN code_nodes d ON d.id = e.dst WHERE {held}"""
        return set(await self.rows(sql))

    async def index(self) -> Indexed:
        return await self.indexer.index(PROJECT, self.root)

    def fresh(self) -> set[tuple[str, str, str]]:
        """The edges that a graph made anew of the tree would have."""
        facts: list[FileFacts] = []
        for path in sorted(self.root.rglob("*.py")):
            name = path.relative_to(self.root).as_posix()
            source = path.read_bytes()
            language = language_in(name, source)
            assert language is not None
            facts.append(extract(name, source, language))
        return {(edge.kind, edge.src, edge.dst) for one in resolve_all(facts) for edge in one.edges}


@asynccontextmanager
async def placed(folder: Path) -> AsyncIterator[Place]:
    root, database = folder / "harbor", folder / "memd.db"
    root.mkdir()
    migrate(database, folder, 0)
    clock = Clock()
    async with Writer.open(database) as writer, Readers.open(database) as readers, Workers() as workers:
        row = (PROJECT, "u", str(root), "harbor", 0)
        await writer.run(lambda conn: conn.execute("INSERT INTO projects VALUES (?, ?, ?, ?, ?)", row).close())
        yield Place(root, Indexer(database, workers, writer, readers, clock), readers, writer, clock)
