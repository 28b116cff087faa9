"""Peers: profiles that offer what memd can do under the names of another memory's tools.

For people who come from that memory and whose notes, prompts and habits name its tools. The answers, the errors and the
arguments that are not renamed are memd's own; what the other memory does and memd does not, is not offered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from memd.doors.mcp.placement import Action, Profile, Terms, Tool, tools
from memd.operations.description import OperationAnswer

# TOOL or TOOL ACTION: the operation, and what of its parameters is offered: `name`, `their_name=name`, or `name:=value`
# for what is always given.
_THOTH: Final = """
mem_save: facts.remember title content=text type=kind session_id=session project topic_key=topic
mem_recall: search query project session_id=session type=category time_from=since time_to=until explain
mem_context: wakeup project
mem_get: facts.show id=fact
mem_project list: projects.list
mem_project summary: brief project
mem_project graph: relations.list node relation project
mem_project topics: facts.list topic project
mem_project health: health
mem_session checkpoint: handoff.leave project content=text
mem_session summary: sessions.summarise session_id=session content=text
mem_session list: sessions.list project
"""
_MEMVAULT: Final = """
memory_add: messages.add messages text infer reason project
memory_search: search query project
memory_get: facts.show memory_id=fact
memory_get_all: facts.list project
memory_update: facts.edit memory_id=fact text
memory_delete: facts.retract memory_id=fact reason
memory_history: facts.versions memory_id=fact
memory_relations: relations.list node relation project
memory_stats: status
memory_whoami: whoami
memory_consolidate: facts.consolidate project threshold dry_run=apply
memory_purge: facts.purge project kind before tag dry_run=apply
core_memory_get: blocks.list label project
core_memory_append: blocks.append label content=text project
core_memory_replace: blocks.replace label old_content=old new_content=new project
core_memory_delete: blocks.delete label project
"""
_AGENT_KNOWLEDGE: Final = """
knowledge list: facts.list category=kind tag project
knowledge read: facts.show id=fact
knowledge write: facts.remember title content=text category=kind tags project
knowledge delete: facts.retract id=fact
knowledge wakeup: wakeup project
knowledge_search: search query project scope explain
knowledge_session list: sessions.list project
knowledge_session get: sessions.show session_id=session include_tools=tools tail
knowledge_graph link: relations.link source target rel_type=relation strength create project
knowledge_graph unlink: relations.unlink source target rel_type=relation project
knowledge_graph invalidate: relations.invalidate source target rel_type=relation reason project
knowledge_graph list: relations.list entry=node rel_type=relation direction as_of project
knowledge_graph traverse: relations.traverse entry=start depth direction as_of project
knowledge_graph bulk_link: relations.link_many links origin project
knowledge_graph unlink_by_origin: relations.unlink origin project
knowledge_analyze consolidate: facts.consolidate project threshold dry_run=apply
knowledge_analyze reflect: relations.gaps project
knowledge_analyze god_nodes: relations.hubs project
knowledge_analyze bridges: relations.bridges project
knowledge_analyze gaps: relations.gaps project
knowledge_analyze brief: brief project
knowledge_analyze search_gaps: search.gaps project
knowledge_analyze stale_by_code_activity: facts.stale project
knowledge_admin status: status
knowledge_admin config: config.show
knowledge_admin rebuild_embeddings: index.rebuild index
knowledge_admin vacuum: database.compact
knowledge_admin promote: facts.promote project dry_run=apply
"""
_RAWTHINK: Final = """
search_thoughts: search query project compact by_session
get_session: sessions.show session_id=session tail
store_thought: facts.note content=text title tags project
reindex: index.rebuild index
search_nodes: entities.search query entity_type=kind project
open_nodes: entities.open names project as_of
read_graph: relations.list node relation as_of project
record: facts.batch facts entities relations project
record_decision: facts.remember kind:=decision title decision=decided because rejected tags project
revise: facts.revise id=fact text reason
invalidate_observations: facts.invalidate id=fact reason
create_entities: facts.batch entities project
create_relations: relations.link_many relations=links project
add_observations: facts.batch facts project
delete_observations: facts.retract id=fact reason
delete_relations: relations.unlink source relation target project
"""

PEERS: Final[Mapping[Profile, str]] = MappingProxyType(
    {"thoth": _THOTH, "memvault": _MEMVAULT, "agent_knowledge": _AGENT_KNOWLEDGE, "rawthink": _RAWTHINK}
)
"""The profiles that speak in another memory's names, by the name of that memory (as for `memd import`)."""

TITLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "mem_project": "A project as a whole.",
        "mem_session": "What was done in a session.",
        "knowledge": "Facts that hold, and keeping them.",
        "knowledge_session": "Earlier sessions of any agent.",
        "knowledge_graph": "How facts and things are linked.",
        "knowledge_analyze": "What the memory as a whole lacks, repeats or contradicts.",
        "knowledge_admin": "How memd fares, and its upkeep.",
    }
)
"""What a tool with several actions is for; one that does a single thing says what that is."""


def offered(operations: Iterable[OperationAnswer], profile: Profile) -> tuple[Tool, ...]:
    """Return the tools of any profile."""
    if profile not in PEERS:
        return tools(operations, profile)
    known = {operation.name: operation for operation in operations}
    found: dict[str, dict[str, Action]] = {}
    for line in PEERS[profile].strip().splitlines():
        called, _, meaning = line.partition(": ")
        tool, _, action = called.partition(" ")
        op, *words = meaning.split()
        if op in known:
            found.setdefault(tool, {})[action or tool] = Action(action or tool, known[op], _terms(words))
    return tuple(_tool(name, actions) for name, actions in found.items())


def _tool(name: str, actions: Mapping[str, Action]) -> Tool:
    alone = next(iter(actions.values())) if list(actions) == [name] else None
    return Tool(name, actions, alone.name if alone else None, alone.operation.summary if alone else TITLES[name])


def _terms(words: Iterable[str]) -> Terms:
    names: dict[str, str] = {}
    fixed: dict[str, object] = {}
    for word in words:
        theirs, equals, ours = word.partition("=")
        if theirs.endswith(":"):
            fixed[theirs[:-1]] = ours
        else:
            names[theirs] = ours if equals else theirs
    return Terms(names, fixed)
