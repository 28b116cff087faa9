from __future__ import annotations

import pytest

from memd.inject.usage import Said, sign_of_use, signs_of_use
from tests.unit.inject.facts import fact

TESTS = fact(1, "Run the tests with `make unit`, plain pytest hangs", "convention", ("command", "make unit"))
KEYS = fact(2, "The idempotency key of a payout is stored in ledger.payout_keys")
PLAIN = fact(3, "Amounts become integers in minor units since floats lost pennies on invoices")


def _said(*replies: str, inputs: tuple[str, ...] = (), prompts: tuple[str, ...] = ()) -> Said:
    return Said(replies, inputs, prompts)


def test_a_command_that_is_run_shows_the_use() -> None:
    assert sign_of_use(TESTS, _said("Done.", inputs=('{"command": "make unit -k tide"}',))) == "`make unit`"


def test_a_name_that_is_written_shows_the_use() -> None:
    assert sign_of_use(KEYS, _said("I look into ledger.payout_keys first.")) == "`ledger.payout_keys`"


def test_most_of_the_words_in_one_reply_show_the_use() -> None:
    reply = "Since floats lost pennies, invoices keep integers in minor units; amounts are converted at the edge."
    assert sign_of_use(PLAIN, _said(reply)) == "its words"


@pytest.mark.parametrize(
    "said",
    [
        _said("I ran pytest and all is well.", inputs=('{"command": "pytest -q"}',)),
        _said("make units of work"),
        _said("Done.", inputs=('{"command": "make unit"}',), prompts=("run make unit now",)),
        _said(),
    ],
    ids=["another command", "a longer word", "the user said it himself", "nothing"],
)
def test_anything_else_does_not(said: Said) -> None:
    assert sign_of_use(TESTS, said) is None


def test_words_scattered_over_many_replies_prove_nothing() -> None:
    assert sign_of_use(PLAIN, _said("floats", "pennies", "invoices", "integers", "minor units")) is None


def test_each_fact_is_judged_by_what_followed_it() -> None:
    assert signs_of_use([(TESTS, _said("make unit")), (KEYS, _said("nothing"))]) == ["`make unit`", None]
