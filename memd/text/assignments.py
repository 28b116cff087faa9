"""Assignments: values given to a name that says they are secret.

`DB_PASSWORD=…`, `"api_key": "…"`, `Authorization: Bearer …`, `<token>…</token>`, `the password is …`, in code, JSON,
YAML, .env files, connection strings, command lines, URLs and prose.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from memd.text import secretness
from memd.text.telling import is_own_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memd.text.signs import Signs


class Hit(NamedTuple):
    """A secret at `start:end`; of hits that overlap, the family of the one with the highest rank names them all."""

    start: int
    end: int
    family: str
    rank: int = 1


KEYWORDS: Final = (b"pass", b"pwd", b"secret", b"token", b"auth")
_FIRST_SIGNS: Final = frozenset((b"pass", b"pw", b"cre", b"ok", b"auth"))

_FOREIGN: Final = (
    *("密码", "密碼", "口令", "密钥", "密鑰", "令牌", "パスワード", "秘密鍵", "トークン", "비밀번호", "토큰"),
    *("contraseña", "пароль", "şifre"),
)
_FOREIGN_SIGNS: Final = ("密", "口令", "令牌", "パスワード", "トークン", "비밀번호", "토큰", "ñ", "пароль", "ş")

# Each pattern below is matched at one place and takes possessively, so that a wrong start costs next to nothing.
_NAME: Final = re.compile(
    r"(?:pass(?>(?:w(?:or)?[dt]|wd|phrase|code|wort|e)?)|pwd|secret|token|key|auth(?>(?:orization|[_-]?header)?)"
    r"|密[码碼钥鑰]|口令|令牌|パスワード|秘密鍵|トークン|비밀번호|토큰|contraseña|пароль|şifre)",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(
    r"(?>(?:[_-]?(?:base|value|val|production|prod|development|dev|staging|stage|test|live|main|old|new|primary|secondary"
    r"|base64|b64|hex|raw|plaintext|plain|string|str|env|default|\d{1,3}))?)(?![A-Za-z_])",
    re.IGNORECASE,
)
_SEPARATOR: Final = re.compile(r"(?P<close>\\{0,7}+[\"'`]?+\]?+)\s{0,8}+(?P<sign>=>|:=(?!=)|={1,3}+|[:：>,])\s{0,8}+")
_TYPED: Final = re.compile(r"[&\w.<>\[\]|?* ]{1,40}+=(?!=)\s{0,8}+")  # token: str = "…"
_NAMED_VALUE: Final = re.compile(r"[\"']?,?\s{0,40}+[\"']?value[\"']?\s{0,3}+[:=]\s{0,8}+")  # name: TOKEN, value: "…"
_PROSE_BEGINS: Final = re.compile(r" (?:for|of|to|on|in|from|at|is|was|are|will|be|now|again|=)\b|[是为はを는은이、]")
_PROSE: Final = re.compile(
    r"(?: (?:for|of|to|on|in|from|at) [\w@./' -]{1,40}?)?"
    r"(?: (?:is|was|are|will be|be|to|now|again|=)[ :]{1,2}|:[ ]|是|为|は|を|는|은|이|、) {0,2}"
)
_FLAG_BEFORE: Final = re.compile(r"(?:^|\s)(?:--?[\w-]*|login\s+\S+\s+)\Z")
_WRAP: Final = re.compile(
    r"(?>(?:(?:Some|String::from|SecretStr|Secret|str|bytes|string|base64)\(\s?)?)(?>(?:[@bBrRuUfF]{1,2}(?=[\"']))?)"
    r"[「『“‘]?+(?>(?P<quote>\\{0,7}+[\"'`])?)"
)
_SCHEME: Final = re.compile(
    r"(?:Bearer|Basic|Token|ApiKey|Api-Key|Digest|Negotiate|Key|SSWS|Bot|GenieKey|OAuth)[ =]{1,3}[\"']?", re.IGNORECASE
)
_BARE: Final = re.compile(r"[^\s\"'`<>,;&|(){}\[\]\\\u2e80-\uffff]{1,8192}+")
_BARE_PASSWORD: Final = re.compile(r"[^\s\"'`;,<>\\\u2e80-\uffff]{1,512}+")
_PAIR: Final = re.compile(
    r"\s{0,2}=\s{0,2}\(\s{0,2}[\"'][^\"'\n]{1,80}[\"'],\s{0,2}[\"'](?P<value>[^\"'\n]{4,200})[\"']"
)

_PASSWORDS: Final = ("pass", "pwd", "密码", "密碼", "口令", "パス", "비밀", "contra", "пар", "şif")
_KEY_QUALIFIERS: Final = tuple(
    b"api access secret private auth account shared encryption encrypt decryption crypt crypto signing sign master"
    b" service client subscription consumer app application license ssh jwt hmac session cipher aes webhook admin"
    b" deploy write ingest security function integration personal server".split()
)
_QUALIFIER_SIZE: Final = 16
_ENV_NAME: Final = re.compile(r"(?:^|[\s\"'`;&{(])(?:export |set |ENV |\$env:)?[A-Z0-9_]*\Z")
# A type (AWS::IAM::AccessKey), a part of an ARN or URN, a public key's fingerprint.
_NOT_ASSIGNED: Final = re.compile(r"(?:::\w{0,40}|(?:arn|urn):[^\s\"']{0,50}|public[_-]?key[_-]?)\Z", re.IGNORECASE)
_HARMLESS_KEY: Final = re.compile(
    r"(?:PUBLIC|PUB|IDEMPOTENCY|CACHE|PARTITION|SORT|FOREIGN|PRIMARY|OBJECT|ROW|S3|BUCKET|ROUTING)_\Z"
)
_PARAMETER: Final = re.compile(r"(?:[?&;]|\s--?)[\w.-]{0,40}\Z")
_WHERE: Final = ("pass:", "env:", "file:", "fd:")  # how openssl's -pass is told where to look
_LONGEST_NAME: Final = 60
_LONGEST_VALUE: Final = 8192
_LONG_VALUE: Final = 1024
_TELLING_SIZE: Final = 512  # as much of a value decides what it is


def assigned_secrets(text: str, signs: Signs) -> Iterator[Hit]:
    """Yield the secret values assigned in `text`, whose signs are given."""
    for keyword in KEYWORDS if signs.hold(_FIRST_SIGNS) else ():
        if places := signs.places(keyword):
            yield from _after_each(text, places)
    if signs.places(b"key"):
        yield from _after_each(text, _secret_keys(text, signs))
    if signs.beyond and any(sign in signs.beyond for sign in _FOREIGN_SIGNS):
        for foreign in _FOREIGN:
            yield from _after_each(text, (found.start() for found in re.finditer(foreign, text)))


def _secret_keys(text: str, signs: Signs) -> Iterator[int]:
    """Yield where "key" stands behind a word that makes it a secret one, or ends a variable's name (`DATADOG_KEY`)."""
    lower = signs.lower
    for found in signs.places(b"key"):
        qualifier = lower[max(0, found - _QUALIFIER_SIZE) : found].rstrip(b"_- ")
        if qualifier.endswith(_KEY_QUALIFIERS) or text.startswith("_KEY=", found - 1):
            yield found


@dataclass(frozen=True, slots=True)
class _Assignment:
    """A name, how the value is bound to it, and where the value begins, behind its opening quote if it has one."""

    name: str
    name_start: int
    sign: str  # "=", ":", ",", ">", "flag" or "prose"
    is_tight: bool
    quote: str
    start: int
    before: str

    @property
    def is_env(self) -> bool:
        """Whether it is written as environment variables are: `API_TOKEN=…`."""
        return self.sign == "=" and self.is_tight and self.name.isupper() and _ENV_NAME.search(self.before) is not None

    @property
    def is_parameter(self) -> bool:
        """Whether it is a parameter of a URL or of a command: `?api_key=…`, `--token=…`."""
        return self.sign == "=" and self.is_tight and _PARAMETER.search(self.before) is not None


def _after_each(text: str, positions: Iterable[int]) -> Iterator[Hit]:
    passed = 0
    for position in positions:
        name = _NAME.match(text, position) if position >= passed else None
        if name and (tail := _TAIL.match(text, name.end())):
            assignment = _assignment(text, name, tail.end())
            if assignment is None:
                continue
            # What stands inside a long value is not looked at again for each name in it: time stays linear.
            long_value = _BARE.match(text, assignment.start)
            if long_value and long_value.end() - assignment.start > _LONG_VALUE:
                passed = long_value.end()
            if hit := _judge(text, assignment):
                yield hit


def _assignment(text: str, name: re.Match[str], end: int) -> _Assignment | None:
    separated = _separator(text, name.start(), end)
    if separated is None:
        return None
    sign, value_start = separated
    wrap = _WRAP.match(text, value_start)
    quote = (wrap["quote"] or "") if wrap else ""
    start = wrap.end() if wrap else value_start
    before = text[max(0, name.start() - _LONGEST_NAME) : name.start()]
    tight = text[value_start - 1] in "=:"
    return _Assignment(name.group(), name.start(), sign, tight, quote, start, before)


def _separator(text: str, name_start: int, end: int) -> tuple[str, int] | None:
    """Return how a value is bound to the name that ends at `end`, and where it begins."""
    found = _SEPARATOR.match(text, end)
    if found:
        sign = found["sign"][:1]
        if sign == ":" and (typed := _TYPED.match(text, found.end())):
            return "=", typed.end()
        if sign in ",:" and "value" in text[end : end + 50] and (named := _NAMED_VALUE.match(text, end)):
            return ":", named.end()
        if sign == "," and not found["close"]:
            return None
        return (":" if sign == "：" else sign), found.end()
    if _PROSE_BEGINS.match(text, end):
        prose = _PROSE.match(text, end)
        return ("prose", prose.end()) if prose else None
    if text[end : end + 1] == " ":
        left = max(0, name_start - 40)
        beside = text[left:name_start]
        if ("-" in beside or "login" in beside) and _FLAG_BEFORE.search(beside):
            return "flag", end + 1
        if text[end + 1 : end + 2] in {"'", '"'}:  # WITH PASSWORD '…'
            return "flag", end + 1
    if "value" in text[end : end + 50] and (named := _NAMED_VALUE.match(text, end)):
        return ":", named.end()
    return None


def _judge(text: str, assignment: _Assignment) -> Hit | None:
    name = assignment.name.lower()
    before = assignment.before
    if before.endswith("[redacted:") or _NOT_ASSIGNED.search(before):
        return None
    if name.startswith("auth"):
        return _judge_authorization(text, assignment)
    value = _value(text, assignment, password=name.startswith(_PASSWORDS))
    if value is None:
        return None
    start, end = value
    if name.startswith(_PASSWORDS):
        if name == "pass" and _is_other_pass(assignment, text[start:end]):
            return None
        return Hit(start, end, "password") if _is_password(text, assignment, start, end) else None
    if name == "key" and not before.lower().encode("latin-1", "replace").rstrip(b"_- ").endswith(_KEY_QUALIFIERS):
        value_text = text[start : min(end, start + _TELLING_SIZE)]
        found = len(value_text) >= 16 and (secretness.is_hash(value_text) or secretness.is_random_token(value_text))
        return Hit(start, end, "key") if found and not _HARMLESS_KEY.search(before) else None
    family = name if name in {"secret", "key"} else "token"
    return Hit(start, end, family) if _is_token(text, assignment, start, end) else None


def _is_other_pass(assignment: _Assignment, value: str) -> bool:
    """Return whether "pass" is part of a word (compass), a verb (pass to x) or a filter's ('pass': 'bandpass')."""
    inside_word = assignment.before[-1:].isalpha() and not assignment.name[0].isupper()
    verb = assignment.sign == "prose" or (assignment.sign == "flag" and not assignment.before.endswith("-"))
    where = assignment.sign == "flag" and value.startswith(_WHERE)
    return inside_word or verb or where or value.isalpha()


def _value(text: str, assignment: _Assignment, *, password: bool) -> tuple[int, int] | None:
    """Return where the value begins and ends: up to its closing quote, or what is written in one piece."""
    start, quote = assignment.start, assignment.quote
    if quote:
        end = text.find(quote, start, start + _LONGEST_VALUE)
        if end >= 0 and text.find("\n", start, end) < 0:
            return (start, end) if end > start else None
    bare = (_BARE_PASSWORD if password and assignment.sign != "prose" else _BARE).match(text, start)
    if bare is None:
        return None
    end = bare.end()
    trailing = ".:,!?)" if assignment.sign == "prose" else ".:,"
    while end > start and text[end - 1] in trailing:
        end -= 1
    return (start, end) if end > start else None


def _is_quoted(text: str, assignment: _Assignment, end: int) -> bool:
    return bool(assignment.quote) and text.startswith(assignment.quote, end)


def _reads_as_code(text: str, assignment: _Assignment, start: int, end: int) -> bool:
    """Return whether an unquoted value is an expression: a call, an index, an attribute, a name among arguments."""
    value = text[start:end]
    following = text[end : end + 1]
    if following in {"(", "["} or "(" in value or "[" in value:
        return True
    if not secretness.is_name(value):
        return False
    if "." in value:
        return True
    in_line = following in {",", ")", ";", "}", "]"}
    beside = text[max(0, assignment.name_start - 40) : assignment.name_start]
    connection_string = assignment.sign == "=" and assignment.is_tight and following == ";" and "=" in beside
    return in_line and not connection_string


def _is_password(text: str, assignment: _Assignment, start: int, end: int) -> bool:
    value = text[start:end]
    quoted = _is_quoted(text, assignment, end)
    if assignment.sign in {"prose", ","}:
        stated = quoted or assignment.sign == "prose"
        telling = len(value) >= 6 and not value.isdigit() and (quoted or secretness.has_digit_or_sign(value))
        return stated and telling and secretness.is_password(value, quoted=quoted and assignment.sign == "prose")
    if quoted and assignment.name.lower() == "passphrase" and len(value.split()) >= 3:
        return not secretness.is_placeholder(value)
    if quoted and assignment.sign != "flag":
        return secretness.is_password(value, quoted=True)
    if assignment.sign == "flag":
        is_word = assignment.before.endswith("-") and is_own_word(text, value, None)
        return is_word or secretness.is_password(value, quoted=False)
    if _reads_as_code(text, assignment, start, end):
        return False
    if assignment.is_env and value.isalpha():
        return len(value) >= 6 and not secretness.is_placeholder(value)
    return secretness.is_password(value, quoted=assignment.is_env)


def _is_token(text: str, assignment: _Assignment, start: int, end: int) -> bool:
    value = text[start : min(end, start + _TELLING_SIZE)]
    quoted = _is_quoted(text, assignment, end)
    if assignment.sign in {"prose", ","}:
        return len(value) >= 12 and secretness.is_token(value, quoted=False)
    if assignment.sign != "flag" and not quoted and _reads_as_code(text, assignment, start, end):
        return False
    if assignment.is_env and value.isalpha() and value.islower():
        return len(value) >= 10 and not secretness.is_placeholder(value)
    stated = quoted or assignment.is_env or assignment.sign == "flag" or assignment.is_parameter
    return secretness.is_token(value, quoted=stated)


def _judge_authorization(text: str, assignment: _Assignment) -> Hit | None:
    pair = _PAIR.match(text, assignment.name_start + len(assignment.name))
    if pair:
        value = pair["value"]
        found = secretness.is_password(value, quoted=True) and not value.isalpha()
        return Hit(*pair.span("value"), "password") if found else None
    if assignment.sign in {"flag", "prose"} or (len(assignment.name) == 4 and assignment.before[-1:].isalpha()):
        return None
    scheme = _SCHEME.match(text, assignment.start)
    start = scheme.end() if scheme else assignment.start
    bare = _BARE.match(text, start)
    if bare is None or (not scheme and _reads_as_code(text, assignment, start, bare.end())):
        return None
    value = bare.group()[:_TELLING_SIZE]
    is_basic = scheme is not None and scheme.group().lower().startswith("basic")
    accepted = is_basic and secretness.is_basic_credentials(value)
    accepted = accepted or secretness.is_token(value, quoted=scheme is not None)
    return Hit(start, bare.end(), "authorization") if accepted else None
