"""Rust."""

from __future__ import annotations

from typing import Final

from memd.codegraph.language import Language
from memd.codegraph.languages.rust.rules import RustRules

LANGUAGE: Final = Language(
    name="rust",
    family="rust",
    grammar="rust",
    extensions=(".rs",),
    extractor="memd.codegraph.languages.rust.extract",
    rules=RustRules,
    configs=("Cargo.toml",),
)
