"""Who asks how something is done here is given the command, and it is kept."""

from __future__ import annotations

import pytest

from memd.distill import howto
from memd.distill.distill import distill
from memd.distill.thread import Thread
from tests.unit.distill.talk import Talk


def commands(talk: Talk) -> list[str]:
    return [draft.anchor.text for draft in howto.find(Thread(talk.transcript()))]


@pytest.mark.parametrize(
    "question",
    [
        "how do i bring up the tide simulator with make?",
        "what's the command to start the simulator",
        "how to run the simulator",
        "模拟器怎么启动？",
        "シミュレータはどうやって起動しますか？",
        "시뮬레이터는 어떻게 실행하나요?",
        "cómo ejecuto el simulador?",
        "comment lancer le simulateur ?",
        "как запустить симулятор?",
    ],
)
def test_the_command_that_answers_a_question_how_is_found(talk: Talk, question: str) -> None:
    talk.user(question).reply("```sh\nmake simulator-up\n```\n\nThat starts the tide simulator on port 7070.")
    assert commands(talk) == ["make simulator-up"]


def test_it_is_kept_as_a_setting_with_what_was_said_of_it(talk: Talk) -> None:
    talk.user("hello").reply("Hello.").user("how do i run the tests of the pier module?")
    talk.reply("There is no target for it. Run the package alone:\n\n```\ngo test ./pier/...\n```")
    (found,) = (one for one in distill(talk.transcript()).candidates if "go test ./pier/..." in one.body)
    assert found.kind == "config"
    assert "There is no target for it." in found.body
    assert [(part.name, part.text) for part in found.parts] == [("command", "go test ./pier/...")]


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("why does the pier test fail?", "Run it alone:\n\n```\ngo test ./pier/...\n```"),
        ("how do i run the tests?", "You could do it like this:\n\n```go\nfunc TestPier(t *testing.T) {}\n```"),
        ("how do i run the tests?", "It looks like this:\n\n```\ncd pier\nls\ngo test ./...\n```"),
        ("how do i run the tests?", "The log says:\n\n```\nTests passed: 12\n```"),
        ("how do i start it?", "I looked at the folder:\n\n```\nls -la\n```"),
    ],
)
def test_nothing_else_is_taken_for_such_a_command(talk: Talk, question: str, reply: str) -> None:
    assert commands(talk.user(question).reply(reply)) == []


def test_a_command_that_the_model_leads_up_to_belongs_to_what_leads_up_to_it(talk: Talk) -> None:
    talk.user("the gauge tests fail").reply("They need the second database. Start it with:\n\n```\nmake gauges-db\n```")
    said = [(one.text, one.block) for one in Thread(talk.transcript()).statements if one.speaker == "assistant"]
    assert said == [("They need the second database.", 0), ("Start it with:", 0), ("make gauges-db", 0)]


def test_what_a_person_pastes_as_code_is_no_command_of_theirs(talk: Talk) -> None:
    talk.user("I ran this:\n\n```\nmake gauges-db\n```\nand it fails")
    assert not any(one.command for one in Thread(talk.transcript()).statements)
