"""The library: what functions of Go's standard library hand through from argument to result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from memd.codegraph.languages.go.names import MAP, SLICE
from memd.codegraph.values import NOTHING, Ext, ExtObj, Values, union

_ARGUMENT: Final = frozenset(
    "slices.Clone slices.Compact slices.CompactFunc slices.Delete slices.DeleteFunc slices.Insert slices.Grow"
    " slices.Clip slices.Concat slices.Replace slices.Repeat maps.Clone"
    " sync.OnceFunc sync.OnceValue sync.OnceValues".split()
)
"""What they give is of the type of their first argument."""
_ELEMENT: Final = frozenset("slices.Max slices.Min slices.MaxFunc slices.MinFunc".split())
_OF_SLICES: Final = frozenset("slices.Values slices.All slices.Backward".split())
_OF_MAPS: Final = frozenset("maps.Keys maps.Values maps.All".split())
_COLLECTING: Final = frozenset("slices.Collect slices.Sorted slices.SortedFunc".split())
_HELD: Final = frozenset(
    "sync/atomic.Pointer.Load sync/atomic.Pointer.Swap weak.Pointer.Value unique.Handle.Value".split()
)


def given(called: Ext, args: Callable[[int], Values]) -> Values | None:
    """Return what a function of the library gives that is told here, None where it is not."""
    name = called.name
    if name in _ARGUMENT:
        return args(0)
    if name in _ELEMENT:
        return _part(args(0), SLICE, 0)
    if name in _OF_SLICES:
        element = _part(args(0), SLICE, 0)
        return (
            (ExtObj("iter.Seq", (element,)),) if name == "slices.Values" else (ExtObj("iter.Seq2", (NOTHING, element)),)
        )
    if name in _OF_MAPS:
        key, value = _part(args(0), MAP, 0), _part(args(0), MAP, 1)
        if name == "maps.All":
            return (ExtObj("iter.Seq2", (key, value)),)
        return (ExtObj("iter.Seq", (key if name == "maps.Keys" else value,)),)
    if name in _COLLECTING:
        return (ExtObj(SLICE, (_part(args(0), "iter.Seq", 0),)),)
    if name in _HELD:
        return called.args[0] if called.args else NOTHING
    return None


def _part(values: Values, kind: str, position: int) -> Values:
    return union(
        *(
            one.args[position]
            for one in values
            if isinstance(one, ExtObj) and one.type == kind and position < len(one.args)
        )
    )
