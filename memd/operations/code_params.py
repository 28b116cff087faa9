"""What is asked about code: what the operations on the code graph take."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

_SYMBOL = "a symbol: its name, Class.method, or path::Class.method; or a file's path"
_PROJECT = "a folder in the project, its name or its id"
_AS_OF = "what held at this time; none: now"
_LIMIT = "at most so many"

Relation = Literal["calls", "imports", "inherits"]


@dataclass(frozen=True, slots=True)
class CodeIndexParams:
    """Whose code."""

    project: str = field(metadata={"help": _PROJECT})


@dataclass(frozen=True, slots=True)
class CodeStatusParams:
    """Whose code."""

    project: str = field(metadata={"help": _PROJECT})


@dataclass(frozen=True, slots=True)
class CodeFindParams:
    """Which symbols."""

    symbol: str = field(metadata={"help": "a name, or a part of one"})
    project: str = field(metadata={"help": _PROJECT})
    as_of: str | None = field(default=None, metadata={"help": _AS_OF})
    limit: int = field(default=20, metadata={"help": _LIMIT})


@dataclass(frozen=True, slots=True)
class CodeWalkParams:
    """From which symbol, how far."""

    symbol: str = field(metadata={"help": _SYMBOL})
    project: str = field(metadata={"help": _PROJECT})
    depth: int = field(default=1, metadata={"help": "how many steps, 1 to 10"})
    as_of: str | None = field(default=None, metadata={"help": _AS_OF})
    limit: int = field(default=50, metadata={"help": _LIMIT})


@dataclass(frozen=True, slots=True)
class CodeTraverseParams:
    """From which symbol, along what, how far."""

    symbol: str = field(metadata={"help": _SYMBOL})
    project: str = field(metadata={"help": _PROJECT})
    direction: Literal["out", "in", "both"] = field(default="both", metadata={"help": "out, in or both"})
    relations: tuple[Relation, ...] = field(default=(), metadata={"help": "only along these; none: all"})
    depth: int = field(default=2, metadata={"help": "how many steps, 1 to 10"})
    as_of: str | None = field(default=None, metadata={"help": _AS_OF})
    limit: int = field(default=100, metadata={"help": _LIMIT})


@dataclass(frozen=True, slots=True)
class CodePathParams:
    """Between which two symbols."""

    source: str = field(metadata={"help": _SYMBOL})
    target: str = field(metadata={"help": _SYMBOL})
    project: str = field(metadata={"help": _PROJECT})
    as_of: str | None = field(default=None, metadata={"help": _AS_OF})


@dataclass(frozen=True, slots=True)
class CodeWhyParams:
    """Which symbol."""

    symbol: str = field(metadata={"help": _SYMBOL})
    project: str = field(metadata={"help": _PROJECT})
    limit: int = field(default=10, metadata={"help": _LIMIT})


@dataclass(frozen=True, slots=True)
class CodeShapeParams:
    """Whose code."""

    project: str = field(metadata={"help": _PROJECT})
    limit: int = field(default=10, metadata={"help": _LIMIT})


@dataclass(frozen=True, slots=True)
class CodeReasonsParams:
    """Which reasons."""

    project: str = field(metadata={"help": _PROJECT})
    query: str = field(default="", metadata={"help": "only those that hold all these words"})
    tags: tuple[str, ...] = field(default=(), metadata={"help": "only with one of these: WHY, DECISION, HACK, ..."})
    limit: int = field(default=50, metadata={"help": _LIMIT})


@dataclass(frozen=True, slots=True)
class CodeCheckParams:
    """Whose code."""

    project: str = field(metadata={"help": _PROJECT})
