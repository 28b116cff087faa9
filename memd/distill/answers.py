"""Answers: what a person chose when the model's question tool asked them.

The tool's output is the person's word, in the form `"question"="answer"`; of other tools' outputs nothing is ever
read here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memd.distill.draft import Draft
from memd.distill.thread import Statement, Thread
from memd.model import FactPart

_ASKING: Final = frozenset(
    (
        "askuserquestion",
        "ask_user_question",
        "ask_question",
        "ask_followup_question",
        "request_user_input",
        "ask_user",
        "question",
    )
)
ANSWER: Final = re.compile(r"\"(?P<question>[^\"\n]{8,300})\"\s*=\s*\"(?P<answer>[^\"\n]{2,300})\"")
_RECOMMENDED: Final = re.compile(r"\s*\((?:recommended|推荐)\)", re.IGNORECASE)
_NO_CHOICE: Final = re.compile(r"^\W*(?:other|skip|cancel|no preference|none|yes|no|ok)\W*$", re.IGNORECASE)
_CONFIDENCE: Final = 0.75


def find(thread: Thread) -> Iterator[Draft]:
    """Yield the choices made in answer to the model's questions."""
    for number, exchange in enumerate(thread.exchanges):
        for position in range(exchange.first, exchange.last + 1):
            message = thread.messages[position]
            for call in message.tool_calls:
                if call.name.lower() not in _ASKING or call.ok is False:
                    continue
                for match in ANSWER.finditer(call.output):
                    answer = _RECOMMENDED.sub("", match["answer"]).strip()
                    if _NO_CHOICE.match(answer):
                        continue
                    order = thread.order_at(position)
                    said = Statement(match[0], message, position, number, order, "user", False, False, False)
                    parts = (FactPart("decided", f"{match['question']} {answer}"),)
                    yield Draft("decision", said, _CONFIDENCE, parts=parts, wording=f"{answer} ({match['question']})")
