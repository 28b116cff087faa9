"""The languages there are, in one expression."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from memd.codegraph.language import Language
from memd.codegraph.languages import c, cpp, go, java, python, rust

LANGUAGES: Final[Mapping[str, Language]] = {one.LANGUAGE.name: one.LANGUAGE for one in (c, cpp, go, java, python, rust)}
BY_EXTENSION: Final[Mapping[str, Language]] = {
    extension: language for language in LANGUAGES.values() for extension in language.extensions
}
CONFIGS: Final = frozenset(name for language in LANGUAGES.values() for name in language.configs)


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
