from __future__ import annotations

import pytest

from memd.distill.comparing import compared, features, lookup_terms
from memd.distill.slots import slot_of, values_of
from memd.model import LinkKind
from tests.unit.distill.claimed import claim, current, judged


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("use `cargo nextest run`, not cargo test", "command:test"),
        ("tests are pnpm test:unit here", "command:test"),
        ("build it with `make build`", "command:build"),
        ("这个项目只用 pnpm，不要用 npm", "choice:javascript packages"),
        ("use uv, never pip", "choice:python packages"),
        ("commit messages may be Chinese from now on", "language:commit messages"),
        ("提交信息一律用英文", "language:commit messages"),
        ("write all comments in German", "language:comments"),
        ("always answer in French", "language:answers"),
        ("отвечай всегда по-русски", "language:answers"),
        ("kommentare immer auf Englisch", "language:comments"),
        ("commit messages and comments in English", None),
        ("the Chinese tide tables are wrong", None),
        ("never push to main", None),
        ("the tests are slow", None),
    ],
)
def test_a_rule_settles_the_slot_that_its_command_or_manager_names(text: str, slot: str | None) -> None:
    assert slot_of(text) == slot


def link(one: str, other: str) -> LinkKind | None:
    return compared(*(features("convention", slot_of(text), text, text, ()) for text in (one, other)))


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ("Commit messages must be in English.", "commit messages may be Chinese from now on", "slot"),
        ("提交信息一律用英文", "commit messages in Chinese please", "slot"),
        ("always answer in English", "from now on answer in German, not in English", "slot"),
        ("always answer in English", "all comments are in German", None),
        ("always answer in English", "all answers in English, please", None),
    ],
)
def test_another_language_for_the_same_thing_is_another_value(one: str, other: str, found: LinkKind | None) -> None:
    assert link(one, other) == found
    assert link(other, one) == found


def test_a_language_that_is_turned_down_is_no_value() -> None:
    assert values_of("language:answers", "answer in German, not in English") == {"german"}


def test_a_later_language_ends_the_one_that_held() -> None:
    told = (
        claim("Commit messages must be in English.", 1, kind="convention"),
        claim("commit messages may be Chinese from now on", 2, kind="convention"),
    )
    assert current(judged(told)) == ["commit messages may be Chinese from now on"]


def test_statements_of_one_slot_are_found_by_it_when_they_share_no_word() -> None:
    one, other = (
        features("convention", None, text, text, ()) for text in ("commit messages in English", "提交信息用中文")
    )
    shared = {term for term, role in lookup_terms(one) if role == "key"} & {
        term for term, role in lookup_terms(other) if role == "word"
    }
    assert shared
