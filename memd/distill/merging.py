"""Merging: one draft of two that say the same, or that stand side by side in a list."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from memd.distill.draft import Draft

MAX_SUPPORT: Final = 5
"""The most sentences that a draft has beside its anchor."""


def merged(kept: Draft, other: Draft) -> Draft:
    """Return the surer draft with what one that says the same adds: its parts, and its sentences as evidence.

    What was mended tells more than the trouble alone, however sure that is.
    """
    if other.rule == "mended" and kept.rule != "mended":
        kept, other = other, kept
    known = {part.name for part in kept.parts}
    parts = (*kept.parts, *(part for part in other.parts if part.name not in known))
    more = (one for one in (*other.sources, *other.also) if one not in kept.sources)
    return replace(
        kept,
        parts=parts,
        also=tuple(dict.fromkeys((*kept.also, *more)))[:MAX_SUPPORT],
        everywhere=kept.everywhere or other.everywhere,
    )


def joined(kept: Draft, other: Draft) -> Draft:
    """Return a draft with a neighbouring item of the same list; the earlier of the two opens it."""
    first, second = sorted((kept, other), key=lambda draft: draft.anchor.order)
    support = dict.fromkeys((*first.support, second.anchor, *second.support))
    known = {part.name for part in kept.parts}
    parts = (*kept.parts, *(part for part in other.parts if part.name not in known))
    return replace(kept, anchor=first.anchor, support=tuple(support), parts=parts, wording=first.wording)
