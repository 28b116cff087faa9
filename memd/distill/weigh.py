"""Weighing: which drafts of a session become candidates.

What was taken back later goes; what says the same thing twice is said once; of the rest only the surest stay, the
person's own words before the model's, because a memory that keeps everything helps nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from memd.distill import cues
from memd.distill.draft import Draft
from memd.distill.reversal import names, undone
from memd.distill.thread import Statement, Thread
from memd.text.tokens import terms

FLOOR: Final = 0.5
MAX_FACTS: Final = 12
_MAX_PER_MESSAGE: Final = 3
_MAX_SUPPORT: Final = 5
_SAME: Final = 0.6  # share of the smaller text's terms that makes two drafts one
_REVERSIBLE: Final = frozenset(("decision", "config", "architecture", "discovery"))


def weigh(thread: Thread, drafts: Iterable[Draft]) -> tuple[Draft, ...]:
    """Return the drafts worth keeping, in the order they were said."""
    back = reversals(thread)
    standing = [draft for draft in drafts if draft.confidence >= FLOOR and not taken_back(draft, back)]
    standing.sort(key=lambda draft: (-_rank(draft), draft.anchor.order))
    kept: list[Draft] = []
    per_message: Counter[int] = Counter()
    for draft in standing:
        same = next((at for at, other in enumerate(kept) if same_thing(draft, other)), None)
        if same is not None:
            kept[same] = merged(kept[same], draft)
        elif len(kept) < MAX_FACTS and per_message[draft.anchor.position] < _MAX_PER_MESSAGE:
            kept.append(draft)
            per_message[draft.anchor.position] += 1
    return tuple(sorted(kept, key=lambda draft: draft.anchor.order))


def _rank(draft: Draft) -> float:
    return draft.confidence + (0.1 if draft.anchor.speaker == "user" else 0.0)


def same_thing(one: Draft, other: Draft) -> bool:
    """Return whether two drafts say the same: they share their anchor, or most of the terms of the shorter one."""
    if one.anchor in other.sources or other.anchor in one.sources:
        return True
    if any(part.name == "command" and part.text in other.text for part in one.parts):
        return True
    first, second = set(terms(one.anchor.text)), set(terms(other.anchor.text))
    if not first or not second:
        return False
    return len(first & second) >= _SAME * min(len(first), len(second)) and len(first & second) >= 3


def merged(kept: Draft, other: Draft) -> Draft:
    """Return the surer draft with what the other one adds: its parts and its sentences, as evidence."""
    names = {part.name for part in kept.parts}
    parts = (*kept.parts, *(part for part in other.parts if part.name not in names))
    more = (one for one in other.sources if one is not kept.anchor)
    support = tuple(dict.fromkeys((*kept.support, *more)))[:_MAX_SUPPORT]
    return replace(
        kept,
        parts=parts,
        support=support,
        confidence=max(kept.confidence, other.confidence),
        everywhere=kept.everywhere or other.everywhere,
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
        for object_ in undone(one.text)
    )
