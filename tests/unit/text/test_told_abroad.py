"""Secrets told in other languages, or between their words: the value goes, the sentence and ordinary prose stay."""

from __future__ import annotations

import pytest

from memd.text.redaction import redact

# Assembled here, so that no scanner takes this file for a leak.
MIXED = "hunt" + "er27"
SIGNED = "Tr0ub" + "4dor&x"

TOLD = """\
Passwort fürs Staging ist übrigens {}, falls du gucken willst
Passwort für staging lautet {}
das Passwort vom Server ist jetzt {}.
Passwort fürs Staging: {}
das Kennwort ist {}
das neue Passwort {}
contraseña nueva: {}
Kennwort: {}
pw fürs staging: {}
wifi 密码 是 {} ，测试的时候用
wifi密码 {}
密码现在是 {}
密码是: {}
密码改成 {} 了
账号 admin 密码 {}
账号admin，密码{}
口令 是 {}
token 是 {}
password 是 {}
api key 是 {}
la contraseña de staging es {}
la contraseña del servidor es: {}
usuario admin, contraseña {}
la clave de la bd es {}
la clave del wifi: {}
la pass es {}
le mot de passe du serveur est {}
a senha do banco é {}
la password è {}
пароль {}
пароль от сервера: {}
パスワード {}
비밀번호 {}
the wifi pass is {}
the staging password is btw {}
the password is actually {}
heslo je {}
heslo k databázi je {}
lösenordet är {}
lösenordet till servern är {}
losenord: {}
mật khẩu là {}
mật khẩu của server là {}
hasło to {}
hasło do bazy to {}
het wachtwoord voor de server is {}
adgangskoden er {}
kodeord: {}
passordet er {}
salasana on {}
a jelszó {}
parola este {}
geslo je {}
lozinka: {}
šifra je {}
парола: {}
пароль это {}
ο κωδικός είναι {}
הסיסמה היא {}
كلمة المرور: {}
पासवर्ड है {}
รหัสผ่านคือ {}
kata sandi: {}
la contrasena es {}
das Datenbankpasswort ist {}
WLAN-Passwort: {}""".splitlines()

PROSE = """\
heslo je zašifrované
heslo musí mít aspoň 12 znaků
lösenordet är fel
mật khẩu không đúng
hasło jest za krótkie
kodeordet er hashet med argon2id
salasana on väärin
the sandi config v2x is fine
parole board v2x3
kode v2x7 er fine
slow2x word order
la clave v2 es un string
das Passwort vom Server ist falsch! kannst du mal schauen
das Passwort ist loginForm.value
das Passwort ist inputField hier
密码是 userPassword 字段
Passwort Feld2
das Passwort fürs Login ist mit argon2id gehasht
Passwort-Feld in step2 ergänzen
das Kennwort ist zu kurz, mindestens 12 Zeichen
la clave es obligatoria
la clave primaria es user_id
la clave del mapa es un string
la contraseña está cifrada con bcrypt
la contraseña es SHA256
le mot de passe est haché
a senha é obrigatória
enclave v2 is fine
密码 bcrypt 加密
密码改成 8 位以上
密码字段改成 input2 组件
密码错误3次锁定
密码是加密存储的
密码 至少8位
口令 过期
令牌 JWT
token 是 JWT 格式
token 数量是 4096
password 是必填字段
пароль неверный
パスワードは必須です
비밀번호는 필수입니다
the second pass is faster2x
the pass is phase2
pass in args2 here
the password is actually stored in the vault
the password is currently hashed""".splitlines()


@pytest.mark.parametrize("sentence", TOLD)
@pytest.mark.parametrize("value", [MIXED, SIGNED])
def test_a_secret_told_in_another_language_goes_and_the_sentence_stays(sentence: str, value: str) -> None:
    redacted = redact(sentence.format(value)).text
    before, after = sentence.split("{}")

    assert redacted.startswith(before + "[redacted:")
    assert redacted.endswith("]" + after)
    assert redact(redacted).text == redacted


@pytest.mark.parametrize(
    "sentence", ["Passwort fürs Staging ist übrigens {} falls du willst", "wifi 密码 是 {} ,测试的时候用"]
)
@pytest.mark.parametrize("value", ["Lampen" + "hausQ!", "Bcyr" + "fFvKcg"])
def test_a_secret_of_letters_alone_goes_by_its_capitals(sentence: str, value: str) -> None:
    assert value not in redact(sentence.format(value)).text


@pytest.mark.parametrize("sentence", PROSE)
def test_prose_about_secrets_in_other_languages_stays(sentence: str) -> None:
    assert redact(sentence).text == sentence
    assert redact(f"这里 {sentence}\nund so weiter").text == f"这里 {sentence}\nund so weiter"


@pytest.mark.parametrize(
    "sentence",
    [
        "clave: {}",
        "la senha é {}",
        "mdp : {}",
        "Kennwort: {}",
        "haslo: {}",
        "log in as ada with {}",
        "identifiants: ada / {}",
    ],
)
@pytest.mark.parametrize(
    "around",
    ["the worker reads what is new and if it fails, it goes on for now.\n", "我们决定把连接池换掉，直接连接会超时。\n"],
)
def test_what_stands_in_the_midst_of_a_long_text_in_another_language_goes(sentence: str, around: str) -> None:
    text = around * 40 + sentence.format(MIXED) + "\n" + around * 40

    assert MIXED not in redact(text).text


@pytest.mark.parametrize("piece", ["passwort für die a ", "密码 ", "clave de la ", "password 是", "пароль от "])
def test_a_text_full_of_beginnings_is_read_once(piece: str) -> None:
    assert redact(piece * (100_000 // len(piece))).hits == ()
