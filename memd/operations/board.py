"""The board: the daemon's recurring jobs as operations see them. The schedule puts them up and looks at it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from memd.errors import BadParameter
from memd.store import meta
from memd.store.facts import Connection

PAUSED_KEY: Final = "jobs.paused"


@dataclass(slots=True)
class Post:
    """A recurring job: how often it comes (seconds), when next (UTC, ms; None: not), and what can be done to it.

    `start` has it run soon; `hold` keeps it from taking on anything (True) or lets it go on (False); what it has in
    hand when it is held it lets go of, in a state in which it goes on later.
    """

    name: str
    every_s: float
    next_ms: Callable[[], int | None]
    start: Callable[[], None]
    hold: Callable[[bool], None]
    waiting: Callable[[Connection], int] | None = None
    """How many things wait for it, where that can be told."""
    running: bool = False
    paused: bool = False


class Board:
    """The jobs there are, by name."""

    def __init__(self) -> None:
        self.posts: dict[str, Post] = {}

    def find(self, name: str, operation: str) -> Post:
        """Return the job of a name; raises BadParameter that lists what there is."""
        post = self.posts.get(name)
        if post is None:
            near = get_close_matches(name, self.posts, 1)
            meant = f"; did you mean {near[0]!r}?" if near else f" (there are: {', '.join(self.posts)})"
            raise BadParameter(operation, f"there is no job {name!r}{meant}")
        return post

    def chosen(self, name: str | None, operation: str) -> tuple[Post, ...]:
        """Return the job of a name, all jobs without one; raises BadParameter."""
        return tuple(self.posts.values()) if name is None else (self.find(name, operation),)

    def paused(self) -> tuple[str, ...]:
        """Return the names of those that are paused."""
        return tuple(name for name, post in self.posts.items() if post.paused)

    def keep(self, conn: Connection) -> None:
        """Write down which are paused, so that they are after a restart."""
        paused = self.paused()
        meta.put(conn, PAUSED_KEY, json.dumps(paused) if paused else None)


def kept(conn: Connection) -> frozenset[str]:
    """Return the names of the jobs that were paused when somebody changed that last."""
    return frozenset(json.loads(meta.get(conn, PAUSED_KEY) or "[]"))
