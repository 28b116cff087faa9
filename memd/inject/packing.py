"""Packing: sections of lines into a budget of tokens, each with a share, nothing said twice.

A section that has nothing to say gives its share to the others. Within a section lines are taken in their order; what
is left over when all have had their share goes to the lines that did not fit, from the first section on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from memd.inject.framing import frame, shorten
from memd.text.tokens import estimate_tokens

Line = tuple[str, int | None]
"""A line with the row id of the fact it shows."""

_LEAST_OF_A_CUT: Final = 24
"""Tokens below which a line that has to be cut is better left out."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """Text ready for a host, with the facts in it and its estimated tokens. Empty text: nothing worth saying.

    `why` says in a few words why there is none, where that is not plain.
    """

    text: str
    facts: tuple[int, ...]
    tokens: int
    why: str = ""

    def followed_by(self, other: Bundle) -> Bundle:
        """Return both as one."""
        if not (self.text and other.text):
            return self if self.text else other
        return Bundle(f"{self.text}\n{other.text}", (*self.facts, *other.facts), self.tokens + other.tokens)


NOTHING: Final = Bundle("", (), 0)


@dataclass(frozen=True, slots=True)
class Section:
    """Lines under a heading, with the share of the budget they may take. `cut`: a line may be shown in part.

    `first`: its first line is shown before all others, even where the share is too small for it.
    """

    title: str
    share: float
    lines: tuple[Line, ...]
    cut: bool = False
    first: bool = False


@dataclass(slots=True)
class _Filled:
    """A section while it is filled: its lines by their place."""

    section: Section
    taken: dict[int, str] = field(default_factory=dict)

    @property
    def heading(self) -> str:
        return f"## {self.section.title}"

    def cost_of(self, line: str) -> int:
        heading = 0 if self.taken else estimate_tokens(self.heading) + 1
        return heading + estimate_tokens(line) + 1


def pack(project: str | None, sections: Sequence[Section], budget_tokens: int) -> Bundle:
    """Fill the sections until the budget is used; a section that stays empty is not shown."""
    filled = [_Filled(section) for section in sections if section.lines]
    left = budget_tokens - estimate_tokens(frame(project, ""))
    if not filled or left <= 0:
        return NOTHING
    total, shares = left, sum(one.section.share for one in filled)
    said: set[str] = set()
    facts: dict[int, None] = {}
    carried = 0.0
    ahead = {id(one): _fill(one, left, said, facts, most=1) for one in filled if one.section.first}
    left -= sum(ahead.values())
    for one in filled:
        taken = ahead.get(id(one), 0)
        allowance = max(0, min(left, int(one.section.share / shares * total + carried) - taken))
        spent = _fill(one, allowance, said, facts)
        left -= spent
        carried = max(0.0, allowance - spent)
    for one in filled:
        left -= _fill(one, left, said, facts)
    shown = [line for one in filled if one.taken for line in (one.heading, *_in_order(one))]
    if not shown:
        return NOTHING
    text = frame(project, "\n".join(shown))
    return Bundle(text, _order_of(filled, facts), estimate_tokens(text))


def _fill(one: _Filled, allowance: int, said: set[str], facts: dict[int, None], *, most: int | None = None) -> int:
    """Take what fits into the allowance and was not said, `most` lines of it; return the tokens it takes."""
    spent = 0
    for place, (line, fact) in enumerate(one.section.lines):
        key = _key(line)
        if place in one.taken or key in said or (fact is not None and fact in facts):
            continue
        cost = one.cost_of(line)
        if spent + cost > allowance:
            room = allowance - spent - one.cost_of("")
            if not one.section.cut or room < _LEAST_OF_A_CUT:
                continue
            line = shorten(line, room)
            cost = one.cost_of(line)
        said.add(key)
        one.taken[place] = line
        if fact is not None:
            facts[fact] = None
        spent += cost
        if most is not None and len(one.taken) >= most:
            break
    return spent


def _in_order(one: _Filled) -> list[str]:
    return [one.taken[place] for place in sorted(one.taken)]


def _order_of(filled: Sequence[_Filled], facts: dict[int, None]) -> tuple[int, ...]:
    shown = [one.section.lines[place][1] for one in filled for place in sorted(one.taken)]
    return tuple(fact for fact in shown if fact is not None and fact in facts)


def _key(line: str) -> str:
    """Return what two lines share that say the same on different days."""
    return line.rpartition(" [")[0].casefold() or line.casefold()
