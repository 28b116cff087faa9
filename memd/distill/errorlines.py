"""Error lines: which line of a text says what went wrong."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import Final

MAX_LINE: Final = 300
MAX_PHRASE: Final = 160
_SCANNED: Final = 40_000  # characters of a text that are searched, half of them at its end

_ANSI: Final = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_PLACE: Final = re.compile(r"^(?:[\w./\\@-]+\.\w{1,5}[:(]\d+(?:[:,]\d+)?\)?:?\s*(?:-\s*)?)")
_LEAD: Final = re.compile(r"^[\s>|│×✖✘❌→●⨯•*=-]*(?:E\s{2,})?(?:\d+:\d+\s+)?")
# What stands before the message in a log: times, process numbers, a level, a tag; a build's clock; npm's own name.
_LOGGED: Final = re.compile(
    r"^(?:\[?(?:\d{4}-)?\d\d-\d\d[T ]\d\d:\d\d:\d\d[.,\d]*Z?\]?\s+(?:\d+\s+)*(?:[VDIWEF]\s+[\w./$-]+:\s*)?"
    r"|\d+\.\d+\s+|npm (?:ERR!|error)\s+)+"
)
_EXPLAINED: Final = re.compile(r"^\s*E\s{2,}\S|^WARNING: DATA RACE")  # pytest marks the lines that explain a failure
# That something failed, and not what: a status.
_STATUS: Final = re.compile(
    r"(?i)\b(?:exit(?:ed)?(?: with)?(?: code| status)? \d+|job failed|exit code \d+|race detected during"
    r"|error code \w+|FullyQualifiedErrorId|CategoryInfo|A complete log|errors? occurred in \w+, check log)\b"
)
_NPM_CODE: Final = re.compile(r"^npm (?:ERR!|error) code E[A-Z]\w+", re.MULTILINE)  # which error it is
_HOST_SAYS: Final = re.compile(r"^Error executing tool \w+: (?:Error )?(?:\(exit code \d+\): )?")
# Rust says the place first, then the message; Go the name of the test.
_NEXT_TELLS: Final = re.compile(r"^thread '.*' .*panicked at .*:$|^(?:-+ )?FAIL: Test\w+")
_SURE: Final = 3  # of the ranks below: the line names an error
_CHECKED: Final = 4  # or, in what a linter says, a rule
_VAGUE: Final = 5  # a line of this rank and beyond tells nothing by itself
_BEHIND: Final = 3  # lines behind the telling one that are looked at

# The most telling first. Each is searched in a line that was cleaned of colour and of leading marks.
_NAMED_ERROR: Final = re.compile(
    r"^(?:[A-Za-z_][\w.]*\.)?[A-Z]\w*(?:Error|Exception|Failure|Panic|Denied|Refused|Timeout)\b.*[:：]\s*\S"
    r"|\b(?:[a-z]\w*\.)+[A-Z]\w*(?:Error|Exception): \S|^(?:\d+ )?[A-Z]+(?:_[A-Z]+)*_(?:DENIED|EXCEEDED|FAILED): \S"
)
_ASSERTION: Final = re.compile(
    r"^(?:thread '.*' panicked at|panic: |assertion .*failed|assert .+|called `"
    r"|expected .+ to (?:be|equal|contain|have)\b)"
)
_SAID_ERROR: Final = re.compile(
    r"^(?:error|fatal|ERROR|Error|FATAL|ERR!|npm (?:ERR!|error))\b\s*(?:\[\w+\])?\s*[:!]?\s*\S.{5,}"
    r"|\berror(?: TS\d+|\[E\d+\])?: \S|^e: \S"
)
_SHELL: Final = re.compile(
    r"(?:command not found|: not found$|is not recognized as (?:the name of|an internal)"
    r"|[Nn]o such file or directory|[Pp]ermission denied|Segmentation fault"
    r"|[Bb]us error|Killed$)"
)
_CODED: Final = re.compile(r"\b(?:[A-Z]{1,4}\d{3,5})\b.*\s\S+")
_TROUBLE: Final = re.compile(
    r"(?i)\b(?:cannot|can't|could not|couldn't|unable to|undefined|unexpected|missing|invalid|refused|denied"
    r"|timed? ?out|not found|no module|unknown|not allowed)\b"
)
_FAILED: Final = re.compile(r"(?i)^(?:FAIL(?:ED)?|failure)\b|错误|失败|异常|找不到|エラー|失敗|오류|실패")
_TELLING: Final = (_NAMED_ERROR, _ASSERTION, _SAID_ERROR, _SHELL, _CODED, _TROUBLE, _FAILED)
_PROSE_ERROR: Final = re.compile(r"(?:error|fatal|panic|exception)(?:\[\w+\])?: \S.{8,}", re.IGNORECASE)
# "Error loading charts: 404 Not Found", as programs print it; and a line of a stack, which tells a place alone.
_ERROR_DOING: Final = re.compile(r"Error \w+ing [\w /.-]{2,40}: \S.{8,}")
_FRAME: Final = re.compile(r"^\S+ \(?\S+\.\w{1,5}:\d+(?::\d+)?\)?$")
# Not an error of the work: the host or the person stopped it.
_STOPPED: Final = re.compile(
    r"(?i)doesn't want to (?:proceed|take this action)|tool use was rejected|request interrupted|permission to use"
    r"|has been denied"
    r"|requires approval|user (?:rejected|denied)|cancell?ed by|blocked by|<tool_use_error>|not been granted|background"
)


def telling_line(output: str) -> str | None:
    """Return the line of a failed command's output that says what went wrong, cleaned of colour and leading marks.

    What the next lines say of it goes with it. None for an empty output and for one that says that the command was
    stopped rather than failed.
    """
    if not output.strip() or _STOPPED.search(output[:400]):
        return None
    rank, line, lines, behind = _most_telling(output)
    if rank is None:
        line = next((one for one in (lines[-1:] + lines[:1]) if " " in one), lines[-1] if lines else "")
    code = _NPM_CODE.search(output[:_SCANNED])
    return _told(code[0], [line, *behind]) if code is not None and line else _told(line, behind) or None


def surely_telling_line(text: str, checked: bool = False) -> str | None:
    """Return the line of a text that names an error outright (or, of a linter's, a broken rule), None for no line.

    What the next lines say of it goes with it.
    """
    rank, line, _, behind = _most_telling(text)
    return _told(line, behind) if rank is not None and rank <= (_CHECKED if checked else _SURE) else None


def _told(line: str, behind: list[str]) -> str:
    told = line[:MAX_LINE]
    for one in behind:
        if one in told:
            continue
        if len(told) + len(one) > MAX_LINE:
            break
        told += "; " + one
    return told


def cleaned(line: str) -> str:
    """Return a line of an output without colour, marks, times and places that stand before what it says."""
    line = _HOST_SAYS.sub("", _ANSI.sub("", line))
    return _PLACE.sub("", _LOGGED.sub("", _LEAD.sub("", line))).strip()


def error_in_prose(line: str) -> bool:
    """Return whether a line that no code marks set off was printed by a program: an error's name and a colon."""
    printed = _NAMED_ERROR.match(line) or _PROSE_ERROR.match(line) or _ERROR_DOING.match(line)
    return printed is not None and _FRAME.match(line) is None


def _rank(line: str) -> int | None:
    """Return how surely a cleaned line says what went wrong, 0 the surest; None where it does not."""
    if _STATUS.search(line) or _FRAME.match(line):
        return None
    return next((rank for rank, cue in enumerate(_TELLING) if cue.search(line)), None)


def _most_telling(output: str) -> tuple[int | None, str, list[str], list[str]]:
    """Return the most telling line with its rank, all lines, and those right behind it that tell more, cleaned."""
    if len(output) > _SCANNED:
        output = output[: _SCANNED // 2] + "\n" + output[-_SCANNED // 2 :]
    best: tuple[int | None, str] = (None, "")
    at = 0
    lines: list[str] = []
    follows = False
    for raw in _ANSI.sub("", output).split("\n"):
        line = cleaned(raw)
        if len(line) < 4:
            continue
        lines.append(line)
        if best[0] == 0:
            if len(lines) - at > _BEHIND:
                break
            continue
        rank = 0 if (follows and not _STATUS.search(line)) or _EXPLAINED.match(raw) else _rank(line)
        follows = _NEXT_TELLS.match(line) is not None
        if rank is not None and (best[0] is None or rank < best[0]):
            best, at = (rank, line), len(lines)
    behind = list(takewhile(lambda one: (_rank(one) or 0) < _VAGUE, lines[at : at + _BEHIND])) if at else []
    return best[0], best[1], lines, [one for one in behind if _rank(one) is not None]


def first_sentence(text: str) -> str:
    """Return the first sentence of a Markdown text as plain words, at most 160 characters."""
    for line in text.split("\n"):
        plain = line.strip().lstrip("#>-* ").replace("**", "").replace("`", "")
        if plain and not line.startswith("```"):
            end = re.search(r"[.!?](?=\s|$)|[。！？]", plain)
            return (plain[: end.end()] if end else plain)[:MAX_PHRASE].strip()
    return ""
