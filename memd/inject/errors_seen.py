"""Errors seen before: what came of an error of an earlier session that a prompt brings again, word for word.

An error's text shares hardly a word with what explains it, so it is not compared with facts: it is looked for where it
was printed or pasted, and what is said is what the agent came to there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from memd.inject.passages import Passage, conclusions
from memd.model import Message
from memd.store import messages, search, surroundings
from memd.store.facts import Connection
from memd.text.everyday import EVERYDAY
from memd.text.tokens import match_query, terms

_TROUBLE: Final = re.compile(
    r"\w*(?:Error|Exception|Panic|Fault)\b|\b(?:fatal|panick?(?:ed)?|failed|failure|undefined|unresolved|unknown|invalid"
    r"|cannot|can'?t|could not|unable|refused|denied|not (?:found|allowed|permitted)|no such|timed? ?out|mismatch"
    r"|exit code)\b|\b(?-i:E[A-Z]{4,}|E\d{3,}|TS\d{4}|SIG[A-Z]{3,})\b|(?:^|\s)(?:HTTP/[\d.]+ )?[45]\d\d [A-Za-z]"
    r"|错误|异常|报错|失败|超时",
    re.IGNORECASE,
)
_TELLS: Final = re.compile(r"[A-Za-z]{3}|[^\x00-\x7f]")
_MOST_LINES: Final = 2
_LINE_CHARS: Final = 300
_PLACES: Final = 8
_TOGETHER: Final = 3
_LOOKED_AT: Final = 20_000
"""Characters of what was printed or pasted that are looked through."""
_SAME: Final = 0.8
"""The share of an error's words that a line of earlier has to have to be the same error."""
_LEAST_WORDS: Final = 3


def seen(
    conn: Connection, request: str, project_id: int, *, besides: int | None, most: int, known: Iterable[str] = ()
) -> tuple[Passage, ...]:
    """Return what the agent came to when the request's errors were there before, the latest first, at most `most`.

    `besides` is the row id of the session that asks; `known` are names of passages that it was given.
    """
    rows = [
        row
        for line in error_lines(request)
        for row in _closest(one for one in _places(conn, line, project_id) if one[1] != besides)
    ]
    prompts = surroundings.prompts_of(conn, rows)
    told = conclusions(conn, dict.fromkeys(prompts.values()))
    given = frozenset(known)
    latest = sorted(told.values(), key=lambda one: -(one.message.at or 0))
    return tuple({one.text: one for one in latest if one.name not in given}.values())[:most]


def error_lines(text: str) -> tuple[str, ...]:
    """Return the lines of a text that are errors with words enough to know them again, the last few."""
    found = [line.strip()[:_LINE_CHARS] for line in text.splitlines() if _TROUBLE.search(line[:_LINE_CHARS])]
    return tuple(dict.fromkeys(line for line in found if len(_words(line)) >= _LEAST_WORDS))[-_MOST_LINES:]


def _closest(places: Iterable[tuple[int, int, bool]]) -> list[int]:
    """Return the messages where an error stands as it is; where there are none, those that differ in numbers alone."""
    found = list(places)
    whole = [row for row, _, same in found if same]
    return whole or [row for row, _, _ in found]


def _places(conn: Connection, line: str, project_id: int) -> Iterator[tuple[int, int, bool]]:
    """Yield the messages where an error was printed by a tool or pasted by the user: row id, session, whether it
    stands there letter for letter.
    """
    wanted, where = _words(line), search.Where(project_id=project_id)
    asked = _expression(wanted)
    if not asked:
        return
    printed = [row for _, row, _ in search.calls(conn, asked, where, _PLACES)]
    found = [*_where_it_stands(conn, line, wanted, printed)]
    if not any(as_it_is for *_, as_it_is in found):  # somebody may have pasted it
        said = [row for row, _, _ in search.messages(conn, asked, where, _PLACES)]
        found += _where_it_stands(conn, line, wanted, said)
    yield from found


def _where_it_stands(
    conn: Connection, line: str, wanted: frozenset[str], rows: Iterable[int]
) -> Iterator[tuple[int, int, bool]]:
    for row, (session, message) in messages.by_ids(conn, dict.fromkeys(rows)).items():
        same = () if message.abandoned else [other for other in _printed(message) if _is_same(wanted, other)]
        if same:
            yield row, session, any(line in other for other in same)


def _expression(words: frozenset[str]) -> str:
    """Return an FTS5 expression for what holds some of an error's longest words: three together, or the next three.

    To look for any of them would take long, and of what is the same error one group stands in it whole nearly always.
    """
    longest = [match for word in sorted(words, key=lambda word: (-len(word), word)) if (match := match_query(word))]
    groups = [group for at in (0, _TOGETHER) if len(group := longest[at : at + _TOGETHER]) >= min(at + 2, _TOGETHER)]
    return " OR ".join(f"({' AND '.join(f'({match})' for match in group)})" for group in groups)


def _printed(message: Message) -> Iterator[str]:
    if message.role == "user":
        yield from message.text[:_LOOKED_AT].splitlines()
    for call in message.tool_calls:
        yield from (call.output or "")[:_LOOKED_AT].splitlines()


def _is_same(wanted: frozenset[str], line: str) -> bool:
    return len(wanted & _words(line[: 2 * _LINE_CHARS])) >= _SAME * len(wanted)


def _words(line: str) -> frozenset[str]:
    """Return what an error says, without the numbers, addresses and times that differ each time."""
    return frozenset(term for term in terms(line) if _TELLS.search(term)) - EVERYDAY
