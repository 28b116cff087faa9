"""Registering in any host: once, nobody else's byte moved, and gone again without a trace."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memd.errors import SettingsError
from memd_hooks import codex, copilot, cursor, gemini, manifest, qwen, registration
from memd_hooks.hook_entries import HookEntries
from memd_hooks.host import Host
from memd_hooks.hosts import HOSTS
from memd_hooks.jsonc import DocumentError
from memd_hooks.own_file import OwnFile
from memd_hooks.place import Place
from memd_hooks.registration import Registration
from memd_hooks.settings_json import Before
from tests.contract.hooks.place import Machine

EVERY = pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS)
EDITED = {"codex": codex.HOST, "gemini": gemini.HOST, "qwen": qwen.HOST, "cursor": cursor.HOST}
SETTINGS = pytest.mark.parametrize("host", EDITED.values(), ids=EDITED)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine.at(tmp_path)


def settings_of(host: Host, machine: Machine) -> Registration:
    """What stands in the person's own settings file."""
    (only,) = (each for each in host.registrations(machine.place) if isinstance(each.entries, HookEntries))
    return only


def wanted(host: Host, machine: Machine) -> HookEntries:
    entries = settings_of(host, machine).entries
    assert isinstance(entries, HookEntries)
    return entries


@EVERY
def test_what_was_not_there_is_not_there_again(machine: Machine, host: Host) -> None:
    before = machine.left()
    assert machine.install(host)
    assert all(path.is_file() for path in machine.files(host))
    machine.uninstall(host)
    assert machine.left() == before


@EVERY
def test_a_second_install_changes_no_byte(machine: Machine, host: Host) -> None:
    machine.install(host)
    before = machine.left()
    inodes = [path.stat().st_ino for path in machine.files(host)]
    assert machine.install(host) == ()
    assert machine.left() == before
    assert [path.stat().st_ino for path in machine.files(host)] == inodes


@EVERY
def test_everything_written_is_noted_and_private(machine: Machine, host: Host) -> None:
    machine.install(host)
    records = manifest.load(machine.state / "installed.json").files
    assert sorted(record.path for record in records) == sorted(machine.files(host))
    assert {record.host for record in records} == {host.name}
    assert all(stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 for path in machine.files(host))


@EVERY
def test_without_the_manifest_what_is_ours_is_still_found(machine: Machine, host: Host) -> None:
    machine.install(host)
    (machine.state / "installed.json").unlink()
    machine.uninstall(host)
    left = [path.read_bytes() for path in machine.files(host) if path.exists()]
    assert all(b"memd" not in data for data in left)


@EVERY
def test_an_uninstall_where_nothing_was_installed_touches_nothing(machine: Machine, host: Host) -> None:
    for path in machine.files(host):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"{ this is [ not: anything")
    before = machine.left()
    assert machine.uninstall(host) == ()
    assert machine.left() == before


@EVERY
def test_a_host_is_here_once_it_has_left_something(tmp_path: Path, host: Host) -> None:
    machine = Machine.at(tmp_path, env={"PATH": ""})
    assert not host.is_here(machine.place)
    trace = host.traces(machine.place)[0]
    trace.mkdir(parents=True)
    assert host.is_here(machine.place)


def test_a_program_is_enough_to_know_a_host(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "codex"
    program.parent.mkdir()
    program.touch(mode=0o755)
    assert codex.HOST.is_here(Machine.at(tmp_path, env={"PATH": str(program.parent)}).place)


# Settings of the person's own, edited between their lines.


ORDINARY = b"""{
  "version": 1,
  "ui": {"theme": "Atom", "tabs": [ ]},
  "hooks": {
    "stop": [
      {"command": "say done"}
    ],
    "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
    "SessionStart": [ ],
    "sessionStart": []
  },
  "model": "opus"
}
"""
DOCUMENTS = {
    "an ordinary file": ORDINARY,
    "CRLF, tabs and no last line end": ORDINARY.replace(b"\n", b"\r\n").replace(b"  ", b"\t").rstrip(),
    "a byte order mark": b"\xef\xbb\xbf" + ORDINARY,
    "one line": b'{"version":1,"hooks":{"Stop":[],"stop":[]}}',
    "no hooks": b'{\n  "version": 1\n}\n',
    "empty hooks": b'{"version": 1, "hooks": {}}\n',
    "an empty file": b"",
    "white space": b" \n\n",
}


@SETTINGS
@pytest.mark.parametrize("data", DOCUMENTS.values(), ids=DOCUMENTS)
def test_uninstall_gives_back_the_bytes(machine: Machine, host: Host, data: bytes) -> None:
    path = settings_of(host, machine).path
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    before = machine.left()
    machine.install(host)
    assert path.read_bytes() != data
    machine.uninstall(host)
    assert machine.left() == before


@SETTINGS
def test_what_the_person_edits_meanwhile_is_what_uninstall_leaves(machine: Machine, host: Host) -> None:
    def edit(data: bytes) -> bytes:
        return data.replace(b'"model": "opus"', b'"model": "sonnet",\n    "more": [1]').replace(b"say done", b"date")

    path = settings_of(host, machine).path
    path.parent.mkdir(parents=True)
    path.write_bytes(ORDINARY)
    machine.install(host)
    path.write_bytes(edit(path.read_bytes()))
    machine.uninstall(host)
    assert path.read_bytes() == edit(ORDINARY)


@SETTINGS
def test_our_entry_is_the_last_of_its_event(machine: Machine, host: Host) -> None:
    """Codex trusts a hook by its place: what comes before ours keeps its own."""
    path = settings_of(host, machine).path
    path.parent.mkdir(parents=True)
    path.write_bytes(ORDINARY)
    machine.install(host)
    hooks = json.loads(path.read_bytes())["hooks"]
    entries = wanted(host, machine).wanted
    assert {event for event, items in hooks.items() if items and items[-1] == entries.item} == set(entries.events)
    for event, items in json.loads(ORDINARY)["hooks"].items():
        assert hooks[event][: len(items)] == items


@SETTINGS
def test_another_interpreter_takes_the_old_ones_place_and_doubles_go(machine: Machine, host: Host) -> None:
    machine.install(host)
    path = settings_of(host, machine).path
    document = json.loads(path.read_bytes())
    event = wanted(host, machine).wanted.events[0]
    document["hooks"][event] *= 3
    path.write_text(json.dumps(document))
    moved = Machine.at(machine.place.home, python="/usr/bin/python3")
    steps = moved.install(host)
    assert steps.count(f"remove a second hook for {event}") == 2
    hooks = json.loads(path.read_bytes())["hooks"]
    assert all(items == [wanted(host, moved).wanted.item] for items in hooks.values())


@SETTINGS
@pytest.mark.parametrize(
    "data", [b"{", b"[]", b'{"version": 1, "hooks": []}', b"\xff\xfe", b'{"a": 1, "a": 2, "hooks": 5}']
)
def test_a_file_that_is_not_certain_is_refused_and_left(machine: Machine, host: Host, data: bytes) -> None:
    path = settings_of(host, machine).path
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    before = machine.left()
    only = settings_of(host, machine)
    with pytest.raises(SettingsError):
        registration.install(only, machine.state)
    assert machine.left() == before


COMMENTED = b"""// Ada's settings
{
  "version": 1, // the only one there is
  /* nothing yet */
  "hooks": {
    // none
  },
}
"""


@pytest.mark.parametrize("host", [gemini.HOST, qwen.HOST, cursor.HOST], ids=lambda host: host.name)
def test_comments_stay_where_a_host_reads_them(machine: Machine, host: Host) -> None:
    path = settings_of(host, machine).path
    path.parent.mkdir(parents=True)
    path.write_bytes(COMMENTED)
    machine.install(host)
    assert all(comment in path.read_bytes() for comment in (b"// Ada's", b"// the only", b"/* nothing", b"// none"))
    machine.uninstall(host)
    assert path.read_bytes() == COMMENTED


def test_codex_reads_no_comments_so_a_file_with_some_is_refused(machine: Machine) -> None:
    (path,) = machine.files(codex.HOST)
    path.parent.mkdir(parents=True)
    path.write_bytes(COMMENTED)
    with pytest.raises(SettingsError):
        machine.install(codex.HOST)


def test_cursor_ignores_a_file_without_version_so_it_is_not_written_to(machine: Machine) -> None:
    path = settings_of(cursor.HOST, machine).path
    path.parent.mkdir(parents=True)
    path.write_bytes(b'{"hooks": {}}')
    with pytest.raises(SettingsError, match="version"):
        machine.install(cursor.HOST)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
event_lists = st.dictionaries(
    st.sampled_from(["SessionStart", "sessionStart", "Stop", "stop", "BeforeAgent", "other"]),
    st.lists(json_values, max_size=3),
    max_size=4,
)


@given(
    st.dictionaries(st.sampled_from(["a", "zz", "ui"]), json_values, max_size=3),
    st.none() | event_lists,
    st.sampled_from([None, 1, 2, "\t"]),
    st.sampled_from(sorted(EDITED)),
    st.sampled_from(["\n", "\r\n", ""]),
)
@settings(deadline=None)
def test_for_every_document_put_and_take_is_nothing(
    others: dict[str, object],
    hooks: dict[str, list[object]] | None,
    indent: int | str | None,
    name: str,
    end: str,
) -> None:
    document = {"version": 1, **others, **({} if hooks is None else {"hooks": hooks})}
    data = (json.dumps(document, indent=indent) + end).encode()
    entries = wanted(EDITED[name], _nowhere())
    put = entries.put(data, Before())
    assert put.data is not None
    assert entries.put(put.data, put.before).steps == ()
    assert entries.take(put.data, put.before).data == data
    both = json.loads(put.data)
    assert {key: value for key, value in both.items() if key != "hooks"} == {"version": 1, **others}
    for event, items in (hooks or {}).items():
        assert both["hooks"][event][: len(items)] == items


# A file that says memd wrote it is memd's, also one of an older version's, and goes as a whole.
@given(st.binary(max_size=60).filter(lambda data: b"Written by memd." not in data), st.sampled_from(sorted(HOSTS)))
@settings(deadline=None)
def test_any_bytes_are_edited_for_certain_or_refused(data: bytes, name: str) -> None:
    for each in HOSTS[name].registrations(_nowhere().place):
        try:
            put = each.entries.put(data, Before())
        except DocumentError:
            continue
        assert each.entries.take(put.data, put.before).data == data


def _nowhere() -> Machine:
    home = Path("/home/ada")
    here = Place(home, {}, Path("/usr/bin/python3"), home / "memd-hook", home / "s", home / "spool", home / "data")
    return Machine(here, home / "state")


# What each host wants to read.


def test_times_are_in_the_unit_of_each_host(machine: Machine) -> None:
    assert codex.TIMEOUT_S == 3
    assert 1 <= cursor.TIMEOUT_S <= 30
    assert 1 <= copilot.TIMEOUT_S <= 30
    assert 1_000 <= gemini.TIMEOUT_MS <= 30_000
    assert 1_000 <= qwen.TIMEOUT <= 30_000  # below 1000 it is seconds in one version and milliseconds in another
    machine.install(gemini.HOST)
    (path,) = machine.files(gemini.HOST)
    group = json.loads(path.read_bytes())["hooks"]["BeforeAgent"][0]
    command = machine.place.command("gemini")
    handler = {"name": "memd", "type": "command", "command": command, "timeout": gemini.TIMEOUT_MS}
    assert group == {"hooks": [handler]}


def test_codex_gets_claude_codes_shape(machine: Machine) -> None:
    machine.install(codex.HOST)
    (path,) = machine.files(codex.HOST)
    handler = {"type": "command", "command": machine.place.command("codex"), "timeout": 3}
    assert json.loads(path.read_bytes()) == {"hooks": {event: [{"hooks": [handler]}] for event in codex.EVENTS}}


def test_qwen_gets_claude_codes_shape_with_a_name(machine: Machine) -> None:
    machine.install(qwen.HOST)
    (path,) = machine.files(qwen.HOST)
    command = machine.place.command("qwen")
    handler = {"name": "memd", "type": "command", "command": command, "timeout": qwen.TIMEOUT}
    assert json.loads(path.read_bytes()) == {"hooks": {event: [{"hooks": [handler]}] for event in qwen.EVENTS}}


def test_cursor_gets_flat_handlers_and_a_version(machine: Machine) -> None:
    machine.install(cursor.HOST)
    path = settings_of(cursor.HOST, machine).path
    handler = {"command": machine.place.command("cursor"), "timeout": cursor.TIMEOUT_S}
    assert json.loads(path.read_bytes()) == {"version": 1, "hooks": {event: [handler] for event in cursor.EVENTS}}


def test_copilots_commands_name_their_event_and_none_runs_before_a_tool(machine: Machine) -> None:
    machine.install(copilot.HOST)
    (path,) = machine.files(copilot.HOST)
    hooks = json.loads(path.read_bytes())["hooks"]
    assert set(hooks) == set(copilot.EVENTS)
    assert "preToolUse" not in hooks
    for event, (handler,) in hooks.items():
        command = machine.place.command("copilot", event)
        assert handler == {"type": "command", "bash": command, "timeoutSec": copilot.TIMEOUT_S}


def test_folders_that_variables_name_are_gone_by(tmp_path: Path) -> None:
    env = {
        "CODEX_HOME": "/srv/codex",
        "COPILOT_HOME": "/srv/copilot",
        "GEMINI_CLI_HOME": "/srv/g",
        "QWEN_HOME": "/srv/qwen",
        "XDG_CONFIG_HOME": "/srv/config",
        "KILO_CONFIG_DIR": "/srv/kilo",
        "CONTINUE_GLOBAL_DIR": "/srv/continue",
    }
    machine = Machine.at(tmp_path, env=env)
    found = {name: [str(path) for path in machine.files(HOSTS[name])] for name in HOSTS}
    assert found["codex"] == ["/srv/codex/hooks.json"]
    assert found["copilot"] == ["/srv/copilot/hooks/memd.json"]
    assert found["gemini"] == ["/srv/g/.gemini/settings.json"]
    assert found["qwen"] == ["/srv/qwen/settings.json"]
    assert found["opencode"] == ["/srv/config/opencode/plugins/memd.js"]
    assert found["kilo"] == ["/srv/kilo/plugins/memd.js"]
    assert found["continue"] == ["/srv/continue/rules/memd.md"]


# Files of memd's own.


OWN = [(host, each) for host in HOSTS.values() for each in host.registrations(_nowhere().place)]
OWN_FILES = [(host, at) for host, each in OWN if isinstance(each.entries, OwnFile) for at in [each.path.name]]


@pytest.mark.parametrize(("host", "name"), OWN_FILES, ids=[f"{host.name} {name}" for host, name in OWN_FILES])
def test_a_file_of_that_name_that_is_not_ours_is_never_touched(machine: Machine, host: Host, name: str) -> None:
    (each,) = [each for each in host.registrations(machine.place) if each.path.name == name]
    each.path.parent.mkdir(parents=True)
    each.path.write_bytes(b"#!/bin/sh\necho mine\n")
    before = machine.left()
    with pytest.raises(SettingsError, match="not memd's"):
        registration.install(each, machine.state)
    registration.uninstall(each, machine.state)
    assert machine.left() == before


@pytest.mark.parametrize("name", ["opencode", "kilo", "copilot", "cline"])
def test_an_own_file_of_an_older_version_is_written_anew(machine: Machine, name: str) -> None:
    machine.install(HOSTS[name])
    before = machine.left()
    for path in machine.files(HOSTS[name]):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\n\n", 2))
    assert machine.install(HOSTS[name])
    assert {key: value for key, value in machine.left().items() if "Rules" not in key and "installed" not in key} == {
        key: value for key, value in before.items() if "Rules" not in key and "installed" not in key
    }


@pytest.mark.parametrize("name", ["cline", "roo", "continue", "aider", "cursor"])
def test_a_rules_file_keeps_the_facts_in_it_over_an_install(machine: Machine, name: str) -> None:
    machine.install(HOSTS[name])
    (path,) = (each.path for each in HOSTS[name].registrations(machine.place) if each.refreshed)
    path.write_bytes(path.read_bytes() + b"\nWe write dates as year-month-day.\n")
    before = machine.left()
    assert machine.install(HOSTS[name]) == ()
    assert machine.left() == before


def test_cursors_rule_lies_in_a_plugin_that_names_itself_and_always_applies(machine: Machine) -> None:
    """By Cursor's plugins reference: a manifest with a name, and rules of which the head says when they count."""
    machine.install(cursor.HOST)
    folder = machine.place.home / ".cursor" / "plugins" / "local" / "memd"
    named = json.loads((folder / ".cursor-plugin" / "plugin.json").read_bytes())
    assert set(named) == {"name", "description"}
    assert named["name"] == folder.name
    mark, head, body = (folder / "rules" / "memd.mdc").read_text().split("---\n", 2)
    assert mark == ""
    assert "alwaysApply: true" in head.splitlines()
    assert "memd keeps a memory" in body
    assert not (machine.place.home / ".cursor" / "rules").exists()
    before = machine.left()
    (folder / ".cursor-plugin" / "plugin.json").write_text('{"name": "memd", "description": "Written by memd. Once."}')
    assert machine.install(cursor.HOST) == ("update the plugin",)
    assert {**machine.left(), "state/installed.json": before["state/installed.json"]} == before


@pytest.fixture
def script(tmp_path: Path) -> Path:
    machine = Machine.at(tmp_path, python="/bin/sh")
    machine.install(HOSTS["cline"])
    return tmp_path / "Documents" / "Cline" / "Hooks" / "PreToolUse"


def test_clines_hook_is_executable_and_prints_json_though_nobody_answers(script: Path) -> None:
    assert os.access(script, os.X_OK)
    done = subprocess.run([script], input=b"{}", capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"{}\n", b"")


@pytest.mark.parametrize("shell", ["sh", "bash", "dash"])
def test_clines_hook_passes_the_answer_on(script: Path, shell: str) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not on this machine")
    body = script.read_text().splitlines()
    body[2] = """answer=$(echo '{"cancel":false,"contextModification":"wool \\\\n $HOME {} \\"x\\""}')"""
    done = subprocess.run([program], input="\n".join(body).encode(), capture_output=True, check=True)
    assert json.loads(done.stdout)["cancel"] is False
