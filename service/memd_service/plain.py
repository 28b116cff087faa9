"""Plain: memd as a background process, where neither systemd nor launchd looks after the user.

Nothing starts it at login: until somebody runs `memd up` or `memd restart`, hooks keep their events in the spool.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass

from memd.paths import make_private
from memd_service import files, lockfile
from memd_service.environment import Environment
from memd_service.errors import DaemonDidNotStart
from memd_service.launchd import output_file
from memd_service.manager import STOP_TIMEOUT_S, State, UnitFile, daemon_of, end_daemon
from memd_service.reach import wait_until_answering

_START_TIMEOUT_S = 30.0


@dataclass(frozen=True, slots=True)
class Plain:
    """The daemon as a process of its own session, found again by its lock file."""

    environment: Environment
    command: tuple[str, ...] = ("-I", "-m", "memd", "up")

    @property
    def name(self) -> str:
        """ "plain"."""
        return "plain"

    def unit_files(self) -> tuple[UnitFile, ...]:
        """Give none."""
        return ()

    def install(self) -> None:
        """Start the daemon anew."""
        self.restart()

    def uninstall(self) -> None:
        """Stop the daemon."""
        self.stop()

    def start(self) -> None:
        """Start the daemon unless it runs, and wait until it answers.

        Raises DaemonDidNotStart with the last lines it printed when it ends or stays silent for half a minute.
        """
        paths = self.environment.paths
        if lockfile.running(paths.lock_file) is not None:
            self._wait_for_the_one_that_runs()
            return
        make_private(paths.state_dir)
        output = output_file(paths)
        files.touch_private(output)
        with output.open("ab") as log:
            child = subprocess.Popen(
                [str(self.environment.python), *self.command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                cwd=paths.state_dir,
                env={**self.environment.variables, **self.environment.folder_variables},
            )
        answered = wait_until_answering(
            paths.socket,
            deadline_s=_START_TIMEOUT_S,
            give_up=lambda: child.poll() is not None,
        )
        status = child.poll()
        if status is None and answered:
            child.returncode = 0  # it is meant to outlive this process, so Popen shall not complain
            return
        if status is None:
            child.terminate()
            child.wait(STOP_TIMEOUT_S)
            reason = f"no answer within {_START_TIMEOUT_S:.0f} s"
        else:
            if lockfile.running(paths.lock_file) is not None:
                self._wait_for_the_one_that_runs()  # somebody else, an agent's MCP pump, started one at this moment
                return
            reason = f"it ended with status {status}"
        raise DaemonDidNotStart(reason, files.last_lines(output))

    def stop(self) -> None:
        """Ask the daemon to end, wait until it has, and insist after 20 s."""
        end_daemon(self.environment)

    def restart(self) -> None:
        """Stop the daemon and start it again."""
        self.stop()
        self.start()

    def state(self) -> State:
        """Read the lock file; a background process is never registered anywhere."""
        return State(self.name, False, daemon_of(self.environment))

    def _wait_for_the_one_that_runs(self) -> None:
        paths = self.environment.paths
        if not wait_until_answering(paths.socket, deadline_s=_START_TIMEOUT_S):
            raise DaemonDidNotStart(
                "one runs already but does not answer; try `memd restart`",
                files.last_lines(paths.log_file),
            )
