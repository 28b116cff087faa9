from __future__ import annotations

import io
import os
import sys
import time

import pytest

from memd.doors.cli.terminal import ENDLESS, Terminal


def terminal(*, interactive: bool = False, colour: bool = False) -> tuple[Terminal, io.StringIO, io.StringIO]:
    out, err = io.StringIO(), io.StringIO()
    return Terminal(out, err, interactive, colour), out, err


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:  # type: ignore[explicit-override]  # typing.override is 3.12
        return True


@pytest.mark.parametrize(
    ("answer", "meant"), [("\n", True), ("y\n", True), ("Yes\n", True), ("n\n", False), ("", False)], ids=repr
)
def test_enter_means_yes_and_the_end_of_input_no(answer: str, meant: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    asking, out, _ = terminal()
    monkeypatch.setattr(sys, "stdin", io.StringIO(answer))

    assert asking.ask("Go on?") is meant
    assert out.getvalue() == "Go on? [Y/n] "


@pytest.mark.parametrize(("answer", "meant"), [("\n", False), ("y\n", True), ("n\n", False), ("", False)], ids=repr)
def test_where_enter_must_not_be_enough_it_means_no(answer: str, meant: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    asking, out, _ = terminal()
    monkeypatch.setattr(sys, "stdin", io.StringIO(answer))

    assert asking.ask("Remove it all?", enter=False) is meant
    assert out.getvalue() == "Remove it all? [y/N] "


def test_an_error_is_one_clean_line_on_standard_error() -> None:
    told, out, err = terminal()
    told.error("No \x1b[31msuch\x1b[0m thing.")

    assert (out.getvalue(), err.getvalue()) == ("", "memd: No [31msuch[0m thing.\n")


@pytest.mark.parametrize(
    ("env", "colour"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
    ids=str,
)
def test_colour_is_for_terminals_that_want_it(
    env: dict[str, str], colour: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", Screen())
    monkeypatch.setattr(sys, "stdin", Screen())

    found = Terminal.of_process(env)

    assert (found.colour, found.interactive) == (colour, True)
    assert 40 <= found.columns <= 80


def test_a_pipe_gets_whole_lines_no_colour_and_no_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    monkeypatch.setattr(sys, "stdin", Screen())

    found = Terminal.of_process({})

    assert (found.colour, found.interactive, found.columns, found.uncut) == (False, False, ENDLESS, True)


@pytest.mark.parametrize(
    ("told", "columns", "uncut"), [("120", 120, False), ("wide", ENDLESS, True), ("", ENDLESS, True)]
)
def test_a_pipe_is_as_wide_as_columns_says(
    told: str, columns: int, uncut: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", io.StringIO())

    found = Terminal.of_process({"COLUMNS": told})

    assert (found.columns, found.row_columns, found.uncut) == (columns, columns, uncut)


@pytest.mark.parametrize(("window", "text", "rows"), [(30, 40, 40), (60, 60, 60), (80, 80, 80), (200, 80, 200)])
def test_rows_take_the_window_and_text_no_more_than_can_be_read(
    window: int, text: int, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", Screen())
    monkeypatch.setattr("shutil.get_terminal_size", lambda _: os.terminal_size((window, 24)))

    found = Terminal.of_process({})

    assert (found.columns, found.row_columns, found.uncut) == (text, rows, False)


def test_a_line_end_in_a_name_does_not_end_the_sentence() -> None:
    telling, _, err = terminal()
    telling.error("/home/a\nda: no such file.")
    assert err.getvalue() == "memd: /home/a\\nda: no such file.\n"


def test_who_waits_at_a_terminal_sees_that_memd_is_at_work_until_it_is_done() -> None:
    out, err = io.StringIO(), io.StringIO()
    with Terminal(out, err, interactive=True).waiting(after_s=0.01):
        while "at work" not in err.getvalue():
            time.sleep(0.001)

    *_, last = err.getvalue().split("\r")[:-1]
    assert last.strip() == ""
    assert out.getvalue() == ""


def test_a_pipe_is_told_nothing_of_waiting_and_what_is_quick_shows_nothing() -> None:
    err = io.StringIO()
    with Terminal(io.StringIO(), err).waiting(after_s=0):
        time.sleep(0.01)
    with Terminal(io.StringIO(), err, interactive=True).waiting(after_s=60):
        pass

    assert err.getvalue() == ""
