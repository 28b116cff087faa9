"""A cue: patterns of many languages, of which only those are tried that a text's script and words allow.

Most texts are English, in which nothing but the English patterns can mean anything. They are compiled for lower case,
which is several times faster than to ignore case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Final

_CJK: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CYRILLIC: Final = re.compile(r"[\u0400-\u04ff]")
_ENGLISH: Final = re.compile(r"\b(?:the|is|are|was|and|of|to|with|this|that|not|you|it|we)\b")
_REMEMBERED: Final = (
    256  # texts whose lower case and languages are kept at hand; each is asked for by many cues in a row
)


class Cue:
    """What `re.Pattern` offers of `search`, `match` and `split`, for patterns of several languages.

    Latin patterns before the first one with CJK characters are English, those after it of other languages; a pattern
    with CJK characters holds no Latin words. Each is compiled when a text first asks for it.
    """

    def __init__(self, *patterns: str) -> None:
        self._patterns = patterns
        self._first = next((at for at, one in enumerate(patterns) if _CJK.search(one)), len(patterns))

    @cached_property
    def _english(self) -> re.Pattern[str] | None:
        return _compiled(self._patterns[: self._first])

    @cached_property
    def _others(self) -> dict[str, re.Pattern[str] | None]:
        """The other patterns, by the letter under which `_known` tells that a text may match them."""
        rest = self._patterns[self._first :]
        return {
            "c": _compiled([one for one in rest if _CJK.search(one)]),
            "y": _compiled([one for one in rest if _CYRILLIC.search(one)]),
            "l": _compiled([one for one in rest if not _CJK.search(one)]),
        }

    @cached_property
    def _whole(self) -> re.Pattern[str]:
        return re.compile("|".join(self._patterns), re.IGNORECASE)

    def search(self, text: str) -> re.Match[str] | None:
        """Return a match in the lower-cased text, or None."""
        low, others = _known(text)
        found = self._english.search(low) if self._english else None
        if found is None:
            for which in others:
                regex = self._others[which]
                if regex is not None and (found := regex.search(low)) is not None:
                    return found
        return found

    def match(self, text: str) -> re.Match[str] | None:
        """Return a match at the beginning of the lower-cased text, or None."""
        low, others = _known(text)
        found = self._english.match(low) if self._english else None
        if found is None:
            for which in others:
                regex = self._others[which]
                if regex is not None and (found := regex.match(low)) is not None:
                    return found
        return found

    def every(self, text: str) -> Iterator[re.Match[str]]:
        """Yield all matches in the lower-cased text, those of English first."""
        low, others = _known(text)
        for regex in (self._english, *(self._others[which] for which in others)):
            if regex is not None:
                yield from regex.finditer(low)

    def split(self, text: str, maxsplit: int = 0) -> list[str]:
        """Return the text split where any of the patterns matches."""
        return self._whole.split(text, maxsplit=maxsplit)


def _compiled(patterns: tuple[str, ...] | list[str]) -> re.Pattern[str] | None:
    return re.compile("|".join(patterns)) if patterns else None


@lru_cache(maxsize=_REMEMBERED)
def _known(text: str) -> tuple[str, str]:
    """Return a text in lower case, and which other than English patterns may match it."""
    low = text.lower().replace("’", "'")  # of one length, so that places stay
    others = ""
    if not text.isascii():
        others = ("c" if _CJK.search(low) else "") + ("y" if _CYRILLIC.search(low) else "")
    return low, others if _ENGLISH.search(low) else others + "l"
