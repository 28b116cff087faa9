"""Which session rows belong to: compactions, rewinds, forks, branches, copies, names and moves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memd.adapter import ChainLink, MessagePart, SessionUpdate
from tests.unit.adapters.claude_rows import OTHER, SESSION, Rows, events_of, read_on, row_id, source_of, tell_file, turn


def test_a_session_is_told_with_its_folder_branch_model_and_version(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows)
    session = tell_file(rows.write(tmp_path)).session
    assert (session.native_id, session.kind, session.cwd, session.branch) == (
        SESSION,
        "main",
        "/home/ada/harbor",
        "main",
    )
    assert (session.model, session.version, session.started_at) == ("claude-opus-5-5", "2.1.332", 1775037601000)


def test_a_compaction_leaves_one_session_with_a_summary(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows)
    rows.put("system", subtype="compact_boundary", parentUuid=None, logicalParentUuid=rows.leaf, content="Compacted")
    rows.user("This session is being continued ... The harbour is small.", isCompactSummary=True)
    turn(rows, "next", "ok")
    told = tell_file(rows.write(tmp_path))
    assert [message.kind for message in told.messages] == ["prompt", "reply", "summary", "prompt", "reply"]
    assert not any(message.abandoned for message in told.messages)


def test_a_rewind_leaves_what_lies_between_abandoned(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows, "one", "first")
    back = rows.put("system", subtype="turn_duration", durationMs=1)
    turn(rows, "two", "wrong way")
    rows.put("attachment", attachment={"type": "date"})
    rows.user("three", parentUuid=back)
    rows.reply("right way")
    told = tell_file(rows.write(tmp_path))
    assert [(message.text, message.abandoned) for message in told.messages] == [
        ("one", False),
        ("first", False),
        ("two", True),
        ("wrong way", True),
        ("three", False),
        ("right way", False),
    ]


@pytest.mark.parametrize("parent", [row_id(999), row_id(3), None], ids=["phantom", "itself", "none"])
def test_a_broken_parent_is_no_rewind(tmp_path: Path, parent: str | None) -> None:
    rows = Rows()
    turn(rows)
    rows.user("next", parentUuid=parent)
    assert not any(message.abandoned for message in tell_file(rows.write(tmp_path)).messages)


def test_a_row_written_twice_counts_once(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows)
    rows.rows += rows.rows
    assert len(tell_file(rows.write(tmp_path)).messages) == 2


def fork_of(rows: Rows, **fields: Any) -> Rows:
    fork = Rows(OTHER, first=100, clock=rows.clock + 600, leaf=rows.leaf)
    fork.rows = [row | {"sessionId": OTHER} | fields for row in rows.rows]
    return fork


def test_a_fork_is_known_by_rows_older_than_its_process(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows)
    fork = fork_of(rows)
    fork.rows.insert(0, {"type": "queue-operation", "operation": "enqueue", "timestamp": "2026-04-01T10:09:00.000Z"})
    turn(fork, "in the fork", "yes")
    first, second = tell_file(rows.write(tmp_path), fork.write(tmp_path)).transcripts
    assert (first.session.kind, second.session.kind) == ("main", "fork")
    assert [message.text for message in first.messages] == ["do it", "done"]
    assert [message.text for message in second.messages] == ["in the fork", "yes"]
    assert second.session.started_at == second.messages[0].at


def test_a_fork_of_old_versions_is_known_by_the_id_its_first_row_kept(tmp_path: Path) -> None:
    rows = Rows(version="2.0.76")
    turn(rows)
    fork = fork_of(rows)
    fork.rows[0]["sessionId"] = SESSION
    turn(fork, "in the fork", "yes")
    session = tell_file(fork.write(tmp_path)).session
    assert (session.native_id, session.kind, session.forked_from) == (OTHER, "fork", SESSION)


def test_a_session_continued_in_a_new_file_is_no_copy(tmp_path: Path) -> None:
    rows = Rows(OTHER, version="1.0.128", first=50)
    rows.rows.append({"type": "summary", "summary": "Of another session", "leafUuid": row_id(7)})
    rows.user("go on", sessionId=SESSION, parentUuid=row_id(7))
    rows.reply("yes", sessionId=SESSION)
    session = tell_file(rows.write(tmp_path)).session
    assert (session.kind, session.forked_from, session.title) == ("main", SESSION, None)
    assert session.cwd == "/home/ada/harbor"


def test_a_branch_names_the_session_it_left(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows)
    branch = fork_of(rows)
    for row in branch.rows:
        row["forkedFrom"] = {"sessionId": SESSION, "messageUuid": row["uuid"]}
    turn(branch, "on the branch", "yes")
    path = branch.write(tmp_path)
    parts = [event for event in events_of(read_on(source_of(path))) if isinstance(event, MessagePart)]
    assert [part.copied_from for part in parts] == [SESSION, SESSION, None, None]
    first, second = tell_file(path, rows.write(tmp_path)).transcripts
    assert (first.session.kind, first.session.forked_from) == ("fork", SESSION)
    assert [message.text for message in first.messages] == ["on the branch", "yes"]
    assert [message.text for message in second.messages] == ["do it", "done"]


def test_a_fork_with_new_ids_is_linked_by_the_ids_it_was_made_from(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows)
    fork = fork_of(rows)
    for number, row in enumerate(fork.rows):
        row["forkedFrom"] = {"sessionId": SESSION, "messageUuid": row["uuid"]}
        row["uuid"] = row_id(500 + number)
    turn(fork, "later", "yes")
    transcripts = tell_file(rows.write(tmp_path), fork.write(tmp_path)).transcripts
    assert [len(transcript.messages) for transcript in transcripts] == [2, 2]


def test_a_background_copy_is_told_as_such(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows)
    copy = fork_of(rows, sessionKind="bg")
    turn(copy, "go on alone", "yes")
    transcripts = tell_file(rows.write(tmp_path), copy.write(tmp_path)).transcripts
    assert [(t.session.kind, len(t.messages)) for t in transcripts] == [("main", 2), ("background", 2)]


def test_a_name_given_by_the_person_outlasts_the_hosts(tmp_path: Path) -> None:
    rows = Rows()
    rows.note("ai-title", aiTitle="Made up")
    turn(rows)
    rows.note("custom-title", customTitle="harbour")
    rows.note("ai-title", aiTitle="Made up again")
    rows.note("custom-title", customTitle="tide")
    path = rows.write(tmp_path)
    assert tell_file(path).session.title == "tide"
    titles = [e for e in events_of(read_on(source_of(path))) if isinstance(e, SessionUpdate) and e.title]
    assert [(e.title, e.title_by_user) for e in titles] == [("Made up", False), ("harbour", True), ("tide", True)]


def test_a_moved_session_tells_its_new_folder(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows)
    rows.note("relocated", relocatedCwd="/home/ada/quay")
    rows.cwd = "/home/ada/quay/deep"
    turn(rows)
    updates = [
        e.cwd for e in events_of(read_on(source_of(rows.write(tmp_path)))) if isinstance(e, SessionUpdate) and e.cwd
    ]
    assert updates == ["/home/ada/harbor", "/home/ada/quay", "/home/ada/quay/deep"]


def test_a_file_of_nothing_but_notes_makes_no_session(tmp_path: Path) -> None:
    rows = Rows()
    rows.note("custom-title", customTitle="empty")
    rows.note("mode", mode="normal")
    rows.put("attachment", attachment={"type": "environment"})
    events = events_of(read_on(source_of(rows.write(tmp_path))))
    assert [type(event) for event in events] == [ChainLink]
