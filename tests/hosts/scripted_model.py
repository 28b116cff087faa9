"""A model server that says what a script tells it and remembers every request it was sent."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Protocol
from urllib.parse import urlsplit

from typing_extensions import override

from tests.hosts.script import Answer, Conversation, Script


class Wire(Protocol):
    """One wire format: how its requests are read and how an answer is written in it."""

    def owns(self, method: str, path: str) -> bool:
        """Whether this request asks the model to speak."""
        ...

    def streams(self, path: str, body: Mapping[str, object]) -> bool:
        """Whether the answer is wanted as events."""
        ...

    def read(self, path: str, body: Mapping[str, object]) -> Conversation:
        """The conversation a request body holds."""
        ...

    def side_reply(self, method: str, path: str) -> object | None:
        """The answer to what a client asks beside the conversation; None when it is unknown."""
        ...

    def whole(self, answer: Answer, serial: int, body: Mapping[str, object]) -> object:
        """The answer as one JSON value."""
        ...

    def events(self, answer: Answer, serial: int, body: Mapping[str, object]) -> Iterator[tuple[str, object]]:
        """The answer as server-sent events: (event name or "", data); text is sent as it is, all else as JSON."""
        ...


@dataclass(frozen=True, slots=True)
class Request:
    """One request that asked the model to speak, and what it was told."""

    path: str
    body: Mapping[str, object]
    conversation: Conversation
    answer: Answer


class ScriptedModel:
    """What a test holds of the running server: its address, its script and what it was asked."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.url = ""
        self._requests: list[Request] = []
        self._unknown: list[str] = []
        self._arrived = threading.Condition()

    @property
    def requests(self) -> tuple[Request, ...]:
        """Every request so far, in order of arrival."""
        with self._arrived:
            return tuple(self._requests)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Requests no wire format knew; they were answered 404."""
        with self._arrived:
            return tuple(self._unknown)

    def asked(self, phrase: str) -> tuple[Request, ...]:
        """The requests whose last prompt contains a phrase and that offered tools.

        A host's side questions (a title, a topic, a quota check) quote the prompt but offer none. A host that knows no
        tools (Aider) offers them nowhere; of such a host every request with the phrase counts.
        """
        seen = self.requests
        tools = any(one.conversation.offered_tools for one in seen)
        return tuple(
            one for one in seen if phrase in one.conversation.prompt and (one.conversation.offered_tools or not tools)
        )

    def first_request(self, phrase: str) -> str:
        """All that the model could read in the first request with such a prompt."""
        return self.asked(phrase)[0].conversation.text

    def wait_for(self, condition: Callable[[tuple[Request, ...]], bool], *, timeout_s: float = 30.0) -> None:
        """Return once the requests so far satisfy a condition; raises TimeoutError."""
        deadline = time.monotonic() + timeout_s
        with self._arrived:
            while not condition(tuple(self._requests)):
                left_s = deadline - time.monotonic()
                if left_s <= 0:
                    raise TimeoutError(f"{len(self._requests)} requests came, not the awaited one")
                self._arrived.wait(left_s)

    def answer(self, wire: Wire, path: str, body: Mapping[str, object]) -> tuple[Answer, int]:
        """Let the script answer a request and keep both; the number is the request's serial."""
        conversation = wire.read(path, body)
        answer = self.script.answer(conversation)
        with self._arrived:
            self._requests.append(Request(path, body, conversation, answer))
            self._arrived.notify_all()
            return answer, len(self._requests)

    def note_unknown(self, method: str, path: str) -> None:
        """Keep a request that no wire format knew."""
        with self._arrived:
            self._unknown.append(f"{method} {path}")


@contextmanager
def running(script: Script, *wires: Wire) -> Iterator[ScriptedModel]:
    """A scripted model that listens on a free port of this machine until the block ends."""
    model = ScriptedModel(script)
    server = _Server(model, wires)
    model.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), name="scripted-model")
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = False

    def __init__(self, model: ScriptedModel, wires: tuple[Wire, ...]) -> None:
        self.model = model
        self.wires = wires
        super().__init__(("127.0.0.1", 0), _Handler)

    @override
    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up in the middle of an answer is no event."""


class _Handler(BaseHTTPRequestHandler):
    """Answers one request a connection, so that no thread outlives its test."""

    protocol_version = "HTTP/1.1"
    timeout = 10
    server: _Server

    def do_GET(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        self._send(b"", "text/plain")

    def do_POST(self) -> None:
        self._answer()

    @override
    def log_message(self, format: str, *args: object) -> None:
        """Keep the test's output to the test."""

    def _answer(self) -> None:
        path = urlsplit(self.path).path
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        for wire in self.server.wires:
            if wire.owns(self.command, path):
                body = json.loads(raw)
                answer, serial = self.server.model.answer(wire, path, body)
                if wire.streams(path, body):
                    self._send(
                        b"".join(_sse(name, data) for name, data in wire.events(answer, serial, body)),
                        "text/event-stream; charset=utf-8",
                    )
                else:
                    self._send_json(200, wire.whole(answer, serial, body))
                return
        for wire in self.server.wires:
            reply = wire.side_reply(self.command, path)
            if reply is not None:
                self._send_json(200, reply)
                return
        self.server.model.note_unknown(self.command, path)
        error = {"type": "not_found_error", "message": f"{path} is not scripted"}
        self._send_json(404, {"type": "error", "error": error})

    def _send_json(self, status: int, value: object) -> None:
        self._send(json.dumps(value).encode(), "application/json", status)

    def _send(self, content: bytes, kind: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.send_header("connection", "close")
        self.end_headers()
        self.wfile.write(content)
        self.close_connection = True


def _sse(name: str, data: object) -> bytes:
    text = data if isinstance(data, str) else json.dumps(data)
    return (f"event: {name}\n" if name else "").encode() + f"data: {text}\n\n".encode()
