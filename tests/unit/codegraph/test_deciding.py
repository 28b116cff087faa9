"""Comments that say why, as facts: real database, real workers, a tree in a temporary folder."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from memd.codegraph import deciding
from memd.distill import stating
from memd.model import Fact
from memd.store import edges, facts, foremost, search
from memd.text.tokens import match_query
from tests.unit.codegraph.places import PROJECT, Place, placed

PUMP = """
class Pump:
    def start(self):
        # WHY: the harbour floods when
        # both pumps start at once
        return 1

# DECISION: one pump a basin
# SAFETY: checked by the valve before
# NOTE: painted green
# TODO: paint it blue
""".lstrip()


async def _facts(place: Place, *, status: str | None = "current") -> dict[str, Fact]:
    """The facts that hold, or all, by how they begin."""
    chosen = facts.FactFilter(project_id=PROJECT, status=status)  # type: ignore[arg-type]
    found = await place.readers.run(lambda conn: facts.list_facts(conn, chosen, limit=1000))
    return {fact.title: fact for fact in found}


async def test_comments_that_say_why_are_decisions_with_file_and_line(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write({"src/pump.py": PUMP})
        await place.index()
        found = await _facts(place)
        assert {fact.title: (fact.kind, fact.body, fact.tags) for fact in found.values()} == {
            "the harbour floods when both pumps start at once": (
                "decision",
                "the harbour floods when both pumps start at once (WHY in src/pump.py:3 Pump.start)",
                ("code", "why"),
            ),
            "one pump a basin": ("decision", "one pump a basin (DECISION in src/pump.py:7)", ("code", "decision")),
            "checked by the valve before": (
                "decision",
                "checked by the valve before (SAFETY in src/pump.py:8)",
                ("code", "safety"),
            ),
        }
        fact = found["one pump a basin"]
        assert [part.text for part in fact.parts] == ["src/pump.py:7"]
        assert [one.quote for one in fact.evidence] == ["src/pump.py:7: DECISION: one pump a basin"]


async def test_a_decision_in_the_code_is_found_by_its_words_its_file_and_its_symbol(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write({"src/pump.py": PUMP})
        await place.index()
        for words in ("both pumps at once", "pump.py", "Pump.start"):
            look = partial(search.facts, match=match_query(words), project_id=PROJECT)
            found = await place.readers.run(look)
            assert "the harbour floods when both pumps start at once" in [fact.title for fact, _ in found]


async def test_what_is_private_in_a_comment_is_not_kept_and_one_without_a_space_has_a_title(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        endless = "https://harbor.example/" + "x" * 400
        comments = ("the pier closes, <private>it is rotten</private> so they say", f"{endless} because of the tide")
        place.write({"pier.py": "".join(f"# DECISION: {one}\n\n" for one in comments)})
        await place.index()
        assert set(await _facts(place)) == {"the pier closes, [private] so they say", endless[:100] + " …"}
        assert not await place.rows("SELECT 1 FROM code_reasons WHERE text LIKE '%rotten%'")


async def test_what_is_read_again_is_not_added_again(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write({"pump.py": PUMP})
        await place.index()
        before = await _facts(place, status=None)
        await place.index()
        place.write({"pump.py": f"import os\n\n{PUMP}"})
        await place.index()
        after = await _facts(place, status=None)
        assert {fact.uid for fact in after.values()} == {fact.uid for fact in before.values()}
        assert after["one pump a basin"].body == "one pump a basin (DECISION in pump.py:9)"
        told = await place.readers.run(lambda conn: facts.history(conn, after["one pump a basin"].id))
        assert [change.action for change in told] == ["ADD"]


async def test_a_decision_holds_only_as_long_as_the_comment_is_there(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write({"pump.py": "# WHY: the sluice leaks\n", "quay.py": "# WHY: the quay is old\n"})
        await place.index()
        place.write({"pump.py": "x = 1\n"})
        (place.root / "quay.py").unlink()
        await place.index()
        assert await _facts(place) == {}
        gone = (await _facts(place, status="retracted"))["the sluice leaks"]
        told = await place.readers.run(lambda conn: facts.history(conn, gone.id))
        assert told[-1].reason == "no longer stands in the code"
        place.write({"pump.py": "# WHY: the sluice leaks\n"})
        await place.index()
        assert [fact.uid for fact in (await _facts(place)).values()] == [gone.uid]


async def test_other_words_in_the_same_place_replace_what_was_said(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write({"pump.py": "def start():\n    # DECISION: open at six\n    pass\n"})
        await place.index()
        place.write({"pump.py": "def start():\n    # DECISION: open at seven\n    pass\n"})
        await place.index()
        assert list(await _facts(place)) == ["open at seven"]
        old = (await _facts(place, status="superseded"))["open at six"]
        assert old.superseded_by == (await _facts(place))["open at seven"].uid
        place.write({"pump.py": "def start():\n    # DECISION: open at six\n    pass\n"})
        await place.index()
        assert list(await _facts(place)) == ["open at six"]


async def test_a_renamed_file_takes_its_decisions_along(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write({"pump.py": PUMP})
        await place.index()
        before = await _facts(place)
        (place.root / "pump.py").rename(place.root / "basin.py")
        await place.index()
        after = await _facts(place, status=None)
        assert {fact.uid for fact in after.values()} == {fact.uid for fact in before.values()}
        assert after["one pump a basin"].body == "one pump a basin (DECISION in basin.py:7)"


async def test_the_same_words_in_several_places_are_one_decision(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write({f"dock{number}.rs": "fn f() {\n    // SAFETY: the index is checked\n}\n" for number in range(5)})
        await place.index()
        (fact,) = (await _facts(place)).values()
        assert fact.body == (
            "the index is checked (SAFETY in dock0.rs:2 f, dock1.rs:2 f, dock2.rs:2 f and 2 more places)"
        )
        for number in range(1, 5):
            (place.root / f"dock{number}.rs").unlink()
        await place.index()
        (fact,) = (await _facts(place)).values()
        assert fact.body == "the index is checked (SAFETY in dock0.rs:2 f)"


async def test_a_decision_builds_on_the_symbol_it_stands_in_as_long_as_it_stands_there(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write({"pump.py": "def start():\n    # WHY: the sluice leaks\n    pass\n"})
        await place.index()
        (fact,) = (await _facts(place)).values()

        async def related() -> list[tuple[str, str, str, str]]:
            of = edges.EdgeFilter(node=f"fact:{fact.uid}")
            found, _ = await place.readers.run(lambda conn: edges.list_edges(conn, of, 10))
            return [(edge.src, edge.rel, edge.dst, edge.origin) for edge in found]

        assert await related() == [(f"fact:{fact.uid}", "builds_on", "code:pump.py::start", "tree-sitter")]
        place.write({"pump.py": "def halt():\n    # WHY: the sluice leaks\n    pass\n"})
        await place.index()
        assert [dst for _, _, dst, _ in await related()] == ["code:pump.py::halt"]
        place.write({"pump.py": "def halt(): pass\n"})
        await place.index()
        assert await related() == []


async def test_what_a_person_deleted_or_ended_does_not_come_back(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write({"pump.py": "# WHY: the sluice leaks\n# DECISION: open at six\n"})
        await place.index()
        found = await _facts(place)
        now = place.clock.now_ms()
        await place.writer.run(lambda conn: stating.forget(conn, found["the sluice leaks"].id, now))
        await place.writer.run(lambda conn: stating.retract(conn, found["open at six"].id, now, "it opens at seven"))
        place.write({"pump.py": "import os\n# WHY: the sluice leaks\n# DECISION: open at six\n"})
        await place.index()
        assert await _facts(place) == {}


async def test_nobody_who_did_not_ask_is_given_what_only_the_code_says(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write({"pump.py": PUMP})
        await place.index()
        asked = match_query("both pumps at once")
        assert await place.readers.run(lambda conn: search.facts(conn, asked, PROJECT, unasked=True)) == []
        assert await place.readers.run(lambda conn: foremost.newest(conn, PROJECT, ("decision",), 10)) == ()


async def test_of_very_many_decisions_the_foremost_are_kept_and_the_others_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deciding, "MOST", 3)
    async with placed(tmp_path) as place:
        place.write({"a.py": "".join(f"# SAFETY: case number {number}\n\n" for number in range(4)), "b.py": PUMP})
        done = await place.index()
        assert done.skipped == {deciding.BEYOND: 4}
        assert set(await _facts(place)) == {
            "one pump a basin", "the harbour floods when both pumps start at once", "case number 0",
        }  # fmt: skip


async def test_a_fact_of_a_comment_that_nothing_keeps_any_more_ends(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write({"pump.py": "# WHY: the sluice leaks\n"})
        await place.index()
        await place.writer.run(lambda conn: conn.execute("DELETE FROM imports").close())
        await place.index()
        (old,), (new,) = (await _facts(place, status="retracted")).values(), (await _facts(place)).values()
        assert old.uid != new.uid
