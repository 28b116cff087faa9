from __future__ import annotations

import json
from pathlib import Path

import pytest

from memd.adapter import HostEnv, LiveProcess, ReadLimits, Root, Source
from memd_adapters import cline, kilo, roo

HISTORY = "api_conversation_history.json"


def paths(adapter: object, env: HostEnv) -> list[Path]:
    assert isinstance(adapter, type(cline.ADAPTER))
    return [root.path for root in adapter.roots(env)]


@pytest.mark.parametrize(
    ("adapter", "extension"),
    [
        (cline.ADAPTER, "saoudrizwan.claude-dev"),
        (roo.ADAPTER, "rooveterinaryinc.roo-cline"),
        (kilo.TASKS, "kilocode.kilo-code"),
    ],
)
def test_tasks_are_looked_for_in_every_editor_and_remote_server(adapter: object, extension: str) -> None:
    home = Path("/home/ada")
    found = paths(adapter, HostEnv(home, {"VSCODE_PORTABLE": "/opt/code"}, "linux"))
    for user in (
        "/home/ada/.config/Code/User",
        "/home/ada/.config/Code - Insiders/User",
        "/home/ada/.config/VSCodium/User",
        "/home/ada/.config/Cursor/User",
        "/home/ada/.config/Windsurf/User",
        "/home/ada/.vscode-server/data/User",
        "/home/ada/.cursor-server/data/User",
        "/home/ada/.local/share/code-server/User",
        "/opt/code/user-data/User",
    ):
        assert Path(user, "globalStorage", extension, "tasks") in found


def test_a_mac_keeps_them_in_application_support_and_linux_may_move_its_config() -> None:
    mac = paths(cline.ADAPTER, HostEnv(Path("/Users/ada"), {}, "darwin"))
    assert Path("/Users/ada/Library/Application Support/Code/User/globalStorage/saoudrizwan.claude-dev/tasks") in mac
    moved = paths(cline.ADAPTER, HostEnv(Path("/home/ada"), {"XDG_CONFIG_HOME": "/etc/ada"}, "linux"))
    assert Path("/etc/ada/Code/User/globalStorage/saoudrizwan.claude-dev/tasks") in moved


def test_profiles_and_a_storage_folder_named_in_the_settings_are_looked_into(tmp_path: Path) -> None:
    user = tmp_path / ".config/Code/User"
    (user / "profiles" / "0ada").mkdir(parents=True)
    (user / "settings.json").write_text(
        '{\n  // "roo-cline.customStoragePath": "/old",\n  "roo-cline.customStoragePath": "/data/roo",\n}'
    )
    env = HostEnv(tmp_path, {}, "linux")
    assert Path("/data/roo/tasks") in paths(roo.ADAPTER, env)
    assert Path("/old/tasks") not in paths(roo.ADAPTER, env)
    assert user / "profiles/0ada/globalStorage/rooveterinaryinc.roo-cline/tasks" in paths(roo.ADAPTER, env)
    assert Path("/data/roo/tasks") not in paths(kilo.TASKS, env)


def test_sessions_lie_where_the_environment_says() -> None:
    home = Path("/home/ada")
    assert Path("/home/ada/.cline/data/sessions") in paths(cline.ADAPTER, HostEnv(home, {}, "linux"))
    assert Path("/x/data/sessions") in paths(cline.ADAPTER, HostEnv(home, {"CLINE_DIR": "/x"}, "linux"))
    assert Path("/y/sessions") in paths(cline.ADAPTER, HostEnv(home, {"CLINE_DATA_DIR": "/y"}, "linux"))
    assert Path("/z") in paths(cline.ADAPTER, HostEnv(home, {"CLINE_SESSION_DATA_DIR": "/z"}, "linux"))
    assert Path("/home/ada/.kilocode/cli/global/tasks") in paths(kilo.TASKS, HostEnv(home, {}, "linux"))


def test_a_file_is_classified_by_its_name_and_its_folder() -> None:
    tasks = Root("cline", Path("/r/tasks"))
    path = tasks.path / "1746778360000" / HISTORY
    assert cline.ADAPTER.classify(tasks, path) == Source("cline", path, "1746778360000")
    for other in ("task_metadata.json", "settings.json", "api_conversation_history.json.tmp.1.x.json"):
        assert cline.ADAPTER.classify(tasks, path.with_name(other)) is None
    sessions = Root("cline", Path("/r/sessions"))
    folder = sessions.path / "1795000000000_ada01"
    lead = folder / "1795000000000_ada01.messages.json"
    assert cline.ADAPTER.classify(sessions, lead) == Source("cline", lead, folder.name)
    manifest = folder / "1795000000000_ada01.json"
    assert cline.ADAPTER.classify(sessions, manifest) == Source("cline", manifest, folder.name)
    agent = folder / "agent_1_x.messages.json"
    assert cline.ADAPTER.classify(sessions, agent) == Source("cline", agent, f"{folder.name}__agent_1_x", folder.name)
    assert cline.ADAPTER.classify(sessions, folder / "1795000000000_ada01.compaction.json") is None
    assert roo.ADAPTER.classify(sessions, lead) is None


def test_a_file_is_recognised_by_its_host_alone() -> None:
    head = b'[{"role":"user","content":[{"type":"text","text":"<task>\\nhello\\n</task>"}]}]'
    at = Path("/copied") / "rooveterinaryinc.roo-cline/tasks/0ada0000-7000-7000-8000-000000000001" / HISTORY
    assert [host.ADAPTER.recognise(at, head) is not None for host in (cline, roo, kilo)] == [False, True, False]
    anywhere = Path("/copied/history.json")
    assert [host.ADAPTER.recognise(anywhere, head) is not None for host in (cline, roo, kilo)] == [True, False, False]
    assert cline.ADAPTER.recognise(anywhere, b'[{"role":"user","content":"hello"}]') is None
    assert cline.ADAPTER.recognise(anywhere, b'{"sessionId":"x"}') is None


def test_what_was_shown_stands_in_only_for_a_history_that_is_lost(tmp_path: Path) -> None:
    folder = tmp_path / "tasks" / "1746780000000"
    folder.mkdir(parents=True)
    shown = [{"ts": 1746780000000, "type": "say", "say": "text", "text": "hello"}]
    request = {"ts": 1746780000001, "type": "say", "say": "api_req_started", "text": "{}"}
    source = Source("cline", folder / "ui_messages.json", folder.name)
    source.path.write_text(json.dumps([*shown, request]))
    assert cline.ADAPTER.read(source, None, ReadLimits()).events == ()  # a task that has only begun
    source.path.write_text(json.dumps([*shown, request, request, request]))
    assert cline.ADAPTER.read(source, None, ReadLimits()).events != ()
    (folder / f".{HISTORY}.bak_1.tmp").write_text("[]")  # a host is just replacing it
    assert cline.ADAPTER.read(source, None, ReadLimits()).events == ()
    (folder / HISTORY).write_text("[]")
    batch = cline.ADAPTER.read(source, None, ReadLimits())
    assert (batch.events, batch.cursor.size) == ((), source.path.stat().st_size)


def test_processes_are_those_of_sessions_that_say_they_run(tmp_path: Path) -> None:
    for number, status in enumerate(("running", "idle", "completed", "failed")):
        name = f"179500000000{number}_ada01"
        (tmp_path / name).mkdir()
        manifest = {"version": 1, "session_id": name, "pid": 100 + number, "status": status}
        (tmp_path / name / f"{name}.json").write_text(json.dumps(manifest))
    (tmp_path / "1795000000009_ada01").mkdir()
    assert set(cline.ADAPTER.live(Root("cline", tmp_path))) == {
        LiveProcess("1795000000000_ada01", 100, None),
        LiveProcess("1795000000001_ada01", 101, None),
    }
    assert roo.ADAPTER.live(Root("roo", tmp_path)) == ()
