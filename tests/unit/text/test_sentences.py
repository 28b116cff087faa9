"""Sentences of prose in four languages, with Markdown kept apart."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memd.text.sentences import Sentence, sentences


def texts(text: str) -> list[str]:
    return [sentence.text for sentence in sentences(text)]


def kinds(text: str) -> list[tuple[str, str]]:
    return [(sentence.kind, sentence.text) for sentence in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? four.", ["One.", "Two!", "Three?", "four."]),
        ("We use v1.2.3 of foo.py now. Done.", ["We use v1.2.3 of foo.py now.", "Done."]),
        ("See https://a.io/x.html?y=1.2. Then go.", ["See https://a.io/x.html?y=1.2.", "Then go."]),
        ("Use e.g. pnpm, i.e. not npm. Ok", ["Use e.g. pnpm, i.e. not npm.", "Ok"]),
        ("See fig. 3 and no. 4. Now or no. End.", ["See fig. 3 and no. 4.", "Now or no.", "End."]),
        ("Ask Dr. No or J. Doe vs. me. Fine.", ["Ask Dr. No or J. Doe vs. me.", "Fine."]),
        ("Files, dirs, etc. are kept. Ok.", ["Files, dirs, etc. are kept.", "Ok."]),
        ("Wait... what? Yes… no. End", ["Wait... what?", "Yes… no.", "End"]),
        ("We SELECT id ... FOR UPDATE. It is safe.", ["We SELECT id ... FOR UPDATE.", "It is safe."]),
        ("Hm ... Let me look.", ["Hm ...", "Let me look."]),
        ('He said "Stop." and left. Gone.', ['He said "Stop." and left.', "Gone."]),
        ("Run `a. b` first. Then c.", ["Run `a. b` first.", "Then c."]),
        ("It works (really!). Next one.", ["It works (really!).", "Next one."]),
        ("Is it **done.** Yes.", ["Is it **done.**", "Yes."]),
        ("It was I. You knew.", ["It was I.", "You knew."]),
        ("no stop at all", ["no stop at all"]),
        ("", []),
        (" \n\n ", []),
    ],
)
def test_english_is_split_where_a_sentence_ends(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我们决定用 PostgreSQL。因为更快！好吗？", ["我们决定用 PostgreSQL。", "因为更快！", "好吗？"]),
        ("升级到 v1.2.3。见 a.py。", ["升级到 v1.2.3。", "见 a.py。"]),
        ("好的.开始吧", ["好的.", "开始吧"]),
        ("他说：“可以。”然后走了。", ["他说：“可以。”", "然后走了。"]),
        ("「はい。」と言った。次に進む。", ["「はい。」と言った。", "次に進む。"]),
        ("설정을 바꿨다. 이제 된다! 확인해 줘", ["설정을 바꿨다.", "이제 된다!", "확인해 줘"]),
        ("第一行\n第二行", ["第一行", "第二行"]),
    ],
)
def test_chinese_japanese_and_korean_are_split(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


def test_a_filled_line_goes_on_in_the_next() -> None:
    wrapped = "This line is as long as the editor was wide and so it was\nbroken here. Short one\nAnother one"

    assert texts(wrapped) == [wrapped.split(".")[0] + ".", "Short one", "Another one"]


def test_markdown_is_kept_apart() -> None:
    text = (
        "# The title\nIntro. More.\n\n- first. And more\n  goes on\n- [x] second\n2. third\n\n> quoted. Twice.\n"
        "| a | b |\n|---|---|\n| 1. | 2 |\n\n```py\nx = 1. \n\ny\n```\n---\nEnd."
    )

    assert kinds(text) == [
        ("heading", "The title"),
        ("prose", "Intro."),
        ("prose", "More."),
        ("item", "first."),
        ("item", "And more\n  goes on"),
        ("item", "second"),
        ("item", "third"),
        ("quote", "quoted."),
        ("quote", "Twice."),
        ("table", "| a | b |"),
        ("table", "| 1. | 2 |"),
        ("code", "```py\nx = 1. \n\ny\n```"),
        ("prose", "End."),
    ]


def test_an_unclosed_fence_is_code_to_the_end() -> None:
    assert kinds("Look. \n```\na. b\nc") == [("prose", "Look."), ("code", "```\na. b\nc")]


def test_indented_lines_are_code_but_not_under_an_item() -> None:
    assert kinds("Run\n\n    make check\n\nthen.") == [("prose", "Run"), ("code", "    make check"), ("prose", "then.")]
    assert kinds("- an item\n\n    its second part")[-1] == ("prose", "its second part")


def test_a_longer_fence_holds_a_shorter_one() -> None:
    text = "````\n```\nx\n```\n````\nafter"

    assert kinds(text) == [("code", "````\n```\nx\n```\n````"), ("prose", "after")]


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from("aA1 .!?\n`#->|。「」数は한\t\"'*~…:/"), max_size=120))
def test_sentences_stand_where_they_say_in_order(text: str) -> None:
    found = sentences(text)

    assert all(
        isinstance(sentence, Sentence) and text[sentence.start : sentence.end] == sentence.text for sentence in found
    )
    assert all(first.end <= second.start for first, second in itertools.pairwise(found))
    assert all(sentence.text.strip() for sentence in found)
    missing = "".join(text[a.end : b.start] for a, b in itertools.pairwise(found))
    assert not any(character.isalpha() for character in missing)


@pytest.mark.parametrize(
    "piece", ["a. ", "a", "- a\n", "`", "```\n", "。", "\n", "e.g. ", "| a |\n", "> a\n", "    a\n", "- ", "|-"]
)
def test_a_megabyte_of_anything_is_split_in_the_time_of_a_megabyte(piece: str) -> None:
    sentences(piece * (1_000_000 // len(piece)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("設定を確認しました。`app.toml`を直します。", ["設定を確認しました。", "`app.toml`を直します。"]),
        ("完了です。**次の手順**は保存です。", ["完了です。", "**次の手順**は保存です。"]),
        ("**重要です。**保存してください。", ["**重要です。**", "保存してください。"]),
        ("**一つ目。二つ目。**三つ目。", ["**一つ目。", "二つ目。**", "三つ目。"]),
        ('完成。"潮汐"是关键。', ["完成。", '"潮汐"是关键。']),
        ("これは`a。b`です。`c`もです。", ["これは`a。b`です。", "`c`もです。"]),
        ('It is 5" wide. He said "Stop." Then he left.', ['It is 5" wide.', 'He said "Stop."', "Then he left."]),
    ],
)
def test_a_mark_right_after_a_sentence_closes_it_only_if_it_was_opened_in_it(text: str, expected: list[str]) -> None:
    assert [one.text for one in sentences(text)] == expected
