"""What each recorded Claude Code transcript must tell, file by file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from memd.adapter import Event, ReadLimits
from memd.fold import fold, read_all
from memd.model import Transcript
from memd_adapters.claude_code import ADAPTER
from tests.contract.adapters.samples import BESIDE, FIXTURES

OWN = FIXTURES / "claude_code"
OTHERS = BESIDE / "claude-code"
WARM_UP = {"warm-up of a subagent": 1}


def tell(*paths: Path) -> tuple[tuple[Transcript, ...], dict[str, int]]:
    events: list[Event] = []
    counts: Counter[str] = Counter()
    for path in paths:
        source = ADAPTER.recognise(path, path.read_bytes()[:65536])
        assert source is not None
        read, skipped = read_all(ADAPTER, source, ReadLimits())
        events += read
        counts.update(skipped)
    return fold("claude_code", events), dict(counts)


def in_short(transcript: Transcript) -> str:
    """Return kind, messages by kind, calls (well + failed) and abandoned messages: `main prompt2 reply3 calls3+0`."""
    kinds = Counter(message.kind for message in transcript.messages)
    calls = Counter(call.ok for message in transcript.messages for call in message.tool_calls)
    words: list[str] = [transcript.session.kind]
    words += [f"{kind}{count}" for kind, count in sorted(kinds.items())]
    words += [f"calls{calls[True]}+{calls[False]}"] if calls else []
    abandoned = sum(message.abandoned for message in transcript.messages)
    words += [f"abandoned{abandoned}"] if abandoned else []
    return " ".join(words)


OTHER_SESSIONS = {
    "2.0.76__project-dir/00000001-0000-4000-8000-000000000000.jsonl": "main prompt2 reply7 calls2+3",
    "2.0.76__project-dir/00000002-0000-4000-8000-000000000000.jsonl": "main prompt1 reply2 calls1+0",
    "2.0.76__project-dir/00000003-0000-4000-8000-000000000000.jsonl": "main prompt1 reply2 calls3+0",
    "2.0.76__project-dir/00000004-0000-4000-8000-000000000000.jsonl": "main prompt1 reply1",
    "2.0.76__project-dir/00000005-0000-4000-8000-000000000000.jsonl": "main prompt1 reply2 calls1+0",
    "2.0.76__project-dir/00000006-0000-4000-8000-000000000000.jsonl": "main command1 prompt1 reply2 summary1 calls1+0",
    "2.0.76__project-dir/agent-a16f668.jsonl": "subagent prompt1 reply2 calls1+0",
    "2.0.76__project-dir/b677ee39-d25b-4c3d-97ec-35d765c89b85.jsonl": "fork prompt2 reply3 calls3+0",
    "2.1.332__01_parallel-tools+resume.jsonl": "main prompt2 reply3 calls3+0",
    "2.1.332__02_subagent/00000002-0000-4000-8000-000000000000.jsonl": "main notice1 prompt1 reply3 calls1+0",
    "2.1.332__02_subagent/00000002-0000-4000-8000-000000000000/subagents/agent-a3eddb4a083f5de3a.jsonl": (
        "subagent prompt1 reply2 calls1+0"
    ),
    "2.1.332__05_bigout-tool-results-compact/00000005-0000-4000-8000-000000000000.jsonl": (
        "main command1 prompt2 reply3 summary1 calls1+0"
    ),
    "2.1.332__06_todo+error.jsonl": "main prompt1 reply2 calls0+1",
    "2.1.332__07_thinking.jsonl": "main prompt1 reply1",
    "2.1.332__09_fork-session.jsonl": "fork prompt4 reply5 calls3+0",
    "2.1.332__11_subdir-cwd.jsonl": "main prompt1 reply1",
    "2.1.332__12_CLAUDE_CONFIG_DIR.jsonl": "main prompt1 reply1",
    "2.1.332__pty_after-clear-compact.jsonl": "main command2 prompt2 reply2 summary1",
    "2.1.332__pty_branch.jsonl": "fork command3 prompt3 reply3 summary1",
    "2.1.332__pty_cd-relocated/de0c073b-f1a6-4251-8807-2fbfb0bc5503.jsonl": (
        "main command1 notice1 prompt2 reply4 calls1+0"
    ),
    "2.1.332__pty_cd-relocated/de0c073b-f1a6-4251-8807-2fbfb0bc5503/subagents/agent-a28f88eef562a3081.jsonl": (
        "subagent prompt1 reply2 calls1+0"
    ),
    "2.1.332__pty_interrupt-rewind.jsonl": "main command1 notice1 prompt4 reply4 calls0+1 abandoned4",
    "2.1.332__pty_sigkilled.jsonl": "main prompt2 reply3 calls0+1",
    "synthetic__crlf-bom-blank-lines.jsonl": "main prompt2 reply2",
    "synthetic__duplicate-uuid-rows.jsonl": "main prompt2 reply2",
    "synthetic__huge-int-nan.jsonl": "main prompt2 reply2",
    "synthetic__leading-nuls.jsonl": "main prompt2 reply2",
    "synthetic__missing-newline-splice.jsonl": "main prompt2 reply2",
    "synthetic__non-object-lines.jsonl": "main prompt2 reply2",
    "synthetic__nul-block-tail.jsonl": "main prompt2 reply2",
    "synthetic__parent-cycle.jsonl": "main prompt1 reply1",
    "synthetic__torn-tail.jsonl": "main prompt2 reply1",
    "synthetic__u2028-u0085-u000b-raw.jsonl": "main prompt2 reply2",
}
OTHER_SKIPS = {
    "synthetic__leading-nuls.jsonl": {"NUL bytes": 1},
    "synthetic__missing-newline-splice.jsonl": {"spliced line": 1},
    "synthetic__non-object-lines.jsonl": {"line that is no object": 4, "row without a type": 1},
}


def lying_beside(name: str) -> Path:
    path = OTHERS / name
    if not path.exists():
        pytest.skip("the transcripts recorded elsewhere do not lie beside this checkout")
    return path


@pytest.mark.parametrize("name", OTHER_SESSIONS)
def test_a_transcript_recorded_elsewhere_tells_what_it_should(name: str) -> None:
    (transcript,), skipped = tell(lying_beside(name))
    assert in_short(transcript) == OTHER_SESSIONS[name]
    assert skipped == OTHER_SKIPS.get(name, {})


def test_every_transcript_recorded_elsewhere_is_accounted_for() -> None:
    lying_beside(".")
    warm_ups = 0
    for path in sorted(OTHERS.rglob("*.jsonl")):
        name = str(path.relative_to(OTHERS))
        if name in OTHER_SESSIONS or name == "2.1.332__pty_history.jsonl" or not path.stat().st_size:
            continue
        assert tell(path) == ((), WARM_UP), name
        warm_ups += 1
    assert warm_ups == 18


def test_history_and_empty_files_are_no_transcripts() -> None:
    for name in ("2.1.332__pty_history.jsonl", "2.0.76__project-dir/462e4e80-b6c1-4933-96ac-c23c9026be41.jsonl"):
        path = lying_beside(name)
        assert ADAPTER.recognise(path, path.read_bytes()) is None


def test_a_forks_copied_rows_count_once_with_its_origin() -> None:
    paths = [lying_beside(f"2.1.332__{name}.jsonl") for name in ("01_parallel-tools+resume", "09_fork-session")]
    for order in (paths, paths[::-1]):
        told = {t.session.kind: t for t in tell(*order)[0]}
        assert in_short(told["main"]) == "main prompt2 reply3 calls3+0"
        assert [message.text for message in told["fork"].messages if message.kind == "prompt"] == [
            "SCN:hello forked",
            "SCN:hello cont",
        ]


def test_a_branch_counts_what_it_shares_once_with_its_origin() -> None:
    names = ("2.1.332__pty_branch.jsonl", "2.1.332__pty_after-clear-compact.jsonl")
    transcripts, _ = tell(*map(lying_beside, names))
    told = {transcript.session.kind: transcript for transcript in transcripts}
    assert in_short(told["main"]) == "main command2 prompt2 reply2 summary1"
    assert in_short(told["fork"]) == "fork command1 prompt1 reply1"
    assert (told["main"].session.title, told["fork"].session.title) == ("my-nice-title", "side-branch")
    assert told["fork"].session.forked_from == told["main"].session.native_id


def test_the_project_folder_of_an_old_version_as_a_whole() -> None:
    folder = lying_beside("2.0.76__project-dir")
    transcripts, skipped = tell(*(path for path in sorted(folder.glob("*.jsonl")) if path.stat().st_size))
    assert Counter(transcript.session.kind for transcript in transcripts) == {"main": 6, "subagent": 1, "fork": 1}
    assert skipped == {"warm-up of a subagent": 18}
    (fork,) = (transcript for transcript in transcripts if transcript.session.kind == "fork")
    assert in_short(fork) == "fork prompt1 reply1"


OWN_STORIES = {
    "1.0.128/decision": ["main prompt1 reply2 calls0+1", "main prompt1 reply5 calls3+1"],
    "1.0.128/parallel-tools": ["main prompt1 reply2 calls2+1"],
    "1.0.128/subagent": ["main prompt1 reply2 calls1+0", "subagent prompt1 reply2 calls1+0"],
    "2.0.76/decision": ["main prompt2 reply7 calls4+1"],
    "2.0.76/fork": ["fork prompt1 reply1", "main prompt1 reply5 calls3+1"],
    "2.0.76/parallel-tools": ["main prompt1 reply2 calls2+1"],
    "2.0.76/subagent": ["main prompt1 reply2 calls1+0", "subagent prompt1 reply2 calls1+0"],
    "2.1.332/background-agent": ["main notice1 prompt1 reply3 calls1+0", "subagent prompt1 reply2 calls1+0"],
    "2.1.332/branch": ["fork command1 prompt1 reply1", "main command1 prompt1 reply1"],
    "2.1.332/decision": ["main prompt2 reply7 calls4+1"],
    "2.1.332/fork": ["fork prompt1 reply1", "main prompt1 reply5 calls3+1"],
    "2.1.332/injected": ["main prompt1 reply1"],
    "2.1.332/interactive": [
        "main command1 prompt1 reply2 calls2+1",
        "main command1 prompt4 reply8 summary1 calls3+1 abandoned2",
    ],
    "2.1.332/parallel-tools": ["main prompt1 reply2 calls2+1"],
    "2.1.332/subagent": ["main prompt1 reply2 calls1+0", "subagent prompt1 reply2 calls1+0"],
}


@pytest.mark.parametrize("story", OWN_STORIES)
def test_a_recorded_story_tells_what_happened(story: str) -> None:
    paths = [path for path in sorted((OWN / story / "projects").rglob("*.jsonl")) if path.stat().st_size]
    for order in (paths, paths[::-1]):
        transcripts, skipped = tell(*order)
        assert sorted(in_short(transcript) for transcript in transcripts) == OWN_STORIES[story]
        assert set(skipped) <= set(WARM_UP)


def test_every_recorded_story_is_accounted_for() -> None:
    assert {f"{path.parent.name}/{path.name}" for path in OWN.glob("*/*")} == set(OWN_STORIES)


def test_what_hooks_gave_a_session_is_not_taken_for_its_own_words() -> None:
    (transcript,), _ = tell(*(OWN / "2.1.332" / "injected" / "projects").rglob("*.jsonl"))
    payload = "\n".join(message.text for message in transcript.messages)
    assert "system-reminder" not in payload
    assert "hook" not in payload.lower()


@pytest.mark.parametrize("version", ["1.0.128", "2.0.76", "2.1.332"])
def test_files_written_and_edited_are_told_with_their_lines(version: str) -> None:
    transcripts, _ = tell(*(OWN / version / "decision" / "projects" / "-home-ada-harbor").glob("0a11ce00*.jsonl"))
    calls = [call for message in transcripts[0].messages for call in message.tool_calls]
    changes = {call.name: change for call in calls for change in call.changes}
    assert changes["Write"].path == "/home/ada/harbor/docs/storage.md"
    assert changes["Write"].op == "create"
    assert (changes["Edit"].op, changes["Write"].removed) == ("update", 0)
    assert (changes["Edit"].added or 0) >= 1
