"""Answers: what happened in a session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CommandAnswer:
    """A command that was run, with its last outcome; null: that is not known."""

    command: str
    ok: bool | None


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """An error that was met, and whether and how it was fixed."""

    text: str
    fixed: bool
    fix: str | None = None


@dataclass(frozen=True, slots=True)
class PackageAnswer:
    """A package, and what was done with it: add, remove or upgrade."""

    name: str
    action: str


@dataclass(frozen=True, slots=True)
class EventsAnswer:
    """What happened in a session, taken from tool calls; `topics` are what the person asked, each by its beginning."""

    topics: tuple[str, ...]
    files: tuple[str, ...]
    commands: tuple[CommandAnswer, ...]
    commits: tuple[str, ...]
    errors: tuple[ErrorAnswer, ...]
    packages: tuple[PackageAnswer, ...]
    urls: tuple[str, ...]
    tools: Mapping[str, int]
    """The tools that were called, by how often."""
