"""Constraints: whether a file is part of a plain build for Linux on amd64, by its name and its `//go:build` line."""

from __future__ import annotations

import re
from typing import Final

_SYSTEMS: Final = frozenset(
    "aix android darwin dragonfly freebsd illumos ios js linux netbsd openbsd plan9 solaris wasip1 windows".split()
)
_MACHINES: Final = frozenset(
    "386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x wasm".split()
)
_TRUE: Final = frozenset("linux amd64 unix gc cgo".split())
_LINE: Final = re.compile(rb"^//go:build[ \t]+(.+?)[ \t\r]*$", re.MULTILINE)
_TOKEN: Final = re.compile(r"&&|\|\||!|\(|\)|[\w.]+")


def built_by_line(head: bytes) -> bool:
    """Tell whether a file is built by what stands before its package clause."""
    line = _LINE.search(head)
    return line is None or _holds(line[1].decode("utf-8", "replace"))


def built_by_name(path: str) -> bool:
    """Tell whether a file is built by its name: `x_windows.go` is not."""
    parts = path.rpartition("/")[2].removesuffix(".go").removesuffix("_test").split("_")[1:][-2:]
    if parts and parts[-1] in _MACHINES:
        system = parts[-2] if len(parts) > 1 and parts[-2] in _SYSTEMS else "linux"
        return parts[-1] == "amd64" and system == "linux"
    return not (parts and parts[-1] in _SYSTEMS) or parts[-1] == "linux"


def _holds(words: str) -> bool:
    """Return the value of a constraint; one that cannot be read holds."""
    tokens = _TOKEN.findall(words)
    at = 0

    def either() -> bool:
        nonlocal at
        found = both()
        while at < len(tokens) and tokens[at] == "||":
            at += 1
            found = both() or found
        return found

    def both() -> bool:
        nonlocal at
        found = one()
        while at < len(tokens) and tokens[at] == "&&":
            at += 1
            found = one() and found
        return found

    def one() -> bool:
        nonlocal at
        token = tokens[at]
        at += 1
        if token == "!":
            return not one()
        if token == "(":
            found = either()
            at += 1
            return found
        return token in _TRUE or token.startswith("go1")

    try:
        return either()
    except (IndexError, RecursionError):
        return True
