from __future__ import annotations

from pathlib import Path

from memd.adapter import HostEnv, ReadLimits, Root, SessionUpdate, Source
from memd_adapters.aider import ADAPTER, work_tree
from memd_adapters.aider_places import configured_in

HISTORY = ".aider.chat.history.md"


def paths(env: HostEnv) -> list[Path]:
    return [root.path for root in ADAPTER.roots(env)]


def test_histories_are_looked_for_in_known_projects_as_files_and_not_as_folders() -> None:
    env = HostEnv(Path("/home/ada"), {}, "linux", projects=(Path("/home/ada/harbor"), Path("/srv/pier")))
    assert paths(env) == [
        Path("/home/ada/harbor") / HISTORY,
        Path("/home/ada/harbor/.cecli/chat.history"),
        Path("/srv/pier") / HISTORY,
        Path("/srv/pier/.cecli/chat.history"),
        Path("/home/ada") / HISTORY,
        Path("/home/ada/.cecli/chat.history"),
    ]


def test_the_home_folder_is_looked_through_only_where_aider_was_used(tmp_path: Path) -> None:
    for folder in ("code/harbor", "code/of/one/team/harbor", "code/deep/er/than/that/is", ".hidden/x", "pier/.cecli"):
        (tmp_path / folder).mkdir(parents=True)
    for file in (
        f"code/harbor/{HISTORY}",
        f"code/of/one/team/harbor/{HISTORY}",
        f"code/deep/er/than/that/is/{HISTORY}",
        f".hidden/x/{HISTORY}",
        "pier/.cecli/chat.history",
    ):
        (tmp_path / file).touch()
    env = HostEnv(tmp_path, {}, "linux")
    assert tmp_path / "code/harbor" / HISTORY not in paths(env)
    (tmp_path / ".aider").mkdir()
    found = paths(env)
    assert tmp_path / "code/harbor" / HISTORY in found
    assert tmp_path / "code/of/one/team/harbor" / HISTORY in found
    assert tmp_path / "pier/.cecli/chat.history" in found
    assert not any(".hidden" in path.parts or "deep" in path.parts for path in found)


def test_a_mac_is_not_made_to_ask_for_its_protected_folders(tmp_path: Path) -> None:
    (tmp_path / ".aider").mkdir()
    (tmp_path / "Documents/harbor").mkdir(parents=True)
    history = tmp_path / "Documents/harbor" / HISTORY
    history.touch()
    assert history not in paths(HostEnv(tmp_path, {}, "darwin"))
    assert history in paths(HostEnv(tmp_path, {}, "linux"))


def test_a_history_that_is_configured_is_a_root(tmp_path: Path) -> None:
    (tmp_path / ".aider.conf.yml").write_text("model: x\nchat-history-file: ~/notes/all.md  # one for all\n")
    env = HostEnv(tmp_path, {"AIDER_CHAT_HISTORY_FILE": "/srv/chat.md"}, "linux", (tmp_path / "given",))
    found = paths(env)
    assert {tmp_path / "notes/all.md", Path("/srv/chat.md"), tmp_path / "given"} <= set(found)
    assert ADAPTER.classify(Root("aider", Path("/srv/chat.md")), Path("/srv/chat.md")) is not None


def test_a_history_that_a_work_tree_names_is_the_work_trees(tmp_path: Path) -> None:
    harbor, pier = tmp_path / "harbor", tmp_path / "pier"
    for folder in (harbor, pier):
        folder.mkdir()
    (tmp_path / ".aider.conf.yml").write_text('chat-history-file: "notes/aider.md"\n')
    (harbor / ".aider.conf.yml").write_text("# ours\nchat-history-file: docs/chat.md # kept\n")
    (pier / ".env").write_text("OTHER=1\nexport AIDER_CHAT_HISTORY_FILE=~/pier.md\n")
    found = paths(HostEnv(tmp_path, {}, "linux", projects=(harbor, pier)))
    assert {harbor / "notes/aider.md", pier / "notes/aider.md", harbor / "docs/chat.md", tmp_path / "pier.md"} <= set(
        found
    )
    history = harbor / "docs/chat.md"
    history.parent.mkdir()
    history.write_text("\n# aider chat started at 2026-08-11 16:05:42\n\n#### name the pier  \n")
    events = ADAPTER.read(Source("aider", history), None, ReadLimits()).events
    assert [event.cwd for event in events if isinstance(event, SessionUpdate)] == [str(harbor)]


def test_below_a_folder_only_histories_are_read() -> None:
    root = Root("aider", Path("/srv"))
    assert ADAPTER.classify(root, Path("/srv/pier") / HISTORY) == Source("aider", Path("/srv/pier") / HISTORY)
    assert ADAPTER.classify(root, Path("/srv/pier/.cecli/chat.history")) is not None
    for other in (".aider.input.history", ".aider.llm.history", "README.md", "chat.history"):
        assert ADAPTER.classify(root, Path("/srv/pier") / other) is None
    assert ADAPTER.classify(root, Path("/elsewhere") / HISTORY) is None


def test_a_history_is_recognised_by_the_header_of_a_session() -> None:
    path = Path("/copied/history.md")
    assert ADAPTER.recognise(path, b"\n# aider chat started at 2026-08-11 16:05:42\n") is not None
    assert ADAPTER.recognise(path, b"\r\n# cecli chat started at 2026-08-11 16:05:42\r\n") is not None
    assert ADAPTER.recognise(path, b"# aider chat started at noon\n") is None
    assert ADAPTER.recognise(path, b"> # aider chat started at 2026-08-11 16:05:42\n") is None


def test_the_work_tree_is_told_by_the_place_of_a_history() -> None:
    assert work_tree(Path("/srv/pier") / HISTORY) == Path("/srv/pier")
    assert work_tree(Path("/srv/pier/.cecli/chat.history")) == Path("/srv/pier")
    assert work_tree(Path("/copied/old.md")) is None


def test_what_is_no_path_names_no_history() -> None:
    assert list(configured_in(Path("/w/har\0bor"))) == []
