"""Structure: what a text that somebody hands to memd is made of. Pure.

A body under the headings What, Why, Where, Learned (plain, bold or as Markdown headings, English or Chinese) is taken
apart; the prose stays whole. A list under "Key Learnings" gives its items.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

from memd.model import FactPart, PartName

_NAMES: Final[dict[str, PartName]] = {
    **dict.fromkeys(("what", "是什么", "什么", "做了什么", "内容"), "what"),
    **dict.fromkeys(("why", "为什么", "原因", "为何"), "why"),
    **dict.fromkeys(("where", "在哪里", "哪里", "位置", "何处", "地点"), "where"),
    **dict.fromkeys(("learned", "learnt", "learnings", "学到", "学到的", "学到了什么", "收获", "经验"), "learned"),
}
_WORDS: Final = "|".join(sorted(map(re.escape, _NAMES), key=len, reverse=True))
_HEADING: Final = re.compile(
    rf"^[ \t]*(?:#{{1,6}}[ \t]*|[-*+][ \t]+)?(?:\*\*|__)?[ \t]*({_WORDS})[ \t]*(?:\*\*|__)?[ \t]*"
    rf"(?:[:：][ \t]*(?:\*\*|__)?|$)[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_LEARNINGS: Final = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]*|\*\*)(?:key learnings?|learnings?|aprendizajes clave|aprendizajes|关键收获|关键经验"
    r"|学习要点|主要收获|经验总结)[ \t]*[:：]?(?:\*\*)?[ \t]*[:：]?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_ITEM: Final = re.compile(r"^[ \t]*(?:[-*+•]|\d+[.)、])[ \t]*(.+)$")
_ANY_HEADING: Final = re.compile(r"^[ \t]*#{1,6}[ \t]")
_SENTENCE_END: Final = re.compile(r"[.!?。！？]\s|[。！？]|\n")
_MAX_TITLE: Final = 80
_MAX_TOPIC: Final = 100
_SLUG: Final = re.compile(r"[^\w]+")


def parts_of(text: str) -> tuple[FactPart, ...]:
    """Return what a text says under the headings What, Why, Where and Learned; nothing unless it has two of them."""
    found = list(_HEADING.finditer(text))
    if len({_NAMES[match[1].lower()] for match in found}) < 2:
        return ()
    parts = []
    for at, match in enumerate(found):
        end = found[at + 1].start() if at + 1 < len(found) else len(text)
        said = text[match.end() : end].strip()
        if said:
            parts.append(FactPart(_NAMES[match[1].lower()], said))
    return tuple(parts)


def learnings_of(text: str) -> tuple[str, ...] | None:
    """Return the items listed under a heading such as "Key Learnings"; None for a text without one."""
    headings = list(_LEARNINGS.finditer(text))
    if not headings:
        return None
    items: list[str] = []
    for heading in headings:
        for line in text[heading.end() :].splitlines():
            item = _ITEM.match(line)
            if item:
                items.append(item[1].strip())
            elif _ANY_HEADING.match(line):
                break
            elif line.strip() and items and line[:1] in " \t":
                items[-1] += " " + line.strip()
            elif line.strip() and items:
                break
    return tuple(items)


def title_of(text: str) -> str:
    """Return the first sentence of a text as its title, at most 80 characters."""
    plain = re.sub(r"^[#>*\-+\s]+|\*\*", "", text.strip())
    end = _SENTENCE_END.search(plain)
    first = plain[: end.start()].strip() if end else plain
    first = " ".join((first or plain).split())
    return first if len(first) <= _MAX_TITLE else first[: _MAX_TITLE - 1].rstrip() + "…"


def topic_key(kind: str, title: str) -> str:
    """Return a key for a topic: `kind/words-of-the-title`, at most 100 characters, the same for the same words.

    Words of any script stay as they are; a title without a letter or digit gets a digest.
    """
    slug = _SLUG.sub("-", title.casefold().replace("_", "-")).strip("-")
    if not slug:
        slug = hashlib.blake2b(title.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
    key = f"{kind}/{slug}"
    if len(key) <= _MAX_TOPIC:
        return key
    mark = hashlib.blake2b(slug.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{key[: _MAX_TOPIC - 9].rstrip('-')}-{mark}"
