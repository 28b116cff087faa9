"""`memd doctor`: everything that can be checked, and how to mend what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memd import config
from memd.doors.cli import reach
from memd.doors.cli.columns import one_line, pad, wrap
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.places import Places
from memd.doors.cli.service import environment
from memd.doors.cli.terminal import Terminal
from memd.doors.cli.wording import counted
from memd.errors import ConfigError, DamagedDatabase, MemdError, StoreError
from memd.operations.status_answers import HealthAnswer, HealthCheck
from memd_service.doctor import service_checks
from memd_service.manager import Running, daemon_of

_NAME_WIDTH = 18
_OK, _NOTE, _FAIL = ("ok  ", "green"), ("note", "yellow"), ("FAIL", "red")


def run(invocation: Invocation) -> int:
    """Print every check; the exit status is 1 when one of them failed."""
    checks = tuple(_checks(invocation))
    wrong = sum(not check.ok for check in checks)
    terminal = invocation.terminal
    if invocation.given.json:
        terminal.say(reach.json_text({"ok": not wrong, "checks": checks}))
    else:
        terminal.say_all(lines(checks, terminal, verbose=invocation.given.verbose))
    return MemdError.exit_status if wrong else 0


def lines(checks: Sequence[HealthCheck], terminal: Terminal, *, verbose: bool = False) -> Iterator[str]:
    """Give the checks for people: each failing one with its fix, what else is worth knowing, and how many were fine.

    With `verbose` those that were fine are told as well.
    """
    wrong = [check for check in checks if not check.ok]
    fine = [check for check in checks if check.ok]
    told = [check for check in fine if verbose or check.fix]
    for check in [*wrong, *told]:
        mark = terminal.style(*(_FAIL if not check.ok else _NOTE if check.fix else _OK))
        indent = " " * 5
        first, *rest = wrap(one_line(check.detail), terminal.columns - 5 - _NAME_WIDTH - 1, whole=True)
        yield f"{mark} {pad(one_line(check.name), _NAME_WIDTH)} {first}"
        yield from (f"{indent}{' ' * _NAME_WIDTH} {line}" for line in rest)
        if check.fix:
            hint = wrap(f"→ {one_line(check.fix)}", terminal.columns - 5 - _NAME_WIDTH - 1, whole=True)
            yield from (f"{indent}{' ' * _NAME_WIDTH} {line}" for line in hint)
    if wrong or told:
        yield ""
    if wrong:
        yield f"{len(wrong)} of {len(checks)} checks failed, {len(fine)} were fine (`memd doctor --verbose`)."
    else:
        yield f"All is well. {counted(len(fine), 'check')} found nothing wrong."


def _checks(invocation: Invocation) -> Iterator[HealthCheck]:
    try:
        places = invocation.places()
    except MemdError as error:
        yield HealthCheck("configuration", ok=False, detail=str(error), fix=_fix(error))
        return
    yield _configuration(places)
    here = environment(places)
    for check in service_checks(here):
        yield HealthCheck(check.name, check.ok, check.detail, check.fix)
    if not isinstance(daemon_of(here), Running):
        yield from _without_daemon(places)
        return
    try:
        raw = reach.ask(invocation, "health", {}, wake=False, deadline_s=120.0)
        yield from reach.decode(raw, HealthAnswer, places.paths.socket).checks
    except MemdError as error:
        yield HealthCheck("daemon's health", ok=False, detail=str(error), fix="memd restart")


def _without_daemon(places: Places) -> Iterator[HealthCheck]:
    """Look at what may keep a daemon from starting."""
    from memd.operations.file_checks import database_check, disk_check
    from memd.store.migrate import refuse_unusable

    paths = places.paths
    if paths.database.exists():
        try:
            refuse_unusable(paths.database)
        except DamagedDatabase:
            yield database_check(paths)
        except StoreError as error:
            fix = f"update memd, or move {paths.database} away"
            yield HealthCheck("database", ok=False, detail=str(error), fix=fix)
        else:
            yield database_check(paths)
    if paths.data_dir.exists():
        yield disk_check(paths)


def _configuration(places: Places) -> HealthCheck:
    path = places.paths.config_file
    try:
        settings = config.load(path, places.env)
    except ConfigError as error:
        return HealthCheck("configuration", ok=False, detail=str(error), fix=_fix(error))
    if settings.warnings:
        return HealthCheck("configuration", ok=False, detail=" ".join(settings.warnings), fix=f"edit {path}")
    return HealthCheck("configuration", ok=True, detail=str(path) if path.exists() else "defaults")


def _fix(error: MemdError) -> str:
    match error:
        case ConfigError():
            return f"mend {error.path}, or move it away"
        case _:
            return "set MEMD_DATA_DIR to an absolute path, or unset it"
