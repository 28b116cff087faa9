"""Marked block: a few lines of memd's in a text file of the person's own, between two marks.

What stands before and after is never touched. How many bytes join the block to it stands in the first mark, so that the
block can be taken out again without leaving a byte, also where nobody remembers how the file was.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memd_hooks.jsonc import DocumentError
from memd_hooks.registration import Outcome
from memd_hooks.settings_json import Before

BEGIN: Final = b"<!-- memd:begin"
END: Final = b"<!-- memd:end -->"
_BLOCK: Final = re.compile(
    rb"(?P<join>[\r\n]*)<!-- memd:begin(?P<new> new)?(?: after (?P<added>[0-9]))? -->.*?<!-- memd:end -->(?:\r?\n)?",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class MarkedBlock:
    """The lines that are wanted, without the marks."""

    what: str
    """What they are, in words: "the instructions"."""
    text: str

    def put(self, data: bytes | None, before: Before) -> Outcome:
        """The file with the block as it should be, at its end if it was not there. Raises DocumentError if half is."""
        found = self._found(data)
        if found is None or data is None:
            return Outcome(self._appended(data), Before(absent=data is None, blank=""), (f"add {self.what}",))
        whole = found[0][len(found["join"]) :]
        wanted = self._block(_eol(whole), found["new"] or b"", found["added"])
        if whole == wanted:
            return Outcome(data, before, ())
        at = found.start() + len(found["join"])
        return Outcome(data[:at] + wanted + data[found.end() :], before, (f"update {self.what}",))

    def take(self, data: bytes | None, before: Before) -> Outcome:
        """The file without the block; no file where it was made for it and nothing else is in it."""
        left: bytes | None = data
        while left is not None and (found := self._found(left)) is not None:
            rest = left[: found.start()] + _kept(found) + left[found.end() :]
            left = None if found["new"] and not rest.strip() else rest
        return Outcome(left, before, () if left == data else (f"remove {self.what}",))

    def _found(self, data: bytes | None) -> re.Match[bytes] | None:
        found = _BLOCK.search(data or b"")
        if found is None and data is not None and BEGIN in data:
            raise DocumentError("it holds the beginning of memd's lines without their end")
        return found

    def _appended(self, data: bytes | None) -> bytes:
        if not data:
            return self._block(b"\n", b" new" if data is None else b"", None)
        eol = _eol(data)
        added = eol * (1 if data.endswith(b"\n") else 2)
        return data + added + self._block(eol, b"", b"%d" % len(added))

    def _block(self, eol: bytes, new: bytes, added: bytes | None) -> bytes:
        after = b" after " + added if added else b""
        lines = [BEGIN + new + after + b" -->", *self.text.strip().encode().split(b"\n"), END, b""]
        return eol.join(lines)


def _kept(found: re.Match[bytes]) -> bytes:
    """The line ends before a block that are the person's own."""
    join, added = found["join"], int(found["added"] or 0)
    kept = join[: max(len(join) - added, 0)]
    if b"\r\n" in found[0][len(join) :] and kept.endswith(b"\r") and join[len(kept) :].startswith(b"\n"):
        kept = kept[:-1]  # the whole file was given other line ends since
    before, behind = found.string[: found.start()] + kept, found.string[found.end() :]
    if added and behind and before and not before.endswith((b"\r", b"\n")):
        return kept + _eol(found[0])  # what was written behind it since does not become the end of another line
    return kept


def _eol(data: bytes) -> bytes:
    return b"\r\n" if b"\r\n" in data else b"\n"
