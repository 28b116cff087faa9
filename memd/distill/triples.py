"""Triples: who does what to whom, from the words of a fact. Pure, closed vocabulary, English and Chinese.

A phrase gives a triple only where both its sides are names: code in backticks, identifiers, capitalised words, or a few
words that a determiner introduces or that end a clause. What a fact touches and refers to are relations of the fact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from memd.distill.vocabulary import folded
from memd.model import FactPart
from memd.text.stopwords import STOP_WORDS

EXTRACTOR: Final = "phrases-1"
"""Version of these rules; kept with every triple."""

MOST: Final = 6
_MOST_WORDS: Final = 3
_LONGEST: Final = 4000
_PHRASES: Final[tuple[tuple[str, str, float], ...]] = (
    (r"(?:is|are|was|were|gets|got|has been) (?:now )?(?:replaced|superseded) (?:by|with)", "superseded_by", 0.84),
    (r"(?:is|are) (?:being )?used by", "used_by", 0.8),
    (r"(?:is|are) (?:required|needed) by", "required_by", 0.8),
    (r"(?:is|are|was|were) caused by", "caused_by", 0.82),
    (r"(?:is|are|was|were) (?:fixed|solved|resolved) by", "fixed_by", 0.8),
    (r"(?:is|are) (?:configured|set|controlled) (?:by|in|through)", "configured_by", 0.76),
    (r"(?:is|are) (?:tested|covered) by", "tested_by", 0.8),
    (r"(?:is|are) (?:documented|described) (?:by|in)", "documented_by", 0.78),
    (r"(?:is|are) (?:implemented) (?:by|in)", "implemented_by", 0.78),
    (r"(?:is|are) (?:generated|produced|built|written) by", "produced_by", 0.78),
    (r"(?:is|are) called (?:by|from)", "called_by", 0.8),
    (r"(?:is|are) imported by", "imported_by", 0.8),
    (r"(?:is|are) blocked by", "blocked_by", 0.8),
    (r"(?:is|are) (?:owned|maintained|managed) by", "owned_by", 0.82),
    (r"(?:is|are) (?:part|a part|a member|a component) of", "part_of", 0.84),
    (r"belongs? to", "part_of", 0.82),
    (r"(?:is|are) (?:stored|kept|saved|persisted|cached) in", "stores_in", 0.82),
    (r"(?:runs?|(?:is|are) (?:hosted|deployed)) (?:on|in|to|at)", "runs_on", 0.78),
    (r"(?:lives?|(?:is|are) located|sits?) (?:in|under|at)", "located_in", 0.76),
    (r"depends? on", "depends_on", 0.84),
    (r"relies? on", "depends_on", 0.8),
    (r"(?:is|are) (?:backed|powered) by", "depends_on", 0.78),
    (r"requires?", "depends_on", 0.78),
    (r"(?:is|are) (?:an )?alternatives? (?:to|for)", "alternative_to", 0.8),
    (r"(?:builds? on|(?:is|are) (?:based|built) on)", "builds_on", 0.8),
    (r"inherits? from|subclasses", "inherits", 0.84),
    (r"(?:replaces?|replaced|supersedes?|superseded)", "supersedes", 0.82),
    (r"implements?", "implements", 0.8),
    (r"extends?", "specializes", 0.76),
    (r"(?:causes?|caused|leads? to|led to|triggers?)", "causes", 0.76),
    (r"(?:fixes|fixed|solves|solved|resolves|resolved)", "fixes", 0.74),
    (r"(?:blocks?|prevents?)", "blocks", 0.7),
    (r"(?:configures?|controls?)", "configures", 0.74),
    (r"(?:tests|covers)", "tests", 0.66),
    (r"(?:documents|describes|explains)", "documents", 0.68),
    (r"(?:generates?|produces?|emits?)", "produces", 0.72),
    (r"(?:calls|invokes)", "calls", 0.78),
    (r"imports", "imports", 0.8),
    (r"(?:uses|now uses|employs)", "uses", 0.8),
    (r"contains", "contains", 0.72),
    (r"conflicts? with|contradicts?", "contradicts", 0.78),
    (r"(?:refers? to|references)", "references", 0.7),
)
_ZH_PHRASES: Final[tuple[tuple[str, str, float], ...]] = (
    (r"(?:已经?)?被\s*(?P<by>{name})\s*(?:所)?(?:取代|替代|替换)了?", "superseded_by", 0.84),
    (r"被\s*(?P<by>{name})\s*(?:调用|使用)", "used_by", 0.78),
    (r"由\s*(?P<by>{name})\s*(?:导致|引起|造成)", "caused_by", 0.8),
    (r"由\s*(?P<by>{name})\s*(?:负责|维护|管理)", "owned_by", 0.82),
    (r"由\s*(?P<by>{name})\s*生成", "produced_by", 0.78),
    (r"(?:依赖于?|需要依赖)", "depends_on", 0.84),
    (r"(?:存储在|存放在|保存在|存在|放在|存到|写入)", "stores_in", 0.8),
    (r"(?:部署在|部署到|运行在|跑在|托管在)", "runs_on", 0.8),
    (r"(?:位于|在于目录)", "located_in", 0.8),
    (r"是\s*(?P<by>{name})\s*的(?:一部分|组成部分)", "part_of", 0.84),
    (r"(?:属于|隶属于)", "part_of", 0.82),
    (r"(?:取代了?|替代了?|替换了?|代替了?)", "supersedes", 0.8),
    (r"(?:继承自?)", "inherits", 0.84),
    (r"(?:实现了?)", "implements", 0.76),
    (r"(?:导致了?|引起了?|造成了?)", "causes", 0.78),
    (r"(?:修复了?|解决了?)", "fixes", 0.76),
    (r"(?:调用了?)", "calls", 0.8),
    (r"(?:导入了?|引入了?)", "imports", 0.74),
    (r"(?:引用了?)", "references", 0.72),
    (r"(?:生成了?|产生了?)", "produces", 0.72),
    (r"(?:使用了?|采用了?|改用|用的是)", "uses", 0.8),
    (r"(?:包含了?|包括)", "contains", 0.74),
    (r"(?:配置了?)", "configures", 0.66),
    (r"(?:测试了?|覆盖了?)", "tests", 0.66),
)
_WORD: Final = r"`[^`\n]{1,60}`|[A-Za-z_@][\w@./:+#-]*[\w)+#]|[A-Za-z]|\d[\w.]*"
_SIDE: Final = re.compile(_WORD)
_EN: Final = tuple(
    (re.compile(rf"(?<![\w-]){phrase}(?![\w-])", re.IGNORECASE), name, sure) for phrase, name, sure in _PHRASES
)
_ZH_NAME: Final = r"(?:`[^`\n]{1,60}`|[A-Za-z][\w./:-]*(?: [A-Z][\w./:-]*)?|[\u4e00-\u9fff]{2,8})"
_ZH_LEFT: Final = r"(?:`[^`\n]{1,60}`|[A-Za-z][\w./:-]*(?: [A-Z][\w./:-]*)?|[\u4e00-\u9fff]{2,8}?)"
_ZH_OBJECT: Final = rf"\s*(?P<by>{_ZH_NAME})"


def _zh(phrase: str) -> re.Pattern[str]:
    """A phrase between the names that it relates; where it holds the second name itself, it ends with its verb."""
    right = "" if "(?P<by>" in phrase else _ZH_OBJECT
    return re.compile(rf"(?P<left>{_ZH_LEFT})\s*(?:现在|目前|都|会|也|将)?{phrase.replace('{name}', _ZH_NAME)}{right}")


_ZH: Final = tuple((_zh(phrase), name, sure) for phrase, name, sure in _ZH_PHRASES)
_ARROW: Final = re.compile(
    r"(?P<left>[^\n>\]\[|;,。，；]{1,60}?)\s*"
    r"(?:--\s*(?P<first>[\w -]{2,30}?)\s*-->|-\[\s*:?(?P<second>[\w -]{2,30}?)\s*\]->)\s*"
    r"(?P<right>[^\n<\[|;,。，；]{1,60})"
)
_BLOCK: Final = re.compile(
    r"^[ \t*-]*subject[ \t*]*[:：][ \t]*(?P<left>.+)\n[ \t*-]*(?:relation|predicate)[ \t*]*[:：][ \t]*(?P<rel>.+)\n"
    r"[ \t*-]*object[ \t*]*[:：][ \t]*(?P<right>.+)$",
    re.IGNORECASE | re.MULTILINE,
)
_URL: Final = re.compile(r"https?://[^\s<>\"'`)\]]{4,200}")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|[。！？；;\n]+|,\s+(?:and|but|so|because)\s+")
_PRONOUNS: Final = frozenset(
    "it they we you he she this that these those which who what i them everything nothing something anything one there"
    " here then also always never only just not will would should could can may might must and or"
    " but if when so".split()
)
_DETERMINERS: Final = frozenset(("the", "a", "an", "our", "its", "their", "your", "my", "each", "every", "all"))
_STOPS: Final = frozenset(STOP_WORDS) | frozenset(
    "for in on at to of with by from as into through via per than because since instead while until so and or but"
    " anymore already now today directly".split()
)
_ZH_EMPTY: Final = re.compile(
    r"^(?:我们|你们|他们|这个|那个|这里|那里|因为|所以|但是|如果|不要|一个|什么|现在|之前|以前)|(?:的|了|是|在)$"
)

_ZH_LEAD: Final = re.compile(r"^(?:因此|所以|因为|目前|现在|于是|但是|然后|而且|不过|其中)+")
_ZH_TAIL: Final = re.compile(r"(?<=.)(?:来|并且?|和|与|以及|以便|用于|进行|之后|时|中|里|上|下|的).*$")
_ZH_NOT: Final = re.compile(r"(?:不|不再|不会|没|没有|未|从不|并非)$")
_NOT: Final = re.compile(r"\b(?:not|never|no longer|don'?t|doesn'?t|isn'?t|aren'?t)\s+(?:\w+\s+)?$", re.IGNORECASE)
_LOOKED_AT: Final = 20_000
_SENTENCE_CHARS: Final = 2_000
_LONG_WORD: Final = re.compile(r"(\S{300})\S+")


@dataclass(frozen=True, slots=True)
class Triple:
    """A relation that a fact tells of. `subject` None: the fact itself. `quote` is the sentence that says so."""

    subject: str | None
    relation: str
    object: str
    confidence: float
    quote: str
    object_kind: str = "concept"


@lru_cache(maxsize=256)
def triples_of(title: str, body: str, parts: tuple[FactPart, ...] = ()) -> tuple[Triple, ...]:
    """Return what a fact tells of, the surest first, at most six; relations that there are not are left out."""
    found: dict[tuple[str | None, str, str], Triple] = {}
    text = body if title in body else f"{title}\n{body}"
    # No name is that long; tried from every character of it on, a word without end takes the square of its length.
    text = text[:_LOOKED_AT]
    short = _LONG_WORD.sub(r"\1", text)
    for triple in (*_notated(short), *_phrased(short[:_LONGEST]), *_structural(text, parts)):
        key = (triple.subject and triple.subject.casefold(), triple.relation, triple.object.casefold())
        if key not in found and key[0] != key[2]:
            found[key] = triple
    return tuple(sorted(found.values(), key=lambda one: -one.confidence)[:MOST])


def _notated(text: str) -> Iterator[Triple]:
    for match in _ARROW.finditer(text):
        yield from _made(match["left"], match["first"] or match["second"], match["right"], 0.92, match[0])
    for match in _BLOCK.finditer(text):
        yield from _made(match["left"], match["rel"], match["right"], 0.92, match[0])


def _phrased(text: str) -> Iterator[Triple]:
    for sentence in _SENTENCE.split(text):
        if not sentence or len(sentence) > _SENTENCE_CHARS or "-->" in sentence or "]->" in sentence:
            continue
        taken: list[tuple[int, int]] = []
        for pattern, relation, sure in _EN:
            for match in pattern.finditer(sentence):
                if any(match.start() < end and start < match.end() for start, end in taken):
                    continue
                left, right = _before(sentence[: match.start()]), _after(sentence[match.end() :])
                if left and right and not _denied(sentence[: match.start()]):
                    taken.append(match.span())
                    yield from _made(left, relation, right, sure, sentence)
        for pattern, relation, sure in _ZH:
            for match in pattern.finditer(sentence):
                if any(match.start() < end and start < match.end() for start, end in taken):
                    continue
                left, right = _ZH_LEAD.sub("", match["left"]), _ZH_TAIL.sub("", match["by"])
                if (
                    left
                    and right
                    and not any(
                        said.search(name) for said, name in ((_ZH_EMPTY, left), (_ZH_EMPTY, right), (_ZH_NOT, left))
                    )
                ):
                    taken.append(match.span())
                    yield from _made(left, relation, right, sure, sentence)


def _structural(text: str, parts: tuple[FactPart, ...]) -> Iterator[Triple]:
    for part in parts:
        if part.name == "touches":
            yield Triple(None, "touches", part.text.strip("` "), 0.72, part.text, "file")
    for match in _URL.finditer(text):
        yield Triple(None, "references", match[0].rstrip(".,;:"), 0.72, match[0], "url")


def _made(left: str, word: str, right: str, sure: float, quote: str) -> Iterator[Triple]:
    relation = folded(word)
    subject, object_ = _name(left), _name(right)
    if relation is None or not subject or not object_ or subject.casefold() == object_.casefold():
        return
    if relation.swapped:
        subject, object_ = object_, subject
    yield Triple(subject, relation.name, object_, sure, " ".join(quote.split())[:300])


def _name(text: str) -> str:
    return text.strip(" \t`*_\"'.,:()-").strip()


def _before(text: str) -> str:
    """The few words before a phrase that name something, "" when they do not."""
    words = list(_SIDE.finditer(text))
    kept: list[str] = []
    end = len(text.rstrip())
    for word in reversed(words[-_MOST_WORDS - 1 :]):
        gap = text[word.end() : end]
        plain = word[0].casefold()
        if gap.strip() or (plain in _STOPS and plain not in _DETERMINERS):
            break
        if plain in _DETERMINERS:
            return " ".join(kept)
        if plain in _PRONOUNS:
            return " ".join(kept) if len(kept) > 0 and _is_name(kept[0]) else ""
        kept.insert(0, word[0])
        end = word.start()
        if word[0].startswith("`"):
            break
        if len(kept) == _MOST_WORDS:
            break
    return " ".join(kept)


def _after(text: str) -> str:
    """The few words after a phrase that name something, "" when they do not."""
    kept: list[str] = []
    start = 0
    for word in _SIDE.finditer(text):
        plain = word[0].casefold()
        if text[start : word.start()].strip():
            break
        start = word.end()
        if plain in _DETERMINERS and not kept:
            continue
        if plain in _PRONOUNS or plain in _STOPS:
            break
        kept.append(word[0])
        if word[0].startswith("`") or len(kept) == _MOST_WORDS:
            break
    return " ".join(kept)


def _is_name(word: str) -> bool:
    return word.startswith("`") or not word.islower()


def _denied(text: str) -> bool:
    return _NOT.search(text) is not None
