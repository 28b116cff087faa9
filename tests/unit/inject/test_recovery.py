from __future__ import annotations

from memd.inject.recovery import Lost, recovery
from memd.inject.wakeup import Material
from memd.model import Summary
from tests.unit.inject.facts import fact

RULE = fact(1, "Commit messages are written in the imperative", "preference")
USED = fact(2, "The tide table lives in SQLite, in docs/tides.db")
SAID = fact(3, "The harbour API answers 429 above five requests a second", "discovery")
MATERIAL = Material(
    "harbor",
    blocks=(("rules", "Never moor at night"),),
    instructions=(RULE,),
    decisions=(fact(9, "Something that was not given"),),
    last=Summary("Yesterday", "**Done**\n- all of it"),
)


def test_it_gives_what_is_always_shown_the_rules_and_what_was_given_and_nothing_else() -> None:
    text = recovery(MATERIAL, Lost((USED, SAID), ()), 400).text
    assert all(word in text for word in ("Never moor", "imperative", "docs/tides.db", "429"))
    assert "Yesterday" not in text
    assert "was not given" not in text


def test_what_the_summary_says_already_is_left_out() -> None:
    summary = "The harbour API answers 429 above five requests a second. Changed: crane.py"
    text = recovery(MATERIAL, Lost((USED, SAID), ("/w/crane.py", "/w/lamp.py"), summary), 400, "/w").text
    assert "429" not in text
    assert "docs/tides.db" in text
    assert "`lamp.py`" in text
    assert "crane.py" not in text


def test_what_was_taken_back_meanwhile_is_not_given_again() -> None:
    gone = fact(5, "The tide table lives in Postgres", status="superseded")
    assert "Postgres" not in recovery(MATERIAL, Lost((gone,), ()), 400).text


def test_it_stays_within_its_budget() -> None:
    many = tuple(fact(n, f"Statement {n} of the harbour master about pier {n}") for n in range(10, 90))
    bundle = recovery(MATERIAL, Lost(many, ()), 300)
    assert 200 < bundle.tokens <= 300


def test_where_nothing_was_lost_nothing_is_given() -> None:
    assert recovery(Material("harbor"), Lost((), ()), 400).text == ""
