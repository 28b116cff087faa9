"""Secretness: whether a value that stands where a secret could stand is one.

Placeholders, names, references to a variable, paths and prose are not; strings with no word in them are.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Final

_CHUNK: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_DIGIT: Final = re.compile("[0-9]")
_TWO_LETTERS: Final = re.compile("[A-Za-z][^A-Za-z]*[A-Za-z]")
_HEX: Final = re.compile(r"[0-9a-f]{7,}|[0-9A-F]{7,}")
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_NUMBERS: Final = re.compile(r"[\d.:,TZ+_/-]+")
_IDENTIFIER: Final = re.compile(r"[A-Za-z_$][\w$-]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)*")

# What begins a reference to a value kept elsewhere, a template, a path or an address.
_REFERENCES: Final = (
    *(
        "$",
        "<",
        "{",
        "[",
        "%",
        "@",
        "#",
        "&",
        "*",
        "!",
        "(",
        ")",
        "|",
        "+",
        "=",
        "/",
        "./",
        "../",
        "~/",
        "\\",
        ",",
        "…",
    ),
    *("http://", "https://", "file:", "op://", "vault:", "env:", "env.", "env(", "os.", "process.", "import.meta"),
    *("secrets.", "vars.", "var.", "local.", "data.", "config.", "self.", "this.", "ref:", "ref+", "ssm:", "arn:"),
    *("keychain:", "urn:", "projects/", "sha1-", "sha256-", "sha384-", "sha512-", "sha256:", "c:\\"),
)
_PLACEHOLDER: Final = re.compile(
    r"your|change[-_ ]?(?:me|this|it)|place[-_ ]?holder|replace[-_ ]|dummy|redacted|insert[-_ ]|goes[-_ ]here|example"
    r"|\bfake|\bsample|\btodo\b|xxxx|\*\*\*|\.\.\.|…|•|\bfoo(?:bar)?\b|\bbar\b|\bbaz\b|not[-_ ]?set|\bunset"
    r"|\$\{|\{\{|%\(|%s"
    r"|lorem|my[-_]?(?:secret|password|token|api|key)|\bs3cr3t\b$|\[redacted:",
    re.IGNORECASE,
)
_NOT_SECRET: Final = frozenset(
    """
    access admin any apikey auth authorization basic bearer bool boolean bytes byte char credential credentials csrf
    current date default deny digest disabled empty enabled enc error expired false field file guest header hidden id
    identity int integer invalid item jwt key keyring label login masked missing name new nil no none null number
    oauth object old optional owner pass passcode passphrase passwd password private prompt public pwd query random read
    refresh required root secret session str string super test testing text token true type undefined unknown user
    username value var void wrong write yes anonymous encrypted plain plaintext raw
    """.split()
)
_ALGORITHM: Final = re.compile(
    r"(?:hmac|pbkdf|argon|bcrypt|scrypt|sha|md|base|utf|iso|aes|des|rsa|ecdsa|ed|hs|rs|es|ps|cl|x|http|oauth|oidc|tls"
    r"|ssl|ipv|win|python|py|node|v|version|gpt|llama|sha3|blake|crc|o)[-_]?\d[\w.-]{0,12}",
    re.IGNORECASE,
)


def looks_random(value: str) -> bool:
    """Return whether no words make up `value`: letters of both cases and digits alternate every few characters."""
    chunks = _CHUNK.findall(value)
    size = len("".join(chunks))
    if size < 8 or len(set(value)) < 6 or _NUMBERS.fullmatch(value):
        return False
    if _DIGIT.search(value):
        return size <= 3.4 * len(chunks) and _TWO_LETTERS.search(value) is not None
    return size >= 16 and size <= 2.4 * len(chunks)


def is_hash(value: str) -> bool:
    """Return whether `value` is written as a digest, a commit or a UUID is: nothing but hexadecimal digits."""
    return _HEX.fullmatch(value) is not None or _UUID.fullmatch(value) is not None


def is_placeholder(value: str) -> bool:
    """Return whether `value` stands in for a secret: a template, a reference, a word for one, or one character."""
    low = value.lower()
    if low in _NOT_SECRET or low.startswith(_REFERENCES) or len(set(value.strip("\"'"))) <= 2:
        return True
    found = _PLACEHOLDER.search(value)
    if found is None:
        return _ALGORITHM.fullmatch(value) is not None
    # Long random strings hold any four letters by chance, and documented keys end in EXAMPLE.
    return not (len(value) >= 20 and found.group().isalpha() and looks_random(value))


def is_password(value: str, *, quoted: bool) -> bool:
    """Return whether `value`, where a password is set, is one. Unquoted values must not read as code."""
    if not 4 <= len(value) <= 512 or is_placeholder(value) or any(c.isspace() for c in value):
        return False
    if quoted:
        return not value.isalpha() or len(value) >= 6
    return has_digit_or_sign(value)


def is_token(value: str, *, quoted: bool) -> bool:
    """Return whether `value`, where a token, secret or key is set, is one and not a name of something."""
    if not 8 <= len(value) <= 8192 or not _TOKEN.fullmatch(value) or is_placeholder(value):
        return False
    if looks_random(value) or is_hash(value):
        return True
    if "/" in value or "://" in value or _NUMBERS.fullmatch(value):
        return False
    if any(c.isdigit() for c in value):
        return quoted
    return quoted and len(value) >= 20 and value.isalpha() and (value.islower() or value.isupper())


_TOKEN: Final = re.compile(r"[\w\-./+=~:%@!#$&?^*]+")


def is_random_token(value: str) -> bool:
    """Return whether `value` would be taken for a key by anyone, whatever it is called."""
    return (
        len(value) >= 16
        and _TOKEN.fullmatch(value) is not None
        and not is_hash(value)
        and not is_placeholder(value)
        and looks_random(value)
    )


def has_digit_or_sign(value: str) -> bool:
    """Return whether `value` is more than letters, dots, dashes and underscores: hunter2, pa$$word."""
    return any(c.isdigit() or c in "!@#$%^&*+=?~" for c in value)


def is_name(value: str) -> bool:
    """Return whether `value` could be an identifier or an attribute in code, with at most two digits at its end."""
    return _IDENTIFIER.fullmatch(value.rstrip("0123456789") or "0") is not None and not looks_random(value)


def is_basic_credentials(value: str) -> bool:
    """Return whether `value` is base64 of `user:password` (RFC 7617)."""
    try:
        decoded = base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False
    return b":" in decoded and decoded.isascii() and decoded.decode().isprintable()
