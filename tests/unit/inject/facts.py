"""Facts as tests need them."""

from __future__ import annotations

from typing import Any

from memd.model import Fact, FactKind, FactPart, PartName

DAY = 86_400_000


def fact(number: int, body: str, kind: FactKind = "decision", *parts: tuple[PartName, str], **more: Any) -> Fact:
    at = 20_000 * DAY + number
    told = tuple(FactPart(name, text) for name, text in parts)
    values: dict[str, Any] = {"status": "current", "confidence": 0.8, **more}
    return Fact(
        id=number, uid=f"fact-{number}", project=None, kind=kind, title=body[:80], body=body, valid_from=at,
        created_at=at, updated_at=at, parts=told, **values,
    )  # fmt: skip
