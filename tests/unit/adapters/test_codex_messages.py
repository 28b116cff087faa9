"""What the rows of Codex say in its three generations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.unit.adapters.rollouts import (
    FOLDER,
    THREAD,
    Rollout,
    bare,
    conversation,
    every_generation,
    read,
    tell,
    tell_rows,
)


@every_generation
def test_a_prompt_counts_once_and_host_texts_are_no_prompts(tmp_path: Path, shape: dict[str, Any]) -> None:
    told = tell_rows(tmp_path, conversation(shape))
    assert [(message.kind, message.text) for message in told.messages] == [
        ("prompt", "make f return 2"),
        ("reply", "Looking."),
        ("reply", "Done."),
    ]
    assert told.messages[1].thinking == "Look first."
    (call,) = told.calls
    assert (call.name, call.kind, call.ok, call.exit_code, call.output) == (
        "exec_command",
        "shell",
        True,
        0,
        "return 1\n",
    )
    assert not told.skipped


@every_generation
def test_a_session_is_told_with_its_folder_branch_model_and_version(tmp_path: Path, shape: dict[str, Any]) -> None:
    session = tell_rows(tmp_path, conversation(shape)).session
    assert (session.native_id, session.kind, session.cwd, session.branch) == (THREAD, "main", FOLDER, "main")
    assert (session.model, session.started_at) == ("gpt-6-codex", 1775037600000)
    assert session.version in ("0.58.0", "0.104.0", "0.171.0")
    assert session.ended_at is None  # a task that is complete ends a turn


def test_the_first_generation_has_bare_items_and_its_folder_in_the_environment(tmp_path: Path) -> None:
    def message(role: str, text: str) -> dict[str, Any]:
        return {"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}

    path = tmp_path / f"rollout-2025-08-01T12-00-00-{THREAD}.jsonl"
    output = json.dumps({"output": "a.py\n", "metadata": {"exit_code": 0, "duration_seconds": 0.1}})
    path.write_bytes(
        bare(
            message("user", "<user_instructions>\nUse tabs.\n</user_instructions>"),
            message(
                "user",
                f"<environment_context>\nCurrent working directory: {FOLDER}\nShell: zsh\n</environment_context>",
            ),
            message("user", "list the files"),
            {"type": "function_call", "name": "shell", "arguments": '{"command":["bash","-lc","ls"]}', "call_id": "c1"},
            {"type": "function_call_output", "call_id": "c1", "output": output},
            message("assistant", "One file."),
            message("user", "list the files"),
            message("assistant", "Still one."),
        )
    )
    told = tell(path)
    assert told.texts("prompt") == ["list the files", "list the files"]
    assert told.texts("reply") == ["", "One file.", "Still one."]
    assert (told.session.cwd, told.session.branch, told.calls[0].exit_code) == (FOLDER, "main", 0)
    assert told.messages[0].at is None


def test_what_the_editor_adds_to_a_prompt_is_taken_off(tmp_path: Path) -> None:
    rollout = Rollout()
    rollout.head()
    rollout.ask("# Context from my IDE setup:\n\n## Active file: a.py\n\n## My request for Codex:\nrename f to g")
    rollout.event("user_message", message="<environment_context>x</environment_context>", kind="environment_context")
    rollout.event(
        "user_message", message="and look", images=["data:image/png;base64,iVBOR"], local_images=["/tmp/a.png"]
    )
    assert tell_rows(tmp_path, rollout).texts("prompt") == ["rename f to g", "and look\n\n[image]\n\n[image]"]


def test_images_are_noted_and_not_stored(tmp_path: Path) -> None:
    rollout = Rollout(paginated=True)
    rollout.head()
    rollout.start()
    parts = [{"type": "text", "text": "look"}, {"type": "image", "image_url": "data:image/png;base64,iVBORw0KGgo"}]
    rollout.completed("UserMessage", id="u1", content=parts)
    path = rollout.write(tmp_path)
    assert tell(path).texts("prompt") == ["look\n\n[image]"]
    assert "iVBOR" not in repr(read(path))


def test_a_shell_line_of_the_person_is_a_command(tmp_path: Path) -> None:
    rollout = Rollout()
    rollout.head()
    rollout.start()
    rollout.message(
        "user",
        "<user_shell_command>\n<command>\ngit status\n</command>\n<result>\nExit code: 0\n"
        "Duration: 0.1 seconds\nOutput:\nclean\n</result>\n</user_shell_command>",
    )
    told = tell_rows(tmp_path, rollout)
    assert (told.texts("command"), told.texts("prompt")) == (["! git status\n\nclean"], [])


def test_an_interruption_is_a_notice(tmp_path: Path) -> None:
    rollout = Rollout()
    rollout.head()
    rollout.ask("wait")
    rollout.message("user", "<turn_aborted>\nThe user interrupted the previous turn.\n</turn_aborted>")
    rollout.event("turn_aborted", turn_id=rollout.turn, reason="interrupted")
    told = tell_rows(tmp_path, rollout)
    assert (told.texts("notice"), told.texts("prompt")) == (["[Turn ended early: interrupted]"], ["wait"])


def test_the_same_words_in_one_turn_are_two_messages(tmp_path: Path) -> None:
    rollout = Rollout()
    rollout.head()
    rollout.ask("go")
    for number in (1, 2):
        rollout.say("On it.")
        rollout.call(f"c{number}", "exec_command", {"cmd": "true"})
        rollout.output(f"c{number}", "Process exited with code 0\nOutput:\n")
    assert tell_rows(tmp_path, rollout).texts("reply") == ["On it.", "On it."]
