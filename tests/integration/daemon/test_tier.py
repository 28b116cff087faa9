"""A daemon with a second embedding on this machine: it answers, it goes when nobody asks, and it may be missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from memd.recall import embedding
from memd.recall.tiers import TIERS
from tests.integration.daemon.daemon_under_test import Home, running, wait_until
from tests.integration.daemon.talk import Talk
from tests.integration.daemon.test_footprint import BUDGET_MB, resident_mb

SESSION = "0a11ce00-0000-4000-8000-0000000000e7"

pytestmark = pytest.mark.skipif(embedding.missing() is not None, reason="no embedding")


def _hold(home: Home, project: Path) -> None:
    talk = Talk(home.transcript(SESSION), project)
    talk.user("Take the tide table and copy it every night, so that the keeper has it without a network.")
    talk.model("The copy goes to the lighthouse, because the harbour master's office has no server of its own.")


@pytest.mark.parametrize("name", TIERS)
def test_a_second_embedding_answers_and_its_process_goes_when_nobody_asks(name: str, home: Home, project: Path) -> None:
    if TIERS[name].missing is not None:
        pytest.skip(f"{TIERS[name].missing}")
    home.settings.update({"MEMD_SEARCH_TIER": name, "MEMD_WORKERS_IDLE_S": "2"})
    _hold(home, project)
    with running(home) as daemon:

        def answered() -> bool:
            answer: dict[str, dict[str, object]] = home.call("search", query="duplicate each evening", explain=True)
            return answer["notes"] == {} and "semantic" in answer["lanes"]

        wait_until(answered, "an answer of both embeddings")
        answer = home.call("search", query="duplicate each evening", kinds=["messages"], explain=True)
        assert "copy it every night" in answer["hits"][0]["text"]
        assert answer["hits"][0]["why"]["tier"] > 0
        assert home.call("index.status")["vectors"][TIERS[name].model] == 2
        wait_until(lambda: home.processes() == [daemon.pid], "the processes to go")
        wait_until(lambda: resident_mb(daemon.pid) < BUDGET_MB, "the memory to be given back")


@pytest.mark.parametrize("name", TIERS)
def test_one_that_is_not_installed_is_named_and_search_goes_on(name: str, home: Home, project: Path) -> None:
    if TIERS[name].missing is None:
        pytest.skip("it is installed")
    home.settings["MEMD_SEARCH_TIER"] = name
    _hold(home, project)
    with running(home):
        wait_until(lambda: bool(home.call("search", query="tide table")["hits"]), "the prompt")
        told = [line for line in home.call("status")["degraded"] if "search.tier" in line]
        assert len(told) == 1
        assert f"pip install 'memd-daemon[{name}]'" in told[0]


def test_beside_an_embedding_over_http_it_is_not_used_and_that_is_told(home: Home, project: Path) -> None:
    asked = {"MEMD_EMBED_API": "openai", "MEMD_EMBED_URL": "http://127.0.0.1:1/v1", "MEMD_EMBED_NAME": "tiny"}
    home.settings.update({**asked, "MEMD_SEARCH_TIER": "minilm"})
    _hold(home, project)
    with running(home):
        wait_until(lambda: bool(home.call("search", query="tide table")["hits"]), "the prompt")
        assert any("search.tier is not used: tiny" in line for line in home.call("status")["degraded"])
