"""Logins: passwords on command lines and in statements of SQL, and signatures in addresses.

No name says what they are: the tool does, or the flag before them. `unzip -P …`, `echo … | sudo -S`,
`htpasswd -b f ada …`, `IDENTIFIED BY '…'`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from memd.text import secretness
from memd.text.assignments import Hit
from memd.text.telling import looks_telling

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memd.text.signs import Signs

_VALUE: Final = r"(?P<quote>[\"'])?(?P<value>(?(quote)[^\"'\n]{4,200}|[^\s\"'|;&<>-][^\s\"'|;<>]{3,200}+))"
_USER: Final = r"[\"']?[\w.@+-]{1,64}"
_NUMBERS: Final = re.compile(r"[\d.:/-]+(?:tcp|udp)?")


class _Rule(NamedTuple):
    """A flag with its value, and the tools that take it so; None where the flag tells by itself."""

    flag: re.Pattern[str]
    tools: re.Pattern[str] | None
    may_be_number: bool = False


def _rule(flag: str, tools: str = "", *, may_be_number: bool = False) -> _Rule:
    tool = re.compile(rf"(?<![\w.-])(?:{tools})\b[^\n|;&]{{0,100}}\Z") if tools else None
    return _Rule(re.compile(flag), tool, may_be_number)


_WITH_P: Final = (
    r"sshpass|mongo(?:sh|dump|restore|import|export)?|redis-cli|(?:docker|podman|helm registry|az|oc|cf) login|n?c?ftp"
    r"|rdesktop|evil-winrm|crackmapexec|netexec"
)
_AT_FLAG: Final = (
    # Which rules are tried at a flag, by its first letter in lower case.
    (b"u", _rule(rf"-u[ =]{{0,2}}{_USER}:(?P<value>[^\s\"'@/]{{4,200}})")),
    (b"u", _rule(rf"-U[ =]?{_USER}%(?P<value>[^\s\"'@/]{{4,200}})", "smbclient|rpcclient|net|smbmap|pth-\\w+")),
    (b"u", _rule(rf"-u[ =]?{_USER},(?P<value>[^\s\"'@/]{{4,200}})", "lftp")),
    (b"-", _rule(rf"--user[ =]{{0,2}}{_USER}:(?P<value>[^\s\"'@/]{{4,200}})")),
    (b"p", _rule(rf"-p[ =]?{_VALUE}", _WITH_P)),
    (b"p", _rule(rf"-p{_VALUE}", r"mysql\w*|mariadb[\w-]*")),
    (b"p", _rule(rf"-p{_VALUE}", r"7z\w{0,2}|p7zip|(?:un)?rar", may_be_number=True)),
    (b"p", _rule(rf"-P ?{_VALUE}", r"(?:un)?zip|sqlcmd|bcp|isql|tsql", may_be_number=True)),
    (b"p", _rule(r"-pass(?:in|out)? [\"']?pass:(?P<value>[^\s\"']{4,200}+)", may_be_number=True)),
    (b"h", _rule(rf"-hp{_VALUE}", "rar", may_be_number=True)),
    (b"a", _rule(rf"-a[ =]?{_VALUE}", "redis-cli")),
    (b"a", _rule(rf"-a {_USER}:(?P<value>[^\s\"'@/]{{4,200}})", "https?")),
    (b"k", _rule(rf"-[kK] {_VALUE}", "openssl", may_be_number=True)),
    (b"w", _rule(rf"-w ?{_VALUE}", r"ldap\w+", may_be_number=True)),
    *((sign, _rule(rf"-(?:src|dest)?(?:store|key)pass {_VALUE}", may_be_number=True)) for sign in (b"s", b"d", b"k")),
    *(
        (sign, _rule(rf"-[A-Za-z]{{1,6}}u ?{_USER}:(?P<value>[^\s\"'@/]{{4,200}})", "curl"))
        for sign in (b"s", b"k", b"f", b"l", b"i", b"v", b"g")
    ),
    *(
        (
            sign,
            _rule(
                rf"-(?=[A-Za-z]*b)(?:(?=[A-Za-z]*n)[A-Za-z]+|[A-Za-z]+(?: -[A-Za-z]+(?: \d+)?){{0,3}} \S{{1,200}})"
                rf" {_USER}[\"']? {_VALUE}",
                "htpasswd",
                may_be_number=True,
            ),
        )
        for sign in (b"b", b"c", b"n", b"i", b"m", b"d", b"s", b"p", b"2", b"5")
    ),
)
_RULES: Final = {sign[0]: tuple(rule for other, rule in _AT_FLAG if other == sign) for sign, _ in _AT_FLAG}
_TOOLS: Final = 110

# What is handed to a tool that reads a password from its input.
_PIPED: Final = re.compile(
    r"(?:\becho(?: -\w{1,3})?|\bprintf(?: [\"']?%s(?:\\{1,2}n)?[\"']?)?) (?P<quote>[\"'])?(?P<user>[\w.@-]{1,64}:)?"
    r"(?P<value>(?(quote)[^\"'\n]{3,200}|[^\s\"'|;&<>$-][^\s\"'|;<>]{2,200}))[\"']? ?\| ?[^|\n]{0,80}\Z"
)
_PIPED_SIZE: Final = 300
_READS: Final = re.compile(
    r"(?:(?<=--)password-stdin|(?<=ch)passwd|(?<=vnc)passwd -f|passwd --stdin"
    r"|(?<=--)passphrase-fd 0)"
)
_HERE: Final = re.compile(rf"[^\n|;&<]{{0,80}}<<< ?{_VALUE}")
_IS_SUDO: Final = re.compile(r"-[A-Za-z]{0,4}S\b")
_SUDO: Final = re.compile(r"\bsudo(?: [^\s|;&]{1,40}){0,4} \Z")

_IDENTIFIED: Final = re.compile(
    r"identified (?:(?:with|via|using) [\w\"'-]{1,60} )?(?:by|as)(?: password| values)? "
    r"(?P<quote>[\"'`])?(?P<value>(?(quote)[^\"'`\n]{2,200}|[^\s\"'`;,()]{4,128}+))",
    re.IGNORECASE,
)
_OF_SQL: Final = re.compile(r"(?:\b(?:create|alter) (?:user|role|login)\b|\bgrant\b)[^;]{0,200}\Z", re.IGNORECASE)
_OF_SQL_SIZE: Final = 240
_SET_PASSWORD: Final = re.compile(
    r"password(?: for [^\s;=]{1,120})? ?= ?(?:password ?\( ?)?[\"'](?P<value>[^\"'\n]{3,200})[\"']", re.IGNORECASE
)
_REQUIRED: Final = re.compile(r"pass[ \t]+[\"']?(?P<value>[^\s\"'#]{4,512})")  # requirepass … of redis.conf
_OF_WIFI: Final = re.compile(rf"passphrase (?:\"[^\"\n]{{1,64}}\"|'[^'\n]{{1,64}}'|[^\s\"'-]\S{{0,63}}) {_VALUE}")
_SIGNATURE: Final = re.compile(r"sig(?:nature)?=(?P<value>[A-Za-z0-9%+/_-]{20,}+={0,2})", re.IGNORECASE)


def logins(text: str, signs: Signs) -> Iterator[Hit]:
    """Yield what logs in: `curl -u user:…`, `sshpass -p …`, `IDENTIFIED BY …`, `?sig=…`; the signs are the text's."""
    lower = signs.lower
    for found in signs.places(b" -"):
        flag = lower[found + 2 : found + 3]
        if flag and (rules := _RULES.get(flag[0])):
            yield from _at_flag(text, found + 1, rules)
        if flag == b"s" or flag == b"k":
            yield from _of_sudo(text, found + 1)
    for found in signs.places(b"pass"):
        yield from _at_pass(text, found, lower)
    for found in signs.places(b"identified"):
        yield from _identified(text, found)
    for found in signs.places(b"sig"):
        if lower.startswith((b"sig=", b"signature="), found):
            yield from _value(_SIGNATURE.match(text, found), "signature")


def _at_flag(text: str, at: int, rules: tuple[_Rule, ...]) -> Iterator[Hit]:
    for rule in rules:
        told = rule.flag.match(text, at)
        if told and (rule.tools is None or rule.tools.search(text, max(0, at - _TOOLS), at)):
            yield from _value(told, "password", may_be_number=rule.may_be_number)


def _of_sudo(text: str, at: int) -> Iterator[Hit]:
    """Yield what `sudo -S` is handed: by a pipe before it, or a here-string behind it."""
    flag = _IS_SUDO.match(text, at)
    if flag is None:
        return
    sudo = _SUDO.search(text, max(0, at - _TOOLS), at)
    if sudo is not None:
        yield from _value(_PIPED.search(text, max(0, sudo.start() - _PIPED_SIZE), sudo.start()), may_be_number=True)
        yield from _value(_HERE.match(text, flag.end()), may_be_number=True)


def _at_pass(text: str, at: int, lower: bytes) -> Iterator[Hit]:
    """Yield what `--password-stdin`, `chpasswd` and the like are handed, and what `SET PASSWORD` and redis.conf set."""
    before = lower[max(0, at - 7) : at]
    reads = _READS.match(text, at)
    if reads is not None:
        yield from _value(_PIPED.search(text, max(0, at - _PIPED_SIZE), at), may_be_number=True)
        yield from _value(_HERE.match(text, reads.end()), may_be_number=True)
    elif before.endswith(b"require"):
        yield from _value(_REQUIRED.match(text, at), may_be_number=True)
    elif before.endswith(b"wpa_"):
        yield from _value(_OF_WIFI.match(text, at), may_be_number=True)
    elif before.endswith(b"set "):
        yield from _value(_SET_PASSWORD.match(text, at), may_be_number=True)


def _identified(text: str, at: int) -> Iterator[Hit]:
    told = _IDENTIFIED.match(text, at)
    if told is None:
        return
    is_sql = _OF_SQL.search(text, max(0, at - _OF_SQL_SIZE), at) is not None
    is_upper = text.startswith("IDENTIFIED", at)
    if is_sql or (is_upper and (told["quote"] or looks_telling(told["value"]))):
        yield from _value(told, may_be_number=True)


def _value(login: re.Match[str] | None, family: str = "password", *, may_be_number: bool = False) -> Iterator[Hit]:
    if login is None or secretness.is_placeholder(login["value"]):
        return
    if may_be_number or not _NUMBERS.fullmatch(login["value"]):
        yield Hit(*login.span("value"), family)
