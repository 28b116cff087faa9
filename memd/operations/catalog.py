"""The catalogue: every operation, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from memd.operations import facts, health, jobs, search, sessions, settings, status, upkeep, wakeup
from memd.operations.registry import Operation

OPERATIONS: Final[Mapping[str, Operation[Any, Any]]] = MappingProxyType(
    {
        operation.name: operation
        for operation in (
            status.status,
            health.health,
            search.search_all,
            sessions.list_sessions,
            sessions.show_session,
            facts.list_facts,
            facts.show_fact,
            wakeup.wakeup,
            settings.show_config,
            jobs.list_jobs,
            upkeep.backup_now,
            upkeep.stop,
        )
    }
)
