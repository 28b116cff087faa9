"""Arguments: what several commands take."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Final


class Help(argparse.RawDescriptionHelpFormatter):
    """Help that fits 80 columns whatever the window."""

    def __init__(self, prog: str, *rest: object, **more: object) -> None:
        super().__init__(prog, max_help_position=22, width=80)


def json_flag(parser: argparse.ArgumentParser) -> None:
    """Let a command print JSON."""
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def verbose_flag(what: str) -> Callable[[argparse.ArgumentParser], None]:
    """Return what lets a command say more, and print JSON."""

    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--verbose", action="store_true", help=what)
        json_flag(parser)

    return add


def count(text: str) -> int:
    """Return a number of things; raises ArgumentTypeError for what is none from 1 on."""
    value = int(text) if text.isascii() and text.isdigit() else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return min(value, sys.maxsize)


def place(text: str) -> int:
    """Return a place in a list; raises ArgumentTypeError for what is none from 0 on."""
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 on")
    return int(text)


OF_PROJECT: Final = "only of this project (a folder in it, or its name; all: of any)"


def filters(parser: argparse.ArgumentParser, *, limit: int) -> None:
    """Let a command look at one project, one host and so many things alone."""
    parser.add_argument("--project", metavar="PATH", help=OF_PROJECT)
    parser.add_argument("--host", metavar="HOST", help="only of this host (claude_code, codex ...)")
    parser.add_argument("-n", "--limit", type=count, default=limit, metavar="N", help=f"at most N ({limit})")
    json_flag(parser)
