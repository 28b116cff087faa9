"""Fitting: hits cut to the room that whoever asks has for them: a line each, or so many characters in all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from memd.operations.answers import FreshAnswer, HitAnswer
from memd.text.clip import clip

_LINE_CHARS: Final = 120
_ID_CHARS: Final = 10
_DAY_CHARS: Final = 10
_LEAST_CHARS: Final = 80
"""What is shorter than this says too little of a longer text."""


def lines(hits: Sequence[HitAnswer]) -> tuple[HitAnswer, ...]:
    """Return hits with a line of text each, and only what tells them apart; `chars` says how long the whole is.

    Ids are their last ten characters, which name a fact or a session as well.
    """
    return tuple(
        replace(
            hit, text=_line(hit), sentence="", title=None, project=None, host=None, lanes=(), why={}, stale=(),
            id=hit.id and hit.id[-_ID_CHARS:], session=hit.session and hit.session[-_ID_CHARS:],
            at=hit.at and hit.at[:_DAY_CHARS], fresh=FreshAnswer(uses=None, evergreen=None),
        )
        for hit in hits
    )  # fmt: skip


def within(hits: Sequence[HitAnswer], budget: int) -> tuple[HitAnswer, ...]:
    """Return the hits for which there is room, the last one cut to what is left: their texts are within `budget`."""
    kept = []
    for hit in hits:
        if len(hit.text) > budget and budget < _LEAST_CHARS:
            break
        text = clip(hit.text, budget, tail_share=0)
        kept.append(replace(hit, text=text, sentence=hit.sentence if hit.sentence in text else ""))
        budget -= len(text)
    return tuple(kept)


def _line(hit: HitAnswer) -> str:
    said = " ".join((hit.sentence if hit.kind == "message" and hit.sentence else hit.text).split())
    return said if len(said) <= _LINE_CHARS else f"{clip(said, _LINE_CHARS - 1, '', tail_share=0).rstrip()}…"
