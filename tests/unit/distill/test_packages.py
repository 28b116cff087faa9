from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.distill.packages import package_changes, package_name
from memd.distill.shell import simple_commands


def changes(command: str) -> list[tuple[str, str]]:
    return [(change.action, change.name) for part in simple_commands(command) for change in package_changes(part)]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("npm install --save-dev vitest @types/node@20", [("add", "vitest"), ("add", "@types/node")]),
        ("pnpm add -D zod", [("add", "zod")]),
        ("yarn remove lodash", [("remove", "lodash")]),
        ("bun add hono@4", [("add", "hono")]),
        ("pip install 'requests>=2,<3' -U", [("upgrade", "requests")]),
        ("python -m pip install rich", [("add", "rich")]),
        ("uv add 'fastapi[standard]==0.115'", [("add", "fastapi")]),
        ("uv pip install numpy", [("add", "numpy")]),
        ("poetry add --group dev pytest", [("add", "pytest")]),
        ("cargo add tokio --features full", [("add", "tokio")]),
        ("cargo remove sha2 && cargo add blake3", [("remove", "sha2"), ("add", "blake3")]),
        ("go get golang.org/x/time@latest", [("add", "golang.org/x/time")]),
        ("go get golang.org/x/time/rate", [("add", "golang.org/x/time")]),
        ("dotnet add package Serilog", [("add", "Serilog")]),
        ("flutter pub add riverpod", [("add", "riverpod")]),
        ("sudo apt-get install -y libpq-dev", [("add", "libpq-dev")]),
        ("composer require monolog/monolog", [("add", "monolog/monolog")]),
        ("npm install", []),
        ("pip install -r requirements.txt", []),
        ("pip install -e .", []),
        ("npm run add", []),
        ("uv run pytest", []),
        ("echo npm install left-pad", []),
    ],
)
def test_packages_are_read_from_the_command_that_names_them(command: str, expected: list[tuple[str, str]]) -> None:
    assert changes(command) == expected


@given(st.text(max_size=80))
def test_whatever_the_word_a_package_name_is_clean(word: str) -> None:
    name = package_name(word)
    assert name is None or (name and not any(mark in name for mark in " =<>~[];$"))
