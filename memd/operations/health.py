"""Health: what the daemon finds when it looks at itself, each finding with what mends it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Final

from anyio import to_thread

from memd.capture.status import CaptureStatus, HostCapture
from memd.capture.watch import Mode
from memd.config import HooksConfig
from memd.models import chat, embed
from memd.models.endpoint import unreachable
from memd.operations.excluded import kept_of_excluded
from memd.operations.file_checks import database_check, disk_check
from memd.operations.importing import absent
from memd.operations.jobs import job_answers
from memd.operations.memory import Memory
from memd.operations.registry import operation
from memd.operations.shapes import time_of
from memd.operations.status_answers import HealthAnswer, HealthCheck, JobAnswer
from memd.recall import tiers
from memd.registry import problems
from memd.store import maintenance, projects, vector_shapes

_REASONS_SHOWN: Final = 4
_UNUSED: Final = ("No model is used", "No embedding is asked")
"""How it begins what ModelMisconfigured and EmbedMisconfigured say."""
_MODES: Final[Mapping[Mode, str]] = {
    "native": "watched",
    "polling": "looked through every few seconds",
    "absent": "not there yet",
}


@dataclass(frozen=True, slots=True)
class HealthParams:
    """Nothing to say."""


@operation("health", reads=True)
async def health(memory: Memory, params: HealthParams) -> HealthAnswer:
    """Check database, disk, watching, hosts, jobs and hooks; this reads the whole database once.

    Of a database that is damaged nothing else is read.
    """
    database = await to_thread.run_sync(partial(database_check, memory.paths))
    disk = await to_thread.run_sync(partial(disk_check, memory.paths))
    if not database.ok:
        return HealthAnswer((database, disk, _last_end(memory)))
    capture = await memory.capture.status()
    jobs = await memory.readers.run(lambda conn: job_answers(conn, {}))
    here = [host for host in capture.hosts if host.present or host.errors or host.warnings]
    checks = (
        database,
        disk,
        _writing(capture),
        _last_end(memory),
        *map(_host, here),
        *map(_watching, here),
        *_elsewhere([host for host in capture.hosts if host not in here]),
        _indexes(await memory.readers.run(maintenance.stale), await memory.readers.run(maintenance.indexed)),
        _vectors(await memory.readers.run(lambda conn: vector_shapes.misshapen(conn, tiers.KNOWN))),
        _excluded(await kept_of_excluded(memory)),
        _distilling(memory),
        await _models(memory),
        _jobs(jobs),
        _adapters(),
        _hooks(memory.config.hooks),
        *_absent(await absent(memory, await memory.readers.run(projects.unseen))),
    )
    return HealthAnswer(checks)


def _excluded(kept: Sequence[str]) -> HealthCheck:
    if not kept:
        return HealthCheck("excluded", ok=True, detail="nothing is kept of folders that capture.exclude covers")
    return HealthCheck("excluded", ok=False, detail=" ".join(kept), fix=kept[0].split("`")[1])


def _absent(folders: Sequence[str]) -> tuple[HealthCheck, ...]:
    """Tell of what was taken over for folders that lie elsewhere, which nobody is given until they are joined."""
    if not folders:
        return ()
    more = f" and {len(folders) - 1} more" if len(folders) > 1 else ""
    detail = f"{folders[0]}{more}: not on this machine; what was imported for it is given to no session"
    fix = f"in the folder that it is here: `memd session projects_merge {folders[0]} . --apply`"
    return (HealthCheck("projects", ok=True, detail=detail, fix=fix),)


def _writing(capture: CaptureStatus) -> HealthCheck:
    if capture.blocked is None:
        return HealthCheck("storing", ok=True, detail="what is read can be stored")
    return HealthCheck("storing", ok=False, detail=capture.blocked, fix="free space, or mend owner and mode")


def _last_end(memory: Memory) -> HealthCheck:
    """Whether the daemon before said goodbye; what it left behind was taken over, so it is no fault."""
    left = memory.took_over
    if left is None:
        return HealthCheck("last end", ok=True, detail="the daemon before ended in order, or there was none")
    detail = (
        f"the daemon before (process {left.pid}, version {left.version}) ended without a goodbye: killed, crashed, or"
        f" the power failed. Process {os.getpid()} took over from it at {time_of(memory.started_at)}; nothing that was"
        " stored is lost"
    )
    return HealthCheck("last end", ok=True, detail=detail, fix="nothing; if it happens again, `memd logs` may say why")


def _host(host: HostCapture) -> HealthCheck:
    watching = {root.warning for root in host.roots}
    wrong = [warning for warning in host.warnings if warning not in watching]
    if host.errors:
        count = len(host.errors)
        what = "A file" if count == 1 else f"{count} files"
        wrong.append(f"{what} could not be read{':' if count == 1 else ', such as'} {host.errors[0]}.")
    found = _found(host)
    if wrong:
        fix = "update memd if the host was updated; `memd status` and `memd logs` name the files"
        return HealthCheck(f"{host.title} files", ok=False, detail=f"{' '.join(wrong)} Found: {found}.", fix=fix)
    return HealthCheck(f"{host.title} files", ok=True, detail=found)


def _found(host: HostCapture) -> str:
    """Say what was found, by which version of the host, and what of it was passed over."""
    told = ["1 file" if host.sources == 1 else f"{host.sources} files"]
    if host.version is not None:
        told.append(f"the newest written by version {host.version}")
    if host.waiting:
        told.append(f"{host.waiting} wait to be read")
    if host.skipped:
        most = sorted(host.skipped.items(), key=lambda reason: (-reason[1], reason[0]))[:_REASONS_SHOWN]
        told.append(f"passed over: {', '.join(f'{reason} ({count})' for reason, count in most)}")
    return ", ".join(told)


def _watching(host: HostCapture) -> HealthCheck:
    told = [f"{root.root}: {_MODES[root.mode]}" for root in host.roots if root.mode != "absent"]
    warnings = [root.warning for root in host.roots if root.warning]
    name = f"{host.title} watch"
    if not warnings:
        return HealthCheck(name, ok=True, detail=", ".join(told) or "its folders are watched for as soon as they come")
    fix = "on Linux raise fs.inotify.max_user_watches; until then memd looks every few seconds by itself"
    return HealthCheck(name, ok=False, detail=" ".join(warnings), fix=fix)


def _elsewhere(hosts: Sequence[HostCapture]) -> tuple[HealthCheck, ...]:
    """Hosts of which there is nothing to tell, in one line: most people have one or two of them."""
    if not hosts:
        return ()
    titles = ", ".join(host.title for host in hosts)
    return (HealthCheck("other agents", ok=True, detail=f"nothing on this machine is by {titles}"),)


def _distilling(memory: Memory) -> HealthCheck:
    error = memory.distiller.last_error
    if error is None:
        return HealthCheck("distilling", ok=True, detail="sessions that have ended become facts")
    return HealthCheck("distilling", ok=False, detail=error, fix="`memd logs` names the session; others go on")


def _indexes(waiting: tuple[str, ...], indexed: Mapping[str, int]) -> HealthCheck:
    told = {table: f"{table.removesuffix('_fts')} ({count} rows)" for table, count in indexed.items()}
    if not waiting:
        return HealthCheck("indexes", ok=True, detail=f"whole: {', '.join(told.values())}")
    detail = f"only in part: {', '.join(told[table] for table in waiting)}; searches find less"
    fix = "memd admin index_rebuild (it is also gone on with by itself, within the hour)"
    return HealthCheck("indexes", ok=False, detail=detail, fix=fix)


def _vectors(misshapen: Mapping[str, int]) -> HealthCheck:
    if not misshapen:
        return HealthCheck("vectors", ok=True, detail="all of a model have the same dimensions")
    detail = ", ".join(f"{count} of {model}" for model, count in misshapen.items())
    return HealthCheck(
        "vectors",
        ok=False,
        detail=f"have other dimensions than the rest of their model: {detail}; searches by meaning fail or find less",
        fix="memd admin index_rebuild (those are worked out anew)",
    )


async def _models(memory: Memory) -> HealthCheck:
    """The models that were set, if one was: whether they answer, or at least somebody is there to be asked."""
    semantic = None if memory.semantic is None else memory.semantic.problem
    unused = [warning for warning in memory.config.warnings if warning.startswith(_UNUSED)]
    found = [problem for problem in (memory.distiller.model_error, semantic, *unused) if problem]
    if not found:
        urls = [url for url in (chat.address(memory.config.model), embed.address(memory.config.embed)) if url]
        tried = [(url, await unreachable(url, os.environ)) for url in dict.fromkeys(urls)]
        found = [f"{url} cannot be reached: {why}." for url, why in tried if why]
    if not found:
        return HealthCheck("models", ok=True, detail="none is missed")
    fix = "mend it or its settings (`memd config`); until then memd's own rules and embedding do it"
    return HealthCheck("models", ok=False, detail=" ".join(found), fix=fix)


def _jobs(jobs: tuple[JobAnswer, ...]) -> HealthCheck:
    failed = [f"{job.name}: {job.error} ({job.failures} of {job.runs} runs failed)" for job in jobs if job.error]
    if not failed:
        well = f"what recurs went well last time: {', '.join(job.name for job in jobs)}" if jobs else "none was due yet"
        return HealthCheck("jobs", ok=True, detail=well)
    return HealthCheck("jobs", ok=False, detail="; ".join(failed), fix="`memd logs` says more; each is tried again")


def _adapters() -> HealthCheck:
    found = problems()
    if not found:
        return HealthCheck("adapters", ok=True, detail="all could be loaded")
    return HealthCheck("adapters", ok=False, detail=" ".join(found), fix="update or remove the package it comes from")


def _hooks(hooks: HooksConfig) -> HealthCheck:
    off = [entry.name for entry in fields(hooks) if not getattr(hooks, entry.name)]
    on = [entry.name for entry in fields(hooks) if getattr(hooks, entry.name)]
    said = _listed("on", on), _listed("off by [hooks] in the configuration", off)
    return HealthCheck("hooks", ok=True, detail="; ".join(filter(None, said)))


def _listed(what: str, names: list[str]) -> str:
    return f"{what}: {', '.join(names)}" if names else ""
