"""Resources: what clients of MCP show of a project for their user to choose from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypedDict

from memd.errors import NotFound
from memd.operations.description import SCHEME, WAKEUP
from memd.operations.memory import Memory
from memd.operations.registry import operation
from memd.operations.sessions import ListParams, list_sessions

_LISTED: Final = 10


class ResourceAnswer(TypedDict):
    """A resource in the protocol's own spelling."""

    uri: str
    name: str
    description: str
    mimeType: str


@dataclass(frozen=True, slots=True)
class ResourcesParams:
    """Where the client works."""

    project: str | None = field(default=None, metadata={"help": "a folder in the project, its name or its id"})


@operation("resources.list", reads=True)
async def list_resources(memory: Memory, params: ResourcesParams) -> tuple[ResourceAnswer, ...]:
    """List what a client of MCP offers its user to refer to: what holds in a project, and its newest sessions."""
    wakeup: ResourceAnswer = {
        "uri": WAKEUP,
        "name": "wakeup",
        "description": "What holds here",
        "mimeType": "text/markdown",
    }
    try:
        found = await list_sessions.function(
            memory, ListParams(project=params.project, subagents=False, empty=False, limit=_LISTED)
        )
    except NotFound:
        found = ()
    sessions: list[ResourceAnswer] = [
        {
            "uri": f"{SCHEME}session/{session.id}",
            "name": session.title or session.native_id,
            "description": f"{session.host}, {session.started}",
            "mimeType": "text/plain",
        }
        for session in found
    ]
    return (wakeup, *sessions)
