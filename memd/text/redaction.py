"""Redaction: no secret, and nothing marked private, leaves a text on its way to disk.

Every text is searched for a handful of literals first, in a one-byte-a-character stand-in of it; only around those
that are there are the rules tried. What is found is replaced by `[redacted:<family>]`, with the names and the
structure around it kept.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from memd.text import secretness
from memd.text.accounts import accounts
from memd.text.addresses import address_secrets
from memd.text.assignments import Hit, assigned_secrets
from memd.text.beside import beside
from memd.text.folding import beyond_ascii
from memd.text.home import shorten_home
from memd.text.keys import long_keys
from memd.text.logins import logins
from memd.text.password_names import password_names
from memd.text.private import strip_private
from memd.text.private_keys import private_keys
from memd.text.signs import Signs
from memd.text.told import told_secrets
from memd.text.told_abroad import told_abroad

__all__ = ["Redacted", "redact", "scrub", "scrub_value", "shorten_home", "strip_private"]

_Holder: TypeAlias = list[object] | dict[object, object]

_MOST_ROUNDS: Final = 6
_SHORT: Final = 48
_SHORT_KEPT: Final = 2048
# Names under which a JSON value is a secret whatever it looks like.
_WORDS_APART: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[-.\s]")
_SECRET_NAME: Final = re.compile(
    r"(?:.*_)?(?P<family>pass(?:word|wd|wort|phrase|code)?s?|pwd|secrets?|token|authorization|cookie|credentials?"
    r"|(?:api|access|secret|private|auth|account|signing|encryption|master|shared_access|client)_?(?P<key>key)s?)"
)


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets, and how many of each family were taken out, by name."""

    text: str
    hits: tuple[tuple[str, int], ...] = ()


def redact(text: str) -> Redacted:
    """Return `text` with every secret replaced by `[redacted:<family>]`; redacting that again changes nothing.

    Not taken for secrets: commits, UUIDs, digests, paths, placeholders (`<your-key>`, `${TOKEN}`, changeme) and code
    that only handles one (`password = get_password()`). Takes time in proportion to the length of any text.
    """
    if len(text) <= _SHORT:  # names of tools, fields, models: a handful of words, again and again
        return _redact_short(text)
    return _redact(text)


@lru_cache(_SHORT_KEPT)
def _redact_short(text: str) -> Redacted:
    return _redact(text)


def _redact(text: str) -> Redacted:
    hits = _hits(text)
    if not hits:
        return Redacted(text)
    counts: Counter[str] = Counter()
    for _ in range(_MOST_ROUNDS):
        merged = _merge(hits)
        counts.update(hit.family for hit in merged)
        text = _replace(text, merged)
        hits = _hits(text)
        if not hits:
            break
    return Redacted(text, tuple(sorted(counts.items())))


def across(text: str, place: int) -> Hit | None:
    """Return the secret in `text` that begins before a place and ends behind it, None where there is none."""
    return next((hit for hit in _merge(_hits(text)) if hit.start < place < hit.end), None)


def scrub(text: str) -> Redacted:
    """Return `text` as it may be written to disk: private spans stripped, then secrets redacted."""
    return redact(strip_private(text))


def scrub_value(value: object) -> object:
    """Return a JSON-like value as it may be written: every string in it scrubbed, keys of objects as well.

    A string under a key that says secret (`password`, `api_key`, `authorization`), or in a list under it, is taken
    whole unless it is a placeholder. Objects and arrays of any depth are copied (tuples as lists); whatever else is in
    them is given back as it is.
    """
    root: list[object] = [value]
    _scrub_members(root)
    return root[0]


def _scrub_members(root: list[object]) -> None:
    """Replace what is in `root`, and in turn what is in that, without recursion: JSON may be nested 1000 deep."""
    waiting: list[tuple[_Holder, str]] = [(root, "")]
    while waiting:
        holder, family = waiting.pop()
        if isinstance(holder, list):
            for place, member in enumerate(holder):
                holder[place] = _scrub_member(member, family, waiting)
        else:
            for name, member in holder.items():
                holder[name] = _scrub_member(member, _family_of_name(name), waiting)


def _scrub_member(member: object, family: str, waiting: list[tuple[_Holder, str]]) -> object:
    """Return a string scrubbed, or a copy of what holds others, put among the waiting to have those scrubbed."""
    if isinstance(member, str):
        return _scrub_string(member, family)
    holder: _Holder
    if isinstance(member, dict):
        holder, family = _scrub_names(member), ""
    elif isinstance(member, (list, tuple)):
        holder = list(member)
    else:
        return member
    waiting.append((holder, family))
    return holder


def _scrub_names(members: dict[object, object]) -> dict[object, object]:
    renamed: dict[object, object] = {}
    for name, member in members.items():
        plain = scrub(name).text if isinstance(name, str) else name
        while plain in renamed:
            plain = f"{plain}_"
        renamed[plain] = member
    return renamed


def _family_of_name(name: object) -> str:
    if not isinstance(name, str) or len(name) > 80:
        return ""
    found = _SECRET_NAME.fullmatch(_WORDS_APART.sub("_", name).lower())
    if found is None:
        return ""
    return "key" if found["key"] else "password" if found["family"].startswith(("pass", "pwd")) else found["family"]


def _scrub_string(text: str, family: str) -> str:
    if family and len(text) >= 4 and not secretness.is_placeholder(text):
        return f"[redacted:{family}]"
    return scrub(text).text


def _hits(text: str) -> list[Hit]:
    raw = text.encode("latin-1", "replace")
    lower = raw.lower()
    signs = Signs(lower, "" if text.isascii() else beyond_ascii(text))
    hits = [*assigned_secrets(text, signs), *logins(text, signs), *long_keys(text, raw), *told_secrets(text, signs)]
    names = tuple(password_names(text, signs))
    hits.extend(told_abroad(text, signs, names))
    hits.extend(accounts(text, signs))
    hits.extend(beside(text, names))
    if b"@" in raw:
        hits += address_secrets(text)
    if signs.places(b"private key"):
        hits += private_keys(text, lower)
    return hits


def _merge(hits: list[Hit]) -> list[Hit]:
    """Return the hits in order with overlapping ones made one, named after the one of the highest rank."""
    merged: list[Hit] = []
    for hit in sorted(hits):
        if merged and hit.start < merged[-1].end:
            last = merged[-1]
            best = max(last, hit, key=lambda one: one.rank)
            merged[-1] = Hit(last.start, max(last.end, hit.end), best.family, best.rank)
        else:
            merged.append(hit)
    return merged


def _replace(text: str, hits: list[Hit]) -> str:
    pieces: list[str] = []
    done = 0
    for hit in hits:
        pieces += [text[done : hit.start], f"[redacted:{hit.family}]"]
        done = hit.end
    pieces.append(text[done:])
    return "".join(pieces)
