"""Mended: what went wrong for a person, why, and what was changed, told in three places, are one fact.

Mostly structure, so that it holds in any language: a person tells of trouble, the model says what it found, files are
edited. The cause is what was said last before the first of these edits, unless words call something the cause.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from memd.distill import cues
from memd.distill.cue import Cue
from memd.distill.draft import Draft, plain
from memd.distill.findings import reports_trouble
from memd.distill.instructions import is_rule
from memd.distill.reasons import is_order
from memd.distill.size import size
from memd.distill.thread import Exchange, Statement, Thread
from memd.model import FactPart

_MOST_SAID: Final = 6  # sentences of a prompt that is about one trouble
_FEW_SAID: Final = 2  # sentences of a prompt that does nothing but tell
_LEAST: Final = 25  # of `size`: a sentence that explains something
SURE: Final = 0.66
"""The confidence of what a person called trouble or asked the reason of."""
LIKELY: Final = 0.6
"""And of what they only told."""
_SHORT: Final = 60  # characters of a prompt that only says to go on
_WHY: Final = Cue(
    r"\bwhy\b|\bfind out\b",
    r"(?:为什么|什么原因|[看找查](?:一下|下)?.{0,6}原因|為什麼|なぜ|どうして|왜)",
    r"\b(?:por qué|warum|wieso|pourquoi|perché|por que|waarom|hvorfor|varför|dlaczego|proč|neden|niye)\b",
    r"\b(?:почему|отчего|чому)\b",
)

# What says of itself that it is the fix.
_FIXED: Final = Cue(
    r"^\W*(?:(?:it|that|this)(?:'s| is) |now |ok,? |the )?(?:fixed|fix|solution|solved|resolved)"
    r"(?: (?:it|that|this|by|in|with|is))?\b\W*(?:[:：—–-]|by\b|in\b|with\b|is\b)",
    r"^\W*(?:已经?)?(?:修复|修好|解决)(?:了|方案|方法)?\W*[:：，,]",
)
_WISHES: Final = (cues.CHOICE, cues.STANDING, cues.NEGATED_ORDER, cues.PLAN, cues.PROPOSAL, cues.HYPOTHETICAL)


def find(thread: Thread) -> Iterator[Draft]:
    """Yield what was mended in this session, each with its symptom, its cause and its fix."""
    for number, exchange in enumerate(thread.exchanges):
        last = _mended_by(thread, number)
        if last is None:
            continue
        symptom = _symptom(thread, exchange)
        if symptom is None and not made_pass(thread, exchange):
            continue
        first_edit = next(at for at in range(exchange.first, last + 1) if thread.edited(at, at))
        said = [
            one
            for at in range(exchange.first, last + 1)
            for one in thread.by_message.get(at, ())
            if one.speaker == "assistant" and _explains(one.text)
        ]
        called = next((one for one in said if one.position >= first_edit and _FIXED.match(one.text)), None)
        cause = _cause([one for one in said if one is not called], first_edit)
        if cause is None and called is not None:
            earlier = (one for one in said if one.order < called.order and cues.CAUSE.search(one.text))
            cause = max(earlier, key=lambda one: one.order, default=None)
        if called is None and (cause is None or symptom is None):
            continue
        fix = called or (cause and _fix([one for one in said if one.order > cause.order], first_edit))
        parts = [
            *([FactPart("cause", plain(cause.text))] if cause else []),
            *([FactPart("fix", plain(fix.text))] if fix else []),
        ]
        anchor = cause or called
        if anchor is None:
            continue
        support = tuple(one for one in (symptom, fix) if one is not None and one is not anchor)
        told = symptom is not None and (reports_trouble(symptom.text) or _WHY.search(symptom.text) is not None)
        yield Draft("bugfix", anchor, SURE if told else LIKELY, support, tuple(parts))


def made_pass(thread: Thread, exchange: Exchange) -> bool:
    """Return whether a command failed in an exchange, a file was edited, and then one of the same program passed."""
    runs = [run for run in thread.runs if exchange.first <= run.position <= exchange.last]
    return any(
        later.ok is True and later.command.split()[:1] == failed.command.split()[:1]
        for failed in runs
        if failed.ok is False
        for later in runs
        if later.position > failed.position and thread.edited(failed.position, later.position)
    )


def _symptom(thread: Thread, exchange: Exchange) -> Statement | None:
    """Return the sentence of a prompt that tells what goes wrong."""
    if exchange.prompt is None:
        return None
    said = thread.by_message.get(exchange.first, ())
    if not said or len(said) > _MOST_SAID:
        return None
    told = next((one for one in said if reports_trouble(one.text)), None)
    return told or (said[0] if _asks_why(said) or (_only_tells(said) and _looked_into(thread, exchange)) else None)


def _asks_why(said: Sequence[Statement]) -> bool:
    return any(_WHY.search(one.text) for one in said)


def _only_tells(said: Sequence[Statement]) -> bool:
    """Return whether a prompt wants nothing in words: what it tells is what should be otherwise."""
    return (
        len(said) <= _FEW_SAID
        and size(said[0].text) >= _LEAST
        and not any(
            is_rule(one)
            or is_order(one.text)
            or cues.QUESTION.search(one.text)
            or cues.ACCEPT.match(one.text)
            or any(cue.search(one.text) for cue in _WISHES)
            for one in said
        )
    )


def _looked_into(thread: Thread, exchange: Exchange) -> bool:
    """Return whether a command failed in an exchange, or its replies speak of a cause or of what was changed."""
    if any(run.ok is False and exchange.first <= run.position <= exchange.last for run in thread.runs):
        return True
    return any(
        cues.CAUSE.search(one.text) or cues.FIX.search(one.text)
        for at in range(exchange.first + 1, exchange.last + 1)
        for one in thread.by_message.get(at, ())
    )


def _mended_by(thread: Thread, number: int) -> int | None:
    """Return the position by which files were edited because of an exchange: in it, or when told to go on."""
    exchange = thread.exchanges[number]
    if thread.edited(exchange.first, exchange.last):
        return exchange.last
    if number + 1 < len(thread.exchanges):
        after = thread.exchanges[number + 1]
        told = after.prompt.text.strip() if after.prompt is not None else ""
        goes_on = cues.ACCEPT.match(told) or is_order(told)
        if goes_on and len(told) <= _SHORT and thread.edited(after.first, after.last):
            return after.last
    return None


def _explains(text: str) -> bool:
    return size(text) >= _LEAST and not (
        cues.QUESTION.search(text)
        or cues.HEDGED_CAUSE.search(text)
        or cues.PLAN.match(text)
        or cues.NARRATION.match(text)
    )


def _cause(said: Sequence[Statement], first_edit: int) -> Statement | None:
    """Return the sentence that is called the cause, or else the first of what was said last before the first edit."""
    before = [one for one in said if one.position <= first_edit]
    called = next((one for one in reversed(before) if cues.CAUSE.search(one.text)), None)
    if called is not None or not before:
        return called
    last = [one for one in before if one.position == before[-1].position]
    named = [one for one in last if cues.IDENTIFIER.search(one.text)]
    return last[0] if named else None


def _fix(after: Sequence[Statement], first_edit: int) -> Statement | None:
    """Return the sentence that tells what was changed: by its words, or because it was said right after the edits."""
    called = next((one for one in after if cues.FIX.search(one.text)), None)
    return called or next((one for one in after if one.position > first_edit), None)
