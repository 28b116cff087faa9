"""What is told in English and Chinese gives the relations it tells of, and none that it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.eval.graph.measure import Case, measure, read


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_relations_that_are_told_are_found_and_no_other(language: str) -> None:
    cases = [one for one in read() if one.language == language]
    found = measure(cases)

    assert found.cases >= 30
    assert found.unwanted >= 10
    assert found.recall >= 0.95
    assert found.false == 0


def test_a_relation_counts_by_what_it_means_and_not_by_its_name() -> None:
    wanted = (("harbour team", "OWNS", "Tide Service"), ("Night worker", "RUNS_IN", "eu-north-1"))
    case = Case("en", "", wanted, (("tide service", "owns", "harbour team"),))

    found = measure([case], lambda _: (("tide  service", "owned_by", "Harbour Team"), ("x", "uses", "y")))

    assert (found.wanted, found.found, found.false) == (2, 1, 0)
    assert found.open[0].missing == (wanted[1],)
    assert measure([case], lambda _: (("harbour team", "owned_by", "tide service"),)).false == 1


def test_cases_are_read_from_any_file_and_a_line_that_is_none_is_named(tmp_path: Path) -> None:
    file = tmp_path / "cases.txt"
    file.write_text("## en\n> A uses B,\n> and C.\n+ A | uses | B\n- B | uses | A\n> D\n+ D | calls | E\n", "utf-8")

    first, second = read(file)

    assert (first.text, first.wanted, first.unwanted) == (
        "A uses B,\nand C.",
        (("A", "uses", "B"),),
        (("B", "uses", "A"),),
    )
    assert second.wanted == (("D", "calls", "E"),)
    file.write_text("## en\n> A\n+ A uses B\n", "utf-8")
    with pytest.raises(ValueError, match=r"cases\.txt, line 3"):
        read(file)
