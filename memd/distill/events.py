"""Events: what happened in a session, taken from its tool calls and never from prose.

Only two things come from the words of a person: the addresses in a prompt, which are facts about the prompt itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memd.distill.calls import Run
from memd.distill.failures import errors_seen
from memd.distill.manifests import manifest_changes
from memd.distill.packages import package_changes
from memd.distill.shell import Simple, git_verb, heredocs, in_scratch, is_work
from memd.model import CommandRun, Events, Message, PackageChange

_MAX_URLS: Final = 15
_MAX_WEB_INPUT: Final = 4_000
_MAX_COMMANDS: Final = 200
_BY_ITSELF: Final = "auto_commit"
"""The name of a call by which a host tells that it committed of its own accord; nobody asked for that command."""
_URL: Final = re.compile(r"https?://[^\s\"'`<>()\[\]{}\\|^]+")
_ASSET: Final = re.compile(
    r"\.(?:png|jpe?g|gif|svg|ico|webp|css|js|mjs|map|woff2?|ttf|mp4|webm)(?:[?#]|$)", re.IGNORECASE
)
_LOCAL: Final = re.compile(
    r"https?://(?:localhost|127\.|0\.0\.0\.0|\[?::1|10\.|192\.168\.|[\w.-]*(?:\.local|example\.(?:com|org|net)))"
)

_COMMITTED: Final = re.compile(r"^\[(?P<branch>[^\]\n]*?) (?P<hash>[0-9a-f]{7,40})\] (?P<subject>.+)$", re.MULTILINE)
_LOGGED: Final = re.compile(
    r"^(?:\* )?(?:commit )?\[?(?:[\w/.-]+ )?(?P<hash>[0-9a-f]{7,40})\]?(?: \([^)]*\))? (?P<subject>\S.*)$", re.MULTILINE
)
_MESSAGE: Final = re.compile(
    r"(?:^|\s)(?:-[a-zA-Z]*m|--message)[ =]?(?P<text>'[^']*'|\"(?:\\.|[^\"\\])*\"|[^\s'\"]+)", re.DOTALL
)
# What a commit lists as new is not among them: it takes in what lay there before.
_MADE: Final = re.compile(
    r"^\s*(?:Created|CREATE|create|Generated|Wrote|remove)\s+(?P<told>[\w@./\\-]+\.\w{1,8})(?:\s|$)",
    re.MULTILINE,
)
_TOLD_BACK: Final = re.compile(r"^(?:remote:\s+)?(?P<url>https://\S+)\s*$", re.MULTILINE)
_CHANGES: Final = re.compile(r"<<|\b(?:sed|git|cp|mv|rm|touch)\b")
_NAMES_FILE: Final = re.compile(r"(?<!-lock)(?<!\.lock)\.(?!lock$)[A-Za-z]\w{0,7}$")
_WRITES: Final = re.compile(r"(?<![0-9&>])>{1,2}\s*(?P<path>[^\s&|;<>()]+)")


def events_of(messages: tuple[Message, ...], ran: tuple[Run, ...]) -> Events:
    """Return the events of a session: files, commands with their last outcome, commits, errors, packages, addresses."""
    return Events(
        files_changed=_distinct(_files(messages, ran)),
        commands=commands(ran),
        commits=commits(ran),
        errors=errors_seen(ran, messages),
        packages=packages(messages, ran),
        urls=tuple(list(dict.fromkeys(_urls(messages, ran)))[:_MAX_URLS]),
    )


def _distinct(paths: Iterator[str]) -> tuple[str, ...]:
    """Return each path once; a relative path that ends a longer one seen before is the same file."""
    seen: dict[str, None] = {}
    for path in paths:
        ending = "/" + path.replace("\\", "/").removeprefix("./")
        if not any(known.replace("\\", "/").endswith(ending) for known in seen if len(known) > len(path)):
            seen[path] = None
    return tuple(seen)


def _files(messages: tuple[Message, ...], ran: tuple[Run, ...]) -> Iterator[str]:
    by_call = {id(run.call): run for run in ran}
    for message in messages:
        for call in message.tool_calls:
            if call.ok is False:
                continue
            for change in call.changes:
                if not in_scratch(change.path):
                    yield change.path
            run = by_call.get(id(call))
            if run is not None:
                yield from _written(run)
                yield from _reported(run)


def _reported(run: Run) -> Iterator[str]:
    """Yield the files that a command said it made or removed; nothing of one that only looks."""
    if run.ok is not False and any(is_work(part) and not part.scratch for part in run.parts):
        for match in _MADE.finditer(run.call.output):
            if _is_path(match["told"]):
                yield match["told"]


def _written(run: Run) -> Iterator[str]:
    """Yield the files that a command line writes, copies, moves or removes by name."""
    if _CHANGES.search(run.command) is not None:
        for part in run.parts:
            if not part.scratch:
                yield from (path for path in _targets(part, heredoc="<<" in run.command) if _is_path(path))


def _targets(part: Simple, heredoc: bool) -> Iterator[str]:
    verb = git_verb(part)
    if heredoc and part.program in ("cat", "tee"):
        yield from (match["path"].strip("'\"") for match in _WRITES.finditer(part.text))
        if part.program == "tee":
            yield from (word for word in part.words[1:] if not word.startswith("-"))
    elif part.program == "sed" and any(re.match(r"-\w*i|--in-place", word) for word in part.words[1:]):
        files = [word for word in part.words[1:] if not word.startswith("-") and word]
        yield from (word for word in files[1:] if "*" not in word)
    elif part.program in ("cp", "mv", "rm", "touch"):
        named = [word for word in part.words[1:] if not word.startswith("-")]
        named = named[1:] if part.program == "cp" and len(named) == 2 else [] if part.program == "cp" else named
        yield from (word for word in named if _NAMES_FILE.search(word))
    elif verb in ("rm", "mv") and "--cached" not in part.words:
        yield from (word for word in part.words[2:] if not word.startswith("-"))


def _is_path(word: str) -> bool:
    return (
        bool(re.search(r"[./\\]", word))
        and not re.search(r"[$*{}=\s]", word)
        and not in_scratch(word)
        and not word.startswith(("/dev/", "-", "s/"))
    )


def commands(ran: tuple[Run, ...]) -> tuple[CommandRun, ...]:
    """Return the command lines that did something to the project, each once, with its last outcome."""
    last: dict[str, CommandRun] = {}
    for run in ran:
        if run.call.name != _BY_ITSELF and any(is_work(part) for part in run.parts):
            key = " ".join(run.command.split())
            ok = run.ok
            first = last.get(key)
            last[key] = CommandRun(
                first.command if first else run.command, ok if ok is not None or first is None else first.ok
            )
    return tuple(last.values())[-_MAX_COMMANDS:]


def commits(ran: tuple[Run, ...]) -> tuple[str, ...]:
    """Return the commits that were made, as "hash subject" (the subject alone where no output tells the hash).

    Git prints `[branch hash] subject` after a commit; a quiet commit is found in the log printed after it.
    """
    made: list[tuple[str, str]] = []
    for run in ran:
        if run.ok is False or "commit" not in run.command:
            made = _with_hashes(made, run)
            continue
        parts = [part for part in run.parts if git_verb(part) == "commit"]
        if not parts or any(part.scratch for part in parts):
            made = _with_hashes(made, run)
            continue
        if any("--amend" in part.words for part in parts) and made:
            made.pop()
        found = [(match["hash"], match["subject"].strip()) for match in _COMMITTED.finditer(run.call.output)]
        if len(found) < len(parts):
            found = _quiet(run, found, len(parts))
        made.extend(one for one in found if one not in made)
    return tuple(f"{hash_} {subject}".strip() for hash_, subject in made)


def _quiet(run: Run, found: list[tuple[str, str]], expected: int) -> list[tuple[str, str]]:
    subjects = commit_subjects(run.command)
    logged = [(match["hash"], match["subject"].strip()) for match in _LOGGED.finditer(run.call.output)]
    known = {subject for _, subject in found}
    for subject in subjects:
        if subject not in known:
            hash_ = next((hash_ for hash_, logged_subject in logged if logged_subject.startswith(subject[:60])), "")
            found.append((hash_, subject))
    if not found and logged:
        found = logged[:expected]
    return found


def _with_hashes(made: list[tuple[str, str]], run: Run) -> list[tuple[str, str]]:
    if all(hash_ for hash_, _ in made) or "git" not in run.command:
        return made
    logged = {match["subject"].strip(): match["hash"] for match in _LOGGED.finditer(run.call.output)}
    return [(hash_ or logged.get(subject, ""), subject) for hash_, subject in made]


def commit_subjects(command: str) -> tuple[str, ...]:
    """Return the subject lines that the `git commit -m` of a command line gives."""
    bare, bodies = heredocs(command)
    subjects: list[str] = []
    rest = iter(bodies)
    for match in re.finditer(
        r"\bgit\b(?:\s+-[cC]\s+\S+)*\s+commit\b(?P<rest>[^|]*?)(?=&&|;\s|\|\||\ngit\b|$)", bare, re.DOTALL
    ):
        message = _MESSAGE.search(match["rest"])
        if message is None:
            if "-F" in match["rest"] or "--file" in match["rest"]:
                subjects.extend(line for line in [_first_line(next(rest, ""))] if line)
            continue
        text = message["text"].strip("'\"")
        if text.startswith("$(cat"):
            text = next(rest, "")
        if _first_line(text):
            subjects.append(_first_line(text))
    return tuple(subjects)


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.split("\n") if line.strip()), "")


def packages(messages: tuple[Message, ...], ran: tuple[Run, ...]) -> tuple[PackageChange, ...]:
    """Return the packages that edits of manifests and successful commands changed, the last change of each."""
    last = {change.name: change for change in manifest_changes(messages)}
    for run in ran:
        if run.ok is False:
            continue
        for part in run.parts:
            if part.scratch:
                continue
            for change in package_changes(part):
                known = last.get(change.name)
                # Asking for what an edit has already moved to another version adds nothing.
                if known is None or (known.action, change.action) != ("upgrade", "add"):
                    last[change.name] = change
    return tuple(last.values())


def _urls(messages: tuple[Message, ...], ran: tuple[Run, ...]) -> Iterator[str]:
    by_call = {id(run.call): run for run in ran}
    for message in messages:
        if message.role == "user" and message.kind == "prompt":
            yield from urls_in(message.text)
        for call in message.tool_calls:
            run = by_call.get(id(call))
            if run is not None:
                yield from _urls_of_run(run)
            elif call.kind == "web":
                yield from urls_in(call.input[:_MAX_WEB_INPUT].replace("\\/", "/"))


def _urls_of_run(run: Run) -> Iterator[str]:
    """Yield the addresses a command line fetched, and those of what it opened (a pull request, a branch pushed)."""
    for part in run.parts:
        if part.program in ("curl", "wget", "git", "http"):
            yield from urls_in(part.text)
        opened = part.program in ("gh", "glab") and "create" in part.words[1:4]
        if (opened or git_verb(part) == "push") and run.ok is not False:
            for match in _TOLD_BACK.finditer(run.call.output):
                yield from urls_in(match["url"])


def urls_in(text: str) -> Iterator[str]:
    """Yield the addresses in a text that a person could open: no assets, none of this machine."""
    for match in _URL.finditer(text):
        url = match[0].rstrip(".,;:!?*_")
        if not _ASSET.search(url) and not _LOCAL.match(url) and "…" not in url:
            yield url
