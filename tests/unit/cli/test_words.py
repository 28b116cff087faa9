"""What the command line says to words that are not quite right, and what it makes of the registry."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from memd.doors.cli import operate
from memd.doors.cli.commands import COMMANDS
from memd.doors.cli.guide import EXAMPLES, GROUPS
from memd.doors.cli.man import page
from memd.doors.cli.parser import build
from memd.doors.cli.stdin import Said, messages, whole_text
from memd.doors.cli.terminal import Terminal
from memd.doors.mcp.placement import HIDDEN
from memd.errors import UsageError
from memd.operations.answers import ImportAnswer
from memd.operations.catalog import OPERATIONS
from memd.operations.deleting_answers import DeletedAnswer, ProjectDeletedAnswer
from memd.operations.describe import describe
from memd.operations.fact_answers import (
    ChangedAnswer,
)
from tests.unit.cli.conftest import CommandLine, StubDaemon
from tests.unit.cli.samples import FACT, UID, plain, status


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("serch", "x"), "did you mean search?"),
        (("sesions",), "did you mean sessions"),
        (("search", "x", "--limt", "3"), "did you mean --limit? see `memd search --help`"),
        (("status", "please"), "see `memd status --help`"),
        (("graph", "find", "x", "--limt", "3"), "did you mean --limit? see `memd graph find --help`"),
        (("memory", "list"), "did you mean 'facts'?"),
        (("memory", "show"), "did you mean 'fact'?"),
        (("relations", "list"), "did you mean 'relations'?"),
        (("install", "--plan", "--host", "claude"), "did you mean claude_code?"),
        (("uninstall", "--host", "codx"), "did you mean codex?"),
        (("memory", "fnd"), "did you mean 'find'?"),
    ],
    ids=" ".join,
)
def test_a_typo_is_answered_with_what_was_meant(words: tuple[str, ...], meant: str, memd: CommandLine) -> None:
    told = memd(*words)

    assert told.status == 2
    assert meant in told.err


@pytest.mark.parametrize("words", [(), ("search",), ("graph", "callers")], ids=" ".join)
def test_help_is_a_word_as_well(words: tuple[str, ...], memd: CommandLine) -> None:
    with pytest.raises(SystemExit) as option:
        memd(*words, "--help")
    with pytest.raises(SystemExit) as word:
        memd("help", *words)

    assert (option.value.code, word.value.code) == (0, 0)
    assert memd("help", "serch").err == memd("serch", "--help").err


@pytest.mark.parametrize("words", [("graph", "export", "--project", "x"), ("wakeup", "--limit=3")], ids=" ".join)
def test_what_was_typed_is_never_what_was_meant(words: tuple[str, ...], memd: CommandLine) -> None:
    told = memd(*words)

    assert told.status == 2
    assert "nrecognized arguments" in told.err
    assert "did you mean" not in told.err


def test_a_graph_is_read_of_a_project_by_name_or_folder(
    memd: CommandLine, daemon: StubDaemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    daemon.answers["code.index"] = {"refused": {"code": "not_found", "message": "None.", "exit_status": 3}}
    (tmp_path / "harbor").mkdir()
    monkeypatch.chdir(tmp_path)

    for words in ((), ("harbor",), ("--project", "harbor"), ("--project", "shop")):
        memd("graph", "index", *words)

    folder = str(tmp_path / "harbor")
    assert [params["project"] for _, params in daemon.asked] == [str(tmp_path), folder, folder, "shop"]


@pytest.mark.parametrize(
    "words", [("search", "tide"), ("sessions",), ("facts",), ("injections",), ("memory", "facts")], ids=" ".join
)
def test_all_is_every_project_where_one_narrows(words: tuple[str, ...], memd: CommandLine, daemon: StubDaemon) -> None:
    refused = {"refused": {"code": "not_found", "message": "None.", "exit_status": 3}}
    daemon.answers = {"operations.list": plain(tuple(map(describe, OPERATIONS.values()))), "status": plain(status())}
    daemon.answers |= dict.fromkeys(("search", "sessions.list", "facts.list", "injections.list"), refused)

    memd(*words, "--project", "all")

    assert [params.get("project") for op, params in daemon.asked if op != "operations.list"] == [None]


def test_what_is_read_of_one_project_is_read_of_this_folders_unless_another_is_named(
    memd: CommandLine, daemon: StubDaemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    daemon.answers["brief"] = {"refused": {"code": "not_found", "message": "None.", "exit_status": 3}}
    monkeypatch.chdir(tmp_path)

    for words in ((), ("shop",), ("--project", "shop")):
        memd("session", "brief", *words)

    assert [params["project"] for _, params in daemon.asked] == [str(tmp_path), "shop", "shop"]


def test_a_host_that_is_not_there_is_no_empty_answer(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers |= {"sessions.list": [], "status": plain(status())}

    told = memd("sessions", "--host", "claudecode")

    assert told.status == 2
    assert "did you mean claude_code?" in told.err


def test_the_memory_is_purged_without_a_terminal_only_with_yes(memd: CommandLine) -> None:
    told = memd("uninstall", "--purge")

    assert (told.status, told.out) == (2, "")
    assert "--yes" in told.err


def test_a_purge_names_every_folder_that_goes(memd: CommandLine) -> None:
    del memd.env["MEMD_DATA_DIR"]
    memd("config", "init")
    paths = memd.paths
    paths.data_dir.mkdir(parents=True, exist_ok=True)
    paths.state_dir.mkdir(parents=True, exist_ok=True)

    told = memd("uninstall", "--purge")

    for folder in (paths.data_dir, paths.config_dir, paths.state_dir):
        assert str(folder) in told.err
    assert str(paths.cache_dir) not in told.err  # there is none


def test_every_command_stands_in_a_group_and_has_an_example() -> None:
    names = {command.name for command in COMMANDS}
    grouped = [name for group in GROUPS.values() for name in group]

    assert names <= set(grouped)
    assert len(grouped) == len(set(grouped))
    for name in names:
        assert EXAMPLES[name]


@pytest.mark.parametrize("example", [example for examples in EXAMPLES.values() for example in examples])
def test_the_examples_are_words_that_memd_takes(example: str) -> None:
    import shlex

    if example.split()[0] != "memd":
        pytest.skip("memd is called by another program there")
    _, *words = shlex.split(example.split(" > ")[0].split(" | ")[0])
    names = {command.name for command in COMMANDS}
    if words[0] in names and "--help" not in words:
        build().parse_args(words)


def test_every_operation_has_a_subcommand_with_its_parameters() -> None:
    offered = {
        action.operation.name: (group, name, action)
        for group in operate.GROUPS
        for name, action in operate.actions_of(group).items()
    }

    assert set(OPERATIONS) - set(offered) == HIDDEN
    for group, name, action in offered.values():
        parser = operate.parser_of(action, f"{group} {name}")
        taken = {entry.dest for entry in parser._actions}
        assert set(action.parameters) <= taken
        told = parser.format_help()
        assert told.count("example:") == 1
        assert max(map(len, told.split("example:")[0].splitlines())) <= 80


def test_a_subcommand_asks_its_operation_with_converted_words(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["search"] = {"query": "retry backoff", "hits": [], "lanes": ["facts"]}

    told = memd("memory", "find", "retry", "backoff", "--limit", "3", "--kinds", "facts", "--json")

    assert told.status == 0, told.err
    assert json.loads(told.out)["lanes"] == ["facts"]
    assert daemon.asked == [("search", {"query": "retry backoff", "limit": 3, "kinds": ["facts"]})]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("harbor",), {}),
        (("harbor", "half", "painted"), {"text": "half painted"}),
        (("--author", "ada", "harbor", "half", "painted"), {"text": "half painted", "author": "ada"}),
        (("harbor", "--author", "ada", "half", "painted"), {"text": "half painted", "author": "ada"}),
    ],
)
def test_a_text_that_need_not_be_given_may_be_left_out_or_stand_behind_an_option(
    typed: tuple[str, ...], meant: dict[str, str], memd: CommandLine, daemon: StubDaemon
) -> None:
    daemon.answers["sessions.close"] = {"session": "1", "title": None, "handoff": {}, "facts": [], "files": []}

    told = memd("session", "close", *typed)

    assert told.status == 0, told.err
    assert daemon.asked == [("sessions.close", {"project": "harbor", **meant})]


def test_a_group_without_an_action_lists_them(memd: CommandLine) -> None:
    told = memd("session")

    assert told.status == 0
    assert "memd session list" in told.out


def test_any_operation_can_be_called_by_its_name(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers |= {
        "operations.list": plain(tuple(map(describe, OPERATIONS.values()))),
        "search": {"hits": []},
    }

    assert "sessions.show" in memd("call").out
    assert json.loads(memd("call", "search", "query=12", "limit=3", 'kinds=["facts"]').out) == {"hits": []}
    assert daemon.asked[-1] == ("search", {"query": "12", "limit": 3, "kinds": ["facts"]})
    assert "did you mean 'search'?" in memd("call", "serch").err
    assert memd("call", "search", "query").status == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"role": "user", "content": "Grüße 🚢"}, {"role": "system", "content": "no"}]', [("user", "Grüße 🚢")]),
        (
            '{"messages": [{"role": "assistant", "content": [{"type": "text", "text": "Done"}]}]}',
            [("assistant", "Done")],
        ),
        ('"港口 opens at six"', [("user", "港口 opens at six")]),
        ("plain words\nover two lines\n", [("user", "plain words\nover two lines\n")]),
        ('["one", "two", "...", ""]', [("user", "one"), ("user", "two")]),
        ("[draft] not JSON at all", [("user", "[draft] not JSON at all")]),
    ],
)
def test_messages_are_read_in_every_form_that_a_pipe_gives(text: str, said: list[tuple[str, str]]) -> None:
    assert messages(text) == tuple(Said(role, words) for role, words in said)


@pytest.mark.parametrize("text", ["[]", '{"messages": []}', '["...", "   "]', "[1, 2]", '{"role": "user"}'])
def test_messages_without_words_are_an_error(text: str) -> None:
    with pytest.raises(UsageError):
        messages(text)


@pytest.mark.parametrize(("raw", "ok"), [("Grüße 🚢".encode(), True), (b"\xff\xfe", False), (b"  \n", False)])
def test_standard_input_is_utf_8_whatever_the_locale(raw: bytes, ok: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="ascii"))

    if ok:
        assert whole_text() == raw.decode()
    else:
        with pytest.raises(UsageError):
            whole_text()


def test_what_is_longer_than_the_screen_goes_through_the_pager(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    out = io.StringIO()
    terminal = Terminal(out, io.StringIO(), rows=3, pager=("sh", "-c", f"cat > {kept}"))

    terminal.show(["one", "two"])
    terminal.show(["1", "2", "3", "4 🚢"])

    assert out.getvalue() == "one\ntwo\n"
    assert kept.read_text("utf-8") == "1\n2\n3\n4 🚢\n"


def test_a_pager_that_is_not_there_hides_nothing(tmp_path: Path) -> None:
    out = io.StringIO()

    Terminal(out, io.StringIO(), rows=1, pager=(str(tmp_path / "none"),)).show(["one"])

    assert out.getvalue() == "one\n"


def test_the_manual_page_has_every_command_and_is_valid() -> None:
    text = "\n".join(page("2026-11-30")) + "\n"

    for command in COMMANDS:
        assert f".B memd {command.name}" in text
    assert "\n\\fB\\-n\\fR, \\fB\\-\\-limit\\fR \\fILIMIT\\fR\nat most N" in text
    checks = (("groff", "-man", "-Tutf8", "-ww"), ("mandoc", "-T", "lint", "-W", "style"))
    there = [(found, *options) for name, *options in checks if (found := shutil.which(name))]
    if not there:
        pytest.skip("neither groff nor mandoc is installed")
    for check in there:
        done = subprocess.run(check, input=text, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), check


def test_a_package_says_the_day_of_its_manual_page(memd: CommandLine) -> None:
    memd.env["SOURCE_DATE_EPOCH"] = "1795946400"

    assert '"2026-11-29"' in memd("man").out.splitlines()[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("memory purge", "did you mean `memd admin facts_purge`?"),
        ("session index_status", "did you mean `memd admin index_status`?"),
        ("memory rate x --rating helpful", "--rating is no option here, but a word of its own: memd memory rate"),
        ("memory rate x super", "choose from 'helpful', 'unhelpful'"),
    ],
    ids=str,
)
def test_words_in_the_wrong_place_are_answered_with_the_right_one(words: str, said: str, memd: CommandLine) -> None:
    told = memd(*words.split())

    assert (told.status, told.err.count("\n")) == (2, 1)
    assert said in told.err


def test_what_goes_with_a_project_is_counted_in_words_that_fit_the_number(
    memd: CommandLine, daemon: StubDaemon
) -> None:
    counts = {"sessions": 1, "code_nodes": 2, "entities": 1, "facts": 0}
    going = ProjectDeletedAnswer(False, "/home/ada/harbor", "harbor", counts, ("/a.jsonl",), ("/backup.db",))
    daemon.answers["projects.delete"] = plain(going)

    told = " ".join(memd("session", "projects_delete", "harbor").out.split())

    assert "with 1 session, 2 code nodes, 1 entity." in told
    assert "(May still be in 1 backup of before;" in told
    assert "(Still in 1 file that" in told


def test_a_folder_that_is_called_with_is_told_by_its_whole_path(
    memd: CommandLine, daemon: StubDaemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    daemon.answers |= {"operations.list": plain(tuple(map(describe, OPERATIONS.values()))), "handoff.leave": {}}
    (tmp_path / "harbor").mkdir()
    monkeypatch.chdir(tmp_path)

    for word in (".", "harbor", "shop"):
        memd("call", "handoff.leave", f"project={word}", "text=.")

    sent = [params for op, params in daemon.asked if op == "handoff.leave"]
    assert [params["project"] for params in sent] == [str(tmp_path), str(tmp_path / "harbor"), "shop"]
    assert {params["text"] for params in sent} == {"."}


def test_a_place_is_named_as_seen_from_here(
    memd: CommandLine, daemon: StubDaemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    daemon.answers["sessions.close"] = {"refused": {"code": "not_found", "message": "None.", "exit_status": 3}}
    monkeypatch.chdir(tmp_path)

    memd("session", "close", "23456789ab", "--folder", "notes", "All lamps are lit.")

    assert daemon.asked[-1][1]["folder"] == str(tmp_path / "notes")


@pytest.mark.parametrize(
    ("said", "meant"),
    [("correct", "'revise' or 'edit'"), ("remove", "'forget' or 'retract'"), ("forgt", "'forget'"), ("sav", "'save'")],
)
def test_what_deletes_for_good_is_proposed_to_those_alone_who_surely_mean_it(said: str, meant: str) -> None:
    told = operate._meant("memory", said, operate.actions_of("memory"))

    assert told == f"; did you mean {meant}?"


@pytest.mark.parametrize(
    ("words", "about", "said"),
    [
        ("remember x --project all", "facts.remember", "remember: the text says nothing."),
        ("memory save x --project all", "facts.remember", "memory save: the text says nothing."),
        ("graph find x", "code.find", "graph find: the text says nothing."),
        ("facts", "facts.list", "facts: the text says nothing."),
        ("facts", "facts.other", "facts: the text says nothing."),
        ("facts", "project", "project: the text says nothing."),
        ("call facts.list", "facts.list", "facts.list: the text says nothing."),
    ],
)
def test_what_is_wrong_is_told_of_what_was_typed_and_not_of_an_operation(
    words: str, about: str, said: str, memd: CommandLine, daemon: StubDaemon
) -> None:
    refused = {
        "refused": {
            "code": "bad_parameter", "message": f"{about}: the text says nothing.", "exit_status": 2, "about": about
        }
    }  # fmt: skip
    daemon.answers = dict.fromkeys(OPERATIONS, refused) | {
        "operations.list": plain((describe(OPERATIONS["facts.list"]),))
    }

    told = memd(*words.split())

    assert (told.status, told.err) == (2, f"memd: {said}\n")


@pytest.mark.parametrize(
    ("kept", "shared", "said"),
    [
        (1, ("ab",), "(1 fact stays, as something else says so too.) (Lost as well to 1 session that has it"),
        (2, ("ab", "cd"), "(2 facts stay, as something else says so too.) (Lost as well to 2 sessions that have it"),
    ],
)
def test_what_stays_and_goes_is_said_in_words_that_fit_the_number(
    kept: int, shared: tuple[str, ...], said: str, memd: CommandLine, daemon: StubDaemon
) -> None:
    daemon.answers["messages.forget"] = plain(
        DeletedAnswer(False, UID, None, 1, 0, 0, "Hello", (), kept, shared, (), ("/a.db",) * kept)
    )

    told = " ".join(memd("session", "forget_message", UID).out.split())

    assert said in told
    assert f"--copies removes {'it' if kept == 1 else 'them'} as well" in told


def test_a_title_that_was_cut_ends_the_sentence_as_it_is(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["facts.verify"] = plain(ChangedAnswer(replace(FACT, title="Payments are retr…"), "UPDATE", ""))

    assert memd("memory", "verify", UID).out.endswith("Payments are retr…\n")


def test_a_person_is_told_what_an_import_names_that_is_not_here_and_how_to_join_it(
    memd: CommandLine, daemon: StubDaemon, tmp_path: Path
) -> None:
    answer = ImportAnswer("/memd.json", "memd", True, 3, 3, absent=("/home/bo/the harbor",), relations=1)
    daemon.answers["import"] = plain(answer)

    told = " ".join(memd("import", str(tmp_path), "--dry-run").out.split())

    assert "/home/bo/the harbor is not on this machine" in told
    assert "`memd session projects_merge '/home/bo/the harbor' . --apply`" in told
    assert "- 1 relation " in told
