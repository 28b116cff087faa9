from __future__ import annotations

import pytest

from memd.distill.findings import kind_of, told
from memd.distill.thread import Thread
from memd.model import FactKind
from tests.unit.distill.talk import Talk


def test_a_person_telling_how_things_are_is_heard_and_a_complaint_is_not(talk: Talk) -> None:
    talk.user("amounts ending in 13 cents always give BUSY twice").user("ci is red on the branch, only the LINT job")
    heard = [told(statement) for statement in Thread(talk.transcript()).statements]
    assert heard[0] > 0.35
    assert heard[1] == 0.0


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("`TIDE_CACHE` moves the folder.", "config"),
        ("The berths are stored in a table of their own.", "architecture"),
        ("The tide service answers only in winter.", "discovery"),
        ("The bug was caused by `tide()` and is fixed now.", "bugfix"),
        ("Fixed the 500 by giving the endpoint its `keel_depth`.", "bugfix"),
        ("已修复 `keel_depth` 缺失的问题", "bugfix"),
        ("Исправлена ошибка в схеме `tides`", "bugfix"),
        ("A fixed table of tides is stored in `tides.json`.", "architecture"),
    ],
)
def test_the_kind_of_a_finding_follows_its_words(text: str, kind: FactKind) -> None:
    assert kind_of(text) == kind


@pytest.mark.parametrize(
    "text",
    [
        "There are hours in which the gauge gets stuck at 40, even though the tide runs.",
        "the skippers lose their photos after a sync, in the harbour app",
        "潮位表一超过 500 行就特别卡，帮我看下",
        "港のアプリが起動時にクラッシュする、エラーが出る",
        "조석표가 안 열려, 오류가 나",
        "La tabla de mareas no funciona desde ayer",
        "Die Gezeitentabelle funktioniert nicht mehr",
        "таблица приливов не открывается",
        "gelgit tablosu çalışmıyor, hiçbir şey yapamıyorum",
    ],
)
def test_what_a_person_reports_of_trouble_is_no_decision(text: str) -> None:
    assert kind_of(text, of_a_person=True) == "discovery"


@pytest.mark.parametrize(
    "text",
    [
        "no no. no pandas. we have the reader for that, it would bring the errors back",
        "revert the cache then, a crash is not worth it",
        "never mind the leaks, drop the old gauge",
        "gelgit tablosunu istemiyorum",
    ],
)
def test_who_turns_something_down_because_of_trouble_decides(text: str) -> None:
    assert kind_of(text, of_a_person=True) == "decision"
