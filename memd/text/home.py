"""Home: the folder of a person, which tells their name, written as `~`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

_NAME: Final = r"[^\s/\\:*?\"'<>|`,;()\[\]]+"
_SLASHES: Final = r"(?:\\{1,8}|/)"  # a backslash in a JSON string in a JSON string is four
_BEGINS: Final = r"(?:(?<![\w/.~-])|(?<=\s-[A-Za-z]))"  # also behind a compiler's -I and -L
_POSIX: Final = rf"/(?:home|Users)/{_NAME}"
_DRIVE: Final = (
    rf"(?:(?:/mnt)?/[A-Za-z]|[A-Za-z]:){_SLASHES}Users{_SLASHES}{_NAME}(?:(?: [A-Z][\w.-]*){{1,2}}(?=[\\/]))?"
)
_HOME: Final = re.compile(
    rf"{_BEGINS}(?:file://(?:localhost)?(?:/(?=[A-Za-z]:))?)?(?:{_POSIX}|{_DRIVE})(?P<slash>/|\\{{1,8}})?"
)


def shorten_home(text: str) -> str:
    r"""Return `text` with people's home folders as `~`: /home/ada/x, /Users/ada/x and C:\Users\ada\x become ~/x."""
    if "/home/" not in text and "Users" not in text:
        return text
    return _HOME.sub(lambda found: "~/" if found["slash"] else "~", text)


def shorten_homes(value: Any) -> Any:
    """Return a JSON value with people's home folders as `~` in every text of it; keys stay."""
    if isinstance(value, str):
        return shorten_home(value)
    if isinstance(value, Mapping):
        return {name: shorten_homes(held) for name, held in value.items()}
    if isinstance(value, (list, tuple)):
        return [shorten_homes(held) for held in value]
    return value
