"""The wakeup: the few things a session should know at its start, within a budget of tokens.

Sections come in a fixed order, each with a share of the budget; what one leaves unused flows on to the next. The same
store gives the same bytes, so that a host's prompt cache holds: no clock, no counters, no random order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memd.inject.framing import fact_line, frame, item_lines
from memd.model import Fact, Summary
from memd.text.tokens import estimate_tokens


@dataclass(frozen=True, slots=True)
class Material:
    """What a wakeup is made from, each list in the order of importance."""

    project: str | None
    instructions: tuple[Fact, ...] = ()
    open_ends: tuple[str, ...] = ()
    decisions: tuple[Fact, ...] = ()
    gotchas: tuple[Fact, ...] = ()
    last: Summary | None = None


@dataclass(frozen=True, slots=True)
class Bundle:
    """Text ready for a host, with the facts in it and its estimated tokens. Empty text: nothing worth saying."""

    text: str
    facts: tuple[int, ...]
    tokens: int


_MOST_ASKED: Final = 2
_MOST_DONE: Final = 3
NOTHING: Final = Bundle("", (), 0)


@dataclass(frozen=True, slots=True)
class Section:
    """Lines under a heading, with the share of the budget they may take."""

    title: str
    share: float
    lines: tuple[tuple[str, int | None], ...]
    """Each line with the id of the fact it shows."""


def wakeup(material: Material, budget_tokens: int) -> Bundle:
    """Return the bundle for a session's start, at most `budget_tokens` by `estimate_tokens`."""
    sections = (
        Section("The user's standing instructions", 0.30, _facts(material.instructions)),
        Section("Left open in the last session", 0.15, tuple((line, None) for line in item_lines(material.open_ends))),
        Section("Decisions", 0.30, _facts(material.decisions)),
        Section("Known here", 0.15, _facts(material.gotchas)),
        Section("Last session", 0.10, _last(material.last)),
    )
    return pack(material.project, sections, budget_tokens)


def pack(project: str | None, sections: Sequence[Section], budget_tokens: int) -> Bundle:
    """Fill the sections in order until the budget is used; a section that stays empty is not shown."""
    left = budget_tokens - estimate_tokens(frame(project, ""))
    carried = 0.0
    shown: list[str] = []
    facts: list[int] = []
    given: set[str] = set()
    total = left
    for section in sections:
        allowance = min(left, int(section.share * total + carried))
        heading = f"## {section.title}"
        spent = estimate_tokens(heading) + 1
        taken: list[str] = []
        for line, fact in section.lines:
            cost = estimate_tokens(line) + 1
            if line in given or spent + cost > allowance:
                continue
            given.add(line)
            taken.append(line)
            spent += cost
            if fact is not None:
                facts.append(fact)
        if taken:
            shown += [heading, *taken]
            left -= spent
        carried = max(0.0, allowance - (spent if taken else 0))
    if not shown:
        return NOTHING
    text = frame(project, "\n".join(shown))
    return Bundle(text, tuple(facts), estimate_tokens(text))


def _facts(facts: Sequence[Fact]) -> tuple[tuple[str, int | None], ...]:
    return tuple((fact_line(fact), fact.id) for fact in facts)


def _last(summary: Summary | None) -> tuple[tuple[str, int | None], ...]:
    if summary is None:
        return ()
    listed = _listed(summary.text)
    # What came of a session says more than what was typed on the way; the first request tells what it was about.
    lines = [*listed.get("Asked", ())[:_MOST_ASKED], *(listed.get("Done") or listed.get("", []))[-_MOST_DONE:]]
    told = [summary.title, *(line for line in lines if line != summary.title)]
    return tuple((line, None) for line in item_lines(told))


def _listed(text: str) -> dict[str, list[str]]:
    """Return the items of a summary by their heading; out of their place the headings would say nothing."""
    found: dict[str, list[str]] = {}
    heading = ""
    for line in text.splitlines():
        if line.startswith("**") and line.endswith("**"):
            heading = line.strip("*")
        elif line.startswith("- "):
            found.setdefault(heading, []).append(line[2:].strip())
    return found
