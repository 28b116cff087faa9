"""Barred: what a statement says not to use, by name: "never npm", "use exiftool and not Pillow", 不要用 pip."""

from __future__ import annotations

import re
from typing import Final

from memd.text.everyday import EVERYDAY, GRAMMAR
from memd.text.stopwords import STOP_WORDS

_MOST_CHARS: Final = 2_000
_NAME: Final = r"`?([A-Za-z][\w.@/+-]{1,40})`?(?:(?<!\.) (?P<more>(?-i:[a-z][a-z-]{2,30}))\b)?"
_USE: Final = r"(?:(?:use|uses|using|run|call|add|install|plain|bare|raw|usar|uses|utiliser|mit|использу\w+)\s+)"
# What follows these is a thing.
_THING: Final = re.compile(
    rf"(?:\b(?:no|instead of|rather than|avoid|without|en vez de|en lugar de|em vez de|statt|keine?|kein|pas de"
    rf"|au lieu de|invece di|вместо)\s+{_USE}{{0,2}}"
    rf"|\b(?:never|not|don'?t|do not|nunca|jam[aá]s|nicht|nie|niemals|jamais|pas|mai|не)\s+{_USE}{{1,2}}"
    rf"|(?:不要|不许|不准|禁止|别|不|而不是|勿)(?:再)?(?:使用|用|上|引入|跑)?\s*){_NAME}",
    re.IGNORECASE,
)
# What follows these may be something to be done: then it goes on, and it is no name.
_PERHAPS: Final = re.compile(
    rf"\b(?:never|not|don'?t|nunca|jam[aá]s|nicht|nie|niemals|jamais|pas|mai|не)\s+{_NAME}"
    r"(?=(?P<end>\s*(?:$|[.,;:!?)，。；、]|(?:or|nor|and|o|oder|ou|ni|y|e|или)\b))?)",
    re.IGNORECASE | re.MULTILINE,
)
_NAMED: Final = re.compile(r"[A-Z0-9_@/+]|\w[.-]\w")


def barred(text: str) -> frozenset[str]:
    """Return the names, in lower case, that a statement rules out, those of two words as such; words that are no names
    may be among them.
    """
    text = text[:_MOST_CHARS]
    found = [_name(match) for match in _THING.finditer(text)]
    found += [_name(match) for match in _PERHAPS.finditer(text) if match["end"] is not None or _NAMED.search(match[1])]
    return frozenset(filter(None, found))


def _name(match: re.Match[str]) -> str:
    """Return a name with the word that goes on with it: "trailing period", and not "Redis here"; "" for none."""
    name, more = match[1].rstrip(".").lower(), match["more"]
    if name in _PLAIN:
        return ""
    return f"{name} {more}" if more and more not in _PLAIN else name


_PLAIN: Final = (
    STOP_WORDS | EVERYDAY | GRAMMAR | frozenset("anywhere everywhere elsewhere ever code plain bare raw".split())
)
"""What names nothing, and goes on with no name."""
