from __future__ import annotations

import pytest

from memd.distill.distill import distill
from memd.distill.overtaken import closed_later, gone, overtaken
from memd.distill.thread import Thread
from memd.model import ToolCall
from tests.unit.distill.talk import Talk


def left(talk: Talk) -> list[str]:
    """What the session said and did not overtake."""
    thread = Thread(talk.transcript())
    past = overtaken(thread)
    return [one.text for one in thread.statements if one not in past]


def asked(talk: Talk, question: str, answer: str) -> Talk:
    call = ToolCall("q", "AskUserQuestion", "other", "{}", True, output=f'"{question}"="{answer}"')
    return talk.reply("", call)


def test_a_sentence_about_the_removal_itself_stays(talk: Talk) -> None:
    talk.user("delete the research folder, do not archive it").reply("The research folder is deleted.")
    assert overtaken(Thread(talk.transcript())) == frozenset()


@pytest.mark.parametrize(
    "wish",
    [
        "Let's drop the kelpack binding from the default build, keep it behind the nokelpack tag.",
        "please remove the kelpack binding, nobody uses it",
        "get rid of the kelpack binding then",
        "we are moving away from the kelpack binding",
    ],
)
def test_a_removal_that_a_person_wanted_is_not_overtaken_by_the_report_of_it(talk: Talk, wish: str) -> None:
    talk.user("how large is it").reply("21 MB.").user(wish).edited("build.py")
    talk.reply("The kelpack binding is removed from the default build.")
    assert wish in left(talk)


def test_a_removal_that_a_person_wanted_is_one_decision_with_all_that_was_said(talk: Talk) -> None:
    talk.user("how large is the binary").reply("It is 21 MB.")
    talk.user(
        "Let's drop the kelpack binding from the default build, it pulls in 3 MB. Keep it behind the nokelpack tag."
    )
    talk.edited("build.py").reply("The kelpack binding is removed from the default build.").user("ok").reply("Good.")
    (fact,) = (one for one in distill(talk.transcript()).candidates if one.kind == "decision")
    assert "drop the kelpack binding" in fact.body
    assert "nokelpack tag" in fact.body


def test_what_is_gone_is_read_in_several_languages() -> None:
    assert list(gone("The retry queue was removed.")) == [frozenset(("retry", "queue"))]
    assert list(gone("Replaced it with a lamp table.")) == []
    assert list(gone("**IEEE Sembolleri Kaldırıldı**")) == [frozenset(("ieee", "sembolleri"))]
    assert any("httpx" in named for named in gone("`httpx-sse` 제거"))


NOT_YET = [
    "The gauge offset is not verified yet, it needs the log of the next flood.",
    "I couldn't check the state of the buoys from here.",
    "The nightly build is still running.",
    "水位的偏移尚未确认，要等下一次日志。",
    "검증이 진행 중입니다: 부표 상태",
    "Der Pegel ist nicht geprüft.",
    "ожидает следующего журнала приливов",
]


@pytest.mark.parametrize("text", NOT_YET)
def test_what_was_not_known_yet_counts_at_the_end_of_a_session_only(talk: Talk, text: str) -> None:
    talk.user("look at the gauge").reply(text)
    assert text in left(talk)
    talk.user("go on").reply("Read the flood log.").user("and?").reply("The offset is right, the log shows 4 cm.")
    assert text not in left(talk)


CAUSES = {
    "the gauge still shows the wrong level": "The problem was caused by the cached offset in `gauge.py`.",
    "again the same error": "The root cause is the cached offset in `gauge.py`.",
    "还是报错，一样的问题": "原因是 `gauge.py` 里缓存的偏移。",
    "immer noch der Fehler": "Die Ursache ist der Zwischenspeicher in `gauge.py`.",
    "hâlâ hata veriyor": "Sorunun nedeni `gauge.py` içindeki önbellek.",
}


@pytest.mark.parametrize("still", CAUSES)
def test_a_cause_after_which_all_is_as_before_was_none(talk: Talk, still: str) -> None:
    talk.user("the level is wrong").edited("gauge.py", CAUSES[still])
    talk.user(still).edited("poll.py", "The actual cause is the timer in `poll.py`, it is read twice.")
    assert CAUSES[still] not in left(talk)
    assert "The actual cause is the timer in `poll.py`, it is read twice." in left(talk)


def test_a_cause_stays_when_another_thing_goes_wrong_or_no_other_cause_is_found(talk: Talk) -> None:
    cause = "The problem was caused by the cached offset in `gauge.py`."
    talk.user("the level is wrong").edited("gauge.py", cause)
    assert cause in left(talk.user("the gauge still shows an error").reply("I do not know why."))
    talk.messages[2:] = []
    talk.user("now the buoys are broken").edited("buoy.py", "The cause was a missing buoy in `buoy.py`.")
    assert cause in left(talk)


@pytest.mark.parametrize(
    ("answer", "after", "over"),
    [
        ("Put it on hold", "PR #412 is closed, #420 replaces it.", True),
        ("Park it", "Merged #412 into main.", True),
        ("保留", "PR #412 已关闭。", True),
        ("보류", "PR #412를 닫았습니다.", True),
        ("Put it on hold", "PR #420 is closed.", False),
        ("Put it on hold", "#412 has two reviews now.", False),
        ("Rebase it", "PR #412 is closed.", False),
    ],
)
def test_what_was_put_on_hold_is_over_when_it_was_closed_or_merged(
    talk: Talk, answer: str, after: str, over: bool
) -> None:
    asked(talk.user("go through the requests"), "What shall become of PR #412 (kelp 2.0)?", answer)
    talk.user("go on").reply(after)
    thread = Thread(talk.transcript())
    words = f"{answer} (What shall become of PR #412 (kelp 2.0)?)"
    assert closed_later(thread, thread.statements[0], words) is over
    assert any(answer in one.body for one in distill(talk.transcript()).candidates) is not over


def test_a_command_that_closes_a_request_ends_its_being_on_hold(talk: Talk) -> None:
    asked(talk.user("go through the requests"), "What shall become of PR #412?", "Put it on hold")
    talk.user("close it after all").ran("gh pr close 412 --comment 'see the other one'").reply("Done.")
    assert not any("on hold" in one.body for one in distill(talk.transcript()).candidates)


def test_what_a_person_undid_with_the_hosts_command_holds_no_longer(talk: Talk) -> None:
    talk.user("can the gauge check be quicker?").edited("guard.py", "The guard keeps the keys in `keycache` now.")
    talk._say("user", "command", "/undo")
    assert left(talk) == ["can the gauge check be quicker?"]


def test_another_command_of_the_host_undoes_nothing(talk: Talk) -> None:
    talk.user("make it quicker").edited("guard.py", "The guard keeps the keys in `keycache` now.")
    talk._say("user", "command", "/clear")._say("user", "command", "/undo the last file only please")
    assert left(talk) == ["make it quicker", "The guard keeps the keys in `keycache` now."]


@pytest.mark.parametrize(
    "told", ["lets abort, the office does it itself", "never mind", "算了，办公室自己做", "отмена"]
)
def test_what_a_person_calls_off_ends_what_was_begun_and_what_led_to_it(talk: Talk, told: str) -> None:
    talk.user("look at the pier clash. never push to main").reply("The gauge has to keep its own keel column.")
    talk.user("yeah go").edited("pier.py", "The keel column is kept by the gauge now.").user(told).reply("Stopped.")
    assert left(talk)[:2] == ["never push to main", "yeah go"]
    assert not any("keel" in text for text in left(talk))


@pytest.mark.parametrize(
    "told", ["cancel the timer when the gauge is closed", "drop it into the keel folder", "forget me not"]
)
def test_who_speaks_of_one_thing_calls_nothing_else_off(talk: Talk, told: str) -> None:
    talk.user("look at the pier clash").reply("The gauge has to keep its own keel column.").user(told).reply("Done.")
    assert "The gauge has to keep its own keel column." in left(talk)


def test_what_was_called_off_for_a_reason_is_kept(talk: Talk) -> None:
    talk.user("merge the pier branch").edited("pier.py", "Merged the keel column.")
    talk.user("let's abort, the office does it itself").reply("OK.")
    found = [one.body for one in distill(talk.transcript()).candidates]
    assert "let's abort, the office does it itself" in found
    assert not any("keel" in body for body in found)


def test_a_cause_on_the_way_to_another_one_was_a_guess(talk: Talk) -> None:
    talk.user("why is the level wrong?").ran("cat gauge.py", text="The problem is the cached offset in `gauge.py`.")
    talk.ran("cat poll.py", text="The root cause is the timer in `poll.py`: it fires twice.")
    assert left(talk)[1:] == ["The root cause is the timer in `poll.py`: it fires twice."]


def test_two_causes_with_a_change_between_them_are_two_troubles(talk: Talk) -> None:
    talk.user("why is the level wrong?").edited("gauge.py", "The problem is the cached offset in `gauge.py`.")
    talk.edited("poll.py", "The root cause of the rest is the timer in `poll.py`: it fires twice.")
    assert len(left(talk)) == 3


def test_a_prompt_that_was_interrupted_and_put_anew_counts_as_it_was_put_last(talk: Talk) -> None:
    talk.user("add the keel and berth gauges to `pier.toml`").user("add the keel and berth gauges to `pier.toml`, v2")
    assert left(talk.edited("pier.toml", "Added.")) == ["add the keel and berth gauges to `pier.toml`, v2", "Added."]


def test_a_prompt_that_nobody_answered_stays_where_the_next_is_about_something_else(talk: Talk) -> None:
    talk.user("the gauge is read every 20 minutes, never more often").user("and look at the berth list")
    assert len(left(talk)) == 2


def test_what_the_model_could_not_reach_counts_at_the_end_of_a_session_only(talk: Talk) -> None:
    text = "I wasn’t able to find a tide server in this harbour."
    talk.user("read the tides").reply(text)
    assert text in left(talk)
    talk.user("install it").reply("Installed.").user("again").reply("The tides are read.")
    assert text not in left(talk)


@pytest.mark.parametrize(
    "said",
    [
        "The push was refused because `gh` is not authenticated.",
        "L'envoi est bloqué car `gh` est non authentifié.",
        "Der Push ging nicht, `gh` ist nicht angemeldet.",
        "推送失败，`gh` 未登录。",
        "`gh` にログインしていません。",
    ],
)
def test_who_was_not_logged_in_in_the_midst_of_a_session_is_nothing_to_be_known(talk: Talk, said: str) -> None:
    talk.user("push it").reply(said)
    assert said in left(talk)
    talk.user("I logged in").reply("It is pushed.").user("thanks").reply("Good.")
    assert said not in left(talk)


def test_a_default_is_over_when_a_later_exchange_gave_the_thing_another_one(talk: Talk) -> None:
    said = "By default `setShared` lets anyone view the plan."
    talk.user("who sees it?").reply(said)
    assert said in left(talk)
    talk.user("everybody shall edit it").edited("plan.py", "Changed: `setShared` lets anyone edit by default now.")
    assert said not in left(talk)


def test_what_the_real_problem_was_not_about_is_no_cause(talk: Talk) -> None:
    said = "The harbour parser was swapped for the berth reader, that explains it."
    talk.user("why is it empty?").reply(said).user("still empty")
    talk.reply("I found the real problem - it's not about harbour parser vs berth reader at all!")
    assert said not in left(talk)


@pytest.mark.parametrize(
    "word", ["sorry wrong chat. ignore last message", "oops, wrong window", "发错窗口了，忽略上一条消息"]
)
def test_what_was_meant_for_another_conversation_is_overtaken(talk: Talk, word: str) -> None:
    talk.user("the lamp needs a retry").reply("It retries three times.")
    talk.user("rename the staging bucket to tide-staging").reply("The bucket is called tide-staging from now on.")
    talk.user(word).reply("Ignored.")
    assert not any("tide-staging" in one for one in left(talk))
    assert "It retries three times." in left(talk)
