"""Ready: a worker process that has been asked for this has loaded all that distilling a session needs."""

from __future__ import annotations

import memd.distill.audit
import memd.distill.staleness

LOADED = (memd.distill.audit, memd.distill.staleness)


def ready(_nothing: None) -> None:
    """Do nothing: to be called it had to be loaded."""
