"""The wakeup: the few things a session should know at its start, within a budget of tokens.

Sections come in an order that can be set, each with a share of the budget; what one leaves unused goes to the others.
The same store gives the same bytes, so that a host's prompt cache holds: no clock, no counters, no random order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from memd.distill import cues
from memd.distill.chat import is_chat
from memd.distill.remarks import is_courtesy
from memd.inject.framing import fact_line, item_lines, text_lines
from memd.inject.packing import NOTHING, Bundle, Line, Section, pack
from memd.model import Fact, Summary
from memd.text.tokens import terms

__all__ = ["DEFAULT_LAYOUT", "NOTHING", "Bundle", "Layout", "Material", "layout_of", "sections_of", "wakeup"]

Layout = tuple[tuple[str, float], ...]
"""Sections by name in their order, each with its share of the budget."""

_TITLES: Final[Mapping[str, str]] = {
    "identity": "Who you work with",
    "blocks": "Kept in view",
    "instructions": "The user's standing instructions",
    "tasks": "Left open",
    "decisions": "Decisions",
    "gotchas": "Known here",
    "last": "Last session",
    "useful": "Often of use",
}
DEFAULT_LAYOUT: Final[Layout] = (
    ("identity", 0.10),
    ("blocks", 0.20),
    ("instructions", 0.30),
    ("tasks", 0.12),
    ("decisions", 0.25),
    ("gotchas", 0.13),
    ("last", 0.10),
    ("useful", 0.05),
)
_MOST_ASKED: Final = 2
_MOST_DONE: Final = 3
_MOST_OF_IT: Final = 0.8
"""The share of the shorter line's terms that two lines have in common that say the same."""


@dataclass(frozen=True, slots=True)
class Material:
    """What a wakeup is made from, each list in the order of importance."""

    project: str | None
    identity: str = ""
    """What the user says of himself in a file of his own."""
    blocks: tuple[tuple[str, str], ...] = ()
    """Label and value."""
    instructions: tuple[Fact, ...] = ()
    open_ends: tuple[str, ...] = ()
    tasks: tuple[Fact, ...] = ()
    decisions: tuple[Fact, ...] = ()
    gotchas: tuple[Fact, ...] = ()
    last: Summary | None = None
    handoff: str = ""
    """What somebody wrote down for the next one, if nothing happened since."""
    useful: tuple[Fact, ...] = ()


def wakeup(material: Material, budget_tokens: int, layout: Layout = DEFAULT_LAYOUT) -> Bundle:
    """Return the bundle for a session's start, at most `budget_tokens` by `estimate_tokens`."""
    return pack(material.project, sections_of(material, layout), budget_tokens)


def rest(material: Material, early: Bundle, budget_tokens: int, layout: Layout = DEFAULT_LAYOUT) -> Bundle:
    """Return what a wakeup holds that an earlier one, `early`, did not."""
    told = frozenset(early.text.splitlines())
    sections = (
        replace(
            section, lines=tuple(line for line in section.lines if line[0] not in told and line[1] not in early.facts)
        )
        for section in sections_of(material, layout)
    )
    return pack(material.project, tuple(sections), budget_tokens)


def sections_of(material: Material, layout: Layout = DEFAULT_LAYOUT) -> tuple[Section, ...]:
    """Return the sections of a wakeup before they are packed."""
    return tuple(
        Section(_TITLES[name], share, _lines(name, material), _cut(name), name == "instructions")
        for name, share in layout
    )


def layout_of(words: Iterable[str]) -> tuple[Layout, tuple[str, ...]]:
    """Return the layout that settings like `decisions=25` ask for, and a sentence for each that cannot be understood.

    Without any that can, it is the default one.
    """
    chosen: dict[str, float] = {}
    problems = []
    for word in words:
        name, _, share = word.partition("=")
        if name.strip() not in _TITLES:
            known = ", ".join(_TITLES)
            problems.append(f"inject.sections: there is no section {name.strip()!r} (there are: {known}).")
        elif not share.strip().isdigit() or not 0 < int(share) <= 100:
            problems.append(f"inject.sections: {word!r} needs a percentage from 1 to 100, as in {name.strip()}=20.")
        else:
            chosen[name.strip()] = int(share) / 100
    return tuple(chosen.items()) or DEFAULT_LAYOUT, tuple(problems)


def _lines(name: str, material: Material) -> tuple[Line, ...]:
    match name:
        case "identity":
            return _texts(text_lines(material.identity))
        case "blocks":
            return _texts(line for label, value in material.blocks for line in text_lines(value, label))
        case "instructions":
            return _facts(material.instructions)
        case "tasks":
            return _open(material)
        case "decisions":
            return _facts(material.decisions)
        case "gotchas":
            return _facts(material.gotchas)
        case "last":
            return (*_texts(text_lines(material.handoff, "Handed over")), *_last(material.last))
        case _:
            return _facts(material.useful)


def _cut(name: str) -> bool:
    # What somebody wrote by hand is shown in part where it does not fit; a fact is said whole or not at all.
    return name in ("identity", "blocks", "last")


def _texts(lines: Iterable[str]) -> tuple[Line, ...]:
    return tuple((line, None) for line in lines)


def _facts(facts: Sequence[Fact]) -> tuple[Line, ...]:
    return tuple((fact_line(fact), fact.id) for fact in facts)


def _open(material: Material) -> tuple[Line, ...]:
    """Return what is left open, each once: an open end that is a fact too as that fact, so that it counts as told."""
    tasks = list(material.tasks)
    lines: list[Line] = []
    for text in material.open_ends:
        same = next((task for task in tasks if _holds(task.body or task.title, text)), None)
        if same is None:
            lines.extend(_texts(item_lines((text,))))
        else:
            tasks.remove(same)
            lines.extend(_facts((same,)))
    return (*lines, *_facts(tasks))


def _holds(told: str, text: str) -> bool:
    """Return whether a text tells what another one does, but for words that only open it ("last thing, ...")."""
    wanted = frozenset(terms(text))
    return bool(wanted) and len(wanted & frozenset(terms(told))) >= _MOST_OF_IT * len(wanted)


def _last(summary: Summary | None) -> tuple[Line, ...]:
    if summary is None:
        return ()
    listed = _listed(summary.text)
    asked = [line for line in listed.get("Asked", ()) if _wants(line)]
    done = listed.get("Done") or listed.get("", [])
    # What came of a session says more than what was typed on the way; the first request tells what it was about.
    lines = [*asked[:_MOST_ASKED], *[line for line in done if not cues.NARRATION.match(line)][-_MOST_DONE:]]
    told: list[str] = []
    for line in (summary.title, *lines):
        if not any(_says_as_much(other, line) for other in told):
            told.append(line)
    return _texts(item_lines(told))


def _wants(line: str) -> bool:
    """Return whether a person's line tells what the session was about: no thanks, nod, small talk or question."""
    return not (is_courtesy(line) or is_chat(line) or cues.ACCEPT.match(line) or cues.QUESTION.search(line))


def _says_as_much(one: str, other: str) -> bool:
    """Return whether a line says all that another one says, or most of it: a title is the first request cut short."""
    first, second = frozenset(terms(one)), frozenset(terms(other))
    return len(first & second) >= _MOST_OF_IT * min(len(first), len(second))


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
