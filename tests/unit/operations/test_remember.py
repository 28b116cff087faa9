"""What a person or an agent hands to memd is kept, judged, and found again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from typing_extensions import override

from memd.capture.pipeline import Capture
from memd.errors import BadParameter, NotFound
from memd.operations.catalog import OPERATIONS
from memd.operations.fact_answers import RememberAnswer
from tests.unit.operations.conftest import FIRST, FrozenClock, Harbor


async def do(harbor: Harbor, name: str, /, **params: object) -> Any:
    return await OPERATIONS[name].call(harbor.memory, params)


async def remember(harbor: Harbor, text: str, **params: object) -> RememberAnswer:
    answer = await do(harbor, "facts.remember", text=text, **params)
    assert isinstance(answer, RememberAnswer)
    return answer


async def count(harbor: Harbor, table: str) -> int:
    def read(conn: Any) -> int:
        return int(conn.execute(f"SELECT count(*) FROM {table}").fetchone()[0])

    return await harbor.memory.readers.run(read)


async def test_what_is_saved_comes_back_whole(harbor: Harbor) -> None:
    saved = await remember(
        harbor, "The lamp of pier 12 is lit at dusk", title="Pier 12", kind="convention", project="harbor",
        session=FIRST, topic="lamps/pier-12", tags=["lamps", "dusk"], author="grace", confidence=0.8, basis="inferred",
        epistemic="observed", visibility="shareable", evergreen=True, metadata={"source": {"page": 3}},
        since="2026-11-01T00:00:00Z",
    )  # fmt: skip
    shown = (await do(harbor, "facts.show", fact=saved.fact.id)).fact
    assert (shown.title, shown.text, shown.kind) == ("Pier 12", "The lamp of pier 12 is lit at dusk", "convention")
    assert (shown.project, shown.topic, shown.tags) == (str(harbor.root), "lamps/pier-12", ("dusk", "lamps"))
    assert (shown.author, shown.confidence, shown.basis, shown.epistemic) == ("grace", 0.8, "inferred", "observed")
    assert (shown.visibility, shown.evergreen, shown.metadata) == ("shareable", True, {"source": {"page": 3}})
    assert (shown.valid_from, shown.origin, saved.action) == ("2026-11-01T00:00:00.000Z", "user", "ADD")
    assert shown.evidence[0].session == shown.session == (await do(harbor, "sessions.show", session=FIRST)).session.id
    for filters in ({"tag": "dusk"}, {"topic": "lamps/pier-12"}, {"author": "grace"}, {"epistemic": "observed"},
                    {"where": {"source": {"page": 3}}}):  # fmt: skip
        assert [one.id for one in await do(harbor, "facts.list", **filters)] == [saved.fact.id]
    assert await do(harbor, "facts.list", where={"source": {"page": 4}}) == ()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"kind": "opinion"}, "decision"),
        ({"epistemic": "certain"}, "observed"),
        ({"since": "soon"}, "is no date"),
        ({"confidence": 2.0}, "from 0 to 1"),
        ({"text": " .. "}, "says nothing"),
        ({"text": "x" * 1_000_001}, "1000000 are the most"),
        ({"basis": "guessed"}, "basis must be extracted or inferred, not 'guessed'"),
    ],
    ids=str,
)
async def test_what_cannot_be_is_refused_and_nothing_written(
    harbor: Harbor, wrong: dict[str, object], said: str
) -> None:
    before = await count(harbor, "facts")
    with pytest.raises(BadParameter, match=said):
        await remember(harbor, **{"text": "fine", **wrong})  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        await remember(harbor, "fine", project="nowhere")
    assert await count(harbor, "facts") == before


async def test_secrets_and_private_spans_are_never_kept(harbor: Harbor) -> None:
    secret = "ghp_" + "a1B2" * 9
    saved = await remember(
        harbor, f"The pier token is {secret} <private>and the mat</private> hides it", tags=[secret], author=secret,
        metadata={"token": secret}, because=f"as {secret} says",
    )  # fmt: skip
    assert secret not in str(saved)
    assert "the mat" not in str(saved)
    shown = (await do(harbor, "facts.show", fact=saved.fact.id)).fact
    assert shown.text.partition(" is ")[0] == "The pier token"
    assert shown.text.endswith("[private] hides it")


@pytest.mark.parametrize(
    "text",
    [
        "**What**: lamps are timed\n**Why**: keepers forget\n**Where**: lamps/timer.py\n**Learned**: test with dusk",
        "What: lamps are timed\nWhy: keepers forget\nWhere: lamps/timer.py\nLearned: test with dusk",
        "## 什么\nlamps are timed\n## 为什么\nkeepers forget\n## 在哪里\nlamps/timer.py\n## 学到\ntest with dusk",
        (
            "- **是什么**：lamps are timed\n- **原因**：keepers forget\n- **位置**：lamps/timer.py\n"
            "- **收获**：test with dusk"
        ),
    ],
)
async def test_a_body_under_four_headings_is_taken_apart_and_kept_whole(harbor: Harbor, text: str) -> None:
    saved = await remember(harbor, text, kind="discovery")
    assert dict(saved.fact.parts) == {
        "what": "lamps are timed",
        "why": "keepers forget",
        "where": "lamps/timer.py",
        "learned": "test with dusk",
    }
    assert saved.fact.text == text
    assert [one.text for one in await do(harbor, "facts.parts", part="why")] == ["keepers forget"]


async def test_what_was_rejected_is_asked_for_alone(harbor: Harbor) -> None:
    await remember(
        harbor, "Lamp states live in tern", kind="decision", project="harbor", decided="tern for lamp states",
        because="a cache drops keys", rejected=["kelp", "a file"], touches=["lamps/state.py"],
    )  # fmt: skip
    asked = {"part": "rejected", "about": "lamp states", "project": "harbor"}
    assert sorted(one.text for one in await do(harbor, "facts.parts", **asked)) == ["a file", "kelp"]
    assert await do(harbor, "facts.parts", part="rejected", about="tide table") == ()
    for part, text in (
        ("touches", "lamps/state.py"), ("decided", "tern for lamp states"), ("because", "a cache drops keys"),
    ):  # fmt: skip
        assert [one.text for one in await do(harbor, "facts.parts", part=part, about="lamp states")] == [text]


async def test_a_decision_without_a_text_is_made_of_its_parts(harbor: Harbor) -> None:
    saved = await do(harbor, "facts.remember", kind="decision", decided="tern for lamp states", because="it stays")
    assert (saved.fact.title, saved.fact.text) == ("tern for lamp states", "tern for lamp states. it stays")


async def test_a_topic_keeps_one_fact_with_all_its_versions(harbor: Harbor) -> None:
    first = await remember(harbor, "Lamps are lit at dusk", topic="lamps", project="harbor")
    second = await remember(harbor, "Lamps are lit by a timer", topic="lamps", project="harbor")
    third = await remember(harbor, "Lamps are lit by a sensor", topic="lamps", project="harbor")
    assert first.fact.id == second.fact.id == third.fact.id
    assert [one.action for one in (first, second, third)] == ["ADD", "UPDATE", "UPDATE"]
    assert [one.revision for one in (first, second, third)] == [1, 2, 3]
    again = await remember(harbor, "Lamps are lit by a sensor", topic="lamps", project="harbor")
    assert (again.action, again.repeats) == ("NONE", 1)
    versions = (await do(harbor, "facts.versions", fact=first.fact.id)).versions
    assert [(one.version, one.text) for one in versions] == [
        (1, "Lamps are lit at dusk"),
        (2, "Lamps are lit by a timer"),
        (3, "Lamps are lit by a sensor"),
    ]
    diff = (await do(harbor, "facts.diff", fact=first.fact.id, old=1, new=3)).diff
    assert "-Lamps are lit at dusk" in diff
    assert "+Lamps are lit by a sensor" in diff
    with pytest.raises(BadParameter, match="there are 1 to 3"):
        await do(harbor, "facts.diff", fact=first.fact.id, old=9)
    elsewhere = await remember(harbor, "Lamps are lit elsewhere", topic="lamps")
    assert elsewhere.fact.id != first.fact.id


async def test_the_same_again_is_counted_and_kept_twice_only_when_asked(harbor: Harbor) -> None:
    first = await remember(harbor, "The lamp of pier 12 is lit at dusk")
    again = await remember(harbor, "the lamp of  pier 12 is lit at DUSK")
    assert (again.fact.id, again.action, again.repeats) == (first.fact.id, "NONE", 1)
    assert again.fact.last_seen is not None
    (hit,) = (await do(harbor, "search", query="lamp pier 12 dusk", kinds=["facts"])).hits
    assert (hit.fresh.revision, hit.fresh.repeats) == (1, 1)
    assert [one.fact.repeats for one in await do(harbor, "facts.export") if one.fact.id == first.fact.id] == [1]
    twin = await remember(harbor, "The lamp of pier 12 is lit at dusk", again=True)
    assert twin.fact.id != first.fact.id


async def test_something_alike_is_named_with_its_score(harbor: Harbor) -> None:
    first = await remember(harbor, "The keeper of pier 12 trims the lamp wick at noon")
    near = await remember(harbor, "The keeper of pier 14 trims the lamp wick at noon")
    assert (near.action, near.similar[0].id) == ("ADD", first.fact.id)
    assert 0.6 <= near.similar[0].score < 1
    (edge,) = (await do(harbor, "relations.list", origin="auto-link")).relations
    assert (edge.relation, edge.strength) == ("related_to", near.similar[0].score)
    assert (await do(harbor, "relations.unlink", origin="auto-link")).unlinked == 1


async def test_of_many_alike_the_three_closest_are_linked_by_themselves_and_can_be_unlinked(harbor: Harbor) -> None:
    text = "The keeper of pier {} trims the lamp wick of the mole at noon each day"
    *_, saved = [await remember(harbor, text.format(number + 12)) for number in range(6)]
    linked = [
        edge
        for edge in (await do(harbor, "relations.list", origin="auto-link", limit=100)).relations
        if edge.source == f"fact:{saved.fact.id}"
    ]
    assert len(linked) == 3
    assert all(edge.strength >= 0.7 and edge.origin == "auto-link" for edge in linked)
    total = (await do(harbor, "relations.list", origin="auto-link")).total
    assert (await do(harbor, "relations.unlink", origin="auto-link")).unlinked == total


async def test_a_long_text_is_kept_whole_with_a_warning_and_read_by_pages(harbor: Harbor) -> None:
    text = "The long story of the pier. " * 4000
    saved = await remember(harbor, text)
    assert saved.warnings
    pages, offset = [], 0
    while True:
        page = await do(harbor, "facts.page", fact=saved.fact.id, offset=offset, chars=30_000)
        pages.append(page.text)
        offset += len(page.text)
        if page.last:
            break
    assert "".join(pages) == text.strip()


async def test_where_neither_project_nor_session_is_named_the_answer_says_so(harbor: Harbor) -> None:
    everywhere = await remember(harbor, "Answer in whole sentences")
    assert everywhere.fact.project is None
    assert everywhere.assumed is not None
    assert "everywhere" in everywhere.assumed["project"]
    of_session = await remember(harbor, "Piers are numbered from the north", session=FIRST)
    assert of_session.fact.project == str(harbor.root)
    assert of_session.assumed is not None


async def test_a_batch_is_all_or_nothing_and_names_the_item(harbor: Harbor) -> None:
    tables = ("facts", "entities", "edges", "claims", "statements")
    before = [await count(harbor, table) for table in tables]
    good = {"text": "Tern holds the lamp states"}
    for batch, named in (
        ({"facts": [good, {"text": "x y z", "kind": "opinion"}]}, "fact 2"),
        ({"facts": [good], "entities": [{"name": "Tern", "kind": "seabird"}]}, "entity 1"),
        (
            {"facts": [good], "entities": [{"name": "Tern"}],
             "relations": [{"source": "Tern", "relation": "uses", "target": "Nobody"}]},
            "relation 1",
        ),
        (
            {"entities": [{"name": "Tern"}, {"name": "Kelp"}],
             "relations": [{"source": "Tern", "relation": "eats", "target": "Kelp"}]},
            "relation 1",
        ),
    ):  # fmt: skip
        with pytest.raises(BadParameter, match=named):
            await do(harbor, "facts.batch", project="harbor", **batch)
    assert [await count(harbor, table) for table in tables] == before
    done = await do(
        harbor, "facts.batch", project="harbor", facts=[good], entities=[{"name": "Tern"}, {"name": "Kelp"}],
        relations=[{"source": "Tern", "relation": "replaces", "target": "Kelp"}],
    )  # fmt: skip
    assert (len(done.facts), len(done.entities), len(done.relations)) == (1, 2, 1)


@pytest.mark.parametrize("heading", ["## Key Learnings:", "## Aprendizajes Clave:", "## 关键收获："])
async def test_each_listed_learning_is_kept_once(harbor: Harbor, heading: str) -> None:
    text = f"Done.\n\n{heading}\n\n1. Salt water eats zinc first\n2. Tern keeps its rows in order\n\n## Next\n- sleep"
    first = await do(harbor, "facts.learn", text=text, project="harbor")
    assert [one.fact.text for one in first.learnt] == ["Salt water eats zinc first", "Tern keeps its rows in order"]
    assert all(one.fact.kind == "learning" for one in first.learnt)
    again = await do(harbor, "facts.learn", text=text, project="harbor")
    assert (again.learnt, again.known) == ((), 2)


async def test_a_text_without_learnings_is_refused(harbor: Harbor) -> None:
    with pytest.raises(BadParameter, match="Key Learnings"):
        await do(harbor, "facts.learn", text="- just a list")


async def test_a_prompt_is_kept_once_within_half_a_minute(harbor: Harbor) -> None:
    first = await do(harbor, "prompts.save", text="Where do the tides live?", session=FIRST)
    again = await do(harbor, "prompts.save", text="Where do the  tides live?", session=FIRST)
    elsewhere = await do(harbor, "prompts.save", text="Where do the tides live?")
    assert (again.id, again.repeats) == (first.id, 1)
    assert elsewhere.id != first.id
    listed = await do(harbor, "prompts.list", session=FIRST)
    assert [(one.id, one.text, one.project) for one in listed] == [(first.id, first.text, str(harbor.root))]

    class Later(FrozenClock):
        @override
        def now_ms(self) -> int:
            return FrozenClock().now_ms() + 31_000

    harbor.memory = replace(harbor.memory, clock=Later())
    later = await do(harbor, "prompts.save", text="Where do the tides live?", session=FIRST)
    assert (later.id == first.id, later.repeats) == (False, 0)


async def test_a_sessions_summary_is_one_fact_with_versions(harbor: Harbor) -> None:
    first = await do(harbor, "sessions.summarise", session=FIRST, text="Tides moved to SQLite.\nMore to come.")
    second = await do(harbor, "sessions.summarise", session=FIRST, text="Tides moved, and are copied.\nDone.")
    assert (first.fact.id, second.revision, second.fact.kind) == (second.fact.id, 2, "session_summary")
    assert len((await do(harbor, "facts.versions", fact=first.fact.id)).versions) == 2
    (current,) = await do(harbor, "facts.list", kind="session_summary")
    assert (current.id, current.text) == (first.fact.id, "Tides moved, and are copied.\nDone.")
    shown = (await do(harbor, "sessions.show", session=FIRST)).summary
    assert (shown.title, shown.text) == ("Tides moved, and are copied", current.text)


async def test_a_topic_is_suggested_for_words_of_any_script(harbor: Harbor) -> None:
    async def topic(title: str, kind: str = "decision") -> str:
        return str((await do(harbor, "facts.topic", title=title, kind=kind)).topic)

    assert await topic("Tide Table: where it lives!") == "decision/tide-table-where-it-lives"
    assert await topic("潮汐表放在哪里") == "decision/潮汐表放在哪里"
    assert await topic("¿?") == await topic("¿?")
    long = await topic("a very long title about tides " * 20)
    assert len(long) <= 100
    assert long != await topic("a very long title about tides " * 21)


async def test_a_note_is_found_at_once(harbor: Harbor) -> None:
    saved = await do(harbor, "facts.note", text="Ask the pilot for the key of the lamp store", tags=["key"])
    (hit, *_) = (await do(harbor, "search", query="pilot key lamp store")).hits
    assert (hit.id, hit.kind) == (saved.fact.id, "note")


async def test_a_domain_given_as_a_kind_is_refused_with_a_hint(harbor: Harbor) -> None:
    with pytest.raises(BadParameter, match="is a domain: give it as domain"):
        await remember(harbor, "The lamp of pier 12 is lit at dusk", kind="operations")


async def test_kind_and_domain_filter_each_by_itself(harbor: Harbor) -> None:
    lamp = await remember(harbor, "The lamp of pier 12 is lit at dusk", kind="convention", domain="lights")
    log = await remember(harbor, "Each arrival is written into the log", kind="convention", domain="office")
    pump = await remember(harbor, "The pump of pier 3 needs oil each week", kind="task", domain="lights")

    async def listed(**filters: object) -> set[str]:
        return {one.id for one in await do(harbor, "facts.list", **filters)}

    assert await listed(domain="lights") == {lamp.fact.id, pump.fact.id}
    assert {lamp.fact.id, log.fact.id} <= await listed(kind="convention")
    assert await listed(kind="convention", domain="lights") == {lamp.fact.id}


async def test_a_domain_counts_as_soon_as_the_configuration_names_it(harbor: Harbor) -> None:
    file = harbor.memory.paths.config_file
    file.parent.mkdir(parents=True, exist_ok=True)
    await remember(harbor, "The lamp of pier 12 is lit at dusk", domain="whatever")
    file.write_text('[facts]\ndomains = ["lights"]\n')
    with pytest.raises(BadParameter, match="there are: lights;"):
        await remember(harbor, "Each arrival is written into the log", domain="office")
    file.write_text('[facts]\ndomains = ["lights", "Office"]\n')
    kept = await remember(harbor, "Each arrival is written into the log", domain="office")
    assert kept.fact.domain == "Office"
    file.write_text('[facts]\ndomains = ["lights"]\n')
    assert [one.id for one in await do(harbor, "facts.list", domain="Office")] == [kept.fact.id]
    file.write_text("[facts\n")
    await remember(harbor, "The pump of pier 3 needs oil each week", domain="pumps")


@pytest.mark.parametrize("filler", ["a.", "a-", "x", "aB", "`a` ", "we never use sqlite ", "a/b.py "])
async def test_a_document_of_whatever_is_kept_whole_and_nobody_waits_for_it(harbor: Harbor, filler: str) -> None:
    text = f"The tide table: {filler * (400_000 // len(filler))}end"
    kept = await remember(harbor, text)
    assert (await do(harbor, "facts.show", fact=kept.fact.id)).fact.text == text
    assert (await remember(harbor, text)).fact.id == kept.fact.id


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("facts.list", {"limit": 2**63}),
        ("facts.list", {"limit": 5, "offset": 2**64 - 1}),
        ("sessions.list", {"limit": 2**63}),
        ("search.gaps", {"days": 2**62}),
        ("blocks.set", {"label": "a", "text": "b", "limit": 2**64 - 1}),
    ],
)
async def test_a_number_that_no_column_holds_is_refused(harbor: Harbor, name: str, params: dict[str, object]) -> None:
    with pytest.raises(BadParameter):
        await OPERATIONS[name].call(harbor.memory, params)


async def test_nothing_is_kept_for_an_excluded_folder_and_no_code_of_it_is_read(
    harbor: Harbor, monkeypatch: pytest.MonkeyPatch
) -> None:
    hidden = harbor.home / "work" / "hidden"
    hidden.mkdir()
    monkeypatch.setattr(Capture, "excludes", lambda self, cwd: cwd == hidden)
    known = await count(harbor, "projects")

    with pytest.raises(BadParameter, match="is excluded"):
        await remember(harbor, "The lamp is called Barnacle", project=str(hidden))
    with pytest.raises(BadParameter, match="is excluded"):
        await do(harbor, "code.index", project=str(hidden))

    assert await count(harbor, "projects") == known
    assert "Barnacle" not in str(await do(harbor, "facts.list"))
