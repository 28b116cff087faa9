"""Values: which kind of value a question asks for, and which kinds a text holds.

"Which font do we use?" and "set body text in Source Serif" share no word, nor do 多少克？ and "alarm below 350 g"; but
one asks for a kind of value which the other has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

# Without bounds, a text of nothing but digits would be gone through once from each of them.
_NUMBER: Final = (
    r"(?:\d{1,12}(?:[.,]\d{1,12})?|[一二两三四五六七八九十百半]{1,12}"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten))"
)
_SPAN: Final = (
    rf"{_NUMBER}\s*-?(?:ms|s|secs?|seconds?|mins?|minutes?|h|hours?|days?|weeks?|months?|years?)\b"
    rf"|{_NUMBER}\s*(?:毫秒|秒|分钟|小时|天|周|个月|年)"
)
_DAYS: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"


@dataclass(frozen=True, slots=True)
class _Kind:
    """How a kind of value is asked for, and what it looks like."""

    asked: re.Pattern[str]
    held: re.Pattern[str]


def _kind(asked: str, held: str, *, cased: bool = False) -> _Kind:
    return _Kind(re.compile(asked, re.IGNORECASE), re.compile(held, 0 if cased else re.IGNORECASE))


_KINDS: Final[Mapping[str, _Kind]] = MappingProxyType(
    {
        "font": _kind(
            r"\b(?:fonts?|typefaces?|fuente|tipograf[ií]a|police|schriftart)\b|字体|フォント",
            r"\b(?:fonts?|typefaces?|serif|sans|grotesk|helvetica|arial|roboto|garamond|georgia|verdana|courier)\b"
            r"|宋体|黑体|楷体|字体|明朝|ゴシック|フォント",
        ),
        "colour": _kind(
            r"\b(?:colou?rs?|hex (?:code|value)s?|shade|couleur|farbe)\b|颜色|什么色|何色",
            r"#(?:[0-9a-f]{3}){1,2}\b|\b(?:rgba?|hsla?|oklch)\(|(?<!\w)[红黄蓝绿黑白灰紫橙]色",
        ),
        "port": _kind(
            r"\b(?:ports?|puertos?|porta|порту?)\b|端口|ポート",
            r"\b(?:ports?|listens?|puerto|escucha|porta|порт)\b.{0,40}\d{2,5}|(?<=:)\d{4,5}\b"
            r"|端口.{0,12}\d{2,5}|监听.{0,6}\d{2,5}"
            r"|\b(?:on|en|auf|sur|na) (?:el |dem |le |port )?(?!(?:19|20)\d\d\b)\d{4,5}\b",
        ),
        "weight": _kind(
            r"\bhow heavy\b|\b(?:grams?|kilos?|kilograms?|weighs?|weight)\b|[几少](?:克|公斤|吨)|公斤|多重|重量",
            rf"{_NUMBER}\s*(?:mg|g|kg|t|grams?|kilos?|tons?|tonnes?)\b|{_NUMBER}\s*(?:毫克|千克|公斤|克|吨)",
        ),
        "size": _kind(
            r"\bhow (?:large|big)\b|\b(?:size|megabytes?|gigabytes?)\b|多大|容量|几兆",
            rf"{_NUMBER}\s*(?:[kmgt]i?b|bytes?|pixels?|px|rows?|lines?)\b|{_NUMBER}\s*(?:兆|行|条)",
        ),
        "span": _kind(
            r"\bhow (?:long|often|fast|quickly|late|old)\b"
            r"|\bhow many (?:(?:milli)?seconds|minutes|hours|days|weeks|months|years)\b"
            r"|\b(?:intervals?|timeouts?|time limit|latency|deadline|retention)\b"
            r"|\b(?:cu[aá]nto (?:tarda|dura)|cada cu[aá]nto|combien de temps|wie (?:lange|oft)|quanto tempo)\b"
            r"|多久|多长时间|几(?:毫秒|秒|分钟|小时|天|周|个月|年)|间隔|超时|每隔",
            _SPAN,
        ),
        "count": _kind(
            r"\bhow (?:many|much)\b|\b(?:percent|percentage|limit|threshold|maximum|minimum|at most|at least"
            r"|cu[aá]nt[oa]s|combien|wie viele?|quant[oai]s|сколько)\b"
            r"|多少|几[个次条台行]|最多|最少|阈值|上限|下限|次数",
            _NUMBER,
        ),
        "person": _kind(
            r"^\W*(?:whom?|qui[eé]n(?:es)?|wer|quem|кто)\b|\bwho(?:m|se)?\b.{0,40}\?|\bwhose\b|谁|哪位|誰",
            r"\b(?:ask|contact|ping|tell|owners?|owned by|belongs to|by|to|from|with)\s+(?!I\b)[A-Z][a-z]+\b"
            r"|\b[A-Z][a-z]+ (?:owns?|reviews?|approves?|decides?|maintains?|knows?|has to|is the only)\b"
            r"|[找问归]\s?[\u4e00-\u9fff]{2,3}|联系|负责|老[\u4e00-\u9fff]",
            cased=True,
        ),
        "version": _kind(r"\bversions?\b|版本|バージョン", r"\bv?\d+\.\d+|\b[A-Z]\w+ \d{1,2}\b", cased=True),
        "day": _kind(
            r"^\W*when\b|\bwhat time\b|\b(?:which|what) (?:day|weekday|date)\b"
            r"|^\W*(?:cu[aá]ndo|wann|quand|quando|когда)\b|几点|什么时候|哪天|周几|星期几|いつ",
            rf"\b{_DAYS}\b|\b\d{{1,2}}(?::\d\d)?\s?(?:am|pm)\b|\b\d{{1,2}}:\d\d\b|周[一二三四五六日]|星期[一二三四五六日]|\d{{1,2}}\s?点",
        ),
    }
)  # fmt: skip

_MOST_CHARS: Final = 20_000

VAGUE: Final = frozenset({"count"})
"""Kinds that many texts hold whatever they are about."""
TELLING: Final = frozenset({"font", "colour", "port"})
"""Kinds that hardly a text holds unless it is about them."""


_QUESTION: Final = re.compile(
    r"[?？]\s*$"
    r"|^\W*(?:(?:en|a|de|para|con|por|em|auf|in|an) )?(?:qu[eé]|cu[aá]l|d[oó]nde|cu[aá]nd|cu[aá]nt|qui[eé]n|qual|onde"
    r"|quem|quand|combien|quel|o[uù]\b|wo\b|wer\b|wann|wie\b|welche|сколько|где|кто|когда|как)"
    r"|^\W*(?:(?:at|on|in|to|from|by|after|for|with) )?(?:what|which|who|whose|whom|when|how)\b"
    r"|多少|多久|多大|多重|谁|哪|几(?:个|次|条|台|秒|分|小时|天|点|克)|什么",
    re.IGNORECASE,
)
_OF_NOW: Final = re.compile(
    r"\b(?:right now|at the moment|currently|installed|by default|the last (?:commit|run|build|test))\b"
    r"|\bhow (?:many|much|long|large|big)\b.{0,20}\b(?:lines?|files?|tests?|functions?|class(?:es)?|commits|methods?)\b"
    r"|\b(?:longest|largest|biggest|smallest|newest|latest)\b"
    r"|\b(?:in|does) an? (?:bit|byte|[kmg]i?b|(?:kilo|mega|giga)byte|mile|pound|lit(?:re|er)|gallon|inch|foot)\b"
    r"|\bdifferences? between (?:an? |the )?\w+ and an? "
    r"|等于多少|是多少(?:磅|斤|英里|字节)"
    r"|(?:目前|现在|这个仓库).{0,12}(?:多少|几)|多少(?:个|行)?(?:文件|代码|测试|函数)",
    re.IGNORECASE,
)
"""What the code, the machine or a table of units tells better than anybody's memory."""


def asked_values(question: str) -> frozenset[str]:
    """Return the kinds of value that a question asks for, none for most prompts and for what can be counted here."""
    if not _QUESTION.search(question) or asks_of_now(question):
        return frozenset()
    return frozenset(name for name, kind in _KINDS.items() if kind.asked.search(question))


def held_values(text: str) -> frozenset[str]:
    """Return the kinds of value that a text holds, of a very long one its beginning."""
    text = text[:_MOST_CHARS]
    return frozenset(name for name, kind in _KINDS.items() if kind.held.search(text))


def asks_of_now(question: str) -> bool:
    """Return whether a question is about what is so at this moment, can be counted in the code at hand, or is the same
    everywhere.
    """
    return _OF_NOW.search(question) is not None
