"""What the command line says of what was kept, changed and removed, and how it takes texts from a pipe."""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from memd.operations.catalog import OPERATIONS
from memd.operations.describe import describe
from memd.operations.fact_answers import (
    BatchAnswer,
    ChangedAnswer,
    LearnAnswer,
    MessagesAnswer,
    PurgeAnswer,
    RememberAnswer,
)
from tests.unit.cli.conftest import CommandLine, StubDaemon, Told
from tests.unit.cli.samples import FACT, UID, plain

KEPT = RememberAnswer(FACT, "ADD", "new", 1, 0)


def piped(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="ascii"))


def test_a_pipe_is_remembered_whole(memd: CommandLine, daemon: StubDaemon, monkeypatch: pytest.MonkeyPatch) -> None:
    daemon.answers |= {"whoami": {"project": None, "site": None}, "facts.remember": plain(KEPT)}
    piped(monkeypatch, "Leuchttürme 🚢 first\nthen buoys\n")

    assert memd("remember", "--kind", "convention", "-").status == 0
    assert daemon.asked[1:] == [
        ("facts.remember", {"kind": "convention", "text": "Leuchttürme 🚢 first\nthen buoys\n"})
    ]


def test_a_pipe_of_messages_is_kept_message_by_message(
    memd: CommandLine, daemon: StubDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    daemon.answers |= {"whoami": {"project": "/home/ada/work/shop"}, "facts.batch": plain(BatchAnswer((KEPT, KEPT)))}
    piped(
        monkeypatch,
        '{"messages": [{"role": "user", "content": "Grüße"}, {"role": "system", "content": "x"},'
        ' {"role": "assistant", "content": "Aye"}, {"content": "..."}]}',
    )

    told = memd("remember", "-")

    assert told.out.splitlines() == [f"Kept for shop: decision {UID[-10:]}."] * 2, told.err
    op, params = daemon.asked[-1]
    assert op == "facts.batch"
    assert {item["project"] for item in params["facts"]} == {"/home/ada/work/shop"}
    assert [(item["author"], item["text"]) for item in params["facts"]] == [("user", "Grüße"), ("assistant", "Aye")]


def test_a_script_is_told_the_id_alone(memd: CommandLine, daemon: StubDaemon, monkeypatch: pytest.MonkeyPatch) -> None:
    daemon.answers |= {
        "whoami": {"project": None, "site": None},
        "facts.remember": plain(KEPT),
        "facts.note": plain(KEPT),
        "facts.batch": plain(BatchAnswer((KEPT, KEPT))),
    }

    assert memd("remember", "--quiet", "Mind the ebb") == Told(0, f"{UID}\n", "")
    assert memd("memory", "note", "Mind the ebb", "--quiet") == Told(0, f"{UID}\n", "")
    piped(monkeypatch, '[{"role": "user", "content": "Aye"}, {"role": "user", "content": "No"}]')
    assert memd("memory", "save", "-", "--quiet") == Told(0, f"{UID}\n{UID}\n", "")


def test_an_empty_pipe_is_an_error(memd: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    piped(monkeypatch, " \n")

    assert memd("remember", "-").status == 2


def test_what_destroys_is_only_told_until_apply_is_said(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["projects.merge"] = {"id": "x", "name": "harbor"}

    told = memd("session", "projects_merge", "a", "b")
    memd("session", "projects_merge", "a", "b", "--apply")

    assert "Nothing was changed; say --apply" in told.out
    assert [params["apply"] for _, params in daemon.asked] == [False, True]


@pytest.mark.parametrize(
    "words",
    [("session", "projects_merge", "old", "."), ("call", "projects.merge", "source=old", "into=.")],
    ids=["by its action", "by its name"],
)
def test_projects_that_become_one_may_be_folders_as_seen_from_here(
    memd: CommandLine, daemon: StubDaemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    described = plain((describe(OPERATIONS["projects.merge"]),))
    daemon.answers |= {"projects.merge": {"id": "x", "name": "harbor"}, "operations.list": described}
    (tmp_path / "old").mkdir()
    monkeypatch.chdir(tmp_path)

    assert memd(*words).status == 0

    (_, params) = daemon.asked[-1]
    assert (params["source"], params["into"]) == (str(tmp_path / "old"), str(tmp_path))


def test_what_is_remembered_in_a_project_is_kept_for_it(
    memd: CommandLine, daemon: StubDaemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    daemon.answers |= {"whoami": {"project": "/home/ada/work/shop"}, "facts.remember": plain(KEPT)}
    monkeypatch.chdir(tmp_path)

    told = memd("remember", "Retry", "payments")

    assert (told.status, told.out, told.err) == (0, f"Kept for shop: decision {UID[-10:]}.\n", "")
    assert daemon.asked == [
        ("whoami", {"cwd": str(tmp_path)}),
        ("facts.remember", {"text": "Retry payments", "project": "/home/ada/work/shop"}),
    ]


def test_what_is_remembered_outside_of_projects_holds_everywhere_and_that_is_said(
    memd: CommandLine, daemon: StubDaemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    daemon.answers |= {
        "whoami": {"project": None, "site": None},
        "facts.remember": plain(replace(KEPT, fact=replace(FACT, project=None))),
    }
    monkeypatch.chdir(tmp_path)

    told = memd("remember", "Retry payments")

    assert told.out == f"Kept everywhere: decision {UID[-10:]}.\n"
    assert f"{tmp_path} is in no project" in told.err
    assert daemon.asked[-1] == ("facts.remember", {"text": "Retry payments"})


@pytest.mark.parametrize(
    ("words", "sent"),
    [
        (("--project", "all"), {"scope": "everywhere"}),
        (("--scope", "everywhere"), {"scope": "everywhere"}),
        (("--project", "shop"), {"project": "shop"}),
        (("--session", "ab"), {"session": "ab"}),
    ],
    ids=" ".join,
)
def test_where_it_holds_can_be_named(
    words: tuple[str, ...], sent: dict[str, str], memd: CommandLine, daemon: StubDaemon
) -> None:
    daemon.answers["facts.remember"] = plain(KEPT)

    told = memd("remember", "Retry payments", *words)

    assert (told.status, told.err) == (0, "")
    assert daemon.asked == [("facts.remember", {"text": "Retry payments", **sent})]


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        (replace(KEPT, action="NONE", repeats=1), f"Known already for shop: decision {UID[-10:]}."),
        (replace(KEPT, action="SUPERSEDE", replaced=("b" * 12,)), f"decision {UID[-10:]}, in place of {'b' * 10}."),
        (replace(KEPT, action="CONTRADICT", contradicts=("b" * 12,)), f"beside {'b' * 10}, which it contradicts."),
    ],
    ids=["known", "replaces", "contradicts"],
)
def test_what_became_of_it_is_one_line(
    answer: RememberAnswer, line: str, memd: CommandLine, daemon: StubDaemon
) -> None:
    daemon.answers["facts.remember"] = plain(answer)

    told = memd("remember", "Retry payments", "--project", "shop")

    assert len(told.out.splitlines()) == 1
    assert line in told.out


def test_what_is_taken_back_or_removed_is_named_within_the_window(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers |= {
        "facts.retract": plain(ChangedAnswer(FACT, "RETRACT", "was taken back")),
        "facts.forget": plain(PurgeAnswer(applied=True, count=1, facts=(FACT,))),
    }
    named = f"decision {UID[-10:]}, Payments are retried three times."

    taken_back = memd("memory", "retract", UID[-10:]).out
    assert taken_back.split() == f"Taken back, and never learnt again: {named}".split()
    assert max(map(len, taken_back.splitlines())) <= 80
    assert memd("memory", "forget", UID[-10:], "--apply").out.split() == f"Removed for good: {named}".split()
    daemon.answers["facts.forget"] = plain(PurgeAnswer(applied=False, count=1, facts=(FACT,)))
    assert "Nothing was changed; say --apply" in memd("memory", "forget", UID[-10:]).out


@pytest.mark.parametrize(
    ("words", "op", "told"),
    [
        ("rate ID helpful", "facts.rate", "Noted: NAMED. It was of help 2 times and of none 1 time."),
        ("verify ID", "facts.verify", "Noted as checked: NAMED."),
        ("edit ID x", "facts.edit", "Changed: NAMED."),
        ("edit ID", "facts.edit", "Nothing changed: NAMED."),
        ("revise ID x", "facts.revise", "Holds no longer: NAMED. Holds now: NAMED."),
        ("evergreen ID", "facts.evergreen", "Noted: NAMED. Age takes no weight from it."),
    ],
    ids=lambda value: value.replace(":", "").split()[0],
)
def test_what_was_done_to_a_fact_is_said_in_a_line(
    words: str, op: str, told: str, memd: CommandLine, daemon: StubDaemon
) -> None:
    fact = replace(FACT, helpful=2, unhelpful=1, evergreen=True)
    action = "NONE" if told.startswith("Nothing") else "UPDATE"
    daemon.answers[op] = plain(ChangedAnswer(fact, action, "", FACT if op == "facts.revise" else None))
    named = f"decision {UID[-10:]}, Payments are retried three times"

    answer = memd("memory", *words.replace("ID", UID[-10:]).split())

    assert (answer.status, " ".join(answer.out.split())) == (0, told.replace("NAMED", named))


def test_what_was_made_of_a_note_of_learnings_and_of_messages_is_said(memd: CommandLine, daemon: StubDaemon) -> None:
    kept = replace(KEPT, file="/home/ada/.local/share/memd/notes/pier.md")
    named = f"note {UID[-10:]}"
    daemon.answers |= {
        "whoami": {"project": None, "site": None},
        "facts.note": plain(kept),
        "facts.learn": plain(LearnAnswer((KEPT,), 3)),
        "messages.add": plain(MessagesAnswer(2, (), "there are fewer than 40 characters")),
    }

    noted = memd("memory", "note", "Ask the pilot").out.splitlines()
    assert (noted[0].startswith("Kept"), noted[1]) == (True, "  /home/ada/.local/share/memd/notes/pier.md")
    assert memd("memory", "learn", "## Key Learnings:").out.splitlines()[-1] == "Known already: 3."
    assert memd("memory", "messages_add", "ok").out == (
        "Nothing to keep in 2 messages: there are fewer than 40 characters.\n"
    )
    assert named.split()[1] in noted[0]


def test_what_would_be_removed_is_named_fact_by_fact(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["facts.purge"] = plain(PurgeAnswer(applied=False, count=3, facts=(FACT, FACT)))

    lines = memd("admin", "facts_purge", "--kind", "decision").out.splitlines()

    assert lines[0] == "Would remove for good: 3 facts."
    assert len([line for line in lines if "Payments are retried three times" in line]) == 2
    assert lines[-3:] == ["  and 1 more", "", "Nothing was changed; say --apply to do it."]
