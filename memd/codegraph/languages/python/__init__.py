"""Python."""

from __future__ import annotations

from typing import Final

from memd.codegraph.language import Language
from memd.codegraph.languages.python.rules import PythonRules

LANGUAGE: Final = Language(
    name="python",
    family="python",
    grammar="python",
    extensions=(".py", ".pyi", ".pyw"),
    extractor="memd.codegraph.languages.python.extract",
    rules=PythonRules,
    described_by_comments=False,
)
