"""Answers about memd itself: how it fares, and what it finds when it looks at itself. JSON as in `answers`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memd.operations.injection_answers import HitRateAnswer


@dataclass(frozen=True, slots=True)
class HostAnswer:
    """How a host fares. `lag_s`: how far capture is behind the disk; `skipped`: what was passed over, by reason."""

    title: str
    present: bool
    sources: int
    waiting: int
    sessions: int
    messages: int
    newest_on_disk: str | None
    newest_captured: str | None
    lag_s: float | None
    skipped: Mapping[str, int]
    errors: tuple[str, ...]
    roots: tuple[RootAnswer, ...] = ()


@dataclass(frozen=True, slots=True)
class RootAnswer:
    """A folder a host writes to. `mode`: `native` (the system tells), `polling`, or `absent`."""

    path: str
    mode: str
    warning: str | None = None


@dataclass(frozen=True, slots=True)
class QueuesAnswer:
    """What waits: sources to be read, writes, sessions to be distilled."""

    sources: int
    writes: int
    distill: int


@dataclass(frozen=True, slots=True)
class WritesAnswer:
    """Write transactions since the daemon's start: how long they kept all others waiting, in milliseconds.

    `_cpu` is the processor's time alone, without what other programs took meanwhile. `longest` is what took the most of
    it, `largest` what changed the most rows at once.
    """

    transactions: int
    above_50_ms: int
    above_50_ms_cpu: int
    longest_ms: float
    longest_cpu_ms: float
    most_rows: int
    longest: str | None
    largest: str | None


@dataclass(frozen=True, slots=True)
class BackfillAnswer:
    """How far the first reading is. `running` is False once everything that lay there at the start was read."""

    running: bool
    sources_done: int
    sources_total: int
    bytes_done: int
    bytes_total: int


@dataclass(frozen=True, slots=True)
class JobAnswer:
    """A recurring job: when it ended last, when it last went well, what went wrong last, and when it runs next.

    `waiting` is how much there is for it to do, where that can be told and was asked for. One that this memd does not
    know has no `every_s`.
    """

    name: str
    every_s: float | None
    next: str | None
    running: bool
    paused: bool
    waiting: int | None
    runs: int
    failures: int
    started: str | None
    finished: str | None
    ok: str | None
    error: str | None
    error_at: str | None


@dataclass(frozen=True, slots=True)
class DatabaseAnswer:
    """The database file with its side files, and the newest backup."""

    path: str
    bytes: int
    backups: int
    newest_backup: str | None


@dataclass(frozen=True, slots=True)
class StatusAnswer:
    """How memd fares. `degraded` holds a sentence for everything that is not as it should be."""

    version: str
    pid: int
    started: str | None
    uptime_s: float
    sessions: int
    messages: int
    facts: int
    projects: int
    queues: QueuesAnswer
    writes: WritesAnswer
    hosts: Mapping[str, HostAnswer]
    backfill: BackfillAnswer
    workers: int
    jobs: tuple[JobAnswer, ...]
    database: DatabaseAnswer
    recovery: str | None
    warnings: tuple[str, ...]
    degraded: tuple[str, ...]
    injections: tuple[HitRateAnswer, ...] = ()
    """What sessions were given in the last 30 days, and how much of it they used."""


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """One thing that was looked at; `fix` is a command or a sentence, empty when all is well.

    What is `ok` and has a `fix` is mended already, but worth knowing.
    """

    name: str
    ok: bool
    detail: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class HealthAnswer:
    """What the daemon finds when it looks at itself."""

    checks: tuple[HealthCheck, ...]


@dataclass(frozen=True, slots=True)
class JobControlAnswer:
    """What was done to how many jobs. `waiting` is how much there is for them to do, by job, where that is known."""

    jobs: tuple[str, ...]
    count: int
    waiting: dict[str, int]
