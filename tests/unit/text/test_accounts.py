"""Short forms: a name and a password, or a user and a password, in the few words of a chat, in many languages."""

from __future__ import annotations

import pytest

from memd.text.redaction import redact

# Assembled here, so that no scanner takes this file for a leak.
VALUES = ("hunt" + "er27", "Tr0ub" + "4dor&x", "k9$" + "Lm!q2", "gr33n" + "Boat!")

TOLD = """\
creds: admin {}
creds: admin / {}
creds admin/{}
creds are admin / {}
credentials: admin {}
credentials for staging: admin / {}
staging creds: ada / {}
here are the creds: ada / {}
login with ada / {}
login as ada / {}
log in with ada / {}
log in as admin with {}
logged in with ada/{} and it works
you can log in with ada:{}
login as ada with password {}
sign in with ada / {}
login: ada {}
login ada / {}
login = ada / {}
root pw = {}
pw = {}
pw={}
root pw: {}
root pw {}
the pw = {}
admin pass = {}
admin pass: {}
pass: {}
pwd = {}
passwd: {}
db password = {}
user ada, pw {}
user: ada pw: {}
user=ada pw={}
username: ada, pass: {}
ada's pw: {}
wifi pw {}
wlan pw: {}
Zugangsdaten: admin / {}
Zugangsdaten: admin {}
Zugangsdaten sind admin / {}
die Zugangsdaten fürs Staging: admin / {}
Anmeldedaten: ada / {}
Logindaten: ada / {}
einloggen mit ada / {}
PW: {}
Kennwort {}
Benutzer ada, Passwort {}
Benutzer: ada Passwort: {}
Admin-Passwort: {}
mdp: {}
mdp : {}
mdp = {}
le mdp est {}
le mdp c'est {}
mdp {}
mdp root : {}
mot de passe : {}
mot de passe {}
identifiants : admin / {}
identifiants: admin {}
identifiant ada mot de passe {}
identifiant : ada, mdp : {}
clave {}
clave: {}
clave = {}
la clave: {}
usuario ada clave {}
usuario: ada clave: {}
credenciales: admin / {}
credenciales: admin {}
contraseña {}
contraseña: {}
senha: {}
senha {}
senha = {}
a senha é {}
usuário ada senha {}
usuario ada, senha: {}
login ada senha {}
credenciais: admin / {}
password {}
credenziali: admin / {}
credenziali: admin {}
utente ada password {}
utente: ada, password: {}
psw: {}
la psw è {}
şifre: {}
şifre {}
sifre: {}
parola: {}
parola {}
kullanıcı adı ada şifre {}
kullanıcı: ada şifre: {}
kullanıcı adı: ada, parola: {}
giriş: ada / {}
wachtwoord: {}
wachtwoord {}
wachtwoord = {}
het wachtwoord is {}
gebruiker ada wachtwoord {}
gebruikersnaam: ada, wachtwoord: {}
inloggegevens: admin / {}
inloggen met ada / {}
hasło: {}
hasło {}
haslo: {}
hasło to {}
login ada hasło {}
login: ada hasło: {}
dane logowania: admin / {}
dane do logowania: admin / {}
пароль: {}
пароль {}
пароль - {}
пароль = {}
логин ada пароль {}
логин: ada пароль: {}
логин: ada, пароль: {}
логин/пароль: ada / {}
логин ada / {}
доступы: ada / {}
учётка: ada / {}
креды: ada {}
管理员账号admin/{}
管理员账号 admin/{}
管理员账号：admin/{}
账号admin密码{}
账号：admin 密码：{}
账号密码：admin/{}
账号密码 admin {}
账密：admin/{}
帐号 admin，密码 {}
用户名admin密码{}
用户名：admin，口令：{}
用户名/密码：admin/{}
用 admin/{} 登录
登录账号 admin / {}
密码={}
密码:{}
密码：{}
密码为{}
pwd：{}
root密码{}
root 密码: {}
密碼：{}
帳號admin/{}
帳號 admin 密碼 {}
アカウント: admin / {}
アカウントは admin / {}
ログイン: admin / {}
ログイン情報：admin/{}
ID: admin / パスワード: {}
IDはadmin、パスワードは{}
ユーザー admin パスワード {}
ユーザー名: admin、パスワード: {}
パスワード：{}
パスワードは{}です
パス: {}
パスは{}
admin/{}でログイン
계정 admin / {}
계정: admin/{}
계정은 admin / {}
아이디 admin 비번 {}
아이디: admin 비밀번호: {}
아이디 admin, 비밀번호 {}
비번 {}
비번: {}
비번은 {}
비밀번호 {}
비밀번호는 {} 입니다
비밀번호: {}
로그인: admin / {}
암호: {}
admin/{} 로 로그인
creds for the db: root / {}
creds -> admin:{}
test creds: qa {}
log in to grafana as admin / {}
login with user admin and password {}
Login: admin, Passwort: {}
Zugangsdaten vom NAS: ada / {}
Zugangsdaten lauten ada / {}
die Zugangsdaten: ada, {}
mdp admin: {}
voici le mdp: {}
le mdp du wifi est {}
identifiants de test : ada / {}
la clave es {}
clave wifi: {}
clave del admin: {}
credenciales de prueba: ada / {}
senha do wifi: {}
senha admin: {}
credenciais do banco: root / {}
la parola è {}
password di root: {}
credenziali di test: ada / {}
şifre şu: {}
admin şifresi: {}
parola: {} deneyebilirsin
wachtwoord voor de db: {}
het wachtwoord: {}
hasło do bazy: {}
hasło admina: {}
dane logowania do testów: ada / {}
пароль админа: {}
пароль от вайфая {}
логин admin, пароль {}
测试账号：ada/{}
数据库账号root密码{}
后台账号 admin 密码 {}
管理员密码：{}
管理者アカウント：admin / {}
テスト用アカウント: ada/{}
パスワードは {}
테스트 계정: ada / {}
관리자 비번: {}
관리자 계정 admin 비밀번호 {}
pw for root: {}
username ada / password {}""".splitlines()

PROSE = """\
creds: admin and editor
creds: see vault2go in the wiki
creds: aws sso, profile dev2
creds are in 1Password
credentials: include
credentials: 'same-origin'
credentials: read from ~/.aws/credentials
credentials for staging: ask ada
the creds expired on 2026-11-30
creds: admin / editor / viewer
creds: env vars, see README.md
creds: user/pass
login with ada / bob
login with GitHub / Google
login with OAuth2 / OIDC
login with SSO or OAuth2
login with email/password
login as root / admin
log in with Google OAuth2
log in as user2 / user3
log in with the test user
logged in with node18/node20
log in to host1 / host2
login page v2
login: POST /api/v2/login
login: user / password
login: step1 / step2
login form2
login/logout
login flow: step1 -> step2
sign in with Apple
root pw = same as before
pw = hashlib.sha256(x)
pw = user.password2
pw = None
pw = getpass()
pw = args.pw
pw = input("pw")
pw = opts2.pw
pw=pw
pw: str
root pw: see vault
pass = 12, fail = 3
pass: 12 fail: 3
pwd = /home/ada2
pwd = os.getcwd()
user: ada, pass: ok
Zugangsdaten: siehe Vault
Zugangsdaten: admin und editor
Zugangsdaten: liegen in 1Password
Zugangsdaten in .env2 ablegen
Anmeldedaten: kommen aus OAuth2
Zugang: über VPN2 / VPN3
Zugang: nur Admins
einloggen mit Google / GitHub
einloggen mit OAuth2
mdp: oublié
mdp oublié
mdp : obligatoire, 12 caractères
mdp haché en sha256
mdp: voir le coffre
mot de passe : oublié
mot de passe : 8 caractères
mot de passe argon2id
identifiants : voir le wiki
identifiants: user1 / user2
identifiants uuid4 partout
clave primaria
clave: user_id
clave: valor2
clave foránea a tabla2
clave única id2
clave v2 del API
clave ssh ed25519
clave uuid4
clave = valor
la clave: tener tests
usuario ada / bob
usuario1 / usuario2
credenciales: ver el README
credenciales: vienen de OAuth2
contraseña: obligatoria
contraseña sha256
senha: obrigatória
senha bcrypt2b
senha = request.senha
senha = input2
a senha é argon2
credenciais: ver o cofre
acesso: admin / editor
password argon2id
password v2
utente ada / bob
credenziali: vedi wiki
parola: cuvânt
parola chiave
parola d'ordine
la parola sha256
la parola python3 compare
şifre: zorunlu
şifre sha256
şifre yanlış
parola: gerekli
wachtwoord: verplicht
wachtwoord vergeten
wachtwoord argon2id
inloggegevens: zie vault
inloggen met Google / GitHub
hasło: wymagane
hasło sha256
haslo: brak
dane logowania: w 1Password
пароль: обязателен
пароль argon2id
пароль = хеш
логин: email
логин / пароль
доступы: админ / редактор
креды: в vault2
管理员账号admin/user
管理员账号admin/editor/viewer
账号：admin/editor
账号密码登录
账号密码：见 README.md
账号 admin 可以访问 /api/v2
账号体系v2/v3
用户名/密码
用户名：最长16位
用 http1/http2 登录
密码=加密后的值
密码：sha256 加密
密码为空
密码 md5
登录 v2/v3 接口
アカウント: admin / editor
アカウント作成 v2
ログイン: step1 / step2
ログイン/ログアウト
パスワード：sha256
パスは /api/v2
パス: /usr/local
パス: src/app2.py
パスワードは8文字以上
계정 admin / user
계정: v2 스키마
로그인: step1 / step2
비밀번호: sha256
비번 찾기 v2
암호: aes256
암호화: aes256
비밀번호는 8자 이상
ID: user1 / user2
contra: node18
ww: 12
WW2: 1939
the clave package v2.3.1
mdpopups v1.2
mdp = np.zeros(n2)
mdp: MDPModel2
mdp = MDP2()
pass: node20
pass node18
the haslo team2
acesso via VPN2
psw: PSW2 register
identifiant: user_id2
identifiant client2
paths: src/v2
creds are rotated every 30d
creds live in aws-vault2
login with passkey2 / webauthn2
Zugangsdaten sind in Bitwarden
mdp stocké dans vault2
la clave es foránea a users2
la clave es un uuid4
senha deve ter 8 caracteres
la parola è python3
şifre en az 8 karakter
hasło musi mieć 8 znaków
пароль не менее 8 символов
логин через oauth2
测试账号见 wiki2
账号体系 v2/v3 迁移
계정 v2 마이그레이션
비번 8자리 이상
credentials: true
credentials: { origin: 'x' }
const creds = load(env2)
creds = Creds(user, pass1)
login(user1, pass2)
logged in as user42
login as root / sudo
log in via ssh-key2 / agent
identifiant: cust_42
daten: v2/v3
parola: 12 caratteri""".splitlines()

ENGLISH = "The worker reads what is new in the file and, if there is more, goes on with it. "


@pytest.mark.parametrize("sentence", TOLD)
def test_of_a_short_form_the_secret_goes_and_the_rest_stays(sentence: str) -> None:
    before, after = sentence.split("{}")
    for value in VALUES:
        redacted = redact(sentence.format(value)).text
        # The user may go along where "user and password" is the name of both.
        assert redacted in {f"{start}[redacted:password]{after}" for start in (before, before.removesuffix("admin/"))}
        assert redact(redacted).text == redacted


@pytest.mark.parametrize("sentence", PROSE)
def test_what_only_has_the_form_stays(sentence: str) -> None:
    assert redact(sentence).text == sentence
    assert redact(f"{ENGLISH}\n{sentence}\n{ENGLISH}").text == f"{ENGLISH}\n{sentence}\n{ENGLISH}"


@pytest.mark.parametrize("sentence", ["mdp : {}", "Zugangsdaten: admin / {}", "creds: admin {}", "la clave es {}"])
def test_before_and_behind_a_long_text_in_english_it_goes_as_well(sentence: str) -> None:
    value, pasted = VALUES[0], ENGLISH * 100
    for text in (f"{sentence}\n{pasted}", f"{pasted}\n{sentence}"):
        assert value not in redact(text.format(value)).text


@pytest.mark.parametrize("piece", ["creds: admin ", "login with ada / ", "mdp de la ", "账号admin/", "логин ada "])
def test_a_text_full_of_beginnings_is_read_once(piece: str) -> None:
    assert redact(piece * (100_000 // len(piece))).hits == ()
