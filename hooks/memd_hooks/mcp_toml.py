"""MCP in TOML: memd among the servers of Codex's configuration, as a marked block at the end.

A table may begin anywhere in a TOML file, so what stands before it is not read for its layout; that the file is valid,
before and after, and means the same but for memd, is proven by the parser.
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from memd_hooks.jsonc import DocumentError
from memd_hooks.mcp_entry import SERVER
from memd_hooks.registration import Outcome
from memd_hooks.settings_json import BLANK, Before, decode
from memd_hooks.shim import MCP_NAME

BEGIN: Final = "# >>> memd: `memd uninstall` takes these lines out"
END: Final = "# <<< memd"
TABLE: Final = "mcp_servers"

_BLOCK: Final = re.compile(
    rf"^{re.escape(BEGIN)}\r?\n(?P<body>.*?)^{re.escape(END)}(?=\r?\n|\Z)", re.MULTILINE | re.DOTALL
)
# A table from its header to the next one, or to a mark of ours.
_PART: Final = re.compile(rf"^(?:\[|{re.escape(END)})", re.MULTILINE)
_OWN_HEADER: Final = re.compile(rf"\[[ \t]*{TABLE}[ \t]*\.[ \t]*{SERVER}[ \t]*[.\]]")


@dataclass(frozen=True, slots=True)
class McpTable:
    """The table that is wanted: the program and its arguments."""

    command: tuple[str, ...]

    def put(self, data: bytes | None, before: Before) -> Outcome:
        """The document with memd's server. Raises DocumentError where it is not valid TOML."""
        bom, text = decode(data or b"")
        current = _server(_meaning(text))
        if current is not None and (not _is_own(current) or self._is_wanted(current)):
            return Outcome(data, before, ())
        taken = self.take(data, before).data
        bom, text = decode(taken or b"")
        if not text.strip(BLANK):
            before, text = Before(absent=data is None, blank=text), ""
        newline = "\r\n" if "\r\n" in text else "\n"
        block = newline.join((BEGIN, *self._body.rstrip("\n").split("\n"), END))
        done = f"{text}{newline}{block}" if text and not text.endswith("\n") else f"{text}{block}{newline}"
        if not self._is_wanted(_server(_meaning(done))):
            raise DocumentError("memd's server cannot be added to it for certain")
        step = "update the MCP server" if current is not None else "add the MCP server"
        return Outcome((bom + done).encode(), replace(before), (step,))

    def take(self, data: bytes | None, before: Before) -> Outcome:
        """The document without memd's server, whatever stands around it by now."""
        if data is None or MCP_NAME.encode() not in data:
            return Outcome(data, before, ())
        bom, text = decode(data)
        if not _is_own(_server(_meaning(text))):
            return Outcome(data, before, ())
        found = _BLOCK.search(text)
        left = _without_tables(text) if found is None else _without_block(text, found)
        if _server(_meaning(left)) is not None:
            raise DocumentError("memd's server stands in it in a way that memd does not edit")
        step = ("remove the MCP server",)
        if not left.strip(BLANK) and before.blank is not None:
            return Outcome(None if before.absent else (bom + before.blank).encode(), before, step)
        return Outcome((bom + left).encode(), before, step)

    @property
    def _body(self) -> str:
        program, *arguments = self.command
        # A JSON string of printable characters is a TOML basic string.
        listed = ", ".join(json.dumps(argument, ensure_ascii=False) for argument in arguments)
        return f"[{TABLE}.{SERVER}]\ncommand = {json.dumps(program, ensure_ascii=False)}\nargs = [{listed}]\n"

    def _is_wanted(self, server: object) -> bool:
        program, *arguments = self.command
        return isinstance(server, dict) and server.get("command") == program and server.get("args") == arguments


def _is_own(server: object) -> bool:
    return f"/{MCP_NAME}" in json.dumps(server, default=str)


def _without_block(text: str, found: re.Match[str]) -> str:
    """The text without our block; what Codex itself has written into it stays."""
    before, after = text[: found.start()], text[found.end() :]
    theirs = _without_tables(found["body"])
    if line_end := re.match(r"\r?\n", after):
        return before + theirs + after[line_end.end() :]
    # The block ended a file that had no line end.
    return before + theirs if theirs else re.sub(r"\r?\n\Z", "", before)


def _without_tables(text: str) -> str:
    """The text without memd's tables."""
    starts = [found.start() for found in _PART.finditer(text)]
    edges = [0, *starts, len(text)]
    parts = [text[start:end] for start, end in pairwise(edges)]
    return "".join(part for part in parts if not _OWN_HEADER.match(part))


def _meaning(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise DocumentError(f"it is not valid TOML ({error})") from error


def _server(document: dict[str, object]) -> object:
    servers = document.get(TABLE)
    return servers.get(SERVER) if isinstance(servers, dict) else None
