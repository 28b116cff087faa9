from __future__ import annotations

import pytest

from memd.distill import assent, decisions
from memd.distill.distill import distill
from memd.distill.draft import Draft
from memd.distill.thread import Thread
from tests.unit.distill.talk import Talk

FIXTURE = "Each test starts its own Postgres container. A session-scoped fixture in `conftest.py` would fix it."
OPTIONS = "Two options: soft delete with `deleted_at`, or hard delete plus an anonymised audit row."


def agreed(talk: Talk) -> list[Draft]:
    return list(assent.find(Thread(talk.transcript())))


@pytest.mark.parametrize(
    ("proposed", "answer"),
    [
        (FIXTURE, "do it"),
        ("I'd recommend a partial index on `orders(status)`, the table is mostly done orders.", "yes please"),
        ("I'd suggest to keep the images in `.cache/img` and copy them after each build.", "yes, do it"),
        ("I would keep the queue in Postgres, one thing less to run.", "ok go ahead"),
        ("建议把重试放到 `worker/retry.py`，其他任务也能用。", "好，就这样"),
        ("Je recommande un index partiel sur `orders(status)`.", "oui, parfait"),
        ("Ich empfehle einen Teilindex auf `orders(status)`.", "ja gut"),
        ("Ich empfehle einen Teilindex auf `orders(status)`.", "mach das"),
        ("建议把重试放到 `worker/retry.py`，其他任务也能用。", "改吧"),
    ],
)
def test_what_a_person_agrees_to_in_a_word_is_their_decision_when_the_work_followed(
    talk: Talk, proposed: str, answer: str
) -> None:
    talk.user("what do you think").reply(proposed).user(answer).edited("worker/print.py")
    (draft,) = agreed(talk)
    assert draft.kind == "decision"
    assert draft.anchor.text in proposed


@pytest.mark.parametrize(
    ("proposed", "answer"),
    [
        (FIXTURE, "no, leave it"),
        (FIXTURE, "好像不行"),
        (FIXTURE, "ok but why is it slow?"),
        (FIXTURE, "hm"),
        ("I'd start by reading `conftest.py` to see what is slow.", "do it"),
        ("Should I use a session-scoped fixture in `conftest.py`?", "yes"),
        ("Generally, you should keep one sentence a line, that helps `git diff`.", "ok"),
        ("一般来说，写作时应该一句一行，建议这样做便于 git diff。", "好的"),
        ("The tests are slow because of `conftest.py`.", "ok"),
    ],
)
def test_a_refusal_a_question_a_step_or_general_advice_is_none(talk: Talk, proposed: str, answer: str) -> None:
    talk.user("what do you think").reply(proposed).user(answer).edited("worker/print.py")
    assert not agreed(talk)


@pytest.mark.parametrize(
    ("proposed", "answer", "told"),
    [
        ("I'd suggest 5 retries with exponential backoff.", "yeah but 3 retries", "Added 3 retries with backoff."),
        ("Ich würde die Schritte Adresse und Versand zusammenlegen.", "ja mach so", "Erledigt, es sind zwei Schritte."),
        ("I'd keep the pictures in the `media` bucket of MinIO.", "go", "The pictures go to the MinIO bucket now."),
    ],
)
def test_what_the_reply_reports_as_done_was_followed_though_no_file_is_seen_to_change(
    talk: Talk, proposed: str, answer: str, told: str
) -> None:
    talk.user("what do you think").reply(proposed).user(answer).reply(told)
    (draft,) = agreed(talk)
    assert proposed in (draft.wording or draft.text)


def test_the_option_under_a_letter_in_a_row_is_the_decision(talk: Talk) -> None:
    talk.user("tarda mucho").reply("Opciones: a) incremental por fecha de venta, b) más memoria.")
    talk.user("a").reply("Ahora tarda 3 minutos.")
    (draft,) = agreed(talk)
    assert draft.wording == "incremental por fecha de venta"
    assert [part.text for part in draft.parts if part.name == "rejected"] == ["más memoria"]


def test_what_nothing_was_done_about_is_none(talk: Talk) -> None:
    talk.user("what do you think").reply(FIXTURE).user("ok").reply("Shall I?")
    assert not agreed(talk)


@pytest.mark.parametrize("answer", ["ok option 2", "2", "the second one", "the latter", "let's go with option 2"])
def test_the_option_that_is_picked_of_a_row_is_the_decision_and_the_others_are_rejected(
    talk: Talk, answer: str
) -> None:
    talk.user("how do we delete customers").reply(OPTIONS).user(answer).edited("db/models.py")
    (draft,) = agreed(talk)
    assert draft.wording == "hard delete plus an anonymised audit row"
    assert [(part.name, part.text) for part in draft.parts] == [
        ("decided", "hard delete plus an anonymised audit row"),
        ("rejected", "soft delete with `deleted_at`"),
    ]


def test_three_options_in_a_row_are_told_apart(talk: Talk) -> None:
    talk.user("how").reply("There are three ways: a cron job, a queue worker, or a database trigger.")
    talk.user("the first").edited("jobs.py")
    (draft,) = agreed(talk)
    assert draft.wording == "a cron job"
    assert [part.text for part in draft.parts if part.name == "rejected"] == ["a queue worker", "a database trigger"]


def test_options_in_chinese_are_told_apart(talk: Talk) -> None:
    talk.user("怎么删").reply("有两个方案：软删除并加 `deleted_at`，或者硬删除并保留匿名审计行。").user(
        "选第二个"
    ).edited("db.py")
    (draft,) = agreed(talk)
    assert draft.wording == "硬删除并保留匿名审计行"


def test_an_option_that_was_not_named_picks_nothing(talk: Talk) -> None:
    talk.user("how do we delete customers").reply(OPTIONS).user("option 3").edited("db/models.py")
    assert not agreed(talk)


def test_what_a_person_changes_of_a_proposal_stands_with_it(talk: Talk) -> None:
    talk.user("why does it hang").reply("It has no timeout. I'd add `timeout=5` and retry twice.")
    talk.user("yeah do that, but 3 retries, the printer needs 10 s to wake up").edited("print.py").reply("Done.")
    (draft,) = decisions.find(Thread(talk.transcript()))
    assert "3 retries" in draft.text
    assert "timeout=5" in draft.text


@pytest.mark.parametrize(
    ("told", "answer"),
    [
        ("The pod was killed: its limit is 256 MB and the cache needs 400 MB.", "raise it to 512 then"),
        ("A cursor (`PgCursor`) keeps the order.", "use the cursor"),
        ("A counter row per year, locked with `FOR UPDATE`, is gapless.", "do the counter row"),
        ("超时是 3 秒，后端有时要 8 秒。", "改成 10 秒"),
    ],
)
def test_what_is_given_a_figure_or_taken_up_by_name_is_told_with_what_it_was_said_of(
    talk: Talk, told: str, answer: str
) -> None:
    talk.user("what is the matter").reply(told).user(answer).edited("deploy.yaml").reply("Done.")
    assert any(told in one.body and answer in one.body for one in distill(talk.transcript()).candidates)


def test_a_name_that_the_reply_does_not_have_takes_up_nothing(talk: Talk) -> None:
    talk.user("what now").reply("A cursor keeps the order.").user("use the lamp").edited("export.py")
    assert not agreed(talk)


@pytest.mark.parametrize(
    ("proposed", "answer"),
    [
        ("I'd add `timeout=5` and retry twice.", "yeah do that, but 3 retries, the printer is slow to wake up"),
        ("Propongo un refresh token con cookie httpOnly de 7 días.", "vale, pero 30 días, los comerciales entran poco"),
        ("建议用 Excel（openpyxl），数字格式不会丢，打开也不乱码。", "好，但文件名要带上日期"),
    ],
)
def test_a_proposal_that_is_changed_is_told_before_what_changes_it(talk: Talk, proposed: str, answer: str) -> None:
    talk.user("what now").reply(proposed).user(answer).edited("print.py").reply("Done.")
    (found,) = [one for one in distill(talk.transcript()).candidates if one.kind == "decision"]
    assert found.body == f"{proposed} ({answer})"


def test_a_session_of_few_words_leaves_behind_what_was_agreed(talk: Talk) -> None:
    talk.user("how do we delete customers").reply(OPTIONS).user("ok option 2").edited("db/models.py").reply("Done.")
    (found,) = distill(talk.transcript()).candidates
    assert found.kind == "decision"
    assert found.title == "hard delete plus an anonymised audit row"
