"""Keys: long strings of letters and digits that a vendor's shape fits, or that are random and called a key nearby."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memd.text import secretness
from memd.text.assignments import Hit
from memd.text.blobs import LEAST_BLOB, base64_at
from memd.text.unwrapped import broken_discord, signed_keys
from memd.text.vendors import SHAPES_BY_BEGINNING, ends_a_webhook, find_vendor_key, follows_a_beginning
from memd.text.wrapped import wrapped_key

if TYPE_CHECKING:
    from collections.abc import Iterator

# Runs of letters, digits, - and _ in the stand-in become runs of "a"; a key has at least 16 of them in a row.
_RUNS: Final = bytes(
    97 if chr(code).isascii() and (chr(code).isalnum() or chr(code) in "-_") else 32 for code in range(256)
)
_SHORTEST_RUN: Final = b"a" * 16
_BESIDE_A_SEAM: Final = b"\n\r \t\"'`+|\\.~:"
_BEFORE_A_LINE: Final = b"\n \t\"'`+>n"
_JOINS_A_BLOB: Final = frozenset((b"+", b"/"))
_ENDS_A_BEGINNING: Final = frozenset((b".", b"~", b"/", b"="))
# Beginnings of keys in which there is no long run once they are broken, with where the run behind each begins, and what
# several have in common, which is looked for first.
_SHORT_KEYS: Final = (
    (b"IA", ((b"AKIA", 0), (b"ASIA", 0))),
    (b"t-", ((b"glpat-", 0), (b"glrt-", 0))),
    (b"1//0", ((b"1//0", 3),)),
)
_DIGITS: Final = b"0123456789"
_DISCORD: Final = re.compile(rb"[MNO][\w-]{22,27}\.[\w-]{6,7}\.")  # its parts can be without a digit
_DISCORD_BEGINS: Final = b"MNO"
_COOKIE: Final = re.compile(r"\bcookie[\"']?:\s", re.IGNORECASE)
_LONGEST_COOKIES: Final = 300
_LONGEST_RUN: Final = 4096
_CONTEXT_SIZE: Final = 96

_CALLED: Final = re.compile(
    r"keys?|tokens?|secrets?|passw(?:or)?ds?|passphrase|pwd|credentials?|bearer|auth(?:orization)?|cookie|sid|session"
    r"|webhook|sig|signature|sas|密[码碼钥鑰]|令牌|口令|パスワード|トークン|비밀번호|토큰"
)
_CALLED_SIGNS: Final = (
    *(
        "key",
        "token",
        "secret",
        "passw",
        "passphrase",
        "pwd",
        "credential",
        "bearer",
        "auth",
        "cookie",
        "sid",
        "session",
    ),
    *("sid", "webhook", "sig", "sas", "密", "令牌", "口令", "パスワード", "トークン", "비밀번호", "토큰"),
)
# Between the word and the key: the rest of the line, or nothing but marks up to the next line or into a code fence.
_GAP: Final = re.compile(
    r"(?:[^\w\n/-][^\n]{0,60})?"
    r"|(?!-)[^\n]{0,20}\n{1,2}[ \t>`*\"'-]{0,12}(?:\w{0,12}\n[ \t]{0,12})?"
)
_SAID_AFTER: Final = re.compile(
    r"[`'\"]? (?:is|was|as) (?:the|my|our|your|a|an|its) (?:[\w-]{1,20} ){0,2}"
    r"(?:key|token|secret|password|credential)",
    re.IGNORECASE,
)
_AROUND_BEFORE: Final = re.compile(r"[A-Za-z0-9+/_~.%-]{1,300}")
_AROUND_AFTER: Final = re.compile(r"[A-Za-z0-9+/_~.%-]*={0,3}")
_NATIVE_ID: Final = re.compile(
    r"(?:msg|toolu|req|call|chatcmpl|resp|run|thread|asst|file|evt|srvtoolu|item|step|fc|rs|prt|ses)[_-]"
)
_AWS_SECRET: Final = re.compile(
    r"(?<![A-Za-z0-9/+=_.-])(?=[^\W_]*[a-z/+])(?=[a-z/+\d]*[A-Z])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=_-])"
)


def long_keys(text: str, raw: bytes) -> Iterator[Hit]:
    """Yield the keys in `text`; `raw` is its Latin-1 stand-in, position by position."""
    runs = raw.translate(_RUNS)
    start, blob_end, may_be_broken = runs.find(_SHORTEST_RUN), 0, False
    while start >= 0:
        end = runs.find(b" ", start)
        if end < 0:
            end = len(runs)
        before, behind = raw[start - 1 : start], raw[end : end + 1]
        is_blob = end - start >= LEAST_BLOB or before in _JOINS_A_BLOB or behind in _JOINS_A_BLOB
        if is_blob and start >= blob_end and (blob := base64_at(text, start, end)):
            blob_start, blob_end, must_go = blob
            if must_go:
                yield Hit(blob_start, blob_end, "base64", rank=-1)
        if end - start <= _LONGEST_RUN:
            run = raw[start:end]
            has_digit = len(run.translate(None, _DIGITS)) != len(run)
            # A line may have been broken where such characters stand beside a run.
            may_be_broken = may_be_broken or (has_digit and (before in _BESIDE_A_SEAM or behind in _BESIDE_A_SEAM))
            if has_digit and (broken := broken_discord(text, raw, start)):
                yield Hit(*broken, rank=2)
            elif (
                has_digit
                or text[start : start + 3] in SHAPES_BY_BEGINNING
                or (raw[start] in _DISCORD_BEGINS and _DISCORD.match(raw, start) is not None)
                or (before in _ENDS_A_BEGINNING and follows_a_beginning(text, start))
            ):
                yield from _judge_run(text, start, end)
            elif before and before in _BEFORE_A_LINE and (run.lower() != run != run.upper()):
                yield from _in_lines(text, start, end)
        start = runs.find(_SHORTEST_RUN, end)

    yield from _short_keys(text, raw, runs)
    if may_be_broken:
        yield from (Hit(*broken, rank=2) for broken in signed_keys(text, raw))


def _short_keys(text: str, raw: bytes, runs: bytes) -> Iterator[Hit]:
    """Yield broken keys of which no piece need be long."""
    for common, beginnings in _SHORT_KEYS:
        if common not in raw:
            continue
        for beginning, skipped in beginnings:
            found = raw.find(beginning)
            while found >= 0:
                start = found + skipped
                end = runs.find(b" ", start)
                if 0 < end - start < len(_SHORTEST_RUN):
                    yield from _in_lines(text, start, end)
                found = raw.find(beginning, found + 1)


def _in_lines(text: str, start: int, end: int) -> Iterator[Hit]:
    if wrapped := wrapped_key(text, start, end):
        key_start, key_end, family = wrapped
        yield Hit(key_start, key_end, family, rank=2)


def _judge_run(text: str, start: int, end: int) -> Iterator[Hit]:
    run = text[start:end]
    if wrapped := wrapped_key(text, start, end):
        key_start, key_end, family = wrapped
        yield Hit(key_start, key_end, family, rank=2)
        return
    if secretness.is_hash(run) and text[end : end + 1] != "." and not ends_a_webhook(text, start):
        line = text.rfind("\n", max(0, start - _LONGEST_COOKIES), start) + 1 or max(0, start - _LONGEST_COOKIES)
        if len(run) >= 24 and _COOKIE.search(text, line, start):
            yield Hit(start, end, "cookie")
        return
    vendor = find_vendor_key(text, start, end)
    if vendor:
        key_start, key_end, family = vendor
        key = text[key_start:key_end]
        if len(set(key[8:])) > 3 and (any(map(str.isdigit, key)) or secretness.looks_random(key)):
            yield Hit(key_start, key_end, family, rank=2)
            if family == "aws":
                yield from _aws_pair(text, key_start, key_end)
    elif not _NATIVE_ID.match(run) and secretness.looks_random(run) and _is_called(text, start, end):
        yield from _called_a_key(text, start, end)


def _is_called(text: str, start: int, end: int) -> bool:
    """Return whether one of the words for a key stands by `start:end`, close enough to be about what stands there."""
    if _SAID_AFTER.match(text, end):
        return True
    left = max(0, start - _CONTEXT_SIZE)
    marker = text.rfind("[redacted:", left, start)
    if marker >= 0:
        left = max(marker, text.find("]", marker, start))
    context = text[left:start].lower()
    if not any(sign in context for sign in _CALLED_SIGNS):
        return False
    return any(_GAP.fullmatch(context, word.end()) for word in _CALLED.finditer(context))


def _aws_pair(text: str, start: int, end: int) -> Iterator[Hit]:
    """Yield the secret access keys written near an access key id."""
    for found in _AWS_SECRET.finditer(text, max(0, start - 300), end + 300):
        if not secretness.is_hash(found.group()):
            yield Hit(*found.span(), "aws", rank=2)


def _called_a_key(text: str, start: int, end: int) -> Iterator[Hit]:
    before = _AROUND_BEFORE.match(text[max(0, start - 300) : start][::-1])
    if before:
        start -= before.end()
    after = _AROUND_AFTER.match(text, end)
    if after:
        end = after.end()
    token = text[start:end].rstrip(".")
    end = start + len(token)
    if len(token) > 512 or token.startswith(("/", ".", "~", "AAAA", "sha", "--")):
        return
    if token.count("/") and _reads_as_path(token):
        return
    if secretness.is_random_token(token):
        yield Hit(start, end, "key", rank=0)


def _reads_as_path(token: str) -> bool:
    pieces = [piece for piece in re.split(r"[/.]", token) if piece]
    wordy: int = sum(piece.isalpha() and (piece.islower() or piece.istitle()) and len(piece) > 2 for piece in pieces)
    return bool(wordy >= 2 or wordy * 2 >= len(pieces))
