"""Mentions: the files and symbols that a prompt names, and what is known of them."""

from __future__ import annotations

import re
from typing import Final

from memd.clock import local_day
from memd.store.history import FileHistory

_MOST: Final = 4
"""A prompt that names more is a listing, not about any of them."""
_TITLE_CHARS: Final = 70
_PATH: Final = re.compile(
    r"(?<![\w@:/.-])(?:\.{0,2}/)?(?:[\w.@+-]+/)*[\w@+-][\w.@+-]*\.[A-Za-z][A-Za-z0-9]{0,7}(?![\w/.-]*[\w/-])",
    re.ASCII,  # a name stands out among Chinese characters without blanks
)
_KNOWN_ENDINGS: Final = frozenset(
    """
    astro bash bat c cc cfg clj cpp cs css csv cu dart ex exs fs go gradle graphql h hpp hs html ini ipynb java jl js
    json jsx kt kts lock lua m md mjs ml mm nim nix php pl properties proto ps1 py pyi r rb rs rst scala scss sh sol sql
    svelte swift tf toml ts tsx txt vue xml yaml yml zig
    """.split()
)
_SYMBOL: Final = re.compile(
    r"`([A-Za-z_][\w.:]{3,79})(?:\(\))?`"
    r"|\b([A-Za-z]+(?:_[A-Za-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,})\b",
    re.ASCII,
)


def files_in(prompt: str) -> tuple[str, ...]:
    """Return the file names and paths in a prompt, () when there are more than a few."""
    found = dict.fromkeys(
        match[0].removeprefix("./")
        for match in _PATH.finditer(prompt)
        if match[0].rsplit(".", 1)[-1].lower() in _KNOWN_ENDINGS
    )
    return tuple(found) if len(found) <= _MOST else ()


def symbols_in(prompt: str) -> tuple[str, ...]:
    """Return the identifiers of code in a prompt, () when there are more than a few."""
    found = dict.fromkeys(match[1] or match[2] for match in _SYMBOL.finditer(prompt))
    return tuple(found) if len(found) <= _MOST else ()


def history_line(history: FileHistory, root: str | None) -> str:
    """Return what is known of a file as one list item; its path is told from the project's root."""
    path = history.path.removeprefix(f"{root}/") if root else history.path
    times = "one earlier session" if history.sessions == 1 else f"{history.sessions} earlier sessions"
    day = f" on {local_day(history.last_at)}" if history.last_at is not None else ""
    title = " ".join((history.title or "").split())
    if len(title) > _TITLE_CHARS:
        title = title[: _TITLE_CHARS - 1].rstrip() + "…"
    about = f": “{title}”" if title else ""
    what = "made and changed" if history.created and history.sessions > 1 else "made" if history.created else "changed"
    return f"- `{path}` was {what} in {times}, last{day}{about}"
