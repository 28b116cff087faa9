"""Orders: lines of remembered text that are addressed to a model and would have it do something else.

Text that memd puts before a model was written by somebody, and part of it by whoever wrote a page or a file that a
session read. Framing says that it is background; a line which only makes sense as an order to a model is left out
besides. The patterns are those of prompt injection as it is seen in the wild (OWASP LLM01), kept so narrow that rules
of a project ("ignore errors of the previous build", "never tell users which field was wrong") stay.
"""

from __future__ import annotations

import re
from typing import Final

LEFT_OUT: Final = "[left out: it gives orders to a model]"

_BEFORE: Final = r"(?:previous|prior|above|earlier|preceding|foregoing|system|existing|original|your)"
_TOLD: Final = r"(?:instructions?|prompts?|rules|directions?|guidelines|commands|messages|system prompts?)"
_ORDER: Final = re.compile(
    rf"""
    \b(?:ignore|disregard|forget|override|bypass|skip)\b\W+(?:\w+\W+){{0,3}}?{_BEFORE}\W+(?:\w+\W+){{0,2}}?{_TOLD}\b
    |\b(?:ignore|disregard|forget)\W+(?:everything|anything|all)\W+(?:\w+\W+){{0,3}}?(?:above|before|said|told)\b
    |\byou\ are\ (?:now|no\ longer)\W+(?:an?\b|the\b|in\b|my\b|free\b|bound\b|DAN\b|Claude\b|ChatGPT\b)
    |\b(?:new|updated|real|actual)\ (?:system\ )?(?:instructions?|prompt)\ *[:：]
    |\b(?:reveal|print|show|repeat|output|leak|send)\W+(?:\w+\W+){{0,3}}?system\ prompt\b
    |\bdo\ not\ (?:tell|mention|reveal|inform|say|disclose)\W+(?:this|it|that|anything)\b
     (?:\W+\w+){{0,3}}?\W+(?:user|human|person)\b
    |\bwithout\ (?:telling|informing|asking|alerting)\ the\ (?:user|human)\b
    |\bas\ an?\ (?:AI|language\ model)\W+you\ (?:must|should|will|have\ to)\b
    |\b(?:jailbreak|developer|god|DAN)\ mode\ (?:is\ )?(?:now\ )?(?:on|enabled|activated)\b
    |^\W*(?:system|assistant|developer)\ *(?:prompt|message|note|override)?\ *[:：]
     \W*(?:you\b|ignore|from\ now|new\b|do\b)
    |<\|(?:im_start|im_end|system|endoftext|start_header_id)\|>|\[/?INST\]|<</?SYS>>
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ORDER_CHINESE: Final = re.compile(
    r"(?:忽略|无视|忘记|忘掉|不要理会|不要遵守|抛弃|覆盖)(?:掉)?.{0,6}?(?:之前|以上|上面|前面|先前|此前|系统|原有|所有)"
    r".{0,8}?(?:指令|指示|提示词?|规则|命令|要求|设定|内容)"
    r"|(?:你|您)现在(?:是|扮演|变成|不再是)(?:一个|一名|没有|不受)"
    r"|(?:不要|别|切勿|禁止)(?:把|将)?(?:这|此|它|以上).{0,8}?(?:告诉|透露给|告知)(?:用户|使用者|人类)"
    r"|(?:不要|别|切勿)(?:告诉|告知|通知)(?:用户|使用者)(?:这|此|你|以上|任何)"
    r"|(?:输出|打印|泄露|显示|重复|发送).{0,8}?(?:系统提示词?|系统指令)"
    r"|(?:新的|真正的)(?:系统)?(?:指令|提示词)\s*[:：]"
)
# A look first at what all of them have: most lines are none.
_HINT: Final = re.compile(
    r"ignore|disregard|forget|override|bypass|skip|you are|prompt|instruction|"
    r"do not|without|as an? |mode|system|assistant"
    r"|developer|<\||INST\]|<<|忽略|无视|忘|不要|抛弃|覆盖|现在|别|切勿|禁止|提示|指令",
    re.IGNORECASE,
)


def without_orders(text: str) -> str:
    """Return remembered text in which lines that give orders to a model are replaced by a note that says so."""
    if not _HINT.search(text):
        return text
    return "\n".join(_line(line) for line in text.split("\n"))


def _line(line: str) -> str:
    if not (_ORDER.search(line) or _ORDER_CHINESE.search(line)):
        return line
    indent = line[: len(line) - len(line.lstrip(" \t-*#>"))]
    return f"{indent}{LEFT_OUT}"
