"""Trees for tests: sources written in the test -> the graph that is made of them."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

from memd.codegraph.edges import Resolution
from memd.codegraph.facts import FileFacts, pack, unpack
from memd.codegraph.graph import resolve_all
from memd.codegraph.parse import extract
from memd.codegraph.registry import is_config, language_in


@dataclass(frozen=True, slots=True)
class Graph:
    """What a tree gives: its facts by path, and its resolutions."""

    facts: dict[str, FileFacts]
    resolutions: list[Resolution]

    def edges(self, kind: str) -> set[tuple[str, str]]:
        """Return the edges of a kind as pairs of nodes."""
        return {(edge.src, edge.dst) for one in self.resolutions for edge in one.edges if edge.kind == kind}

    def calls_of(self, node: str) -> set[str]:
        """Return what a node calls."""
        return {dst for src, dst in self.edges("calls") if src == node}

    def unresolved(self) -> set[tuple[str, str]]:
        """Return who names what without grounds."""
        return {(one.src, one.name) for resolution in self.resolutions for one in resolution.unresolved}

    def symbols(self) -> dict[str, str]:
        """Return the kind of each symbol by its node."""
        return {
            facts.node(index): symbol.kind
            for facts in self.facts.values()
            for index, symbol in enumerate(facts.symbols)
            if facts.named(index) == index
        }


def graph(files: Mapping[str, str]) -> Graph:
    """Return the graph of some files; their text is dedented. What is extracted is packed and unpacked on the way."""
    facts: list[FileFacts] = []
    configs: dict[str, bytes] = {}
    for path, words in files.items():
        source = textwrap.dedent(words).lstrip("\n").encode()
        language = language_in(path, source)
        if is_config(path.rpartition("/")[2]):
            configs[path] = source
        if language is not None:
            facts.append(unpack(pack(extract(path, source, language))))
    return Graph({one.path: one for one in facts}, list(resolve_all(facts, configs)))
