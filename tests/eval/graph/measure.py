"""Which relations are found in what is told, and which are that must not be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

from memd.distill.triples import triples_of
from memd.distill.vocabulary import folded

CASES: Final = Path(__file__).with_name("cases.txt")
ITSELF: Final = "*"
"""What a fact is called as the subject of a relation."""

Told: TypeAlias = tuple[str, str, str]
"""Subject, relation, object."""


@dataclass(frozen=True, slots=True)
class Case:
    """A text, the relations that have to be found in it and those that must not be."""

    language: str
    text: str
    wanted: tuple[Told, ...] = ()
    unwanted: tuple[Told, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found of a case."""

    case: Case
    missing: tuple[Told, ...]
    false: tuple[Told, ...]


@dataclass(slots=True)
class Figures:
    """How many relations were wanted and found, unwanted and found all the same, in how many cases."""

    cases: int = 0
    wanted: int = 0
    found: int = 0
    unwanted: int = 0
    false: int = 0
    open: list[Outcome] = field(default_factory=list)
    """The cases of which something is amiss."""

    @property
    def recall(self) -> float:
        """The share of the wanted that was found."""
        return self.found / self.wanted if self.wanted else 1.0

    @property
    def false_rate(self) -> float:
        """The share of the unwanted that was found."""
        return self.false / self.unwanted if self.unwanted else 0.0


def read(path: Path = CASES) -> tuple[Case, ...]:
    """Return the cases of a file. Raises ValueError with the number of a line that cannot be understood."""
    return tuple(_cases(path))


def _cases(path: Path) -> Iterator[Case]:
    language = ""
    text: list[str] = []
    told: dict[str, list[Told]] = {"+": [], "-": []}

    def case() -> Iterator[Case]:
        if text:
            yield Case(language, "\n".join(text), tuple(told["+"]), tuple(told["-"]))

    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        mark, _, said = line.partition(" ")
        if mark == ">":
            if told["+"] or told["-"]:
                yield from case()
                text, told = [], {"+": [], "-": []}
            text.append(said)
        elif mark in told:
            parts = tuple(part.strip() for part in said.split(" | "))
            if len(parts) != 3:
                raise ValueError(f"{path.name}, line {number}: {line!r} is no relation")
            told[mark].append((parts[0], parts[1], parts[2]))
        elif mark == "##":
            yield from case()
            language, text, told = said.strip(), [], {"+": [], "-": []}
        elif mark not in ("#", ""):
            raise ValueError(f"{path.name}, line {number}: {line!r} is nothing that a case has")
    yield from case()


def measure(cases: Iterable[Case], found_in: Callable[[str], Iterable[Told]] | None = None) -> Figures:
    """Return the figures of cases; `found_in` tells the relations of a text, by the rules of distillation if None.

    Names are compared without regard to case, relations by what they mean: `A owns B` is `B owned_by A`.
    """
    figures = Figures()
    for case in cases:
        found = frozenset(map(_meant, (found_in or by_rules)(case.text)))
        outcome = Outcome(
            case,
            tuple(one for one in case.wanted if _meant(one) not in found),
            tuple(one for one in case.unwanted if _meant(one) in found),
        )
        figures.cases += 1
        figures.wanted += len(case.wanted)
        figures.found += len(case.wanted) - len(outcome.missing)
        figures.unwanted += len(case.unwanted)
        figures.false += len(outcome.false)
        if outcome.missing or outcome.false:
            figures.open.append(outcome)
    return figures


def by_rules(text: str) -> Iterator[Told]:
    """Give the relations that a fact with this text tells of."""
    for one in triples_of("", text):
        yield one.subject or ITSELF, one.relation, one.object


def _meant(told: Sequence[str]) -> Told:
    subject, relation, object_ = (" ".join(part.split()).casefold() for part in told)
    known = folded(relation.replace(" ", "_"))
    if known is None:
        return subject, relation, object_
    return (object_, known.name, subject) if known.swapped else (subject, known.name, object_)
