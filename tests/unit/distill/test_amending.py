"""An order that only says how a thing shall be instead takes the place of what was said of it before."""

from __future__ import annotations

import pytest

from memd.distill import amending
from memd.distill.distill import distill
from memd.distill.thread import Thread
from tests.unit.distill.talk import Talk

LIMIT = "add a limit of requests, counted per IP, 100 a minute"


def now(before: str, order: str) -> list[str | None]:
    talk = Talk().user(before).edited("src/gate.py", "Done.").user(order).edited("src/gate.py", "Done.")
    return [draft.wording for draft in amending.find(Thread(talk.transcript()))]


@pytest.mark.parametrize(
    ("before", "order", "expected"),
    [
        (LIMIT, "make that per api key", "add a limit of requests, counted per api key, 100 a minute"),
        (LIMIT, "no, make it per tenant instead", "add a limit of requests, counted per tenant, 100 a minute"),
        ("store the lamp tokens in localStorage", "put them in a cookie instead", "store the lamp tokens in a cookie"),
        ("store the tokens in localStorage", "put them in a cookie instead, xss", "store the tokens in a cookie (xss)"),
        ("run the gauge every hour", "make it every day", "run the gauge every day"),
        ("加限流，按 IP 限制", "改成按租户", "加限流，按租户 限制"),
    ],
)
def test_it_is_told_as_it_is_wanted_now(before: str, order: str, expected: str) -> None:
    assert now(before, order) == [expected]


@pytest.mark.parametrize(
    ("before", "order"),
    [
        (LIMIT, "make that faster"),
        (LIMIT, "make it by friday"),  # of which nothing was said
        ("store the tokens in localStorage", "put them in the changelog, too"),  # besides
        ("count them per pier and per lamp", "make that per harbour"),  # which of the two?
    ],
)
def test_other_orders_amend_nothing(before: str, order: str) -> None:
    assert now(before, order) == []


def test_what_was_amended_holds_no_longer() -> None:
    talk = Talk().user(LIMIT).edited("src/gate.py", "Requests are limited to 100 a minute per IP.")
    talk.user("make that per api key").edited("src/gate.py", "They are counted per API key now.")
    said = " ".join(one.body for one in distill(talk.transcript()).candidates)
    assert "per api key" in said
    assert "per IP" not in said
