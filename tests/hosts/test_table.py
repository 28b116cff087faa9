from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.hosts import table
from tests.hosts.codex_client import PINNED_VERSION
from tests.hosts.table import END, START, Results, written


def _report(when: str, outcome: str, test: str = "t") -> pytest.TestReport:
    return pytest.TestReport(test, ("t", 0, "t"), {}, outcome, None, when)  # type: ignore[arg-type]


def test_a_column_is_proven_when_every_test_that_ran_passed() -> None:
    results = Results()
    results.note("codex", "captured", _report("call", "passed", "one"))
    results.note("codex", "captured", _report("call", "passed", "two"))
    results.note("codex", "injected", _report("call", "failed", "one"))
    results.note("codex", "injected", _report("call", "passed", "two"))
    results.note("codex", "resumed", _report("setup", "skipped"))
    assert [results.verdict("codex", column) for column in table.COLUMNS] == ["yes", "no", "-", "-"]


def test_a_test_whose_tidying_up_fails_proves_nothing() -> None:
    results = Results()
    results.note("codex", "captured", _report("call", "passed"))
    results.note("codex", "captured", _report("teardown", "failed"))
    assert results.verdict("codex", "captured") == "no"


def test_a_row_tells_host_version_and_how_far_what_is_given_reaches() -> None:
    results = Results({"aider": {column: {"t": "yes"} for column in table.COLUMNS}})
    (row,) = [line for line in results.table().splitlines() if line.startswith("| Aider")]
    assert row.endswith("| yes | what holds everywhere | yes | yes |")


def test_what_a_test_said_that_is_gone_counts_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "proven.json"
    here = {"tests/hosts/test_table.py::here": "yes", "tests/hosts/test_gone.py::gone": "no"}
    versions = {"codex": ["Codex", PINNED_VERSION]}
    kept.write_text(json.dumps({"versions": versions, "cells": {"codex": {"captured": here}}}))
    monkeypatch.setattr(table, "_KEPT", kept)
    assert table.load().verdict("codex", "captured") == "yes"


def test_it_is_told_which_revisions_the_table_speaks_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    earlier, here = "tests/hosts/test_table.py::earlier", "tests/hosts/test_table.py::here"
    kept = tmp_path / "proven.json"
    versions = {"codex": ["Codex", PINNED_VERSION]}
    cells = {"codex": {"captured": {earlier: "yes", here: "no"}}}
    kept.write_text(json.dumps({"versions": versions, "cells": cells, "revisions": {earlier: "a", here: "a"}}))
    monkeypatch.setattr(table, "_KEPT", kept)
    monkeypatch.setattr(table, "HOSTS_DIR", tmp_path)
    Results({"codex": {"captured": {here: "yes"}}}).save()
    assert table.load().proven_at() == sorted(["a", table.revision()])


def test_the_table_stands_between_its_marks_and_nothing_else_changes() -> None:
    readme = f"Before\n{START}\nold\n{END}\nAfter\n"
    assert written(readme, "new\n") == f"Before\n{START}\nnew\n{END}\nAfter\n"


def test_a_readme_without_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="hosts:start"):
        written("Nothing here.\n", "new\n")


def test_the_readme_has_the_marks() -> None:
    written(table.README.read_text(), "")
