"""Wherever a long text is cut, no piece of a secret is left that redaction would not know."""

from __future__ import annotations

from collections import Counter

import orjson
import pytest

from memd.text.redaction import scrub
from memd_adapters.cutting import whole_head, whole_tail
from memd_adapters.jsonl import LineShortener
from memd_adapters.shaping import head_and_tail, head_of
from tests.unit.text.secret_corpus import Maker, vendor_keys

KEYS = vendor_keys(Maker(20))
LINE_BYTES = 300_000
KEPT_CHARS = 64 << 10  # of a string of an oversized line


def left_of(secret: str, text: str) -> str | None:
    """Return a piece of the secret that is still to be read."""
    clean = scrub(text).text
    pieces = (secret[at : at + 8] for at in range(4, len(secret) - 8))
    return next((piece for piece in pieces if piece in clean), None)


@pytest.mark.parametrize("around", [" word ", "\n", '","a":"'])
@pytest.mark.parametrize(("vendor", "key"), KEYS[::3], ids=[vendor for vendor, _ in KEYS[::3]])
def test_no_piece_of_a_key_is_left_where_a_text_is_cut(vendor: str, key: str, around: str) -> None:
    for before in range(1, len(key) + 3, 3):
        text = "x" * (1000 - before - len(around)) + around + key + around + "y" * 5000
        assert left_of(key, head_of(text, 1000)) is None, vendor
        assert left_of(key, head_and_tail(text, 1000)) is None, vendor
        backwards = "y" * 5000 + around + key + around
        backwards += "x" * (1000 - before - len(around))
        assert left_of(key, head_and_tail(backwards, 1000)) is None, vendor


@pytest.mark.parametrize(("vendor", "key"), KEYS[1::6], ids=[vendor for vendor, _ in KEYS[1::6]])
def test_no_piece_of_a_key_is_left_where_an_oversized_line_is_cut(vendor: str, key: str) -> None:
    for before in range(1, len(key) + 3, 5):
        text = "word " * (KEPT_CHARS // 5 - 20)
        text += "x" * (KEPT_CHARS - before - len(text) - 1) + "\n" + key + " more" * 200_000
        shortener = LineShortener(LINE_BYTES)
        shortener.feed(orjson.dumps({"text": text.replace("x\n", "\n", 1)}))
        shown = orjson.loads(shortener.close(Counter()))["text"]
        assert shown.endswith("bytes in all]")
        assert left_of(key, shown) is None, vendor


def test_a_cut_takes_half_a_word_at_most() -> None:
    assert whole_head("two half") == "two "
    assert whole_tail(b"half two") == b" two"
    assert whole_head("a" * 5000) == "a" * 5000
    assert whole_tail("only") == "only"
