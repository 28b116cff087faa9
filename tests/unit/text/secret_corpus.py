"""Secrets made at run time, each in the text it would stand in, and texts that only look like them.

Every secret is assembled from pieces, so that no scanner of this repository finds one in its source.
"""

from __future__ import annotations

import base64
import json
import random
import string
from typing import NamedTuple

ALNUM = string.ascii_letters + string.digits
LOWER = string.ascii_lowercase + string.digits
UPPER = string.ascii_uppercase + string.digits
HEX = "0123456789abcdef"
URLSAFE = ALNUM + "-_"
DASHES = "-" * 5


class Planted(NamedTuple):
    """A text with a secret in it; none of `secrets` may be left of it, all of `kept` must be."""

    name: str
    text: str
    secrets: tuple[str, ...]
    kept: tuple[str, ...] = ()


class Maker:
    """Makes secrets, the same ones for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def some(self, alphabet: str, size: int) -> str:
        return "".join(self.random.choice(alphabet) for _ in range(size))

    def base64(self, size: int) -> str:
        return base64.b64encode(self.random.randbytes(size)).decode()

    def jwt(self) -> str:
        header = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
        payload = base64.urlsafe_b64encode(json.dumps({"sub": self.some(LOWER, 12)}).encode()).decode().rstrip("=")
        return f"{header}.{payload}.{self.some(URLSAFE, 43)}"

    def pem(self, kind: str, lines: int) -> str:
        body = "\n".join(self.base64(48) for _ in range(lines))
        return f"{DASHES}BEGIN {kind}{DASHES}\n{body}\n{DASHES}END {kind}{DASHES}"

    def uuid(self) -> str:
        return "-".join(self.some(HEX, size) for size in (8, 4, 4, 4, 12))


def vendor_keys(maker: Maker) -> list[tuple[str, str]]:
    """Return (vendor, key) for keys that are told by how they begin."""
    some = maker.some
    return [
        ("openai", "sk" + "-" + some(ALNUM, 48)),
        ("openai project", "sk" + "-proj-" + some(URLSAFE, 60)),
        ("anthropic", "sk" + "-ant-" + "api03-" + some(URLSAFE, 95)),
        ("openrouter", "sk" + "-or-v1-" + some(HEX, 64)),
        ("github classic", "gh" + "p_" + some(ALNUM, 36)),
        ("github oauth", "gh" + "o_" + some(ALNUM, 36)),
        ("github app", "gh" + "s_" + some(ALNUM, 36)),
        ("github user", "gh" + "u_" + some(ALNUM, 36)),
        ("github fine-grained", "github" + "_pat_" + some(ALNUM, 22) + "_" + some(ALNUM, 59)),
        ("gitlab", "gl" + "pat-" + some(URLSAFE, 20)),
        ("gitlab runner", "gl" + "rt-" + some(URLSAFE, 20)),
        ("slack bot", "xox" + "b-" + some(string.digits, 12) + "-" + some(string.digits, 12) + "-" + some(ALNUM, 24)),
        ("slack user", "xox" + "p-" + some(string.digits, 12) + "-" + some(HEX, 32)),
        ("slack app", "xapp" + "-1-" + some(UPPER, 11) + "-" + some(string.digits, 13) + "-" + some(HEX, 64)),
        ("google api", "AI" + "za" + some(URLSAFE, 35)),
        ("google oauth secret", "GOC" + "SPX-" + some(URLSAFE, 28)),
        ("google access", "ya29" + "." + some(URLSAFE, 80)),
        ("google refresh", "1/" + "/0" + some(URLSAFE, 40)),
        ("aws id", "AK" + "IA" + some(UPPER, 16)),
        ("aws temporary id", "AS" + "IA" + some(UPPER, 16)),
        ("jwt", maker.jwt()),
        ("stripe", "sk" + "_live_" + some(ALNUM, 24)),
        ("stripe restricted", "rk" + "_live_" + some(ALNUM, 24)),
        ("stripe webhook", "wh" + "sec_" + some(ALNUM, 32)),
        ("npm", "npm" + "_" + some(ALNUM, 36)),
        ("cloudflare origin ca", "v1" + ".0-" + some(HEX, 24) + "-" + some(HEX, 146)),
        ("voyage", "pa" + "-" + some(ALNUM, 43)),
        ("pypi", "pypi" + "-AgEIcHlwaS5vcmc" + some(URLSAFE, 120)),
        ("sendgrid", "SG" + "." + some(URLSAFE, 22) + "." + some(URLSAFE, 43)),
        ("twilio", "SK" + some(HEX, 32)),
        ("huggingface", "hf" + "_" + some(ALNUM, 34)),
        ("digitalocean", "dop" + "_v1_" + some(HEX, 64)),
        ("databricks", "da" + "pi" + some(HEX, 32)),
        ("shopify", "shp" + "at_" + some(HEX, 32)),
        ("doppler", "dp" + ".pt." + some(ALNUM, 43)),
        ("linear", "lin" + "_api_" + some(ALNUM, 40)),
        ("notion", "ntn" + "_" + some(ALNUM, 46)),
        ("telegram", some(string.digits[1:], 10) + ":" + "AA" + some(URLSAFE, 33)),
        ("discord", "M" + some(ALNUM, 25) + "." + some(URLSAFE, 6) + "." + some(URLSAFE, 38)),
        ("vault", "hvs" + "." + some(URLSAFE, 60)),
        ("mailgun", "key" + "-" + some(HEX, 32)),
        ("mailchimp", some(HEX, 32) + "-us" + "14"),
        ("grafana", "gl" + "sa_" + some(ALNUM, 32) + "_" + some(HEX, 8)),
        ("groq", "gs" + "k_" + some(ALNUM, 52)),
        ("replicate", "r8" + "_" + some(ALNUM, 37)),
        ("figma", "fig" + "d_" + some(URLSAFE, 40)),
        ("square", "sq0" + "atp-" + some(URLSAFE, 22)),
        ("docker", "dckr" + "_pat_" + some(URLSAFE, 27)),
        ("atlassian", "ATA" + "TT3" + some(URLSAFE, 180)),
        ("age", "AGE" + "-SECRET-KEY-1" + some(UPPER, 58)),
        ("planetscale", "pscale" + "_tkn_" + some(URLSAFE, 43)),
        ("supabase", "sb" + "p_" + some(HEX, 40)),
        ("azure app", some(ALNUM, 3) + "8" + "Q~" + some(URLSAFE, 34)),
        ("tailscale", "ts" + "key-auth-" + some(ALNUM, 12) + "-" + some(ALNUM, 24)),
    ]


def planted(seed: int) -> list[Planted]:
    """Return texts with secrets of every family, in the places people and tools write them."""
    maker = Maker(seed)
    some = maker.some
    texts = [
        Planted(vendor, where.format(key), (key[key.find("//") + 2 :] if key.startswith("1//") else key,))
        for number, (vendor, key) in enumerate(vendor_keys(maker))
        for where in [
            ("it printed {} just now", "curl https://api.host/v1 -d '{}'", "(see `{}`)", '["{}"]')[number % 4]
        ]
    ]

    def put(name: str, template: str, *secrets: str, kept: tuple[str, ...] = ()) -> None:
        text = template
        for number, secret in enumerate(secrets):
            text = text.replace(f"<{number}>", secret)
        texts.append(Planted(name, text, secrets, kept))

    secret, other = some(ALNUM, 40), some(LOWER, 32)
    put(
        "env password",
        "DB_HOST=db1\nDB_PASSWORD=<0>\nDB_PORT=5432",
        some(ALNUM, 12),
        kept=("DB_PASSWORD=", "DB_PORT=5432"),
    )
    put("env weak password", "export PGPASSWORD=<0>", "hunter" + "2", kept=("export PGPASSWORD=",))
    put("env words", "APP_PASSWORD=<0>", "correct" + "horse" + "battery", kept=("APP_PASSWORD=",))
    put("env quoted", 'SECRET_KEY="<0>"', some(ALNUM + "!@#$%&*", 50), kept=("SECRET_KEY=",))
    put("rails", "SECRET_KEY_BASE=<0>", some(HEX, 128))
    put("env hex", "DATADOG_API_KEY=<0>", some(HEX, 32), kept=("DATADOG_API_KEY=",))
    put("yaml", "db:\n  user: ada\n  password: <0>\n  port: 1", "tr0ub4" + "dor&3", kept=("user: ada", "port: 1"))
    put("json", '{"user": "ada", "password": "<0>", "n": 1}', "S3cr" + "et!pw", kept=('"user": "ada"', '"n": 1'))
    put("json in json", r"{\"api_key\": \"<0>\", \"n\": 1}", secret, kept=(r"\"n\": 1",))
    put("json twice", r"\\\"client_secret\\\": \\\"<0>\\\"", some(ALNUM, 30))
    put("python", 'API_TOKEN = "<0>"', secret, kept=("API_TOKEN =",))
    put("python typed", 'token: str = "<0>"', some(HEX, 40))
    put("python environ", 'os.environ["ACME_TOKEN"] = "<0>"', some(LOWER, 24), kept=('os.environ["ACME_TOKEN"]',))
    put("python auth pair", 'requests.get(url, auth=("ada", "<0>"))', "p4ss" + "phr4se", kept=('"ada"',))
    put("typescript", "const apiKey: string = '<0>';", secret, kept=("const apiKey: string",))
    put("go", "password := `<0>`", some(ALNUM, 14))
    put("rust", 'let secret = String::from("<0>");', some(URLSAFE, 30))
    put("ruby", ":access_token => '<0>'", some(ALNUM, 30))
    put("php define", "define('DB_PASSWORD', '<0>');", "Qw3r" + "ty!99")
    put("xml", "<password><0></password>", "hunter" + "22", kept=("<password>", "</password>"))
    put("xml add", '<add key="ClientSecret" value="<0>" />', some(ALNUM, 32))
    put("kubernetes", "- name: DB_PASSWORD\n  value: <0>", some(ALNUM, 16))
    put("properties", "spring.datasource.password=<0>", "Spr1ng" + "Pw")
    put("toml", 'auth_token = "<0>"', some(ALNUM, 22))
    put("npmrc", "//registry.npmjs.org/:_authToken=<0>", maker.uuid())
    put("npmrc basic", "_auth=<0>", base64.b64encode(b"ada:" + some(ALNUM, 12).encode()).decode())
    put("netrc", "machine api.host login ada password <0>", some(ALNUM, 16))
    put("pgpass flag", "psql --password=<0> -h db", some(ALNUM, 10))
    put("flag", "vault login --token <0>", some(ALNUM, 26))
    put("curl user", "curl -u ada:<0> https://api.host/v1", "s3cr3t" + "pass")
    put("mysql", "mysql -u root -p<0> shop", "Adm1n" + "Pw9")
    put("sshpass", "sshpass -p '<0>' ssh ada@build", "L3tM3" + "In!")
    put("bearer", "Authorization: Bearer <0>", secret, kept=("Authorization: Bearer",))
    put("bearer json", '"Authorization": "Bearer <0>"', some(URLSAFE, 44), kept=('"Authorization": "Bearer ',))
    put("bearer curl", "curl -H 'authorization: bearer <0>' https://api.host", other, kept=("https://api.host",))
    put("basic", "Authorization: Basic <0>", base64.b64encode(b"ada:" + b"open" + b"sesame").decode())
    put("header", "X-API-Key: <0>", some(ALNUM, 32), kept=("X-API-Key:",))
    put("cookie", "Set-Cookie: session=<0>; Path=/; HttpOnly", some(ALNUM, 40), kept=("Path=/",))
    put(
        "url",
        "git clone https://ada:<0>@git.host.io/x.git",
        "pa55" + "word",
        kept=("https://ada:", "@git.host.io/x.git"),
    )
    put(
        "postgres",
        "postgres://app:<0>@db.internal:5432/shop",
        some(ALNUM, 18),
        kept=("postgres://app:", "@db.internal:5432/shop"),
    )
    put("mongodb", "mongodb+srv://root:<0>@c0.mongodb.net/?w=1", some(ALNUM, 12), kept=("@c0.mongodb.net",))
    put("redis", "REDIS_URL=redis://:<0>@cache:6379/0", some(ALNUM, 12), kept=("@cache:6379/0",))
    put("query", "https://api.host/v1?api_key=<0>&page=2", some(ALNUM, 32), kept=("&page=2",))
    put("query token", "https://api.host/cb?access_token=<0>&state=x", some(URLSAFE, 40), kept=("&state=x",))
    put(
        "sas",
        "https://acc.blob.core.windows.net/c?sv=2024-01-01&sig=<0>",
        some(ALNUM, 20) + "%2B" + some(ALNUM, 20) + "%3D",
    )
    put(
        "azure",
        "AccountName=acc;AccountKey=<0>;EndpointSuffix=core.windows.net",
        maker.base64(64),
        kept=("EndpointSuffix=",),
    )
    put("service bus", "SharedAccessKeyName=Root;SharedAccessKey=<0>", maker.base64(32))
    put("ado", "Server=db;Database=shop;User Id=sa;Password=<0>;Encrypt=true", "Str0ng" + "Pw", kept=("Encrypt=true",))
    put(
        "aws pair",
        "AWS_ACCESS_KEY_ID=<0>\nAWS_SECRET_ACCESS_KEY=<1>",
        "AK" + "IA" + some(UPPER, 16),
        some(ALNUM, 38) + "/+",
    )
    put("aws pair loose", "<0> / <1>", "AK" + "IA" + some(UPPER, 16), some(ALNUM, 20) + "/" + some(ALNUM, 19))
    put("aws session", "aws_session_token = <0>", maker.base64(120))
    put(
        "slack webhook",
        "https://hooks.slack.com/services/T0" + some(UPPER, 8) + "/B0" + some(UPPER, 8) + "/<0>",
        some(ALNUM, 24),
    )
    bot = maker.uuid()
    put("feishu webhook", "https://open.feishu.cn/open-apis/bot/v2/hook/<0> ，别发邮件", bot, kept=("别发邮件",))
    put("lark webhook", "https://open.larksuite.com/open-apis/bot/hook/<0>", some(HEX, 32))
    put("wecom webhook", "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=<0>", bot)
    put("teams webhook", "https://shop.webhook.office.com/webhookb2/x@y/IncomingWebhook/<0>/z", some(HEX, 32))
    put("make webhook", "https://hook.eu2.make.com/<0>", some(ALNUM, 32))
    put("ifttt webhook", "https://maker.ifttt.com/trigger/door/with/key/<0>", some(URLSAFE, 22))
    put("discord webhook", "https://discord.com/api/webhooks/" + some(string.digits, 18) + "/<0>", some(URLSAFE, 68))
    rsa = maker.pem("RSA PRIVATE KEY", 12)
    put("rsa", "before\n" + rsa + "\nafter", *rsa.splitlines()[1:-1], kept=("before\n", "\nafter"))
    open_ssh = maker.pem("OPENSSH PRIVATE KEY", 6)
    put("openssh escaped", json.dumps({"key": open_ssh, "n": 1}), *open_ssh.splitlines()[1:-1], kept=('"n": 1',))
    service = maker.pem("PRIVATE KEY", 20)
    put("gcp", json.dumps({"type": "service_account", "private_key": service}), *service.splitlines()[1:-1])
    torn = maker.pem("EC PRIVATE KEY", 8).splitlines()[:-1]
    put("torn key", "\n".join(torn) + "\n\nnext, then", *torn[1:], kept=("next, then",))
    tail = maker.pem("PRIVATE KEY", 5).splitlines()[1:]
    put("tail of a key", "... cut\n" + "\n".join(tail), *tail[:-1], kept=("... cut",))
    numbered = maker.pem("PRIVATE KEY", 5).splitlines()
    put("numbered key", "\n".join(f"{n:6}\t{line}" for n, line in enumerate(numbered[:-1])), *numbered[1:-1])
    put("prose", "the password for staging is <0>, try it", "Sommer" + "2031!")
    put("prose key", "Here is my Acme API key: <0>", some(ALNUM, 28))
    put("prose next line", "my token:\n\n```\n<0>\n```", some(URLSAFE, 36))
    put("prose unknown vendor", "use the zork key zrk_<0> for now", some(ALNUM, 30))
    put("unknown vendor env", "ZORK_TOKEN=zrk-live-<0>", some(LOWER, 32))
    put("unknown vendor json", '{"zorkSecret": "<0>"}', some(URLSAFE, 43))
    put("prose after", "zrk_<0> is the deploy token", some(ALNUM, 30))
    put("prose quoted", 'my password is "<0>"', "letme" + "in", kept=("my password is",))
    put("passphrase", 'passphrase: "<0>"', "correct horse " + "battery staple")
    put("html", '<input type="password" value="<0>">', "hunter" + "2", kept=('<input type="password" value="',))
    put("sql", "CREATE USER ada WITH PASSWORD '<0>';", "hunter" + "2x", kept=("CREATE USER ada",))
    put("cookie digest", "Cookie: lang=en; JSESSIONID=<0>", some("0123456789ABCDEF", 32), kept=("lang=en",))
    put("url token", "https://<0>@o1.ingest.sentry.io/2", some(HEX, 32), kept=("@o1.ingest.sentry.io/2",))
    put("url slash in password", "postgresql+asyncpg://u:<0>@h/db", "p/ss" + "w0rd9", kept=("@h/db",))
    put("env words only", "JWT_SECRET=<0>", "mysupersecret" + "jwtkey")
    put("env word", "PASSWORD=<0>", "letme" + "inplease")
    put("key of an unknown name", "ZORK_KEY=<0>", some(HEX, 40), kept=("ZORK_KEY=",))
    put("signed url", "https://s3.host/x?X-Amz-Signature=<0>&X-Amz-Date=1", some(HEX, 64), kept=("&X-Amz-Date=1",))
    put("short query token", "https://api.host/x?token=<0>&y=1", some(LOWER, 6) + "1a2b", kept=("&y=1",))
    put("redis-cli", "redis-cli -h cache -a <0> ping", "hunter" + "22", kept=("ping",))
    armored = maker.pem("PGP PRIVATE KEY BLOCK", 8)
    put("pgp", armored.replace("\n", "\nVersion: 2\n\n", 1), *armored.splitlines()[1:-1])
    put("one-line key", "key=" + maker.pem("PRIVATE KEY", 3).replace("\n", " "), "BEGIN")
    put("basic letters", "Authorization: Basic <0>", base64.b64encode(b"ada:" + b"open").decode().rstrip("="))
    put("chinese", "数据库密码是 <0>，别提交", "Kx9!" + "mmQ2")
    put("chinese colon", "密码：<0>", "Kx9mm" + "Q2z")
    put("japanese", "パスワードは「<0>」です", "Kx9mm" + "Q2z")
    put("e-mail", "write to <0> about it", "ada.lovelace" + "@" + "analytical-engines.io")
    put("e-mail author", "Author: Ada <<0>>", "ada" + "@" + "engines.co.uk", kept=("Author: Ada <",))
    put("base64 under a secret name", "ENCRYPTION_KEY: <0>", maker.base64(48))
    put("jwk", '{"kty":"EC","crv":"P-256","d":"<0>"}', some(URLSAFE, 43))
    return texts


DECOYS = (
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "fixed in 9fceb02 and a1b2c3d4",
    "id 550e8400-e29b-41d4-a716-446655440000",
    "session_id=550e8400-e29b-41d4-a716-446655440000",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    '"integrity": "sha512-ojmeN0qd+y0jszEtoY48r0Peq5dwMEkIlCOu6Q5f41lfkswXuKtYrhgoTpLnyIcHm24Uhqx+5Tqm2InSwLhE6Q=="',
    '"node_modules/path-key": {"integrity": "sha512-ojmeN0qd+y0jszEtoY48r0Peq5dwMEkIlCOu6Q5f41lfkswXuKtYrhgo/Q=="}',
    'hash = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="',
    "digest: md5 d41d8cd98f00b204e9800998ecf8427e",
    "password = get_password()",
    "password = getpass.getpass('Password: ')",
    "token: str",
    "token: str = Field(default='')",
    "def login(user: str, password: str, token: str | None = None) -> Token:",
    "self.token = token",
    "password=password, token=token",
    "api_key = os.environ['OPENAI_API_KEY']",
    'api_key=os.getenv("API_KEY")',
    "const token = process.env.GITHUB_TOKEN;",
    "token: ${{ secrets.GITHUB_TOKEN }}",
    "password: ${DB_PASSWORD}",
    "password: {{ vault_password }}",
    "PASSWORD=$PASSWORD",
    'API_KEY="<your-api-key>"',
    "API_KEY=your_api_key_here",
    "OPENAI_API_KEY=sk-...",
    "token = 'xxxxxxxxxxxxxxxxxxxx'",
    'password: "changeme"',
    'password = "********"',
    'secret: "REPLACE_ME"',
    "API_TOKEN=None",
    '"password": "string"',
    '"password": null',
    '{"type": "password", "name": "password", "label": "Password"}',
    '"error": "Password is required"',
    "password: must be at least 8 characters",
    "the token is expired",
    "the password is wrong, try again",
    "passwords are hashed with argon2id",
    "the secret is base64-encoded",
    "max_tokens: 4096",
    '"input_tokens": 12345, "output_tokens": 678',
    "tokenizer = AutoTokenizer.from_pretrained('model-v2-large')",
    "token_type: bearer",
    "key = lambda item: item.created_at",
    "for key, value in mapping.items():",
    "cache_key = 'user:1234:profile'",
    "PRIMARY KEY (id)",
    'primary_key="created_at_2024"',
    "sort_key = 'updated_at'",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8mDqqpWVUQfoLfSgWqXhVKp7NyOIYGSLEZZwHUp1mz ada",
    "git@github.com:ada/engine.git",
    "ssh://git@git.engines.io:22/ada/engine.git",
    "Co-Authored-By: Claude <noreply@anthropic.com>",
    "12345+ada@users.noreply.github.com",
    "user@example.com",
    "npm install react@18.2.0 @types/node@20.1.0",
    "icon@2x.png",
    '"better-auth": "1.7.0-rc.5", "js-tokens": "^4.0.0 || ^5.0.0", "path-key": "~3.1.1"',
    "result = a@b.T",
    "https://host.io:8080/@scope/pkg",
    "http://localhost:3000/path?page=2&sort=desc",
    "https://user@bitbucket.org/team/repo.git",
    "postgres://user:password@localhost:5432/db",
    "postgres://${DB_USER}:${DB_PASS}@${DB_HOST}/db",
    "/home/ada/work/memd/store/migrations/001-first.sql",
    "src/components/AuthTokenProvider/useAuthToken.test.tsx",
    "keyboard: qwerty2024, monkey: george123",
    "compass: north123",
    "class SecretStr(str): pass",
    "import secrets; secrets.token_urlsafe(32)",
    "Bearer authentication is used",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "Basic usage of the library",
    "kubectl get secret my-app-credentials -o yaml",
    "secretKeyRef: {name: app-secrets, key: database-url}",
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQ==\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
    "look for '-----BEGIN RSA PRIVATE KEY-----' in the file",
    '{"id": "toolu_01A09q90qw90lq917835lq9", "name": "Bash"}',
    '{"id": "msg_01XFDUDYJgAACzvnptvVoYEL", "usage": {"input_tokens": 12}}',
    "from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # key_size=256",
    "assert hashlib.sha256(key).hexdigest() == expected_hexdigest_value_2",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E==",
    "test_access_token_expires_after_30_minutes PASSED",
    "def test_password_reset_token_2fa_flow_v2(): ...",
    "ANTHROPIC_API_KEY is not set",
    'export API_KEY="$(pass show acme/api)"',
    "密码不能为空",
    "passed: 12, failed: 3, skipped: 0",
    "rsa_key_size = 4096",
    "--password-file /run/secrets/db --token-ttl 3600",
    "aws:arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf",
    "See https://docs.github.com/en/authentication/keeping-your-account-and-data-secure",
)
