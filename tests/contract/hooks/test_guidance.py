"""Lines and skills that tell a host's model of memd: only where asked for, kept up to date, gone without a byte."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.errors import SettingsError
from memd_hooks import guidance, registration
from memd_hooks.jsonc import DocumentError
from memd_hooks.marked_block import BEGIN, MarkedBlock
from memd_hooks.settings_json import Before
from tests.contract.hooks.place import Machine

BLOCK = MarkedBlock("the instructions", "Ask memd.\nIt knows.")
OWN = b"# Ada's rules\n\nAnswer briefly.\n"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine.at(tmp_path)


@pytest.mark.parametrize(
    "data", [None, b"", OWN, OWN.rstrip(), OWN.replace(b"\n", b"\r\n"), b"\n\n", b"\r", b"\xff\xfe\x00"]
)
def test_a_block_comes_and_goes_without_a_byte(data: bytes | None) -> None:
    put = BLOCK.put(data, Before())
    assert put.data is not None
    assert put.data.startswith(data or b"")
    assert b"It knows." in put.data
    assert BLOCK.put(put.data, put.before).steps == ()
    assert BLOCK.take(put.data, Before()).data == data


@given(st.binary(max_size=80).filter(lambda data: b"memd:" not in data))
def test_any_bytes_are_given_back(data: bytes) -> None:
    put = BLOCK.put(data, Before())
    assert BLOCK.put(put.data, put.before).steps == ()
    assert BLOCK.take(put.data, Before()).data == data


def test_what_the_person_writes_around_it_stays() -> None:
    put = BLOCK.put(OWN, Before()).data
    assert put is not None
    edited = put.replace(b"briefly", b"at length") + b"\nMore of mine.\n"
    assert BLOCK.take(edited, Before()).data == OWN.replace(b"briefly", b"at length") + b"\nMore of mine.\n"


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_what_is_written_behind_it_is_a_line_of_its_own_also_where_the_file_had_no_last_line_end(end: bytes) -> None:
    own = OWN.replace(b"\n", end).removesuffix(end)
    put = BLOCK.put(own, Before()).data
    assert put is not None
    assert BLOCK.take(put + b"More of mine." + end, Before()).data == own + end + b"More of mine." + end


def test_a_file_that_was_given_other_line_ends_keeps_no_half_of_one() -> None:
    put = BLOCK.put(OWN, Before()).data
    assert put is not None
    assert BLOCK.take(put.replace(b"\n", b"\r\n"), Before()).data == OWN.replace(b"\n", b"\r\n")


def test_a_block_that_was_copied_goes_everywhere() -> None:
    put = BLOCK.put(OWN, Before()).data
    assert put is not None
    assert BLOCK.take(put + put, Before()).data == OWN + OWN
    made = BLOCK.put(None, Before()).data
    assert made is not None
    assert BLOCK.take(made + made, Before()).data is None


def test_an_older_block_is_brought_up_to_date_in_its_place() -> None:
    put = MarkedBlock("the instructions", "Old words.").put(OWN, Before()).data
    assert put is not None
    done = BLOCK.put(put + b"After.\n", Before())
    assert done.steps == ("update the instructions",)
    assert done.data is not None
    assert b"Old words" not in done.data
    assert done.data.endswith(b"After.\n")
    assert done.data.count(BEGIN) == 1


def test_half_a_block_is_refused() -> None:
    with pytest.raises(DocumentError, match="without their end"):
        BLOCK.put(OWN + BEGIN + b" -->\nAsk memd.\n", Before())


@pytest.mark.parametrize("kind", guidance.KINDS)
@pytest.mark.parametrize("host", guidance.hosts())
def test_every_host_has_it_where_it_looks_and_nothing_is_left(machine: Machine, host: str, kind: guidance.Kind) -> None:
    before = machine.left()
    for each in guidance.registrations(host, kind, "0.1.0", machine.place):
        assert registration.install(each, machine.state)
        assert b"memd" in each.path.read_bytes()
        assert registration.install(each, machine.state) == ()
        registration.uninstall(each, machine.state)
    assert machine.left() == before


def test_a_skill_bears_its_version_and_one_of_somebody_elses_is_left(machine: Machine) -> None:
    (old,) = guidance.registrations("codex", "skill", "0.1.0", machine.place)
    (new,) = guidance.registrations("codex", "skill", "0.2.0", machine.place)
    registration.install(old, machine.state)
    assert b"memd 0.1.0" in old.path.read_bytes()
    assert registration.install(new, machine.state) == ("update the skill",)
    assert b"memd 0.2.0" in new.path.read_bytes()
    assert new.path.read_bytes().startswith(b"---\nname: memd\n")
    new.path.write_bytes(b"---\nname: memd\n---\nMine.\n")
    with pytest.raises(SettingsError, match="not memd's"):
        registration.install(new, machine.state)


def test_folders_that_variables_name_are_gone_by(tmp_path: Path) -> None:
    env = {"CODEX_HOME": "/srv/codex", "XDG_CONFIG_HOME": "/srv/config", "CLAUDE_CONFIG_DIR": "/srv/claude"}
    place = Machine.at(tmp_path, env=env).place
    found = [
        guidance.registrations(host, "instructions", "1", place)[0].path
        for host in ("codex", "opencode", "claude_code")
    ]
    assert [str(path) for path in found] == [
        "/srv/codex/AGENTS.md",
        "/srv/config/opencode/AGENTS.md",
        "/srv/claude/CLAUDE.md",
    ]
