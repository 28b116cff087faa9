"""What somebody says of themselves outright is known; questions, programs and what others say are not."""

from __future__ import annotations

import pytest

from memd.distill.disclosure import disclosed, only_discloses

CHINESE = {
    "我叫林海": "用户的名字是林海",
    "我喜欢深色主题": "用户喜欢深色主题",
    "我不喜欢香菜": "用户不喜欢香菜",
    "我对花生过敏": "用户对花生过敏",
    "我住在青岛": "用户住在青岛",
    "我在港务局工作": "用户在港务局工作",
    "我是一名灯塔工程师": "用户的职业是灯塔工程师",
    "我正在重写潮汐表": "用户正在重写潮汐表",
    "我的生日是3月5日": "用户的生日是3月5日",
    "我今年30岁": "用户30岁",
    "我的邮箱是lin@harbor.example": "用户的邮箱是lin@harbor.example",
    "我的手机号是13800000000": "用户的电话是13800000000",
    "记住，发布只在周二": "发布只在周二",
}
ENGLISH = {
    "Hi, my name is Ada Keel.": "The user's name is Ada Keel",
    "I really like dark themes.": "The user likes dark themes",
    "I don't like tabs.": "The user dislikes tabs",
    "I live in Porto.": "The user lives in Porto",
    "I work at the harbour office.": "The user works at the harbour office",
    "Please remember that releases are on Tuesdays.": "releases are on Tuesdays",
}


def told(text: str) -> list[str]:
    return [candidate.title for candidate in disclosed(text)]


@pytest.mark.parametrize(("said", "fact"), [*CHINESE.items(), *ENGLISH.items()])
def test_each_thing_somebody_says_of_themselves_is_one_fact(said: str, fact: str) -> None:
    assert told(said) == [fact]


def test_after_a_chinese_comma_the_subject_goes_without_saying() -> None:
    assert told("我叫张三，喜欢吃辣") == ["用户的名字是张三", "用户喜欢吃辣"]
    assert told("他叫张三，喜欢吃辣") == []


def test_several_things_of_one_message_are_as_many_facts() -> None:
    assert told("I like tea and I live in Porto. I don't like rain.") == [
        "The user likes tea",
        "The user lives in Porto",
        "The user dislikes rain",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Do you remember that I like tea?",
        "我喜欢什么颜色？",
        "I'd like you to fix the tide table.",
        "I like how this works.",
        "```\nI live in Porto.\n```",
        "> I live in Porto.",
        "我们喜欢深色主题",
        "",
    ],
)
def test_questions_wishes_programs_and_quotations_tell_nothing(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "only"),
    [
        ("I now live in Bergen, it rains.", True),
        ("I live in Porto. I like rain", True),
        ("我叫张三，喜欢吃辣", True),
        ("I live in Porto. The tide table is in `tides.db`.", False),
        ("remember that the tide table is in `tides.db`", False),
        ("always run `make check`", False),
    ],
)
def test_what_only_tells_of_the_speaker_is_known(text: str, only: bool) -> None:
    assert only_discloses(text) is only
