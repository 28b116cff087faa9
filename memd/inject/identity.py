"""Identity: what the user says of himself in `identity.md`, in memd's configuration folder; memd never writes it.

Who wants receipts is told once that there may be such a file. The marker `identity.asked` beside it says that this was
done; whoever does not want to be asked makes it himself, and removing it has the question asked again.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

from memd.text.redaction import scrub

logger = logging.getLogger(__name__)

_NAME: Final = "identity.md"
_ASKED: Final = "identity.asked"
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


def ask_once(folder: Path | None) -> str:
    """Return the sentence that tells of the file, once: where there is neither the file nor the marker; else ""."""
    if folder is None or not folder.is_dir() or read(folder):
        return ""
    try:
        (folder / _ASKED).touch(mode=0o600, exist_ok=False)
    except OSError:
        # It was asked before, or the marker cannot be kept: then nobody is asked at every session.
        return ""
    return f"who you are may stand in {folder / _NAME}"
