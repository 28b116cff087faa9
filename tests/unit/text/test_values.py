"""Which kind of value a question asks for, and which kinds a text holds."""

from __future__ import annotations

import pytest

from memd.text.values import asked_values, asks_of_now, held_values


@pytest.mark.parametrize(
    ("question", "text", "kind"),
    [
        ("Which font do we use?", "set body text in Source Serif", "font"),
        ("正文用什么字体？", "报表正文用思源宋体", "font"),
        ("what shade are links?", "links are #0f5c4a", "colour"),
        ("on which port is the simulator?", "the simulator listens on 4841", "port"),
        ("¿en qué puerto escucha la api?", "En el 4310, lo define la configuración", "port"),
        ("wie lange behalten wir Kennzeichen?", "plates go after 72 hours", "span"),
        ("combien de fois ?", "try 5 times", "count"),
        ("quem decide os preços?", "pricing belongs to Henrike", "person"),
        ("报警阈值是多少克？", "低于 350 克就报警", "weight"),
        ("how heavy may an axle be?", "no more than 11.5 t", "weight"),
        ("how large may an upload be?", "uploads up to 18 MB", "size"),
        ("how long do we keep plates?", "plates go after 72 hours", "span"),
        ("原始数据保留多久？", "只留 45 天", "span"),
        ("at what interval do we poll?", "every two seconds", "span"),
        ("how many tries does it get?", "try 5 times", "count"),
        ("who do I ask about recipes?", "recipes are Ottilie's, ask Ottilie", "person"),
        ("交换机坏了找谁？", "现场网络的事找老魏", "person"),
        ("which version of Go is it?", "built with Go 1.22", "version"),
        ("when do we deploy?", "deploys are on Sundays", "day"),
    ],
)
def test_a_question_asks_for_a_kind_of_value_that_its_answer_holds(question: str, text: str, kind: str) -> None:
    assert kind in asked_values(question)
    assert kind in held_values(text)


@pytest.mark.parametrize(
    "prompt",
    ["make the font larger", "fix the tests", "add a port field to the form", "rename the colour picker", "", "好的"],
)
def test_what_is_no_question_asks_for_no_value(prompt: str) -> None:
    assert asked_values(prompt) == frozenset()


@pytest.mark.parametrize(
    "question",
    ["how many lines does loop.py have?", "how large is the image right now?", "who made the last commit?",
     "which version is installed?", "how many bits are in a byte?", "一公斤等于多少磅？",
     "what is the difference between a process and a thread?", "这个仓库有多少个文件？"],
)  # fmt: skip
def test_what_the_code_or_the_machine_tells_better_is_not_asked_of_the_past(question: str) -> None:
    assert asks_of_now(question)
    assert asked_values(question) == frozenset()


@pytest.mark.parametrize("one", ["9", "三", "9.", "9 ", "port ", ":", "on ", "#a", "Ask", "找", "Tidal ", "a\n"])
def test_long_texts_of_little_take_no_longer_than_their_length(one: str) -> None:
    text = one * 400_000
    held_values(text)
    asked_values(text)
    assert "day" in held_values("每天 12 点")
