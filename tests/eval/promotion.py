"""Promotion replayed: `python -m tests.eval.promotion DATABASE --at DATE [--json] [--snapshot FILE] [--against FILE]`.

Facts are weighed as they would have been at a time, by the product's own signals and gates, and compared with what came
of them later: a fact has proved itself when a later session says or uses it, or a person found it helpful, and it still
holds. Told are precision, recall and F1 of what would have been promoted, the same without each of the signals, and
what differs from a snapshot of an earlier run. `--labels FILE` has a JSON object of fact ids and true or false instead
of what came later. All of it is done on a copy: nothing is written to the database, not even beside it.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from memd.distill.promotion import WEIGHTS, Evidenced, Thresholds, distinct_openers, score, signals
from memd.text.tokens import terms

_DAY_MS: Final = 86_400_000
_SHARED_TERMS: Final = 2
_FACTS: Final = """
    SELECT f.id, f.uid, f.body, f.title FROM facts f
    WHERE f.origin = 'distill' AND EXISTS (SELECT 1 FROM evidence e WHERE e.fact_id = f.id AND e.at <= ?1)
    ORDER BY f.id
"""
_BEHIND: Final = "SELECT session_id, at FROM evidence WHERE fact_id = ?1 AND at <= ?2 AND session_id IS NOT NULL"
_PROMPTS: Final = """
    SELECT text FROM messages WHERE session_id = ?1 AND role = 'user' AND kind = 'prompt' AND NOT abandoned
        AND (at IS NULL OR at <= ?2) ORDER BY seq LIMIT 200
"""
_PROVED: Final = """
    SELECT f.status = 'current' AND (f.last_used_at > ?2 OR f.helpful > f.unhelpful
        OR EXISTS (SELECT 1 FROM evidence e WHERE e.fact_id = f.id AND e.at > ?2))
    FROM facts f WHERE f.id = ?1
"""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A fact as it would have been weighed, and whether it proved itself."""

    fact: str
    found: Evidenced
    proved: bool


@dataclass(frozen=True, slots=True)
class Figures:
    """What promotion would have come to. Rates are 0 to 1."""

    facts: int
    promoted: int
    proved: int
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class Replay:
    """The figures, the same without each signal, and which facts (ids) would have been promoted."""

    figures: Figures
    without: dict[str, Figures]
    promoted: tuple[str, ...]


@contextmanager
def copied(database: Path) -> Iterator[sqlite3.Connection]:
    """Give a copy of a database; the database itself is opened for reading alone."""
    with tempfile.TemporaryDirectory(prefix="memd-replay-") as folder:
        # Where nobody writes there is no log beside it, and even a reader would leave an empty one.
        alone = "" if database.with_name(f"{database.name}-wal").exists() else "&immutable=1"
        with closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro{alone}", uri=True)) as live:
            copy = sqlite3.connect(Path(folder) / "memd.db")
            live.backup(copy)
        with closing(copy):
            yield copy


def weighed(conn: sqlite3.Connection, at_ms: int, labels: Mapping[str, bool] | None = None) -> tuple[Weighed, ...]:
    """Return every distilled fact that was known at a time with what spoke for it then.

    With labels only those that have one, and what the label says.
    """
    found = []
    for fact, uid, body, title in conn.execute(_FACTS, (at_ms,)).fetchall():
        if labels is not None and uid not in labels:
            continue
        proved = labels[uid] if labels is not None else bool(conn.execute(_PROVED, (fact, at_ms)).fetchone()[0])
        found.append(Weighed(uid, _evidenced(conn, fact, f"{title}\n{body}", body, at_ms), proved))
    return tuple(found)


def _evidenced(conn: sqlite3.Connection, fact: int, words: str, body: str, at_ms: int) -> Evidenced:
    behind = conn.execute(_BEHIND, (fact, at_ms)).fetchall()
    own = frozenset(terms(words))
    prompts = {
        session: [text for (text,) in conn.execute(_PROMPTS, (session, at_ms))]
        for session in sorted({session for session, _ in behind})
    }
    asked = [prompt for every in prompts.values() for prompt in every]
    return Evidenced(
        sessions=len(prompts),
        topics=sum(len(own & frozenset(terms(prompt))) >= _SHARED_TERMS for prompt in asked),
        prompts=len(asked),
        openers=tuple(every[0] for every in prompts.values() if every),
        last_days=max(at_ms - max((at for _, at in behind), default=at_ms), 0) / _DAY_MS,
        items=len(behind),
        text=body,
    )


def replay(every: Sequence[Weighed], thresholds: Thresholds) -> Replay:
    """Return what promotion by these thresholds would have come to, and what each signal is worth to it."""
    return Replay(
        figures(every, thresholds),
        {name: figures(every, thresholds, without=name) for name in WEIGHTS},
        tuple(one.fact for one in every if _passes(one.found, thresholds)),
    )


def figures(every: Sequence[Weighed], thresholds: Thresholds, *, without: str | None = None) -> Figures:
    """Return the figures; `without` a signal its weight is spread over the others."""
    promoted = [one for one in every if _passes(one.found, thresholds, without)]
    right, proved = sum(one.proved for one in promoted), sum(one.proved for one in every)
    precision = right / len(promoted) if promoted else 0.0
    recall = right / proved if proved else 0.0
    both = precision + recall
    return Figures(len(every), len(promoted), proved, precision, recall, 2 * precision * recall / both if both else 0.0)


def _passes(found: Evidenced, thresholds: Thresholds, without: str | None = None) -> bool:
    told = signals(found)
    reached = score(told)
    if without is not None:
        reached = (reached - WEIGHTS[without] * told[without]) / (1 - WEIGHTS[without])
    return (
        round(reached, 6) >= thresholds.score
        and found.sessions >= thresholds.sessions
        and len(distinct_openers(found.openers)) >= thresholds.openers
    )


def table(found: Replay) -> list[str]:
    """Return a replay as a Markdown table."""
    rows = [("all signals", found.figures), *((f"without {name}", one) for name, one in found.without.items())]
    return [
        "| | promoted | precision | recall | F1 |",
        "|---|---|---|---|---|",
        *(f"| {name} | {one.promoted} | {one.precision:.2f} | {one.recall:.2f} | {one.f1:.2f} |" for name, one in rows),
    ]


def main() -> None:
    """Replay and print."""
    usual = Thresholds()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database", type=Path)
    parser.add_argument("--at", required=True, help="weigh as of this day, such as 2026-10-01")
    parser.add_argument("--score", type=float, default=usual.score)
    parser.add_argument("--sessions", type=int, default=usual.sessions)
    parser.add_argument("--openers", type=int, default=usual.openers)
    parser.add_argument("--labels", type=Path)
    parser.add_argument("--snapshot", type=Path, help="write what would have been promoted to this file")
    parser.add_argument("--against", type=Path, help="tell what differs from that file")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    at_ms = int(datetime.fromisoformat(chosen.at).replace(tzinfo=UTC).timestamp() * 1000)
    labels = None if chosen.labels is None else json.loads(chosen.labels.read_text("utf-8"))
    with copied(chosen.database) as conn:
        found = replay(weighed(conn, at_ms, labels), Thresholds(chosen.score, chosen.sessions, chosen.openers))
    if chosen.snapshot:
        chosen.snapshot.write_text(json.dumps(asdict(found), indent=1), "utf-8")
    print(json.dumps(asdict(found)) if chosen.json else "\n".join(table(found)))
    if chosen.against:
        before = frozenset(json.loads(chosen.against.read_text("utf-8"))["promoted"])
        print(f"promoted now and not then: {sorted(frozenset(found.promoted) - before)}")
        print(f"promoted then and not now: {sorted(before - frozenset(found.promoted))}")


if __name__ == "__main__":
    main()
