"""What each Gemini CLI, Qwen Code and Copilot CLI sample must tell, file by file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from memd.adapter import Event, ReadLimits
from memd.fold import fold, read_all
from memd.model import Transcript
from memd_adapters import ADAPTERS
from tests.contract.adapters.samples import BESIDE, FIXTURES

OTHERS = BESIDE / "gemini"


def tell(host: str, *paths: Path) -> tuple[tuple[Transcript, ...], dict[str, int]]:
    adapter = ADAPTERS[host]
    events: list[Event] = []
    counts: Counter[str] = Counter()
    for path in paths:
        source = adapter.recognise(path, path.read_bytes()[:65536])
        assert source is not None, path
        read, skipped = read_all(adapter, source, ReadLimits())
        events += read
        counts.update(skipped)
    return fold(host, events), dict(counts)


def in_short(transcript: Transcript) -> str:
    """Return kind, messages by kind, calls (well + failed + untold), changed files and abandoned messages."""
    kinds = Counter(message.kind for message in transcript.messages)
    calls = Counter(call.ok for message in transcript.messages for call in message.tool_calls)
    changes = sum(len(call.changes) for message in transcript.messages for call in message.tool_calls)
    words: list[str] = [transcript.session.kind, *(f"{kind}{count}" for kind, count in sorted(kinds.items()))]
    words += [f"calls{calls[True]}+{calls[False]}+{calls[None]}"] if calls else []
    words += [f"changes{changes}"] if changes else []
    abandoned = sum(message.abandoned for message in transcript.messages)
    return " ".join([*words, f"abandoned{abandoned}"] if abandoned else words)


@pytest.mark.parametrize(
    ("host", "folder", "sessions", "skipped"),
    [
        ("gemini", "jsonl", ["main command1 notice1 prompt3 reply4 calls1+1+0 changes1 abandoned2"], {}),
        ("gemini", "json", ["main prompt1 reply2 calls1+0+0"], {}),
        ("qwen", "chat", ["main command1 prompt3 reply4 summary1 calls1+1+0 changes1 abandoned2"], {}),
        (
            "copilot",
            "session",
            ["main notice1 prompt3 reply3 summary1 calls2+1+1 changes2", "subagent reply1"],
            {"damaged line": 1},
        ),
    ],
)
def test_own_samples_tell_what_they_hold(host: str, folder: str, sessions: list[str], skipped: dict[str, int]) -> None:
    paths = [path for path in sorted((FIXTURES / host / folder).rglob("*")) if path.suffix in (".jsonl", ".json")]
    transcripts, counted = tell(host, *paths)
    assert [in_short(transcript) for transcript in transcripts] == sessions
    assert counted == skipped


@pytest.mark.parametrize(
    ("chat", "told"),
    [
        ("session-2026-11-30T01-14-3ee5285b.jsonl", "main prompt2 reply3 calls3+0+0"),
        ("session-2026-11-30T01-14-64d95e88.jsonl", "main prompt1 reply2 calls1+0+0"),
        ("session-2026-11-30T01-14-7594b645.jsonl", "main prompt1 reply6 calls4+1+0 changes2"),
    ],
)
def test_recorded_chats_tell_what_they_hold(chat: str, told: str) -> None:
    path = OTHERS / "0.61.0__tmp-proj" / "chats" / chat
    if not path.exists():
        pytest.skip("no recorded chats lie beside this checkout")
    (transcript,), skipped = tell("gemini", path)
    assert in_short(transcript) == told
    assert skipped == {}
    assert transcript.session.native_id.startswith(path.stem[-8:])
    assert transcript.session.cwd == "/home/dev/proj"
