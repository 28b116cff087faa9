"""Which hosts install registers in, what it says of each, and that all of it can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from memd.errors import SettingsError
from memd_hooks import claude_code
from memd_hooks.hosts import HOSTS
from memd_service.check import Check
from memd_service.environment import Environment
from memd_service.host_part import HostPart
from memd_service.hosts import ClaudeCodePart, host_checks, host_names, host_parts, registered_parts
from memd_service.install import plan_install
from memd_service.parts import Part
from memd_service.uninstall import unregister

TRACES = {
    "codex": ".codex",
    "opencode": ".config/opencode",
    "kilo": ".config/kilo",
    "gemini": ".gemini",
    "qwen": ".qwen",
    "cursor": ".cursor",
    "copilot": ".copilot",
    "cline": ".cline",
    "roo": ".roo",
    "continue": ".continue",
    "aider": ".aider",
}


@pytest.fixture
def ada(make_environment: Callable[..., Environment]) -> Environment:
    """Ada, on whose PATH is no agent."""
    return make_environment()


def use(ada: Environment, *hosts: str) -> None:
    """Have Ada use these hosts."""
    for host in hosts:
        (ada.home / TRACES[host]).mkdir(parents=True, exist_ok=True)


def names(parts: tuple[Part, ...]) -> list[str]:
    return [part.name for part in parts]


def everything(ada: Environment) -> dict[Path, bytes]:
    return {path: path.read_bytes() if path.is_file() else b"" for path in sorted(ada.home.rglob("*"))}


def checks(ada: Environment) -> dict[str, Check]:
    return {check.name: check for check in host_checks(ada)}


def test_the_traces_of_this_test_are_those_of_all_hosts() -> None:
    assert set(TRACES) == set(HOSTS)
    assert host_names() == ("claude_code", *HOSTS)


def test_the_hosts_that_are_here_are_registered_and_claude_code_always(ada: Environment) -> None:
    assert names(host_parts(ada)) == ["Claude Code"]
    use(ada, "cursor", "codex")
    assert names(host_parts(ada)) == ["Claude Code", "Codex", "Cursor"]


def test_chosen_hosts_are_registered_whether_they_are_here_or_not(ada: Environment) -> None:
    use(ada, "cursor")
    assert names(host_parts(ada, ["codex", "aider"])) == ["Codex", "Aider"]
    assert names(host_parts(ada, ["claude_code"])) == ["Claude Code"]
    steps = plan_install(ada, ["codex"]).steps
    assert [step.part for step in steps if step.changes][-1] == "Codex"


@pytest.mark.parametrize("every", [True, False], ids=["all hosts", "each by name"])
def test_what_was_registered_is_taken_back_and_nothing_else(ada: Environment, every: bool) -> None:
    use(ada, *TRACES)
    ada.paths.state_dir.mkdir(parents=True)
    ada.paths.data_dir.mkdir(parents=True)
    before = everything(ada)
    for part in host_parts(ada):
        assert part.step().changes
        assert part.install()
        assert not part.step().changes
    if every:
        removed = [what for part in registered_parts(ada) for what in part.remove()]
    else:
        removed = [what for name in host_names() for what in unregister(ada, [name]).removed]
    assert len(removed) == len({str(path) for path in removed}) >= len(TRACES) + 1
    assert everything(ada) == before


def test_one_host_is_left_and_the_others_stay(ada: Environment) -> None:
    use(ada, "codex", "gemini")
    for part in host_parts(ada):
        part.install()
    removal = unregister(ada, ["codex"])
    assert removal.failed == ()
    assert removal.kept == ()
    assert not (ada.home / ".codex" / "hooks.json").exists()
    assert (ada.home / ".gemini" / "settings.json").exists()
    assert (ada.home / ".claude" / "settings.json").exists()


def test_a_host_that_has_moved_its_folder_is_left_at_the_old_place(ada: Environment) -> None:
    moved = replace(ada, variables={**ada.variables, "CODEX_HOME": str(ada.home / "elsewhere")})
    HostPart(moved, HOSTS["codex"]).install()
    assert (ada.home / "elsewhere" / "hooks.json").exists()
    assert HostPart(ada, HOSTS["codex"]).remove()
    assert not (ada.home / "elsewhere").exists()


def test_a_file_that_cannot_be_read_keeps_nobody_from_installing(ada: Environment) -> None:
    use(ada, "gemini", "codex")
    broken = ada.home / ".gemini" / "settings.json"
    broken.write_text("{ oops")
    *_, codex, gemini = host_parts(ada)
    assert codex.step().changes
    assert not gemini.step().changes
    assert "leave out" in gemini.step().what
    assert "without memd" in gemini.install()
    assert not checks(ada)["Gemini CLI"].ok
    assert gemini.remove() == ()
    assert broken.read_text() == "{ oops"


def test_a_file_that_cannot_be_read_does_not_keep_the_hosts_other_files_from_being_written(ada: Environment) -> None:
    use(ada, "cursor")
    (ada.home / ".cursor" / "hooks.json").write_text("{ oops")
    (*_, cursor) = host_parts(ada)
    said = cursor.install()
    assert "hooks.json is left out" in said
    assert (ada.home / ".cursor" / "plugins" / "local" / "memd" / "rules" / "memd.mdc").exists()
    assert cursor.remove()
    assert [path.name for path in (ada.home / ".cursor").iterdir()] == ["hooks.json"]


def test_a_file_that_cannot_be_read_is_an_error_in_a_host_that_was_asked_for(ada: Environment) -> None:
    (ada.home / ".cursor").mkdir()
    (ada.home / ".cursor" / "hooks.json").write_text("{ oops")
    with pytest.raises(SettingsError, match=r"hooks\.json"):
        plan_install(ada, ["cursor"])
    (part,) = host_parts(ada, ["cursor"])
    with pytest.raises(SettingsError):
        part.install()


def test_clines_other_files_are_written_where_one_is_somebody_elses(ada: Environment) -> None:
    hooks = ada.home / "Documents" / "Cline" / "Hooks"
    hooks.mkdir(parents=True)
    (hooks / "PreToolUse").write_text("#!/bin/sh\necho mine\n")
    (part,) = (part for part in host_parts(ada) if part.name == "Cline")
    assert part.step().changes
    said = part.install()
    assert "PreToolUse is left out" in said
    assert (hooks / "TaskComplete").exists()
    assert (hooks.parent / "Rules" / "memd.md").exists()
    part.remove()
    assert sorted(path.name for path in hooks.parent.rglob("*")) == ["Hooks", "PreToolUse"]
    assert (hooks / "PreToolUse").read_text() == "#!/bin/sh\necho mine\n"


def test_install_says_what_only_the_person_can_do(ada: Environment) -> None:
    use(ada, "codex")
    (_, codex) = host_parts(ada)
    assert "/hooks" in codex.install()


@pytest.mark.parametrize("state", [None, '{"numStartups": 3}'], ids=["before its first start", "in use"])
def test_claude_code_has_the_mcp_server_whether_or_not_it_was_ever_started(ada: Environment, state: str | None) -> None:
    if state is not None:
        (ada.home / ".claude.json").write_text(state)
    (claude,) = host_parts(ada)

    assert "add the MCP server" in claude.step().what
    assert "and has its MCP server" in claude.install()
    assert "memd-mcp" in (ada.home / ".claude.json").read_text()
    assert not claude.step().changes
    assert checks(ada)["Claude Code MCP"].ok

    unregister(ada, ["claude_code"])
    assert (ada.home / ".claude.json").exists() is (state is not None)
    assert state is None or (ada.home / ".claude.json").read_text() == state


def test_the_doctor_misses_the_mcp_server_also_where_a_memd_of_before_did_not_register_it(ada: Environment) -> None:
    (claude,) = host_parts(ada)
    assert isinstance(claude, ClaudeCodePart)
    claude_code.apply(claude._plan(), ada.paths.state_dir)

    missed = checks(ada)["Claude Code MCP"]

    assert (missed.ok, missed.fix) == (False, "run `memd install` again")
    claude.install()
    (ada.home / ".claude.json").write_text("{not json")
    assert "mend it" in checks(ada)["Claude Code MCP"].fix


def test_the_doctor_is_silent_of_hosts_that_are_not_here(ada: Environment) -> None:
    assert list(checks(ada)) == ["Claude Code"]


def test_the_doctor_tells_how_each_host_stands(ada: Environment) -> None:
    use(ada, "gemini", "codex", "cursor")
    found = checks(ada)
    assert all(found[name].ok for name in ("Gemini CLI", "Codex", "Cursor"))
    assert "memd install --host gemini" in found["Gemini CLI"].detail
    for part in host_parts(ada, ["gemini", "codex"]):
        part.install()
    found = checks(ada)
    assert found["Gemini CLI"].ok
    assert "trusted" in found["Codex"].detail
    assert "memd install --host cursor" in found["Cursor"].detail
    settings = ada.home / ".gemini" / "settings.json"
    good = settings.read_text()
    settings.write_text(good.replace('"hooks":', '"hooksConfig": {"disabled": ["memd"]}, "hooks":'))
    assert "disabled" in checks(ada)["Gemini CLI"].fix
    settings.write_text(good.replace('"hooks":', '"hooksConfig": {"enabled": false}, "hooks":'))
    assert not checks(ada)["Gemini CLI"].ok
    settings.write_text("{}")
    assert "BeforeAgent" in checks(ada)["Gemini CLI"].detail
    settings.write_text("{")
    assert "mend it" in checks(ada)["Gemini CLI"].fix


def test_the_doctor_sees_that_qwen_code_runs_no_hooks(ada: Environment) -> None:
    use(ada, "qwen")
    for part in host_parts(ada, ["qwen"]):
        part.install()
    assert checks(ada)["Qwen Code"].ok
    settings = ada.home / ".qwen" / "settings.json"
    settings.write_text(settings.read_text().replace('"hooks":', '"disableAllHooks": true, "hooks":'))
    assert "disableAllHooks" in checks(ada)["Qwen Code"].fix


def test_agents_are_told_of_memd_in_files_of_the_persons_own_only_where_that_is_wanted(ada: Environment) -> None:
    use(ada, "codex", "gemini")
    rules = ada.home / ".codex" / "AGENTS.md"
    rules.write_text("# Mine\n")
    before = everything(ada)
    assert "guidance" not in names(plan_install(ada).parts)
    told = plan_install(ada, guidance=("instructions", "skill")).parts[-1]
    told.install()
    assert "remember" in rules.read_text()
    assert (ada.home / ".gemini" / "GEMINI.md").is_file()
    assert (ada.home / ".codex" / "skills" / "memd" / "SKILL.md").is_file()
    assert not (ada.home / ".qwen").exists()
    rules.write_text(rules.read_text().replace("search", "look"))
    again = plan_install(ada).parts[-1]
    assert again.step().changes
    again.install()
    assert "`search`" in rules.read_text()
    removed = [what for part in registered_parts(ada, ["codex"]) for what in part.remove()]
    assert any("AGENTS.md" in what for what in removed)
    assert rules.read_text() == "# Mine\n"
    assert (ada.home / ".gemini" / "GEMINI.md").is_file()
    for part in registered_parts(ada):
        part.remove()
    assert {path: data for path, data in everything(ada).items() if ".local" not in path.parts} == before
