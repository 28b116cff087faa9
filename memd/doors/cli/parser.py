"""The parser: the commands there are and what each takes, in one table."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final, NoReturn

from memd import __version__
from memd.doors.cli.guide import EXAMPLES, grouped
from memd.doors.mcp.pump import PROFILES
from memd.errors import UsageError

STATUSES: Final = MappingProxyType(
    {
        0: "all is well",
        1: "nothing was found, or something is wrong",
        2: "the words do not make sense, or a file is no transcript",
        3: "there is no session or fact of that name",
        4: "the daemon does not answer, or one runs already",
        5: "the database cannot be used as it is",
        6: "the configuration or a folder cannot be used",
        7: "a host's settings file cannot be read for certain",
        8: "the service could not be started, stopped, installed or removed",
        130: "interrupted",
    }
)
"""What the exit statuses mean."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its code is `run(invocation)` in a module of this package."""

    name: str
    summary: str
    module: str
    arguments: Callable[[argparse.ArgumentParser], None] = lambda _: None


class Parser(argparse.ArgumentParser):
    """An argument parser that raises UsageError instead of ending the process."""

    commands: Mapping[str, argparse.ArgumentParser]

    def error(self, message: str) -> NoReturn:  # type: ignore[explicit-override]  # typing.override is 3.12
        """Say what is wrong with the words."""
        _, _, unknown = message.partition("argument COMMAND: invalid choice: ")
        if unknown:
            word = unknown.split(" (")[0]
            near = get_close_matches(word.strip("'"), [command.name for command in COMMANDS], 2)
            meant = f"did you mean {' or '.join(near)}?" if near else "`memd --help` lists what there is."
            raise UsageError(f"There is no command {word}; {meant}")
        if message.endswith("required: COMMAND"):
            message = "a command is missing"
        _, _, word = message.partition("unrecognized arguments: ")
        option = word.split(" ")[0].partition("=")[0]
        place = next((one for one in self._actions if not one.option_strings and option == f"--{one.dest}"), None)
        if place is not None:
            usage = " ".join(self.format_usage().split()[1:])
            raise UsageError(f"{option} is no option here, but a word of its own: {usage}")
        known = self._options()
        near = get_close_matches(option, known, 1) if option.startswith("--") else []
        # One that there is, only not here, must not be suggested in place of itself.
        meant = "" if option in known or not near else f"; did you mean {near[0]}?"
        raise UsageError(f"{message[0].upper()}{message[1:]}{meant}; see `{self.prog} --help`.".replace("?;", "?"))

    def _options(self) -> list[str]:
        """Return every option there is: what was not recognised is told by the outermost parser."""
        parsers = [self, *(getattr(self, "commands", None) or {}).values()]
        return list({word for parser in parsers for word in parser._option_string_actions})  # noqa: SLF001


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Return what the words of a call mean; raises UsageError.

    What follows a command that is made from the registry is for that command's own parser, options first or last.
    """
    made = {command.name: command.module for command in COMMANDS if command.arguments in (_words, _text)}
    made["complete"] = "complete"
    skipped = 2 if words[:1] == ["--data-dir"] or words[:1] == ("--data-dir",) else 0
    name = words[skipped] if len(words) > skipped else ""
    if name == "help":  # as git, cargo and go have it
        return parse([*words[skipped + 1 :], "--help"])
    if name not in made:
        return build().parse_args(list(words))
    data_dir = words[1] if skipped else None
    module = f"memd.doors.cli.{made[name]}"
    return argparse.Namespace(command=name, module=module, data_dir=data_dir, words=list(words[skipped + 1 :]))


def build() -> Parser:
    """Return the parser of the whole command line."""
    shared = Parser(add_help=False)
    shared.add_argument(
        "--data-dir", metavar="DIR", default=argparse.SUPPRESS, help="use the memd that keeps its data in DIR"
    )
    parser = Parser(
        prog="memd",
        usage="memd [--data-dir DIR] COMMAND ...",
        description="A memory for coding agents that nobody has to think of.",
        epilog=_overview(),
        formatter_class=Help,
        allow_abbrev=False,
    )
    parser.add_argument("--data-dir", metavar="DIR", help="use the memd that keeps its data in DIR")
    parser.add_argument("--version", action="version", version=f"memd {__version__}", help="print the version")
    commands = parser.add_subparsers(
        title="commands", prog="memd", help=argparse.SUPPRESS, metavar="COMMAND", dest="command", required=True
    )
    for command in COMMANDS:
        child = commands.add_parser(
            command.name,
            description=f"{command.summary[0].upper()}{command.summary[1:]}.",
            epilog=_examples(command.name),
            parents=[shared],
            formatter_class=Help,
            allow_abbrev=False,
        )
        child.set_defaults(module=f"memd.doors.cli.{command.module}")
        command.arguments(child)
    parser.commands = commands.choices
    return parser


def _overview() -> str:
    """Return the commands in their groups, and the exit statuses."""
    summaries = {command.name: command.summary for command in COMMANDS}
    lines = []
    for group, names in grouped(tuple(summaries)).items():
        lines += [f"{group}:", *(f"  {name:<11}{summaries[name]}" for name in names), ""]
    lines += ["exit status:", *(f"  {status:<4} {meaning}" for status, meaning in STATUSES.items()), ""]
    lines += ["memd works by itself: no command is needed from day to day.", "`memd help COMMAND` tells more."]
    return "\n".join(lines)


def _examples(name: str) -> str | None:
    found = EXAMPLES.get(name, ())
    return "\n".join(("examples:", *(f"  {example}" for example in found))) if found else None


class Help(argparse.RawDescriptionHelpFormatter):
    """Help that fits 80 columns whatever the window."""

    def __init__(self, prog: str, *rest: object, **more: object) -> None:
        super().__init__(prog, max_help_position=22, width=80)


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def _verbose(what: str) -> Callable[[argparse.ArgumentParser], None]:
    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--verbose", action="store_true", help=what)
        _json(parser)

    return add


def _count(text: str) -> int:
    value = int(text) if text.isascii() and text.isdigit() else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return min(value, sys.maxsize)


def _place(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 on")
    return int(text)


_OF_PROJECT: Final = "only of this project (a folder in it, or its name; all: of any)"


def _filters(parser: argparse.ArgumentParser, *, limit: int) -> None:
    parser.add_argument("--project", metavar="PATH", help=_OF_PROJECT)
    parser.add_argument("--host", metavar="HOST", help="only of this host (claude_code, codex ...)")
    parser.add_argument("-n", "--limit", type=_count, default=limit, metavar="N", help=f"at most N ({limit})")
    _json(parser)


def _hosts(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--host", metavar="HOSTS", default="", help=f"{what}, separated by commas")


def _install(parser: argparse.ArgumentParser) -> None:
    _hosts(parser, "only these hosts (codex,cursor)")
    parser.add_argument(
        "--instructions",
        action="store_true",
        help="also tell agents of memd, in a block of your own CLAUDE.md, AGENTS.md ...",
    )
    parser.add_argument("--skill", action="store_true", help="also give agents a skill for asking memd")
    parser.add_argument("--plan", action="store_true", help="show what would change and change nothing")
    parser.add_argument("--yes", action="store_true", help="ask nothing")
    _json(parser)


def _uninstall(parser: argparse.ArgumentParser) -> None:
    _hosts(parser, "take memd out of these hosts only")
    parser.add_argument("--purge", action="store_true", help="remove the memory as well")
    parser.add_argument("--yes", action="store_true", help="ask nothing")


def _up(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--service", action="store_true", help="report to systemd or launchd, which started it")


def _search(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="+", metavar="WORD", help="what to look for")
    parser.add_argument("--kind", choices=("facts", "messages"), help="only facts, or only messages")
    parser.add_argument("--category", metavar="KIND", help="only facts of this kind (decision, preference, bugfix ...)")
    parser.add_argument(
        "--scope",
        choices=("all", "errors", "plans", "configs", "tools", "files", "decisions"),
        metavar="SCOPE",
        help="only errors, plans, configs, tools, files or decisions",
    )
    parser.add_argument(
        "--mode", choices=("words", "exact", "regex"), help="the words (usual), the text as it stands, or a regex"
    )
    parser.add_argument("--session", metavar="ID", help="only of this session")
    parser.add_argument("--role", choices=("user", "assistant"), help="only what one of them said")
    parser.add_argument(
        "--since", metavar="DATE", help="only from this day or time on (2026-11-30, yesterday, '3 days ago')"
    )
    parser.add_argument("--until", metavar="DATE", help="only before this day or time")
    parser.add_argument(
        "--as-of",
        metavar="DATE",
        help="what held, and had been said, as this day began or at this time, in the words of then",
    )
    parser.add_argument("--compact", action="store_true", help="a line for each hit")
    parser.add_argument("--explain", action="store_true", help="say what each score is made of")
    _filters(parser, limit=10)


def _sessions(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="those of subagents and those without a message as well")
    parser.add_argument("--project", metavar="PATH", help=_OF_PROJECT)
    parser.add_argument("--host", metavar="HOST", help="only of this host (claude_code, codex ...)")
    parser.add_argument("-n", "--limit", type=_count, metavar="N", help="at most N (20; with --json all)")
    _json(parser)


def _show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", metavar="ID", help="its id, the host's id for it, or how either begins or ends")
    parser.add_argument("--history", action="store_true", help="also what it shares with the session it came from")
    parser.add_argument("--full", action="store_true", help="whole tool inputs and outputs")
    parser.add_argument("--tail", type=_count, metavar="N", help="only the last N messages")
    parser.add_argument("--no-tools", action="store_true", help="without tool calls")
    _json(parser)


def _facts(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("fact", nargs="?", metavar="ID", help="one fact, with its history and evidence")
    parser.add_argument("--project", metavar="PATH", help=_OF_PROJECT)
    parser.add_argument("--kind", metavar="KIND", help="only of this kind (decision, preference, bugfix ...)")
    parser.add_argument("--all", action="store_true", help="superseded and retracted ones as well")
    parser.add_argument(
        "--as-of", metavar="DATE", help="what held as this day began or at this time, in the words of then"
    )
    parser.add_argument("-n", "--limit", type=_count, metavar="N", help="at most N (20; with --json all)")
    _json(parser)


def _wakeup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--project", metavar="PATH", help="a folder of the project (this one)")
    parser.add_argument(
        "--as-of", metavar="DATE", help="what it would have been given as this day began or at this time"
    )
    _json(parser)


def _injections(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--project", metavar="PATH", help=_OF_PROJECT)
    parser.add_argument("--session", metavar="ID", help="only of this session (its id, or the host's id for it)")
    parser.add_argument("-n", "--limit", type=_count, default=20, metavar="N", help="at most N (20)")
    _json(parser)


def _preview(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a transcript, wherever it lies")
    parser.add_argument("--host", metavar="HOST", help="the host that wrote it, where the file does not tell")
    parser.add_argument("--session", type=_place, metavar="N", help="only the session at place N, counted from 0")
    _json(parser)


def _logs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-n", "--lines", type=_count, default=50, metavar="N", help="the last N lines (50)")
    parser.add_argument("-f", "--follow", action="store_true", help="go on as lines are written")


def _config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action",
        nargs="?",
        choices=("show", "init", "path"),
        default="show",
        help="show the settings in force, write a documented file, or tell where it lies",
    )
    _json(parser)


_GRAPH_OF_SYMBOL: Final = frozenset(("find", "callers", "callees", "impact", "why", "traverse"))
_GRAPH_QUESTIONS: Final = {
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


def _graph(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action", required=True)
    index = actions.add_parser("index", help="read a tree and tell what is in it", formatter_class=Help)
    index.add_argument("path", nargs="?", default=".", metavar="PATH", help="the folder to read (.)")
    index.add_argument("--project", metavar="P", help="the same, or the name of a project")
    _json(index)
    export = actions.add_parser("export", help="print the edges of a tree", formatter_class=Help)
    export.add_argument("path", nargs="?", default=".", metavar="PATH", help="the folder to read (.)")
    export.add_argument("--jsonl", action="store_true", help="one JSON object a line, for programs")
    export.add_argument("--symbols", metavar="FILE", help="write the symbols to FILE, one JSON object a line")
    export.add_argument("--unresolved", metavar="FILE", help="write what has no grounds to FILE, likewise")
    for name, told in _GRAPH_QUESTIONS.items():
        question = actions.add_parser(name, help=told, formatter_class=Help)
        words = ("source", "target") if name == "path" else ("symbol",) if name in _GRAPH_OF_SYMBOL else ()
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
        _json(question)


def _import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a transcript, or a memory's database, export or folder")
    parser.add_argument("--system", metavar="NAME", help="the memory it is of, where that is not recognised")
    parser.add_argument("--host", metavar="HOST", help="the host that wrote the transcript, likewise")
    parser.add_argument("--project", metavar="PATH", help="project of what names none (none: it holds everywhere)")
    parser.add_argument("--dry-run", action="store_true", help="only count what would be imported")
    parser.add_argument("--yes", action="store_true", help="ask nothing")
    _json(parser)


def _export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", metavar="DIR", default="memd-export", help="a new folder (./memd-export)")
    parser.add_argument("--project", metavar="PATH", help=_OF_PROJECT)
    parser.add_argument(
        "--shareable", action="store_true", help="for others: only facts marked shareable, without their evidence"
    )
    parser.add_argument("--json", action="store_true", help="one document to standard output, without messages")


def _mcp(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--profile", choices=PROFILES, metavar="NAME", help=f"the tools an agent is given: {', '.join(PROFILES)}"
    )
    parser.add_argument("--project", metavar="DIR", help="the project (the folder it is started in)")
    parser.add_argument("--cost", action="store_true", help="print what each profile costs a session, in tokens")
    _json(parser)


def _call(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("operation", nargs="?", metavar="NAME", help="the operation; none: list them")
    parser.add_argument("parameters", nargs="*", metavar="NAME=VALUE", help="its parameters")
    _json(parser)


def _words(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs=argparse.REMAINDER, metavar="ACTION ...", help="an action and what it takes")


def _text(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "words", nargs=argparse.REMAINDER, metavar="TEXT ...", help="what to keep (-: standard input), and options"
    )


def _completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "shell", choices=("bash", "zsh", "fish"), metavar="bash|zsh|fish", help="the shell to print a script for"
    )


COMMANDS: Final[Sequence[Command]] = (
    Command("install", "set memd up for you and start it; again: bring it up to date", "install", _install),
    Command("uninstall", "take memd off this machine; the memory is kept", "uninstall", _uninstall),
    Command(
        "status",
        "show what memd has read and how it fares",
        "status",
        _verbose("name the places that are not there yet"),
    ),
    Command(
        "doctor",
        "check everything and tell how to mend what is wrong",
        "doctor",
        _verbose("name the checks that were fine as well"),
    ),
    Command("search", "find facts and messages", "search", _search),
    Command("sessions", "list sessions, newest first", "sessions", _sessions),
    Command("show", "print a session", "show", _show),
    Command("facts", "list what memd has learnt, or show one fact", "facts", _facts),
    Command("wakeup", "print what a session that starts here would be given", "wakeup", _wakeup),
    Command("injections", "show what sessions were given, and what of it they used", "injections", _injections),
    Command("remember", "keep something worth knowing", "operate", _text),
    Command("memory", "everything that can be done with facts", "operate", _words),
    Command("session", "everything that can be done with sessions", "operate", _words),
    Command("relations", "how facts and things are linked", "operate", _words),
    Command("analyze", "what the memory lacks, repeats or contradicts", "operate", _words),
    Command("admin", "upkeep of what memd keeps", "operate", _words),
    Command("preview", "show what would be remembered of a transcript; stores nothing", "preview", _preview),
    Command("graph", "show what calls, imports and inherits what in a tree of code", "graph", _graph),
    Command("import", "take over a transcript or another memory", "importing", _import),
    Command("export", "write everything as JSON and Markdown", "export", _export),
    Command("up", "run the daemon in the foreground", "up", _up),
    Command("start", "start the daemon if it does not run", "start"),
    Command("down", "stop the daemon", "down"),
    Command("restart", "start the daemon anew", "restart"),
    Command("logs", "print the daemon's log", "logs", _logs),
    Command("config", "show or set up the configuration", "config", _config),
    Command("completion", "print a completion script for your shell", "completion", _completion),
    Command("man", "print the manual page", "man"),
    Command("mcp", "speak MCP on standard input, as agents want it", "mcp", _mcp),
    Command("call", "call any operation by its name", "call", _call),
    Command("version", "print the version", "version", _json),
)
