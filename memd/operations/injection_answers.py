"""Answers on what sessions are given: the ledger, blocks, brief and handoff. Documented JSON, as in `answers`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class InjectedAnswer:
    """A fact that a session was given. `used` null: not looked for yet; `shown`: what shows the use."""

    id: str
    title: str
    score: float | None
    used: bool | None
    shown: str | None


@dataclass(frozen=True, slots=True)
class InjectionAnswer:
    """What a session was given at one time. `session` is null for one that was never captured."""

    at: str | None
    host: str
    session: str | None
    native_id: str
    project: str | None
    event: str
    reason: str
    tokens: int
    facts: tuple[InjectedAnswer, ...]
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HitRateAnswer:
    """How much was given on a kind of event; `rate` is the share of the facts looked at that were used, or null."""

    event: str
    times: int
    tokens: int
    facts: int
    judged: int
    used: int
    rate: float | None
    last: str | None


@dataclass(frozen=True, slots=True)
class InjectionsAnswer:
    """The newest lines of the ledger, and how often what was given was used."""

    entries: tuple[InjectionAnswer, ...]
    rates: tuple[HitRateAnswer, ...]


@dataclass(frozen=True, slots=True)
class BlockAnswer:
    """A block. `project` null: shown everywhere; `limit` and `size` are characters."""

    id: str
    label: str
    value: str
    project: str | None
    limit: int
    size: int
    position: int
    author: str | None
    updated: str | None


@dataclass(frozen=True, slots=True)
class HandoffAnswer:
    """A handoff that somebody left."""

    id: str
    project: str
    text: str
    author: str | None
    at: str | None


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """A text for a model or a person, with its estimated tokens. No text: there is nothing to say.

    `left` are the handoffs that stand in it, word for word, the newest first.
    """

    project: str | None
    text: str
    tokens: int
    left: tuple[HandoffAnswer, ...] = ()
