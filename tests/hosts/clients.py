"""The clients whose one story `test_every_host` tells: ``python -m tests.hosts.clients`` fetches what is missing."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

from tests.hosts.aider_client import Aider
from tests.hosts.client import Client
from tests.hosts.cline_client import Cline
from tests.hosts.codex_client import Codex
from tests.hosts.continue_client import Continue
from tests.hosts.copilot_client import Copilot
from tests.hosts.gemini_client import Gemini
from tests.hosts.kilo_client import Kilo
from tests.hosts.opencode_client import OpenCode
from tests.hosts.qwen_client import Qwen

CLIENTS: Final[tuple[Client, ...]] = (
    *(Codex(), Copilot(), OpenCode(), Kilo(), Gemini(), Qwen()),
    *(Cline(), Continue(), Aider()),
)


def fetch() -> None:
    """Install every client that is missing; one that cannot be is named, and its tests are skipped."""
    for client in CLIENTS:
        if client.package.missing:
            print(f"memd: fetching {client.title} {client.package.version}", file=sys.stderr)
            try:
                client.package.fetch()
            except (OSError, subprocess.CalledProcessError) as error:
                print(f"memd: {client.title} cannot be installed ({error}); its tests are skipped", file=sys.stderr)


if __name__ == "__main__":
    fetch()
