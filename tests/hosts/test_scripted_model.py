from __future__ import annotations

import json
import urllib.error
import urllib.request

import pytest

from tests.hosts.script import Call, Say, rule, script
from tests.hosts.scripted_model import ScriptedModel


def _post(model: ScriptedModel, path: str, body: object) -> bytes:
    request = urllib.request.Request(model.url + path, json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as response:
        content: bytes = response.read()
        return content


def _ask(model: ScriptedModel, *messages: object, stream: bool = False) -> bytes:
    body = {"model": "m", "stream": stream, "messages": list(messages), "tools": [{"name": "Bash"}]}
    return _post(model, "/v1/messages", body)


def _user(content: object) -> dict[str, object]:
    return {"role": "user", "content": content}


def _assistant(content: object) -> dict[str, object]:
    return {"role": "assistant", "content": content}


CALL = Call("Bash", {"command": "ls"})
LISTING = rule("list the folder", (Say("I look."), CALL), "Two files.")


def test_a_rule_answers_step_by_step_as_tools_are_answered(model: ScriptedModel) -> None:
    model.script = script(LISTING)
    prompt = _user("Please list the folder.")
    result = _user([{"type": "tool_result", "tool_use_id": "t", "content": "a b"}])

    first = json.loads(_ask(model, prompt))
    second = json.loads(_ask(model, prompt, _assistant(first["content"]), result))

    assert [block["type"] for block in first["content"]] == ["text", "tool_use"]
    assert first["stop_reason"] == "tool_use"
    assert second["content"] == [{"type": "text", "text": "Two files."}]
    assert second["stop_reason"] == "end_turn"


def test_a_retried_request_gets_the_same_answer(model: ScriptedModel) -> None:
    model.script = script(LISTING)
    answers = [json.loads(_ask(model, _user("list the folder"))) for _ in range(2)]
    assert answers[0]["content"][0] == answers[1]["content"][0]


def test_a_streamed_answer_carries_text_and_tool_input_in_deltas(model: ScriptedModel) -> None:
    model.script = script(LISTING)
    lines = _ask(model, _user("list the folder"), stream=True).decode().splitlines()
    events = [json.loads(line[6:]) for line in lines if line.startswith("data: ")]
    deltas = [one["delta"] for one in events if one["type"] == "content_block_delta"]

    assert [one["type"] for one in events][0::11] == ["message_start"]
    assert events[-1] == {"type": "message_stop"}
    assert deltas[0] == {"type": "text_delta", "text": "I look."}
    assert json.loads(deltas[1]["partial_json"]) == {"command": "ls"}


def test_a_prompt_is_told_from_the_reminders_around_it(model: ScriptedModel) -> None:
    model.script = script(LISTING)
    reminder = {"type": "text", "text": "<system-reminder>\nlist the folder\n</system-reminder>"}
    _ask(model, _user([reminder, {"type": "text", "text": "Good morning."}]))

    (request,) = model.requests
    assert request.conversation.prompt == "Good morning."
    assert "list the folder" in request.conversation.text
    assert request.answer == (Say("Fine."),)


def test_every_request_is_kept_with_its_whole_body(model: ScriptedModel) -> None:
    _ask(model, _user("One."))
    _ask(model, _user("Two."))
    assert [one.conversation.prompt for one in model.requests] == ["One.", "Two."]
    assert model.requests[1].body["model"] == "m"
    assert len(model.asked("Two")) == 1


def test_questions_beside_the_conversation_are_answered(model: ScriptedModel) -> None:
    counted = json.loads(_post(model, "/v1/messages/count_tokens", {"messages": []}))
    assert counted["input_tokens"] > 0
    assert model.requests == ()


def test_what_no_wire_format_knows_is_refused_and_noted(model: ScriptedModel) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        _post(model, "/v1/unheard-of", {})
    refused.value.close()
    assert refused.value.code == 404
    assert model.unknown == ("POST /v1/unheard-of",)


def test_waiting_for_a_request_that_never_comes_ends(model: ScriptedModel) -> None:
    with pytest.raises(TimeoutError, match="0 requests came"):
        model.wait_for(lambda seen: bool(seen), timeout_s=0.01)
