from __future__ import annotations

import random

from memd.adapter import ChainLink, Event, FileChange, MessagePart, SessionUpdate, ToolResult, ToolUse, Withdrawn
from memd.fold import fold
from memd.model import ChangedFile, Transcript


def part(key: str, seq: int, text: str = "", **fields: object) -> MessagePart:
    known: dict[str, object] = {"session": "s", "message": key, "role": "user", "kind": "prompt", "at": seq} | fields
    return MessagePart(part=key, seq=seq, text=text, **known)  # type: ignore[arg-type]


def reply(key: str, seq: int, text: str = "", **fields: object) -> MessagePart:
    return part(key, seq, text, role="assistant", kind="reply", **fields)


def only(events: list[Event]) -> Transcript:
    (transcript,) = fold("claude_code", events)
    return transcript


def test_parts_of_a_message_are_joined_in_their_order() -> None:
    events: list[Event] = [
        reply("b", 2, "second", message="m"),
        reply("a", 1, "first", message="m", thinking="hm"),
        reply("c", 3, "", message="m"),
    ]
    (message,) = only(events).messages
    assert (message.key, message.seq, message.text, message.thinking) == ("m", 1, "first\n\nsecond", "hm")


def test_a_part_counts_once_unless_it_replaces() -> None:
    assert only([part("a", 1, "x"), part("a", 9, "y")]).messages[0].text == "x"
    assert only([part("a", 1, "x"), part("a", 1, "y", replace=True)]).messages[0].text == "y"


def test_a_result_finds_its_call_whichever_comes_first() -> None:
    call: Event = reply("a", 1, tool_calls=(ToolUse("t", "Bash", "shell", "{}"),))
    came: Event = ToolResult("s", "t", "r", 2, True, "out", exit_code=0, changes=(FileChange("/a", "update", 1, 2),))
    for events in ([call, came], [came, call]):
        (used,) = only(events).messages[0].tool_calls
        assert (used.ok, used.exit_code, used.output, used.output_chars) == (True, 0, "out", 3)
        assert used.changes == (ChangedFile("/a", "update", 1, 2),)


def test_a_result_without_its_call_is_kept() -> None:
    (message,) = only([ToolResult("s", "t", "r", 2, False, "lost", at=7)]).messages
    assert (message.kind, message.at, message.tool_calls[0].output) == ("notice", 7, "lost")


def test_of_two_calls_with_one_id_the_newer_gets_the_result() -> None:
    use = ToolUse("t", "Bash", "shell", "{}")
    events: list[Event] = [
        reply("a", 1, tool_calls=(use,)),
        reply("b", 2, tool_calls=(use,)),
        ToolResult("s", "t", "r", 3, True, "out"),
    ]
    assert [message.tool_calls[0].output for message in only(events).messages] == ["", "out"]


def test_a_rewind_abandons_from_the_first_prompt_between() -> None:
    events: list[Event] = [
        part("p1", 1),
        ChainLink("s", "link", 2, "p1"),
        reply("r1", 3, parent="link"),
        part("p2", 4, parent="r1"),
        reply("r2", 5, parent="p2"),
        part("p3", 6, parent="link"),
    ]
    assert {message.key: message.abandoned for message in only(events).messages} == {
        "p1": False,
        "r1": False,
        "p2": True,
        "r2": True,
        "p3": False,
    }


def test_withdrawn_messages_are_kept_and_marked() -> None:
    events: list[Event] = [part("p1", 1), part("p2", 2), Withdrawn("s", ("p2",))]
    assert [message.abandoned for message in only(events).messages] == [False, True]


def test_shared_history_belongs_to_the_session_it_began_in_whatever_comes_first() -> None:
    origin: list[Event] = [SessionUpdate("s", started_at=1), part("p1", 1, "one"), reply("r1", 2, "two")]
    fork: list[Event] = [
        SessionUpdate("f", kind="fork", forked_from="s"),
        part("p1", 10, "one", session="f"),
        reply("r1", 20, "two", session="f"),
        part("p2", 30, "own", session="f", at=99),
    ]
    for events in (origin + fork, fork + origin):
        told = {transcript.session.native_id: transcript for transcript in fold("claude_code", events)}
        assert [message.text for message in told["s"].messages] == ["one", "two"]
        assert [message.text for message in told["f"].messages] == ["own"]
        assert (told["f"].session.kind, told["f"].session.started_at) == ("fork", 99)


def test_a_result_read_in_a_fork_finishes_the_call_it_shares() -> None:
    call = (ToolUse("t", "Bash", "shell", "{}"),)
    events: list[Event] = [
        reply("r", 1, tool_calls=call),
        SessionUpdate("f", kind="fork", forked_from="s"),
        reply("r", 1, session="f", tool_calls=call),
        ToolResult("f", "t", "x", 2, True, "late"),
    ]
    first, second = fold("claude_code", events)
    assert first.messages[0].tool_calls[0].output == "late"
    assert second.messages == ()


def test_a_fork_that_rewinds_into_shared_history_leaves_its_origin_alone() -> None:
    events: list[Event] = [
        part("p1", 1),
        part("p2", 2, parent="p1"),
        SessionUpdate("f", kind="fork", forked_from="s"),
        part("p1", 1, session="f"),
        part("p2", 2, session="f", parent="p1"),
        part("p3", 3, session="f", parent="p1"),
    ]
    assert not any(message.abandoned for transcript in fold("claude_code", events) for message in transcript.messages)


def test_what_is_known_of_a_session_is_merged() -> None:
    events: list[Event] = [
        SessionUpdate("s", cwd="/a", title="mine", title_by_user=True, branch="main", started_at=5, model="x"),
        SessionUpdate("s", cwd="/b", title="made up", branch="next", started_at=9),
        SessionUpdate("s", ended_at=20, end_reason="exit", agent="explorer", parent="p", version="1"),
        part("p1", 7, at=8),
    ]
    session = only(events).session
    assert (session.cwd, session.title, session.branch, session.model) == ("/a", "mine", "next", "x")
    assert (session.started_at, session.last_at, session.ended_at, session.end_reason) == (5, 8, 20, "exit")
    assert (session.agent, session.parent, session.version, session.messages) == ("explorer", "p", "1", 1)


def test_a_session_that_only_updates_tell_of_is_none() -> None:
    assert fold("claude_code", [SessionUpdate("s", title="empty")]) == ()


def test_the_order_of_sessions_and_repeats_change_nothing() -> None:
    call = (ToolUse("t", "Bash", "shell", "{}"),)
    events: list[Event] = [
        part("p1", 1, "one", copied_from=None),
        reply("r1", 2, "two", tool_calls=call),
        ToolResult("s", "t", "x", 3, True, "out"),
        part("p1", 1, "one", session="f", copied_from="s"),
        part("p2", 4, "three", session="f"),
    ]
    expected = {transcript.session.native_id: transcript for transcript in fold("claude_code", events)}
    chance = random.Random(3)
    for _ in range(20):
        shuffled = events + chance.sample(events, 3)
        chance.shuffle(shuffled)
        assert {t.session.native_id: t for t in fold("claude_code", shuffled)} == expected
