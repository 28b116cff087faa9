"""The protocol's own inspector finds nothing to complain of: it lists, calls and reads what memd offers.

It comes by npm, so this is `make test-inspector`.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.contract.doors.conftest import DECIDED, Home

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

INSPECTOR = "@modelcontextprotocol/inspector@0.15.0"
Inspect = Callable[..., dict[str, Any]]

CALLS: dict[str, dict[str, str]] = {
    "search": {"query": "sqlite tide"},
    "session": {"action": "show", "session": DECIDED},
    "remember": {"text": "The harbour office opens at nine", "project": "harbor"},
    "graph": {"action": "vocabulary"},
    "analyze": {"action": "contradictions", "project": "all"},
    "admin": {"action": "status"},
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The inspector's program, fetched for these tests alone."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("inspector")
    fetched = subprocess.run(
        [npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), INSPECTOR],
        capture_output=True,
        text=True,
        check=False,
    )
    if fetched.returncode:
        pytest.skip(f"npm cannot fetch {INSPECTOR}: {fetched.stderr[-200:]}")
    return folder / "node_modules" / ".bin" / "mcp-inspector"


@pytest.fixture
def inspect(program: Path, lived_in: Home) -> Inspect:
    """Ask memd something by the inspector, as `mcp-inspector --cli python memd-mcp --method ...`."""

    def ask(method: str, *words: str) -> dict[str, Any]:
        server = (sys.executable, "-I", "-S", str(lived_in.paths.mcp_shim), "--profile=full")
        done = subprocess.run(
            [program, "--cli", *server, "--method", method, *words],
            env=lived_in.env,
            cwd=lived_in.project,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), done
        answer = json.loads(done.stdout)
        assert isinstance(answer, dict)
        return answer

    return ask


def test_every_tool_is_listed_and_answers(inspect: Inspect) -> None:
    listed = inspect("tools/list")["tools"]

    assert [tool["name"] for tool in listed] == list(CALLS)
    for tool in listed:
        given = [word for name, value in CALLS[tool["name"]].items() for word in ("--tool-arg", f"{name}={value}")]
        told = inspect("tools/call", "--tool-name", tool["name"], *given)
        assert not told.get("isError"), told
        assert "result" in told["structuredContent"]


def test_a_wrong_argument_is_an_error_that_says_what_to_change(inspect: Inspect) -> None:
    told = inspect("tools/call", "--tool-name", "search", "--tool-arg", "action=fly")

    assert told["isError"]
    assert "there is no action 'fly'; it is one of find" in told["content"][0]["text"]


def test_resources_and_prompts_are_listed_and_read(inspect: Inspect) -> None:
    resources = inspect("resources/list")["resources"]
    templates = inspect("resources/templates/list")["resourceTemplates"]
    session = next(one["uri"] for one in resources if "session" in one["uri"])
    prompts = {prompt["name"] for prompt in inspect("prompts/list")["prompts"]}
    prompt = inspect("prompts/get", "--prompt-name", "recall", "--prompt-args", "topic=tides")

    assert "Postgres" in inspect("resources/read", "--uri", session)["contents"][0]["text"]
    assert {template["name"] for template in templates} == {"fact", "session"}
    assert prompts == {"recall", "catch-up", "keep"}
    assert "tides" in prompt["messages"][0]["content"]["text"]
