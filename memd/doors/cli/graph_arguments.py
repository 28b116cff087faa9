"""What `memd graph` takes."""

from __future__ import annotations

import argparse
from typing import Final

from memd.doors.cli.arguments import Help, json_flag

_OF_SYMBOL: Final = frozenset(("find", "callers", "callees", "impact", "why", "traverse"))
_QUESTIONS: Final = {
    "status": "how far the code here is known",
    "find": "find symbols by name",
    "callers": "who calls a symbol",
    "callees": "what a symbol calls",
    "impact": "what a change of a symbol could break",
    "path": "how one symbol leads to another",
    "why": "why a symbol is as it is: reasons, facts, sessions",
    "traverse": "follow relations from a symbol",
    "hubs": "the busiest symbols",
    "bridges": "symbols that hold parts together",
    "subsystems": "the parts that the code falls into",
    "gaps": "what has no grounds, what nothing uses",
    "reasons": "comments that say why",
    "check": "compare the graph with the files; exit status 1 where they differ",
}


def graph(parser: argparse.ArgumentParser) -> None:
    """Let `memd graph` take its actions and what each of them takes."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action", required=True)
    index = actions.add_parser("index", help="read a tree and tell what is in it", formatter_class=Help)
    index.add_argument("path", nargs="?", default=".", metavar="PATH", help="the folder to read (.)")
    index.add_argument("--project", metavar="P", help="the same, or the name of a project")
    json_flag(index)
    export = actions.add_parser("export", help="print the edges of a tree", formatter_class=Help)
    export.add_argument("path", nargs="?", default=".", metavar="PATH", help="the folder to read (.)")
    export.add_argument("--jsonl", action="store_true", help="one JSON object a line, for programs")
    export.add_argument("--symbols", metavar="FILE", help="write the symbols to FILE, one JSON object a line")
    export.add_argument("--unresolved", metavar="FILE", help="write what has no grounds to FILE, likewise")
    for name, told in _QUESTIONS.items():
        question = actions.add_parser(name, help=told, formatter_class=Help)
        words = ("source", "target") if name == "path" else ("symbol",) if name in _OF_SYMBOL else ()
        for word in words:
            question.add_argument(word, metavar=word.upper(), help="a name, Class.method, or path::Class.method")
        question.add_argument("--project", metavar="P", help="a folder of the project or its name (here)")
        if name in ("callers", "callees", "impact", "traverse"):
            question.add_argument("--depth", type=int, metavar="N", help="how many steps")
        if name == "traverse":
            question.add_argument("--direction", choices=("out", "in", "both"), help="out, in or both")
            question.add_argument(
                "--relation",
                action="append",
                dest="relations",
                choices=("calls", "imports", "inherits"),
                help="only along this one",
            )
        if name == "reasons":
            question.add_argument("query", nargs="?", metavar="WORDS", help="only those that hold these words")
            question.add_argument("--tag", action="append", dest="tags", metavar="TAG", help="WHY, DECISION, HACK, ...")
        if name in ("find", "callers", "callees", "impact", "traverse", "path"):
            question.add_argument("--as-of", metavar="DATE", help="what held then")
        if name not in ("status", "path", "check"):
            question.add_argument("-n", "--limit", type=int, metavar="N", help="at most so many")
        json_flag(question)
