"""MemVault: its database.

Read in 0.3.0: `memories` (memory, memory_type user, agent or procedural, user_id, metadata) and `blocks`
(label, value). A memory there belongs to a user and to no project, so it holds everywhere. What a user memory tells of
the user's craft ("用户熟悉 Docker 部署") is no taste: it becomes a learning, and `retyped_from` says what it was.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from memd.importers.model import Haul, Imported, Importer, time_of, title_of
from memd.model import FactKind
from memd.store.foreign import has_tables, opened

NAME: Final = "memvault"
_KINDS: Final[Mapping[str, FactKind]] = {"user": "preference", "procedural": "learning"}
# Within one clause: that somebody knows how to do something, and something technical that they know.
_CRAFT: Final = re.compile(
    r"(?:用户|我)[^，。；！？,;!?\n]{0,20}?(?:熟悉|掌握|精通|擅长|熟练使用|会(?=用|写|做|配置|部署|调试|[A-Za-z ]))"
    r"[^，。；！？,;!?\n]{0,40}?"
    r"(?:[A-Za-z][\w+#.-]+|编程|框架|数据库|部署|调试|算法|脚本|编译|服务器|容器|接口|前端|后端|爬虫|正则)"
    r"|\buser (?:knows how to|knows|is (?:familiar with|good at|skilled in|proficient in)|masters)\b[^.;!?\n]{0,60}?"
    r"(?:(?-i:\b[a-z]+[A-Z]\w+|\b[A-Z]{2,}\b)|`[^`]+`|\b(?:deploy\w*|debug\w*|databases?|frameworks?|compilers?|scripts?"
    r"|containers?|servers?|programming|refactor\w*|code|python|rust|docker|git|linux|sql)\b)",
    re.IGNORECASE,
)


def recognise(path: Path) -> bool:
    """Whether it is its database."""
    return not path.is_dir() and has_tables(path, "memories", "blocks", "history")


def read(path: Path) -> Haul:
    """Read memories and blocks."""
    skipped: Counter[str] = Counter()
    items: list[Imported] = []
    with opened(path) as foreign:
        for row in foreign.rows("memories"):
            text = str(row.get("memory") or "").strip()
            if text:
                items.append(_memory(row, text))
            else:
                skipped["without text"] += 1
        for row in foreign.rows("blocks"):
            value = str(row.get("value") or "").strip()
            if value:
                items.append(_block(row, value))
            else:
                skipped["empty blocks"] += 1
    return Haul(NAME, tuple(items), skipped=dict(skipped))


def _memory(row: Mapping[str, Any], text: str) -> Imported:
    scope = {name: row[name] for name in ("user_id", "agent_id", "run_id") if row.get(name)}
    told = str(row.get("memory_type"))
    craft = told == "user" and _CRAFT.search(text) is not None
    return Imported(
        key=str(row["id"]),
        kind=_KINDS.get("procedural" if craft else told, "note"),
        title=title_of(text),
        body=text,
        at_ms=time_of(row.get("updated_at")) or time_of(row.get("created_at")),
        author=str(row.get("user_id") or "") or None,
        more={**scope, **_object(row.get("metadata")), **({"retyped_from": told} if craft else {})},
    )


def _block(row: Mapping[str, Any], value: str) -> Imported:
    label = str(row.get("label") or "block")
    place = "/".join(str(row.get(name) or "") for name in ("scope_type", "scope_id"))
    return Imported(f"block/{place}/{label}", "note", f"Block {label}", value, tags=("block", label))


def _object(value: object) -> dict[str, object]:
    try:
        document = json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return {"metadata": value}
    return dict(document) if isinstance(document, dict) else {}


IMPORTER: Final = Importer(NAME, "MemVault", recognise, read)
