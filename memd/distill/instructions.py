"""Instructions: what a person says shall always or never be done.

An order for now ("fix the test", "don't commit yet") is none; a rule names what holds from here on, or forbids, or
tells which of two ways to take.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from memd.distill import cues, terse
from memd.distill.draft import Draft
from memd.distill.languages import wanted
from memd.distill.reasons import because, reason_set_off, reasons_after, rejected
from memd.distill.slots import slot_of
from memd.distill.thread import Statement, Thread
from memd.model import FactPart

LIKELY: Final = 0.5
"""From this on a sentence is taken for a standing instruction."""
_REMEMBERED: Final = 256  # sentences; each is asked about several times in a row
_MIN_CHARS: Final = 12
_MIN_CHARS_CJK: Final = 6
_TERSE_SURE: Final = 0.62
_CJK: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
# "Every" and "must" also describe; these words make a sentence tell what happened rather than what shall be done.
_TELLS: Final = re.compile(
    r"\b(?:i (?:get|got|see|saw|have|tried|ran|thought|noticed)|it (?:says|fails|failed|shows)|still (?:get"
    r"|fails?)|error)\b",
    re.IGNORECASE,
)


# "Commit messages bitte auf Englisch"
_ASKS_FOR: Final = re.compile(
    r"\b(?:please|pls|plz|bitte|por ?favor|porfa|s'il (?:te|vous) pla[iî]t|stp|svp|per favore|prosím|proszę|lütfen"
    r"|пожалуйста|will you)\b|请|麻烦|してください|해 ?주세요",
    re.IGNORECASE,
)
_OPENERS: Final = re.compile(
    r"^[\W_]*(?:(?:and|also|so|oh|btw|but|then|ok(?:ay)?|please|pls|so please)\b[,:]?\s+)*", re.IGNORECASE
)
# Who tells what somebody does gives no order: "the app never retries", "you use X although", "I was using Y, not Z".
_DESCRIBES: Final = re.compile(
    r"\b(?:it|they|this|that|he|she|which|the \w+(?: \w+)?|\w+s)\s+(?:never|always|only)\s+\w+(?:ed|s|e)\b"
    r"|\b(?:i|you|it|they|he|she)(?:'m| am|'re| are| was| were|'ve| have)? (?:use|used|using|run|ran|call|called|write"
    r"|wrote|put|keep|kept)\b|\b(?:i|we|you) (?:always|never) (?:had|have|see|saw|forget|get|got|know|knew|\w+ed)\b"
    # "is red on Windows only", but not "is run in the container only"
    r"|\b(?:is|are) (?!(?:run|read|kept|set|put|sent|made|built|done)\b|\w+(?:ed|en)\b)\w+ (?:on|in|under|with|for)"
    r" (?:\S+ ){1,3}only\b"
    r"|\bso (?:it|that) (?:never|always)\b|\bwas (?:wrong|supposed)\b",
    re.IGNORECASE,
)


# "I use pnpm in all my projects" tells what to do in them.
_HABIT: Final = re.compile(
    r"\b(?:i|we) (?:(?:always|only|just|generally|mostly) )?(?:use|prefer|write|run|keep|stick (?:to|with)|work with)\b"
    r"|(?:我|我们)(?:的)?.{0,12}(?:都|一律|全)(?:只)?(?:用|是用|使用)",
    re.IGNORECASE,
)
# One choice, made now.
_CHOOSES: Final = re.compile(
    r"^\W*(?:ok(?:ay)?,? |then |so |no,? )*(?:let'?s|lets|we(?:'ll| will)|i(?:'d| would) rather|i'll"
    r"|we (?:decided|agreed|chose)|decision)\b"
    r"|^\W*(?:那就?|好[的吧]?|所以)?[，,]?(?:我们|咱们?|团队)?(?:最后|最终|还是|已经?)?(?:决定|选(?:择|用|了)?(?!项)|改用|换成|采用)",
    re.IGNORECASE,
)


# What is ordered of everything one works at: "use spaces in every project", "in none of my repos may ...".
_ORDERS: Final = re.compile(
    r"(?:^|[,;:]\s+)\W*(?:(?:please|always|and|also|so|ok)\W+)*"
    r"(?:use|write|keep|put|run|call|name|prefer|answer|sign|squash|format|pin|store|commit|push|ask|start|add|make)\b"
    r"|\b(?:in|for) none of\b|\bno(?:ne|body|thing)?\b.{0,40}\b(?:may|must|should|shall)\b|(?:用|写|放|存|别|不)",
    re.IGNORECASE,
)


# What a person's list of rules is called.
_RULES: Final = re.compile(
    r"^\W*(?:(?:the|our|my|some|important|general|coding|code|project|hard|strict|additional|key|les|las|los|le|die|os)\s+)*"
    r"(?:rules?|constraints?|guidelines?|conventions?|standing orders|do ?n[o']?t?'?s|house rules|contraintes?|règles?"
    r"|consignes?|reglas?|restricciones|normas?|regeln?|vorgaben|einschränkungen|regole|vincoli|regras?|restrições"
    r"|regels?|regler|zasady|reguły|pravidla|kurallar|правила|ограничения|обмеження|требования к коду"
    r"|规则|規則|约束|約束|规范|規範|限制|注意事项|注意事項|ルール|制約|規約|규칙|제약|주의 ?사항)"
    r"(?:\s+(?:for|of|in|to|pour|de|para|für|per|do|для)\b[^:：\n]{0,40})?\W*$",
    re.IGNORECASE,
)


def find(thread: Thread) -> Iterator[Draft]:
    """Yield the standing instructions that a person gave in this session."""
    listed = _listed(thread)
    for statement in thread.statements:
        if statement.speaker != "user":
            continue
        strength = standing(statement.text)
        if statement in listed and not cues.QUESTION.search(statement.text):
            strength = max(strength, _TERSE_SURE)
        if strength == 0.0:
            continue
        support = reasons_after(thread, statement)
        reason = because(statement, support)
        parts = [FactPart("decided", statement.text)]
        if reason:
            parts.append(FactPart("because", reason))
        parts.extend(FactPart("rejected", one) for one in rejected(statement.text))
        talk = cues.ABOUT_TALK.search(statement.text) is not None
        yield Draft(
            kind="preference" if talk else "convention",
            anchor=statement,
            confidence=strength + (0.05 if reason else 0.0),
            support=support,
            parts=tuple(parts),
            everywhere=cues.EVERYWHERE.search(statement.text) is not None,
            slot=slot_of(statement.text),
        )


def _listed(thread: Thread) -> frozenset[Statement]:
    """Return the items that stand in a person's message under the name of rules ("Constraints:")."""
    found: set[Statement] = set()
    for said in thread.by_message.values():
        ruled = False
        for one in said if said[0].speaker == "user" else ():
            if not one.item:
                ruled = one.text.rstrip().endswith((":", "：")) and _RULES.match(one.text) is not None
            elif ruled or (one.heading and _RULES.match(one.heading)):
                found.add(one)
    return frozenset(found)


@lru_cache(maxsize=_REMEMBERED)
def standing(text: str) -> float:
    """Return how sure it is that a person's sentence is a standing instruction: 0 for not at all, to 1."""
    if cues.QUESTION.search(text):
        return 0.0
    if terse.is_rule(text) and not (cues.TEMPORARY.search(text) or cues.HYPOTHETICAL.search(text)):
        return _TERSE_SURE
    return 0.0 if len(text) < (_MIN_CHARS_CJK if _CJK.search(text) else _MIN_CHARS) else _standing(text)


def _standing(text: str) -> float:
    score = 0.0
    habit = cues.EVERYWHERE.search(text) is not None and _HABIT.search(text) is not None
    if habit or cues.STANDING.search(text) or (cues.EVERYWHERE.search(text) and _wants(text)):
        score = 0.62
    if cues.USE_X_NOT_Y.search(text):
        score = max(score + 0.1, 0.62)
    if cues.NO_START.search(text):
        score = max(score + 0.1, 0.52)
    if score == 0.0 and _ASKS_FOR.search(text) and wanted(text) is not None:
        score = 0.62
    if score == 0.0 and cues.NEGATED_ORDER.match(_OPENERS.sub("", text)):
        score = 0.45
    # "Let's use A, because B must hold": what must hold is the reason of the choice and makes no rule of it.
    if score == 0.0 or (_CHOOSES.match(text) and not cues.STANDING.search(_without_reason(text))):
        return 0.0
    if cues.IDENTIFIER.search(text) or (cues.ABOUT_TALK.search(text) and cues.NO_START.search(text)):
        score += 0.1
    if cues.TEMPORARY.search(text) and not cues.USE_X_NOT_Y.search(text):
        score -= 0.25
    if cues.HYPOTHETICAL.search(text):
        score -= 0.2
    if _TELLS.search(text) or (_DESCRIBES.search(text) and not habit):
        score -= 0.25
    return min(max(score, 0.0), 0.95)


def _without_reason(text: str) -> str:
    set_off = reason_set_off(text)
    return cues.BECAUSE.split(text if set_off is None else set_off[0], maxsplit=1)[0]


def _wants(text: str) -> bool:
    """Return whether a sentence wants something, rather than to tell how it is."""
    return _ORDERS.search(text) is not None or any(
        cue.search(text) for cue in (cues.CHOICE, cues.ABOUT_TALK, cues.NEGATED_ORDER)
    )


def is_rule(statement: Statement) -> bool:
    """Return whether a statement is a standing instruction by itself."""
    return statement.speaker == "user" and standing(statement.text) >= LIKELY
