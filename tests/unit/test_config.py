from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from memd.config import Config, entries, load, template
from memd.errors import ConfigError


def _file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "config.toml"
    path.write_text(text)
    return path


def test_without_a_file_every_setting_has_its_default(tmp_path: Path) -> None:
    assert load(tmp_path / "none.toml", {}) == Config()


def test_missing_keys_are_filled(tmp_path: Path) -> None:
    config = load(_file(tmp_path, "[inject]\nwakeup_tokens = 300\n"), {})
    assert config.inject.wakeup_tokens == 300
    assert config.inject.prompt_tokens == Config().inject.prompt_tokens
    assert config.warnings == ()


def test_an_unknown_key_is_warned_about_and_ignored(tmp_path: Path) -> None:
    config = load(_file(tmp_path, "[inject]\nwakeup_token = 300\n[injekt]\n"), {})
    assert config.inject == Config().inject
    assert any("inject.wakeup_token;" in warning for warning in config.warnings)
    assert any("injekt" in warning for warning in config.warnings)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('[inject]\nwakeup_tokens = "many"\n', "inject.wakeup_tokens"),
        ("[inject]\nwakeup_tokens = -1\n", "inject.wakeup_tokens"),
        ('[log]\nlevel = "loud"\n', "log.level"),
        ("[hooks]\nstop = 1\n", "hooks.stop"),
        ("capture = 3\n", "[capture]"),
    ],
)
def test_a_bad_value_is_named_and_falls_back(tmp_path: Path, text: str, key: str) -> None:
    config = load(_file(tmp_path, text), {})
    assert len(config.warnings) == 1
    assert key in config.warnings[0]
    assert entries(config) == entries(Config())


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    path = _file(tmp_path, "[inject]\nwakeup_tokens = 300\n[hooks]\nstop = true\n")
    env = {"MEMD_INJECT_WAKEUP_TOKENS": "0", "MEMD_HOOKS_STOP": "false", "MEMD_CAPTURE_HOSTS_OFF": "codex,aider"}
    before = path.read_bytes()
    config = load(path, env)
    assert path.read_bytes() == before, "what the environment says is not written back"
    assert config.inject.wakeup_tokens == 0
    assert config.hooks.stop is False
    assert config.capture.hosts_off == ("codex", "aider")


def test_a_bad_value_in_the_environment_names_the_variable(tmp_path: Path) -> None:
    config = load(tmp_path / "none.toml", {"MEMD_INJECT_PROMPT_FACTS": "four"})
    assert config.inject.prompt_facts == Config().inject.prompt_facts
    assert "MEMD_INJECT_PROMPT_FACTS" in config.warnings[0]


def test_a_file_that_is_no_toml_is_refused_by_name(tmp_path: Path) -> None:
    path = _file(tmp_path, "[inject\n")
    with pytest.raises(ConfigError, match=r"config\.toml: is not valid TOML"):
        load(path, {})


def test_the_template_lists_every_setting_and_changes_none(tmp_path: Path) -> None:
    text = template()
    assert load(_file(tmp_path, text), {}) == Config()
    switched_on = "\n".join(line.removeprefix("# ") if " = " in line else line for line in text.splitlines()[2:])
    values = tomllib.loads(switched_on)
    listed = {f"{section}.{key}" for section, keys in values.items() if isinstance(keys, dict) for key in keys}
    assert listed | {"data_dir"} == set(entries(Config()))
    assert load(_file(tmp_path, switched_on), {}) == Config()


@pytest.mark.parametrize(
    "given",
    [
        "~/x/**,~/y/**",
        " ~/x/** , ~/y/** ",
        '["~/x/**", "~/y/**"]',
        "['~/x/**', '~/y/**',]",
        "[~/x/**, ~/y/**]",
        "[ '~/x/**', ~/y/**, ]",
    ],
)
def test_a_list_in_the_environment_is_understood_with_commas_and_as_the_file_would_have_it(
    tmp_path: Path, given: str
) -> None:
    config = load(tmp_path / "none.toml", {"MEMD_CAPTURE_EXCLUDE": given})
    assert config.capture.exclude == ("~/x/**", "~/y/**")
    assert config.warnings == ()


def test_a_pattern_that_begins_with_a_bracket_is_a_pattern(tmp_path: Path) -> None:
    config = load(tmp_path / "none.toml", {"MEMD_CAPTURE_EXCLUDE": "[a-c]*/**,[a-c]"})
    assert config.capture.exclude == ("[a-c]*/**", "[a-c]")
