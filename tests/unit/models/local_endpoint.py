# mypy: disable-error-code="explicit-override"
# (typing.override is of Python 3.12)
"""An HTTP endpoint on this machine that answers as a test tells it to."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

DIMENSIONS = 64
_ALIKE = {"duplicate": "copy", "evening": "night", "each": "every", "复制": "copy"}
"""What the model of the endpoint knows besides letters."""


class Status(int):
    """What a function answers instead of a body: a status."""


class Endpoint:
    """An endpoint that answers as told and keeps what it was asked. `status` may be changed while it runs."""

    def __init__(self, answer: object, status: int) -> None:
        self.asked: list[tuple[str, dict[str, str], Any]] = []
        self.answer = answer
        self.status = status
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                endpoint.asked.append((self.path, {name.lower(): text for name, text in self.headers.items()}, body))
                answer = endpoint.answer(body) if callable(endpoint.answer) else endpoint.answer
                status = answer if isinstance(answer, Status) else endpoint.status
                content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                with suppress(BrokenPipeError, ConnectionResetError):  # whoever asked may not have waited
                    self.send_response(status)
                    self.send_header("content-length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"


@contextmanager
def answering(answer: object, status: int = 200) -> Iterator[Endpoint]:
    """An endpoint that gives one answer: a value as JSON, bytes as they are, or what a function makes of the body."""
    endpoint = Endpoint(answer, status)
    thread = Thread(target=endpoint.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.server.shutdown()
        endpoint.server.server_close()
        thread.join()


def meaning(text: str, dimensions: int = DIMENSIONS) -> list[float]:
    """A vector by a text's words, those that mean the same being one; all vectors have something in common."""
    vector = [0.4] * dimensions
    for word in re.findall(r"\w+", text.lower()):
        digest = hashlib.sha256(_ALIKE.get(word, word).encode()).digest()
        for place in digest[:6]:
            vector[place % dimensions] += 1.0 if place & 128 else -1.0
    return vector


def embeddings(dimensions: int = DIMENSIONS) -> Callable[[Any], object]:
    """The answers of an embedding model of the OpenAI form, in no order."""

    def answer(body: Any) -> object:
        rows = [{"index": place, "embedding": meaning(text, dimensions)} for place, text in enumerate(body["input"])]
        return {"object": "list", "data": rows[::-1], "usage": {"total_tokens": 1}}

    return answer
