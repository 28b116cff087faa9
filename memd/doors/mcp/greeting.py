"""Greeting: what every client asks as it comes, and the answers, which are given without the process that speaks MCP.

The client of each session asks who memd is and what it offers, and most sessions ask nothing more. The answers are the
same each time, so the process writes down what the SDK answered, by profile and protocol version, and the pump gives it
to the next client as it is (`Pump.known`). What depends on the moment is not kept: of the list of resources only the
frame is, which the daemon fills (`resources.list`).

A file holds one line `METHOD RESULT` for each answer, the folder a file `stamp` that tells of which program they are.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import orjson

from memd.doors.mcp.pump import ASKED_BY_ALL, RESOURCES, is_id, version_asked
from memd.paths import make_private

_STAMP: Final = "stamp"
_FOLDERS: Final = (Path(__file__).parent, Path(__file__).parents[2] / "operations")
_SDK: Final = ("mcp", "mcp_types")
_MOST_KEPT: Final = 16
"""Files of answers; there are a handful of versions that clients speak, but what they may claim to is without end."""


def tidy(folder: Path, profile: str) -> None:
    """Let go of what another program answered: `profile` is the one of clients that name none. Raises OSError."""
    now = _stamp(profile)
    try:
        if (folder / _STAMP).read_text("utf-8") == now:
            return
    except OSError:
        pass
    make_private(folder.parent)
    make_private(folder)
    for path in folder.iterdir():
        if not path.is_dir():
            path.unlink()
    (folder / _STAMP).touch(mode=0o600)
    (folder / _STAMP).write_text(now, "utf-8")


class Recorder:
    """Looks on while one client speaks with the SDK, and keeps the answers to what every client asks."""

    def __init__(self, folder: Path, profile: str) -> None:
        self._folder = folder
        self._profile = profile
        self._version = ""
        self._asked: dict[object, tuple[str, str]] = {}

    def hear(self, line: bytes) -> None:
        """Take note of what the client says."""
        try:
            message = orjson.loads(line)
        except orjson.JSONDecodeError:
            return
        method = message.get("method") if isinstance(message, dict) else None
        if method in ASKED_BY_ALL and is_id(message.get("id")):
            version = version_asked(message, self._version)
            if method == "initialize":
                self._version = version
            if version:
                self._asked[message["id"]] = version, str(method)

    def answer(self, line: bytes) -> None:
        """Take note of what it is answered. A disk that is full costs the next client some time and nothing else."""
        if not self._asked:
            return
        message = orjson.loads(line)
        version, method = self._asked.pop(message.get("id"), ("", ""))
        result = message.get("result")
        if method and isinstance(result, dict) and "nextCursor" not in result:
            try:
                self._keep(self._folder / f"{self._profile}-{version}", method, result)
            except OSError:
                return

    def _keep(self, path: Path, method: str, result: dict[str, Any]) -> None:
        if method == RESOURCES:
            result = {**result, "resources": []}
        known = dict(_lines(path))
        told = orjson.dumps(result)
        if known.get(method) == told:
            return
        new = path.with_name(f".{path.name}.{os.getpid()}")
        new.touch(mode=0o600)
        new.write_bytes(b"".join(b"%b %b\n" % (name.encode(), said) for name, said in {**known, method: told}.items()))
        if not known:
            self._make_room()
        new.replace(path)

    def _make_room(self) -> None:
        """Let go of the answers that were kept longest ago, so that one more file is within bounds."""
        kept = sorted(
            (path.stat().st_mtime_ns, path) for path in self._folder.iterdir() if "-" in path.name and path.is_file()
        )
        for _, path in kept[: max(0, len(kept) - _MOST_KEPT)]:
            path.unlink(missing_ok=True)


def _lines(path: Path) -> Iterator[tuple[str, bytes]]:
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return
    for line in lines:
        method, _, result = line.partition(b" ")
        yield method.decode(), result


def _stamp(profile: str) -> str:
    """Return a digest of what the answers depend on: memd's own files, the SDK's version, and the usual profile."""
    told = hashlib.blake2b(profile.encode(), digest_size=8)
    for path in _sources():
        seen = path.stat()
        told.update(f"{path} {seen.st_size} {seen.st_mtime_ns}\n".encode())
    return told.hexdigest()


def _sources() -> Iterator[Path]:
    for folder in _FOLDERS:
        yield from sorted(folder.glob("*.py"))
    for name in _SDK:
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            yield Path(spec.origin)
