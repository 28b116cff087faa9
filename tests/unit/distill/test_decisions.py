from __future__ import annotations

import pytest

from memd.distill import decisions
from memd.distill.draft import Draft
from memd.distill.thread import Thread
from memd.distill.weigh import FLOOR
from tests.unit.distill.talk import Talk


def decided(talk: Talk) -> list[Draft]:
    return [draft for draft in decisions.find(Thread(talk.transcript())) if draft.confidence >= FLOOR]


@pytest.mark.parametrize(
    "text",
    [
        "let's use `redis-py` instead of aioredis, it is maintained",
        "stay on walkdir, jwalk drops errors",
        "revert the mmap change, it is not worth a crash",
        "go with postgres, a cache can drop keys",
        "就用 @tanstack/react-virtual，卡片高度不固定",
        "撤回 zustand 的改动，列宽继续放 context",
        "max 5 attempts, backoff 1m 5m 15m, default False",
        "pin it to ~> 5.60.0 because 5.81 gives an inconsistent plan",
    ],
)
def test_a_choice_is_a_decision(talk: Talk, text: str) -> None:
    talk.user(text)
    assert decided(talk)


@pytest.mark.parametrize(
    "text",
    [
        "should we use redis instead of memcached?",
        "if we used redis some day it might be faster",
        "show me the diff of scan.rs",
        "can you look at the log instead",
        "thanks, that works",
        "要是以后卡片上万，可能得做服务端分页",
        "run the tests again please",
    ],
)
def test_a_question_a_wish_or_a_request_is_none(talk: Talk, text: str) -> None:
    talk.user(text)
    assert not decided(talk)


def test_a_number_picks_the_option_of_the_reply_before_it(talk: Talk) -> None:
    talk.user("how can we make it faster").reply(
        "Ideas:\n\n1. hash with blake3\n2. hash only the first 4 KiB\n3. walk in parallel"
    )
    talk.user("do 1 and 2, nobody needs sha256 here")
    (draft,) = decided(talk)
    assert "blake3" in draft.text
    assert "4 KiB" in draft.text
    assert "parallel" not in draft.text


def test_an_option_is_found_by_its_name_several_replies_back(talk: Talk) -> None:
    talk.user("how to retry").reply(
        "Two designs:\n\n1. **Broker countdown**, little code\n2. **Table-driven**: `next_attempt_at` and a beat task"
    )
    talk.user("try 1").edited("/home/ada/harbor/tasks.py").user("what does the log say").reply(
        "It was delivered twice."
    )
    talk.user("table driven then. undo the countdown")
    assert any("next_attempt_at" in draft.text for draft in decided(talk))


def test_agreeing_decides_nothing_when_nothing_followed(talk: Talk) -> None:
    talk.user("images are slow").reply("I'd suggest to keep the images in `.cache/img` and copy them after each build.")
    talk.user("ok, later").reply("Fine.")
    assert not decided(talk)


def test_code_and_quotations_in_a_prompt_decide_nothing(talk: Talk) -> None:
    talk.user(
        "```\nlet's use mongodb instead of postgres\n```\n> we decided to go with mysql\n\nwhat do you make of it?"
    )
    assert not decided(talk)


@pytest.mark.parametrize(
    ("order", "heard"),
    [
        ("潮汐表一次最多导入 500 行。", "记住了。"),
        ("潮汐表一次最多导入 500 行。", "好的，明白了。"),
        ("潮汐表一次最多导入 500 行。", "了解しました。"),
        ("Import at most 500 rows of the tide table at once.", "Noted, at most 500 rows."),
        ("Import at most 500 rows of the tide table at once.", "OK, will do."),
        ("Import at most 500 rows of the tide table at once.", "Got it, I'll keep that in mind."),
        ("Nie mehr als 500 Zeilen der Gezeiten auf einmal.", "Alles klar."),
    ],
)
def test_that_an_order_was_heard_is_no_part_of_the_choice_after_it(talk: Talk, order: str, heard: str) -> None:
    talk.user(order).reply(heard).user("ok, 潮汐输出不用 CSV 了，改成 Parquet，因为表格太慢。").edited("out.py")
    for text in ("ok, let's use Parquet for the rows instead of CSV", "好的，输出不用 CSV 了，改成 Parquet"):
        talk.reply(heard).user(text).edited("out.py", "Done.")
    assert not any(heard in draft.text for draft in decided(talk))


def test_what_the_reply_before_it_proposed_is_part_of_a_choice_though_it_opens_with_a_nod(talk: Talk) -> None:
    talk.user("rows are slow").reply("Understood. I'd keep the rows in Parquet and drop `rows.csv` after each tide.")
    talk.user("ok, parquet it is then").edited("out.py")
    assert any("rows.csv" in draft.text for draft in decided(talk))
