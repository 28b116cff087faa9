"""Events of every host that may run our hooks, and any bytes at all."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd_hooks import client
from memd_hooks.events import HookEvent, parse_event
from tests.contract.hooks.hook_run import SESSION, event

TRANSCRIPT = f"/home/ada/.claude/projects/-home-ada-loom/{SESSION}.jsonl"
RECORDED = Path(__file__).parents[4] / "shared/transcripts/claude-code/2.1.332__hook-payloads.log"


def parsed(raw: bytes, **header: str) -> HookEvent:
    found = parse_event("claude_code", raw, **header)
    assert found is not None
    return found


def test_a_prompt_of_claude_code() -> None:
    raw = event("UserPromptSubmit", prompt="why is the loom slow?", prompt_id="p1", permission_mode="plan")
    assert parsed(raw) == HookEvent(
        host="claude_code",
        host_is="claude_code",
        event="UserPromptSubmit",
        session_id=SESSION,
        transcript_path=Path(TRANSCRIPT),
        cwd=Path("/home/ada/loom"),
        prompt="why is the loom slow?",
    )


def test_the_end_of_a_subagent() -> None:
    found = parsed(
        event("SubagentStop", agent_id="a1", agent_type="Explore", agent_transcript_path="/x/agent-a1.jsonl")
    )
    assert (found.agent_id, found.agent_transcript_path) == ("a1", Path("/x/agent-a1.jsonl"))


def test_a_compaction() -> None:
    found = parsed(event("PostCompact", trigger="auto", compact_summary="We chose wool."))
    assert (found.event, found.session_id) == ("PostCompact", SESSION)
    assert "wool" not in repr(found)  # the summary is in the transcript, too


@pytest.mark.parametrize(
    ("raw", "env", "host"),
    [
        pytest.param({"cursor_version": "3.20", "conversation_id": "c1"}, "", "cursor", id="cursor says so"),
        pytest.param({"session_id": "s"}, "CLAUDECODE,CURSOR_VERSION", "cursor", id="cursor by environment"),
        pytest.param({"session_id": "s"}, "CONTINUE_PROJECT_DIR", "continue", id="continue by environment"),
        pytest.param({"session_id": "s"}, "GEMINI_SESSION_ID", "gemini", id="gemini by environment"),
        pytest.param({"session_id": "s"}, "COPILOT_PROJECT_DIR", "copilot", id="copilot by environment"),
        pytest.param({"session_id": "s", "initial_prompt": "go"}, "", "copilot", id="copilot by its start"),
        pytest.param({"session_id": "s", "turn_id": "t", "model": "m"}, "", "codex", id="codex has turns"),
        pytest.param(
            {"session_id": "s", "prompt_id": "p"}, "CURSOR_VERSION", "claude_code", id="claude has prompt ids"
        ),
        pytest.param(
            {"session_id": SESSION, "transcript_path": TRANSCRIPT}, "CURSOR_VERSION", "claude_code", id="its file"
        ),
        pytest.param({"session_id": "s", "transcript_path": ""}, "CLAUDECODE", "claude_code", id="nothing else known"),
    ],
)
def test_the_real_host_is_told_by_its_marks(raw: dict[str, str], env: str, host: str) -> None:
    found = parsed(json.dumps({"hook_event_name": "SessionStart"} | raw).encode(), env=env)
    assert (found.host, found.host_is) == ("claude_code", host)


def test_vs_code_spells_the_keys_in_its_own_way() -> None:
    found = parsed(b'{"timestamp":"2026-02-09T10:30:00.000Z","sessionId":"v1","hookEventName":"SessionStart"}')
    assert (found.host_is, found.event, found.session_id) == ("copilot", "SessionStart", "v1")


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [("sessionStart", "SessionStart"), ("beforeSubmitPrompt", "UserPromptSubmit"), ("stop", "Stop")],
)
def test_cursors_event_names_become_ours(theirs: str, ours: str) -> None:
    assert parsed(json.dumps({"hook_event_name": theirs, "conversation_id": "c"}).encode()).event == ours


def test_the_header_names_the_event_where_the_host_does_not() -> None:
    assert parsed(b'{"session_id":"s"}', named="Stop").event == "Stop"


def test_the_clients_stand_in_for_a_huge_event_is_marked() -> None:
    assert parsed(b'{"hook_event_name":"UserPromptSubmit","session_id":"s","memd_cut":true}').cut


def test_a_byte_order_mark_is_no_obstacle() -> None:
    assert parsed(b"\xef\xbb\xbf" + event("Stop")).event == "Stop"


def test_half_an_emoji_becomes_text_that_can_be_stored() -> None:
    assert parsed(event("UserPromptSubmit", prompt="wool \ud83d")).prompt == "wool �"


@pytest.mark.parametrize("path", ["loom/x.jsonl", "", "/a\0b", 7, None])
def test_what_is_no_absolute_path_is_no_path(path: object) -> None:
    assert parsed(event("Stop", transcript_path=path)).transcript_path is None


NO_SESSION = {
    "empty": b"",
    "null": b"null",
    "a list": b"[]",
    "no members": b"{}",
    "no event": b'{"session_id":"s"}',
    "no session": b'{"hook_event_name":"Stop"}',
    "no text": b'{"hook_event_name":5,"session_id":["s"]}',
    "not UTF-8": b"\xff",
    "too deep": b"[" * 100_000,
    "a number too long": b'{"a":' + b"9" * 5000 + b"}",
}


@pytest.mark.parametrize("raw", NO_SESSION.values(), ids=NO_SESSION)
def test_what_names_no_session_is_nothing(raw: bytes) -> None:
    assert parse_event("claude_code", raw) is None


@given(st.binary())
def test_any_bytes_are_an_event_or_nothing(raw: bytes) -> None:
    found = parse_event("claude_code", raw)
    assert found is None or found.session_id


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(), children, max_size=3),
    max_leaves=6,
)
known = st.sampled_from(sorted(field.name for field in dataclasses.fields(HookEvent)))


@given(st.dictionaries(known | st.just("hook_event_name"), json_values))
def test_any_values_are_an_event_or_nothing(data: dict[str, object]) -> None:
    found = parse_event("claude_code", json.dumps(data).encode())
    assert found is None or found.prompt == (data.get("prompt") if isinstance(data.get("prompt"), str) else "")


names = st.sampled_from(["session_id", "transcript_path", "cwd", "agent_id", "source", "reason", "trigger"])
hostile = st.text(st.sampled_from('"\\/:{},\nu0 é記\x7f') | st.characters(), max_size=30)


@given(
    st.dictionaries(names, hostile | st.text("abc-_/ é", max_size=30)),
    hostile | st.builds('"{}":"{}"'.format, names, hostile),
    st.booleans(),
    st.sampled_from([None, 2]),
)
def test_what_the_client_cuts_out_of_an_event_is_what_is_in_it(
    members: dict[str, str], prompt: str, ascii_only: bool, indent: int | None
) -> None:
    raw = json.dumps({"prompt": prompt, **members, "tail": prompt}, ensure_ascii=ascii_only, indent=indent).encode(
        "utf-8", "replace"
    )
    cut = json.loads(b'{"a":"b"' + client.fields(raw) + b"}")
    del cut["a"]
    assert cut.items() <= json.loads(raw).items()
    for name in ("session_id", "cwd"):
        value = members.get(name, "")
        if value and '"' not in value and all(character.isprintable() for character in value):
            assert cut[name] == json.loads(raw)[name]


@given(hostile, st.sampled_from(["prompt", "custom_instructions", "last_assistant_message", "compact_summary"]))
def test_the_client_never_cuts_out_what_was_said(text: str, key: str) -> None:
    raw = json.dumps({"hook_event_name": "Stop", "session_id": "s", key: text}).encode()
    assert client.fields(raw) == b',"session_id":"s"'
    assert client.event_name(raw) == b"Stop"


def test_recorded_events_of_the_real_program_are_all_read() -> None:
    if not RECORDED.exists():
        pytest.skip("the recordings of Claude Code are not on this machine")
    lines = [line for line in RECORDED.read_bytes().splitlines() if line.strip()]
    for line in lines:
        found, data = parsed(line), json.loads(line)
        assert (found.event, found.session_id) == (data["hook_event_name"], data["session_id"])
        assert found.host_is == "claude_code"
        assert str(found.cwd) == data["cwd"]
        assert client.event_name(line).decode() == data["hook_event_name"]
        cut = json.loads(b"{" + client.fields(line)[1:] + b"}")
        assert {key: cut[key] for key in ("session_id", "transcript_path", "cwd")}.items() <= data.items()
    assert len(lines) > 50
