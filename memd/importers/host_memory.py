"""What coding agents note for themselves: `<home>/projects/<slug>/memory/*.md` of Claude Code and of Qwen Code.

`MEMORY.md` is read by the agent at every start and mostly points to the others, which have front matter (name,
description, type). A file becomes one thing for each of its sections. The project is what the transcripts beside the
folder say, never the slug: without one the folder is passed over, as its notes would hold everywhere.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from memd.importers.markdown import Page, pages
from memd.importers.model import Haul, Imported, Importer, first_line, kind_of
from memd.model import FactKind

NAME: Final = "host_memory"
_KINDS: Final[Mapping[str, FactKind]] = {"user": "preference", "feedback": "preference"}
_HEADING: Final = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t#]*$")
_FENCE: Final = re.compile(r"^[ \t]{0,3}(?:`{3,}|~{3,})")
_POINTER: Final = re.compile(r"^[ \t]*[-*][ \t]+\[[^\]]*\]\([^)]*\.md\)")
_CWD: Final = re.compile(rb'"cwd"\s*:\s*("(?:[^"\\]|\\.){1,4096}")')
_HEAD_BYTES: Final = 64 << 10
_MOST_CHARS: Final = 4_000


def recognise(path: Path) -> bool:
    """Whether it is such a folder of notes, or the folder of projects that has some."""
    try:
        return path.is_dir() and any(True for _ in _folders(path))
    except OSError:
        return False


def read(path: Path) -> Haul:
    """Read the notes of every project."""
    skipped: Counter[str] = Counter()
    items: list[Imported] = []
    for folder in _folders(path):
        project = _project_of(folder.parent)
        if project is None:
            skipped["folders whose project is not told"] += 1
            continue
        for page in pages(folder):
            if isinstance(page, Path):
                skipped["files that cannot be read"] += 1
            else:
                items += _items(page, project)
    return Haul(NAME, tuple(items), skipped=dict(skipped))


def _folders(path: Path) -> Iterator[Path]:
    if path.name == "memory" and path.parent.parent.name == "projects":
        found = [path]
    elif path.name == "projects":
        found = sorted(path.glob("*/memory"))
    else:
        found = []
    return (folder for folder in found if any(folder.glob("**/*.md")))


def _project_of(slug: Path) -> str | None:
    """Return the working folder that the newest transcript names which names one."""
    found = [*slug.glob("*.jsonl"), *slug.glob("chats/*.jsonl")]
    for transcript in sorted(found, key=lambda path: path.stat().st_mtime_ns, reverse=True)[:20]:
        with transcript.open("rb") as file:
            said = _CWD.search(file.read(_HEAD_BYTES))
        if said is not None:
            try:
                return str(json.loads(said[1]))
            except ValueError:
                continue
    return None


def _items(page: Page, project: str) -> Iterator[Imported]:
    seen: Counter[str] = Counter()
    name = page.value("name") or page.value("description")
    at_ms = page.path.stat().st_mtime_ns // 1_000_000
    kind = _KINDS.get(page.value("type")) or kind_of(page.value("type"))
    for heading, text in _sections(page.text):
        if not any(char.isalnum() for char in text):
            continue
        seen[heading] += 1
        again = f"~{seen[heading]}" if seen[heading] > 1 else ""
        title = " – ".join(dict.fromkeys(filter(None, (name, heading)))) or first_line(text)
        yield Imported(
            key=f"{page.path}#{heading}{again}",
            kind=kind,
            title=title,
            body=text[:_MOST_CHARS],
            project=project,
            at_ms=at_ms,
            epistemic="reported",
            inferred=True,
            more={"path": str(page.path)},
        )


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """Give the parts under each heading, without lines that only point to another file."""
    heading, lines, is_code = "", list[str](), False
    for line in text.splitlines():
        is_code ^= _FENCE.match(line) is not None
        found = None if is_code else _HEADING.match(line)
        if found:
            yield heading, "\n".join(lines).strip()
            heading, lines = found[1].strip(), []
        elif not _POINTER.match(line):
            lines.append(line)
    yield heading, "\n".join(lines).strip()


IMPORTER: Final = Importer(NAME, "an agent's own notes", recognise, read, follows=True)
