"""A house that was lived in: a home folder with the stories' transcripts, read and distilled by a real daemon."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from memd.recall import embedding
from memd.store.connection import connect_reader
from memd.store.facts import Connection
from tests.eval.coding_memory import hosts
from tests.eval.coding_memory.story import Story, read_all
from tests.integration.daemon.conftest import temporary_home
from tests.integration.daemon.daemon_under_test import Home, running, settled, wait_until

_PATIENCE_S: Final = 150.0
_WITHOUT_VECTORS: Final = """
    SELECT (SELECT count(*) FROM messages WHERE id > ifnull((SELECT max(reached) FROM vector_models), 0))
        + (SELECT count(*) FROM facts WHERE id NOT IN (SELECT fact_id FROM fact_vectors))
"""


@dataclass(frozen=True, slots=True)
class House:
    """The home of a running daemon that has read everything, the work tree of each project, and the stories."""

    home: Home
    trees: dict[str, Path]
    stories: tuple[Story, ...]

    def topics(self) -> dict[int, frozenset[str]]:
        """Return, by the row id of a fact, the topics that its evidence was said about, as `project/topic`."""
        with closing(connect_reader(self.home.paths.database)) as conn:
            return topics_of(conn, self.stories)

    def is_about(self, topic: str, text: str) -> bool:
        """Return whether words of an earlier session were said about a topic."""
        begun = _plain(text).rstrip("…")[:80]
        return any(begun in said for name, said in _said(self.stories) if name == topic)

    def given(self, session: str) -> tuple[int, ...]:
        """Return the row ids of the facts that a session was given, each as often as it was."""
        rows = self.home.query(
            "SELECT f.fact_id FROM injections i JOIN injected_facts f ON f.injection_id = i.id WHERE i.native_id = ?"
            " ORDER BY i.id, f.fact_id",
            session,
        )
        return tuple(fact for (fact,) in rows)

    def facts(self) -> dict[int, str]:
        """Return the words of each fact by row id."""
        rows: list[tuple[Any, ...]] = self.home.query(
            "SELECT f.id, f.title || char(10) || f.body || char(10) || ifnull("
            " (SELECT group_concat(p.text, char(10)) FROM fact_parts p WHERE p.fact_id = f.id), '') FROM facts f"
        )
        return {fact: str(text) for fact, text in rows}


def _said(stories: tuple[Story, ...]) -> list[tuple[str, str]]:
    """Return each topic, as `project/topic`, with all that was said about it in one exchange."""
    return [
        (f"{story.name}/{exchange.topic}", _plain("\n".join(step.text for step in exchange.steps)))
        for story in stories
        for session in story.sessions
        for exchange in session.exchanges
    ]


def topics_of(conn: Connection, stories: tuple[Story, ...]) -> dict[int, frozenset[str]]:
    """Return, by the row id of a fact, the topics that its evidence was said about, as `project/topic`."""
    said = _said(stories)
    found: dict[int, set[str]] = {}
    for fact, quote in conn.execute("SELECT fact_id, quote FROM evidence"):
        found.setdefault(fact, set()).update(topic for topic, text in said if _plain(quote) in text)
    return {fact: frozenset(topics) for fact, topics in found.items()}


@contextmanager
def lived_in(stories: tuple[Story, ...] | None = None) -> Iterator[House]:
    """Write the stories' transcripts into a new home, let a daemon read and distill them, and leave it running."""
    told = read_all() if stories is None else stories
    with temporary_home() as home:
        (home.folder / ".aider").mkdir()
        trees = hosts.write(home.folder, told)
        wanted = sum(len(story.sessions) for story in told)
        with running(home):
            wait_until(lambda: settled(home) and _sessions(home) >= wanted, "the distilled sessions", _PATIENCE_S)
            if embedding.missing() is None:
                wait_until(lambda: home.query(_WITHOUT_VECTORS) == [(0,)], "the vectors", _PATIENCE_S)
                wait_until(
                    lambda: "semantic" not in home.call("search", query="tide")["notes"], "the lane", _PATIENCE_S
                )
            yield House(home, trees, told)


def _sessions(home: Home) -> int:
    return int(home.query("SELECT count(*) FROM sessions WHERE messages > 0")[0][0])


def _plain(text: str) -> str:
    return " ".join(text.replace("`", "").replace("*", "").split()).casefold()
