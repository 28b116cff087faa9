"""Identity: what the user says of himself in `identity.md`, in memd's configuration folder; memd never writes it."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

from memd.text.redaction import scrub

logger = logging.getLogger(__name__)

_NAME: Final = "identity.md"
_MOST_BYTES: Final = 8_000
"""More is not read: the wakeup shows far less."""


def read(folder: Path | None) -> str:
    """Return the text of the file, whatever the case of its name, without secrets; "" where there is none.

    Trouble is logged and means that there is none: a session must not wait for it.
    """
    if folder is None:
        return ""
    try:
        path = next((entry for entry in sorted(folder.iterdir()) if entry.name.lower() == _NAME), None)
        if path is None or not path.is_file():
            return ""
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES)
    except FileNotFoundError:
        return ""
    except OSError as error:
        logger.warning("event=identity_not_read folder=%s error=%s", folder, error.strerror)
        return ""
    return scrub(data.decode("utf-8-sig", "replace")).text.strip()
