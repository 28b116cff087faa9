from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.hosts import stories
from tests.hosts.claude_code_client import Desk, rows
from tests.hosts.scripted_model import ScriptedModel

pytestmark = [pytest.mark.hosts, pytest.mark.timeout(180)]


def _register(desk: Desk, log: Path) -> None:
    """Hooks of the plainest kind: each notes what it is given, two of them give context."""
    hooks: dict[str, object] = {}
    for event in ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"):
        context = {"hookEventName": event, "additionalContext": f"{event} says lighthouse."}
        answer = json.dumps({"hookSpecificOutput": context})
        gives = event in {"SessionStart", "UserPromptSubmit"}
        command = f"(cat; echo) >> {log}" + (f"; echo '{answer}'" if gives else "")
        hooks[event] = [{"hooks": [{"type": "command", "command": command, "timeout": 5}]}]
    desk.settings.write_text(json.dumps({"hooks": hooks}))


def test_what_hooks_print_reaches_the_model_and_the_transcript(desk: Desk, model: ScriptedModel) -> None:
    log = desk.home / "hooks.jsonl"
    _register(desk, log)

    outcome = desk.ask(stories.NEXT_STEP)

    assert outcome.exit_code == 0, outcome.stderr
    assert stories.NEXT in outcome.stdout
    (request,) = model.asked(stories.NEXT_STEP)
    assert "SessionStart says lighthouse." in request.conversation.text
    assert "UserPromptSubmit says lighthouse." in request.conversation.text
    (transcript,) = desk.transcripts
    kinds = [str(row["attachment"]) for row in rows(transcript) if row["type"] == "attachment"]
    assert any("hook_additional_context" in one for one in kinds)


def test_hooks_of_a_headless_run_tell_of_its_start_prompt_stop_and_end(desk: Desk, model: ScriptedModel) -> None:
    log = desk.home / "hooks.jsonl"
    _register(desk, log)

    desk.ask(stories.NEXT_STEP)

    told = [json.loads(line) for line in log.read_text().splitlines() if line]
    assert [one["hook_event_name"] for one in told] == [
        "SessionStart",
        "UserPromptSubmit",
        "Stop",
        "SessionEnd",
    ]
    assert told[0]["source"] == "startup"
    assert told[1]["prompt"] == stories.NEXT_STEP
    assert {one["transcript_path"] for one in told} == {str(desk.transcripts[0])}
