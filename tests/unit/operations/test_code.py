"""What is asked of the code graph, of a project whose code and sessions are both known."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from memd.adapter import Batch, Cursor, FileChange, MessagePart, SessionUpdate, Source, ToolResult, ToolUse
from memd.errors import BadParameter, NotFound
from memd.operations import code, code_shape, facts, remember, review, search
from memd.operations.code_given import NotIndexed
from memd.operations.code_params import (
    CodeCheckParams,
    CodeFindParams,
    CodeIndexParams,
    CodePathParams,
    CodeReasonsParams,
    CodeShapeParams,
    CodeStatusParams,
    CodeTraverseParams,
    CodeWalkParams,
    CodeWhyParams,
)
from memd.operations.facts import ShowParams
from memd.operations.items import Item
from memd.operations.search import SearchParams
from memd.store import sessions
from memd.store.facts import Connection
from memd.store.ingest import Prepared, store_batch
from tests.unit.operations.conftest import NOW, Harbor

FILES = {
    "harbor/tides.py": '''
class Table:
    """Where the tides are kept."""

    # WHY: the office has no server
    def read(self):
        return parse("x")

    def write(self): ...

def parse(text):
    return text
''',
    "harbor/office.py": """
from harbor.tides import Table

class Office(Table):
    def open(self):
        self.read()

def run():
    Office().open()

def alone(): ...
""",
    "tests/test_office.py": """
from harbor.office import run

def test_the_office_opens():
    run()
""",
}


def _write(root: Path) -> None:
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text.lstrip())


@pytest.fixture
async def indexed(harbor: Harbor) -> Harbor:
    _write(harbor.root)
    await code.index.function(harbor.memory, CodeIndexParams("harbor"))
    return harbor


async def test_what_is_known_of_the_code_is_told(indexed: Harbor) -> None:
    told = await code.status.function(indexed.memory, CodeStatusParams("harbor"))
    assert told.looked_at is not None
    assert [(one.language, one.files, one.waiting) for one in told.languages] == [("python", 3, 0)]
    assert told.relations["calls"] > 0


async def test_before_it_was_looked_through_the_answer_says_what_to_do(harbor: Harbor) -> None:
    with pytest.raises(NotIndexed, match="memd graph index"):
        await code.callers.function(harbor.memory, CodeWalkParams("parse", "harbor"))


@pytest.mark.parametrize("word", ["read", "Table.read", "tides.py::Table.read", "code:harbor/tides.py::Table.read"])
async def test_a_symbol_may_be_named_in_several_ways(indexed: Harbor, word: str) -> None:
    told = await code.callers.function(indexed.memory, CodeWalkParams(word, "harbor"))
    assert told.symbol.node == "code:harbor/tides.py::Table.read"
    assert [step.source for step in told.steps] == ["code:harbor/office.py::Office.open"]


async def test_what_made_a_relation_and_a_symbol_is_told_wherever_they_are(harbor: Harbor) -> None:
    _write(harbor.root)
    made = f"commit {_commit(harbor.root)}"
    (harbor.root / "harbor/pier.py").write_text("from harbor.tides import parse\n\ndef moor():\n    parse('x')\n")
    await code.index.function(harbor.memory, CodeIndexParams("harbor"))
    told = await code.callers.function(harbor.memory, CodeWalkParams("parse", "harbor"))
    assert {(step.source.partition("::")[2], step.made_by) for step in told.steps} == {
        ("Table.read", made),
        ("moor", "uncommitted"),
    }
    assert all(step.since is not None for step in told.steps)
    assert told.symbol.made_by == made
    walked = await code.traverse.function(harbor.memory, CodeTraverseParams("run", "harbor", direction="out"))
    assert {step.made_by for step in walked.steps} == {made}
    way = await code.path.function(harbor.memory, CodePathParams("run", "Office.open", "harbor"))
    assert [step.made_by for step in way.steps] == [made]
    why = await code.why.function(harbor.memory, CodeWhyParams("moor", "harbor"))
    assert why.symbol.made_by == "uncommitted"


def _commit(root: Path) -> str:
    """Commit all that lies in a folder, as somebody without settings of their own, and return the commit."""
    env = {"PATH": os.environ["PATH"], "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1"}
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    asked = (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "A commit"), ("rev-parse", "HEAD"))
    told = [
        subprocess.run(["git", *who, *words], cwd=root, env=env, check=True, capture_output=True, text=True).stdout
        for words in asked
    ]
    return told[-1].strip()


async def test_a_ring_of_calls_ends_and_what_the_limit_leaves_off_is_told(indexed: Harbor) -> None:
    ring = "".join(f"def turn{n}():\n    turn{(n + 1) % 6}()\n\n" for n in range(6))
    (indexed.root / "harbor/ring.py").write_text(ring)
    await code.index.function(indexed.memory, CodeIndexParams("harbor"))
    told = await code.callers.function(indexed.memory, CodeWalkParams("turn0", "harbor", depth=10))
    assert [step.source.partition("::")[2] for step in told.steps] == [f"turn{n}" for n in (5, 4, 3, 2, 1, 0)]
    assert (told.reached, told.more) == (5, False)
    some = await code.callers.function(indexed.memory, CodeWalkParams("turn0", "harbor", depth=10, limit=2))
    assert (len(some.steps), some.more) == (2, True)
    felt = await code.impact.function(indexed.memory, CodeWalkParams("turn0", "harbor", depth=10, limit=2))
    assert (sum(map(len, felt.by_depth.values())), felt.reached, felt.more) == (2, 5, True)


async def test_callers_of_callers_are_as_many_steps_away(indexed: Harbor) -> None:
    told = await code.callers.function(indexed.memory, CodeWalkParams("parse", "harbor", depth=4))
    assert [(step.source.partition("::")[2], step.depth) for step in told.steps] == [
        ("Table.read", 1),
        ("Office.open", 2),
        ("run", 3),
        ("test_the_office_opens", 4),
    ]


async def test_what_a_change_could_break_counts_inheritance_and_names_the_tests(indexed: Harbor) -> None:
    told = await code.impact.function(indexed.memory, CodeWalkParams("Table", "harbor", depth=5))
    assert "code:harbor/office.py::Office" in told.by_depth["1"]
    assert told.tests == ("code:tests/test_office.py::test_the_office_opens",)
    assert set(told.files) == {"harbor/office.py", "harbor/tides.py", "tests/test_office.py"} - {"harbor/tides.py"}


async def test_the_way_between_two_symbols_is_told_step_by_step(indexed: Harbor) -> None:
    told = await code.path.function(indexed.memory, CodePathParams("run", "parse", "harbor"))
    assert [step.target.partition("::")[2] for step in told.steps] == ["Office.open", "Table.read", "parse"]
    back = await code.path.function(indexed.memory, CodePathParams("parse", "run", "harbor"))
    assert back.steps == ()


async def test_relations_are_followed_in_the_direction_and_along_the_kinds_that_were_asked_for(indexed: Harbor) -> None:
    params = CodeTraverseParams("Office", "harbor", direction="out", relations=("inherits",))
    told = await code.traverse.function(indexed.memory, params)
    assert [(step.relation, step.target) for step in told.steps] == [("inherits", "code:harbor/tides.py::Table")]


async def test_why_a_symbol_is_as_it_is_comes_from_code_facts_and_sessions(indexed: Harbor) -> None:
    told = await code.why.function(indexed.memory, CodeWhyParams("Table", "harbor"))
    assert [(reason.tag, reason.text) for reason in told.reasons] == [("WHY", "the office has no server")]


async def test_why_a_symbol_is_as_it_is_names_the_decision_the_session_that_edited_it_and_the_tests_it_ran(
    indexed: Harbor,
) -> None:
    said = "We let `parse` keep the text as it is, because the office compares it with the paper"
    saved = await remember.remember.function(indexed.memory, Item(said, kind="decision", project="harbor"))
    path = str(indexed.root / "harbor" / "tides.py")
    edits = {
        "about-it": {
            "file_path": path,
            "old_string": "def parse(text):",
            "new_string": "def parse(text, strict=False):",
        },
        "near-it": {"file_path": path, "old_string": "def write(self): ...", "new_string": "def write(self): pass"},
    }

    def worked(conn: Connection) -> None:
        (project,) = conn.execute("SELECT id FROM projects WHERE name = 'harbor'").fetchone()
        for native, given in edits.items():
            use = ToolUse(f"{native}-c", "Edit", "edit", json.dumps(given))
            events = (
                SessionUpdate(native, cwd=str(indexed.root)),
                MessagePart(native, f"{native}-m", f"{native}-m", 1, "assistant", "reply", NOW, "", tool_calls=(use,)),
                ToolResult(
                    native, f"{native}-c", f"{native}-r", 2, True, "", NOW, changes=(FileChange(path, "update"),)
                ),
            )
            source = Source("claude_code", Path(f"/home/ada/{native}.jsonl"), native)
            store_batch(conn, source, Prepared(Batch(events, Cursor(offset=1)), ("",) * len(events)), NOW)
            (session,) = conn.execute("SELECT id FROM sessions WHERE native_id = ?", (native,)).fetchone()
            sessions.set_project(conn, session, project)
            conn.execute(
                "INSERT INTO session_events (session_id, kind, text, ok) VALUES (?, 'command', ?, 1)",
                (session, f"pytest -k {native}"),
            )

    await indexed.memory.writer.run(worked)
    told = await code.why.function(indexed.memory, CodeWhyParams("parse", "harbor"))
    assert [(one.kind, one.id) for one in told.facts] == [("decision", saved.fact.id)]
    assert [one.edited_symbol for one in told.sessions] == [True, False]
    (uid,) = await indexed.memory.readers.run(
        lambda conn: conn.execute("SELECT uid FROM sessions WHERE native_id = 'about-it'").fetchone()
    )
    assert told.sessions[0].id == uid
    assert [(one.command, one.session) for one in told.runs] == [("pytest -k about-it", uid)]


async def test_why_a_symbol_is_as_it_is_tells_what_went_wrong_with_it_and_which_tests_lead_to_it(
    indexed: Harbor,
) -> None:
    def went_wrong(conn: Connection) -> None:
        (session,) = conn.execute("SELECT id FROM sessions WHERE project_id IS NOT NULL LIMIT 1").fetchone()
        (project,) = conn.execute("SELECT id FROM projects WHERE name = 'harbor'").fetchone()
        conn.execute("UPDATE sessions SET project_id = ? WHERE id = ?", (project, session))
        rows = [
            (session, "error", 'File "harbor/tides.py", line 10, in parse: KeyError: low', 1, "strip the text first"),
            (session, "error", "No route to the pier", 0, None),
        ]
        conn.executemany("INSERT INTO session_events (session_id, kind, text, ok, detail) VALUES (?, ?, ?, ?, ?)", rows)

    await indexed.memory.writer.run(went_wrong)
    told = await code.why.function(indexed.memory, CodeWhyParams("parse", "harbor"))
    assert [(one.text[-13:], one.fixed, one.fix, one.names_it) for one in told.errors] == [
        ("KeyError: low", True, "strip the text first", True)
    ]
    assert told.tests == ()  # it lies farther off than is looked
    run = await code.why.function(indexed.memory, CodeWhyParams("harbor/office.py::run", "harbor"))
    assert run.tests == ("code:tests/test_office.py::test_the_office_opens",)


async def test_what_the_code_was_can_be_asked_of_a_time(indexed: Harbor) -> None:
    before = "2026-11-29T09:00:00Z"
    told = await code.find.function(indexed.memory, CodeFindParams("parse", "harbor", as_of=before))
    assert told.symbols == ()


async def test_a_symbol_that_was_not_there_at_the_time_asked_for_is_told_since_when_it_is(indexed: Harbor) -> None:
    asked = CodeWalkParams("parse", "harbor", as_of="2026-11-29T09:00:00Z")
    told = r"'parse' was not there at 2026-11-29T09:00:00.000Z; it is known from 2026-11-29T11:00:00.000Z\."
    with pytest.raises(NotFound, match=told):
        await code.callers.function(indexed.memory, asked)
    with pytest.raises(NotFound, match=r"There is no symbol 'nothing'"):
        await code.callers.function(indexed.memory, CodeWalkParams("nothing", "harbor", as_of="2026-11-29T09:00:00Z"))


async def test_what_a_comment_says_is_found_by_a_search_with_its_file_and_line(indexed: Harbor) -> None:
    told = await search.search_all.function(indexed.memory, SearchParams("why has the office no server", "harbor"))
    (hit,) = [hit for hit in told.hits if "tides.py" in hit.text]
    assert hit.kind == "decision"
    assert hit.text == "the office has no server (WHY in harbor/tides.py:4 Table)"
    assert hit.sentence == "harbor/tides.py:4: WHY: the office has no server"


async def test_a_symbol_that_is_gone_is_still_explained(indexed: Harbor) -> None:
    (indexed.root / "harbor/tides.py").write_text("class Table:\n    def read(self): ...\n")
    await code.index.function(indexed.memory, CodeIndexParams("harbor"))
    told = await code.why.function(indexed.memory, CodeWhyParams("harbor/tides.py::parse", "harbor"))
    assert told.gone is not None


async def test_a_name_that_several_have_is_answered_with_their_whole_names(indexed: Harbor) -> None:
    (indexed.root / "harbor/other.py").write_text("def run(): ...\n")
    await code.index.function(indexed.memory, CodeIndexParams("harbor"))
    with pytest.raises(BadParameter, match=r"harbor/office.py::run, harbor/other.py::run"):
        await code.callers.function(indexed.memory, CodeWalkParams("run", "harbor"))


async def test_a_name_that_nothing_has_is_answered_with_what_is_near(indexed: Harbor) -> None:
    with pytest.raises(NotFound, match=r"^There is no symbol 'Ship.rea'; there is harbor/tides.py::Table\.read\.$"):
        await code.callers.function(indexed.memory, CodeWalkParams("Ship.rea", "harbor"))


async def test_the_shape_of_the_code_is_told(indexed: Harbor) -> None:
    hubs = await code_shape.hubs.function(indexed.memory, CodeShapeParams("harbor"))
    assert hubs.hubs[0].incoming + hubs.hubs[0].outgoing > 1
    gaps = await code_shape.gaps.function(indexed.memory, CodeShapeParams("harbor"))
    assert "code:harbor/office.py::alone" in gaps.loose
    assert not any("tests/" in node for node in (*gaps.unused, *gaps.loose))
    bridges = await code_shape.bridges.function(indexed.memory, CodeShapeParams("harbor"))
    assert "code:harbor/tides.py::Table.read" in {one.node for one in bridges.bridges}


@pytest.mark.parametrize(("depth", "limit"), [(0, 10), (11, 10), (1, 0), (1, 1001)])
async def test_a_bound_out_of_range_is_named(indexed: Harbor, depth: int, limit: int) -> None:
    with pytest.raises(BadParameter, match=r"must be 1 to"):
        await code.callers.function(indexed.memory, CodeWalkParams("parse", "harbor", depth=depth, limit=limit))


async def test_a_folder_of_no_project_yet_can_be_looked_through(harbor: Harbor, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "a.py").write_text("def f(): ...\n")
    told = await code.index.function(harbor.memory, CodeIndexParams(str(folder)))
    assert (told.project, told.changed) == ("elsewhere", 1)


async def test_a_fact_that_names_a_symbol_which_is_gone_is_marked_with_what_became_of_it(indexed: Harbor) -> None:
    saved = await remember.remember.function(
        indexed.memory, Item("Table.write must only be called by the keeper", project="harbor")
    )
    other = await remember.remember.function(
        indexed.memory, Item("We write the tides down every morning", project="harbor")
    )
    path = indexed.root / "harbor/tides.py"
    path.write_text(path.read_text().replace("    def write(self): ...\n", ""))
    await code.index.function(indexed.memory, CodeIndexParams("harbor"))
    marks = await indexed.memory.readers.run(
        lambda conn: conn.execute("SELECT name, detail FROM stale_facts").fetchall()
    )
    assert marks == [("write", "code:harbor/tides.py::Table.write is no longer there")]
    assert saved.fact.id != other.fact.id
    told = await review.stale.function(indexed.memory, review.StaleParams("harbor"))
    (one,) = told.stale
    assert (one.fact.id, one.change, one.missing, one.weight) == (saved.fact.id, "removed", ("Table.write",), 1.0)
    shown = await facts.show_fact.function(indexed.memory, ShowParams(saved.fact.id))
    assert [doubt.name for doubt in shown.fact.stale] == ["write"]
    found = await search.search_all.function(indexed.memory, SearchParams("who may call Table.write", "harbor"))
    assert [doubt.change for hit in found.hits if hit.id == saved.fact.id for doubt in hit.stale] == ["removed"]


async def test_reasons_in_the_code_are_found_by_their_words_and_tags(indexed: Harbor) -> None:
    told = await code.reasons.function(indexed.memory, CodeReasonsParams("harbor", query="no server", tags=("why",)))
    assert [(one.node, one.line) for one in told.reasons] == [("code:harbor/tides.py::Table", 4)]
    none = await code.reasons.function(indexed.memory, CodeReasonsParams("harbor", tags=("HACK",)))
    assert none.reasons == ()


async def test_a_package_at_the_root_is_there_as_long_as_any_file_is(harbor: Harbor) -> None:
    (harbor.root / "go.mod").write_text("module harbor.example/gin\n\ngo 1.22\n")
    (harbor.root / "gin.go").write_text("package gin\n\nfunc New() {}\n")
    (harbor.root / "cmd").mkdir()
    (harbor.root / "cmd/main.go").write_text(
        'package main\n\nimport "harbor.example/gin"\n\nfunc main() { gin.New() }\n'
    )
    await code.index.function(harbor.memory, CodeIndexParams("harbor"))
    told = await code.check.function(harbor.memory, CodeCheckParams("harbor"))
    assert told.ok, told.issues


async def test_a_graph_that_is_not_as_the_files_are_is_told_issue_by_issue(indexed: Harbor) -> None:
    fine = await code.check.function(indexed.memory, CodeCheckParams("harbor"))
    assert fine.ok, fine.issues
    (indexed.root / "harbor/tides.py").write_text("class Table: ...\n")
    (indexed.root / "harbor/new.py").write_text("def f(): ...\n")
    (indexed.root / "tests/test_office.py").unlink()
    told = await code.check.function(indexed.memory, CodeCheckParams("harbor"))
    assert not told.ok
    assert {(one.issue, one.node) for one in told.issues} == {
        ("stale", "code:harbor/tides.py"),
        ("missing", "code:harbor/new.py"),
        ("vanished", "code:tests/test_office.py"),
    }
