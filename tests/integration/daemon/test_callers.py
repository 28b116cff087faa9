"""Those who knock at the door: many at once, slow ones, and those who send anything."""

from __future__ import annotations

import contextlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.integration.daemon.daemon_under_test import Home, answers, running, wait_until
from tests.integration.daemon.talk import Talk

FIRST = "0a11ce00-0000-4000-8000-000000000001"
ROOT = Path(__file__).parents[3]
MORE_THAN_ARE_SERVED = 300
OPERATIONS = (
    "search",
    "status",
    "sessions.list",
    "sessions.show",
    "facts.show",
    "wakeup",
    "config.show",
    "hook",
    "fly",
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=8,
)
NAMES = st.sampled_from(("query", "session", "fact", "project", "limit", "host", "event", "bytes", "env", "kinds", "x"))
REQUESTS = st.fixed_dictionaries(
    {}, optional={"op": st.sampled_from(OPERATIONS) | JSON, "params": st.dictionaries(NAMES, JSON, max_size=3) | JSON}
)


def whole_or_empty(out: bytes) -> bool:
    """Whether a host can take what a hook printed."""
    return out == b"" or (out.endswith(b"\n") and "hookSpecificOutput" in json.loads(out))


def test_sixty_four_hooks_at_once_all_succeed(home: Home, project: Path) -> None:
    start = {"hook_event_name": "SessionStart", "cwd": str(project), "source": "startup"}
    with running(home):
        home.hook("SessionStart", FIRST, project, source="startup")
        Talk(home.transcript(FIRST), project).user("Let's use SQLite instead of Postgres, because there is no server.")
        home.hook("SessionEnd", FIRST, project, reason="other")
        wait_until(lambda: bool(home.call("facts.list")), "something to tell")
        hooks = [home.start_hook({**start, "session_id": f"session-{number}"}) for number in range(64)]
        for hook in hooks:
            out, err = hook.communicate(timeout=90)
            assert (hook.returncode, err) == (0, b"")
            assert whole_or_empty(out)
        assert "SQLite" in home.hook("SessionStart", "the-next", project, source="startup")


def test_hooks_are_answered_while_years_are_being_read(home: Home, project: Path) -> None:
    generator = ROOT / "tests" / "bench" / "make_transcripts.py"
    making = [sys.executable, str(generator), str(home.folder / ".claude"), "--mb", "12", "--sessions", "12"]
    subprocess.run(making, check=True, stdout=subprocess.DEVNULL)
    event = {"hook_event_name": "UserPromptSubmit", "cwd": str(project), "prompt": "Where does the anchor lie today?"}
    asked: set[str] = set()
    with running(home):
        while home.call("status")["backfill"]["running"] or not asked:
            session = f"session-{len(asked) + 1}"
            asked.add(session)
            hook = home.start_hook({**event, "session_id": session}, patient=True)
            out, err = hook.communicate(timeout=90)
            assert (hook.returncode, err) == (0, b"")
            assert whole_or_empty(out)
        wait_until(lambda: asked <= noted(home) | spooled(home), "word of every session")


def noted(home: Home) -> set[str]:
    """The sessions that the daemon knows of."""
    return {session["native_id"] for session in home.call("sessions.list", limit=500, empty=True)}


def spooled(home: Home) -> set[str]:
    """The sessions of which hooks that were not heard in time left word for the next start."""
    spool = home.paths.spool_dir / "events.ndjson"
    return {json.loads(line)["session_id"] for line in spool.read_text().splitlines()} if spool.exists() else set()


def test_those_who_say_nothing_keep_nobody_out(home: Home) -> None:
    half_a_hook = b'{"op":"hook","host":"claude_code","bytes":500}\n{"half":'
    beginnings = (b"", b'{"op":') * 5 + (half_a_hook,)
    with running(home), contextlib.ExitStack() as doors:
        for number in range(MORE_THAN_ARE_SERVED):
            door = doors.enter_context(home.connect())
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                door.sendall(beginnings[number % len(beginnings)])
        assert answers(home)
        hook = home.start_hook({"hook_event_name": "Stop", "session_id": FIRST})
        assert hook.communicate(timeout=90) == (b"", b"")
        assert answers(home)


REFUSED = {
    "an empty line": (b"\n", "usage"),
    "two megabytes and no line's end": (b"x" * (2 << 20), "usage"),
    "a huge parameter": (b'{"op":"search","params":{"query":"' + b"y" * (2 << 20) + b'"}}\n', "usage"),
    "a negative size": (b'{"op":"hook","host":"claude_code","bytes":-1}\n', "usage"),
    "a size beyond all": (b'{"op":"hook","host":"claude_code","bytes":99999999999}\n', "usage"),
    "a size that is none": (b'{"op":"hook","host":"claude_code","bytes":true}\n{}', "usage"),
    "a host that is none": (b'{"op":"hook","host":7,"bytes":2}\n{}', "usage"),
    "no object": (b'["op"]\n', "usage"),
    "no such operation": (b'{"op":"no such"}\n', "unknown_operation"),
    "a number for a text": (b'{"op":"search","params":{"query":3}}\n', "bad_parameter"),
    "a number beyond all": (b'{"op":"search","params":{"query":"tide","limit":1e99}}\n', "bad_parameter"),
    "no such parameter": (b'{"op":"status","params":{"nobody":"knows"}}\n', "bad_parameter"),
}
SENSELESS = {
    "half a body": b'{"op":"hook","host":"claude_code","bytes":500}\n{"half":',
    "bytes of no encoding": b'{"op":"hook","host":"claude_code","bytes":5}\n\xff\x00\xff\x00\xff',
    "no object": b'{"op":"hook","host":"claude_code","bytes":4}\nnull',
    "nobody's hook": b'{"op":"hook","host":"nobody","bytes":2}\n{}',
    "deep nesting": b'{"op":"hook","host":"claude_code","bytes":500000}\n' + b'{"a":' * 100_000,
    "nothing": b"",
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_a_request_is_refused_in_one_sentence(what: str, door: Home) -> None:
    sent, code = REFUSED[what]
    error = json.loads(door.raw(sent, lines=1))["error"]
    assert error["code"] == code
    assert "\n" not in error["message"]
    assert answers(door)


@pytest.mark.parametrize("what", SENSELESS)
def test_a_hook_that_makes_no_sense_is_told_nothing(what: str, door: Home) -> None:
    assert door.raw(SENSELESS[what]) == b""
    assert answers(door)


def test_random_bytes_do_no_harm(door: Home) -> None:
    chance = random.Random(7)
    for size in (1, 10, 1000, 100_000, 1_500_000):
        door.raw(chance.randbytes(size))
        door.raw(chance.randbytes(size) + b"\n", lines=1)
    assert answers(door)


def test_whatever_json_is_sent_has_an_answer(door: Home) -> None:
    @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(REQUESTS | JSON)
    def send(request: object) -> None:
        answer = door.raw(json.dumps(request).encode() + b"\n", lines=1)
        if answer:
            document = json.loads(answer)
            assert document["ok"] or document["error"]["code"] in KNOWN_CODES, (request, document)
        else:
            # Only a hook may be told nothing.
            assert isinstance(request, dict)
            assert request["op"] == "hook"

    send()
    assert answers(door)


KNOWN_CODES = {"usage", "unknown_operation", "bad_parameter", "not_found"}


def test_no_query_makes_an_error_or_changes_anything(home: Home, project: Path) -> None:
    chance = random.Random(11)
    pieces = ('"', "NEAR", "NEAR(", "*", "(", ")", "AND", "OR", "NOT", "^", ":", "body:", "😀", "\0", "锚", "tide")
    more = ("-", "'", "\\", "%", "{", "a", ";DROP TABLE messages;--", "\ud7ff", "\u202e", "+")
    with running(home), home.connect() as open_door:
        Talk(home.transcript(FIRST), project).user("The tide table of the harbour 锚地")
        wait_until(lambda: home.call("status")["messages"] == 1, "the prompt")
        before = home.query("SELECT sql FROM sqlite_master ORDER BY name")
        file = open_door.makefile("rwb")
        for _ in range(100 if os.environ.get("MEMD_SOAK") else 15):
            queries = [
                "".join(chance.choice(pieces + more) + chance.choice(["", " "]) for _ in range(chance.randint(1, 12)))
                for _ in range(100)
            ]
            requests = [json.dumps({"op": "search", "params": {"query": query}}).encode() for query in queries]
            file.write(b"\n".join(requests) + b"\n")
            file.flush()
            for query in queries:
                answer = json.loads(file.readline())
                assert answer["ok"], (query, answer)
        file.close()
        assert home.query("SELECT sql FROM sqlite_master ORDER BY name") == before
        assert home.call("search", query="tide")["hits"]
