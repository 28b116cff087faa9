"""The memory: everything an operation may use, wired once by the daemon and handed in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from memd.capture.pipeline import Capture
from memd.clock import Clock
from memd.codegraph.indexer import Indexer
from memd.config import Config
from memd.distill.distiller import Distiller
from memd.inject.service import Injector
from memd.operations.board import Board
from memd.operations.graph_cache import GraphCache
from memd.operations.tracing import Traces
from memd.paths import Paths
from memd.recall.imagining import Imagining
from memd.recall.semantic import Lane
from memd.store.erasure_log import Erasure
from memd.store.readers import Readers
from memd.store.writer import Writer
from memd.workers.answering import Answering
from memd.workers.pool import Workers
from memd_service.lockfile import Holder


@dataclass(frozen=True, slots=True)
class Memory:
    """The parts of a running memd."""

    config: Config
    paths: Paths
    clock: Clock
    writer: Writer
    readers: Readers
    capture: Capture
    distiller: Distiller
    injector: Injector
    indexer: Indexer
    workers: Workers
    traces: Traces
    board: Board
    started_at: int
    stop: Callable[[], None]
    """Ask the daemon to drain and go down."""
    answering: Answering = field(default_factory=Answering)
    """Told of each question that is answered, so that what can wait does."""
    semantic: Lane | None = None
    imagining: Imagining | None = None
    took_over: Holder | None = None
    """The daemon before, where it ended without a goodbye."""
    graph_cache: GraphCache = field(default_factory=GraphCache)
    left_off: list[Erasure] = field(default_factory=list)
    """Deletions that began and could not be brought to their end, as on a full disk; they are gone on with."""
