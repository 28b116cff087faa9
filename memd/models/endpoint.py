"""An endpoint: one POST of JSON, one answer, and where its key is read from; chat and embeddings share it.

The HTTP library is loaded with the first question and in a thread, as is what a client needs for TLS: a daemon that
asks nobody does not pay for it, and one that does goes on meanwhile.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import anyio
import orjson
from anyio import to_thread

if TYPE_CHECKING:
    import httpx2

_REFUSED: Final = frozenset({400, 413, 422})
_KEPT_OPEN_S: Final = 60.0


_REACH_S: Final = 2.0
_PORTS: Final = {"http": 80, "https": 443}
_PROXIES: Final = ("http_proxy", "https_proxy", "all_proxy")
_LOCAL: Final = ("localhost", "127.0.0.1", "::1")


class NoAnswer(Exception):
    """There is no answer. `refused`: because of what was sent, so that something else may be answered."""

    def __init__(self, reason: str, *, refused: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.refused = refused


class NotSet(Exception):
    """A key or file that a setting names is not there; the message says which."""


class Endpoint:
    """An address that answers POST requests. Its connections stay open for a minute; `close` ends them."""

    def __init__(self, url: str, timeout_s: float, most_bytes: int) -> None:
        self.url = url
        self._timeout_s = timeout_s
        self._most_bytes = most_bytes
        self._client: httpx2.AsyncClient | None = None

    async def post(
        self, path: str, headers: Mapping[str, str], body: Mapping[str, object], *, timeout_s: float | None = None
    ) -> bytes:
        """Return the content of an answer with status 200; raises NoAnswer, also when it is not there in time."""
        try:
            content = orjson.dumps(body)
        except orjson.JSONEncodeError as error:
            raise NoAnswer(f"what it was to be sent is no JSON: {error}") from error
        # `timeout` of the library counts anew with every piece that comes; the deadline is for the whole.
        deadline_s = self._timeout_s if timeout_s is None else min(timeout_s, self._timeout_s)
        try:
            with anyio.fail_after(deadline_s):
                return await self._post(path, {"content-type": "application/json", **headers}, content)
        except TimeoutError as error:
            raise NoAnswer(f"it did not answer within {deadline_s:g} s") from error

    async def close(self) -> None:
        """End the connections; the next question opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _post(self, path: str, headers: Mapping[str, str], content: bytes) -> bytes:
        if self._client is None:
            made = await to_thread.run_sync(_client, self._timeout_s)
            self._client = self._client or made  # another question may have made one meanwhile
        import httpx2

        answer = b""
        try:
            # A port beyond 65535 is told here; the library meets it with an error of another kind.
            _ = urlsplit(self.url).port
            async with self._client.stream("POST", self.url + path, headers=headers, content=content) as reply:
                if reply.status_code != 200:
                    refused = reply.status_code in _REFUSED
                    raise NoAnswer(f"it answered with status {reply.status_code}", refused=refused)
                async for chunk in reply.aiter_bytes():
                    answer += chunk
                    if len(answer) > self._most_bytes:
                        raise NoAnswer(f"its answer is longer than {self._most_bytes >> 20} MB")
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError) as error:
            raise NoAnswer(f"{type(error).__name__}: {error}".rstrip(": ")) from error
        return answer


async def unreachable(url: str, env: Mapping[str, str]) -> str | None:
    """Return why nobody can be reached at an address, None when somebody can. Nothing is asked of whoever is there.

    Where the environment (`env`) names a proxy it is the one that knows, and nothing is tried.
    """
    parts = urlsplit(url)
    if parts.hostname not in _LOCAL and any(env.get(name) or env.get(name.upper()) for name in _PROXIES):
        return None
    try:
        with anyio.fail_after(_REACH_S):
            stream = await anyio.connect_tcp(parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 80))
            await stream.aclose()
    except TimeoutError:
        return f"nobody answers within {_REACH_S:g} s"
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)
    return None


def secret(section: str, key_env: str, key_file: str, env: Mapping[str, str]) -> str:
    """Return the key that a section's `key_env` or `key_file` names, "" where neither is set; raises NotSet."""
    if key_env:
        if not env.get(key_env):
            raise NotSet(
                f"the environment variable {key_env} that {section}.key_env names is not set for the daemon"
                f" (a service has an environment of its own; {section}.key_file names a file instead)"
            )
        return _sendable(section, "key_env", env[key_env].strip())
    return _sendable(section, "key_file", read(section, "key_file", key_file)) if key_file else ""


def _sendable(section: str, setting: str, key: str) -> str:
    """Return a key that may stand in a header (RFC 9110, 5.5); raises NotSet for another, which it does not repeat."""
    if key.isascii() and key.isprintable():
        return key
    raise NotSet(f"what {section}.{setting} names is no key: it holds other than printable ASCII characters")


def read(section: str, setting: str, name: str) -> str:
    """Return the text of a file that a setting names; raises NotSet."""
    path = Path(os.path.expanduser(name))  # noqa: PTH111 - that of pathlib raises where there is no home folder
    try:
        return path.read_text("utf-8-sig").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise NotSet(f"{section}.{setting} {path} cannot be read ({error})") from error


def _client(timeout_s: float) -> httpx2.AsyncClient:
    import httpx2

    limits = httpx2.Limits(keepalive_expiry=_KEPT_OPEN_S)
    return httpx2.AsyncClient(timeout=timeout_s, follow_redirects=False, limits=limits)
