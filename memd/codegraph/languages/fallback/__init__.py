"""Languages without rules of their own: their symbols are found, their references are not followed."""

from __future__ import annotations

from typing import Final

from memd.codegraph.language import Language
from memd.codegraph.languages.fallback.rules import FallbackRules

_EXTENSIONS: Final = {
    "ruby": (".rb", ".rake"),
    "php": (".php",),
    "csharp": (".cs",),
    "kotlin": (".kt", ".kts"),
    "swift": (".swift",),
    "scala": (".scala", ".sc"),
    "lua": (".lua",),
    "bash": (".sh", ".bash"),
    "dart": (".dart",),
    "julia": (".jl",),
    "elm": (".elm",),
    "solidity": (".sol",),
    "objc": (".m", ".mm"),
    "groovy": (".groovy", ".gradle"),
    "powershell": (".ps1", ".psm1"),
    "zig": (".zig",),
}
"""By the name of the grammar. What is named in a way that these grammars' node types tell is a symbol."""

LANGUAGES: Final = tuple(
    Language(
        name=grammar,
        family="fallback",
        grammar=grammar,
        extensions=extensions,
        extractor="memd.codegraph.languages.fallback.extract",
        rules=FallbackRules,
    )
    for grammar, extensions in _EXTENSIONS.items()
)
