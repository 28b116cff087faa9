"""Foreign text: what somebody put into a message without saying it: pasted documents, quotations, patches.

What a page or a file says must never be taken for what the person who pasted it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final, TypeAlias

Span: TypeAlias = tuple[int, int]

_OPENING: Final = re.compile(r"<(?P<name>[A-Za-z][\w.:-]{0,60})(?:\s[^<>]{0,400})?(?<!/)>")
# In these people put what they say themselves.
_OWN_TAGS: Final = frozenset(
    "task user_query user_message user_input feedback answer prompt request instructions requirements goal".split()
)
# Short quotations are names of things; a quotation of this length says something.
_QUOTATION: Final = re.compile(
    r"(?<!\w)\"[^\"\n]{40,4000}\"(?!\w)|[“„«][^“”„«»\n]{40,4000}[”»]|[「『][^「」『』\n]{20,4000}[」』]"
)
# What the model asked, as the host gives it back with the person's answer: `answers.py` reads it.
_ANSWERED: Final = re.compile(r"\"[^\"\n]{8,300}\"[ \t]*=[ \t]*\"[^\"\n]{2,300}\"")
_PATCH: Final = re.compile(
    r"^(?:diff --git |@@ -\d|\+\+\+ \S)[^\n]*(?:\n(?:[-+ @\\]|diff |index |new file|deleted file)[^\n]*)*", re.MULTILINE
)
# "Here is the issue:", "the ticket says:", "from the README:": what follows was written by others.
_INTRODUCED: Final = re.compile(
    r"^[^\n]{0,80}\b(?:here(?:'s| is| are)|this is|below is|from|says?|said|wrote|writes|reads|pasting|pasted"
    r"|got|received|following)\b[^\n:]{0,60}\b(?:issues?|tickets?|e-?mails?|mails?|readme|docs?|documentation"
    r"|articles?|blog|posts?|page"
    r"|comments?|slack|discord|reviews?|letter|customers?|support|changelog|release notes|advisory)\b"
    r"[^\n:]{0,40}:[ \t]*\n"
    r"|^[^\n]{0,60}\b(?:issue|ticket|e-?mail|readme|docs?|documentation|article|post|page|comment|changelog)\b"
    r"[^\n:]{0,20}\b(?:says?|said|reads|states|wrote|goes)\b[^\n:]{0,20}:[ \t]*\n"
    r"|^[^\n]{0,40}(?:工单|邮件|文档|说明|公告|评论|议题|文章|网页|郵件|文件)[^\n：:]{0,16}[：:][ \t]*\n",
    re.IGNORECASE | re.MULTILINE,
)

# The text of a command, which hosts put where the person called it, speaks to an agent about the person.
_LONG: Final = 1_200  # characters
_TO_AN_AGENT: Final = re.compile(
    r"\buser input\b|\$ARGUMENTS\b|\b(?:ask|tell|inform|prompt|show|instruct|wait for|report (?:back )?to|summary to"
    r"|confirm with|respond to|guide|help) the user\b"
    r"|\bthe user(?:'s)? (?:input|request|supplie[sd]|provide[sd]|typed|explicitly|says?|asks?|asked|confirms?"
    r"|message|query|question|wants?|specifie[sd]|response|approv\w+)\b"
    r"|\byou are an? (?:\w+[ -]){0,4}(?:agent|assistant|expert|engineer|reviewer|ai)\b|\bsubagents?\b"
    r"|用户(?:输入|要求|的请求|确认|提供)|(?:询问|告知|提示)用户"
    r"|ユーザー(?:の入力|に(?:確認|質問|報告))|사용자(?:의 입력|에게)",
    re.IGNORECASE,
)
# What a command has an agent play, and what a host's own command asks for in the person's place.
_OF_A_PART: Final = re.compile(
    r"\b(?:embody|adopt|become|play|assume) (?:\w+ ){0,3}(?:agent(?:'s)?|persona|role)\b"
    r"|\bactivation[- ]instructions?\b"
    r"|\bbreak character\b|<agent-activation\b|\b(?:load|read) the (?:full|complete|entire) agent file\b",
    re.IGNORECASE,
)
_OF_THE_HOST: Final = re.compile(
    r"\s*Review the (?:current )?code changes\b.{0,600}\bprioritized(?:, actionable)? findings\b", re.DOTALL
)
_HEADED: Final = re.compile(r"^#{1,6} \S", re.MULTILINE)
_LEAST_MARKS: Final = 2


def is_brief(text: str) -> bool:
    """Return whether a prompt is what an agent is told of its task by others: long, with headings, about "the user".

    Or it has the agent play a part, or is what a host's command puts in the person's place.
    """
    if _OF_THE_HOST.match(text) or not _few(_OF_A_PART, text):
        return True
    if len(text) < _LONG or _few(_HEADED, text):
        return False
    return not _few(_TO_AN_AGENT, text)


def _few(regex: re.Pattern[str], text: str) -> bool:
    return sum(1 for _ in zip(range(_LEAST_MARKS), regex.finditer(text), strict=False)) < _LEAST_MARKS


def foreign_spans(text: str, pasted: bool = True) -> tuple[Span, ...]:
    """Return where `text` holds what its writer did not say themselves.

    With `pasted` also what a person introduces as others' ("here is the issue:"); a model means its own words by that.
    """
    return tuple(
        chain(
            _blocks(text),
            (match.span() for regex in (_ANSWERED, _QUOTATION, _PATCH) for match in regex.finditer(text)),
            ((match.end(), len(text)) for match in [_INTRODUCED.search(text) if pasted else None] if match is not None),
        )
    )


def is_foreign(start: int, end: int, spans: tuple[Span, ...]) -> bool:
    """Return whether what stands at `start:end` begins in a span, is cut by one, or is one for the most part."""
    touched = [(first, last) for first, last in spans if first < end and start < last]
    return any(first <= start or last > end for first, last in touched) or (
        2 * sum(last - first for first, last in touched) > end - start
    )


def _blocks(text: str) -> Iterator[Span]:
    """Yield the blocks between a tag and its closing tag, the outermost ones."""
    done = 0
    closings: dict[str, int] = {}
    for tag in _OPENING.finditer(text) if "</" in text else ():
        name = tag["name"]
        if tag.start() < done or name.lower() in _OWN_TAGS:
            continue
        if closings.get(name, 0) != -1 and closings.get(name, 0) < tag.end():
            closings[name] = text.find(f"</{name}>", tag.end())
        if closings.get(name, -1) >= 0:
            done = closings[name] + len(name) + 3
            yield tag.start(), done
