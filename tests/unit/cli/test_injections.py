"""`memd injections`: the ledger as people read it."""

from __future__ import annotations

import json

from memd.doors.cli.columns import width
from memd.operations.injection_answers import HitRateAnswer, InjectedAnswer, InjectionAnswer, InjectionsAnswer
from tests.unit.cli.conftest import CommandLine, StubDaemon
from tests.unit.cli.samples import AT, HOSTILE, UID, plain, status

RATES = (HitRateAnswer("wakeup", 3, 900, 12, 10, 4, 0.4, AT), HitRateAnswer("prompt", 1, 90, 1, 0, 0, None, AT))


def _answer(title: str) -> InjectionsAnswer:
    facts = (
        InjectedAnswer(UID, title, 0.83, True, "`make unit`"),
        InjectedAnswer(UID, "Never moor at night", None, False, None),
        InjectedAnswer(UID, "Ask first", None, None, None),
    )
    entry = InjectionAnswer(
        AT, "codex", UID, "n-1", "/home/ada/harbor", "recovery", "compact", 90, facts, ("a.py", "“Keep it”")
    )
    return InjectionsAnswer((entry,), RATES)


def test_it_tells_what_was_given_why_and_what_of_it_was_used(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["injections.list"] = plain(_answer("Run the tests with make unit"))
    told = memd("injections", "--project", "harbor", "-n", "3").out.replace("\n  ", " ")
    assert "Given at its start: 3 times, 12 facts, 40 % of them used." in told
    assert "Given at a prompt: 1 time, 1 fact, their use is not known yet." in told
    assert "in harbor, after a compaction (compact): 90 tokens" in told
    assert f"- 0.83 Run the tests with make unit ({UID[-10:]}, used: `make unit`)" in told
    assert f"- Never moor at night ({UID[-10:]}, not used)" in told
    assert f"- Ask first ({UID[-10:]})" in told
    assert "- what is known of a.py" in told
    assert "- “Keep it”" in told
    assert daemon.asked[-1] == ("injections.list", {"project": "harbor", "session": None, "limit": 3})


def test_hostile_text_stays_on_its_line_and_within_the_window(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["injections.list"] = plain(_answer(HOSTILE * 20))
    told = memd("injections").out
    assert "\x1b[31m" not in told
    assert all(width(line) <= 100 for line in told.splitlines())


def test_where_nothing_was_given_it_says_so(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["injections.list"] = plain(InjectionsAnswer((), ()))
    told = memd("injections")
    assert (told.status, told.out) == (0, "")
    assert "No session has been given anything yet." in told.err
    assert "Nothing is noted as given there." in memd("injections", "--session", "23456789ab").err


def test_programs_get_the_answer_itself(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["injections.list"] = plain(_answer("x"))
    assert json.loads(memd("injections", "--json").out) == json.loads(json.dumps(plain(_answer("x"))))


def test_the_status_tells_the_hit_rate(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["status"] = plain(status(injections=RATES))
    assert "Given to sessions in 30 days: 13 facts, 40 % of those looked into used" in memd("status").out.replace(
        "\n", " "
    )
