"""Jobs: the recurring work of the daemon, and how it went last."""

from __future__ import annotations

from memd.operations.answers import JobAnswer
from memd.operations.memory import Memory
from memd.operations.registry import NoParams, operation
from memd.operations.shapes import time_of
from memd.store import jobs
from memd.store.facts import Connection


@operation("jobs.list", reads=True)
async def list_jobs(memory: Memory, params: NoParams) -> tuple[JobAnswer, ...]:
    """List the recurring jobs with their last run and their last error."""
    return await memory.readers.run(job_answers)


def job_answers(conn: Connection) -> tuple[JobAnswer, ...]:
    """Return every job that has run."""
    return tuple(
        JobAnswer(
            name=job.name,
            runs=job.runs,
            failures=job.failures,
            started=time_of(job.started_at),
            finished=time_of(job.finished_at),
            ok=time_of(job.ok_at),
            error=job.error,
            error_at=time_of(job.error_at),
        )
        for job in jobs.all_jobs(conn)
    )
