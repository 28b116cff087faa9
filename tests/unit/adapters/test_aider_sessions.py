"""Histories that grow: each turn is told as far as it has come, and counted once."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memd.adapter import Cursor, Event, ReadLimits, Source
from memd.errors import TranscriptError
from memd.fold import fold, read_all
from memd.model import Transcript
from memd_adapters.aider import ADAPTER
from memd_adapters.aider_edits import Block, blocks_of
from memd_adapters.aider_lines import Reader
from memd_adapters.aider_times import input_times, local_ms

HEADER = "\n# aider chat started at 2026-08-11 16:05:42\n\n> /usr/bin/aider  \n> Aider v0.86.2  \n\n"


@pytest.fixture
def history(tmp_path: Path) -> Path:
    (tmp_path / "harbor").mkdir()
    return tmp_path / "harbor" / ".aider.chat.history.md"


def told(path: Path, batch_bytes: int = 4 << 20) -> tuple[Transcript, ...]:
    return fold("aider", read_all(ADAPTER, Source("aider", path), ReadLimits(batch_bytes=batch_bytes))[0])


def write(path: Path, text: str) -> None:
    with path.open("ab") as file:
        file.write(text.encode())


def test_a_turn_is_told_while_it_goes_on(history: Path) -> None:
    events: list[Event] = []
    cursor: Cursor | None = None
    for text in (HEADER, "#### name the pier  \n", "\nIt is ", "named.\n", "\n> Applied edit to a.md  \n", "\nDone.\n"):
        write(history, text)
        batch = ADAPTER.read(Source("aider", history), cursor, ReadLimits())
        cursor = batch.cursor
        events += batch.events
    (transcript,) = fold("aider", events)
    assert [message.text for message in transcript.messages] == ["name the pier", "It is named.", "Done."]
    assert transcript.messages[1].tool_calls[0].changes[0].path == "a.md"
    assert cursor is not None
    assert cursor.size == history.stat().st_size
    assert ADAPTER.read(Source("aider", history), cursor, ReadLimits()).events == ()


def test_a_last_line_without_its_newline_is_the_models_last_word(history: Path) -> None:
    write(history, HEADER + "#### name the pier  \n\nIt is named.\nThe sign is up")
    assert [message.text for message in told(history)[0].messages] == ["name the pier", "It is named.\nThe sign is up"]


@pytest.mark.parametrize("line", ["#### and pai", "> Applied edit to quay", "# aider chat st", "_Applied edit to q"])
def test_a_last_line_that_may_become_something_else_is_waited_for(history: Path, line: str) -> None:
    write(history, HEADER + f"#### name the pier  \n\nIt is named.\n{line}")
    (transcript,) = told(history)
    assert [message.text for message in transcript.messages] == ["name the pier", "It is named."]
    assert [message.tool_calls for message in transcript.messages] == [(), ()]


def test_what_was_read_before_the_turn_at_hand_is_not_read_again(history: Path) -> None:
    write(history, HEADER + "".join(f"#### turn {number}  \n\nanswer {number}\n\n" for number in range(50)))
    first = ADAPTER.read(Source("aider", history), None, ReadLimits())
    write(history, "#### one more  \n")
    second = ADAPTER.read(Source("aider", history), first.cursor, ReadLimits())
    assert second.lines < 8
    assert [message.text for message in fold("aider", second.events)[0].messages] == [
        "turn 49",
        "answer 49",
        "one more",
    ]


def test_the_same_session_has_the_same_id_wherever_the_work_tree_lies(tmp_path: Path) -> None:
    ids = []
    for home in ("a", "b/c"):
        path = tmp_path / home / "harbor" / ".aider.chat.history.md"
        path.parent.mkdir(parents=True)
        write(path, HEADER + "#### hello  \n")
        ids.append(told(path)[0].session.native_id)
    assert ids[0] == ids[1]


def test_headers_of_the_same_second_are_sessions_of_their_own(history: Path) -> None:
    write(history, f"{HEADER}#### one  \n{HEADER}#### two  \n")
    assert len({transcript.session.native_id for transcript in told(history)}) == 2


def test_a_rewritten_history_begins_again_and_adds_nothing(history: Path) -> None:
    write(history, HEADER + "#### one  \n\nanswer\n\n#### two  \n")
    first = ADAPTER.read(Source("aider", history), None, ReadLimits())
    content = history.read_bytes()
    history.unlink()
    history.write_bytes(b"# older words of somebody's\n\n" + content)
    second = ADAPTER.read(Source("aider", history), first.cursor, ReadLimits())
    assert second.restarted
    assert fold("aider", [*first.events, *second.events]) == fold("aider", first.events)


def test_cecli_is_read_as_aider(tmp_path: Path) -> None:
    path = tmp_path / "dock" / ".cecli" / "chat.history"
    path.parent.mkdir(parents=True)
    write(path, "\n# cecli chat started at 2026-10-02 09:33:09\n\n> cecli  \n\n#### tie up  \n\n")
    write(path, "> Output from make\nok  \n\nTied.\n")
    (transcript,) = told(path)
    assert [(message.kind, message.text) for message in transcript.messages] == [
        ("prompt", "tie up"),
        ("reply", ""),
        ("reply", "Tied."),
    ]
    assert transcript.messages[1].tool_calls[0].input == '{"command":"make"}'
    assert transcript.session.cwd == str(tmp_path / "dock")


def test_a_text_without_a_header_is_no_history(history: Path) -> None:
    write(history, "#### hello  \n\nworld\n")
    with pytest.raises(TranscriptError, match="is no history of aider"):
        ADAPTER.read(Source("aider", history), None, ReadLimits())


def test_words_have_the_times_of_the_input_history(history: Path) -> None:
    write(history, HEADER + "#### yes  \n\nok\n\n#### yes  \n\nok\n\n#### never typed  \n")
    write(
        history.with_name(".aider.input.history"),
        "\n# 2026-08-10 10:00:00.000000\n+yes\n\n# 2026-08-11 16:06:00.500000\n+yes\n\n# 2026-08-11 16:07:00\n+yes\n",
    )
    times = [message.at for message in told(history)[0].messages if message.kind == "prompt"]
    assert times == [local_ms("2026-08-11 16:06:00.500"), local_ms("2026-08-11 16:07:00"), None]


def test_input_of_several_lines_is_one(tmp_path: Path) -> None:
    path = tmp_path / ".aider.input.history"
    write(path, "\n# 2026-08-11 16:06:00.000000\r\n+one\r\n+\r\n+two\r\n\n# no time\n+lost\n")
    assert input_times(path) == {"one\n\ntwo": [local_ms("2026-08-11 16:06:00")]}
    assert input_times(tmp_path / "none") == {}


def test_blocks_of_several_ages_are_found_with_their_files() -> None:
    text = (
        "src/a.py\n```python\n<<<<<<< SEARCH\nx\n=======\ny\nz\n>>>>>>> REPLACE\n```\n\n"
        "**src/b.py**\n<<<<<<< HEAD\n=======\nnew\n>>>>>>> updated\n\n"
        "```diff\n--- a/c.py\n+++ b/c.py\n@@ @@\n-old\n+new\n```\n"
    )
    assert blocks_of(text) == (
        Block("src/a.py", "x", "y\nz"),
        Block("src/b.py", "", "new"),
        Block("c.py", "old", "new"),
    )
    assert blocks_of("<<<<<<< SEARCH\nnever closed") == ()


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("#### words  ", "user"),
        ("####   ", "user"),
        ("#### Heading of the model's", "text"),
        ("> Applied edit to a.py  ", "tool"),
        ("> Applied edit to a.py", "text"),
        ("> a quotation", "text"),
        ("#### Add file to the chat? (Y)es/(N)o/(A)ll/(S)kip all/(D)on't ask again [Yes]: all  ", "tool"),
        ("#### Run shell command? (Y)es/(N)o/(D)on't ask again [Yes]: skip  ", "tool"),
        ("#### Create new file? (Y)es/(N)o [No]: maybe  ", "tool"),
        ("#### Why does it ask (Y)es/(N)o [Yes]: and never stop?  ", "user"),
        ("#### Add file to the chat?  ", "user"),
        ("# aider chat started at 2026-08-11 16:05:42", "header"),
        ("# aider chat started at 2026-08-11 16:05:42 or so", "text"),
        ("", "blank"),
    ],
)
def test_two_spaces_tell_who_speaks(line: str, kind: str) -> None:
    reader = Reader()
    for before in ("# aider chat started at 2026-08-11 16:05:41", "> /usr/bin/aider  ", "#### first  ", ""):
        reader.tell(before)
    assert reader.tell(line)[0] == kind


LINES = st.lists(
    st.sampled_from([
        "#### words  ", "####   ", "#### /run ls  ", "#### Heading", "text", "", "> Applied edit to a.py  ", "> quoted",
        "> Commit 0ada123 done  ", "> # 1 SEARCH/REPLACE block failed", "```", "<<<<<<< SEARCH", "=======",
        ">>>>>>> REPLACE", "> Running ls  ", "# aider chat started at 2026-08-11 16:05:42", "a.py",
    ]),
    max_size=40,
)  # fmt: skip


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=LINES, seed=st.integers(0, 1000))
def test_whatever_was_read_in_between_the_end_is_the_same(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], seed: int
) -> None:
    path = tmp_path_factory.mktemp("home") / ".aider.chat.history.md"
    chance = random.Random(seed)
    content = (HEADER + "\n".join([*lines, ""])).encode()
    path.write_bytes(b"")
    events: list[Event] = []
    cursor: Cursor | None = None
    at = 0
    while at < len(content):
        step = chance.randint(1, 60)
        with path.open("ab") as file:
            file.write(content[at : at + step])
        at += step
        more = True
        while more:
            batch = ADAPTER.read(Source("aider", path), cursor, ReadLimits(batch_bytes=chance.choice((1, 50, 4096))))
            events += batch.events
            cursor, more = batch.cursor, batch.more
    assert fold("aider", events) == told(path) == told(path, 1)


@pytest.mark.parametrize("pasted", ["word " * 20_000, "x" * 90_000, '"' * 90_000, "\\" * 90_001])
@pytest.mark.parametrize("batch_bytes", [1, 4 << 20])
def test_the_beginning_of_an_overlong_line_is_kept(history: Path, pasted: str, batch_bytes: int) -> None:
    write(history, HEADER + f"#### fix this: {pasted}  \n#### and tell me why  \n\n{pasted}\nIt was the tide.\n")
    write(history, "\n#### next  \n")
    limits = ReadLimits(batch_bytes=batch_bytes, line_bytes=8000)
    events, skipped = read_all(ADAPTER, Source("aider", history), limits)
    (transcript,) = fold("aider", events)
    prompt, reply, last = transcript.messages
    assert prompt.text.startswith("fix this: ")
    assert prompt.text.endswith("bytes in all]\nand tell me why")
    assert reply.text.endswith("It was the tide.")
    assert (prompt.kind, reply.kind, last.text) == ("prompt", "reply", "next")
    assert skipped["long strings cut"] >= 2


TOLD_IN_LINES = (
    "> For the best web scraping, install Playwright:\n\n/usr/bin/python -m pip install it\n\nSee the pages.  \n",
    "> # Make sure that it is there\ncd client  \nnpm install openai  \nnpm start\nto be sure  \n",
    "> usage: git [-v | --version]\n           [--exec-path]\n\nThese are common  \n",
)


@pytest.mark.parametrize("lines", TOLD_IN_LINES)
@pytest.mark.parametrize("before", ["#### /git  \n", "#### go on  \n\nI go on.\n\n> Tokens: 2k sent, 9 received.  \n"])
def test_what_aider_says_in_lines_is_not_the_models(history: Path, lines: str, before: str) -> None:
    write(
        history, f"{HEADER}{before}{lines}> Run shell commands? (Y)es/(N)o [Yes]: n  \n\n> A quotation\n\nof its own.\n"
    )
    (transcript,) = told(history)
    assert [message.text for message in transcript.messages if message.kind == "reply"][-1].endswith(
        "> A quotation\n\nof its own."
    )
    assert not any(
        word in message.text for message in transcript.messages for word in ("npm", "pip", "common", "shell")
    )
