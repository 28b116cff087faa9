"""Resolution: which file a module's name means, as Node and TypeScript find it.

Relative names get the extensions and the index files that there are; others are looked for in `paths` and `baseUrl` of
the nearest tsconfig.json, in `imports` of the nearest package.json and among the packages of the tree (workspaces).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import msgspec

from memd.codegraph.project import Project

CONFIGS: Final = ("package.json", "jsconfig.json", "tsconfig.json", "tsconfig.*.json", "tsconfig-*.json")
EXTENSIONS: Final = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".d.mts", ".d.cts")
_INSTEAD: Final = {
    ".js": (".ts", ".tsx", ".d.ts", ".js", ".jsx"),
    ".jsx": (".tsx", ".d.ts", ".jsx"),
    ".mjs": (".mts", ".d.mts", ".mjs"),
    ".cjs": (".cts", ".d.cts", ".cjs"),
}
"""What a name with an extension may mean: TypeScript is named as what it is compiled to."""
_CONDITIONS: Final = ("types", "source", "import", "module", "node", "require", "default", "browser", "development")
_MAINS: Final = ("source", "types", "typings", "module", "main")
# What is made of sources lies in these folders, and the sources beside them in one of the others.
_MADE: Final = frozenset("dist lib build out esm cjs es output".split())
_SOURCES: Final = ("src", "source", "lib", "")
# What never ends goes to the end of the file: else every later beginning in it would be gone through as well.
_COMMENTS: Final = re.compile(rb'("[^"\\]*+(?:\\.[^"\\]*+)*+"?)|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_TRAILING: Final = re.compile(rb'("[^"\\]*+(?:\\.[^"\\]*+)*+"?)|,(?=\s*[}\]])', re.DOTALL)
_MOST_EXTENDS: Final = 8


class _Paths(NamedTuple):
    """What a tsconfig says of names: `base` (None: nothing), and patterns with the folders they are relative to."""

    base: str | None
    patterns: tuple[tuple[str, tuple[str, ...]], ...]
    folder: str


class Modules:
    """Finds the modules of one project."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._found: dict[tuple[str, str], str | None] = {}
        self._configs: dict[str, Any] = {}
        self._paths: dict[str, _Paths | None] = {}
        self._packages: dict[str, list[str]] | None = None

    def find(self, importer: str, module: str) -> str | None:
        """Return the file that a name means in a file, None where that is not in the tree."""
        folder = posixpath.dirname(importer)
        key = (folder, module)
        if key not in self._found:
            self._found[key] = self._find(folder, module)
        return self._found[key]

    def _find(self, folder: str, module: str) -> str | None:
        module = module.partition("?")[0]
        if module.startswith(("./", "../")) or module in (".", ".."):
            return self._at(_join(folder, module))
        if module.startswith("/"):
            return None
        if module.startswith("#"):
            found = self._imported(folder, module)
            if found is not None:
                return found
        return self._by_paths(folder, module) or self._by_package(module)

    # --- files --------------------------------------------------------------------------------------------------

    def _at(self, path: str | None) -> str | None:
        """Return the source file that a path means: itself, with an extension, or what stands for a folder."""
        if path is None:
            return None
        return self._file(path) or self._folder(path)

    def _file(self, path: str) -> str | None:
        has = self._project.has
        stem, extension = posixpath.splitext(path)
        for instead in _INSTEAD.get(extension, ()):
            if has(stem + instead):
                return stem + instead
        if has(path):
            return path
        return next((path + one for one in EXTENSIONS if path and has(path + one)), None)

    def _folder(self, path: str) -> str | None:
        prefix = f"{path}/" if path else ""
        package = self._json(f"{prefix}package.json")
        if package is not None:
            found = self._main(path, package)
            if found is not None:
                return found
        return self._file(f"{prefix}index")

    def _main(self, folder: str, package: dict[str, Any]) -> str | None:
        for key in _MAINS:
            named = package.get(key)
            if isinstance(named, str):
                path = _join(folder, named)
                if path is None:
                    continue
                found = self._file(path) or self._file(f"{path}/index") or self._source_of(folder, path)
                if found is not None:
                    return found
        return None

    def _source_of(self, folder: str, path: str) -> str | None:
        """Return the source that a file is made of which is not in the tree (`dist/x.js` of `src/x.ts`)."""
        inside = path.removeprefix(f"{folder}/") if folder else path
        parts = inside.split("/")
        while parts and parts[0] in _MADE:
            parts = parts[1:]
            if not parts:
                return None
            stem = re.sub(r"(\.d)?\.[cm]?[jt]sx?$", "", "/".join(parts))
            for source in _SOURCES:
                path = "/".join(part for part in (folder, source, stem) if part)
                found = self._file(path)
                if found is not None:
                    return found
        return None

    # --- packages -----------------------------------------------------------------------------------------------

    def _by_package(self, module: str) -> str | None:
        parts = module.split("/")
        count = 2 if module.startswith("@") else 1
        name, rest = "/".join(parts[:count]), "/".join(parts[count:])
        if self._packages is None:
            self._packages = {}
            for path in self._project.configs("package.json"):
                package = self._json(path)
                if package is not None and isinstance(package.get("name"), str):
                    self._packages.setdefault(package["name"], []).append(posixpath.dirname(path))
        for folder in self._packages.get(name, ()):
            package = self._json(f"{folder}/package.json" if folder else "package.json") or {}
            found = self._exported(folder, package, rest)
            if found is not None:
                return found
        return None

    def _exported(self, folder: str, package: dict[str, Any], rest: str) -> str | None:
        exports = package.get("exports")
        if exports is not None:
            key = f"./{rest}" if rest else "."
            table = exports if isinstance(exports, dict) and any(one.startswith(".") for one in exports) else None
            named = _matched(table, key) if table is not None else (exports if not rest else None)
            for target in _targets(named):
                path = _join(folder, target)
                found = self._at(path) or (self._source_of(folder, path) if path is not None else None)
                if found is not None:
                    return found
        if not rest:
            return self._folder(folder)
        return self._at(_join(folder, rest)) or self._source_of(folder, f"{folder}/dist/{rest}".lstrip("/"))

    def _imported(self, folder: str, module: str) -> str | None:
        for around in _upwards(folder):
            package = self._json(f"{around}/package.json" if around else "package.json")
            if package is None:
                continue
            table = package.get("imports")
            for target in _targets(_matched(table, module)) if isinstance(table, dict) else ():
                found = self._at(_join(around, target)) if target.startswith(".") else self._find(around, target)
                if found is not None:
                    return found
            return None
        return None

    # --- tsconfig -----------------------------------------------------------------------------------------------

    def _by_paths(self, folder: str, module: str) -> str | None:
        for around in _upwards(folder):
            for name in ("tsconfig.json", "jsconfig.json"):
                path = f"{around}/{name}" if around else name
                if path not in self._paths:
                    self._paths[path] = self._read_paths(path)
                paths = self._paths[path]
                if paths is not None:
                    found = self._mapped(paths, module)
                    if found is not None:
                        return found
        return None

    def _mapped(self, paths: _Paths, module: str) -> str | None:
        for pattern, targets in paths.patterns:
            head, star, tail = pattern.partition("*")
            if not (module.startswith(head) and module.endswith(tail)) if star else module != pattern:
                continue
            inner = module[len(head) : len(module) - len(tail)] if star else ""
            for target in targets:
                found = self._at(_join(paths.folder, target.replace("*", inner)))
                if found is not None:
                    return found
        return self._at(_join(paths.base, module)) if paths.base is not None else None

    def _read_paths(self, path: str, depth: int = 0) -> _Paths | None:
        config = self._json(path)
        if config is None or depth > _MOST_EXTENDS:
            return None
        folder = posixpath.dirname(path)
        options = config.get("compilerOptions")
        options = options if isinstance(options, dict) else {}
        base = options.get("baseUrl")
        based = _join(folder, base) if isinstance(base, str) else None
        table = options.get("paths")
        if isinstance(table, dict):
            patterns = tuple(
                (pattern, tuple(one for one in targets if isinstance(one, str)))
                for pattern, targets in table.items()
                if isinstance(targets, list)
            )
            return _Paths(based, patterns, based if based is not None else folder)
        inherited = None
        extends = config.get("extends")
        for one in extends if isinstance(extends, list) else [extends]:
            if isinstance(one, str) and one.startswith("."):
                joined = _join(folder, one) or ""
                inherited = self._read_paths(joined, depth + 1) or self._read_paths(f"{joined}.json", depth + 1)
        if inherited is not None:
            return inherited._replace(base=based) if based is not None else inherited
        return _Paths(based, (), folder) if based is not None else None

    def _json(self, path: str) -> Any:
        """Return a configuration that is an object, None where there is none; comments and last commas are allowed."""
        if path not in self._configs:
            content = self._project.config(path)
            self._configs[path] = _decoded(content) if content is not None else None
        return self._configs[path]


def _decoded(content: bytes) -> dict[str, Any] | None:
    for attempt in (content, _TRAILING.sub(_kept, _COMMENTS.sub(_kept, content.removeprefix(b"\xef\xbb\xbf")))):
        try:
            found = msgspec.json.decode(attempt)
        except (msgspec.DecodeError, RecursionError):
            continue
        return found if isinstance(found, dict) else None
    return None


def _kept(match: re.Match[bytes]) -> bytes:
    return match.group(1) or b""


def _join(folder: str, path: str) -> str | None:
    """Return a path below a folder, None where it leads out of the tree."""
    joined = posixpath.normpath(posixpath.join(folder, path))
    if joined.startswith(("../", "/")) or joined == "..":
        return None
    return "" if joined == "." else joined


def _upwards(folder: str) -> Iterator[str]:
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""


def _matched(table: Any, key: str) -> Any:
    """Return what a table of exports or imports has for a name, also by a pattern with a star."""
    if not isinstance(table, dict):
        return None
    if key in table:
        return table[key]
    for pattern, value in table.items():
        head, star, tail = pattern.partition("*")
        if star and key.startswith(head) and key.endswith(tail) and len(key) >= len(head) + len(tail):
            return _filled(value, key[len(head) : len(key) - len(tail)])
    return None


def _filled(value: Any, inner: str) -> Any:
    if isinstance(value, str):
        return value.replace("*", inner)
    if isinstance(value, dict):
        return {key: _filled(one, inner) for key, one in value.items()}
    return value


def _targets(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the paths that an entry of exports names, the likeliest to be sources first."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _targets(one, depth + 1)
    elif isinstance(value, dict) and depth < _MOST_EXTENDS:
        for condition in (*_CONDITIONS, *(one for one in value if one not in _CONDITIONS)):
            if condition in value:
                yield from _targets(value[condition], depth + 1)
