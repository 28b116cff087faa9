"""The head of a Codex rollout: which session it is, whose agent or whose fork, and where it runs."""

from __future__ import annotations

from memd_adapters.codex_reading import Place, Reading
from memd_adapters.jsonl_rows import Row
from memd_adapters.shaping import moment, text_of


def take_meta(reading: Reading, meta: Row, place: Place) -> None:
    """Learn of the session; a second head with another id begins the replay of a parent's history."""
    state = reading.state
    session = text_of(meta, "id")
    state.metas += 1
    if state.metas > 1:
        if session and session not in (state.session, state.origin):
            state.origin = state.origin or session
            reading.learn("forked_from", session)
            if "kind" not in state.known:
                reading.learn("kind", "fork")
        return
    state.session = state.session or session or ""
    state.paginated = meta.get("history_mode") == "paginated"
    _learn_lineage(reading, meta)
    learn_folder(reading, text_of(meta, "cwd"))
    if version := text_of(meta, "cli_version"):
        reading.learn("version", version)
    git = meta.get("git")
    if isinstance(git, dict) and (branch := text_of(git, "branch")) and branch != "HEAD":
        reading.learn("branch", branch)
    at = moment(meta.get("timestamp"))
    if (started := at if at is not None else place.at) is not None:
        reading.learn("started_at", started)
        state.seq = max(state.seq, started * 1000)


def _learn_lineage(reading: Reading, meta: Row) -> None:
    """Learn whose agent or whose fork the session is."""
    state = reading.state
    source = meta.get("source")
    spawned = source.get("subagent") if isinstance(source, dict) else None
    spawn = spawned.get("thread_spawn") if isinstance(spawned, dict) else None
    spawn = spawn if isinstance(spawn, dict) else {}
    if spawned is not None or meta.get("thread_source") == "subagent":
        reading.learn("kind", "subagent")
        parent = text_of(meta, "parent_thread_id") or text_of(spawn, "parent_thread_id") or text_of(meta, "session_id")
        if parent and parent != state.session:
            reading.learn("parent", parent)
        agent = text_of(spawn, "agent_role") or text_of(spawn, "agent_nickname") or text_of(meta, "agent_nickname")
        if agent := agent or (spawned if isinstance(spawned, str) else None):
            reading.learn("agent", agent)
    base = meta.get("history_base")
    base = base if isinstance(base, dict) else {}
    thread, end = text_of(base, "thread_id"), base.get("end_ordinal_exclusive")
    if thread == state.session and type(end) is int:
        state.base = f"{thread}@{end}"
    forked = text_of(meta, "forked_from_id") or (thread if thread != state.session else None)
    if forked and forked != state.session:
        reading.learn("forked_from", forked)
        if "kind" not in state.known:
            reading.learn("kind", "fork")
        if not base:
            state.origin = forked


def learn_folder(reading: Reading, cwd: str | None) -> None:
    """Learn of the folder a session is in, and of each it moves to."""
    if cwd and cwd != reading.state.cwd:
        reading.state.cwd = cwd
        reading.learn("cwd", cwd)
