"""Recovery: what a session is given after a compaction, which is what that took away and nothing else.

The host's own summary keeps what was talked about; what memd had put before the model is gone. So a session gets back
what is always shown, the standing instructions, what it settled itself, the facts it was given, used ones first, and
the files it changed; what the summary says already is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memd.inject.framing import fact_line, item_lines, text_lines
from memd.inject.packing import Bundle, Line, Section, pack
from memd.inject.wakeup import Material
from memd.model import Fact
from memd.text.tokens import terms

_SAID: Final = 0.8
"""The share of a fact's terms that a summary has to have to have said it."""
_FILES: Final = 8


@dataclass(frozen=True, slots=True)
class Lost:
    """What a compaction took from a session: facts it was given, files it changed, and the summary that is left."""

    facts: tuple[Fact, ...]
    files: tuple[str, ...]
    summary: str = ""
    learnt: tuple[Fact, ...] = ()
    """What the session itself had come to by then."""


def recovery(material: Material, lost: Lost, budget_tokens: int, root: str | None = None) -> Bundle:
    """Return what to give a session after a compaction, at most `budget_tokens`."""
    left = frozenset(terms(lost.summary))
    instructions = [fact for fact in material.instructions if not _said(fact, left)]
    known = {fact.id for fact in instructions}
    learnt = [fact for fact in lost.learnt if fact.id not in known and not _said(fact, left)]
    facts = [fact for fact in lost.facts if fact.id not in known and fact.status == "current" and not _said(fact, left)]
    files = [path for path in lost.files if path.rsplit("/", 1)[-1] not in lost.summary]
    blocks: list[Line] = [(line, None) for label, value in material.blocks for line in text_lines(value, label)]
    named = ", ".join(f"`{path.removeprefix(f'{root}/') if root else path}`" for path in files[:_FILES])
    sections = (
        Section("Kept in view", 0.25, tuple(blocks), cut=True),
        Section("The user's standing instructions", 0.30, _lines(instructions)),
        Section("Settled in this session", 0.25, _lines(learnt)),
        Section("Given before in this session", 0.35, _lines(facts)),
        Section("Changed in this session", 0.10, tuple((line, None) for line in item_lines([named])), cut=True),
    )
    return pack(material.project, sections, budget_tokens)


def _said(fact: Fact, left: frozenset[str]) -> bool:
    said = frozenset(terms(fact.body or fact.title))
    return bool(said) and len(said & left) >= _SAID * len(said)


def _lines(facts: Sequence[Fact]) -> tuple[Line, ...]:
    return tuple((fact_line(fact), fact.id) for fact in facts)
