"""A pseudo terminal in which a client runs as a person sees it."""

from __future__ import annotations

import fcntl
import os
import signal
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

_UP = "\x1b[A"


@contextmanager
def terminal(command: Sequence[str | Path], folder: Path, environment: Mapping[str, str]) -> Iterator[Terminal]:
    """A program in a terminal of its own; killed when the block ends."""
    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    process = subprocess.Popen(
        [str(word) for word in command],
        cwd=folder,
        env=dict(environment),
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
    )
    os.close(slave)
    opened = Terminal(process, master)
    try:
        opened.settle(quiet_s=1.0)
        yield opened
    finally:
        opened.close()


class Terminal:
    """A client in a pseudo terminal. Wait for what it did (requests, rows), not for its looks."""

    def __init__(self, process: subprocess.Popen[bytes], master: int) -> None:
        self.process = process
        self._master = master
        self._changed = threading.Condition()
        self._screen = bytearray()
        self._last_output_s = time.monotonic()
        self._reader = threading.Thread(target=self._read, name="terminal")
        self._reader.start()

    @property
    def screen(self) -> str:
        """All that was written to the terminal, escape sequences included (to explain a failure)."""
        with self._changed:
            return self._screen.decode("utf-8", "replace")

    def say(self, line: str) -> None:
        """Type a line, let the client draw it, and press Enter."""
        self.press(line)
        self.press("\r")

    def press(self, keys: str) -> None:
        """Send keys and wait until the client has drawn what follows from them."""
        with self._changed:
            self._last_output_s = time.monotonic()
        os.write(self._master, keys.encode())
        self.settle()

    def rewind_one_prompt(self) -> None:
        """Go back to before the last prompt, which is then in the input line again to be edited."""
        for keys in ("\x1b", "\x1b", _UP, "\r", "\r"):
            self.press(keys)

    def settle(self, *, quiet_s: float = 0.4, timeout_s: float = 30.0) -> None:
        """Return once the client has written nothing for a while; raises TimeoutError."""
        deadline = time.monotonic() + timeout_s
        with self._changed:
            while True:
                now = time.monotonic()
                silent_s = now - self._last_output_s
                if silent_s >= quiet_s and self._screen:
                    return
                if now >= deadline:
                    raise TimeoutError("the client went on drawing")
                self._changed.wait(max(quiet_s - silent_s, 0.01))

    def wait(self, *, timeout_s: float = 30.0) -> int:
        """The client's exit code, once it has ended by itself."""
        return self.process.wait(timeout_s)

    def kill(self) -> None:
        """End the client without warning, as a crash would."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(10)

    def close(self) -> None:
        """Kill what still runs and give the terminal back."""
        self.kill()
        self._reader.join(10)
        os.close(self._master)

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._master, 65536)
            except OSError:  # Linux says EIO when the last program on the other side is gone
                return
            if not data:
                return
            with self._changed:
                self._screen += data
                self._last_output_s = time.monotonic()
                self._changed.notify_all()
