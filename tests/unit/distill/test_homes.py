"""What is distilled names nobody's home folder, and its paths still lead to the files they mean."""

from __future__ import annotations

import pytest

from memd.distill.distill import distill
from memd.distill.refine import Answered, refine
from memd.distill.staleness import changes_of, speaks_of
from memd.model import Distilled
from memd.operations.extracting import drafts_of, given, transcript_of
from memd.operations.items import MessagesParams
from tests.unit.distill.talk import Talk

HOMES = ["/home/ada/harbor/", "/Users/ada/harbor/", "C:\\Users\\ada\\harbor\\", "file:///home/ada/harbor/"]


def texts(distilled: Distilled) -> list[str]:
    """Every text of what was distilled but quotes, which are as they were said, and what the host recorded."""
    facts = [
        text
        for one in distilled.candidates
        for text in (one.title, one.body, one.slot or "", *one.tags, *(part.text for part in one.parts))
    ]
    errors = [text or "" for error in distilled.events.errors for text in (error.text, error.fix)]
    return [*facts, *errors, distilled.summary.title, distilled.summary.text, *distilled.summary.open_ends]


def told(home: str) -> Talk:
    talk = Talk(title=f"Mend {home}lamps.py", cwd=home.rstrip("\\/"))
    talk.user(f"From now on always run `{home}tools/check.sh` before you commit, because {home}lamps.py breaks easily.")
    talk.ran(f"python {home}lamps.py", f"Traceback:\n  File {home}lamps.py\nOSError: {home}lamps.py is gone", ok=False)
    talk.reply(
        f"The root cause was that {home}lamps.py read the dusk in local time; I fixed it by reading it in UTC."
        f" Still open: {home}tides.py does the same."
    )
    return talk


@pytest.mark.parametrize("home", HOMES)
def test_no_distilled_text_names_a_home_folder(home: str) -> None:
    distilled = distill(told(home).transcript())

    said = "\n".join(texts(distilled))
    assert distilled.candidates
    assert "~/harbor" in said
    assert "ada" not in said


def test_quotes_stand_in_what_was_said_word_for_word() -> None:
    talk = told(HOMES[0])

    quotes = [one.quote for fact in distill(talk.transcript()).candidates for one in fact.evidence]

    assert quotes
    assert all(any(quote in message.text for message in talk.messages) for quote in quotes)


def test_neither_do_the_words_of_a_model() -> None:
    transcript = told(HOMES[0]).transcript()
    rule = distill(transcript).candidates
    answer = '[{"candidate": 1, "text": "Always run `/home/ada/harbor/tools/check.sh` before you commit"}]'

    reworded = refine(Answered(transcript, rule, answer)).candidates[0]

    assert reworded.body == "Always run `~/harbor/tools/check.sh` before you commit"


@pytest.mark.parametrize("home", [HOMES[0], HOMES[1], HOMES[2]])
def test_a_fact_is_still_known_to_speak_of_the_file_it_names(home: str, talk: Talk) -> None:
    (fact, *_) = distill(told(home).transcript()).candidates
    talk.edited(f"{home}lamps.py", "def dusk(): pass")

    (change,) = (one for one in changes_of(talk.messages) if one.change == "changed")

    assert speaks_of(fact.body, change.name)
    assert not speaks_of(fact.body.replace("lamps.py", "other.py"), change.name)


def test_events_lead_to_the_files_as_the_host_named_them(talk: Talk) -> None:
    talk.edited("/home/ada/harbor/lamps.py", "b")

    assert distill(talk.transcript()).events.files_changed == ("/home/ada/harbor/lamps.py",)


def test_what_is_given_in_messages_is_treated_alike() -> None:
    params = MessagesParams(text="Remember: the chart of the piers is /home/ada/harbor/piers.svg")
    messages = given(params, 0).messages

    drafts = drafts_of(params, messages, distill(transcript_of(messages)))

    assert drafts
    assert all("ada" not in draft.new.body and "~/harbor/piers.svg" in draft.new.body for draft in drafts)
