"""Described: every operation as the registry describes it, read from a file beside this one.

Whoever only has to know what there is need not load what it takes to do it: the command line's help and subcommands are
made of these in a fifth of the time that importing all operations takes. `python -m memd.operations.described` writes
the file anew after an operation was added or changed.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from memd.operations.description import OperationAnswer

PATH: Final = Path(__file__).with_name("catalog.json")


@cache
def described() -> tuple[OperationAnswer, ...]:
    """Return the description of each operation, in the order of the catalogue."""
    return msgspec.json.decode(PATH.read_bytes(), type=tuple[OperationAnswer, ...])


def text() -> bytes:
    """Return what the file has to say by the operations that there are: JSON, one operation a line."""
    from memd.operations.catalog import OPERATIONS
    from memd.operations.describe import describe

    lines = (msgspec.json.encode(describe(one)) for one in OPERATIONS.values())
    return b"[\n" + b",\n".join(lines) + b"\n]\n"


def main() -> int:
    """Write the file."""
    PATH.write_bytes(text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
