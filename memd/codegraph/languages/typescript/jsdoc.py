"""JSDoc: the types that comments of JavaScript say (`@param {T} x`, `@returns {T}`, `@type {T}`, `@typedef`)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import LONGEST_DOC, Builder, one_line
from memd.codegraph.facts import EXPORTS, Attr, Expr, Import, Index, Instance, Literal, Name, Own
from memd.codegraph.languages.typescript.forms import one_of, type_of, whole
from memd.codegraph.languages.typescript.frames import state_of

_COMMENT: Final = re.compile(rb"/\*\*(?!/).*?\*/", re.DOTALL)
# What may stand between a comment and the function or value that it is of.
_GAP: Final = re.compile(
    rb"\s*(?:/\*(?!\*)[^*]*\*/\s*|//[^\n]*\n\s*|(?:export|default|async|static|const|let|var|readonly)\s+|[\w$.#'\"\[\]-]+\s*[=:]\s*\(?\s*)*"
)
_LONGEST_GAP: Final = 160
_LONGEST_TYPE: Final = 400
_TAG: Final = re.compile(
    r"@(param|arg|argument|returns?|type|this|typedef|property|prop|callback|import|template|extends|augments)\b"
)
_NAME: Final = re.compile(r"\s*\[?\s*([\w$]+(?:\.[\w$]+)*)")
_IMPORTED: Final = re.compile(r"import\(\s*['\"]([^'\"]+)['\"]\s*\)((?:\.[\w$]+)*)")
_IMPORT_TAG: Final = re.compile(
    r"@import\s+(?:(?:type\s+)?([\w$]+)\s*,?\s*)?(?:\*\s*as\s+([\w$]+)|\{([^}]*)\})?\s*from\s*['\"]([^'\"]+)['\"]"
)
_DOTTED: Final = re.compile(r"[\w$]+(?:\.[\w$]+)*")


@dataclass(slots=True)
class Doc:
    """What a comment says of types."""

    params: dict[str, Expr] = field(default_factory=dict)
    """The types of parameters, and of what is in them (`options.x`)."""
    order: list[str] = field(default_factory=list)
    """The names of all parameters, with or without a type."""
    returns: Expr | None = None
    type: Expr | None = None
    this: Expr | None = None
    templates: list[str] = field(default_factory=list)
    """The names of type parameters."""
    extends: Expr | None = None
    """What a class extends, with type arguments."""
    words: str = ""


def read_comments(builder: Builder, root: Node) -> None:
    """Note where the comments of a file are, and bind the types that they define."""
    state = state_of(builder)
    source = builder.source
    state.docs = [(match.end(), match.start()) for match in _COMMENT.finditer(source)]
    for end, start in state.docs:
        comment = source[start:end]
        if b"@typedef" in comment or b"@callback" in comment:
            _define(builder, comment.decode("utf-8", "replace"), start, root)
        elif b"@import" in comment:
            _import(builder, comment.decode("utf-8", "replace"))


def _import(builder: Builder, comment: str) -> None:
    """`@import D, { a as b } from "m"`, `@import * as m from "m"`."""
    for default, star, names, module in _IMPORT_TAG.findall(comment):
        if default:
            builder.bind(default, Import(module, "default"), since=0)
        if star:
            builder.bind(star, whole(module), since=0)
        for part in names.split(","):
            name, _, other = part.replace("*", " ").strip().partition(" as ")
            if name:
                builder.bind((other or name).strip(), Import(module, name.strip()), since=0)


def doc_before(builder: Builder, node: Node) -> Doc | None:
    """Return what the comment says that stands before a node, None where there is none."""
    state = state_of(builder)
    docs = state.docs
    if not docs:
        return None
    start = node.start_byte
    place = bisect_left(docs, (start + 1, 0)) - 1
    if place < 0:
        return None
    end, began = docs[place]
    if start - end > _LONGEST_GAP or not _GAP.fullmatch(builder.source, end, start):
        return None
    found = state.read.get(began)
    if found is None:
        found = state.read[began] = _read(builder.source[began:end].decode("utf-8", "replace"))
    assert isinstance(found, Doc)
    return found


def _read(comment: str) -> Doc:
    doc = Doc()
    lines = [line.strip().lstrip("*").strip() for line in comment[3:-2].split("\n")]
    doc.words = one_line(" ".join(lines).partition("@")[0], LONGEST_DOC)
    for tag, words, name in _tags(comment):
        found = jsdoc_type(words)
        if tag in ("param", "arg", "argument") and "." not in name:
            doc.order.append(name)
        if tag == "template" and name:
            doc.templates.extend(name.replace(",", " ").split())
        if found is None:
            continue
        if tag in ("extends", "augments"):
            doc.extends = found
        if tag in ("param", "arg", "argument"):
            if words.strip().startswith("..."):
                found = Literal("Array", (Instance(found),))
            doc.params.setdefault(name, found)
        elif tag in ("return", "returns"):
            doc.returns = found
        elif tag == "type":
            doc.type = found
        elif tag == "this":
            doc.this = found
    return doc


def _tags(comment: str) -> Iterator[tuple[str, str, str]]:
    """Yield tag, type and name of each tag that has a type in braces."""
    for match in _TAG.finditer(comment):
        at = match.end()
        while at < len(comment) and comment[at] in " \t":
            at += 1
        words = ""
        if at < len(comment) and comment[at] == "{":
            depth = 0
            for end in range(at, min(len(comment), at + _LONGEST_TYPE)):
                depth += (comment[end] == "{") - (comment[end] == "}")
                if depth == 0:
                    words = re.sub(r"\n\s*\*", " ", comment[at + 1 : end])
                    at = end + 1
                    break
        named = _NAME.match(comment, at)
        yield match.group(1), words, named.group(1) if named is not None else ""


def _define(builder: Builder, comment: str, start: int, root: Node) -> None:
    """`@typedef {T} Name`, `@typedef Name` with its properties, `@callback Name` with what it takes and gives."""
    index = -1
    callback: tuple[str, list[Expr | None]] | None = None
    for tag, words, name in _tags(comment):
        found = jsdoc_type(words)
        if tag == "typedef" and name:
            if found is not None:
                _give(builder, name, found)
                index = -1
                continue
            index = builder.open("", "object", root, enter=False, bound=False)
            _give(builder, name, Own(index))
        elif tag in ("property", "prop") and index >= 0 and found is not None and "." not in name:
            builder.bind(name, None, found, since=start, owner=index)
        elif tag == "callback" and name:
            callback = (name, [])
        elif tag in ("param", "arg", "argument") and callback is not None:
            callback[1].append(Instance(found) if found is not None else None)
    if callback is not None:
        _give(builder, callback[0], Literal("Callable", (*callback[1], None)))


def _give(builder: Builder, name: str, value: Expr) -> None:
    """Bind a type that a comment defines; every such type is exported too."""
    builder.bind(name, value, since=0)
    builder.bind(name, value, since=0, owner=EXPORTS)


def jsdoc_type(words: str) -> Expr | None:
    """Return the type expression that some words are, None where they are none that can be followed."""
    return _parsed(words, 0) if len(words) < _LONGEST_TYPE else None


_NOTHING: Final = frozenset("any * object Object undefined null void unknown never {} mixed this".split())
_PLAIN: Final = {"string": "string", "number": "number", "boolean": "boolean", "bool": "boolean", "String": "string",
                 "Number": "number", "Boolean": "boolean", "symbol": "symbol"}  # fmt: skip


def _parsed(words: str, depth: int) -> Expr | None:
    words = words.strip().removeprefix("...").lstrip("?!").rstrip("=?! ")
    if not words or words in _NOTHING or depth > _DEEPEST:
        return None
    if words in _PLAIN:
        return Literal(_PLAIN[words])
    options = _split(words, "|")
    if len(options) > 1:
        return one_of([_parsed(one, depth + 1) for one in options])
    if words.startswith("(") and words.endswith(")") and _closes(words):
        return _parsed(words[1:-1], depth + 1)
    arrow = _arrow(words)
    if arrow is not None:
        given, result = arrow
        takes = [_parsed(one.partition(":")[2] or one, depth + 1) for one in _split(given, ",") if one.strip()]
        made = _parsed(result, depth + 1)
        return Literal("Callable", (*map(_held, takes), _held(made)))
    if words.endswith("[]"):
        return Literal("Array", (_held(_parsed(words[:-2], depth + 1)),))
    if words.startswith("typeof "):
        named = _named(words[7:])
        return type_of(named)
    head, bracket, rest = words.partition("<")
    base = _named(head.removesuffix("."))
    if base is None or not bracket:
        return base
    args = tuple(_parsed(one, depth + 1) for one in _split(rest.rstrip().removesuffix(">"), ","))
    return Index(base, args)


_DEEPEST: Final = 8


def _held(expr: Expr | None) -> Expr | None:
    return Instance(expr) if expr is not None else None


def _named(words: str) -> Expr | None:
    words = words.strip()
    imported = _IMPORTED.fullmatch(words)
    if imported is not None:
        found: Expr = whole(imported.group(1))
        names = imported.group(2).split(".")[1:]
    elif _DOTTED.fullmatch(words):
        first, *names = words.split(".")
        found = Name(first)
    else:
        return None
    for name in names:
        found = Attr(found, name)
    return found


def _arrow(words: str) -> tuple[str, str] | None:
    """Return what `(a: A) => B` or `function(A): B` takes and gives."""
    if words.startswith(("function(", "function (")):
        start = words.index("(")
        depth = 0
        for end in range(start, len(words)):
            depth += (words[end] == "(") - (words[end] == ")")
            if depth == 0:
                return words[start + 1 : end], words[end + 1 :].strip().removeprefix(":")
        return None
    if not words.startswith("("):
        return None
    depth = 0
    for end, letter in enumerate(words):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            tail = words[end + 1 :].strip()
            return (words[1:end], tail[2:]) if tail.startswith("=>") else None
    return None


def _closes(words: str) -> bool:
    """Tell whether the first parenthesis is closed by the last."""
    depth = 0
    for place, letter in enumerate(words):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return place == len(words) - 1
    return False


def _split(words: str, separator: str) -> list[str]:
    """Split at a separator that is in no brackets."""
    found: list[str] = []
    depth = start = 0
    for place, letter in enumerate(words):
        if letter in "<({[":
            depth += 1
        elif letter in ">)}]" and not (letter == ">" and words[place - 1 : place] == "="):
            depth -= 1
        elif letter == separator and depth == 0:
            found.append(words[start:place])
            start = place + 1
    return [*found, words[start:]]
