"""Home: the folder of a person, which tells their name, written as `~`."""

from __future__ import annotations

import re
from typing import Final

_NAME: Final = r"[^\s/\\:*?\"'<>|`,;()\[\]]+"
_SLASHES: Final = r"(?:\\{1,8}|/)"  # a backslash in a JSON string in a JSON string is four
_HOME: Final = re.compile(
    rf"(?<![\w/.~-])(?:/(?:home|Users)/{_NAME}|[A-Za-z]:{_SLASHES}Users{_SLASHES}{_NAME})(?P<slash>/|\\{{1,8}})?"
)


def shorten_home(text: str) -> str:
    r"""Return `text` with people's home folders as `~`: /home/ada/x, /Users/ada/x and C:\Users\ada\x become ~/x."""
    if "/home/" not in text and "Users" not in text:
        return text
    return _HOME.sub(lambda found: "~/" if found["slash"] else "~", text)
