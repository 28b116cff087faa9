"""Configs: the files that module systems read, as they may be kept: a registry's password may stand in one of them."""

from __future__ import annotations

import tomllib

import msgspec

from memd.text.redaction import scrub

NOTHING = b""
"""In place of what could not be read any more without its secrets."""


def cleaned(path: str, content: bytes) -> bytes:
    """Return a file without secrets, byte for byte when it has none.

    What was JSON or TOML still is; where taking a secret out would end that, nothing of the file is kept.
    """
    text = content.decode("utf-8", "surrogateescape")
    plain = scrub(text).text
    if plain == text:
        return content
    kept = plain.encode("utf-8", "surrogateescape")
    return kept if _is_read(path, kept) or not _is_read(path, content) else NOTHING


def _is_read(path: str, content: bytes) -> bool:
    try:
        if path.endswith(".toml"):
            tomllib.loads(content.decode("utf-8", "replace"))
        elif path.endswith(".json"):
            msgspec.json.decode(content)
    except (tomllib.TOMLDecodeError, msgspec.DecodeError, RecursionError):
        return False
    return True
