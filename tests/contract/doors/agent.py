"""An agent's end of MCP: the pump as a host runs it, spoken to line by line or by the SDK's own client."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp.client.stdio import StdioServerParameters

from tests.contract.doors.conftest import Home

HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "an-agent", "version": "1"},
}


def server(home: Home, profile: str = "full", cwd: Path | None = None) -> StdioServerParameters:
    """How a host starts memd's MCP server."""
    pump = str(home.paths.mcp_shim)
    return StdioServerParameters(
        command=sys.executable, args=["-I", "-S", pump, f"--profile={profile}"], env=home.env, cwd=cwd or home.project
    )


@dataclass(slots=True)
class Agent:
    """A client that speaks lines."""

    process: subprocess.Popen[bytes]
    number: int = 0

    def say(self, message: Mapping[str, object]) -> None:
        """Send one message."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method: str, **params: object) -> dict[str, Any]:
        """Send a request and return its answer."""
        self.number += 1
        self.say({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        answer = self.hear()
        assert answer["id"] == self.number, answer
        return answer

    def hear(self) -> dict[str, Any]:
        """Return the next message."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the pump has ended"
        answer = json.loads(line)
        assert isinstance(answer, dict)
        return answer

    def greet(self) -> dict[str, Any]:
        """Begin as clients have since 2024."""
        answer = self.ask("initialize", **HELLO)
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        """Call a tool and return its result."""
        answer = self.ask("tools/call", name=tool, arguments=arguments)
        assert "result" in answer, answer
        result = answer["result"]
        assert isinstance(result, dict)
        return result

    def end(self) -> int:
        """End as hosts do: close standard input and wait."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(timeout=90)


@contextmanager
def agent(command: list[str], env: Mapping[str, str], cwd: Path) -> Iterator[Agent]:
    """Run a pump for the length of the block; it must not print anything but the protocol."""
    process = subprocess.Popen(
        command, env=dict(env), cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        yield Agent(process)
        assert process.stdin is not None
        process.stdin.close()  # as hosts end it
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=90)
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            assert stream is not None
            stream.close()


@contextmanager
def agent_of(home: Home, *words: str, cwd: Path | None = None, **env: str) -> Iterator[Agent]:
    """Run the installed pump."""
    command = [sys.executable, "-I", "-S", os.fspath(home.paths.mcp_shim), *words]
    with agent(command, {**home.env, **env}, cwd or home.project) as running:
        yield running
