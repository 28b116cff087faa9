"""The vocabulary: which relations there are, what other words mean them, and the kinds of entities. Closed.

A relation that is not here is refused, so that a graph can be asked in words that are known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_SAME: Final[dict[str, tuple[str, ...]]] = {
    "related_to": ("relates_to", "related", "associated_with", "similar_to", "see_also", "相关"),
    "supersedes": ("replaces", "obsoletes", "deprecates", "overrides", "succeeds", "取代", "替代"),
    "depends_on": ("requires", "needs", "relies_on", "依赖"),
    "contradicts": ("conflicts_with", "disagrees_with", "opposes", "矛盾"),
    "specializes": ("specialises", "is_a", "kind_of", "type_of", "extends", "refines", "instance_of"),
    "part_of": ("belongs_to", "member_of", "component_of", "contained_in", "child_of", "属于"),
    "alternative_to": ("instead_of", "option_for", "rejected_for"),
    "builds_on": ("based_on", "derived_from", "follows", "continues", "inspired_by"),
    "uses": ("utilizes", "utilises", "employs", "consumes", "使用"),
    "implements": ("realizes", "realises", "fulfils", "fulfills", "实现"),
    "causes": ("leads_to", "triggers", "results_in", "导致"),
    "fixes": ("resolves", "solves", "repairs", "修复"),
    "blocks": ("prevents", "阻塞"),
    "configures": ("sets", "controls", "配置"),
    "tests": ("covers", "verifies", "validates", "测试"),
    "documents": ("describes", "explains"),
    "references": ("links_to", "cites", "refers_to", "引用"),
    "mentions": ("names", "提到"),
    "touches": ("changes", "modifies", "edits", "affects"),
    "stores_in": ("stored_in", "persists_to", "saved_in", "存储在", "存在"),
    "runs_on": ("hosted_on", "deployed_to", "deployed_on", "runs_in", "部署在", "运行在"),
    "located_in": ("lives_in", "located_at", "found_in", "位于"),
    "produces": ("generates", "creates", "builds", "outputs", "emits", "生成"),
    "owned_by": ("maintained_by", "managed_by", "负责人"),
    "prefers": ("likes", "favours", "favors", "偏好"),
    "has_topic": ("about", "tagged", "topic"),
    "motivated_by": ("because_of", "justified_by", "due_to"),
    "calls": ("invokes", "调用"),
    "imports": ("includes", "导入"),
    "inherits": ("inherits_from", "subclasses", "继承"),
}
_REVERSED: Final[dict[str, str]] = {
    "superseded_by": "supersedes",
    "replaced_by": "supersedes",
    "required_by": "depends_on",
    "contains": "part_of",
    "has_part": "part_of",
    "used_by": "uses",
    "implemented_by": "implements",
    "caused_by": "causes",
    "fixed_by": "fixes",
    "blocked_by": "blocks",
    "configured_by": "configures",
    "tested_by": "tests",
    "documented_by": "documents",
    "referenced_by": "references",
    "stores": "stores_in",
    "hosts": "runs_on",
    "owns": "owned_by",
    "maintains": "owned_by",
    "produced_by": "produces",
    "called_by": "calls",
    "imported_by": "imports",
    "被取代": "supersedes",
}

RELATIONS: Final[dict[str, tuple[str, ...]]] = _SAME
"""Each relation with the words that mean the same."""

ENTITY_KINDS: Final[tuple[str, ...]] = (
    "project", "person", "team", "organization", "service", "component", "module", "file", "folder", "function",
    "class", "library", "framework", "language", "tool", "database", "table", "endpoint", "environment", "host",
    "command", "setting", "feature", "bug", "document", "url", "topic", "concept",
)  # fmt: skip

SINGLE_VALUED: Final[frozenset[str]] = frozenset(("stores_in", "runs_on", "located_in", "owned_by"))
"""Relations of which a thing has one at a time: another object takes the place of the first."""

_FOLDED: Final = {word: (name, False) for name, words in _SAME.items() for word in (name, *words)} | {
    word: (name, True) for word, name in _REVERSED.items()
}
_BLANKS: Final = re.compile(r"[\s-]+")


@dataclass(frozen=True, slots=True)
class Folded:
    """What a word for a relation means; `swapped`: with its two sides in each other's place."""

    name: str
    swapped: bool


def folded(word: str) -> Folded | None:
    """Return the relation that a word means, in any case and with blanks or dashes; None for one that there is not."""
    found = _FOLDED.get(_BLANKS.sub("_", word.strip()).casefold())
    return None if found is None else Folded(*found)


def words() -> dict[str, tuple[str, ...]]:
    """Return each relation with all words that mean it, those that swap its sides marked with a `<`."""
    return {
        name: (*same, *(f"<{word}" for word, of in sorted(_REVERSED.items()) if of == name))
        for name, same in _SAME.items()
    }
