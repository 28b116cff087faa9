"""Addresses: passwords in URLs, and e-mail addresses of people.

An address is a person's unless it is a machine's (`git@host`, `noreply@`), reserved for documentation (example.com,
RFC 2606), a remote of ssh, or part of a URL.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memd.text import secretness
from memd.text.assignments import Hit
from memd.text.telling import looks_made_up

if TYPE_CHECKING:
    from collections.abc import Iterator

# From "://" to the "@": the password ends at the last one before the host.
_CREDENTIALS: Final = re.compile(r"://(?P<user>[^\s/?#:@\"'`<>|\\]{0,128})(?::(?P<password>[^\s\"'`<>|\\]{1,512}))?@\Z")
_PORT_AND_PATH: Final = re.compile(r"\d{1,5}/|[^@]*[/?#]")
_DATABASE: Final = re.compile(r"(?:postgres(?:ql)?|mysql|mariadb|mongodb|redis|rediss|amqps?|mssql|sqlserver)[\w+]*\Z")
_DOCUMENTED: Final = frozenset(
    ["password", "pass", "passwd", "pwd", "pw", "secret", "token", "user", "username", "key", "apikey", "p", "x"]
)
_LOCAL_BACKWARDS: Final = re.compile(r"[A-Za-z0-9._%+-]{1,64}")
_DOMAIN: Final = re.compile(
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,6}(?P<top>[A-Za-z]{2,12})(?![\w-]|\.\w)"
)
_TOP: Final = frozenset(
    [
        *("com", "org", "net", "edu", "gov", "mil", "int", "info", "biz", "name", "dev", "app", "tech", "cloud", "xyz"),
        *(
            "online",
            "site",
            "shop",
            "store",
            "blog",
            "page",
            "work",
            "works",
            "systems",
            "software",
            "studio",
            "design",
        ),
        *("agency", "digital", "company", "email", "world", "today", "live", "team", "group", "network", "solutions"),
        *("berlin", "london", "engineering", "consulting", "services", "academy", "health", "bank", "capital", "news"),
    ]
)
# Endings of two letters that are not countries' but files' and attributes'.
_NOT_TOP: Final = frozenset(
    ["py", "js", "ts", "md", "rs", "go", "rb", "cs", "sh", "so", "gz", "ex", "hs", "kt", "vb", "pl"]
)
_MACHINE: Final = re.compile(
    r"(?:git|hg|svn|no-?reply|do-?not-?reply|mailer-daemon|postmaster|root|[\w.+-]*no-?reply)\Z", re.IGNORECASE
)
_RESERVED: Final = re.compile(
    r"(?:.*\.)?(?:example\.(?:com|org|net|edu)|[\w-]+\.(?:test|example|invalid|localhost|local)|users\.noreply\.github\.com"
    r"|domain\.com|yourdomain\.com|email\.com|test\.com|foo\.com|bar\.com|acme\.com)\Z",
    re.IGNORECASE,
)
_LONGEST_CREDENTIALS: Final = 700
# ada:…@10.0.0.5, root:…@db:5432/shop, ada:…@host.internal; a digest (`@sha256:…`) and a version (`@1.2.3`) are none.
_LOGIN: Final = re.compile(
    r"(?<![\w./:@-])(?P<user>[A-Za-z][\w.-]{0,63}):(?P<password>[^\s/:@\"'`<>|\\,()\[\]{}]{4,128})\Z"
)
_LONGEST_LOGIN: Final = 200
_HOST: Final = re.compile(
    r"(?!sha\d)(?:(?:\d{1,3}\.){3}\d{1,3}(?![\w.])|localhost\b|[A-Za-z][\w-]{0,62}(?:\.[A-Za-z0-9][\w-]{0,62}){0,5}:\d{2,5}\b"
    r"|(?:[A-Za-z0-9][\w-]{0,62}\.){1,5}[A-Za-z]{2,12}(?![\w-]))"
)
_NO_USERS: Final = frozenset(
    ["mailto", "email", "mail", "from", "to", "cc", "bcc", "sip", "xmpp", "acct", "npm", "image"]
)


def address_secrets(text: str) -> Iterator[Hit]:
    """Yield the passwords in URLs and the e-mail addresses in `text`."""
    at = text.find("@")
    while at >= 0:
        hit = _url_password(text, at) or _login(text, at) or _email(text, at)
        if hit:
            yield hit
        at = text.find("@", at + 1)


def _url_password(text: str, at: int) -> Hit | None:
    start = text.rfind("://", max(0, at - _LONGEST_CREDENTIALS), at)
    if start < 0 or text.find("[redacted:", start, at) >= 0:
        return None
    found = _CREDENTIALS.match(text, start, at + 1)
    if found is None:
        return None
    name = "password" if found["password"] is not None else "user"
    value = found[name]
    if name == "user":
        taken = secretness.is_random_token(value) or (len(value) >= 32 and secretness.is_hash(value))
        return Hit(*found.span(name), "url-password") if taken else None
    scheme = text[max(0, start - 20) : start].lower()
    if _PORT_AND_PATH.match(value) and not _DATABASE.search(scheme):
        return None
    if (
        value.lower() in _DOCUMENTED
        or len(value) < 2
        or (secretness.is_placeholder(value) and (value[0] not in "!#&+=*" or set(value) == {"*"}))
    ):
        return None
    return Hit(*found.span(name), "url-password", rank=2)


def _login(text: str, at: int) -> Hit | None:
    """Return the password in `ada:…@host`, which no scheme is written before."""
    if not _HOST.match(text, at + 1):
        return None
    found = _LOGIN.search(text, max(0, at - _LONGEST_LOGIN), at)
    if found is None or found["user"].lower() in _NO_USERS or not looks_made_up(found["password"]):
        return None
    return Hit(*found.span("password"), "url-password", rank=2)


def _email(text: str, at: int) -> Hit | None:
    domain = _DOMAIN.match(text, at + 1)
    if domain is None:
        return None
    top = domain["top"].lower()
    if (top not in _TOP and (len(top) != 2 or top in _NOT_TOP)) or _RESERVED.match(domain.group()):
        return None
    backwards = _LOCAL_BACKWARDS.match(text[max(0, at - 65) : at][::-1])
    if backwards is None:
        return None
    local = backwards.group()[::-1].lstrip(".-")
    start = at - len(local)
    following = text[domain.end() : domain.end() + 2]
    remote = (following[:1] == ":" and (following[1:].isalnum() or following[1:] in {"/", "~", "."})) or text[
        max(0, start - 2) : start
    ] == "//"
    if not local or remote or _MACHINE.match(local) or not any(c.isalpha() for c in local):
        return None
    return Hit(start, domain.end(), "email", rank=0)
