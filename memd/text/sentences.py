"""Sentences: prose in English, Chinese, Japanese and Korean taken apart, with the Markdown around it kept apart."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from memd.text.words import CJK

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind: TypeAlias = Literal["prose", "code", "quote", "heading", "item", "table"]
_Block: TypeAlias = tuple[int, int, Kind]

_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")
_FENCE: Final = re.compile(r"[ \t]*(?P<fence>`{3,}|~{3,})")
_HEADING: Final = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_QUOTE: Final = re.compile(r"[ \t]{0,3}(?:>[ \t]?)+")
_ITEM: Final = re.compile(r"[ \t]*(?:[-*+•‣·][ \t]+|\(?\d{1,3}[.)][ \t]+|\d{1,3}、|[①-⑳])(?:\[[ xX]\][ \t]+)?")
_TABLE: Final = re.compile(r"[ \t]*\|.*\|[ \t]*\n?\Z")
_RULE: Final = re.compile(
    r"[ \t]*(?:[-*_=][ \t]*){3,}\n?\Z|[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)+\|?[ \t]*\n?\Z"
)
_INDENTED: Final = re.compile(r"(?: {4}|\t)")

_CLOSERS: Final = "\"'”’»)\\]}`*_」』）】》〉"
_STOP: Final = re.compile(
    rf"\n|[.!?…]{{1,8}}[{_CLOSERS}]{{0,4}}(?=\s|\Z)|[。！？．｡][。！？!?…．｡]{{0,7}}[{_CLOSERS}]{{0,4}}"
    rf"|(?<=[{CJK}])[.!?…]{{1,8}}(?=[{CJK}])"
)
_EITHER_WAY: Final = re.compile(r"\*{1,3}|\"")  # marks that open and close alike
_PAIRED_WITHIN: Final = 1_000  # characters before such a mark in which its partner is looked for
_CODE_SPAN: Final = re.compile(r"`[^`\n]{1,400}`")
_WORD_BEFORE: Final = re.compile(r"[\w.]{1,24}\Z")
_CODE_GOES_ON: Final = re.compile(r"[A-Z]{2,}\b|[-<>|&$(){}\[\]=+*/\\]")  # behind what was left out: "SELECT ... FOR"
_ABBREVIATIONS: Final = frozenset(
    """
    e.g i.e eg ie vs cf al approx ca mr mrs ms dr prof st jr sr eds inc ltd corp dept est incl excl resp viz a.m p.m
    u.s u.k ph.d z.b d.h bzw usw p.ej núm
    """.split()
)
_ABBREVIATIONS_OF_NUMBERED: Final = frozenset(
    """
    no nos fig figs eq eqs sec ch vol pp ed max min jan feb mar apr jun jul aug sep sept oct nov dec
    """.split()
)
_WRAPPED_AT: Final = 50  # a line of this many columns was broken by its width, not by its writer
_WRAPPED_AT_CJK: Final = 72  # such prose is seldom wrapped at all


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, heading, table row or block of code: `text` is what stands at `start:end`."""

    text: str
    start: int
    end: int
    kind: Kind


def sentences(text: str) -> list[Sentence]:
    """Return the sentences of `text` in order; nothing but blanks, marks of Markdown and rules is left out.

    A fenced or indented block of code is one `code`, each row of a table one `table`. Prose, list items and quotes are
    split where a sentence ends: not at abbreviations, version numbers, file names and addresses, nor inside `code`.
    A line break ends a sentence unless the line was filled or the next one goes on in lower case. Linear in time.
    """
    return [
        Sentence(text[start:end], start, end, kind)
        for block_start, block_end, kind in _blocks(text)
        for start, end in _parts(text, block_start, block_end, kind)
    ]


def _parts(text: str, start: int, end: int, kind: Kind) -> Iterator[tuple[int, int]]:
    spans = [(start, end)] if kind in {"code", "table", "heading"} else _split(text, start, end)
    for span_start, span_end in spans:
        piece = text[span_start:span_end]
        trimmed_start = span_start + len(piece) - len(piece.lstrip() if kind != "code" else piece.lstrip("\n"))
        trimmed_end = span_end - (len(piece) - len(piece.rstrip()))
        if trimmed_start < trimmed_end:
            yield trimmed_start, trimmed_end


def _blocks(text: str) -> Iterator[_Block]:
    """Yield the runs of lines that belong together, without the marks that make them a heading, an item or a quote."""
    block: _Block | None = None
    fence = ""
    last_kind: Kind = "prose"
    for line in _LINE.finditer(text):
        content = line.group()
        if fence and block:
            block = (block[0], line.end(), "code")
            if _closes(content, fence):
                yield block
                block, fence, last_kind = None, "", "code"
            continue
        opened = _FENCE.match(content)
        kind, mark = _kind(content, block, last_kind)
        if block and kind is None and not opened:
            block = (block[0], line.end(), block[2])
            continue
        if block:
            yield block
            block = None
        if opened:
            fence, block = opened["fence"], (line.start(), line.end(), "code")
        elif content.strip() and not _RULE.match(content):
            block = (line.start() + mark, line.end(), kind or "prose")
            last_kind = block[2]
            if last_kind in {"heading", "table", "quote"}:
                yield block
                block = None
    if block:
        yield block


def _kind(content: str, block: _Block | None, last_kind: Kind) -> tuple[Kind | None, int]:
    """Return what a line begins and how long its mark is; None for what goes on with the block before it."""
    if not content.strip() or _RULE.match(content):
        return "prose", 0
    if mark := _HEADING.match(content):
        return "heading", mark.end()
    if mark := _QUOTE.match(content):
        return "quote", mark.end()
    if _TABLE.match(content):
        return "table", 0
    indented = _INDENTED.match(content) is not None
    if indented and ((block is None and last_kind != "item") or (block and block[2] == "code")):
        return (None if block else "code"), 0
    if mark := _ITEM.match(content):
        return "item", mark.end()
    return ("prose" if block and block[2] == "code" else None), 0


def _closes(content: str, fence: str) -> bool:
    stripped = content.strip()
    return stripped.startswith(fence) and not stripped.strip(fence[0])


def _split(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the sentences of prose at `start:end`, with the blanks between them."""
    code = _CODE_SPAN.finditer(text, start, end)
    span = next(code, None)
    begin = line_start = start
    for stop in _STOP.finditer(text, start, end):
        while span and span.end() <= stop.start():
            span = next(code, None)
        if stop.group() == "\n":
            ends = not _goes_on(text[line_start : stop.start()], text[stop.end() : stop.end() + 80])
            line_start = stop.end()
        else:
            inside_code = span is not None and span.start() < stop.start()
            ends = not inside_code and _ends_sentence(text, begin, stop)
        if ends:
            opened = span.start() if span and span.start() < stop.end() else stop.end()
            ending = min(opened, _closed(text, start, stop)) if stop.group() != "\n" else stop.end()
            yield begin, ending
            begin = ending
    yield begin, end


def _closed(text: str, start: int, stop: re.Match[str]) -> int:
    """Return where a sentence's closing marks end: without a blank between, they may be the next one's opening marks.

    Marks that open as they close open where all before them in the block, or the last part of a long one, are closed.
    """
    if text[stop.end() : stop.end() + 1].strip():
        since = max(start, stop.start() - _PAIRED_WITHIN)
        for mark in _EITHER_WAY.finditer(text, stop.start(), stop.end()):
            if mark.end() == stop.end() and text.count(mark.group(), since, mark.start()) % 2 == 0:
                return mark.start()
    return stop.end()


def _goes_on(line: str, following: str) -> bool:
    """Return whether a line break is only where the line was full, or the next line goes on with the sentence."""
    columns = (len(line.encode("utf-8", "replace")) + len(line)) // 2  # a CJK character takes two
    filled = columns >= (_WRAPPED_AT if line.isascii() else _WRAPPED_AT_CJK)
    return filled or following[:1].islower() or following[:2] == "  "


def _ends_sentence(text: str, begin: int, stop: re.Match[str]) -> bool:
    mark = stop.group()
    following = text[stop.end() : stop.end() + 24].lstrip()
    goes_on = following[:1].islower()
    if mark[-1] in "」』" and following[:1] in {"と", "っ", "だ", "で", "の", "、"}:
        return False  # what was said, inside the sentence that says so
    if mark[0] not in ".!?…" or not following:
        return True
    if goes_on and (mark.startswith(("..", "…")) or mark[-1] in "\"'”’)"):
        return False
    if mark in {"...", "…"} and text[stop.start() - 1 : stop.start()].isspace() and _CODE_GOES_ON.match(following):
        return False
    if mark != ".":
        return True
    found = _WORD_BEFORE.search(text, max(begin, stop.start() - 24), stop.start())
    word = found.group() if found else ""
    low = word.lower()
    if low in _ABBREVIATIONS or (low == "etc" and goes_on):
        return False
    if low in _ABBREVIATIONS_OF_NUMBERED and following[:1].isdigit():
        return False
    if len(word) == 1 and word.isupper() and word != "I":
        return False
    return not (word.isdigit() and not text[begin : stop.start() - len(word)].strip())
