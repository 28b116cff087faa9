"""What a statement rules out is known by its name, in any language, and what is only denied is not."""

from __future__ import annotations

import pytest

from memd.text.barred import barred


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("use pnpm here, never npm or yarn", {"npm"}),
        ("use scanline and not Pillow, Pillow drops the notes", {"pillow"}),
        ("always `make tide`, never plain pytest", {"pytest"}),
        ("no Redis in the harbour office", {"redis"}),
        ("no pkg/errors, wrap with %w", {"pkg/errors"}),
        ("subjects have no trailing period", {"trailing period"}),
        ("Right, no Celery. Cron then", {"celery"}),
        ("SQLite instead of Postgres", {"postgres"}),
        ("a partir de ahora usa siempre pnpm, nunca npm", {"npm"}),
        ("Tern statt Kelp", {"kelp"}),
        ("以后日志一律用 slog，不要再用 zap", {"zap"}),
        ("先用 MySQL，不上 TiDB", {"tidb"}),
    ],
)
def test_what_is_not_to_be_used_is_named(text: str, names: set[str]) -> None:
    assert barred(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "never merge directly to main",
        "it is not possible to moor here",
        "never edit the lists by hand",
        "",
        "不要",
        "dont use my token",
    ],
)
def test_what_is_not_to_be_done_and_what_is_not_so_are_no_names(text: str) -> None:
    assert barred(text) == frozenset()


@pytest.mark.parametrize("one", ["never ", "no `", "a-", "不要 ", "not use ", "\n"])
def test_long_texts_of_little_take_no_longer_than_their_length(one: str) -> None:
    barred(one * 400_000)
