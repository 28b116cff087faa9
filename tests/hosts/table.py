"""The table of hosts: what was proven with each real program; `python -m tests.hosts.table` writes it in the README."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeAlias

import pytest

from tests.hosts import claude_code_client
from tests.hosts.clients import CLIENTS
from tests.hosts.machine import HOSTS_DIR

README: Final = Path(__file__).parents[2] / "README.md"
START: Final = "<!-- hosts:start -->"
END: Final = "<!-- hosts:end -->"
COLUMNS: Final = ("captured", "injected", "resumed", "uninstalled")

Verdict: TypeAlias = Literal["yes", "no", "-"]

_KEPT: Final = HOSTS_DIR / "proven.json"
_HOSTS: Final[Mapping[str, tuple[str, str]]] = {
    "claude_code": ("Claude Code", claude_code_client.PINNED_VERSION),
    **{client.host: (client.title, client.package.version) for client in CLIENTS},
}
_REACH: Final = {client.host: client.reach for client in CLIENTS}


@dataclass(slots=True)
class Results:
    """Per host, column and test: how it ended."""

    cells: dict[str, dict[str, dict[str, Verdict]]] = field(default_factory=dict)
    revisions: dict[str, str] = field(default_factory=dict)
    """Of each test: the revision of memd it was run with last."""

    def note(self, host: str, column: str, report: pytest.TestReport) -> None:
        """Take in a phase of a test: a failure stays, a skipped test proves nothing."""
        tests = self.cells.setdefault(host, {}).setdefault(column, {})
        name = report.nodeid
        if report.failed:
            tests[name] = "no"
        elif report.skipped:
            tests[name] = "-"
        elif report.when == "call" and tests.get(name) != "no":
            tests[name] = "yes"

    def verdict(self, host: str, column: str) -> Verdict:
        """Yes, if every test that ran passed; a dash, if none ran."""
        ran = set(self.cells[host].get(column, {}).values()) - {"-"}
        return "no" if "no" in ran else "yes" if ran else "-"

    def table(self) -> str:
        """The table in Markdown, hosts in their usual order."""
        head = f"| agent | version | {' | '.join(COLUMNS)} |\n|---|---|{'---|' * len(COLUMNS)}\n"
        return head + "".join(self._line(host) for host in _HOSTS if host in self.cells)

    def save(self) -> None:
        """Keep them beside the clients, over what an earlier run proved by the same tests."""
        if not HOSTS_DIR.is_dir():
            return
        merged = load()
        now = revision()
        for host, row in self.cells.items():
            for column, tests in row.items():
                merged.cells.setdefault(host, {}).setdefault(column, {}).update(tests)
                merged.revisions |= dict.fromkeys(tests, now)
        kept = {"versions": _HOSTS, "cells": merged.cells, "revisions": merged.revisions}
        _KEPT.write_text(json.dumps(kept, indent=1) + "\n")

    def proven_at(self) -> list[str]:
        """The revisions that the table speaks of: one, where all was run at once."""
        tests = {name for row in self.cells.values() for column in row.values() for name in column}
        return sorted({self.revisions.get(name, "an unknown revision") for name in tests})

    def _line(self, host: str) -> str:
        title, version = _HOSTS[host]
        cells = (_cell(host, column, self.verdict(host, column)) for column in COLUMNS)
        return f"| {title} | {version} | {' | '.join(cells)} |\n"


def load() -> Results:
    """What earlier runs proved of the versions that are pinned now, by tests that there are still."""
    if not _KEPT.exists():
        return Results()
    kept = json.loads(_KEPT.read_bytes())
    same = {host for host, told in kept["versions"].items() if tuple(told) == _HOSTS.get(host)}
    cells = {host: _still_there(row) for host, row in kept["cells"].items() if host in same}
    return Results(cells, kept.get("revisions", {}))


def revision() -> str:
    """The revision of this checkout, marked where something in it is changed."""
    command = ["git", "-C", str(README.parent), "describe", "--always", "--dirty"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "an unknown revision"


def _still_there(row: Mapping[str, Mapping[str, Verdict]]) -> dict[str, dict[str, Verdict]]:
    return {
        column: {name: how for name, how in tests.items() if (README.parent / name.partition("::")[0]).is_file()}
        for column, tests in row.items()
    }


def written(readme: str, table: str) -> str:
    """The README with the table between its marks. Raises ValueError where they are missing."""
    before, start, rest = readme.partition(START)
    _, end, after = rest.partition(END)
    if not (start and end):
        raise ValueError(f"README.md lacks {START} or {END}")
    return f"{before}{START}\n{table}{END}{after}"


def _cell(host: str, column: str, verdict: Verdict) -> str:
    if verdict != "yes" or column != "injected":
        return verdict
    match _REACH.get(host, "start"):
        case "start":
            return "yes"
        case "tool":
            return "yes; the project's part with the first tool"
        case "everywhere":
            return "what holds everywhere"


def main() -> None:
    """Put what is kept into the README."""
    results = load()
    if not results.cells:
        raise SystemExit("Nothing is proven yet: run `make test-hosts`")
    README.write_text(written(README.read_text(), results.table()))
    proven = ", ".join(results.proven_at())
    print(f"memd: README.md holds the table of {len(results.cells)} hosts, proven at {proven}", file=sys.stderr)


if __name__ == "__main__":
    main()
