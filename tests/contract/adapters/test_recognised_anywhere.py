"""A transcript is known for what it is wherever it lies, whatever its name, and as a later version may write it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from memd.adapter import ReadLimits
from memd.fold import fold, read_all
from memd.registry import recognise
from tests.contract.adapters.samples import Sample, samples
from tests.contract.adapters.shapes import Json

NEW: Final[dict[str, Json]] = {"madeUpLater": {"by": ["another", "version"]}}


def alone(sample: Sample) -> bool:
    """Return whether a file tells what it is without the files beside it: a row of OpenCode's old store does not."""
    return not any(parent.name.endswith("storage") for parent in sample.path.parents)


ALONE: Final = [sample for sample in samples() if alone(sample)]
HOSTS: Final = sorted({sample.adapter.name for sample in ALONE})


def reordered(value: Json) -> Json:
    """Return a value whose objects have their members in another order."""
    if isinstance(value, dict):
        return {key: reordered(value[key]) for key in reversed(value)}
    return [reordered(item) for item in value] if isinstance(value, list) else value


def extended(value: Json) -> Json:
    """Return a value whose outermost objects have one member more, at their beginning."""
    if isinstance(value, list):
        return [extended(item) for item in value]
    return {**NEW, **value} if isinstance(value, dict) else value


def each_value(change: Callable[[Json], Json]) -> Callable[[bytes], bytes]:
    """Return a change of a file's one JSON value, or of each of its lines that is one."""

    def lines(content: bytes) -> bytes:
        try:
            return json.dumps(change(json.loads(content))).encode()
        except ValueError:
            return b"\n".join(map(line, content.split(b"\n")))

    def line(content: bytes) -> bytes:
        try:
            return json.dumps(change(json.loads(content))).encode()
        except ValueError:
            return content

    return lines


FORMS: Final[dict[str, Callable[[bytes], bytes]]] = {
    "as it is": lambda content: content,
    "with a byte order mark": lambda content: b"\xef\xbb\xbf" + content,
    "with CRLF": lambda content: content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"),
    "in another order": each_value(reordered),
    "with new members": each_value(extended),
}


def in_short(sample: Sample, path: Path) -> Counter[str]:
    """Return what a file tells, in numbers; none for one that its host's adapter is not recognised by."""
    found = recognise(path)
    if found is None:
        return Counter({"not recognised": 1})
    adapter, source = found
    if adapter.name != sample.adapter.name:
        return Counter({f"taken for {adapter.name}": 1})
    told: Counter[str] = Counter()
    for transcript in fold(adapter.name, read_all(adapter, source, ReadLimits())[0]):
        for message in transcript.messages:
            told[message.kind] += 1
            told["calls"] += len(message.tool_calls)
            told["ended"] += sum(call.ok is not None for call in message.tool_calls)
            told["exit codes"] += sum(call.exit_code is not None for call in message.tool_calls)
            told["changes"] += sum(len(call.changes) for call in message.tool_calls)
    return told


@pytest.mark.parametrize("host", HOSTS)
def test_a_lone_copy_tells_the_same_in_every_form(host: str, tmp_path: Path) -> None:
    differences = []
    for number, sample in enumerate(sample for sample in ALONE if sample.adapter.name == host):
        expected: Counter[str] | None = None
        for form, change in FORMS.items():
            path = tmp_path / str(number) / form / f"copy{sample.path.suffix}"
            path.parent.mkdir(parents=True)
            path.write_bytes(change(sample.path.read_bytes()))
            told = in_short(sample, path)
            expected = told if expected is None else expected
            if not expected:  # names of sessions, which say nothing by themselves
                break
            if told != expected or "not recognised" in told:
                differences.append((sample.name, form, dict(told), dict(expected)))
    assert differences == []


LONG: Final = "a pasted log\n" * 20_000
CLAUDE: Final = {"parentUuid": None, "isSidechain": False}
SAID: Final = {"role": "user", "content": LONG}
FIRST_ROWS: Final[dict[str, tuple[str, dict[str, object]]]] = {
    "a prompt that waits": (
        "claude_code",
        {"type": "queue-operation", "operation": "enqueue", "sessionId": "0a11ce", "content": LONG},
    ),
    "a prompt": ("claude_code", {**CLAUDE, "type": "user", "message": SAID, "uuid": "u1", "sessionId": "0a11ce"}),
    "an answer": ("claude_code", {**CLAUDE, "message": {**SAID, "role": "assistant"}, "type": "assistant"}),
    "a prompt to Qwen": (
        "qwen",
        {
            "uuid": "u1",
            "parentUuid": None,
            "sessionId": "0a11ce00",
            "type": "user",
            "message": {"role": "user", "parts": [{"text": LONG}]},
        },
    ),
    "a prompt to Cursor": (
        "cursor",
        {"role": "user", "message": {"content": [{"type": "text", "text": f"<user_query>\n{LONG}</user_query>"}]}},
    ),
}


@pytest.mark.parametrize(("host", "row"), FIRST_ROWS.values(), ids=FIRST_ROWS)
def test_a_first_row_longer_than_what_is_looked_at_tells_whose_it_is(
    host: str, row: dict[str, object], tmp_path: Path
) -> None:
    path = tmp_path / "copy.jsonl"
    path.write_text(json.dumps(row, separators=(",", ":")) + "\n")
    found = recognise(path)
    assert found is not None
    assert found[0].name == host
