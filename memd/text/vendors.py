"""Vendors: the keys whose maker can be told from how they are written.

Each shape is a prefix and what follows it, as the vendors document them and as their keys are seen; lengths are lower
bounds, since vendors lengthen their keys. All of them hold a run of at least 16 letters, digits, dashes and
underscores, which is how they are come upon.
"""

from __future__ import annotations

import re
import string
from typing import Final

_HEX: Final = r"[0-9a-f]"
_ALNUM: Final = r"[A-Za-z0-9]"
_WITH_DIGIT: Final = r"(?=[A-Za-z_-]*\d)"

SHAPES: Final[tuple[tuple[str, str, str], ...]] = (
    ("anthropic", "sk-ant-", r"[\w-]{16,}"),
    ("openai", "sk-", r"(?:proj|svcacct|admin|or-v1|or|None|live|test|lf)-[\w-]{16,}"),
    ("openai", "sk-", _ALNUM + r"{20,}[\w-]*"),
    ("openai", "sk-", _WITH_DIGIT + r"[A-Za-z0-9][\w-]{20,}"),
    ("openai", "sess-", _ALNUM + r"{36,}"),
    ("stripe", "sk_", r"(?:live|test|prod)_\w{10,}"),
    ("stripe", "rk_", r"(?:live|test|prod)_\w{10,}"),
    ("stripe", "whsec_", r"[A-Za-z0-9+/=]{16,}"),
    ("elevenlabs", "sk_", _HEX + r"{32,}"),
    ("github", "gh", r"[a-z]_[A-Za-z0-9]{16,}"),
    ("github", "github_pat_", r"\w{16,}"),
    ("gitlab", "gl", r"[a-z]{2,5}-" + _WITH_DIGIT + r"[\w-]{16,}(?:\.[\w.]+)?"),
    ("gitlab", "gl", r"[a-z]{2,5}-\w{20,}"),
    ("gitlab", "GR1348941", r"[\w-]{16,}"),
    ("slack", "xox", r"[a-z](?:\.xox[a-z])?-[\w-]{10,}"),
    ("slack", "xapp-", r"[\w-]{16,}"),
    ("google", "AIza", r"[\w-]{30,}"),
    ("google", "APA91b", r"[\w-]{100,}"),
    ("google", "GOCSPX-", r"[\w-]{16,}"),
    *(("aws", prefix, r"[A-Z0-9]{16}(?![A-Za-z0-9])") for prefix in ("AKIA", "ASIA", "ABIA", "ACCA")),
    ("aws", "ABSK", r"[A-Za-z0-9+/]{60,}=*"),
    ("npm", "npm_", _ALNUM + r"{20,}"),
    ("pypi", "pypi-", _WITH_DIGIT + r"[\w-]{16,}"),
    ("twilio", "SK", _HEX + r"{32}(?![A-Za-z0-9])"),
    ("twilio", "AC", _HEX + r"{32}(?![A-Za-z0-9])"),
    ("huggingface", "hf_", _ALNUM + r"{20,}"),
    ("huggingface", "api_org_", _ALNUM + r"{20,}"),
    ("digitalocean", "do", r"[a-z]_v\d_[0-9a-f]{32,}"),
    ("databricks", "dapi", _HEX + r"{32}(?:-\d)?"),
    ("shopify", "shp", r"[a-z]{2}_[0-9a-fA-F]{32}"),
    ("linear", "lin_", r"[a-z]+_\w{20,}"),
    ("notion", "secret_", _ALNUM + r"{32,}"),
    ("notion", "ntn_", _ALNUM + r"{30,}"),
    ("brevo", "xkeysib-", r"[\w-]{30,}"),
    ("brevo", "xsmtpsib-", r"[\w-]{30,}"),
    ("mailgun", "key-", _HEX + r"{32}(?![A-Za-z0-9])"),
    ("square", "sq0", r"[a-z]{3}-[\w-]{20,}"),
    ("square", "EAAA", r"[\w-]{56,}"),
    ("facebook", "EAA", _ALNUM + r"{60,}"),
    ("grafana", "glsa_", r"[\w+/=]{20,}"),
    ("grafana", "glc_", r"[\w+/=]{20,}"),
    ("pulumi", "pul-", _HEX + r"{40}"),
    ("planetscale", "pscale_", r"[a-z]+_[\w.-]{20,}"),
    ("supabase", "sbp_", _HEX + r"{40}"),
    ("supabase", "sb_secret_", r"[\w-]{20,}"),
    ("netlify", "nfp_", _ALNUM + r"{30,}"),
    ("vercel", "vc", r"[a-z]_[A-Za-z0-9]{20,}"),
    ("groq", "gsk_", _ALNUM + r"{30,}"),
    ("voyage", "pa-", _WITH_DIGIT + r"[A-Za-z0-9_-]{43}(?![\w-])"),
    ("xai", "xai-", _ALNUM + r"{30,}"),
    ("perplexity", "pplx-", _ALNUM + r"{30,}"),
    ("replicate", "r8_", _ALNUM + r"{30,}"),
    ("nvidia", "nvapi-", r"[\w-]{40,}"),
    ("figma", "fig", r"[a-z]{1,2}_[\w-]{30,}"),
    ("newrelic", "NR", r"[A-Z]{2}-[A-Za-z0-9-]{20,}"),
    ("sentry", "sntry", r"[a-z]_[\w+/=-]{30,}"),
    ("posthog", "phx_", _ALNUM + r"{30,}"),
    ("postman", "PMAK-", r"[0-9a-f]{20,}-[0-9a-f]{30,}"),
    ("rubygems", "rubygems_", _HEX + r"{40,}"),
    ("nuget", "oy2", r"[a-z0-9]{43}(?!\w)"),
    ("cratesio", "cio", _ALNUM + r"{32}(?!\w)"),
    ("docker", "dckr_", r"[a-z]+_[\w-]{20,}"),
    ("age", "AGE-SECRET-KEY-1", r"[A-Z0-9]{40,}"),
    ("atlassian", "AT", r"(?:ATT|CTT|STT)3[\w=-]{30,}"),
    ("atlassian", "ATBB", r"(?=[A-Za-z]*\d)[A-Za-z0-9]{20,}"),
    ("buildkite", "bk", r"[a-z]{2}_[0-9a-f]{30,}"),
    ("circleci", "CCI", r"[A-Z]{3}_\w{20,}"),
    ("heroku", "HRKU-", r"[\w-]{30,}"),
    ("tailscale", "tskey-", r"[a-z]+-[\w-]{16,}"),
    ("1password", "ops_eyJ", r"[\w+/=-]{40,}"),
    ("1password", "A3-", r"[A-Z0-9]{6}-[A-Z0-9-]{26,}"),
    ("alibaba", "LTAI", r"(?=[A-Za-z]*\d)[A-Za-z0-9]{12,24}(?!\w)"),
    ("tencent", "AKID", r"(?=[A-Za-z]*\d)[A-Za-z0-9]{20,}"),
    ("yandex", "AQVN", r"[\w-]{30,}"),
    ("razorpay", "rzp_", r"(?:live|test)_\w{10,}"),
    ("flutterwave", "FLWSECK", r"[\w-]{16,}"),
    ("contentful", "CFPAT-", r"[\w-]{30,}"),
    ("resend", "re_", r"(?=[A-Za-z]*\d)[A-Za-z0-9]{6,}_[A-Za-z0-9]{16,}"),
    ("langsmith", "lsv2_", r"[a-z]+_\w{30,}"),
    ("pinecone", "pcsk_", r"\w{30,}"),
    ("e2b", "e2b_", _HEX + r"{30,}"),
    ("jina", "jina_", r"[\w-]{40,}"),
    ("tavily", "tvly-", r"[\w-]{20,}"),
    ("firecrawl", "fc-", _HEX + r"{32}"),
    ("sourcegraph", "sgp_", r"\w{40,}"),
    ("shippo", "shippo_", r"(?:live|test)_[0-9a-f]{30,}"),
    ("easypost", "EZ", r"[AT]K[A-Za-z0-9]{50,}"),
    ("fly", "fo1_", r"[\w-]{30,}"),
    ("fly", "fm", r"[12][a-z]?_[\w+/=-]{40,}"),
    ("plaid", "access-", r"(?:production|development|sandbox)-[0-9a-f-]{36}"),
    ("duffel", "duffel_", r"(?:live|test)_[\w-]{30,}"),
)
"""(vendor, how its keys begin, what follows)."""


def _by_beginning() -> dict[str, list[tuple[str, re.Pattern[str]]]]:
    shapes: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
    for vendor, prefix, body in SHAPES:
        shape = re.compile(prefix + body)
        for third in string.ascii_letters + string.digits if len(prefix) == 2 else prefix[2]:
            shapes.setdefault(prefix[:2] + third, []).append((vendor, shape))
    return shapes


SHAPES_BY_BEGINNING: Final = _by_beginning()
"""The shapes by the first three characters of the keys they fit."""

_SEPARATOR: Final = re.compile("[-_]+")
_MAILCHIMP: Final = re.compile(r"[0-9a-f]{32}-us\d{1,2}(?!\w)")

# Keys in several parts with dots between them, from their first long part on.
_IN_PARTS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    ("jwt", re.compile(r"eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3}")),
    ("discord", re.compile(r"[MNO][A-Za-z\d][\w-]{21,26}\.[\w-]{6,7}\.[\w-]{27,}")),
    ("airtable", re.compile(r"pat[A-Za-z0-9]{14}\.[0-9a-f]{40,}")),
)

# Keys told by what stands directly before their first long part.
_AFTER: Final[tuple[tuple[str, str, re.Pattern[str]], ...]] = (
    ("sendgrid", "SG.", re.compile(r"[\w-]{16,}\.[\w-]{16,}")),
    ("google", "ya29.", re.compile(r"[\w.-]{16,}")),
    ("google", "1//", re.compile(r"0[\w-]{20,}")),
    ("vault", "hvs.", re.compile(r"[\w-]{16,}")),
    ("vault", "hvb.", re.compile(r"[\w-]{16,}")),
    ("vault", "hvr.", re.compile(r"[\w-]{16,}")),
    ("dropbox", "sl.", re.compile(r"(?=[\w-]*\d)[\w-]{40,}")),
    ("doppler", "dp.pt.", re.compile(r"[\w.-]{16,}")),
    ("doppler", "dp.st.", re.compile(r"[\w.-]{16,}")),
    ("doppler", "dp.ct.", re.compile(r"[\w.-]{16,}")),
    ("doppler", "dp.sa.", re.compile(r"[\w.-]{16,}")),
    ("terraform", ".atlasv1.", re.compile(r"[\w-]{16,}")),
    ("dynatrace", "dt0c01.", re.compile(r"[\w.-]{30,}")),
    ("cloudflare", "v1.", re.compile(r"0-[0-9a-f]{24}-[0-9a-f]{100,}")),
    ("azure", "Q~", re.compile(r"[\w.~-]{24,}")),
)
_AFTER_ENDINGS: Final = tuple(ending for _, ending, _ in _AFTER)
_LONGEST_ENDING: Final = 12
_LONGEST_ADDRESS: Final = 80

_JWK_BEFORE: Final = re.compile(r"\"(?:d|p|q|dp|dq|qi|k)\"\s?:\s?\"\Z")
_TELEGRAM_BEFORE: Final = re.compile(r"(?<!\d)\d{8,10}:\Z")
# Whoever has the address of a webhook may write there: what stands last in it is a secret, be it a UUID.
_WEBHOOK_BEFORE: Final = re.compile(
    r"(?:(?:hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)|/api/webhooks|/IncomingWebhook)/(?:[\w-]+/){0,3}"
    r"|/open-apis/bot/(?:v\d/)?hook/|/cgi-bin/webhook/send\?key=|//hook\.(?:\w+\.)?make\.com/|/with/key/"
    r"|//hc-ping\.com/|//sctapi\.ftqq\.com/|//[\w.:-]+/hooks/[\da-f]{24}/)\Z"
)
_WEBHOOK_SIGNS: Final = ("ook", "/with/key/", "hc-ping.com/", ".ftqq.com/")
"""One of these stands in whatever `_WEBHOOK_BEFORE` fits; looked for first, as paths and ids are many."""


def ends_a_webhook(text: str, start: int) -> bool:
    """Return whether what begins at `start` is the secret part of a webhook's address. Cheap."""
    if text[start - 1 : start] not in ("/", "="):
        return False
    before = text[max(0, start - _LONGEST_ADDRESS) : start]
    return any(sign in before for sign in _WEBHOOK_SIGNS) and _WEBHOOK_BEFORE.search(before) is not None


def follows_a_beginning(text: str, start: int) -> bool:
    """Return whether what stands directly before `start` makes a key of what follows, digits in it or not. Cheap."""
    if text[start - 1 : start] in (".", "~"):
        return text[max(0, start - _LONGEST_ENDING) : start].endswith(_AFTER_ENDINGS)
    return ends_a_webhook(text, start)


def fits_whole(key: str) -> str | None:
    """Return the vendor whose shape fits all of a string, None when it is nobody's or more than a key."""
    for vendor, shape in SHAPES_BY_BEGINNING.get(key[:3], ()):
        if shape.fullmatch(key):
            return vendor
    for vendor, shape in _IN_PARTS:
        if shape.fullmatch(key):
            return vendor
    for vendor, beginning, shape in _AFTER:
        if key.startswith(beginning) and shape.fullmatch(key, len(beginning)):
            return vendor
    return None


def find_vendor_key(text: str, start: int, end: int) -> tuple[int, int, str] | None:
    """Return (start, end, vendor) of the key in or around the run of word characters and dashes at `start:end`."""
    if text[end : end + 1] == ".":
        for vendor, shape in _IN_PARTS:
            if found := shape.match(text, start):
                return start, found.end(), vendor
    before = text[max(0, start - _LONGEST_ENDING) : start]
    if before.endswith(_AFTER_ENDINGS):
        for vendor, ending, shape in _AFTER:
            if before.endswith(ending) and (found := shape.match(text, start)):
                return start - len(ending), found.end(), vendor
    if shaped := _find_shape(text, start, end):
        return shaped
    if before.endswith('"') and _JWK_BEFORE.search(before) and '"kty"' in text[max(0, start - 2000) : end + 2000]:
        return start, end, "jwk"
    return _find_after_address(text, start, end)


def _find_shape(text: str, start: int, end: int) -> tuple[int, int, str] | None:
    """Return the key that a shape fits, from the start of the run or after a separator in it (`KEY-ghp_…`)."""
    escape = text[start - 1 : start] == "\\" and text[start] in "nrt"  # a line end in a JSON string
    beginnings = [start + escape, *(separator.end() for separator in _SEPARATOR.finditer(text, start, end - 12))]
    for beginning in beginnings:
        for vendor, shape in SHAPES_BY_BEGINNING.get(text[beginning : beginning + 3], ()):
            if found := shape.match(text, beginning):
                return beginning, found.end(), vendor
    if found := _MAILCHIMP.match(text, start):
        return start, found.end(), "mailchimp"
    return None


def _find_after_address(text: str, start: int, end: int) -> tuple[int, int, str] | None:
    """Return the bot token after its number, or the secret part of a webhook's address."""
    left = max(0, start - _LONGEST_ADDRESS)
    if text[start - 1 : start] == ":" and end - start >= 30 and (found := _TELEGRAM_BEFORE.search(text, left, start)):
        return found.start(), end, "telegram"
    return (start, end, "webhook") if ends_a_webhook(text, start) else None
