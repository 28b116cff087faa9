"""Status: how capture fares, for `memd status` and `memd doctor`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memd.capture.scan import Scan
from memd.capture.watch import RootStatus
from memd.store.sources import HostStatus

_UNKNOWN: Final = "unknown"
PATIENCE_S: Final = 10.0
"""How long a host may be here before it is told that nothing came of it, though some of it still waits to be read."""


@dataclass(frozen=True, slots=True)
class HostCapture:
    """One host: what lies on disk against what was read. Times are UTC epoch milliseconds."""

    host: str
    title: str
    present: bool
    """Whether the host has written anything on this machine."""
    sources: int
    newest_on_disk: int | None
    newest_captured: int | None
    """Time of the newest message that is stored."""
    version: str | None
    """The host's version, as the newest session that tells it does."""
    lag_s: float
    """How much newer the newest file is than the newest that was read; 0 when everything was read."""
    waiting: int
    """Sources that wait to be read."""
    skipped: Mapping[str, int]
    errors: tuple[str, ...]
    roots: tuple[RootStatus, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CaptureStatus:
    """All hosts, and the work that lies ahead."""

    hosts: tuple[HostCapture, ...]
    queue: int
    bytes_done: int
    bytes_total: int
    blocked: str | None
    """Why nothing can be stored at the moment (a full or read-only disk); it is tried again and again."""
    scanned: bool
    """False until every root was looked through once: numbers are not complete before."""


@dataclass(frozen=True, slots=True)
class Observed:
    """What capture knows of one host besides what the store does."""

    host: str
    title: str
    scans: Sequence[Scan]
    roots: tuple[RootStatus, ...]
    newest_read_ns: int | None
    waiting: int
    present_s: float = 0.0
    """For how long files of it have been known to be here."""


def host_capture(observed: Observed, stored: HostStatus | None) -> HostCapture:
    """Put together what the disk, the queue and the store say of a host, and what is wrong with it."""
    sources = sum(scan.sources for scan in observed.scans)
    # What was read since the last look through the roots is there too.
    present = sources > 0 or observed.newest_read_ns is not None
    newest_ns = max((scan.newest_mtime_ns or 0 for scan in observed.scans), default=0)
    behind_ns = newest_ns - (observed.newest_read_ns or 0) if observed.waiting else 0
    return HostCapture(
        host=observed.host,
        title=observed.title,
        present=present,
        sources=sources,
        newest_on_disk=newest_ns // 1_000_000 or None,
        newest_captured=None if stored is None else stored.newest_captured,
        version=None if stored is None else stored.version,
        lag_s=round(max(behind_ns, 0) / 1e9, 3),
        waiting=observed.waiting,
        skipped={} if stored is None else stored.skipped,
        errors=() if stored is None else tuple(f"{error.path}: {error.error}" for error in stored.errors),
        roots=observed.roots,
        warnings=tuple(_warnings(observed, stored, present=present)),
    )


def _warnings(observed: Observed, stored: HostStatus | None, *, present: bool) -> list[str]:
    title = observed.title
    warnings = [root.warning for root in observed.roots if root.warning is not None]
    for scan in observed.scans:
        warnings += [f"{path} cannot be read: {why}." for path, why in (scan.unreadable or {}).items()]
    yields_nothing = stored is None or not stored.messages
    if present and yields_nothing and not _only_excluded(stored):
        if not observed.waiting:
            warnings.append(f"{title} has written files here, but nothing could be read from them.")
        elif observed.present_s >= PATIENCE_S:
            waiting = "1 waits" if observed.waiting == 1 else f"{observed.waiting} wait"
            warnings.append(f"{title} has written files here, but nothing could be read from them so far; {waiting}.")
    unknown = {} if stored is None else {r: n for r, n in stored.skipped.items() if r.startswith(_UNKNOWN)}
    if unknown:
        kinds = ", ".join(f"{reason} ({count})" for reason, count in sorted(unknown.items())[:5])
        warnings.append(f"{title} writes what this version of memd does not know: {kinds}.")
    return warnings


def _only_excluded(stored: HostStatus | None) -> bool:
    return stored is not None and stored.lines == 0 and bool(stored.skipped) and not stored.errors
