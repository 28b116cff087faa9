from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from memd.text import accounts, assignments, password_names, told
from memd.text.signs import LITERALS, SELDOM, WITHIN, Signs

_PIECES = [*LITERALS, *SELDOM, *WITHIN, b"PASS", b"k", b"ey", b" ", b"_", b"-", b"api", b"okcre", b"x"]


@given(st.lists(st.sampled_from(_PIECES)))
def test_each_literal_is_found_wherever_it_stands(pieces: list[bytes]) -> None:
    lower = b"".join(pieces).lower()
    signs = Signs(lower)
    for literal in (*LITERALS, *SELDOM, *WITHIN):
        assert signs.places(literal) == tuple(found.start() for found in re.finditer(re.escape(literal), lower))


@given(st.lists(st.sampled_from(_PIECES)))
def test_a_literal_behind_a_word_is_found_with_or_without_signs_between(pieces: list[bytes]) -> None:
    lower = b"".join(pieces).lower()
    expected = [found.start(1) for found in re.finditer(rb"api[_ -]*(key)", lower)]
    assert list(Signs(lower).behind(b"key", (b"api",), len(lower))) == expected


def test_what_rules_begin_at_is_looked_for() -> None:
    asked = {*assignments.KEYWORDS, *(literal for literal, _ in told.RULES), *accounts.SIGNS, *password_names.SIGNS}
    assert asked <= {*LITERALS, *SELDOM, *WITHIN}
