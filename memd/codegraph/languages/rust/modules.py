"""Which files are a Rust file's modules and crates, by where they lie and what Cargo.toml and `#[path]` say."""

from __future__ import annotations

import posixpath
import tomllib
from typing import Any, Final

from memd.codegraph.facts import Import
from memd.codegraph.languages.rust.names import CRATE, SELF, SUPER
from memd.codegraph.project import Project

_ROOTS: Final = ("lib.rs", "main.rs")
_OWN_CRATES: Final = frozenset(("bin", "tests", "examples", "benches"))
_PLACED: Final = "mod ="


class Modules:
    """The modules of one project."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._crates: dict[str, str] | None = None
        self._paths: dict[str, dict[str, str]] = {}
        self._of_2015: dict[str, bool] = {}

    def declared(self, importer: str, name: str) -> str | None:
        """Return the file of `mod x;`, or of one with a path (`=x.rs`)."""
        if name.startswith("="):
            path = posixpath.normpath(posixpath.join(importer.rpartition("/")[0], name[1:]))
            return path if self.project.has(path) else None
        return self.child(importer, name)

    def walk(self, importer: str, parts: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
        """Return the file of the longest path through modules, and what of the path is left behind it."""
        at: str | None
        head = parts[0]
        if head == CRATE:
            at = self.root(importer)
        elif head == SELF:
            at = importer
        elif head == SUPER:
            at = self._parent(importer)
        else:
            at = self.of_root(importer, head) or self.child(importer, head) or self.crate(head)
        if at is None:
            return None, parts
        rest = parts[1:]
        while rest:
            below = self._parent(at) if rest[0] == SUPER else self.child(at, rest[0])
            if below is None:
                break
            at, rest = below, rest[1:]
        return at, rest

    def child(self, path: str, name: str) -> str | None:
        """Return the file of a module right below the one of a file."""
        folder, _, file = path.rpartition("/")
        if file not in ("mod.rs", *_ROOTS) and not self._is_own_crate(path):
            folder = path.removesuffix(".rs")
        base = f"{folder}/{name}" if folder else name
        found = next((one for one in (f"{base}.rs", f"{base}/mod.rs") if self.project.has(one)), None)
        return found or self._placed(path).get(name)

    def _placed(self, path: str) -> dict[str, str]:
        """Return the files that a file says its modules are in, by their names (`#[path = "x.rs"] mod y;`)."""
        if path not in self._paths:
            facts = self.project.facts(path)
            given = [
                (one.name, one.value.module)
                for one in (facts.bindings if facts is not None and facts.language == "rust" else ())
                if isinstance(one.value, Import) and one.value.module.startswith(_PLACED)
            ]
            found = {name: self.declared(path, module.removeprefix("mod ")) for name, module in given}
            self._paths[path] = {name: file for name, file in found.items() if file is not None}
        return self._paths[path]

    def _parent(self, path: str) -> str | None:
        folder, _, file = path.rpartition("/")
        if file == "mod.rs":
            folder = folder.rpartition("/")[0]
        prefix = f"{folder}/" if folder else ""
        choices = (f"{prefix}mod.rs", *(f"{prefix}{root}" for root in _ROOTS), f"{folder}.rs")
        found = next((one for one in choices if one != path and self.project.has(one)), None)
        if found is not None and path in self._placed(found).values():
            return found
        return self._placing(path) or found

    def _placing(self, path: str) -> str | None:
        """Return the file further up that says a module of its own is in this one."""
        folder = path.rpartition("/")[0]
        while True:
            for name in ("mod.rs", *_ROOTS):
                one = f"{folder}/{name}" if folder else name
                if one != path and self.project.has(one) and path in self._placed(one).values():
                    return one
            if not folder:
                return None
            folder = folder.rpartition("/")[0]

    def _is_own_crate(self, path: str) -> bool:
        folders = path.split("/")[:-1]
        return bool(folders) and folders[-1] in _OWN_CRATES

    def root(self, path: str) -> str | None:
        """Return the file that the crate of a file begins with."""
        if self._is_own_crate(path) or path.rpartition("/")[2] in _ROOTS:
            return path
        folder = path
        while folder:
            folder = folder.rpartition("/")[0]
            for root in _ROOTS:
                found = f"{folder}/{root}" if folder else root
                if self.project.has(found):
                    return found
        return None

    def of_root(self, importer: str, name: str) -> str | None:
        """Return the file of a module right below the crate's root, where the paths of a `use` begin there."""
        root = self.root(importer) if self.begins_at_root(importer) else None
        return self.child(root, name) if root is not None else None

    def begins_at_root(self, path: str) -> bool:
        """Tell whether the crate of a file is of the edition of 2015, which is the one of a package that names none."""
        folder = path.rpartition("/")[0]
        if folder not in self._of_2015:
            config = f"{folder}/Cargo.toml" if folder else "Cargo.toml"
            source = self.project.config(config)
            package = _table(source, "package") if source is not None else None
            if package is not None or not folder:
                self._of_2015[folder] = package is not None and package.get("edition", "2015") == "2015"
            else:
                self._of_2015[folder] = self.begins_at_root(folder)
        return self._of_2015[folder]

    def crate(self, name: str) -> str | None:
        """Return the file that a crate of the workspace begins with."""
        if self._crates is None:
            self._crates = {}
            for path in self.project.configs("Cargo.toml"):
                self._take_crate(path.rpartition("/")[0], self.project.config(path) or b"")
        return self._crates.get(name)

    def _take_crate(self, folder: str, config: bytes) -> None:
        assert self._crates is not None
        package, library = _table(config, "package"), _table(config, "lib") or {}
        name = package.get("name") if package is not None else None
        if not isinstance(name, str):
            return
        name, start = library.get("name", name), library.get("path", "src/lib.rs")
        path = f"{folder}/{start}" if folder else str(start)
        if self.project.has(path):
            self._crates[str(name).replace("-", "_")] = path


def _table(config: bytes, name: str) -> dict[str, Any] | None:
    """Return a table of a Cargo.toml, None where it has none or cannot be read."""
    try:
        found = tomllib.loads(config.decode("utf-8", "replace")).get(name)
    except tomllib.TOMLDecodeError:
        return None
    return found if isinstance(found, dict) else None
