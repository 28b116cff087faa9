"""Weighing: which passages of a session become candidates.

A passage is worth keeping when its signals say so; what a rule made of it tells kind and parts. What was taken back
later goes, what says the same thing twice is said once, neighbours in a list are kept together, and of the rest only as
much stays as the session's length warrants: a memory that keeps everything helps nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import sqrt
from typing import Final

from memd.distill import amending, assent, cues, howto, mended, picking, replies
from memd.distill.draft import Draft, plain, shorten
from memd.distill.findings import kind_of, telling
from memd.distill.instructions import LIKELY
from memd.distill.merging import MAX_SUPPORT, joined, merged
from memd.distill.overtaken import closed_later, overtaken
from memd.distill.passages import Passage
from memd.distill.reasons import goes_on
from memd.distill.replaced import Replaced, left_of, overtaken_by_edits, replaced
from memd.distill.restating import restated
from memd.distill.reversal import done_without, undone
from memd.distill.setting import Setting
from memd.distill.signals import signals
from memd.distill.size import size
from memd.distill.taken import names
from memd.distill.thread import Statement, Thread
from memd.distill.worth import FITTED, Weights, worth
from memd.model import FactKind
from memd.text.tokens import terms

FLOOR: Final = 0.37
"""The least worth that is kept."""
MAX_FACTS: Final = 24
_ROOM: Final = 16  # facts that the length of any session warrants
_SURE: Final = 0.6  # of this worth a passage is kept even beyond what the length warrants
_SUREST: Final = 0.7  # and of this one beyond what any length does
_AT_LEAST: Final = 2  # facts that the shortest session may give
_SURE_RULE: Final = 0.6  # a standing instruction of this confidence is a fact of its own within its paragraph
_SURE_CHOICE: Final = 0.5  # a person's choice of this confidence is a fact of its own beside such an instruction
_OUTRIGHT: Final = 0.6  # the worth that such an instruction has at least, however short it is
# A draft of one of these rules and this confidence says in so many words what it is: mended, a root cause, left to do.
_OF_ITSELF: Final = {"assent": assent.CONFIDENCE, "turn": 0.6, "mended": mended.LIKELY, "cause": 0.65, "leftover": 0.6}
# What a person asked for in words, or picked: no less sure than what they lay down.
_ASKED: Final = {
    "howto": howto.CONFIDENCE,
    "pick": picking.CONFIDENCE,
    "reply": replies.CONFIDENCE,
    "amendment": amending.CONFIDENCE,
}
_TOLD_WHOLE: Final = 0.4  # the worth that it has at least
_NO_RULE: Final = 0.3  # an instruction of less is an order for now
_SAME: Final = 0.6  # share of the smaller text's terms that makes two drafts one
_FEW_TERMS: Final = 3
_TOGETHER: Final = 420  # characters of neighbouring list items that are kept as one
_SHORT: Final = 80  # a passage that says less needs what stands above it
_MAX_CONTEXT: Final = 60
_WHOLE: Final = frozenset(("mended", "cause"))  # rules whose drafts tell a trouble, its cause and what was done
_REVERSIBLE: Final = frozenset(("decision", "config", "architecture", "discovery"))


@dataclass(slots=True)
class _Kept:
    """A draft that stays, with its worth, its terms and the passages it is made of."""

    draft: Draft
    worth: float
    terms: frozenset[str]
    passages: tuple[Passage, ...]


def weigh(setting: Setting, drafts: Iterable[Draft], weights: Weights = FITTED) -> tuple[Draft, ...]:
    """Return the drafts worth keeping, in the order they were said."""
    back = reversals(setting.thread)
    gone = replaced(setting.thread)
    standing = [one for one in _candidates(setting, drafts, weights, gone) if not taken_back(one.draft, back)]
    for one in standing:
        if one.draft.rule in _WHOLE:
            # It comes before what tells a part of it, and takes that in.
            one.worth = max(other.worth for other in standing if other.draft.anchor in one.draft.sources)
    standing.sort(key=lambda one: (-one.worth, one.draft.rule not in _WHOLE, one.draft.anchor.order))
    room = min(_ROOM, _AT_LEAST + sqrt(len(setting.passages)))
    kept: list[_Kept] = []
    for one in standing:
        if (same := next((other for other in kept if _same(one, other)), None)) is not None:
            if _turns(one.draft, same.draft):
                same.draft, same.terms, same.passages = one.draft, one.terms, one.passages
            elif _answers(one.draft) and same.draft.anchor.speaker == "assistant":
                same.draft = merged(one.draft, same.draft)  # who decides it says it
            elif not _turns(same.draft, one.draft):
                same.draft = merged(same.draft, one.draft)
        elif (near := next((other for other in kept if _belong_together(one, other)), None)) is not None:
            near.draft = joined(near.draft, one.draft)
            near.passages += one.passages
            near.terms |= one.terms
        elif len(kept) < room or (len(kept) < MAX_FACTS and one.worth >= (_SURE if len(kept) < _ROOM else _SUREST)):
            kept.append(one)
    told = (left for one in kept if (left := left_of(_with_confidence(one), gone)) is not None)
    return tuple(sorted(told, key=lambda draft: draft.anchor.order))


def _with_confidence(kept: _Kept) -> Draft:
    return replace(kept.draft, confidence=0.5 + 0.5 * (kept.worth - FLOOR) / (1 - FLOOR))


def _candidates(setting: Setting, drafts: Iterable[Draft], weights: Weights, gone: Replaced) -> Iterator[_Kept]:
    past = overtaken(setting.thread) | overtaken_by_edits(setting.thread, gone)
    again = restated(setting.passages)
    worths: dict[Passage, float] = {}
    for passage in setting.passages:
        if passage.only_opens and passage.anchor.speaker == "assistant":
            continue
        likely = max(worth(setting, passage, weights), worths.get(passage, 0.0))
        if (later := again.get(passage)) is not None:
            worths[later] = max(likely, worths.get(later, 0.0))  # what was worth telling is worth telling as it ended
            continue
        outright = _outright(setting, passage)
        turns = any(one.rule in ("turn", "assent", "reply", "amendment") for one in setting.drafts(passage))
        if outright or any(one.rule in _ASKED for one in setting.drafts(passage)):
            likely = max(likely, _OUTRIGHT)
        elif any(_told_whole(one) for one in setting.drafts(passage)):
            likely = max(likely, _TOLD_WHOLE)
        if past.issuperset(passage.statements):
            continue
        if likely >= FLOOR and (outright or turns or len(setting.terms[passage]) >= _FEW_TERMS):
            for draft in _of_passage(setting, passage, past):
                yield _Kept(draft, likely, _own_terms(setting, passage, draft), (passage,))
    for draft in drafts:
        if (
            setting.owner(draft.anchor) is None
            and draft.rule in ("answer", "command", "assent", "pick", "reply", "amendment")
            and not _gave_way(draft, past)
            and not closed_later(setting.thread, draft.anchor, draft.wording or draft.anchor.text)
        ):
            yield _Kept(draft, draft.confidence, frozenset(terms(draft.text)), ())


def _own_terms(setting: Setting, passage: Passage, draft: Draft) -> frozenset[str]:
    """Return the terms of what a draft says of a passage, which may be but one sentence of several."""
    said = set(draft.support) & set(passage.statements)
    if not said:
        return frozenset(terms(draft.anchor.text))
    return frozenset(t for one in (draft.anchor, *said) for t in setting.thread.terms(one) if len(t) > 1)


def _of_passage(setting: Setting, passage: Passage, past: frozenset[Statement]) -> Iterator[Draft]:
    """Yield what a passage becomes: claims that must not be one each by itself, else its surest draft with the rest."""
    found = [
        draft
        for draft in setting.drafts(passage)
        if not _gave_way(draft, past) and not (draft.rule == "instruction" and draft.confidence < _NO_RULE)
    ]
    rest = tuple(one for one in passage.statements if one not in past)
    if len(apart := _apart(found, passage.anchor)) > 1:
        yield from _shared_out(apart, rest)
        return
    if not found:
        context = _context(passage)
        lead = max(rest, key=lambda one: (telling(one.text), -one.order))
        others = tuple(one for one in rest if one is not lead)
        yield Draft(_kind(setting, passage), lead, 0.0, others, context=context, rule="finding")
        return
    best = found[0]
    told = next((one for one in found if one.rule == "assent" and one.anchor is best.anchor and one.wording), None)
    if told is not None and best.wording is None:
        best = replace(best, wording=told.wording, also=told.also)  # "make it 4 s" is told with what it is of
    # "Not yet, leave it open" is put off and chosen at once: what it answers is known to the choice alone.
    alike = [draft for draft in found if draft.anchor is best.anchor or best.rule == "leftover"]
    alike = [best] if best.rule == "amendment" else alike  # what explains it is what it amends
    explained = (one for draft in alike for one in draft.support)
    told_already = best.wording or ""
    beside = (one for one in rest if one is not best.anchor and one.text not in told_already)
    support = dict.fromkeys((*beside, *explained))
    yield replace(best, support=tuple(support)[:MAX_SUPPORT], context=_context(passage) if best.anchor.item else "")


def _gave_way(draft: Draft, past: frozenset[Statement]) -> bool:
    """Return whether what a draft says was overtaken, or the word by which a person made it theirs."""
    agreed = draft.support if draft.rule in ("assent", "turn") else ()
    return draft.anchor in past or any(one in past for one in agreed if one.speaker == "user")


def _kind(setting: Setting, passage: Passage) -> FactKind:
    """Return the kind of a passage that no rule found: what is told where files were changed tells how it is made now.

    Unless it tells of trouble, a cause, or what is not so: that was found out.
    """
    by_person = passage.anchor.speaker == "user"
    kind, around = kind_of(passage.text, by_person), setting.exchange(passage)
    if kind != "discovery" or by_person or not setting.thread.edited(around.first, around.last):
        return kind
    found_out = {"cause", "denies"} & signals(setting, passage) or cues.TROUBLE.search(passage.text)
    return kind if found_out else "architecture"


def _outright(setting: Setting, passage: Passage) -> bool:
    """Return whether a person lays down a rule in a passage, beyond doubt."""
    return any(one.rule == "instruction" and one.confidence >= _SURE_RULE for one in setting.drafts(passage))


def _told_whole(draft: Draft) -> bool:
    least = _OF_ITSELF.get(draft.rule)
    return least is not None and draft.confidence >= least


def _apart(found: list[Draft], first: Statement) -> list[Draft]:
    """Return the drafts of a passage, which `first` opens, that stay facts of their own beside each other.

    What holds everywhere and what holds here have different scopes, and a rule outlives the choice that was made in the
    same breath: as one fact, one of the two would be lost. What only goes on with the sentence before it ("and never
    bring it back") or corrects it ("wait, never mind") stays with that.
    """
    rules = [one for one in found if one.rule == "instruction" and one.confidence >= LIKELY]
    sure = [one for one in rules if one.confidence >= _SURE_RULE]
    if len({one.everywhere for one in rules}) > 1:
        sure = rules
    opening = [one for one in found if one.anchor is first or _opens(one.anchor.text)]
    chosen = [one for one in opening if one.rule == "decision" and one.confidence >= _SURE_CHOICE]
    own = [
        one for one in sure if one.everywhere or one in opening or not (chosen or cues.CORRECTS.match(one.anchor.text))
    ]
    if not own:
        return []
    between: dict[int, Draft] = {}  # the surest choice of those before, between and after the rules, with what all pick
    for one in chosen:
        at = sum(rule.anchor.order < one.anchor.order for rule in own)
        surest = between.get(at, one)
        between[at] = replace(surest, support=tuple(dict.fromkeys((*surest.support, *one.support))))
    return own + list(between.values())


def _opens(text: str) -> bool:
    """Return whether a rule or choice can be read without the sentence before it."""
    return not (goes_on(text) or cues.VAGUE_SUBJECT.match(text) or cues.CORRECTS.match(text))


def _shared_out(drafts: list[Draft], said: tuple[Statement, ...]) -> Iterator[Draft]:
    """Yield each draft with what was said after it up to the next one; what stands before the first belongs to it."""
    drafts = sorted(drafts, key=lambda draft: draft.anchor.order)
    owned: dict[Statement, list[Statement]] = {draft.anchor: [] for draft in drafts}
    others = {one.text for one in owned}
    owner = drafts[0].anchor
    for one in said:
        if one in owned:
            owner = one
        else:
            owned[owner].append(one)
    for draft in drafts:
        elsewhere = (one for one in draft.support if one.message is not draft.anchor.message)
        support = (*owned[draft.anchor], *elsewhere)
        parts = tuple(part for part in draft.parts if part.name != "because" or part.text not in others)
        yield replace(draft, support=support[:MAX_SUPPORT], parts=parts)


def _context(passage: Passage) -> str:
    """Return what has to be read with a passage that says little by itself: what opens its list, or its heading."""
    if size(passage.text) >= _SHORT and not cues.VAGUE_SUBJECT.match(passage.text):
        return ""
    above = plain(passage.opening.text) if passage.opening is not None else passage.heading
    return shorten(above.rstrip(":： "), _MAX_CONTEXT)


def _same(one: _Kept, other: _Kept) -> bool:
    if one.draft.anchor in other.draft.sources or other.draft.anchor in one.draft.sources:
        return one.passages != other.passages
    if one.draft.rule == other.draft.rule == "instruction" and one.draft.everywhere != other.draft.everywhere:
        return False
    if (one.draft.rule == "leftover") != (other.draft.rule == "leftover"):
        return False  # what is left to do of a thing is not what is told of it
    if any(part.name == "command" and part.text in other.draft.text for part in one.draft.parts):
        return True
    shared = len(one.terms & other.terms)
    return shared >= _FEW_TERMS and shared >= _SAME * min(len(one.terms), len(other.terms))


def _turns(later: Draft, earlier: Draft) -> bool:
    """Return whether a draft is a person's change of mind about what an earlier one says, whatever else they share."""
    return (
        later.rule == "turn"
        and "reversal" in later.tags
        and later.anchor.position > earlier.anchor.position
        and earlier.anchor.speaker == "user"
    )


def _answers(draft: Draft) -> bool:
    """Return whether a draft is what a person answered to a question."""
    return draft.rule in ("answer", "reply")


def _belong_together(one: _Kept, other: _Kept) -> bool:
    """Return whether two drafts are neighbouring items of one list, short enough to be one fact."""
    if len(one.passages) != 1 or one.draft.rule == "instruction" or other.draft.rule == "instruction":
        return False
    item = one.passages[0]
    return (
        item.anchor.item
        and any(
            near.anchor.position == item.anchor.position
            and near.anchor.item
            and near.opening is item.opening
            and near.heading == item.heading
            and abs(near.number - item.number) == 1
            for near in other.passages
        )
        and size(item.text) + sum(size(near.text) for near in other.passages) <= _TOGETHER
    )


def taken_back(draft: Draft, back: tuple[tuple[Statement, frozenset[str]], ...]) -> bool:
    """Return whether one of a person's reversals undoes later what a draft says: names it after "revert", "drop"."""
    if draft.kind not in _REVERSIBLE or "reversal" in draft.tags:
        return False
    own = set(terms(draft.anchor.text)) | {
        term for part in draft.parts if part.name == "decided" for term in terms(part.text)
    }
    return any(
        later.order > draft.anchor.order and later.message is not draft.anchor.message and names(object_, own)
        for later, object_ in back
    )


def reversals(thread: Thread) -> tuple[tuple[Statement, frozenset[str]], ...]:
    """Return the sentences of a person that take something back, each with the terms of what it takes back."""
    return tuple(
        (one, object_)
        for one in thread.statements
        if one.speaker == "user" and not cues.QUESTION.search(one.text)
        for object_ in (*undone(one.text), *done_without(one.text))
    )
