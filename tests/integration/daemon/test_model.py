"""A daemon with a model: what the model chooses, and that nothing depends on it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

from tests.integration.daemon.daemon_under_test import Home, running, settled, wait_until
from tests.integration.daemon.talk import Talk
from tests.unit.models.local_endpoint import answering

SESSION = "0a11ce00-0000-4000-8000-0000000000a1"
SAID = "The berth planner reads its tides from the `TIDES_URL` service at night only."


def _hold(home: Home, project: Path) -> None:
    home.hook("SessionStart", SESSION, project, source="startup")
    talk = Talk(home.transcript(SESSION), project)
    talk.user("Let's use SQLite instead of Postgres for the tide table, because the office has no server.")
    talk.model(f"Agreed, and done. {SAID}")
    home.hook("SessionEnd", SESSION, project, reason="other")


def _with_model(home: Home, url: str) -> Home:
    settings = {"MEMD_MODEL_API": "openai", "MEMD_MODEL_URL": url, "MEMD_MODEL_NAME": "tiny"}
    return replace(home, settings={**home.settings, **settings})


def _answer(text: str) -> dict[str, object]:
    return {"choices": [{"message": {"content": text}}], "usage": {"total_tokens": 900}}


def _bodies(home: Home) -> list[str]:
    return [body for (body,) in home.query("SELECT body FROM facts WHERE status = 'current'")]


def test_what_a_model_quotes_becomes_a_fact_and_its_tokens_are_counted(home: Home, project: Path) -> None:
    related = [["berth planner", "depends_on", "TIDES_URL"], ["berth planner", "swims in", "TIDES_URL"]]
    chosen = [{"statement": number, "quote": SAID, "kind": "architecture", "relations": related} for number in range(6)]
    with answering(_answer(json.dumps(chosen))) as endpoint:
        home = _with_model(home, endpoint.url)
        with running(home):
            _hold(home, project)
            wait_until(lambda: SAID in _bodies(home), "the model's choice")
            told = home.call("relations.list", origin="model")["relations"]
        asked = endpoint.asked[0][2]["messages"][1]["content"]
    assert any("SQLite" in body for body in _bodies(home))
    assert [(one["source_label"], one["relation"], one["target_label"]) for one in told] == [
        ("berth planner", "depends_on", "TIDES_URL")
    ]
    assert re.search(r"^S\d+ \(assistant\): The berth planner", asked, re.MULTILINE)
    [(spent,)] = home.query("SELECT value FROM meta WHERE key = 'model_tokens'")
    assert spent.endswith(" 900")


def test_a_model_that_fails_leaves_the_rules_facts_and_is_shown(home: Home, project: Path) -> None:
    with answering({"error": "overloaded"}, status=529) as endpoint:
        home = _with_model(home, endpoint.url)
        with running(home):
            _hold(home, project)
            wait_until(lambda: settled(home), "the distilled session")
            wait_until(lambda: any("529" in line for line in home.call("status")["degraded"]), "the failure in status")
            assert any("SQLite" in body for body in _bodies(home))


def test_over_the_daily_budget_nothing_is_asked(home: Home, project: Path) -> None:
    with answering(_answer("[]")) as endpoint:
        home = _with_model(home, endpoint.url)
        home.settings["MEMD_MODEL_DAILY_TOKENS"] = "100"
        with running(home):
            _hold(home, project)
            wait_until(lambda: any("budget" in line for line in home.call("status")["degraded"]), "the used budget")
            assert any("SQLite" in body for body in _bodies(home))
    assert endpoint.asked == []


def test_a_model_that_is_not_wholly_configured_is_named_and_not_used(home: Home, project: Path) -> None:
    home.settings.update({"MEMD_MODEL_API": "openai"})
    with running(home):
        _hold(home, project)
        wait_until(lambda: settled(home), "the distilled session")
        assert any("model.name is not set" in line for line in home.call("status")["degraded"])
