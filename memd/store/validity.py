"""Validity: the condition that a row with a time from which and up to which it holds was true at a time.

The time up to which is not part of it: what ended the moment it began held at no time. Facts, relations and what the
code looked like are all asked in these words, so that every read draws the line in the same place.
"""

from __future__ import annotations


def held(row: str, at: str) -> str:
    """Return the SQL condition that `row` (an alias, "" for none) held at `at` (SQL of a time that is not NULL)."""
    name = f"{row}." if row else ""
    return f"({name}valid_from <= {at} AND ifnull({name}valid_to > {at}, 1))"


def fact_then(row: str, at: str) -> str:
    """Return the SQL condition that a fact held at `at`, or holds now where that is NULL."""
    return f"iif({at} IS NULL, {f'{row}.' if row else ''}status = 'current', {held(row, at)})"


def edge_then(row: str, at: str) -> str:
    """Return the SQL condition that a relation held at `at`, or holds now where that is NULL."""
    return f"iif({at} IS NULL, {f'{row}.' if row else ''}valid_to IS NULL, {held(row, at)})"
