"""Picking: a prompt of a letter or a number ("A", "B + C", "2") decides for what the reply before it listed under it.

What the person picks is said by the model; that they picked it makes it theirs. Which of the next steps to take is no
decision but an order for now. Longer prompts that pick something on the way ("do 1 and 2, nobody needs sha256") are
found in `decisions.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memd.distill import cues
from memd.distill.cue import Cue
from memd.distill.draft import Draft, plain
from memd.distill.leftovers import LABEL
from memd.distill.thread import Statement, Thread
from memd.model import FactPart

CONFIDENCE: Final = 0.6
_LONGEST: Final = 120  # characters of a prompt that picks by letter
_BARE: Final = 20  # and of one that is nothing but the letter or number
_WORD: Final = (
    r"(?:options?|choices?|plans?|variants?|approach|solution|opci[oó]n|variante|opção|вариант\w*"
    r"|方案|选项|選項|案|옵션|방안)"
)
_BARE_PICK: Final = re.compile(
    rf"^\W*(?:(?:ok|yes|go|do|take|use|with|just|let's|选|就|用)\W+)*{_WORD}?\s*"
    r"(?P<ids>[A-Ea-e1-9](?:\s*(?:[+&,、和与]|and|und|y|et)\s*[A-Ea-e1-9])*)(?:,? please)?\W*$",
    re.IGNORECASE,
)
_NAMED_PICK: Final = re.compile(
    rf"(?:(?i:{_WORD}))\s*(?P<ids>[A-E](?:\s*[+&,、和与]\s*[A-E])*)(?![A-Za-z0-9])|\b(?P<sum>[A-E](?:\s*\+\s*[A-E])+)\b"
)
_NAMES_OPTIONS: Final = re.compile(_WORD, re.IGNORECASE)
_ID: Final = re.compile(r"[A-Ea-e1-9]")
# "A. ...", "**Option B:** ...", "| C | ...", "2) ...", "方案 B：..."
_LISTED: Final = re.compile(
    rf"^[ \t]*(?:[-*+•][ \t]+|#+[ \t]+|\|[ \t]*)?(?:\*\*)?(?:{_WORD}[ \t]*)?(?P<id>[A-E1-9])(?:\*\*)?[ \t]*"
    r"(?:[.):：—–-]|\|)[ \t]*(?P<text>[^\n]{8,})$",
    re.MULTILINE | re.IGNORECASE,
)
STEPS: Final = Cue(
    r"\b(?:next|continue|proceed|go on|go ahead|from here|follow[- ]?ups?|start with|shall i|should i|want me to"
    r"|like me to|i (?:can|could|will)|we (?:can|could) (?:now|then))\b",
    r"下一步|接下来|接下來|继续|繼續|后续|後續|我(?:可以|来|能)|次の|続け|この後|다음|계속|이어서|해 ?드릴|할까요",
    r"\b(?:suite|suivantes?|prochaines?|continuer|je (?:peux|continue)|siguientes?|continuar|sigo|puedo|nächste\w*"
    r"|weiter\w*|ich (?:kann|könnte)|soll ich|prossim\w+|posso|próxim\w+|seguir|sonraki|devam|yapabilirim|další"
    r"|pokračovat|mohu|můžu|kolejn\w+|dalej|mogę|volgende|verder|næste|nästa)\b",
    r"\b(?:дальше|далее|следующ\w+|продолж\w+|могу|далі|наступн\w+|продовж\w+|можу)\b",
)
"""How a list or a question begins of what could be done next, and of what the model offers to do."""
_COMPARED: Final = 24  # characters by which a listed line and a statement are known to be the same


def find(thread: Thread) -> Iterator[Draft]:
    """Yield what a person picked by its letter or number from the reply before."""
    for number, exchange in enumerate(thread.exchanges):
        if number == 0 or exchange.prompt is None:
            continue
        wanted = _wanted(exchange.prompt.text)
        final = thread.exchanges[number - 1].final
        if not wanted or final is None:
            continue
        asked = thread.by_message.get(exchange.first, ())
        for listed in _listed(thread, final, wanted):
            if _is_step(thread, final, listed):
                continue
            parts = (FactPart("decided", plain(listed.text)),)
            yield Draft("decision", listed, CONFIDENCE, asked[:1], parts)


def _wanted(text: str) -> frozenset[str]:
    """Return the letters and numbers that a prompt picks."""
    said = text.strip()
    if len(said) > _LONGEST or cues.QUESTION.search(said):
        return frozenset()
    match = (_BARE_PICK.match(said) if len(said) <= _BARE else None) or _NAMED_PICK.search(said)
    named = match and next((group for group in match.groups() if group), None)
    return frozenset(one.upper() for one in _ID.findall(named or ""))


def _listed(thread: Thread, final: int, wanted: frozenset[str]) -> Iterator[Statement]:
    """Yield the statements of a reply that it lists under these letters or numbers, the last list of it."""
    text, said = thread.messages[final].text, thread.by_message.get(final, ())
    lines = {match["id"].upper(): match["text"] for match in _LISTED.finditer(text)}
    for one in sorted(wanted & lines.keys()):
        line = _letters(lines[one])[:_COMPARED]
        found = next((statement for statement in said if line and line in _letters(statement.text)), None)
        if found is not None:
            yield found


def _is_step(thread: Thread, final: int, listed: Statement) -> bool:
    """Return whether what is listed is a step that could come next, by its heading or by what opens its list."""
    before = [one for one in thread.by_message[final] if one.order < listed.order and not (one.item or one.row)]
    opening = before[-1].text if before else ""
    if _NAMES_OPTIONS.search(f"{listed.heading} {opening}"):
        return False
    return any(LABEL.match(f"{one}:") or STEPS.search(one) for one in (listed.heading, opening) if one)


def _letters(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())
