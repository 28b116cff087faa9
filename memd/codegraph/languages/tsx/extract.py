"""What the nodes of a TSX file mean: the same as in TypeScript."""

from __future__ import annotations

from memd.codegraph.languages.typescript.extract import EXPRESSIONS, HANDLERS

__all__ = ["EXPRESSIONS", "HANDLERS"]
