"""What was missing in the midst of a session and was put there later is missing no longer."""

from __future__ import annotations

import pytest

from memd.distill.supplied import supplied
from memd.distill.thread import Thread
from memd.model import ChangedFile, ToolCall
from tests.unit.distill.talk import Talk


def past(talk: Talk) -> list[str]:
    thread = Thread(talk.transcript())
    gone = supplied(thread)
    return [one.text for one in thread.statements if one in gone]


@pytest.mark.parametrize(
    ("missing", "made"),
    [
        ("The gauge has no `keel_offset` column.", "Added the `keel_offset` column to the gauge."),
        ("`TIDE_URL` is not set on the pier.", "`TIDE_URL` is set up on the pier now."),
        ("`main` n'impose aucun `tide_check` aujourd'hui.", "Le contrôle `tide_check` est activé sur `main`."),
        ("Falta `TIDE_URL` en el muelle.", "`TIDE_URL` configurado en el muelle."),
        ("Am Steg fehlt `TIDE_URL` noch immer.", "`TIDE_URL` ist am Steg eingerichtet."),
        ("В модуле причала отсутствует `keel_offset`.", "Колонка `keel_offset` добавлена в модуль причала."),
        ("码头模块缺少 `keel_offset` 字段。", "已添加 `keel_offset` 字段。"),
        ("桟橋に `keel_offset` 列がありません。", "`keel_offset` 列を追加しました。"),
        ("부두에 `keel_offset` 열이 없습니다.", "`keel_offset` 열을 추가했습니다."),
        ("İskelede `keel_offset` sütunu yok.", "`keel_offset` sütunu eklendi."),
    ],
)
def test_what_was_missing_and_then_made_is_over(talk: Talk, missing: str, made: str) -> None:
    talk.user("look at the pier").reply(missing)
    assert past(talk) == []
    assert past(talk.user("go on").reply(made)) == [missing]


@pytest.mark.parametrize(
    ("missing", "later"),
    [
        ("The gauge has no `keel_offset` column.", "Added the `berth` column to the gauge."),
        ("The gauge has no `keel_offset` column.", "The `keel_offset` column is still what we need."),
        ("The gauge has no `keel_offset` column.", "Shall I see to it that `keel_offset` is added?"),
        ("`gauge.py` works without a lock.", "Added a timer to `gauge.py`."),
        ("There is no lock, which is why two writers at once end with a torn level in `tide_store`.", "Added `lamp`."),
    ],
)
def test_what_is_missing_still_stands(talk: Talk, missing: str, later: str) -> None:
    assert past(talk.user("look at the pier").reply(missing).user("go on").reply(later)) == []


def test_a_file_that_was_missing_is_there_once_it_was_created(talk: Talk) -> None:
    missing = "No `PIERS` file here: `docs/PIERS`, `PIERS` are absent."
    talk.user("audit it").reply(missing).user("2")
    made = ToolCall("w", "Write", "write", "{}", True, changes=(ChangedFile("/home/ada/harbor/docs/PIERS", "create"),))
    assert past(talk.reply("", made)) == [missing]


@pytest.mark.parametrize(
    "said",
    [
        "The keel file is there locally, but not pushed.",
        "Le fichier est créé en local mais non poussé.",
        "文件已创建，但尚未提交。",
        "Die Datei liegt da, ist aber nicht committet.",
    ],
)
def test_what_was_not_handed_in_is_over_with_the_commit(talk: Talk, said: str) -> None:
    talk.user("make the keel file").reply(said)
    assert past(talk) == []
    assert past(talk.user("push it").ran("git push origin main", ok=False)) == []
    assert past(talk.user("again").ran("git commit -qm keel && git push origin main")) == [said]


@pytest.mark.parametrize(
    ("missing", "made"),
    [
        ("Feature 1 (keepers) is NOT completely done.", "Feature 1: keepers - completed."),
        ("Phase 2 is only partial.", "Phase 2 is done, the tests pass."),
        ("阶段2 还没完成。", "阶段2 已完成。"),
        ("Audit: aucun secret n'est configuré ici.", "Les 3 secrets existent bien ici."),
        ("There are no secrets on the pier yet.", "All three secrets are present now."),
    ],
)
def test_a_numbered_piece_of_work_and_what_there_was_none_of_are_there_later(
    talk: Talk, missing: str, made: str
) -> None:
    talk.user("look at the pier").reply(missing)
    assert past(talk) == []
    assert past(talk.user("go on").reply(made)) == [missing]


@pytest.mark.parametrize(
    ("missing", "later"),
    [
        ("Feature 1 is not done.", "Feature 2 is completed."),
        ("Feature 1 is not done.", "Feature 1 is still not done."),
        ("`gauge.py`: there are no secrets in it any more.", "The secrets are present in the vault."),
    ],
)
def test_another_piece_of_work_ends_nothing_of_it(talk: Talk, missing: str, later: str) -> None:
    assert past(talk.user("look at the pier").reply(missing).user("go on").reply(later)) == []
