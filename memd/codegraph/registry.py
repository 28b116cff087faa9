"""The languages there are, in one expression."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Final

from memd.codegraph.language import Language
from memd.codegraph.languages import c, cpp, fallback, go, java, javascript, python, rust, tsx, typescript

LANGUAGES: Final[Mapping[str, Language]] = {
    language.name: language
    for language in (
        *(one.LANGUAGE for one in (c, cpp, go, java, javascript, python, rust, tsx, typescript)),
        *fallback.LANGUAGES,
    )
}
BY_EXTENSION: Final[Mapping[str, Language]] = {
    extension: language for language in LANGUAGES.values() for extension in language.extensions
}
RULES: Final = {language.family: language.rules for language in LANGUAGES.values()}
"""The rules of a family, whatever file comes first: those of its last language, which know of the others (C++ of C)."""
CONFIGS: Final = frozenset(name for language in LANGUAGES.values() for name in language.configs)
_PATTERNS: Final = tuple(name for name in CONFIGS if "*" in name)


def is_config(name: str) -> bool:
    """Tell whether a file of this name is read by the module system of a language."""
    return name in CONFIGS or any(fnmatchcase(name, pattern) for pattern in _PATTERNS)


def language_of(path: str) -> Language | None:
    """Return the language of a file by its name, None where there is none for it."""
    name = path.rpartition("/")[2]
    return BY_EXTENSION.get(f".{name.rpartition('.')[2].lower()}") if "." in name else None


def language_in(path: str, source: bytes) -> Language | None:
    """Return the language of a file by its name and content."""
    language = language_of(path)
    if language is not None and language.really is not None:
        name = language.really(source)
        return LANGUAGES[name] if name is not None else language
    return language
