from __future__ import annotations

import pytest

from memd.codegraph.reasons import TAGS, reasons
from tests.unit.codegraph.trees import graph


@pytest.mark.parametrize("tag", TAGS)
def test_each_tag_is_known(tag: str) -> None:
    assert reasons(f"# {tag}: the port is taken") == [(0, tag, "the port is taken")]


@pytest.mark.parametrize(
    "comment",
    [
        "// WHY: one\n// two",
        "/* WHY: one\n * two\n */",
        "# WHY(ana): one\n# two",
        "/// WHY - one\n/// two",
        "; WHY one\n; two",
    ],
)
def test_a_reason_goes_on_over_the_lines_of_its_comment(comment: str) -> None:
    assert reasons(comment) == [(0, "WHY", "one two")]


@pytest.mark.parametrize("comment", ["# whyever", "# todo later", "# a NOTE in the midst of it", "# NOTES of the day"])
def test_words_that_only_look_like_a_tag_are_none(comment: str) -> None:
    assert reasons(comment) == []


def test_a_reason_tells_its_line_and_the_symbol_around_it() -> None:
    source = "def f():\n    # plain\n    x = 1\n    # SAFETY: checked\n    # above\n    return x\n# TODO: g\n"
    facts = graph({"a.py": source}).facts["a.py"]
    assert [(c.tag, c.text, c.line, facts.node(c.scope)) for c in facts.comments] == [
        ("SAFETY", "checked above", 4, "a.py::f"),
        ("TODO", "g", 7, "a.py"),
    ]


def test_a_tag_alone_gives_no_reason() -> None:
    assert reasons("# TODO:\n\n# WHY: the port is taken") == [(2, "WHY", "the port is taken")]
    assert reasons("/* TODO: */") == []
    assert reasons("// NOTE:\n// on the next line") == [(0, "NOTE", "on the next line")]
