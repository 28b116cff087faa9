"""Clipping keeps within its limit and cuts between characters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memd.text.clip import clip


def test_a_short_text_stays_whole() -> None:
    text = "short enough"

    assert clip(text, 12) is text


def test_head_and_tail_are_kept_and_the_rest_is_counted() -> None:
    text = "h" * 10_000 + "t" * 10_000
    clipped = clip(text, 1000)
    head, marker, tail = clipped.partition("[… ")
    count = int(tail.partition(" ")[0].replace(",", ""))

    assert set(head) == {"h"}
    assert clipped.endswith("t")
    assert marker
    assert "characters left out …]" in clipped
    assert len(head) + tail.count("t", tail.index("]")) + count == len(text)


def test_without_a_tail_only_the_head_is_kept() -> None:
    assert clip("abcdefghij" * 10, 20, "[+{count}]", tail_share=0).endswith("[+86]")


def test_a_limit_too_small_for_the_marker_ends_in_an_ellipsis() -> None:
    assert clip("abcdefghij" * 10, 5) == "abcd…"
    assert clip("abcdefghij" * 10, 1) == "…"
    assert clip("abcdefghij" * 10, 0) == ""


def test_no_letter_loses_its_accents_and_no_emoji_is_cut() -> None:
    family = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
    for limit in range(4, 120):
        for text in (family * 40, "e\u0301" * 100, "\U0001f44d\U0001f3fd" * 80):
            clipped = clip(text, limit)
            head = clipped.split("[")[0].rstrip("…")
            assert text.startswith(head)
            assert not head.endswith(("\u200d", "e", "\U0001f44d"))


@given(st.text(max_size=300), st.integers(0, 200))
def test_the_result_is_never_longer_than_the_limit(text: str, limit: int) -> None:
    assert len(clip(text, limit)) <= limit or clip(text, limit) == ""


def test_marks_without_end_are_cut_all_the_same() -> None:
    assert len(clip("a" + "\u0301" * 10_000, 500)) <= 500
