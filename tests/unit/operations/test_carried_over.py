"""What is exported and imported elsewhere is there as it was: facts with their past, and what ties one to another.

The stores are made up: sessions that change their mind, a person who edits, ends, restores and decides, relations.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from anyio import to_thread
from hypothesis import given, settings
from hypothesis import strategies as st

from memd.clock import iso
from memd.distill import settling
from memd.doors.cli.export import gathered, shareable
from memd.errors import MemdError
from memd.model import Candidate, Evidence, FactPart
from memd.operations import carrying
from memd.operations.catalog import OPERATIONS
from memd.operations.memory import Memory
from memd.store import projects, sessions
from memd.store.facts import Connection
from tests.unit.operations.conftest import NOW, Harbor, memory_in
from tests.unit.store import rows

TEXTS = (
    "keep the tide keys in redis for a day",
    "keep the tide keys in postgres instead of redis",
    "drop the redis keys, postgres holds them",
    "The lamp table is stored in SQLite.",
    "Full hashes use mmap through blake3",
    "revert mmap, it is not worth a crash",
    "潮汐表存放在本地，不用 redis",
    "never push to main without asking",
)
SLOTS = (None, None, "choice:keys")
DAY = 86_400_000


class Ticking:
    """A clock that goes on by a minute whenever it is looked at."""

    def __init__(self, at: int) -> None:
        self.at = at

    def now_ms(self) -> int:
        self.at += 60_000
        return self.at

    def monotonic_s(self) -> float:
        return self.at / 1000


def candidates() -> st.SearchStrategy[Candidate]:
    def candidate(text: str, day: int, slot: str | None, everywhere: bool) -> Candidate:
        at = NOW - 90 * DAY + day * DAY
        parts = (FactPart("decided", text), FactPart("rejected", "a text file"), FactPart("rejected", "Mongo"))
        evidence = (Evidence(0, 0, text[:20], at),)
        return Candidate("decision", text[:40], text, parts, evidence, 0.8, at, everywhere, slot, ("tide",))

    return st.builds(candidate, st.sampled_from(TEXTS), st.integers(0, 60), st.sampled_from(SLOTS), st.booleans())


OF_FACTS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "facts.edit": {"text": st.sampled_from(TEXTS), "tags": st.just(("lamp",)), "topic": st.just("lamps")},
    "facts.revise": {"text": st.sampled_from(TEXTS)},
    "facts.invalidate": {"reason": st.just("no longer")},
    "facts.retract": {"reason": st.just("never said")},
    "facts.restore": {},
    "facts.verify": {},
    "facts.evergreen": {},
    "facts.use": {},
    "facts.rate": {"rating": st.sampled_from(("helpful", "unhelpful"))},
    "facts.resolve": {"other": st.integers(0, 9), "verdict": st.sampled_from(("supersede", "retract", "both"))},
}
STEPS = st.one_of(
    st.tuples(st.just("session"), st.lists(candidates(), min_size=1, max_size=3)),
    st.tuples(
        st.just("facts.remember"),
        st.fixed_dictionaries(
            {"text": st.sampled_from(TEXTS)},
            optional={
                "kind": st.sampled_from(("decision", "convention", "config")),
                "project": st.just("harbor"),
                "visibility": st.just("shareable"),
                "domain": st.just("operations"),
                "metadata": st.just({"ticket": {"id": 7, "open": True}, "of": ["ada", None]}),
                "rejected": st.just(("Mongo", "a text file")),
                "because": st.just("the office has no server"),
                "author": st.just("ada"),
                "basis": st.just("inferred"),
                "confidence": st.just(0.4),
                "epistemic": st.just("observed"),
                "topic": st.just("storage/keys"),
                "since": st.integers(1, 80).map(lambda day: iso(NOW - day * DAY)),
            },
        ),
    ),
    *(
        st.tuples(st.just(op), st.fixed_dictionaries({"fact": st.integers(0, 9), **more}))
        for op, more in OF_FACTS.items()
    ),
    st.tuples(
        st.sampled_from(("relations.link", "relations.link", "relations.invalidate", "entities.alias")),
        st.fixed_dictionaries({"source": st.integers(0, 12), "target": st.integers(0, 12)}),
    ),
    st.tuples(st.just("blocks.set"), st.just({"label": "style", "value": "Short words.", "limit": 300})),
    st.tuples(st.just("handoff.leave"), st.just({"project": "harbor", "text": "Paint the hull"})),
    st.tuples(st.just("prompts.save"), st.just({"text": "Where do the tides live?", "project": "harbor"})),
)
NAMES = ("Tide table", "Lamp", "Pier")


@asynccontextmanager
async def homes(count: int) -> AsyncIterator[list[Harbor]]:
    """Memories with a clock that goes, each in a home of its own."""
    async with AsyncExitStack() as stack:
        opened = []
        for number in range(count):
            folder = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
            harbor = await stack.enter_async_context(memory_in(Path(folder)))
            opened.append(replace(harbor, memory=replace(harbor.memory, clock=Ticking(NOW + number * DAY))))
        yield opened


async def ask(memory: Memory, op: str, params: Mapping[str, object]) -> Any:
    """An operation's answer as JSON has it."""
    given = msgspec.json.decode(msgspec.json.encode(params))
    return msgspec.json.decode(msgspec.json.encode(await OPERATIONS[op].call(memory, given)))


async def live(harbor: Harbor, steps: list[tuple[str, Any]]) -> None:
    memory = harbor.memory
    await memory.writer.run(lambda conn: projects.resolve(conn, harbor.root, [], "harbor", NOW))
    for number, (op, params) in enumerate(steps):
        if op == "session":
            await memory.writer.run(partial(say, name=f"s{number}", said=params))
            continue
        known = [one["fact"]["id"] for one in await ask(memory, "facts.export", {})]
        named = dict(params)
        for name in ("fact", "other"):
            if name in named and known:
                named[name] = known[named[name] % len(known)]
        if op == "facts.resolve":
            named["keep"] = named.pop("fact")
        if op.startswith(("relations.", "entities.")):
            ends = [*NAMES, *known]
            source, target = (ends[named[name] % len(ends)] for name in ("source", "target"))
            named = {"source": source, "target": target, "relation": "depends_on", "project": "harbor"}
            if op == "relations.link":
                named |= {"create": True, "strength": 0.7}
            if op == "entities.alias":
                named = {"entity": NAMES[params["source"] % 3], "alias": "Almanac", "project": "harbor"}
        try:
            await ask(memory, op, named)
        except MemdError:
            continue  # there is no such fact or relation yet


def say(conn: Connection, name: str, said: list[Candidate]) -> None:
    row = (f"u-{name}", name, NOW - 95 * DAY, NOW)
    session = conn.execute(
        "INSERT INTO sessions (uid, host, native_id, kind, state, started_at, seen_at, project_id)"
        " SELECT ?, 'claude_code', ?, 'main', 'ended', ?, ?, id FROM projects RETURNING id",
        row,
    ).fetchone()[0]
    ready = [replace(one, evidence=tuple(replace(each, session=session) for each in one.evidence)) for one in said]
    settling.settle(conn, session, settling.prepare(conn, sessions.get(conn, session), ready), NOW)


async def document(harbor: Harbor) -> dict[str, Any]:
    """What `memd export --json` prints."""
    from anyio import from_thread

    def asked(op: str, params: Mapping[str, object]) -> Any:
        return from_thread.run(ask, harbor.memory, op, params)

    return await to_thread.run_sync(lambda: gathered(asked, None))


async def take_over(harbor: Harbor, exported: Mapping[str, Any], name: str = "memd.json") -> Any:
    path = harbor.home / name
    await to_thread.run_sync(lambda: path.write_text(json.dumps(exported), "utf-8"))
    return await ask(harbor.memory, "import", {"path": str(path), "dry_run": False})


def told(exported: Mapping[str, Any]) -> dict[str, Any]:
    """What a reader of an export can tell apart: all but sessions, the ids of relations, and that it was imported."""
    one: dict[str, Any] = json.loads(json.dumps(exported))
    labels = {edge[end]: edge[f"{end}_label"] for edge in one["relations"] for end in ("source", "target")}
    for fact in one["facts"]:
        fact["session"] = None
        fact["evidence"] = sorted({(proof["quote"], proof["at"]) for proof in fact["evidence"]})
        fact["history"] = sorted(
            (line["at"], line["action"], line["reason"], line["old_title"] or "", line["old_text"] or "",
             line["other"] or "")
            for line in fact["history"]
            if line["reason"] != "was imported from another memd"
        )  # fmt: skip
        if fact["status"] != "current":
            fact["by_hand"], fact["ruling"] = True, "closed"
    of = {
        "facts": sorted(one["facts"], key=lambda fact: fact["id"]),
        "contradictions": sorted(
            [*sorted((each["one"], each["other"])), each["reason"], each["found"], each["why"] or "",
             (each["verdict"] if each["one"] < each["other"] else
              {"one": "other", "other": "one"}.get(each["verdict"], each["verdict"])) or ""]
            for each in one["contradictions"]
        ),
        "relations": sorted(
            (
                labels[edge["source"]], edge["relation"], labels[edge["target"]], edge["strength"], edge["confidence"],
                edge["origin"], edge["valid_from"], edge["valid_to"] or "", edge["fact"] or "", edge["quote"] or "",
                edge["project"] or "",
            )
            for edge in one["relations"]
        ),
        "entities": sorted(
            (each["name"], each["kind"], each["aliases"], each["project"] or "", each["origin"])
            for each in one["entities"]
        ),
    }  # fmt: skip
    for name, kept in (("blocks", "label value limit"), ("handoffs", "text at"), ("prompts", "text at project")):
        of[name] = sorted(tuple(each[member] for member in kept.split()) for each in one[name])
    return of


@settings(max_examples=8, deadline=None)
@given(st.lists(STEPS, max_size=14), st.randoms(use_true_random=False))
async def test_what_was_exported_is_imported_as_it_was(steps: list[tuple[str, Any]], chance: random.Random) -> None:
    async with homes(2) as (here, there):
        await live(here, steps)
        before = await document(here)
        mixed = {**before, "facts": chance.sample(before["facts"], len(before["facts"]))}
        answer = await take_over(there, mixed)
        assert answer["added"] == len(before["facts"])
        after = await document(there)
        assert told(after) == told(before)

        again = await take_over(there, mixed, "again.json")
        assert (again["added"], again["relations"], again["others"]) == (0, 0, {})
        assert told(await document(there)) == told(after)

        for day in (1, 30, 60, 88):
            then = {"all": True, "as_of": iso(NOW - day * DAY)}
            words = [
                sorted((one["id"], one["title"], one["text"]) for one in await ask(each.memory, "facts.list", then))
                for each in (here, there)
            ]
            assert words[0] == words[1]


async def test_what_was_deleted_here_does_not_come_back_with_an_export() -> None:
    async with homes(1) as (here,):
        await live(here, [("facts.remember", {"text": TEXTS[0]}), ("facts.remember", {"text": TEXTS[3]})])
        before = await document(here)
        for op, fact in zip(("facts.forget", "facts.purge"), before["facts"], strict=True):
            which = {"fact": fact["id"]} if op == "facts.forget" else {"kind": "note"}
            await ask(here.memory, op, {**which, "apply": True})
        answer = await take_over(here, before)
        assert (answer["added"], answer["skipped"]["facts that were deleted here"]) == (0, 2)
        assert (await document(here))["facts"] == []


async def test_what_a_session_said_gives_way_elsewhere_as_it_would_have_here_and_a_persons_word_does_not() -> None:
    at = NOW - 60 * DAY
    learnt = Candidate("convention", "Tests", "Run the tests with npm test", (), (), 0.8, at, slot="command:test")
    async with homes(2) as (here, there):
        await live(here, [("session", [learnt])])
        own = {"text": "keep the tide keys in redis for a day", "kind": "decision", "project": "harbor"}
        await ask(here.memory, "facts.remember", own)
        await take_over(there, await document(here))
        later = [
            replace(learnt, body="Run the tests with pnpm test:unit", at=NOW),
            Candidate("decision", "Keys", "the tide keys are kept in postgres for a day", (), (), 0.8, NOW),
        ]
        await there.memory.writer.run(partial(say, name="later", said=later))
        held = {one["text"] for one in await ask(there.memory, "facts.list", {})}
        assert held == {one.body for one in later} | {own["text"]}


async def test_what_a_person_noted_is_noted_of_a_fact_that_was_learnt_anew_in_the_same_words() -> None:
    learnt = Candidate("convention", "Tests", "Run the tests with npm test", (), (), 0.8, NOW, slot="command:test")
    async with homes(2) as (here, there):
        await live(here, [("session", [learnt])])
        (fact,) = (await document(here))["facts"]
        await ask(here.memory, "facts.edit", {"fact": fact["id"], "visibility": "shareable", "topic": "tests"})
        await ask(here.memory, "facts.verify", {"fact": fact["id"]})
        await live(there, [("session", [learnt])])
        moved = json.loads(json.dumps(await document(here)).replace(str(here.root), str(there.root)))
        answer = await take_over(there, moved)
        assert (answer["added"], answer["known"]) == (0, 1)
        (anew,) = (await document(there))["facts"]
        assert (anew["visibility"], anew["topic"], anew["verified"] is None) == ("shareable", "tests", False)
        assert anew["id"] != fact["id"]


def now_said(exported: Mapping[str, Any]) -> list[tuple[object, ...]]:
    """What facts say and are, as two memories have to agree on it."""
    return sorted(
        (
            fact["id"], fact["title"], fact["text"], fact["kind"], fact["status"], *fact["tags"],
            *(tuple(part) for part in fact["all_parts"]), fact["valid_from"], fact["valid_to"] or "",
            fact["superseded_by"] or "", fact["topic"] or "", fact["epistemic"], fact["visibility"],
        )
        for fact in exported["facts"]
    )  # fmt: skip


EXCHANGED = STEPS.filter(lambda step: step[0] not in ("session", "facts.forget", "facts.purge"))


@settings(max_examples=4, deadline=None)
@given(st.lists(st.tuples(st.booleans(), EXCHANGED), min_size=3, max_size=8), st.booleans())
async def test_two_memories_that_exchange_exports_come_to_say_the_same(
    steps: list[tuple[bool, tuple[str, Any]]], rather: bool
) -> None:
    async with homes(2) as (one, other):
        await live(one, [("facts.remember", {"text": TEXTS[0]}), ("facts.remember", {"text": TEXTS[3]})])
        await live(other, [])
        for mine, (op, params) in steps:
            doing, reading = (one, other) if mine else (other, one)
            if "text" in params and not mine:
                # What both say by themselves in the same words is known to both, as a fact of each one's own.
                params = {**params, "text": f"{params['text']} (over there)"}
            await live(doing, [(op, params)])
            if mine is rather:
                await take_over(reading, moved(await document(doing), doing, reading))
        for _ in range(2):
            for sender, reader in ((one, other), (other, one)):
                await take_over(reader, moved(await document(sender), sender, reader))
        ends = [await document(each) for each in (one, other)]
        assert now_said(moved(ends[0], one, other)) == now_said(ends[1])


def same_time(one: Harbor, other: Harbor) -> None:
    """Let the clocks of two machines show the same; whose change is the later one is told by them."""
    clocks = (one.memory.clock, other.memory.clock)
    assert all(isinstance(clock, Ticking) for clock in clocks)
    later = max(clock.now_ms() for clock in clocks)
    for clock in clocks:
        clock.at = later  # type: ignore[attr-defined]


def moved(exported: Mapping[str, Any], sender: Harbor, reader: Harbor) -> dict[str, Any]:
    """An export whose project lies where the reader has it."""
    told: dict[str, Any] = json.loads(json.dumps(exported).replace(str(sender.root), str(reader.root)))
    return told


async def test_of_what_is_exchanged_for_others_nothing_private_goes_along_and_later_changes_do() -> None:
    async with homes(2) as (one, other):
        await live(one, [])
        await live(other, [])
        ours = {"text": TEXTS[0], "visibility": "shareable", "project": "harbor"}
        fact = (await ask(one.memory, "facts.remember", ours))["fact"]["id"]
        mine = (await ask(one.memory, "facts.remember", {"text": TEXTS[3], "project": "harbor"}))["fact"]["id"]

        async def exchange() -> dict[str, str]:
            same_time(one, other)
            for sender, reader in ((one, other), (other, one)):
                await take_over(reader, moved(shareable(await document(sender)), sender, reader))
            same_time(one, other)
            return {told["id"]: told["text"] for told in await ask(other.memory, "facts.list", {})}

        assert await exchange() == {fact: TEXTS[0]}
        await ask(other.memory, "facts.edit", {"fact": fact, "text": "the tide keys are held in tern for a day"})
        await ask(one.memory, "facts.edit", {"fact": mine, "text": "the door code is on the shelf"})
        assert await exchange() == {fact: "the tide keys are held in tern for a day"}
        here = {told["id"]: told["text"] for told in await ask(one.memory, "facts.list", {})}
        assert here == {fact: "the tide keys are held in tern for a day", mine: "the door code is on the shelf"}
        versions = (await ask(one.memory, "facts.versions", {"fact": fact}))["versions"]
        assert [each["text"] for each in versions] == [TEXTS[0], "the tide keys are held in tern for a day"]
        await ask(one.memory, "facts.retract", {"fact": fact})
        assert await exchange() == {}
        lines = (await ask(other.memory, "facts.show", {"fact": fact}))["history"]
        assert (lines[-1]["action"], lines[-1]["reason"]) == ("RETRACT", "was changed later in another memd")
        kept = await ask(other.memory, "facts.show", {"fact": fact})
        assert kept["fact"]["status"] == "retracted"
        dumped = await other.memory.readers.run(lambda conn: "".join(conn.iterdump()))
        assert mine not in dumped
        assert "door code" not in dumped


async def test_of_two_changes_the_later_stands_in_both_and_the_words_of_the_other_stay_as_a_version() -> None:
    async with homes(2) as (one, other):
        await live(one, [])
        await live(other, [])
        fact = (await ask(one.memory, "facts.remember", {"text": TEXTS[0], "project": "harbor"}))["fact"]["id"]
        same_time(one, other)
        await take_over(other, moved(await document(one), one, other))
        same_time(one, other)
        await ask(one.memory, "facts.edit", {"fact": fact, "text": "the tide keys are held in gull for a day"})
        same_time(one, other)
        await ask(other.memory, "facts.edit", {"fact": fact, "text": "the tide keys are held in tern for a day"})
        for sender, reader in ((one, other), (other, one)) * 2:
            await take_over(reader, moved(await document(sender), sender, reader))
        for each in (one, other):
            versions = (await ask(each.memory, "facts.versions", {"fact": fact}))["versions"]
            assert [version["text"] for version in versions] == [
                TEXTS[0],
                "the tide keys are held in gull for a day",
                "the tide keys are held in tern for a day",
            ]


NOT_AGREED_ON = {
    "id": "a row's own",
    "uid": "what tells that it is the same fact",
    "project_id": "a project may be called otherwise there",
    "session_id": "sessions do not come along",
    "created_at": "a row's own",
    "updated_at": "a row's own",
    "last_seen_at": "counted by each",
    "origin": "how it came to be known at first",
    "learnt_elsewhere": "a mark of what came along",
    "superseded_by": "follows once both facts are there",
    "slot": "what the judge made of the words",
    "ruling": "comes along with the state",
    "confidence": "grows with what each has read",
    **dict.fromkeys(("uses", "last_used_at", "repeats", "helpful", "unhelpful"), "counted by each"),
    **dict.fromkeys(("verified_at", "promoted_at", "revision"), "noted by each, the later stays"),
    "metadata": "the caller's own, goes along with what else changes",
}


def test_whatever_a_fact_is_made_of_is_agreed_on_or_there_is_a_reason_why_not() -> None:
    with closing(rows.database()) as conn:
        columns = {name for _, name, *_ in conn.execute("PRAGMA table_info(facts)")}
    compared = {one.name for one in fields(carrying.Agreed)}
    assert columns - compared - NOT_AGREED_ON.keys() == set()
    assert compared & NOT_AGREED_ON.keys() == set()
    assert compared - columns == {"tags", "parts"}


async def test_a_project_whose_folder_is_not_here_is_named_until_it_is_joined_to_one_that_is(tmp_path: Path) -> None:
    async with homes(2) as (there, here):
        await live(there, [("facts.remember", {"text": "The lamp turns left", "project": "harbor"})])
        exported = json.loads(json.dumps(await document(there)).replace(str(there.root), "/home/bo/harbor"))
        assert (await take_over(here, exported))["absent"] == ["/home/bo/harbor"]
        (note,) = await elsewhere(here)
        assert (note["ok"], "/home/bo/harbor" in note["detail"]) == (True, True)
        assert "`memd session projects_merge /home/bo/harbor . --apply`" in note["fix"]

        new = tmp_path / "port"
        (new / ".git").mkdir(parents=True)
        asked = {"source": "/home/bo/harbor", "into": str(new)}
        counted = await ask(here.memory, "projects.merge", asked)
        assert str(new) not in [one["root"] for one in await ask(here.memory, "projects.list", {})]
        merged = await ask(here.memory, "projects.merge", {**asked, "apply": True})

        assert (merged["root"], merged["facts"]) == (str(new), counted["facts"]) == (str(new), 1)
        assert (await take_over(here, exported))["absent"] == []
        assert await elsewhere(here) == []


async def elsewhere(harbor: Harbor) -> list[Any]:
    """What the doctor says of projects whose folders are not here."""
    return [check for check in (await ask(harbor.memory, "health", {}))["checks"] if check["name"] == "projects"]
