"""Graph cache: answers about a whole graph that take a worker's second, kept until the graph is another."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Final

_MOST: Final = 8


class GraphCache:
    """The last few answers by what was asked, each good for the graph it was made of alone."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, tuple[int, Any]] = OrderedDict()
        self._wanted: dict[Hashable, Any] = {}

    def answer(self, asked: Hashable, graph: int) -> Any | None:
        """Return what was kept for a question if it was asked of this graph, named by its hash."""
        made_of, answer = self._kept.get(asked, (None, None))
        return answer if made_of == graph else None

    def outdated(self, asked: Hashable, params: Any) -> Any | None:
        """Return what was kept for a question, of whatever graph, and want it anew with these parameters."""
        _, answer = self._kept.get(asked, (None, None))
        if answer is not None:
            self._wanted[asked] = params
        return answer

    def wanted(self) -> tuple[tuple[Hashable, Any], ...]:
        """Return the questions whose answers are wanted anew, with their parameters; each is until it is kept."""
        return tuple(self._wanted.items())

    def drop(self, asked: Hashable) -> None:
        """Let go of a question of which there is no graph any more."""
        self._wanted.pop(asked, None)
        self._kept.pop(asked, None)

    def keep(self, asked: Hashable, graph: int, answer: Any) -> None:
        """Keep the answer to a question."""
        self._wanted.pop(asked, None)
        self._kept[asked] = graph, answer
        self._kept.move_to_end(asked)
        if len(self._kept) > _MOST:
            self._kept.popitem(last=False)
