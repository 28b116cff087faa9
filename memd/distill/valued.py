"""Valued: what a statement gives to what, where it says so in one clause ("the alarm threshold goes back to 1500 g").

Two statements about exactly the same thing that give it different values cannot both hold. That they are about the same
thing is plain with figures of one unit; with names one of them has to say that it was otherwise before (back to, after
all, now), because "logs go to stdout" and "logs go to a file" may well be said of both at once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memd.text.tokens import terms

_FEWEST: Final = 2  # terms of a subject that tell it from others
_CLAUSES: Final = 3
_MOST: Final = 160  # characters of a clause that says one thing
_CLAUSE: Final = re.compile(r"[,;!?](?:\s|$)|\.(?:\s|$)|[，。；！？\n]|\s[-–—]\s")
TURNS: Final = re.compile(
    r"\b(?:back to|back at|after all|(?:is|are) now|changed (?:my|our) minds?)\b"
    r"|(?<!right )(?<!for )(?<!until )(?<!by )\bnow(?=\s*(?:$|[,.;:!)]))"
    r"|改回|换回|調回|调回|还是(?:用|走|存|放|设)|還是(?:用|走|存|放|設)|改用|改成|改为|改為|换成|換成|换到",
    re.IGNORECASE,
)
# What is done to a thing that has a value already.
_CHANGES: Final = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|no|actually|please|and|so|then|let'?s|we(?:'ll| should| must)?|now|better)\W+)*"
    r"(?:make|raise|lower|reduce|increase|decrease|bump|change|shorten|lengthen|widen|narrow|double|halve)\s+"
    r"(?:the|our|that|this)\s"
    r"|^\W*(?:(?:no|actually|wait)\W+)+set\s+(?:the|our)\s"
    r"|(?:调|提|降|升|缩|改|增|减)(?:高|大|小|低|短|长|到|为|成|至)",
    re.IGNORECASE,
)
_DOES: Final = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|no(?=[,.;!])|actually|please|wait|better)\b\W*)*"
    r"(?:increase|decrease|bump|change|shorten|lengthen|widen|narrow|double|halve)?\b",
    re.IGNORECASE,
)
# What is not taken, and why, says nothing of what a value is given to.
_ASIDE: Final = re.compile(
    r"\s+(?:instead of|rather than)\s.*?(?=\s+(?:for|in|on)\s|[:：]\s|$)|\s+(?:because|since|so that)\s.*$",
    re.IGNORECASE,
)
_SET_OFF: Final = re.compile(r"[:：]\s|：")
_FIGURE: Final = re.compile(r"(?<![\w.])(\d+(?:[.,]\d+)*)\s?(%|°[CF]?|[a-zµA-Z]{1,8}\b|[个秒分小天克米次]+)?")
_UNITS: Final[dict[str, str]] = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds", "秒"), "s"),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes", "分", "分钟"), "min"),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours", "小时"), "h"),
    **dict.fromkeys(("d", "day", "days", "天"), "d"),
    **{unit: unit for unit in "ms g kg mg km cm mm b kb mb gb tb mib gib px % ° °c °f v w hz khz mhz".split()},
    **dict.fromkeys(("meter", "meters", "metres", "米"), "metre"),
    **dict.fromkeys(("gram", "grams", "克"), "g"),
}
_MOST_OF: Final = re.compile(r"\b(?:at most|max(?:imum|imal)?|no more than|up to)\b|最多|上限", re.IGNORECASE)
_LEAST_OF: Final = re.compile(r"\b(?:at least|min(?:imum|imal)?|no less than)\b|最少|至少|下限", re.IGNORECASE)
_FRAME: Final = re.compile(
    r"\b(?:set|make|put|raise|lower|reduce|should|must|shall|has to|have to|needs? to|want|be|is|are|was|goes?|going"
    r"|back|to|at|after all|now|again|of|the|a|an|from now on|always|please|ok(?:ay)?|then|only|instead|let'?s|use"
    r"|using|by default|default|changed (?:my|our) minds?|keep|i|we|it|all|every|our|my|at most|at least"
    r"|no (?:more|less) than|up to|max(?:imum)?|min(?:imum)?)\b"
    r"|^\s*[把将]|改回|换回|调回|还是|设为|设成|定为|改为|改成|改用|换成|换到|应该|必须|一律|统一|都|用|是|吧|了"
    r"|[调提降升缩增减](?:高|大|小|低|短|长|到|为|成|至)+",
    re.IGNORECASE,
)
_WORD: Final = r"[^\s,;:!?，。；：！？]+"
_TAIL: Final = r"(?:\s+(?:now|again|after all|instead|only|always|everywhere|from now on|please))*\W*$"
_NAMED: Final = (
    re.compile(
        r"^\W*(?:we|i|you)?\s*(?:(?:always|must|should|now|please)\s+)*"
        r"(?:store|keep|save|write|send|log|measure|serve|deploy|run|cache|put|render|show|draw|publish|host)\s+"
        rf"(?:(?:the|our|all|every|my)\s+)*(?P<s>{_WORD}(?:\s+{_WORD}){{0,2}}?)\s+(?:back\s+)?"
        rf"(?:in|as|with|on|over|via|to|at|through)\s+(?:a|an|the|plain)?\s*(?P<v>`[^`]+`|{_WORD}(?:\s+{_WORD})?){_TAIL}",
        re.IGNORECASE,
    ),
    re.compile(
        r"^\W*(?:(?:ok|then|please|let'?s|we|always|so|and|just|now)\s+)*"
        r"(?:(?:use|using|keep|take|go with|back to|have)\s+)"
        rf"(?:a|an|the|plain)?\s*(?P<v>`[^`]+`|{_WORD}(?:\s+{_WORD})?)\s+(?:for|as)\s+(?:(?:the|our|all|every|my)\s+)*"
        rf"(?P<s>{_WORD}(?:\s+{_WORD}){{0,2}}?){_TAIL}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^\W*(?:(?:the|our|all|every|my|ok|and|so|but)\s+)*(?P<s>{_WORD}(?:\s+{_WORD}){{0,2}}?)\s+"
        r"(?:(?:should|must|shall|has to|have to|needs? to|will)\s+)?"
        r"(?:(?:be|is|are|go|goes|lives?|runs?|stays?|uses?|(?:\w{2,}ed|kept|sent|put|built|written|stored))\s+)*"
        r"(?:back\s+)?(?:(?:in|on|to|over|via|with|as|by|through|into|at|using)\s+)?(?:a|an|the|plain)?\s*"
        rf"(?P<v>`[^`]+`|{_WORD}(?:\s+{_WORD})?){_TAIL}",
        re.IGNORECASE,
    ),
)
_ZH: Final = re.compile(
    r"^\W*(?P<s>[\u3400-\u9fffA-Za-z]{1,10}?)\s*(?:应该|全部|一律|统一|还是|都|就|要)*"
    r"(?:使用|用|走|存为|存成|存|设为|设成|定为|改为|改成|改用|改回|换成|换回|换到|调回|放在|放到|放)\s*"
    r"(?P<v>[^，。；：！？]{1,16}?)(?:发送|里面|里|存储|吧|了)*\W*$"
)
_ZH_FOR: Final = re.compile(
    r"^\W*(?:还是)?用\s*(?P<v>[^，。；：！？]{1,16}?)\s*(?:做|当|作为|来做)\s*(?P<s>[\u3400-\u9fffA-Za-z]{1,10}?)(?:吧|了)*\W*$"
)
_CJK: Final = re.compile(r"[\u3400-\u9fff]")
_BLANK: Final = re.compile(r"[\s的:：]+")
_MIN_PLURAL: Final = 3
_OF_NO_USE: Final = frozenset("it this that they them there what which who 它 这 那 我 我们 你 今天 现在".split())


@dataclass(frozen=True, slots=True)
class Valued:
    """What is given to what."""

    subject: frozenset[str]
    value: frozenset[str]
    unit: str
    """The unit of a figure, "" for one without; "name" for what is no figure."""
    turns: bool
    """Whether it says that it was otherwise before."""


def valued(text: str) -> Valued | None:
    """Return what a text gives to what, None where it does not say so in one of its first clauses."""
    turns = TURNS.search(text) is not None
    for clause in [one for one in _CLAUSE.split(text) if one.strip()][:_CLAUSES]:
        if len(clause) <= _MOST and (found := _figure(clause, turns) or _named(clause, turns)) is not None:
            return found
    return None


def takes(text: str) -> bool:
    """Return whether a text, all of it, is a choice in its plainest form: use this for that."""
    said = text.strip().rstrip(".。!！")
    return any(pattern.match(said) is not None for pattern in (*_NAMED[:2], _ZH_FOR, _ZH))


def measures(text: str) -> bool:
    """Return whether a text gives a measure, a figure with its unit, and names what it is of."""
    units = [figure for figure in _FIGURE.finditer(text) if (figure[2] or "").casefold() in _UNITS]
    return bool(units) and bool(_subject(_FRAME.sub(" ", _FIGURE.sub(" ", text))))


def at_odds(one: Valued | None, other: Valued | None) -> bool:
    """Return whether two statements give different values to the same thing, and no more than one can be meant."""
    if one is None or other is None or one.subject != other.subject or one.unit != other.unit:
        return False
    if one.value <= other.value or other.value <= one.value:
        return False
    if one.unit == "name":
        return one.turns or other.turns
    return len(one.subject) >= _FEWEST or one.turns or other.turns or any(map(_CJK.search, one.subject))


def subject_term(one: Valued) -> str:
    """Return the term by which statements about the same thing are found."""
    return "&" + " ".join(sorted(one.subject))


def _figure(clause: str, turns: bool) -> Valued | None:
    """Return what a clause gives a figure to, where it has one; what a colon sets off may explain that."""
    clause = _ASIDE.sub("", clause)
    opening = _SET_OFF.split(clause, maxsplit=1)[0]
    own = None if opening == clause else _one_figure(opening, turns)
    return own or _one_figure(clause, turns)


# "the keeper of pier 12": which pier it is, and nothing that is given to one.
_NAME_WITH_FIGURE: Final = re.compile(
    r"\bof (?:the )?(?!(?:size|length|width|height|depth|about|around|least|most|up)\b)[A-Za-z]+ $"
)


def _one_figure(clause: str, turns: bool) -> Valued | None:
    figures = list(_FIGURE.finditer(clause))
    if len(figures) != 1:
        return None
    figure = figures[0]
    if _NAME_WITH_FIGURE.search(clause[: figure.start()]):
        return None
    unit = _UNITS.get((figure[2] or "").casefold(), "")
    rest = clause[: figure.start()] + " " + clause[figure.end() if unit else figure.end(1) :]
    bound = {mark for mark, cue in (("<=", _MOST_OF), (">=", _LEAST_OF)) if cue.search(clause)}
    subject = _subject(_FRAME.sub(" ", _DOES.sub(" ", rest)))
    turns = turns or _CHANGES.search(clause) is not None
    return Valued(subject | bound, frozenset((figure[1],)), unit, turns) if subject else None


def _named(clause: str, turns: bool) -> Valued | None:
    for pattern in (_ZH_FOR, _ZH, *_NAMED):
        if (match := pattern.match(clause)) is not None:
            subject, value = _subject(match["s"]), frozenset(terms(match["v"]))
            if subject and value and not subject & value:
                return Valued(subject, value, "name", turns)
    return None


def _subject(words: str) -> frozenset[str]:
    if _CJK.search(words):
        # Pairs of characters would differ with what stands beside the name.
        name = "".join(_BLANK.sub("", words).casefold().split())
        return frozenset((name,)) if len(name) > 1 and name not in _OF_NO_USE else frozenset()
    found = (term for term in terms(words) if term not in _OF_NO_USE)
    return frozenset(term.removesuffix("s") if len(term) > _MIN_PLURAL else term for term in found)
