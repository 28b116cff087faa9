"""A secret that is told in two texts goes from both; texts that merely follow each other stay."""

from __future__ import annotations

import pytest

from memd.text.redaction import redact
from memd.text.seam import redact_seam
from tests.unit.text.secret_corpus import Maker, vendor_keys


@pytest.mark.parametrize(("vendor", "key"), vendor_keys(Maker(9)), ids=[name for name, _ in vendor_keys(Maker(9))])
@pytest.mark.parametrize("share", [0.3, 0.5, 0.8])
def test_a_key_in_two_texts_goes_from_both(vendor: str, key: str, share: float) -> None:
    if vendor in {"google refresh", "telegram", "azure app", "mailchimp", "cloudflare origin ca", "doppler"}:
        pytest.skip("its beginning looks like nothing, or its rest like words")
    cut = max(int(len(key) * share), 6)
    before, after = redact(f"Use {key[:cut]}").text, redact(f"{key[cut:]} for the deploy.").text
    seam = redact_seam(before, after)
    told = "".join((before, after) if seam is None else seam)
    left = [at for at in range(5, len(key) - 9) if key[at : at + 10] in told]
    assert not left
    assert told.startswith("Use [redacted:")
    assert told.endswith(" for the deploy.")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The tide", "Table2 is full."), ("see", "src/harbor/tide.py"),
        ("9fceb02d0ae598e95dc970b7", "4767f19372d61af8"),
        ("the password [redacted:password]", "Harbor2 is next"), ("key", "board2 works"), ("", "abc123"), ("gh", ""),
        ("Run `make tide`", "2 tests passed"), ("[redacted:github]", "commit_message_2"),
    ],
)  # fmt: skip
def test_texts_that_follow_each_other_stay(before: str, after: str) -> None:
    assert redact_seam(before, after) is None
