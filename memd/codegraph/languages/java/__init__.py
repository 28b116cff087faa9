"""Java."""

from __future__ import annotations

from typing import Final

from memd.codegraph.language import Language
from memd.codegraph.languages.java.rules import JavaRules

LANGUAGE: Final = Language(
    name="java",
    family="java",
    grammar="java",
    extensions=(".java",),
    extractor="memd.codegraph.languages.java.extract",
    rules=JavaRules,
)
