"""Blobs: long strings of base64 of which nothing says what they are, as keys and tickets are passed on."""

from __future__ import annotations

import re
from typing import Final

from memd.text import secretness

LEAST_BLOB: Final = 64
_MOST: Final = 8192  # what is longer is a file
_BEFORE: Final = re.compile(r"[A-Za-z0-9+/]{1,300}")
_ALL: Final = re.compile(r"[A-Za-z0-9+/]+={0,2}")
# Digests that are known to be such, pictures and other files in an address, public keys, and what is in a certificate.
_NAMED: Final = re.compile(r"(?:sha(?:1|256|384|512)-|md5-|base64,|ssh-(?:rsa|dss|ed25519)[ ]|nistp\d+[ ])\Z")
_PUBLIC: Final = re.compile(r"-----(BEGIN|END) (?:[A-Z0-9 ]{0,40})(?:CERTIFICATE|PUBLIC KEY|REQUEST|CRL|PARAMETERS)")
_LOOKED_BACK: Final = 12_000
_LINE_BEFORE: Final = re.compile(r"[A-Za-z0-9+/]{40,90}(?:\r?\n|\\n)[ \t]{0,8}\Z")
_LINE_AFTER: Final = re.compile(r"(?:\r?\n|\\n)[ \t]{0,8}[A-Za-z0-9+/]{40,90}")
_MIXED: Final = (re.compile("[a-z]"), re.compile("[A-Z]"), re.compile("[0-9]"))
_SAMPLE: Final = 200
# How files begin in base64: PNG, JPEG, GIF, WebP, PDF, ZIP, WebAssembly, gzip, WOFF; and public keys of SSH.
_FILES: Final = ("iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR", "JVBERi", "UEsDB", "AGFzbQ", "H4sI", "d09GR", "AAAA")
_NUMBER: Final = re.compile("0x[0-9A-Fa-f]+")


def base64_at(text: str, start: int, end: int) -> tuple[int, int, bool] | None:
    """Return where what could be base64 around the run at `start:end` stands, and whether it is some that must go.

    That is 64 characters or longer, of small and large letters and digits, and says nothing that can be read. None
    where nothing around the run could be base64, as it cannot where a run is shorter than `LEAST_BLOB` and neither "+"
    nor "/" stands beside it. The runs up to the end that is returned need not be asked about.
    """
    if "_" in text[start:end] or "-" in text[start:end]:
        return None
    before = _BEFORE.match(text[max(0, start - 300) : start][::-1])
    begin = start - (before.end() if before else 0)
    found = _ALL.match(text, begin)
    return None if found is None else (begin, found.end(), _must_go(text, begin, found.end()))


def _must_go(text: str, begin: int, end: int) -> bool:
    if not LEAST_BLOB <= end - begin <= _MOST:
        return False
    sample = text[begin : min(end, begin + _SAMPLE)]
    if not all(kind.search(sample) for kind in _MIXED) or not secretness.looks_random(sample):
        return False
    if text[end : end + 1] in {"_", "-", "."} or text[begin - 1 : begin] in {"_", "-", ".", "~", ":"}:
        return False
    if sample.startswith(_FILES) or _NUMBER.fullmatch(sample) or _reads_as_path(sample):
        return False
    if _NAMED.search(text, max(0, begin - 24), begin) or _is_one_of_many_lines(text, begin, end):
        return False
    return not _in_public(text, begin)


def _reads_as_path(sample: str) -> bool:
    pieces = [piece for piece in re.split("[/+]", sample) if piece]
    wordy = sum(len(piece) > 3 and not secretness.looks_random(piece) and piece.isalpha() for piece in pieces)
    return bool(wordy >= 2 or wordy * 2 >= len(pieces))


def _is_one_of_many_lines(text: str, begin: int, end: int) -> bool:
    """Return whether what stands there is one line of a file: base64 stands on the line before or after it, too."""
    before, after = text[max(0, begin - 100) : begin], text[end : end + 100]
    return _LINE_BEFORE.search(before) is not None or _LINE_AFTER.match(after) is not None


def _in_public(text: str, at: int) -> bool:
    """Return whether a place is in the body of something that is public."""
    left = max(0, at - _LOOKED_BACK)
    begins = text.rfind("-----BEGIN ", left, at)
    if begins < 0:
        return False
    opened = _PUBLIC.match(text, begins)
    return opened is not None and text.find("-----END ", begins, at) < 0
