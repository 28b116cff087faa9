"""What each Cline, Roo and Kilo transcript must tell, file by file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from memd.adapter import ReadLimits
from memd.fold import fold, read_all
from memd.model import Transcript
from memd_adapters import ADAPTERS
from tests.contract.adapters.samples import BESIDE, FIXTURES

OTHERS = BESIDE / "cline" / "sdk-3.0.65" / "sessions_before_reconcile"


def tell(host: str, path: Path) -> Transcript:
    source = ADAPTERS[host].recognise(path, path.read_bytes()[:65536])
    assert source is not None
    events, skipped = read_all(ADAPTERS[host], source, ReadLimits())
    assert skipped == {}
    (transcript,) = fold(host, events)
    return transcript


def in_short(transcript: Transcript) -> str:
    """Return kind, messages by kind, and calls (well + failed + unknown)."""
    kinds = Counter(message.kind for message in transcript.messages)
    calls = Counter(call.ok for message in transcript.messages for call in message.tool_calls)
    words: list[str] = [transcript.session.kind, *(f"{kind}{count}" for kind, count in sorted(kinds.items()))]
    return " ".join([*words, f"calls{calls[True]}+{calls[False]}+{calls[None]}"])


OWN = {
    "cline/written-3.8": "main prompt3 reply8 calls3+2+0",
    "cline/written-3.60": "main prompt2 reply3 calls0+1+1",
    "cline/written-shown": "main prompt2 reply6 calls3+0+0",
    "roo/written-3.36": "subagent prompt2 reply3 summary1 calls1+1+0",
    "kilo/written-4": "main prompt1 reply2 calls1+0+0",
}


@pytest.mark.parametrize("name", OWN)
def test_a_task_tells_what_it_should(name: str) -> None:
    (path,) = (path for path in (FIXTURES / name).rglob("*.json") if path.name != "history_item.json")
    assert in_short(tell(name.partition("/")[0], path)) == OWN[name]


def test_the_persons_words_of_a_task_are_told_and_no_others() -> None:
    (path,) = (FIXTURES / "cline" / "written-3.8").rglob("api_conversation_history.json")
    transcript = tell("cline", path)
    assert [message.text for message in transcript.messages if message.kind == "prompt"] == [
        "add a test for the tide table, see 'src/tides.py' (see below for file content)",
        "no, install the package instead: pip install -e .",
        "good. always write tests as plain functions",
    ]
    assert transcript.session.cwd == "/home/ada/harbor"
    calls = {call.name: call for message in transcript.messages for call in message.tool_calls}
    assert calls["write_to_file"].changes[0].path == "tests/test_tides.py"
    assert calls["replace_in_file"].changes == ()


def test_commands_of_one_call_end_each_by_itself() -> None:
    path = FIXTURES / "cline/written-sdk/1795000000000_ada01/1795000000000_ada01.messages.json"
    transcript = tell("cline", path)
    calls = [call for message in transcript.messages for call in message.tool_calls]
    assert [(call.kind, call.ok, call.exit_code) for call in calls] == [
        ("edit", True, None),
        ("shell", False, 2),
        ("shell", True, 0),
        ("agent", True, None),
    ]
    assert [(change.op, change.added) for change in calls[0].changes] == [("create", 3)]
    assert [message.text for message in transcript.messages if message.kind == "prompt"] == [
        "store the lights in sqlite, not json"
    ]
    assert (transcript.session.branch, transcript.session.end_reason) == ("main", "completed")


RECORDED = {
    "1796000595830_is1yn/1796000595830_is1yn": "main prompt1 reply5 calls4+1+0",
    "1796000638688_wbczh/1796000638688_wbczh": "main prompt1 reply2 calls1+0+0",
    "1796000638688_wbczh/agent_1796000639240_mzipa2": "subagent prompt1 reply1 calls0+0+0",
    "1796000644182_ctp4s/1796000644182_ctp4s": "main prompt1 reply1 calls0+0+1",
}


@pytest.mark.parametrize("name", RECORDED)
def test_a_session_recorded_elsewhere_tells_what_it_should(name: str) -> None:
    path = OTHERS / f"{name}.messages.json"
    if not path.exists():
        pytest.skip("the transcripts recorded elsewhere do not lie beside this checkout")
    transcript = tell("cline", path)
    assert in_short(transcript) == RECORDED[name]
    assert transcript.session.parent == (name.partition("/")[0] if "agent_" in name else None)
    assert (transcript.session.cwd, transcript.session.version) == ("/home/dev/cline/proj", "3.0.65")
