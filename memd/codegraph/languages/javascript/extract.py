"""What the nodes of a JavaScript file mean: the same as in TypeScript, and its comments may say types."""

from __future__ import annotations

from typing import Final

from memd.codegraph.builder import Handler
from memd.codegraph.languages.typescript.extract import EXPRESSIONS, program
from memd.codegraph.languages.typescript.extract import HANDLERS as _SHARED

HANDLERS: Final[dict[str, Handler]] = {"program": program, **_SHARED}

__all__ = ["EXPRESSIONS", "HANDLERS"]
