from __future__ import annotations

import importlib
import pkgutil
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

import memd.operations
from memd.errors import BadParameter
from memd.operations import described
from memd.operations.catalog import OPERATIONS
from memd.operations.registry import Operation

EVERY = pytest.mark.parametrize("operation", OPERATIONS.values(), ids=lambda operation: operation.name)


def test_every_operation_that_is_declared_is_in_the_catalogue() -> None:
    declared = {
        value.name
        for info in pkgutil.iter_modules(memd.operations.__path__, "memd.operations.")
        for value in vars(importlib.import_module(info.name)).values()
        if isinstance(value, Operation)
    }

    assert declared == set(OPERATIONS)


def test_what_is_described_in_the_file_is_what_the_registry_describes() -> None:
    assert described.text() == described.PATH.read_bytes(), "python -m memd.operations.described writes it anew"
    assert [one.name for one in described.described()] == list(OPERATIONS)


def test_the_program_writes_the_file_that_lies_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = described.PATH.read_bytes()
    monkeypatch.setattr(described, "PATH", tmp_path / "catalog.json")

    assert described.main() == 0
    assert (tmp_path / "catalog.json").read_bytes() == kept


@EVERY
def test_an_operation_says_what_it_does_in_one_sentence(operation: Operation[Any, Any]) -> None:
    assert operation.summary.endswith(".")
    assert len(operation.summary) <= 110


@EVERY
def test_every_parameter_has_its_help(operation: Operation[Any, Any]) -> None:
    assert is_dataclass(operation.params)
    for entry in fields(operation.params):
        assert entry.metadata.get("help"), f"{operation.name}: {entry.name}"


@EVERY
def test_an_operation_either_reads_or_changes_something(operation: Operation[Any, Any]) -> None:
    assert operation.reads != (operation.writes or operation.destroys)


@EVERY
def test_an_unknown_parameter_is_refused(operation: Operation[Any, Any]) -> None:
    with pytest.raises(BadParameter, match="there is no parameter 'nonsense'"):
        operation.parse({"nonsense": 1})
