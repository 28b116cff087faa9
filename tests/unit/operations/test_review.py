"""What clears up shows first what it would do; what was decided stays decided."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from memd.distill.duplicates import DuplicatesRequest, duplicates
from memd.errors import BadParameter
from memd.model import Fact
from memd.operations.shapes import time_of
from tests.unit.operations.conftest import FrozenClock, Harbor
from tests.unit.operations.test_deleting import said
from tests.unit.operations.test_fact_edits import listed
from tests.unit.operations.test_project_deleting import read as read_session
from tests.unit.operations.test_remember import count, do, remember


async def test_a_fact_is_forgotten_only_when_told_to_apply(harbor: Harbor) -> None:
    saved = await remember(harbor, "The barnacle key is under the mat", title="Barnacle key")
    shown = await do(harbor, "facts.forget", fact=saved.fact.id)
    assert (shown.applied, shown.count, shown.facts[0].id) == (False, 1, saved.fact.id)
    assert "The barnacle key is under the mat" in await listed(harbor)
    await do(harbor, "facts.forget", fact=saved.fact.id, apply=True)

    def dump(conn: Any) -> str:
        return "\n".join(conn.iterdump())

    assert "arnacle" not in (await harbor.memory.readers.run(dump)).replace("barnacle not found", "")


async def test_what_was_known_by_a_forgotten_fact_alone_is_gone_with_it(harbor: Harbor) -> None:
    saved = await remember(harbor, "The barnacle ledger is stored in Oysterbase.")
    other = await remember(harbor, "The lamp ledger is stored in SQLite.")
    await do(harbor, "facts.edit", fact=saved.fact.id, text="The barnacle ledger is stored in Pearlbase.")
    await do(harbor, "facts.promote", score=0.0, sessions=1, openers=1)

    await do(harbor, "facts.forget", fact=saved.fact.id, apply=True)

    named = {one.name for one in (await do(harbor, "entities.search")).entities}
    assert {"SQLite"} <= named
    assert not [name for name in named if "arnacle" in name or "base" in name]
    kept = "\n".join([await harbor.memory.readers.run(dumped), *map(str, await pages(harbor))])
    assert "Oysterbase" not in kept
    assert "Pearlbase" not in kept
    assert other.fact.text in await listed(harbor)


def dumped(conn: Any) -> str:
    return "\n".join(conn.iterdump())


async def pages(harbor: Harbor) -> list[str]:
    from anyio import to_thread

    folder = harbor.memory.paths.data_dir / "diary"
    return await to_thread.run_sync(lambda: [page.read_text() for page in folder.glob("*.md")])


async def test_a_purge_needs_a_filter_and_deletes_just_what_it_showed(harbor: Harbor) -> None:
    old = await remember(harbor, "An old note about the pier", since="2020-01-01")
    new = await remember(harbor, "A new note about the pier bell", since="2026-01-01")
    with pytest.raises(BadParameter, match="say which"):
        await do(harbor, "facts.purge")
    before = await count(harbor, "facts")
    shown = await do(harbor, "facts.purge", kind="note", before="2021-01-01")
    assert [one.id for one in shown.facts] == [old.fact.id]
    assert await count(harbor, "facts") == before
    done = await do(harbor, "facts.purge", kind="note", before="2021-01-01", apply=True)
    assert [one.id for one in done.facts] == [old.fact.id]
    assert (done.count, await count(harbor, "facts")) == (1, before - 1)
    assert new.fact.text in await listed(harbor)

    def line(conn: Any) -> Any:
        return conn.execute(
            "SELECT action, old_body FROM fact_history WHERE fact_uid = ? ORDER BY id DESC", (old.fact.id,)
        ).fetchone()

    assert await harbor.memory.readers.run(line) == ("PURGE", "An old note about the pier")


async def test_a_scope_is_cleared_only_by_its_name(harbor: Harbor) -> None:
    await remember(harbor, "Everywhere answer in English")
    with pytest.raises(BadParameter, match="'harbor'"):
        await do(harbor, "facts.clear", project="harbor", confirm="yes")
    done = await do(harbor, "facts.clear", project="harbor", confirm="harbor")
    assert done.deleted["facts"] == 2
    assert await listed(harbor) == ["Always run the linter before committing", "Everywhere answer in English"]


async def test_facts_that_say_the_same_are_shown_then_folded_into_the_newest(harbor: Harbor) -> None:
    old = await remember(harbor, "keepers trim the wick of lamp 12 each noon", since="2026-01-01")
    new = await remember(harbor, "each noon the keepers trim the wick of lamp 12", since="2026-02-01", again=True)
    other = await remember(harbor, "keepers trim the wick of lamp 14 each noon", since="2026-03-01")
    await do(harbor, "relations.link", source=old.fact.id, relation="uses", target="Oil", create=True)
    shown = await do(harbor, "facts.consolidate")
    (group,) = shown.groups
    assert (group.keep.id, [one.id for one in group.fold], shown.folded) == (new.fact.id, [old.fact.id], 0)
    assert await count(harbor, "facts") == 6
    done = await do(harbor, "facts.consolidate", apply=True)
    assert done.folded == 1
    assert {one.id for one in await do(harbor, "facts.list", kind="note")} == {new.fact.id, other.fact.id}
    (edge,) = (await do(harbor, "relations.list", origin="manual")).relations
    assert edge.source == f"fact:{new.fact.id}"
    with pytest.raises(BadParameter, match=r"0\.5 to 1"):
        await do(harbor, "facts.consolidate", threshold=0.2)


def test_ten_thousand_facts_are_looked_through_for_duplicates() -> None:
    text = "worker q{0} restarts by itself when w{0} fills"
    found = [
        Fact(n, f"u{n}", None, "note", f"t{n}", text.format(n % 9990), "current", 1.0, n, n, n) for n in range(10_000)
    ]
    groups = duplicates(DuplicatesRequest(tuple(found), 0.85))
    assert len(groups) == 10
    assert all(group.keep.valid_from > group.fold[0].valid_from for group in groups)


async def test_a_contradiction_is_listed_until_somebody_decides(harbor: Harbor) -> None:
    one = await remember(
        harbor, "Run the tests with `make test`", kind="convention", project="harbor", since="2026-01-01"
    )
    await do(harbor, "facts.evergreen", fact=one.fact.id)
    await do(harbor, "facts.restore", fact=one.fact.id)
    other = await remember(
        harbor, "Run the tests with `npm test`", kind="convention", project="harbor", since="2026-02-01"
    )
    assert (other.action, other.contradicts) == ("CONTRADICT", (one.fact.id,))
    (waiting,) = (await do(harbor, "facts.contradictions", project="harbor")).contradictions
    assert {waiting.one.id, waiting.other.id} == {one.fact.id, other.fact.id}
    done = await do(harbor, "facts.resolve", keep=other.fact.id, other=one.fact.id, reason="make is gone")
    assert (done.fact.status, done.fact.superseded_by) == ("superseded", other.fact.id)
    assert (await do(harbor, "facts.contradictions")).contradictions == ()
    (decided,) = (await do(harbor, "facts.contradictions", all=True)).contradictions
    assert decided.why == "make is gone"
    with pytest.raises(BadParameter, match="itself"):
        await do(harbor, "facts.resolve", keep=one.fact.id, other=one.fact.id)


async def test_facts_out_of_use_are_listed_by_the_window_of_their_kind(harbor: Harbor) -> None:
    note = await remember(harbor, "A note of last year", since="2025-11-01")
    rule = await remember(harbor, "Always answer in English", kind="preference", since="2025-12-20")
    kept = await remember(harbor, "A note to keep for ever", since="2024-01-01", evergreen=True)
    unused = {one.fact.id: one for one in (await do(harbor, "facts.unused")).unused}
    assert unused[note.fact.id].window_days == 30
    assert rule.fact.id not in unused
    assert kept.fact.id not in unused


async def everything_but_the_diary(harbor: Harbor) -> list[str]:
    def lines(conn: Any) -> list[str]:
        return [line for line in conn.iterdump() if not line.startswith('INSERT INTO "diary"')]

    return await harbor.memory.readers.run(lines)


async def test_promotion_explains_then_promotes_and_writes_its_diary(harbor: Harbor) -> None:
    before = await everything_but_the_diary(harbor)
    explained = await do(harbor, "facts.promote", project="harbor", score=0.0, sessions=1, openers=1)
    assert await everything_but_the_diary(harbor) == before
    (weighed,) = [one for one in explained.candidates if one.fact.title == "SQLite for the tide table"]
    assert (weighed.passed, weighed.outcome, explained.promoted) == (True, "would be promoted", 0)
    assert set(weighed.signals) == {
        "relevance", "frequency", "diversity", "recency", "consolidation", "richness"
    }  # fmt: skip
    strict = await do(harbor, "facts.promote", project="harbor")
    (kept_out,) = [one for one in strict.candidates if one.fact.id == weighed.fact.id]
    assert not kept_out.passed
    assert "sessions 1, 1 short" in kept_out.outcome
    done = await do(harbor, "facts.promote", project="harbor", score=0.0, sessions=1, openers=1, apply=True)
    assert done.promoted == 1
    shown = (await do(harbor, "facts.show", fact=weighed.fact.id)).fact
    assert (shown.verified, shown.maturity) == (shown.promoted, "established")
    page = await read(Path(done.diary))
    assert page.count("## ") == 3
    assert "would be promoted" in page
    assert weighed.fact.id in page
    assert "SQLite for the tide table" not in page


async def test_promotion_leaves_the_words_of_an_evergreen_fact_and_checks_it_when_the_run_ends(harbor: Harbor) -> None:
    (known,) = [one for one in await do(harbor, "facts.list") if one.title == "SQLite for the tide table"]
    await do(harbor, "facts.evergreen", fact=known.id)
    before = (await do(harbor, "facts.show", fact=known.id)).fact
    await do(harbor, "facts.promote", project="harbor", score=0.0, sessions=1, openers=1, apply=True)
    after = (await do(harbor, "facts.show", fact=known.id)).fact
    assert after.text.startswith(before.text)
    assert (after.title, after.evergreen) == (before.title, True)
    assert after.verified == time_of(harbor.memory.clock.now_ms())
    (hit,) = [one for one in (await do(harbor, "search", query="SQLite tide table")).hits if one.id == known.id]
    assert (hit.fresh.verified, hit.fresh.verified_days) == (after.verified, 0)


async def test_a_search_tells_how_long_ago_a_fact_was_checked_and_of_others_nothing(harbor: Harbor) -> None:
    checked = await remember(harbor, "The tide gauge stands on pier 4", project="harbor")
    await remember(harbor, "The tide gauge of pier 9 was sold", project="harbor")
    await do(harbor, "facts.verify", fact=checked.fact.id)

    class Later(FrozenClock):
        @override
        def now_ms(self) -> int:
            return FrozenClock().now_ms() + 3 * 86_400_000

    harbor.memory = replace(harbor.memory, clock=Later())
    hits = (await do(harbor, "search", query="tide gauge pier", kinds=["facts"])).hits
    assert {hit.id == checked.fact.id: hit.fresh.verified_days for hit in hits} == {True: 3.0, False: None}


async def read(path: Path) -> str:
    from anyio import to_thread

    return await to_thread.run_sync(path.read_text)


async def test_a_fact_of_which_no_transcript_is_left_is_not_weighed(harbor: Harbor) -> None:
    await harbor.memory.writer.run(lambda conn: conn.execute("UPDATE sources SET gone_at = 1").rowcount)
    assert (await do(harbor, "facts.promote", project="harbor")).candidates == ()


async def test_what_is_done_to_many_facts_is_done_a_few_at_a_time(
    harbor: Harbor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two of its transactions whoever waits has his turn."""
    everywhere = len(await do(harbor, "facts.list"))
    for number in range(45):
        await remember(harbor, f"Pier {number} is painted in colour {number * 7}", kind="note", again=True)
    changed: list[int] = []
    run = type(harbor.memory.writer)._transact

    def counted(writer: Any, conn: Any, function: Any, background: bool) -> Any:
        before = conn.execute("SELECT count(*) FROM facts").fetchone()[0]
        answer = run(writer, conn, function, background)
        changed.append(before - conn.execute("SELECT count(*) FROM facts").fetchone()[0])
        return answer

    monkeypatch.setattr(type(harbor.memory.writer), "_transact", counted)
    purged = await do(harbor, "facts.purge", kind="note", before="2100-01-01", apply=True)

    assert purged.count == sum(changed) == 45
    assert max(changed) <= 20
    monkeypatch.undo()
    assert len(await do(harbor, "facts.list")) == everywhere


async def test_a_scope_is_cleared_of_everything(harbor: Harbor) -> None:
    links = [{"source": f"Lamp {number}", "relation": "uses", "target": "Oil"} for number in range(120)]
    linked = await do(harbor, "relations.link_many", links=links, project="harbor")
    await do(harbor, "prompts.save", text="Where is the key?", project="harbor")

    cleared = await do(harbor, "facts.clear", project="harbor", confirm="harbor")

    assert linked.linked == 120
    assert {name: cleared.deleted[name] for name in ("relations", "prompts")} == {"relations": 120, "prompts": 1}
    assert cleared.deleted["entities"] == 121
    assert (await do(harbor, "relations.list", project="harbor")).total == 0


async def test_a_batch_that_would_keep_everybody_waiting_is_refused(harbor: Harbor) -> None:
    before = await count(harbor, "facts")
    with pytest.raises(BadParameter, match="100 facts"):
        await do(harbor, "facts.batch", facts=[{"text": f"Pier {number}"} for number in range(101)])
    assert await count(harbor, "facts") == before


async def test_a_deleted_session_no_longer_speaks_for_a_promotion_and_without_any_there_is_no_candidate(
    harbor: Harbor,
) -> None:
    text = "Always copy the tide table every night, the office lost it once."
    names = [f"0a11ce00-0000-4000-8000-0000000000a{n}" for n in (1, 2)]
    for number, name in enumerate(names):
        await read_session(harbor, name, said(name, f"{name[-2:]}-1", 100 + number, text))
    await harbor.memory.distiller.run_due()

    async def sessions_behind() -> list[float]:
        told = await do(harbor, "facts.promote", project="harbor")
        return [
            gate.value
            for one in told.candidates
            if "tide table every night" in one.fact.text
            for gate in one.gates
            if gate.name == "sessions"
        ]

    assert await sessions_behind() == [2]
    await do(harbor, "sessions.forget", session=names[0], apply=True)
    assert await sessions_behind() == [1]
    await do(harbor, "sessions.forget", session=names[1], apply=True)
    assert await sessions_behind() == []
