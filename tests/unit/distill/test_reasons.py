from __future__ import annotations

import pytest

from memd.distill.reasons import explains, opens_another_matter, reason_set_off, rejected


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
        ("use a ring buffer instead of a queue: the probe must not wait longer than a tide", ["queue"]),
        ("the winch should never run twice, take the crane, not the winch", ["winch"]),
        ("我们决定用 Polars 代替 Pandas，因为数据太大", ["Pandas"]),
        ("Pandas 被 Polars 代替了", []),
        ("use rust-lld instead of gold. It links faster", ["gold"]),
    ],
)
def test_what_is_turned_down_is_named_and_nothing_after_it(text: str, expected: list[str]) -> None:
    assert list(rejected(text)) == expected


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Let's use a ring buffer instead of a queue: a probe drifts when it waits", "a probe drifts when it waits"),
        ("go with Zig rather than C - the loader has no libc there", "the loader has no libc there"),
        ("我们选用 SQLite：船上没有网络，服务器连不上的", "船上没有网络，服务器连不上的"),
    ],
)
def test_what_a_colon_sets_off_from_a_choice_is_its_reason(text: str, why: str) -> None:
    found = reason_set_off(text)
    assert found is not None
    assert found[1] == why


@pytest.mark.parametrize(
    "text",
    [
        "We decided to do the following: the tide table moves to its own file",
        "let's keep it small: never add a dependency without asking",
        "let's go with this: use the old parser for the ferry plan",
        "for the ferry plan: let's keep it in YAML as before",
        "the pump fails at night: the sensor reads nothing",
        "let's use port 8080: 8081 too",
    ],
)
def test_what_a_colon_announces_is_no_reason(text: str) -> None:
    assert reason_set_off(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "also the retries from the other day: make it 5",
        "btw, the printer is slow",
        "one more thing, ops wants a dashboard",
        "另外打印机很慢",
        "顺便把日志也改了",
    ],
)
def test_another_matter_explains_nothing(text: str) -> None:
    assert opens_another_matter(text)
    assert not explains(text)


@pytest.mark.parametrize("text", ["and it breaks the build", "it was too slow", "那个库已经没人维护了"])
def test_what_goes_on_with_the_same_explains_it(text: str) -> None:
    assert not opens_another_matter(text)
    assert explains(text)


@pytest.mark.parametrize(
    "text", ["let's not let that drop", "never touch legacy/ without asking me", "do not deploy until the tests pass"]
)
def test_what_must_not_be_done_unasked_turns_nothing_down(text: str) -> None:
    assert not list(rejected(text))
