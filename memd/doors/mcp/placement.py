"""Placement: which tool and action an operation is reached by, as a table.

An operation that exists is offered and one that does not yet is not: what is not named here goes by the first word of
its name. Only what is in `HIDDEN` agents are not offered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from memd.operations.description import OperationAnswer

Profile: TypeAlias = Literal["recall", "record", "full", "thoth", "memvault", "agent_knowledge", "rawthink"]

PROFILES: Final[tuple[Profile, ...]] = ("recall", "record", "full")
"""Those in memd's own words; the others are in `peers.py`."""

TITLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "search": "Find what earlier sessions taught: facts (decisions with reasons, preferences, fixes) and messages.",
        "session": "Earlier sessions of any agent, and what one is given at its start.",
        "remember": "Keep, correct or take back facts. Evidence and history are kept.",
        "graph": "How facts, things and code are linked.",
        "analyze": "What the memory as a whole lacks, repeats or contradicts.",
        "admin": "How memd fares, and its upkeep.",
    }
)
"""The tools, in their order, with what each is for."""

OFFERED: Final[Mapping[Profile, tuple[str, ...]]] = MappingProxyType(
    {"recall": ("search", "session"), "record": ("search", "session", "remember"), "full": tuple(TITLES)}
)

CHOSEN: Final[Mapping[Profile, frozenset[str]]] = MappingProxyType(
    {
        "recall": frozenset({"search", "facts.show", "facts.list", "sessions.list", "sessions.show", "wakeup"}),
        "record": frozenset(
            {
                *("search", "facts.show", "facts.list", "sessions.list", "sessions.show", "wakeup", "whoami"),
                *("facts.remember", "facts.batch", "facts.revise", "facts.invalidate", "facts.verify", "facts.rate"),
            }
        ),
    }
)
"""The operations of the smaller profiles; the full one has all."""

HIDDEN: Final = frozenset({"stop", "operations.list", "resources.list", "facts.export", "words.forget"})
"""What an agent has no business with."""

_NAMED: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "search": ("search", "find"),
        "facts.show": ("search", "fact"),
        "facts.list": ("search", "facts"),
        "sessions.list": ("session", "list"),
        "sessions.show": ("session", "show"),
        "handoff.leave": ("session", "leave"),
        "messages.forget": ("session", "forget_message"),
        "facts.remember": ("remember", "save"),
        **{f"facts.{name}": ("analyze", name) for name in ("contradictions", "stale", "unused", "resolve")},
        **{f"facts.{name}": ("analyze", name) for name in ("consolidate", "promote")},
        **{f"facts.{name}": ("admin", f"facts_{name}") for name in ("purge", "clear", "rejudge")},
        **{f"relations.{name}": ("analyze", name) for name in ("hubs", "bridges", "groups")},
        "relations.gaps": ("analyze", "gaps"),
        "search.gaps": ("analyze", "search_gaps"),
    }
)
_BY_DOMAIN: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(("sessions", "session", "timeline", "handoff", "brief", "wakeup", "whoami"), "session"),
        **dict.fromkeys(("injections", "projects"), "session"),
        **dict.fromkeys(("notes", "messages", "prompts", "blocks"), "remember"),
        **dict.fromkeys(("graph", "relations", "edges", "entities", "code", "codegraph"), "graph"),
        **dict.fromkeys(("analyze", "analysis"), "analyze"),
    }
)
# Domains that go without saying, and words that say nothing more than their domain.
_BARE: Final = frozenset({"relations", "sessions", *TITLES})
_PLAIN: Final = frozenset({"show", "list", "now"})
# The action that is meant when none is named.
_USUAL: Final[Mapping[str, str]] = MappingProxyType({"search": "find", "session": "list", "remember": "save"})


@dataclass(frozen=True, slots=True)
class Terms:
    """Other words for an operation's parameters, which are all that is offered of them: `names` by the other word.

    `fixed` are parameters that are always given, with their values. `meanings` tells, by the other word for a
    parameter, what its values are called there, or the members of what is in its list.
    """

    names: Mapping[str, str]
    fixed: Mapping[str, object]
    meanings: Mapping[str, Mapping[str, object]] = field(default_factory=dict)

    def values(self, word: str) -> tuple[str, ...]:
        """Return what may be given for a parameter by this word, where that has words of its own."""
        return tuple(self.meanings.get(word, ()))

    def value(self, word: str, given: object) -> object:
        """Return what was given for a parameter by its other word, as the operation takes it."""
        meaning = self.meanings.get(word, {})
        if isinstance(given, list):
            return [
                {str(meaning.get(name, name)): one for name, one in item.items()} if isinstance(item, dict) else item
                for item in given
            ]
        return meaning.get(given, given) if isinstance(given, str) else given


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a tool does: the operation that does it, and what its parameters are called where not as there."""

    name: str
    operation: OperationAnswer
    terms: Terms | None = None

    @property
    def own(self) -> Mapping[str, Mapping[str, object]]:
        """The operation's parameters in its own words, as JSON Schema properties, offered or not."""
        found = self.operation.parameters["properties"]
        assert isinstance(found, dict)
        return found

    @property
    def parameters(self) -> Mapping[str, Mapping[str, object]]:
        """Its parameters, as JSON Schema properties."""
        found, terms = self.own, self.terms
        if terms is None:
            return found
        offered = {word: found[name] for word, name in terms.names.items()}
        for word, told in offered.items():
            if terms.values(word) and told.get("type") != "array":
                offered[word] = {"type": "string", "enum": terms.values(word), "description": told.get("description")}
        return offered

    @property
    def required(self) -> tuple[str, ...]:
        """The parameters that must be given."""
        found = self.operation.parameters["required"]
        assert isinstance(found, (list, tuple))
        if self.terms is None:
            return tuple(found)
        return tuple(word for word, name in self.terms.names.items() if name in found)

    def meant(self, given: Mapping[str, object]) -> dict[str, object]:
        """Return what was given in the operation's own words."""
        if self.terms is None:
            return dict(given)
        told = {
            name: not given[word] if (word, name) == ("dry_run", "apply") else self.terms.value(word, given[word])
            for word, name in self.terms.names.items()
            if word in given
        }
        extra = {name: value for name, value in given.items() if name not in self.terms.names}
        return {**extra, **told, **self.terms.fixed}


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as a profile has it."""

    name: str
    actions: Mapping[str, Action]
    usual: str | None = None
    """The action that is meant when none is named."""
    title: str = field(default="")


def tools(operations: Iterable[OperationAnswer], profile: Profile) -> tuple[Tool, ...]:
    """Return the tools of a profile, with those actions that it may have.

    `recall` only reads; what destroys is in `full` alone. What an operation that reads writes, it writes for itself
    (how often a fact was looked at).
    """
    placed: dict[str, dict[str, Action]] = {name: {} for name in OFFERED[profile]}
    for operation in operations:
        where = place(operation)
        if where is None or where[0] not in placed or not _allowed(operation, profile):
            continue
        tool, action = where
        if action in placed[tool]:
            action = operation.name.replace(".", "_")
        placed[tool][action] = Action(action, operation)
    return tuple(_tool(name, actions) for name, actions in placed.items() if actions)


def place(operation: OperationAnswer) -> tuple[str, str] | None:
    """Return the tool and the action for an operation, None for one that agents are not offered."""
    if operation.name in HIDDEN:
        return None
    named = _NAMED.get(operation.name)
    if named is not None:
        return named
    domain, _, action = operation.name.partition(".")
    if domain == "facts":
        return ("search" if operation.reads else "remember"), action
    tool = _BY_DOMAIN.get(domain, "admin")
    if tool == "remember" and operation.reads:
        tool = "session"
    if not action or action in _PLAIN:
        return tool, domain
    return tool, (action if domain in _BARE else f"{domain}_{action}").replace(".", "_")


def _tool(name: str, actions: Mapping[str, Action]) -> Tool:
    usual = _USUAL.get(name)
    return Tool(name, actions, usual if usual in actions else None, TITLES[name])


def _allowed(operation: OperationAnswer, profile: Profile) -> bool:
    return profile == "full" or operation.name in CHOSEN[profile]
