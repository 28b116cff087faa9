"""Guide: the commands in the groups a person thinks in, with examples; help, man page and README speak from it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

GROUPS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "the memory": ("search", "facts", "remember", "forget", "memory", "relations", "analyze", "graph"),
        "sessions": ("sessions", "show", "session", "wakeup", "injections", "preview"),
        "in and out": ("import", "export"),
        "setting up": ("install", "uninstall", "config", "doctor", "completion", "man", "version"),
        "the daemon": ("status", "up", "start", "down", "restart", "logs", "admin"),
        "for programs": ("mcp", "call"),
    }
)
"""Every command stands in one group; one that does not is shown under "more"."""

EXAMPLES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "install": ("memd install --plan", "memd install --host codex,cursor"),
        "uninstall": ("memd uninstall", "memd uninstall --host cursor", "memd uninstall --purge --yes"),
        "status": ("memd status", "memd status --json"),
        "doctor": ("memd doctor",),
        "search": ("memd search sqlite tide", 'memd search "retry with backoff" --kind facts --project .'),
        "sessions": ("memd sessions --project . -n 5", "memd sessions --host codex --json"),
        "show": ("memd show 23456789ab", "memd show 23456789ab --full"),
        "facts": ("memd facts --project . --kind decision", "memd facts 6f0c2b91d4"),
        "remember": (
            'memd remember "Releases are cut on Tuesdays" --kind convention',
            "git log -1 --format=%B | memd remember -",
        ),
        "forget": ("memd forget project bluebird", "memd forget Ada Lovelace --copies"),
        "memory": ("memd memory", "memd memory save --help"),
        "session": ("memd session", "memd session whoami"),
        "relations": ("memd relations",),
        "analyze": ("memd analyze",),
        "graph": ("memd graph index .", "memd graph export . --jsonl"),
        "admin": ("memd admin", "memd admin backup"),
        "wakeup": ("memd wakeup", "memd wakeup --project ~/code/harbor"),
        "injections": ("memd injections --project .", "memd injections --session 23456789ab"),
        "preview": ("memd preview session.jsonl", "memd preview rollout.jsonl --host codex --json"),
        "import": (
            "memd import session.jsonl --dry-run",
            "memd import ~/.thoth/thoth.db",
            "memd import ~/agent-knowledge --dry-run",
        ),
        "export": ("memd export --out memd-export", "memd export --json --project . > harbor.json"),
        "up": ("memd up",),
        "start": ("memd start",),
        "down": ("memd down",),
        "restart": ("memd restart",),
        "logs": ("memd logs -n 100", "memd logs -f"),
        "config": ("memd config", "memd config init"),
        "completion": (
            "memd completion bash > ~/.local/share/bash-completion/completions/memd",
            "memd completion zsh > ~/.zfunc/_memd",
            "memd completion fish > ~/.config/fish/completions/memd.fish",
        ),
        "man": ("memd man > ~/.local/share/man/man1/memd.1",),
        "version": ("memd version",),
        "mcp": ("memd mcp --cost", "claude mcp add memd -- memd mcp --profile record"),
        "call": ("memd call", "memd call search query=sqlite limit=3"),
    }
)
"""Words as they are typed, for each command."""


def grouped(names: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the commands there are by group, those of no group last."""
    known = {name for group in GROUPS.values() for name in group}
    found = {group: tuple(name for name in members if name in names) for group, members in GROUPS.items()}
    more = tuple(name for name in names if name not in known)
    return {group: members for group, members in ({**found, "more": more}).items() if members}
