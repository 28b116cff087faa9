"""Whose a Claude Code row is: its session, and what it tells of that session.

The file's name is the session's id; `sessionId` in a row may be another's (a copy in a fork, a subagent's parent).
"""

from __future__ import annotations

from typing import Final

from memd_adapters.claude_code_reading import (
    Field,
    Reading,
    agent_session,
    content_of,
    prompt_digest,
    session_update,
)
from memd_adapters.jsonl_rows import Row
from memd_adapters.shaping import text_of

_KNOWN_MAJORS: Final = ("0.", "1.", "2.")
_COPY_SLACK_MS: Final = 100


def name_agent(reading: Reading, row: Row) -> None:
    """Name the session of a file whose path does not tell it: a subagent's, up to 2.1.1."""
    state = reading.state
    state.parent = state.parent or text_of(row, "sessionId") or ""
    state.session = agent_session(reading.agent or text_of(row, "agentId") or "", state.parent)
    if state.parent:
        reading.learn("parent", state.parent)


def session_of(reading: Reading, row: Row, part: str, at: int | None) -> str:
    """Return the session a row belongs to; subagents up to 1.0.x stand among their parent's rows."""
    state = reading.state
    if reading.agent is not None or row.get("isSidechain") is not True:
        return state.session
    parent = text_of(row, "parentUuid")
    session = state.inline.get(parent or "")
    if session is None:
        is_new = parent is None or not state.inline_last
        session = _begin_inline(reading, row, part, at) if is_new else state.inline_last
    state.remember_inline(text_of(row, "uuid") or part, session)
    return session


def _begin_inline(reading: Reading, row: Row, part: str, at: int | None) -> str:
    state = reading.state
    agent = text_of(row, "agentId")
    session = agent_session(agent, state.session) if agent else f"{state.session}:{part}"
    content = content_of(row)
    if isinstance(content, str):
        digest = prompt_digest(content)
        for call in state.calls.values():
            if call.prompt == digest and not call.child:
                call.child = session
                break
    known: dict[str, Field] = {"kind": "subagent", "parent": state.session}
    for name, key in (("cwd", "cwd"), ("version", "version"), ("branch", "gitBranch")):
        if value := text_of(row, key):
            known[name] = value
    if at is not None:
        known["started_at"] = at
    reading.events.append(session_update(session, known))
    return session


def learn_session(reading: Reading, row: Row, at: int | None, copied_from: str | None) -> str | None:
    """Note what a row of the file's own session tells of it; return the session it was copied from, if it says so."""
    known = reading.state.known
    version = row.get("version")
    if version != known.get("version") and isinstance(version, str) and version:
        _learn_version(reading, version)
    branch = row.get("gitBranch")
    if branch != known.get("branch") and isinstance(branch, str) and branch not in ("", "HEAD"):
        reading.learn("branch", branch)
    is_copy = False
    if reading.agent is None:
        copied_from, is_copy = _learn_origin(reading, row, at, copied_from)
    if not is_copy:
        cwd = row.get("cwd")
        if cwd != known.get("cwd") and isinstance(cwd, str) and cwd:
            reading.learn("cwd", cwd)
            if reading.state.begun:  # where the row was written counts for the row itself
                reading.tell_session()
        if "started_at" not in known and at is not None:
            reading.learn("started_at", at)
    return copied_from


def _learn_version(reading: Reading, version: str) -> None:
    reading.learn("version", version)
    if not version.startswith(_KNOWN_MAJORS) and not reading.state.odd_version:
        reading.state.odd_version = True
        reading.skipped[f"unknown version: {version[:40]}"] += 1


def _learn_origin(reading: Reading, row: Row, at: int | None, copied_from: str | None) -> tuple[str | None, bool]:
    """Note and return whether a row is a copy, and of which session if that is said.

    A row is a copy when it says so (`forkedFrom`), when it is older than the first word of the process that wrote the
    file, or when it begins the file's tree and has another session's id (the only trace in forks of 2.0.76). Where the
    first row with another's id answers a row that is not in the file, the session continues the other one (`--continue`
    up to 1.0.x) and nothing was copied.
    """
    state = reading.state
    if row.get("sessionKind") == "bg":
        reading.learn("kind", "background")
    is_copy = copied_from is not None
    said = row.get("sessionId")
    if not is_copy and reading.stem_is_id and isinstance(said, str) and said not in ("", state.session):
        reading.learn("forked_from", said)
        if not state.begun and row.get("parentUuid") is None:
            copied_from, is_copy = said, True
    if not is_copy and state.own_at is not None and at is not None:
        is_copy = at < state.own_at - _COPY_SLACK_MS
    if is_copy and state.known.get("kind") != "background":
        reading.learn("kind", "fork")
    if copied_from:
        reading.learn("forked_from", copied_from)
    return copied_from, is_copy
