"""The command to test, build or deploy here is the one that proved itself: by use, or where another one failed."""

from __future__ import annotations

import pytest

from memd.distill import commands
from memd.distill.shell import simple_commands
from memd.distill.thread import Thread
from tests.unit.distill.talk import Talk

Ran = tuple[str, bool]


def told(*ran: Ran) -> list[str | None]:
    talk = Talk().user("go")
    for line, ok in ran:
        talk.ran(line, ok=ok, exit_code=0 if ok else 1)
    return [draft.wording for draft in commands.find(Thread(talk.transcript()))]


PROVED: tuple[tuple[tuple[Ran, ...], list[str]], ...] = (
    ((("make test", True),) * 3, ["Test with `make test`."]),
    ((("pytest -q", False), ("make test", True)), ["Test with `make test`."]),
    ((("make test && make build", True),) * 3, ["Test with `make test`.", "Build with `make build`."]),
    ((("npm run build", True),) * 4, ["Build with `npm run build`."]),
)
NOT_PROVED: tuple[tuple[Ran, ...], ...] = (
    (("make test", True),) * 2,
    (("make test", False),) * 5,
    (("make test", True), ("pytest -q", False)),  # what failed came after
    (("make test", False), ("make test", True)),  # the same one, mended
    (("ls src", True),) * 5,
    (("make fmt", True),) * 3,
)


@pytest.mark.parametrize(("ran", "expected"), PROVED)
def test_a_command_that_proved_itself_is_told(ran: tuple[Ran, ...], expected: list[str]) -> None:
    assert told(*ran) == expected


@pytest.mark.parametrize("ran", NOT_PROVED)
def test_one_that_did_not_is_none(ran: tuple[Ran, ...]) -> None:
    assert told(*ran) == []


def test_it_fills_the_slot_of_its_purpose() -> None:
    talk = Talk().user("go").ran("make test").ran("make test").ran("make test")
    (draft,) = commands.find(Thread(talk.transcript()))
    assert draft.slot == "command:test"
    assert [(part.name, part.text) for part in draft.parts] == [("command", "make test"), ("purpose", "test")]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("pytest tests/unit/test_tide.py -q", "pytest"),
        ("python -m pytest -x tests/a.py", "python -m pytest"),
        ("go test ./...", "go test ./..."),
        ("npm run test -- --watch", "npm run test -- --watch"),
        ("./bin/test.sh", "./bin/test.sh"),
    ],
)
def test_what_changes_from_run_to_run_is_left_out(line: str, expected: str) -> None:
    (part,) = simple_commands(line)
    assert commands.general(part) == expected
