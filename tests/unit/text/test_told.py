"""Secrets told in sentences: the value goes, the sentence and ordinary prose about secrets stay."""

from __future__ import annotations

import pytest

from memd.text.redaction import redact

# Assembled here, so that no scanner takes this file for a leak.
MIXED = "hunt" + "er27"
SIGNED = "Tr0ub" + "4dor&x"
WORD = "sword" + "fish"
CASED = "Open" + "Sesame"

TOLD = [
    *(("the password is {}", value) for value in (MIXED, SIGNED, WORD, CASED, WORD.title(), MIXED + "!", WORD + "!")),
    *(("the password for the staging box is {}.", value) for value in (MIXED, WORD)),
    *(("my password: {}", value) for value in (MIXED, WORD)),
    *(("密码是 {}", value) for value in (MIXED, WORD)),
    *(("数据库密码是{}，不要写进代码", value) for value in (MIXED, SIGNED, WORD)),
    ("the password is '{}'", WORD),
    ("the password is {}", "482" + "915"),
    ("the password is {} for now", MIXED),
    ("the passphrase is {}", WORD),
    ("the passphrase is {}.", "copper lantern " + "violet harbour"),
    ("the passphrase is {}", "copper-lantern-" + "violet-harbour"),
    ("use password {} for the admin", MIXED),
    ("ssh root@box with password {}, then look", MIXED),
    ("user bob pass {}", MIXED),
    ("user bob, password {}", MIXED),
    ("token is {}", MIXED + "abc"),
    ("api key {}", MIXED + "abc9"),
    ("the api key is {}", MIXED + "abc"),
    ("secret={}", MIXED),
    ("export FOO_KEY={}", MIXED + "x"),
    ("Cookie: theme=dark; session={}", MIXED),
    ("pw {}", MIXED),
    ("pwd: {}", MIXED),
    ("login: admin / {}", MIXED),
    ("credentials: admin:{}", MIXED),
    ("the pin is {}", "47" + "11"),
    ("the PIN for the safe is {}.", "47" + "11"),
    ("das Passwort ist {}", MIXED),
    ("la contraseña es {}", MIXED),
    *(
        (f"{before} {{}}{after}", WORD)
        for before, after in (
            ("use password", " for the admin"),
            ("log in with user ada and password", ""),
            ("use the root password", "."),
            ("set the password to", ""),
            ("I changed the admin password to", ", then restarted it."),
            ("username ada password", ""),
        )
    ),
    *(
        (f"{before}{{}}{after}", WORD)
        for before, after in (
            ('use the password "', '"'),
            ("with password `", "` it works"),
            ("ssh ada@box (password ", ")"),
            ("the new password: ", ""),
            ("root password: ", "."),
            ("the db password (", ")"),
            ("changed the password to '", "'"),
        )
    ),
]

PROSE = """\
the password is stored in the vault
password reset flow
use the token is fine
the pin is 4 wide
the pin is 1024 wide
the version pin is 2024
the pin: 13
api key rotation
api key v2 endpoint
the api key is read from OPENAI_API_KEY
the API key is per-user.
secret=os.environ["SECRET"]
secret=settings.secret_v2
secret=$SECRET
new Client(secret=client_secret)
the password is wrong!
The password is P.
Password is required.
the password is not checked
the password is in 1Password
the password is too short, use 12 characters
the password is 8 characters long
the password is hashed with argon2id
the password is SHA256 hashed
the password is bcrypt-hashed
the password is encrypted/hashed
the password is case-sensitive
the password is plaintext, fix it
the password is Base64.
our password: field is missing
use password authentication for the admin
use password-based auth v2
ssh with password login disabled
the passphrase is asked for once
the passphrase is never written down
the token is valid for 3600 seconds
the token is sent as a Bearer header
the next token is EOF.
token is base64-encoded
the token is x509 based
the access token is JWT-based
the token was refreshed 3 times
token usage went from 12k to 14k
the token limit is 200000
the secret is that it caches
pass 2 of 3
user can pass arg1 to it
export SSH_KEY=~/.ssh/id_ed25519
export CACHE_KEY=deps-v12
export SORT_KEY=created_at
Cookie: session=<id>
Cookie: session=${SID}
pw is short for password
pwd: /home/ada/work
login: admin / editor / viewer
login: GET /api/v1/login2
密码是加密存储的
密码是 bcrypt 加密的
密码是 null。
use password hashers.
the new password: must have 12 characters
current password: required
enter password twice.
with password prompts
set the password to expire
reset the password to default
set the password to something.
a one-time password (TOTP) that
the password (optional)
the "password" field
a password "field".
with user name and password pairs
das Passwort ist falsch
la contraseña es obligatoria.""".splitlines()


@pytest.mark.parametrize(("sentence", "value"), TOLD)
def test_a_secret_told_in_a_sentence_goes_and_the_sentence_stays(sentence: str, value: str) -> None:
    redacted = redact(sentence.format(value)).text
    before, after = sentence.split("{}")

    assert redacted.startswith(before + "[redacted:")
    assert redacted.endswith("]" + after)
    assert redact(redacted).text == redacted


@pytest.mark.parametrize("sentence", PROSE)
def test_prose_and_code_about_secrets_stay(sentence: str) -> None:
    assert redact(sentence).text == sentence
    assert redact(f"We saw that {sentence}\nand went on.").text == f"We saw that {sentence}\nand went on."


HOSTILE = [
    "the password is ",
    "password for a ",
    "cookie: ",
    "cookie: sid=",
    "pin ",
    "login: a",
    "user a pass ",
    "api ",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_text_full_of_beginnings_is_read_once(piece: str) -> None:
    text = piece * (200_000 // len(piece))

    assert redact(redact(text).text).hits == ()
