"""How long a host waits for the hook: spawn to exit, beside the bare interpreter under the same shell.

Run as `python tests/bench/bench_hook.py [ROUNDS]`. The cases take turns, so that a busy moment hits all of them alike;
the ratio of the medians is what counts (budget: at most 2 with the daemon up or down), the milliseconds are this
machine's.
"""

from __future__ import annotations

import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from memd_hooks.shim import hook_command, render_client

BUDGET_RATIO = 2.0
PROMPT = {
    "session_id": "6f1c2d3e-0000-4000-8000-00000000000a",
    "transcript_path": "/home/ada/.claude/projects/-home-ada-loom/6f1c2d3e-0000-4000-8000-00000000000a.jsonl",
    "cwd": "/home/ada/loom",
    "prompt_id": "9d1b7c62-0000-4000-8000-00000000000b",
    "permission_mode": "default",
    "hook_event_name": "UserPromptSubmit",
    "prompt": "why is the loom so slow since we changed the wool? " * 10,
}
ANSWER_BYTES = 3_000
# A process of its own, so that the daemon's Python does not wait for the bench's.
SERVER = f"""
import socket, sys
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen(128)
print("listening", flush=True)
while True:
    connection, _ = listener.accept()
    with connection, connection.makefile("rb") as stream:
        stream.read()
        try:
            connection.sendall(b'"' + b"x" * {ANSWER_BYTES} + b'"\\n')
        except OSError:
            pass
"""


@dataclass(slots=True)
class Case:
    """One command, what it must print, and how long it took each time."""

    name: str
    command: str
    event: bytes
    output_bytes: int
    times_ms: list[float] = field(default_factory=list)

    def run(self, folder: Path) -> None:
        """Run the command once as a host does: `/bin/sh -c`, the event on standard input."""
        given, taken = folder / "event", folder / "output"
        given.write_bytes(self.event)
        with given.open("rb") as stdin, taken.open("wb") as stdout:
            actions = [(os.POSIX_SPAWN_DUP2, stdin.fileno(), 0), (os.POSIX_SPAWN_DUP2, stdout.fileno(), 1)]
            start = time.perf_counter()
            pid = os.posix_spawn("/bin/sh", ["sh", "-c", self.command], os.environ, file_actions=actions)
            _, status = os.waitpid(pid, 0)
            self.times_ms.append((time.perf_counter() - start) * 1e3)
        if status != 0 or taken.stat().st_size not in {self.output_bytes, 0}:
            raise SystemExit(f"{self.name}: status {status}, {taken.stat().st_size} bytes of output")

    def report(self, base_ms: float) -> str:
        """One line of the table."""
        ordered = sorted(self.times_ms)
        median = statistics.median(ordered)
        p99 = ordered[min(len(ordered) - 1, round(len(ordered) * 0.99))]
        return f"{self.name:28} {median:8.2f} {ordered[0]:8.2f} {p99:8.2f} {median / base_ms:8.2f}"


def measure(rounds: int) -> list[Case]:
    """Run each case so many times, in turns; the first case is the bare interpreter."""
    python = Path(os.path.realpath(sys.executable))
    with tempfile.TemporaryDirectory(prefix="mh-", dir="/tmp") as name:
        folder = Path(name)
        commands = {}
        for which, socket in (("up", folder / "s"), ("down", folder / "none")):
            shim = folder / which / "memd-hook"
            shim.parent.mkdir()
            shim.write_bytes(render_client(socket, folder / which / "spool"))
            commands[which] = hook_command(python, shim, "claude_code")
        prompt = json.dumps(PROMPT).encode()
        stop = json.dumps(PROMPT | {"hook_event_name": "Stop"}).encode()
        cases = [
            Case("python3 -I -S -c pass", f"{shlex.quote(str(python))} -I -S -c pass", b"", 0),
            Case("daemon up, prompt answered", commands["up"], prompt, ANSWER_BYTES + 3),
            Case("daemon up, stop not awaited", commands["up"], stop, 0),
            Case("daemon down, prompt spooled", commands["down"], prompt, 0),
        ]
        server = subprocess.Popen([python, "-c", SERVER, str(folder / "s")], stdout=subprocess.PIPE)
        try:
            assert server.stdout is not None
            server.stdout.readline()
            for _ in range(rounds):
                for case in cases:
                    case.run(folder)
        finally:
            server.kill()
            server.communicate()
    return cases


def main() -> None:
    """Print the table, and end with 1 if the budget is broken."""
    cases = measure(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
    base = statistics.median(cases[0].times_ms)
    print(f"{'under /bin/sh -c':28} {'median':>8} {'min':>8} {'p99':>8} {'ratio':>8}   (ms)")
    for case in cases:
        print(case.report(base))
    worst = max(statistics.median(case.times_ms) / base for case in cases)
    print(f"budget: ratio <= {BUDGET_RATIO}: {'kept' if worst <= BUDGET_RATIO else 'BROKEN'}")
    sys.exit(worst > BUDGET_RATIO)


if __name__ == "__main__":
    main()
