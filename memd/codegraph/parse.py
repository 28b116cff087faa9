"""Parse: the bytes of a source file -> its facts. Runs in worker processes, where alone grammars are loaded."""

from __future__ import annotations

import functools
import hashlib
import importlib
import re
from collections.abc import Callable, Iterable, Mapping
from importlib import resources
from types import ModuleType
from typing import Final, TypeAlias

import tree_sitter_language_pack
from tree_sitter import Language as TreeSitterLanguage
from tree_sitter import Node, Parser, Point, Query, QueryCursor, Tree

from memd.codegraph.builder import Builder, ExprHandler, Handler
from memd.codegraph.describing import describe
from memd.codegraph.facts import Comment, FileFacts
from memd.codegraph.language import Language
from memd.codegraph.reasons import TAGS, reasons

_TAGS_AS_BYTES: Final = tuple(tag.encode() for tag in TAGS)


# Given a source, a tree of it and the source with some of its bytes blanked out, it gives the tree of that.
Again: TypeAlias = Callable[[bytes, Tree, bytes], Tree]
# Given a source, its tree with errors and how to parse again, it gives a tree that is as good or better.
Reread: TypeAlias = Callable[[bytes, Tree, Again], Tree]
_CHANGED: Final = re.compile(rb"[^\0](?:\0{0,16}[^\0])*", re.DOTALL)
"""Bytes in a row that differ, with few between them that do not."""


class _Grammar:
    """A language made ready: parser, query and handlers."""

    def __init__(self, language: Language) -> None:
        grammar = tree_sitter_language_pack.get_language(language.grammar)  # type: ignore[arg-type]  # a closed Literal there
        module: ModuleType = importlib.import_module(language.extractor)
        made: Callable[[TreeSitterLanguage], str] | None = getattr(module, "query_for", None)
        query = made(grammar) if made is not None else _query_beside(language.extractor)
        self.parser = Parser(grammar)
        self.cursor = QueryCursor(Query(grammar, query))
        self.handlers: Mapping[str, Handler] = module.HANDLERS
        self.expressions: Mapping[str, ExprHandler] = module.EXPRESSIONS
        self.repairs: tuple[Callable[[bytes], bytes], ...] = getattr(module, "REPAIRS", ())
        self.prepare: Callable[[bytes], bytes] | None = getattr(module, "prepare", None)
        self.reread: Reread | None = getattr(module, "reread", None)

    def parse(self, source: bytes) -> Tree:
        """Return the tree of a source."""
        return self.parser.parse(source)

    def parse_again(self, source: bytes, tree: Tree, changed: bytes) -> Tree:
        """Return the tree of a source of the same length as one that has a tree: what did not change is taken over."""
        if len(changed) != len(source):
            return self.parse(changed)
        differs = int.from_bytes(source, "big") ^ int.from_bytes(changed, "big")
        old, row, line, at = tree.copy(), 0, 0, 0
        for run in _CHANGED.finditer(differs.to_bytes(len(source), "big")):
            points = []
            for place in run.span():
                if lines := source.count(b"\n", at, place):
                    row, line = row + lines, source.rfind(b"\n", 0, place) + 1
                at = place
                points.append(Point(row, place - line))
            start, end = run.span()
            old.edit(start, end, end, points[0], points[1], points[1])
        return self.parser.parse(changed, old)


def _query_beside(extractor: str) -> str:
    return resources.files(extractor.rpartition(".")[0]).joinpath("query.scm").read_text("utf-8")


@functools.cache
def _grammar(language: Language) -> _Grammar:
    return _Grammar(language)


def extract(path: str, source: bytes, language: Language, digest: bytes | None = None) -> FileFacts:
    """Return the facts of a file. `path` is what it is called in the tree; nothing is read or written.

    `digest` is kept with them (None: the SHA-256 of `source`).

    Errors of syntax do not stop it: what stands around them is found. A lone surrogate or another encoding gives
    replacement characters in names, never an exception.
    """
    if digest is None:
        digest = hashlib.sha256(source).digest()
    grammar = _grammar(language)
    readable = grammar.prepare(source) if grammar.prepare else source
    tree = grammar.parse(readable)
    if tree.root_node.has_error:
        tree = _repaired(grammar, readable, tree)
    root = tree.root_node
    builder = Builder(source, grammar.expressions, root)
    captures = grammar.cursor.captures(root)
    comments = captures.pop("comment", [])
    handlers = tuple(grammar.handlers.values())
    for start, _, order, _, node in _in_order(captures, grammar.handlers):
        builder.reach(start)
        handlers[order](builder, node)
    if language.described_by_comments:
        describe(builder, comments)
    if comments and any(tag in source for tag in _TAGS_AS_BYTES):
        _note_reasons(builder, comments)
    return builder.facts(path, language.name, digest, error_nodes=root.has_error)


def _repaired(grammar: _Grammar, source: bytes, tree: Tree) -> Tree:
    """Return the tree after the repairs that the language knows: the first for any error, more for a lost file."""
    for number, repair in enumerate(grammar.repairs):
        if number == 0 or tree.root_node.type == "ERROR":
            repaired = repair(source)
            if number or repaired != source:
                tree = grammar.parse(repaired)
            if tree.root_node.has_error and grammar.reread is not None:
                tree = grammar.reread(repaired, tree, grammar.parse_again)
    return tree


def _in_order(captures: Mapping[str, list[Node]], names: Iterable[str]) -> list[tuple[int, int, int, int, Node]]:
    """Return captured nodes by place in the source, outer ones first, and as the handlers are listed for one node.

    The numbers are its first byte, its last one (negative), which of the names it goes by, and one that only orders.
    """
    events: list[tuple[int, int, int, int, Node]] = []
    for order, name in enumerate(names):
        found = enumerate(captures.get(name, ()))
        events.extend((node.start_byte, -node.end_byte, order, at, node) for at, node in found)
    events.sort()
    return events


def _note_reasons(builder: Builder, comments: list[Node]) -> None:
    """Keep the comments that give reasons; line comments on consecutive lines are one comment."""
    run: list[bytes] = []
    first = last = -2
    at = 0
    for node in [*sorted(comments, key=lambda node: node.start_byte), None]:
        line = node.start_point[0] if node is not None else -2
        if node is None or line != last + 1 or not run:
            if run and any(tag in piece for tag in _TAGS_AS_BYTES for piece in run):
                _keep(builder, b"\n".join(run).decode("utf-8", "replace"), first, at)
            run = []
            first = line
            at = node.start_byte if node is not None else 0
        if node is not None:
            run.append(node.text or b"")
            last = node.end_point[0]


def _keep(builder: Builder, comment: str, line: int, at: int) -> None:
    scope = _innermost(builder, at)
    for offset, tag, words in reasons(comment):
        builder.comments.append(Comment(tag, words, line + offset + 1, scope))


def _innermost(builder: Builder, at: int) -> int:
    best = -1
    for index, symbol in enumerate(builder.symbols):
        if symbol.start <= at < symbol.end:
            best = index
    return best
