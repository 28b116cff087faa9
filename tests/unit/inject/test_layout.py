from __future__ import annotations

import pytest

from memd.inject.wakeup import DEFAULT_LAYOUT, Material, layout_of, wakeup
from tests.unit.inject.facts import fact

MATERIAL = Material(
    "harbor",
    identity="Ada, keeper of the light.\nPrefers short answers.",
    blocks=(("rules", "Never moor at night.\nAsk first."), ("style", "Plain words")),
    instructions=(fact(1, "Write in the imperative", "preference"),),
    decisions=(fact(2, "SQLite for the tide table"),),
    handoff="The crane is half painted",
)


def test_without_settings_the_sections_come_in_their_usual_order() -> None:
    text = wakeup(MATERIAL, 800).text
    places = [text.index(word) for word in ("Ada, keeper", "Never moor", "imperative", "SQLite", "half painted")]
    assert places == sorted(places)


def test_settings_choose_sections_their_order_and_their_shares() -> None:
    layout, problems = layout_of(("decisions=60", "blocks=40"))
    text = wakeup(MATERIAL, 800, layout).text
    assert problems == ()
    assert text.index("SQLite") < text.index("Never moor")
    assert "imperative" not in text


@pytest.mark.parametrize("word", ["crane=20", "decisions", "decisions=0", "decisions=x", "decisions=101", ""])
def test_a_setting_that_makes_no_sense_is_named_and_the_rest_is_used(word: str) -> None:
    layout, problems = layout_of((word, "blocks=40"))
    assert layout == (("blocks", 0.4),)
    assert len(problems) == 1
    assert problems[0].startswith("inject.sections: ")
    assert layout_of((word,))[0] == DEFAULT_LAYOUT


def test_blocks_keep_their_lines_and_their_order() -> None:
    assert "- rules: Never moor at night.\n  Ask first.\n- style: Plain words" in wakeup(MATERIAL, 800).text


def test_blocks_are_the_same_bytes_while_nothing_changes() -> None:
    assert wakeup(MATERIAL, 800).text == wakeup(MATERIAL, 800).text


def test_a_block_of_the_largest_size_is_shown_in_part_and_leaves_room_for_the_rest() -> None:
    text = wakeup(Material("harbor", blocks=(("rules", "no. " * 1000),), decisions=MATERIAL.decisions), 800).text
    assert "rules: no." in text
    assert "SQLite" in text
