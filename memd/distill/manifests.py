"""Manifests: packages that an edit of a manifest added, removed or moved to another version.

Only what an edit replaced is compared with what it put there; a manifest written anew says nothing of what changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memd.distill.edits import edits_of
from memd.model import Message, PackageChange

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


def manifest_changes(messages: tuple[Message, ...]) -> Iterator[PackageChange]:
    """Yield the packages that successful edits of manifests changed, in order."""
    for message in messages:
        for call in message.tool_calls:
            for edit in edits_of(call):
                pattern = None if edit.whole else _pattern(edit.path)
                if pattern is not None:
                    yield from compared(_named(pattern, edit.old), _named(pattern, edit.new))


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
