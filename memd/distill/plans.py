"""Plans: a plan that a person agreed to, as Claude Code puts it in their place when it begins anew to carry it out.

"Implement the following plan:" opens it, and the host's own advice ends it. However long it is, it is no pasted
document: the person has read it and wants it. How it shall be checked, and the list of files, is for the work and not
for later.
"""

from __future__ import annotations

import re
from typing import Final

_OPENS: Final = re.compile(r"\s*(?:please )?implement (?:the following|this) plan:", re.IGNORECASE)
_ENDS: Final = re.compile(
    r"^(?:If you need specific details from before exiting plan mode\b"
    r"|If this plan can be broken down into multiple independent tasks\b)",
    re.MULTILINE,
)
_FOR_THE_WORK: Final = re.compile(
    r"^\W*(?:\d+[.)]\s*)?(?:verification|verify(?:ing)?|how to (?:verify|test|check)|test plan|manual test(?:s|ing)?"
    r"|verification (?:steps|plan)|(?:critical |key )?files? (?:to (?:be )?)?"
    r"(?:modif\w+|chang\w+|creat\w+|edit\w*|touch\w*)"
    r"|验证(?:步骤|方法|计划)?|测试计划|(?:需要)?修改的?文件)\W*$",
    re.IGNORECASE,
)


def is_plan(text: str) -> bool:
    """Return whether a prompt is a plan that the person agreed to."""
    return _OPENS.match(text) is not None


def end_of(text: str) -> int:
    """Return where a plan ends and the host's advice begins, or the text ends."""
    match = _ENDS.search(text)
    return len(text) if match is None else match.start()


def for_the_work(heading: str) -> bool:
    """Return whether what stands under a heading of a plan is only for who carries it out: checks, lists of files."""
    return _FOR_THE_WORK.match(heading) is not None
