from __future__ import annotations

import pytest

from memd.distill.reasons import rejected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Let's use SQLite instead of Postgres for the tide table", ["Postgres"]),
        ("use `pnpm`, not npm, npm breaks the lockfile", ["npm"]),
        ("go with a queue rather than the cron job because cron drifts", ["cron job"]),
        ("`cargo nextest run`, not `cargo test` here", ["cargo test"]),
        ("we use uv and not pip when we install", ["pip"]),
        ("统一使用 pnpm，不要用 npm", ["npm"]),
        ("the port is not in use", []),
        ("keep it as it is", []),
    ],
)
def test_what_is_turned_down_is_named_and_nothing_after_it(text: str, expected: list[str]) -> None:
    assert list(rejected(text)) == expected
