"""The daemon: opens the store, has the parts built, serves until it is told to stop, and takes them down in order."""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

import anyio
import anyio.abc
import orjson
from anyio import to_thread

from memd import __version__, footprint, limits, logs
from memd.clock import Clock, SystemClock
from memd.codegraph.follow import follow
from memd.config import Config
from memd.doors import listener, lock, spool
from memd.doors.mcp.process import McpProcess
from memd.doors.protocol import HookRequest
from memd.doors.socket import SocketDoor
from memd.errors import DamagedDatabase, MemdError, StoreError
from memd.inject import rules
from memd.inject.hooks import HookAnswers
from memd.inject.ledger import Ledger
from memd.operations import rejudging, words
from memd.operations.catalog import OPERATIONS
from memd.operations.recarrying import lacks_any, recarry
from memd.parts import open_memory
from memd.paths import Paths, make_private
from memd.schedule import Schedule, jobs
from memd.store import backup, clean_shutdown, meta, recovery
from memd.store.migrate import is_current, migrate
from memd.store.writer import NoWriter
from memd_service import sd_notify
from memd_service.lockfile import Holder

logger = logging.getLogger(__name__)

GRACE_S: Final = 5.0
LAST_S: Final = 0.2
_TURN_S: Final = 0.001
"""How long a thread that calculates may keep the others waiting, each time one comes back from SQLite: with the usual
five milliseconds, a question that meets one takes twice as long."""
RECOVERY_KEY: Final = "recovery"
_MAX_RECOVERIES: Final = 3


async def run(paths: Paths, config: Config, *, service: bool = False, clock: Clock | None = None) -> None:
    """Be the daemon until SIGTERM or SIGINT.

    Raises AlreadyRunning when there is one, StoreError for a database that cannot be used (a newer one, a read-only
    disk), PathError for a socket that cannot be made, TooFewFiles, OSError. A damaged database is put right, also while
    running.
    """
    try:
        await _run(paths, config, clock or SystemClock(), service=service)
    except BaseExceptionGroup as group:
        first = _first(group)
        if isinstance(first, MemdError | OSError):
            logger.exception("event=given_up error=%s", first)
            raise first from group
        raise


async def answer_alone(paths: Paths, config: Config, op: str, params: Mapping[str, object]) -> bytes:
    """Answer a question from the database as it lies there, opened for reading only, where no daemon runs.

    Returns the result as JSON. Raises StoreError for a database that cannot be read by this version, and what the
    operation raises.
    """
    await to_thread.run_sync(_refuse_other, paths.database)
    async with open_memory(paths, config, SystemClock(), None, writing=NoWriter) as (memory, group):
        told: bytes | MemdError
        try:
            if await lacks_any(memory):
                raise StoreError(
                    f"{paths.database} holds what was deleted for good; the daemon clears it as it starts."
                )
            told = orjson.dumps(await OPERATIONS[op].call(memory, params))
        except MemdError as error:
            told = error  # raised where no task group wraps it
        group.cancel_scope.cancel()
    if isinstance(told, MemdError):
        raise told
    return told


def _refuse_other(database: Path) -> None:
    if not is_current(database):
        raise StoreError(f"{database} is of an earlier memd; the daemon brings it up to date as it starts.")


async def _run(paths: Paths, config: Config, clock: Clock, *, service: bool) -> None:
    limits.open_enough_files()
    for folder in (paths.data_dir, paths.state_dir, paths.spool_dir):
        make_private(folder)
    with lock.held(paths.lock_file, __version__) as left:
        logs.set_up(config.log, paths.log_file, to_terminal=not service and sys.stderr.isatty())
        if left is not None:
            logger.warning("event=took_over pid=%d version=%s", left.pid, left.version)
        for warning in config.warnings:
            logger.warning("event=config warning=%s", warning)
        _spare_the_collector()
        sys.setswitchinterval(_TURN_S)
        footprint.use_one_arena()
        listeners, ours = _listeners(paths)
        try:
            for attempt in range(1, _MAX_RECOVERIES + 1):
                try:
                    await _serve(paths, config, clock, listeners, left, ours=ours)
                except* DamagedDatabase as group:
                    # The next round begins with the check that sets the file aside.
                    logger.error("event=database_damaged error=%s", _first(group))  # noqa: TRY400
                    if attempt == _MAX_RECOVERIES:
                        raise
                else:
                    break
        finally:
            _close(listeners)
            if ours:
                paths.socket.unlink(missing_ok=True)


async def _serve(
    paths: Paths,
    config: Config,
    clock: Clock,
    listeners: tuple[socket.socket, ...],
    left: Holder | None,
    *,
    ours: bool,
) -> None:
    """Run once, from opening the database to closing it; the socket's file is removed at the end if it is `ours`."""
    found = await to_thread.run_sync(_open_store, paths, clock)
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT, signal.SIGHUP) as signals:
        async with (
            open_memory(paths, config, clock, left) as (memory, group),
            McpProcess.managed(paths, config.mcp.idle_s, config.mcp.profile) as mcp,
        ):
            if found is not None:
                story = found.sentence
                await memory.writer.run(lambda conn: meta.put(conn, RECOVERY_KEY, story))
            await recarry(memory)
            await words.go_on(memory)
            await rejudging.note_new(memory)
            answers = HookAnswers(config, clock, memory.capture, memory.distiller, memory.injector, paths.manifest_file)
            door = SocketDoor(memory, OPERATIONS, partial(_answer, answers), mcp.open)
            # A round closes the sockets it is given; the next one needs them too.
            await group.start(door.serve, tuple(each.dup() for each in listeners))
            await group.start(memory.capture.serve)
            await group.start(memory.distiller.serve)
            if config.code.index:
                await group.start(memory.indexer.serve)
                group.start_soon(
                    partial(follow, memory.indexer, memory.readers, clock, busy=lambda: memory.capture.unread > 0)
                )
            await group.start(Schedule(jobs(memory), memory.writer, memory.readers, clock, memory.board).serve)
            group.start_soon(rules.keep, memory.injector, memory.distiller, paths.manifest_file)
            group.start_soon(answers.serve)
            group.start_soon(Ledger(memory.readers, memory.writer, memory.workers, clock).serve, memory.distiller)
            group.start_soon(_drain_spool, paths.spool_dir, answers)
            group.start_soon(_ping_watchdog)
            sd_notify.notify("READY=1")
            logger.info("event=ready pid=%d version=%s", os.getpid(), __version__)
            memory.distiller.wake()
            async for number in signals:
                logger.info("event=stopping signal=%s", signal.Signals(number).name)
                break
            sd_notify.notify("STOPPING=1")
            await door.drain(GRACE_S)
            await memory.traces.flush(memory.writer, background=False)
            # Who comes from now on finds nobody, and leaves word in the spool instead of in a queue that nobody reads.
            # What systemd opened stays, and keeps them for the next start.
            if ours:
                paths.socket.unlink(missing_ok=True)
            await door.drain(LAST_S)  # who came before that
            _close(listeners)
            group.cancel_scope.cancel()
    await to_thread.run_sync(clean_shutdown.note, paths.database, paths.clean_shutdown_file)
    logger.info("event=stopped")


def _close(listeners: tuple[socket.socket, ...]) -> None:
    for each in listeners:
        each.close()


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the first exception in a group of groups."""
    first: BaseException = group
    while isinstance(first, BaseExceptionGroup):
        first = first.exceptions[0]
    return first


def _spare_the_collector() -> None:
    """Take what was imported out of the garbage collector's rounds, and make these rarer.

    Rows pass through by the hundred thousand; a full round in the middle of a write made it several times as long.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _open_store(paths: Paths, clock: Clock) -> recovery.Recovery | None:
    """Put a damaged database right, then bring it to the newest schema."""
    try:
        for path in backup.drop_unfinished(paths.database, paths.backups_dir):
            logger.info("event=unfinished_copy_removed path=%s", path)
    except OSError as error:
        logger.warning("event=unfinished_copy_left error=%s", error)
    found = None
    if not clean_shutdown.untouched(paths.database, paths.clean_shutdown_file):
        found = recovery.recover_if_damaged(paths.database, paths.backups_dir, clock.now_ms())
    if found is not None:
        logger.warning("event=recovered story=%s", found.sentence)
    migrated = migrate(paths.database, paths.backups_dir, clock.now_ms())
    if migrated.before != migrated.after:
        logger.info("event=migrated before=%d after=%d backup=%s", migrated.before, migrated.after, migrated.backup)
    return found


async def _answer(answers: HookAnswers, request: HookRequest, body: bytes) -> bytes:
    return await answers.answer(request.host, request.event, request.env, body)


async def _drain_spool(folder: Path, answers: HookAnswers) -> None:
    """Take up what hooks left while nobody answered."""
    events = await to_thread.run_sync(spool.take, folder)
    for event in events:
        await answers.take_spooled(event)
    await to_thread.run_sync(spool.done, folder)
    if events:
        logger.info("event=spool_drained events=%d", len(events))


async def _ping_watchdog() -> None:
    interval_s = sd_notify.watchdog_interval_s()
    while interval_s is not None:
        sd_notify.notify("WATCHDOG=1")
        await anyio.sleep(interval_s)


def _listeners(paths: Paths) -> tuple[tuple[socket.socket, ...], bool]:
    """Take the sockets that systemd opened, or open our own; tell whether the socket's file is ours to remove."""
    given = sd_notify.listen_fds()
    for door in given.values():
        door.setblocking(False)
    return (tuple(given.values()), False) if given else ((listener.bind(paths.socket),), True)
