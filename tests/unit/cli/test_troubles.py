"""What goes wrong gets one sentence on standard error, a status that means something, and changes nothing."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memd.doors.cli.columns import width
from memd.doors.cli.first_reading import FirstReading
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.parser import build
from memd.doors.cli.terminal import Terminal
from memd.operations.status_answers import BackfillAnswer, QueuesAnswer
from tests.unit.cli.conftest import CommandLine, StubDaemon
from tests.unit.cli.samples import plain, status

READING = (
    ("status",),
    ("search", "x"),
    ("sessions",),
    ("show", "x"),
    ("facts",),
    ("wakeup",),
)


@pytest.mark.parametrize("words", READING, ids=lambda words: words[0])
def test_without_an_installation_a_command_says_how_to_make_one(
    words: tuple[str, ...], memd: CommandLine, tmp_path: Path
) -> None:
    told = memd(*words)

    assert (told.status, told.out) == (4, "")
    assert "`memd install`" in told.err
    assert told.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_the_status_of_a_stopped_daemon_does_not_start_it(memd: CommandLine) -> None:
    memd.paths.hook_shim.parent.mkdir(parents=True)
    memd.paths.hook_shim.touch()

    told = memd("status")

    assert told.status == 4
    assert "does not run; start it with `memd restart`" in told.err


def test_a_restart_without_an_installation_is_refused(memd: CommandLine, tmp_path: Path) -> None:
    told = memd("restart")

    assert told.status == 8
    assert "not installed" in told.err
    assert list(tmp_path.iterdir()) == []


def test_down_without_a_daemon_is_well(memd: CommandLine) -> None:
    assert memd("down").out == "memd does not run.\n"


def test_a_broken_configuration_is_named(memd: CommandLine, env: dict[str, str]) -> None:
    del env["MEMD_DATA_DIR"]
    memd.paths.config_dir.mkdir(parents=True)
    memd.paths.config_file.write_text("[inject\n")

    told = memd("status")

    assert told.status == 6
    assert "config.toml: is not valid TOML" in told.err


def test_a_relative_data_folder_in_the_environment_is_refused(memd: CommandLine, env: dict[str, str]) -> None:
    env["MEMD_DATA_DIR"] = "here"

    told = memd("status")

    assert told.status == 6
    assert "MEMD_DATA_DIR must be an absolute path" in told.err


def test_no_log_yet_is_said(memd: CommandLine) -> None:
    told = memd("logs")

    assert told.status == 6
    assert "no log yet" in told.err


def test_the_last_lines_of_the_log_are_printed_without_control_characters(memd: CommandLine) -> None:
    memd.paths.state_dir.mkdir(parents=True)
    memd.paths.log_file.write_text("one\ntwo \x1b[2J\nthree\n")

    assert memd("logs", "-n", "2").out == "two [2J\nthree\n"


def test_the_configuration_is_shown_written_once_and_never_overwritten(memd: CommandLine) -> None:
    path = memd.paths.config_file

    assert "(not there: defaults)" in memd("config").out
    assert memd("config", "path").out == f"{path}\n"
    assert memd("config", "init").status == 0
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_text("[inject]\nwakeup_tokens = 100\n")
    again = memd("config", "init")

    assert again.status == 6
    assert "is there already" in again.err
    assert "inject.wakeup_tokens = 100" in memd("config").out


def test_a_plan_changes_nothing(memd: CommandLine, tmp_path: Path) -> None:
    told = memd("install", "--plan")

    assert told.status == 0
    assert told.out.startswith("This would change:\n- folders: make")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [("preview", "/nowhere/x.jsonl"), ("preview", "/")], ids=["missing", "folder"])
def test_a_file_that_is_no_transcript_is_named(words: tuple[str, ...], memd: CommandLine) -> None:
    told = memd(*words)

    assert (told.status, told.out) == (2, "")
    assert words[1] in told.err
    assert told.err.count("\n") == 1


def test_text_that_is_no_transcript_is_refused(memd: CommandLine, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ada,\n")

    told = memd("preview", str(letter))

    assert told.status == 2
    assert "no transcript" in told.err


def memd_process(env: dict[str, str], *words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-I", "-m", "memd", *words], env=env, capture_output=True, check=False, timeout=150
    )


def test_a_reader_that_has_seen_enough_is_no_trouble(memd: CommandLine, env: dict[str, str]) -> None:
    memd.paths.state_dir.mkdir(parents=True)
    memd.paths.log_file.write_text("a line of some length to fill the pipe\n" * 20_000)
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        done = subprocess.run(
            [sys.executable, "-I", "-m", "memd", "logs", "-n", "20000"],
            env=env, stdout=closed, stderr=subprocess.PIPE, check=False, timeout=150,
        )  # fmt: skip

    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(("shell", "status"), [("exec >&-", 0), ("exec >/dev/full", 1)])
def test_an_answer_that_cannot_be_written_is_no_defect(shell: str, status: int, env: dict[str, str]) -> None:
    command = f"{shell}; exec {sys.executable} -m memd completion bash"
    done = subprocess.run(["sh", "-c", command], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert done.stderr.count("\n") == status


def test_a_number_larger_than_any_is_as_many_as_there_are(memd: CommandLine) -> None:
    assert memd("logs", "-n", "9" * 30).status == memd("logs", "-n", "9").status


def waiting(memd: CommandLine, *, interactive: bool = False) -> tuple[FirstReading, io.StringIO]:
    out = io.StringIO()
    given = build().parse_args(["install"])
    return FirstReading(Invocation(given, memd.env, Terminal(out, io.StringIO(), interactive))), out


def test_the_first_reading_is_waited_for_and_told_in_plain_lines(memd: CommandLine, daemon: StubDaemon) -> None:
    answers = iter([(True, 10), (True, 60), (False, 100)])

    def next_status() -> object:
        running, done = next(answers)
        return plain(status(running=running, done=done, total=100))

    daemon.answers["status"] = next_status
    reading, out = waiting(memd)

    assert not reading.wait().backfill.running
    assert out.getvalue().splitlines()[-1] == "Reading what is there: 100%, 100 B of 100 B"


def test_a_first_reading_that_takes_years_is_not_waited_for(memd: CommandLine) -> None:
    reading, _ = waiting(memd)
    reading._first = BackfillAnswer(True, 0, 9, 0, 5_000_000_000)
    later = BackfillAnswer(True, 1, 9, 100_000_000, 5_000_000_000)

    assert reading.left_s(later, 1.0) is None
    assert reading.left_s(later, 10.0) == pytest.approx(490.0)


def test_a_person_sees_a_bar(memd: CommandLine, daemon: StubDaemon) -> None:
    answers = iter([(True, 50), (False, 100)])

    def next_status() -> object:
        running, done = next(answers)
        return plain(status(running=running, done=done, total=100))

    daemon.answers["status"] = next_status
    reading, out = waiting(memd, interactive=True)
    reading.wait()

    assert out.getvalue().startswith("\rReading [###############...............]  50%")
    assert out.getvalue().rstrip(" ").endswith("\n")


def test_the_first_facts_are_waited_for(memd: CommandLine, daemon: StubDaemon) -> None:
    answers = iter([(0, 9), (0, 4), (5, 0)])

    def next_status() -> object:
        facts, queued = next(answers)
        return plain(status(facts=facts, queues=QueuesAnswer(0, 0, queued)))

    daemon.answers["status"] = next_status
    reading, out = waiting(memd)

    assert reading.wait().facts == 5
    assert "Distilling what was read" in out.getvalue()


def test_what_is_wrong_with_the_configuration_is_shown_with_it(memd: CommandLine) -> None:
    memd("config", "init")
    memd.paths.config_file.write_text("[inject]\nwakeup_tokns = 1\n")

    told = memd("config")

    assert "Not as it should be" in told.out
    assert "there is no setting inject.wakeup_tokns" in told.out
    assert told.status == 0


def test_the_doctor_names_each_fault_with_its_fix(memd: CommandLine) -> None:
    memd("config", "init")
    memd.paths.config_file.write_text("[inject\n")

    told = memd("doctor")
    as_json = memd("doctor", "--json")

    assert told.status == as_json.status == 1
    assert "FAIL configuration" in told.out
    assert "is not valid TOML" in told.out.replace("\n" + " " * 24, " ")
    assert str(memd.paths.config_file) in told.out  # whole, to be copied
    assert all(width(line) <= 80 or "/" in line for line in told.out.splitlines())
    failing = [check for check in json.loads(as_json.out)["checks"] if not check["ok"]]
    assert failing
    assert all(check["fix"] for check in failing)


def test_the_doctor_tells_what_is_wrong_first_and_what_was_fine_in_one_number(memd: CommandLine) -> None:
    memd("config", "init")
    memd.paths.config_file.write_text("[inject\n")

    told, whole = memd("doctor"), memd("doctor", "--verbose")
    checks = json.loads(memd("doctor", "--json").out)["checks"]
    fine = [check for check in checks if check["ok"]]

    first, *_ = told.out.splitlines()
    assert first.startswith("FAIL")
    assert "\nok  " not in told.out
    assert whole.out.count("\nok  ") == len(fine)
    assert told.out.endswith(
        f"{len(checks) - len(fine)} of {len(checks)} checks failed, {len(fine)} were fine (`memd doctor --verbose`).\n"
    )
