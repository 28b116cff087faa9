"""What the node types of a grammar tell by their names: `method_declaration` with a name is a method.

The query is made of the grammar's own node types (https://tree-sitter.github.io/tree-sitter/using-parsers/6-static-node-types),
so that a grammar needs nothing but an extension.
"""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Language, Node

from memd.codegraph.builder import LONGEST_SIGNATURE, Builder, ExprHandler, Handler, one_line, text
from memd.codegraph.facts import TYPE_KINDS, Kind

_DEFINES: Final = re.compile(
    r"(?P<word>function|method|constructor|class|struct|interface|protocol|trait|enum|union|module|namespace|object"
    r"|contract)(?:_(?:definition|declaration|item|specifier|statement))?|(?:local_)?function_(?:definition|declaration)"
)
_KINDS: Final[dict[str, Kind]] = {
    "function": "function",
    "method": "method",
    "constructor": "method",
    "class": "class",
    "object": "class",
    "contract": "class",
    "struct": "struct",
    "interface": "interface",
    "protocol": "interface",
    "trait": "trait",
    "enum": "enum",
    "union": "union",
    "module": "namespace",
    "namespace": "namespace",
}
_NAMES: Final = frozenset(("identifier", "simple_identifier", "type_identifier", "constant", "name", "word"))


def query_for(grammar: Language) -> str:
    """Return the query for a grammar: its node types that define something, and its comments."""
    kinds = sorted(
        {
            kind
            for number in range(grammar.node_kind_count)
            if grammar.node_kind_is_named(number)
            and grammar.node_kind_is_visible(number)
            and (kind := grammar.node_kind_for_id(number)) is not None
        }
    )
    found = [f"({kind}) @definition" for kind in kinds if _DEFINES.fullmatch(kind)]
    found += [f"({kind}) @comment" for kind in kinds if kind.endswith("comment")]
    return "\n".join(found)


def definition(builder: Builder, node: Node) -> None:
    """Something that has a name and a body or parameters of its own."""
    match = _DEFINES.fullmatch(node.type)
    name = node.child_by_field_name("name") or next((one for one in node.named_children if one.type in _NAMES), None)
    if match is None or name is None or not node.is_named or node.named_child_count < 2:
        return
    kind = _KINDS[match["word"] or "function"]
    around = builder.scope
    if kind == "function" and around >= 0 and builder.symbols[around].kind in TYPE_KINDS:
        kind = "method"
    head = text(node).partition("{")[0].partition("\n")[0]
    builder.open(one_line(text(name), LONGEST_SIGNATURE), kind, node, signature=one_line(head, LONGEST_SIGNATURE))


EXPRESSIONS: Final[dict[str, ExprHandler]] = {}
HANDLERS: Final[dict[str, Handler]] = {"definition": definition}
