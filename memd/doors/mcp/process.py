"""The process that speaks MCP, as the daemon sees it: started when somebody first wants it, gone when nobody does.

The SDK takes two thirds of a second and as much memory as the rest of memd to load; a daemon that imported it would be
late for the hooks of the very session whose MCP client has just come, and would stay large for good.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

import anyio
import anyio.abc
from anyio import to_thread

from memd.doors.mcp import greeting
from memd.errors import WorkerFailed
from memd.paths import Paths

logger = logging.getLogger(__name__)

READY: Final = b"ready\n"
_START_S: Final = 30.0
_STOP_S: Final = 2.0


class McpProcess:
    """One process for all clients. `idle_s` is how long it stays when nobody asks anything."""

    def __init__(self, paths: Paths, idle_s: float, profile: str) -> None:
        self._paths = paths
        self._profile = profile
        self._idle_s = idle_s
        self._process: anyio.abc.Process | None = None
        self._lock = anyio.Lock()

    @classmethod
    @asynccontextmanager
    async def managed(cls, paths: Paths, idle_s: float, profile: str) -> AsyncIterator[McpProcess]:
        """Give one that is not started yet; after the block it has ended. `profile` is for clients that name none."""
        try:
            await to_thread.run_sync(greeting.tidy, paths.greetings_dir, profile)
        except OSError as error:
            logger.warning("event=greetings_not_kept error=%s", error)
        process = cls(paths, idle_s, profile)
        try:
            yield process
        finally:
            await process.close()

    async def open(self) -> None:
        """Return once somebody listens at the MCP socket; raises WorkerFailed."""
        async with self._lock:
            if self._process is not None and self._process.returncode is None:
                if self._paths.mcp_socket.is_socket():
                    return
                # Its socket was removed, by somebody who tidies a folder for temporary files, say.
                await self.close()
            self._process = await self._start()

    async def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        with anyio.CancelScope(shield=True):
            with suppress(ProcessLookupError):
                process.terminate()
            with anyio.move_on_after(_STOP_S):
                await process.wait()
            if process.returncode is None:
                process.kill()
            await process.aclose()
        self._paths.mcp_socket.unlink(missing_ok=True)

    async def _start(self) -> anyio.abc.Process:
        command = [sys.executable, "-I", "-m", "memd.doors.mcp.serve", str(os.getpid())]
        places = [str(self._paths.mcp_socket), str(self._paths.socket), str(self._idle_s), self._profile]
        places.append(str(self._paths.greetings_dir))
        # Its standard input is never written to: its end tells that the daemon has gone.
        try:
            process = await anyio.open_process(
                [*command, *places],
                stderr=None,
                env={**os.environ, "MEMD_INTERNAL": "1"},
                cwd="/",
                start_new_session=True,
            )
        except OSError as error:
            raise WorkerFailed("MCP", f"could not be started ({error})") from error
        assert process.stdout is not None
        with anyio.move_on_after(_START_S):
            with suppress(anyio.EndOfStream):
                if await process.stdout.receive(len(READY)) == READY:
                    logger.info("event=mcp_started pid=%d", process.pid)
                    return process
        with anyio.CancelScope(shield=True):
            with suppress(ProcessLookupError):
                process.kill()
            await process.aclose()
        raise WorkerFailed("MCP", f"did not start within {_START_S:g} seconds; `memd restart` starts it anew")
