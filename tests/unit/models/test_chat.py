from __future__ import annotations

from pathlib import Path

import pytest

from memd.config import ModelConfig
from memd.errors import ModelFailed, ModelMisconfigured
from memd.models.budget import spent
from memd.models.chat import HttpChat, configured, own_instructions
from tests.unit.models.local_endpoint import answering

DAY_MS = 86_400_000


def chat(config: ModelConfig, env: dict[str, str] | None = None) -> HttpChat:
    made = configured(config, env or {})
    assert made is not None
    return made


async def test_an_openai_endpoint_is_asked_in_its_own_form_and_its_answer_is_counted() -> None:
    answer = {"choices": [{"message": {"role": "assistant", "content": "[]"}}], "usage": {"total_tokens": 42}}
    with answering(answer) as endpoint:
        config = ModelConfig(
            api="openai", url=endpoint.url + "/v1/", name="tiny", key_env="KEY", extra_body='{"seed": 7}'
        )
        got = await chat(config, {"KEY": "k-1"}).ask("be short", "what is worth keeping?", 100)
    assert (got.text, got.tokens) == ("[]", 42)
    path, headers, body = endpoint.asked[0]
    assert path == "/v1/chat/completions"
    assert headers["authorization"] == "Bearer k-1"
    assert body["seed"] == 7
    assert [message["role"] for message in body["messages"]] == ["system", "user"]


async def test_an_anthropic_endpoint_is_asked_in_its_own_form(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("k-2\n")
    answer = {"content": [{"type": "text", "text": "[1]"}], "usage": {"input_tokens": 5, "output_tokens": 2}}
    with answering(answer) as endpoint:
        config = ModelConfig(api="anthropic", url=endpoint.url, name="small", key_file=str(tmp_path / "key"))
        got = await chat(config).ask("be short", "what?", 100)
    assert (got.text, got.tokens) == ("[1]", 7)
    path, headers, body = endpoint.asked[0]
    assert path == "/v1/messages"
    assert headers["x-api-key"] == "k-2"
    assert body["system"] == "be short"


def test_instructions_of_ones_own_take_the_place_of_memds(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("Keep nothing but decisions.\n")
    assert own_instructions(ModelConfig(api="openai", name="tiny", prompt_file=str(file))) == (
        "Keep nothing but decisions."
    )
    assert own_instructions(ModelConfig(prompt_file=str(file))) == ""
    with pytest.raises(ModelMisconfigured, match="prompt_file"):
        own_instructions(ModelConfig(api="openai", name="tiny", prompt_file=str(tmp_path / "not there")))


async def test_no_key_is_needed_and_none_is_sent_where_none_is_set() -> None:
    with answering({"choices": [{"message": {"content": "hello"}}]}) as endpoint:
        got = await chat(ModelConfig(api="openai", url=endpoint.url, name="local")).ask("a", "b", 10)
    assert got.tokens > 0  # estimated where the endpoint does not count
    assert "authorization" not in endpoint.asked[0][1]


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (b"not json", 200),
        ({"choices": []}, 200),
        ({"choices": [{"message": {"content": None}}]}, 200),
        ([1, 2], 200),
        ({"error": {"message": "no such model"}}, 404),
        (b"x" * ((1 << 20) + 1), 200),
    ],
)
async def test_whatever_is_no_answer_is_one_failure_that_names_the_endpoint(answer: object, status: int) -> None:
    with answering(answer, status) as endpoint:
        with pytest.raises(ModelFailed, match=r"127\.0\.0\.1"):
            await chat(ModelConfig(api="openai", url=endpoint.url, name="tiny")).ask("a", "b", 10)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:99999", "http://[", "ftp://127.0.0.1", "http://127.0.0.1:0", "no url"]
)
async def test_an_address_that_is_none_is_a_failure(url: str) -> None:
    with pytest.raises(ModelFailed, match="rules' facts stand"):
        await chat(ModelConfig(api="openai", url=url, name="tiny")).ask("a", "b", 10)


def test_a_key_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(b"\xef\xbb\xbfk-3\r\n")
    config = ModelConfig(api="openai", name="m", key_file=str(tmp_path / "key"))
    assert chat(config).key == "k-3"


@pytest.mark.parametrize("key", ["k\u00e4-4", "k-\u200b4", "k-4\nk-5"])
def test_a_key_that_no_header_can_hold_is_named_and_not_shown(key: str, tmp_path: Path) -> None:
    (tmp_path / "key").write_text(key, "utf-8")
    with pytest.raises(ModelMisconfigured, match=r"model\.key_file") as told:
        configured(ModelConfig(api="openai", name="m", key_file=str(tmp_path / "key")), {})
    assert key not in str(told.value)


async def test_an_endpoint_that_is_not_there_is_a_failure() -> None:
    with answering({}) as endpoint:
        pass
    with pytest.raises(ModelFailed, match="rules' facts stand"):
        await chat(ModelConfig(api="openai", url=endpoint.url, name="tiny")).ask("a", "b", 10)


def test_without_an_api_there_is_no_model() -> None:
    assert configured(ModelConfig(name="tiny", url="http://localhost:1"), {}) is None


@pytest.mark.parametrize(
    ("config", "named"),
    [
        (ModelConfig(api="openai"), "model.name"),
        (ModelConfig(api="openai", name="m", key_env="NOT_THERE"), "NOT_THERE"),
        (ModelConfig(api="openai", name="m", key_file="/nowhere/key"), "key_file"),
        (ModelConfig(api="openai", name="m", extra_body="{"), "extra_body"),
        (ModelConfig(api="openai", name="m", extra_body="[1]"), "extra_body"),
    ],
)
def test_a_model_that_cannot_be_asked_is_named_with_what_is_wrong(config: ModelConfig, named: str) -> None:
    with pytest.raises(ModelMisconfigured, match=named):
        configured(config, {})


def test_what_was_spent_counts_for_its_day_only() -> None:
    today = spent(None, 20_000 * DAY_MS).plus(700)
    assert spent(today.line, 20_000 * DAY_MS + 5).tokens == 700
    assert spent(today.line, 20_001 * DAY_MS).tokens == 0
    assert spent("rubbish", 20_000 * DAY_MS).tokens == 0
