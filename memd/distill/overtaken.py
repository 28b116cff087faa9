"""What a later message says is gone: removed, replaced, wrong. What was said of it before holds no longer.

Narrow on purpose: all that the later sentence names has to stand in the earlier one, and a sentence that speaks of the
removal itself, or of both the old and the new, stays.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from memd.distill import cues
from memd.distill.thread import Statement, Thread
from memd.text.tokens import terms

_GONE: Final = re.compile(
    r"\b(?:gone|removed|deleted|dropped|reverted|replaced|rolled back|replaces|wrong|no longer \w+|kaldırıldı|silindi"
    r"|odstraněn\w*|eliminad\w+|supprimé\w*|retiré\w*|removid\w+|entfernt|gelöscht|fjernet|usunięt\w+|удал[её]н\w*"
    r"|убран\w*|видален\w*)\b|移除了?|删除了?|刪除了?|去掉了?|撤回了?|回退了?|を削除|を廃止|(?:을|를)? ?(?:제거|삭제)",
    re.IGNORECASE,
)
_NAMES_AFTER: Final = re.compile(
    r"removed|deleted|dropped|reverted|replaced|rolled|replaces|移除|删除|刪除|去掉|撤回|回退", re.IGNORECASE
)
_CLAUSE: Final = re.compile(r"[.;:!?,，。；：、\n]")
_MOST: Final = 60  # characters before and after that name the thing
_BOTH: Final = re.compile(r"→|->|=>|\binstead of\b|\brather than\b|而不是|代替|대신|yerine")
_EMPTY: Final = frozenset(
    """
    then stuff change changes thing code back again version part branch test tests file files line lines old new earlier
    also now already so it that this one md
    """.split()
)
_LEAST: Final = 2  # terms that name a thing well enough


def gone(text: str) -> Iterator[frozenset[str]]:
    """Yield the terms of each thing that a sentence says is removed, replaced or wrong."""
    for match in _GONE.finditer(text):
        before = _CLAUSE.split(text[max(match.start() - _MOST, 0) : match.start()])[-1]
        after = _CLAUSE.split(text[match.end() : match.end() + _MOST])[0] if _NAMES_AFTER.match(match[0]) else ""
        for named in (before, after):
            found = frozenset(term for term in terms(named) if len(term) > 1) - _EMPTY
            if len(found) >= _LEAST:
                yield found


def overtaken(thread: Thread) -> frozenset[Statement]:
    """Return the statements of things that the model, in a later message, reported as gone."""
    reported: dict[str, list[tuple[Statement, frozenset[str]]]] = defaultdict(list)
    for later in thread.statements:
        text = later.text
        if later.speaker == "user" or cues.QUESTION.search(text) or cues.PLAN.match(text) or cues.PROPOSAL.search(text):
            continue
        for named in gone(text):
            reported[min(named)].append((later, named))
    if not reported:
        return frozenset()
    found: set[Statement] = set()
    before: Statement | None = None
    for one in thread.statements:
        same = before is not None and (before.message, before.block) == (one.message, one.block)
        around = thread.terms(one) | (thread.terms(before) if same and before is not None else frozenset())
        if _is_overtaken(one, thread.terms(one), around, reported):
            found.add(one)
        before = one
    return frozenset(found)


def _is_overtaken(
    statement: Statement,
    own: frozenset[str],
    around: frozenset[str],
    reported: dict[str, list[tuple[Statement, frozenset[str]]]],
) -> bool:
    """Return whether something is reported gone that a statement names, half of it perhaps in the sentence before."""
    if around.isdisjoint(reported):
        return False
    if _BOTH.search(statement.text) or cues.NEGATED_ORDER.search(statement.text):
        return False
    found = [
        named
        for term in around & reported.keys()
        for later, named in reported[term]
        if named <= around and 2 * len(named & own) >= len(named) and later.position > statement.position
    ]
    return bool(found) and not any(named & said for said in gone(statement.text) for named in found)
