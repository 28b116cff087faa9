"""Phrasing: the words by which somebody asks and says when, which are not what he asks for.

"Can you remind me what we decided about the retries two weeks ago" is about deciding and retries. The other words stand
in sessions about anything, and where few sessions are asked they are even rare.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from memd.recall.dates import When
from memd.text.tokens import Group, asked_for

_ASKING: Final = re.compile(
    r"""
    \b(?:
        (?:can|could|would|will)\ you\ (?:please\ )?
            (?:suggest|recommend|remind\ me|tell\ me|help\ me|give\ me|show\ me|explain|find|look\ up|check)
        |(?:please\ )?(?:remind|tell)\ me|please\ (?:give|show)\ me
        |do\ you\ (?:remember|recall|know|have\ any)
        |i\ (?:do\ not|don['’]t|can['’]t|cannot)\ (?:remember|recall)
        |(?:i|we)\ (?:had\ |have\ )?(?:previously\ |already\ |once\ |just\ )?
            (?:mentioned|told\ you|talked\ about|talked|discussed|spoke\ about|chatted\ about|said|asked|remember)
        |did\ (?:i|we)\ (?:mention|tell\ you|talk\ about|discuss|say|ask)
        |i(?:\ was|['’]m|\ am|['’]ve\ been)?\ (?:just\ )?
            (?:wondering|thinking\ (?:of|about)|looking\ (?:for|back\ at)|planning\ to|trying\ to)
        |(?:(?:in|from|during)\ )?(?:our|my|a|the|one\ of\ our)\ (?:previous|last|earlier|past|prior)
            \ (?:conversations?|chats?|discussions?|sessions?)
        |(?:any|some|a\ few)\ (?:advice|tips|suggestions?|recommendations?|ideas|thoughts)
    )\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ASKING_CHINESE: Final = re.compile(
    r"(?:你)?(?:能不能|能否|可以|可不可以|能)?(?:帮我|给我|告诉我|提醒我|推荐一下|建议一下)(?:一下)?"
    r"|(?:你)?还?记得|(?:我|我们|咱们)(?:之前|上次|以前|曾经)?(?:提到|说过|聊过|聊到|讨论过|讨论|谈到|谈过|问过)(?:的|过)?"
    r"|(?:之前|上次|以前)的(?:对话|聊天|会话|讨论)|有(?:没有)?(?:什么|哪些)(?:建议|推荐|想法|意见)"
)
_EXACT: Final = re.compile(
    r"\d[-/.年月]\d|\d\s*[月日号]|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)", re.IGNORECASE
)
"""A day by its date; that may stand in a text, while nobody writes "two weeks ago" of it."""
_QUOTED: Final = re.compile(r'["“„][^"“”„]{1,400}["”]')


_DOING: Final = re.compile(
    r"\b(?:what (?:did|have|has|had) (?:we|i|you)(?: been)?(?: (?:do|done|doing|work(?:ed)?|working|change[ds]?"
    r"|fix(?:ed)?|talk(?:ed)? about|happen(?:ed)?))?|what (?:happened|changed)|worked on|work|sessions?|everything"
    r"|anything|things?|qu[eé] hicimos|was haben wir (?:gemacht|getan)|qu'avons-nous fait)\b"
    r"|(?:我们)?(?:都)?(?:做|干|改|弄|聊)(?:了|过)?(?:什么|啥|哪些)|发生了什么|的?(?:工作|会话)",
    re.IGNORECASE,
)
"""How somebody asks for whatever was done."""


def asks_only_when(query: str, times: Sequence[When]) -> bool:
    """Return whether a query names a time and nothing that it asks for of it: "what did we do last week"."""
    if not times or _QUOTED.search(query):
        return False
    left = query
    for one in times:
        left = left.replace(one.said, " ")
    left = _DOING.sub(" ", _ASKING_CHINESE.sub(" ", _ASKING.sub(" ", left)))
    return all(group.weak for group in asked_for(left))


def matter(query: str, times: Sequence[When]) -> tuple[str, tuple[Group, ...]]:
    """Return what a query is about, without phrases of asking and without the days it means, and what that asks for.

    Never nothing.

    What stands in double quotes stays as it is.
    """
    said = [when.said for when in times if not _EXACT.search(when.said)]
    pieces, end = [], 0
    for quoted in _QUOTED.finditer(query):
        pieces += [_bare(query[end : quoted.start()], said), quoted.group()]
        end = quoted.end()
    left = "".join([*pieces, _bare(query[end:], said)])
    asked = asked_for(left)
    return (left, asked) if any(not group.weak for group in asked) else (query, asked_for(query))


def _bare(text: str, said: Sequence[str]) -> str:
    for one in said:
        text = text.replace(one, " ")
    return _ASKING_CHINESE.sub(" ", _ASKING.sub(" ", text))
