"""A real daemon process in a home folder of its own, and what a host and its hooks do to it."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memd.paths import Paths, resolve
from memd.store.connection import connect_reader
from memd.store.dump import dump
from memd_hooks.shim import render_client
from tests.measured import MEASURED

PATIENCE_S = 150.0
_DEADLINE = b"DEADLINE_S = 0.22\n"


@dataclass(frozen=True, slots=True)
class Home:
    """A person's home folder with Claude Code's transcripts in it."""

    folder: Path
    settings: dict[str, str] = field(default_factory=dict)
    """Configuration that the daemon is given through its environment."""
    started: list[subprocess.Popen[bytes]] = field(default_factory=list, compare=False, repr=False)
    """What was started in it: a test that fails leaves its processes to whoever takes the home away."""

    @property
    def env(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        # What a prompt is given must not depend on how busy the machine is.
        return {**MEASURED, **kept, "HOME": str(self.folder), "MEMD_INJECT_PROMPT_MS": "9000", **self.settings}

    @property
    def paths(self) -> Paths:
        return resolve(self.env)

    def transcript(self, session: str, project: str = "harbor") -> Path:
        path = self.folder / ".claude" / "projects" / f"-home-ada-{project}" / f"{session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def dump(self) -> str:
        with closing(connect_reader(self.paths.database)) as conn:
            return dump(conn)

    def query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Rows of the database, through a connection that only reads."""
        with closing(connect_reader(self.paths.database)) as conn:
            return conn.execute(sql, values).fetchall()

    def processes(self) -> list[int]:
        """Everything that runs in this home: the daemon, its workers, hooks and commands."""
        mark = f"HOME={self.folder}".encode()
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            # One that ends at this moment cannot be read, and one that waits to be reaped has no environment.
            with contextlib.suppress(OSError):
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
        return found

    def reap(self) -> None:
        """Let go of what was started here and has ended."""
        for process in self.started:
            process.wait()
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream is not None:
                    stream.close()

    def connect(self, wait_s: float = 60.0) -> socket.socket:
        """A connection to the daemon."""
        door = socket.socket(socket.AF_UNIX)
        door.settimeout(wait_s)
        try:
            door.connect(str(self.paths.socket))
        except BaseException:
            door.close()
            raise
        return door

    def call(self, op: str, **params: object) -> Any:
        """Ask the daemon for an operation; what it answers as plain JSON."""
        answer = self.raw(json.dumps({"op": op, "params": params}).encode() + b"\n", lines=1)
        document = json.loads(answer)
        assert document["ok"], document
        return document["result"]

    def raw(self, sent: bytes, *, lines: int | None = None, wait_s: float = 60.0) -> bytes:
        """Send bytes and return what comes back: so many lines, or all up to the end."""
        with self.connect(wait_s) as door:
            got = b""
            # A door that refuses what it is sent closes before it has read all of it.
            with contextlib.suppress(ConnectionResetError, BrokenPipeError):
                door.sendall(sent)
                if lines is None:
                    door.shutdown(socket.SHUT_WR)
            with contextlib.suppress(ConnectionResetError):
                while lines is None or got.count(b"\n") < lines:
                    chunk = door.recv(65_536)
                    if not chunk:
                        break
                    got += chunk
            return got

    def start_hook(
        self, event: Mapping[str, object], *, patient: bool = False, env: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """Begin the hook client as the host does; give it the event through its standard input.

        A patient client is the same with a later deadline: what it prints does not depend on how busy the machine is.
        """
        shim = self.folder / ("patient-hook" if patient else "hook")
        if not shim.exists():
            client = render_client(self.paths.socket, self.paths.spool_dir)
            assert _DEADLINE in client
            shim.write_bytes(client.replace(_DEADLINE, b"DEADLINE_S = 40\n") if patient else client)
        hook = subprocess.Popen(
            [sys.executable, "-I", "-S", str(shim), "claude_code"],
            env={**self.env, **(env or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.started.append(hook)
        assert hook.stdin is not None
        hook.stdin.write(json.dumps(event).encode())
        hook.stdin.close()
        hook.stdin = None
        return hook

    def hook(self, event: str, session: str, project: Path, **more: object) -> str:
        """Run one hook and return the context it gave; the hook itself must be quiet and succeed."""
        path = self.transcript(session)
        fields = {"hook_event_name": event, "session_id": session, "transcript_path": str(path), "cwd": str(project)}
        run = self.start_hook({**fields, **more}, patient=True)
        out, err = run.communicate(timeout=90)
        assert (run.returncode, err) == (0, b"")
        return str(json.loads(out)["hookSpecificOutput"]["additionalContext"]) if out else ""


@dataclass(slots=True)
class Daemon:
    """A running daemon."""

    home: Home
    process: subprocess.Popen[bytes]

    @property
    def pid(self) -> int:
        return self.process.pid

    def complaint(self) -> str:
        """What it has said on standard error."""
        return (self.home.folder / "complaints").read_text()

    def kill9(self) -> None:
        """End it as a power cut would, and wait until its workers have noticed."""
        self.process.kill()
        self.process.wait()
        wait_until(lambda: not self.home.processes(), "the workers to follow the daemon")

    def limit_files(self, size: int) -> None:
        """Let no file of the daemon's grow beyond a size: to it that is a full disk. RLIM_INFINITY gives space back."""
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def stop(self) -> int:
        """Ask it to go down; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=90)


KEPT = ("PATH", "LANG")
UP = (sys.executable, "-m", "memd", "up")


def start(
    home: Home,
    *,
    prepare: Callable[[], None] | None = None,
    ready: bool = True,
    command: Sequence[str] = UP,
) -> Daemon:
    """Start `memd up` and wait until its socket answers. `prepare` runs in the new process before."""
    with (home.folder / "complaints").open("wb") as complaints:
        process = subprocess.Popen(
            command,
            env=home.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=complaints,
            preexec_fn=prepare,  # noqa: PLW1509 - no thread runs at that moment
        )
    home.started.append(process)
    daemon = Daemon(home, process)
    if ready:
        wait_until(lambda: answers(home) or process.poll() is not None, "the daemon's first answer")
        assert process.poll() is None, daemon.complaint()
    return daemon


@contextmanager
def running(home: Home, *, prepare: Callable[[], None] | None = None, command: Sequence[str] = UP) -> Iterator[Daemon]:
    """A daemon for the length of a block. Asked to end, it is counted by coverage; where a test fails it is killed."""
    daemon = start(home, prepare=prepare, command=command)
    try:
        yield daemon
        if daemon.process.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                daemon.stop()
    finally:
        if daemon.process.poll() is None:
            daemon.kill9()


def answers(home: Home) -> bool:
    """Whether a daemon answers at this home's socket."""
    try:
        home.call("status")
    except (OSError, ValueError):
        return False
    return True


def settled(home: Home) -> bool:
    """Whether everything on disk was read, every session has ended and was distilled."""
    try:
        status = home.call("status")
    except (OSError, ValueError):
        return False
    return not status["backfill"]["running"] and not any(status["queues"].values()) and _all_over(home)


def _all_over(home: Home) -> bool:
    with closing(connect_reader(home.paths.database)) as conn:
        row = conn.execute("SELECT count(*), sum(state != 'ended' OR revision > distilled) FROM sessions").fetchone()
    return bool(row[0]) and not row[1]


def wait_until(holds: Callable[[], bool], what: str, patience_s: float = PATIENCE_S) -> None:
    """Return once something holds; fail, naming it, when it does not in time."""
    end = time.monotonic() + patience_s
    while not holds():
        assert time.monotonic() < end, f"in vain waited for {what}"
        time.sleep(0.02)
