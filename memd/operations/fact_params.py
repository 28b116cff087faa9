"""Parameters that several operations on facts share, and what their words stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

import orjson

from memd.clock import local_now, parse_local_ms
from memd.errors import BadParameter
from memd.model import FACT_KIND_ALIASES, FACT_KINDS, FactKind
from memd.recall import dates

EPISTEMIC = ("unknown", "observed", "reported", "assumed", "verified", "disputed")
"""How somebody came to know a thing; nothing in memd ever raises it by itself."""

WHICH = "its id, or how it begins or ends"


@dataclass(frozen=True, slots=True)
class FactParams:
    """Which fact."""

    fact: str = field(metadata={"help": WHICH})


@dataclass(frozen=True, slots=True)
class ReasonParams:
    """Which fact, and why."""

    fact: str = field(metadata={"help": WHICH})
    reason: str = field(default="", metadata={"help": "why; it is kept in the fact's history"})


def kind_of(word: str, name: str) -> FactKind:
    """Return the kind of fact that a word means, other tools' words included; raises BadParameter."""
    kind = FACT_KIND_ALIASES.get(word, word)
    if kind not in FACT_KINDS:
        raise BadParameter(name, f"there is no kind {word!r} (there are: {', '.join(FACT_KINDS)})")
    return cast("FactKind", kind)


def epistemic_of(word: str | None, name: str) -> str:
    """Return how something is known, `unknown` where nothing is said; raises BadParameter."""
    if word is None:
        return "unknown"
    if word not in EPISTEMIC:
        raise BadParameter(name, f"there is no epistemic status {word!r} (there are: {', '.join(EPISTEMIC)})")
    return word


def time_given(word: str | None, name: str) -> int | None:
    """Return a time that was given as a date or ISO-8601 time in UTC epoch milliseconds; raises BadParameter.

    A day, by its date or in words ("yesterday", "3 days ago", 昨天), is its beginning where the person is who asks, and
    so is meant a time without an offset.
    """
    if word is None:
        return None
    at = parse_local_ms(word)
    if at is not None:
        return at
    meant = dates.resolve(word, local_now())
    if len(meant) != 1 or meant[0].said != word.strip():
        raise BadParameter(
            name, f"{word!r} is no date (write 2026-11-30, 2026-11-30T09:00:00Z, yesterday or '3 days ago')"
        )
    return meant[0].since


def json_of(given: Mapping[str, object] | None, name: str) -> str:
    """Return a JSON object as text with its keys in order; raises BadParameter when it is no JSON."""
    try:
        return orjson.dumps(given or {}, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError as error:
        raise BadParameter(name, f"metadata is no JSON: {error}") from error
