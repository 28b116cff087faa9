"""Errors: one class for each decision a caller or a person has to take.

Each class builds its own sentence from its data, names the thing and says what to do, and carries the exit status
that the command line returns for it.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar


class MemdError(Exception):
    """Something memd can explain in one sentence; nothing was half done."""

    exit_status: ClassVar[int] = 1
    code: ClassVar[str] = "error"


class UsageError(MemdError):
    """The request itself is wrong: an unknown operation, parameter or value."""

    exit_status = 2
    code = "usage"


class UnknownOperation(UsageError):
    """A name that no operation has."""

    code = "unknown_operation"

    def __init__(self, name: str) -> None:
        super().__init__(f"There is no operation called {name!r}; `memd --help` lists what there is.")
        self.name = name


class BadParameter(UsageError):
    """A parameter of an operation is missing, unknown or of the wrong kind."""

    code = "bad_parameter"

    def __init__(self, operation: str, problem: str) -> None:
        super().__init__(f"{operation}: {problem}.")
        self.operation = operation
        self.problem = problem


class NotFound(MemdError):
    """An id or name that the store does not hold."""

    exit_status = 3
    code = "not_found"

    def __init__(self, what: str, name: str) -> None:
        super().__init__(f"There is no {what} {name!r}.")
        self.what = what
        self.name = name


class TooFewFiles(MemdError):
    """The system does not let the daemon open as many files as it needs."""

    code = "too_few_files"

    def __init__(self, allowed: int, needed: int) -> None:
        super().__init__(f"Only {allowed} files may be open at once, and memd needs {needed}; raise it (ulimit -n).")
        self.allowed = allowed
        self.needed = needed


class DaemonUnavailable(MemdError):
    """The daemon cannot be reached over its socket."""

    exit_status = 4
    code = "daemon_unavailable"

    def __init__(self, socket: Path, reason: str) -> None:
        super().__init__(
            f"The memd daemon does not answer at {socket} ({reason}); start it with `memd restart`"
            " or see `memd doctor`."
        )
        self.socket = socket
        self.reason = reason


class AlreadyRunning(MemdError):
    """A second daemon was started for the same data."""

    exit_status = 4
    code = "already_running"

    def __init__(self, lock: Path, pid: int | None) -> None:
        who = f"process {pid}" if pid else "another process"
        super().__init__(f"A memd daemon is already running ({who} holds {lock}); `memd down` stops it.")
        self.lock = lock
        self.pid = pid


class StoreError(MemdError):
    """The database cannot be used as it is."""

    exit_status = 5
    code = "store"


class NewerDatabase(StoreError):
    """The database was written by a later memd."""

    code = "newer_database"

    def __init__(self, path: Path, found: int, known: int) -> None:
        super().__init__(
            f"{path} has schema version {found}, but this memd knows only {known}; update memd (nothing was changed)."
        )
        self.path = path
        self.found = found
        self.known = known


class NotOurDatabase(StoreError):
    """The file is an SQLite database of another program, or no database."""

    code = "not_our_database"

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is not a memd database; move it away or choose another data folder (nothing was changed)."
        )
        self.path = path


class DamagedDatabase(StoreError):
    """The integrity check or SQLite itself found the file damaged."""

    code = "damaged_database"

    def __init__(self, path: Path, finding: str) -> None:
        super().__init__(f"{path} is damaged: {finding}; the daemon restores it from its newest good backup.")
        self.path = path
        self.finding = finding


class StoreFull(StoreError):
    """The disk is full, or a quota or file-size limit was reached."""

    code = "store_full"

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"No space is left for {path}; free some and memd goes on where it stopped (nothing acknowledged was lost)."
        )
        self.path = path


class StoreReadOnly(StoreError):
    """The database or its folder cannot be written."""

    code = "store_read_only"

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} cannot be written; check its owner, mode and mount.")
        self.path = path


class ConfigError(MemdError):
    """The configuration file cannot be read as TOML."""

    exit_status = 6
    code = "config"

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path}: {problem}; mend it or move it away (memd needs none).")
        self.path = path
        self.problem = problem


class PathError(MemdError):
    """A folder or socket path that cannot work."""

    exit_status = 6
    code = "path"


class SettingsError(MemdError):
    """A host's settings file that memd will not touch, because it cannot be read for certain."""

    exit_status = 7
    code = "settings"

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path}: {problem}; mend it and run the same command again (nothing was changed).")
        self.path = path
        self.problem = problem


class TranscriptError(MemdError):
    """A file that cannot be read as a transcript of its host."""

    exit_status = 2
    code = "transcript"

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path}: {problem}.")
        self.path = path
        self.problem = problem


class WorkerFailed(MemdError):
    """A worker process died, ran over its deadline or over its memory."""

    code = "worker"

    def __init__(self, task: str, reason: str) -> None:
        super().__init__(f"The worker for {task} {reason}.")
        self.task = task
        self.reason = reason


class SecretLeft(MemdError):
    """What was distilled of a session still holds a secret, so none of it was written."""

    code = "secret_left"

    def __init__(self, session: str, families: tuple[str, ...]) -> None:
        super().__init__(
            f"Session {session} was not distilled: what it would teach still holds a secret ({', '.join(families)})."
            f" Delete the message that has it (`memd session forget_message`); then it is tried again."
        )
        self.session = session
        self.families = families


class ModelMisconfigured(MemdError):
    """The [model] section of the configuration names a model that cannot be asked."""

    exit_status = 2
    code = "model_config"

    def __init__(self, problem: str) -> None:
        super().__init__(f"No model is used: {problem}; correct [model] in `memd config path` and `memd restart`.")
        self.problem = problem


class ModelFailed(MemdError):
    """A model did not answer, or not in a form that can be used."""

    code = "model"

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"The model at {url} was not used ({reason}); the rules' facts stand.")
        self.url = url
        self.reason = reason


class EmbedMisconfigured(MemdError):
    """The [embed] section of the configuration names an embedding that cannot be asked."""

    exit_status = 2
    code = "embed_config"

    def __init__(self, problem: str) -> None:
        super().__init__(f"No embedding is asked: {problem}; correct [embed] in `memd config path` and `memd restart`.")
        self.problem = problem


class EmbedFailed(MemdError):
    """An embedding did not answer, or not in a form that can be used. `refused`: because of the texts it was sent."""

    code = "embedding"

    def __init__(self, url: str, reason: str, *, refused: bool = False) -> None:
        super().__init__(f"The embedding at {url} was not used ({reason}).")
        self.url = url
        self.reason = reason
        self.refused = refused


class ImportRefused(MemdError):
    """What was to be imported is not what it looks like, or is damaged."""

    exit_status = 2
    code = "import"

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path} {problem}; nothing was imported.")
        self.path = path
        self.problem = problem
