"""What the judge compares a statement with is everything that it could be linked to: no other lane could add to it."""

from __future__ import annotations

from contextlib import closing

from hypothesis import given, settings
from hypothesis import strategies as st

from memd.distill import settling
from memd.distill.comparing import compared
from memd.model import Candidate, Evidence, FactKind, FactPart
from memd.store import claims, projects
from tests.unit.store.rows import NOW, database

WORDS = (
    "keep drop use redis postgres cache keys retries limit lamp pier tide table revert mmap tabs never not no longer"
    " instead of always only again after all pnpm npm `make check` port 8080 8081 v1.2 seconds 5 30 潮汐 表 撤回 缓存"
    " 不要 改用 超时 the is because"
).split()
FORMS = (
    "{}", "Never {}", "do not {} any more", "{} instead of {}", "we no longer {}", "The {} is 5",
    "The {} is 30 seconds", "不要 {}", "改用 {}", "revert {}, keep {}",
)  # fmt: skip
SLOTS = st.sampled_from((None, None, "choice:keys", "port:web"))
KINDS: st.SearchStrategy[FactKind] = st.sampled_from(("decision", "note", "bugfix", "preference"))


@st.composite
def alike(draw: st.DrawFn) -> list[Candidate]:
    """Statements about the same: one, and what is made of some of its words, others left out, added or denied."""
    words = draw(st.lists(st.sampled_from(WORDS), min_size=3, max_size=12, unique=True))
    made = []
    for _ in range(draw(st.integers(2, 5))):
        some = draw(st.lists(st.sampled_from(words), min_size=1, max_size=len(words), unique=True))
        more = draw(st.lists(st.sampled_from(WORDS), max_size=8))
        text = draw(st.sampled_from(FORMS)).format(" ".join(some), " ".join(more) or "it")
        kind = draw(KINDS)
        parts = [FactPart("decided", text)] if kind == "decision" else []
        if draw(st.booleans()):
            parts.append(FactPart("rejected", " ".join(some[:3])))
            text = f"Take another one and not that {' '.join(more)}"
        slot = draw(SLOTS)
        made.append(Candidate(kind, text[:60], text, tuple(parts), (Evidence(1, 0, text, NOW),), 0.8, NOW, slot=slot))
    return made


@settings(max_examples=200, deadline=None)
@given(alike())
def test_whatever_two_statements_are_to_each_other_each_is_found_for_the_other(said: list[Candidate]) -> None:
    with closing(database()) as conn:
        project = projects.resolve(conn, "/home/ada/harbor", [], "harbor", NOW)
        features = [settling.claim_features(one) for one in said]
        stored: dict[int, int] = {}
        for place, one in enumerate(said):
            new = settling.new_claim(one, project.id, features[place])
            known = claims.known_statement(conn, new)
            if known is None:
                stored[claims.add_statement(conn, new)] = place
        for place, one in enumerate(said):
            asked = settling.new_claim(one, project.id, features[place])
            near = {other.id for other in claims.near(conn, project.id, one.slot, asked.terms)}
            linked = {other for other, at in stored.items() if compared(features[place], features[at]) is not None}
            assert linked <= near
