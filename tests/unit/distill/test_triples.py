"""What a fact tells of, in a closed vocabulary."""

from __future__ import annotations

import pytest

from memd.distill.triples import MOST, triples_of
from memd.distill.vocabulary import ENTITY_KINDS, RELATIONS, folded
from memd.model import FactPart

ENGLISH = (
    ("The relight worker uses tern for the lamp states.", ("relight worker", "uses", "tern")),
    ("The tide table is stored in SQLite, because the office has no server.", ("tide table", "stores_in", "SQLite")),
    ("Kelp was replaced by Tern in the lighting path.", ("Tern", "supersedes", "Kelp")),
    ("The pilot board is backed by Postgres.", ("pilot board", "depends_on", "Postgres")),
    ("`LampWorker` depends on `lamp_state`.", ("LampWorker", "depends_on", "lamp_state")),
    ("The lamp gateway runs on Fargate.", ("lamp gateway", "runs_on", "Fargate")),
    ("The crash is caused by a stale cache.", ("stale cache", "causes", "crash")),
    ("OrderService calls PaymentGateway.", ("OrderService", "calls", "PaymentGateway")),
    ("`LampView` inherits from `BaseView`.", ("LampView", "inherits", "BaseView")),
    ("The chart module is part of the harbour console.", ("chart module", "part_of", "harbour console")),
    ("`make tide` generates `tides.json`.", ("make tide", "produces", "tides.json")),
    ("The pier API is maintained by Grace.", ("pier API", "owned_by", "Grace")),
    ("The config lives in `deploy/lamps.toml`.", ("config", "located_in", "deploy/lamps.toml")),
    ("Tern implements LampStore.", ("Tern", "implements", "LampStore")),
    ("`tide_test.py` covers `TideTable`.", ("tide_test.py", "tests", "TideTable")),
    ("Gull conflicts with Tern.", ("Gull", "contradicts", "Tern")),
    ("The console contains the chart module.", ("chart module", "part_of", "console")),
)
CHINESE = (
    ("潮汐服务依赖 Redis。", ("潮汐服务", "depends_on", "Redis")),
    ("潮汐表存储在 SQLite。", ("潮汐表", "stores_in", "SQLite")),
    ("Redis 已经被 Postgres 取代。", ("Postgres", "supersedes", "Redis")),
    ("前端使用 zustand。", ("前端", "uses", "zustand")),
    ("网关部署在 Fargate 上。", ("网关", "runs_on", "Fargate")),
    ("灯塔模块由张伟负责。", ("灯塔模块", "owned_by", "张伟")),
    ("`LampView` 继承 `BaseView`。", ("LampView", "inherits", "BaseView")),
    ("图表模块是控制台的一部分。", ("图表模块", "part_of", "控制台")),
    ("图表模块属于控制台。", ("图表模块", "part_of", "控制台")),
    ("`OrderService` 调用 `PaymentGateway`。", ("OrderService", "calls", "PaymentGateway")),
    ("`LampStore` 由 `make gen` 生成。", ("make gen", "produces", "LampStore")),
    ("配置文件位于 `deploy/lamps.toml`。", ("配置文件", "located_in", "deploy/lamps.toml")),
    ("旧缓存导致崩溃。", ("旧缓存", "causes", "崩溃")),
    ("`TernStore` 实现了 `LampStore`。", ("TernStore", "implements", "LampStore")),
    ("重试补丁修复了重复付款。", ("重试补丁", "fixes", "重复付款")),
    ("Tern 取代了 Kelp。", ("Tern", "supersedes", "Kelp")),
    ("支付服务采用 Postgres。", ("支付服务", "uses", "Postgres")),
    ("控制台包含图表模块。", ("图表模块", "part_of", "控制台")),
    ("登录服务运行在 Kubernetes。", ("登录服务", "runs_on", "Kubernetes")),
    ("崩溃由旧缓存引起。", ("旧缓存", "causes", "崩溃")),
    ("看板引用 `docs/tides.md`。", ("看板", "references", "docs/tides.md")),
    ("会话数据保存在 Redis。", ("会话数据", "stores_in", "Redis")),
)


def found(text: str) -> set[tuple[str | None, str, str]]:
    return {(one.subject, one.relation, one.object) for one in triples_of("", text)}


@pytest.mark.parametrize(("text", "triple"), [*ENGLISH, *CHINESE], ids=lambda value: str(value)[:40])
def test_a_sentence_gives_its_triple(text: str, triple: tuple[str, str, str]) -> None:
    assert found(text) == {triple}


@pytest.mark.parametrize(
    "text",
    [
        "It uses kelp.",
        "The worker does not use kelp.",
        "We never rely on gull.",
        "Which service uses what is unclear.",
        "Lamp --flies--> Moon",
        "Lamp --uses--> Lamp",
        "我们使用什么都可以。",
        "登录服务不依赖 Redis。",
        "登录服务没有使用 Redis。",
        "登录服务不再使用 Redis。",
    ],
)
def test_what_names_nothing_or_is_denied_gives_none(text: str) -> None:
    assert found(text) == set()


@pytest.mark.parametrize(
    "text", ["Lamp --DEPENDS_ON--> Oil", "Lamp -[depends on]-> Oil", "Subject: Lamp\nRelation: requires\nObject: Oil"]
)
def test_notations_are_read(text: str) -> None:
    assert found(text) == {("Lamp", "depends_on", "Oil")}


def test_what_a_fact_touches_and_refers_to_are_relations_of_the_fact() -> None:
    parts = (FactPart("touches", "`lamps/state.py`"),)
    told = triples_of("Guide", "See https://example.org/tides/guide.", parts)
    assert {(one.subject, one.relation, one.object, one.object_kind) for one in told} == {
        (None, "touches", "lamps/state.py", "file"),
        (None, "references", "https://example.org/tides/guide", "url"),
    }


def test_a_long_text_gives_the_surest_few() -> None:
    text = " ".join(f"Lamp{number} depends on Oil{number}. Pier{number} uses Rope{number}." for number in range(20))
    told = triples_of("", text)
    assert len(told) == MOST
    assert {one.relation for one in told} == {"depends_on"}


def test_every_word_for_a_relation_is_folded_and_others_are_none() -> None:
    for name, words in RELATIONS.items():
        for word in (name, name.upper(), name.replace("_", " "), name.replace("_", "-"), *words):
            assert folded(word) is not None
            assert folded(word).name == name  # type: ignore[union-attr]
    assert folded("contains").swapped  # type: ignore[union-attr]
    assert folded("flies") is None
    assert len(set(ENTITY_KINDS)) == len(ENTITY_KINDS) >= 26
    assert len(RELATIONS) >= 27
