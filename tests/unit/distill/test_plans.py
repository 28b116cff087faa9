"""A plan that a person agreed to is theirs, whole; what the host adds, and what is only for the work, is not."""

from __future__ import annotations

import pytest

from memd.distill.own import own_sentences
from memd.distill.plans import end_of, for_the_work, is_plan

STEPS = "\n".join(f"- Pier {n} gets a gauge of its own in `piers/{n}.toml`." for n in range(40))
PLAN = f"""Implement the following plan:

# Plan: gauges of the piers

## Context

The tide table lives in one file. Each pier shall have its own.

## Changes

{STEPS}

## Files to Modify

- `piers/index.toml`

## Verification

1. Run `tide check` and look at pier 4

## Later

The harbour office gets a page.

If you need specific details from before exiting plan mode (like exact code), read the full transcript at: ~/t.jsonl

If this plan can be broken down into multiple independent tasks, consider using the TeamCreate tool.
"""


def said(text: str) -> list[str]:
    return [one.text for one in own_sentences(text, "user")]


def test_a_plan_is_said_whole_however_long_it_is() -> None:
    found = said(PLAN)
    assert all(f"Pier {n} gets a gauge of its own in `piers/{n}.toml`." in found for n in range(40))
    assert "The harbour office gets a page." in found


@pytest.mark.parametrize("words", ["plan mode", "TeamCreate", "tide check", "piers/index.toml"])
def test_the_hosts_advice_the_checks_and_the_list_of_files_are_left_out(words: str) -> None:
    assert not any(words in one for one in said(PLAN))


def test_another_long_prompt_is_still_cut_to_its_ends() -> None:
    assert len(said(PLAN.replace("Implement the following plan:", "Here are the gauges."))) == 20


@pytest.mark.parametrize("text", ["Implement the following plan:\n\n# A", "PLEASE IMPLEMENT THIS PLAN:\n# A"])
def test_hosts_open_a_plan_so(text: str) -> None:
    assert is_plan(text)
    assert end_of(text) == len(text)


@pytest.mark.parametrize("text", ["implement the plan in plan.md", "I have to implement the following plan: none", ""])
def test_other_prompts_are_no_plan(text: str) -> None:
    assert not is_plan(text)


@pytest.mark.parametrize(
    "heading", ["Verification", "5. How to verify", "Files to Modify", "Critical files to change", "验证"]
)
def test_checks_and_lists_of_files_are_for_the_work(heading: str) -> None:
    assert for_the_work(heading)


@pytest.mark.parametrize(
    "heading", ["", "Changes", "Verification of e-mail addresses", "Files of the piers", "Test suite"]
)
def test_other_headings_are_not(heading: str) -> None:
    assert not for_the_work(heading)
