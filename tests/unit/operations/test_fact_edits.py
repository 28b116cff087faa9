"""What is known is changed by whoever knows better; nothing is lost by it, and it shows what was so when."""

from __future__ import annotations

from typing import Any

import pytest

from memd.errors import BadParameter, NotFound
from tests.unit.operations.conftest import Harbor
from tests.unit.operations.test_remember import do, remember


async def listed(harbor: Harbor, **params: object) -> list[str]:
    return sorted(one.text for one in await do(harbor, "facts.list", **params))


async def actions(harbor: Harbor, fact: str) -> list[tuple[str, str]]:
    shown = await do(harbor, "facts.show", fact=fact)
    return [(line.action, line.reason) for line in shown.history]


async def test_an_edited_fact_has_new_words_and_keeps_the_old_as_a_version(harbor: Harbor) -> None:
    saved = await remember(harbor, "Lamps are lit at dusk", tags=["a"])
    changed = await do(
        harbor, "facts.edit", fact=saved.fact.id, text="Lamps are lit by a sensor", tags=["b"], reason="sensor came"
    )
    assert (changed.fact.text, changed.fact.tags, changed.fact.revision) == ("Lamps are lit by a sensor", ("b",), 2)
    assert (await actions(harbor, saved.fact.id))[-1] == ("UPDATE", "sensor came")
    (hit, *_) = (await do(harbor, "search", query="sensor")).hits
    assert hit.id == saved.fact.id
    with pytest.raises(BadParameter, match="says nothing"):
        await do(harbor, "facts.edit", fact=saved.fact.id, text="  ")
    with pytest.raises(NotFound):
        await do(harbor, "facts.edit", fact="nothing here", text="x")


async def test_a_title_that_was_words_of_the_old_text_goes_with_it_and_one_of_its_own_stays(harbor: Harbor) -> None:
    saved = await remember(harbor, "No, not blue. The banner is brown")
    edited = await do(harbor, "facts.edit", fact=saved.fact.id, text="The banner is brown, not blue")
    assert edited.fact.title == "The banner is brown, not blue"
    named = await remember(harbor, "Lamps are lit at dusk", title="When the lamps burn")
    edited = await do(harbor, "facts.edit", fact=named.fact.id, text="Lamps are lit by a sensor")
    assert edited.fact.title == "When the lamps burn"


async def test_a_fact_that_was_taken_back_stays_so_when_it_is_edited_and_that_is_said(harbor: Harbor) -> None:
    saved = await remember(harbor, "The barnacle key hangs in the shed")
    await do(harbor, "facts.retract", fact=saved.fact.id)
    edited = await do(harbor, "facts.edit", fact=saved.fact.id, text="The barnacle key hangs in the barn")
    assert edited.fact.status == "retracted"
    assert edited.warnings == ("the fact was taken back and stays so",)


async def test_a_revised_fact_answers_for_its_time(harbor: Harbor) -> None:
    saved = await remember(harbor, "The office opens at nine", since="2026-01-01", project="harbor")
    done = await do(
        harbor,
        "facts.revise",
        fact=saved.fact.id,
        text="The office opens at ten",
        reason="summer",
        since="2026-06-01T00:00:00Z",
    )
    assert (done.fact.status, done.fact.superseded_by) == ("superseded", done.successor.id)
    assert done.fact.valid_to == "2026-06-01T00:00:00.000Z"
    assert "The office opens at nine" in await listed(harbor, as_of="2026-03-01")
    assert "The office opens at ten" in await listed(harbor, as_of="2026-07-01")
    assert "The office opens at nine" not in await listed(harbor)
    both = [one.text for one in await do(harbor, "facts.list", all=True) if "office opens" in one.text]
    assert both == ["The office opens at ten", "The office opens at nine"]
    hits = [hit.text for hit in (await do(harbor, "search", query="office opens", kinds=["facts"])).hits]
    assert (hits[0], "The office opens at nine" in hits) == ("The office opens at ten", False)
    then = await do(harbor, "facts.show", fact=saved.fact.id, as_of="2026-03-01")
    assert (then.fact.status, then.fact.valid_to) == ("current", None)


async def test_a_list_as_of_a_time_tells_facts_as_they_stood_then(harbor: Harbor) -> None:
    saved = await remember(harbor, "The office opens at nine", since="2026-01-01", project="harbor")
    await do(harbor, "facts.edit", fact=saved.fact.id, text="The office opens at ten")
    later = await remember(harbor, "The pier has a crane", since="2026-11-29T10:30:00Z", project="harbor")
    await do(harbor, "facts.invalidate", fact=saved.fact.id, at="2026-11-29T10:40:00Z")

    told = {one.id: one for one in await do(harbor, "facts.list", as_of="2026-11-29T10:35:00Z")}
    assert (told[saved.fact.id].title, told[saved.fact.id].status) == ("The office opens at nine", "current")
    assert later.fact.id in told
    assert later.fact.id not in {one.id for one in await do(harbor, "facts.list", as_of="2026-11-29T10:20:00Z")}


async def test_an_invalidated_fact_ends_at_its_time_with_or_without_successor(harbor: Harbor) -> None:
    saved = await remember(harbor, "The pier is closed", since="2026-01-01")
    other = await remember(harbor, "The pier welcomes ships", since="2026-05-01")
    done = await do(harbor, "facts.invalidate", fact=saved.fact.id, at="2026-05-01", successor=other.fact.id)
    assert (done.fact.status, done.fact.superseded_by) == ("superseded", other.fact.id)
    ended = await do(harbor, "facts.invalidate", fact=other.fact.id)
    assert (ended.fact.status, ended.fact.superseded_by, ended.successor) == ("superseded", None, None)
    with pytest.raises(BadParameter, match="is no date"):
        await do(harbor, "facts.invalidate", fact=saved.fact.id, at="one day")


async def test_what_was_taken_back_can_be_restored(harbor: Harbor) -> None:
    saved = await remember(harbor, "The pier is haunted")
    gone = await do(harbor, "facts.retract", fact=saved.fact.id, reason="a tale")
    assert (gone.fact.status, gone.reason) == ("retracted", "a tale")
    assert "The pier is haunted" not in await listed(harbor)
    for mode in ("words", "exact"):
        assert not (await do(harbor, "search", query="pier is haunted", kinds=["facts"], mode=mode)).hits
    back = await do(harbor, "facts.restore", fact=saved.fact.id)
    assert back.fact.status == "current"
    assert [action for action, _ in await actions(harbor, saved.fact.id)] == ["ADD", "RETRACT", "RESTORE"]


async def test_checks_ratings_and_uses_are_counted_with_their_reasons(harbor: Harbor) -> None:
    saved = await remember(harbor, "The pier has twelve lamps")
    await do(harbor, "facts.verify", fact=saved.fact.id, reason="counted them")
    await do(harbor, "facts.rate", fact=saved.fact.id, rating="helpful")
    rated = await do(harbor, "facts.rate", fact=saved.fact.id, rating="unhelpful", reason="off by one")
    assert (rated.fact.helpful, rated.fact.unhelpful) == (1, 1)
    assert rated.fact.verified is not None
    assert await actions(harbor, saved.fact.id) == [
        ("ADD", "was said to memd"),
        ("VERIFY", "counted them"),
        ("RATE", "was helpful"),
        ("RATE", "was unhelpful: off by one"),
    ]


async def test_looking_at_a_fact_counts_once_and_listing_does_not(harbor: Harbor) -> None:
    saved = await remember(harbor, "The pier has twelve lamps")
    await do(harbor, "facts.list")
    for _ in range(5):
        await do(harbor, "facts.show", fact=saved.fact.id)
    (one,) = [fact for fact in await do(harbor, "facts.list") if fact.id == saved.fact.id]
    assert (one.uses, one.maturity) == (5, "established")
    for _ in range(14):
        await do(harbor, "facts.use", fact=saved.fact.id)
    used = await do(harbor, "facts.use", fact=saved.fact.id)
    assert (used.fact.uses, used.fact.maturity) == (20, "proven")


async def test_no_path_raises_how_a_thing_is_known(harbor: Harbor) -> None:
    saved = await remember(harbor, "The pier has twelve lamps")
    await do(harbor, "facts.verify", fact=saved.fact.id)
    await do(harbor, "facts.use", fact=saved.fact.id)
    await do(harbor, "facts.evergreen", fact=saved.fact.id)
    await do(harbor, "facts.edit", fact=saved.fact.id, text="The pier has twelve lamps and a bell")
    assert (await do(harbor, "facts.show", fact=saved.fact.id)).fact.epistemic == "unknown"


async def test_a_timeline_shows_what_came_before_and_after(harbor: Harbor) -> None:
    ids = [
        (await remember(harbor, f"Day {day}: the pier {word}", since=f"2026-0{day}-01", project="harbor")).fact.id
        for day, word in enumerate(("opens", "floods", "dries", "burns", "heals"), 1)
    ]
    told: Any = await do(harbor, "facts.timeline", fact=ids[2], before=1, after=2, scope="project")
    assert [one.id for one in told.before] == [ids[1]]
    assert [one.id for one in told.after] == ids[3:]
    with pytest.raises(BadParameter):
        await do(harbor, "facts.timeline", fact=ids[2], before=-1)


async def test_an_edit_that_would_leave_nothing_is_refused(harbor: Harbor) -> None:
    saved = await remember(harbor, "Lamps are lit at dusk")
    for given in ({"text": "<private>x</private>"}, {"title": "<private>x</private>"}, {"text": "x" * 1_000_001}):
        with pytest.raises(BadParameter):
            await do(harbor, "facts.edit", fact=saved.fact.id, **given)
    shown = (await do(harbor, "facts.show", fact=saved.fact.id)).fact
    assert (shown.text, shown.revision) == ("Lamps are lit at dusk", 1)


async def test_who_said_it_is_kept_through_every_change_and_can_be_asked_for(harbor: Harbor) -> None:
    fact = (await remember(harbor, "The lamp of pier 12 is lit at dusk", author="grace")).fact.id
    await remember(harbor, "The pump of pier 3 runs at noon", author="ada")
    await do(harbor, "facts.edit", fact=fact, text="The lamp of pier 12 is lit by a timer", tags=["lamp"])
    for op, more in (("verify", {}), ("rate", {"rating": "helpful"}), ("evergreen", {}), ("retract", {}),
                     ("restore", {})):  # fmt: skip
        await do(harbor, f"facts.{op}", fact=fact, **more)
    (one,) = await do(harbor, "facts.list", author="grace")
    assert (one.id, one.author, one.text) == (fact, "grace", "The lamp of pier 12 is lit by a timer")


@pytest.mark.parametrize(
    ("op", "given", "action"),
    [
        ("facts.edit", {"text": "The lamp is lit by a timer"}, "UPDATE"),
        ("facts.revise", {"text": "The lamp is lit by a timer"}, "SUPERSEDE"),
        ("facts.invalidate", {}, "SUPERSEDE"),
        ("facts.retract", {}, "RETRACT"),
        ("facts.resolve", {"verdict": "retract"}, "RETRACT"),
        ("facts.resolve", {"verdict": "supersede"}, "SUPERSEDE"),
        ("facts.consolidate", {"threshold": 0.5, "apply": True}, "RETRACT"),
        ("facts.purge", {"tag": "lamp", "apply": True}, "PURGE"),
        ("facts.clear", {"confirm": "everywhere"}, "PURGE"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
async def test_every_way_to_change_a_fact_leaves_one_line_with_what_it_said(
    harbor: Harbor, op: str, given: dict[str, object], action: str
) -> None:
    text = "The lamp of pier 12 is lit at dusk by the keeper"
    fact = (await remember(harbor, text, tags=["lamp"], again=True)).fact
    twin = (await remember(harbor, f"{text} himself", again=True)).fact
    params = {"project": None} if op in ("facts.consolidate", "facts.purge", "facts.clear") else {"fact": fact.id}
    if op == "facts.resolve":
        params = {"keep": twin.id, "other": fact.id}
    before = await lines(harbor, fact.id)
    await do(harbor, op, **params, **given)
    new = (await lines(harbor, fact.id))[len(before) :]
    assert [line for line in new if line[1] == text] == [(action, text)]


async def lines(harbor: Harbor, uid: str) -> list[tuple[str, str | None]]:
    sql = "SELECT action, old_body FROM fact_history WHERE fact_uid = ? ORDER BY id"
    return await harbor.memory.readers.run(lambda conn: conn.execute(sql, (uid,)).fetchall())


async def test_an_edit_that_says_what_the_fact_says_changes_nothing_and_tells_so(harbor: Harbor) -> None:
    saved = await remember(harbor, "Lamps are lit at dusk", tags=["a"])
    before = await actions(harbor, saved.fact.id)

    for given in ({}, {"text": "Lamps are lit at dusk"}, {"tags": ["a"]}, {"kind": saved.fact.kind}):
        told = await do(harbor, "facts.edit", fact=saved.fact.id, **given)
        assert (told.action, told.reason) == ("NONE", "nothing changed"), given
    for given in ({"topic": "lamps"}, {"visibility": "shareable"}, {"tags": ["b"]}):
        assert (await do(harbor, "facts.edit", fact=saved.fact.id, **given)).action == "UPDATE", given

    assert len(await actions(harbor, saved.fact.id)) == len(before) + 3
