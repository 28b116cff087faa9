"""What the nodes of a TSX file mean: the same as in TypeScript."""

from __future__ import annotations

from importlib import resources

from tree_sitter import Language

from memd.codegraph.languages.typescript.extract import EXPRESSIONS, HANDLERS

__all__ = ["EXPRESSIONS", "HANDLERS", "query_for"]


def query_for(_grammar: Language) -> str:
    """Return TypeScript's query with what only TSX has behind it."""
    languages = resources.files("memd.codegraph.languages")
    return "\n".join(languages.joinpath(name, "query.scm").read_text("utf-8") for name in ("typescript", "tsx"))
