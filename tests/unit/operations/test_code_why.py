from __future__ import annotations

import pytest

from memd.operations.code_why import is_test_run


@pytest.mark.parametrize(
    "command",
    ["pytest -q tests", "python -m pytest", "go test ./...", "cargo test", "npm test", "npm run test", "npx vitest run",
     "./gradlew :app:test", "make test", "node --test"],
)  # fmt: skip
def test_a_command_that_runs_tests_is_known(command: str) -> None:
    assert is_test_run(command)


@pytest.mark.parametrize(
    "command", ["git commit -m 'the latest'", "cat test.py", "go build ./...", "npm install", "ls tests"]
)
def test_other_commands_are_none(command: str) -> None:
    assert not is_test_run(command)
