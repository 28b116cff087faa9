"""One file more in the `read` list of a YAML document, put in and taken out without moving another byte.

This is no YAML parser. It knows the ways in which people write that list at the top level of a configuration file (a
block list, a list in brackets on one line, one file alone, nothing at all) and refuses every other. Where there is no
`read`, a marked block goes to the end. Our item is known by the name of its file.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from memd_hooks.jsonc import DocumentError
from memd_hooks.registration import Outcome
from memd_hooks.settings_json import BLANK, Before, decode

BEGIN: Final = "# >>> memd: `memd uninstall` takes these lines out"
END: Final = "# <<< memd"

_KEY: Final = re.compile(r"^(?:read|\"read\"|'read')[ \t]*:(?=[ \t\r\n]|\Z)", re.MULTILINE)
_ITEM: Final = re.compile(r"([ \t]*)-(?=[ \t]|$)")
# A plain scalar that means the same between brackets, or one in quotes.
_PLAIN: Final = r"[^\s#&*!|>%@`\"'\[\]{},?:-](?:[^\s\[\]{},#:]|[ \t]+(?![ \t#]|$)|:(?=\S)|(?<=\S)#)*"
_QUOTED: Final = r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\n]|'')*'"
_ALONE: Final = re.compile(f"{_PLAIN}|{_QUOTED}")


@dataclass(frozen=True, slots=True)
class ReadEntry:
    """The file to be read, an absolute path whose name is memd's alone."""

    path: Path

    def put(self, data: bytes | None, before: Before) -> Outcome:
        """The document with our file in the list, once."""
        bom, text = decode(data or b"")
        own = self._own().findall(text)
        if own == [self._quoted]:
            return Outcome(data, before, ())
        if own:
            data = self.take(data, before).data
            bom, text = decode(data or b"")
        if not text.strip(BLANK):
            before = Before(absent=data is None, blank=text)
            text = ""
        done, alone = self._insert(text)
        step = f"update {self.path.name} in the files to read" if own else f"add {self.path.name} to the files to read"
        return Outcome((bom + done).encode(), replace(before, alone=alone or (bool(own) and before.alone)), (step,))

    def take(self, data: bytes | None, before: Before) -> Outcome:
        """The document without our file, whatever stands around it by now."""
        if data is None or self.path.name.encode() not in data:
            return Outcome(data, before, ())
        bom, text = decode(data)
        if not self._own().search(text):
            return Outcome(data, before, ())
        text = self._without(text, before)
        step = (f"remove {self.path.name} from the files to read",)
        if not text.strip(BLANK) and before.blank is not None:
            return Outcome(None if before.absent else (bom + before.blank).encode(), before, step)
        return Outcome((bom + text).encode(), before, step)

    @property
    def _quoted(self) -> str:
        # A JSON string is a YAML string.
        return json.dumps(str(self.path), ensure_ascii=False)

    def _own(self) -> re.Pattern[str]:
        return re.compile(rf'"[^"\n]*/{re.escape(self.path.name)}"')

    def _insert(self, text: str) -> tuple[str, bool]:
        """The text with our item, and whether one file alone became a list for it."""
        newline = "\r\n" if "\r\n" in text else "\n"
        found = _only_key(text)
        if found is None:
            block = newline.join((BEGIN, "read:", f"  - {self._quoted}", END))
            if text and not text.endswith("\n"):
                return text + newline + block, False
            return text + block + newline, False
        start, end = found.end(), _line_end(text, found.end())
        value, comment = _value(text[start:end])
        if not value:
            at, indent = _last_item(text, end)
            return f"{text[:at]}{newline}{indent}- {self._quoted}{text[at:]}", False
        if value.startswith("["):
            if not value.endswith("]") or comment is None:
                raise DocumentError("its list `read` goes over several lines in brackets, which memd does not edit")
            return text[:start] + self._in_brackets(text[start:end]) + text[end:], False
        if not _ALONE.fullmatch(value):
            raise DocumentError("the value of `read` is written in a way that memd does not edit; make it a list")
        at = start + text[start:end].index(value)
        return f"{text[:at]}[{value}, {self._quoted}]{text[at + len(value) :]}", True

    def _in_brackets(self, rest: str) -> str:
        close = _closing(rest)
        inner = rest[rest.index("[") + 1 : close]
        lead = "" if not inner.strip() else ", " if not inner.rstrip().endswith(",") else " "
        after = "," if lead == " " else ""
        at = rest.index("[") + 1 + len(inner.rstrip()) if inner.strip() else close
        return f"{rest[:at]}{lead}{self._quoted}{after}{rest[at:]}"

    def _without(self, text: str, before: Before) -> str:
        own = self._own().pattern
        block = "\r?\n".join((re.escape(BEGIN), "read:", f"[ ]{{2}}- {own}", re.escape(END)))
        if whole := re.search(rf"^{block}(?:\r?\n|\Z)", text, re.MULTILINE):
            at = whole.start()
            if whole.end() == len(text) and not whole[0].endswith("\n"):
                at -= len(re.search(r"(?:\r?\n)?\Z", text[:at])[0])  # type: ignore[index]  # it matches the empty end
            return text[:at] + text[whole.end() :]
        # Somebody wrote into our block: what is theirs stays.
        text = re.sub(rf"^(?:{re.escape(BEGIN)}|{re.escape(END)})(?:\r?\n|\Z)", "", text, flags=re.MULTILINE)
        text = re.sub(rf"\r?\n[ \t]*- {own}(?=\r?\n|\Z)", "", text)
        found = _only_key(text)
        if found is None:
            return text
        start, end = found.end(), _line_end(text, found.end())
        rest = re.sub(rf", {own}| {own},|{own}(?:, ?)?", "", text[start:end])
        if before.alone and (single := re.fullmatch(rf"([ \t]*)\[({_ALONE.pattern})\]([ \t]*(?:#.*)?\r?)", rest)):
            rest = f"{single[1]}{single[2]}{single[3]}"
        return text[:start] + rest + text[end:]


def _only_key(text: str) -> re.Match[str] | None:
    """The one `read:` at the top level. Raises DocumentError where it is not certain which it is."""
    if re.match(r"\s*[\[{]", text) or re.search(r"^(?:---|\.\.\.)(?=\s|\Z)", text.lstrip()[1:], re.MULTILINE):
        raise DocumentError("it is YAML of a form that memd does not edit")
    found = list(_KEY.finditer(text))
    if len(found) > 1:
        raise DocumentError("`read` stands there twice")
    return found[0] if found else None


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _value(rest: str) -> tuple[str, str | None]:
    """What stands behind the colon, and the comment behind that; None for a list whose end is not on the line."""
    body = rest.strip(BLANK)
    if body.startswith("#"):
        return "", body
    if body.startswith("["):
        close = _closing(body)
        after = body[close + 1 :].strip(BLANK)
        return (body[: close + 1], after) if close > 0 and (not after or after.startswith("#")) else (body, None)
    if body[:1] in {'"', "'"} and (quoted := _ALONE.match(body)):
        after = body[quoted.end() :].strip(BLANK)
        return (quoted[0], after) if not after or after.startswith("#") else (body, None)
    plain = re.split(r"[ \t]+#", body, maxsplit=1)
    return plain[0].rstrip(BLANK), plain[1] if len(plain) > 1 else ""


def _closing(text: str) -> int:
    """Where the bracket closes that a line opens; -1 if it does not, or if there is another in it."""
    found = re.match(r"\s*\[(?:[^\[\]\"'#]|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\n]|'')*'|(?<=\S)#)*\]", text)
    return found.end() - 1 if found else -1


def _last_item(text: str, at: int) -> tuple[int, str]:
    """Where the last line of the block list ends that begins after `at`, and the indentation of its items."""
    indent: str | None = None
    last = at - (text[:at].endswith("\r"))
    while at < len(text):
        start, at = at + 1, _line_end(text, at + 1)
        line = text[start:at].rstrip("\r")
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        item = _ITEM.match(line)
        deeper = len(line) - len(line.lstrip()) > len(indent or "")
        if item and (indent is None or item[1] == indent):
            indent = item[1]
        elif indent is None and line[0].isspace():
            raise DocumentError("the value of `read` is written in a way that memd does not edit; make it a list")
        elif indent is None or not deeper:
            break
        last = start + len(line)
    return last, "  " if indent is None else indent
