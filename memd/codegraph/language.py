"""Language: what a language has to provide.

A language is a folder in `memd.codegraph.languages` with

- `query.scm`: a tree-sitter query; each capture names a kind of node that matters (`@function`, `@call`);
- `extract.py`: `HANDLERS`, what a captured node means, and `EXPRESSIONS`, what a node of an expression means, both told
  to a `Builder`; optionally `prepare(source)`, which may blank out what its grammar cannot read (the length must stay),
  `REPAIRS`, which do more of that where there are errors of syntax, `reread`, which looks for a better tree where
  there still are, and `query_for(grammar)`, which makes the query of several;
- `rules.py`: a `Rules` class, how modules are found and what the language's own types give; it sees no tree-sitter;
- `__init__.py`: `LANGUAGE`, which names them.

Extraction runs in worker processes, and only there are grammars loaded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memd.codegraph.project import Project
    from memd.codegraph.rules import Rules


@dataclass(frozen=True, slots=True)
class Language:
    """One language: how its files are known, where its extraction lives, and how its names resolve.

    `grammar` is the name in the language pack, `extractor` the module with `HANDLERS` and `EXPRESSIONS`. Languages of
    one `family` see each other's files (TypeScript, TSX and JavaScript); `configs` are the names of files that its
    module system reads besides sources (`go.mod`).
    """

    name: str
    family: str
    grammar: str
    extensions: tuple[str, ...]
    extractor: str
    rules: Callable[[Project], Rules]
    configs: tuple[str, ...] = ()
    really: Callable[[bytes], str | None] | None = None
    """Given a file's content, returns the name of the language it really is in where the name of the file deceives."""
    described_by_comments: bool = True
    """Whether the comment before a definition says what it is for; where text in it does, that is the extraction's."""
