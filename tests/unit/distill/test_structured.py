"""A reply that is one JSON object says what its strings say."""

from __future__ import annotations

import json

import pytest

from memd.distill.distill import distill
from memd.distill.own import own_sentences
from memd.distill.structured import is_structured, prose
from tests.unit.distill.talk import Talk

REVIEW = json.dumps(
    {
        "findings": [
            {
                "title": "[P1] An empty tide stream ends the gauge",
                "body": "If the buoy sends `{}` first, `read_level()` raises.\nThe socket never catches that.",
                "code_location": {"path": "/home/ada/harbor/src/gauge.py", "lines": [3, 9]},
            },
            {"title": "[P2] The pier keeps its lock", "body": "`moor()` returns before the lock of the pier is freed."},
        ],
        "overall_correctness": "patch is incorrect",
    },
    indent=2,
)


def test_each_object_of_a_review_is_one_block_of_exact_parts() -> None:
    said = list(prose(REVIEW))
    assert all(text in REVIEW for _, text in said)
    assert [number for number, _ in said] == [0, 0, 0, 1, 1]
    assert not any("/home/ada" in text for _, text in said)


@pytest.mark.parametrize("text", ["{not json}", "[1, 2]", "Here it is: {}", '{"a": "b"} and more', "", "{" * 5000])
def test_what_is_no_json_object_is_read_as_it_stands(text: str) -> None:
    assert not is_structured(text)


def test_a_person_who_pastes_json_says_nothing_by_it() -> None:
    assert [one.text for one in own_sentences(REVIEW, "user") if one.kind == "item"] == []


def test_what_a_review_found_is_kept(talk: Talk) -> None:
    found = distill(talk.user("review the gauge").reply(REVIEW).transcript()).candidates
    assert any("read_level()" in one.body for one in found)
    assert all(one.quote in REVIEW for fact in found for one in fact.evidence if fact.kind != "task")
