"""Markdown with front matter, as knowledge folders have it: a small part of YAML, and nothing of it is an error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_FRONT: Final = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_PAIR: Final = re.compile(r"([\w-]+)[ \t]*:[ \t]*(.*)")
_MOST_BYTES: Final = 4 << 20


@dataclass(frozen=True, slots=True)
class Page:
    """A Markdown file: its front matter (texts and lists of texts) and what stands below it."""

    path: Path
    front: dict[str, str | list[str]]
    text: str

    def value(self, name: str) -> str:
        """Return a field as text, "" where there is none."""
        found = self.front.get(name, "")
        return found if isinstance(found, str) else ", ".join(found)

    def listed(self, name: str) -> tuple[str, ...]:
        """Return a field as a list; a text is taken apart at its commas."""
        found = self.front.get(name, [])
        items = found.split(",") if isinstance(found, str) else found
        return tuple(item for text in items if (item := _bare(text)))


def pages(folder: Path) -> Iterator[Page | Path]:
    """Give every Markdown file below a folder, in order; of one that cannot be read its path."""
    for path in sorted(folder.rglob("*.md")):
        if (
            path.is_symlink()
            or not path.is_file()
            or any(part.startswith(".") for part in path.relative_to(folder).parts)
        ):
            continue
        page = read(path)
        yield path if page is None else page


def read(path: Path) -> Page | None:
    """Return a file as a page; None when it cannot be read or is larger than 4 MiB."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            return None
        text = path.read_text("utf-8", errors="replace")
    except OSError:
        return None
    found = _FRONT.match(text)
    return Page(path, _fields(found[1]) if found else {}, text[found.end() :] if found else text)


def _fields(text: str) -> dict[str, str | list[str]]:
    fields: dict[str, str | list[str]] = {}
    name = ""
    for line in text.splitlines():
        item = re.match(r"[ \t]*-[ \t]+(.*)", line)
        pair = _PAIR.fullmatch(line)
        if pair:
            name, value = pair[1], pair[2].strip()
            listed = value.startswith("[") and value.endswith("]")
            fields[name] = [_bare(part) for part in value[1:-1].split(",") if _bare(part)] if listed else _bare(value)
        elif item and name:
            before = fields.get(name, [])
            fields[name] = [*(before if isinstance(before, list) else [before] if before else []), _bare(item[1])]
    return fields


def _bare(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
