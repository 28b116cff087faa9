"""Accounts: a user and a password told together, where nothing but the place says which of the two is the password.

`creds: admin / …`, `log in as ada with …`, `Zugangsdaten: admin …`, `管理员账号admin/…`, `admin/… でログイン`. What
stands there is as often a pair of roles, hosts or files; so the second has to look as if somebody had made it up.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memd.text.assignments import Hit
from memd.text.everyday import EVERYDAY
from memd.text.signs import WITHIN
from memd.text.stopwords import STOP_WORDS
from memd.text.telling import ends_clause, looks_made_up, trimmed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memd.text.signs import Signs

SIGNS: Final = (
    *(b"cred", b"login", b"log in", b"logged in", b"sign in", b"daten", b"inlog", b"identifiant", b"logowania"),
)
"""Where the names begin, or stand within."""

_BY_FIRST_SIGN: Final = {WITHIN.get(sign, sign): sign for sign in SIGNS}
_FIRST_SIGNS: Final = frozenset(_BY_FIRST_SIGN)

_VALUE: Final = r"(?P<value>[^\s\"'`<>,;(){}\[\]\\|/\u2e80-\uffff]{4,128}+)(?![/(\[]| / ?\w)"
_USER: Final = r"(?P<user>[\w.@+-]{1,64}+)"
_FOR: Final = (
    r"(?: (?:for|of|on|fürs?|vom|von|zum|para|del?|di|da|do|pour|du|to|voor|per|na)"
    r"(?>(?: (?:the|das|die|den|el|la|le))?) [\w.-]{1,24}+)?"
)
_NAME: Final = (
    r"(?:creds?|credentials?|credenciales|credenciais|credenziali|logins?"
    r"|(?:log(?:ged|ging)?|sign(?:ed)?) in|[a-z]{5,9}daten"
    r"|einloggen|inloggen|inloggegevens|identifiants?|logowania)(?!\w)"
)
_WITH: Final = r"(?:with|as|using|via|mit|als|met|avec|con|com|jako)"
_PASSWORD: Final = r"(?>(?:(?:pass(?:word|wd)?|pwd?|passwort|mdp|clave|senha)(?: ?[:=] ?| ))?)"
_TOLD: Final = re.compile(
    rf"{_NAME}{_FOR}(?P<bind>(?>(?: (?:is|are|sind|lauten|sont|son|são|sono|zijn|to))?) ?(?:[:=]|->)? ?"
    rf"(?:(?<= ){_WITH} )?){_USER}"
    rf"(?P<between> ?[/:] ?|,? (?:with|and|und|et|mit|avec|con|com|met) (?:the )?|,? ){_PASSWORD}{_VALUE}",
    re.IGNORECASE,
)
_WORDS: Final = (STOP_WORDS | EVERYDAY) - {"admin", "administrator", "root", "user", "guest", "test", "demo", "dev"}
_PART_OF_A_WORD: Final = re.compile(r"[A-Za-z0-9_-]\Z")
_LONGEST_BEFORE: Final = 9
"""Characters of a name before its sign, as in `Zugangsdaten`."""

# Scripts in which names and values stand side by side without a blank.
_OTHER_NAME: Final = re.compile(
    r"(?:(?:账号|帐号|帳號|账户|用户名)(?:[/和]?密[码碼])?|账密|アカウント|ログイン(?:情報)?|ユーザー名?|계정|아이디|로그인"
    r"|(?<!\w)(?:логин|креды|доступы?|уч[её]тка|giriş(?: bilgileri)?)(?>(?:/пароль)?))"
    r"(?P<bind> ?(?:是|为|為|は|은|는)? ?[:：=]? ?)"
    rf"{_USER}(?P<between> ?[/／:：] ?|,? ){_VALUE}",
    re.IGNORECASE,
)
_OTHER_SIGNS: Final = re.compile("[账帐帳户登ログアユ계아로лЛкдДşŞ]")  # quicker to look for
_OTHER_NAMES: Final = re.compile(
    "账[号户密]|帐号|帳號|用户名|アカウント|ログイン|ユーザー|계정|아이디|로그인|логин|креды|доступ|уч[её]тка|giriş",
    re.IGNORECASE,
)
_BEFORE: Final = re.compile(rf"(?<![\w/.-]){_USER} ?/ ?{_VALUE} ?(?:で|로|으로|来|去)? ?\Z")
_LOGS_IN: Final = re.compile("登[录錄]|ログイン|로그인")
_MOST_BEFORE: Final = 140


def accounts(text: str, signs: Signs) -> Iterator[Hit]:
    """Yield the passwords told with their users in `text`, whose signs are given."""
    for first in signs.held(_FIRST_SIGNS):
        for found in signs.places(_BY_FIRST_SIGN[first]):
            yield from _of_a_name(text, found)
    if signs.beyond and _OTHER_SIGNS.search(signs.beyond):
        for name in _OTHER_NAMES.finditer(text):
            yield from _judged(text, _OTHER_NAME.match(text, name.start()))
        for verb in _LOGS_IN.finditer(text):
            yield from _judged(text, _BEFORE.search(text, max(0, verb.start() - _MOST_BEFORE), verb.start()))


def _of_a_name(text: str, at: int) -> Iterator[Hit]:
    start = at
    while start > 0 and at - start < _LONGEST_BEFORE and text[start - 1].isalpha():
        start -= 1
    told = _TOLD.match(text, start)
    if told is not None and not _PART_OF_A_WORD.search(text, max(0, start - 1), start):
        yield from _judged(text, told)


def _judged(text: str, told: re.Match[str] | None) -> Iterator[Hit]:
    if told is None or told["user"].lower() in _WORDS:
        return
    start, end = trimmed(text, told)
    between = told.groupdict().get("between") or "/"
    beside = between.isspace() or between.startswith(",")
    if beside and not ((told["bind"].strip() or "密" in told[0]) and ends_clause(text, end)):
        return  # "login ada …" may go on as any sentence does
    if looks_made_up(text[start:end]):
        yield Hit(start, end, "password")
