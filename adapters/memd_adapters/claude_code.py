"""Claude Code: JSONL transcripts below `projects/`, one file for each session and each subagent.

Reads what versions 1.0 to 2.1 write. Layouts below `projects/<slug>/`:

    <session>.jsonl                                     a session
    <session>/subagents/agent-<id>.jsonl                a subagent, from 2.1.2; beside it agent-<id>.meta.json
    <session>/subagents/workflows/<name>/agent-<id>.jsonl
    agent-<id>.jsonl                                    a subagent of 2.0 to 2.1.1; its rows name the parent
    <session>/chat.jsonl                                a session of early versions

The slug is made from the launch folder in a way that cannot be undone, so a session's folder comes from its rows.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Final

from memd.adapter import Batch, Cursor, HostEnv, LiveProcess, ReadLimits, Root, Source
from memd_adapters.claude_code_reading import Reading, agent_session
from memd_adapters.claude_code_rows import IGNORED_KINDS, take_line
from memd_adapters.claude_code_state import State
from memd_adapters.jsonl import read_lines
from memd_adapters.jsonl_batch import RowReader
from memd_adapters.jsonl_rows import Row, first_rows
from memd_adapters.pid_files import listed
from memd_adapters.shaping import small_json, text_of

_UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_AGENT: Final = re.compile(r"agent-([A-Za-z0-9_-]{1,80})")
_COMPACTION_AGENT: Final = "agent-acompact-"
_HEAVY_NOTES: Final = (b'{"type":"api-request',)
"""Notes that repeat system prompt, tools and messages of each request; tens of KiB each."""
_CONVERSATION: Final = ("user", "assistant", "system", "attachment", "progress")


class ClaudeCode:
    """The adapter; it holds nothing."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The host's word in memd."""
        return "claude_code"

    @property
    def title(self) -> str:
        """The product's name."""
        return "Claude Code"

    def roots(self, env: HostEnv) -> tuple[Root, ...]:
        """Return the `projects` folders of the CLI and of the desktop app, and the extra roots as they are given.

        `CLAUDE_CONFIG_DIR` is one folder to the CLI; other tools write several with commas between, which is read too.
        """
        given = [part.strip() for part in env.env.get("CLAUDE_CONFIG_DIR", "").split(",")]
        folders = [Path(unicodedata.normalize("NFC", part)) for part in given if part]
        folders = [env.home / folder.relative_to("~") if folder.parts[:1] == ("~",) else folder for folder in folders]
        xdg = env.env.get("XDG_CONFIG_HOME")
        config = Path(xdg) if xdg and Path(xdg).is_absolute() else env.home / ".config"
        folders += [env.home / ".claude", config / "claude"]
        paths = [folder / "projects" for folder in folders if folder.is_absolute()]
        if env.platform == "darwin":
            paths.append(env.home / "Library/Application Support/Claude/local-agent-mode-sessions")
        else:
            paths.append(config / "Claude/local-agent-mode-sessions")
        paths += env.extra_roots
        return tuple(Root(self.name, path) for path in dict.fromkeys(paths) if not _is_resume_copy(path))

    def classify(self, root: Root, path: Path) -> Source | None:
        """Return the session or subagent at a path; its place below `projects` decides."""
        if path.suffix != ".jsonl" or _is_resume_copy(path):
            return None
        try:
            parts = path.relative_to(root.path).parts
        except ValueError:
            return None
        certain = "projects" in parts or root.path.name == "projects"
        if "projects" in parts:
            parts = parts[parts.index("projects") + 1 :]
        elif not certain and len(parts) == 1:
            parts = (root.path.name, *parts)  # the extra root may be one project's folder
        match parts:
            case (_, file) if not file.startswith("agent-"):
                if not certain and not _UUID.fullmatch(path.stem):
                    return None
                return Source(self.name, path, session=path.stem)
            case (_, _):
                return self._agent(path, None)
            case (_, session, "chat.jsonl"):
                return Source(self.name, path, session=session)
            case (_, session, "subagents", *folders, _) if not folders or folders[0] == "workflows":
                return self._agent(path, session)
            case _:
                return None

    def _agent(self, path: Path, parent: str | None) -> Source | None:
        found = _AGENT.fullmatch(path.stem)
        if not found or path.stem.startswith(_COMPACTION_AGENT):
            return None
        return Source(self.name, path, session=agent_session(found[1], parent) if parent else None, parent=parent)

    def recognise(self, path: Path, head: bytes) -> Source | None:
        """Return a source when one of the first lines is a row of Claude Code's.

        The session's id is the file's name where that is an id, else the one that most of the first rows bear.
        """
        rows = [row for row in first_rows(head) if _is_ours(row)]
        if not rows:
            return None
        said = Counter(session for row in rows if (session := text_of(row, "sessionId")))
        session = said.most_common(1)[0][0] if said else path.stem
        agent = _AGENT.fullmatch(path.stem)
        if agent:
            parent = _parent_of(path) or (session if said else None)
            return Source(self.name, path, agent_session(agent[1], parent or ""), parent)
        return Source(self.name, path, session=path.stem if _UUID.fullmatch(path.stem) else session)

    def read(self, source: Source, cursor: Cursor | None, limits: ReadLimits) -> Batch:
        """Read on; see `memd.adapter.Adapter.read`."""
        lines = read_lines(source.path, cursor, limits, _HEAVY_NOTES)
        return Batch((), lines.cursor) if lines.unchanged else _ROWS.read(source, cursor, lines)

    def live(self, root: Root) -> tuple[LiveProcess, ...]:
        """Return what `sessions/<pid>.json` beside the root (or in it) tells; the key files there are never opened."""
        return listed(root.path)


def _reading(source: Source, state: State) -> Reading:
    found = _AGENT.fullmatch(source.path.stem)
    is_id = source.session is not None and _UUID.fullmatch(source.session) is not None
    reading = Reading(
        state,
        found[1] if found else None,
        stem_is_id=is_id and source.session in (source.path.stem, source.path.parent.name),
    )
    if source.session:
        state.session = source.session
    if source.parent:
        state.parent = source.parent
    if found:
        _learn_agent(reading, source)
    return reading


def _learn_agent(reading: Reading, source: Source) -> None:
    """Note that the session is a subagent, and what the file beside it says of the agent."""
    reading.learn("kind", "subagent")
    if source.parent:
        reading.learn("parent", source.parent)
    if "agent" not in reading.state.known:
        meta = small_json(source.path.with_suffix(".meta.json"))
        if agent := text_of(meta, "agentType"):
            reading.learn("agent", agent)
        if title := text_of(meta, "description"):
            reading.learn("title", title)
        if reading.state.begun:
            reading.tell_session()


_ROWS: Final = RowReader(
    "transcript of Claude Code", lambda source, state: _reading(source, State.load(state)), take_line
)


def _is_resume_copy(path: Path) -> bool:
    """The SDK resumes sessions in temporary configuration folders; what is there is a copy."""
    return any(part.startswith("claude-resume-") for part in path.parts)


def _parent_of(path: Path) -> str | None:
    """Return the session whose `subagents` folder a path lies in."""
    for folder in path.parents:
        if folder.name == "subagents":
            return folder.parent.name or None
    return None


def _is_ours(row: Row) -> bool:
    """Whether a row is one of the host's, seen whole or as far as its first long text."""
    kind = row.get("type")
    if kind == "summary":
        return "leafUuid" in row and "summary" in row
    if "isSidechain" in row and ("uuid" in row or "parentUuid" in row):
        return kind in _CONVERSATION or kind is None
    return isinstance(kind, str) and "sessionId" in row and kind in {*IGNORED_KINDS, "queue-operation"}


ADAPTER: Final = ClaudeCode()
