from __future__ import annotations

import pytest

from memd.distill import findings
from memd.distill.findings import asserts, kind_of, likelihood
from memd.distill.thread import Thread
from memd.model import FactKind
from tests.unit.distill.talk import Talk


@pytest.mark.parametrize(
    "text",
    [
        "Let me look at the configuration in `app.py` first.",
        "Now I'll add the missing test for `tide()`.",
        "Should I also remove the old `beat` container?",
        "You could raise `visibility_timeout` to 12h.",
        "It is probably the cache in `store.py` again.",
        "Here is what changed in `store.py`:",
        "Running the tests in `tests/unit`.",
        "All 74 tests passed in `tests/unit`.",
        "接下来我会修改 `app.py` 的配置，然后再跑一遍测试。",
    ],
)
def test_plans_proposals_guesses_questions_and_narration_assert_nothing(text: str) -> None:
    assert not asserts(text)


@pytest.mark.parametrize(
    "text",
    [
        "The checkpoints live in `refs/entire/*`, not in a branch.",
        "`--cache DIR` moves the cache; the default is `~/.cache/harbor`.",
        "jsdom 里元素高度是 0，虚拟列表一行也不渲染，`vitest.setup.ts` 里要固定。",
    ],
)
def test_plain_assertions_do(text: str) -> None:
    assert asserts(text)


def test_exact_names_denials_and_reasons_make_a_finding_likelier(talk: Talk) -> None:
    talk.user("where are they").reply(
        "The refs are stored somewhere else in there, I see.\n\n"
        "The refs live in `refs/harbor/*`, not in `refs/heads/*`, because a branch would be listed."
    )
    thread = Thread(talk.transcript())
    vague, exact = thread.statements[1:3]
    assert likelihood(thread, exact) > 2 * likelihood(thread, vague)


def test_a_person_telling_how_things_are_is_heard_and_a_complaint_is_not(talk: Talk) -> None:
    talk.user("amounts ending in 13 cents always give BUSY twice").user("ci is red on the branch, only the LINT job")
    assert [draft.anchor.text[:7] for draft in findings.find(Thread(talk.transcript()))] == ["amounts"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("`TIDE_CACHE` moves the folder.", "config"),
        ("The berths are stored in a table of their own.", "architecture"),
        ("The tide service answers only in winter.", "discovery"),
        ("The bug was caused by `tide()` and is fixed now.", "bugfix"),
    ],
)
def test_the_kind_of_a_finding_follows_its_words(text: str, kind: FactKind) -> None:
    assert kind_of(text) == kind
