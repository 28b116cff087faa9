"""What Python's builtins and standard library hand through: the types that pass from argument to result."""

from __future__ import annotations

import builtins
from typing import Final

BUILTINS: Final = frozenset(dir(builtins)) | {"reveal_type", "__file__", "__path__"}

WRAPPERS: Final = frozenset(
    "Optional Union Annotated Final ClassVar Required NotRequired ReadOnly InitVar Unpack TypeGuard".split()
)
"""Type expressions that mean (one of) what they are given."""

OF_ELEMENTS: Final = frozenset(
    "list tuple set frozenset deque dict iter sorted reversed filter aiter chain islice cycle List Set".split()
)
"""Calls whose result holds the elements of the argument."""

GIVES: Final[dict[str, str]] = {
    "copy": "argument",
    "deepcopy": "argument",
    "cast": "type",
    "next": "element",
    "anext": "element",
    "min": "element",
    "max": "element",
    "choice": "element",
    "run": "awaited",
    "run_until_complete": "awaited",
    "wait_for": "awaited",
    "create_task": "argument",
    "ensure_future": "argument",
    "shield": "argument",
    "type": "class",
    "partial": "argument",
    "wraps": "nothing",
    "field": "called",
    "enumerate": "enumerate",
    "zip": "zip",
    "closing": "managed",
    "aclosing": "managed",
    "nullcontext": "managed",
    "defaultdict": "defaults",
    "enter_context": "entered",
    "enter_async_context": "entered",
    "TypeVar": "param",
    "getattr": "nothing",
}
"""What a call gives, by the last part of its name."""
