"""Go."""

from __future__ import annotations

from typing import Final

from memd.codegraph.language import Language
from memd.codegraph.languages.go.rules import GoRules

LANGUAGE: Final = Language(
    name="go",
    family="go",
    grammar="go",
    extensions=(".go",),
    extractor="memd.codegraph.languages.go.extract",
    rules=GoRules,
    configs=("go.mod",),
)
