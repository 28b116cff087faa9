"""`memd export`: everything memd keeps, as JSON and Markdown that need no memd to be read.

The JSON is what the operations answer, field by field as `memd.operations.answers` documents it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec

from memd import __version__
from memd.clock import SystemClock, iso
from memd.doors.cli import reach
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.places import projects_word
from memd.doors.cli.wording import counted
from memd.errors import PathError
from memd.paths import make_private
from memd.text.home import shorten_homes
from memd_service import files

FORMAT: Final = 2
"""1 told of facts what `facts.list` answers, without their history, and not which two contradict each other."""
Ask: TypeAlias = Callable[[str, Mapping[str, object]], Any]
"""Gives the answer of an operation, as JSON says it."""

_PRIVATE: Final[Mapping[str, Any]] = {"evidence": [], "history": [], "stale": [], "session": None}
"""What others are not told of a fact."""
_DEADLINE_S: Final = 300.0
_OF_FACTS: Final = "column"
"""Origin of what facts belong to and of their topics, which a list of all relations leaves out."""
_PAGE: Final = 1000
_README: Final = """\
# memd export

Written by memd {version} at {at}.

- `memd.json`: `{{"memd_export": 2, "exported_at", "facts", "contradictions", "sessions", "entities", "relations",
  "blocks", "handoffs", "prompts"}}`. Facts with evidence, parts, status, validity and history, those that were replaced
  or taken back as well: the members of `memd facts ID --json`, with `history` (`at`, `action`, `reason`, `old_title`,
  `old_text`, `other`, `session`), `all_parts` (`[name, text]` each), `created`, `changed`, `slot`, `ruling` and
  `by_hand`.
  Contradictions name their facts by id. Sessions without their messages; relations with those that ended.
  `memd import` of this folder reads it: all but the sessions, which come from transcripts, is there again.
- `facts/`: the facts that hold, a Markdown file for each project and kind.
- `sessions/`: each session whole, as JSON: its messages with tool calls, file changes and summary.

Ids of facts are the same on every machine. Times are ISO-8601, UTC. Secrets were taken out before anything was kept.
"""


def run(invocation: Invocation) -> int:
    """Write a folder, or with `--json` one document to standard output."""
    given, terminal = invocation.given, invocation.terminal
    project = projects_word(given.project)
    document = gathered(lambda op, params: _ask(invocation, op, params), project)
    if given.shareable:
        document = shareable(document)
    if given.json:
        terminal.say(reach.json_text(document))
        return 0
    folder = Path(given.out).expanduser().absolute()
    if folder.exists() and any(folder.iterdir()):
        raise PathError(f"{folder} is not empty; name a folder that is new, with --out.")
    make_private(folder)
    # What agents were told is not to be committed by accident where the folder lies in a repository.
    _write(folder / ".gitignore", "*\n")
    _write(folder / "README.md", _README.format(version=__version__, at=document["exported_at"]))
    _write(folder / "memd.json", reach.json_text(document) + "\n")
    make_private(folder / "facts")
    for name, text in pages(document["facts"]):
        _write(folder / "facts" / name, text)
    total = len(document["sessions"])
    for number, session in enumerate(document["sessions"], 1):
        raw = reach.ask(invocation, "sessions.show", {"session": session["id"]}, deadline_s=_DEADLINE_S)
        _write(folder / "sessions" / f"{session['id']}.json", reach.pretty(raw) + "\n")
        terminal.progress("sessions", number, total)
    terminal.say(f"{counted(len(document['facts']), 'fact')} and {counted(total, 'session')} are in {folder}.")
    return 0


def gathered(ask: Ask, project: str | None) -> dict[str, Any]:
    """Return everything but the messages of sessions."""
    of: dict[str, object] = {} if project is None else {"project": project}
    roots = [one["root"] for one in ask("projects.list", {})] if project is None else [project]
    return {
        "memd_export": FORMAT,
        "memd": __version__,
        "exported_at": iso(SystemClock().now_ms()),
        "project": project,
        "facts": list(map(_fact, _all(ask, "facts.export", of))),
        "contradictions": [
            {**one, "one": one["one"]["id"], "other": one["other"]["id"]}
            for one in ask("facts.contradictions", {**of, "all": True})["contradictions"]
        ],
        "sessions": ask("sessions.list", {"project": project}),
        "entities": list(_all(ask, "entities.search", of, "entities")),
        "relations": [
            one
            for which in ({}, {"origin": _OF_FACTS})
            for one in _all(ask, "relations.list", {**of, **which, "status": "all"}, "relations")
        ],
        "blocks": _blocks(ask, roots),
        "handoffs": [one for root in roots for one in ask("handoff", {"project": root})["left"]],
        "prompts": list(_all(ask, "prompts.list", of)),
    }


def _fact(whole: Mapping[str, Any]) -> dict[str, Any]:
    """Return a fact as one row, however its answer is put together."""
    noted = {name: told for name, told in whole.items() if name not in ("fact", "parts")}
    return {**whole["fact"], **noted, "all_parts": whole["parts"]}


def _all(ask: Ask, op: str, params: Mapping[str, object], name: str | None = None) -> Iterator[Any]:
    """Give what an operation lists, page by page; `name`: under which its answer has them."""
    offset = 0
    while True:
        answer = ask(op, {**params, "limit": _PAGE, "offset": offset})
        page = answer if name is None else answer[name]
        yield from page
        offset += _PAGE
        if len(page) < _PAGE:
            return


def _blocks(ask: Ask, roots: list[str]) -> list[dict[str, Any]]:
    """Return the blocks that are shown everywhere, and those of each project."""
    found: dict[str, dict[str, Any]] = {}
    scopes: list[str | None] = [None, *roots]
    for root in scopes:
        found |= {block["id"]: block for block in ask("blocks.list", {"project": root})}
    return list(found.values())


def shareable(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return of a document what others may have: facts marked so, without the words of sessions they come from.

    Nor with their history, which may hold words from before they were marked. Folders in somebody's home are told as
    `~/...`, also those of projects.
    """
    ours = [fact for fact in document["facts"] if fact["visibility"] == "shareable"]
    ids = {fact["id"] for fact in ours}
    facts = [
        {**fact, **_PRIVATE, "superseded_by": successor if (successor := fact.get("superseded_by")) in ids else None}
        for fact in ours
    ]
    kept = {name: [] if isinstance(held, list) else held for name, held in document.items()} | {"facts": facts}
    return {name: shorten_homes(held) for name, held in kept.items()}


def pages(facts: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Give the current facts as Markdown, a page for each project and kind with its file name."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for fact in facts:
        if fact["status"] == "current":
            groups.setdefault((fact["project"] or "everywhere", fact["kind"]), []).append(fact)
    taken: dict[str, str] = {}
    for (project, kind), members in sorted(groups.items()):
        name = re.sub(r"[^\w.-]+", "-", Path(project).name) or "project"
        while taken.setdefault(name, project) != project:
            name += "-"
        yield f"{name}/{kind}.md", "\n".join(_page(project, kind, members))


def _page(project: str, kind: str, facts: list[dict[str, Any]]) -> Iterator[str]:
    yield f"# {kind}: {project}"
    for fact in facts:
        yield from ("", f"## {fact['title']}", "")
        if fact["text"] and fact["text"] != fact["title"]:
            yield from (fact["text"], "")
        yield from (f"- {name}: {text}" for name, text in fact["parts"].items())
        yield f"- since {fact['valid_from']}, confidence {fact['confidence']:.2f}, id {fact['id']}"
        if fact["tags"]:
            yield f"- tags: {', '.join(fact['tags'])}"
        yield from (f"- said {evidence['at']}: {evidence['quote']!r}" for evidence in fact["evidence"])
    yield ""


def _ask(invocation: Invocation, op: str, params: Mapping[str, object]) -> Any:
    return msgspec.json.decode(reach.ask(invocation, op, params, deadline_s=_DEADLINE_S))


def _write(path: Path, text: str) -> None:
    make_private(path.parent)
    files.write(path, text.encode("utf-8", "replace"), mode=0o600)
