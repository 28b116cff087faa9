"""A key that is broken over lines goes as a whole, whatever broke it; lines that are none of it stay."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

import pytest

from memd.text.redaction import redact
from tests.unit.text.secret_corpus import Maker, vendor_keys

Form = Callable[[Sequence[str]], str]
FORMS: dict[str, Form] = {
    "lines": lambda lines: "the key is\n" + "\n".join(lines) + "\nnext",
    "in a sentence": lambda lines: "I set it to `" + "\n".join(lines) + "`, please check.",
    "indented": lambda lines: "KEY=" + "\n    ".join(lines) + "\n",
    "before a command": lambda lines: "export TOKEN=" + "\n".join(lines) + " && make deploy\n",
    "lines of Windows": lambda lines: "token: " + "\r\n".join(lines) + "\r\n",
    "backslashes": lambda lines: "export TOKEN=" + "\\\n".join(lines) + "\n",
    "a box": lambda lines: "│ token │\n" + "\n".join(f"│ {line} │" for line in lines) + "\n└──",
    "a quotation": lambda lines: "> " + "\n> ".join(lines) + "\n",
    "JSON": lambda lines: '{"out": "token: ' + "\\n".join(lines) + '\\nok"}',
    "put together": lambda lines: 'TOKEN = (\n    "' + '"\n    "'.join(lines) + '"\n)\n',
    "a diff": lambda lines: "+TOKEN=" + "\n+".join(lines) + "\n",
    "numbered lines": lambda lines: "\n".join(f"{number:6}\t{line}" for number, line in enumerate(lines, 3)),
}
COMMON = (
    "openai",
    "openai project",
    "anthropic",
    "github classic",
    "github fine-grained",
    "npm",
    "huggingface",
    "groq",
)


def cut(key: str, first: int, width: int) -> list[str]:
    """A key in lines."""
    return [key[:first], *(key[at : at + width] for at in range(first, len(key), width))]


def cases(seed: int) -> Iterator[tuple[str, str, str, str]]:
    """Vendor, form, key and the text it stands in, broken at random."""
    chance = random.Random(seed)
    for vendor, key in vendor_keys(Maker(seed)):
        for name, form in FORMS.items():
            first = chance.randint(6, min(len(key) - 5, 60))
            yield vendor, name, key, form(cut(key, first, chance.choice((20, 40, 60, 76))))


def shows(key: str, text: str) -> bool:
    """Whether eight characters in a row of a key are left, its beginning apart."""
    return any(key[at : at + 8] in text for at in range(5, len(key) - 7))


def test_most_keys_broken_over_lines_are_gone_and_those_of_common_makers_nearly_all() -> None:
    found = [(vendor, shows(key, redact(text).text)) for seed in range(4) for vendor, _, key, text in cases(seed)]
    common = [left for vendor, left in found if vendor in COMMON]
    assert sum(common) <= 0.03 * len(common)
    assert sum(left for _, left in found) <= 0.05 * len(found)
    for vendor in {vendor for vendor, _ in found}:
        own = [left for name, left in found if name == vendor]
        assert sum(own) <= 0.3 * len(own), vendor


@pytest.mark.parametrize("form", FORMS)
def test_what_stands_around_a_broken_key_stays(form: str) -> None:
    key = "gh" + "p_" + Maker(3).some("abcdefGHIJKL0123456789", 36)
    text = FORMS[form](cut(key, 20, 20))
    redacted = redact(text).text
    before, after = text.partition(key[:20])[0], text.rpartition(key[20:])[2]
    assert redacted.startswith(before)
    assert redacted.endswith(after)
    assert redact(redacted).text == redacted


KEY = "gh" + "p_" + Maker(5).some("abcdefGHIJKL0123456789", 36)
AFTER = (
    "9fceb02d0ae598e95dc970b74767f19372d61af8", "import numpy2", "README2.md", "src/harbor/tide2.py", "v1.2.3-rc4",
    "toolu_01A09q90qw90lq917835lq9", "HarborMaster2", "550e8400-e29b-41d4-a716-446655440000", "1795946400000",
)  # fmt: skip


@pytest.mark.parametrize("line", AFTER)
def test_a_line_after_a_whole_key_stays(line: str) -> None:
    assert redact(f"{KEY}\n{line}\n").text == f"[redacted:github]\n{line}\n"


@pytest.mark.parametrize("vendor", ["telegram", "discord", "mailchimp", "azure app", "google refresh", "sendgrid"])
@pytest.mark.parametrize("form", FORMS)
def test_a_key_that_only_its_midst_tells_goes_as_a_whole(vendor: str, form: str) -> None:
    key = dict(vendor_keys(Maker(11)))[vendor]
    text = FORMS[form](cut(key, 20, 20))
    redacted = redact(text).text
    assert not shows(key, redacted)
    assert redacted.endswith(text.rpartition(key[20:][-(len(key) % 20 or 20) :])[2])
    assert redact(redacted).text == redacted


@pytest.mark.parametrize(
    "text",
    [
        "see 1234567890:AA\nand the next line which is long enough for one\n",
        "9fceb02d0ae598e95dc970b74767f\n19372d61af8-us\n",
        "region: us-east-1\nbucket: 9fceb02d0ae598e95dc970b74767f193-use1\n",
        "Message_with_3_parts.module\n.function_name_in_it_that_is_long\n",
        "abc8Q~\nshort\nlines\n",
        "SG.\n" + "a_quite_long_name_that_is_none\n" * 3,
    ],
)
def test_what_merely_holds_the_sign_of_a_key_stays(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    "text", ["sk-learn\nimport numpy2\n", "sk-1\nsk-2\n", "npm_config\nregistry2\n", "hf_hub\nutils\n"]
)
def test_what_merely_begins_like_a_key_stays(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize("piece", ["ghp_\n", "sk-a1\n", "│ sk-ab │\n", "AKIA\n", 'glpat-1"\n  "',
    "1:AA\n", "Q~\n", "a1-us\n", "SG.\n", "M1bcdefghijklmnop.\n", "a23456.abcdefghijklmnop1\n", "1//0\n"])  # fmt: skip
def test_a_text_full_of_broken_beginnings_is_read_once(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    assert len(redact(text).text) > 0
