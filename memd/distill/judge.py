"""The judge: what a set of claims comes to. Pure, and the same for the same set, in whatever order it is given.

Claims are gone through in the order of their time, as if each session had been read the moment it was over. A claim
that says what stands already joins it (NONE, UPDATE). One that cannot hold beside what stands ends it (SUPERSEDE), or,
where no order is clear, stands beside it until somebody decides (CONTRADICT). Otherwise it stands for itself (ADD).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from memd.distill.comparing import apart
from memd.model import Claim, FactStatus, LinkKind, Ruling

Links: TypeAlias = Mapping[tuple[int, int], LinkKind]
"""What statements are to each other, by their row ids, the smaller one first; complete for the claims at hand."""

_REASONS: Final[dict[LinkKind, str]] = {
    "slot": "another value for the same thing",
    "undoes": "takes it back",
    "undone": "says again what was turned down",
    "opposite": "says the opposite",
}
_EVERYWHERE: Final = ", in all projects from then on"
_SWAPPED: Final[dict[LinkKind, LinkKind]] = {"undoes": "undone", "undone": "undoes"}
_GAIN: Final = 0.25  # how much of what is left to certainty a further session that says the same closes
_MOST_SURE: Final = 0.99


@dataclass(frozen=True, slots=True)
class Pin:
    """A fact that a person made or ruled on. `closed`: status, end and successor are theirs and stay.

    `learnt`: nobody did; another memory learnt it from sessions that are not here, and it gives way as those would.
    """

    fact: int
    status: FactStatus
    since: int
    until: int | None
    ruling: Ruling | None
    evergreen: bool
    learnt: bool = False


@dataclass(slots=True, eq=False)
class Standing:
    """What claims come to: one fact. `claims` are in the order of time; `voice` is the one whose words it takes."""

    claims: list[Claim] = field(default_factory=list)
    pin: Pin | None = None
    until: int | None = None
    successor: Standing | None = None
    reason: str = ""
    """Why it was ended."""
    against: list[tuple[Standing, str]] = field(default_factory=list)
    """What it cannot hold together with, and why, where no order is clear."""
    statements: dict[int, Claim] = field(default_factory=dict, repr=False)
    """What it states, each with the claim that stated it last."""

    @property
    def fact(self) -> int | None:
        """Row id of the fact that it is bound to."""
        return self.pin.fact if self.pin else None

    @property
    def voice(self) -> Claim:
        """The most precise of the claims, the latest of equals."""
        return max(
            self.claims, key=lambda one: (len(one.identifiers), one.words, one.confidence, one.at or 0, _content(one))
        )

    @property
    def confidence(self) -> float:
        """How sure it is: as sure as the surest claim, and surer with each further session that says it."""
        best = max(claim.confidence for claim in self.claims)
        others = len({claim.session for claim in self.claims}) - 1
        return round(max(best, min(_MOST_SURE, 1 - (1 - best) * (1 - _GAIN) ** others)), 4)

    def holds(self, at: int) -> bool:
        """Return whether it holds at a time."""
        if self.pin and self.pin.status == "retracted":
            return False
        return self.until is None or at < self.until


def stand(claims: Iterable[Claim], links: Links, pins: Mapping[int, Pin]) -> tuple[Standing, ...]:
    """Return what claims come to, in the order of time. `pins`: by row id, the facts that a person made or ruled on.

    A claim that no session made belongs to the pin of its fact. Claims of one component are enough: what no chain of
    links reaches has no say in it.
    """
    return _Court(links, pins).sit(sorted(claims, key=_order))


def _order(claim: Claim) -> tuple[object, ...]:
    return (claim.at or 0, _content(claim))


def _content(claim: Claim) -> tuple[str, ...]:
    return (claim.body, claim.title, claim.kind, claim.slot or "", *(part.text for part in claim.parts))


class _Court:
    """One sitting over a set of claims."""

    def __init__(self, links: Links, pins: Mapping[int, Pin]) -> None:
        self._near: dict[int, list[tuple[int, LinkKind]]] = defaultdict(list)
        for (one, other), kind in links.items():
            self._near[one].append((other, kind))
            self._near[other].append((one, _SWAPPED.get(kind, kind)))
        self._pins = pins
        self._standing: list[Standing] = []
        self._stated: dict[int, dict[Standing, Claim]] = defaultdict(dict)
        """Of each statement, the standings that it is part of and the claim that made it last."""

    def sit(self, claims: Sequence[Claim]) -> tuple[Standing, ...]:
        pinned = [claim for claim in claims if claim.session is None and claim.fact in self._pins]
        own = {claim.id: self._pin(claim) for claim in pinned}
        for claim in claims:
            home = own.get(claim.id)
            if home is None:
                home = self._absorbing(claim) or self._home(claim)
                self._join(home, claim)
            self._weigh(claim, home)
        return tuple(sorted(self._standing, key=lambda one: (_order(one.claims[0]), one.fact or 0)))

    def _pin(self, claim: Claim) -> Standing:
        pin = self._pins[claim.fact or 0]
        known = next((one for one in self._standing if one.pin is pin), None)
        if known is None:
            until = pin.until if pin.ruling == "closed" else None
            known = Standing(pin=pin, until=until)
            self._standing.append(known)
        self._join(known, claim)
        return known

    def _absorbing(self, claim: Claim) -> Standing | None:
        """What a person made or ruled on speaks for all that says the same, for as long as it held."""
        found = [
            standing
            for standing in self._same(claim)
            if standing.pin is not None
            and (standing.pin.status == "retracted" or standing.until is None or (claim.at or 0) <= standing.until)
        ]
        # What somebody has taken back comes first: it is not to come back in other company.
        return min(
            found, key=lambda one: (one.pin.status != "retracted", one.pin.fact) if one.pin else (True, 0), default=None
        )

    def _home(self, claim: Claim) -> Standing:
        """What a claim joins, or a new standing of its own."""
        at = claim.at or 0
        found = [one for one in self._same(claim) if one.pin is None and one.holds(at) and self._fits(claim, one)]
        home = max(found, key=lambda one: (one.voice.words, _content(one.voice)), default=None)
        if home is None:
            home = Standing()
            self._standing.append(home)
            home.against = [
                (current, "says again what was replaced")
                for old in self._same(claim)
                if old.pin is None and (current := _last(old)) is not old and current.holds(at)
            ]
        return home

    def _join(self, standing: Standing, claim: Claim) -> None:
        standing.claims.append(claim)
        standing.statements[claim.statement] = claim
        self._stated[claim.statement][standing] = claim

    def _same(self, claim: Claim) -> list[Standing]:
        same = (claim.statement, *(other for other, kind in self._near[claim.statement] if kind == "same"))
        return list(dict.fromkeys(standing for other in same for standing in self._stated.get(other, ())))

    def _fits(self, claim: Claim, standing: Standing) -> bool:
        """Whether nothing in what stands speaks of something else, or against the claim."""
        against = {other for other, kind in self._near[claim.statement] if kind != "same"}
        return not any(
            other in against or apart(said.identifiers, claim.identifiers)
            for other, said in standing.statements.items()
        )

    def _weigh(self, claim: Claim, own: Standing) -> None:
        """End, or stand against, whatever a claim cannot hold beside."""
        at = claim.at or 0
        if not own.holds(at):
            return
        against = [
            (standing, said, kind)
            for other, kind in self._near[claim.statement]
            if kind != "same"
            for standing, said in self._stated.get(other, {}).items()
            # What a person said later is there already: its own turn comes.
            if standing is not own and standing.holds(at) and _order(said) <= _order(claim)
        ]
        opponents: dict[Standing, tuple[Claim, LinkKind]] = {}
        for standing, said, kind in sorted(against, key=lambda one: _order(one[1]), reverse=True):
            # Of several who said it at one time, whoever named both in one breath speaks for it.
            if not any(self._together(one, claim) for one in standing.claims if one.statement == said.statement):
                opponents.setdefault(standing, (said, kind))
        for standing, (said, how) in opponents.items():
            wider = said.project != claim.project  # of what holds everywhere and what one project has
            if wider and claim.project is not None:
                continue  # a project's exception leaves what holds everywhere
            if self._in_order(said, claim, standing, how):
                standing.until = max(at, _since(standing))
                standing.successor, standing.reason = own, _REASONS[how] + (_EVERYWHERE if wider else "")
            elif not wider:
                own.against.append((standing, _REASONS[how]))

    def _in_order(self, said: Claim, claim: Claim, standing: Standing, kind: LinkKind) -> bool:
        """Whether it is clear that a later claim takes the place of what stands."""
        if said.at is None or claim.at is None or said.at == claim.at:
            return False
        pin = standing.pin
        if kind in ("undone", "opposite") and claim.kind == "architecture":
            return False  # how things are said to be is often recalled from before they were changed
        if pin is None or not self._learnt(claim):
            return pin is None or pin.ruling != "kept"
        # What a person wrote down themselves gives way only to words that expressly take it back.
        return pin.ruling is None and not pin.evergreen and (pin.learnt or kind == "undoes")

    def _learnt(self, claim: Claim) -> bool:
        """Whether a session made a claim, here or where it was taken over from."""
        pin = None if claim.fact is None else self._pins.get(claim.fact)
        return claim.session is not None or (pin is not None and pin.learnt)

    def _together(self, one: Claim, other: Claim) -> bool:
        """Whether two claims were made in one breath: alternatives, then, and no change of mind."""
        return one.at == other.at and one.session == other.session and self._learnt(one) and self._learnt(other)


def _last(standing: Standing) -> Standing:
    """What stands in the place of what was ended, after all that followed it."""
    while standing.successor is not None:
        standing = standing.successor
    return standing


def _since(standing: Standing) -> int:
    return min(claim.at or 0 for claim in standing.claims)
