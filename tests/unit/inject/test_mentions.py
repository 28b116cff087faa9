from __future__ import annotations

import pytest

from memd.inject.mentions import files_in, history_line, symbols_in
from memd.store.history import FileHistory
from tests.unit.inject.facts import DAY


@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        ("look at trees/sync.py and explain it", ("trees/sync.py",)),
        ("./src/net/rollback.rs needs a bigger window.", ("src/net/rollback.rs",)),
        ("看一下segment.py 的代码", ("segment.py",)),
        ("compare a.ts, b.tsx and c.css", ("a.ts", "b.tsx", "c.css")),
        ("version 1.2.3, e.g. this. And that, i.e. us", ()),
        ("see https://example.org/docs/index.html please", ()),
        ("mail ada@example.org", ()),
        (" ".join(f"file{n}.py" for n in range(30)), ()),
    ],
)
def test_files_are_known_by_their_ending_and_a_listing_is_about_none(prompt: str, names: tuple[str, ...]) -> None:
    assert files_in(prompt) == names


def test_symbols_are_names_of_code() -> None:
    assert symbols_in("where is ParcelListView, and `join_date()` or parseLabels?") == (
        "ParcelListView", "join_date", "parseLabels",
    )  # fmt: skip
    assert symbols_in("where is the list of parcels, Ada?") == ()


def test_the_history_of_a_file_is_one_line_told_from_the_project_s_root() -> None:
    known = FileHistory("/w/harbor/src/crane.py", 3, True, 20_000 * DAY, "Paint the\ncrane")
    assert history_line(known, "/w/harbor") == (
        "- `src/crane.py` was made and changed in 3 earlier sessions, last on 2024-10-04: “Paint the crane”"
    )
    assert history_line(FileHistory("/x/a.py", 1, False, None, None), None) == (
        "- `/x/a.py` was changed in one earlier session, last"
    )
