"""Service errors: what went wrong while memd was being started, stopped, put on or taken off."""

from __future__ import annotations

from memd.errors import MemdError


class ServiceError(MemdError):
    """The service could not be brought into the wanted state; the sentence says how to go on."""

    exit_status = 8
    code = "service"


class UnsupportedPlatform(ServiceError):
    """memd has no way to run on this operating system."""

    code = "unsupported_platform"

    def __init__(self, platform: str) -> None:
        super().__init__(f"memd does not run on {platform} itself; install it inside WSL.")
        self.platform = platform


class CommandFailed(ServiceError):
    """A program of the operating system refused what it was told to do."""

    code = "command_failed"

    def __init__(self, argv: tuple[str, ...], status: int, output: str, hint: str = "") -> None:
        lines = output.strip().splitlines()
        said = f": {lines[-1].strip()}" if lines else ""
        advice = f"; {hint}" if hint else ""
        super().__init__(f"`{' '.join(argv)}` failed with status {status}{said}{advice}.")
        self.argv = argv
        self.status = status
        self.output = output


class DaemonDidNotStart(ServiceError):
    """The daemon was started, but its socket did not answer in time."""

    code = "did_not_start"

    def __init__(self, reason: str, last_words: str) -> None:
        told = f" It said last:\n{last_words}" if last_words else ""
        super().__init__(f"The memd daemon did not start: {reason}.{told}")
        self.reason = reason
        self.last_words = last_words


class DaemonDidNotStop(ServiceError):
    """The daemon outlived the signals that it was sent."""

    code = "did_not_stop"

    def __init__(self, pid: int) -> None:
        super().__init__(f"The memd daemon (process {pid}) did not stop; end it with `kill -9 {pid}`.")
        self.pid = pid
