"""What the deleting of messages, sessions, projects and words gives back."""

from __future__ import annotations

from dataclasses import dataclass

from memd.operations.answers import FactAnswer


@dataclass(frozen=True, slots=True)
class DeletedAnswer:
    """What is deleted, or with `applied` was.

    `begins` is how the first prompt, or the message, begins; without it once it is gone. `forgotten` are the facts that
    rest on nothing else and go along, `kept` counts those that only lose evidence. `shared_with` are sessions, by the
    host's id, that show the same messages as their own history and lose them too. `transcripts` are the host's own
    files, which memd never writes to: they still hold the text, and reading them does not bring it back. `copies` are
    files of memd's from before that may hold it, backups and damaged databases set aside; `copies_removed` counts
    those that were removed. `clean`: nothing is left in the database file, its indexes and its log.
    """

    applied: bool
    session: str
    title: str | None
    messages: int
    tool_calls: int
    agents: int
    begins: str
    forgotten: tuple[FactAnswer, ...]
    kept: int
    shared_with: tuple[str, ...]
    transcripts: tuple[str, ...]
    copies: tuple[str, ...]
    copies_removed: int = 0
    clean: bool = False


@dataclass(frozen=True, slots=True)
class ProjectDeletedAnswer:
    """What goes with a project, or with `applied` went, counted by kind.

    `everywhere` are facts that were said in it alone and hold in all projects: they stay, as the person's own, unless
    they were asked to go as well. `transcripts` are the host's own files, which memd never writes to: reading them does
    not bring anything back. `copies` are files of memd's from before that may hold it; `copies_removed` counts those
    that were removed. `clean`: nothing is left in the database file, its indexes and its log.
    """

    applied: bool
    project: str
    name: str
    counts: dict[str, int]
    transcripts: tuple[str, ...]
    copies: tuple[str, ...]
    copies_removed: int = 0
    clean: bool = False
    everywhere: tuple[FactAnswer, ...] = ()
    everywhere_goes: bool = False


@dataclass(frozen=True, slots=True)
class WordsForgottenAnswer:
    """What holds the words and is deleted, or with `applied` was: the receipt.

    `forgotten` are the facts that go, `kept` counts those that only lose evidence. `blocks` are labels of blocks that
    hold the words; a block is somebody's own text and stays until they change it, as do the names of `projects`, or of
    the folders they lie in. `transcripts`, `copies`, `copies_removed` and `clean` are as in `DeletedAnswer`.
    """

    applied: bool
    messages: int
    sessions: int
    forgotten: tuple[FactAnswer, ...]
    kept: int
    prompts: int
    handoffs: int
    blocks: tuple[str, ...]
    transcripts: tuple[str, ...]
    copies: tuple[str, ...]
    copies_removed: int = 0
    clean: bool = False
    entities: int = 0
    projects: tuple[str, ...] = ()
