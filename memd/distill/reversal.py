"""Reversals: what a sentence takes back or forbids, told by its terms.

Three families of cues: what undoes (revert, drop, no longer), what moves on (switch from X to Y), and what a person
says of their own earlier words (I said X, that was wrong). Only what a cue names is taken back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memd.distill.taken import Thing, needed
from memd.text.tokens import terms

_ARTICLES: Final = (
    r"(?:(?:the|that|this|those|these|your|our|my|all|whole|entire|use|using|of|el|la|los|las|das|den|die)\s+)*"
)
_ANY: Final = r"(?:[^,.;:!?，。；！？\n]|\.(?=\w))"
_NAME_OF: Final = r"(?!(?:it|this|that|them|here|there|now)\b)[`'\"]?[\w.@/+#-]{2,30}(?: [\w.@/+#-]{2,30})?[`'\"]?"
_ZH: Final = r"[^，。；！？\n]"
_WRONG: Final = r"(?:to be\s+)?(?:plain\s+)?(?:wrong|a mistake|mistaken|not good|bad)\b"
# Each alternative has one group: what is taken back.
_UNDO: Final = (
    (
        r"\b(?:revert(?:ed)?|undo(?:ne)?|roll(?:ed)? back|back out|take out|rip out|remove|drop|kill|get rid of"
        r"|throw (?:out|away)|scrap|scratch(?=\s+(?:the|that|this|my|our|all)\b)|abandon|forget(?: about)?"
        r"|(?:we|i)(?:'ve| have)? (?:dropped|killed|got rid of|threw (?:out|away)|scrapped|abandoned|ditched|retired"
        r"|left)"
        r"|no longer(?: (?:use|using|need|want|have))?|quit[ao]\w*|ditch|retire|stop(?:ped)? using"
        r"|(?:move|moved|moving) away from|(?:we(?:'re| are)|i(?:'m| am)) (?:done|through|finished) with|had enough of"
        r"|changed (?:my|our) minds? (?:about|on)"
        r"|no need (?:to (?:accept|support|keep|have|handle|use)|for (?!now\b))|ya no (?:us\w+|quer\w+)|nicht mehr)"
        rf"\s+{_ARTICLES}({_ANY}{{2,60}})"
    ),
    rf"\bdo(?:n'?t| not)\s+({_ANY}{{3,60}}?)\s+any ?more\b",
    (
        r"(?:撤回|撤销|回退|还原|不再(?:用|使用|需要)?|去掉|去除|删掉|放弃|取消|弃用|停用|忘了|忘掉"
        rf"|没有?必要(?:再)?(?:接受|支持|保留|用|有|做))\s*({_ZH}{{1,30}})"
    ),
    rf"(?:关于|对于?)\s*({_ZH}{{1,20}}?)[，,]?\s*我?(?:改变?(?:了)?主意|改主意)",
    rf"(?:别|不要|不)再?(?:使用|用|要|发到|发|返回|走|存到|存|写|传|放)\s*({_ZH}{{1,20}}?)\s*了(?=$|[，。；！\n])",
    (
        r"\b(?:nobody|no one)\b(?: here| else| of us)? (?:uses?|writes?|knows?|likes?|wants?|needs?)\s+"
        rf"{_ARTICLES}({_ANY}{{2,40}})"
    ),
)
# What is gone stands before these.
_GONE: Final = re.compile(
    r"(?:\s(?:is|was|are|were|has been|have been)|(?<=\w)'s)\s+(?:now\s+|all\s+)?(?:gone|removed|reverted|wrong"
    r"|replaced|out(?!\s+(?:of|there|to|in|on|at|for|with)\b)"
    r"|overkill|unmaintained|deprecated|obsolete|superseded|dropped|retired"
    r"|no longer (?:used|needed|supported|true|valid|in use)"
    r"|not used any ?more)\b"
    r"|\s(?:did(?:n'?t| not)|does(?:n'?t| not)) work out\b|\s(?:is|was)(?:n'?t| not) working out\b"
    r"|\s(?:is|was|are|were|has been|turned out|proved)\s+(?:to be\s+)?(?:an?|the)\s+(?:\w+\s+)?"
    r"(?:mistake|(?:wrong|bad|poor) (?:choice|call|idea|pick|decision)|dead end|non-?starter)\b"
    r"(?!\s+(?:i|you|we|he|she|they|that|which|in|of|from|on (?:my|your))\b)"
    # What stands behind "in" or "of" tells of something else that is wrong.
    r"|(?:已经?|现在)?(?:不维护了|停更了|过时了)"
    rf"|(?:已经?|现在)?(?:被弃用|弃用了|废弃了|作废了?|不用了|不要了|不再使用|出局了?|就?算了|是个?(?:错误|坏主意|大?坑)(?!的)|是错的|选错了|被{_ZH}{{1,20}}?(?:取代|替换|代替))",
    re.IGNORECASE,
)
_CLAUSE_END: Final = re.compile(rf"{_ANY}*$")
_RELEASE: Final = re.compile(r"\bv?\d+(?:\.\d+)+\W*$|\b(?:version|release|update|v\d+)\W*$", re.IGNORECASE)
_GONE_CHARS: Final = 40
_MOVED_ON: Final = (
    (
        r"\b(?:switch|switched|switching|move|moved|moving|migrat\w+|change|changed|changing|go|went)\s+(?:\w+\s+){0,4}?"
        rf"(?:away\s+)?from\s+{_ARTICLES}({_ANY}{{2,40}}?)\s+(?:over\s+)?(?:to|onto)\s+\S"
    ),
    rf"\b(?:replac|swap)\w*\s+(?:out\s+)?{_ARTICLES}({_ANY}{{2,40}}?)\s+(?:with|by|for)\s+\S",
    # "kelp is too slow, take tern", "kelp bit us again, use tern"
    (
        rf"(?:^|[,.;:!?]\s+)\W*{_ARTICLES}({_NAME_OF})\s+"
        r"(?:(?:is|was|got|gets|became|seems|are)\s+(?:\w+\s+)?too\s+\w+|bit us"
        rf"|burne?[dt] us|keeps \w+ing|can'?t\b{_ANY}{{0,40}}|cannot\b{_ANY}{{0,40}}){_ANY}{{0,40}}"
        r"[,;.]\s+(?:so\s+)?(?:let'?s\s+)?(?:use|take|go with|switch to|move to|try)\b"
    ),
    (
        rf"(?:^|[，。；！？\n])({_ZH}{{1,16}}?)\s*(?:太[慢重贵大小老旧复]|不够用|不好用|不行了?|老(?:是)?出){_ZH}{{0,12}}[，,；;]\s*"
        r"(?:就|那就|我们)?(?:换成|换到|换|改用|改成|用)"
    ),
    rf"\brenam\w*\s+{_ARTICLES}({_ANY}{{2,40}}?)\s+(?:to|into|as)\s+\S",
    rf"\b{_NAME_OF}\s+(?:replaces|supersedes|takes over from)\s+{_ARTICLES}({_ANY}{{2,40}})",
    rf"从\s*({_ZH}{{1,20}}?)\s*(?:改为|改成|换成|换到|切换到|切到|迁移到|迁到)",
    rf"把\s*({_ZH}{{1,20}}?)\s*(?:改为|改成|换成|替换为|替换成)",
    rf"(?:代替|替代|取代|替换)(?:掉|了)?\s*({_ZH}{{1,20}})",
    rf"\b(?:cambi\w+|pas\w+|migr\w+)\s+de\s+{_ARTICLES}({_ANY}{{2,40}}?)\s+a\s+\S",
)
# What is taken back is `what`, where it is that of `scope`: "move the queue off Redis" leaves what else Redis does.
_WITHIN: Final = re.compile(
    "|".join(
        (
            (
                rf"\b(?:move|take|get|migrate|port|pull|shift)[sd]?\s+{_ARTICLES}(?P<scope1>{_ANY}{{2,40}}?)\s+"
                rf"off\s+(?:of\s+)?{_ARTICLES}(?P<what1>{_NAME_OF})"
                r"(?=\s+(?:to|onto|over|into|and|because|since|by|before)\b|\s*(?:[,;:.!?]|$))"
            ),
            (
                rf"\b(?:move|migrate|port|shift)[sd]?\s+{_ARTICLES}(?P<scope2>(?:(?!\bfrom\b){_ANY}){{2,40}}?)\s+"
                rf"(?:away\s+)?from\s+{_ARTICLES}(?P<what2>{_NAME_OF})\s+(?:over\s+)?(?:to|onto|into)\s+\S"
            ),
            (
                rf"\b(?:replac|swap)\w*\s+(?:out\s+)?{_ARTICLES}(?P<what3>{_NAME_OF})\s+(?:with|by|for)\s+{_NAME_OF}\s+"
                rf"(?:for|in)\s+{_ARTICLES}(?P<scope3>{_ANY}{{2,40}}?)(?=\s*(?:[,;:.!?]|$))"
            ),
            (
                rf"(?:把|将)?(?P<scope4>[^，。；！？\n把将从]{{2,12}}?)\s*从\s*(?P<what4>{_ZH}{{1,20}}?)\s*"
                r"(?:改为|改成|换成|换到|切换到|切到|迁移到|迁到)"
            ),
        )
    ),
    re.IGNORECASE,
)
# What somebody is to stop doing is all that is said of it.
_STOPPED: Final = re.compile(
    rf"\b(?:stop|quit|no more)\s+(?!using\b)(?P<what>\w{{2,}}ing(?:\s+{_ANY}{{2,40}})?)(?=\s*(?:[,;:.!?]|$))"
    r"|\bno more\s+(?P<gone>\w{2,}ing)\b",
    re.IGNORECASE,
)
_OWN_WORDS: Final = (
    (
        r"\b(?:i|we)\s+(?:know\s+(?:i|we)\s+)?(?:said|chose|picked|went with|decided on|wanted|asked for)\s+"
        rf"{_ARTICLES}([^,.;:!?\n]{{2,40}}?)(?:\s+(?:back|in|on|last|earlier|before|yesterday|at)\b[^.;:!?\n]{{0,40}}?)?"
        rf"[\s,;:.-]+(?:but\s+)?(?:that|it|this)\s+(?:was|is|turned out)\s+{_WRONG}"
    ),
    rf"(?:之前|以前|当初|我)(?:说|选|定)的?(?:用|是)?\s*({_ZH}{{1,20}}?)[，,\s]*(?:是错的|错了|不对|是个错误|不行)",
)
_AVOIDED: Final = (
    # "no kelp for the lamps please, take tern"
    rf"^\W*(?:(?:ok(?:ay)?|and|so|but)\W+)*no ({_ANY}{{2,40}}?)(?:,? please)?[,;.] *(?:use|take|go with|put|make it)\b",
    (
        r"\b(?:don'?t (?:want|use|need)|do not (?:want|use|need)|no more|instead of|rather than|statt"
        rf"|en (?:vez|lugar) de)\s+{_ARTICLES}({_ANY}{{2,60}})"
    ),
    rf"(?:不用|不要|而不是|别用)\s*({_ZH}{{1,30}})",
)
_STRONG: Final = re.compile("|".join((*_UNDO, *_MOVED_ON, *_OWN_WORDS)), re.IGNORECASE)
_WEAK: Final = re.compile("|".join(_AVOIDED), re.IGNORECASE)
# Where the name of a thing ends: at the end of its clause, or before what it is for.
_ENDS: Final = (
    r"(?=\s+(?:for|because|since|so|as|when|where|and|but|with|in|on|at)\b|\s*(?:[,;:!?，。；！？\n]|\.(?!\w)|$))"
)
_RESTORED: Final = re.compile(
    "|".join(
        (
            rf"\bchanged (?:my|our) minds? (?:about|on)\s+{_ARTICLES}({_ANY}{{2,40}}?){_ENDS}",
            rf"\b(?:go|goes|going|switch|switching|move|moving|revert)\s+back to\s+{_ARTICLES}({_ANY}{{2,40}}?){_ENDS}",
            rf"\b(?:bring|put|want)\s+(?:back\s+)?{_ARTICLES}({_ANY}{{2,40}}?)\s+(?:back|after all)\b",
            r"(?:^|[,.;:!?]\s+|\b(?:use|be|with|in|to)\s+)((?:[\w.@/+#-]+\s+){1,3}?)after all\b",
            rf"(?:改回|换回|调回|还是(?:用|走|存|放|写|要|得|加上?))\s*({_ZH}{{1,20}}?)(?:一下|吧|了|$|[，。；！])",
            rf"(?:关于|对于?)\s*({_ZH}{{1,20}}?)[，,]?\s*我?(?:改变?(?:了)?主意|改主意)",
        )
    ),
    re.IGNORECASE,
)
_ORDER: Final = r"^\W*(?:(?:ok(?:ay)?|please|so|and|now|let'?s)\W+)*"
_GIVES_UP: Final = re.compile(
    r"\b(?:(?:is|are|was|were|turned out|proved)\s+(?:to be\s+)?(?:an?|the)\s+(?:\w+\s+)?"
    r"(?:mistake|(?:wrong|bad|poor) (?:choice|call|idea|pick|decision)|dead end)"
    r"(?!\s+(?:i|you|we|he|she|they|that|which|in|of|from)\b)"
    r"|(?:is|are) (?:now )?(?:out|dropped|retired|deprecated)(?=\W*(?:$|[,.;:!])|\s+(?:now|we|use)\b)"
    r"|\b(?:had enough of|fed up with)\b"
    rf"|{_ORDER}(?:drop|scrap|kill|ditch|retire) .{{2,40}}?[,;:–—-] ?\b.{{0,60}}"
    r"\b(?:use|take|go with|comes? from|goes? to|minimum|instead|from now on|now|plain|raw|back to)\b"
    rf"|{_ORDER}(?:move|migrate|switch|port) .{{2,40}} from [\w.+-]{{2,}} to (?-i:[A-Z])[\w+-]+"
    r"(?=\W*$|[,;])"
    rf"|{_ORDER}(?:replace|swap) (?-i:[A-Z])[\w.+-]+ (?:with|by|for)"
    r" [A-Za-z][\w.+-]+(?=\W*$|[,;])"
    r"|did(?:n'?t| not) work out|(?:is|was)(?:n'?t| not) working out"
    rf"|{_ORDER}(?:move|take|get|migrate|port|pull|shift) .{{2,40}} off (?:of )?\S"
    r"|(?:we|i)(?:'ve| have|'re| are|'m| am)? (?:moved|moving|switched|switching|migrated|migrating|changed|changing)"
    r" (?:\S{1,40} ){0,4}?(?:away )?from\b"
    r"|^\W*(?:stop|quit) (?!using)\w+ing\b.{2,60}?[,;.] *(?:use|take|go with|do|write|send|put|keep)\b"
    r"|do(?:n'?t| not) use .{2,40} any ?more|\b\S{1,40} (?:replaces|supersedes) \S"
    rf"|{_ORDER}(?:replace|swap) [A-Za-z][\w.+-]+ (?:with|by|for) [A-Za-z][\w.+-]+ for\b"
    r"|(?:we|i)(?:'ve| have)? (?:no longer use|dropped|killed|got rid of|scrapped|abandoned|ditched|retired"
    r"|stopped using)|changed (?:my|our) minds? (?:about|on)"
    r"|(?:we(?:'re| are)|i(?:'m| am)) (?:done|through|finished) with"
    r"|scratch (?:the|that|our|my)|(?:go|goes|going|switch|switching|move|moving) back to|after all"
    r"|forget(?: about)?\b.{2,60}\b(?:use|instead|take|go with|switch)|no more (?=[a-z`]+(?: [a-z]+)?(?:[,.;]|$)))"
    r"|改回|换回|调回|还是(?:用|走|存|放)|不要了|(?:别|不)用.{1,20}了|不用了[，,]\s*(?:改|换|用)|出局|是个(?:错误|大?坑)|改(?:变)?(?:了)?主意"
    r"|改用|不再(?:用|使用)|从\s*[A-Za-z][\w.+-]{0,30}\s*(?:迁移?|换|切换?)(?:到|成)\s*[A-Za-z]"
    r"|从[^，。；！？\n]{2,12}(?:迁移?|搬)到[^，。；！？\n]{2,12}了|(?:太[慢重贵大小老旧复]|不够用|不好用|不行了?)[^，。；！？\n]{0,12}[，,；;]\s*"
    r"(?:就|那就|我们)?(?:换|改用|改成|用)",
    re.IGNORECASE,
)
# "Actually no cron", "no cron, use a timer": said of what was to be there, not of what is not found.
_DONE_WITHOUT: Final = re.compile(
    r"^\W*(?P<turns>(?:(?:actually|wait|hm+|oh|no|sorry|on second thought|hold on|but)\W+)*)no "
    r"(?P<what>[\w`./+#-]{2,}(?: [\w`./+#-]+)?)(?=\s*(?:[.,;:!]|$))(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_ANOTHER_WAY: Final = re.compile(
    r"^\W*(?:just |please |let'?s )?(?:use|take|go with|put|make it|do|keep|run|switch)\b|\binstead\b", re.IGNORECASE
)
_NO_THING: Final = frozenset(
    "problem problems idea need worries thanks longer matter one rush issue issues clue doubt wait error errors luck"
    " difference more way chance".split()
)
_UNDOES: Final = re.compile(
    r"\b(?:revert|undo|roll(?:ed)? back|back out|remove|drop(?:ped)?|kill|get rid of|scrap|forget|no more|quit[ao]\w*"
    r"|zurück|annule)\b|撤回|撤销|回退|还原|不再|去掉|删掉|放弃|取消",
    re.IGNORECASE,
)
# "a cache can drop keys" tells what may happen, and takes nothing back.
_MAYBE: Final = re.compile(
    r"\b(?:can|may|might|could|would|never|when|once|if|after|until|(?:do|does|did|must|should|can)(?:n'?t| not))\s+$",
    re.IGNORECASE,
)
_BEFORE: Final = 16
# Where it is taken back, and not what.
_SCOPE: Final = re.compile(
    r"\s*\b(?:in|from|across|for|throughout|over)\s+(?:(?:all|every|any|each|none|both|this|that|the|our|my|your|of|other"
    r"|single|whole|entire|own|one)\s+)*(?:projects?|repos?(?:itor(?:y|ies))?|code ?bases?|workspaces?|places?)\b"
    r"|\s*\b(?:everywhere|anywhere|globally|project-wide|repo-wide|across the board)\b"
    r"|\s*\b(?:en todos (?:mis|los) (?:proyectos|repos)|in allen (?:meinen )?(?:projekten|repos)|überall"
    r"|en todas partes|dans tous (?:mes|les) (?:projets|dépôts)|partout|во всех (?:проектах|репозиториях)|везде)\b"
    r"|(?:在|从)?(?:我?的?)?(?:所有|全部|每一?个|任何|各个?)(?:的)?(?:一个)?(?:项目|仓库|代码库|地方)(?:里|中)?(?:的|都)?|全局",
    re.IGNORECASE,
)
_EMPTY: Final = frozenset(
    (
        "then stuff change changes thing code back again version part branch test tests completely entirely altogether"
        " fully whole entire totally one ones too please now for good everywhere idea plan approach"
        " anymore always never sometimes error errors time times way ways work works"
        " something anything nothing everything"
        " 改动 代码 的改"
    ).split()
)


def undone(text: str) -> tuple[Thing, ...]:
    """Return the terms of each thing that a text takes back or forbids ("drop the Redis cache": redis, cache)."""
    within = tuple(_within(text))
    taken = [span for span, _ in within]
    return (
        *(thing for _, thing in within),
        *_objects(_STRONG, text, taken),
        *_gone(text),
        *_objects(_WEAK, text, taken),
    )


def reversed_in(text: str) -> tuple[Thing, ...]:
    """Return the terms of each thing that a text expressly takes back or moves away from, not what it merely avoids."""
    within = tuple(_within(text))
    taken = [span for span, _ in within]
    return (*(thing for _, thing in within), *_objects(_STRONG, text, taken), *_gone(text))


def restored(text: str) -> tuple[frozenset[str], ...]:
    """Return the terms of each thing that a text wants after all, or changes its mind about, where it was turned down.

    "Changed my mind about clamping" ends "no clamping" as well as "clamp all values".
    """
    return tuple(_objects(_RESTORED, text))


def done_without(text: str) -> tuple[frozenset[str], ...]:
    """Return the terms of the thing that a person wants to do without, who says so or names another ("no cron, use X").

    Said of a session's own plans: "no cron" alone may as well tell what is not there.
    """
    match = _DONE_WITHOUT.match(text)
    if match is None or not (match["turns"] or _ANOTHER_WAY.search(match["rest"])):
        return ()
    if set(match["what"].lower().split()) & _NO_THING:
        return ()
    return tuple(_object(match["what"]))


def gives_up(text: str) -> bool:
    """Return whether a person says in so many words that they changed their mind about something that they name."""
    return _GIVES_UP.search(text) is not None and bool(undone(text) or restored(text))


def takes_back(text: str) -> bool:
    """Return whether a sentence undoes what was there ("revert", "drop", 撤回), rather than preferring another way."""
    return _UNDOES.search(text) is not None


def _within(text: str) -> Iterator[tuple[tuple[int, int], Thing]]:
    """Yield what is taken back of something else, and what somebody is to stop doing, each with its place."""
    for match in _WITHIN.finditer(text):
        groups = {name.rstrip("1234"): found for name, found in match.groupdict().items() if found is not None}
        what, scope = (next(_object(groups[name]), frozenset()) for name in ("what", "scope"))
        if what:
            yield match.span(), needed(what) | (scope - what)
    for match in _STOPPED.finditer(text):
        for thing in _object(match["what"] or match["gone"]):
            yield match.span(), needed(thing)


def _objects(pattern: re.Pattern[str], text: str, taken: Sequence[tuple[int, int]] = ()) -> Iterator[frozenset[str]]:
    """Yield what the matches of a pattern name, but for those within places whose thing is known."""
    for match in pattern.finditer(text):
        if any(start < match.end() and match.start() < end for start, end in taken):
            continue
        if not _MAYBE.search(text, max(match.start() - _BEFORE, 0), match.start()):
            yield from _object(next(group for group in match.groups() if group is not None))


def _gone(text: str) -> Iterator[frozenset[str]]:
    for match in _GONE.finditer(text):
        clause = _CLAUSE_END.search(text, max(match.start() - _GONE_CHARS, 0), match.start())
        # "Kelp 0.5 is out" is news of a release.
        if clause is not None and not _RELEASE.search(clause[0]):
            yield from _object(clause[0])


def _object(named: str) -> Iterator[frozenset[str]]:
    named = _SCOPE.sub(" ", named)
    found = frozenset(term for term in terms(named.replace("的", " ")) if len(term) > 1) - _EMPTY
    # A name counts once: "SendGrid" is not three words more to say of a warning of it.
    parts = {term for term in found if term.isascii() and any(term != one and term in one for one in found)}
    if found:
        yield found - parts
