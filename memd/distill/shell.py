"""A command line: the simple commands it is made of, and what each of them is for.

No shell grammar: quotes, here-documents, pipes and lists are told apart well enough to know which programs ran, and
nothing is ever executed or expanded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias

Purpose: TypeAlias = Literal["test", "build", "lint", "install", "deploy", "migrate", "run"]

_MAX_COMMAND: Final = 20_000  # beyond that a command is data
_HEREDOC: Final = re.compile(r"<<-?[ \t]*(['\"]?)(\w+)\1([^\n]*)\n(.*?)(?:\n[ \t]*\2(?=[\s)]|$)|\Z)", re.DOTALL)
_PIECE: Final = re.compile(
    r"'[^']*'|\"(?:\\.|[^\"\\])*\"|\\.|[0-9]?>&[0-9-]?|&>>?|\|\||&&|[|;\n&]|[^'\"\\|;&\n>]+|.", re.DOTALL
)
_WORD: Final = re.compile(r"(?:'[^']*'|\"(?:\\.|[^\"\\])*\"|\\.|[^\s'\"\\])+", re.DOTALL)
_REDIRECT: Final = re.compile(r"\s*(?:[0-9]?>&[0-9-]|&?[0-9]?>{1,2}\s*/dev/null|2>&1)")
_ASSIGNMENT: Final = re.compile(r"[A-Za-z_]\w*=")
_SCRATCH: Final = re.compile(
    r"(?:/private)?(?:/tmp|/var/folders|/var/tmp)(?:/|$)|[A-Za-z]:\\Users\\[^\\]+\\AppData\\Local\\Temp"
)


def _table(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WRAPPERS: Final = _table("sudo time nice nohup env command exec stdbuf caffeinate then do else if !")
_RUNNERS: Final = _table("npx bunx pnpx uvx fvm dotenv")
_TWO_WORD_RUNNERS: Final = frozenset(
    (
        *(f"{manager} exec" for manager in ("pnpm", "yarn", "npm", "bundle", "mise", "direnv")),
        *(f"{manager} run" for manager in ("poetry", "uv", "pdm", "pipenv", "hatch", "rye")),
        *(f"{python} -m" for python in ("python", "python3", "py")),
        "pnpm dlx",
        "yarn dlx",
    )
)
# What only looks: it tells nothing of how the project is worked with.
_LOOKING: Final = _table("""
    ls ll cat bat head tail less more grep egrep fgrep rg ag find fd sed awk gawk perl wc echo printf pwd cd pushd popd
    which whereis type stat du df tree file env printenv date sleep sort uniq cut tr diff cmp comm test [ [[ true false
    : xxd hexdump od jq yq export set unset source . ps ss lsof netstat pgrep mkdir cp mv rm rmdir touch chmod chown ln
    readlink realpath basename dirname xargs tee kill pkill wait read exit return for while until case done fi esac
    function local declare let shopt alias history id whoami hostname uname uptime free top man help curl wget ping dig
    nslookup md5sum sha256sum shasum column nl tac rev paste strings open code clear trap seq get-content get-childitem
    select-string write-output write-host set-location dir
""")
_LOOKING_GIT: Final = _table("""
    status log diff show branch rev-parse ls-files ls-tree ls-remote blame remote describe for-each-ref cat-file
    check-ignore config reflog shortlog grep rev-list symbolic-ref name-rev notes var help version count-objects
    whatchanged show-ref
""")
_VERBS_OF_TWO: Final = _table("gh glab aws az gcloud kubectl docker")
_SCRIPTED: Final = _table("python python3 node ruby perl php deno bun bash sh zsh powershell pwsh")
_INLINE: Final = _table("-c -e - -V -lc")
# `-f compose.test.yml` names a file; it does not test.
_DATA_FILE: Final = re.compile(r"\.(?:ya?ml|json|toml|ini|cfg|conf|env|txt|lock|log|md|xml|csv|sql)$", re.IGNORECASE)
_PROGRAM: Final = re.compile(r"[\w@~.+][\w@~.+-]*")

_WORDS_OF: Final[dict[Purpose, frozenset[str]]] = {
    "test": _table("""
        test tests pytest vitest jest nextest ctest rspec playwright cypress tox nox phpunit mocha e2e unittest karma
        ava pest testfast coverage bats spec
    """),
    "build": _table("""
        build compile bundle assemble assembledebug assemblerelease zigbuild tsc webpack rollup package mkdocs
        xcodebuild msbuild cmake ninja gcc clang javac rustc g++
    """),
    "lint": _table("""
        lint clippy eslint ruff mypy flake8 pyright biome fmt format prettier analyze vet black typecheck shellcheck
        gofmt rubocop check stylelint tflint golangci pylint isort hadolint
    """),
    "install": _table("install ci add sync get remove uninstall upgrade update restore"),
    "deploy": _table("deploy publish release apply rollout"),
    "migrate": _table("migrate makemigrations migration migrations seed"),
    "run": _table("run start dev serve up preview watch runserver"),
}
_PURPOSES: Final[dict[str, Purpose]] = {word: aim for aim, words in _WORDS_OF.items() for word in words}


@lru_cache(maxsize=512)
def _bare(word: str) -> str:
    return re.split(r"[\\/]", word)[-1].lower().removesuffix(".exe")


@dataclass(frozen=True, slots=True)
class Simple:
    """One simple command: its words without wrappers and redirections, and the folder that a `cd` led to."""

    text: str
    words: tuple[str, ...]
    folder: str | None

    @property
    def program(self) -> str:
        """The program's bare name, lower case, without folder and `.exe`."""
        return _bare(self.words[0]) if self.words else ""

    @property
    def scratch(self) -> bool:
        """Whether it ran in a temporary folder."""
        return self.folder is not None and in_scratch(self.folder)


def in_scratch(path: str) -> bool:
    """Return whether a path lies in a temporary folder, whose files are nobody's work."""
    return _SCRATCH.match(path) is not None


def heredocs(command: str) -> tuple[str, tuple[str, ...]]:
    """Return the command without its here-documents, and their bodies."""
    if "<<" not in command:
        return command, ()
    bodies: list[str] = []

    def keep(match: re.Match[str]) -> str:
        bodies.append(match[4])
        return match[3]

    return _HEREDOC.sub(keep, command[:_MAX_COMMAND]), tuple(bodies)


def simple_commands(command: str) -> tuple[Simple, ...]:
    """Return the simple commands of a command line, the heads of pipes only, in order."""
    bare, _ = heredocs(command[:_MAX_COMMAND])
    found: list[Simple] = []
    folder: str | None = None
    for text in _pieces(bare):
        words = _words(text)
        if not words:
            continue
        one = Simple(text.strip(), words, folder)
        if one.program in ("cd", "pushd", "set-location") and len(words) > 1:
            folder = words[1]
        found.append(one)
    return tuple(found)


def _pieces(bare: str) -> list[str]:
    pieces: list[str] = []
    current: list[str] = []
    piped = False
    for match in _PIECE.finditer(bare):
        token = match[0]
        if token in ("&&", "||", ";", "\n", "&", "|"):
            if not piped:
                pieces.append("".join(current))
            current = []
            piped = token == "|"
        else:
            current.append(token)
    if not piped:
        pieces.append("".join(current))
    return pieces


def _words(text: str) -> tuple[str, ...]:
    words = [_unquote(word) for word in _WORD.findall(_REDIRECT.sub(" ", text))]
    while words:
        head = words[0].lstrip("({")
        if _ASSIGNMENT.match(head) or head in _WRAPPERS or not head:
            del words[0]
        elif head == "timeout" and len(words) > 2:
            del words[:2]
        else:
            words[0] = head
            break
    return tuple(words)


def _unquote(word: str) -> str:
    if len(word) > 1 and word[0] == word[-1] and word[0] in "'\"":
        return word[1:-1]
    return word


def is_work(command: Simple) -> bool:
    """Return whether a command does something (builds, tests, runs, installs, commits) and does not just look."""
    program = command.program
    if program in _LOOKING or not _PROGRAM.fullmatch(program):
        return False
    if any(word in ("--help", "-h", "--version") for word in command.words[1:4]):
        return False
    if program == "git":
        return git_verb(command) not in _LOOKING_GIT | {""}
    if program in _SCRIPTED or program.startswith("python"):
        return len(command.words) > 1 and command.words[1] not in _INLINE
    return True


def git_verb(command: Simple) -> str:
    """Return the subcommand of a git command ("" for any other)."""
    if command.program != "git":
        return ""
    words = iter(command.words[1:])
    for word in words:
        if word in ("-C", "-c", "--git-dir", "--work-tree"):
            next(words, None)
        elif not word.startswith("-"):
            return word
    return ""


def unwrapped(command: Simple) -> tuple[str, ...]:
    """Return the words without the runner that starts the real program (`poetry run pytest` is pytest)."""
    words = command.words
    while len(words) > 1:
        if words[0] in _RUNNERS:
            words = words[1:]
        elif " ".join(words[:2]) in _TWO_WORD_RUNNERS and len(words) > 2:
            words = words[2:]
        else:
            break
    return words


@lru_cache(maxsize=512)
def purpose(command: Simple) -> Purpose | None:
    """Return what a command is for, told from its first words; None when nothing says so."""
    if command.program == "git":
        return None
    words = [word for word in unwrapped(command)[:5] if _may_tell(word)][:4]
    running = False
    for at, word in enumerate(words):
        name = re.split(r"[\\/]", word)[-1] if at == 0 else word
        for part in re.split(r"[:_./\\-]", name.lower()):
            found = _PURPOSES.get(part)
            if found == "run":
                running = True
            elif found is not None:
                return found
    return "run" if running or (command.program in _SCRIPTED and len(words) > 1) else None


def _may_tell(word: str) -> bool:
    """Return whether a word may tell what a command is for: no flag, no file of data, no address."""
    return not (word.startswith("-") or "://" in word or _DATA_FILE.search(word))


def signature(command: Simple) -> str:
    """Return what makes two runs the same command though their arguments differ: the program and its verb."""
    words = [word for word in unwrapped(command) if not word.startswith("-") and not _ASSIGNMENT.match(word)]
    head = re.split(r"[\\/]", words[0])[-1].lower() if words else ""
    verbs = 2 if head in _VERBS_OF_TWO else 1
    return " ".join([head, *(word.lower() for word in words[1 : 1 + verbs])])
