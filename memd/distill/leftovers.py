"""Leftovers: questions that stayed open and work that stayed undone at the end of a session."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memd.distill import cues, tongues
from memd.distill.assent import agrees
from memd.distill.cue import Cue
from memd.distill.draft import Draft
from memd.distill.instructions import is_rule
from memd.distill.size import size
from memd.distill.thread import Statement, Thread

_LAST_EXCHANGES: Final = 3
_OPENS_LIST: Final = re.compile(r"[:：]\W*$")
# "Still open:", "one thing is left: ...", "the only thing left is ...".
LABEL: Final = Cue(
    r"^\W*(?:open|left)\W*[:：]"
    r"|^\W*(?:(?:still|left) open|open (?:questions?|points?|issues?|items?|ends|tasks?)|left to do|next steps?"
    r"|undone|to[- ]?dos?"
    r"|leftovers?|one leftover|remaining|pending|outstanding|not (?:yet )?done|unresolved"
    r"|what(?:'s| is| remains) (?:still )?(?:left|open|missing|to do))\b[^:：]{0,40}[:：]"
    r"|^\W*(?:(?:and|but|so|only|just|there(?:'s| is| are)|still)\s+)*"
    r"(?:one|two|three|a few|a couple of|some|several|the (?:only|last|one)) (?:\w+ )?"
    r"(?:things?|points?|items?|tasks?|questions?|issues?|steps?|bits?|parts?|pieces?)\b[^:.]{0,30}"
    r"\b(?:left|open|missing|remain(?:s|ing)?|to (?:be )?do(?:ne)?|undone|unresolved|outstanding)\b",
    r"^\W*(?:还没做|待办|未完成|遗留|待定|下一步|剩下|未解决|尚未完成|下次)[^:：。]{0,25}[:：]",
    r"^\W*(?:现在|目前|另外|不过)?[,，]?(?:还|只)剩|还有.{0,8}(?:没做|没完成|未完成|没解决|未解决|待处理)",
    *tongues.LEFT,
)
"""How a sentence or a heading begins that says what is left to do."""
_LATER: Final = re.compile(
    r"\b(?:later|tomorrow|next (?:week|time|session|sprint)|on (?:mon|tues|wednes|thurs|fri)day|another day"
    r"|at some (?:point|stage)|not (?:now|today)|leave (?:it|that|this) (?:open|for (?:now|later))"
    r"|leave .{1,30} for (?:now|later)|to-?do"
    r"|(?:don'?t|dont) know yet|before the .{0,20}(?:release|rollout|launch))\b"
    r"|(?:还差|还缺|还没|待办|留到|下周|明天|以后再|下次|回头再|改天|明日|来週|あとで|後で|次回|내일|나중에|다음에)"
    r"|\b(?:el lunes|mañana|más tarde|otro día|morgen|später|ein andermal|demain|plus tard|une autre fois|domani"
    r"|più tardi|amanhã|mais tarde|позже|потом|завтра|пізніше|jutro|później|zítra|později|yarın|daha sonra)\b",
    re.IGNORECASE,
)
_PUT_OFF: Final = re.compile(  # by the one who decides it, of something to be done
    r"\b(?:not (?:now|today)|at some (?:point|stage)|another day|leave (?:it|that|this) open"
    r"|leave .{1,30} for (?:now|later)"
    r"|(?:^|[,;.:—–-]\s*|\b(?:and|as a|one) )to-?do\b(?! (?:list|app|item|comment)s?\b)"
    r"|(?:but|do) (?:that|it|this) (?:later|tomorrow|on monday|next week)|(?:don'?t|dont) know yet)\b"
    r"|(?:以后再|下次再|回头再|改天|还差|还缺)|(?:あとで|次回に|나중에 ?(?:하|해))"
    r"|\b(?:otro día|el lunes|ein andermal|une autre fois)\b",
    re.IGNORECASE,
)
# What a person keeps for another session, in so many words.
_NEXT_TIME: Final = Cue(
    r"^\W*(?:(?:and|ok(?:ay)?|so|then)\W+)*(?:(?:for )?next (?:time|session|sprint|week)|still (?:open|missing|left"
    r"|to do|to be done)|not (?:yet )?done(?: yet)?|left for (?:later|next time))\s*[:：–—-]"
    r"|\b(?:tomorrow|next (?:time|session|sprint|week)|on (?:mon|tues|wednes|thurs|fri)day),? (?:we|i)(?:'ll| will|'d)?"
    r" (?:still )?(?:need to|have to|want to|wanna|would like to|like to|should|start|add|do|tackle|build|write|fix"
    r"|finish|continue|go on)\b"
    r"|\bpark (?:it|this|that) (?:for now|until|there)\b|\bput (?:it|this|that) (?:on hold|aside)\b"
    r"|\b(?:leave|keep|save|postpone|push|move|put)\b.{1,60}\b(?:for|to|until) (?:the )?next (?:time|session|sprint"
    r"|round)\b",
    r"下次(?:[:：]|(?:我们)?(?:还?要|得|来|接着|继续)(?!记|先|注意|小心|检查|确认)|(?:做|加|改|写|补|处理|实现|完成))"
    r"|留(?:到|给|着?等)(?:下次|以后|明天|下周|下个)|(?:^\W*|[，,。；;]\s*)(?:待办(?:事项)?|还没做(?:的|完的?)?|没做完的?"
    r"|未完成的?|遗留(?:问题)?|剩下的?)\s*[:：]|[，,。](?:就|这个)?先(?:放着|搁着|放一放|不管)(?:吧|了)?\W*$|还没(?:做|写|实现|完成|接|处理)完?(?:的|呢)?[，,。]?(?:下次|以后|回头|先放|\W*$)",
    r"\b(?:quedan? pendientes?|queda por hacer|noch offen|noch zu (?:tun|machen)|reste à faire|resta da fare"
    r"|fica pendente|zbývá udělat|zostało do zrobienia|nog te doen)\b",
    r"\b(?:осталось сделать|лишилося зробити)\b",
)
_PUT_OFF_SURELY: Final = 0.5  # more than any choice in the same breath
_UNDECIDED: Final = re.compile(r"\b(?:don'?t|dont) know yet\b|\bleave (?:it|that|this) open\b", re.IGNORECASE)
_LEAST_NEXT: Final = 15  # characters of a sentence that adds something
_LEAST: Final = 20  # of `size`: a sentence that names what is put off
_LEAST_KEPT: Final = 14  # of `size`: one that does so under the name of what is to come


def find(thread: Thread) -> Iterator[Draft]:
    """Yield what was left open, as tasks and open questions."""
    total = len(thread.exchanges)
    listed, items = _lists(thread)
    for statement in thread.statements:
        late = statement.exchange >= total - _LAST_EXCHANGES
        if statement in listed:
            continue  # what it opens says it
        labelled = statement in items or LABEL.match(statement.text) is not None
        if statement.speaker == "assistant":
            if not (statement.final or labelled) or not (labelled or (late and cues.OPEN.search(statement.text))):
                continue
            if not labelled and (
                cues.QUESTION.search(statement.text)
                or cues.PROPOSAL.search(statement.text)
                or len(statement.text) < 25
                or cues.NARRATION.match(statement.text)
            ):
                continue
        elif not (_put_off(statement.text) or _kept_for_later(thread, statement, late)):
            continue
        if resolved(thread, statement):
            continue
        named = cues.IDENTIFIER.search(statement.text) is not None
        confidence = 0.34 + 0.2 * labelled + 0.08 * named + 0.06 * late
        if statement.speaker == "user" and any(cue.search(statement.text) for cue in (_PUT_OFF, _NEXT_TIME)):
            confidence += _PUT_OFF_SURELY
        question = "?" in statement.text or "？" in statement.text or _UNDECIDED.search(statement.text) is not None
        yield Draft("open_question" if question else "task", statement, confidence, tuple(_next(thread, statement)))


def _lists(thread: Thread) -> tuple[frozenset[Statement], frozenset[Statement]]:
    """Return the sentences of the model that open a list of what is left, and the items of such lists and headings."""
    opening: set[Statement] = set()
    items: set[Statement] = set()
    for said in thread.by_message.values():
        opener: Statement | None = None
        for one in said:
            if one.speaker != "assistant":
                break
            if not one.item:
                opener = one if _OPENS_LIST.search(one.text) and LABEL.match(one.text) else None
            elif opener is not None or (one.heading and LABEL.match(f"{one.heading}:")):
                items.add(one)
                opening.update(() if opener is None else (opener,))
    return frozenset(opening), frozenset(items)


def _put_off(text: str) -> bool:
    """Return whether a person puts off something: named, or said to be for another day."""
    if cues.QUESTION.search(text) or not _LATER.search(text):
        return False
    return size(text) >= _LEAST and (cues.IDENTIFIER.search(text) is not None or _PUT_OFF.search(text) is not None)


def _kept_for_later(thread: Thread, statement: Statement, late: bool) -> bool:
    """Return whether a person keeps something for another session, or names as the last word a step nobody then took.

    "Next time answer in German" is an instruction, and "next step: a button" an order for now where work followed.
    """
    text = statement.text
    if size(text) < _LEAST_KEPT or cues.QUESTION.search(text) or is_rule(statement):
        return False
    if _NEXT_TIME.search(text):
        return True
    exchange = thread.exchanges[statement.exchange]
    return late and LABEL.match(text) is not None and not thread.edited(exchange.first, exchange.last)


def _next(thread: Thread, statement: Statement) -> Iterator[Statement]:
    later = next(thread.following(statement), None)
    if later is None or len(later.text) <= _LEAST_NEXT or cues.QUESTION.search(later.text):
        return
    supposes = cues.HYPOTHETICAL if statement.speaker == "user" else cues.PROPOSAL
    if not supposes.search(later.text):
        yield later


def resolved(thread: Thread, statement: Statement) -> bool:
    """Return whether files were edited two exchanges or more after something was called open, or at once as agreed."""
    after = statement.exchange + 1
    if after < len(thread.exchanges):
        answer = thread.exchanges[after]
        agreed = answer.prompt is not None and agrees(answer.prompt.text.strip())
        if statement.speaker == "assistant" and agreed and thread.edited(answer.first, answer.last):
            return True
    later = thread.exchanges[after + 1 :]
    return any(thread.edited(exchange.first, exchange.last) for exchange in later)
