"""The parts of a running memd: builds each of them and wires them together.

The composition root: the only module that knows everybody. `memd.daemon` has them serve.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Final

import anyio
import anyio.abc
from anyio import to_thread

from memd import footprint
from memd.adapter import HostEnv
from memd.capture.pipeline import Capture
from memd.capture.roots import find_roots
from memd.clock import Clock
from memd.codegraph.indexer import Indexer
from memd.config import Config, ModelConfig, WorkersConfig
from memd.distill.distiller import Distiller
from memd.distill.refiner import Refiner
from memd.errors import EmbedMisconfigured, ModelMisconfigured
from memd.inject.service import Injector
from memd.models import chat, embed
from memd.operations.board import Board
from memd.operations.memory import Memory
from memd.operations.tracing import Traces
from memd.paths import Paths, home_of
from memd.recall.asking import NearProcess
from memd.recall.imagining import Imagining
from memd.recall.provider import ProviderLane
from memd.recall.semantic import Lane, StaticLane
from memd.recall.tier_lane import TierLane
from memd.recall.tiers import TIERS
from memd.registry import adapters
from memd.store import capturing
from memd.store.keeper import Keeper
from memd.store.readers import Readers
from memd.store.writer import Writer
from memd.workers.answering import Answering
from memd.workers.pool import Workers
from memd_service.lockfile import Holder

logger = logging.getLogger(__name__)

_ASKING_STAYS: Final = 4  # times as long as other workers
_ASKING_BYTES: Final = 512 << 20


@asynccontextmanager
async def open_memory(
    paths: Paths, config: Config, clock: Clock, left: Holder | None, *, writing: type[Writer] = Writer
) -> AsyncIterator[tuple[Memory, anyio.abc.TaskGroup]]:
    """Build the parts; on leaving they are closed in reverse, the database last."""
    env = HostEnv(home=home_of(os.environ), env=dict(os.environ), platform=sys.platform)
    answering = Answering()  # who answers tells it, whatever can wait asks it
    async with AsyncExitStack() as stack:
        writer = await stack.enter_async_context(writing.open(paths.database, answering))
        keeper = await to_thread.run_sync(Keeper, paths.database)
        readers = await stack.enter_async_context(Readers.open(paths.database, on_damage=keeper.suspect))
        workers = await stack.enter_async_context(
            Workers(
                config.workers.processes,
                config.workers.megabytes << 20,
                config.workers.idle_s,
                answering=answering,
            )
        )
        # Questions are answered by a process of their own: it stays warm while somebody searches, and parses nothing.
        asking = await stack.enter_async_context(_one_that_stays(config.workers, modest=False))
        process = NearProcess(paths.database, asking)
        second = _one_that_stays(config.workers)
        semantic, unused = await _lane(stack, config, process, second, (workers, writer, readers), clock)
        config = replace(config, warnings=(*config.warnings, *unused))
        projects = tuple(dict.fromkeys((await readers.run(capturing.known_places)).values()))
        env = replace(env, projects=projects)
        roots = await to_thread.run_sync(find_roots, config.capture, env, adapters())
        try:
            refiner = await to_thread.run_sync(_refiner, config.model, workers, writer, readers, clock)
        except ModelMisconfigured as error:
            logger.warning("event=config warning=%s", error)
            refiner, config = None, replace(config, warnings=(*config.warnings, str(error)))
        distiller = Distiller(workers, writer, readers, clock, refiner)
        capture = Capture(
            config.capture,
            env,
            adapters(),
            writer=writer,
            readers=readers,
            workers=workers,
            clock=clock,
            own_folders=(paths.data_dir, paths.state_dir),
            roots=roots,
            on_ended=distiller.wake,
        )
        injector = Injector(
            config.inject, readers, writer, clock, capture.project_root, paths.config_dir, answering=answering
        )
        group = await stack.enter_async_context(anyio.create_task_group())
        group.start_soon(keeper.serve)
        group.start_soon(process.serve)
        if isinstance(semantic, TierLane):
            group.start_soon(semantic.serve)
        group.start_soon(footprint.give_back, (workers, asking, second), writer, readers)
        memory = Memory(
            config=config,
            paths=paths,
            clock=clock,
            writer=writer,
            readers=readers,
            capture=capture,
            distiller=distiller,
            injector=injector,
            indexer=Indexer(paths.database, workers, writer, readers, clock),
            workers=workers,
            traces=Traces(config.trace, clock),
            board=Board(),
            started_at=clock.now_ms(),
            stop=partial(os.kill, os.getpid(), signal.SIGTERM),
            answering=answering,
            semantic=semantic,
            imagining=_imagining(config, writer, readers, clock),
            took_over=left,
        )
        yield memory, group


async def _lane(
    stack: AsyncExitStack,
    config: Config,
    process: NearProcess,
    second: Workers,
    common: tuple[Workers, Writer, Readers],
    clock: Clock,
) -> tuple[Lane, tuple[str, ...]]:
    """Open the lane by meaning that is configured; also return what of the configuration is not used, in sentences."""
    tier, unused = TIERS.get(config.search.tier), list[str]()
    static = StaticLane(process, *common, tidies=not (config.embed.api or tier))
    try:
        embedder = await to_thread.run_sync(embed.configured, config.embed, os.environ)
    except EmbedMisconfigured as error:
        logger.warning("event=config warning=%s", error)
        embedder = None
        unused.append(str(error))
    if embedder is not None:
        stack.push_async_callback(embedder.close)
        if tier is not None:
            unused.append(f"search.tier is not used: {config.embed.name}, which [embed] names, stands for all others.")
        return ProviderLane(embedder, static, process, *common, clock), tuple(unused)
    if tier is not None:
        await stack.enter_async_context(second)
        _, writer, readers = common
        return TierLane(tier, static, process, second, writer, readers, clock), tuple(unused)
    return static, tuple(unused)


def _one_that_stays(config: WorkersConfig, *, modest: bool = True) -> Workers:
    """Return a pool of one process, which keeps what it has loaded while somebody searches."""
    memory_bytes, idle_s = config.megabytes << 20, _ASKING_STAYS * config.idle_s
    return Workers(1, memory_bytes, idle_s, recycle_rss_bytes=_ASKING_BYTES, modest=modest)


def _refiner(config: ModelConfig, workers: Workers, writer: Writer, readers: Readers, clock: Clock) -> Refiner | None:
    """Build what asks the model, None where none is set; raises ModelMisconfigured."""
    asked = chat.configured(config, os.environ)
    if asked is None:
        return None
    instructions = chat.own_instructions(config)
    return Refiner(asked, config.daily_tokens, workers, writer, readers, clock, instructions)


def _imagining(config: Config, writer: Writer, readers: Readers, clock: Clock) -> Imagining | None:
    """Build what asks the model for answers to look for, None where that is not wanted."""
    asked = chat.configured(config.model, os.environ) if config.search.imagine_ms > 0 else None
    if asked is None:
        return None
    return Imagining(asked, config.search.imagine_ms, config.model.daily_tokens, writer, readers, clock)
