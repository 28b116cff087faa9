from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.distill.judge import judge, judge_all
from memd.model import Candidate, Fact, FactKind, FactPart, Project

HARBOR = Project(1, "p1", "/home/ada/harbor", "harbor")


def candidate(
    body: str, at: int = 1, kind: FactKind = "decision", slot: str | None = None, everywhere: bool = False
) -> Candidate:
    return Candidate(kind, body[:80], body, (), (), 0.7, at, everywhere=everywhere, slot=slot)


def fact(
    body: str, at: int = 1, kind: FactKind = "decision", slot: str | None = None, project: Project | None = HARBOR
) -> Fact:
    return Fact(at, f"f{at}-{body}", project, kind, body[:80], body, "current", 0.7, at, at, at, slot=slot)


def verdict(new: Candidate, *known: Fact) -> str:
    return judge(new, known).verdict


def test_what_nobody_said_before_is_added() -> None:
    assert (
        verdict(candidate("Retries are table driven in `payout`."), fact("Images are kept in `.cache/img`.")) == "ADD"
    )


def test_what_is_known_adds_nothing() -> None:
    assert (
        verdict(candidate("Images are kept in `.cache/img`", at=2), fact("images are kept in `.cache/img`")) == "NONE"
    )


def test_a_more_precise_statement_updates() -> None:
    known = fact("Images are kept in `.cache/img`")
    assert (
        verdict(candidate("Images are kept in `.cache/img` and copied after each build of the site", at=2), known)
        == "UPDATE"
    )


def test_the_same_slot_with_another_value_supersedes() -> None:
    known = fact("Run the tests with `npm test`", kind="convention", slot="command:test")
    assert (
        verdict(candidate("Tests are `pnpm test:unit` here", at=2, kind="convention", slot="command:test"), known)
        == "SUPERSEDE"
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Full hashes use mmap through blake3", "revert mmap, 25% is not worth a crash"),
        ("Run the payouts through celery countdown", "drop the celery countdown, we go table driven"),
        ("看板列宽放 zustand 里", "撤回 zustand 的改动，列宽继续放 context"),
        ("use tailwind for the species cards", "don't use tailwind for the species cards"),
    ],
)
def test_a_reversal_supersedes(old: str, new: str) -> None:
    assert verdict(candidate(new, at=2), fact(old)) == "SUPERSEDE"


def test_turning_the_same_thing_down_twice_contradicts_nothing() -> None:
    assert (
        verdict(candidate("no more mmap, drop mmap everywhere", at=2), fact("revert mmap, it crashes")) != "SUPERSEDE"
    )


def test_an_older_statement_read_later_is_history() -> None:
    known = fact("revert mmap, 25% is not worth a crash", at=9)
    judgement = judge(candidate("Full hashes use mmap through blake3", at=3), [known])
    assert (judgement.verdict, judgement.target) == ("SUPERSEDED", known)


def test_a_project_does_not_replace_what_holds_everywhere() -> None:
    known = fact("always answer in German", kind="preference", slot="talk", project=None)
    assert verdict(candidate("answer in English here", at=2, kind="preference", slot="talk"), known) == "ADD"


def test_what_was_superseded_and_is_said_again_is_new() -> None:
    old = replace(fact("Images are kept in `.cache/img`"), status="superseded", valid_to=5)
    assert verdict(candidate("Images are kept in `.cache/img`", at=9), old) == "ADD"
    assert verdict(candidate("Images are kept in `.cache/img`", at=4), old) == "NONE"


@given(st.sets(st.text("abcdefghij", min_size=3, max_size=8), min_size=2, max_size=12))
def test_statements_about_distinct_identifiers_never_merge(names: set[str]) -> None:
    known: list[Fact] = []
    for at, name in enumerate(sorted(names)):
        assert (
            verdict(
                candidate(f"the service `svc_{name}` listens on its own port and writes its own log", at=at), *known
            )
            == "ADD"
        )
        known.append(fact(f"the service `svc_{name}` listens on its own port and writes its own log", at=at))


STORY = (
    candidate("keep the idempotency keys in redis", at=1, slot="choice:keys"),
    candidate("keep the idempotency keys in postgres instead of redis", at=2, slot="choice:keys"),
    candidate("Full hashes use mmap through blake3", at=3),
    candidate("revert mmap, it is not worth a crash", at=4),
    candidate("never push to main without asking", at=5, kind="convention"),
    candidate("keep the idempotency keys in a table of sqlite", at=6, slot="choice:keys"),
)


@pytest.mark.parametrize("order", list(itertools.permutations(range(len(STORY)), len(STORY)))[::7])
def test_the_order_of_sessions_does_not_change_what_is_current(order: tuple[int, ...]) -> None:
    known: list[Fact] = []
    for place in order:
        known = applied(known, [STORY[place]])
    assert {one.body for one in known if one.status == "current"} == {STORY[3].body, STORY[4].body, STORY[5].body}


def test_replaying_a_session_adds_nothing() -> None:
    known = applied(applied([], STORY[:1]), STORY[1:2])
    again = judge_all(STORY[1:2], known)
    assert [judgement.verdict for judgement in again] == ["NONE"]


def applied(known: Sequence[Fact], new: Sequence[Candidate]) -> list[Fact]:
    """Carry out judgements as the store does: a candidate is one fact, whatever is said of it."""
    facts = {one.uid: one for one in known}
    for judgement in judge_all(new, known):
        said, target = judgement.candidate, judgement.target
        own = fact(said.body, at=said.at or 0, kind=said.kind, slot=said.slot)
        match judgement.verdict:
            case "ADD":
                facts[own.uid] = own
            case "SUPERSEDED":
                assert target is not None
                facts[own.uid] = replace(own, status="superseded", valid_to=target.valid_from, superseded_by=target.uid)
            case "SUPERSEDE":
                assert target is not None
                facts.setdefault(own.uid, own)
                facts[target.uid] = replace(target, status="superseded", valid_to=own.valid_from, superseded_by=own.uid)
            case "UPDATE":
                assert target is not None
                facts[target.uid] = replace(target, body=said.body, title=said.title)
            case "NONE":
                pass
    return list(facts.values())


def test_parts_decide_what_a_statement_is_about() -> None:
    new = replace(
        candidate("as before (the mmap crashed)", at=2),
        parts=(FactPart("decided", "plain reads for hashing"), FactPart("rejected", "mmap")),
    )
    assert verdict(new, fact("hash with mmap")) == "SUPERSEDE"
