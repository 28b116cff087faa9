from __future__ import annotations

import pytest

from memd.distill import causes
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
