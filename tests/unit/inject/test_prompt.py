from __future__ import annotations

import pytest

from memd.inject.prompt import asks_what_is_left, worth_looking


@pytest.mark.parametrize(
    "prompt", ["Why does the parser drop commas?", "为什么重试队列会丢消息", "数据库连接池", "用 zap 打日志"]
)
def test_a_real_prompt_is_worth_looking(prompt: str) -> None:
    assert worth_looking(prompt)


@pytest.mark.parametrize(
    ("prompt", "left"),
    [
        ("what's left to do?", True),
        ("continue where we left off", True),
        ("ok, where did we stop last time?", True),
        ("还有哪些没做完？", True),
        ("qué queda por hacer?", True),
        ("was ist noch offen?", True),
        ("what is open in the invoice printer?", False),
        ("what is left of the old parser?", False),
        ("add a left border to the list", False),
        ("open the file", False),
    ],
)
def test_who_asks_for_what_is_left_asks_for_nothing_in_particular(prompt: str, left: bool) -> None:
    assert asks_what_is_left(prompt) == left


@pytest.mark.parametrize(
    "prompt", ["", "   ", "go on", "好的", "/compact now please", "!git status -sb", "# note to self"]
)
def test_anything_else_is_not(prompt: str) -> None:
    assert not worth_looking(prompt)
