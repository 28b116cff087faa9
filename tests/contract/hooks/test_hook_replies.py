"""What the daemon gives the hook to print, for each host."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd_hooks.events import HookEvent
from memd_hooks.replies import BYTE_LIMIT, REPLIES, VALUE_LIMIT, claude_code_reply, reply

EVENT = HookEvent(host="claude_code", host_is="claude_code", event="SessionStart", session_id="s")


@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit"])
def test_context_for_the_model_and_a_line_for_the_person(event: str) -> None:
    assert claude_code_reply(event, "We chose wool.\n记忆", "memd: 2 facts") == (
        b'{"hookSpecificOutput":{"hookEventName":"%b","additionalContext":"We chose wool.\\n%b"},'
        b'"systemMessage":"memd: 2 facts"}\n' % (event.encode(), "记忆".encode())
    )


def test_without_a_receipt_the_person_sees_nothing() -> None:
    assert b"systemMessage" not in claude_code_reply("SessionStart", "We chose wool.")


@pytest.mark.parametrize("context", ["", " \n"])
def test_nothing_to_say_is_no_output_at_all(context: str) -> None:
    assert claude_code_reply("SessionStart", context) == b""


@pytest.mark.parametrize("host", ["claude_code", "codex", "gemini", "qwen"])
def test_who_wants_receipts_is_told_why_nothing_was_given(host: str) -> None:
    answer = REPLIES[host]("UserPromptSubmit", "", "memd: nothing given, nothing known bears on this prompt")
    assert json.loads(answer) == {"systemMessage": "memd: nothing given, nothing known bears on this prompt"}


@pytest.mark.parametrize("event", ["PreCompact", "PostCompact", "Stop", "SubagentStop", "SessionEnd", "Nonsense"])
def test_events_that_take_no_context_get_no_output(event: str) -> None:
    assert claude_code_reply(event, "We chose wool.", "memd: 2 facts") == b""


def test_a_host_that_runs_another_hosts_registration_gets_no_output() -> None:
    assert reply(EVENT, "We chose wool.")
    assert reply(dataclasses.replace(EVENT, host_is="cursor"), "We chose wool.") == b""
    assert reply(dataclasses.replace(EVENT, host="loom", host_is="loom"), "We chose wool.") == b""


def test_a_long_context_ends_at_a_lines_end_below_the_limit() -> None:
    lines = [f"fact number {number}" for number in range(2_000)]
    context = json.loads(claude_code_reply("SessionStart", "\n".join(lines)))["hookSpecificOutput"]["additionalContext"]
    assert context.splitlines() == lines[: len(context.splitlines())]
    assert VALUE_LIMIT - 100 < len(context) <= VALUE_LIMIT


@given(st.text(st.characters(), max_size=50), st.integers(min_value=0, max_value=400))
def test_any_context_gives_one_line_of_json_within_the_limit(text: str, times: int) -> None:
    answer = claude_code_reply("UserPromptSubmit", text * times, text)
    if answer:
        assert answer.count(b"\n") == 1
        assert answer.endswith(b"\n")
        context = json.loads(answer).get("hookSpecificOutput", {}).get("additionalContext", "")
        assert len(context.encode("utf-16-le", "surrogatepass")) <= 2 * VALUE_LIMIT


KEYS = {
    ("codex", "SessionStart"): {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "wool"}},
    ("codex", "UserPromptSubmit"): {
        "hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "wool"}
    },
    ("qwen", "SessionStart"): {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "wool"}},
    ("qwen", "UserPromptSubmit"): {
        "hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "wool"}
    },
    ("gemini", "SessionStart"): {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "wool"}},
    ("gemini", "UserPromptSubmit"): {
        "hookSpecificOutput": {"hookEventName": "BeforeAgent", "additionalContext": "wool"}
    },
    ("cursor", "SessionStart"): {"additional_context": "wool"},
    ("cursor", "UserPromptSubmit"): {"continue": True, "additional_context": "wool"},
    ("copilot", "SessionStart"): {"additionalContext": "wool"},
    ("copilot", "UserPromptSubmit"): {"additionalContext": "wool"},
    ("cline", "PreToolUse"): {"cancel": False, "contextModification": "wool"},
    ("opencode", "SessionStart"): {"context": "wool"},
    ("kilo", "SessionStart"): {"context": "wool"},
    ("opencode", "UserPromptSubmit"): {"context": "wool"},
    ("opencode", "PreCompact"): {"context": "wool"},
    ("kilo", "PreCompact"): {"context": "wool"},
    ("kilo", "UserPromptSubmit"): {"context": "wool"},
}
EVENTS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PreCompact", "Stop", "SubagentStop", "SessionEnd")


@pytest.mark.parametrize("host", sorted(set(REPLIES) - {"claude_code"}))
@pytest.mark.parametrize("event", EVENTS)
def test_each_host_gets_exactly_its_own_keys_and_only_where_it_takes_context(host: str, event: str) -> None:
    """Codex takes an answer with one unknown key for a failed hook."""
    answer = reply(HookEvent(host=host, host_is=host, event=event, session_id="s"), "wool")
    wanted = KEYS.get((host, event))
    assert (json.loads(answer) if answer else None) == wanted
    assert REPLIES[host](event, " \n", "") == b""


@pytest.mark.parametrize("host", ["codex", "gemini"])
def test_the_receipt_is_a_message_where_there_is_a_place_for_it(host: str) -> None:
    assert json.loads(REPLIES[host]("SessionStart", "wool", "memd: 1 fact"))["systemMessage"] == "memd: 1 fact"


@pytest.mark.parametrize("host", ["codex", "copilot"])
@pytest.mark.parametrize("letter", ["a", "é", "記", "🧶"])
def test_hosts_that_count_bytes_get_no_more_than_they_take(host: str, letter: str) -> None:
    answer = json.loads(REPLIES[host]("SessionStart", f"{letter * 40}\n" * 2_000, ""))
    context = answer["additionalContext"] if host == "copilot" else answer["hookSpecificOutput"]["additionalContext"]
    assert BYTE_LIMIT // 2 < len(context.encode()) <= BYTE_LIMIT < 4 * 2_500
    assert set(context) == {letter, "\n"}
