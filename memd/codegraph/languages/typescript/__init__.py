"""TypeScript, without JSX."""

from __future__ import annotations

from typing import Final

from memd.codegraph.language import Language
from memd.codegraph.languages.typescript.resolution import CONFIGS
from memd.codegraph.languages.typescript.rules import TypeScriptRules

LANGUAGE: Final = Language(
    name="typescript",
    family="typescript",
    grammar="typescript",
    extensions=(".ts", ".mts", ".cts"),
    extractor="memd.codegraph.languages.typescript.extract",
    rules=TypeScriptRules,
    configs=CONFIGS,
)
