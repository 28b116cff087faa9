"""Audit: what was distilled is looked through for secrets once more, before any of it is written.

Messages were redacted as they came in, by the rules of that day. What rules know by now, or what slipped through then,
must not go on into facts, which are told, exported and given to sessions. So the session is refused, whole, until the
message is gone or the rules are others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass

from memd.distill.distill import distill
from memd.model import Distilled, Transcript
from memd.text.redaction import redact


@dataclass(frozen=True, slots=True)
class Audited:
    """What a session leaves behind, and the families of secrets that are left in it, none as it should be."""

    distilled: Distilled
    left: tuple[str, ...] = ()


def audited(transcript: Transcript) -> Audited:
    """Return what one session leaves behind, looked through once more."""
    distilled = distill(transcript)
    return Audited(distilled, secrets_in(distilled))


def secrets_in(value: object) -> tuple[str, ...]:
    """Return the families of the secrets that stand in any text of a value, by name."""
    found: Counter[str] = Counter()
    for text in _texts(value):
        found.update(dict(redact(text).hits))
    return tuple(sorted(found))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (tuple, frozenset)):
        for one in value:
            yield from _texts(one)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _texts(getattr(value, field.name))
