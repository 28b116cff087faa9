"""What people are shown of the code graph that the daemon keeps."""

from __future__ import annotations

import json
from dataclasses import replace

import msgspec
import pytest

from memd.doors.cli.wording import local, short
from memd.operations import code_answers as code
from tests.unit.cli.conftest import CommandLine, StubDaemon
from tests.unit.cli.samples import plain

AT = "2026-03-01T10:00:00.000Z"
TIDE = code.SymbolAnswer("code:tide.py::Tide.low", "method", 12, 20, "def low(self, day)", "", AT, None, None)
FILE = code.SymbolAnswer("code:tide.py", "file", 1, 40, "python", "", AT, None, None)
STEP = code.StepAnswer("code:buoy.py::main", "calls", "code:tide.py::Tide.low", 7, 1.0)
FAR = code.StepAnswer("code:pier.py::open", "calls", "code:buoy.py::main", 3, 0.6, 2)


def as_json(answer: object) -> object:
    """An answer as a program reads it."""
    return json.loads(msgspec.json.encode(answer))


def shown(memd: CommandLine, daemon: StubDaemon, action: str, answer: object, *words: str) -> list[str]:
    """The lines that `memd graph` prints for an answer of the daemon."""
    daemon.answers[f"code.{action}"] = plain(answer)
    told = memd("graph", action, *words)
    assert (told.status, told.err) == (0, "")
    return told.out.splitlines()


def test_callers_are_told_by_how_far_away_they_are_and_how_sure_that_is(memd: CommandLine, daemon: StubDaemon) -> None:
    answer = code.WalkAnswer("harbor", TIDE, (STEP, FAR), 2, more=True)

    assert shown(memd, daemon, "callers", answer, "Tide.low", "--depth=2", "--project=/srv/harbor") == [
        "tide.py::Tide.low:12  def low(self, day)",
        "  buoy.py::main calls tide.py::Tide.low (line 7)",
        "    pier.py::open calls buoy.py::main (line 3) (0.60)",
        "... and more; raise --limit to see it",
    ]
    op, params = daemon.asked[-1]
    assert op == "code.callers"
    assert {"symbol": "Tide.low", "depth": 2, "project": "/srv/harbor"}.items() <= params.items()


def test_what_made_a_relation_stands_beside_the_line_that_shows_it(memd: CommandLine, daemon: StubDaemon) -> None:
    sha = "5a2865fed32022b556f9c0b8217c142d1a4ee125"
    steps = [replace(STEP, made_by=made_by) for made_by in (f"commit {sha}", "session cc-0190", "uncommitted")]
    answer = code.WalkAnswer("harbor", TIDE, tuple(steps), 3, more=False)

    told = shown(memd, daemon, "callers", answer, "Tide.low")
    assert [line.partition("(")[2] for line in told[1:]] == [
        "line 7; commit 5a2865fed320)",
        f"line 7; session {short('cc-0190')})",
        "line 7; uncommitted)",
    ]


@pytest.mark.parametrize("action", ["callees", "traverse"])
def test_a_symbol_that_leads_nowhere_says_so(action: str, memd: CommandLine, daemon: StubDaemon) -> None:
    answer = code.WalkAnswer("harbor", FILE, (), 0, more=False)

    assert shown(memd, daemon, action, answer, "tide.py") == ["tide.py  python", "  nothing is known"]


def test_only_the_relations_that_are_named_are_followed(memd: CommandLine, daemon: StubDaemon) -> None:
    shown(memd, daemon, "traverse", code.WalkAnswer("harbor", FILE, (STEP,), 1, more=False),
          "tide.py", "--relation=calls", "--relation=inherits", "--direction=in")  # fmt: skip

    asked = daemon.asked[-1][1]
    assert (asked["relations"], asked["direction"]) == (["calls", "inherits"], "in")


def test_the_impact_of_a_change_names_who_would_feel_it_and_the_tests_among_them(
    memd: CommandLine, daemon: StubDaemon
) -> None:
    by_depth = {"1": ("code:buoy.py::main",), "2": ("code:pier.py::open", "code:test_pier.py::test_open")}
    files = ("buoy.py", "pier.py", "test_pier.py")
    answer = code.ImpactAnswer("harbor", TIDE, by_depth, files, ("code:test_pier.py::test_open",), 3, more=False)

    assert shown(memd, daemon, "impact", answer, "Tide.low") == [
        "tide.py::Tide.low:12  def low(self, day)",
        "3 symbols in 3 files could feel a change",
        "1 step away:",
        "  buoy.py::main",
        "2 steps away:",
        "  pier.py::open",
        "  test_pier.py::test_open",
        "tests among them:",
        "  test_pier.py::test_open",
    ]


def test_a_way_is_told_step_by_step_and_none_is_told_as_none(memd: CommandLine, daemon: StubDaemon) -> None:
    ends = ("code:pier.py::open", "code:tide.py::Tide.low")

    assert shown(memd, daemon, "path", code.PathAnswer("harbor", *ends, (FAR, STEP)), "open", "Tide.low") == [
        "pier.py::open calls buoy.py::main (line 3)",
        "buoy.py::main calls tide.py::Tide.low (line 7)",
    ]
    assert shown(memd, daemon, "path", code.PathAnswer("harbor", *ends, ()), "open", "Tide.low") == [
        "There is no way from pier.py::open to tide.py::Tide.low."
    ]


def test_why_gives_comments_facts_and_sessions(memd: CommandLine, daemon: StubDaemon) -> None:
    reason = code.ReasonAnswer("code:tide.py::Tide.low", "WHY", "the table is in local time", 14)
    facts = (
        code.FactLinkAnswer("f1", "decision", "Tide table in SQLite", "The tide table lives in SQLite.", "current"),
        code.FactLinkAnswer("f2", "bugfix", "Off by one at spring tide", "", "current"),
    )
    sessions = (
        code.SessionLinkAnswer("s1", "claude_code", "Mend the table", AT, edited_symbol=True),
        code.SessionLinkAnswer("s2", "codex", None, None, edited_symbol=False),
    )
    answer = code.WhyAnswer("harbor", TIDE, (reason,), facts, sessions, gone=AT)

    assert shown(memd, daemon, "why", answer, "Tide.low") == [
        "tide.py::Tide.low:12  def low(self, day)",
        f"gone since {local(AT)}",
        "  WHY (line 14): the table is in local time",
        "  decision: The tide table lives in SQLite.",
        "  bugfix: Off by one at spring tide",
        f"  edited it {local(AT)}: Mend the table (claude_code)",
        "  edited its file at a time not told: s2 (codex)",
    ]


def test_why_without_any_reason_says_that_nothing_is_known(memd: CommandLine, daemon: StubDaemon) -> None:
    told = shown(memd, daemon, "why", code.WhyAnswer("harbor", FILE, (), (), ()), "tide.py")

    assert told == ["tide.py  python", "  nothing is known"]


def test_the_status_tells_languages_relations_and_what_was_passed_over(memd: CommandLine, daemon: StubDaemon) -> None:
    languages = (code.LanguageAnswer("python", 2, 60, 1), code.LanguageAnswer("go", 1, 1, 0))
    answer = code.CodeStatusAnswer(
        "harbor", "/srv/harbor", AT, "0123456789abcdef", languages, 9, {"calls": 5, "imports": 1}, 3,
        {"too large": 2, "binary": 1}, working=True, error="The disk is full.",
    )  # fmt: skip

    assert shown(memd, daemon, "status", answer) == [
        "harbor (/srv/harbor)",
        f"looked through {local(AT)} at commit 0123456789ab",
        "python: 2 files, 60 lines, 1 file waiting",
        "go: 1 file, 1 line",
        "9 symbols; relations: calls 5, imports 1; 3 references without grounds",
        "passed over, binary: 1",
        "passed over, too large: 2",
        "being looked through now",
        "The disk is full.",
    ]


def test_the_status_of_code_that_nobody_looked_through_says_what_does_it(memd: CommandLine, daemon: StubDaemon) -> None:
    answer = code.CodeStatusAnswer("harbor", "/srv/harbor", None, None, (), 0, {}, 0, {}, working=False)

    assert shown(memd, daemon, "status", answer)[1:] == [
        "never looked through as a whole; `memd graph index` does it",
        "0 symbols; relations: none; 0 references without grounds",
    ]


def test_what_is_found_is_told_with_kind_and_place(memd: CommandLine, daemon: StubDaemon) -> None:
    assert shown(memd, daemon, "find", code.FoundAnswer("harbor", (TIDE, FILE)), "tide") == [
        "method tide.py::Tide.low:12  def low(self, day)",
        "file tide.py  python",
    ]
    assert shown(memd, daemon, "find", code.FoundAnswer("harbor", ()), "tide") == ["There is none."]


def test_the_shape_of_a_project_is_told_in_hubs_bridges_and_subsystems(memd: CommandLine, daemon: StubDaemon) -> None:
    hub = code.HubAnswer("code:tide.py::Tide.low", 12, 3)
    assert shown(memd, daemon, "hubs", code.HubsAnswer("harbor", (hub,))) == ["   12 in     3 out  tide.py::Tide.low"]

    bridge = code.BridgeAnswer("code:buoy.py::main", 2, 1)
    assert shown(memd, daemon, "bridges", code.BridgesAnswer("harbor", (bridge,))) == [
        "buoy.py::main holds 2 parts together, the smallest of 1 symbol"
    ]

    busiest = tuple(f"code:tide.py::f{number}" for number in range(7))
    part = code.SubsystemAnswer("tide", 9, 0.5, busiest, ("tide.py", "moon.py"))
    assert shown(memd, daemon, "subsystems", code.SubsystemsAnswer("harbor", (part,))) == [
        "tide: 9 symbols, cohesion 0.50: tide.py, moon.py",
        "  tide.py::f0, tide.py::f1, tide.py::f2, tide.py::f3, tide.py::f4",
    ]


def test_gaps_are_references_without_grounds_and_what_nothing_leads_to(memd: CommandLine, daemon: StubDaemon) -> None:
    gap = code.UnresolvedAnswer("code:pier.py::open", "moor", 4, "no definition")
    answer = code.CodeGapsAnswer("harbor", 1, (gap,), ("code:tide.py::old",), ("code:notes.py",))

    assert shown(memd, daemon, "gaps", answer) == [
        "1 reference without grounds",
        "  pier.py::open (line 4): moor, no definition",
        "nothing leads to: tide.py::old",
        "stands alone: notes.py",
    ]


def test_reasons_are_listed_by_place(memd: CommandLine, daemon: StubDaemon) -> None:
    reason = code.ReasonAnswer("code:tide.py::Tide.low", "HACK", "the office sends local time", 14)

    assert shown(memd, daemon, "reasons", code.CodeReasonsAnswer("harbor", (reason,), more=True), "--tag=HACK") == [
        "tide.py::Tide.low:14  HACK: the office sends local time",
        "... and more; raise --limit to see it",
    ]
    assert daemon.asked[-1][1]["tags"] == ["HACK"]
    none = code.CodeReasonsAnswer("harbor", (), more=False)
    assert shown(memd, daemon, "reasons", none) == ["There is none."]


def test_a_graph_that_differs_from_the_files_fails_the_check_and_says_where(
    memd: CommandLine, daemon: StubDaemon
) -> None:
    issues = (code.IssueAnswer("stale", "code:tide.py"), code.IssueAnswer("missing", "code:new.py"))
    wrong = code.CodeCheckAnswer("harbor", 4, ok=False, counts={"stale": 1, "missing": 1}, issues=issues)
    daemon.answers["code.check"] = plain(wrong)

    told = memd("graph", "check")
    assert told.status == 1
    assert told.out.splitlines() == [
        "harbor: 4 files, 1 stale, 1 missing",
        "  stale: tide.py",
        "  missing: new.py",
        "`memd graph index` brings it up to date",
    ]
    for_programs = memd("graph", "check", "--json")
    assert for_programs.status == 1
    assert json.loads(for_programs.out) == as_json(wrong)


def test_a_graph_that_agrees_with_the_files_passes_the_check(memd: CommandLine, daemon: StubDaemon) -> None:
    right = code.CodeCheckAnswer("harbor", 1, ok=True, counts={}, issues=())

    assert shown(memd, daemon, "check", right) == ["harbor: 1 file, the graph is as they are"]
    assert json.loads("\n".join(shown(memd, daemon, "check", right, "--json"))) == as_json(right)


def test_looking_through_a_tree_tells_what_it_came_to(memd: CommandLine, daemon: StubDaemon) -> None:
    answer = code.CodeIndexAnswer("harbor", "/srv/harbor", 12, 2, 1, 3, {"too large": 1})

    assert shown(memd, daemon, "index", answer, "/") == [
        "harbor: 12 files looked at, 2 new or changed, 1 gone",
        "references of 3 files resolved",
        "passed over, too large: 1",
    ]
    assert json.loads("\n".join(shown(memd, daemon, "index", answer, "/", "--json"))) == as_json(answer)


def test_a_line_of_code_cannot_command_the_terminal(memd: CommandLine, daemon: StubDaemon) -> None:
    reason = code.ReasonAnswer("code:tide.py", "WHY", "\x1b[2Jgone\nand a second line", 1)

    (line,) = shown(memd, daemon, "reasons", code.CodeReasonsAnswer("harbor", (reason,), more=False))
    assert "\x1b" not in line
