"""C."""

from __future__ import annotations

import re
from typing import Final

from memd.codegraph.language import Language
from memd.codegraph.languages.c.rules import CRules

# Words at the beginning of a line that only C++ has: in a header they tell whose it is.
_CPP: Final = re.compile(
    rb"^[ \t]*(?:class[ \t]+\w|namespace\b|template[ \t]*<|(?:public|private|protected)[ \t]*:"
    rb"|using[ \t]+\w|constexpr\b)",
    re.MULTILINE,
)


def _really(source: bytes) -> str | None:
    return "cpp" if _CPP.search(source) else None


LANGUAGE: Final = Language(
    name="c",
    family="c",
    grammar="c",
    extensions=(".c", ".h"),
    extractor="memd.codegraph.languages.c.extract",
    rules=CRules,
    really=_really,
)
