from __future__ import annotations

import contextlib

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.doors.protocol import HOOK_LIMIT, HookRequest, Request, encode_error, encode_result, parse_request
from memd.errors import NotFound, UsageError


def test_a_request_names_an_operation_and_its_parameters() -> None:
    assert parse_request(b'{"op":"facts.list","params":{"limit":3}}\n') == Request("facts.list", {"limit": 3})
    assert parse_request(b'{"op":"status"}') == Request("status", {})


def test_a_hook_header_names_host_environment_and_size() -> None:
    line = b'{"op":"hook","host":"claude_code","env":"CURSOR_VERSION,CLAUDECODE","bytes":12}\n'
    assert parse_request(line) == HookRequest("claude_code", "CURSOR_VERSION,CLAUDECODE", "", 12)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"hello",
        b"[]",
        b'{"params":{}}',
        b'{"op":3}',
        b'{"op":"status","params":[]}',
        b'{"op":"hook"}',
        b'{"op":"hook","host":"x","bytes":-1}',
        b'{"op":"hook","host":"x","bytes":true}',
        f'{{"op":"hook","host":"x","bytes":{HOOK_LIMIT + 1}}}'.encode(),
    ],
)
def test_what_is_no_request_is_refused_in_one_sentence(line: bytes) -> None:
    with pytest.raises(UsageError) as caught:
        parse_request(line)
    assert str(caught.value).endswith(".")


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_else(line: bytes) -> None:
    with contextlib.suppress(UsageError):
        parse_request(line)


def test_answers_are_one_line_each() -> None:
    result = encode_result({"text": "two\nlines"})
    error = encode_error(NotFound("session", "abc"))
    assert result.count(b"\n") == error.count(b"\n") == 1
    assert orjson.loads(result) == {"ok": True, "result": {"text": "two\nlines"}}
    body = orjson.loads(error)["error"]
    assert (body["code"], body["exit_status"], body["what"]) == ("not_found", 3, "session")
