from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memd.inject.packing import NOTHING, Line, Section, pack
from memd.text.tokens import estimate_tokens

_WORDS = st.lists(st.sampled_from("pier buoy quay tide lamp crane 潮汐 灯塔".split()), min_size=1, max_size=30)
_LINES = st.lists(_WORDS.map(lambda words: "- " + " ".join(words)), max_size=12)


def _section(title: str, share: float, *lines: str, cut: bool = False, first: int = 1) -> Section:
    told: tuple[Line, ...] = tuple((line, first + place) for place, line in enumerate(lines))
    return Section(title, share, told, cut)


@given(budget=st.integers(0, 600), sections=st.lists(st.tuples(_LINES, st.floats(0.05, 1), st.booleans()), max_size=5))
def test_whatever_is_packed_stays_within_the_budget_and_says_nothing_twice(
    budget: int, sections: list[tuple[list[str], float, bool]]
) -> None:
    packed = pack(
        "harbor",
        [
            _section(f"Part {place}", share, *lines, cut=cut, first=100 * place)
            for place, (lines, share, cut) in enumerate(sections)
        ],
        budget,
    )
    shown = [line for line in packed.text.splitlines() if line.startswith("- ") and not line.endswith("…")]
    assert packed.tokens == (estimate_tokens(packed.text) if packed.text else 0)
    assert packed.tokens <= budget
    assert len(shown) == len(set(shown))
    assert len(packed.facts) == len(set(packed.facts))


def test_a_section_without_lines_gives_its_share_to_the_others() -> None:
    lines = [f"- the lamp of pier {number} is lit at dusk and put out at dawn" for number in range(40)]
    alone = pack("harbor", [_section("Lamps", 0.1, *lines), _section("None", 0.9)], 400)
    assert alone.tokens > 350


def test_what_later_sections_leave_goes_back_to_the_first() -> None:
    lines = [f"- the lamp of pier {number} is lit at dusk and put out at dawn" for number in range(40)]
    packed = pack("harbor", [_section("Lamps", 0.2, *lines), _section("Tide", 0.8, "- low at six", first=90)], 400)
    assert "- low at six" in packed.text
    assert packed.tokens > 350


def test_the_lines_of_a_section_keep_their_order_whenever_they_were_taken() -> None:
    long = "- " + "a very long line about the harbour " * 12
    packed = pack("harbor", [_section("One", 0.2, "- first", long, "- third"), _section("Two", 0.8)], 300)
    places = [packed.text.index(word) for word in ("- first", "a very long", "- third")]
    assert places == sorted(places)


def test_a_fact_in_two_sections_is_said_in_the_first() -> None:
    packed = pack(
        "harbor", [_section("One", 0.5, "- the lamp"), _section("Two", 0.5, "- the lamp, in other words")], 300
    )
    assert packed.facts == (1,)
    assert "other words" not in packed.text


def test_the_same_statement_of_two_days_is_said_once() -> None:
    sections = [
        _section("One", 0.5, "- the lamp [2026-01-01]"),
        _section("Two", 0.5, "- The lamp [2026-02-02]", first=7),
    ]
    assert pack("harbor", sections, 300).facts == (1,)


def test_what_may_be_cut_is_shown_in_part_and_what_may_not_is_left_out() -> None:
    long = "- " + "harbour rules " * 300
    assert "…" in pack("harbor", [_section("Rules", 1.0, long, cut=True)], 200).text
    assert pack("harbor", [_section("Rules", 1.0, long)], 200) == NOTHING


def test_the_first_line_of_what_comes_first_is_said_however_small_its_share_is() -> None:
    rule = ("- never write to the customs ledger without asking the keeper of the harbour office first", 1)
    ends = tuple((f"- paint buoy {number}", 10 + number) for number in range(9))
    packed = pack("harbor", [Section("Rules", 0.3, (rule,), first=True), Section("Left open", 0.7, ends)], 100)
    assert rule[0] in packed.text
    assert pack("harbor", [Section("Rules", 0.3, (rule,)), Section("Left open", 0.7, ends)], 100).facts[0] != 1
