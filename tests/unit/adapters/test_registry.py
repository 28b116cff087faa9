from __future__ import annotations

import pkgutil
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import memd_adapters
from memd import registry
from memd.adapter import Adapter
from memd_adapters import ADAPTERS
from memd_adapters.claude_code import ClaudeCode
from tests.unit.adapters.claude_rows import SESSION, Rows


class Strange(ClaudeCode):
    """A third party's adapter."""

    __slots__ = ()

    @property
    def name(self) -> str:  # type: ignore[explicit-override]  # typing.override came with Python 3.12
        return "strange"


def point(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, registry.GROUP)


def test_the_adapters_are_the_modules_that_have_one() -> None:
    modules = [import_module(f"memd_adapters.{module.name}") for module in pkgutil.iter_modules(memd_adapters.__path__)]
    values = [value for module in modules for value in vars(module).values() if isinstance(value, Adapter)]
    assert {value.name: value for value in values if not isinstance(value, type)} == ADAPTERS


def test_every_adapter_keeps_the_contract_and_its_name() -> None:
    assert all(isinstance(adapter, Adapter) and adapter.name == name for name, adapter in registry.adapters().items())


def test_an_adapter_of_another_package_is_taken_in() -> None:
    found = registry.load([point("strange", f"{__name__}:Strange")])
    assert set(found.adapters) == {*ADAPTERS, "strange"}
    assert found.problems == ()


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("no_such_module_anywhere:X", "cannot be loaded: No module named"),
        (f"{__name__}:Missing", "cannot be loaded"),
        (f"{__name__}:SESSION", "cannot be loaded"),
        (f"{__name__}:ClaudeCode", "is left out: there is one for claude_code already"),
    ],
)
def test_a_broken_adapter_is_told_in_one_sentence_and_left_out(value: str, problem: str) -> None:
    found = registry.load([point("broken", value)])
    assert dict(found.adapters) == ADAPTERS
    (sentence,) = found.problems
    assert problem in sentence
    assert sentence.endswith(".")


class Hollow:
    """Has a name and nothing else."""

    name = "hollow"


def test_an_adapter_that_keeps_no_contract_is_left_out() -> None:
    (sentence,) = registry.load([point("hollow", f"{__name__}:Hollow")]).problems
    assert "does not keep the adapter contract" in sentence


def test_the_installed_adapters_load_without_problems() -> None:
    assert registry.problems() == ()


def test_a_transcript_is_recognised_by_its_content(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("hello")
    path = tmp_path / "export.jsonl"
    path.write_bytes(rows.lines())
    found = registry.recognise(path)
    assert found is not None
    assert (found[0].name, found[1].session) == ("claude_code", SESSION)
    path.write_text("something else\n")
    assert registry.recognise(path) is None
    with pytest.raises(FileNotFoundError):
        registry.recognise(tmp_path / "none.jsonl")


def test_the_guide_names_every_module() -> None:
    folder = Path(memd_adapters.__file__).parent
    guide = (folder.parent / "README.md").read_text(encoding="utf-8")
    families = {path.stem.split("_")[0] for path in folder.glob("*.py")} - {""}
    assert [name for name in sorted(families) if f"`{name}" not in guide] == []
