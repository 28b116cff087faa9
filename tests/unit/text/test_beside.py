"""Passwords before their name, below it and in tables: the value goes, and what only looks like one stays."""

from __future__ import annotations

import pytest

from memd.text.redaction import redact

# Assembled here, so that no scanner takes this file for a leak.
MIXED = "hunt" + "er27"
ANY = "Kx9" + "mmQ2z"
WORD = "sword" + "fish"

TOLD = """\
use {} as the password
use {} as password for the admin
we use {} as the root password.
with {} as the password it works
{} is the root password
`{}` is the password for staging
the password I use is {}
password (temporary): {}
Password → {}
password -> {}
- **Password:** {}
- **Password**: `{}`
**Password** — {}
| user | ada |\\n| password | {} |
| **Password** | `{}` |
| user | password |\\n|------|----------|\\n| ada | {} |
| host | password | port |\\n|:---|---|---:|\\n| db1 | {} | 5432 |
username,password\\nada,{}
user\\tpassword\\nada\\t{}
Password:\\n{}
the password:\\n\\n{}
Password:\\n\\n```\\n{}\\n```
Your password is:\\n{}
Passwort:\\n{}
| contraseña | {} |
密码：\\n{}
ada:{}@10.0.0.5
connect to ada:{}@db:5432/shop
ada:{}@host.internal""".splitlines()

WORDS = """\
use {} as the password
we use {} as the root password.
`{}` is the password for staging
- **Password**: `{}`
| user | password |\\n|------|----------|\\n| ada | {} |
username,password\\nada,{}
Your password is:\\n{}
Password:\\n\\n```\\n{}\\n```""".splitlines()

OTHERS = """\
use argon2id as the password hasher
use bcrypt12 as the password hash
use email as the password field
What is the password?
this is the password
sha256 is the password digest
set 2fa as the password policy
| password | string | required |
| password | varchar2 | not null |
| password | `string` | the one to log in with |
| Password | Description |\\n|---|---|\\n| required | yes |
| field | password |\\n|---|---|\\n| type | string |
name,password\\nada,required
user,password = read2(line)
Password:\\nWelcome to the machine
Password:\\nrepeat_password:
password:\\n  required: true
password:\\n  type: string2x
**Password:** required
Password -> settings.py
ada:v2@sha256:9fceb02d0ae598e95dc970b74767f19372d61af8
image:v1.20@10.2
mailto:ada99lovelace@db:5432
node:lts2024@17.3.1
git@host.internal:ada/engine2.git""".splitlines()


@pytest.mark.parametrize("text", TOLD)
@pytest.mark.parametrize("value", [MIXED, ANY])
def test_a_password_beside_its_name_goes_and_the_rest_stays(text: str, value: str) -> None:
    before, after = text.replace("\\n", "\n").replace("\\t", "\t").split("{}")
    redacted = redact(before + value + after).text

    assert value not in redacted
    assert redacted.startswith(f"{before}[redacted:")
    assert redacted.endswith(f"]{after}")
    assert redact(redacted).text == redacted


@pytest.mark.parametrize("text", WORDS)
def test_a_plain_word_goes_where_it_can_be_nothing_else(text: str) -> None:
    assert WORD not in redact(text.replace("\\n", "\n").replace("{}", WORD)).text


@pytest.mark.parametrize("text", OTHERS)
def test_what_only_stands_beside_the_word_stays(text: str) -> None:
    text = text.replace("\\n", "\n")
    assert redact(text).text == text


@pytest.mark.parametrize(
    "piece", ["a as the password ", "| password ", "a,password\n", "password:\n", "a:b2c3d4@h:22 "]
)
def test_a_text_full_of_beginnings_is_read_once(piece: str) -> None:
    assert redact(redact(piece * (100_000 // len(piece))).text).hits == redact("").hits
