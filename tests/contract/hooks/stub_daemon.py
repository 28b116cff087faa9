"""A stand-in for the daemon's hook door: a real unix socket, one thread per connection, any behaviour."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self


@dataclass(frozen=True, slots=True)
class Heard:
    """One request as it came: the header line, decoded, and the bytes after it."""

    head: dict[str, object]
    raw: bytes


Behaviour = Callable[[socket.socket, Heard], None]


def answering(answer: bytes) -> Behaviour:
    """Send `answer` to everybody."""

    def behave(connection: socket.socket, _heard: Heard) -> None:
        connection.sendall(answer)

    return behave


@dataclass(slots=True)
class StubDaemon:
    """Listens while it is entered; `heard` holds what came, in order of arrival."""

    path: Path
    behave: Behaviour
    heard: list[Heard] = field(default_factory=list)
    arrived: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    closing: threading.Event = field(default_factory=threading.Event)
    may_accept: threading.Event = field(default_factory=threading.Event)
    _listener: socket.socket = field(init=False)
    _threads: list[threading.Thread] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.path))
        self._listener.listen(128)
        self.may_accept.set()
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self.may_accept.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        self._listener.close()

    def wait_for_one(self) -> Heard:
        """The next request that nobody has waited for yet; fails if none comes."""
        assert self.arrived.acquire(timeout=20), "no hook has called"
        return self.heard[-1]

    def _start(self, work: Callable[[], None]) -> None:
        thread = threading.Thread(target=work)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            self.may_accept.wait()
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            if self.closing.is_set():
                connection.close()
                return
            self._start(lambda connection=connection: self._serve(connection))  # type: ignore[misc]

    def _serve(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as stream:
            head = stream.readline()
            if not head:
                return
            heard = Heard(json.loads(head), stream.read(json.loads(head)["bytes"]))
            self.heard.append(heard)
            self.arrived.release()
            try:
                self.behave(connection, heard)
            except OSError:
                return
