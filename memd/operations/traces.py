"""Traces: what was asked of memd lately, and how it went."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from memd.clock import iso
from memd.errors import BadParameter
from memd.operations.fact_params import time_given
from memd.operations.memory import Memory
from memd.operations.registry import operation
from memd.store import traces
from memd.store.traces import Door


@dataclass(frozen=True, slots=True)
class TracesParams:
    """Which traces."""

    op: str | None = field(default=None, metadata={"help": "only of this operation (facts.remember)"})
    door: Door | None = field(default=None, metadata={"help": "only through the command line, MCP, or the socket"})
    failed: bool = field(default=False, metadata={"help": "only what was refused"})
    since: str | None = field(default=None, metadata={"help": "only from this day or time on"})
    limit: int = field(default=50, metadata={"help": "at most so many, the newest first"})


@dataclass(frozen=True, slots=True)
class TraceAnswer:
    """A question to memd: `ms` until the answer, which had so many `bytes`; `error` is the code of a refusal.

    `params` holds no text: of each only its length.
    """

    at: str
    door: str
    op: str
    ms: float
    bytes: int
    params: dict[str, Any]
    error: str | None


@operation("traces.list", reads=True)
async def list_traces(memory: Memory, params: TracesParams) -> tuple[TraceAnswer, ...]:
    """List what was asked of memd lately: through which door, how long it took, and how it ended.

    Raises BadParameter for a date that is none or a limit below 1.
    """
    if params.limit < 1:
        raise BadParameter("traces.list", f"limit must be at least 1, not {params.limit}")
    since = time_given(params.since, "traces.list") or 0
    await memory.traces.flush(memory.writer, background=False)
    found = await memory.readers.run(
        lambda conn: traces.find(
            conn, op=params.op, door=params.door, failed=params.failed, since_ms=since, limit=params.limit
        )
    )
    return tuple(TraceAnswer(iso(t.at), t.door, t.op, t.ms, t.bytes, json.loads(t.params), t.error) for t in found)
