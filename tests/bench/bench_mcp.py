"""Measures the MCP door: `python -m tests.bench.bench_mcp [--runs N]`.

A real daemon in a temporary home; the pump from spawn to the answer to initialize: the very first client, clients while
the MCP process runs, and the first client of a daemon that was started anew, with its first question. What pump, MCP
process and daemon keep in memory.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from memd.doors.mcp.cost import costs
from memd.operations.catalog import OPERATIONS
from memd.operations.describe import describe
from memd.operations.description import OperationAnswer
from memd_service.environment import Environment
from memd_service.mcp_part import render_pump
from tests.contract.doors.agent import Agent, agent
from tests.integration.daemon.daemon_under_test import Home, running

_CPU_RUNS = 10
LISTS = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")


@dataclass(slots=True)
class Measured:
    """Times in milliseconds, memory in megabytes."""

    cold_ms: float = 0.0
    greeted_ms: float = 0.0
    offered_ms: float = 0.0
    asked_ms: float = 0.0
    warm_ms: float = 0.0
    initialize_ms: list[float] = field(default_factory=list)
    list_ms: list[float] = field(default_factory=list)
    call_ms: list[float] = field(default_factory=list)
    cpu_up_ms: list[float] = field(default_factory=list)
    """Processor time of the client's process, and of what it starts and waits for, from spawn to tools/list."""
    cpu_down_ms: list[float] = field(default_factory=list)
    """The same while no daemon runs."""
    pump_mb: float = 0.0
    process_mb: float = 0.0
    daemon_mb: float = 0.0

    def lines(self) -> list[str]:
        """The result as people read it."""
        return [
            f"initialize, nobody has spoken MCP before   {self.cold_ms:8.1f} ms",
            f"initialize, the daemon was started anew    {self.greeted_ms:8.1f} ms",
            f"  and until it knows all that is offered   {self.offered_ms:8.1f} ms",
            f"  and its first question, at once          {self.asked_ms:8.1f} ms",
            f"  and its first question, 5 s later        {self.warm_ms:8.1f} ms",
            *(
                f"{what:42} {statistics.median(taken):8.1f} ms p50 {max(taken):8.1f} ms at most ({len(taken)})"
                for what, taken in (
                    ("initialize, spawn to answer", self.initialize_ms),
                    ("tools/list", self.list_ms),
                    ("tools/call search", self.call_ms),
                    ("spawn to tools/list, CPU, daemon up", self.cpu_up_ms),
                    ("spawn to tools/list, CPU, daemon down", self.cpu_down_ms),
                )
            ),
            f"resident: pump {self.pump_mb:.1f}, MCP process {self.process_mb:.1f}, daemon {self.daemon_mb:.1f} MB",
            *(f"profile {cost.profile:8} {cost.tokens:6,} tokens of {cost.most:,}" for cost in costs(_described())),
        ]


def measure(runs: int) -> Measured:
    """Run everything once, in a temporary home."""
    measured = Measured()
    with tempfile.TemporaryDirectory(prefix="memd-b-", dir="/tmp") as folder:
        home = Home(Path(folder))
        with running(home) as daemon:
            environment = Environment.detect(home.paths, version="0", env=home.env)
            pump = home.folder / "memd-mcp"
            pump.write_bytes(render_pump(environment))
            for number in range(runs + 1):
                _once(home, pump, measured, cold=number == 0)
            measured.daemon_mb = _resident(daemon.pid)
            measured.cpu_up_ms += [_cpu_ms(home, pump) for _ in range(_CPU_RUNS)]
        measured.cpu_down_ms += [_cpu_ms(home, pump) for _ in range(_CPU_RUNS)]
        with running(home):
            _anew(home, pump, measured, wait_s=5)
        with running(home):
            _anew(home, pump, measured)
    return measured


def _once(home: Home, pump: Path, measured: Measured, *, cold: bool) -> None:
    began = time.perf_counter()
    with agent([sys.executable, "-I", "-S", str(pump), "--profile=full"], home.env, home.folder) as pumped:
        pumped.greet()
        took = (time.perf_counter() - began) * 1e3
        if cold:
            measured.cold_ms = took
        else:
            measured.initialize_ms.append(took)
        for method in LISTS[1:]:
            pumped.ask(method)
        for method, params, taken in (
            ("tools/list", {}, measured.list_ms),
            ("tools/call", {"name": "search", "arguments": {"query": "quay", "project": "all"}}, measured.call_ms),
        ):
            began = time.perf_counter()
            pumped.ask(method, **params)
            taken.append((time.perf_counter() - began) * 1e3)
        measured.pump_mb = max(measured.pump_mb, _resident(pumped.process.pid))
        measured.process_mb = max(measured.process_mb, *(_resident(pid) for pid in home.processes() if _speaks(pid)))


def _anew(home: Home, pump: Path, measured: Measured, *, wait_s: float = 0) -> None:
    began = time.perf_counter()
    with agent([sys.executable, "-I", "-S", str(pump), "--profile=full"], home.env, home.folder) as pumped:
        pumped.greet()
        measured.greeted_ms = (time.perf_counter() - began) * 1e3
        for method in LISTS:
            pumped.ask(method)
        measured.offered_ms = (time.perf_counter() - began) * 1e3
        time.sleep(wait_s)
        began = time.perf_counter()
        pumped.call("session", action="list", project="all")
        took_ms = (time.perf_counter() - began) * 1e3
        if wait_s:
            measured.warm_ms = took_ms
        else:
            measured.asked_ms = took_ms


def _cpu_ms(home: Home, pump: Path) -> float:
    """Ask a pump for its tools, end it, and return what it cost; what is not there to answer is not waited for."""
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", str(pump), "--profile=full"], env=home.env, cwd=home.folder,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    asking = Agent(process)
    asking.greet()
    asking.ask("tools/list")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0  # reaped here
    process.stdout.close()
    return (used.ru_utime + used.ru_stime) * 1e3


def _described() -> list[OperationAnswer]:
    return [describe(operation) for operation in OPERATIONS.values()]


def _speaks(pid: int) -> bool:
    return b"memd.doors.mcp.serve" in Path(f"/proc/{pid}/cmdline").read_bytes()


def _resident(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
    return pages * 4096 / 1e6


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    print("\n".join(measure(parser.parse_args().runs).lines()))


if __name__ == "__main__":
    main()
