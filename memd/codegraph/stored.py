"""Stored: the code graph of a project whose facts are in the database, worked on in worker processes.

A worker opens the database for reading only; what it finds out goes back to the daemon, whose one writer keeps it. So
neither the daemon nor a worker ever holds a whole project's facts.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from contextlib import closing
from typing import Final

import msgspec
import zstandard

from memd.codegraph.batch import TOO_DEEP, Skipped, Source, read_file
from memd.codegraph.edges import Resolution
from memd.codegraph.facts import FileFacts, Flag, pack, unpack
from memd.codegraph.graph import resolve_some
from memd.codegraph.mentions import changed, mentioned
from memd.codegraph.parse import extract
from memd.codegraph.tasks import Gone, Passed, Resolve, Unchanged, Update, Updated
from memd.store import code_files
from memd.store.code_changes import FileRow, ReasonRow, SymbolRow
from memd.store.connection import connect_reader
from memd.text.redaction import scrub

_LEVEL: Final = 3
_MOST_BYTES: Final = 24 << 20
"""Packed facts that one worker keeps unpacked: they take some ten times as much then."""


def update_files(update: Update) -> list[Updated | Gone | Passed | Unchanged]:
    """Look at some files; each has its outcome, in order."""
    with closing(connect_reader(update.database)) as conn:
        return [_update(conn, update, path) for path in update.paths]


def _update(conn: code_files.Connection, update: Update, path: str) -> Updated | Gone | Passed | Unchanged:
    kept = code_files.facts(conn, update.project, path)
    read = read_file(update.root, path, kept[1] if kept is not None and not update.again else None)
    if isinstance(read, Unchanged):
        return read
    before = _facts(kept[0]) if kept is not None else None
    if isinstance(read, Source):
        try:
            facts = _without_secrets(extract(path, read.text, read.language, read.digest))
            same = kept is not None and kept[1] == read.digest
            return Updated(_row(facts, read.text), changed(before, facts), same)
        except RecursionError:
            read = Skipped(path, TOO_DEEP)
    if kept is None:
        return Passed(path, read.reason)
    return Gone(path, kept[1], changed(before, None), read.reason)


def _row(facts: FileFacts, source: bytes) -> FileRow:
    return FileRow(
        path=facts.path,
        language=facts.language,
        digest=facts.digest,
        lines=facts.lines,
        facts=zstandard.compress(pack(facts), _LEVEL),
        definitions=tuple((symbol.name, index) for index, symbol in enumerate(facts.symbols) if symbol.name),
        mentions=tuple(sorted(mentioned(facts))),
        symbols=tuple(_symbol_rows(facts, source)),
        reasons=tuple(ReasonRow(facts.node(one.scope), one.tag, one.text, one.line) for one in facts.comments),
    )


def _symbol_rows(facts: FileFacts, source: bytes) -> list[SymbolRow]:
    """Return the file's own node and those of its symbols; what has one name is one node."""
    rows = {facts.path: SymbolRow(facts.path, "file", 1, facts.lines, facts.language, "", _hash(source))}
    for index, symbol in enumerate(facts.symbols):
        if symbol.flags & Flag.PART or facts.named(index) != index:
            continue
        node = facts.node(index)
        body = _hash(source[symbol.start : symbol.end])
        before = rows.get(node)
        if before is None or before.kind == "file":
            rows[node] = SymbolRow(node, symbol.kind, symbol.line, symbol.end_line, symbol.signature, symbol.doc, body)
        else:  # overloads, getter and setter: the first one speaks, all of them count
            rows[node] = SymbolRow(
                node, before.kind, before.line, before.end_line, before.signature, before.doc, before.body ^ body
            )
    return list(rows.values())


def _hash(source: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(source, digest_size=8).digest(), "big") >> 1


def _without_secrets(facts: FileFacts) -> FileFacts:
    """Return facts whose texts hold nothing secret or private: defaults stand in signatures, examples in comments."""
    texts = [part for one in facts.symbols for part in (one.signature, one.doc)] + [one.text for one in facts.comments]
    words = "\n".join(texts)
    if scrub(words).text == words:
        return facts
    return msgspec.structs.replace(
        facts,
        symbols=tuple(
            msgspec.structs.replace(one, signature=scrub(one.signature).text, doc=scrub(one.doc).text)
            for one in facts.symbols
        ),
        comments=tuple(msgspec.structs.replace(one, text=scrub(one.text).text) for one in facts.comments),
    )


def _facts(compressed: bytes) -> FileFacts | None:
    """Return facts that were kept, None where they are of another version of this program."""
    try:
        return unpack(zstandard.decompress(compressed))
    except (msgspec.MsgspecError, zstandard.ZstdError):
        return None


def resolve_files(task: Resolve) -> list[Resolution]:
    """Return what the references of some files resolve to."""
    with closing(connect_reader(task.database)) as conn:
        # One state of the database for all of it.
        conn.execute("BEGIN")
        return list(resolve_some(StoredProject(conn, task.project), task.paths))


class StoredProject:
    """A project whose facts are read when they are asked for; of many, those asked for last are kept."""

    def __init__(self, conn: code_files.Connection, project: int) -> None:
        self._conn = conn
        self._project = project
        self._kept: OrderedDict[str, tuple[FileFacts | None, int]] = OrderedDict()
        self._bytes = 0
        self._defining: dict[str, tuple[tuple[str, int], ...]] = {}
        self._configs = code_files.configs(conn, project)
        self._paths = frozenset(code_files.digests(conn, project))
        self._folders: dict[str, list[str]] = {"": []}
        self._named: dict[str, list[str]] = {}
        for path in sorted(self._paths):
            folder, _, name = path.rpartition("/")
            self._folders.setdefault(folder, []).append(path)
            self._named.setdefault(name, []).append(path)
            while folder:
                folder = folder.rpartition("/")[0]
                self._folders.setdefault(folder, [])

    def has(self, path: str) -> bool:
        """See `Project`."""
        return path in self._paths

    def is_folder(self, path: str) -> bool:
        """See `Project`."""
        return path in self._folders

    def files_in(self, folder: str) -> tuple[str, ...]:
        """See `Project`."""
        return tuple(self._folders.get(folder, ()))

    def named(self, name: str) -> tuple[str, ...]:
        """See `Project`."""
        return tuple(self._named.get(name, ()))

    def facts(self, path: str) -> FileFacts | None:
        """See `Project`."""
        known = self._kept.get(path)
        if known is not None:
            self._kept.move_to_end(path)
            return known[0]
        row = code_files.facts(self._conn, self._project, path) if path in self._paths else None
        found = _facts(row[0]) if row is not None else None
        size = len(row[0]) if row is not None else 0
        self._kept[path] = (found, size)
        self._bytes += size
        while self._bytes > _MOST_BYTES and len(self._kept) > 1:
            _, (_, gone) = self._kept.popitem(last=False)
            self._bytes -= gone
        return found

    def defining(self, name: str) -> tuple[tuple[str, int], ...]:
        """See `Project`."""
        if name not in self._defining:
            self._defining[name] = tuple(code_files.defining(self._conn, self._project, name))
        return self._defining[name]

    def config(self, path: str) -> bytes | None:
        """See `Project`."""
        return self._configs.get(path)

    def configs(self, name: str) -> tuple[str, ...]:
        """See `Project`."""
        return tuple(sorted(path for path in self._configs if path.rpartition("/")[2] == name))
