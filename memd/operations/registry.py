"""The registry: what an operation is, and how a request becomes a call of it.

An operation is declared once, with typed parameters; every door (socket, command line, MCP) is built from this.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Generic, TypeVar, cast, get_type_hints

import msgspec

from memd.errors import BadParameter
from memd.operations.memory import Memory
from memd.operations.misfits import sentence_of

P = TypeVar("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class NoParams:
    """Nothing to say."""


@dataclass(frozen=True, slots=True)
class Operation(Generic[P, R]):
    """One thing memd can do.

    `params` is a frozen dataclass whose fields are the parameters; a field's metadata may hold `help`. The flags say
    what it does to the user's data.
    """

    name: str
    summary: str
    params: type[P]
    function: Callable[[Memory, P], Awaitable[R]]
    reads: bool = False
    writes: bool = False
    destroys: bool = False

    async def call(self, memory: Memory, given: Mapping[str, object], *, strict: bool = True) -> R:
        """Run the operation with parameters from outside.

        With `strict=False` text is converted ("5" to 5), which is what a command line needs. Raises BadParameter for a
        missing, unknown or ill-typed parameter, for a number that no column holds, and whatever the operation itself
        raises.
        """
        try:
            return await self.function(memory, self.parse(given, strict=strict))
        except OverflowError as error:
            raise BadParameter(self.name, "a number is too large") from error

    def parse(self, given: Mapping[str, object], *, strict: bool = True) -> P:
        """Return the parameters as a value; raises BadParameter."""
        known = [entry.name for entry in fields(cast("Any", self.params))]
        unknown = sorted(given.keys() - set(known))
        if unknown:
            allowed = ", ".join(known) or "none"
            raise BadParameter(self.name, f"there is no parameter {unknown[0]!r} (there are: {allowed})")
        try:
            return msgspec.convert(dict(given), self.params, strict=strict)
        except msgspec.ValidationError as error:
            raise BadParameter(self.name, sentence_of(str(error), self.params, given)) from error


def operation(
    name: str, *, reads: bool = False, writes: bool = False, destroys: bool = False
) -> Callable[[Callable[[Memory, P], Awaitable[R]]], Operation[P, R]]:
    """Declare a coroutine function `(memory, params) -> result` as an operation.

    The first line of its docstring is the summary that every door shows.
    """

    def declare(function: Callable[[Memory, P], Awaitable[R]]) -> Operation[P, R]:
        params = get_type_hints(function)["params"]
        if not is_dataclass(params):
            raise TypeError(f"{name}: parameters must be a dataclass, not {params!r}")
        summary = (function.__doc__ or "").strip().split("\n", 1)[0]
        return Operation(
            name, summary, cast("type[P]", params), function, reads=reads, writes=writes, destroys=destroys
        )

    return declare
