"""Names: which of the bindings of a name can reach a place in a file."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Final

from memd.codegraph.facts import Attr, Binding, FileFacts, Import, Own

EVERYWHERE: Final = 1 << 62
"""The place after everything."""


class Names:
    """The bindings of one file, by the scope they belong to and their name, in the order of the source."""

    def __init__(self, facts: FileFacts, bindings: Iterable[Binding] | None = None) -> None:
        self.facts = facts
        self._table: dict[tuple[int, str], list[Binding]] = {}
        for binding in facts.bindings if bindings is None else bindings:
            self._table.setdefault((binding.owner, binding.name), []).append(binding)
        for several in self._table.values():
            if len(several) > 1:
                several.sort(key=lambda binding: binding.since)
        self._narrowed = frozenset(name.rpartition(".")[2] for _, name in self._table if "." in name)
        self.owners = frozenset(binding.owner for binding in facts.bindings)

    @functools.cached_property
    def items(self) -> Names:
        """These bindings without the variables of functions: what a path can begin with."""
        functions = {at for at, one in enumerate(self.facts.symbols) if one.kind in ("function", "method")}
        kept = (one for one in self.facts.bindings if one.owner not in functions or _is_item(one))
        return Names(self.facts, kept)

    def narrows(self, member: str) -> bool:
        """Tell whether a chain that ends in this member is bound anywhere (`self.x = y`)."""
        return member in self._narrowed

    def all(self, owner: int, name: str) -> Sequence[Binding]:
        """Return every binding of a name in a scope."""
        return self._table.get((owner, name), ())

    def reaching(self, owner: int, name: str, at: int) -> list[Binding]:
        """Return the bindings that can hold at a byte in the scope itself, the surest first.

        Going backwards, every binding counts up to the first whose block the place stands in: those between were made
        in branches. Where nothing comes before (a loop's second round), none is returned.
        """
        found: list[Binding] = []
        for binding in reversed(self._table.get((owner, name), ())):
            if binding.since > at or (binding.scoped and at >= binding.until):
                continue
            found.append(binding)
            if at < binding.until:
                break
        return found

    def from_inside(self, owner: int, name: str, at: int) -> list[Binding]:
        """Return the bindings that a symbol inside of the scope can see: it may run at any time."""
        several = self._table.get((owner, name))
        if not several:
            return []
        covering = [one for one in several if one.scoped and one.since <= at < one.until]
        if covering:
            return covering[-1:]
        return self.reaching(owner, name, EVERYWHERE - 1) or [one for one in several if not one.scoped]


def _is_item(binding: Binding) -> bool:
    """Tell whether what is bound in a function is an import or a definition, no variable."""
    value = binding.value
    while isinstance(value, Attr):
        value = value.base
    return isinstance(value, Import | Own)
