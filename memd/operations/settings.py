"""Settings: the configuration the daemon runs with."""

from __future__ import annotations

from memd.config import entries
from memd.operations.memory import Memory
from memd.operations.registry import NoParams, operation
from memd.operations.upkeep_answers import ConfigAnswer


@operation("config.show", reads=True)
async def show_config(memory: Memory, params: NoParams) -> ConfigAnswer:
    """Show the settings in force, and what was wrong with the file or the environment."""
    return ConfigAnswer(str(memory.paths.config_file), entries(memory.config), memory.config.warnings)
