"""Settings: the configuration the daemon runs with."""

from __future__ import annotations

from dataclasses import dataclass

from memd.config import entries
from memd.operations.answers import ConfigAnswer
from memd.operations.memory import Memory
from memd.operations.registry import operation


@dataclass(frozen=True, slots=True)
class NoParams:
    """Nothing to say."""


@operation("config.show", reads=True)
async def show_config(memory: Memory, params: NoParams) -> ConfigAnswer:
    """Show the settings in force, and what was wrong with the file or the environment."""
    return ConfigAnswer(str(memory.paths.config_file), entries(memory.config), memory.config.warnings)
