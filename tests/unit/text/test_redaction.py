"""Redaction: what must go goes, what only looks like it stays."""

from __future__ import annotations

import random
import sysconfig
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memd.text.private import strip_private_on
from memd.text.redaction import redact, scrub, scrub_value, shorten_home, strip_private
from tests.unit.text.secret_corpus import ALNUM, DASHES, DECOYS, Maker, Planted, planted

SEEDS = range(5)
TEXTS = planted(1)


@pytest.mark.parametrize("planted_text", TEXTS, ids=[text.name for text in TEXTS])
def test_a_secret_is_taken_out_and_what_is_around_it_stays(planted_text: Planted) -> None:
    redacted = redact(planted_text.text)

    assert [secret for secret in planted_text.secrets if secret in redacted.text] == []
    assert [kept for kept in planted_text.kept if kept not in redacted.text] == []
    assert sum(count for _, count in redacted.hits) == redacted.text.count("[redacted:")


def test_at_least_98_in_100_random_secrets_are_found() -> None:
    texts = [text for seed in SEEDS for text in planted(seed)]
    missed = [text.name for text in texts if any(secret in redact(text.text).text for secret in text.secrets)]

    assert len(TEXTS) >= 60
    assert len(missed) <= 0.02 * len(texts), missed


@pytest.mark.parametrize("decoy", DECOYS)
def test_what_is_no_secret_stays_as_it_is(decoy: str) -> None:
    assert redact(decoy).text == decoy


def test_the_code_of_the_standard_library_is_left_alone() -> None:
    folder = Path(sysconfig.get_path("stdlib"))
    sources = [path.read_text("utf-8", "replace") for path in islice(sorted(folder.glob("*.py")), 200)]
    size = sum(map(len, sources))
    hits = [hit for source in sources for hit in redact(source).hits if hit[0] != "email"]

    assert size > 1_000_000
    assert sum(count for _, count in hits) <= 2 * size / 1_000_000, hits


def test_surroundings_of_a_secret_do_not_hide_it() -> None:
    maker = Maker(7)
    key = "gh" + "p_" + maker.some(ALNUM, 36)
    for before, after in [("", ""), ("=", ""), ("'", "'"), ("\\n", "\\n"), ("(", ")"), ("数据", "库"), ("\n", "\n")]:
        assert key not in redact(before + key + after).text


@pytest.mark.parametrize("text", [text.text for text in TEXTS] + list(DECOYS))
def test_redacting_again_changes_nothing(text: str) -> None:
    once = redact(text).text

    assert redact(once).text == once
    assert redact(once).hits == ()


PIECES = st.sampled_from(
    [
        *(
            "password",
            "PASSWORD",
            "token",
            "api_key",
            "secret",
            "Authorization",
            "auth",
            "key",
            "pass",
            "=",
            ": ",
            " is ",
        ),
        *(
            '"',
            "'",
            "`",
            "\\",
            "\n",
            " ",
            ",",
            "://",
            "@",
            "host.io",
            "Bearer ",
            "[redacted:",
            "]",
            "-----BEGIN ",
            "<",
            ">",
        ),
        *(
            "PRIVATE KEY-----",
            "{",
            "}",
            "hunter2",
            "Kx9mmQ2zRt7LpW4s",
            "AK" + "IA" + "Q" * 15 + "7",
            "sig=",
            " -u ",
            "--",
        ),
        *(
            "x1y2z3w4v5u6t7s8r9q0",
            "9fceb02d0ae598e95dc970b74767f19372d61af8",
            "密码",
            "。",
            "eyJhbGciOi",
            ".",
            "/",
            "ada",
        ),
    ]
)


@settings(max_examples=600, deadline=None)
@given(st.lists(PIECES, max_size=14).map("".join))
@example("password='password='password=hunter22'")
def test_redacting_any_mixture_again_changes_nothing(text: str) -> None:
    once = redact(text).text

    assert redact(once).text == once


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters(), max_size=200))
def test_any_text_can_be_scrubbed(text: str) -> None:
    once = scrub(text).text

    assert scrub(once).text == once


HOSTILE = [
    *("a", "=", "-", '"', "'", "\\", "@", "/", ":", "[", "<", " ", "\n", "A1", "key", "token=", "password='", 'pass"'),
    *(
        "-----BEGIN",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----\n",
        "://",
        "a@",
        "a.b@",
        "://a:b@",
        "x@y.",
    ),
    *(
        '\\"',
        'secret: "',
        "key: ",
        "<private>",
        "</private>",
        "<private ",
        "< ",
        "<\u200b",
        "<private a",
        "eyJ",
        "gh" + "p_a1",
        "sk-a1",
        "AKIA",
        "a1_",
        "a-",
    ),
    *(
        "token for a ",
        "password is ",
        "auth=('a','",
        "[redacted:",
        "Cookie: ",
        " -p mysql ",
        "mysql -p",
        "sig=",
        "密码是",
        "1/",
    ),
    *(
        "/home/",
        "C:\\Users\\",
        "-----BEGIN PRIVATE KEY-----\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n",
        "value=",
        "token value",
        "\u0301",
    ),
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_megabyte_of_anything_is_done_in_the_time_of_a_megabyte(piece: str) -> None:
    text = (piece * (1_000_000 // len(piece)))[:1_000_000]

    scrub(text)
    shorten_home(text)


def test_families_are_counted() -> None:
    maker = Maker(3)
    first, second = ("gh" + "p_" + maker.some(ALNUM, 36) for _ in range(2))

    assert redact(f"{first} and {second}, PASSWORD=hunter2").hits == (("github", 2), ("password", 1))


def test_a_clean_text_comes_back_as_the_same_object() -> None:
    text = "nothing to see here: " + "src/memd/store.py " * 20

    assert redact(text).text is text
    assert scrub(text).text is text


@pytest.mark.parametrize(
    ("text", "stripped"),
    [
        ("I am <private>Ada</private>, hello", "I am [private], hello"),
        ("one\n<private>\ntwo\n</private>\nthree", "one\nthree"),
        ("one\n  <PRIVATE reason='x'>two</Private>  \nthree", "one\nthree"),
        ("<private>all</private>", ""),
        ("a <private>b<private>c</private>d</private> e", "a [private] e"),
        ("a <private>b", "a [private]"),
        ("a\n<private>\nb\nc", "a\n"),
        ("a <private>b</private> c <private>d</private>", "a [private] c [private]"),
        ("a </private> b", "a </private> b"),
        ("a <private", "a [private]"),
        ("the `<private>` tag hides a span", "the `<private>` tag hides a span"),
        ("Map<privateKey> and <privateer>", "Map<privateKey> and <privateer>"),
        ("no tags < here", "no tags < here"),
        ("a < private >b< / private > c", "a [private] c"),
        ("a <pri\u200bvate>b</\u2060private\ufeff> c", "a [private] c"),
        ("a \uff1cprivate\uff1eb\uff1c/private\uff1e c", "a [private] c"),
        (f"a <private reason='{'x' * 3000}'>b</private> c", "a [private] c"),
        ("a <private\nreason='x'\n>b</private> c", "a [private] c"),
        ("a <private why='<b>'>c</private> d", "a [private] d"),
        ("ssh -i <private key> host", "ssh -i <private key> host"),
        ("a <private note>b</private> c", "a [private] c"),
        ("if (a < private && b == 2 || c > 3)", "if (a < private && b == 2 || c > 3)"),
    ],
)
def test_private_spans_are_stripped(text: str, stripped: str) -> None:
    assert strip_private(text) == stripped
    assert strip_private(stripped) == stripped


def test_a_private_span_may_go_on_in_the_next_text() -> None:
    assert strip_private_on("a <private>b<private>c</private>", 0) == ("a [private]", 1)
    assert strip_private_on("d </private> e", 1) == ("[private] e", 0)
    assert strip_private_on("f", 1) == ("", 1)
    assert strip_private_on("f </private> g", 0) == ("f </private> g", 0)


def test_a_secret_in_a_private_span_is_gone_with_it() -> None:
    assert scrub("x <private>PASSWORD=hunter2</private> y PASSWORD=hunter2").text == (
        "x [private] y PASSWORD=[redacted:password]"
    )


def test_values_are_scrubbed_through_and_through() -> None:
    value = {
        "command": "export TOKEN=" + "k9Jx82mQpL0vT3zR",
        "password": "open sesame",
        "Authorization": ["Bearer x", 1, None],
        "nested": ({"apiKey": "abcd", "api_key_file": "/run/key", "token": "${TOKEN}"}, True),
        "max_tokens": "4096",
        "note": "for <private>Ada</private> only",
    }

    assert scrub_value(value) == {
        "command": "export TOKEN=[redacted:token]",
        "password": "[redacted:password]",
        "Authorization": ["[redacted:authorization]", 1, None],
        "nested": [{"apiKey": "[redacted:key]", "api_key_file": "/run/key", "token": "${TOKEN}"}, True],
        "max_tokens": "4096",
        "note": "for [private] only",
    }


def test_keys_of_objects_are_scrubbed_and_no_member_is_lost() -> None:
    maker = Maker(5)
    scrubbed = scrub_value({"gh" + "p_" + maker.some(ALNUM, 36): 1, "gh" + "p_" + maker.some(ALNUM, 36): 2})

    assert isinstance(scrubbed, dict)
    assert sorted(scrubbed.values()) == [1, 2]
    assert all(str(name).startswith("[redacted:github]") for name in scrubbed)


def test_values_nested_a_thousand_deep_are_scrubbed() -> None:
    value: object = "PASSWORD=hunter2"
    for _ in range(5000):
        value = [value]
    scrubbed = scrub_value(value)
    for _ in range(5000):
        assert isinstance(scrubbed, list)
        scrubbed = scrubbed[0]

    assert scrubbed == "PASSWORD=[redacted:password]"


def test_the_given_value_is_not_changed() -> None:
    value = {"password": "open sesame", "list": ["PASSWORD=hunter2"]}
    scrub_value(value)

    assert value == {"password": "open sesame", "list": ["PASSWORD=hunter2"]}


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("open /home/ada/work/a.py:12", "open ~/work/a.py:12"),
        ("open '/Users/ada/work'", "open '~/work'"),
        ("cd /home/ada", "cd ~"),
        ("C:\\Users\\ada\\a.py and c:/Users/ada/b.py", "~/a.py and ~/b.py"),
        ('{"p": "C:\\\\Users\\\\ada\\\\a.py"}', '{"p": "~/a.py"}'),
        ("PATH=/home/ada/bin:/home/bob/bin", "PATH=~/bin:~/bin"),
        ("/var/home/ada and src/home/ada", "/var/home/ada and src/home/ada"),
        ("/home and /home/", "/home and /home/"),
        ("/homes/x, /Users", "/homes/x, /Users"),
        ("see file:///home/ada/a.html", "see ~/a.html"),
        ("file://localhost/home/ada/a", "~/a"),
        ("file:///C:/Users/ada/a.html", "~/a.html"),
        ("/mnt/c/Users/ada/a and /c/Users/ada/b", "~/a and ~/b"),
        ("C:\\Users\\Ada Lovelace\\a.py", "~/a.py"),
        ("in C:\\Users\\ada and then", "in ~ and then"),
        ("cc -I/home/ada/include a.c", "cc -I~/include a.c"),
        ("https://piers.example/home/ada", "https://piers.example/home/ada"),
    ],
)
def test_home_folders_are_written_as_a_tilde(text: str, short: str) -> None:
    assert shorten_home(text) == short
    assert shorten_home(short) == short


def test_a_private_key_block_goes_whole_and_its_neighbours_stay() -> None:
    maker = Maker(11)
    body = maker.base64(400)
    text = f"first\n{DASHES}BEGIN PRIVATE KEY{DASHES}\n{body}\n{DASHES}END PRIVATE KEY{DASHES}\nlast"

    assert redact(text).text == "first\n[redacted:private-key]\nlast"


def test_many_secrets_in_a_long_text_are_all_found() -> None:
    texts = [text for seed in range(3) for text in planted(seed) if "\n" not in text.text]
    random.Random(2).shuffle(texts)
    filler = "the quick brown fox reads the log and says nothing of interest at all. " * 3
    joined = f"\n{filler}\n".join(text.text for text in texts)
    redacted = redact(joined).text

    assert [text.name for text in texts for secret in text.secrets if secret in redacted] == []


@pytest.mark.parametrize("line_end", ["\n", "\r\n    ", "\n\t"])
def test_a_key_that_was_wrapped_goes_with_its_rest(line_end: str) -> None:
    body = "9fQ2xLmT7vB4nKd8RwZ1cYh6JsP3gUe5tAoX0iVqEyHb"
    for cut in (20, 30, 36):
        key = "gh" + "p_" + body
        text = f"it is\n{key[:cut]}{line_end}{key[cut:]}\nand no more"
        assert redact(text).text == "it is\n[redacted:github]\nand no more"
    three = line_end.join(("sk-" + "ant-api03-" + body[:30], body[10:40], body[5:25]))
    assert redact(f"{three}\nnext").text == "[redacted:anthropic]\nnext"


@pytest.mark.parametrize(
    "rest", ["and", "install", "deadbeef01234567deadbeef01234567deadbeef", "toolu_01A2b3C4d5E6f7", "v2"]
)
def test_the_line_after_a_key_stays_when_it_is_no_part_of_it(rest: str) -> None:
    text = "gh" + f"p_9fQ2xLmT7vB4nKd8RwZ1cYh6JsP3gUe5tAoX\n{rest}\nmore"
    assert redact(text).text == f"[redacted:github]\n{rest}\nmore"


def test_a_run_of_characters_that_cannot_be_seen_is_gone_through_once() -> None:
    for text in ("<" + "\u200b" * 200_000, "<p\u00ad" + "\ufeff" * 200_000 + "q", "<\u200b \u200b/\u200b " * 20_000):
        assert scrub(text + "...").text == text + "..."
