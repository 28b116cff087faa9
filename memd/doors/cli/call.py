"""`memd call`: any operation by its name, as programs and the curious want it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import msgspec

from memd.doors.cli import reach
from memd.doors.cli.columns import one_line, table
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.places import means_project, project_word
from memd.errors import UsageError
from memd.operations.description import OperationAnswer


def run(invocation: Invocation) -> int:
    """List the operations, or call one with `name=value` words and print its JSON."""
    given, terminal = invocation.given, invocation.terminal
    raw = reach.ask(invocation, "operations.list", {})
    if given.operation is None:
        if given.json:
            terminal.say(reach.pretty(raw))
            return 0
        listed = reach.decode(raw, tuple[OperationAnswer, ...], invocation.places().paths.socket)
        rows = [(one.name, _effect(one), one_line(one.summary)) for one in listed]
        terminal.show(table(rows, stretch=2, columns=terminal.row_columns))
        return 0
    listed = reach.decode(raw, tuple[OperationAnswer, ...], invocation.places().paths.socket)
    known = {operation.name: operation for operation in listed}
    if given.operation not in known:
        near = get_close_matches(given.operation, known, 1)
        meant = f"; did you mean {near[0]!r}?" if near else "; `memd call` lists what there is."
        raise UsageError(f"There is no operation {given.operation!r}{meant}")
    params = parameters(known[given.operation], given.parameters)
    terminal.say(reach.pretty(reach.ask(invocation, given.operation, params)))
    return 0


def parameters(operation: OperationAnswer, words: Sequence[str]) -> dict[str, object]:
    """Return the parameters that `name=value` words stand for; a value is JSON unless a text is wanted, and a folder
    that is the project is told by its absolute path.

    Raises UsageError for a word without `=`, or a value that does not fit.
    """
    properties = operation.parameters["properties"]
    assert isinstance(properties, Mapping)
    found: dict[str, object] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals:
            raise UsageError(
                f"{word!r} is no parameter; write name=value, such as {next(iter(properties), 'query')}=x."
            )
        value = value_of(properties.get(name, {}), text)
        # The daemon works in another folder than the person.
        if isinstance(value, str) and means_project(operation.name, name):
            value = project_word(value)
        found[name] = value
    return found


def value_of(told: Mapping[str, Any], text: str) -> object:
    """Return a word as a parameter of that JSON Schema wants it."""
    kinds = {told.get("type"), *(choice.get("type") for choice in told.get("anyOf", ()))}
    if "enum" in told or ("string" in kinds and not kinds & {"array", "object"}):
        return text
    try:
        return msgspec.json.decode(text.encode("utf-8", "surrogateescape"))
    except msgspec.DecodeError:
        return text.split(",") if "array" in kinds else text


def _effect(operation: OperationAnswer) -> str:
    return "destroys" if operation.destroys else "reads" if operation.reads else "writes"
