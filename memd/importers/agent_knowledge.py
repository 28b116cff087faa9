"""agent-knowledge: its folder of Markdown files by category.

Read in 1.3 to 1.8: `{projects,people,decisions,workflows,notes}/**/*.md` with front matter title, tags, updated,
author, evergreen, confidence (extracted or inferred) and confidence_score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from memd.importers.markdown import Page, pages
from memd.importers.model import Haul, Imported, Importer, first_line, share, time_of
from memd.model import FactKind

NAME: Final = "agent_knowledge"
CATEGORIES: Final[Mapping[str, FactKind]] = {
    "projects": "note",
    "people": "note",
    "decisions": "decision",
    "workflows": "convention",
    "notes": "note",
}
_KNOWN: Final = frozenset("title tags updated created author evergreen confidence confidence_score".split())


def recognise(path: Path) -> bool:
    """Whether it is such a folder: two of its categories are there, or its own database of scores."""
    if not path.is_dir():
        return False
    there = sum((path / name).is_dir() for name in CATEGORIES)
    return there >= 2 or (there >= 1 and (path / "knowledge-scores.db").exists())


def read(path: Path) -> Haul:
    """Read every entry; an entry below `projects` belongs to the project it is named after."""
    skipped: Counter[str] = Counter()
    items: list[Imported] = []
    for category, kind in CATEGORIES.items():
        for page in pages(path / category):
            if isinstance(page, Path):
                skipped["files that cannot be read"] += 1
            elif not page.text.strip():
                skipped["without text"] += 1
            else:
                items.append(_item(page, path, category, kind))
    return Haul(NAME, tuple(items), skipped=dict(skipped))


def _item(page: Page, root: Path, category: str, kind: FactKind) -> Imported:
    place = page.path.relative_to(root)
    body = page.text.strip()
    return Imported(
        key=place.as_posix(),
        kind=kind,
        title=page.value("title") or first_line(body) or page.path.stem,
        body=body,
        project=Path(place.parts[1]).stem if category == "projects" else None,
        at_ms=time_of(page.value("updated")) or time_of(page.value("created")) or _written(page.path),
        tags=(*page.listed("tags"), category),
        author=page.value("author") or None,
        confidence=_score(page.value("confidence_score")),
        evergreen=page.value("evergreen").casefold() == "true",
        inferred=page.value("confidence").casefold() == "inferred",
        more={name: value for name, value in page.front.items() if name not in _KNOWN},
    )


def _score(text: str) -> float:
    try:
        return share(float(text))
    except ValueError:
        return 1.0


def _written(path: Path) -> int | None:
    try:
        return int(path.stat().st_mtime * 1000)
    except OSError:
        return None


IMPORTER: Final = Importer(NAME, "agent-knowledge", recognise, read)
