"""The first reading: how far it is, shown while somebody waits for it, but not for ever."""

from __future__ import annotations

import time
from typing import Final

from memd.doors.cli import reach
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.wording import size, span
from memd.errors import DaemonUnavailable
from memd.operations.status_answers import BackfillAnswer, StatusAnswer

_POLL_S: Final = 0.25
_LINE_EVERY_S: Final = 5.0
_PATIENCE_S: Final = 60.0
_JUDGED_AFTER_S: Final = 4.0
_START_S: Final = 20.0
# Within so long after the last file was read, the daemon sees which sessions are over and begins to distill them.
_SETTLE_S: Final = 7.0
_BAR: Final = 30


class FirstReading:
    """Polls the daemon until what was there is read and distilled, or until that would take over a minute longer."""

    def __init__(self, invocation: Invocation) -> None:
        self._invocation = invocation
        self._terminal = invocation.terminal
        self._begun = time.monotonic()
        self._said_at = 0.0
        self._first: BackfillAnswer | None = None

    def wait(self) -> StatusAnswer:
        """Return the status at the end of the wait. Raises DaemonUnavailable when the daemon went away."""
        while True:
            status = self._status()
            backfill = status.backfill
            self._first = self._first or backfill
            if not backfill.running:
                self._show(backfill, last=True)
                return self._distilled(status)
            left_s = self.left_s(backfill, time.monotonic() - self._begun)
            if left_s is not None and left_s > _PATIENCE_S:
                self._show(backfill, last=True)
                self._terminal.say(
                    f"About {span(left_s)} are left; it goes on in the background, newest sessions first"
                    " (`memd status`)."
                )
                return status
            self._show(backfill, last=False)
            time.sleep(_POLL_S)

    def _distilled(self, status: StatusAnswer) -> StatusAnswer:
        """Wait a little for the first facts; one who has some already is not kept waiting."""
        if status.facts or not status.sessions:
            return status
        self._terminal.say("Distilling what was read ...")
        self._terminal.out.flush()
        end = time.monotonic() + _SETTLE_S
        last = time.monotonic() + _PATIENCE_S
        while status.queues.distill or time.monotonic() < end:
            if (status.facts and not status.queues.distill) or time.monotonic() >= last:
                break
            time.sleep(_POLL_S)
            status = self._status()
        return status

    def left_s(self, backfill: BackfillAnswer, waited_s: float) -> float | None:
        """Return the seconds that are left at the pace so far; None while that cannot be told."""
        if waited_s < _JUDGED_AFTER_S or self._first is None:
            return None
        read = backfill.bytes_done - self._first.bytes_done
        if read <= 0:
            # Not a byte in all that time: whatever it is, it is nothing to wait for.
            return None if waited_s < _PATIENCE_S else float("inf")
        return (backfill.bytes_total - backfill.bytes_done) * waited_s / read

    def _status(self) -> StatusAnswer:
        socket = self._invocation.places().paths.socket
        end = self._begun + _START_S
        while True:
            try:
                raw = reach.ask(self._invocation, "status", {}, wake=False)
                return reach.decode(raw, StatusAnswer, socket)
            except DaemonUnavailable:
                if time.monotonic() >= end:
                    raise
            time.sleep(_POLL_S)

    def _show(self, backfill: BackfillAnswer, *, last: bool) -> None:
        share = min(backfill.bytes_done / backfill.bytes_total, 1.0) if backfill.bytes_total else 1.0
        amount = f"{size(backfill.bytes_done)} of {size(backfill.bytes_total)}"
        out = self._terminal.out
        if self._terminal.interactive:
            filled = int(share * _BAR)
            bar = "#" * filled + "." * (_BAR - filled)
            out.write(f"\rReading [{bar}] {share:4.0%}  {amount:<22}" + ("\n" if last else ""))
            out.flush()
            return
        waited_s = time.monotonic() - self._begun
        if last or waited_s - self._said_at >= _LINE_EVERY_S:
            self._said_at = waited_s
            self._terminal.say(f"Reading what is there: {share:.0%}, {amount}")
            out.flush()
