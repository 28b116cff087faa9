"""What each aider history must tell, session by session."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from memd.adapter import ReadLimits
from memd.fold import fold, read_all
from memd.model import Transcript
from memd_adapters.aider import ADAPTER
from memd_adapters.aider_times import local_ms
from tests.contract.adapters.samples import BESIDE, FIXTURES


def tell(path: Path) -> tuple[Transcript, ...]:
    source = ADAPTER.recognise(path, path.read_bytes()[:65536])
    assert source is not None
    events, skipped = read_all(ADAPTER, source, ReadLimits())
    assert skipped == {}
    return fold("aider", events)


def in_short(transcript: Transcript) -> str:
    """Return messages by kind, and calls by name."""
    kinds = Counter(message.kind for message in transcript.messages)
    calls = Counter(call.name for message in transcript.messages for call in message.tool_calls)
    return " ".join(f"{name}{count}" for counts in (kinds, calls) for name, count in sorted(counts.items()))


OWN = {
    "written-0.86/harbor": [
        "command1 notice1 prompt3 reply4 auto_commit1 edit2 shell1",
        "command1 prompt1 reply1",
    ],
    "written-crlf/pier": ["prompt1 reply1 auto_commit1 edit1"],
    "written-formatted/quay": ["command1 prompt2 reply1 edit1"],
    "written-2023/dock": ["prompt1 reply1 auto_commit1 edit1"],
}


@pytest.mark.parametrize("name", OWN)
def test_a_history_tells_its_sessions(name: str) -> None:
    path = FIXTURES / "aider" / name / ".aider.chat.history.md"
    assert [in_short(transcript) for transcript in tell(path)] == OWN[name]


def test_the_users_words_their_times_and_the_edits_that_were_done() -> None:
    folder = FIXTURES / "aider" / "written-0.86" / "harbor"
    first, second = tell(folder / ".aider.chat.history.md")
    assert [(message.kind, message.text) for message in first.messages if message.role == "user"] == [
        ("prompt", "keep the tide table in sqlite\n\nno json please\n# not a heading"),
        ("command", "! git status --short"),
        ("prompt", "why is the table empty on sundays?"),
        ("prompt", "fix it in src/tides.py"),
    ]
    assert first.messages[0].at == local_ms("2026-08-11 16:05:50.1")
    changes = [change for message in first.messages for call in message.tool_calls for change in call.changes]
    assert [(change.path, change.op, change.added, change.removed) for change in changes] == [
        ("src/tides.py", "update", 3, 1),
        ("docs/storage.md", "create", 1, 0),
    ]
    assert (first.session.cwd, second.session.cwd) == (str(folder), "/home/ada/harbor/src")
    assert (first.session.model, first.session.version) == ("scripted/large", "0.86.2")


RECORDED = {
    "aider-0.86.2__multiline-message": ["prompt1 reply1 auto_commit1 edit1"],
    "aider-0.86.2__two-sessions": ["prompt1 reply1 auto_commit1 edit1", "command1 prompt1 reply1"],
    "written__aider-2023-05-12_v0.1-era": ["command1 prompt1 reply2 auto_commit2 edit1"],
    "written__aider-2023-11_v0.17_multiline-tool-error": ["notice2 prompt1 reply2 auto_commit1 edit1"],
}


@pytest.mark.parametrize("name", RECORDED)
def test_a_history_recorded_elsewhere_tells_what_it_should(name: str) -> None:
    path = BESIDE / "aider" / f"{name}.aider.chat.history.md"
    if not path.exists():
        pytest.skip("the transcripts recorded elsewhere do not lie beside this checkout")
    assert [in_short(transcript) for transcript in tell(path)] == RECORDED[name]
