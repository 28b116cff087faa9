"""The prompt gate: which prompts are worth looking anything up for, and what of a long one is the request."""

from __future__ import annotations

import re
from typing import Final

_LEAST_CHARS: Final = 10
# A character of Chinese says as much as three of English and counts as two.
_CJK: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CARRY_ON: Final = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|yes|yep|sure|great|perfect|thanks?(?: you)?|please|and|now|just|go|keep|continue|carry|going"
    r"|on|ahead|proceed|do|it|that|this|looks?|good|to|me|so|far|next|step|try|again|with|then|the|well|done|nice"
    r"|works?|was|helpful|fine)\b\W*)+$"
    r"|^\W*(?:好的?|是的?|继续|可以|没问题|谢谢|下一步|请|吧|了|再试一次|试试)+\W*$",
    re.IGNORECASE,
)

_LEFT: Final = re.compile(
    r"^\W*(?:(?:so|ok(?:ay)?|hi|hey|and)\W+)*(?:what(?:'?s| is| was)? (?:still )?"
    r"(?:left|open|pending|to do|outstanding)"
    r"|what (?:do|did) (?:we|i) (?:still )?have (?:left )?to do|where (?:did|had|were) we (?:leave|left|stop)\w*"
    r"|(?:please )?(?:continue|go on|pick up|resume) (?:from )?where (?:we|i|you) (?:left|stopped)"
    r"|(?:are there |is there )?any(?:thing)? (?:still )?(?:open|unfinished|left)\b"
    r"|qu[eé] (?:queda|nos queda|falta) (?:por|pendiente)|was (?:ist|war) noch (?:offen|zu tun)|que reste[- ]t[- ]il)"
    r"(?: (?:to do|to be done|tasks?|items?|todos?|points?|off|hacer|à faire|here|now|open|undone|today|last time))*"
    r"\W*$|^\W*(?:还有(?:什么|哪些|啥)|还剩(?:什么|哪些|啥)?|有(?:什么|哪些)).{0,3}(?:没做|没完|未完|没弄|待办|要做|没有完).{0,4}$",
    re.IGNORECASE,
)
_LEFT_CHARS: Final = 80

_SHORT: Final = 1_200
"""Characters up to which a prompt is taken as it is."""
_FENCE: Final = re.compile(r"^[ \t]*+(`{3,}+|~{3,}+)[^\n]*\n.*?(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_TELLING: Final = re.compile(
    r"\b\w*(?:Error|Exception|Panic)\b"
    r"|\b(?:error|fatal|panic|failed|failure|undefined|cannot|unable|refused|denied|E\d{3,})\b"
    r"|错误|失败|异常",
    re.IGNORECASE,
)
_MACHINE: Final = re.compile(
    r"^\s*(?:at |File \"|\d{4}-\d\d-\d\d[T ]|\d\d:\d\d:\d\d|\[|[{}<>|+\-=*#$%@]|\d+[:|)]|[\w./-]+:\d+)|[;{}]\s*$|\t"
)
_MOST_TELLING: Final = 6
_LINE_CHARS: Final = 240
_REQUEST_CHARS: Final = 1_500


def worth_looking(prompt: str) -> bool:
    """Return whether a prompt is a real one: long enough, and no slash command, shell line, note or nod."""
    text = prompt.strip()
    if text.startswith(("/", "!", "#", "<")):
        return False
    if _CARRY_ON.match(text):
        return False
    return len(text) + len(_CJK.findall(text[:_LEAST_CHARS])) >= _LEAST_CHARS


def asks_what_is_left(prompt: str) -> bool:
    """Return whether a prompt asks what earlier sessions left open, and of nothing in particular."""
    return len(prompt) <= _LEFT_CHARS and _LEFT.search(prompt) is not None


def request_of(prompt: str) -> str:
    """Return what a prompt asks: a short one whole; of a long one what somebody wrote, and of what was pasted into it
    the lines that name what went wrong.

    People put what they want before or after what they paste, hardly ever into it.
    """
    if len(prompt) <= _SHORT:
        return prompt
    pasted: list[str] = [match[0] for match in _FENCE.finditer(prompt)]
    own: list[str] = []
    for line in _FENCE.sub("\n", prompt).splitlines():
        (pasted if _MACHINE.search(line) else own).append(line)
    written = [line.strip() for line in own if line.strip()]
    if sum(map(len, written)) > _REQUEST_CHARS:
        written = _ends(written)
    lines = [line.strip()[:_LINE_CHARS] for text in pasted for line in text.splitlines() if _TELLING.search(line)]
    telling = list(dict.fromkeys(lines))
    kept = telling if len(telling) <= _MOST_TELLING else [*telling[:2], *telling[-_MOST_TELLING + 2 :]]
    return "\n".join([*written, *kept]) or prompt[:_REQUEST_CHARS]


def _ends(lines: list[str]) -> list[str]:
    """Return the beginning and the end of what somebody wrote."""
    head, tail, size = [], [], 0
    left, right = 0, len(lines) - 1
    while left <= right and size < _REQUEST_CHARS:
        head.append(lines[left][: _REQUEST_CHARS // 2])
        size += len(head[-1])
        if right > left:
            tail.append(lines[right][: _REQUEST_CHARS // 2])
            size += len(tail[-1])
        left, right = left + 1, right - 1
    return [*head, *reversed(tail)]
