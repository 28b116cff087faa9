"""Surgical edits of a settings file: our bytes are put in and taken out, and no other byte moves.

An edit is an insertion into the text as it is; `settings_prune` takes it out again. Two things cannot be read back from
an edited document: that an object or array stood there empty (`"hooks": {}`), and what a file without any value looked
like. They are remembered in a `Before`, which the caller keeps beside the file's name.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from memd_hooks.jsonc import Array, DocumentError, JsonValue, Node, Object, children_of, meaning, scan

Place: TypeAlias = tuple[str | int, ...]
"""Where a value stands: the names of members and numbers of items on the way from the root."""

BLANK: Final = " \t\r\n"
"""The characters that JSON calls white space."""

_BOM: Final = "\ufeff"


@dataclass(frozen=True, slots=True)
class Before:
    """What the file was before our first edit, as far as the edited file cannot tell."""

    absent: bool = False
    """There was no file."""
    blank: str | None = None
    """The file's white space, where it held no value (no file: "")."""
    empties: tuple[tuple[tuple[str, ...], str], ...] = ()
    """The containers that stood there empty, and the white space between their brackets."""
    alone: bool = False
    """What is a list now was written as its one item alone, which YAML allows."""

    def inside(self, place: Place) -> str | None:
        """What stood between the brackets of the empty container at `place`; None if none was there."""
        return dict[Place, str](self.empties).get(place)


@dataclass(frozen=True, slots=True)
class Edited:
    """A document after an insertion."""

    data: bytes
    before: Before


def decode(data: bytes) -> tuple[str, str]:
    """The byte order mark, if there is one, and the text after it. Raises DocumentError if it is not UTF-8."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise DocumentError(f"it is not UTF-8 (byte {error.start})") from error
    return (_BOM, text[1:]) if text.startswith(_BOM) else ("", text)


def append_item(
    data: bytes | None, place: tuple[str, ...], item: JsonValue, before: Before, *, comments: bool = False
) -> Edited:
    """The document with `item` as the last one of the array at `place`; the containers on the way are made.

    `data` is None where there is no file; no file, an empty file and white space become a document. `before` is what
    is known from earlier edits. Raises DocumentError if the document is not valid or a container is of another kind.
    """
    bom, text = decode(data or b"")
    if not text.strip(BLANK):
        return _begin(data, bom, text, _nest(place, [item]))
    root = scan(text, comments=comments)
    node, depth = _deepest(root, place)
    rest = place[depth:]
    child = _Child(rest[0], _nest(rest[1:], [item])) if rest else _Child(None, item)
    return _insert(bom, text, root, node, place[:depth], child, before)


def put_member(
    data: bytes | None, place: tuple[str, ...], value: JsonValue, before: Before, *, comments: bool = False
) -> Edited:
    """The document with a member at `place` that was not there; the objects on the way are made.

    For `data`, `before` and what is raised see `append_item`; also raises DocumentError if the member is there.
    """
    bom, text = decode(data or b"")
    if not text.strip(BLANK):
        return _begin(data, bom, text, _nest(place, value))
    root = scan(text, comments=comments)
    node, depth = _deepest_object(root, place[:-1])
    if depth == len(place) - 1 and isinstance(node, Object) and node.member(place[-1]):
        raise DocumentError(f"{'.'.join(place)} stands there already")
    rest = place[depth:]
    child = _Child(rest[0], _nest(rest[1:], value))
    return _insert(bom, text, root, node, place[:depth], child, before)


def replace_value(data: bytes, place: Place, value: JsonValue, *, comments: bool = False) -> bytes:
    """The document with another value at `place`, in the document's layout. Raises DocumentError if none is there."""
    bom, text = decode(data)
    root = scan(text, comments=comments)
    node = root
    for step in place:
        node = _child(node, step)
    style = _Style.of(text, root)
    spelt = style.block(value, _indent(text, node.start)) if "\n" in text else json.dumps(value, ensure_ascii=False)
    return (bom + text[: node.start] + spelt + text[node.end :]).encode()


def replace_text(data: bytes, place: Place, value: str, *, comments: bool = False) -> bytes:
    """The document with another string at `place`. Raises DocumentError if nothing is there."""
    bom, text = decode(data)
    node = scan(text, comments=comments)
    for step in place:
        node = _child(node, step)
    return (bom + text[: node.start] + json.dumps(value, ensure_ascii=False) + text[node.end :]).encode()


def values_of(data: bytes, *, comments: bool = False) -> JsonValue:
    """The whole document as plain Python, {} for one without a value. Raises DocumentError if it is not valid."""
    _, text = decode(data)
    return meaning(scan(text, comments=comments)) if text.strip(BLANK) else {}


@dataclass(frozen=True, slots=True)
class _Style:
    """How a document is laid out."""

    unit: str
    newline: str

    @classmethod
    def of(cls, text: str, root: Node) -> _Style:
        """The line end and the indentation that the document uses; two spaces where it shows none."""
        first = next(iter(children_of(root)), None)
        unit = _indent(text, first.start) if first and _begins_line(text, first.start) else ""
        end = text.find("\n")
        return cls(unit or "  ", "\r\n" if end > 0 and text[end - 1] == "\r" else "\n")

    def block(self, value: JsonValue, indent: str) -> str:
        """The value over several lines, the later of which begin with `indent`."""
        lines = json.dumps(value, ensure_ascii=False, indent=self.unit).split("\n")
        return (self.newline + indent).join(lines)


@dataclass(frozen=True, slots=True)
class _Child:
    """What is put into a container: a member, or without a name an item."""

    name: str | None
    value: JsonValue


def _begin(data: bytes | None, bom: str, blank: str, value: JsonValue) -> Edited:
    """The document that begins where there was none."""
    newline = "\r\n" if "\r\n" in blank else "\n"
    body = _Style("  ", newline).block(value, "") + newline
    return Edited((bom + body).encode(), Before(absent=data is None, blank=blank))


def _insert(
    bom: str, text: str, root: Node, node: Node, here: tuple[str, ...], child: _Child, before: Before
) -> Edited:
    """The document with a last child more in `node`, which stands at `here`."""
    edited, inside = _inserted(text, node, _Style.of(text, root), child)
    made = None if child.name is None else (*here, child.name)
    empties = [(at, white) for at, white in before.empties if made is None or at[: len(made)] != made]
    if inside is not None:
        empties = [(at, white) for at, white in empties if at != here] + [(here, inside)]
    return Edited((bom + edited).encode(), replace(before, empties=tuple(empties)))


def _inserted(text: str, node: Node, style: _Style, child: _Child) -> tuple[str, str | None]:
    """The text with a last child more in `node`, and what stood between the brackets, if there was no child."""
    value = child.value
    name = "" if child.name is None else f"{json.dumps(child.name, ensure_ascii=False)}: "
    children = children_of(node)
    if children:
        last = children[-1]
        if _begins_line(text, last.start):
            indent = _indent(text, last.start)
            piece = f",{style.newline}{indent}{name}{style.block(value, indent)}"
        else:
            piece = f", {name}{json.dumps(value, ensure_ascii=False)}"
        return text[: last.end] + piece + text[last.end :], None
    inside = text[node.start + 1 : node.end - 1]
    kept = inside if inside.strip() else ""
    if "\n" not in text and node.start > 0:
        piece = f"{name}{json.dumps(value, ensure_ascii=False)}{kept}"
    else:
        base = _indent(text, node.start)
        closing = inside if "\n" in inside else kept + style.newline + base
        indent = base + style.unit
        piece = f"{style.newline}{indent}{name}{style.block(value, indent)}{closing}"
    return text[: node.start + 1] + piece + text[node.end - 1 :], inside


def _deepest(root: Node, place: tuple[str, ...]) -> tuple[Node, int]:
    """The deepest container on the way to `place` that is there, and how deep it is."""
    node, depth = root, 0
    for name in place:
        if not isinstance(node, Object):
            break
        found = node.member(name)
        if not found:
            return node, depth
        node, depth = found.value, depth + 1
    spoken = ".".join(place[:depth]) or "the document"
    if depth < len(place) and not isinstance(node, Object):
        raise DocumentError(f"{spoken} is not an object")
    if depth == len(place) and not isinstance(node, Array):
        raise DocumentError(f"{spoken} is not a list")
    return node, depth


def _deepest_object(root: Node, place: tuple[str, ...]) -> tuple[Node, int]:
    """The deepest object on the way to the one at `place` that is there, and how deep it is."""
    node, depth = root, 0
    for name in (*place, None):
        if not isinstance(node, Object):
            raise DocumentError(f"{'.'.join(place[:depth]) or 'the document'} is not an object")
        found = node.member(name) if name is not None else None
        if not found:
            break
        node, depth = found.value, depth + 1
    return node, depth


def _nest(names: tuple[str, ...], value: JsonValue) -> JsonValue:
    """The value in objects of one member each."""
    for name in reversed(names):
        value = {name: value}
    return value


def _child(node: Node, step: str | int) -> Node:
    match node, step:
        case Array(items=items), int() if step < len(items):
            return items[step]
        case Object(), str() if found := node.member(step):
            return found.value
        case _:
            raise DocumentError(f"there is no {step!r} to change")


def _begins_line(text: str, at: int) -> bool:
    start = text.rfind("\n", 0, at) + 1
    return start > 0 and not text[start:at].strip(" \t\r")


def _indent(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    line = text[start:at]
    return line[: len(line) - len(line.lstrip(" \t"))]
