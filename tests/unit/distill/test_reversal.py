"""Which things a sentence takes back, and which it only speaks of."""

from __future__ import annotations

import pytest

from memd.distill.comparing import compared, features
from memd.distill.reversal import done_without, gives_up, reversed_in, undone
from memd.model import LinkKind


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("revert mmap, it is not worth a crash", {"mmap"}),
        ("please drop the whole lamp cache", {"lamp", "cache"}),
        ("kelp is no longer used here", {"kelp"}),
        ("the gull queue is deprecated", {"gull", "queue"}),
        ("the kelp store was replaced by a table", {"kelp", "store"}),
        ("we switched from npm to pnpm", {"npm"}),
        ("we have migrated the harbour queue from gullmq to tern last week", {"&gullmq", "harbour", "queue"}),
        ("replace kelpdb with a plain file", {"kelpdb"}),
        ("stop using the gull broker", {"gull", "broker"}),
        ("i know i said kelp back in march, that was wrong", {"kelp"}),
        ("we chose gull in spring but it turned out to be a mistake", {"gull"}),
        ("撤回 zustand 的改动", {"zustand"}),
        ("不再使用 kelp 了", {"kelp"}),
        ("从 kelp 改为 tern 存潮汐表", {"kelp"}),
        ("把 kelp 换成 tern", {"kelp"}),
        ("kelp 已经被 tern 取代", {"kelp"}),
        ("之前说用 kelp，错了", {"kelp"}),
        ("ya no usamos kelp aquí", {"kelp"}),
        ("migramos de kelp a tern", {"kelp"}),
    ],
)
def test_a_cue_names_what_it_takes_back(text: str, what: set[str]) -> None:
    assert any(what <= object_ for object_ in reversed_in(text)), reversed_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "a cache can drop keys whenever it likes",
        "the broker might remove old lamps",
        "keep the tide table in kelp",
        "the pier is closed on Sundays",
        "请保留缓存",
    ],
)
def test_what_may_happen_or_is_kept_is_not_taken_back(text: str) -> None:
    assert reversed_in(text) == ()


def test_what_is_merely_avoided_is_not_expressly_taken_back() -> None:
    assert undone("use tern instead of gull") == (frozenset({"gull"}),)
    assert reversed_in("use tern instead of gull") == ()


def link(one: str, other: str) -> LinkKind | None:
    return compared(*(features("decision", None, text[:60], text, ()) for text in (one, other)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("keep the lamp states in kelp", "kelp is deprecated, the lamp states live in tern"),
        ("ok, kelp it is", "i know i said kelp, that was wrong. tern"),
        ("answer with 409 while a lamp is being lit", "kill the 409 branch, callers just wait"),
        ("keep the copies on the local disk, key is the sha1 of the path, no kelp", "copies go to tern, drop the disk"),
        ("潮汐表放在 kelp 里", "从 kelp 改为 tern"),
    ],
)  # fmt: skip
def test_a_later_statement_takes_back_what_it_names(old: str, new: str) -> None:
    assert link(old, new) == "undone"
    assert link(new, old) == "undoes"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Another subject.
        ("keep the lamp states in kelp", "gull is deprecated, use tern for the queue"),
        # It is named beside the point, or is part of another name.
        (
            "tests only run through `make tide`, which starts the tern and kelp containers",
            "drop kelp for the lamp states",
        ),
        ("leave the pins alone, kelp-client is in the lock file", "drop kelp for the lamp states"),
        # Both turn the same thing down.
        ("no kelp in this project", "drop kelp for good"),
        ("no 'light now' button, keepers would hammer it", "light it by itself instead of keepers pressing the button"),
    ],
)
def test_a_cue_about_another_thing_takes_nothing_back(old: str, new: str) -> None:
    assert link(old, new) is None


def test_a_command_with_arguments_is_no_other_value() -> None:
    def of(text: str) -> LinkKind | None:
        base = features("convention", "command:test", "Tests", "tests only run through `make test` here", ())
        return compared(base, features("config", "command:test", "Tests", text, ()))

    assert of("Test with `make test T=payouts`.") is None
    assert of("Test with `npm test`.") == "slot"


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("there's no need to accept kelp and wrack as names", {"kelp", "wrack"}),
        ("其实没有必要接受 `kelp`/`wrack`", {"kelp", "wrack"}),
        ("去除 kelp 的逻辑", {"kelp"}),
    ],
)
def test_what_is_not_needed_is_taken_back(text: str, thing: set[str]) -> None:
    assert any(thing <= found for found in undone(text))


@pytest.mark.parametrize(
    "text",
    [
        "drop kelp in every repo",
        "get rid of kelp everywhere",
        "no longer use kelp in any of my projects, please",
        "remove kelp from this project",
        "we're done with kelp across all our repositories",
        "在所有项目里去掉 kelp",
        "去掉所有项目里的 kelp",
        "nicht mehr kelp in allen meinen Projekten",
    ],
)
def test_where_a_thing_is_taken_back_is_no_part_of_it(text: str) -> None:
    assert frozenset({"kelp"}) in undone(text)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("drop the repo browser", {"repo", "browser"}),
        ("remove the project list in the sidebar", {"project", "list"}),
        ("drop every repository class", {"repository", "class"}),
    ],
)
def test_what_is_called_by_such_a_word_keeps_its_name(text: str, what: set[str]) -> None:
    assert any(what <= thing for thing in undone(text)), undone(text)


def test_a_thing_dropped_everywhere_ends_what_takes_it() -> None:
    assert link("use kelp for the sessions", "drop kelp in every repo") == "undone"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Actually no cron.", {"cron"}),
        ("no cron, use a timer of the host", {"cron"}),
        ("wait, no lamp cache! the table is small", {"lamp", "cache"}),
    ],
)
def test_a_person_does_without_what_they_say_no_to(text: str, what: set[str]) -> None:
    assert done_without(text) == (frozenset(what),)


@pytest.mark.parametrize(
    "text",
    ["no cron entry was found on the gauge", "no idea", "no problem, use it", "no lamps", "no, use cron"],
)
def test_what_is_not_there_is_not_done_without(text: str) -> None:
    assert done_without(text) == ()


@pytest.mark.parametrize(
    "piece",
    ["x", "a.b-", "1", "从a", "9/9/", "we moved ", "stop a", "replace Aa", "太慢", "move a from ", "don't ", "把"],
)
def test_a_text_without_end_is_gone_through_once(piece: str) -> None:
    text = piece * (200_000 // len(piece))  # what looks back at each character would not come to an end
    assert len(undone(text)) <= len(text)
    assert not gives_up(text[1:]) or piece in ("太慢",)
