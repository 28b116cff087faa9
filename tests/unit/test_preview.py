from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from memd.errors import TranscriptError, UsageError
from memd.importers.transcripts import LookRequest, look
from memd.preview import preview
from memd.text.noise import HOST_TAGS

FIXTURES = Path(__file__).parents[1] / "fixtures"

SESSION = "0a11ce00-0000-4000-8000-00000000000f"


def row(at: int, kind: str, content: object, **more: object) -> str:
    message = {"role": kind, "content": content, **({"id": f"msg_{at}", "model": "m"} if kind == "assistant" else {})}
    return json.dumps(
        {
            "parentUuid": None,
            "isSidechain": False,
            "type": kind,
            "message": message,
            "uuid": f"0a11ce00-0000-4000-8000-0000000001{at:02}",
            "timestamp": f"2026-05-04T10:00:{at:02}.000Z",
            "cwd": "/home/ada/harbor",
            "sessionId": SESSION,
            "version": "2.1.332",
            **more,
        }
    )


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    secret = "ghp_" + "q7Zt3LmW9xKd2RvB8nYc5HsJ4fGp6TaE1uNo"
    use = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": f"GH_TOKEN={secret} uv add httpx"}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": f"added httpx with {secret}", "is_error": False}
    path = tmp_path / f"{SESSION}.jsonl"
    rows = [
        row(1, "user", f"from now on use uv, not pip, the token is {secret}. see https://docs.harbor.dev/uv"),
        row(2, "assistant", [use]),
        row(3, "user", [result], toolUseResult={"stdout": "added httpx", "stderr": "", "interrupted": False}),
        row(
            4,
            "assistant",
            [{"type": "text", "text": f"Added `httpx`; the key `{secret}` lives in `.env`, not in git."}],
        ),
    ]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_a_document_holds_session_facts_summary_and_events(transcript: Path) -> None:
    (document,) = preview(transcript)
    assert set(document) == {"session", "facts", "summary", "events"}
    session, events = document["session"], document["events"]
    assert isinstance(session, dict)
    assert isinstance(events, dict)
    assert (session["host"], session["native_id"], session["cwd"]) == ("claude_code", SESSION, "/home/ada/harbor")
    assert set(events) == {"files_changed", "commands", "commits", "errors", "packages", "urls"}
    assert events["packages"] == ({"name": "httpx", "action": "add"},)
    assert events["urls"] == ("https://docs.harbor.dev/uv",)


def test_what_the_person_ruled_is_a_fact_with_its_quote(transcript: Path) -> None:
    (document,) = preview(transcript)
    facts = document["facts"]
    assert isinstance(facts, list)
    assert facts[0]["type"] == "convention"
    assert facts[0]["quotes"][0].startswith("from now on use uv, not pip")


def test_no_secret_is_in_a_preview(transcript: Path) -> None:
    assert "ghp_" not in json.dumps(preview(transcript))


def test_a_session_is_chosen_by_its_place(transcript: Path) -> None:
    assert preview(transcript, session=0) == preview(transcript)
    with pytest.raises(UsageError, match="holds one session; there is no session 1"):
        preview(transcript, session=1)


def test_a_host_can_be_named_and_an_unknown_one_is_refused(transcript: Path) -> None:
    assert preview(transcript, host="claude_code") == preview(transcript)
    with pytest.raises(UsageError, match="no host called 'emacs'"):
        preview(transcript, host="emacs")


def test_what_is_no_transcript_gets_one_clear_sentence(tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("hello", encoding="utf-8")
    empty = tmp_path / "empty.jsonl"
    empty.write_bytes(b"")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path, problem in (
        (tmp_path / "missing.jsonl", "does not exist"),
        (tmp_path, "is a folder"),
        (pipe, "is not a regular file"),
        (Path("/dev/null"), "is not a regular file"),
        (Path("/proc/self/stat"), "is not a regular file"),
        (note, "is no transcript of a host that memd knows"),
        (empty, "is no transcript of a host that memd knows"),
    ):
        with pytest.raises(TranscriptError, match=problem):
            preview(path)


def test_a_folder_is_taken_for_what_lies_in_it(tmp_path: Path) -> None:
    """A task of Cline's is two files, a copied store several sessions."""
    task = FIXTURES / "cline" / "written-3.8"
    (document,) = preview(task)
    copied = tmp_path / "copied"
    shutil.copytree(task, copied)
    (moved,) = preview(copied)
    assert document["session"] == moved["session"]
    assert preview(FIXTURES / "qwen" / "chat", host="qwen")


def test_a_folder_with_transcripts_of_several_hosts_wants_one_named(tmp_path: Path) -> None:
    for host in ("qwen/chat", "codex/bare"):
        shutil.copytree(FIXTURES / host, tmp_path / host)
    with pytest.raises(TranscriptError, match="several hosts; name one of codex, qwen"):
        preview(tmp_path)
    assert preview(tmp_path, host="codex")
    with pytest.raises(TranscriptError, match="without a transcript"):
        preview(tmp_path, host="aider")
    with pytest.raises(UsageError, match="no host called 'emacs'"):
        preview(tmp_path, host="emacs")


def test_any_file_of_a_session_stands_for_it(tmp_path: Path) -> None:
    """What Cline shows of a task says nothing while the task's history lies beside it."""
    (history,) = (FIXTURES / "cline" / "written-3.8").rglob("api_conversation_history.json")
    task = tmp_path / history.parent.name
    shutil.copytree(history.parent, task)
    shown = task / "ui_messages.json"
    shown.write_text(json.dumps([{"ts": 1746778360000, "type": "say", "say": "text", "text": "go"}]))
    (of_history,) = preview(task / history.name)
    (of_shown,) = preview(shown)
    assert of_shown["session"] == of_history["session"]


def test_what_says_only_whose_a_session_is_stands_for_the_session(tmp_path: Path) -> None:
    """Cline's SDK keeps that in a file of its own, beside the messages and those of the session's agents."""
    (messages,) = (FIXTURES / "cline" / "3.0.65").rglob("*_*.messages.json")
    folder = tmp_path / messages.parent.name
    shutil.copytree(messages.parent, folder)
    (of_messages, *_) = preview(folder / messages.name)
    (of_manifest, *_) = preview(folder / f"{folder.name}.json")
    for document in (of_messages, of_manifest):
        assert isinstance(document["session"], dict)
    assert of_manifest["session"]["messages"] == of_messages["session"]["messages"] > 0  # type: ignore[index]
    assert look(LookRequest(folder / f"{folder.name}.json", None)).sessions


def test_a_task_of_roos_is_told_from_clines_wherever_it_lies(tmp_path: Path) -> None:
    (history,) = (FIXTURES / "cline" / "written-3.8").rglob("api_conversation_history.json")
    task = tmp_path / "0ada0000-7000-7000-8000-00000000000f"
    shutil.copytree(history.parent, task)
    (task / "history_item.json").write_text('{"workspace": "/home/ada/quay", "mode": "code"}')
    (document,) = preview(task)
    session = document["session"]
    assert isinstance(session, dict)
    assert (session["host"], session["cwd"]) == ("roo", "/home/ada/quay")


@pytest.mark.parametrize("tag", HOST_TAGS)
def test_nothing_distilled_holds_what_a_host_put_into_the_text_and_what_stood_around_it_stays(
    tag: str, tmp_path: Path
) -> None:
    noise = f"<{tag}>Always use Postgres instead of MySQL, because the barnacle says so</{tag}>"
    path = tmp_path / f"{SESSION}.jsonl"
    rows = [
        row(1, "user", f"Let's use SQLite instead of Redis, because the office has no server.\n{noise}\nThen moor."),
        row(2, "assistant", [{"type": "text", "text": f"Agreed, SQLite it is.\n{noise}\nDone with the mooring."}]),
        json.dumps({"type": "ai-title", "sessionId": SESSION, "aiTitle": f"Moored {noise} at last"}),
    ]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")

    (document,) = preview(path)

    told = json.dumps({name: document[name] for name in ("facts", "summary")}, default=str)
    assert "SQLite instead of Redis" in told
    assert tag not in told
    assert "barnacle" not in told


def test_what_the_session_itself_replaced_is_not_current_and_names_what_stands(tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    said = (
        ("user", "let's use sqlite for the job queue, one file is enough"),
        ("assistant", [{"type": "text", "text": "Done, the job queue is kept in `queue.db`."}]),
        ("user", "actually let's use postgres for the job queue, two workers need it"),
        ("assistant", [{"type": "text", "text": "Switched `queue.py` over."}]),
    )
    path.write_text("\n".join(row(at, kind, text) for at, (kind, text) in enumerate(said, 1)) + "\n", encoding="utf-8")
    (document,) = preview(path)
    facts = document["facts"]
    assert isinstance(facts, list)
    by_choice = {"sqlite" if "sqlite" in fact["text"] else "postgres": fact for fact in facts}
    assert not by_choice["sqlite"]["current"]
    assert by_choice["sqlite"]["superseded_by"] == by_choice["postgres"]["title"]
    assert by_choice["postgres"]["current"]
    assert by_choice["postgres"]["superseded_by"] is None
