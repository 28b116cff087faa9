"""Domains: the areas of work that facts may be of; those that the configuration names, or any."""

from __future__ import annotations

import os
from typing import Final

from anyio import to_thread

from memd.config import load
from memd.errors import BadParameter, ConfigError
from memd.model import FACT_KIND_ALIASES, FACT_KINDS
from memd.operations.memory import Memory

_USUAL: Final = frozenset(
    "backend frontend infrastructure operations ops devops deployment security performance database data design ui ux "
    "testing documentation networking mobile research business product finance legal".split()
)


async def allowed(memory: Memory) -> tuple[str, ...]:
    """Return the domains that the configuration file names now, none for any.

    The file is read anew, so that a word that was added counts at once; while it cannot be read, the last one does.
    """
    try:
        config = await to_thread.run_sync(load, memory.paths.config_file, os.environ)
    except ConfigError:
        config = memory.config
    return config.facts.domains


def checked(domain: str | None, domains: tuple[str, ...], name: str) -> str | None:
    """Return a domain as it is spelled where it is allowed; raises BadParameter for one that is not."""
    if not domain or not domains:
        return domain
    known = {one.casefold(): one for one in domains}
    if domain.casefold() not in known:
        listed = ", ".join(domains)
        raise BadParameter(name, f"there is no domain {domain!r} (there are: {listed}; the action domains adds one)")
    return known[domain.casefold()]


def told_apart(kind: str, domains: tuple[str, ...], name: str) -> None:
    """Raise BadParameter, with a hint, for a domain that was given as a kind."""
    if kind in FACT_KINDS or kind in FACT_KIND_ALIASES:
        return
    if kind.casefold() in _USUAL | {one.casefold() for one in domains}:
        raise BadParameter(
            name,
            f"{kind!r} is a domain: give it as domain, and as kind what it is (there are: {', '.join(FACT_KINDS)})",
        )
