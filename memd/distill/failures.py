"""Errors of a session: the telling line of a failed command, and what made the same command pass later."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memd.distill.calls import Run
from memd.distill.shell import is_work, purpose, signature
from memd.model import ErrorSeen, Message

_MAX_ERRORS: Final = 10
_MAX_LINE: Final = 300
_MAX_FIX: Final = 160
_SCANNED: Final = 40_000  # characters of an output that are searched, half of them at its end

_ANSI: Final = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_PLACE: Final = re.compile(r"^(?:[\w./\\@-]+\.\w{1,5}[:(]\d+(?:[:,]\d+)?\)?:?\s*(?:-\s*)?)")
_LEAD: Final = re.compile(r"^[\s>|│×✖✘❌→●⨯•*=-]*(?:E\s{2,})?(?:\d+:\d+\s+)?")
_EXPLAINED: Final = re.compile(r"^\s*E\s{2,}\S")  # pytest marks the lines that explain a failure
_NEXT_TELLS: Final = re.compile(r"^thread '.*' .*panicked at .*:$")  # Rust says the place first, then the message

# The most telling first. Each is searched in a line that was cleaned of colour and of leading marks.
_NAMED_ERROR: Final = re.compile(r"^(?:[A-Za-z_][\w.]*\.)?[A-Z]\w*(?:Error|Exception|Failure|Panic)\b.*[:：]\s*\S")
_ASSERTION: Final = re.compile(
    r"^(?:thread '.*' panicked at|panic: |assertion .*failed|assert .+|called `"
    r"|expected .+ to (?:be|equal|contain|have)\b)"
)
_SAID_ERROR: Final = re.compile(
    r"^(?:error|fatal|ERROR|Error|FATAL|ERR!|npm (?:ERR!|error))\b\s*(?:\[\w+\])?\s*[:!]?\s*\S.{5,}"
    r"|\berror(?: TS\d+|\[E\d+\])?: \S"
)
_SHELL: Final = re.compile(
    r"(?:command not found|: not found$|[Nn]o such file or directory|[Pp]ermission denied|Segmentation fault"
    r"|[Bb]us error|Killed$)"
)
_CODED: Final = re.compile(r"\b(?:[A-Z]{1,4}\d{3,5})\b.*\s\S+")
_TROUBLE: Final = re.compile(
    r"(?i)\b(?:cannot|can't|could not|couldn't|unable to|undefined|unexpected|missing|invalid|refused|denied"
    r"|timed? ?out|not found|no module)\b"
)
_FAILED: Final = re.compile(r"(?i)^(?:FAIL(?:ED)?|failure)\b|错误|失败|异常|找不到|エラー|失敗|오류|실패")
_TELLING: Final = (_NAMED_ERROR, _ASSERTION, _SAID_ERROR, _SHELL, _CODED, _TROUBLE, _FAILED)
_NO_COMMAND: Final = re.compile(r"[\w./-]*sh: .*(?:command not found|not found).*")
# Not an error of the work: the host or the person stopped it.
_STOPPED: Final = re.compile(
    r"(?i)doesn't want to (?:proceed|take this action)|tool use was rejected|request interrupted|permission to use"
    r"|has been denied"
    r"|requires approval|user rejected|cancell?ed by|blocked by|<tool_use_error>|not been granted|background"
)


def errors_seen(runs: tuple[Run, ...], messages: tuple[Message, ...]) -> tuple[ErrorSeen, ...]:
    """Return the errors of failed commands, each once, with what fixed it; at most 10, the first and the last ones."""
    found: dict[str, ErrorSeen] = {}
    for at, run in enumerate(runs):
        line = _error_of(run)
        if line is None:
            continue
        passed = next((later for later in runs[at + 1 :] if later.ok and same_work(run, later)), None)
        fix = fix_between(run, passed, messages) if passed else None
        key = re.sub(r"\d+", "0", line.lower())
        if key not in found or (passed is not None and not found[key].fixed):
            found[key] = ErrorSeen(line, passed is not None, fix)
    errors = list(found.values())
    if len(errors) > _MAX_ERRORS:
        errors = errors[: _MAX_ERRORS // 2] + errors[-_MAX_ERRORS // 2 :]
    return tuple(errors)


def _error_of(run: Run) -> str | None:
    if run.ok is False and any(is_work(part) for part in run.parts):
        return telling_line(run.call.output)
    output = run.call.output.strip()
    # A pipe hides the exit code, but the shell's own words are the whole output.
    return (
        output if run.ok and "|" in run.command and len(output) < _MAX_LINE and _NO_COMMAND.fullmatch(output) else None
    )


def telling_line(output: str) -> str | None:
    """Return the line of a failed command's output that says what went wrong, cleaned of colour and leading marks.

    None for an empty output and for one that says that the command was stopped rather than failed.
    """
    if not output.strip() or _STOPPED.search(output[:400]):
        return None
    if len(output) > _SCANNED:
        output = output[: _SCANNED // 2] + "\n" + output[-_SCANNED // 2 :]
    best: tuple[int, str] | None = None
    last, follows = "", False
    for raw in _ANSI.sub("", output).split("\n"):
        line = _PLACE.sub("", _LEAD.sub("", raw)).strip()
        if len(line) < 4:
            continue
        last = line
        rank = 0 if follows or _EXPLAINED.match(raw) else None
        follows = _NEXT_TELLS.match(line) is not None
        if rank is None:
            rank = next((rank for rank, pattern in enumerate(_TELLING) if pattern.search(line)), None)
        if rank is not None and (best is None or rank < best[0]):
            best = (rank, line)
            if rank == 0:
                break
    line = best[1] if best else last
    return line[:_MAX_LINE] or None


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
            if phrase:
                return phrase
    edited = dict.fromkeys(_edited(messages[failed.position + 1 : passed.position + 1]))
    if edited:
        return "edited " + ", ".join(list(edited)[:3])
    if passed.command == failed.command:
        return None
    return f"ran {' '.join(passed.command.split())}"[:_MAX_FIX]


def first_sentence(text: str) -> str:
    """Return the first sentence of a Markdown text as plain words, at most 160 characters."""
    for line in text.split("\n"):
        plain = line.strip().lstrip("#>-* ").replace("**", "").replace("`", "")
        if plain and not line.startswith("```"):
            end = re.search(r"[.!?](?=\s|$)|[。！？]", plain)
            return (plain[: end.end()] if end else plain)[:_MAX_FIX].strip()
    return ""


def _edited(messages: tuple[Message, ...]) -> Iterator[str]:
    for message in messages:
        for call in message.tool_calls:
            for change in call.changes:
                yield re.split(r"[\\/]", change.path)[-1]
