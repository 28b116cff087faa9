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

# TOOL or TOOL ACTION: the operation, and what of its parameters is offered: `name`, `their_name=name`,
# `their_name=name(their_word:word,...)` where values (or the members of what is in a list) have other words, too, or
# `name:=value` for what is always given. Tools and arguments as they are in Thoth-Mem 0.4, MemVault 0.3,
# agent-knowledge 1.8 and RAWThink 0.5; an argument that is memd's alone has memd's name.
_THOTH: Final = """
mem_save: facts.remember title content=text type=kind session_id=session project scope=scope(project:project,\
personal:everywhere) topic_key=topic
mem_recall: search query project session_id=session topic_key=topic type=category time_from=since time_to=until\
 mode=compact(compact:true,context:false) debug=explain
mem_context: wakeup project
mem_get: facts.show id=fact
mem_project list: projects.list
mem_project summary: brief project
mem_project graph: relations.list node relation project
mem_project topics: facts.list project
mem_project topic: facts.list topic_key=topic project
mem_project health: health
mem_session checkpoint: handoff.leave project summary=text
mem_session summary: sessions.summarise id=session content=text
"""
_MEMVAULT: Final = """
memory_add: messages.add messages text infer prompt=reason project
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
core_memory_append: blocks.set label value value_limit=limit project
core_memory_replace: blocks.set label value value_limit=limit known:=true project
core_memory_delete: blocks.delete label project
"""
_AGENT_KNOWLEDGE: Final = """
knowledge list: facts.list category=kind(CATEGORIES) tag project
knowledge read: facts.show path=fact
knowledge write: facts.remember filename=title content=text category=kind(CATEGORIES) tags project
knowledge delete: facts.retract path=fact reason
knowledge wakeup: wakeup project
knowledge_search: search query project scope role=role(user:user,assistant:assistant) max_results=limit\
 category=category(CATEGORIES) category_mode=strict(boost:false,filter:true) explain
knowledge_session list: sessions.list project
knowledge_session get: sessions.show session_id=session include_tools=tools tail
knowledge_session summary: sessions.show session_id=session tail:=1 events:=true
knowledge_graph link: relations.link source target rel_type=relation strength valid_from=since create project
knowledge_graph unlink: relations.unlink source target rel_type=relation project
knowledge_graph invalidate: relations.invalidate source target rel_type=relation valid_to=at reason project
knowledge_graph list: relations.list entry=node rel_type=relation direction=direction(DIRECTIONS) as_of project
knowledge_graph traverse: relations.traverse entry=start depth direction=direction(DIRECTIONS) as_of project
knowledge_graph bulk_link: relations.link_many edges=links(rel_type:relation) origin project
knowledge_graph unlink_by_origin: relations.unlink origin project
knowledge_analyze consolidate: facts.consolidate project threshold dry_run=apply
knowledge_analyze reflect: relations.gaps max_entries=limit project
knowledge_analyze god_nodes: relations.hubs top_n=limit project
knowledge_analyze bridges: relations.bridges top_n=limit project
knowledge_analyze gaps: relations.gaps project
knowledge_analyze brief: brief project
knowledge_analyze search_gaps: search.gaps project
knowledge_analyze stale_by_code_activity: facts.stale project
knowledge_admin status: status
knowledge_admin config: config.show
knowledge_admin rebuild_embeddings: index.rebuild index
knowledge_admin vacuum: database.compact
knowledge_admin promote: facts.promote min_score=score min_recall_count=sessions min_unique_queries=openers\
 promote_mode=apply(apply:true,explain:false) project
""".replace("CATEGORIES", "projects:note,people:note,decisions:decision,workflows:convention,notes:note").replace(
    "DIRECTIONS", "outbound:out,inbound:in,both:both"
)
_RAWTHINK: Final = """
search_thoughts: search query mode=by_session(overview:true,full:false) project
get_session: sessions.show session_id=session tail
store_thought: facts.note text title session_id=session tags project
reindex: index.rebuild index
search_nodes: entities.search query entity_type=kind project
open_nodes: entities.open names project as_of
read_graph: relations.list node relation as_of project
record: facts.batch facts entities=entities(entityType:kind) relations=relations(RELATION) project
record_decision: facts.remember kind:=decision name=title decided because rejected touches domain epistemic\
 visibility tags project
revise: facts.revise id=fact text reason
invalidate_observations: facts.invalidate id=fact superseded_by=reason
create_entities: facts.batch entities=entities(entityType:kind) project
create_relations: relations.link_many relations=links(RELATION) project
add_observations: facts.batch facts project
delete_observations: facts.retract id=fact reason
delete_relations: relations.unlink from=source relationType=relation to=target project
""".replace("RELATION", "from:source,to:target,relationType:relation")

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
    meanings: dict[str, dict[str, object]] = {}
    for word in words:
        theirs, equals, ours = word.partition("=")
        if theirs.endswith(":"):
            fixed[theirs[:-1]] = _value(ours)
            continue
        ours, parenthesis, told = ours.partition("(")
        names[theirs] = ours if equals else theirs
        if parenthesis:
            pairs = (pair.partition(":") for pair in told.removesuffix(")").split(","))
            meanings[theirs] = {word: _value(meaning) for word, _, meaning in pairs}
    return Terms(names, fixed, meanings)


def _value(word: str) -> object:
    return int(word) if word.isdecimal() else {"true": True, "false": False}.get(word, word)
