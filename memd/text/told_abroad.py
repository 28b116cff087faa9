"""Secrets told in other languages than English, or in English between their words.

`Passwort fürs Staging ist übrigens …`, `la clave de la bd es …`, `密码 是 …`, `账号 admin 密码 …`, `api key 是 …`.
Between the name and the value may stand what it is for, a verb, a word such as "now" and a colon. A value has to look
like one, as what else is said in these languages is not known here; a verb or colon behind a Chinese, Japanese or
Korean name binds any word that ends its clause.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memd.text.assignments import Hit
from memd.text.telling import FILE, MIXED_CASE, digits, is_number, is_own_word, looks_made_up, looks_telling, trimmed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memd.text.password_names import Name
    from memd.text.signs import Signs

_VALUE: Final = r"[^\s\"'`<>,;(){}\[\]\\|\u2e80-\uffff]{4,128}+"
_FOR: Final = (
    r"(?>(?: (?:fürs?|vom|von|zum|zur|beim|im|in|am|auf|an|del?|d[aiou]|des|for|para|en|pour|sur|per|voor|van|k|ke|od"
    r"|na|för|till|på|av|til|fra|cho|của|dla|pentru|la|untuk|za|за|для|от|на|до|για|του|της)"
    r"(?>(?: (?:die|der|das|den|dem|la|las|el|los|le|les|de|het)(?= ))?) (?:[ld]')?[\w./-]{1,24}"
    r"| [^\W\d_]{2,14}(?= ?[:=] ?)| (?:root|admin|wifi|staging|prod|db)(?= )){0,2})"
)
_NOW: Final = (
    r"(?>(?: (?:übrigens|jetzt|nun|aktuell|noch|nueva|actual|ahora|ya|maintenant|agora|adesso|nu|nå|teď|teraz|acum"
    r"|теперь|сейчас))?)"
)
_IS: Final = (
    r"(?>(?: (?:is|ist|lautet|wäre|war|es|era|est|c'est|é|è|será|sera|to|jest|je|är|er|este|là|adalah|это|είναι|היא|הוא"
    r"|هي|هو|है|คือ|—|-)(?=[ :])| ?คือ)?)"
)
_BOUND: Final = re.compile(
    rf"(?P<bind>{_FOR}{_NOW}{_IS}{_NOW} ?[:：=]?) ?(?<=[ :：=\u0e00-\u0e7f])[„“\"'`]{{0,2}}(?P<value>{_VALUE})",
    re.IGNORECASE,
)
_ASIAN: Final = re.compile(
    r"(?:密[码碼钥鑰]|口令|令牌|パス(?:ワード)?|暗証番号|비밀번호|비번|암호|pass(?:word|wd)?|pwd|pw|token"
    r"|(?:api|secret|access)[ _-]?key)"
    r"(?P<bind> ?(?:现在|現在|目前|已经|已經|就|还|還)?"
    r"(?:是|为|為|改成|改为|改為|换成|換成|设成|设为|設為|は|[은는])?[、：:]? ?)"
    rf"[「“\"'`]{{0,2}}(?P<value>{_VALUE})",
    re.IGNORECASE,
)
_ASIAN_SIGNS: Final = re.compile("[密令パ証비암]")  # quicker to look for
_ASIAN_NAMES: Final = re.compile("密[码碼钥鑰]|口令|令牌|パス(?:ワード)?|暗証番号|비밀번호|비번|암호")
_OTHERWISE: Final = frozenset(("パス", "암호"))
"""Names that as often are those of a path and of ciphers."""
_ASIAN_VERBS: Final = re.compile(r"[\u2e80-\uffff]")
_AMONG_ASIAN: Final = (b"pass", b"pw", b"token", b"key")
_KEY: Final = re.compile(r"(?:api|secret|access)[ _-]?\Z", re.IGNORECASE)
_NOT_BEFORE: Final = re.compile(r"[A-Za-z0-9_-]\Z")
_OF_PROGRAMS: Final = re.compile(
    "pass|pwd|token|secret|key|form|field|input|hash|script|value|text|user", re.IGNORECASE
)
_OF_ACCOUNTS: Final = ("root ", "admin ", "staging ", "production ", "database ", "db ", "wifi ", "vpn ")
_ENGLISH: Final = ("pass", "password", "passwd", "passphrase", "passcode", "pwd", "pw")
_FOREIGN_VERB: Final = re.compile(r"\b(?:ist|lautet|es|est|é|è)\b")


def told_abroad(text: str, signs: Signs, names: tuple[Name, ...]) -> Iterator[Hit]:
    """Yield the secrets told in `text`, whose signs are given, and the names of passwords in it."""
    for name in names:
        yield from _in_words(text, name)
    if text.isascii():
        return
    if _ASIAN_SIGNS.search(signs.beyond):
        for sign in _ASIAN_NAMES.finditer(text):
            yield from _among_signs(text, sign.start(), otherwise=sign[0] in _OTHERWISE)
    for literal in _AMONG_ASIAN:
        for found in signs.places(literal):
            key = _KEY.search(text, max(0, found - 8), found) if literal == b"key" else None
            yield from _among_signs(text, key.start() if key else found, latin=True)


def _in_words(text: str, name: Name) -> Iterator[Hit]:
    told = _BOUND.match(text, name.end)
    if told is None:
        return
    start, end = trimmed(text, told)
    value, bind = text[start:end], told["bind"].strip()
    word = text[name.start : name.end].lower()
    is_english = word in _ENGLISH
    if not bind and not name.is_sure and (is_english or not looks_made_up(value)):
        return  # as likely a compound
    if not name.is_sure and not is_english and bind.endswith(("=", ":")) and not looks_made_up(value):
        return  # `clave = valor2`
    if (
        word == "pass"
        and not _FOREIGN_VERB.search(bind)
        and not text[max(0, name.start - 12) : name.start].lower().endswith(_OF_ACCOUNTS)
    ):
        return  # "the second pass is …"
    if looks_telling(value):
        telling = not FILE.fullmatch(value) and (len(value) >= 6 or bind.endswith((":", "：")))
        telling = telling and (bind != "" or digits(value) >= 1)
    else:
        telling = name.is_sure and _FOREIGN_VERB.search(bind) is not None and _is_mixed(value)
    if telling:
        yield Hit(start, end, "password")


def _is_mixed(value: str) -> bool:
    """Return whether capitals stand within it as in no word of a sentence, and it is no name from a program."""
    return MIXED_CASE.fullmatch(value.rstrip("!")) is not None and _OF_PROGRAMS.search(value) is None


def _among_signs(text: str, at: int, *, latin: bool = False, otherwise: bool = False) -> Iterator[Hit]:
    told = _ASIAN.match(text, at)
    if told is None or (latin and _NOT_BEFORE.search(text, max(0, at - 1), at)):
        return
    start, end = trimmed(text, told)
    value, bind = text[start:end], told["bind"]
    is_bound = _ASIAN_VERBS.search(bind) is not None
    if latin and not is_bound:
        return  # English, which told.py reads
    if otherwise and not looks_made_up(value):
        return
    stated = not latin and (is_bound or ":" in bind)
    if looks_telling(value):
        telling = stated or is_bound or (len(value) >= 6 and digits(value) >= 1)
    else:
        telling = stated and (is_number(text, value, end) or is_own_word(text, value, end) or _is_mixed(value))
    if telling:
        yield Hit(start, end, "password")
