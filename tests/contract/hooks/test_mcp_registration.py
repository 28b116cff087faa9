"""memd among the MCP servers of each host: once, nobody else's byte moved, and gone again without a trace."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.errors import SettingsError
from memd_hooks import registration
from memd_hooks.claude_code_mcp import registration_of
from memd_hooks.hosts import HOSTS
from memd_hooks.jsonc import DocumentError, JsonValue
from memd_hooks.mcp_entry import McpEntry
from memd_hooks.mcp_toml import McpTable
from memd_hooks.registration import Registration
from memd_hooks.settings_json import Before
from tests.contract.hooks.place import Machine

SERVERS = ("codex", "opencode", "kilo", "gemini", "qwen", "cursor", "copilot", "continue")
JSON = ("opencode", "kilo", "gemini", "qwen", "cursor", "copilot")
COMMAND = ("/opt/ada's python/bin/python3", "-I", "-S", "/home/ada/data/bin/memd-mcp")
TOML = b"""# my settings
model = "o4"   # the good one

[features]
hooks = true

[mcp_servers.other]
command = "other"
"""
TOMLS = {
    "ordinary": TOML,
    "no last line end": TOML.rstrip(),
    "CRLF": TOML.replace(b"\n", b"\r\n"),
    "a byte order mark": b"\xef\xbb\xbf" + TOML,
    "empty": b"",
    "white space": b"\n\n",
    "a comment alone": b"# nothing yet",
}
JSONS = {
    "ordinary": b'{\n  "theme": "dark",\n  "mcpServers": {\n    "x": {"command": "x"}\n  },\n  "mcp": {"x": {}}\n}\n',
    "one line": b'{"theme":"dark"}',
    "empty servers": b'{\n\t"mcpServers": { },\n\t"mcp": {}\n}',
    "no servers": b'{\n  "theme": "dark"\n}\n',
    "empty object": b"{}",
    "empty": b"",
    "CRLF": b'{\r\n  "theme": "dark"\r\n}\r\n',
}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine.at(tmp_path)


def only(machine: Machine, host: str) -> Registration:
    """The one file with a host's MCP servers, with all that memd wants in it."""
    (mcp,) = HOSTS[host].mcp(machine.place)
    (whole,) = [each for each in HOSTS[host].all_registrations(machine.place) if each.path == mcp.path]
    return whole


@pytest.mark.parametrize("host", SERVERS)
def test_where_nothing_was_a_server_is_added_and_nothing_is_left(machine: Machine, host: str) -> None:
    before = machine.left()
    each = only(machine, host)
    assert registration.install(each, machine.state)
    text = each.path.read_text("utf-8")
    server = tomllib.loads(text)["mcp_servers"]["memd"] if host == "codex" else json.loads(text)
    assert "memd-mcp" in str(server)
    assert registration.install(each, machine.state) == ()
    registration.uninstall(each, machine.state)
    assert machine.left() == before


@pytest.mark.parametrize("host", JSON)
@pytest.mark.parametrize("data", JSONS.values(), ids=JSONS)
def test_a_json_file_is_byte_for_byte_as_it_was(machine: Machine, host: str, data: bytes) -> None:
    each = only(machine, host)
    each.path.parent.mkdir(parents=True, exist_ok=True)
    each.path.write_bytes(data)
    registration.install(each, machine.state)
    assert b"memd-mcp" in each.path.read_bytes()
    registration.uninstall(each, machine.state)
    assert each.path.read_bytes() == data


@pytest.mark.parametrize("data", TOMLS.values(), ids=TOMLS)
def test_codexs_configuration_is_byte_for_byte_as_it_was(machine: Machine, data: bytes) -> None:
    each = only(machine, "codex")
    each.path.parent.mkdir(parents=True)
    each.path.write_bytes(data)
    registration.install(each, machine.state)
    document = tomllib.loads(each.path.read_text("utf-8-sig").replace("\r\n", "\n"))
    before = tomllib.loads(data.decode("utf-8-sig").replace("\r\n", "\n"))
    servers = document["mcp_servers"]
    assert servers.pop("memd")["args"][:2] == ["-I", "-S"]
    assert {**document, "mcp_servers": servers} == {"mcp_servers": {}, **before}
    registration.uninstall(each, machine.state)
    assert each.path.read_bytes() == data


def test_what_codex_writes_into_our_lines_stays(machine: Machine) -> None:
    each = only(machine, "codex")
    registration.install(each, machine.state)
    text = each.path.read_text()
    trust = '[projects."/srv/harbor"]\ntrust_level = "trusted"\n'
    each.path.write_text(text.replace("# <<< memd", trust + "# <<< memd"))
    registration.install(each, machine.state)
    registration.uninstall(each, machine.state)
    assert each.path.read_text() == trust


def test_a_table_whose_marks_were_lost_is_found(machine: Machine) -> None:
    each = only(machine, "codex")
    registration.install(each, machine.state)
    bare = "".join(line for line in each.path.read_text().splitlines(keepends=True) if not line.startswith("#"))
    each.path.write_text('model = "o4"\n' + bare + "[features]\nhooks = true\n")
    assert registration.install(each, machine.state) == ()
    registration.uninstall(each, machine.state)
    assert each.path.read_text() == 'model = "o4"\n[features]\nhooks = true\n'


@pytest.mark.parametrize(
    "data",
    [b"mcp_servers = {}\n", b"not = [toml\n"],
    ids=["inline", "broken"],
)
def test_toml_that_cannot_be_edited_for_certain_is_refused_and_left(machine: Machine, data: bytes) -> None:
    each = only(machine, "codex")
    each.path.parent.mkdir(parents=True)
    each.path.write_bytes(data)
    with pytest.raises(SettingsError):
        registration.install(each, machine.state)
    assert each.path.read_bytes() == data


@pytest.mark.parametrize("host", SERVERS)
def test_a_server_of_that_name_that_is_not_ours_is_left_alone(machine: Machine, host: str) -> None:
    (mcp,) = HOSTS[host].mcp(machine.place)
    if host == "codex":
        data = b'[mcp_servers.memd]\ncommand = "mine"\n'
    else:
        data = b'{"mcp": {"memd": {"command": ["mine"]}}, "mcpServers": {"memd": {"command": "mine"}}}'
    mcp.path.parent.mkdir(parents=True, exist_ok=True)
    mcp.path.write_bytes(data)
    if host == "continue":
        with pytest.raises(SettingsError):
            registration.install(mcp, machine.state)
    else:
        assert registration.install(mcp, machine.state) == ()
    assert registration.uninstall(mcp, machine.state) == ()
    assert mcp.path.read_bytes() == data


@pytest.mark.parametrize("host", SERVERS)
def test_another_interpreter_takes_the_old_ones_place(tmp_path: Path, host: str) -> None:
    old, new = Machine.at(tmp_path, python="/old/python"), Machine.at(tmp_path, python="/new/python")
    registration.install(only(old, host), old.state)
    assert registration.install(only(new, host), new.state)
    text = only(new, host).path.read_text()
    assert "/old/python" not in text
    assert text.count("memd-mcp") == 1


def test_gemini_has_hooks_and_server_in_one_file(machine: Machine) -> None:
    each = only(machine, "gemini")
    registration.install(each, machine.state)
    document = json.loads(each.path.read_text())
    assert set(document) == {"hooks", "mcpServers"}
    registration.uninstall(each, machine.state)
    assert not each.path.exists()


def test_comments_stay(machine: Machine) -> None:
    data = b'{\n  // mine\n  "mcp": {\n    // none yet\n  },\n}\n'
    path = machine.place.home / ".config" / "opencode" / "opencode.jsonc"
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    each = only(machine, "opencode")
    assert each.path == path
    registration.install(each, machine.state)
    assert b"// none yet" in path.read_bytes()
    registration.uninstall(each, machine.state)
    assert path.read_bytes() == data


def test_claude_codes_own_state_is_kept_while_it_rewrites_it(machine: Machine) -> None:
    each = registration_of(machine.place)
    each.path.write_text('{"numStartups": 3, "mcpServers": {}, "projects": {"/a": {"mcpServers": {"memd": 1}}}}')
    registration.install(each, machine.state)
    state = json.loads(each.path.read_text())
    state["numStartups"] = 4
    each.path.write_text(json.dumps(state, indent=2))
    registration.uninstall(each, machine.state)
    state["mcpServers"] = {}
    assert json.loads(each.path.read_text()) == state


def test_roos_servers_are_registered_where_roo_is(machine: Machine) -> None:
    assert HOSTS["roo"].mcp(machine.place) == ()
    store = machine.place.home / ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline"
    store.mkdir(parents=True)
    (each,) = HOSTS["roo"].mcp(machine.place)
    assert each.path == store / "settings" / "mcp_settings.json"


def test_clines_servers_are_registered_where_cline_is(machine: Machine) -> None:
    assert HOSTS["cline"].mcp(machine.place) == ()
    store = machine.place.home / ".config/Code/User/globalStorage/saoudrizwan.claude-dev"
    store.mkdir(parents=True)
    before = machine.left()
    (each,) = HOSTS["cline"].mcp(machine.place)
    registration.install(each, machine.state)
    assert json.loads(each.path.read_text())["mcpServers"]["memd"]["type"] == "stdio"
    registration.uninstall(each, machine.state)
    assert machine.left() == before


NAMES = st.sampled_from(["mcpServers", "memd", "a", "b", "hooks"])
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=10,
)


@given(VALUES, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_for_every_document_put_and_take_is_nothing(value: JsonValue, indent: int | str | None, end: bool) -> None:
    data = (json.dumps(value, indent=indent) + ("\n" if end else "")).encode()
    entry = McpEntry(("mcpServers", "memd"), {"command": COMMAND[0], "args": [*COMMAND[1:]]})
    try:
        put = entry.put(data, Before())
    except DocumentError:
        return
    assert put.data is not None
    assert entry.put(put.data, put.before).steps == ()
    assert entry.take(put.data, put.before).data == data


@given(
    st.lists(
        st.sampled_from([*TOML.decode().splitlines(keepends=True), "\n", "[a]\n", "b = 1\n", "c = '''\n[x]\n'''\n"])
    )
)
def test_for_every_toml_put_and_take_is_nothing(lines: list[str]) -> None:
    data = "".join(lines).encode()
    table = McpTable(COMMAND)
    try:
        put = table.put(data, Before())
    except DocumentError:
        return
    assert put.data is not None
    assert table.put(put.data, put.before).steps == ()
    assert table.take(put.data, put.before).data == data
