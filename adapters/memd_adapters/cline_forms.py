"""What a file of Cline's or of a relative's is, told from its first bytes wherever it lies."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final, Literal, TypeAlias

from memd_adapters.json_file import parse_file
from memd_adapters.json_telling import rows_of
from memd_adapters.shaping import text_of

Form: TypeAlias = tuple[Literal["task", "session", "manifest"], str]
"""A task's history or what was shown of it; a session's messages; or what a session is, with its id."""

_SHOWN_HEAD: Final = re.compile(rb'\A\s*\[\s*\{\s*(?:"ts"\s*:\s*\d+\s*,\s*)?"type"\s*:\s*"(?:say|ask)"')
_HISTORY_HEAD: Final = re.compile(rb'\A\s*\[\s*\{\s*"role"\s*:\s*"user"\s*,\s*"content"\s*:')
_HISTORY_SIGNS: Final = (b"<environment_details>", b"<task>", b"<user_message>")
_SDK_HEAD: Final = re.compile(rb'\A\s*\{\s*"version"\s*:\s*\d+\s*,\s*"updated_at"[\s\S]{0,4000}"messages"\s*:')
_MANIFEST_HEAD: Final = re.compile(rb'\A\s*\{\s*"version"\s*:\s*\d+\s*,\s*"session_id"\s*:\s*"([^"]{1,120})"')
_ROLES: Final = ("user", "assistant")


def form_of(head: bytes) -> Form | None:
    """Return what a file is whose first bytes are `head`; None for anything else."""
    if found := _MANIFEST_HEAD.match(head):
        return "manifest", found[1].decode("utf-8", "replace")
    if _SDK_HEAD.match(head):
        return "session", ""
    if _SHOWN_HEAD.match(head) or (_HISTORY_HEAD.match(head) and _is_signed(head)):
        return "task", ""
    return _parsed_form(head) if head.lstrip()[:1] in (b"{", b"[") else None


def _parsed_form(head: bytes) -> Form | None:
    """Return the same where members stand in an order that no version known here has."""
    value, _ = parse_file(head, Counter())
    if isinstance(value, dict):
        if (session := text_of(value, "session_id")) and "messages_path" in value:
            return "manifest", session
        is_session = "updated_at" in value and any(row.get("role") in _ROLES for row in rows_of(value.get("messages")))
        return ("session", "") if is_session else None
    rows = rows_of(value)
    is_shown = bool(rows) and all(row.get("type") in ("say", "ask") and "ts" in row for row in rows)
    is_history = bool(rows) and all(row.get("role") in _ROLES and "content" in row for row in rows) and _is_signed(head)
    return ("task", "") if is_shown or is_history else None


def _is_signed(head: bytes) -> bool:
    return any(sign in head for sign in _HISTORY_SIGNS)
