from __future__ import annotations

import pytest

from memd.distill.distill import setting_of
from memd.distill.draft import Draft
from memd.distill.signals import signals
from memd.distill.thread import Thread
from memd.distill.weigh import FLOOR, weigh
from memd.distill.worth import Weights, worth
from tests.unit.distill.talk import Talk

KEEP_ALL = Weights({"": 3.0}, {"": 3.0})


def kept(talk: Talk, weights: Weights = KEEP_ALL) -> tuple[Draft, ...]:
    setting, drafts = setting_of(Thread(talk.transcript()))
    return weigh(setting, drafts, weights)


def texts(talk: Talk) -> list[str]:
    return [draft.text for draft in kept(talk)]


def test_exact_names_reasons_and_a_report_at_the_end_make_a_passage_worth_more(talk: Talk) -> None:
    talk.user("where are they").reply("They are stored somewhere else in there, I see.").edited("a.py")
    talk.reply(
        "The refs live in `refs/harbor/*`, not in `refs/heads/*`, because a branch would be listed; fetch them with"
        " `git fetch origin 'refs/harbor/*'`."
    )
    setting, _ = setting_of(Thread(talk.transcript()))
    vague, exact = setting.passages[-2:]
    assert worth(setting, exact) > 2 * worth(setting, vague)
    assert {"command", "denies", "because", "code"} <= signals(setting, exact)


def test_what_no_weight_speaks_for_is_not_kept(talk: Talk) -> None:
    talk.user("The harbour office imports the tides from `tides/legacy.py`, at night.")
    assert kept(talk, Weights({"": -3.0}, {"": -3.0})) == ()
    assert all(draft.confidence >= 0.5 for draft in kept(talk, Weights({"": 0.0}, {"": 0.0})))
    assert FLOOR < 0.5


def test_what_is_said_again_is_one_fact_with_both_places_as_evidence(talk: Talk) -> None:
    talk.user("go").reply("The tide table of 2031 is stored in `tides/table.db` by the importer.")
    talk.user("and?").reply("As before, the tide table of 2031 is stored in `tides/table.db` by the importer.")
    (fact,) = kept(talk)
    assert len({one.message for one in (fact.anchor, *fact.also)}) == 2


def test_short_neighbours_in_a_list_are_one_fact(talk: Talk) -> None:
    talk.user("go").reply(
        "Changed:\n\n- `model.py` reads constants\n- `table.py` caches a year\n\nThe harbour listens on port 8080."
    )
    assert sorted(texts(talk)) == [
        "The harbour listens on port 8080.",
        "`model.py` reads constants `table.py` caches a year",
    ]


def test_each_rule_of_a_paragraph_is_a_fact_of_its_own(talk: Talk) -> None:
    talk.user("Always run `make check` before a commit. Never push to main without asking me.")
    assert len(kept(talk)) == 2


CHOSEN_AND_RULED = {
    "English": (
        "Let's use SQLite instead of Postgres for the tide table, because the harbour office has no server.",
        "In all my projects, always write dates as year-month-day.",
    ),
    "German": (
        "Wir nehmen SQLite statt Postgres für die Gezeitentabelle, weil das Hafenamt keinen Server hat.",
        "In allen meinen Projekten schreib Daten immer als Jahr-Monat-Tag.",
    ),
    "Spanish": (
        "Usemos SQLite en vez de Postgres para la tabla de mareas, porque la oficina no tiene servidor.",
        "En todos mis proyectos, escribe siempre las fechas como año-mes-día.",
    ),
    "Italian": (
        "Usiamo SQLite invece di Postgres per la tabella delle maree, perché il porto non ha un server.",
        "In tutti i miei progetti scrivi sempre le date come anno-mese-giorno.",
    ),
    "Russian": (
        "Для таблицы приливов используем SQLite вместо Postgres, потому что в порту нет сервера.",
        "Во всех моих проектах всегда пиши даты как год-месяц-день.",
    ),
    "Turkish": (
        "Gelgit tablosu için Postgres yerine SQLite kullanalım, çünkü limanda sunucu yok.",
        "Bütün projelerimde tarihleri her zaman yıl-ay-gün olarak yaz.",
    ),
    "Chinese": (
        "潮汐表就用 SQLite 而不是 Postgres，因为港务局没有服务器。",
        "在我所有的项目里，日期一律写成年-月-日。",
    ),
    "Japanese": (
        "潮位表はPostgresではなくSQLiteにする、港にサーバーがないから。",
        "すべてのプロジェクトで、日付は必ず年-月-日で書くこと。",
    ),
    "Korean": (
        "조석표는 Postgres 대신 SQLite로 하자, 항만청에 서버가 없으니까.",
        "모든 프로젝트에서 날짜는 항상 년-월-일로 써.",
    ),
}


@pytest.mark.parametrize("language", CHOSEN_AND_RULED)
@pytest.mark.parametrize("rule_first", [False, True])
def test_a_choice_here_and_a_rule_for_everywhere_said_in_one_breath_are_two_facts(
    talk: Talk, language: str, rule_first: bool
) -> None:
    choice, rule = CHOSEN_AND_RULED[language]
    glue = "" if choice.endswith("。") else " "
    talk.user(glue.join((rule, choice) if rule_first else (choice, rule)))
    found = {draft.text: draft.everywhere for draft in kept(talk)}
    assert found == {choice: False, rule: True}


def test_neither_of_two_facts_of_one_breath_takes_the_other_for_its_reason(talk: Talk) -> None:
    talk.user("Let's keep Redis for the queue. Never push to main without asking me.")
    choice, rule = kept(talk)
    assert (choice.kind, rule.kind) == ("decision", "convention")
    assert not [part for draft in (choice, rule) for part in draft.parts if part.name == "because"]


def test_what_goes_on_with_a_choice_or_corrects_a_rule_stays_with_it(talk: Talk) -> None:
    talk.user("revert mmap then. and never bring it back, i always run this on network drives")
    talk.reply("Done.").user("Always spell the harbour's name in full. Wait, never in the tables.")
    assert len(kept(talk)) == 2


def test_rules_of_different_scope_are_two_facts_however_alike(talk: Talk) -> None:
    talk.user("In all my projects, always write dates as year-month-day.").reply("Noted.")
    talk.user("For this office, always write dates as day-month-year.")
    assert [draft.everywhere for draft in kept(talk)] == [True, False]


def test_what_a_later_report_says_is_gone_is_no_fact_any_more(talk: Talk) -> None:
    talk.user("go").reply("The fetch is chunked with `--chunk-days`, 92 by default, as the server asks for it.")
    talk.user("simplify").reply("`--chunk-days N` is gone, replaced by whole months.")
    assert not any("92" in text for text in texts(talk))


def test_what_a_person_puts_off_is_kept_though_little_else_speaks_for_it(talk: Talk) -> None:
    talk.user("go").edited("a.py").user("nice. /refunds needs the same thing at some point, not today.").reply("Noted.")
    assert [draft.kind for draft in kept(talk, Weights({"": -1.0}, {"": -3.0}))] == ["task"]


def test_words_in_capitals_are_no_names_where_all_is_in_capitals(talk: Talk) -> None:
    talk.user("WHICH OF THESE TOOLS DO YOU SEE IN THE MENU, I WANT THEM ALL").user("the CLI reads TIDE_DIR")
    setting, _ = setting_of(Thread(talk.transcript()))
    loud, calm = setting.passages
    assert not {"names 1", "names 2"} & signals(setting, loud)
    assert {"names 1", "names 2"} <= signals(setting, calm)


def test_what_a_session_speaks_of_most_and_the_files_it_changed_are_known(talk: Talk) -> None:
    told = "The berth planner sorts the ships by length and draught, and keeps a free lane in the harbour basin."
    for n in range(4):
        talk.user(f"the berth planner drops ship {n}").edited("berths/planner.py", told)
    talk.reply("The berth planner keeps the ships in `planner.py`, sorted by length.").reply("The lamp is blue today.")
    setting, _ = setting_of(Thread(talk.transcript()))
    central, beside = setting.passages[-2:]
    assert {"central 0.12", "names changed"} <= signals(setting, central)
    assert not {"central 0.12", "names changed"} & signals(setting, beside)


def test_the_trouble_that_opens_a_session_sets_its_task(talk: Talk) -> None:
    talk.user("the berth planner is flaky in CI, please look why").reply("Looking.").user("it fails in March only")
    setting, _ = setting_of(Thread(talk.transcript()))
    assert ["sets the task" in signals(setting, one) for one in setting.passages if one.anchor.speaker == "user"] == [
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        ("`gauge.py` reads each buoy in its own thread and hands the level to `poll.py`.", "architecture"),
        ("`gauge.py` never reads the buoys of the old pier.", "discovery"),
        ("`gauge.py` keeps getting errors of the buoy at the old pier.", "discovery"),
    ],
)
def test_what_is_told_where_files_were_changed_tells_how_it_is_made(talk: Talk, told: str, kind: str) -> None:
    sure = Weights({"": -9.0}, {"": 3.0})
    setting, drafts = setting_of(Thread(talk.user("go on with the gauge").edited("gauge.py", told).transcript()))
    assert [one.kind for one in weigh(setting, drafts, sure)] == [kind]
    talk.messages.clear()
    setting, drafts = setting_of(Thread(talk.user("go on with the gauge").reply(told).transcript()))
    assert [one.kind for one in weigh(setting, drafts, sure)] == ["discovery"]
