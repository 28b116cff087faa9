"""C."""

from __future__ import annotations

import re
from typing import Final

from memd.codegraph.language import Language
from memd.codegraph.languages.c.rules import CRules

# What only C++ has: in a header it tells whose it is.
_CPP: Final = re.compile(
    rb"^[ \t]*(?:class[ \t]+\w|namespace\b|template[ \t]*<|(?:public|private|protected)[ \t]*:|using[ \t]+\w"
    rb"|constexpr\b|virtual\b|explicit\b|friend\b|~\w+\(|#[ \t]*include[ \t]*<[a-z_]+>)"
    rb"|^[^\"'\n]*?(?:\w::~?\w|\bconst[ \t]+\w+[ \t]*&[ \t]*\w|\bstatic_cast<|\)[ \t]*const[ \t]*[;{]"
    rb"|\)[ \t]*(?:override|noexcept)\b)",
    re.MULTILINE,
)
_COMMENT: Final = re.compile(rb"/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)
_FOR_CPP: Final = re.compile(
    rb"^[ \t]*#[ \t]*if(?:def[ \t]+|[ \t]+defined[ \t(]*)__cplusplus\b(?:.*\n){1,40}?[ \t]*#[ \t]*(?:endif|else|elif)",
    re.MULTILINE,
)
"""What a C header says to a C++ compiler alone."""


def _really(source: bytes) -> str | None:
    if b"__cplusplus" in source:
        source = _FOR_CPP.sub(b"", source)
    return "cpp" if _CPP.search(_COMMENT.sub(b"", source)) else None


LANGUAGE: Final = Language(
    name="c",
    family="c",
    grammar="c",
    extensions=(".c", ".h"),
    extractor="memd.codegraph.languages.c.extract",
    rules=CRules,
    really=_really,
)
