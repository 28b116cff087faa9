"""Edits: what a tool call took out of a file and what it put there, in whatever form the host records it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memd.distill.calls import arguments
from memd.model import ToolCall

_SIDES: Final = (
    ("old_string", "new_string"),
    ("old_text", "new_text"),
    ("oldString", "newString"),
    ("old_str", "new_str"),
)
_WHOLE: Final = ("content", "file_text", "contents", "text", "code_edit")
_FILES: Final = re.compile(
    r"^\*\*\* (?P<what>Update|Add|Delete) File: (?P<path>.+)$|^\*\*\* End Patch.*$", re.MULTILINE
)
_BLOCK: Final = re.compile(
    r"^(?:<{5,}|-{5,}) SEARCH>?\s*\n(?P<old>.*?)^={5,}\s*\n(?P<new>.*?)^(?:>{5,}|\+{5,}) REPLACE",
    re.MULTILINE | re.DOTALL,
)
_IN_WORDS: Final = re.compile(
    r"^(?P<path>[^\s`]{1,200}\.\w{1,8})\s*\n```\w*\n(?P<blocks>.*?)^```", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Edit:
    """What an edit took out of a file and put there. `whole`: `new` is all that the file has now."""

    path: str
    old: str
    new: str
    whole: bool = False


def edits_of(call: ToolCall) -> Iterator[Edit]:
    """Yield the edits of one call that worked; nothing of a call that changed no file or tells nothing of its text."""
    if call.kind not in ("edit", "write") or call.ok is False or not call.changes:
        return
    data = arguments(call)
    path = call.changes[0].path
    if isinstance(data, dict):
        inner = data.get("edits")
        for edit in inner if isinstance(inner, list) else [data]:
            if isinstance(edit, dict):
                yield from _replaced(path, edit)
    for text in _texts(data):
        if "*** Begin Patch" in text:
            yield from _patched(text)
        elif "SEARCH" in text:
            yield from (Edit(path, block["old"], block["new"]) for block in _BLOCK.finditer(text))
    gone = (change for change in call.changes if change.op == "delete")
    yield from (Edit(change.path, "", "", whole=True) for change in gone)


def edits_in_words(text: str) -> Iterator[Edit]:
    """Yield the edits that a reply tells as blocks of what to search for and what to put there, under a file's name."""
    if "SEARCH" in text:
        for match in _IN_WORDS.finditer(text):
            yield from (Edit(match["path"], one["old"], one["new"]) for one in _BLOCK.finditer(match["blocks"]))


def _replaced(path: str, edit: dict[str, object]) -> Iterator[Edit]:
    sides = ((edit.get(before), edit.get(after)) for before, after in _SIDES)
    pair = next(((old, new) for old, new in sides if isinstance(old, str) and isinstance(new, str)), None)
    if pair is not None:
        yield Edit(path, *pair)
        return
    whole = next((value for key in _WHOLE if isinstance(value := edit.get(key), str)), None)
    if whole is not None and "*** Begin Patch" not in whole:
        yield Edit(path, "", whole, whole=True)


def _patched(patch: str) -> Iterator[Edit]:
    marks = list(_FILES.finditer(patch))
    for at, mark in enumerate(marks):
        if mark["what"] is None:
            continue
        end = marks[at + 1].start() if at + 1 < len(marks) else len(patch)
        lines = patch[mark.end() : end].split("\n")
        old = "\n".join(line[1:] for line in lines if line.startswith("-"))
        new = "\n".join(line[1:] for line in lines if line.startswith("+"))
        yield Edit(mark["path"].strip(), old, new, whole=mark["what"] != "Update")


def _texts(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for value in data.values() if isinstance(data, dict) else data:
            yield from _texts(value)
