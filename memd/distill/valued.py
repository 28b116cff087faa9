"""Valued: what a statement gives to what, where it says so in one clause ("the alarm threshold goes back to 1500 g").

Two statements about exactly the same thing that give it different values cannot both hold. That they are about the same
thing is plain with figures of one unit; with names one of them has to say that it was otherwise before (back to, after
all, now), because "logs go to stdout" and "logs go to a file" may well be said of both at once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from memd.distill import cues
from memd.text.tokens import terms

_FEWEST: Final = 2  # terms of a subject that tell it from others
_CLAUSES: Final = 3
_MOST: Final = 160  # characters of a clause that says one thing
_CLAUSE: Final = re.compile(r"[,;!?](?:\s|$)|(?<=[\u3400-\u9fff])[,;]|\.(?:\s|$)|[，。；！？\n]|\s[-–—]\s")
TURNS: Final = re.compile(
    r"\b(?:back to|back at|after all|(?:is|are) now|changed (?:my|our) minds?)\b"
    r"|(?<!right )(?<!for )(?<!until )(?<!by )\bnow(?=\s*(?:$|[,.;:!)]))"
    r"|\b(?:doch (?:nur |wieder |lieber )?auf|lieber (?:doch )?auf|finalement|al final|mejor (?:a|en)|anzi|лучше"
    r"|всё-таки)\b"
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
    r",?\s+(?:not|nicht|statt|no|pas|non|не)\s+(?:auf\s+)?\d\S*(?:\s+(?:like|wie|como|comme)\s.*)?$"
    r"|\s+(?:instead of|rather than)\s.*?(?=\s+(?:for|in|on)\s|[:：]\s|$)|\s+(?:because|since|so that)\s.*$",
    re.IGNORECASE,
)
# "30 days, not 60": the value that is given no longer.
_DENIED: Final = re.compile(
    r"(?:\b(?:not|instead of|rather than|nicht|statt|anstatt|no|en vez de|en lugar de|pas|au lieu de|non|invece di|não"
    r"|не|вместо)|不是|而不是|代替|ではなく|대신)\s*(?:auf |mehr |more )?(?P<figure>\d+(?:[.,]\d+)*)"
    r"|\b(?:from|von|de|da|с)\s+(?P<first>\d+(?:[.,]\d+)*)\s?\w{0,8}\s+(?:to|auf|a|à|до)\s+\d"
    r"|(?P<zh>\d+(?:[.,]\d+)*)\s?\w{0,4}?\s*(?:改成|改为|改為|换成|調到|调到|から)\s*\d",
    re.IGNORECASE,
)
# "from 300 to 500", 300 改成 500: the figure that stands first is given no longer.
_FORMER: Final = re.compile(
    r"\b(?:from|von|de|da|с)\s+\d[\d.,]*\s?[^\W\d_]{0,8}\s+(?=(?:to|auf|a|à|до)\s+\d)"
    r"|\d[\d.,]*\s?[^\W\d_]{0,3}?\s*(?=(?:改成|改为|改為|换成|換成|調到|调到|から)\s*\d)",
    re.IGNORECASE,
)
_TOO_MUCH: Final = re.compile(
    r"\d\S{0,16}(?: \w{1,20})? (?:is|are|was|were|seems?) (?:far |way |much |a bit |still )?(?:too|not enough)\b"
    r"|\d\S{0,16}\s?\w{0,3}?(?:太|不够)",
    re.IGNORECASE,
)
_SET_OFF: Final = re.compile(r"[:：]\s|：")
_FIGURE: Final = re.compile(r"(?<![\w.])(\d+(?:[.,]\d+)*)\s?(%|°[CF]?|[a-zµA-Zíéáа-яё]{1,9}\b|[个秒分小天克米次]+)?")
_UNITS: Final[dict[str, str]] = {
    **dict.fromkeys(
        "s sec secs second seconds 秒 sekunde sekunden segundo segundos seconde secondes сек 초".split(), "s"
    ),
    **dict.fromkeys("m min mins minute minutes 分 分钟 minuten minuto minutos minuti мин минут 분".split(), "min"),
    **dict.fromkeys(
        "h hr hrs hour hours 小时 stunde stunden hora horas heure heures ore час часа часов 시간".split(), "h"
    ),
    **dict.fromkeys(
        "d day days 天 tag tage tagen día días dia dias jour jours giorni день дня дней 일 日".split(), "d"
    ),
    **dict.fromkeys("week weeks woche wochen semana semanas semaine semaines settimane 周 недель".split(), "week"),
    **dict.fromkeys("times mal veces fois volte vezes раз 次 回".split(), "times"),
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
    r"|no (?:more|less) than|up to|max(?:imum)?|min(?:imum)?|lives?|lasts?|stays?|expires?|after|but|and|so"
    r"|der|die|das|den|dem|vom|von|soll(?:en|te)?|lebt|leben|doch|auf|bitte|jetzt|nur|runter|hoch|lieber|wieder"
    r"|el|los|las|del?|en|por favor|mejor|ahora|que|sea|dura|le|les|du|des|à|au|finalement|il|della?)\b"
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
_FIRST: Final = 400  # characters of a text in which a value is turned down
_TELLS_LITTLE: Final = frozenset(
    "time timeout limit size maximum value number length delay interval count <= >= default window".split()
)
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
    denied: frozenset[str] = frozenset()
    """The values of which it says that they hold no longer ("30 days, not 60")."""


def valued(text: str) -> Valued | None:
    """Return what a text gives to what, None where it does not say so in one of its first clauses."""
    corrects = cues.CORRECTS.match(text)
    turns = corrects is not None or TURNS.search(text) is not None
    said = text[corrects.end() :] if corrects is not None else text
    # "10 minutes is too long, ...": what is wrong with the value of before gives none.
    clauses = [one for one in _CLAUSE.split(said) if one.strip()][: _CLAUSES + 1]
    for place, one in reversed(list(enumerate(clauses))):
        if (wrong := _TOO_MUCH.search(one)) is not None:
            turns = True
            # "The timeout of 30 s is too short, make it 90" names what it is of beside the value of before.
            clauses[place : place + 2] = [f"{one[: wrong.start()]} {' '.join(clauses[place + 1 : place + 2])}"]
    for clause in clauses[:_CLAUSES]:
        if len(clause) <= _MOST and (found := _figure(clause, turns) or _named(clause, turns)) is not None:
            denied = frozenset(one for match in _DENIED.finditer(text[:_FIRST]) for one in match.groups() if one)
            return replace(found, denied=denied - found.value) if found.unit != "name" else found
    return None


def takes(text: str) -> bool:
    """Return whether a text, all of it, is a choice in its plainest form: use this for that."""
    said = text.strip().rstrip(".。!！")
    return any(pattern.match(said) is not None for pattern in (*_NAMED[:2], _ZH_FOR, _ZH))


def changes(text: str) -> bool:
    """Return whether a text orders that something which has a value be given another: "raise the limit to 50 MB"."""
    return _CHANGES.search(text) is not None


def measures(text: str) -> bool:
    """Return whether a text gives a measure, a figure with its unit, and names what it is of."""
    units = [figure for figure in _FIGURE.finditer(text) if (figure[2] or "").casefold() in _UNITS]
    return bool(units) and bool(_subject(_FRAME.sub(" ", _FIGURE.sub(" ", text))))


def at_odds(one: Valued | None, other: Valued | None) -> bool:
    """Return whether two statements give different values to the same thing, and no more than one can be meant."""
    if one is None or other is None:
        return False
    if one.unit != "name" != other.unit and (one.value & other.denied or other.value & one.denied):
        return bool(one.subject & other.subject) and (one.unit == other.unit or not (one.unit and other.unit))
    if one.unit != other.unit or not _same_subject(one, other):
        return False
    if one.value <= other.value or other.value <= one.value:
        return False
    if one.unit == "name":
        return one.turns or other.turns
    return len(one.subject) >= _FEWEST or one.turns or other.turns or any(map(_CJK.search, one.subject))


def _same_subject(one: Valued, other: Valued) -> bool:
    """Return whether two statements give a value to the same thing.

    Who says that it was otherwise before, with a measure of the same unit, may name it in fewer words or in more.
    """
    if one.subject == other.subject:
        return True
    fewer, more = sorted((one.subject, other.subject), key=len)
    telling = fewer - _TELLS_LITTLE
    return bool(one.unit) and one.unit != "name" and (one.turns or other.turns) and bool(telling) and fewer <= more


def subject_term(one: Valued) -> str:
    """Return the term by which statements about the same thing are found."""
    return "&" + " ".join(sorted(one.subject))


def _figure(clause: str, turns: bool) -> Valued | None:
    """Return what a clause gives a figure to, where it has one; what a colon sets off may explain that."""
    clause = _FORMER.sub("", _ASIDE.sub("", clause))
    opening = _SET_OFF.split(clause, maxsplit=1)[0]
    own = None if opening == clause else _one_figure(opening, turns)
    return own or _one_figure(clause, turns)


# "the keeper of pier 12": which pier it is, and nothing that is given to one.
_NAME_WITH_FIGURE: Final = re.compile(
    r"\b(?:option|variant|version|step|number|phase|stage|task|point) $"
    r"|\bof (?:the )?(?!(?:size|length|width|height|depth|about|around|least|most|up)\b)[A-Za-z]+ $"
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
