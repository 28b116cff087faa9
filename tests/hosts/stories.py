"""What the pretend model says and does in the sessions of these tests and recordings.

One invented project: a harbour's tide table. Each prompt is written so that its phrase occurs in
no other prompt, because the script goes by phrases.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.hosts.script import Answer, Call, Rule, Say, rule

FIRST = "0a11ce00-0000-4000-8000-000000000001"
SECOND = "0a11ce00-0000-4000-8000-000000000002"

DECISION = (
    "Let's use SQLite instead of Postgres for the tide table, because the harbour office has no "
    "server and must keep working when the line is down."
)
AGREEMENT = (
    "Agreed: SQLite instead of Postgres, because the harbour office has no server. "
    "Let me see what is here and write it down."
)
DECIDED = "Done. The tide table is kept in SQLite; docs/storage.md says why."
FOLLOW_UP = "Please add that the file is copied every night."
FOLLOWED_UP = "Added: the file is copied every night at 02:30."
SURVEY = "Have someone count the piers listed in piers.txt."
SURVEY_TASK = "Read piers.txt and report how many piers it lists."
SURVEY_RESULT = "The list names three piers: north, middle and south."
SURVEYED = "There are three piers: north, middle and south."
BACKGROUND = "Start someone on measuring the quay; do not wait."
BACKGROUND_TASK = "Measure the quay with one command and report its length."
BACKGROUND_RESULT = "The quay is 120 metres long."
STARTED = "Someone is measuring the quay."
MEASURED = "The measuring is done: 120 metres."
THREE_LOOKS = "Look at the date, the folder and the user at once."
THREE_SEEN = "All three looked at."
NAMING = "What could the command be called?"
NAMED = "Perhaps `ebb`."
NAMING_AGAIN = " It should be a noun."
RENAMED = "Then `tide`."
NEXT_STEP = "Which step comes next for the importer?"
NEXT = "Next comes the importer's test."
RECAP = "The harbour office keeps its tide table in SQLite instead of Postgres. The command is `tide`."


STANDING = "In all my projects, always write dates as year-month-day."
"""What holds everywhere, so that a host whose one rules file all projects share may be told."""
STOOD = "Noted: the year comes first."


@dataclass(frozen=True, slots=True)
class Tools:
    """How a model asks a host to run a command, to write a file and to change one."""

    shell: Callable[[str], Call]
    write: Callable[[Path, str], Call]
    edit: Callable[[Path, str, str], Call]
    look: Callable[[Path], Call] | None = None
    """How a file is read, where the host wants that before a change."""


def decision(project: Path, tools: Tools) -> tuple[Rule, ...]:
    """The story that every host is told: a decision with a failing and a good command, a file written and changed."""
    notes = project / "docs" / "storage.md"
    return (
        *_short_answers(),
        rule(
            "instead of Postgres for the tide table",
            (Say(AGREEMENT), tools.shell("cat harbor.toml || exit 3")),
            tools.shell("echo three piers"),
            tools.write(notes, "# Storage\n\nThe tide table.\n"),
            *([tools.look(notes)] if tools.look else []),
            tools.edit(notes, "The tide table.", "The tide table is in SQLite: no server needed."),
            DECIDED,
        ),
    )


def decision_in_words(answer: Answer | str) -> tuple[Rule, ...]:
    """The same for a host that knows no tools: the model's whole answer is words."""
    return (
        rule("USER: ", "docs: say where the tide table is kept"),
        *_short_answers(),
        rule("instead of Postgres for the tide table", answer),
    )


def _short_answers() -> tuple[Rule, ...]:
    """What is looked for first: a host may show the model its older prompts with the new one."""
    return (
        rule("copied every night", FOLLOWED_UP),
        rule("write dates as year-month-day", STOOD),
        rule("step comes next", NEXT),
    )


def harbor(project: Path, *, agent_tool: str = "Agent") -> tuple[Rule, ...]:
    """The rules for all stories, with the paths of this project; subagents are started with `agent_tool`."""
    notes = str(project / "docs" / "storage.md")
    return (
        rule("detailed summary", f"<analysis>Short.</analysis>\n<summary>{RECAP}</summary>"),
        rule(
            "instead of Postgres for the tide table",
            (Say(AGREEMENT), _bash("cat harbor.toml || exit 3", "Read the settings")),
            _bash("echo three piers && ls -a", "List the folder"),
            Call("Write", {"file_path": notes, "content": "# Storage\n\nThe tide table.\n"}),
            _edit(notes, "The tide table.", "The tide table is in SQLite: no server needed."),
            DECIDED,
        ),
        rule(
            "copied every night",
            _edit(notes, "no server needed.", "no server needed.\nCopied at 02:30."),
            FOLLOWED_UP,
        ),
        rule(
            "someone count the piers",
            _agent(agent_tool, "Count the piers", SURVEY_TASK, wait=True),
            SURVEYED,
        ),
        rule("quay; do not wait", _agent(agent_tool, "Measure the quay", BACKGROUND_TASK, wait=False), STARTED),
        rule("report its length", _bash("echo 120", "Measure"), BACKGROUND_RESULT),
        rule("<task-notification>", MEASURED),
        rule("report how many piers", _bash("cat piers.txt", "Read the list"), SURVEY_RESULT),
        rule(
            "at once",
            (
                _bash("date +%Y", "Show the year"),
                _bash("pwd", "Show the folder"),
                _bash("no-such-command", "Run something that is not there"),
            ),
            THREE_SEEN,
        ),
        rule("a noun", RENAMED),
        rule("the command be called", NAMED),
        rule("step comes next", NEXT),
    )


def _bash(command: str, description: str) -> Call:
    return Call("Bash", {"command": command, "description": description})


def _edit(path: str, old: str, new: str) -> Call:
    return Call("Edit", {"file_path": path, "old_string": old, "new_string": new})


def _agent(tool: str, description: str, task: str, *, wait: bool) -> Call:
    given: dict[str, object] = {"description": description, "prompt": task, "subagent_type": "general-purpose"}
    # "Agent" goes to the background unless told otherwise; its forerunner "Task" did not know the word at first.
    if tool == "Agent" or not wait:
        given["run_in_background"] = not wait
    return Call(tool, given)
