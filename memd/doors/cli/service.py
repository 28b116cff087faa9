"""The service, as the command line meets it."""

from __future__ import annotations

from argparse import Namespace

from memd import __version__
from memd.doors.cli.places import Places
from memd.doors.cli.wording import suggestion
from memd.errors import UsageError
from memd_hooks.guidance import Kind
from memd_service.environment import Environment
from memd_service.hosts import host_names


def environment(places: Places) -> Environment:
    """Return what the service functions need to know; raises UnsupportedPlatform."""
    return Environment.detect(places.paths, version=__version__, env=places.env)


def chosen_hosts(given: str) -> tuple[str, ...]:
    """Return the hosts of a `--host` option, none when it was not given; raises UsageError for one there is not."""
    names = tuple(name.strip().replace("-", "_") for name in given.split(",") if name.strip())
    for name in names:
        if name not in host_names():
            raise UsageError(f"memd registers in no host called {name!r}; {suggestion(name, host_names())}")
    return tuple(dict.fromkeys(names))


def chosen_guidance(given: Namespace) -> tuple[Kind, ...]:
    """Return what agents shall be told of memd besides, as it was asked for."""
    asked: tuple[tuple[Kind, bool], ...] = (("instructions", given.instructions), ("skill", given.skill))
    return tuple(kind for kind, wanted in asked if wanted)
