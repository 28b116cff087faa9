"""What other memories keep is recognised, read whole, and never written to."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memd.errors import ImportRefused
from memd.importers.markdown import read as read_page
from memd.importers.model import Dispute, Haul, Imported, Importer, Link, first_line, time_of, title_of
from memd.importers.names import SYSTEMS
from memd.importers.registry import IMPORTERS, ReadRequest, read, recognise
from tests.unit.importers.stores import MEMVAULT, STORES, database, mem0

EVERY = pytest.mark.parametrize("name", STORES)


def haul(folder: Path, name: str) -> Haul:
    system, write = STORES[name]
    found = read(ReadRequest(write(folder), None))
    assert found is not None
    assert found.system == system
    return found


def left(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@EVERY
def test_a_store_is_recognised_by_its_own_importer_alone(tmp_path: Path, name: str) -> None:
    system, write = STORES[name]
    path = write(tmp_path)

    assert [importer.name for importer in IMPORTERS.values() if importer.recognise(path)] == [system]


def test_the_systems_that_are_named_are_those_that_can_be_read_in_the_order_they_are_tried() -> None:
    assert tuple(IMPORTERS) == SYSTEMS


@EVERY
def test_reading_changes_nothing(tmp_path: Path, name: str) -> None:
    path = STORES[name][1](tmp_path)
    before = left(tmp_path)

    assert read(ReadRequest(path, None))
    assert left(tmp_path) == before


@EVERY
def test_every_thing_has_a_key_of_its_own_and_says_something(tmp_path: Path, name: str) -> None:
    items = haul(tmp_path, name).items

    assert items
    assert len({item.key for item in items}) == len(items)
    assert all(item.title and item.body for item in items)


def test_thoths_observations_keep_project_scope_topic_and_time(tmp_path: Path) -> None:
    found = haul(tmp_path, "thoth database")
    decision, personal = found.items

    assert (decision.kind, decision.project, decision.topic) == ("decision", "harbor", "storage/tides")
    assert decision.at_ms == time_of("2026-01-03T10:00:00Z")
    assert (personal.kind, personal.project) == ("convention", None)
    assert found.skipped == {
        "deleted there": 1,
        "without text": 1,
        "prompts, which the transcripts have": 1,
        "earlier versions": 1,
    }


def test_of_thoths_chunks_the_last_mutation_counts(tmp_path: Path) -> None:
    (item,) = haul(tmp_path, "thoth chunks").items

    assert item.body == "Salt water eats zinc first"


def test_a_damaged_chunk_is_refused_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "chunks").mkdir()
    (tmp_path / "chunks" / "chunk-1.json.gz").write_bytes(b"\x1f\x8b not gzip")

    with pytest.raises(ImportRefused, match=r"chunk-1\.json\.gz"):
        read(ReadRequest(tmp_path, None))


def test_memvaults_memories_and_blocks(tmp_path: Path) -> None:
    user, procedural, block = haul(tmp_path, "memvault").items

    assert (user.kind, user.body, user.more["lang"]) == ("preference", "用户喜欢用 pnpm", "zh")
    assert (procedural.kind, procedural.at_ms) == ("learning", 1_767_348_000_000)
    assert (block.title, block.tags) == ("Block persona", ("block", "persona"))


@pytest.mark.parametrize(
    ("text", "craft"),
    [
        ("用户熟悉 Docker 部署和 Nginx 配置", True),
        ("用户掌握前端框架，会写单元测试脚本", True),
        ("用户会用 pnpm 管理工作区", True),
        ("The user is familiar with deploying containers", True),
        ("用户喜欢用 pnpm", False),
        ("用户会在周五去青岛，Docker 镜像由别人构建", False),
        ("The user knows Anna from the harbour office", False),
        ("用户熟悉这个码头", False),
    ],
)
def test_what_a_memory_tells_of_somebodys_craft_is_a_learning_and_says_what_it_was(
    tmp_path: Path, text: str, craft: bool
) -> None:
    path = database(tmp_path / "memvault.db", MEMVAULT.replace("用户喜欢用 pnpm", text))
    found = read(ReadRequest(path, "memvault"))
    assert found is not None
    item, *_ = found.items
    assert (item.kind, item.more.get("retyped_from")) == (("learning", "user") if craft else ("preference", None))
    assert (item.body, item.more["lang"]) == (text, "zh")


def test_a_knowledge_folder_keeps_its_front_matter(tmp_path: Path) -> None:
    items = {item.key: item for item in haul(tmp_path, "agent-knowledge").items}
    decision = items["decisions/tides.md"]

    assert set(items) == {"decisions/tides.md", "projects/harbor.md", "workflows/release.md"}
    assert (decision.kind, decision.author, decision.evergreen, decision.inferred) == ("decision", "ada", True, True)
    assert decision.confidence == 0.7
    assert decision.tags == ("storage", "tides", "decisions")
    assert decision.more == {"reviewed_by": "bo"}
    assert items["projects/harbor.md"].project == "harbor"
    assert items["workflows/release.md"].tags == ("release", "workflows")


def test_rawthinks_decision_has_parts_and_what_was_invalidated_is_kept_apart(tmp_path: Path) -> None:
    found = haul(tmp_path, "rawthink")
    items = {item.key: item for item in found.items}
    decision, ended = items["entity/tide storage"], items["entity/tide storage/2"]

    assert ("rejected", "Postgres") in decision.parts
    assert decision.epistemic == "reported"
    assert "an old plain text" in decision.body
    assert "Use files" not in decision.body
    assert "Postgres" not in decision.body
    assert (ended.status, ended.body, ended.ended_at_ms) == ("superseded", "Use files", time_of("2026-01-02"))
    assert items["q1"].more == {"session_ref": "2026-01-02-tides"}
    assert items["sessions/2026-01-02-tides.md"].kind == "session_summary"
    assert [(link.source, link.relation, link.target) for link in found.links] == [
        ("tide storage", "part_of", "harbor")
    ]
    assert found.skipped == {"torn lines": 1}


def test_claude_mems_observations_name_their_files(tmp_path: Path) -> None:
    observation, summary = haul(tmp_path, "claude-mem").items

    assert observation.parts == (("touches", "tides.py"), ("touches", "a.py"))
    assert "has 12 columns" in observation.body
    assert (summary.kind, summary.title) == ("session_summary", "Store the tides")


def test_secrets_are_taken_out_before_anything_leaves_the_reader(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    (tmp_path / "decisions").mkdir()
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "key.md").write_text(
        f"---\ntitle: Key {secret}\ntags: [{secret}]\nx: {secret}\n---\n{secret}\n"
    )

    found = read(ReadRequest(tmp_path, None))

    assert found is not None
    assert found.items
    assert secret not in repr(found)


def test_what_a_thing_is_called_there_is_kept_without_its_secret_and_still_tells_it_from_others(tmp_path: Path) -> None:
    one, other = ("ghp_" + mixed * 9 for mixed in ("a1B2", "c3D4"))
    for folder in ("projects", "notes"):
        (tmp_path / folder).mkdir()
        for secret in (one, other):
            (tmp_path / folder / f"{secret}.md").write_text("The lamp of pier 4 turns left.\n")

    found, again = (read(ReadRequest(tmp_path, None)) for _ in range(2))

    assert found is not None
    assert one not in repr(found)
    assert other not in repr(found)
    assert len({item.key for item in found.items}) == 4
    assert found == again


def test_a_relation_and_a_dispute_name_things_as_these_are_named_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "ghp_" + "a1B2" * 9
    item = Imported(key=f"memory.md#Key {secret}", kind="note", title="Lamps", body="Lamps turn left.")
    haul_of = Haul(
        "mem0",
        (item,),
        links=(Link(f"fact:{item.key}", "uses", "lamp", project=f"harbor {secret}"),),
        disputes=(Dispute(item.key, "other", "both cannot be", 0),),
    )
    reads = Importer("mem0", "Mem0", lambda path: True, lambda path: haul_of)
    monkeypatch.setattr("memd.importers.registry.IMPORTERS", {"mem0": reads})

    found = read(ReadRequest(tmp_path, "mem0"))

    assert found is not None
    assert secret not in repr(found)
    assert found.links[0].source == f"fact:{found.items[0].key}"
    assert found.disputes[0].one == found.items[0].key


@pytest.mark.parametrize("data", [b"", b"SQLite format 3\x00 and then nothing", b"{}", b"[1]", b"\xff\xfe"], ids=repr)
@pytest.mark.parametrize("name", ["x.db", "x.json", "x.jsonl", "x.md"])
def test_what_is_no_memory_is_none(tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(data)

    assert recognise(path) is None
    assert read(ReadRequest(path, None)) is None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=200))
def test_any_text_is_a_page(tmp_path: Path, text: str) -> None:
    path = tmp_path / "page.md"
    path.write_text("---\n" + text, "utf-8", errors="replace")

    page = read_page(path)

    assert page is not None
    assert page.listed("tags") == tuple(page.listed("tags"))


@given(st.one_of(st.none(), st.text(max_size=30), st.integers(-(10**15), 10**15), st.floats(0, 10**13), st.booleans()))
def test_any_value_is_a_time_or_none(value: object) -> None:
    at = time_of(value)

    assert at is None or at >= 0


def test_a_title_is_the_first_line_that_says_something() -> None:
    assert first_line("\n---\n## Tides\nmore") == "Tides"
    assert first_line("word " * 60).endswith("…")
    assert first_line("...") == ""
    assert (title_of(" ...\n---"), title_of("---\n# Tides")) == ("...\n---", "Tides")


def test_a_summary_of_claude_mem_whose_request_says_nothing_is_called_by_what_it_says_else(tmp_path: Path) -> None:
    path = STORES["claude-mem"][1](tmp_path)
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("UPDATE session_summaries SET request = ':'")
        conn.commit()
    found = read(ReadRequest(path, None))

    assert found is not None
    assert [item.title for item in found.items if item.kind == "session_summary"] == ["Zinc rusts"]


def test_a_decision_that_rawthink_gave_up_holds_no_longer_though_its_grounds_stand(tmp_path: Path) -> None:
    rows = [
        {
            "text": "Use SQLite",
            "kind": "decided",
            "created": "2026-01-02",
            "status": "invalidated",
            "invalidated_at": "2026-01-05",
        },
        {"text": "the office has no server", "kind": "because", "created": "2026-01-02", "status": "active"},
    ]
    path = tmp_path / "memory.jsonl"
    path.write_text(
        json.dumps({"type": "entity", "name": "tides", "entityType": "decision", "observations": rows}) + "\n"
    )

    found = read(ReadRequest(path, None))

    assert found is not None
    assert {(item.status, item.ended_at_ms) for item in found.items} == {("superseded", time_of("2026-01-05"))}


@pytest.mark.parametrize("value", [float("inf"), float("nan"), -float("inf"), 1e300, 2**80, "1" * 400, "9" * 30, -5])
def test_what_is_no_time_of_this_era_is_none(value: object) -> None:
    assert time_of(value) is None


def test_what_an_assistant_told_mem0_is_not_its_users(tmp_path: Path) -> None:
    haul = read(ReadRequest(mem0(tmp_path), None))

    assert haul is not None
    assert {item.body: item.author for item in haul.items} == {
        "Prefers short answers": "ada",
        "The wick is dry": "assistant",
    }
