"""Process: one worker process as the pool sees it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import anyio
import anyio.abc
import anyio.to_thread

from memd.workers.frames import HEADER, Call, Done, OutOfMemory, Reply, pack, unpack_reply

STOP_GRACE_S: Final = 2.0
# Smaller replies are unpickled where they arrive: a thread costs more than they do.
INLINE_BYTES: Final = 32 << 10


@dataclass(frozen=True, slots=True)
class Limits:
    """What every worker process is started with."""

    memory_bytes: int
    import_path: tuple[Path, ...]
    env: Mapping[str, str]
    modest: bool = True
    """Whether it steps behind whatever else runs on the machine; not where somebody waits for each of its answers."""


class ProcessDied(Exception):
    """The process ended before it answered; the message says how."""


class WorkerProcess:
    """A running child. Not for two calls at a time: after a failed or cancelled call only `kill` is left."""

    def __init__(self, process: anyio.abc.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._stdin = process.stdin
        self._stdout = process.stdout
        self._early = bytearray()
        self.tasks = 0
        self.rss_bytes = 0
        self.idle_since_s = 0.0

    @classmethod
    async def start(cls, limits: Limits) -> WorkerProcess:
        """Start a child: in a session of its own, so that a Ctrl-C at the daemon's terminal is the daemon's alone."""
        # Popen happens in this thread, the loop's: a parent-death signal fires when the *thread* that forked ends.
        process = await anyio.open_process(
            [
                *(sys.executable, "-I", "-m", "memd.workers.child"),
                *(str(os.getpid()), str(limits.memory_bytes), str(int(limits.modest))),
                *map(str, limits.import_path),
            ],
            stderr=None,
            env={**limits.env, "MEMD_INTERNAL": "1"},
            cwd="/",
            start_new_session=True,
        )
        return cls(process)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """False once the process is known to have ended."""
        return self._process.returncode is None

    async def call(self, call: Call, *, small: bool = False) -> Reply:
        """Send a call and return its reply; a small one is packed in less time than a thread takes to begin.

        Raises ProcessDied when the process ends first.
        """
        frame = pack(call) if small else await anyio.to_thread.run_sync(pack, call)
        try:
            await self._stdin.send(frame)
            (size,) = HEADER.unpack(await self._exactly(HEADER.size))
            body = await self._exactly(size)
        except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError) as error:
            raise ProcessDied(await self._epitaph()) from error
        if size <= INLINE_BYTES:
            reply = unpack_reply(body)
        else:
            reply = await anyio.to_thread.run_sync(unpack_reply, body)
        self.tasks += 1
        match reply:
            case OutOfMemory():
                pass
            case Done() | _:
                self.rss_bytes = reply.rss_bytes
        return reply

    async def kill(self) -> None:
        """End the process and its group at once, and reap it; does nothing when it has ended."""
        if self.alive:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        with anyio.move_on_after(STOP_GRACE_S, shield=True):
            await self._process.aclose()

    async def stop(self) -> None:
        """Let an idle process end by itself; kill it when it does not."""
        with anyio.move_on_after(STOP_GRACE_S, shield=True):
            await self._stdin.aclose()
            await self._process.wait()
        await self.kill()

    async def _exactly(self, size: int) -> bytearray:
        taken = self._early
        while len(taken) < size:
            taken += await self._stdout.receive(max(65536, size - len(taken)))
        self._early = taken[size:]
        del taken[size:]
        return taken

    async def _epitaph(self) -> str:
        with anyio.move_on_after(STOP_GRACE_S):
            status = await self._process.wait()
            if status < 0:
                return f"was ended by {_signal_name(-status)}"
            return f"ended with status {status}"
        return "closed its pipe"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
