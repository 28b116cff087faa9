"""A cue: patterns of many languages, of which only those are tried that a text's script and words allow.

Most texts are English, in which nothing but the English patterns can mean anything. They are compiled for lower case,
which is several times faster than to ignore case.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_CJK: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CYRILLIC: Final = re.compile(r"[\u0400-\u04ff]")
_ENGLISH: Final = re.compile(r"\b(?:the|is|are|was|and|of|to|with|this|that|not|you|it|we)\b")
_REMEMBERED: Final = (
    256  # texts whose lower case and languages are kept at hand; each is asked for by many cues in a row
)


class Cue:
    """What `re.Pattern` offers of `search`, `match` and `split`, for patterns of several languages.

    Latin patterns before the first one with CJK characters are English, those after it of other languages.
    """

    __slots__ = ("_cjk", "_cyrillic", "_english", "_latin", "_whole")

    def __init__(self, *patterns: str) -> None:
        first = next((at for at, one in enumerate(patterns) if _CJK.search(one)), len(patterns))
        self._english = _compiled(patterns[:first])
        rest = patterns[first:]
        self._cjk = _compiled([one for one in rest if _CJK.search(one)])
        self._cyrillic = _compiled([one for one in rest if _CYRILLIC.search(one)])
        self._latin = _compiled([one for one in rest if not _CJK.search(one)])
        self._whole = re.compile("|".join(patterns), re.IGNORECASE)

    def search(self, text: str) -> re.Match[str] | None:
        """Return a match in the lower-cased text, or None."""
        low, others = _known(text)
        found = self._english.search(low) if self._english else None
        if found is None and others:
            for which, regex in (("c", self._cjk), ("y", self._cyrillic), ("l", self._latin)):
                if which in others and regex is not None and (found := regex.search(low)) is not None:
                    return found
        return found

    def match(self, text: str) -> re.Match[str] | None:
        """Return a match at the beginning of the lower-cased text, or None."""
        low, others = _known(text)
        found = self._english.match(low) if self._english else None
        if found is None and others:
            for which, regex in (("c", self._cjk), ("y", self._cyrillic), ("l", self._latin)):
                if which in others and regex is not None and (found := regex.match(low)) is not None:
                    return found
        return found

    def split(self, text: str, maxsplit: int = 0) -> list[str]:
        """Return the text split where any of the patterns matches."""
        return self._whole.split(text, maxsplit=maxsplit)


def _compiled(patterns: tuple[str, ...] | list[str]) -> re.Pattern[str] | None:
    return re.compile("|".join(patterns)) if patterns else None


@lru_cache(maxsize=_REMEMBERED)
def _known(text: str) -> tuple[str, str]:
    """Return a text in lower case, and which other than English patterns may match it."""
    low = text.lower()
    others = "" if _ENGLISH.search(low) else "l"
    if not text.isascii():
        others += ("c" if _CJK.search(low) else "") + ("y" if _CYRILLIC.search(low) else "")
    return low, others
