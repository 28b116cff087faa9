"""What each recorded Codex rollout must tell, file by file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from memd.adapter import Event, ReadLimits
from memd.fold import fold, read_all
from memd.model import Transcript
from memd_adapters.codex import ADAPTER
from tests.contract.adapters.samples import BESIDE, FIXTURES

OWN = FIXTURES / "codex"
OTHERS = BESIDE / "codex"


def tell(*paths: Path) -> tuple[tuple[Transcript, ...], dict[str, int]]:
    events: list[Event] = []
    counts: Counter[str] = Counter()
    for path in paths:
        source = ADAPTER.recognise(path, path.read_bytes()[:65536])
        assert source is not None, path
        read, skipped = read_all(ADAPTER, source, ReadLimits())
        events += read
        counts.update(skipped)
    return fold("codex", events), dict(counts)


def in_short(transcript: Transcript) -> str:
    """Return kind, messages by kind, calls (well + failed + untold) and abandoned messages."""
    kinds = Counter(message.kind for message in transcript.messages)
    calls = Counter(call.ok for message in transcript.messages for call in message.tool_calls)
    changes = sum(len(call.changes) for message in transcript.messages for call in message.tool_calls)
    words: list[str] = [transcript.session.kind, *(f"{kind}{count}" for kind, count in sorted(kinds.items()))]
    words += [f"calls{calls[True]}+{calls[False]}+{calls[None]}"] if calls else []
    words += [f"changes{changes}"] if changes else []
    abandoned = sum(message.abandoned for message in transcript.messages)
    return " ".join([*words, f"abandoned{abandoned}"] if abandoned else words)


OWN_SESSIONS = {
    "bare": {"a1": "main prompt1 reply3 calls2+0+0 changes1"},
    "envelope": {"a2": "main prompt1 reply3 calls1+1+0 changes2", "a3": "fork prompt1 reply1"},
    "turns": {
        "a4": "main notice1 prompt3 reply5 summary1 calls0+2+1 abandoned2",
        "a5": "subagent prompt1 reply1",
    },
    "paginated": {"a6": "main prompt3 reply5 calls1+1+0 changes1 abandoned2"},
}


@pytest.mark.parametrize("folder", OWN_SESSIONS)
@pytest.mark.parametrize("backwards", [False, True])
def test_own_samples_tell_what_they_hold(folder: str, backwards: bool) -> None:
    paths = sorted((OWN / folder).rglob("*.jsonl"), reverse=backwards)
    transcripts, skipped = tell(*paths)
    assert {t.session.native_id[-2:]: in_short(t) for t in transcripts} == OWN_SESSIONS[folder]
    assert skipped == {}


OTHER_SESSIONS = {
    "deb6da83": "main prompt1 reply6 calls4+1+0 changes2",
    "92bf2464": "main prompt1 reply4 calls3+0+0",
    "256fe5a9": "main prompt1 reply2 calls1+0+0",
    "1baec97a": "main prompt1 reply1",
    "46cbee6d": "main prompt1 reply2 calls1+0+0",
    "b054627b": "main prompt1 reply2 calls1+0+0",
    "718a43f0": "main prompt1 reply2 calls0+1+0",
    "01a229f8-b744": "main prompt1 reply6 calls4+1+0 changes2",
    "01a229f8-b91c": "main prompt1 reply4 calls3+0+0",
    "01a229f8-ba8a": "main prompt1 reply2 calls1+0+0",
    "01a229f8-bb8c": "main prompt1 reply1",
    "01a229f8-bcbb": "main prompt1 reply2 calls1+0+0",
    "01a229f8-bdbd": "main prompt1 reply2 calls1+0+0",
    "01a229f8-becc": "main prompt1 reply2 calls0+1+0",
    "01a229f8-c925": "main prompt1 reply6 calls4+1+0 changes2",
    "01a229f8-decc": "main prompt1 reply2 calls3+0+0",
    "01a229f8-f38c": "main prompt1 reply2 calls0+1+0",
    "01a229f9-08d2": "main prompt1 reply1",
    "01a229f9-1d75": "main prompt1 reply2 calls1+0+0",
    "01a229f9-327f": "main prompt1 reply2 calls1+0+0",
    "01a229f9-47cd": "main prompt2 reply3 calls0+1+0",
    "01a22a02-e655": "main prompt2 reply8 calls5+1+0 changes2",
    "01a22a03-1e7c": "main prompt1 reply1",
    "01a229fb-827b": "main prompt5 reply11 calls5+1+0 changes2 abandoned2",
    "01a229fb-8adf": "main prompt1 reply1",
    "01a229fb-60bc": "main notice1 prompt5 reply11 summary1 calls4+3+0 changes2",
    "01a229fb-6d62": "fork prompt2 reply2",
    "19f3662e": "main prompt1 reply4 calls3+0+0",
    "27e9fef5": "main prompt1 reply2 calls1+0+0",
    "313e1b9d": "main prompt1 reply6 calls4+1+0 changes2",
    "6ace1ebc": "main prompt1 reply2 calls1+0+0",
    "97557c1d": "main prompt1 reply2 calls0+1+0",
    "a6fc10d7": "main prompt1 reply2 calls1+0+0",
    "ad28d35f": "main prompt1 reply1",
}


@pytest.fixture(scope="module")
def others() -> dict[str, Transcript]:
    if not OTHERS.is_dir():
        pytest.skip("no recorded rollouts lie beside this checkout")
    transcripts, skipped = tell(*sorted(OTHERS.rglob("*.jsonl")))
    assert skipped == {}
    return {transcript.session.native_id: transcript for transcript in transcripts}


def test_recorded_rollouts_tell_what_they_hold(others: dict[str, Transcript]) -> None:
    def known(session: str) -> str:
        return next((start for start in OTHER_SESSIONS if session.startswith(start)), session)

    assert {known(session): in_short(transcript) for session, transcript in others.items()} == OTHER_SESSIONS


def test_recorded_sessions_know_their_folder_from_the_second_generation_on(others: dict[str, Transcript]) -> None:
    for transcript in others.values():
        session = transcript.session
        assert session.branch in ("master", None)
        assert session.cwd == (None if session.version is None else "/home/dev/proj")
        assert session.started_at is not None
        if session.version is not None:
            assert session.started_at <= min(message.at or 0 for message in transcript.messages)


def test_a_file_named_twice_is_one_session(others: dict[str, Transcript]) -> None:
    paths = [path for path in OTHERS.rglob("*.jsonl") if "1baec97a" in path.name]
    assert len(paths) == 2
    transcripts, _ = tell(*paths)
    assert [in_short(transcript) for transcript in transcripts] == ["main prompt1 reply1"]
