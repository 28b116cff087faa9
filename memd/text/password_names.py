"""Names of passwords: the words for one in some thirty languages, and where they stand in a text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memd.text.signs import Signs


class Name(NamedTuple):
    """A word for a password at `start:end`; `is_sure` where it means nothing else."""

    start: int
    end: int
    is_sure: bool


# What is written in ASCII, but for a letter or two that the stand-in of a text has as well: the sign, where in the name
# it stands, and the name. Those of the second table mean other things, too.
_SURE: Final = (
    (b"kennw", 0, r"kennw[oö]rt(?:er|e?s)?"),
    (b"pass", 0, r"pass(?:w[oö]rt(?:er|e?s)?|ord(?:et)?)"),
    (b"contrasen", 0, r"contrasen(?:a|ya)s?"),
    (b"woord", 5, r"wachtwoord(?:en)?"),
    (b"senord", 2, r"l[oö]senord(?:et)?"),
    (b"kode", 7, r"adgangskoden?"),
    (b"kode", 0, r"kodeord(?:et)?"),
    (b"jelsz", 0, r"jelsz(?:[oó]t?|ava|avunk)"),
    (b"salasana", 0, r"salasana(?: on)?"),
    (b"lozink", 0, r"lozink[aeui]"),
    (b"slo", 2, r"(?:heslo|hesla|haslo|hasla|geslo|gesla)"),
    (b"khau", 4, r"mat khau"),
    (b"sandi", 5, r"kata sandi(?:nya)?"),
)
_OTHERS: Final = (
    (b"pass", 0, r"(?:(?<=mot de )passe|(?<=palavra[- ])passe|pass(?:word|wd|phrase|code)?)"),
    *(
        (b"pw", 0, r"pwd?"),
        (b"senha", 0, r"senhas?"),
        (b"clave", 0, r"clave"),
        (b"mdp", 0, r"mdp"),
        (b"psw", 0, r"psw"),
    ),
    *((b"parol", 0, r"parol[ae]"), (b"sifr", 0, r"sifr(?:a|e(?:si|m|miz|niz)?)"), (b"sandi", 0, r"sandi(?:nya)?")),
)
_ENDS: Final = r"(?![A-Za-z0-9_])"
_BY_SIGN: Final = {
    sign: tuple(
        (before, re.compile(name + _ENDS, re.IGNORECASE), table is _SURE)
        for table in (_SURE, _OTHERS)
        for other, before, name in table
        if other == sign
    )
    for sign, *_ in (*_SURE, *_OTHERS)
}
SIGNS: Final = frozenset(_BY_SIGN)
_NOT_BEFORE: Final = re.compile(r"[A-Za-z0-9_-]\Z")
_COMPOUND: Final = re.compile(r"[^\W\d_]-?\Z")
_COMPOUNDS: Final = ("passw", "kennw", "wacht", "lös", "los", "adgan", "jels", "salas", "passo")

# What is not: names in their own script, and those in Latin letters that hold one of another alphabet.
_BEYOND_SIGNS: Final = re.compile("[ñпПлşŞłšậẩκסكرपร密口パ証비]")
_BEYOND: Final = re.compile(
    r"(?:(?:contrase[nñ]as?|парол[ьяеюи]|парола|лозинк[аеу]|[sş]ifre(?:si|miz|niz|m)?|has[lł][oa]|šifra|mật khẩu"
    r"|κωδικ(?:ός|ό|ού)(?: πρόσβασης)?|ה?סיסמ(?:ה|ת|א)|كلمة (?:المرور|السر)|رمز عبور)(?!\w)"
    r"|पासवर्ड|รหัสผ่าน|密[码碼]|口令|パスワード|暗証番号|비밀번호|비번)",
    re.IGNORECASE,
)


def password_names(text: str, signs: Signs) -> Iterator[Name]:
    """Yield the words for a password in `text`, whose signs are given; each once for each name that fits there."""
    for sign in signs.held(SIGNS):
        for place in signs.places(sign):
            for before, name, is_sure in _BY_SIGN[sign]:
                start = place - before
                if start >= 0 and (found := name.match(text, start)) and _stands_apart(text, found):
                    yield Name(start, found.end(), is_sure)
    if signs.beyond and _BEYOND_SIGNS.search(signs.beyond):
        for found in _BEYOND.finditer(text):
            if _stands_apart(text, found):
                yield Name(*found.span(), is_sure=True)


def _stands_apart(text: str, name: re.Match[str]) -> bool:
    start = name.start()
    word = name[0].lower()
    if word == "passe" or not _NOT_BEFORE.search(text, max(0, start - 1), start):
        return True
    is_joined = word.startswith(_COMPOUNDS) and not word.startswith("password")
    return is_joined and _COMPOUND.search(text, max(0, start - 2), start) is not None
