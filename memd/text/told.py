"""Told secrets: those that people tell each other in sentences, where no quotes and no variable mark the value.

`the password is …`, `use password … for the admin`, `login: admin / …`, `the pin is …`; and those in files
and headers whose names are too common for more than a telling value: `secret=…`, `export X_KEY=…`, `Cookie: session=…`.

What a name is bound to by "is" may be a plain word if it is no word that is said of passwords ("is wrong", "is stored
in …") and ends its clause. Anywhere else a value has to look like one: letters mixed with digits or signs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memd.text import secretness
from memd.text.assignments import Hit
from memd.text.said_of import is_said_of
from memd.text.stopwords import STOP_WORDS
from memd.text.telling import FILE, digits, is_given_word, is_number, is_own_word, looks_made_up, looks_telling, trimmed

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from memd.text.signs import Signs

# Each pattern is tried where its literal stands, and looks a bounded way ahead.
_NOT_WITHIN: Final = r"(?<![A-Za-z0-9_-])"
_ABOUT: Final = (
    r"(?: (?:I|we|you|they) (?:use[ds]?|set|have|chose|gave|picked)(?= ))?"
    r"(?: (?:for|of|to|on|in|at) (?:[\w@./'-]{1,30}+ ){1,4}?)?"
)
_IS: Final = rf"(?:{_ABOUT} ?(?<= )(?:is|was|will be)(?: now| still| btw| actually| currently)? ?[:=]? |'s )[\"'`]?"
_IN_MARKS: Final = r" [\"'`(](?=[^\s\"'`()]{4,64}[\"'`)])"
_TOLD: Final = re.compile(
    rf"(?P<name>{_NOT_WITHIN}(?:pass(?:word|wd|phrase|code)|pwd|pw|token|secret)|key)"
    rf"(?P<bind>{_IS}| (?:ist|lautet|es|est) |(?: \([\w ]{{1,24}}\))?: ?| ?= ?| (?:back )?to [\"'`]?|{_IN_MARKS}| )"
    rf"(?P<value>[^\s\"'`<>,;(){{}}\[\]\\|\u2e80-\uffff]{{4,128}}+)",
    re.IGNORECASE,
)
_PHRASE: Final = re.compile(
    rf"{_NOT_WITHIN}pass(?:phrase|word){_IS}(?P<value>[a-z]{{3,12}}(?:[ -][a-z]{{3,12}}){{2,7}})(?=[.!\n\"'`]|\Z)",
    re.IGNORECASE,
)
_USER_PASS: Final = re.compile(
    r"(?<=[\s,;/])pass(?:word)?:? (?P<value>[^\s\"'`<>,;(){}\[\]\\|\u2e80-\uffff]{4,128}+)", re.IGNORECASE
)
_USER_BEFORE: Final = re.compile(r"\b(?:user(?:name)?|login|account):? [\w.@+-]{1,40}(?:,| /| and)? \Z", re.IGNORECASE)
_USER_SIZE: Final = 64
_LOGIN: Final = re.compile(
    _NOT_WITHIN + r"(?:login|credentials?|creds)(?: (?:is|are)|:| =|=) ?[\w.@+-]{1,64}+(?: ?/ | ?: ?)"
    r"(?P<value>[^\s\"'`<>,;(){}\[\]\\|/\u2e80-\uffff]{4,128}+)(?!/| /)",
    re.IGNORECASE,
)
_PIN: Final = re.compile(
    _NOT_WITHIN + r"pin(?: code| number)?(?:(?: for (?:[\w'-]{1,20} ){1,3}?| )(?:is|was)(?: now)?:? |: ?)"
    r"(?P<value>\d{4,8})(?=[.,;!)]?(?:\s|\Z)(?! ?(?:x|px|mm|wide|times|bytes|bits|ms|MHz|kHz|V)\b)|[，。；！])",
    re.IGNORECASE,
)
_OTHER_PIN: Final = re.compile(r"(?:version|dependency|commit|package|gpio|output|input|digital) \Z", re.IGNORECASE)
_SECRET_IS: Final = re.compile(r"(?<![A-Za-z0-9-])secret=(?P<value>[\w.!@#$%^&*+~-]{6,128}+)(?=\s|\Z)", re.IGNORECASE)
_EXPORTED: Final = re.compile(r"(?<=_)key=(?P<value>[\w.!@#%^&*+=~-]{6,256}+)(?=[\s;]|\Z)", re.IGNORECASE)
_EXPORT_BEFORE: Final = re.compile(r"(?:export|set|ENV) (?P<name>[A-Z][A-Z0-9_]{0,60})\Z")
_COOKIES: Final = re.compile(r"cookie[\"']?: ?(?P<all>[^\n\"']{4,2000}+)", re.IGNORECASE)
_COOKIE: Final = re.compile(
    r"(?<![\w.-])[\w.-]{0,40}?(?:sess(?:ion)?|sid|token|jwt|auth|remember)[\w.-]{0,20}+=(?P<value>[^\s;,=<>]{4,512}+)",
    re.IGNORECASE,
)

_SECRET_KEY: Final = re.compile(r"(?:api|access|secret|license|deploy)[ _-]?\Z", re.IGNORECASE)
_SECRET_KEYS: Final = (b"api", b"access", b"secret", b"license", b"deploy")
_SECRET_KEYS_SIZE: Final = 10
# Which patterns are tried at a literal, each with what may follow that.
RULES: Final = (
    (b"pass", ((b"wpc", _TOLD), (b"wp", _PHRASE))),
    (b"pw", ((b"d :'=", _TOLD),)),
    (b"token", ((b" :'", _TOLD),)),
    (b"secret", ((b" :'", _TOLD), (b"=", _SECRET_IS))),
    (b"login", ((b" :=", _LOGIN),)),
    (b"cred", ((b"es", _LOGIN),)),
    (b"pin", ((b" :", _PIN),)),
)
_SIGNS: Final = frozenset((b"pass", b"pw", b"cre", b"ok", b"key", b"login", b"pin"))
"""Of the literals of `memd.text.signs` those at which a rule of this module begins."""

# What hands a password over without "is", and what stands behind the word then that is none.
_GIVES: Final = re.compile(
    r"\b(?:use|using|with|enter|type|try|user(?:name)?:? [\w.@+-]{1,40}(?:,| and|, and)?"
    r"|login [\w.@+-]{1,40}(?:,| and)?)"
    r"(?: the| a| this| my| our)?(?: (?:new|old|root|admin|temporary|default|same))? \Z|\(\Z",
    re.IGNORECASE,
)
_SETS: Final = re.compile(
    r"\b(?:set|sets|change[sd]?|reset|update[sd]?|rotate[sd]?)(?: (?:the|my|our|its|his|her|their))?"
    r"(?: [\w.'-]{1,24}){0,2} \Z",
    re.IGNORECASE,
)
_OWNED: Final = (
    *("my ", "our ", "the ", "new ", "old ", "root ", "admin ", "temporary ", "initial ", "current ", "staging "),
    *("production ", "database ", "wifi ", "vpn "),
)
_MARKS: Final = (' "', " '", " `", " (")
_OTHER_IS: Final = frozenset(["ist", "lautet", "es", "est", "é", "è"])
_PASSWORDS: Final = ("pass", "pwd", "pw")


def told_secrets(text: str, signs: Signs) -> Iterator[Hit]:
    """Yield the secrets told in `text`, whose signs are given."""
    if not signs.hold(_SIGNS):
        return
    yield from _by_rule(text, signs)
    for found in signs.behind(b"key", _SECRET_KEYS, _SECRET_KEYS_SIZE):
        if told := _TOLD.match(text, found):
            yield from _told(text, told)
    for found in signs.places(b"pass"):
        if _is_told_after(signs.lower, found):
            yield from _after_user(text, found)
    for found in signs.places(b"_key="):
        yield from _exported(text, found)
    end = 0
    for found in signs.places(b"cookie"):
        if found >= end:
            end = yield from _cookies(text, found)


def _by_rule(text: str, signs: Signs) -> Iterator[Hit]:
    """Yield what one of the rules finds. Programs are full of "pass" and "token": few are followed by what counts."""
    for literal, rules in RULES:
        for found in signs.places(literal):
            end = found + len(literal)
            behind = signs.lower[end : end + 1]
            for following, pattern in rules:
                if behind in following and (told := pattern.match(text, found)):
                    yield from _JUDGES[pattern](text, told)


def _told(text: str, told: re.Match[str]) -> Iterator[Hit]:
    if text.startswith("[redacted:", told.start() - 10):
        return
    is_key = told["name"].lower() == "key"
    if is_key and not _SECRET_KEY.search(text, max(0, told.start() - 12), told.start()):
        return
    is_password = told["name"].lower().startswith(_PASSWORDS)
    start, end = trimmed(text, told)
    value, bind = text[start:end], told["bind"].strip(" \"'`").lower()
    if bind.endswith("):"):  # password (temporary): …
        bind = ":"
    if told["bind"] in _MARKS:
        telling = is_password and (looks_telling(value) or (not value.isupper() and is_own_word(text, value, None)))
    elif bind.endswith("to"):
        is_set = is_password and _SETS.search(text, max(0, told.start() - 48), told.start()) is not None
        telling = is_set and (looks_telling(value) or is_given_word(text, value, end))
    elif bind == "":
        telling = looks_telling(value) and len(value) >= (6 if is_password else 8) and not FILE.fullmatch(value)
        telling = telling and digits(value) >= (1 if is_password else 2)
        given = is_password and _GIVES.search(text, max(0, told.start() - 48), told.start())
        telling = telling or (bool(given) and is_given_word(text, value, end))
    elif bind == "=":
        telling = told["name"].lower() == "pw" and looks_made_up(value)
    elif bind == ":":
        owned = text[max(0, told.start() - 12) : told.start()].lower().endswith(_OWNED)
        telling = looks_telling(value) if is_password or len(value) >= 6 else False
        telling = (telling and is_password) or (owned and (telling or (is_password and is_own_word(text, value, end))))
    elif bind in _OTHER_IS:
        telling = is_password and looks_telling(value)
    elif is_password:
        telling = looks_telling(value) or is_own_word(text, value, end) or is_number(text, value, end)
    else:
        telling = len(value) >= 6 and looks_telling(value) and not FILE.fullmatch(value) and digits(value) >= 1
    if telling and text[end : end + 1] not in {"(", "["}:
        yield Hit(start, end, "password" if is_password else "key" if is_key else "token")


def _phrase(text: str, told: re.Match[str]) -> Iterator[Hit]:
    words = re.split("[ -]", told["value"].lower())
    if not any(word in STOP_WORDS for word in words) and sum(map(is_said_of, words)) <= 1:
        yield Hit(*told.span("value"), "password")


def _plain(text: str, told: re.Match[str]) -> Iterator[Hit]:
    """Yield the value when it looks like a password by itself."""
    start, end = trimmed(text, told)
    value = text[start:end]
    if looks_telling(value) and not FILE.fullmatch(value):
        yield Hit(start, end, "password" if told.re is _LOGIN else "secret")


def _pin(text: str, told: re.Match[str]) -> Iterator[Hit]:
    if not _OTHER_PIN.search(text, max(0, told.start() - 16), told.start()):
        yield Hit(*told.span("value"), "pin")


_JUDGES: Final = {
    _TOLD: _told, _PHRASE: _phrase, _LOGIN: _plain, _PIN: _pin, _SECRET_IS: _plain
}  # fmt: skip


def _is_told_after(lower: bytes, at: int) -> bool:
    """Whether a user may be named before a "pass" that a value may follow; a glance, as there are so many."""
    if lower[at + 4 : at + 5] not in b"w: ":
        return False
    before = lower[max(0, at - _USER_SIZE) : at]
    return b"user" in before or b"login" in before or b"account" in before


def _after_user(text: str, at: int) -> Iterator[Hit]:
    """Yield the password in `user ada pass …`."""
    told = _USER_PASS.match(text, at)
    if told and _USER_BEFORE.search(text, max(0, at - _USER_SIZE), at):
        start, end = trimmed(text, told)
        if looks_telling(text[start:end]):
            yield Hit(start, end, "password")


def _exported(text: str, at: int) -> Iterator[Hit]:
    """Yield the value of an exported variable whose name ends in KEY."""
    told = _EXPORTED.match(text, at + 1)
    if told and (name := _EXPORT_BEFORE.search(text, max(0, at - 72), at)):
        value = told["value"]
        harmless = name["name"].endswith(("PUBLIC", "CACHE", "SORT", "PRIMARY", "PARTITION", "FOREIGN", "HOST", "SSH"))
        if not harmless and looks_telling(value) and not FILE.fullmatch(value):
            yield Hit(*told.span("value"), "key")


def _cookies(text: str, at: int) -> Generator[Hit, None, int]:
    """Yield the values of a Cookie header that name a session; return how far was read."""
    header = _COOKIES.match(text, at)
    if header is None:
        return at
    for cookie in _COOKIE.finditer(text, header.start("all"), header.end()):
        value = cookie["value"]
        if not secretness.is_placeholder(value) and not value.isdigit() and "(" not in value and "[" not in value:
            yield Hit(*cookie.span("value"), "cookie")
    return header.end()
