"""Assent: a short prompt that agrees makes what the reply before it proposed the person's decision.

"Do it", "ok option 2", "yeah do that, but three retries" say nothing by themselves; the proposal does, in the model's
words. That the person agreed makes it theirs, and that files were changed then shows that it was more than a step to
take. What they change of it stands in their own words and goes with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from memd.distill import cues
from memd.distill.cue import Cue
from memd.distill.draft import Draft, plain
from memd.distill.reasons import is_order
from memd.distill.thread import Statement, Thread
from memd.model import FactPart
from memd.text.stopwords import STOP_WORDS
from memd.text.tokens import terms

CONFIDENCE: Final = 0.5
_TOLD_AGAIN: Final = 2  # terms of a proposal by which a reply tells that it was done
_FEW: Final = 4  # statements of a reply whose end is what "it" means
_MOST: Final = 60  # characters of an answer that only agrees
_MOST_AMENDED: Final = 160  # and of one that changes something of it
_LEAST: Final = 30  # characters of a proposal that says what is to be done
_LEAST_OPTION: Final = 4

# How the model says what it would do, or what would be a remedy.
_PROPOSES: Final = Cue(
    r"\b(?:i'?d (?:suggest|recommend|go|use|prefer|rather|keep|lean|add|put|make|drop|move|split|switch|replace|store"
    r"|set|have|cache|wrap)|i (?:suggest|recommend|propose)|i would (?!need|have to|like)|my recommendation"
    r"|recommendation:|(?:would|could|will|should) (?:fix|solve|cure|avoid|prevent|remove|cut|halve|speed"
    r"|be (?:better|simpler|enough|faster|cleaner|safer|easier)|do (?:it|the job))"
    r"|the (?:simplest|cleanest|best|right|safest|easiest) (?:fix|way"
    r"|option|solution|approach) (?:is|would be)|we (?:could|should)|you (?:could|should))\b",
    r"(?:建议|推荐|可以考虑|不如|最好(?:是|把|用)|我会(?:用|把|改|加)|可以(?:用|把|改|加|换)|就能(?:解决|修好|避免))",
    r"\b(?:sugiero|recomiendo|propongo|empfehle|vorschlag|würde ich|ich würde|je propose|je suggère"
    r"|je recommande|consiglio|sugiro|recomendo|öneririm|navrhuji|doporučuji|proponuję|polecam)\b",
    r"\b(?:предлагаю|рекомендую|советую|пропоную|раджу)\b",
    r"(?:提案|おすすめ|推奨|のがよい|のが良い|추천|제안|좋겠습니다|하는 게 좋)",
)
# Agreeing in an imperative, beside what `cues.ACCEPT` knows.
_GO_ON: Final = Cue(
    r"^\W*(?:(?:please )?(?:do|make|try|apply|implement) (?:it|that|this|so)|why not|by all means"
    r"|go (?:ahead|for it))\b|^\W*go\W*$",
    r"^\W*(?:那?就?这么(?:办|做|改)|(?:那就?)?(?:改|做|来|弄|换|加)吧|按这个(?:改|做|来)"
    r"|やって|そうして|해 ?줘|그렇게)",
    r"^\W*(?:(?:ja|jo|ok|gut)[, ]+)?(?:mach(?:e|t)?(?: mal)? (?:das|es|so)|nimm das|klingt gut|in ordnung"
    r"|fais(?:-le| ça| comme ça)|hazlo|dale|fallo|fai così|faz isso|pode fazer|udělej to|zrób to|doe dat"
    r"|gør det|yap)\b",
    r"^\W*(?:делай|сделай|роби|зроби)\b",
)
# "Raise it to 512 then": a figure for what the reply spoke of.
_ADJUSTS: Final = Cue(
    r"^\W*(?:(?:ok(?:ay)?|then|and|no|hm+|please|so|just|let'?s)\W+)*(?:make|set|raise|lower|bump|increase|reduce|change"
    r"|cut|limit|cap|put)\s+(?:it|that|them|this)\b.*\d",
    r"^\W*(?:那就?|就|把它|还是)?(?:改|设|调|提|降|加)(?:成|到|为|至)\s*\d",
)
# "300 改成 500", "5 instead of 10": the figure that it takes the place of tells what it is of.
_FORMER: Final = re.compile(
    r"(?P<a>\d[\d.]*)\s?[^\W\d_]{0,3}?\s*(?:改成|改为|换成|调到|から|->|→)\s*\d"
    r"|\d\w*,?\s+(?:instead of|not|rather than|statt|nicht|en vez de|au lieu de|вместо)\s+(?P<b>\d[\d.]*)",
    re.IGNORECASE,
)
# "Use the cursor", "do the counter row": what the reply named.
_TAKES_UP: Final = Cue(
    r"^\W*(?:(?:ok(?:ay)?|then|yes|yeah|hm+|fair|please|so|just|let'?s|well)\W+)*(?:do|use|take|try|go (?:with|for)"
    r"|keep) (?:the|that|your|this|a)\s+(?!same\b|other\b|rest\b|next\b|tests?\b|usual\b)",
    r"^\W*(?:那就?|就|还是)(?:用|选|做|上)",
    r"^\W*(?:nimm|mach|usa|prends?|utilise|usemos|haz|usiamo) (?:den|die|das|el|la|los|il|lo|le|les|o|a)\b",
)
# A step on the way: nothing that a later session would want to know.
_STEP: Final = re.compile(
    r"\b(?:start (?:by|with)|first|look (?:at|into)|check|run|read|open|inspect|verify|confirm|ask|wait|test|continue"
    r"|proceed|commit|push|begin)\b",
    re.IGNORECASE,
)
# How a reply begins that reports what was just agreed as done.
_DONE: Final = Cue(
    r"^\W*(?:(?:ok(?:ay)?|all|it'?s)\W+)?(?:done|added|fixed|changed|moved|switched|updated|implemented|removed"
    r"|replaced)\b",
    r"^\W*(?:好的?[，,、\s]*)?(?:已|改成|换成|加上|做好|完成)|^\W*(?:完了|変更しました|完了했|변경했|했습니다)",
    r"^\W*(?:erledigt|fertig|gemacht|umgestellt|geändert|hecho|listo|cambiado|c'est fait|fait|terminé|fatto|feito"
    r"|pronto|hotovo|gotowe|zrobione|gedaan|klart|yapıldı)\b",
    r"^\W*(?:готово|сделано|зроблено)\b",
)
_ANYWHERE: Final = re.compile(
    r"\b(?:generally|in general|typically|usually|as a rule|normally|en general|im allgemeinen|en général)\b"
    r"|一般来说|一般而言|通常|обычно",
    re.IGNORECASE,
)
_POINTS_BACK: Final = re.compile(r"\b(?:it|this|that|them)\b|它|这", re.IGNORECASE)
_AMENDS: Final = Cue(
    r"\b(?:but|except|only|just|with|instead|and)\b",
    r"(?:但|不过|只|另外|而且|再)",
    r"\b(?:pero|aber|mais|ma|mas|ale|ama|nur|solo)\b",
    r"\b(?:но|только|але)\b",
    r"(?:ただ|だけ|하지만|단)",
)
# "Two options: soft delete, or hard delete with an audit row."
_INLINE: Final = re.compile(
    r"\b(?:two|three|four|2|3|4|a few) (?:\w+ )?(?:options?|ways?|choices|approaches|alternatives|possibilities)\b"
    r"[^:]{0,40}:\s*(?P<list>.+)$|(?:[两三四2-4]|几)[个种](?:方案|选择|办法|方法|选项)[^：:]{0,20}[：:]\s*(?P<zh>.+)$",
    re.IGNORECASE,
)
# "Opciones: a) incremental, b) more memory": each under its letter or number.
_MARKED: Final = re.compile(
    r"(?:^|[\s:：;；,，。])\(?(?P<mark>[a-d]|[1-4])(?:\)|\.(?=\s))\s*(?P<text>[^;；\n]+?)"
    r"(?=\W*(?:[\s:：;；,，]\(?(?:[a-d]|[1-4])(?:\)|\.\s)|$))",
    re.IGNORECASE,
)
_LEADS_ON: Final = re.compile(r"[,，]?\s+(?:or|and|oder|ou|или|або)$|[，,]?(?:或者|还是|要么)$", re.IGNORECASE)
_BETWEEN: Final = re.compile(r";\s*(?:or\s+)?|,\s*or\s+|\s+or\s+|[；]|，?(?:或者|还是|要么)")
_BY_COMMA: Final = re.compile(r",\s+|，|、")
_MARK: Final = re.compile(r"^\W*(?:\(?[1-4a-d][.):]\s*)?(?:either\s+|要么)?", re.IGNORECASE)
_PICKS: Final = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|yes|yeah|sure|fine|go (?:with|for)|take|do|let'?s (?:do|go with|take)|the"
    r"|i'?d (?:say|take|go with)|好|行|就|选|用|那就?)[\s,，]*)*(?:option|number|no\.?|方案|选项|第)?\s*#?"
    r"(?P<n>[1-4](?![\w.])|[a-d](?=\W*(?:please\W*)?$)|first|second|third|last|latter|former|[一二三四](?=[个种]|\W*$))"
    r"(?:\s*(?:one|option|way|approach|[个种]))?(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_PLACES: Final = {
    "first": 0, "former": 0, "second": 1, "third": 2, "last": -1, "latter": -1, "一": 0, "二": 1, "三": 2, "四": 3,
}  # fmt: skip


def find(thread: Thread) -> Iterator[Draft]:
    """Yield the proposals that a person agreed to in a word, where the work then followed."""
    for number, exchange in enumerate(thread.exchanges):
        if exchange.prompt is None:
            continue
        said = exchange.prompt.text.strip()
        asked = thread.by_message.get(exchange.first, ())[:1]  # none where it is a word or two
        if (picked := _picked(thread, said, number)) is not None:
            one, parts = picked
            yield Draft("decision", one, CONFIDENCE + 0.1, asked, parts, wording=parts[0].text)
        elif asked and (proposed := agreed_to(thread, asked[0]) or _spoken_of(thread, asked[0])):
            if not _followed(thread, number, f"{proposed[-1].text} {asked[0].text}"):
                continue
            changed = Draft("decision", asked[0], CONFIDENCE, parts=(FactPart("decided", asked[0].text),))
            yield told_with(changed, proposed)
        elif _only_agrees(said) and (proposed := proposal(thread, number)):
            *before, last = proposed
            if not _followed(thread, number, last.text):
                continue
            yield Draft("decision", last, CONFIDENCE, (*before, *asked), (FactPart("decided", last.text),))


def _followed(thread: Thread, number: int, text: str) -> bool:
    """Return whether files were changed in an exchange, or its reply tells as done what a text says."""
    exchange = thread.exchanges[number]
    if thread.edited(exchange.first, exchange.last):
        return True
    told = thread.by_message.get(exchange.final, ()) if exchange.final is not None else ()
    if told and _DONE.match(told[0].text):
        return True
    wanted = frozenset(terms(text)) - STOP_WORDS
    done = frozenset(
        term
        for one in told
        if not (cues.QUESTION.search(one.text) or cues.PLAN.match(one.text))
        for term in thread.terms(one)
    )
    return len(wanted & done) >= _TOLD_AGAIN


def agreed_to(thread: Thread, statement: Statement) -> tuple[Statement, ...]:
    """Return what a person agrees to in a sentence that changes something of it ("yes, but three retries")."""
    text = statement.text
    opening = agrees(text) if len(text) <= _MOST_AMENDED else None
    if opening is None or statement is not thread.by_message[statement.position][0] or not _AMENDS.search(text):
        return ()
    return () if cues.QUESTION.search(text[opening.end() :]) else proposal(thread, statement.exchange)


def agrees(text: str) -> re.Match[str] | None:
    """Return how a person's text opens where it agrees to something ("yes", "do it", 改吧), else None."""
    return cues.ACCEPT.match(text) or _GO_ON.match(text)


def _spoken_of(thread: Thread, statement: Statement) -> tuple[Statement, ...]:
    """Return what the reply before said of what a person gives a figure to ("raise it to 512") or takes up by name."""
    text = statement.text
    if len(text) > _MOST or text.rstrip().endswith(("?", "？")):
        return ()
    told = tuple(one for one in thread.answered(statement.exchange) if not cues.QUESTION.search(one.text))
    if (former := _FORMER.search(text)) is not None:
        figure = re.compile(rf"(?<![0-9A-Za-z_.]){re.escape(former['a'] or former['b'])}(?![\d.])")
        return next(((one,) for one in reversed(told) if figure.search(one.text)), ())
    if _ADJUSTS.match(text):
        return told[-1:] if told and len(told) <= _FEW else ()
    taken = _TAKES_UP.match(text)
    named = frozenset(terms(text[taken.end() :])) if taken is not None else frozenset()
    return next(((one,) for one in reversed(told) if named and named <= thread.terms(one)), ())


def told_with(draft: Draft, proposed: tuple[Statement, ...]) -> Draft:
    """Return a draft that changes something of a proposal, told by the proposal with the change behind it."""
    if not proposed:
        return draft
    wording = f"{' '.join(plain(one.text) for one in proposed)} ({plain(draft.anchor.text)})"
    return replace(draft, wording=wording, also=(*draft.also, *proposed))


def proposal(thread: Thread, exchange: int) -> tuple[Statement, ...]:
    """Return what the reply that an exchange answers proposed last, after what it points back to; () for nothing."""
    answered = thread.answered(exchange)
    for at in range(len(answered) - 1, -1, -1):
        one = answered[at]
        if _proposes(one.text):
            before = (
                answered[at - 1 : at] if _POINTS_BACK.search(one.text) and not cues.IDENTIFIER.search(one.text) else ()
            )
            return (*(each for each in before if not cues.QUESTION.search(each.text)), one)
    return ()


def _proposes(text: str) -> bool:
    match = _PROPOSES.search(text)
    if match is None or len(text) < _LEAST or cues.QUESTION.search(text) or text.rstrip().endswith((":", "：")):
        return False
    return not (_ANYWHERE.search(text) or _STEP.search(text[match.start() : match.end() + 24]) or is_order(text))


def _only_agrees(text: str) -> bool:
    opening = agrees(text) if len(text) <= _MOST else None
    if opening is None or cues.QUESTION.search(text[opening.end() :]):
        return False
    return not cues.NEGATED_ORDER.search(text) and "不" not in text.replace("不错", "")


def _picked(thread: Thread, said: str, exchange: int) -> tuple[Statement, tuple[FactPart, ...]] | None:
    """Return the sentence of the reply whose options a person picks one of, with that one and those left."""
    pick = _PICKS.match(said) if len(said) <= _MOST and not cues.QUESTION.search(said) else None
    if pick is None:
        return None
    which = pick["n"].lower()
    place = _PLACES.get(which, "abcd".find(which) if which in "abcd" else None)
    place = int(which) - 1 if place is None else place
    for one in reversed(thread.answered(exchange)):
        named = _options(one.text)
        if len(named) > 1 and place < len(named):
            rest = tuple(FactPart("rejected", other) for other in named if other != named[place])
            return one, (FactPart("decided", named[place]), *rest)
    return None


def names_options(text: str) -> bool:
    """Return whether a sentence names several options to choose from ("Two ways: a queue, or a table")."""
    return len(_options(text)) > 1


def _bare(option: str) -> str:
    """Return an option without the "or" that leads to the next one; what its end took of a code mark is put back."""
    named = _LEADS_ON.sub("", plain(option).strip(" ,，.。"))
    return named + "`" * (named.count("`") % 2)


def _options(text: str) -> tuple[str, ...]:
    """Return the options that a sentence names in a row, in order."""
    marked = {one["mark"].lower(): _bare(one["text"]) for one in _MARKED.finditer(text)}
    if len(marked) > 1 and (list(marked) in (["a", "b"], ["a", "b", "c"], ["1", "2"], ["1", "2", "3"])):
        return tuple(marked.values())
    match = _INLINE.search(text)
    if match is None:
        return ()
    row = plain(match["list"] or match["zh"]).rstrip(".。 ")
    parts = _BETWEEN.split(row)
    if len(parts) == 2 and not re.search(r"[;；]", row):
        parts = (
            [*_BY_COMMA.split(parts[0]), parts[1]]
            if re.match(r"\W*(?:three|four|3|4|[三四])", match[0], re.IGNORECASE)
            else parts
        )
    named = [_MARK.sub("", part).strip(" ,，.") for part in parts]
    return tuple(one for one in named if len(one) >= _LEAST_OPTION)
