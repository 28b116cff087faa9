"""The pool: runs pure functions in worker processes that come on demand and go when idle."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, assert_never

import anyio
import anyio.abc

from memd.errors import WorkerFailed
from memd.workers.answering import Answering
from memd.workers.frames import Call, Crashed, Done, OutOfMemory, Raised
from memd.workers.process import Limits, ProcessDied, WorkerProcess
from memd.workers.turns import Priority, Turns

log = logging.getLogger(__name__)

# A fresh process costs about 0.2 s of CPU; what leaks or fragments in one is bounded all the same.
RECYCLE_TASKS: Final = 2000


@dataclass(frozen=True, slots=True)
class WorkersStatus:
    """What `memd status` tells of the pool."""

    processes: tuple[int, ...]
    busy: int
    started: int
    failures: int


class Workers:
    """Worker processes as an async context manager; no process lives on after the block.

    `memory_bytes` caps what one process may allocate, `recycle_rss_bytes` is the resident size after a task above which
    it is replaced, `idle_s` how long an unused one stays. `import_path` is searched for tasks before the installation.
    Processes that are not `modest` do not step behind what else runs on the machine. While the questions of `answering`
    are answered no background work begins.
    """

    def __init__(
        self,
        max_workers: int = 2,
        memory_bytes: int = 512 << 20,
        idle_s: float = 30.0,
        *,
        recycle_rss_bytes: int = 96 << 20,
        recycle_tasks: int = RECYCLE_TASKS,
        import_path: tuple[Path, ...] = (),
        env: Mapping[str, str] | None = None,
        modest: bool = True,
        answering: Answering | None = None,
    ) -> None:
        self._limits = Limits(memory_bytes, import_path, os.environ if env is None else env, modest)
        self._turns = Turns(max_workers)
        self._answering = answering or Answering()
        self._idle_s = idle_s
        self._recycle_rss_bytes = recycle_rss_bytes
        self._recycle_tasks = recycle_tasks
        self._idle: list[WorkerProcess] = []
        self._all: set[WorkerProcess] = set()
        self._came_idle = anyio.Event()
        self._stack = AsyncExitStack()
        self._open = False
        self._started = 0
        self._failures = 0

    async def __aenter__(self) -> Self:
        group = await self._stack.enter_async_context(anyio.create_task_group())
        self._stack.callback(group.cancel_scope.cancel)
        group.start_soon(self._retire_idle)
        self._open = True
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        self._open = False
        with anyio.CancelScope(shield=True):
            async with anyio.create_task_group() as ending:  # all at a time: none waits for another's end
                for process in tuple(self._all):
                    ending.start_soon(self._let_go if process in self._idle else self._end, process)
        return await self._stack.__aexit__(kind, error, trace)

    async def run(
        self,
        task: str,
        payload: object,
        *,
        deadline_s: float,
        priority: Priority = Priority.BACKGROUND,
        small: bool = False,
    ) -> Any:
        """Run `module:function` with its one argument in a worker and return what it returns.

        The deadline counts from when a worker takes the task up. Argument and result travel as pickles. A MemdError or
        OSError of the task is raised here as it was. WorkerFailed is raised when the task raised anything else, ran
        over its deadline or its memory, or its process died; the next run has a fresh process. Cancelling kills it.
        A `small` argument is packed on the spot, because that takes less than a thread to do it.
        """
        if priority is Priority.BACKGROUND:
            await self._answering.over()
        async with self._turns.turn(priority):
            try:
                reply = await self._exchange(Call(task, payload, deadline_s), small=small)
            except WorkerFailed:
                self._failures += 1
                raise
        match reply:
            case Done():
                return reply.value
            case Raised():
                raise reply.rebuild()
            case Crashed():
                self._failures += 1
                raise WorkerFailed(task, reply.reason)
            case _:
                assert_never(reply)

    def status(self) -> WorkersStatus:
        """Return which processes there are now and how the pool fared since its start."""
        return WorkersStatus(
            processes=tuple(sorted(process.pid for process in self._all if process.alive)),
            busy=len(self._all) - len(self._idle),
            started=self._started,
            failures=self._failures,
        )

    async def _exchange(self, call: Call, *, small: bool) -> Done | Raised | Crashed:
        """Return the reply of a process, which goes back among the idle; whatever else happens is its end."""
        if not self._open:
            raise WorkerFailed(call.task, "was not asked: the pool is closed")
        process = await self._fresh_or_idle()
        answered = False
        try:
            with anyio.fail_after(call.deadline_s):
                reply = await process.call(call, small=small)
            if isinstance(reply, OutOfMemory):
                raise WorkerFailed(
                    call.task, f"ran out of the {self._limits.memory_bytes >> 20} MB of memory it may use"
                )
            answered = True
            return reply
        except TimeoutError as error:
            raise WorkerFailed(call.task, f"ran over its deadline of {call.deadline_s:g} s") from error
        except ProcessDied as error:
            raise WorkerFailed(call.task, str(error)) from error
        finally:
            if answered and self._open and not self._worn(process):
                process.idle_since_s = time.monotonic()
                self._idle.append(process)
                self._came_idle.set()
            else:
                with anyio.CancelScope(shield=True):
                    await self._end(process)

    async def _fresh_or_idle(self) -> WorkerProcess:
        while self._idle:
            process = self._idle.pop()  # the one used last: its caches are warm, and the others may retire
            if process.alive:
                return process
            await self._end(process)
        process = await WorkerProcess.start(self._limits)
        self._all.add(process)
        self._started += 1
        return process

    def _worn(self, process: WorkerProcess) -> bool:
        return not process.alive or process.rss_bytes > self._recycle_rss_bytes or process.tasks >= self._recycle_tasks

    async def _end(self, process: WorkerProcess) -> None:
        await process.kill()
        self._all.discard(process)

    async def _let_go(self, process: WorkerProcess) -> None:
        await process.stop()
        self._all.discard(process)

    async def _retire_idle(self) -> None:
        while True:
            if not self._idle:
                self._came_idle = anyio.Event()
                await self._came_idle.wait()
                continue
            wait_s = self._idle[0].idle_since_s + self._idle_s - time.monotonic()
            if wait_s > 0:
                await anyio.sleep(wait_s)
                continue
            process = self._idle.pop(0)
            await self._let_go(process)
            log.debug("event=worker_retired pid=%d tasks=%d", process.pid, process.tasks)
