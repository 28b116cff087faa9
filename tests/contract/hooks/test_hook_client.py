"""The hook client's contract with the host and the daemon, with a real process and a real socket."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from memd_hooks.client import MARKERS
from tests.contract.hooks.hook_run import CLEAN_ENV, SESSION, InstalledHook, event, silent
from tests.contract.hooks.stub_daemon import Behaviour, Heard, StubDaemon, answering

ANSWER = '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"café 记忆"}}\n'.encode()
START = event("SessionStart", source="startup")


def test_the_answer_is_printed_byte_for_byte(patient: InstalledHook) -> None:
    with StubDaemon(patient.socket, answering(ANSWER)):
        result = patient.run(START)
    assert (result.returncode, result.stdout, result.stderr) == (0, ANSWER, b"")


def test_an_answer_larger_than_a_pipe_is_printed_whole(patient: InstalledHook) -> None:
    answer = b'"' + b"x" * 200_000 + b'"\n'
    with StubDaemon(patient.socket, answering(answer)):
        assert patient.run(START).stdout == answer


def test_the_daemon_gets_the_event_untouched_after_one_header_line(patient: InstalledHook) -> None:
    raw = b'\xef\xbb\xbf{ "hook_event_name" : "UserPromptSubmit", "prompt": "\xff\x00 not JSON'
    with StubDaemon(patient.socket, answering(b"")) as daemon:
        assert silent(patient.run(raw))
    assert daemon.heard == [
        Heard({"op": "hook", "host": "claude_code", "event": "UserPromptSubmit", "env": "", "bytes": len(raw)}, raw)
    ]


def test_the_header_names_the_environment_markers_but_not_their_values(patient: InstalledHook) -> None:
    env = {**CLEAN_ENV, "CURSOR_VERSION": "3.20.17", "CLAUDECODE": "1", "AWS_PROFILE": "ada"}
    with StubDaemon(patient.socket, answering(b"")) as daemon:
        patient.run(START, env=env)
    assert daemon.heard[0].head["env"] == "CLAUDECODE,CURSOR_VERSION"
    assert sorted(MARKERS) == MARKERS


def test_the_event_name_can_come_from_the_command_line(patient: InstalledHook) -> None:
    with StubDaemon(patient.socket, answering(ANSWER)) as daemon:
        assert patient.run(b"{}", "SessionStart").stdout == ANSWER
    assert daemon.heard[0].head["event"] == "SessionStart"


@pytest.mark.parametrize("name", ["PreCompact", "PostCompact", "Stop", "SubagentStop", "SessionEnd"])
def test_other_events_are_handed_over_and_not_waited_for(patient: InstalledHook, name: str) -> None:
    with StubDaemon(patient.socket, answering(ANSWER)) as daemon:
        # The daemon is busy until the hook has gone, and finds everything in its queue.
        daemon.may_accept.clear()
        held = socket.socket(socket.AF_UNIX)
        held.connect(str(patient.socket))
        held.close()
        raw = event(name, last_assistant_message="y" * 50_000)
        result = patient.run(raw)
        daemon.may_accept.set()
        assert daemon.wait_for_one().raw == raw
    assert silent(result)
    assert patient.spooled() == []


def test_a_hook_inside_memd_itself_does_nothing(patient: InstalledHook) -> None:
    with StubDaemon(patient.socket, answering(ANSWER)) as daemon:
        assert silent(patient.run(START, env={**CLEAN_ENV, "MEMD_INTERNAL": ""}))
    assert daemon.heard == []
    assert silent(patient.run(START, env={**CLEAN_ENV, "MEMD_INTERNAL": "1"}))
    assert patient.spooled() == []


def test_a_daemon_that_never_answers_is_left_at_the_deadline(hook: InstalledHook) -> None:
    gone = threading.Event()

    def behave(_connection: socket.socket, _heard: Heard) -> None:
        gone.wait()

    with StubDaemon(hook.socket, behave):
        assert silent(hook.run(START))
        gone.set()
    assert hook.spooled() == []


def test_half_an_answer_at_the_deadline_is_not_printed(hook: InstalledHook) -> None:
    gone = threading.Event()

    def behave(connection: socket.socket, _heard: Heard) -> None:
        connection.sendall(ANSWER[:40])
        gone.wait()
        connection.sendall(ANSWER[40:])

    with StubDaemon(hook.socket, behave):
        assert silent(hook.run(START))
        gone.set()


def test_an_answer_in_pieces_is_put_together(patient: InstalledHook) -> None:
    def behave(connection: socket.socket, _heard: Heard) -> None:
        for at in range(len(ANSWER)):
            connection.sendall(ANSWER[at : at + 1])

    with StubDaemon(patient.socket, behave):
        assert patient.run(START).stdout == ANSWER


def reset(connection: socket.socket, _heard: Heard) -> None:
    connection.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize(
    "behave",
    [
        pytest.param(answering(b""), id="nothing to say"),
        pytest.param(answering(ANSWER[:-1]), id="the daemon died before its last byte"),
        pytest.param(answering(ANSWER[:30]), id="the daemon died in the middle"),
        pytest.param(answering(b"x" * 300_000 + b"\n"), id="more than any host takes"),
        pytest.param(answering(b'{"ok":false,"error":{"code":"usage"}}\n'), id="an error of the daemon's own protocol"),
        pytest.param(reset, id="closed at once"),
    ],
)
def test_what_is_no_whole_answer_is_not_printed(patient: InstalledHook, behave: Behaviour) -> None:
    with StubDaemon(patient.socket, behave):
        assert silent(patient.run(START))
    assert patient.spooled() == []


def test_a_daemon_that_reads_nothing_leaves_the_event_in_the_spool(hook: InstalledHook) -> None:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(hook.socket))
    listener.listen(1)
    with listener:
        assert silent(hook.run(event("Stop", last_assistant_message="z" * 900_000)))
    assert [line["event"] for line in hook.spooled()] == ["Stop"]


def test_without_a_daemon_one_line_says_which_session_moved(patient: InstalledHook) -> None:
    raw = event("SessionEnd", reason="prompt_input_exit", prompt="what nobody may read", agent_id="a1")
    assert silent(patient.run(raw))
    (line,) = patient.spooled()
    assert line.pop("pid")
    assert isinstance(line.pop("at_ms"), int)
    assert line == {
        "host": "claude_code",
        "event": "SessionEnd",
        "session_id": SESSION,
        "transcript_path": f"/home/ada/.claude/projects/-home-ada-loom/{SESSION}.jsonl",
        "cwd": "/home/ada/loom",
        "agent_id": "a1",
        "reason": "prompt_input_exit",
    }


def test_a_prompt_is_never_spooled(patient: InstalledHook) -> None:
    prompt = 'token: sesame "cwd": "/etc", "source":"secret" \\"reason\\":\\"secret\\"'
    assert silent(patient.run(event("UserPromptSubmit", prompt=prompt)))
    kept = (patient.spool / "events.ndjson").read_bytes()
    assert b"sesame" not in kept
    assert b"secret" not in kept
    assert b"/etc" not in kept


def test_the_spool_is_private(patient: InstalledHook) -> None:
    patient.run(START)
    assert stat.S_IMODE(patient.spool.stat().st_mode) == 0o700
    assert stat.S_IMODE((patient.spool / "events.ndjson").stat().st_mode) == 0o600


def test_a_stale_socket_is_a_daemon_that_is_down(patient: InstalledHook) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(patient.socket))
    assert silent(patient.run(START))
    assert len(patient.spooled()) == 1


def test_a_plain_file_in_the_sockets_place_is_a_daemon_that_is_down(patient: InstalledHook) -> None:
    patient.socket.write_bytes(b"")
    assert silent(patient.run(START))
    assert len(patient.spooled()) == 1


def test_a_socket_path_that_is_too_long_is_a_daemon_that_is_down(room: Path) -> None:
    deep = room / ("d" * 120)
    deep.mkdir()
    (deep / "s").write_bytes(b"")
    hook = InstalledHook.install(room, socket=deep / "s")
    assert silent(hook.run(START))
    assert len(hook.spooled()) == 1


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a socket away")
def test_a_socket_of_another_user_is_told_nothing(patient: InstalledHook) -> None:
    with StubDaemon(patient.socket, answering(ANSWER)) as daemon:
        os.chown(patient.socket, 12345, -1)
        assert silent(patient.run(START))
    assert daemon.heard == []
    assert len(patient.spooled()) == 1


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_a_spool_of_another_user_is_left_alone(patient: InstalledHook) -> None:
    patient.spool.mkdir(mode=0o777)
    os.chown(patient.spool, 12345, -1)
    assert silent(patient.run(START))
    assert patient.spooled() == []


def test_a_spool_that_cannot_be_made_is_no_trouble(patient: InstalledHook) -> None:
    patient.spool.parent.rmdir()
    assert silent(patient.run(START))


def test_a_full_disk_is_no_trouble(hook: InstalledHook) -> None:
    result = subprocess.run(
        ["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", *hook.argv],
        input=START,
        capture_output=True,
        env=CLEAN_ENV,
        timeout=150,
        check=False,
    )
    assert silent(result)
    assert hook.spooled() == []


def test_the_spool_stops_growing_at_eight_mebibytes(patient: InstalledHook) -> None:
    patient.spool.mkdir()
    file = patient.spool / "events.ndjson"
    with file.open("wb") as stream:
        stream.truncate((8 << 20) - 10)
    assert silent(patient.run(START))
    assert file.stat().st_size == (8 << 20) - 10


def test_a_planted_link_in_the_spools_place_is_not_followed(patient: InstalledHook, tmp_path: Path) -> None:
    target = tmp_path / "diary"
    target.write_bytes(b"dear diary\n")
    patient.spool.mkdir()
    (patient.spool / "events.ndjson").symlink_to(target)
    assert silent(patient.run(START))
    assert target.read_bytes() == b"dear diary\n"


def test_a_pipe_in_the_spools_place_is_not_waited_for(hook: InstalledHook) -> None:
    hook.spool.mkdir()
    os.mkfifo(hook.spool / "events.ndjson")
    assert silent(hook.run(START))


def test_a_standard_input_that_nobody_closes_ends_at_the_deadline(hook: InstalledHook) -> None:
    with hook.start() as process:
        assert process.stdin is not None
        process.stdin.write(START)
        process.stdin.flush()
        assert process.wait(timeout=90) == 0
        assert process.stdout is not None
        assert process.stdout.read() == b""
    assert [line["session_id"] for line in hook.spooled()] == [SESSION]


def test_a_standard_output_that_nobody_reads_is_no_trouble(patient: InstalledHook) -> None:
    with StubDaemon(patient.socket, answering(ANSWER)):
        reading, writing = os.pipe()
        os.close(reading)
        with patient.start(stdout=writing) as process:
            os.close(writing)
            _, errors = process.communicate(START, timeout=90)
        assert (process.returncode, errors) == (0, b"")


def test_a_full_standard_output_ends_at_the_deadline(hook: InstalledHook) -> None:
    with StubDaemon(hook.socket, answering(b"x" * 200_000 + b"\n")), hook.start() as process:
        assert process.stdin is not None
        process.stdin.write(START)
        process.stdin.close()
        assert process.wait(timeout=90) == 0


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_standard_streams_are_no_trouble(patient: InstalledHook, closed: str) -> None:
    with StubDaemon(patient.socket, answering(ANSWER)):
        result = subprocess.run(
            ["sh", "-c", f'exec "$@" {closed}', "sh", *patient.argv],
            input=START,
            capture_output=True,
            env=CLEAN_ENV,
            timeout=150,
            check=False,
        )
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout in {b"", ANSWER}


def test_a_huge_prompt_is_read_to_its_end_and_replaced_by_its_session(patient: InstalledHook) -> None:
    raw = event("UserPromptSubmit", prompt="p" * 10_000_000)
    with StubDaemon(patient.socket, answering(ANSWER)) as daemon:
        result = patient.run(raw)
    assert (result.returncode, result.stdout, result.stderr) == (0, ANSWER, b"")
    (heard,) = daemon.heard
    assert heard.raw.startswith(b'{"hook_event_name":"UserPromptSubmit","session_id":"' + SESSION.encode())
    assert len(heard.raw) == heard.head["bytes"]
    assert len(heard.raw) < 1000


def test_an_event_at_the_limit_is_sent_whole(patient: InstalledHook) -> None:
    raw = event("UserPromptSubmit", prompt="")
    raw = raw.replace(b'"prompt":""', b'"prompt":"' + b"p" * ((1 << 20) - len(raw)) + b'"')
    assert len(raw) == 1 << 20
    with StubDaemon(patient.socket, answering(b"")) as daemon:
        assert silent(patient.run(raw))
    assert daemon.heard[0].raw == raw


@pytest.mark.parametrize("raw", [b"", b"\n", b"null", b"[]", b'{"hook_event_name":', b"\x00" * 5000, b"\xff\xfe{"])
def test_bytes_without_a_session_are_not_spooled(patient: InstalledHook, raw: bytes) -> None:
    assert silent(patient.run(raw))
    assert silent(patient.run(raw, "SessionStart"))
    assert patient.spooled() == []


@pytest.mark.parametrize("arguments", [[], [""], ['"},{"'], ["claude_code", "\udcff"], ["a", "b", "c"]])
def test_odd_arguments_are_no_trouble(patient: InstalledHook, arguments: list[str]) -> None:
    result = subprocess.run(
        [*patient.argv[:-1], *arguments], input=START, capture_output=True, env=CLEAN_ENV, timeout=150, check=False
    )
    assert silent(result)


def test_sixty_four_hooks_at_once_each_get_their_own_answer(crowd: InstalledHook) -> None:
    def behave(connection: socket.socket, heard: Heard) -> None:
        connection.sendall(heard.raw + b"\n")

    events = [event("SessionStart", source="startup", number=number) for number in range(64)]
    with StubDaemon(crowd.socket, behave):
        processes = [crowd.start() for _ in events]
        results = [process.communicate(raw, timeout=90) for process, raw in zip(processes, events, strict=True)]
    assert results == [(raw + b"\n", b"") for raw in events]
    assert {process.returncode for process in processes} == {0}


def test_sixty_four_hooks_at_once_leave_sixty_four_whole_lines(crowd: InstalledHook) -> None:
    processes = [crowd.start() for _ in range(64)]
    for number, process in enumerate(processes):
        raw = event("Stop", agent_id=f"a{number}", last_assistant_message="m" * 20_000)
        assert process.communicate(raw, timeout=90) == (b"", b"")
    assert sorted(str(line["agent_id"]) for line in crowd.spooled()) == sorted(f"a{n}" for n in range(64))


def test_the_shipped_deadline_loses_no_event_when_many_hooks_run_at_once(hook: InstalledHook) -> None:
    with StubDaemon(hook.socket, answering(ANSWER)) as daemon:
        processes = []
        for number in range(32):
            process = hook.start()
            assert process.stdin is not None
            process.stdin.write(event("SessionStart", agent_id=f"a{number}"))
            process.stdin.close()
            process.stdin = None
            processes.append(process)
        outputs = [process.communicate(timeout=90) for process in processes]
    # Late hooks print nothing, and say nothing; what the daemon did not get is in the spool.
    assert {output for output, _ in outputs} <= {ANSWER, b""}
    assert {process.returncode for process in processes} == {0}
    came = {number for number in range(32) for heard in daemon.heard if b'"a%d"' % number in heard.raw}
    assert came | {int(str(line["agent_id"])[1:]) for line in hook.spooled()} == set(range(32))


def test_the_client_imports_nothing_that_costs_time(hook: InstalledHook) -> None:
    """Each name on this list is either in the interpreter already or one compiled file."""
    argv = [hook.argv[0], "-X", "importtime", *hook.argv[1:]]
    bare = [sys.executable, "-I", "-S", "-X", "importtime", "-c", "pass"]
    loaded, already = (
        {
            line.rsplit(b"|", 1)[1].strip().decode()
            for line in subprocess.run(command, input=START, capture_output=True, check=True).stderr.splitlines()
            if line.startswith(b"import time:")
        }
        for command in (argv, bare)
    )
    assert loaded - already <= {"_signal", "_socket", "posix", "time"}


def test_the_working_folder_and_the_environment_cannot_change_what_is_imported(
    patient: InstalledHook, tmp_path: Path
) -> None:
    (tmp_path / "_socket.py").write_text("raise SystemExit(3)\n")
    env = {**CLEAN_ENV, "PYTHONPATH": str(tmp_path), "PYTHONSTARTUP": str(tmp_path / "_socket.py")}
    with StubDaemon(patient.socket, answering(ANSWER)):
        result = subprocess.run(
            patient.argv, input=START, capture_output=True, env=env, cwd=tmp_path, timeout=150, check=False
        )
    assert (result.returncode, result.stdout) == (0, ANSWER)
