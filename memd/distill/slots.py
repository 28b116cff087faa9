"""Slots: what a rule or a choice is about, where only one value can hold at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memd.distill.languages import wanted
from memd.distill.shell import is_work, purpose, simple_commands

_CODE: Final = re.compile(r"`([^`\n]{3,120})`")
_BARE: Final = re.compile(
    r"\b(?:npm|pnpm|yarn|bun|npx|cargo|go|make|just|uv|poetry|pytest|python3? -m|tox|nox|gradle|\./gradlew|mvn"
    r"|dotnet|flutter|bundle exec|rake|mix|docker compose)(?: [\w:./=@-]+){1,4}"
)
_MANAGERS: Final = {
    "javascript packages": re.compile(r"\b(?:npm|pnpm|yarn|bun)\b"),
    "python packages": re.compile(r"\b(?:pip|uv|poetry|pipenv|pdm|conda|rye)\b"),
}
_PLAIN: Final = re.compile(r"[A-Za-z][\w:.-]*")  # no option, assignment or path
_LANGUAGE: Final = "language:"
_ONLY: Final = re.compile(
    r"\b(?:only|always|use|never|instead|not)\b|只用|不要用|统一|改用|一律|\bnada de\b|\bnur\b", re.IGNORECASE
)


def values_of(slot: str, text: str) -> frozenset[str]:
    """Return the values that a text gives to a slot: its commands without their arguments; nothing where it is unclear.

    `make test` and `make test T=payouts` are one value, `npm test` is another.
    """
    if slot.startswith(_LANGUAGE):
        return found[1] if (found := wanted(text)) is not None and slot == _LANGUAGE + found[0] else frozenset()
    return frozenset(value for aim, value in _commands(text) if slot == f"command:{aim}")


def slot_of(text: str) -> str | None:
    """Return the slot of a rule: what its command is for, the package manager or language it settles; or None."""
    for aim, _ in _commands(text):
        return f"command:{aim}"
    if _ONLY.search(text):
        for name, pattern in _MANAGERS.items():
            if len(set(pattern.findall(text))) >= 2:
                return f"choice:{name}"
    return language_slot(text)


def language_slot(text: str) -> str | None:
    """Return the slot of a rule that wants something in a natural language ("language:comments"), or None."""
    found = wanted(text)
    return _LANGUAGE + found[0] if found is not None else None


def _commands(text: str) -> Iterator[tuple[str, str]]:
    """Yield what each command in a text is for, and the command without its arguments."""
    for match in (*_CODE.finditer(text), *_BARE.finditer(text)):
        command = match[1] if match.re is _CODE else match[0]
        for part in simple_commands(command):
            aim = purpose(part) if is_work(part) and len(part.words) > 1 else None
            if aim in ("test", "build", "deploy"):
                yield aim, " ".join(word for word in part.words[:3] if _PLAIN.fullmatch(word))
