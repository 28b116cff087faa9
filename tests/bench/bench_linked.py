"""What following relations costs a search: `python -m tests.bench.bench_linked [triples]` (125,000).

A graph of 40,000 entities, some of which everything is related to; questions name one, several, a hub, or nothing.
Printed is processor time: others use the machine.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from memd.recall import linking
from memd.store import edges, entities, facts
from memd.store.chosen import ChosenFacts
from memd.store.connection import connect_reader, connect_writer
from memd.store.edges import NewEdge
from memd.store.facts import NewFact
from memd.store.migrate import migrate
from tests.bench.made_up import rare, words

_ENTITIES: Final = 40_000
_FACTS: Final = 10_000
_HUBS: Final = 20
_NOW: Final = 1_790_000_000_000
_CAP_MS: Final = 20.0


def main(arguments: list[str]) -> None:
    """Make the graph, follow it from many questions, and print how long that took."""
    triples = int(arguments[0]) if arguments else 125_000
    chance = random.Random(5)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memd.db"
        migrate(path, path.parent, 0)
        names = _fill(path, triples, chance)
        conn = connect_reader(path)
        asked = {
            "one entity": [f"what uses {chance.choice(names)} now?" for _ in range(200)],
            "four of them": [" and ".join(chance.sample(names, 4)) for _ in range(200)],
            "a hub": [f"who needs {names[n % _HUBS]}?" for n in range(100)],
            "nothing": [words(chance, 8) for _ in range(200)],
        }
        print(f"{triples:,} triples, {_ENTITIES:,} entities, {path.stat().st_size / 1e6:,.0f} MB")
        for kind, questions in asked.items():
            took, cut, reached = [], 0, 0
            for question in questions:
                began = time.thread_time()
                links = linking.follow(conn, question, ChosenFacts(None, all_projects=True), cap_s=1.0)
                took.append((time.thread_time() - began) * 1000)
                cut, reached = cut + links.cut, reached + len(links.links)
            took.sort()
            p50, p95 = took[len(took) // 2], took[int(len(took) * 0.95)]
            print(
                f"{kind:14} cpu ms: p50 {p50:5.1f} p95 {p95:5.1f} most {took[-1]:5.1f}  (cap {_CAP_MS:.0f})"
                f"  facts reached: {reached / len(questions):.0f}"
            )
        conn.close()


def _fill(path: Path, triples: int, chance: random.Random) -> list[str]:
    conn = connect_writer(path)
    conn.execute("BEGIN")
    names = [f"{rare(chance)} {rare(chance)} {number}" for number in range(_ENTITIES)]
    nodes = [f"entity:{entities.make(conn, name, 'concept', None, 'distill', _NOW)}" for name in names]
    told = []
    for _ in range(_FACTS):
        title, body = words(chance, 6), words(chance, 25)
        told.append(facts.add(conn, NewFact("discovery", title, body, "bench", _NOW), _NOW).id)
    for number in range(triples):
        here = chance.randrange(_HUBS) if number % 10 == 0 else chance.randrange(_ENTITIES)
        there = chance.randrange(_ENTITIES)
        if here != there:
            new = NewEdge(nodes[here], "uses", nodes[there], "distill", fact_id=told[number % _FACTS])
            edges.keep(conn, new, _NOW)
    conn.execute("COMMIT")
    conn.close()
    return names


if __name__ == "__main__":
    main(sys.argv[1:])
