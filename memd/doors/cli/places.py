"""Places: which folders this call of the command is about."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from memd.errors import ConfigError, PathError
from memd.paths import Paths, resolve


@dataclass(frozen=True, slots=True)
class Places:
    """The folders, and the environment in which anybody else finds the same ones."""

    paths: Paths
    env: Mapping[str, str]


def locate(env: Mapping[str, str], data_dir: str | None) -> Places:
    """Return the places: `--data-dir` decides, else MEMD_DATA_DIR, else `data_dir` in the configuration.

    Raises PathError when one of them cannot work, ConfigError when the configuration cannot be read.
    """
    if data_dir is not None:
        if not data_dir:
            raise PathError("--data-dir must name a folder.")
        paths = resolve(env, data_dir=Path(data_dir).expanduser().absolute())
        return Places(paths, {**env, "MEMD_DATA_DIR": str(paths.data_dir)})
    paths = resolve(env)
    if env.get("MEMD_DATA_DIR"):
        return Places(paths, env)
    configured = _configured(paths.config_file)
    if configured is None:
        return Places(paths, env)
    if not configured.is_absolute():
        raise PathError(f"{paths.config_file}: data_dir must be an absolute path, not '{configured}'.")
    # The configuration that names the folder stays where it is, also for the daemon and whoever starts it.
    moved = replace(resolve(env, data_dir=configured), config_dir=paths.config_dir)
    return Places(moved, {**env, "MEMD_DATA_DIR": str(configured), "MEMD_CONFIG_DIR": str(paths.config_dir)})


def _configured(config_file: Path) -> Path | None:
    try:
        document = tomllib.loads(config_file.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(config_file, f"cannot be read ({error})") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(config_file, f"is not valid TOML ({error})") from error
    value = document.get("data_dir")
    return Path(value).expanduser() if isinstance(value, str) and value else None


def means_project(operation: str, parameter: str) -> bool:
    """Return whether a parameter of an operation names a project, which may be a folder as it is seen from here."""
    return parameter == "project" or (operation == "projects.merge" and parameter in {"source", "into"})


def project_word(given: str | None) -> str | None:
    """Return what the daemon is told of `--project`: a folder by its absolute path, a name as it is."""
    if given is None or not Path(given).expanduser().is_dir():
        return given
    return str(Path(given).expanduser().absolute())


def projects_word(given: str | None) -> str | None:
    """Return what the daemon is told where `--project` narrows what all projects have: `all` narrows nothing."""
    return None if given == "all" else project_word(given)
