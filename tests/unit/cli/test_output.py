"""What commands print for people and for programs."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace

import pytest

from memd.doors.cli.columns import width
from memd.doors.cli.install import from_now_on
from memd.doors.cli.main import run
from memd.doors.cli.places import Places
from memd.doors.cli.terminal import ENDLESS, Terminal
from memd.operations.answers import NO_PATTERN, FactShowAnswer, HitAnswer, SearchAnswer, ShowAnswer, WakeupAnswer
from memd.operations.status_answers import QueuesAnswer, RootAnswer
from tests.unit.cli.conftest import CommandLine, StubDaemon, Told
from tests.unit.cli.samples import FACT, HIT, HOSTILE, OTHER, SEARCH, SESSION, SHOWN, UID, plain, status

WIDE = "支払いを三回まで再試行する " * 12
LONG = "word " * 80 + "x" * 200
COMMANDS = (
    ("status",),
    ("search", "retry"),
    ("sessions",),
    ("show", "0123456789ab"),
    ("show", "--full", "0123456789ab"),
    ("facts",),
    ("facts", "0123456789ab"),
    ("wakeup",),
)


def fill(daemon: StubDaemon, text: str) -> None:
    """Have the daemon answer everything, with `text` wherever stored text goes."""
    fact = replace(FACT, title=text, text=text, parts={"because": text}, project=f"/home/ada/{text[:20]}")
    session = replace(SESSION, title=text, branch=text, project=f"/home/ada/{text[:20]}")
    first, *others = SHOWN.messages
    call = replace(others[-1].tool_calls[0], name=text, input=text, output=text)
    message = replace(first, text=text, tool_calls=(call,))
    host = replace(status().hosts["claude_code"], skipped={text: 1}, title=text)
    daemon.answers |= {
        "status": plain(status(hosts={"claude_code": host}, degraded=(text,))),
        "search": plain(SearchAnswer(text, (replace(HIT, text=text, title=text),), ("facts",))),
        "sessions.list": plain((session,)),
        "sessions.show": plain(ShowAnswer(session, (message,), (session,))),
        "facts.list": plain((fact,)),
        "facts.show": plain(FactShowAnswer(fact)),
        "wakeup": plain(WakeupAnswer("/home/ada/shop", text, 30)),
    }


@pytest.mark.parametrize("text", [WIDE, LONG, HOSTILE], ids=["wide", "long", "hostile"])
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_output_for_people_fits_80_columns_and_holds_no_control_characters(
    words: tuple[str, ...], text: str, memd: CommandLine, daemon: StubDaemon
) -> None:
    fill(daemon, text)

    told = memd(*words)

    assert (told.status, told.err) == (0, "")
    assert told.out.strip()
    for line in told.out.splitlines():
        assert width(line) <= 80, line
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", told.out)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_json_is_the_daemons_answer_and_shows_no_control_characters(
    words: tuple[str, ...], memd: CommandLine, daemon: StubDaemon
) -> None:
    fill(daemon, HOSTILE)

    told = memd(*words, "--json")

    assert (told.status, told.err) == (0, "")
    assert json.loads(told.out) == json.loads(json.dumps(daemon.answers[daemon.asked[0][0]]))
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", told.out)


def test_colour_is_only_there_where_it_is_wanted(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["search"] = plain(SEARCH)

    assert "\x1b[" not in memd("search", "retry").out
    assert "\x1b[1m" in memd("search", "retry", colour=True).out


def test_the_status_names_what_people_want_to_know(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["status"] = plain(
        status(
            running=True,
            done=1_200_000_000,
            total=3_400_000_000,
            queues=QueuesAnswer(3, 0, 1),
            degraded=("Claude Code writes what this version of memd does not know.",),
        )
    )

    out = memd("status").out

    for words in (
        "memd 0.1.0 runs (process 4711, for 3 h 12 min)",
        "214 sessions, 18,402 messages and 97 facts",
        "Claude Code",
        "unknown row kind: hologram (3)",
        "Permission denied",
        "1.2 GB of 3.4 GB (35 %)",
        "3 files to read, 1 session to distill",
        "41 MB",
        "Not as it should be",
    ):
        assert words in out, out


def test_agents_that_are_not_here_take_one_line_of_the_status(memd: CommandLine, daemon: StubDaemon) -> None:
    here = status().hosts["claude_code"]
    absent = {f"host{n}": replace(here, title=f"Host {n}", present=False) for n in range(9)}
    daemon.answers["status"] = plain(status(hosts={**absent, "claude_code": here}))

    out = memd("status").out

    assert "No sessions on this machine of: Host 0, Host 1" in out
    assert out.count("newest message") == 1
    assert len(out.splitlines()) < 20


def test_a_search_that_finds_nothing_ends_with_status_1(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["search"] = plain(SearchAnswer("unicorn", (), ("facts", "messages"), found=False))

    told = memd("search", "unicorn")
    as_json = memd("search", "unicorn", "--json")

    assert (told.status, told.out) == (1, "")
    assert "Nothing was found" in told.err
    assert (as_json.status, json.loads(as_json.out)["hits"]) == (1, [])


def test_a_search_that_finds_only_what_is_near_says_so_and_ends_with_status_1(
    memd: CommandLine, daemon: StubDaemon
) -> None:
    daemon.answers["search"] = plain(replace(SEARCH, sure=False, found=False))

    told = memd("search", "unicorn")

    assert told.status == 1
    assert "Nothing was found for 'unicorn'" in told.err
    assert told.out.startswith("What comes nearest:\n")
    assert "Payments are retried" in told.out


def test_what_a_tool_printed_is_not_called_the_assistants(memd: CommandLine, daemon: StubDaemon) -> None:
    hits = (
        replace(HIT, kind="message", id=None, role="tool", tool="Bash"),
        replace(HIT, kind="message", id=None, role="assistant", tool="Bash"),
        replace(HIT, kind="message", id=None, role="assistant"),
    )
    daemon.answers["search"] = plain(replace(SEARCH, hits=hits))

    heads = [line for line in memd("search", "retry").out.splitlines() if "session" in line]

    assert [head.split(" · ")[0] for head in heads] == ["output of Bash", "call of Bash", "assistant"]


def test_a_compact_search_is_a_line_for_each_hit(memd: CommandLine, daemon: StubDaemon) -> None:
    hits = (replace(HIT, at="2026-11-29"), replace(HIT, kind="message", id=None, role="user", at=None))
    daemon.answers["search"] = plain(replace(SEARCH, hits=hits))

    first, second = memd("search", "retry", "--compact").out.splitlines()

    assert first.startswith(f"decision {UID[-10:]} · 2026-11-29 · Payments are retried three times")
    assert second.startswith("user")


def test_a_search_as_of_a_day_is_sent_as_such(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["search"] = plain(SEARCH)

    memd("search", "retry", "--as-of", "2026-03-01", "--compact")

    assert daemon.asked[0][1]["as_of"] == "2026-03-01"
    assert daemon.asked[0][1]["compact"] is True


def test_a_search_is_sent_with_its_filters(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["search"] = plain(SEARCH)

    memd("search", "retry", "backoff", "--project", "shop", "--host", "claude_code", "-n", "3", "--kind", "facts")

    assert daemon.asked == [
        (
            "search",
            {"query": "retry backoff", "project": "shop", "host": "claude_code", "limit": 3, "kinds": ["facts"]},
        )
    ]


def test_a_search_for_one_kind_of_fact_is_sent_as_nothing_but_that(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["search"] = plain(SEARCH)

    memd("search", "retry", "--category", "decision")

    _, params = daemon.asked[-1]
    assert (params["category"], params["strict"]) == ("decision", True)


def test_a_project_that_is_not_known_comes_with_where_those_stand_that_are(
    memd: CommandLine, daemon: StubDaemon
) -> None:
    sentence = "There is no project '/srv/quay'."
    refused = {"code": "not_found", "message": sentence, "exit_status": 3, "what": "project"}
    daemon.answers["facts.list"] = {"refused": refused}

    told = memd("facts", "--project", "/srv/quay")

    assert told.status == 3
    assert told.err.startswith(f"memd: {sentence}")
    assert "`memd session projects`" in told.err


def test_a_hit_tells_where_to_go_on(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["search"] = plain(SEARCH)

    out = memd("search", "retry").out

    assert "decision" in out
    assert UID[-10:] in out
    assert f"session {OTHER[-10:]}" in out
    assert "shop" in out


def test_sessions_are_one_line_each_and_agents_are_left_out_for_people(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["sessions.list"] = plain((SESSION, replace(SESSION, id=OTHER, ended=None, title=None)))

    header, *lines = memd("sessions").out.splitlines()
    memd("sessions", "--json")

    assert header.split()[:3] == ["ID", "LAST", "MESSAGE"]
    assert len(lines) == 2
    assert lines[0].startswith(UID[-10:])
    assert lines[0].endswith("Retry the payment call with backoff")
    assert "●" in lines[1]
    assert SESSION.native_id[:8] in lines[1]
    assert [params["subagents"] for _, params in daemon.asked] == [False, True]
    assert [params["empty"] for _, params in daemon.asked] == [False, True]
    assert [params["limit"] for _, params in daemon.asked] == [21, None]


def test_a_shown_session_marks_what_was_abandoned_and_how_calls_ended(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["sessions.show"] = plain(SHOWN)

    short, full = memd("show", "0123456789ab").out, memd("show", "0123456789ab", "--full").out

    assert "· abandoned" in short
    assert "    pay()" in short
    assert "▸ Bash (exit 1)" in short
    assert "1 failed" not in short
    assert "1 failed" in full
    assert "9,000 characters as it was printed" in full
    assert "Agents of this session" in short


def test_a_fact_is_shown_with_the_words_it_comes_from(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["facts.show"] = plain(FactShowAnswer(FACT))

    out = memd("facts", UID[-10:]).out

    assert "because: the provider drops one call in fifty" in out
    assert "let us retry three times, with backoff" in out
    assert f"session {OTHER[-10:]}" in out


@pytest.mark.parametrize(
    ("op", "words", "sentence"),
    [("sessions.list", ("sessions",), "No session"), ("facts.list", ("facts",), "No fact")],
    ids=["sessions", "facts"],
)
def test_an_empty_list_says_so_beside_the_output(
    op: str, words: tuple[str, ...], sentence: str, memd: CommandLine, daemon: StubDaemon
) -> None:
    daemon.answers[op] = []

    told = memd(*words)

    assert (told.status, told.out) == (0, "")
    assert sentence in told.err
    assert json.loads(memd(*words, "--json").out) == []


def test_a_wakeup_of_nothing_says_so_beside_the_output(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["wakeup"] = plain(WakeupAnswer(None, "", 0))

    told = memd("wakeup")

    assert (told.status, told.out) == (0, "")
    assert "nothing to tell" in told.err


def test_the_daemons_refusal_becomes_its_sentence_and_its_status(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["sessions.show"] = {
        "refused": {"code": "not_found", "message": "There is no session 'zz'.", "exit_status": 3}
    }

    told = memd("show", "zz")

    assert told == Told(3, "", "memd: There is no session 'zz'.\n")


def test_a_daemon_of_another_version_is_told(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers["status"] = {"version": 9}

    told = memd("status")

    assert told.status == 4
    assert "not what this version expects" in told.err


def test_places_that_are_not_there_yet_are_a_number_unless_asked_for(memd: CommandLine, daemon: StubDaemon) -> None:
    here = status().hosts["claude_code"]
    absent = tuple(RootAnswer(f"/home/ada/.claude{n}/projects", "absent") for n in range(23))
    daemon.answers["status"] = plain(status(hosts={"claude_code": replace(here, roots=(*here.roots, *absent))}))

    told, whole = memd("status").out, memd("status", "--verbose").out

    assert "23 more places are watched, not there yet" in told
    assert "/home/ada/.claude/projects: watched" in told
    assert told.count("not there yet") == 1
    assert whole.count(": not there yet") == 23


@pytest.mark.parametrize(
    ("command", "op", "row"), [("sessions", "sessions.list", SESSION), ("facts", "facts.list", FACT)]
)
def test_a_list_says_that_there_is_more_and_how_to_see_it(
    command: str, op: str, row: object, memd: CommandLine, daemon: StubDaemon
) -> None:
    daemon.answers[op] = plain((row,) * 4)

    *rows, last = memd(command, "-n", "3").out.splitlines()
    all_of_them = memd(command, "-n", "4").out

    assert len(rows) == 4  # the header, and three
    assert last == f"There are more: `memd {command} -n 15`."
    assert "There are more" not in all_of_them
    assert daemon.asked[0][1]["limit"] == 4


@pytest.mark.parametrize(("command", "op"), [("sessions", "sessions.list"), ("facts", "facts.list")])
def test_rows_are_cut_for_people_alone(command: str, op: str, memd: CommandLine, daemon: StubDaemon) -> None:
    title = "Payments are retried three times " * 5 + "end"
    project = "/home/ada/" + "harbour-" * 5 + "office"
    row = (
        replace(SESSION, title=title, project=project)
        if command == "sessions"
        else replace(FACT, title=title, project=project)
    )
    daemon.answers[op] = plain((row,))
    out = io.StringIO()

    assert run((command,), memd.env, Terminal(out, io.StringIO(), columns=ENDLESS)) == 0
    assert title in out.getvalue()
    assert project.rpartition("/")[2] in out.getvalue()
    assert title not in memd(command).out


@pytest.mark.parametrize(
    ("present", "absent", "watched"),
    [
        (("OpenCode",), 4, "transcripts of OpenCode and 4 others as soon as they write one,"),
        (("OpenCode", "Codex"), 1, "transcripts of OpenCode, Codex and 1 other as soon as it writes one,"),
        (("OpenCode", "Codex"), 0, "transcripts of OpenCode and Codex,"),
        ((), 2, "transcripts of 2 agents as soon as they write one,"),
    ],
    ids=str,
)
def test_an_install_says_whom_it_watches(
    present: tuple[str, ...], absent: int, watched: str, memd: CommandLine
) -> None:
    here = status().hosts["claude_code"]
    named = {name: replace(here, title=name) for name in present}
    others = {str(n): replace(here, title=str(n), present=False) for n in range(absent)}
    places = Places(memd.paths, memd.env)

    told = from_now_on(status(hosts={**named, **others}), places, Terminal(io.StringIO(), io.StringIO()))

    assert watched in " ".join(" ".join(told).split())


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_what_a_program_or_a_file_is_given_is_neither_cut_nor_broken(
    words: tuple[str, ...], memd: CommandLine, daemon: StubDaemon
) -> None:
    fill(daemon, LONG)
    if words == ("sessions",):
        daemon.answers["sessions.list"] = plain((replace(SESSION, title=LONG),))
    out = io.StringIO()

    assert run(words, memd.env, Terminal(out, io.StringIO(), columns=ENDLESS)) == 0

    assert LONG in out.getvalue()


@pytest.mark.parametrize("group", ["memory", "session", "relations", "analyze", "admin"])
def test_the_list_of_actions_says_of_each_in_a_pipe_what_it_does(group: str, memd: CommandLine) -> None:
    out = io.StringIO()

    assert run((group,), memd.env, Terminal(out, io.StringIO(), columns=ENDLESS)) == 0

    assert "…" not in out.getvalue()
    assert "…" in memd(group).out


def test_a_wide_window_has_more_of_a_row(memd: CommandLine, daemon: StubDaemon) -> None:
    title = "Payments are retried three times " * 4 + "end"
    daemon.answers["facts.list"] = plain((replace(FACT, title=title),))
    out = io.StringIO()

    assert run(("facts",), memd.env, Terminal(out, io.StringIO(), window=200)) == 0

    assert title in out.getvalue()


@pytest.mark.parametrize("words", [("search", ""), ("search", " ", "--category", "decision")], ids=str)
def test_who_looks_for_nothing_is_asked_for_words(words: tuple[str, ...], memd: CommandLine) -> None:
    told = memd(*words)

    assert (told.status, told.out) == (2, "")
    assert told.err == "memd: There is nothing to look for; name it: `memd search WORDS`.\n"


@pytest.mark.parametrize("hits", [(HIT,), ()], ids=["something", "nothing"])
def test_what_is_no_pattern_is_said_in_a_line_whatever_was_found(
    hits: tuple[HitAnswer, ...], memd: CommandLine, daemon: StubDaemon
) -> None:
    found = bool(hits)
    daemon.answers["search"] = plain(
        SearchAnswer("[", hits, ("regex",), notes={"regex": NO_PATTERN}, sure=found, found=found)
    )

    told = memd("search", "--mode", "regex", "[")

    assert told.status == 2
    assert told.err.splitlines()[-1] == "memd: '[' is no valid regular expression; it was looked for as it stands."
    assert bool(told.out) is found
    assert NO_PATTERN not in told.out + told.err.replace("it was looked", "")


def test_why_nothing_could_be_found_is_said(memd: CommandLine, daemon: StubDaemon) -> None:
    notes = {"regex": "this pattern takes too long; make it simpler"}
    daemon.answers["search"] = plain(SearchAnswer("(a+)+$", (), ("regex",), notes=notes, sure=False, found=False))

    told = memd("search", "--mode", "regex", "(a+)+$")

    assert told.status == 1
    assert told.err.splitlines()[1:] == ["memd: (regex: this pattern takes too long; make it simpler)"]
