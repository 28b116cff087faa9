"""Replaced: what was decided and told in an exchange of which later edits left nothing.

Words do not tell that "8 then" takes the place of "make it 10": the file does. An edit puts a line into a file
(`@ttl 600`), and a later exchange's puts another one in its place (`@ttl 480`). An exchange whose lines were nearly all
replaced was so itself, whatever was said, in whatever language. A line that goes on in another, with all that was new
in it, or that is only moved, is not replaced; and what somebody laid down as a rule or told as a cause stays.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from memd.distill import cues
from memd.distill.assent import agrees, proposal
from memd.distill.draft import Draft
from memd.distill.edits import Edit, edits_in_words, edits_of
from memd.distill.findings import reports_trouble
from memd.distill.size import size
from memd.distill.thread import Statement, Thread, is_reply

_WORD: Final = re.compile(r"#?[^\W_][\w$]*(?:[.:]\d+)*")
_NEARLY_ALL: Final = 0.8
_NEARLY_HALF: Final = 0.45
_LEAST_LEFT: Final = 8  # of `size`: what is left of a sentence that says something
_LONGEST: Final = 200_000  # characters of an edit; more is data
_CLAUSE: Final = re.compile(r"(?<=[，；;])|(?<=,)(?=\s)")
_FIGURE: Final = re.compile(r"\d")
_FIGURES: Final = re.compile(r"#?(?<![\w.])\d[\w.]*|(?<=[^\x00-\x7f])\d[\d.]*")

_Line = tuple[str, str]
"""A file and a line of it, without the blanks around it."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """What later edits replaced of what exchanges had put into files."""

    exchanges: frozenset[int]
    """Those of which nothing is left."""
    gone: dict[int, frozenset[str]]
    """Of the others, the words that are in their files no more."""
    undone: frozenset[int]
    """Those that did nothing but take out again what the session had put in."""
    shares: dict[tuple[int, str], float]
    """Of an exchange and a file, by its name without folders, the share of the lines put there that was replaced."""


def replaced(thread: Thread) -> Replaced:
    """Return what later edits of a session replaced."""
    book = _Book()
    for number, edits in _by_exchange(thread):
        book.enter(number, edits)
    return book.closed()


class _Book:
    """Which exchange put each line of the files there, entered edit by edit, and what became of its lines."""

    def __init__(self) -> None:
        self._owner: dict[_Line, tuple[int, frozenset[str]]] = {}
        """Of each line that is there, the exchange that put it there and the words that were new in it."""
        self._lost: Counter[tuple[int, str]] = Counter()
        """How many lines of an exchange were replaced in a file."""
        self._gone: dict[int, set[str]] = defaultdict(set)
        self._undone: set[int] = set()

    def enter(self, number: int, edits: list[Edit]) -> None:
        """Enter what an exchange did to files."""
        added = {line for edit in edits for line in _lines(edit.path, edit.new)}
        words = {word for _, line in added for word in _WORD.findall(line)}
        fresh = any(set(_lines(edit.path, edit.new)) - set(_lines(edit.path, edit.old)) for edit in edits)
        taken: list[bool] = []
        for edit in edits:
            taken += self._take_out(number, edit, added, words)
            self._put_in(number, edit)
        if taken and all(taken) and not fresh:
            self._undone.add(number)

    def _take_out(self, number: int, edit: Edit, added: set[_Line], words: set[str]) -> Iterator[bool]:
        """Take out the lines that an edit leaves no trace of; tell of each whether the session had put it there.

        `added` are the lines that the exchange puts in anywhere, `words` those in them: what has all its words there
        goes on.
        """
        after = _lines(edit.path, edit.new)
        for line in self._removed(edit):
            if line in added or line in after:
                continue
            who, new = self._owner.pop(line, (number, frozenset[str]()))
            if who != number and new - words:
                self._lost[who, line[0]] += 1
                self._gone[who] |= new - words
            yield bool(new)

    def _removed(self, edit: Edit) -> list[_Line]:
        if edit.whole and not edit.new:
            return [line for line in self._owner if line[0] == _name(edit.path)]
        return _lines(edit.path, edit.old)

    def _put_in(self, number: int, edit: Edit) -> None:
        known, before = set(_WORD.findall(edit.old)), _lines(edit.path, edit.old)
        for line in _lines(edit.path, edit.new):
            new = frozenset(_WORD.findall(line[1])) - known
            if new and line not in before and line not in self._owner:
                self._owner[line] = (number, new)

    def closed(self) -> Replaced:
        """Return what is replaced once all is entered."""
        left = Counter((who, path) for (path, _), (who, _) in self._owner.items())
        shares = {key: count / (count + left[key]) for key, count in self._lost.items()}
        lost, stay = _summed(self._lost), _summed(left)
        whole = frozenset(at for at, count in lost.items() if count >= _NEARLY_ALL * (count + stay[at]))
        gone = {at: frozenset(words) for at, words in self._gone.items() if at not in whole}
        return Replaced(whole, gone, frozenset(self._undone), shares)


def _summed(counts: Counter[tuple[int, str]]) -> Counter[int]:
    summed: Counter[int] = Counter()
    for (number, _), count in counts.items():
        summed[number] += count
    return summed


def _by_exchange(thread: Thread) -> Iterator[tuple[int, list[Edit]]]:
    for number, exchange in enumerate(thread.exchanges):
        messages = thread.messages[exchange.first : exchange.last + 1]
        calls = [call for message in messages for call in message.tool_calls]
        edits = [edit for call in calls for edit in edits_of(call)]
        changed = {_name(change.path) for call in calls if call.ok is not False for change in call.changes}
        told = (edit for message in messages if is_reply(message) for edit in edits_in_words(message.text))
        edits += [edit for edit in told if _name(edit.path) in changed]
        edits += [
            Edit(word, "", "", whole=True)
            for run in thread.runs
            if exchange.first <= run.position <= exchange.last and run.ok is not False
            for part in run.parts
            if part.program == "rm" and not part.scratch
            for word in part.words[1:]
            if not word.startswith("-")
        ]
        if edits := [edit for edit in edits if len(edit.old) + len(edit.new) <= _LONGEST]:
            yield number, edits


def _lines(path: str, text: str) -> list[_Line]:
    bare = (line.strip().rstrip(",;") for line in text.split("\n"))
    return [(_name(path), line) for line in bare if _WORD.search(line)]


def _name(path: str) -> str:
    return path.replace("\\", "/").casefold().rsplit("/", 1)[-1]


def overtaken_by_edits(thread: Thread, found: Replaced) -> frozenset[Statement]:
    """Return the statements of exchanges that were replaced: what was reported, and what was ordered or agreed to."""
    failed = [run.position for run in thread.runs if run.ok is False]
    agreed = (
        one
        for number in found.exchanges
        if (prompt := thread.exchanges[number].prompt) is not None and agrees(prompt.text.strip())
        for one in proposal(thread, number)
    )
    said = (
        one
        for one in thread.statements
        if (one.exchange in found.exchanges and _goes(one, failed, thread))
        or (_of_replaced_files(one, found) and _goes(one, [], thread))
        or (one.exchange in found.undone and one.speaker == "assistant" and not cues.BECAUSE.search(one.text))
    )
    return frozenset((*said, *agreed))


def _of_replaced_files(one: Statement, found: Replaced) -> bool:
    """Return whether what the model tells names files of which nearly half, as they were then, was replaced."""
    if one.speaker != "assistant":
        return False
    low = one.text.casefold()
    named = [share for (number, path), share in found.shares.items() if number == one.exchange and path in low]
    return bool(named) and sum(named) >= _NEARLY_HALF * len(named)


def _goes(one: Statement, failed: list[int], thread: Thread) -> bool:
    if cues.CAUSE.search(one.text) or reports_trouble(one.text):
        return False
    first = thread.exchanges[one.exchange].first
    if one.speaker == "assistant":
        # What is told before anything was changed, or of what failed, is no report of what was done.
        return thread.edited(first, one.position) and not any(first <= at <= one.position for at in failed)
    return cues.STANDING.search(one.text) is None


def left_of(draft: Draft, gone: Replaced) -> Draft | None:
    """Return a draft without the clauses that later edits replaced, None where nothing is left of what it says."""
    cut = {one: text for one in (*draft.sources, *draft.also) if (text := trimmed(one, gone)) != one.text}
    if not cut:
        return draft
    if size(cut.get(draft.anchor, draft.anchor.text)) < _LEAST_LEFT:
        return None
    said = {one: replace(one, text=text) for one, text in cut.items()}

    def left(statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
        return tuple(said.get(one, one) for one in statements if cut.get(one, one.text))

    parts = draft.parts
    for one, text in cut.items():
        parts = tuple(replace(part, text=part.text.replace(one.text, text)) for part in parts)
    parts = tuple(part for part in parts if part.text.strip())
    anchor = said.get(draft.anchor, draft.anchor)
    return replace(draft, anchor=anchor, support=left(draft.support), also=left(draft.also), parts=parts)


def trimmed(one: Statement, found: Replaced) -> str:
    """Return what a sentence says without the clauses that later edits replaced; "" for nothing left.

    Those are the clauses that give a figure which is gone, and of a rule in an exchange that was replaced what stands
    before what it forbids.
    """
    if one.exchange not in found.exchanges | found.gone.keys():
        return one.text
    clauses = [clause for clause in _CLAUSE.split(one.text) if clause.strip()]
    if one.exchange in found.exchanges:
        if one.speaker == "assistant":
            return one.text
        bans = [at for at, clause in enumerate(clauses) if cues.NEGATED_ORDER.search(clause)]
        return "".join(clauses[bans[0] :]).strip() if bans else one.text
    figures = {word for word in found.gone[one.exchange] if _FIGURE.search(word)}
    kept = [clause for clause in clauses if figures.isdisjoint(_FIGURES.findall(clause))]
    return one.text if len(kept) == len(clauses) else "".join(kept).strip()
