"""What each Continue session must tell."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from memd.adapter import ReadLimits
from memd.fold import fold, read_all
from memd.model import Transcript
from memd_adapters.continue_dev import ADAPTER
from tests.contract.adapters.samples import BESIDE, FIXTURES


def tell(path: Path) -> Transcript:
    source = ADAPTER.recognise(path, path.read_bytes()[:65536])
    assert source is not None
    events, skipped = read_all(ADAPTER, source, ReadLimits())
    assert skipped == {}
    (transcript,) = fold("continue", events)
    return transcript


def in_short(transcript: Transcript) -> str:
    """Return messages by kind, and calls (well + failed)."""
    kinds = Counter(message.kind for message in transcript.messages)
    calls = Counter(call.ok for message in transcript.messages for call in message.tool_calls)
    return " ".join(
        [*(f"{kind}{count}" for kind, count in sorted(kinds.items())), f"calls{calls[True]}+{calls[False]}"]
    )


OWN = {
    "written-ide": "prompt2 reply5 summary1 calls2+2",
    "written-cli": "prompt1 reply3 calls1+1",
    "written-2023": "prompt1 reply1 calls0+0",
}


@pytest.mark.parametrize("name", OWN)
def test_a_session_tells_what_it_should(name: str) -> None:
    (path,) = (FIXTURES / "continue" / name / "sessions").glob("0ada*.json")
    assert in_short(tell(path)) == OWN[name]


def test_commands_and_edits_of_the_cli() -> None:
    (path,) = (FIXTURES / "continue" / "written-cli" / "sessions").glob("0ada*.json")
    calls = [call for message in tell(path).messages for call in message.tool_calls]
    assert [(call.kind, call.ok, call.exit_code) for call in calls] == [("shell", False, 2), ("edit", True, None)]
    (change,) = calls[1].changes
    assert (change.path, change.added, change.removed) == ("/home/ada/harbor/lamp.py", 2, 1)


def test_a_session_recorded_elsewhere_tells_what_it_should() -> None:
    path = BESIDE / "continue" / "cn-1.5.47" / "1db0688a-b97d-4c4c-a479-056905c6a33f.json"
    if not path.exists():
        pytest.skip("the transcripts recorded elsewhere do not lie beside this checkout")
    transcript = tell(path)
    assert in_short(transcript) == "prompt1 reply4 calls2+1"
    assert (transcript.session.cwd, transcript.session.started_at) == ("/home/dev/continue/proj", 1796000583896)
