"""JSON with positions: reads a document strictly and remembers where in the text each value stands.

Grammar: RFC 8259, and with `comments` the JSONC dialect of editors (`//`, `/* */`, a comma after the last element).
Nothing is guessed: what is not valid is refused with its line and column, so that an edit never makes damage worse.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar, assert_never

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"

MAX_DEPTH: Final = 200

_SPACE: Final = re.compile(r"[ \t\r\n]*+")
_SPACE_AND_COMMENTS: Final = re.compile(r"(?:[ \t\r\n]|//[^\r\n]*+|/\*.*?\*/)*+", re.DOTALL)
_STRING: Final = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*+"')
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d*+)(?:\.\d++)?(?:[eE][-+]?\d++)?(?![\w.])", re.ASCII)
_WORDS: Final = (("true", True), ("false", False), ("null", None))


class DocumentError(Exception):
    """A document that cannot be read, or does not have the shape that an edit needs; `problem` says where."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Scalar:
    """A string, number, true, false or null; `value` is what it means, but a number's is its spelling."""

    start: int
    end: int
    value: str | bool | None
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class Array:
    """An array, from bracket to bracket."""

    start: int
    end: int
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an object, from its name to the end of its value."""

    name: str
    start: int
    value: Node

    @property
    def end(self) -> int:
        """Where its value ends."""
        return self.value.end


@dataclass(frozen=True, slots=True)
class Object:
    """An object, from brace to brace; members as they are written, doubles too."""

    start: int
    end: int
    members: tuple[Member, ...]

    def member(self, name: str) -> Member | None:
        """The member of that name. Raises DocumentError if there are two: parsers differ in which one counts."""
        found = [member for member in self.members if member.name == name]
        if len(found) > 1:
            raise DocumentError(f'"{name}" stands there twice')
        return found[0] if found else None


Node: TypeAlias = Scalar | Array | Object


def scan(text: str, *, comments: bool = False) -> Node:
    """The document's one value. Raises DocumentError for anything that is not valid or deeper than MAX_DEPTH."""
    scanner = _Scanner(text, _SPACE_AND_COMMENTS if comments else _SPACE, comments=comments)
    scanner.skip_space()
    root = scanner.value(0)
    scanner.skip_space()
    if scanner.at < len(text):
        raise scanner.error("there is something after the end of the document")
    return root


def meaning(node: Node) -> JsonValue:
    """The value of a node as plain Python; of doubled members the last, as JavaScript reads them."""
    match node:
        case Scalar(value=str() as spelt, is_number=True):
            number: JsonValue = json.loads(spelt)
            return number
        case Scalar(value=value):
            return value
        case Array(items=items):
            return [meaning(item) for item in items]
        case Object(members=members):
            return {member.name: meaning(member.value) for member in members}
        case _:
            assert_never(node)


def children_of(node: Node) -> tuple[Node | Member, ...]:
    """The items of an array or members of an object; nothing for a scalar."""
    match node:
        case Array(items=items):
            return items
        case Object(members=members):
            return members
        case Scalar():
            return ()
        case _:
            assert_never(node)


def after_space(text: str, at: int) -> int:
    """Where the white space and comments that begin at `at` end."""
    found = _SPACE_AND_COMMENTS.match(text, at)
    return found.end() if found else at


class _Scanner:
    """A position in a text that moves over one value at a time."""

    __slots__ = ("_comments", "_space", "_text", "at")

    def __init__(self, text: str, space: re.Pattern[str], *, comments: bool) -> None:
        self._text = text
        self._space = space
        self._comments = comments
        self.at = 0

    def error(self, problem: str) -> DocumentError:
        line = self._text.count("\n", 0, self.at) + 1
        column = self.at - self._text.rfind("\n", 0, self.at)
        return DocumentError(f"it is not valid JSON: {problem} (line {line}, column {column})")

    def skip_space(self) -> None:
        found = self._space.match(self._text, self.at)
        self.at = found.end() if found else self.at

    def value(self, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise self.error("it is nested too deeply")
        start = self.at
        match self._text[start : start + 1]:
            case "{":
                members = self._sequence(lambda: self._member(depth + 1), "}")
                return Object(start, self.at, tuple(members))
            case "[":
                items = self._sequence(lambda: self.value(depth + 1), "]")
                return Array(start, self.at, tuple(items))
            case '"':
                value = self._string()
                return Scalar(start, self.at, value)
            case _:
                return self._plain(start)

    def _plain(self, start: int) -> Scalar:
        if number := _NUMBER.match(self._text, start):
            self.at = number.end()
            return Scalar(start, self.at, number.group(), is_number=True)
        for word, value in _WORDS:
            if self._text.startswith(word, start):
                self.at = start + len(word)
                return Scalar(start, self.at, value)
        raise self.error("a value is missing")

    def _string(self) -> str:
        found = _STRING.match(self._text, self.at)
        if not found:
            raise self.error("a string is missing, not closed or has a character that must be escaped")
        self.at = found.end()
        value: str = json.loads(found.group())
        return value

    def _member(self, depth: int) -> Member:
        start = self.at
        name = self._string()
        self.skip_space()
        self._take(":")
        self.skip_space()
        return Member(name, start, self.value(depth))

    def _take(self, mark: str) -> None:
        if not self._text.startswith(mark, self.at):
            raise self.error(f"{mark!r} is missing")
        self.at += 1

    def _sequence(self, element: Callable[[], _T], closing: str) -> list[_T]:
        """The elements between the bracket here and its closing one, which is passed over."""
        self.at += 1
        self.skip_space()
        elements: list[_T] = []
        while not self._text.startswith(closing, self.at):
            elements.append(element())
            self.skip_space()
            if self._text.startswith(closing, self.at):
                break
            self._take(",")
            self.skip_space()
            if self._text.startswith(closing, self.at) and not self._comments:
                raise self.error("a comma is followed by nothing")
        self.at += 1
        return elements
