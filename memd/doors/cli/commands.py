"""Commands: the commands there are and what each takes, in one table."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from memd.doors.cli.arguments import OF_PROJECT, count, filters, json_flag, place, verbose_flag
from memd.doors.cli.graph_arguments import graph
from memd.doors.mcp.pump import PROFILES


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its code is `run(invocation)` in a module of this package."""

    name: str
    summary: str
    module: str
    arguments: Callable[[argparse.ArgumentParser], None] = lambda _: None


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
    json_flag(parser)


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
    parser.add_argument("--tag", metavar="TAG", help="only facts with this tag")
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
    filters(parser, limit=10)


def _sessions(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="those of subagents and those without a message as well")
    parser.add_argument("--project", metavar="PATH", help=OF_PROJECT)
    parser.add_argument("--host", metavar="HOST", help="only of this host (claude_code, codex ...)")
    parser.add_argument("-n", "--limit", type=count, metavar="N", help="at most N (20; with --json all)")
    json_flag(parser)


def _show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", metavar="ID", help="its id, the host's id for it, or how either begins or ends")
    parser.add_argument("--history", action="store_true", help="also what it shares with the session it came from")
    parser.add_argument("--full", action="store_true", help="whole tool inputs and outputs")
    parser.add_argument("--tail", type=count, metavar="N", help="only the last N messages")
    parser.add_argument("--no-tools", action="store_true", help="without tool calls")
    json_flag(parser)


def _facts(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("fact", nargs="?", metavar="ID", help="one fact, with its history and evidence")
    parser.add_argument("--project", metavar="PATH", help=OF_PROJECT)
    parser.add_argument("--kind", metavar="KIND", help="only of this kind (decision, preference, bugfix ...)")
    parser.add_argument("--all", action="store_true", help="superseded and retracted ones as well")
    parser.add_argument(
        "--as-of", metavar="DATE", help="what held as this day began or at this time, in the words of then"
    )
    parser.add_argument("-n", "--limit", type=count, metavar="N", help="at most N (20; with --json all)")
    json_flag(parser)


def _wakeup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--project", metavar="PATH", help="a folder of the project (this one)")
    parser.add_argument(
        "--as-of", metavar="DATE", help="what it would have been given as this day began or at this time"
    )
    json_flag(parser)


def _injections(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--project", metavar="PATH", help=OF_PROJECT)
    parser.add_argument("--session", metavar="ID", help="only of this session (its id, or the host's id for it)")
    parser.add_argument("-n", "--limit", type=count, default=20, metavar="N", help="at most N (20)")
    json_flag(parser)


def _forget(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", nargs="+", metavar="WORD", help="words as they are written, 4 characters or more")
    parser.add_argument("--apply", action="store_true", help="do it; without this it is only shown what would go")
    parser.add_argument("--copies", action="store_true", help="also from backups: older ones are removed")
    json_flag(parser)


def _preview(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a transcript, wherever it lies")
    parser.add_argument("--host", metavar="HOST", help="the host that wrote it, where the file does not tell")
    parser.add_argument("--session", type=place, metavar="N", help="only the session at place N, counted from 0")
    json_flag(parser)


def _logs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-n", "--lines", type=count, default=50, metavar="N", help="the last N lines (50)")
    parser.add_argument("-f", "--follow", action="store_true", help="go on as lines are written")


def _config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action",
        nargs="?",
        choices=("show", "init", "path"),
        default="show",
        help="show the settings in force, write a documented file, or tell where it lies",
    )
    json_flag(parser)


def _import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a transcript, or a memory's database, export or folder")
    parser.add_argument("--system", metavar="NAME", help="the memory it is of, where that is not recognised")
    parser.add_argument("--host", metavar="HOST", help="the host that wrote the transcript, likewise")
    parser.add_argument("--project", metavar="PATH", help="project of what names none (none: it holds everywhere)")
    parser.add_argument("--dry-run", action="store_true", help="only count what would be imported")
    parser.add_argument("--yes", action="store_true", help="ask nothing")
    json_flag(parser)


def _export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", metavar="DIR", default="memd-export", help="a new folder (./memd-export)")
    parser.add_argument("--project", metavar="PATH", help=OF_PROJECT)
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
    json_flag(parser)


def _call(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("operation", nargs="?", metavar="NAME", help="the operation; none: list them")
    parser.add_argument("parameters", nargs="*", metavar="NAME=VALUE", help="its parameters")
    json_flag(parser)


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
        verbose_flag("name the places that are not there yet"),
    ),
    Command(
        "doctor",
        "check everything and tell how to mend what is wrong",
        "doctor",
        verbose_flag("name the checks that were fine as well"),
    ),
    Command("search", "find facts and messages", "search", _search),
    Command("sessions", "list sessions, newest first", "sessions", _sessions),
    Command("show", "print a session", "show", _show),
    Command("facts", "list what memd has learnt, or show one fact", "facts", _facts),
    Command("wakeup", "print what a session that starts here would be given", "wakeup", _wakeup),
    Command("injections", "show what sessions were given, and what of it they used", "injections", _injections),
    Command("remember", "keep something worth knowing", "operate", _text),
    Command("forget", "delete for good whatever holds some words", "forget", _forget),
    Command("memory", "everything that can be done with facts", "operate", _words),
    Command("session", "everything that can be done with sessions", "operate", _words),
    Command("relations", "how facts and things are linked", "operate", _words),
    Command("analyze", "what the memory lacks, repeats or contradicts", "operate", _words),
    Command("admin", "upkeep of what memd keeps", "operate", _words),
    Command("preview", "show what would be remembered of a transcript; stores nothing", "preview", _preview),
    Command("graph", "show what calls, imports and inherits what in a tree of code", "graph", graph),
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
    Command("version", "print the version", "version", json_flag),
)

MADE: Final = {command.name: command.module for command in COMMANDS if command.arguments in (_words, _text)}
"""Commands that are made from the registry when they are called, with their modules, which parse their words."""
