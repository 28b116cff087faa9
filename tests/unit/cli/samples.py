"""Answers as a daemon gives them, invented."""

from __future__ import annotations

from typing import Any

import msgspec

from memd.operations.answers import (
    EvidenceAnswer,
    FactAnswer,
    HitAnswer,
    MessageAnswer,
    SearchAnswer,
    SessionAnswer,
    ShowAnswer,
    ToolCallAnswer,
)
from memd.operations.status_answers import (
    BackfillAnswer,
    DatabaseAnswer,
    HostAnswer,
    QueuesAnswer,
    RootAnswer,
    StatusAnswer,
    WritesAnswer,
)

UID = "01987654-aaaa-7bbb-8ccc-0123456789ab"
OTHER = "01987654-aaaa-7bbb-8ccc-ba9876543210"
AT = "2026-11-29T09:30:00.000Z"
HOSTILE = "\x1b[31mred\x1b[0m \x9b2J bell\x07 \u202egnp"

SESSION = SessionAnswer(
    id=UID,
    native_id="7d3f0c52-1111-4222-8333-444455556666",
    host="claude_code",
    project="/home/ada/work/shop",
    title="Retry the payment call with backoff",
    started=AT,
    ended="2026-11-29T10:00:00.000Z",
    messages=12,
    parent=None,
    branch="main",
)
FACT = FactAnswer(
    id=UID,
    kind="decision",
    title="Payments are retried three times",
    text="Payments are retried three times with exponential backoff",
    project="/home/ada/work/shop",
    status="current",
    session=OTHER,
    evidence=(EvidenceAnswer("let us retry three times, with backoff", OTHER, AT),),
    parts={"because": "the provider drops one call in fifty"},
    confidence=0.9,
    valid_from=AT,
)
SHOWN = ShowAnswer(
    SESSION,
    (
        MessageAnswer("user", "prompt", AT, "Why does the payment fail?", ()),
        MessageAnswer("user", "prompt", AT, "Never mind", (), abandoned=True),
        MessageAnswer(
            "assistant",
            "reply",
            AT,
            "The provider drops calls.\n\n```python\nfor attempt in range(3):\n    pay()\n```",
            (
                ToolCallAnswer(
                    "c1", "Bash", "shell", '{"command": "pytest -q"}', ok=False, exit_code=1, output="1 failed",
                    output_chars=9000,
                ),
            ),
        ),
    ),
    subagents=(SESSION,),
)  # fmt: skip
HIT = HitAnswer(
    text="Payments are retried three times with exponential backoff",
    session=OTHER,
    score=1.25,
    at=AT,
    kind="decision",
    id=UID,
    title="Payments are retried three times",
    project="/home/ada/work/shop",
    host="claude_code",
    role=None,
    lanes=("facts",),
)
SEARCH = SearchAnswer("retry", (HIT,), ("facts", "messages"))


def status(*, running: bool = False, done: int = 0, total: int = 0, **more: Any) -> StatusAnswer:
    """A status, of a daemon that reads `done` of `total` bytes."""
    values: dict[str, Any] = {
        "version": "0.1.0",
        "pid": 4711,
        "started": AT,
        "uptime_s": 11_520.4,
        "sessions": 214,
        "messages": 18_402,
        "facts": 97,
        "projects": 8,
        "queues": QueuesAnswer(0, 0, 0),
        "writes": WritesAnswer(2_041, 0, 0, 31.2, 14.1, 412, "memd.store.capturing.take_in", None),
        "hosts": {
            "claude_code": HostAnswer(
                title="Claude Code",
                present=True,
                sources=218,
                waiting=0,
                sessions=214,
                messages=18_402,
                newest_on_disk=AT,
                newest_captured=AT,
                lag_s=0.0,
                skipped={"unknown row kind: hologram": 3},
                errors=("/home/ada/.claude/projects/x/y.jsonl: Permission denied",),
                roots=(RootAnswer("/home/ada/.claude/projects", "native"),),
            )
        },
        "backfill": BackfillAnswer(running, 0, 218, done, total),
        "workers": 0,
        "jobs": (),
        "database": DatabaseAnswer("/home/ada/.local/share/memd/memd.db", 41_000_000, 2, AT),
        "recovery": None,
        "warnings": (),
        "degraded": (),
    }
    return StatusAnswer(**values | more)


def plain(answer: object) -> Any:
    """An answer as JSON values."""
    return msgspec.to_builtins(answer)
