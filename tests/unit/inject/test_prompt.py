from __future__ import annotations

import pytest

from memd.inject.prompt import worth_looking


@pytest.mark.parametrize(
    "prompt", ["Why does the parser drop commas?", "为什么重试队列会丢消息", "数据库连接池", "用 zap 打日志"]
)
def test_a_real_prompt_is_worth_looking(prompt: str) -> None:
    assert worth_looking(prompt)


@pytest.mark.parametrize(
    "prompt", ["", "   ", "go on", "好的", "/compact now please", "!git status -sb", "# note to self"]
)
def test_anything_else_is_not(prompt: str) -> None:
    assert not worth_looking(prompt)
