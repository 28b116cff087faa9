"""Own words: the sentences of a message that its writer says as their own.

Not code, quotations, headings, logs, pasted documents, nor the text of a command that the host put in the person's
place. The command to type that the model leads up to ("bring it up with:") belongs to what leads up to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from memd.distill.codelike import is_codelike
from memd.distill.foreign import foreign_spans, is_brief, is_foreign
from memd.distill.plans import end_of, for_the_work, is_plan
from memd.distill.shell import is_work, simple_commands
from memd.distill.structured import is_structured, prose
from memd.distill.unmarked import unmarked
from memd.text.noise import strip_noise
from memd.text.sentences import Kind, Sentence, sentences

Speaker: TypeAlias = Literal["user", "assistant"]

_PASTED_LINES: Final = 25  # a prompt with more lines than this carries pasted text
_PASTED_CHARS: Final = 2_500
_KEPT_OF_PASTED: Final = 10  # sentences kept at either end of such a prompt
_MAX_SENTENCE: Final = 700
_MIN_SENTENCE: Final = 4
_LOG_LINE: Final = re.compile(
    r"^(?:\[?\d{4}-\d\d-\d\d[T ]|(?:\d\d[-/]\d\d |[A-Z][a-z]{2} [ \d]\d )?\[?\d\d:\d\d:\d\d"
    r"|(?:\([\w.-]+\) ?)?@?[\w.-]{0,40} ?(?:➜|❯)|[\w.-]+@[\w.-]+[: ][^\n]{0,60}[$#] |PS [A-Z]:\\"
    r"|at \S+ ?\(|File \"|Traceback|\$ |> |❯|~/|diff --git|@@ |[+-]{3} "
    r"|\w+Error: |<[a-z/!][^>]*>$|[\w./~@\\-]+\.\w{1,5}:\d+:\d+: "
    r"|(?:Error: )?(?:/|[A-Za-z]:\\)[\w./~@\\-]+:\d+:"
    r"|(?:INFO|WARN|ERROR|DEBUG|TRACE)\b|[{}\[\]();,]+$"
    # a browser's console, a bundler, a compiler
    r"|[\w./@-]{1,80}\.(?:[cm]?[jt]sx?|vue|svelte)(?:\?[\w=.&-]*)?:\d+(?:[A-Z]|\s+(?:\[|[A-Z⚠]|at ))|(?:client|VM\d+"
    r"|\(anonymous\)|\(index\))(?::\d| @ )"
    r"|\[(?!private|redacted)[a-z][\w:.@/-]{2,40}\] |(?:GET|POST|PUT|PATCH|DELETE|HEAD"
    r"|OPTIONS) https?://\S+ (?:\d{3}\b|net::)"
    r"|Uncaught |[\s\S]{0,240}?\bline \d+,? col(?:umn)? \d+)"
)
_HEADING_MARKS: Final = re.compile(r"^#+\s*|\*\*|[:：#]\s*$")
_LEADS: Final = re.compile(r"[:：]\W*$")
_FENCED: Final = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[ \t]*(?P<language>[\w+-]*)")
_SHELLS: Final = frozenset("sh bash shell zsh fish console terminal powershell pwsh ps1 cmd bat shellsession".split())
_PROMPT: Final = re.compile(r"^[$!>%][ \t]+")
_LOWER: Final = re.compile(r"\.?[a-z./~][\w./~+-]*(?:[ \t]|$)")  # a program, not a statement of a language
_LONGEST_COMMAND: Final = 200
_RULED: Final = re.compile(r"\n[ \t]*\|?[ \t]*:?-{2,}")  # what stands above it only names the columns of a table


@dataclass(frozen=True, slots=True)
class Own:
    """A sentence that its speaker says as their own, with where it stands in its message."""

    text: str
    kind: Kind
    block: int
    heading: str
    command: bool = False
    """Whether it is a command to type, out of a block of code."""


def own_sentences(text: str, speaker: Speaker) -> Iterator[Own]:
    """Yield the sentences that the speaker says as their own; of the model also table rows and commands to type."""
    if speaker == "user" and is_brief(text):
        return
    if speaker == "assistant" and is_structured(text):
        yield from (Own(said, "item", block, "") for block, said in prose(text) if "[redacted:" not in said)
        return
    found = list(_said(text, speaker))
    if "<" in text and (left := strip_noise(text)) != text:
        found = [one for one in found if one.text in left]  # what a host put into the text is nobody's word
    if speaker == "user" and is_plan(text):
        end = end_of(text)
        yield from (one for one in found if text.find(one.text) < end and not for_the_work(one.heading))
        return
    if (
        speaker == "user"
        and (len(text) > _PASTED_CHARS or text.count("\n") > _PASTED_LINES)
        and len(found) > 2 * _KEPT_OF_PASTED
    ):
        found = found[:_KEPT_OF_PASTED] + found[-_KEPT_OF_PASTED:]
    yield from found


def _said(text: str, speaker: Speaker) -> Iterator[Own]:
    foreign = foreign_spans(text, pasted=speaker == "user")
    kinds = ("prose", "item") if speaker == "user" else ("prose", "item", "table")
    block, heading, end, last = -1, "", 0, ""
    led = True  # whether what stands before leads up to a command: it says so, or there is nothing
    opened = False  # whether a command opened the message: what stands after it tells of it
    for sentence in sentences(text):
        if sentence.kind == "heading":
            heading = _HEADING_MARKS.sub("", sentence.text)
        if speaker == "assistant" and sentence.kind == "code" and led and (line := _command(sentence)):
            opened = block < 0
            block = max(block, 0)
            yield Own(line, "prose", block, heading, command=True)
            led, end = False, sentence.end
            continue
        if not opened and (sentence.kind != last or "\n" in text[end : sentence.start]):
            block += 1
        end, last, led, opened = sentence.end, sentence.kind, False, False
        if (
            sentence.kind in kinds
            and not (sentence.kind == "table" and _RULED.match(text, text.find("\n", sentence.end)))
            and _MIN_SENTENCE <= len(sentence.text) <= _MAX_SENTENCE
            and not is_foreign(sentence.start, sentence.end, foreign)
            and not _LOG_LINE.match(sentence.text)
            and not _LOG_LINE.match(_line_before(text, sentence.start))
            and not is_codelike(sentence.text)
        ):
            # What a secret was taken from is said no more than what the person kept private.
            left = unmarked(sentence.text)
            if len(left) >= _MIN_SENTENCE:
                led = _LEADS.search(left) is not None
                yield Own(left, sentence.kind, block, heading)


def _command(code: Sentence) -> str:
    """Return the one command line that a block of code holds, as it stands there; "" where it holds anything else."""
    lines = [line.strip() for line in code.text.splitlines() if line.strip() and not _FENCED.match(line)]
    fence = _FENCED.match(code.text)
    if len(lines) != 1 or (fence and fence["language"] and fence["language"].lower() not in _SHELLS):
        return ""
    line = _PROMPT.sub("", lines[0])
    if not _MIN_SENTENCE <= len(line) <= _LONGEST_COMMAND or "[redacted:" in line or not _LOWER.match(line):
        return ""
    return line if any(is_work(one) for one in simple_commands(line)) else ""


def _line_before(text: str, start: int) -> str:
    """Return what stands before a sentence on its line: a log's second sentence is nobody's own either."""
    return text[text.rfind("\n", 0, start) + 1 : start].lstrip()
