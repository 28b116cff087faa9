"""Errors of a session: the telling line of what failed, and what made it pass later.

Most are failed commands. Others are tools that failed, what a person pasted from a terminal, and what the host itself
reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memd.distill.calls import Run
from memd.distill.errorlines import MAX_LINE, MAX_PHRASE, first_sentence, surely_telling_line, telling_line
from memd.distill.shell import Simple, is_work, purpose, signature
from memd.distill.troubles import Trouble, seen_only, troubles
from memd.model import ErrorSeen, Message

_MAX_ERRORS: Final = 20

_NO_COMMAND: Final = re.compile(r"[\w./-]*sh: .*(?:command not found|not found).*")
_FAILURE_ALONE: Final = re.compile(
    r"(?:\b(?:fail(?:s|ed)?|failing|crash(?:es|ed)|falla|fall[oó]|fehlgeschlagen)|失败了?)\W*\Z", re.IGNORECASE
)
_LOGS: Final = re.compile(r"\blog(?:s|cat)?\b|--log-failed|[-_]log\b")


def errors_seen(runs: tuple[Run, ...], messages: tuple[Message, ...]) -> tuple[ErrorSeen, ...]:
    """Return the errors of failed commands, each once, with what fixed it; at most 20, the first and the last ones."""
    found: dict[str, ErrorSeen] = {}
    for seen in sorted((*_of_runs(runs, messages), *troubles(messages)), key=lambda one: one.position):
        key = re.sub(r"\d+", "0", seen.error.text.lower())
        if key not in found or (seen.error.fixed and not found[key].fixed):
            found[key] = seen.error
    errors = list(found.values())
    if len(errors) > _MAX_ERRORS:
        errors = errors[: _MAX_ERRORS // 2] + errors[-_MAX_ERRORS // 2 :]
    return tuple(errors)


def _of_runs(runs: tuple[Run, ...], messages: tuple[Message, ...]) -> Iterator[Trouble]:
    for at, run in enumerate(runs):
        line = _error_of(run)
        if line is not None:
            passed = next((later for later in runs[at + 1 :] if later.ok and same_work(run, later)), None)
            if run.ok and passed is None:
                yield Trouble(run.position, seen_only(line, messages, run.position))
                continue
            fix = fix_between(run, passed, messages) if passed else None
            yield Trouble(run.position, ErrorSeen(line, passed is not None, fix))


def _error_of(run: Run) -> str | None:
    if run.ok is False and any(is_work(part) for part in run.parts):
        return telling_line(run.call.output)
    if run.ok and "|" in run.command and any(_shows_failures(part) for part in run.parts):
        checked = any(purpose(part) == "lint" or _LOGS.search(part.text) for part in run.parts)
        return surely_telling_line(run.call.output, checked=checked)
    output = run.call.output.strip()
    # A pipe hides the exit code, but the shell's own words are the whole output.
    return (
        output if run.ok and "|" in run.command and len(output) < MAX_LINE and _NO_COMMAND.fullmatch(output) else None
    )


def _shows_failures(part: Simple) -> bool:
    """Whether a command, of which a pipe hides how it ended, shows failures: tests, builds, checks, logs."""
    return purpose(part) in ("test", "build", "lint") or _LOGS.search(part.text) is not None


def same_work(failed: Run, later: Run) -> bool:
    """Return whether a later run does again what failed: the same program and verb, or the same purpose."""
    if failed.command == later.command:
        return True
    return not _marks(failed).isdisjoint(_marks(later))


def _marks(run: Run) -> set[str]:
    marks: set[str] = set()
    for part in run.parts:
        if is_work(part):
            aim = purpose(part)
            marks.add(f"for:{aim}" if aim in ("test", "build", "lint", "deploy", "migrate") else signature(part))
    return marks


def fix_between(failed: Run, passed: Run, messages: tuple[Message, ...]) -> str | None:
    """Return in one phrase what was done between a failure and the pass: words of a reply, or the files edited."""
    for message in messages[failed.position + 1 : passed.position + 1]:
        if message.role == "assistant" and message.text.strip():
            phrase = first_sentence(message.text)
            if phrase and not _FAILURE_ALONE.search(phrase):  # "The migration failed." mends nothing
                return phrase
    edited = dict.fromkeys(_edited(messages[failed.position + 1 : passed.position + 1]))
    if edited:
        return "edited " + ", ".join(list(edited)[:3])
    if passed.command == failed.command:
        return None
    return f"ran {' '.join(passed.command.split())}"[:MAX_PHRASE]


def _edited(messages: tuple[Message, ...]) -> Iterator[str]:
    for message in messages:
        for call in message.tool_calls:
            for change in call.changes:
                yield re.split(r"[\\/]", change.path)[-1]
