"""What distillation comes to, held by floors: on sessions written here, and on labelled ones where they lie beside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from memd.distill.distill import distill
from tests.eval.distill_gold import BESIDE, SETS, load_scorer, scorer
from tests.eval.eval_distill import figures, measure, ours
from tests.unit.distill.talk import Talk


@dataclass(frozen=True, slots=True)
class Story:
    """A session, words that a fact of it must have, and words that none may have."""

    told: Callable[[Talk], Talk]
    must: tuple[tuple[str, ...], ...]
    traps: tuple[str, ...]
    holds: int
    """How many facts of it are worth keeping, at most."""


def _gauge(talk: Talk) -> Talk:
    talk.user("the tide gauge shows wrong levels since Monday, please find out why. dont change anything yet")
    talk.ran("grep -rn offset src/gauge.py", "12: OFFSET = 4")
    talk.reply(
        "Root cause: `src/gauge.py` caches the datum offset at import, so a new datum counts only after a restart. It"
        " could also be the clock of the buoy, but I have not seen a sign of that."
    )
    talk.user("ok fix it. and never read `datum.toml` outside of `load_datum()`, two readers gave us this mess twice")
    talk.edited("src/gauge.py").ran("make test", "14 passed")
    talk.reply("Fixed: `load_datum()` reads `datum.toml` at each poll, the cached offset is gone. All tests pass.")
    talk.user("should we move to kafka for the polls?").reply("I would not: one gauge sends 3 messages a minute.")
    return talk.user("right. thanks!").reply("You're welcome.")


def _store(talk: Talk) -> Talk:
    talk.user("we need a store for the berth plan. options?")
    talk.reply("Options:\n\n1. SQLite, one file\n2. Postgres, needs a server\n\nI'd suggest Postgres for the growth.")
    talk.user("no postgres, the office has no server. SQLite in `data/berths.db` then")
    talk.edited("berths/store.py", "The berth plan is stored in `data/berths.db` by `berths/store.py`, in WAL mode.")
    talk.user("if we had a second office we could shard it. some day")
    talk.user("run the tests with `uv run pytest -q`, not make, make rebuilds the charts").ran(
        "uv run pytest -q", "3 passed"
    )
    return talk.reply("3 passed.\n\nStill open: `berths/store.py` has no backup yet.")


def _chinese(talk: Talk) -> Talk:
    talk.user("潮位表加载很慢，帮我看下原因，先别改代码")
    talk.reply("原因是 `tides/load.ts` 每次渲染都重新解析 12 MB 的 JSON，没有缓存。")
    talk.user("好，改成只解析一次。以后日期一律走 `dates.ts` 的 fmt，不要直接用 toLocaleString")
    talk.edited("tides/load.ts").reply("已完成：`tides/load.ts` 现在只解析一次，并缓存结果。")
    return talk.user("要不要换成 rolldown？听说编译很快").reply("目前没有必要。")


def _reversed(talk: Talk) -> Talk:
    talk.user("cache the harbour prices in redis, 10 minutes").edited(
        "prices.py", "Prices are cached in Redis for 600 s."
    )
    talk.user("revert the redis cache, the prices were stale at the auction. no caching of prices at all")
    talk.edited("prices.py", "The Redis cache is removed; `prices.py` asks the exchange each time.")
    return talk.user("commit that").ran("git commit -am 'No cache for prices'", "[main 1a2b3c4] No cache for prices")


STORIES = {
    "a cause and a rule": Story(
        _gauge,
        (("caches the datum offset",), ("never read `datum.toml`", "load_datum()")),
        ("kafka", "clock of the buoy"),
        4,
    ),
    "a refused proposal": Story(
        _store,
        (("SQLite", "data/berths.db"), ("uv run pytest -q", "not make"), ("no backup",)),
        ("suggest Postgres", "shard"),
        5,
    ),
    "in Chinese": Story(_chinese, (("tides/load.ts", "JSON"), ("dates.ts", "toLocaleString")), ("rolldown",), 4),
    "taken back": Story(_reversed, (("revert the redis cache",),), ("cached in Redis for 600",), 3),
}


@pytest.mark.parametrize("name", STORIES)
def test_a_session_leaves_what_must_be_known_and_no_trap(talk: Talk, name: str) -> None:
    story = STORIES[name]
    kept = [f"{one.title}\n{one.body}" for one in distill(story.told(talk).transcript()).candidates]
    for words in story.must:
        assert any(all(word in text for word in words) for text in kept), (words, kept)
    for trap in story.traps:
        assert not any(trap in text for text in kept), (trap, kept)
    assert len(kept) <= story.holds + 1, kept


FLOORS = {"distill": (0.88, 0.74, 0.15, 0), "distill-real": (0.78, 0.65, 0.4, 0)}
"""Of a set: must-facts found and precision at least; traps a session and superseded facts shown at most."""


@pytest.mark.parametrize("name", SETS)
def test_labelled_sessions_are_distilled_as_well_as_before(name: str) -> None:
    folder = BESIDE / name
    if not folder.exists():
        pytest.skip("no labelled sessions lie beside this checkout")
    program = scorer(folder)
    assert program is not None
    found = figures(measure(folder, ours), load_scorer(program))
    recall, precision, traps, superseded = FLOORS[name]
    assert found["recall_must"] >= recall
    assert found["precision"] >= precision
    assert found["traps_per_session"] <= traps
    assert found["superseded_violations"] <= superseded
    assert found["leaked"] == 0
