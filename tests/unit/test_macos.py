"""What of macOS can be known without one: what is asked of the system there, and that nothing of Linux alone is."""

from __future__ import annotations

import ast
import os
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import watchdog

from memd.doors.listener import peer_uid

ROOT = Path(__file__).parents[2]
PACKAGES = (ROOT / "memd", ROOT / "adapters/memd_adapters", ROOT / "hooks/memd_hooks", ROOT / "service/memd_service")
LINUX_ALONE = {
    "os": {
        "O_DIRECT", "O_NOATIME", "O_PATH", "O_TMPFILE", "copy_file_range", "eventfd", "fdatasync", "getrandom",
        "getresuid", "getxattr", "listxattr", "memfd_create", "pidfd_open", "pipe2", "posix_fadvise", "posix_fallocate",
        "sched_getaffinity", "sched_setaffinity", "sched_setscheduler", "setresuid", "setxattr", "splice", "unshare",
    },
    "posix": {"O_PATH", "eventfd", "fdatasync", "getrandom", "pipe2", "posix_fadvise", "sched_getaffinity"},
    "socket": {"MSG_NOSIGNAL", "SOCK_CLOEXEC", "SOCK_NONBLOCK", "SO_PASSCRED", "SO_PEERCRED"},
    "signal": {"SIGPOLL", "SIGPWR", "SIGRTMAX", "SIGRTMIN", "SIGSTKFLT", "sigtimedwait", "sigwaitinfo"},
    "select": {"epoll"},
    "resource": {"RLIMIT_SIGPENDING", "RUSAGE_THREAD", "prlimit"},
    "time": {"CLOCK_BOOTTIME", "CLOCK_MONOTONIC_COARSE", "pthread_getcpuclockid"},
    "fcntl": {"F_ADD_SEALS", "F_NOTIFY", "F_OFD_SETLK", "F_SETPIPE_SZ"},
}  # fmt: skip


def sources() -> list[Path]:
    return [path for package in PACKAGES for path in sorted(package.rglob("*.py"))]


def unasked(path: Path) -> Iterator[str]:
    """What a module takes of Linux alone where it has not asked for the platform."""
    found: list[ast.AST] = [ast.parse(path.read_text("utf-8"))]
    while found:
        node = found.pop()
        if isinstance(node, (ast.If, ast.IfExp)) and "linux" in ast.unparse(node.test):
            rest = node.orelse
            found += [*rest, node.test] if isinstance(rest, list) else [rest, node.test]
            continue
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in LINUX_ALONE.get(node.value.id, ()):
                yield f"{path.name}:{node.lineno} {node.value.id}.{node.attr}"
        elif isinstance(node, ast.ImportFrom):
            names = {alias.name for alias in node.names} & LINUX_ALONE.get(node.module or "", set())
            yield from (f"{path.name}:{node.lineno} {node.module}.{name}" for name in sorted(names))
        found += ast.iter_child_nodes(node)


def test_nothing_that_only_linux_has_is_used_where_the_platform_is_not_asked_for() -> None:
    assert [use for path in sources() for use in unasked(path)] == []


def test_the_search_for_what_only_linux_has_finds_it(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        "import os, sys\nfrom socket import SO_PEERCRED\nif sys.platform == 'linux':\n    os.pipe2(0)\n"
        "else:\n    os.getrandom(1)\nos.fdatasync(1)\n"
    )
    assert sorted(unasked(module)) == [
        "module.py:2 socket.SO_PEERCRED",
        "module.py:6 os.getrandom",
        "module.py:7 os.fdatasync",
    ]


_IMPORT_ALL = """
import sys, types
import asyncio, importlib, multiprocessing, os, resource, select, signal, socket, subprocess, sysconfig, time
import anyio, aiosqlite, ctypes
import fcntl, posix
alone = {alone!r}
for module, names in alone.items():
    for name in names:
        if hasattr(sys.modules[module], name):
            delattr(sys.modules[module], name)
sysconfig.get_config_vars()
sys.platform = "darwin"
proxies = types.ModuleType("_scproxy")
proxies._get_proxies = proxies._get_proxy_settings = dict
observers, api = types.ModuleType("watchdog.observers"), types.ModuleType("watchdog.observers.api")
observers.Observer = api.BaseObserver = api.ObservedWatch = object  # those of macOS are made of what only it has
sys.modules |= {{"_scproxy": proxies, "watchdog.observers": observers, "watchdog.observers.api": api}}
ctypes.CDLL = None
failed = []
for name in {modules!r}:
    try:
        importlib.import_module(name)
    except Exception as error:
        failed.append(f"{{name}}: {{error!r}}")
print("\\n".join(failed), end="")
"""


def test_every_module_is_imported_without_anything_that_only_linux_has() -> None:
    modules = [
        ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__")
        for package in PACKAGES
        for path in sorted(package.rglob("*.py"))
        if path.stem != "__main__" and "plugin" not in path.parts
    ]
    code = _IMPORT_ALL.format(alone=LINUX_ALONE, modules=modules)
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, cwd=ROOT)
    assert run.stdout == ""
    assert run.returncode == 0, run.stderr


class _Peer:
    """A connection of macOS: it tells who the other end is in an xucred."""

    def __init__(self, uid: int) -> None:
        self.asked: tuple[int, int] | None = None
        self._told = struct.pack("=IIh2x16I", 0, uid, 2, 20, 12, *([0] * 14))

    def getsockopt(self, level: int, option: int, size: int) -> bytes:
        self.asked = level, option
        return self._told[:size]


def test_the_other_end_of_a_socket_is_known_by_its_user() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with ours, theirs:
        assert peer_uid(ours) == os.getuid()
        assert peer_uid(ours, "sunos5") is None
    peer = _Peer(501)
    assert peer_uid(peer, "darwin") == 501  # type: ignore[arg-type]
    assert peer.asked == (0, 1)  # SOL_LOCAL, LOCAL_PEERCRED of sys/un.h


@pytest.mark.parametrize("module", ["fsevents", "kqueue", "inotify", "polling"])
def test_every_watcher_takes_the_filter_of_events(module: str) -> None:
    source = Path(watchdog.__file__).parent / "observers" / f"{module}.py"
    emitters = [
        item
        for node in ast.parse(source.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name.endswith("Emitter")
        for item in node.body
        if isinstance(item, ast.FunctionDef) and item.name == "__init__"
    ]
    assert emitters
    for made in emitters:
        assert "event_filter" in {argument.arg for argument in (*made.args.args, *made.args.kwonlyargs)}
