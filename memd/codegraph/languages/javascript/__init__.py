"""JavaScript, with or without JSX."""

from __future__ import annotations

from typing import Final

from memd.codegraph.language import Language
from memd.codegraph.languages.typescript.resolution import CONFIGS
from memd.codegraph.languages.typescript.rules import TypeScriptRules

LANGUAGE: Final = Language(
    name="javascript",
    family="typescript",
    grammar="javascript",
    extensions=(".js", ".mjs", ".cjs", ".jsx"),
    extractor="memd.codegraph.languages.javascript.extract",
    rules=TypeScriptRules,
    configs=CONFIGS,
)
