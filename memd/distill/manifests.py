"""Manifests: packages that an edit of a manifest added, removed or moved to another version.

Only what an edit replaced is compared with what it put there; a manifest written anew says nothing of what changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memd.distill.calls import arguments
from memd.model import Message, PackageChange, ToolCall

_JSON: Final = re.compile(
    r"\"(?P<name>@?[\w./-]+)\"\s*:\s*\"(?P<version>(?:[~^>=<*v]|workspace:|npm:|latest|\d)[^\"]*)\""
)
_PYTHON: Final = re.compile(
    r"(?:^|[\"'])\s*(?P<name>[A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*(?P<version>(?:[<>=~!]=?|===)\s*\d[^\"'#;\n]*)",
    re.MULTILINE,
)
_TOML: Final = re.compile(
    r"^\s*(?P<name>[A-Za-z][\w-]*)\s*=\s*(?:\"(?P<version>[~^=<>]*\d[^\"]*)\"|\{[^}\n]*version\s*=\s*\"(?P<inner>[^\"]+)\")",
    re.MULTILINE,
)
_GRADLE: Final = re.compile(
    r"\b(?:ksp|kapt|classpath|api|implementation|\w*(?:Implementation|Api|Only|Processor))\b"
    r"\s*\(?\s*[\"'](?P<name>[\w.-]+:[\w.-]+)(?::(?P<version>[^\"']+))?[\"']"
    r"|\bid\s*\(?\s*[\"'](?P<plugin>[\w-]+(?:\.[\w-]+)+)[\"']"
)
_CATALOG: Final = re.compile(
    r"\b(?:id|module)\s*=\s*\"(?P<name>[\w.:-]+)\"(?:\s*,\s*version(?:\.ref)?\s*=\s*\"(?P<version>[^\"]+)\")?"
)
_TERRAFORM: Final = re.compile(
    r"\bsource\s*=\s*\"(?P<name>[\w-]+/[\w-]+)\"(?:\s*version\s*=\s*\"(?P<version>[^\"]+)\")?"
)
_PUBSPEC: Final = re.compile(r"^\s{2}(?P<name>[a-z]\w*):\s*(?P<version>[\^>=<]*\d[^\n#]*)$", re.MULTILINE)
_GO: Final = re.compile(r"(?:^|\s)(?P<name>[\w-]+\.[\w.-]+/[\w./-]+)\s+(?P<version>v\d\S*)")
_RUBY: Final = re.compile(
    r"^\s*gem\s+[\"'](?P<name>[\w-]+)[\"'](?:\s*,\s*[\"'](?P<version>[^\"']+)[\"'])?", re.MULTILINE
)

_MANIFESTS: Final[tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]] = (
    (re.compile(r"(?:package|composer)\.json$"), _JSON),
    (re.compile(r"requirements[\w.-]*\.(?:txt|in)$|pyproject\.toml$|setup\.(?:py|cfg)$"), _PYTHON),
    (re.compile(r"(?:Cargo\.toml|Pipfile)$"), _TOML),
    (re.compile(r"\.gradle(?:\.kts)?$"), _GRADLE),
    (re.compile(r"libs\.versions\.toml$"), _CATALOG),
    (re.compile(r"\.tf$"), _TERRAFORM),
    (re.compile(r"pubspec\.ya?ml$"), _PUBSPEC),
    (re.compile(r"go\.mod$"), _GO),
    (re.compile(r"Gemfile$"), _RUBY),
)
# Keys of a manifest that look like packages.
_KEYS: Final = frozenset(
    "version name description rust-version edition python requires-python node npm sdk flutter main engines".split()
)
_FILES_OF: Final = re.compile(r"^\*\*\* (?:Update File: |(?:Add|Delete) File: .*|End Patch.*)", re.MULTILINE)
_SIDES: Final = (
    ("old_string", "new_string"),
    ("old_text", "new_text"),
    ("oldString", "newString"),
    ("old_str", "new_str"),
)


def manifest_changes(messages: tuple[Message, ...]) -> Iterator[PackageChange]:
    """Yield the packages that successful edits of manifests changed, in order."""
    for message in messages:
        for call in message.tool_calls:
            if call.kind == "edit" and call.ok is not False and call.changes:
                for path, old, new in (*_replaced(call), *_patched(call)):
                    pattern = _pattern(path)
                    if pattern is not None:
                        yield from compared(_named(pattern, old), _named(pattern, new))


def compared(old: dict[str, str], new: dict[str, str]) -> Iterator[PackageChange]:
    """Yield what became of packages, given their versions before and after."""
    for name, version in new.items():
        if name not in old:
            yield PackageChange(name, "add")
        elif old[name] != version:
            yield PackageChange(name, "upgrade")
    yield from (PackageChange(name, "remove") for name in old if name not in new)


def _pattern(path: str) -> re.Pattern[str] | None:
    return next((pattern for file, pattern in _MANIFESTS if file.search(path)), None)


def _named(pattern: re.Pattern[str], text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for match in pattern.finditer(text):
        groups = match.groupdict()
        name = groups["name"] or groups.get("plugin") or ""
        if name and name not in _KEYS:
            found[name] = (groups.get("version") or groups.get("inner") or "").strip()
    return found


def _replaced(call: ToolCall) -> Iterator[tuple[str, str, str]]:
    """Yield the path with what an edit took away and what it put there."""
    data = arguments(call)
    if not isinstance(data, dict):
        return
    edits = data.get("edits")
    for edit in edits if isinstance(edits, list) else [data]:
        if not isinstance(edit, dict):
            continue
        for before, after in _SIDES:
            old, new = edit.get(before), edit.get(after)
            if isinstance(old, str) and isinstance(new, str):
                yield call.changes[0].path, old, new


def _patched(call: ToolCall) -> Iterator[tuple[str, str, str]]:
    """Yield the path of each file that a patch updates, with the lines it took away and those it put there."""
    for patch in _patches(arguments(call)):
        for part in _FILES_OF.split(patch)[1:]:
            path, _, body = part.partition("\n")
            lines = body.split("\n")
            old = "\n".join(line[1:] for line in lines if line.startswith("-"))
            yield path.strip(), old, "\n".join(line[1:] for line in lines if line.startswith("+"))


def _patches(data: object) -> Iterator[str]:
    if isinstance(data, str):
        if "*** Begin Patch" in data:
            yield data
    elif isinstance(data, dict | list):
        for value in data.values() if isinstance(data, dict) else data:
            yield from _patches(value)
