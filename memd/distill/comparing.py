"""Comparing: what two statements are to each other. Pure, and a matter of the two alone.

Because nothing else enters into it, neither what else is known nor the order in which it was read, the answer for two
statements can be stored once and holds for ever.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from math import ceil
from typing import Final

import orjson

from memd.distill import cues
from memd.distill.chosen import is_chosen
from memd.distill.reversal import restored, reversed_in, undone
from memd.distill.slots import language_slot, values_of
from memd.distill.taken import Thing, forms, named, names, plain
from memd.distill.valued import Valued, at_odds, subject_term, valued
from memd.model import FactKind, FactPart, LinkKind
from memd.text.tokens import terms

SAME: Final = 0.85
"""Share of the shorter statement's terms that the other one has to hold to say the same."""
ALIKE: Final = 0.6
"""The same for two statements that differ in a negation; also the least that a search for alike ones has to find."""
_FEWEST: Final = 3
_LONGER: Final = 1.5
_CONTEXT: Final = 48
_BESIDE: Final = 3
_PLAINLY: Final = 14  # terms in which how things are is told, and not what happened
_FIRST: Final = 5  # what a statement is about stands among its first terms
_BANS: Final = frozenset("rule rules ban bans policy restriction forbid forbidden allowed 规则 限制 禁令 禁止".split())
_GROUPS: Final[dict[FactKind, str]] = {
    **dict.fromkeys(("decision", "architecture", "config", "convention", "preference"), "rule"),
    **dict.fromkeys(("bugfix", "discovery", "learning"), "finding"),
    **dict.fromkeys(("task", "open_question"), "open"),
}
# What a person notes without saying of what kind it is gives values as rules do.
_GIVE_VALUES: Final = frozenset(("rule", "note"))
# Words that tell no two statements apart; what differs in any other word may be about something else.
_WEAK: Final = frozenset(
    "always be default do don every everything instead keep kept like make makes making need needs never new note now"
    " please put run runs running set sure use used uses using want work works project repo code here thing things"
    " go goes going give gives take takes per via etc 不要 必须 使用 一律 统一 现在 以后 这里".split()
)
_NUMBER: Final = re.compile(r"(?<![\w.])v?\d+(?:[.:,_-]\d+)*\w{0,3}")
_NAME: Final = re.compile(r"(?<=[\w,;)] )[A-Z][a-z]{2,}\b")
_CLAUSE: Final = re.compile(r"[,.;:!?](?:\s|$)|[，。；：！？\n]|\s[-–—]\s")
_ONLY: Final = re.compile(r"\b(?:only|just)\b", re.IGNORECASE)
_LONGEST: Final = 2000
_COMPARED: Final = 10_000
"""Characters of a text by which it is compared; a text that is longer is a document, and may be a million long."""
_LONG_WORD: Final = re.compile(r"(\S{300})\S+")
_STEM: Final = 4


@dataclass(frozen=True, slots=True)
class Features:
    """A statement as it is compared."""

    group: str
    slot: str | None
    text: str
    order: tuple[str, ...]
    """Its terms as they follow each other."""
    words: frozenset[str]
    identifiers: frozenset[str]
    """The names, paths, versions and numbers that it speaks of."""
    context: frozenset[str]
    """The terms of all that it says, reasons included."""
    values: frozenset[str]
    """What it gives to its slot, where that can be told."""
    undone: tuple[Thing, ...]
    """The terms of each thing that it takes back, turns down or forbids."""
    denied: frozenset[str]
    """The terms of the clauses in which it says no to something."""
    negated: bool
    restored: tuple[frozenset[str], ...] = ()
    """The terms of each thing that it wants after all."""
    valued: Valued | None = None
    """What it gives to what, where it says so in one clause."""


def features(kind: FactKind, slot: str | None, title: str, body: str, parts: tuple[FactPart, ...]) -> Features:
    """Return a statement as it is compared: by what was decided, found or is run, else by its whole text."""
    whole_text = " ".join((body or title).split()).casefold()
    title, body = title[:_COMPARED], body[:_COMPARED]
    decided = [part.text[:_COMPARED] for part in parts if part.name in ("decided", "cause", "command")]
    main = decided[0] if decided else body or title
    whole = f"{title}\n{body}"
    rejected = (_telling(frozenset(terms(part.text[:_COMPARED]))) for part in parts if part.name == "rejected")
    slot = slot or language_slot(main)
    taken_back = dict.fromkeys((*undone(main), *reversed_in(body), *(one for one in rejected if one)))
    return Features(
        group=_GROUPS.get(kind, kind),
        slot=slot,
        text=whole_text,
        order=(order := terms(main)),
        words=frozenset(order),
        identifiers=_identifiers(main),
        context=frozenset((*order, *terms(whole)[:_CONTEXT])),
        values=values_of(slot, body) if slot is not None else frozenset(),
        undone=tuple(taken_back),
        denied=_denied(body),
        negated=cues.NEGATED_ORDER.search(main) is not None or cues.NO_START.search(main) is not None,
        restored=restored(body or main),
        valued=valued(main),
    )


def packed(said: Features) -> bytes:
    """Return features as JSON."""
    return orjson.dumps(
        (
            said.group, said.slot, said.text, said.order, sorted(said.identifiers), sorted(said.context),
            sorted(said.values), [sorted(one) for one in said.undone], sorted(said.denied), said.negated,
            [sorted(one) for one in said.restored],
            said.valued
            and (
                sorted(said.valued.subject), sorted(said.valued.value), said.valued.unit, said.valued.turns,
                sorted(said.valued.denied),
            ),
        )
    )  # fmt: skip


def unpacked(features_json: bytes | str) -> Features:
    """Return features from JSON."""
    group, slot, text, order, identifiers, context, values, taken_back, denied, negated, *more = orjson.loads(
        features_json
    )
    # What was stored by earlier rules has no more; it is worked out anew before long.
    after_all, given = more or ((), None)
    return Features(
        group, slot, text, tuple(order), frozenset(order), frozenset(identifiers), frozenset(context),
        frozenset(values), tuple(map(frozenset, taken_back)), frozenset(denied), negated,
        tuple(map(frozenset, after_all)),
        given and Valued(frozenset(given[0]), frozenset(given[1]), given[2], given[3], frozenset(*given[4:5])),
    )  # fmt: skip


def digest(text: str) -> str:
    """Return what a text is known by when its words are not kept: the same whatever its case and blanks."""
    plain = " ".join(text.split()).casefold()
    return hashlib.blake2b(plain.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def compared(one: Features, other: Features) -> LinkKind | None:
    """Return what two statements are to each other, None for nothing. Swapped, `undoes` and `undone` change places."""
    if one.text == other.text or _say_the_same(one, other):
        return "same"
    if one.group == other.group and one.slot is not None and one.slot == other.slot:
        # `make test` with an argument is no other value than `make test`.
        return None if one.values & other.values else "slot"
    if {one.group, other.group} <= _GIVE_VALUES and at_odds(one.valued, other.valued):
        return "slot"
    if one.group == "rule" and _may_end(other) and _takes_back(one, other):
        return "undoes"
    if other.group == "rule" and _may_end(one) and _takes_back(other, one):
        return "undone"
    if one.group != "rule" or other.group != "rule":
        return None
    return "opposite" if _are_opposite(one, other) else None


def _may_end(said: Features) -> bool:
    """Whether a statement holds until somebody changes it: a rule, or how things are, told without any trouble."""
    if said.group == "finding":
        return len(said.order) <= _PLAINLY and cues.TROUBLE.search(said.text) is None
    return said.group == "rule"


def lookup_terms(said: Features) -> frozenset[tuple[str, str]]:
    """Return the terms by which a statement is found, each with its role.

    Whatever `compared` gives something other than None has, apart from the slot, a `key` of one among the `word`s of
    the other, or a term of what one takes back (`undone`) among them. A key is one of so many of the longest terms that
    a statement with enough in common has to have at least one of them (prefix filtering: Chaudhuri, Ganti, Kaushik,
    "A Primitive Operator for Similarity Joins in Data Cleaning", 2006).
    """
    whole = f"={digest(said.text)}"
    ordered = sorted(said.words, key=lambda word: (-len(word), word))
    keys = ordered[: len(ordered) - ceil(ALIKE * len(ordered)) + 1]
    found = {(word, "word") for word in (*said.context, whole)}
    found.update((word, "key") for word in (*keys, whole))
    found.update((form, "undone") for thing in said.undone for term in plain(thing) for form in forms(term))
    found.update((term, "undone") for thing in said.restored for term in thing)
    if said.valued is not None:
        found.update((subject_term(said.valued), role) for role in ("word", "key"))
    if said.slot is not None:
        # A statement that was stored before its slot was known is found by this.
        found.update(((f"@{said.slot}", "word"), (f"@{said.slot}", "key")))
    return frozenset(found)


def share(one: Features, other: Features) -> float:
    """Return the share of the shorter statement's terms that both have, 0 to 1."""
    shorter = min(len(one.words), len(other.words))
    if one.text == other.text:
        return 1.0
    return len(one.words & other.words) / shorter if shorter else 0.0


def apart(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether each of two sets of identifiers has one that the other lacks: two things, however alike."""
    return bool(one - other) and bool(other - one)


def _say_the_same(one: Features, other: Features) -> bool:
    if one.group != other.group or one.negated != other.negated or apart(one.identifiers, other.identifiers):
        return False
    if at_odds(one.valued, other.valued):
        return False
    shorter = min(len(one.words), len(other.words))
    if shorter < _FEWEST or len(one.words & other.words) < SAME * shorter:
        return False
    first, second = _telling(one.words - other.words), _telling(other.words - one.words)
    return (not first or not second or _inflected(first, second)) and _in_one_order(one, other)


def _in_one_order(one: Features, other: Features) -> bool:
    """Whether the shorter statement's terms follow each other in the longer one as well, where that is much longer.

    A short statement's few words are in many a long one that is about something else.
    """
    shorter, longer = sorted((one, other), key=lambda said: len(said.words))
    if len(longer.words) <= _LONGER * len(shorter.words):
        return True
    shared = shorter.words & longer.words
    return [word for word in shorter.order if word in shared] == [word for word in longer.order if word in shared]


def _takes_back(one: Features, other: Features) -> bool:
    return any(_speaks_of(object_, one, other) for object_ in one.undone) or any(
        # Who wants it after all ends what turned it down.
        object_ <= other.denied and object_.isdisjoint(one.denied)
        for object_ in one.restored
    )


def _speaks_of(thing: Thing, one: Features, other: Features) -> bool:
    """Whether a statement is about what another takes back, and holds it."""
    object_ = plain(thing)
    # Both turn the same thing down: they agree. A ban is lifted only by words for bans.
    if any(object_ & plain(known) for known in other.undone) or (object_ & other.denied and not one.context & _BANS):
        return False
    if names(thing, other.words):
        hit = named(thing, other.words)
        if len(hit) > 1 or _has_digit(hit):
            return True
        about = _is_early(hit, other.order) or len(other.words) <= _FIRST
        word = min(hit)
        return about and _stands_alone(word, other.text) and is_chosen(word, other.text)
    if object_ != thing:
        return False
    shared = _telling((one.context & other.context) - object_)
    # Named beside the point: then it has to be named in full, and by more than a word that anything may have.
    return object_ <= other.context and (_has_digit(object_) or len(object_) + len(shared) > _BESIDE)


def _is_early(hit: frozenset[str], order: tuple[str, ...]) -> bool:
    """Whether a term stands among the first ones; the pairs of a script without blanks count half."""
    place = 0.0
    for word in order:
        if word in hit:
            return True
        place += 1 if word.isascii() else 0.5
        if place >= _FIRST:
            break
    return False


def _stands_alone(word: str, text: str) -> bool:
    """Whether a word is one of its own in a text, and not a part of a name (redis in redis-py)."""
    return not word.isascii() or re.search(rf"(?<![\w/@.-]){re.escape(word)}(?![\w/@-]|\.\w)", text) is not None


def _has_digit(words: frozenset[str]) -> bool:
    return any(char.isdigit() for word in words for char in word)


def _are_opposite(one: Features, other: Features) -> bool:
    if one.negated == other.negated:
        return False
    enough = max(_FEWEST, ALIKE * min(len(one.words), len(other.words)))
    denied = one.denied if one.negated else other.denied
    shared = one.words & other.words
    return (
        len(shared) >= enough
        and len(shared & denied) >= enough
        and not apart(one.identifiers, other.identifiers)
        and _in_one_order(one, other)
    )


def _denied(text: str) -> frozenset[str]:
    clauses = (clause for clause in _CLAUSE.split(text[:_LONGEST]) if clause.strip())
    return frozenset(
        term
        for clause in clauses
        # "Only Fira Sans" says no to all others, and not to that.
        if cues.NEGATED_ORDER.search(clause) or (cues.NO_START.search(clause) and not _ONLY.search(clause))
        for term in terms(clause)
    )


def _telling(words: frozenset[str]) -> frozenset[str]:
    return words - _WEAK


def _inflected(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether the words of the smaller set are those of the other one in another form (cache, caching)."""
    fewer, more = sorted((first, second), key=len)
    return all(any(_same_stem(word, other) for other in more) for word in fewer)


def _same_stem(one: str, other: str) -> bool:
    common = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        common += 1
    return one.isascii() and common >= _STEM and common >= 0.6 * max(len(one), len(other))


def _identifiers(text: str) -> frozenset[str]:
    # What names look like is tried from every character of a word on: one without end takes the square of its length.
    text = _LONG_WORD.sub(r"\1", text)
    found = {match[0].strip("`").casefold() for match in cues.IDENTIFIER.finditer(text)}
    found.update(match[0].casefold() for match in _NUMBER.finditer(text))
    found.update(match[0].casefold() for match in _NAME.finditer(text))
    return frozenset(found)
