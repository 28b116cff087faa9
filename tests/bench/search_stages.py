"""What the stages of a search cost, one after the other in this process: `bench_search --stages`.

In the daemon some of them run beside each other; processor time is what they cost all the same, and what others do on
the machine hardly shows in it.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from memd.doors.protocol import encode_result
from memd.operations import finding, search
from memd.operations.search import SearchParams
from memd.recall import embedding
from memd.recall.linking import Links, follow
from memd.recall.near import Indexes, Near, NearRequest
from memd.store.connection import connect_reader
from memd.store.facts import Connection

T = TypeVar("T")


class Stages:
    """The stages of searches in one store, and what each has cost."""

    def __init__(self, database: Path, now_ms: int) -> None:
        self._database = database
        self._now_ms = now_ms
        self._conn: Connection = connect_reader(database)
        self._near: Connection = connect_reader(database)
        self._indexes: Indexes | None = None
        if embedding.missing() is None:
            self._indexes = Indexes()
            self._indexes.refresh(self._near)
        self.spent_ms: dict[str, list[float]] = defaultdict(list)

    def close(self) -> None:
        """Let go of the store."""
        self._conn.close()
        self._near.close()

    def run(self, query: str, project: str | None = None) -> None:
        """Search as the operation does, stage by stage."""
        conn, params, notes = self._conn, SearchParams(query, project=project), search._Notes()
        asked = self._timed("read", lambda: search._asked(conn, params, self._now_ms))
        words = self._timed("words", lambda: search._words(conn, asked, notes))
        facts: tuple[finding.Worded, ...] = ()
        calls: tuple[finding.Found, ...] = ()
        links, near = Links(), None
        if asked.match:
            facts = self._timed("facts", lambda: finding.facts_by_words(conn, asked))
            calls = self._timed("calls", lambda: tuple(finding.of_calls(conn, asked)))
            links = self._timed("links", lambda: follow(conn, asked.question.matter, asked.facts))
            near = self._timed("meaning", lambda: self._meant(asked))
        parts = search._Parts(facts, calls, links, words)
        answer = self._timed("answer", lambda: search._answer(conn, params, asked, parts, near, notes))
        self._timed("encode", lambda: encode_result(search._fitted(answer, params)))

    def _meant(self, asked: finding.Asked) -> Near | None:
        if self._indexes is None:
            return None
        sessions = asked.chosen.sessions(self._near)
        chosen = None if sessions is None else tuple(sessions)
        request = NearRequest(self._database, asked.question.matter, chosen, facts=asked.facts)
        return self._indexes.search(self._near, request)

    def _timed(self, name: str, run: Callable[[], T]) -> T:
        began = time.thread_time()
        found = run()
        self.spent_ms[name].append((time.thread_time() - began) * 1e3)
        return found


def show(database: Path, now_ms: int, kinds: Mapping[str, Sequence[str]], in_a_project: Sequence[str]) -> None:
    """Print for each kind of question what each stage costs: mean and the worst but one in twenty, in ms."""
    for kind, asked in (*kinds.items(), ("in a project", in_a_project)):
        stages = Stages(database, now_ms)
        project = "p3" if kind == "in a project" else None
        for query in asked[:10]:
            stages.run(query, project)
        stages.spent_ms.clear()
        for query in asked:
            stages.run(query, project)
        stages.close()
        told = (f"{name} {sum(spent) / len(asked):.1f}/{_worst(spent):.1f}" for name, spent in stages.spent_ms.items())
        print(f"stages: {kind:14} cpu ms, mean/p95: {', '.join(told)}", flush=True)


def _worst(spent: list[float]) -> float:
    return sorted(spent)[min(int(len(spent) * 0.95), len(spent) - 1)]
