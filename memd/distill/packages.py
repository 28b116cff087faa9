"""Packages that commands added, removed or upgraded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from memd.distill.shell import Simple
from memd.model import PackageChange

Action: TypeAlias = Literal["add", "remove", "upgrade"]

_NODE: Final[dict[str, Action]] = {
    **dict.fromkeys(("add", "install", "i"), "add"),
    **dict.fromkeys(("remove", "rm", "uninstall", "un"), "remove"),
    **dict.fromkeys(("update", "upgrade", "up"), "upgrade"),
}
_ADD_REMOVE: Final[dict[str, Action]] = {"add": "add", "remove": "remove"}
_INSTALL: Final[dict[str, Action]] = {"install": "add", "uninstall": "remove", "remove": "remove", "upgrade": "upgrade"}

# Program (and the words before the verb) -> verbs.
_MANAGERS: Final[dict[str, dict[str, Action]]] = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), _NODE),
    "yarn global": _NODE,
    "deno": {"add": "add", "remove": "remove", "install": "add"},
    "uv": {"add": "add", "remove": "remove"},
    "uv pip": _INSTALL,
    "uv tool": _INSTALL,
    **dict.fromkeys(("pip", "pip3", "pipx"), _INSTALL),
    "pipenv": {"install": "add", "uninstall": "remove"},
    **dict.fromkeys(("poetry", "pdm", "rye"), _ADD_REMOVE),
    **dict.fromkeys(("conda", "mamba"), _INSTALL),
    "cargo": {"add": "add", "remove": "remove", "rm": "remove", "install": "add", "uninstall": "remove"},
    "go": {"get": "add", "install": "add"},
    "gem": _INSTALL,
    "bundle": _ADD_REMOVE,
    "composer": {"require": "add", "remove": "remove"},
    **dict.fromkeys(("flutter pub", "dart pub"), _ADD_REMOVE),
    **dict.fromkeys(("apt", "apt-get", "dnf", "yum", "zypper"), _INSTALL),
    "brew": _INSTALL,
    "apk": {"add": "add", "del": "remove"},
    "dotnet add package": {"": "add"},
    "dotnet remove package": {"": "remove"},
    "pacman": {"-s": "add", "-sy": "add", "-syu": "add", "-r": "remove", "-rs": "remove", "-rns": "remove"},
    "expo": {"install": "add"},
}
_TAKES_VALUE: Final = frozenset(
    """
    -F --features --registry --index-url -i --extra-index-url --source --git --branch --tag --rev --path --target
    --group -G --python -p --optional --filter -C --dir --prefix --package --manifest-path --version -v --vers --root -r
    --requirement -c --constraint -e --editable -t --channel -n --name --rename --workspace -w --cwd
    """.split()
)
_GO_HOSTS: Final = frozenset(("github.com", "gitlab.com", "bitbucket.org", "golang.org", "codeberg.org"))
_NO_NAMES: Final = (".", "/", "~", "$", "http:", "https:", "git+", "file:")
_FILES: Final = (".txt", ".whl", ".tar.gz", ".deb", ".toml", ".yml")
_NAME: Final = re.compile(r"@?[A-Za-z0-9][\w.+/@-]*")
_VERSION: Final = re.compile(r"(?<=[\w\]])(?:\[[^\]]*\])?(?:@[^/]*|[=<>~!^;].*)?$")


def package_changes(command: Simple) -> Iterator[PackageChange]:
    """Yield the packages that one simple command names with what it does to them; nothing for a bare `npm install`."""
    words = command.words
    if words and re.fullmatch(r"python[\d.]*|py", command.program) and words[1:2] == ("-m",):
        words = words[2:]
    if words and words[0] == "npx":
        words = words[1:]
    for length in (3, 2, 1):
        verbs = _MANAGERS.get(" ".join([_bare(words[0]), *words[1:length]]).lower()) if len(words) >= length else None
        if verbs is None:
            continue
        rest = words[length:]
        if "" in verbs:
            yield from _changes(rest, verbs[""])
            return
        at = next((i for i, word in enumerate(rest) if word.lower() in verbs), None)
        if at is None or any(not word.startswith("-") for word in rest[:at]):
            continue
        yield from _changes(rest[at + 1 :], _action(verbs[rest[at].lower()], rest))
        return


def _bare(program: str) -> str:
    return re.split(r"[\\/]", program)[-1]


def _action(action: Action, words: tuple[str, ...]) -> Action:
    return "upgrade" if action == "add" and any(word in ("-U", "--upgrade", "-u") for word in words) else action


def _changes(words: tuple[str, ...], action: Action) -> Iterator[PackageChange]:
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word.startswith("-"):
            skip = word in _TAKES_VALUE
        elif (name := package_name(word)) is not None:
            yield PackageChange(_module(name), action)


def _module(name: str) -> str:
    """Return the module of a Go package's path, as far as its host tells how long that is; any other name as it is."""
    host, _, _ = name.partition("/")
    return "/".join(name.split("/")[:3]) if host in _GO_HOSTS else name


def package_name(word: str) -> str | None:
    """Return the package's name without version and extras; None for a path, a URL, a variable or a file."""
    if word.startswith(_NO_NAMES) or word.endswith(_FILES):
        return None
    if "@" in word[1:] and not word.startswith("git@"):
        head = word[: word.index("@", 1)]
        return head if _NAME.fullmatch(head) else None
    name = re.split(r"[=<>~!^;\[ ]", word, maxsplit=1)[0].removesuffix(":")
    return name if _NAME.fullmatch(name) else None
