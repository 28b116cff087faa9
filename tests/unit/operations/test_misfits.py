"""A parameter that is not what it has to be is refused by its name, with what it may be and what it was."""

from __future__ import annotations

from typing import Any

import pytest

from memd.errors import BadParameter
from memd.operations.catalog import OPERATIONS


@pytest.mark.parametrize(
    ("op", "given", "said"),
    [
        ("facts.rate", {"fact": "x", "rating": "good"}, "rating must be helpful or unhelpful, not 'good'"),
        ("search", {"query": "x", "limit": "many"}, "limit must be a whole number, not 'many'"),
        ("search", {"query": 3}, "query must be a text, not 3"),
        ("search", {"query": "x", "explain": "yes"}, "explain must be true or false, not 'yes'"),
        ("search", {}, "query is missing"),
        ("search", {"query": "x", "kinds": ["facts", "people"]}, "must be facts or messages, not"),
        ("facts.batch", {"facts": "x"}, "facts must be a list, not 'x'"),
        ("facts.batch", {"facts": [{"text": "x", "scope": "here"}]}, "must be project or everywhere, not"),
        ("search", {"query": ["a" * 90]}, "query must be a text, not ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…"),
    ],
    ids=str,
)
def test_what_is_wrong_is_said_in_words(op: str, given: dict[str, Any], said: str) -> None:
    with pytest.raises(BadParameter) as refused:
        OPERATIONS[op].parse(given)

    assert said in str(refused.value)
    assert "`" not in str(refused.value)
    assert len(str(refused.value)) <= 300
