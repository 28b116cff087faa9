"""Turning: what a person changes their mind about, and what they settle in a word or a figure.

"Pixi now, uv is out" and "1500 g" are short and hold no word of choosing, and yet nothing in a session matters more to
the next one: what stood before would go on standing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memd.distill import cues
from memd.distill.assent import agreed_to, proposal, told_with
from memd.distill.chat import is_request
from memd.distill.cue import Cue
from memd.distill.draft import Draft
from memd.distill.findings import reports_trouble
from memd.distill.instructions import is_rule
from memd.distill.reasons import because, reasons_after, rejected
from memd.distill.reversal import gives_up
from memd.distill.size import size
from memd.distill.slots import slot_of
from memd.distill.thread import Statement, Thread
from memd.distill.valued import changes, measures, takes, valued
from memd.model import FactPart
from memd.text.tokens import terms

_TURNED: Final = 0.72  # more than any choice or cause in the same breath
_SETTLED: Final = 0.6
_MOST: Final = 90  # characters of a sentence that settles a figure and says nothing else
_PICKS: Final = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|yes|no|fine|right|good|hm+|alright)\W+)*"
    r"(?P<what>[\w`'\"./+#-]+(?: [\w`'\"./+#-]+){0,3}?),?"
    r" then(?:,? please)?(?=\W*$|[,;–—])"
    r"|^\W*(?:那就?|就)(?:用)?(?P<zh>[^，。；！？]{2,20}?)(?:(?:吧|好了)\W*$|[，,；;])",
    re.IGNORECASE,
)
_NOTHING: Final = frozenset(
    "it that this they so well now what and but until back just there next or if do go see fix run try make wait let"
    " us me let's not start stop tell show commit push later tomorrow nothing something everything"
    " 这样 这么 算 行 先这样".split()
)
# What was settled otherwise before, or would be, and is wanted now.
_AFTER_ALL: Final = Cue(
    r"\bafter all\W*$|\b(?:on second thought|actually,? (?:no|yes|let'?s|do|don'?t|keep|use))\b",
    r"还是(?:要|得|别|不要|不用|改|用|走|存|放|写|加|保留|删|留)|还是[^，,。；！？\n]{1,20}吧(?:\W*$|[，,])|還是(?:要|得|別|不要|不用|用)"
    r"|^\W*(?:やっぱり?|やはり)|^\W*(?:역시|그냥)\s?.{2,}(?:하자|해줘|하죠|합시다|로 가자)",
    r"\b(?:jetzt|nun) doch\b|\bdoch (?:auf|nur) \d"
    r"|^\W*(?:mejor (?:sí|no|que)|al final (?:sí|no|mejor)|finalement\b|en fin de compte|(?:lieber|dann) doch\b"
    r"|doch (?:lieber|wieder|nicht|kein)|alla fine|pensandoci bene|no final|pensando bem|přece jen|nakonec|jednak\b"
    r"|aslında\b)",
    r"^\W*(?:вс[её][- ]?таки|вс[её] же|лучше вс[её]|все ж(?:е|-таки)?)\b",
)
# "Still has to be reloaded by hand" tells of trouble that goes on.
_GOES_ON: Final = Cue(
    r"\bstill\b",
    r"还是(?:要|得)(?:等|手动|重新|自己|一直|再|刷|重启)|不行|不对|没用|手動|まだ|여전히",
)
_MOST_AFTER_ALL: Final = 60  # of `size`: a longer sentence tells what it turns to in other words, too
_LEAST_AFTER_ALL: Final = 10
_LEAST_REASON: Final = 12  # characters
# What was, what somebody does, and what is only waited for settle nothing.
_TELLS: Final = re.compile(
    r"\b(?:i|me|my|you|he|she|they|took|takes|was|were|is|are|has|had|have|got|gets?|ago|waited|wait|still|since|ran|left"
    r"|already|see|seen|says?|said|shows?|lasted|about|back|done|ready|lunch|weather|off|fails?|failed|hangs?)\b"
    r"|花了|等了|已经|了\W*$|以前|还|跑了|用了",
    re.IGNORECASE,
)


def find(thread: Thread) -> Iterator[Draft]:
    """Yield what a person gave up, took up again or settled in so many words."""
    for statement in thread.statements:
        text = statement.text
        if statement.speaker != "user" or cues.QUESTION.search(text) or is_request(text) or _supposes(text):
            continue
        given = valued(text)
        if (
            gives_up(text)
            or _after_all(text)
            or _calls_off(text)
            or (given is not None and given.turns and (changes(text) or not reports_trouble(text)))
        ):
            yield _draft(thread, statement, _TURNED, ("reversal",))
        elif _settles(text) or _takes(text) or _picks(thread, statement):
            yield _draft(thread, statement, _SETTLED, ())


def _draft(thread: Thread, statement: Statement, sure: float, tags: tuple[str, ...]) -> Draft:
    support = reasons_after(thread, statement)
    reason = because(statement, support)
    parts = [FactPart("decided", statement.text), *([FactPart("because", reason)] if reason else [])]
    parts.extend(FactPart("rejected", one) for one in rejected(statement.text))
    rule = is_rule(statement)
    draft = Draft(
        kind="convention" if rule else "decision",
        anchor=statement,
        confidence=sure,
        support=support,
        parts=tuple(parts),
        everywhere=cues.EVERYWHERE.search(statement.text) is not None,
        slot=slot_of(statement.text) if rule else None,
        tags=tags,
    )
    return told_with(draft, agreed_to(thread, statement) or _proposed(thread, statement))


def _calls_off(text: str) -> bool:
    """Return whether a sentence calls off what was begun and says why: "let's abort, the office does it"."""
    match = cues.ABORTED.match(text)
    return match is not None and len(text) - match.end() >= _LEAST_REASON


def _after_all(text: str) -> bool:
    """Return whether a short sentence wants what was settled otherwise before: "compress them after all"."""
    return (
        _LEAST_AFTER_ALL <= size(text) <= _MOST_AFTER_ALL
        and _AFTER_ALL.search(text) is not None
        and not (_GOES_ON.search(text) or reports_trouble(text) or cues.PLAN.match(text))
    )


def _supposes(text: str) -> bool:
    return cues.HYPOTHETICAL.search(text) is not None


def _settles(text: str) -> bool:
    """Return whether a sentence does nothing but give a measure to something: "alarm at 1500 g in 10 min"."""
    return (
        len(text) <= _MOST
        and measures(text)
        and not (_TELLS.search(text) or reports_trouble(text) or cues.PLAN.match(text))
    )


def _takes(text: str) -> bool:
    """Return whether a sentence does nothing but take one thing for another: "use tern for the queue"."""
    return (
        len(text) <= _MOST
        and takes(text)
        and not (_TELLS.search(text) or reports_trouble(text) or cues.PLAN.match(text) or cues.PROPOSAL.search(text))
    )


def _proposed(thread: Thread, statement: Statement) -> tuple[Statement, ...]:
    """Return the proposal of the reply before, where what a person picks is named in it."""
    if _PICKS.match(statement.text) is None:
        return ()
    found = proposal(thread, statement.exchange)
    named = thread.terms(statement) - _NOTHING
    return found if any(named & thread.terms(one) for one in found) else ()


def _picks(thread: Thread, statement: Statement) -> bool:
    """Return whether a sentence picks what the reply before it spoke of: "Markdown files then"."""
    match = _PICKS.match(statement.text)
    if match is None:
        return False
    what = match["what"] or match["zh"]
    if what.split(" ")[0].casefold() in _NOTHING:
        return False
    named = frozenset(terms(what)) - _NOTHING
    return bool(named) and any(named & thread.terms(one) for one in thread.answered(statement.exchange))
