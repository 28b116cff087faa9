"""Secretness: whether a value that stands where a secret could stand is one.

Placeholders, names, references to a variable, paths and prose are not; strings with no word in them are.
"""

from __future__ import annotations

import base64
import binascii
import re
from operator import add
from typing import Final

# The 160 pairs of letters that make up five in six of those in the words and names of code; of those in random letters
# they are a quarter.
_COMMON_PAIRS: Final = frozenset(
    """
    ab ac ad ag ai al am an ap ar as at au ay ba be bl ca cc ce ch ci ck cl co cr ct cu da de di do ds ea ec ed ee
    ef eg el em en ep er es et ev ex fa fi fo ge gr gs ha he hi ho ia ib ic id ie if ig il im in io ip ir is it ke
    la le li ll lo ls lt lu ma me mi mo mp na nc nd ne nf ng ni no ns nt ob oc od ol om on op or os ot ou ow pa pe
    pl po pr pt qu ra rc rd re ri rm ro rr rs rt ry sa sc se sh si so sp ss st su ta tc te th ti to tr ts tt tu ty
    ue ul um un up ur us ut va ve vi yp
    """.split()
)
_MOST_COMMON_SHARE: Final = 0.52
_LETTERS: Final = re.compile("[a-z]+")
_CHUNK: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_DIGIT: Final = re.compile("[0-9]")
_TWO_LETTERS: Final = re.compile("[A-Za-z][^A-Za-z]*[A-Za-z]")
_HEX: Final = re.compile(r"(?:0x)?(?:[0-9a-f]{7,}|[0-9A-F]{7,})")
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_NUMBERS: Final = re.compile(r"[\d.:,TZ+_/-]+|[v^~<>=]{0,2}\d{1,4}(?:\.\d{1,4})+(?:[-+.][\w.+-]{0,24})?")
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
_TEMPLATE: Final = re.compile(r"\$[{(]|\{\{|<[^<>]*>|%\(|%[sdv]|\$\w+\Z|\{\w*\}")
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
    r"(?:aws|hmac|pbkdf|argon|bcrypt|scrypt|sha|md|base|utf|iso|aes|des|rsa|ecdsa|ed|hs|rs|es|ps|cl|x|http|oauth|oidc|tls"
    r"|ssl|ipv|win|python|py|node|v|version|gpt|llama|sha3|blake|crc|o)[-_]?\d[\w.-]{0,12}",
    re.IGNORECASE,
)


def looks_random(value: str) -> bool:
    """Return whether no words make up `value`: its letters stand beside each other as they do by chance."""
    if len(set(value)) < 6 or _NUMBERS.fullmatch(value) or not _TWO_LETTERS.search(value):
        return False
    pairs = common = 0
    for letters in _LETTERS.findall(value.lower()):
        pairs += len(letters) - 1
        common += sum(map(_COMMON_PAIRS.__contains__, map(add, letters, letters[1:])))
    if pairs >= 4:
        return len(value) >= 8 and common < _MOST_COMMON_SHARE * pairs
    return len(value) >= 8 and _alternates(value)


def _alternates(value: str) -> bool:
    """Return whether letters and digits, or cases, change every few characters: at least two groups of digits."""
    if _NUMBERS.fullmatch(value):
        return False
    chunks = _CHUNK.findall(value)
    groups = sum(chunk.isdigit() for chunk in chunks)
    return groups >= 2 and _TWO_LETTERS.search(value) is not None and len("".join(chunks)) <= 3.4 * len(chunks)


def is_hash(value: str) -> bool:
    """Return whether `value` is written as a digest, a commit or a UUID is: nothing but hexadecimal digits."""
    return _HEX.fullmatch(value) is not None or _UUID.fullmatch(value) is not None


def is_placeholder(value: str) -> bool:
    """Return whether `value` stands in for a secret: a template, a reference, a word for one, or one character."""
    low = value.lower()
    if low in _NOT_SECRET or _TEMPLATE.match(value) or len(set(value.strip("\"'"))) <= 2:
        return True
    if low.startswith(_REFERENCES) or _ALGORITHM.fullmatch(value):
        return not looks_random(value)
    found = _PLACEHOLDER.search(value)
    # Long random strings hold any four letters by chance, and documented keys end in EXAMPLE.
    return found is not None and not (len(value) >= 20 and found.group().isalpha() and looks_random(value))


def is_password(value: str, *, quoted: bool) -> bool:
    """Return whether `value`, where a password is set, is one. Unquoted values must not read as code."""
    if not 4 <= len(value) <= 512 or is_placeholder(value) or any(c.isspace() for c in value):
        return False
    if has_digit_or_sign(value) or (value.isalpha() and looks_random(value)):
        return True
    return quoted and len(value) >= 6 and not _NAMES_ITSELF.search(value)


_NAMES_ITSELF: Final = re.compile("pass|pwd|secret|token|key|credential|auth", re.IGNORECASE)


def is_token(value: str, *, quoted: bool) -> bool:
    """Return whether `value`, where a token, secret or key is set, is one and not a name of something."""
    if not 8 <= len(value) <= 8192 or not _TOKEN.fullmatch(value) or is_placeholder(value):
        return False
    if is_hash(value) or (len(value) >= 10 and _alternates(value)):
        return True
    if looks_random(value) and (_DIGIT.search(value) or len(value) >= (16 if quoted else 20)):
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
        and _DIGIT.search(value) is not None
        and _TOKEN.fullmatch(value) is not None
        and not is_hash(value)
        and not is_placeholder(value)
        and looks_random(value)
    )


def has_digit_or_sign(value: str) -> bool:
    """Return whether `value` is more than letters, dots, dashes and underscores: hunter2, pa$$word."""
    return any(c.isdigit() or c in "!@#$%^&*+=?~" for c in value.rstrip("=?!"))


def is_name(value: str) -> bool:
    """Return whether `value` could be an identifier or an attribute in code, with at most two digits at its end."""
    if _IDENTIFIER.fullmatch(value.rstrip("0123456789") or "0") is None:
        return False
    return not looks_random(value) or ("." in value and not _DIGIT.search(value))


def is_basic_credentials(value: str) -> bool:
    """Return whether `value` is base64 of `user:password` (RFC 7617)."""
    try:
        decoded = base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False
    return b":" in decoded and decoded.isascii() and decoded.decode().isprintable()
