"""Scopes: which of the names before a `::` are namespaces. Namespaces are no part of a symbol's name, classes are."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import Builder, text

_NAMESPACE: Final = re.compile(rb"\bnamespace\s+((?:inline\s+)?\w+(?:\s*::\s*\w+)*)\s*[{=;]")


def namespaces_in(source: bytes) -> set[str]:
    """Return the names of the namespaces that a file opens or uses."""
    found: set[str] = set()
    for match in _NAMESPACE.finditer(source):
        found.update(part.strip() for part in match[1].decode("utf-8", "replace").split("::"))
    return found


def scope_parts(node: Node) -> tuple[list[str], Node]:
    """Return the names before the last `::`, and the node of what stands behind it."""
    parts: list[str] = []
    while node.type == "qualified_identifier":
        scope = node.child_by_field_name("scope")
        if scope is not None:
            inner = scope.child_by_field_name("name") if scope.type == "template_type" else None
            parts.append(text(inner if inner is not None else scope))
        name = node.child_by_field_name("name")
        if name is None:
            break
        node = name
    return parts, node


def own_scope(parts: list[str], builder: Builder, node: Node) -> list[str]:
    """Return the scopes of a definition that are classes.

    The source of one file tells namespaces that it opens or uses. Where it opens none at all around here and there are
    several scopes, the first is one, and so are those behind it that are written like namespaces, in small letters,
    unless the file shows that one is a class.
    """
    known = set(builder.extra.get("namespaces", "").split())
    own = list(parts)
    while own and own[0] in known:
        own.pop(0)
    if len(own) > 1 and len(own) == len(parts) and not _in_namespace(node):
        own.pop(0)
        while len(own) > 1 and own[0].islower() and not _is_class(own[0], builder.source):
            own.pop(0)
    return own


def _is_class(name: str, source: bytes) -> bool:
    """Tell whether a file defines a class of a name, or its constructor or destructor."""
    word = re.escape(name.encode())
    return (
        re.search(rb"\b(?:class|struct|union)\s+" + word + rb"\b|\b" + word + rb"\s*::\s*~?" + word + rb"\b", source)
        is not None
    )


def _in_namespace(node: Node) -> bool:
    at = node.parent
    while at is not None:
        if at.type == "namespace_definition":
            return True
        at = at.parent
    return False
