"""Replies: the few words that open a prompt answer the question, or take one of the options, that end the reply before.

"duckdb", "in the database", "15 min", 内存: what they say is the option, what it is of is the question. One of those
that the question or its list names needs no more; what it does not name has to be followed by work. A "yes" makes what
the question proposes the person's. Bare letters and numbers are read in `picking.py` and `assent.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memd.distill import cues
from memd.distill.assent import agrees, names_options
from memd.distill.cue import Cue
from memd.distill.draft import Draft, plain
from memd.distill.picking import STEPS
from memd.distill.reasons import because, is_order
from memd.distill.remarks import is_courtesy
from memd.distill.thread import Statement, Thread
from memd.model import FactPart
from memd.text.stopwords import STOP_WORDS
from memd.text.tokens import terms

CONFIDENCE: Final = 0.6
_LEAST: Final = 2
_LONGEST: Final = 200  # characters of a prompt that answers
_LONGEST_ANSWER: Final = 60  # of the words that open it
_LONGEST_QUESTION: Final = 240
_MOST_WORDS: Final = 8
_CLAUSE: Final = re.compile(r"[.,;:!](?:\s|$)|[。，；：！]|\s[—–-]\s|\s(?:and|but|because|since|so)\s")
_AFTER: Final = 2  # statements of prose that may stand behind the question
_ASKS: Final = re.compile(r"[?？][\s\"'”’)*_`]*$")
_CHATTER: Final = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|yes|yeah|well|hm+|then|so|just|let'?s|please|i'?d (?:say|prefer|go with|take)|go with|make it"
    r"|好的?|就|用|选|那就?|还是)[\s,，:]+)*"
    r"|[\s,]*(?:please|then|thanks?|吧|好了)?[\s.,!。！]*$",
    re.IGNORECASE,
)
# Which of several, or of what kind: not whether.
_OPEN_QUESTION: Final = Cue(
    r"\b(?:which|what|where|who|when|how (?:many|much|long|often|should|do|would)|prefer|or)\b",
    r"(?:哪|什么|什麼|多少|几|多久|还是|怎么|どれ|どの|何|どこ|いつ|それとも|어느|어떤|무엇|언제|몇|아니면)",
    r"\b(?:cuál\w*|qué|dónde|cuánt\w+|welche\w*|was|wo|wie (?:viele?|lange|oft)|oder|quel\w*|où|combien|quale|quali"
    r"|dove|quant\w+|qual|quais|onde|který|která|které|kde|kolik|nebo|który|która|które|gdzie|ile|czy|hangi\w*|nerede|kaç"
    r"|welk\w*|waar|hoeveel|of)\b",
    r"\b(?:как(?:ой|ая|ое|ие|ую)|где|сколько|когда|или|який|яка|яке|де|скільки|або|чи)\b",
)
# "Should I keep the sessions in Redis?": what a yes to it is of.
_WHETHER: Final = re.compile(
    r"^\W*(?:(?:so|and|or|before i (?:start|go on))\W+)*(?:should|shall) (?:i|we)\s+(?:also\s+|rather\s+)?"
    r"(?P<what>[^?？]{24,200}?)(?:,? or (?:not|leave[^?]{0,40}))?\s*[?？]",
    re.IGNORECASE,
)
# Steps on the way, nothing that a later session would want to know.
_STEP: Final = re.compile(
    r"^\W*(?:start|begin|look|check|run|read|open|inspect|verify|confirm|ask|wait|test|continue|proceed|go (?:on|ahead)"
    r"|commit|push|merge|try|show|explain|write|create|draft|prepare|update|apply|fix|do|implement|review|summari[sz]e"
    r"|investigate|deploy|release|publish|install|restart|clean|stop|help)\b",
    re.IGNORECASE,
)
_NO_ANSWER: Final = re.compile(
    r"^\W*(?:(?:both|all|neither|none|any|either|whatever|you (?:choose|decide|pick)|up to you|not sure|idk|dunno"
    r"|i don'?t (?:know|care)|don'?t know|nothing|what do you (?:think|recommend)|go on|next|done|same|wait|stop|later"
    r"|hi|hello|ready|again|retry|skip)\b|都(?:可以|行|要)|随便|不知道|你(?:定|选|决定)|继续|下一步)",
    re.IGNORECASE,
)


def find(thread: Thread) -> Iterator[Draft]:
    """Yield what short prompts decide by answering a question."""
    for number, exchange in enumerate(thread.exchanges):
        if number == 0 or exchange.prompt is None:
            continue
        said = exchange.prompt.text.strip()
        asked = _asked(thread.answered(number)) if _may_answer(said) else None
        if asked is None:
            continue
        told = _agreed(thread, asked, said, number) or _told(thread, asked, said, number)
        if told is None:
            continue
        wording, parts = told
        own = thread.by_message.get(exchange.first, ())
        order = thread.order_at(exchange.first)
        anchor = own[0] if own else Statement(
            said, exchange.prompt, exchange.first, number, order, "user", False, False, False
        )  # fmt: skip
        if own and (reason := because(own[0], own[1:])):
            parts = (*parts, FactPart("because", reason))
        yield Draft("decision", anchor, CONFIDENCE, own[1:], parts, wording=wording, also=(asked,))


def _may_answer(said: str) -> bool:
    return (
        _LEAST <= len(said) <= _LONGEST
        and "\n" not in said
        and not (cues.QUESTION.search(said) or cues.ABORTED.match(said) or cues.REFUSE.match(said))
        and _NO_ANSWER.match(said) is None
        and not said.startswith("/")
    )


def _asked(answered: tuple[Statement, ...]) -> Statement | None:
    """Return the question that ends a reply, or the sentence that names its options; None where neither does.

    What stands behind it is its list, or a remark or two.
    """
    prose = 0
    for one in reversed(answered):
        if _ASKS.search(one.text) or names_options(one.text):
            return one if len(one.text) <= _LONGEST_QUESTION else None
        prose += not (one.item or one.row)
        if prose > _AFTER:
            return None
    return None


def _agreed(thread: Thread, asked: Statement, said: str, number: int) -> tuple[str, tuple[FactPart, ...]] | None:
    """Return what a person wants who says no more than yes to a question, where the work then followed."""
    opening, exchange = agrees(said), thread.exchanges[number]
    if opening is None or len(said) - opening.end() > _AFTER or not thread.edited(exchange.first, exchange.last):
        return None
    whether = _WHETHER.match(plain(asked.text))
    if whether is None or _STEP.match(whether["what"]):
        return None
    wanted = whether["what"].strip()
    return wanted, (FactPart("decided", wanted),)


def _told(thread: Thread, asked: Statement, said: str, number: int) -> tuple[str, tuple[FactPart, ...]] | None:
    """Return how an answer to a question is told, with its parts; None where it is none."""
    words = _CHATTER.sub("", said).strip()
    answer = _CLAUSE.split(words, maxsplit=1)[0].strip()
    wanted = frozenset(terms(answer)) - STOP_WORDS
    if not (_LEAST <= len(answer) <= _LONGEST_ANSWER) or len(answer.split()) > _MOST_WORDS or is_courtesy(said):
        return None
    if not wanted or not (_OPEN_QUESTION.search(asked.text) or names_options(asked.text)):
        return None
    question, exchange = plain(asked.text), thread.exchanges[number]
    listed = [one for one in thread.by_message[asked.position] if one.item and len(one.text) > len(answer)]
    meant = [one for one in listed if wanted <= thread.terms(one)]
    if len(meant) == 1 and len(listed) > 1:
        option = plain(meant[0].text)
        rest = tuple(FactPart("rejected", plain(one.text)) for one in listed if one is not meant[0])
        more = "" if words == answer else f"; {words}"
        return f"{option} ({question}{more})", (FactPart("decided", option), *rest)
    if not wanted <= thread.terms(asked):
        worked = thread.edited(exchange.first, exchange.last)
        if words != answer or not worked or is_order(said) or STEPS.search(asked.text) or not _ASKS.search(asked.text):
            return None
    return f"{words} ({question})", (FactPart("decided", f"{question} {words}"),)
