"""`memd forget`: what holds some words is shown, and deleted only where that is said."""

from __future__ import annotations

import json
from dataclasses import replace

from memd.operations.deleting_answers import WordsForgottenAnswer
from tests.unit.cli.conftest import CommandLine, StubDaemon
from tests.unit.cli.samples import FACT, HOSTILE, plain

ABOUT_HIM = replace(FACT, title="Ask Captain Barnaby")
FOUND = WordsForgottenAnswer(
    applied=False, messages=2, sessions=1, forgotten=(ABOUT_HIM,), kept=1, prompts=0, handoffs=3,
    blocks=("watch",), transcripts=("/home/ada/a.jsonl",), copies=("/home/ada/b.db",),
    entities=1, projects=("barnaby's boat",),
)  # fmt: skip


def test_it_tells_what_holds_the_words_and_where_else_they_stand(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["words.forget"] = plain(FOUND)
    told = memd("forget", "Captain", "Barnaby").out
    assert "Would remove for good: 2 messages in 1 session, 1 fact, 3 handoffs, 1 entity." in told
    assert "(Also in the name or folder of 1 project, which stays: barnaby's boat.)" in told
    assert "Ask Captain Barnaby" in told
    assert "(Also in 1 block of yours, which only you change: watch.)" in told
    assert "/home/ada/a.jsonl" in told
    assert "--copies" in told
    assert told.endswith("Nothing was changed. With --apply it is done.\n")
    assert daemon.asked[-1] == ("words.forget", {"text": "Captain Barnaby", "apply": False, "copies": False})


def test_with_apply_it_is_done_and_said(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["words.forget"] = plain(replace(FOUND, applied=True, clean=True, copies=(), copies_removed=1))
    told = memd("forget", "Captain Barnaby", "--apply", "--copies").out
    assert told.startswith("Removed for good: 2 messages in 1 session, 1 fact, 3 handoffs, 1 entity.\n")
    assert "1 copy of the database of before" in told
    assert "Nothing was changed" not in told
    assert daemon.asked[-1] == ("words.forget", {"text": "Captain Barnaby", "apply": True, "copies": True})


def test_where_nothing_holds_them_it_says_so(memd: CommandLine, daemon: StubDaemon) -> None:
    nothing = WordsForgottenAnswer(False, 0, 0, (), 0, 0, 0, (), (), ())
    daemon.answers["words.forget"] = plain(nothing)
    assert memd("forget", "Captain Barnaby").out.startswith("Nothing holds these words.\n")
    assert json.loads(memd("forget", "Captain Barnaby", "--json").out) == json.loads(json.dumps(plain(nothing)))


def test_words_that_are_none_are_refused(memd: CommandLine, daemon: StubDaemon) -> None:
    told = memd("forget", " ")
    assert (told.status, daemon.asked) == (2, [])
    assert "the words that are to be nowhere any more" in told.err


def test_hostile_words_stay_on_their_line(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["words.forget"] = plain(
        replace(FOUND, forgotten=(replace(FACT, title=HOSTILE * 20),), blocks=(HOSTILE,))
    )
    told = memd("forget", "Captain Barnaby").out
    assert "\x1b[31m" not in told
    assert sum("red" in line for line in told.splitlines()) == 2
