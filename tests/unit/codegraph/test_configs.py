"""What module systems read is kept without its secrets, and is still what they read."""

from __future__ import annotations

import json
import random
import string
import tomllib
from pathlib import Path

import pytest

from memd.codegraph.configs import cleaned
from memd.codegraph.walk import walk

_CHANCE = random.Random(20261130)


def _token() -> str:
    return "gh" + "p_" + "".join(_CHANCE.choices(string.ascii_letters + string.digits, k=36))


def _password() -> str:
    return "".join(_CHANCE.choices(string.ascii_letters + string.digits, k=24))


@pytest.mark.parametrize("secret", [_token(), _password()])
def test_a_password_in_an_address_is_not_kept(secret: str) -> None:
    package = {
        "name": "@harbor/tides",
        "exports": {".": "./src/index.ts"},
        "dependencies": {"lamps": f"git+https://ada:{secret}@git.harbor.example/lamps.git#v2"},
    }
    kept = json.loads(cleaned("web/package.json", json.dumps(package).encode()))

    assert secret not in json.dumps(kept)
    assert (kept["name"], kept["exports"]) == (package["name"], package["exports"])


def test_a_token_in_a_crates_dependencies_is_not_kept() -> None:
    secret = _token()
    text = f'[package]\nname = "tides"\n\n[dependencies]\nlamps = {{ git = "https://{secret}@git.example/lamps" }}\n'
    kept = tomllib.loads(cleaned("Cargo.toml", text.encode()).decode())

    assert secret not in str(kept)
    assert kept["package"] == {"name": "tides"}


def test_a_token_in_a_comment_of_a_tsconfig_is_not_kept() -> None:
    secret = _token()
    text = f'{{\n  // token: {secret}\n  "compilerOptions": {{"paths": {{"@/*": ["./src/*"]}}}},\n}}\n'
    kept = cleaned("tsconfig.json", text.encode()).decode()

    assert secret not in kept
    assert '"@/*": ["./src/*"]' in kept


@pytest.mark.parametrize("content", [b'{"name": "tides"}\n', b"module harbor.example/tides\n\ngo 1.25\n", b"\xff\xfe{"])
def test_a_file_without_secrets_is_kept_byte_for_byte(content: bytes) -> None:
    assert cleaned("go.mod", content) == content


def test_a_walk_gives_no_secret_of_a_configuration(tmp_path: Path) -> None:
    secret = _token()
    (tmp_path / "go.mod").write_text(f"module harbor.example/tides\n\n// push with {secret}\ngo 1.25\n")
    found = walk(tmp_path)

    assert secret.encode() not in found.configs["go.mod"]
    assert found.configs["go.mod"].startswith(b"module harbor.example/tides\n")
