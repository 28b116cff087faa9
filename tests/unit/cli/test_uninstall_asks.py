"""`memd uninstall` asks before it takes what cannot be had again."""

from __future__ import annotations

import io

import pytest

from memd.doors.cli.main import run
from memd.doors.cli.terminal import Terminal
from tests.unit.cli.conftest import CommandLine


def answered(
    memd: CommandLine, monkeypatch: pytest.MonkeyPatch, answer: bool, *words: str
) -> tuple[int, str, list[str]]:
    """Status, output and questions of a command whose questions are answered alike."""
    asked: list[str] = []

    def ask(_: Terminal, question: str, *, enter: bool) -> bool:
        asked.append(f"{question} {'Y/n' if enter else 'y/N'}")
        return answer

    monkeypatch.setattr(Terminal, "ask", ask)
    out = io.StringIO()
    status = run(words, memd.env, Terminal(out, io.StringIO(), True))
    return status, out.getvalue(), asked


def test_a_purge_that_nobody_confirms_needs_to_be_told_twice(memd: CommandLine) -> None:
    told = memd("uninstall", "--purge")

    assert told.status == 2
    assert "--yes" in told.err
    assert str(memd.paths.state_dir) in told.err or str(memd.env["MEMD_DATA_DIR"]) in told.err


def test_a_purge_is_not_agreed_to_by_enter_alone(memd: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    status, out, (question,) = answered(memd, monkeypatch, False, "uninstall", "--purge")

    assert (status, out) == (0, "Nothing was changed.\n")
    assert "everything it remembers" in question
    assert question.endswith("y/N")


def test_leaving_the_memory_is_agreed_to_by_enter(memd: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, (question,) = answered(memd, monkeypatch, False, "uninstall")

    assert "not its memory" in question
    assert question.endswith("Y/n")


def test_leaving_one_host_names_it(memd: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, (question,) = answered(memd, monkeypatch, False, "uninstall", "--host", "codex")

    assert question.startswith("Remove memd from ")
    assert "codex" in question.lower()


def test_where_nothing_of_memd_is_that_is_said(memd: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    status, out, _ = answered(memd, monkeypatch, True, "uninstall", "--host", "codex")

    assert (status, out) == (0, "There was nothing of memd here.\n")
