"""TypeScript with JSX."""

from __future__ import annotations

from typing import Final

from memd.codegraph.language import Language
from memd.codegraph.languages.typescript.resolution import CONFIGS
from memd.codegraph.languages.typescript.rules import TypeScriptRules

LANGUAGE: Final = Language(
    name="tsx",
    family="typescript",
    grammar="tsx",
    extensions=(".tsx",),
    extractor="memd.codegraph.languages.tsx.extract",
    rules=TypeScriptRules,
    configs=CONFIGS,
)
