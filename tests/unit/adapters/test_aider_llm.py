"""Aider's log of what its model was sent, read where it is all there is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memd.adapter import Cursor, Event, ReadLimits, Source
from memd.fold import fold, read_all
from memd.model import Transcript
from memd_adapters.aider import ADAPTER

RULES = "# Rules:\n\nAnswer in blocks."


def said(role: str, text: str) -> str:
    return "".join(f"{role} {line}\n" for line in text.split("\n"))


def exchange(second: int, answer: str, *messages: tuple[str, str]) -> str:
    request = "".join("-------\n" + said(*message) for message in (("SYSTEM", f"You help.\n{RULES}"), *messages))
    at = f"2026-08-11T16:05:{second:02d}"
    return f"TO LLM {at}\n{request}LLM RESPONSE {at}\n{said('ASSISTANT', answer)}"


EXAMPLE = (("USER", "an example"), ("ASSISTANT", "its answer"))
FILES = (("USER", "I have *added these files to the chat* so you can go ahead and edit them."), ("ASSISTANT", "Ok."))
FIRST = ("USER", f"name the pier\n\nand the quay\n\n{RULES}")
LOG = (
    exchange(1, "It is named.\n\nThe quay too.", *EXAMPLE, *FILES, FIRST)
    + exchange(2, "Mended.", *EXAMPLE, FIRST, ("ASSISTANT", "It is named.\n\nThe quay too."), ("USER", "now the lamps"))
    + exchange(9, "Hello.", *EXAMPLE, ("USER", "another day"))
)
WHOLE = [
    [
        ("prompt", "name the pier\n\nand the quay"),
        ("reply", "It is named.\n\nThe quay too."),
        ("prompt", "now the lamps"),
        ("reply", "Mended."),
    ],
    [("prompt", "another day"), ("reply", "Hello.")],
]


def words(transcripts: tuple[Transcript, ...]) -> list[list[tuple[str, str]]]:
    return [[(message.kind, message.text) for message in transcript.messages] for transcript in transcripts]


def test_a_lone_log_tells_what_was_asked_and_answered_run_by_run(tmp_path: Path) -> None:
    path = tmp_path / ".aider.llm.history"
    path.write_text(LOG)
    source = ADAPTER.recognise(path, path.read_bytes())
    assert source is not None
    transcripts = fold("aider", read_all(ADAPTER, source, ReadLimits())[0])
    assert words(transcripts) == WHOLE
    assert all(message.at is not None for transcript in transcripts for message in transcript.messages)


def test_a_log_beside_a_history_is_no_transcript(tmp_path: Path) -> None:
    path = tmp_path / ".aider.llm.history"
    path.write_text(LOG)
    (tmp_path / ".aider.chat.history.md").touch()
    assert ADAPTER.recognise(path, path.read_bytes()) is None


def test_what_aider_sends_back_of_itself_is_no_prompt(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text(exchange(1, "Again.", ("USER", "# 1 SEARCH/REPLACE block failed to match!\n\nBlock failed.")))
    (told,) = words(fold("aider", read_all(ADAPTER, Source("aider", path), ReadLimits())[0]))
    assert [kind for kind, _ in told] == ["notice", "reply"]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cuts=st.lists(st.integers(0, len(LOG)), max_size=6), batch=st.sampled_from([1, 100, 4 << 20]))
def test_however_it_grew_it_tells_the_same(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[int], batch: int
) -> None:
    path = tmp_path_factory.mktemp("log") / "log"
    events: list[Event] = []
    cursor: Cursor | None = None
    for cut in [*sorted(cuts), len(LOG)]:
        with path.open("ab") as file:
            file.write(LOG.encode()[file.tell() : cut])
        more = True
        while more:
            read = ADAPTER.read(Source("aider", path), cursor, ReadLimits(batch_bytes=batch))
            events += read.events
            cursor, more = read.cursor, read.more
    assert words(fold("aider", events)) == WHOLE
