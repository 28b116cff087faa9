"""What a person puts off is a task or an open question, and no decision."""

from __future__ import annotations

import pytest

from memd.distill import leftovers
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
        "tomorrow I want to start on the tide alarm (a queue probably)",
        "next week we'd like to tackle the winter time",
        "the winter time of the gauges is odd, park it for now",
        "上线前还要跟港务局确认一下表格，先放着",
        "下次要做：给退港加一张表，格式还没定",
        "待办：退港的表",
        "下一步：给退港加一张表",
        "退港的表还没做，下次吧",
        "还没做的：退港的表和它的测试",
        "TODO: the table of departures",
        "next time we need to add the table of departures",
        "next session: the table of departures, the office has no format yet",
        "still to do: the table of departures and its index",
        "let's leave the table of departures for the next session",
        "noch offen: die Tabelle der Abfahrten",
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


def test_all_in_spanish_is_nothing_to_do(talk: Talk) -> None:
    talk.user("las mareas salen una hora tarde").reply("Ahora se calcula todo en Europe/Madrid con `Temporal`.")
    assert list(leftovers.find(Thread(talk.transcript()))) == []


def test_a_supposition_said_with_what_is_put_off_is_no_part_of_it(talk: Talk) -> None:
    talk.user("go").reply("Done.").user("`/gauges` needs it too, not today. if we ever sail to Mars we need dynamo")
    setting, drafts = setting_of(Thread(talk.transcript()))
    assert not any("Mars" in draft.text for draft in weigh(setting, drafts, KEEP_ALL))


def test_what_was_done_after_all_is_no_task(talk: Talk) -> None:
    talk.user("`/gauges` needs the same thing, but not now").reply("Noted.")
    talk.user("go on").reply("Going on.").user("ok, do the gauges").edited("gauges.py").reply("Done.")
    assert "task" not in kinds(talk)


@pytest.mark.parametrize(
    "said",
    [
        "下次记得先跑测试再提交",
        "下次先问我再删文件",
        "next time ask me before you delete a file",
        "next time, always run the tests first",
        "add a todo list to the office page",
        "待办列表的页面用绿色",
        "use the next free berth of the table",
    ],
)
def test_what_holds_the_next_time_and_what_is_called_so_is_no_task(talk: Talk, said: str) -> None:
    assert "task" not in kinds(talk.user("go").reply("Done, the importer works.").user(said))


def test_a_next_step_that_was_taken_at_once_is_no_task(talk: Talk) -> None:
    talk.user("go").reply("Done.").user("下一步：给退港加一张表").edited("tables.sql").reply("Added.")
    assert "task" not in kinds(talk)


LEFT = [
    "Still open: the alert of the harbour office.",
    "One thing is left: the alert of the harbour office.",
    "There is one more thing left, the alert of the harbour office.",
    "The only thing left is the alert of the harbour office.",
    "A few points remain: the alert and the docs of the gauge.",
    "What's left: the alert of the harbour office.",
    "Left to do: the alert of the harbour office.",
    "Not done yet: the alert of the harbour office.",
    "Unresolved: the alert of the harbour office.",
    "Next steps: wire up the alert of the harbour office.",
    "还剩一件事：港务局的警报。",
    "未完成：港务局的警报还要接上。",
    "还有一个问题没解决，就是港务局的警报。",
    "残りの作業：港の警報の設定です。",
    "残っているのは港の警報の設定です。",
    "남은 작업: 항만청 경보 설정입니다.",
    "Queda una cosa: el aviso de la oficina del puerto.",
    "Il reste une chose : l'alerte du bureau du port.",
    "Noch offen: die Meldung an das Hafenamt.",
    "Es bleibt eine Sache: die Meldung an das Hafenamt.",
    "Rimane una cosa: l'avviso dell'ufficio del porto.",
    "Falta uma coisa: o aviso do escritório do porto.",
    "Er blijft één ding over: de melding aan het havenkantoor.",
    "Zbývá jedna věc: upozornění přístavního úřadu.",
    "Pozostała jedna rzecz: alert biura portu.",
    "Bir şey kaldı: liman ofisinin uyarısı.",
    "Осталось одно: оповещение портовой службы.",
    "Залишилося одне: сповіщення портової служби.",
]
NOT_LEFT = [
    "One thing to note: the gauge reads centimetres.",
    "The left pier: it has two lamps.",
    "Two things changed: `a.py` and `b.py`.",
    "Open `gauge.py` and look at line 4: the offset stands there.",
    "The last step was the migration of the tide table.",
]


def left(talk: Talk) -> list[str]:
    return [draft.anchor.text for draft in leftovers.find(Thread(talk.transcript()))]


@pytest.mark.parametrize("said", LEFT)
def test_what_the_model_calls_left_is_left(talk: Talk, said: str) -> None:
    talk.user("go").reply(f"The gauge is read by `gauge.py`.\n\n{said}")
    for n in range(4):
        talk.user(f"and pier {n}?").reply(f"Pier {n} has two lamps.")
    assert left(talk) == [said]


@pytest.mark.parametrize("said", NOT_LEFT)
def test_what_only_sounds_like_it_is_not(talk: Talk, said: str) -> None:
    talk.user("go").reply(f"The gauge is read by `gauge.py`.\n\n{said}")
    assert left(talk) == []


@pytest.mark.parametrize("opening", ["Still open:", "Two things are left:", "## Still open", "## TODO", "剩下的："])
def test_each_item_of_a_list_of_what_is_left_is_left(talk: Talk, opening: str) -> None:
    talk.user("go").reply(
        "Done:\n\n- the gauge is read by `gauge.py`\n\n"
        f"{opening}\n\n- the alert of the office\n- winter time in `tide.py`"
    )
    assert left(talk) == ["the alert of the office", "winter time in `tide.py`"]


def test_what_was_missing_and_then_made_as_agreed_is_not_left(talk: Talk) -> None:
    talk.user("die Suche ist langsam").reply("Es fehlt noch ein Index in `tides.sql`. Ich empfehle einen Teilindex.")
    talk.user("mach das").edited("tides.sql").reply("Fertig.")
    assert left(talk) == []
