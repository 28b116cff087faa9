from __future__ import annotations

import sqlite3
from collections.abc import Callable

import pytest

from memd.errors import BadParameter, NotFound
from memd.store import blocks, handoffs, projects
from tests.unit.store.rows import NOW


@pytest.fixture
def harbor(conn: sqlite3.Connection) -> int:
    return projects.resolve(conn, "/home/ada/harbor", [], "harbor", NOW).id


def test_a_session_is_shown_what_holds_everywhere_and_its_project_s_own_in_their_order(
    conn: sqlite3.Connection, harbor: int
) -> None:
    other = projects.resolve(conn, "/home/ada/lighthouse", [], "lighthouse", NOW).id
    blocks.put(conn, harbor, "second", "2", NOW)
    blocks.put(conn, harbor, "third", "3", NOW)
    blocks.put(conn, None, "everywhere", "1", NOW)
    blocks.put(conn, other, "elsewhere", "x", NOW)
    blocks.put(conn, harbor, "first", "0", NOW, position=0)
    assert [block.label for block in blocks.visible(conn, harbor)] == ["everywhere", "first", "second", "third"]
    assert [block.label for block in blocks.visible(conn, harbor, "third")] == ["third"]
    assert [block.label for block in blocks.of_scope(conn, harbor)] == ["first", "second", "third"]
    assert [block.label for block in blocks.visible(conn, None)] == ["everywhere"]


def test_a_block_is_set_appended_to_replaced_in_and_deleted_and_each_change_is_kept(
    conn: sqlite3.Connection, harbor: int
) -> None:
    made = blocks.put(conn, harbor, "rules", "", NOW, author="ada")
    blocks.append(conn, harbor, "rules", "Never moor at night", NOW + 1)
    blocks.append(conn, harbor, "rules", "Ask first", NOW + 2)
    changed = blocks.replace(conn, harbor, "rules", "Never", "Do not", NOW + 3)
    assert changed.value == "Do not moor at night\nAsk first"
    assert blocks.put(conn, harbor, "rules", changed.value, NOW + 4) == changed
    gone = blocks.delete(conn, harbor, "rules", NOW + 5)
    assert gone.value == changed.value
    assert blocks.visible(conn, harbor) == ()
    told = blocks.history(conn, made.uid)
    assert [change.action for change in told] == ["SET", "APPEND", "APPEND", "REPLACE", "DELETE"]
    assert [change.old_value for change in told][-2:] == ["Never moor at night\nAsk first", changed.value]


def test_one_label_may_stand_for_a_block_everywhere_and_one_of_a_project(conn: sqlite3.Connection, harbor: int) -> None:
    blocks.put(conn, None, "rules", "everywhere", NOW)
    blocks.put(conn, harbor, "rules", "here", NOW)
    assert blocks.get(conn, None, "rules").value == "everywhere"
    assert blocks.get(conn, harbor, "rules").value == "here"


def test_a_value_over_the_limit_is_refused_and_what_was_there_stays(conn: sqlite3.Connection, harbor: int) -> None:
    blocks.put(conn, harbor, "rules", "x" * 10, NOW, limit=10)
    changes: tuple[Callable[[], object], ...] = (
        lambda: blocks.put(conn, harbor, "rules", "x" * 11, NOW),
        lambda: blocks.append(conn, harbor, "rules", "y", NOW),
        lambda: blocks.replace(conn, harbor, "rules", "x" * 10, "x" * 11, NOW),
        lambda: blocks.put(conn, harbor, "more", "x" * 2_001, NOW),
    )
    for change in changes:
        with pytest.raises(BadParameter, match="may hold"):
            change()
    assert blocks.get(conn, harbor, "rules").value == "x" * 10


@pytest.mark.parametrize("label", ["", " ", " rules", "two\nlines", "x" * 61])
def test_a_label_that_is_no_name_is_refused(conn: sqlite3.Connection, label: str) -> None:
    with pytest.raises(BadParameter, match="label"):
        blocks.put(conn, None, label, "x", NOW)


@pytest.mark.parametrize("limit", [0, -1, 4_001])
def test_a_limit_out_of_range_is_refused(conn: sqlite3.Connection, limit: int) -> None:
    with pytest.raises(BadParameter, match="limit"):
        blocks.put(conn, None, "rules", "", NOW, limit=limit)


@pytest.mark.parametrize(("old", "said"), [("lamp", "does not stand"), ("a ", "2 times"), ("", "does not stand")])
def test_a_piece_to_be_replaced_has_to_stand_there_once(conn: sqlite3.Connection, old: str, said: str) -> None:
    blocks.put(conn, None, "rules", "a pier, a quay", NOW)
    with pytest.raises(BadParameter, match=said):
        blocks.replace(conn, None, "rules", old, "x", NOW)


def test_what_is_not_there_is_not_found(conn: sqlite3.Connection) -> None:
    with pytest.raises(NotFound, match="rules"):
        blocks.append(conn, None, "rules", "x", NOW)


def test_projects_that_become_one_lose_no_block_and_no_handoff(conn: sqlite3.Connection, harbor: int) -> None:
    tree = projects.resolve(conn, "/home/ada/harbor-wt", [], "harbor-wt", NOW).id
    blocks.put(conn, harbor, "rules", "main", NOW)
    blocks.put(conn, tree, "rules", "tree", NOW)
    blocks.put(conn, tree, "style", "plain", NOW)
    handoffs.add(conn, tree, "half painted", None, NOW)
    projects.merge(conn, tree, into=harbor)
    assert {block.label: block.value for block in blocks.visible(conn, harbor)} == {
        "rules": "main", "rules (harbor-wt)": "tree", "style": "plain",
    }  # fmt: skip
    assert [left.text for left in handoffs.newest(conn, harbor)] == ["half painted"]


def test_of_handoffs_the_newest_three_of_each_project_stay(conn: sqlite3.Connection, harbor: int) -> None:
    other = projects.resolve(conn, "/home/ada/lighthouse", [], "lighthouse", NOW).id
    handoffs.add(conn, other, "elsewhere", None, NOW)
    for number in range(5):
        handoffs.add(conn, harbor, f"note {number}", "ada", NOW + number)
    assert [left.text for left in handoffs.newest(conn, harbor, 9)] == ["note 4", "note 3", "note 2"]
    assert [left.text for left in handoffs.newest(conn, other)] == ["elsewhere"]
