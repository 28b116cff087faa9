"""Every command that a help shows is typed in a memory with something in it: it works, fits the window, and is JSON."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memd.doors.cli import operate
from memd.doors.cli.columns import width
from memd.doors.cli.guide import EXAMPLES
from memd.doors.cli.main import run
from memd.doors.cli.terminal import Terminal
from tests.contract.doors.conftest import DECIDED, Home
from tests.contract.doors.test_every_operation import ask

LIFE = {"install", "uninstall", "up", "start", "down", "restart", "logs"}
"""What begins, ends or never ends is typed elsewhere (`test_life_of_a_daemon`)."""
LONG = "a_function_whose_name_is_longer_than_any_window_would_like_it_to_be_in_one_line"
CODE = f"""\
class KeeperOfTheLampsOfTheOuterHarbour:
    def {LONG}(self, first_argument_of_many, second_argument_of_many, third_argument_of_many): ...

def tide(): ...


def moor():
    tide()
    KeeperOfTheLampsOfTheOuterHarbour().{LONG}(1, 2, 3)
    KeeperOfTheLampsOfTheOuterHarbour().{LONG}(3, 2, 1)


def unmoor():
    # WHY: the keeper of the lamps has to know of it before anybody else does, because he is the one who is asked
    moor()
    moored_by_nobody_whom_anybody_knows_by_a_name_that_is_short()
"""
ACTIONS = [
    (operate.example(action, f"{group} {name}"), action.operation.name)
    for group in operate.GROUPS
    for name, action in operate.actions_of(group).items()
]
BY_HAND = [
    example
    for name, examples in EXAMPLES.items()
    for example in examples
    if name not in LIFE and example.startswith("memd ")
]
CODE_QUESTIONS = [
    "memd graph status",
    "memd graph find moor",
    f"memd graph find {LONG}",
    f"memd graph callers {LONG}",
    "memd graph callees moor",
    "memd graph impact tide",
    f"memd graph path unmoor {LONG}",
    "memd graph why unmoor",
    "memd graph traverse unmoor --depth 3",
    "memd graph hubs",
    "memd graph bridges",
    "memd graph subsystems",
    "memd graph gaps",
    "memd graph reasons",
    "memd graph check",
]


@dataclass(frozen=True, slots=True)
class Typed:
    """What a command answered in this process."""

    status: int
    out: str
    err: str


def type_(home: Home, words: list[str], columns: int = 80) -> Typed:
    """Type a command in the folder of the project."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.chdir(home.project), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"## Key Learnings:\n- Salt water eats zinc first\n")))
        try:
            status = run(words, {**home.env, "COLUMNS": str(columns)}, Terminal(out, err, columns=columns))
        except SystemExit as left:  # as argparse does behind a help
            status = int(left.code or 0)
    return Typed(status, out.getvalue(), err.getvalue())


@pytest.fixture(scope="module")
def filled(lived_in: Home) -> Home:
    """A memory with code, things and their relations, a block, and a fact whose words know no end."""
    folder = lived_in.project / "a_folder_with_a_name_of_some_length" / "and_another_one_within_it"
    folder.mkdir(parents=True)
    (folder / "the_module_that_keeps_the_lamps.py").write_text(CODE)
    (lived_in.project / "quay.py").write_text("def slip(): ...\n")
    ask(lived_in, "code.index", {"project": "harbor"})
    ask(lived_in, "facts.remember", {"text": f"The word {'lamp' * 60} is long. " + "It goes on and on. " * 30})
    for source in ("Lamp store", "Lamp shed of the outer harbour where nobody ever goes in winter or at night"):
        ask(lived_in, "relations.link", {"source": source, "relation": "uses", "target": "Oil", "create": True})
    knowledge = lived_in.folder / "agent-knowledge"
    (knowledge / "projects").mkdir(parents=True)
    (knowledge / "notes").mkdir()
    (knowledge / "projects" / "harbor-old.md").write_text("The old pier is closed.\n")
    ask(lived_in, "import", {"path": str(knowledge), "dry_run": False})
    return lived_in


def words_of(home: Home, example: str) -> list[str]:
    """The words of an example, with what is there in place of what it names."""
    (transcript,) = (home.folder / ".claude" / "projects").rglob(f"{DECIDED}.jsonl")
    told = {
        "23456789ab": DECIDED,
        "~/code/harbor": str(home.project),
        "~/.thoth/thoth.db": str(home.folder / "agent-knowledge"),
        "~/agent-knowledge": str(home.folder / "agent-knowledge"),
        "session.jsonl": str(transcript),
        "rollout.jsonl --host codex": f"{transcript} --host claude_code",
    }
    if "6f0c2b91d4" in example or "7a1d3c82e5" in example:
        for number, name in enumerate(("6f0c2b91d4", "7a1d3c82e5")):
            made = ask(home, "facts.remember", {"text": f"Buoy {os.urandom(4).hex()} is painted {number}"})
            told[name] = made["fact"]["id"]
    if "3456789abc" in example:
        told["3456789abc"] = ask(home, "sessions.show", {"session": DECIDED})["messages"][0]["id"]
    if "blocks" in example:
        for where in ({}, {"project": str(home.project)}):
            ask(home, "blocks.set", {"label": "style", "value": "Short sentences", **where})
    if "jobs" in example:
        ask(home, "jobs.resume", {"job": "backup"})
    if "Lamp store" in example:
        whole = {"source": "Lamp store", "relation": "part_of", "target": "Harbour", "create": True}
        ask(home, "relations.link", whole)
    example = example.split(" > ")[0].split(" < ")[0]
    for name, real in told.items():
        example = re.sub(rf"(?<![\w/]){re.escape(name)}", real, example)
    return shlex.split(example)[1:]


def fits(typed: Typed, where: str) -> None:
    """Whether all lines fit the window, but for a path or an id, which is there to be copied."""
    for line in typed.out.splitlines():
        assert width(line) <= 80 or not line.strip().count(" "), f"{where}: {width(line)} columns: {line}"
        assert re.fullmatch(r"[^\x00-\x08\x0b-\x1f\x7f-\x9f]*", line), (where, line)


@pytest.mark.parametrize(("example", "op"), ACTIONS, ids=[example[5:45] for example, _ in ACTIONS])
def test_the_example_of_an_action_does_what_it_says_within_80_columns(example: str, op: str, filled: Home) -> None:
    typed = type_(filled, words_of(filled, example))

    assert typed.status in (0, 1), (example, typed)
    assert typed.status == 0 or op in {"search", "code.check"}, (example, typed)
    fits(typed, example)


@pytest.mark.parametrize(("example", "op"), ACTIONS, ids=[example[5:45] for example, _ in ACTIONS])
def test_every_action_answers_in_json(example: str, op: str, filled: Home) -> None:
    typed = type_(filled, [*words_of(filled, example), "--json"])

    assert typed.status in (0, 1), (example, typed)
    json.loads(typed.out)


@pytest.mark.parametrize("example", [*BY_HAND, *CODE_QUESTIONS])
def test_every_example_of_a_command_works_within_80_columns(example: str, filled: Home, tmp_path: Path) -> None:
    words = words_of(filled, example)
    if words[0] == "export":
        words = ["export", "--out", str(tmp_path / "out")] if "--json" not in words else words
    if words[:2] == ["config", "init"]:
        pytest.skip("it writes the settings of the home that others use")
    typed = type_(filled, words)

    assert typed.status in (0, 1), (example, typed)
    assert typed.status == 0 or words[0] in {"search", "doctor"} or words[:2] == ["graph", "check"], (example, typed)
    # A script, a page and JSON are not for a window; a new folder is named whole.
    as_json = words[:2] == ["call", "search"] or bool({"--json", "--jsonl"} & set(words))
    if words[0] not in {"completion", "man", "export"} and not as_json:
        fits(typed, example)
    if "--json" in words:
        json.loads(typed.out)


@pytest.mark.parametrize("question", CODE_QUESTIONS)
def test_every_question_about_code_answers_in_json(question: str, filled: Home) -> None:
    typed = type_(filled, [*words_of(filled, question), "--json"])

    assert typed.status in (0, 1), (question, typed)
    told: Any = json.loads(typed.out)
    assert told


@pytest.mark.parametrize("columns", [40, 60])
@pytest.mark.parametrize("question", ["facts", "sessions", "search sqlite", "analyze hubs", "call"])
def test_a_narrow_window_is_kept_to_as_well(question: str, columns: int, filled: Home) -> None:
    typed = type_(filled, question.split(), columns)

    assert typed.status == 0
    assert max(map(width, typed.out.splitlines())) <= columns, typed.out


UNKNOWN = "0123456789"


@pytest.mark.parametrize(
    "words",
    [
        "facts {}", "show {}", "memory fact {}", "memory versions {}", "memory timeline {}", "memory edit {} text",
        "memory revise {} text", "memory retract {}", "memory forget {} --apply", "memory blocks_get {}",
        "relations traverse {}", "session forget {} --apply", "session projects_delete {} --apply", "graph callers {}",
    ],
)  # fmt: skip
def test_what_there_is_not_is_named_and_the_exit_status_tells(words: str, filled: Home) -> None:
    typed = type_(filled, words.format(UNKNOWN).split())

    assert (typed.status, typed.out) == (3, ""), typed
    assert UNKNOWN in typed.err
    assert typed.err.count("\n") == 1


def test_blocks_are_made_changed_listed_in_their_order_and_removed_each_where_it_holds(filled: Home) -> None:
    def blocks(*words: str) -> list[dict[str, Any]]:
        told: list[dict[str, Any]] = json.loads(type_(filled, ["memory", "blocks", *words, "--json"]).out)
        return [block for block in told if block["label"].startswith("watch")]

    for words in ("watch2 second --position 902", "watch1 first --position 901", "watch1 here --project harbor"):
        assert type_(filled, ["memory", "blocks_set", *words.split()]).status == 0
    assert [(block["label"], block["value"]) for block in blocks()] == [("watch1", "first"), ("watch2", "second")]
    assert [block["value"] for block in blocks("--project", "harbor")] == ["first", "second", "here"]

    long = type_(filled, ["memory", "blocks_set", "watch2", "--limit", "5", "far too long"])
    assert (long.status, "may hold 5" in long.err) == (2, True)
    assert type_(filled, ["memory", "blocks_set", "watch2", "third"]).status == 0
    assert type_(filled, ["memory", "blocks_delete", "watch1", "--apply"]).status == 0
    assert [block["value"] for block in blocks("--project", "harbor")] == ["third", "here"]
