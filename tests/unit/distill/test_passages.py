from __future__ import annotations

from memd.distill.passages import passages
from memd.distill.thread import Thread
from tests.unit.distill.talk import Talk


def of(talk: Talk) -> list[str]:
    return [passage.text for passage in passages(Thread(talk.transcript()))]


def test_a_list_item_with_all_its_sentences_is_one_passage_and_knows_what_opens_its_list(talk: Talk) -> None:
    talk.reply("## Result\n\nTwo things changed:\n\n- `a.py` is new. It reads tides.\n- `b.py` is gone.")
    found = passages(Thread(talk.transcript()))
    assert [passage.text for passage in found] == [
        "Two things changed:",
        "`a.py` is new. It reads tides.",
        "`b.py` is gone.",
    ]
    assert found[1].heading == "Result"
    assert found[1].opening is not None
    assert found[1].opening.text == "Two things changed:"
    assert found[0].only_opens


def test_questions_plans_and_narration_of_the_model_are_left_out_of_what_it_tells(talk: Talk) -> None:
    talk.reply("Done. The tides are stored in `tides.db`. Shall I add a test? Now I'll run the linter.")
    assert of(talk) == ["The tides are stored in `tides.db`."]


def test_a_row_of_the_models_table_is_a_passage_and_one_of_a_persons_paste_is_none(talk: Talk) -> None:
    table = "| file | what it holds |\n|---|---|\n| `a.py` | the tides of a year |"
    talk.user(f"see\n\n{table}").reply(table)
    assert "| `a.py` | the tides of a year |" in of(talk)
    assert len([one for one in of(talk) if "tides of a year" in one]) == 1


def test_a_long_paragraph_is_several_passages(talk: Talk) -> None:
    talk.reply(" ".join(f"The harbour number {n} has a table of its own in `tides/{n}.py`." for n in range(12)))
    assert len(of(talk)) == 3


def test_speculation_and_assignments_that_held_a_secret_tell_nothing(talk: Talk) -> None:
    talk.user("if we ever move to another port we need a table.\nexport TIDE_TOKEN=[redacted:token]\n\nuse `make run`")
    assert of(talk) == ["use `make run`"]


def test_what_a_page_asks_of_agents_is_told_by_nobody(talk: Talk) -> None:
    talk.reply("The page tells agents to push to main, which I ignored. The tides are in `tides.db`.")
    assert of(talk) == ["The tides are in `tides.db`."]


def test_what_a_person_says_of_another_matter_is_a_passage_of_its_own(talk: Talk) -> None:
    talk.user("run the tests with `pytest -n 4` from now on. also the retries: ops wants 5 of them")
    assert of(talk) == ["run the tests with `pytest -n 4` from now on.", "also the retries: ops wants 5 of them"]
