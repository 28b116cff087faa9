"""The judge: what a new candidate is to the facts that are known already. Pure; it changes nothing.

A candidate is known (NONE), says a known fact more precisely (UPDATE), replaces one (SUPERSEDE), was itself replaced
by a newer one (SUPERSEDED), or is new (ADD). Time decides who replaces whom, not the order in which sessions are
read: whichever way a history is read, the same facts are current in the end. Give it superseded facts as well as
current ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memd.distill import cues
from memd.distill.reversal import names, undone
from memd.model import Candidate, Fact, FactKind, FactPart, Judgement
from memd.text.tokens import terms

_SAME: Final = 0.85  # share of the shorter statement's terms that the other one has to hold to say the same
_ALIKE: Final = 0.6  # the same, for two statements that differ in a negation
_GROUPS: Final[dict[FactKind, str]] = {
    **dict.fromkeys(("decision", "architecture", "config", "convention", "preference"), "rule"),
    **dict.fromkeys(("bugfix", "discovery", "learning"), "finding"),
    **dict.fromkeys(("task", "open_question"), "open"),
}


@dataclass(frozen=True, slots=True)
class _Said:
    """A statement as the judge compares it."""

    group: str
    slot: str | None
    text: str
    words: frozenset[str]
    identifiers: frozenset[str]
    undone: tuple[frozenset[str], ...]
    negated: bool
    at: int | None


def judge(candidate: Candidate, known: Sequence[Fact]) -> Judgement:
    """Return what a candidate is to the known facts: the first and most telling of `judge_all`'s judgements of it."""
    return next(_judgements(candidate, known, set()))


def judge_all(candidates: Sequence[Candidate], known: Sequence[Fact]) -> tuple[Judgement, ...]:
    """Return the judgements of several candidates of one session, in their order.

    Usually one each. A candidate that was replaced and yet replaces an older fact, or that replaces several, has more:
    they follow each other and concern the one fact that the first of them brings in.
    """
    taken: set[str] = set()
    found: list[Judgement] = []
    for candidate in candidates:
        for judgement in _judgements(candidate, known, taken):
            found.append(judgement)
            if judgement.verdict in ("SUPERSEDE", "UPDATE") and judgement.target is not None:
                taken.add(judgement.target.uid)
    return tuple(found)


def _judgements(candidate: Candidate, known: Sequence[Fact], taken: set[str]) -> Iterator[Judgement]:
    said = _candidate(candidate)
    facts = [(fact, _fact(fact)) for fact in known if fact.status != "retracted" and fact.uid not in taken]
    same = next((pair for pair in facts if _says_the_same(said, pair[1]) and _held(pair[0], candidate.at)), None)
    if same is not None:
        fact, other = same
        if _more_precise(said, other):
            yield Judgement("UPDATE", candidate, fact, "says the same more precisely")
        else:
            yield Judgement("NONE", candidate, fact, "is known already")
        return
    against = [
        (fact, other, reason)
        for fact, other in facts
        if (fact.project is not None or candidate.everywhere) and (reason := _contradicts(said, other))
    ]
    newer = [pair for pair in against if _is_newer(pair[1].at, candidate.at)]
    older = [pair for pair in against if not _is_newer(pair[1].at, candidate.at) and pair[0].status == "current"]
    if newer:
        fact, _, reason = min(newer, key=lambda pair: pair[1].at or 0)
        yield Judgement("SUPERSEDED", candidate, fact, f"was replaced later: {reason}")
    for fact, _, reason in older:
        yield Judgement("SUPERSEDE", candidate, fact, reason)
    if not newer and not older:
        yield Judgement("ADD", candidate, None, "is new")


def _held(fact: Fact, at: int | None) -> bool:
    """Whether a fact still held when something was said, so that saying it again adds nothing."""
    return fact.status == "current" or (at is not None and fact.valid_to is not None and at <= fact.valid_to)


def _is_newer(other: int | None, at: int | None) -> bool:
    return other is not None and at is not None and other > at


def _says_the_same(one: _Said, other: _Said) -> bool:
    if " ".join(one.text.split()).casefold() == " ".join(other.text.split()).casefold():
        return True
    if one.group != other.group or one.negated != other.negated:
        return False
    # Each names something that the other does not: two facts, however alike the rest.
    if one.identifiers - other.identifiers and other.identifiers - one.identifiers:
        return False
    shorter = min(len(one.words), len(other.words))
    return shorter >= 3 and len(one.words & other.words) >= _SAME * shorter


def _more_precise(one: _Said, other: _Said) -> bool:
    return len(one.words) > len(other.words) and other.identifiers <= one.identifiers


def _contradicts(one: _Said, other: _Said) -> str:
    """Return why two statements cannot both hold ("" when they can)."""
    if one.group != other.group:
        return ""
    if one.slot is not None and one.slot == other.slot:
        return f"another value for {one.slot}"
    if one.group != "rule":
        return ""
    for first, second in ((one, other), (other, one)):
        # Both turn the same thing down: they agree.
        if any(
            names(object_, second.words) and not any(object_ & known for known in second.undone)
            for object_ in first.undone
        ):
            return "takes it back"
    shorter = min(len(one.words), len(other.words))
    if one.negated != other.negated and shorter >= 3 and len(one.words & other.words) >= _ALIKE * shorter:
        return "says the opposite"
    return ""


def _candidate(candidate: Candidate) -> _Said:
    return _said(candidate.kind, candidate.slot, candidate.title, candidate.body, candidate.parts, candidate.at)


def _fact(fact: Fact) -> _Said:
    return _said(fact.kind, fact.slot, fact.title, fact.body, fact.parts, fact.valid_from)


def _said(
    kind: FactKind, slot: str | None, title: str, body: str, parts: tuple[FactPart, ...], at: int | None
) -> _Said:
    decided = [part.text for part in parts if part.name in ("decided", "cause", "command")]
    main = decided[0] if decided else body or title
    rejected = tuple(frozenset(terms(part.text)) for part in parts if part.name == "rejected")
    return _Said(
        group=_GROUPS.get(kind, kind),
        slot=slot,
        text=body or title,
        words=frozenset(terms(main)),
        identifiers=frozenset(match[0].strip("`").casefold() for match in cues.IDENTIFIER.finditer(main)),
        undone=(*undone(main), *(one for one in rejected if one)),
        negated=cues.NEGATED_ORDER.search(main) is not None or cues.NO_START.search(main) is not None,
        at=at,
    )
