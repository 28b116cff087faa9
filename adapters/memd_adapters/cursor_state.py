"""What the reader of Cursor's editor databases carries from one read to the next, inside the cursor."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Self

from memd_adapters.cursor_pieces import Progress, dumped
from memd_adapters.cursor_tools import object_in
from memd_adapters.jsonl_rows import Json
from memd_adapters.shaping import text_of

_MOST_PROGRESS: Final = 48


@dataclass(slots=True)
class State:
    """The reader's memory. `walk` is the last conversation of a walk over all of them, None when none is to do."""

    row: int = 0
    key: str = ""
    walk: str | None = ""
    dirty: list[str] = field(default_factory=list)
    progress: dict[str, Progress] = field(default_factory=dict)
    items: dict[str, str] = field(default_factory=dict)
    links: list[str] = field(default_factory=list)
    more: bool = False

    def note(self, session: str, progress: Progress) -> None:
        """Keep how much of a conversation was told, of the last ones."""
        self.progress.pop(session, None)
        self.progress[session] = progress
        for rested in list(self.progress)[:-_MOST_PROGRESS]:
            del self.progress[rested]

    def dump(self) -> str:
        """Return the state as JSON."""
        return dumped(
            {
                "row": self.row,
                "key": self.key,
                "walk": self.walk,
                "dirty": list[Json](self.dirty),
                "progress": {session: progress.dump() for session, progress in self.progress.items()},
                "items": dict(self.items),
                "links": list[Json](self.links),
                "more": self.more,
            }
        )

    @classmethod
    def load(cls, text: str) -> Self:
        """Return the state that `dump` wrote, or a fresh one for anything else."""
        found = object_in(text)
        row, walk = (found or {}).get("row"), (found or {}).get("walk")
        if found is None or type(row) is not int or not (walk is None or isinstance(walk, str)):
            return cls()
        progress, items = found.get("progress"), found.get("items")
        return cls(
            row=row,
            key=text_of(found, "key") or "",
            walk=walk,
            dirty=texts_in(found.get("dirty")),
            progress={session: Progress.load(value) for session, value in progress.items()}
            if isinstance(progress, dict)
            else {},
            items={key: value for key, value in items.items() if isinstance(value, str)}
            if isinstance(items, dict)
            else {},
            links=texts_in(found.get("links")),
            more=found.get("more") is True,
        )


def texts_in(value: Json) -> list[str]:
    """Return the texts in a list."""
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []
