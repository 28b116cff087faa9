"""Stories: invented projects with their sessions and the questions that somebody asks later.

A story is a text file. `# name`; then sessions, each `## host date`; in them exchanges, each `@topic`, of lines
`> ` (the person), `< ` (the agent), `$ ` (a command that works) or `$! ` (one that fails) with `= ` for its output,
`~ ` (a file is edited) and `~+ ` (a file is made). Then `## questions`, one a line:

    [kind] topic | question | answer

An answer is words that all have to be there, parted by ` ; `; a word may be several spellings parted by ` / `; one that
begins with `!` must not be there. A question of the kind `neg` has no answer and nothing to do with the project, one
of the kind `near` is about the project and has none; `must` is no question: it says what the next session has to be
told at its start.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal[
    "why", "what", "run", "fail", "file", "reject", "pref", "super", "open", "zh", "mix", "neg", "near", "must"
]
STORIES: Final = Path(__file__).with_name("stories")
HELD_OUT: Final = Path(__file__).with_name("held_out")
"""Stories that nothing is fitted on."""
_QUESTION: Final = re.compile(r"\[(\w+)\] (\S+) \|(.*)")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happens in an exchange. `kind`: user, agent, run, fail, edit, create; `output` of a command."""

    kind: Literal["user", "agent", "run", "fail", "edit", "create"]
    text: str
    output: str = ""


@dataclass(frozen=True, slots=True)
class Exchange:
    """What is about one topic, without a pause."""

    topic: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """A session as it is to be written. `date` is ISO."""

    host: str
    date: str
    exchanges: tuple[Exchange, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What shows that a text answers: each of `wanted` in one of its spellings, none of `unwanted`."""

    wanted: tuple[tuple[str, ...], ...]
    unwanted: tuple[str, ...]

    def given_by(self, text: str) -> bool:
        """Return whether a text holds the answer."""
        said = text.casefold()
        return all(any(one in said for one in spellings) for spellings in self.wanted) and not any(
            word in said for word in self.unwanted
        )


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked later, and the topic it is about ("-" for none)."""

    project: str
    kind: Kind
    topic: str
    text: str
    answer: Answer

    @property
    def unanswerable(self) -> bool:
        """Whether nothing that was said before bears on it."""
        return self.kind in ("neg", "near")


@dataclass(frozen=True, slots=True)
class Story:
    """A project."""

    name: str
    sessions: tuple[Told, ...]
    questions: tuple[Question, ...]
    musts: tuple[Question, ...]


_STEPS: Final[tuple[tuple[str, Literal["user", "agent", "run", "fail", "edit", "create"]], ...]] = (
    ("> ", "user"), ("< ", "agent"), ("$! ", "fail"), ("$ ", "run"), ("~+ ", "create"), ("~ ", "edit"),
)  # fmt: skip


def read_all(folder: Path = STORIES) -> tuple[Story, ...]:
    """Return all stories of a folder, by name."""
    return tuple(read(path) for path in sorted(folder.glob("*.txt")))


def read(path: Path) -> Story:
    """Return the story of a file. Raises ValueError with the number of a line that cannot be understood."""
    name, topic = path.stem, ""
    head: tuple[str, str] = ("", "")
    sessions: list[Told] = []
    asked: list[Question] = []
    exchanges: list[Exchange] = []
    steps: list[Step] = []

    def close_exchange() -> None:
        if steps:
            exchanges.append(Exchange(topic, tuple(steps)))
        steps.clear()

    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        step = next(((kind, line[len(mark) :]) for mark, kind in _STEPS if line.startswith(mark)), None)
        if line.startswith("# "):
            name = line[2:].strip()
        elif line.startswith("## "):
            close_exchange()
            if exchanges:
                sessions.append(Told(*head, tuple(exchanges)))
            host, _, date = line[3:].partition(" ")
            head, exchanges = (host, date), []
        elif line.startswith("@"):
            close_exchange()
            topic = line[1:].strip()
        elif line.startswith("= ") and steps:
            steps[-1] = Step(steps[-1].kind, steps[-1].text, line[2:])
        elif step is not None:
            steps.append(Step(*step))
        elif found := _QUESTION.match(line):
            text, _, answer = found[3].partition("|")
            asked.append(Question(name, found[1], found[2], text.strip(), _answer(answer)))  # type: ignore[arg-type]
        elif line.strip():
            raise ValueError(f"{path.name}, line {number}: {line!r} is nothing that a story has")
    questions = tuple(one for one in asked if one.kind != "must")
    return Story(name, tuple(sessions), questions, tuple(one for one in asked if one.kind == "must"))


def _answer(text: str) -> Answer:
    words = [word.strip().casefold() for word in text.split(" ; ") if word.strip()]
    wanted = tuple(
        tuple(spelling.strip() for spelling in word.split(" / ")) for word in words if not word.startswith("!")
    )
    return Answer(wanted, tuple(word[1:] for word in words if word.startswith("!")))
