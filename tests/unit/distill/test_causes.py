from __future__ import annotations

import pytest

from memd.distill import causes
from memd.distill.distill import distill
from memd.distill.thread import Thread
from memd.distill.weigh import FLOOR
from tests.unit.distill.talk import Talk


@pytest.mark.parametrize(
    "text",
    [
        "**Root cause**: `ColumnContext` gets a new object on every render, so all columns render again.",
        "The cause is the Redis transport: a countdown longer than `visibility_timeout` is delivered again.",
        "It turns out that `clients.csv` repeats the id, so the merge triples the rows.",
        "**根本原因**：`value={{ widths }}` 每次渲染都是新对象。",
    ],
)
def test_a_cause_that_is_stated_is_found(talk: Talk, text: str) -> None:
    talk.user("why is it slow").reply(text)
    assert [draft for draft in causes.find(Thread(talk.transcript())) if draft.confidence >= FLOOR]


@pytest.mark.parametrize(
    "text",
    [
        "Maybe the cause is that both containers use `beat`.",
        "Is the root cause the `beat` container?",
        "The root cause is probably `cards.filter`.",
        "我猜原因是 `cards.filter` 每次都生成新数组。",
        "Let me find the root cause in `app.py`.",
    ],
)
def test_a_guess_or_a_question_is_no_cause(talk: Talk, text: str) -> None:
    talk.reply(text)
    assert not list(causes.find(Thread(talk.transcript())))


def test_a_cause_is_surer_and_a_bugfix_when_the_failed_command_passes_afterwards(talk: Talk) -> None:
    text = "The cause is the fixture: `due` passes `limit` through a partial."
    alone = Talk().user("fix it").reply(text)
    talk.user("fix it").ran("make test", ok=False, exit_code=1, output="assert 1 == 2").reply(text).ran("make test")
    (guessed,), (proved,) = (list(causes.find(Thread(one.transcript()))) for one in (alone, talk))
    assert proved.confidence > guessed.confidence
    assert (guessed.kind, proved.kind) == ("discovery", "bugfix")


def test_the_parts_of_a_cause_are_worded_as_the_fact_is(talk: Talk) -> None:
    talk.user("why").reply("**Root cause:** `REPLACE` is a DELETE first. **Fix:** `@Upsert` does an UPDATE.")

    (draft,) = causes.find(Thread(talk.transcript()))

    assert [part.text for part in draft.parts] == [
        "Root cause: `REPLACE` is a DELETE first.",
        "Fix: `@Upsert` does an UPDATE.",
    ]


IN_ONE = [
    "Fixed: `make map` failed on E4711 since the tide plugin 3.8 needs Node 22; upgraded it to 6.",
    "`load_tides()` crashed because the office sends an empty file; added a check for it.",
    "Resolved: the `harbor` container kept failing because port 9090 was taken, so I moved it to 9191.",
    "The build failed because `gauge.h` was missing, fixed by adding it to `CMakeLists.txt`.",
    "修复：`make map` 报 E4711，因为潮汐插件 3.8 需要 Node 22；升级到 6。",
    "`load_tides()` 崩溃是因为文件为空；加了检查。",
    "Behoben: `make map` brach ab, weil das Plugin `tide3` Node 22 braucht.",
]
NOT_IN_ONE = [
    "Fixed the typo in `map.py`.",
    "Fixed: maybe `make map` failed because of the plugin; updated it to see.",
    "I added `map.py` because the office wants a map.",
    "Should I fix `make map`, because it failed; added a flag?",
    "The office failed because of the storm; moved to the pier.",
]


@pytest.mark.parametrize("text", IN_ONE)
def test_trouble_with_its_reason_and_what_was_done_in_one_sentence_is_a_bugfix(talk: Talk, text: str) -> None:
    talk.user("the map is gone, look at it").ran("ls").reply(text)
    (found,) = (one for one in distill(talk.transcript()).candidates if one.evidence[0].message == 3)
    assert found.kind == "bugfix"
    assert found.body == text


@pytest.mark.parametrize("text", NOT_IN_ONE)
def test_what_lacks_the_trouble_its_reason_or_a_name_is_not(talk: Talk, text: str) -> None:
    talk.user("go").reply(text)
    assert not any(causes.told_in_one(one) for one in Thread(talk.transcript()).statements)


def test_a_cause_that_is_told_when_all_passes_again_is_a_bugfix(talk: Talk) -> None:
    talk.user("run the tests").ran("make test", ok=False, exit_code=1, output="E: locked").edited("tide.py")
    talk.ran("make test").reply(
        "原因是 `tide.db` 默认只有一个写入者，在 `tide.py` 里设 `busy_timeout=3000` 后全部通过。"
    )
    (draft,) = causes.find(Thread(talk.transcript()))
    assert draft.kind == "bugfix"


ANNOUNCED = (
    "I see the issue - `levels.tf` of the root folder is read, `cd` stays in the root here.",
    "Found the problem: the gauge answers on `/dev/ttyS2` since the new board.",
    "I found the bug: `read_level()` closes the port after each byte.",
    "我发现问题了：`gauge.py` 读的是旧的串口 `/dev/ttyS1`。",
)


@pytest.mark.parametrize("text", ANNOUNCED)
def test_a_cause_that_is_announced_needs_no_because(talk: Talk, text: str) -> None:
    talk.user("the levels are missing").reply(text).edited("src/gauge.py")
    (draft, *_) = causes.find(Thread(talk.transcript()))
    assert draft.anchor.text == text
    assert draft.confidence >= 0.65


@pytest.mark.parametrize(
    "heading", ["## Root cause", "### What was wrong", "#### The cause", "## 根本原因", "## Causa raíz"]
)
def test_what_stands_under_the_heading_of_a_cause_is_one(talk: Talk, heading: str) -> None:
    talk.user("nothing is stored")
    talk.reply(f"{heading}\n\nThe form wanted a click on Upload first, and Save did not do it in `tides/form.ts`.")
    (draft,) = causes.find(Thread(talk.transcript()))
    assert "Save did not do it" in draft.anchor.text


@pytest.mark.parametrize(
    "text",
    [
        "I see the tides you sent.",
        "I found three berths in `berths.csv`.",
        "## Possible causes\n\nThe port is closed after each byte in `gauge.py`, and so nothing arrives.",
        "## Why this is safe\n\nThe port is opened once and closed at the end by `gauge.py` itself.",
        "## Root cause\n\nIn this setup that is almost always one of:",
    ],
)
def test_what_announces_no_cause_is_none(talk: Talk, text: str) -> None:
    talk.user("nothing is stored").reply(text)
    assert not list(causes.find(Thread(talk.transcript())))


def test_what_was_taken_for_the_cause_in_vain_is_none(talk: Talk) -> None:
    first = "I see the issue - `tides.tfvars` is not read, it has another name than it should have."
    last = "Found the issue: `levels.tf` of the root folder is read, the command runs in the root."
    talk.user("plan it").ran("terraform plan", ok=False, exit_code=1, output="Error: no value")
    talk.reply(first).ran("terraform plan", ok=False, exit_code=1, output="Error: no value").reply(last)
    talk.ran("terraform plan", "27 to add")
    assert [draft.anchor.text for draft in causes.find(Thread(talk.transcript()))] == [last]
