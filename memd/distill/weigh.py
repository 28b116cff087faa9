"""Weighing: which drafts of a session become candidates.

What was taken back later goes; what says the same thing twice is said once; of the rest only the surest stay, the person's own
words before the model's, because a memory that keeps everything helps nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from memd.distill import cues
from memd.distill.draft import Draft
from memd.distill.thread import Statement, Thread
from memd.text.tokens import terms

FLOOR: Final = 0.5
MAX_FACTS: Final = 12
_MAX_PER_MESSAGE: Final = 3
_SAME: Final = 0.6  # share of the smaller text's terms that makes two drafts one
_TAKEN_BACK: Final = 0.5  # share of a reversal's own terms that names what it takes back
_REVERSIBLE: Final = frozenset(("decision", "config", "architecture", "discovery", "convention"))
_UNDOING: Final = frozenset(
    "revert reverted undo drop remove removed kill forget back instead scrap bring dont worth stuff change changes out rid again like".split()  # noqa: SIM905
) | frozenset(("撤回", "回的", "改动", "算了", "继续", "不再", "去掉", "删掉"))


def weigh(thread: Thread, drafts: Iterable[Draft]) -> tuple[Draft, ...]:
    """Return the drafts worth keeping, in the order they were said."""
    standing = [draft for draft in drafts if draft.confidence >= FLOOR and not taken_back(thread, draft)]
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
    first, second = set(terms(one.anchor.text)), set(terms(other.anchor.text))
    if not first or not second:
        return False
    return len(first & second) >= _SAME * min(len(first), len(second)) and len(first & second) >= 3


def merged(kept: Draft, other: Draft) -> Draft:
    """Return the surer draft with what the other one adds: its parts and its sentences, as evidence."""
    names = {part.name for part in kept.parts}
    parts = (*kept.parts, *(part for part in other.parts if part.name not in names))
    support = tuple(dict.fromkeys((*kept.support, *(one for one in other.sources if one is not kept.anchor))))[:3]
    return replace(
        kept,
        parts=parts,
        support=support,
        confidence=max(kept.confidence, other.confidence),
        everywhere=kept.everywhere or other.everywhere,
    )


def taken_back(thread: Thread, draft: Draft) -> bool:
    """Return whether a later sentence of a person undoes what a draft says, or the model later says that it was wrong."""
    if draft.kind not in _REVERSIBLE:
        return False
    own = set(terms(draft.text))
    return any(
        _undoes(later, own, draft)
        for later in reversals(thread)
        if later.order > draft.anchor.order and later not in draft.sources
    )


def _undoes(later: Statement, own: set[str], draft: Draft) -> bool:
    undone = set(terms(later.text)) - _UNDOING
    if later.message is draft.anchor.message or not undone:
        return False
    named = undone & own
    if "reversal" in draft.tags and later.speaker == "user" and not cues.REVERSAL.search(later.text):
        return False
    return len(named) >= max(1, round(_TAKEN_BACK * min(len(undone), 4)))


def reversals(thread: Thread) -> tuple[Statement, ...]:
    """Return the sentences of a person that take something back."""
    return tuple(
        one
        for one in thread.statements
        if one.speaker == "user" and cues.REVERSAL.search(one.text) and not cues.QUESTION.search(one.text)
    )
