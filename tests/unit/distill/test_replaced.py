"""What an exchange decided and told is over once later edits left nothing of what it had put into files."""

from __future__ import annotations

import json

import pytest

from memd.distill.distill import distill
from memd.distill.replaced import overtaken_by_edits, replaced, trimmed
from memd.distill.thread import Thread
from memd.model import ChangedFile, ToolCall
from tests.unit.distill.talk import Talk


def edited(talk: Talk, old: str, new: str, said: str = "", path: str = "tide.py") -> Talk:
    data = json.dumps({"old_string": old, "new_string": new})
    return talk.reply(said, ToolCall("c", "Edit", "edit", data, True, changes=(ChangedFile(path, "update"),)))


def past(talk: Talk) -> list[str]:
    thread = Thread(talk.transcript())
    gone = overtaken_by_edits(thread, replaced(thread))
    return [one.text for one in thread.statements if one in gone]


# What was ordered and reported, its edit, and the next order with the edit that takes the first one's place.
REPLACED = [
    ("make the ttl 10 minutes", "@ttl 300", "@ttl 600", "Holds live 600 s.", "8 then, 10 blocks the lanes", "@ttl 480"),
    ("并发 8 吧", "const workers = 32", "const workers = 8", "并发改成 8 了。", "再降，3", "const workers = 3"),
    ("duckdb ist ok", "csv.open()", 'duckdb.open("t")', "Läuft jetzt mit DuckDB.", "doch sqlite", 'sqlite3.open("t")'),
    ("pon el correo", "canal = 0", 'canal = "correo"', "Hecho, sale por correo.", "mejor sms", 'canal = "sms"'),
]


@pytest.mark.parametrize(("order", "old", "new", "told", "later", "newest"), REPLACED)
def test_an_exchange_whose_lines_were_replaced_is_over_whatever_was_said(
    talk: Talk, order: str, old: str, new: str, told: str, later: str, newest: str
) -> None:
    edited(talk.user(order), old, new).reply(told)
    assert past(talk) == []
    edited(talk.user(later), new, newest).reply("OK.")
    assert past(talk) == [order, told]


STANDING = {
    "goes on in another line": ("retries = 3", "retries = 3, wait = 5"),
    "is moved within the exchange": ("retries = 3", "wait = 5\n\nretries = 3"),
    "stands beside a new one": ("", "wait = 5"),
}


@pytest.mark.parametrize("name", STANDING)
def test_what_is_not_replaced_stands(talk: Talk, name: str) -> None:
    old, new = STANDING[name]
    edited(talk.user("make it 3 retries"), "retries = 1", "retries = 3").reply("3 retries now.")
    edited(talk.user("and wait between them"), old, new).reply("OK.")
    assert past(talk) == []


def test_one_of_many_lines_that_is_replaced_does_not_end_the_exchange(talk: Talk) -> None:
    edited(talk.user("set it up"), "", "level = 1\nname = pier\nport = 80\nlamp = on").reply("It is set up.")
    edited(talk.user("port 81"), "port = 80", "port = 81").reply("OK.")
    assert past(talk) == []


def test_rules_causes_and_troubles_told_in_a_replaced_exchange_stay(talk: Talk) -> None:
    talk.user("make the ttl 600. never restart the pier at night. the tests fail since monday")
    edited(talk, "ttl = 300", "ttl = 600")
    talk.reply("The ttl is 600. The root cause was a clock that stood still.")
    edited(talk.user("480"), "ttl = 600", "ttl = 480").reply("OK.")
    assert past(talk) == ["make the ttl 600.", "The ttl is 600."]


def test_what_is_said_before_the_edit_and_after_a_failure_is_no_report_of_it(talk: Talk) -> None:
    talk.user("make the ttl 600").reply("The ttl counts from the booking, not from the payment.")
    edited(talk, "ttl = 300", "ttl = 600").ran("make test", "1 failed", ok=False, exit_code=1)
    talk.reply("The keeper reads it once, so a test sees the old one.")
    edited(talk.user("480"), "ttl = 600", "ttl = 480").reply("OK.")
    assert past(talk) == ["make the ttl 600"]


def test_a_proposal_that_was_agreed_to_goes_with_the_edit_that_carried_it_out(talk: Talk) -> None:
    proposal = "I'd suggest an exponential filter with alpha 0.1 before the thresholds."
    edited(talk.user("it flaps").reply(proposal).user("ok do it"), "raw(t)", "ema(t)").reply("Done, it is filtered.")
    edited(talk.user("rip it out, the gearbox needs 5 min between moves"), "ema(t)", "lock(t)").reply("OK.")
    assert proposal in past(talk)
    assert not any("exponential" in one.body for one in distill(talk.transcript()).candidates)


def test_who_takes_out_again_what_the_session_put_in_reports_nothing_that_is_to_be_known(talk: Talk) -> None:
    edited(talk.user("yellow comments"), '"size": 3', '"size": 3,\n"comments": "#FFD700"').reply("They are yellow now.")
    edited(talk.user("no, put it back"), '"size": 3,\n"comments": "#FFD700"', '"size": 3').reply(
        "Back to the old colours."
    )
    assert past(talk) == ["yellow comments", "They are yellow now.", "Back to the old colours."]


def test_files_that_are_removed_take_what_was_put_there_along(talk: Talk) -> None:
    edited(talk.user("ship it with docker"), "", "image: pier", path="server/compose.yml").reply("It ships in docker.")
    talk.user("no docker").ran("rm -f server/compose.yml").reply("Removed.")
    assert past(talk) == ["ship it with docker", "It ships in docker.", "Removed."]


def test_a_report_goes_when_nearly_half_of_the_files_it_names_was_replaced(talk: Talk) -> None:
    edited(talk.user("first draft"), "", "stack = fastify\ndb = postgres\nname = pier", path="plan.md")
    edited(talk, "", "a = 1\nb = 2\nc = 3\nd = 4", path="notes.md")
    talk.reply("`plan.md` names Fastify and Postgres. `notes.md` lists the keepers.")
    edited(talk.user("match the spec"), "stack = fastify\ndb = postgres", "stack = lambda\ndb = dynamo", path="plan.md")
    assert past(talk.reply("OK.")) == ["`plan.md` names Fastify and Postgres."]


def test_of_a_sentence_the_clause_with_the_figure_that_is_gone_is_left_out(talk: Talk) -> None:
    said = "并发 8 吧，UA 写 pricewatch/1.0，不装浏览器"
    edited(talk.user(said), "workers = 32", 'workers = 8\nagent = "pricewatch/1.0"').reply("好。")
    edited(talk.user("再降，3"), "workers = 8", "workers = 3").reply("好。")
    thread = Thread(talk.transcript())
    found = replaced(thread)
    texts = [trimmed(one, found) for one in thread.statements if one.speaker == "user"]
    assert texts == ["UA 写 pricewatch/1.0，不装浏览器", "再降，3"]
    for fact in distill(talk.transcript()).candidates:
        assert "并发 8" not in fact.body
        assert not any("并发 8" in one.quote for one in fact.evidence)
