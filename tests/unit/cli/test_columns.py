from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memd.doors.cli.columns import bullets, clean, cut, one_line, pad, table, width, wrap


def test_escape_sequences_and_direction_marks_do_not_reach_a_terminal() -> None:
    assert clean("red \x1b[31malert\x1b[0m \x9b2J \x07bell \u202ertl") == "red [31malert[0m 2J bell rtl"


def test_newlines_stay_and_tabs_become_blanks() -> None:
    assert clean("a\tb\r\nc\rd") == "a    b\ncd"


def test_wide_characters_take_two_columns_and_combining_ones_none() -> None:
    assert width("日本語") == 6
    assert width("e\u0301") == 1
    assert width("abc") == 3


def test_a_line_that_is_too_long_ends_with_an_ellipsis_and_fits() -> None:
    assert cut("abcdef", 4) == "abc…"
    assert cut("abcd", 4) == "abcd"
    assert width(cut("日本語日本語", 6)) <= 6


def test_padding_counts_wide_characters_as_two() -> None:
    assert pad("日本", 6) == "日本  "


def test_text_is_broken_at_blanks_and_else_anywhere() -> None:
    assert wrap("one two three", 8) == ["one two", "three"]
    assert wrap("abcdefghijkl", 8) == ["abcdefgh", "ijkl"]


def test_what_is_to_be_copied_stays_whole() -> None:
    assert wrap("see /a/very/long/path now", 12, whole=True) == ["see", "/a/very/long/path", "now"]
    assert bullets(["link /a/very/long/path"], 12, whole=True) == ["- link", "  /a/very/long/path"]


def test_code_keeps_its_indent_when_it_is_broken() -> None:
    assert wrap("    return one two three four", 20) == ["    return one two", "    three four"]


def test_empty_lines_stay() -> None:
    assert wrap("a\n\nb", 10) == ["a", "", "b"]


def test_a_table_gives_the_room_that_is_left_to_one_column() -> None:
    rows = [("1", "a very long title that will not fit here", "x"), ("22", "short", "yy")]

    lines = table(rows, stretch=1, columns=30)

    assert lines == ["1   a very long title tha…  x", "22  short                   yy"]


def test_an_empty_table_has_no_lines() -> None:
    assert table([], stretch=0) == []


def test_list_items_hang_below_their_first_line() -> None:
    assert bullets(["one two three four"], 12) == ["- one two", "  three four"]


@given(st.text(), st.integers(8, 100))
def test_no_wrapped_line_is_ever_wider_than_asked(text: str, columns: int) -> None:
    for line in wrap(text, columns):
        assert width(line) <= columns


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cf", "Cs", "Zs", "Zl", "Zp"])), st.integers(8, 40))
def test_wrapping_loses_nothing_but_blanks(text: str, columns: int) -> None:
    assert "".join(wrap(text, columns)) == text


@given(st.text())
def test_cleaned_text_holds_nothing_that_a_terminal_obeys(text: str) -> None:
    cleaned = one_line(text)

    assert not any(char < " " or "\x7f" <= char <= "\x9f" for char in cleaned)
    assert clean(cleaned) == cleaned


@given(st.text(), st.integers(2, 60))
def test_a_cut_line_fits(text: str, columns: int) -> None:
    assert width(cut(one_line(text), columns)) <= columns
    assert width(pad(one_line(text), columns)) == columns


@given(st.text(alphabet="ab /", max_size=80), st.integers(8, 20))
def test_wrapping_whole_words_keeps_them_all(text: str, columns: int) -> None:
    lines = wrap(text, columns, whole=True)

    assert " ".join(lines).split() == text.split()
    assert all(width(line) <= columns or " " not in line.strip() for line in lines)
