from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.inject.prompt import request_of

LOG = "\n".join(
    f"2026-11-29 10:{n % 60:02d}:00 INFO worker {n} took a job from the queue of pier {n}" for n in range(120)
)
TRACE = "\n".join(f'  File "/app/pier/{n}.py", line {n}, in moor' for n in range(60))


def test_a_short_prompt_is_taken_whole() -> None:
    assert request_of("why does the parser drop commas?") == "why does the parser drop commas?"


def test_of_a_pasted_log_the_request_stays_whether_it_stands_before_or_after() -> None:
    for prompt in (f"Why does the tide import stop?\n{LOG}", f"{LOG}\nWhy does the tide import stop?"):
        asked = request_of(prompt)
        assert "Why does the tide import stop?" in asked
        assert "worker 77" not in asked
        assert len(asked) < 1_000


def test_of_what_was_pasted_the_line_that_tells_what_went_wrong_stays() -> None:
    asked = request_of(f"fix this\n```\n{TRACE}\nBarnacleError: no room at pier 7\n```\nthanks")
    assert "BarnacleError: no room at pier 7" in asked
    assert "File" not in asked


def test_of_a_long_letter_the_beginning_and_the_end_stay() -> None:
    letter = "\n".join(
        f"Paragraph {n} tells of the harbour, at length and with feeling, as letters do." for n in range(200)
    )
    asked = request_of(letter)
    assert "Paragraph 0 " in asked
    assert "Paragraph 199 " in asked
    assert "Paragraph 100 " not in asked


@given(st.text(max_size=6_000))
def test_any_text_has_a_request_that_is_bounded(prompt: str) -> None:
    assert len(request_of(prompt)) <= 6_000


@pytest.mark.parametrize("filler", ["`", "~", " ", "\t", "``` ", "```\n", "~~~\n```\n", "```\n \n", "a\t", "Error "])
def test_a_prompt_of_a_million_of_anything_has_a_request(filler: str) -> None:
    assert len(request_of(filler * (1_000_000 // len(filler)))) < 5_000
