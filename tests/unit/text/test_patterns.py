"""What the patterns that find secrets may be made of, so that they mean the same in every Python that memd runs on."""

from __future__ import annotations

import re
from pathlib import Path

from memd import text

_POSSESSIVE_GROUP = re.compile(r"\)(?:[?*+]|\{[{}\d,]+\})\+")


def test_no_group_is_repeated_possessively() -> None:
    """What `(?:ab?c)?+` means Python finds from 3.11.5 on only (python/cpython#106052), `(?>(?:ab?c)?)` always."""
    folder = Path(text.__file__).parent
    found = [
        f"{path.relative_to(folder)}:{number}"
        for path in sorted(folder.rglob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if _POSSESSIVE_GROUP.search(line)
    ]

    assert found == []
