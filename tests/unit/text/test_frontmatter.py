"""The head of a Markdown file is read and changed field by field; what is not known stays to the byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.text.frontmatter import Page, Value, page_of

PAGE = """---
# kept by hand
title: 'The harbour''s lamp'
tags: [lamps, "pier 12", 'it''s']
aliases:
  - beacon
  - "old: lamp"
evergreen: true   # for good
confidence_score: 0.8
layout:
  theme: dark
  width: 3
empty:
---

Lit at dusk.
"""


def test_fields_are_read_in_the_forms_that_heads_have() -> None:
    page = page_of(PAGE)
    assert page.get("title") == "The harbour's lamp"
    assert page.texts("tags") == ("lamps", "pier 12", "it's")
    assert page.get("aliases") == ("beacon", "old: lamp")
    assert (page.get("evergreen"), page.get("confidence_score")) == (True, 0.8)
    assert (page.get("layout"), page.get("empty"), page.get("none")) == (None, "", None)
    assert page.body == "\nLit at dusk.\n"


def test_what_is_not_changed_stays_to_the_byte() -> None:
    page = page_of(PAGE)
    assert page.whole() == PAGE
    changed = page.having({"evergreen": False, "title": None, "author": "ada"}, "\nLit at dawn.\n").whole()
    assert changed == (
        PAGE.replace("evergreen: true   # for good", "evergreen: false")
        .replace("title: 'The harbour''s lamp'\n", "")
        .replace("empty:\n", "empty:\nauthor: ada\n")
        .replace("dusk", "dawn")
    )


@pytest.mark.parametrize("text", ["", "no head", "---\nnever closed: 1\n", "a\n---\nb: 1\n---\n"])
def test_a_file_without_a_head_is_all_body(text: str) -> None:
    assert page_of(text) == Page((), text)


texts = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=30)
values = st.one_of(texts, st.booleans(), st.lists(texts, min_size=1, max_size=4).map(tuple))


@given(st.dictionaries(st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True), values, min_size=1), st.text(max_size=40))
def test_what_was_written_is_what_is_read(fields: dict[str, Value], body: str) -> None:
    page = page_of(Page((), "").having(fields, body).whole())
    assert {name: page.get(name) for name in page.names} == fields
    assert page.body == body
