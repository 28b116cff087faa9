"""Roots: the folders, files and databases that the hosts of this machine write to, as far as they are read."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from memd.adapter import Adapter, HostEnv, Root
from memd.config import CaptureConfig

log = logging.getLogger(__name__)


def find_roots(config: CaptureConfig, env: HostEnv, adapters: Mapping[str, Adapter]) -> list[tuple[Adapter, Root]]:
    """Return where each host that is not switched off writes; some look through folders for that.

    A host whose places cannot be found is passed over until the next look, and the log says so.
    """
    found: list[tuple[Adapter, Root]] = []
    for name, adapter in adapters.items():
        if name in config.hosts_off:
            continue
        try:
            found += [(adapter, root) for root in adapter.roots(_env_of(name, env, config.extra_roots))]
        except (OSError, ValueError) as error:
            log.warning("event=places_not_found host=%s error=%s", name, type(error).__name__)
    return found


def _env_of(host: str, env: HostEnv, extra_roots: Iterable[str]) -> HostEnv:
    """Return what an adapter may know, with the extra roots that the configuration gives its host (`host=/path`)."""
    named = (entry.partition("=") for entry in extra_roots)
    extra = tuple(Path(path) for name, _, path in named if name == host and path.startswith("/"))
    return replace(env, extra_roots=(*env.extra_roots, *extra))
