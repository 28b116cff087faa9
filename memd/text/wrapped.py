"""Wrapped keys: those that a terminal, an editor or a quotation has broken over two or more lines.

What breaks them is a line end with what may stand around it: a backslash, the frame of a box, a quotation mark, the
number of a line, the sign of a diff, the quotes of a text that code puts together. Which lines belong together is told
by how the key begins, by how long its vendor makes such keys, and by what the next line looks like.
"""

from __future__ import annotations

import re
from typing import Final

from memd.text import secretness
from memd.text.vendors import SHAPES_BY_BEGINNING, fits_whole

PIECE_CHARS: Final = r"\w.~+/=-"
SEAM: Final = (
    r"[\"'`]?[ \t]{0,80}[│┃║|+,\\]?[ \t]{0,8}(?:\r?\n|(?:\\r)?\\n|(?:\\\\r)?\\\\n)"
    r"[ \t]{0,24}(?:[│┃║|>+-](?=[ \t\w]|\Z)|\d{1,6}(?:\t|→| ?[:│|] ))?[ \t]{0,24}[\"'`]?"
)
_NEXT: Final = re.compile(rf"{SEAM}(?P<piece>[{PIECE_CHARS}]{{1,200}})", re.ASCII)
_BEFORE: Final = re.compile(rf"(?<![{PIECE_CHARS}])(?P<piece>[{PIECE_CHARS}]{{3,76}}+){SEAM}\Z", re.ASCII)
_REST: Final = re.compile(rf"[{PIECE_CHARS}]{{0,2000}}", re.ASCII)
_BEFORE_A_LINE: Final = frozenset("\n \t\"'`+n>")
_ENDS_SEAM: Final = frozenset("\n│┃║|>+-→")
_LOOKED_BACK: Final = 200
_LOOKED_BACK_AT: Final = 3  # so many lines
_ENDS_LINE: Final = re.compile(
    r"[\"'`,;)\]}│┃║|\\]{0,3}[ \t]{0,80}[│┃║|\\]?[ \t]*(?:\r?\n|(?:\\r)?\\n|\Z)|[\s\"'`,;)\]│]"
)
_MOST: Final = 4096
_MOST_PIECES: Final = 12
_LEAST_REST: Final = 4
_AFTER_NAME: Final = re.compile(r"\+?[\w.-]{0,64}=(?=[\w.~+/-])", re.ASCII)
_SEPARATORS: Final = re.compile(r"[-_.]")
_NATIVE_ID: Final = re.compile(
    r"(?:msg|toolu|req|call|chatcmpl|resp|run|thread|asst|file|evt|srvtoolu|item|step|fc|rs|prt|ses)[_-]"
)
# How long their makers make them, where that is always the same: what is shorter goes on in the next line.
_USUAL: Final = (
    *((f"gh{letter}_", 40) for letter in "pousr"),
    *(("github_pat_", 93), ("AIza", 39), ("npm_", 40), ("glpat-", 26), ("glrt-", 25), ("hf_", 37), ("sk-ant-", 108)),
    *(("shpat_", 38), ("dapi", 36), ("dop_v1_", 71), ("r8_", 40), ("gsk_", 56), ("lin_api_", 48), ("GOCSPX-", 35)),
    *(("AKIA", 20), ("ASIA", 20), ("key-", 36), ("sk-or-v1-", 73), ("ntn_", 50), ("figd_", 45)),
)
_SPLIT_BEGINNINGS: Final = ("SG.", "1//", "ya29.", "hvs.", "hvb.", "dp.pt.", "dp.st.", "v1.0-")


def wrapped_key(text: str, start: int, end: int) -> tuple[int, int, str] | None:
    """Return (start, end, vendor) of the wrapped key that the run of word characters and dashes at `start:end` is in.

    None for a key that stands in one line, and for everything else.
    """
    if text[start - 1 : start + 1] == "\\n":
        start += 1
    first = _first_piece(text, start, end)
    if first is None:
        return None
    begin, joined, at = first
    whole = None
    for _ in range(_MOST_PIECES):
        found = _NEXT.match(text, at)
        if found is None or len(joined) > _MOST:
            break
        piece = found["piece"].rstrip(".")
        stop = found.start("piece") + len(piece)
        if not piece or not _goes_on(joined, piece, is_last=_ENDS_LINE.match(text, stop) is not None):
            break
        joined, at = joined + piece, stop
        vendor = fits_whole(joined)
        if vendor is not None:
            whole = (begin, at, vendor)
    return whole


def _first_piece(text: str, start: int, end: int) -> tuple[int, str, int] | None:
    """Return where the key begins, its first line's share, and where that ends; None where no key begins here."""
    begins = _begins(text, start)
    is_split = not begins and text[max(0, start - 8) : start].endswith(_SPLIT_BEGINNINGS)
    if begins or is_split:
        rest = _REST.match(text, end)
        stop = end if rest is None else rest.end()
        beginning = next((one for one in _SPLIT_BEGINNINGS if is_split and text.startswith(one, start - len(one))), "")
        at = start - len(beginning)
        return at, text[at:stop], stop
    if text[start - 1 : start] not in _BEFORE_A_LINE:
        return None
    pieces: list[str] = []
    at, behind = start, start
    for _ in range(_LOOKED_BACK_AT):
        is_behind_one = _begins_a_line(text, at) and _may_stand_before(text, at)
        before = _BEFORE.search(text, max(0, at - _LOOKED_BACK), at) if is_behind_one else None
        if before is None:
            return None
        piece, begin = before["piece"], before.start("piece")
        if name := _AFTER_NAME.match(piece):
            piece, begin = piece[name.end() :], begin + name.end()
        behind = behind if pieces else before.end("piece")
        pieces.insert(0, piece)
        if _begins(piece, 0) or piece.startswith(_SPLIT_BEGINNINGS):
            return begin, "".join(pieces), behind
        at = begin
    return None


def _begins_a_line(text: str, at: int) -> bool:
    """Whether nothing but what ends a seam can stand before a place in its line: a glance, quicker than looking."""
    ahead = text[max(0, at - 64) : at].rstrip(" \t\"'`")
    if not ahead or ahead[-1] in _ENDS_SEAM or ahead[-1].isdigit():
        return True
    return ahead.endswith("\\n") or (ahead[-1] == ":" and ahead[:-1].rstrip(" ")[-1:].isdigit())


def _may_stand_before(text: str, at: int) -> bool:
    """Whether the line before can end in a share of a key; a glance as well."""
    end = text.rfind("\n", max(0, at - 64), at)
    if end < 0 or text.find("\\n", end, at) >= 0:
        return True  # the line end may be written out
    ahead = text[max(0, end - 96) : end].rstrip("\r \t\"'`│┃║|,\\")
    return ahead[-1:].isalnum() or ahead[-1:] in {"_", ".", "~", "+", "/", "=", "-"}


def _begins(text: str, at: int) -> bool:
    return text[at : at + 3] in SHAPES_BY_BEGINNING or text.startswith("eyJ", at)


def _goes_on(key: str, piece: str, *, is_last: bool) -> bool:
    """Whether a line goes on with the key before it, and is no key of its own, word, commit or id of a row."""
    if _begins(piece, 0) and len(piece) > 8 and fits_whole(piece) is not None:
        return False
    if _NATIVE_ID.match(piece) or not is_last or piece.startswith(("/", "./", "../", "~/", "--")):
        return False
    usual = next((length for beginning, length in _USUAL if key.startswith(beginning)), None)
    if usual is not None and len(key) >= usual:
        return False
    missing = (usual is not None and len(key) + len(piece) <= usual) or fits_whole(key) is None or key[-1] in "-_."
    if missing and usual is not None and len(key) + len(piece) == usual:
        return not piece.isalpha() or secretness.looks_random(piece) or len(piece) < _LEAST_REST
    if secretness.is_hash(piece):
        is_hex = secretness.is_hash(_SEPARATORS.split(key)[-1])
        return (missing or is_hex) and not piece.isdigit() and not piece.isalpha()
    is_mixed = piece != piece.lower() and piece != piece.upper()
    has_digit = any(map(str.isdigit, piece))
    if missing and len(piece) >= _LEAST_REST and has_digit and (is_mixed or secretness.looks_random(piece)):
        return True
    return len(piece) >= 6 and (is_mixed or has_digit) and secretness.looks_random(piece)
