"""A daemon that asks an embedding over HTTP: what it is sent, and that nothing depends on it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from memd.recall import embedding
from tests.integration.daemon.daemon_under_test import Home, running, wait_until
from tests.integration.daemon.talk import Talk
from tests.unit.models.local_endpoint import Endpoint, answering, embeddings

SESSION = "0a11ce00-0000-4000-8000-0000000000e1"
SECRET = "ghp_" + "x7Kq9" * 7 + "z"

pytestmark = pytest.mark.skipif(embedding.missing() is not None, reason="no embedding")


def _hold(home: Home, project: Path) -> None:
    talk = Talk(home.transcript(SESSION), project)
    talk.user(f"Take the tide table and copy it every night, with the key {SECRET}. <private>For Ada only.</private>")
    talk.model("The harbour master's office has no server of its own, so the copy goes to the lighthouse.")


def _asking(home: Home, endpoint: Endpoint) -> Home:
    settings = {"MEMD_EMBED_API": "openai", "MEMD_EMBED_URL": endpoint.url, "MEMD_EMBED_NAME": "tiny"}
    return replace(home, settings={**home.settings, **settings})


def test_an_embedding_is_sent_what_was_said_without_secrets_and_answers_by_meaning(home: Home, project: Path) -> None:
    with answering(embeddings()) as endpoint:
        home = _asking(home, endpoint)
        _hold(home, project)
        with running(home):
            wait_until(
                lambda: home.call("search", query="duplicate each evening")["notes"] == {}, "the provider's answer"
            )
            answer = home.call("search", query="duplicate each evening")
            assert "copy it every night" in answer["hits"][0]["text"]
            endpoint.status = 500
            answer = home.call("search", query="copy night")
            assert answer["hits"]
            assert "static embedding" in answer["notes"]["semantic"]
            assert any("status 500" in line for line in home.call("status")["degraded"])
    sent = json.dumps([body for _, _, body in endpoint.asked])
    assert "tide table" in sent
    assert SECRET not in sent
    assert "For Ada only" not in sent


def test_an_embedding_that_is_not_wholly_configured_is_named_and_not_asked(home: Home, project: Path) -> None:
    home.settings.update({"MEMD_EMBED_API": "voyage", "MEMD_EMBED_NAME": "code", "MEMD_EMBED_KEY_ENV": "NOT_THERE"})
    _hold(home, project)
    with running(home):
        wait_until(lambda: bool(home.call("search", query="tide table")["hits"]), "the prompt")
        assert any("NOT_THERE that embed.key_env" in line for line in home.call("status")["degraded"])
