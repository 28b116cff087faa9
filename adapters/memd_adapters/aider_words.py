"""What aider's own lines tell of a session: version, model, and the folder it was started in."""

from __future__ import annotations

import re
from typing import Final

_VERSION: Final = re.compile(r"(?:Aider|cecli|aider-ce) v(\d[\w.+-]*)", re.IGNORECASE)
_MODEL: Final = re.compile(r"(?:Main model|Models?): (\S+) with\b")
_CWD: Final = re.compile(r"Cur working dir: (.+?)\s*\Z")


def learn(said: str) -> dict[str, str | int]:
    """Return the fields of the session that a line tells."""
    for name, pattern in (("version", _VERSION), ("model", _MODEL), ("cwd", _CWD)):
        if found := pattern.match(said):
            return {name: found[1]}
    return {}
