"""Logins: passwords on command lines and signatures in addresses, where no name says what they are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memd.text import secretness
from memd.text.assignments import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memd.text.signs import Signs

# curl -u ada:…, wget --user=ada:…
_USER: Final = re.compile(r"(?:-u|--user)[ =]{0,2}[\"']?[\w.@+-]{1,64}:(?P<value>[^\s\"'@/]{4,200})")
# mysql -p…, sshpass -p …, redis-cli -a …
_FLAG: Final = re.compile(r"-[pa][ =]?[\"']?(?P<value>[^\s\"'-][^\s\"']{3,200})")
_TOOL: Final = re.compile(r"(?:sshpass|mysql\w*|mariadb|mongo(?:sh)?|redis-cli|docker login)\b[^\n|;&]{0,80}\Z")
_LONGEST_COMMAND: Final = 100
_SIGNATURE: Final = re.compile(r"sig(?:nature)?=(?P<value>[A-Za-z0-9%+/_-]{20,}+={0,2})", re.IGNORECASE)


def logins(text: str, signs: Signs) -> Iterator[Hit]:
    """Yield what logs in: `curl -u user:…`, `sshpass -p …`, `?sig=…`; the signs are those of `text`."""
    lower = signs.lower
    for found in signs.places(b" -"):
        flag = lower[found + 2 : found + 3]
        if flag == b"u" or (flag == b"-" and lower.startswith(b" --user", found)):
            yield from _value(_USER.match(text, found + 1), "password")
        elif flag in {b"p", b"a"} and _TOOL.search(text, max(0, found - _LONGEST_COMMAND), found):
            yield from _value(_FLAG.match(text, found + 1), "password")
    for found in signs.places(b"sig"):
        if lower.startswith((b"sig=", b"signature="), found):
            yield from _value(_SIGNATURE.match(text, found), "signature")


def _value(login: re.Match[str] | None, family: str) -> Iterator[Hit]:
    if login and not login["value"].isdigit() and not secretness.is_placeholder(login["value"]):
        yield Hit(*login.span("value"), family)
