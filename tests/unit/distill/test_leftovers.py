"""What a person puts off is a task or an open question, and no decision."""

from __future__ import annotations

import pytest

from memd.distill.distill import setting_of
from memd.distill.thread import Thread
from memd.distill.weigh import weigh
from memd.distill.worth import Weights
from tests.unit.distill.talk import Talk

KEEP_ALL = Weights({"": 3.0}, {"": 3.0})


def kinds(talk: Talk) -> list[str]:
    setting, drafts = setting_of(Thread(talk.transcript()))
    return [draft.kind for draft in weigh(setting, drafts, KEEP_ALL) if draft.anchor.speaker == "user"]


@pytest.mark.parametrize(
    "said",
    [
        "nice. /gauges needs the same thing at some point, not today.",
        "we need `tide_rejected_total` before the rollout on the 27th, but not now",
        "los pedidos del puerto hay que separarlos en otro fichero, pero eso el lunes",
        "`tides.py` 的缓存以后再加",
        "`tides.py` のキャッシュは次回に追加しよう",
    ],
)
def test_what_is_put_off_is_a_task(talk: Talk, said: str) -> None:
    assert kinds(talk.user("go").reply("Done, the importer works.").user(said)) == ["task"]


def test_what_is_left_open_is_an_open_question_with_what_it_is_about(talk: Talk) -> None:
    talk.user("go").reply("The question whether the harbour office gets an alert is still open.")
    talk.user("dont know yet, i'll ask the harbour office. leave it open")
    setting, drafts = setting_of(Thread(talk.transcript()))
    (found,) = weigh(setting, drafts, Weights({"": 3.0}, {"": -9.0}))
    assert found.kind == "open_question"
    assert "alert" in found.text


def test_a_supposition_said_with_what_is_put_off_is_no_part_of_it(talk: Talk) -> None:
    talk.user("go").reply("Done.").user("`/gauges` needs it too, not today. if we ever sail to Mars we need dynamo")
    setting, drafts = setting_of(Thread(talk.transcript()))
    assert not any("Mars" in draft.text for draft in weigh(setting, drafts, KEEP_ALL))


def test_what_was_done_after_all_is_no_task(talk: Talk) -> None:
    talk.user("`/gauges` needs the same thing, but not now").reply("Noted.")
    talk.user("go on").reply("Going on.").user("ok, do the gauges").edited("gauges.py").reply("Done.")
    assert "task" not in kinds(talk)
