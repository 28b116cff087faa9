"""How well memd's own recall finds the sessions that answer a question.

    python -m tests.eval.retrieval FILE.jsonl [--lanes lexical|minilm|multilingual|provider|flat] [--json]
        [--sample N] [--per-question OUT.jsonl]

FILE holds questions in LongMemEval's form, one a line or as one list of any size (it is read as it goes): question,
question_date, question_type, answer_session_ids, haystack_session_ids, haystack_dates, haystack_sessions (lists of
{"role", "content"}). Each question is asked of a store of its own that holds its haystack, `question_date` being now.
All questions count, those without an answer too.
`--lanes minilm` and `multilingual` add that embedding to the static one, as `search.tier` does.
`--lanes provider` asks the embedding that `MEMD_EMBED_API` and its like name; `--lanes flat` is no part of memd but the
paper's own baseline.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import resource
import sqlite3
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from memd.adapter import Batch, Cursor, MessagePart, Source
from memd.recall import embedding, question
from memd.recall.near import Indexes, Near, NearRequest
from memd.recall.recall import by_words, ranked
from memd.recall.respelling import respelled
from memd.recall.tiers import TIERS
from memd.store import vectors
from memd.store.chosen import Chosen
from memd.store.ingest import Prepared, store_batch
from memd.store.migrate import migrations
from memd.text.tokens import prepare
from tests.eval import flat
from tests.eval.provided import Provided, provided
from tests.eval.records import records
from tests.eval.tiered import Tiered

_HOST: Final = "quill"
_FORMS: Final = (
    "%Y/%m/%d (%a) %H:%M",
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%d %H:%M:%S",
    "%Y/%m/%d %H:%M",
    "%Y-%m-%d",
    "%Y/%m/%d",
)
_FOUND: Final = 200
_CACHED_CHARS: Final = 200_000_000
_CACHED_VECTORS: Final = 400_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """Where the sessions that answer a question came: places from 0, None for those not found."""

    kind: str
    places: tuple[int | None, ...]
    took_ms: float
    question_id: str

    def any_at(self, k: int) -> bool:
        return any(place is not None and place < k for place in self.places)

    def all_at(self, k: int) -> bool:
        return all(place is not None and place < k for place in self.places)

    def ndcg(self, k: int) -> float:
        gained = sum(1 / math.log2(place + 2) for place in self.places if place is not None and place < k)
        best = sum(1 / math.log2(place + 2) for place in range(min(k, len(self.places))))
        return gained / best if best else 0.0

    def reciprocal(self) -> float:
        return max((1 / (place + 1) for place in self.places if place is not None), default=0.0)


class Texts:
    """Search terms and vectors of texts, which many haystacks share; no more of them than a few hundred megabytes."""

    def __init__(self, asked: Provided | Tiered | None = None) -> None:
        self.model = embedding.MODEL if asked is None else asked.model
        self._encode = embedding.encode if asked is None else asked.encode
        self._bodies: dict[bytes, str] = {}
        self._chars = 0
        self._vectors: dict[bytes, tuple[bytes, bytes]] = {}

    def body(self, text: str) -> str:
        key = _digest(text)
        if key not in self._bodies:
            if self._chars > _CACHED_CHARS:
                self._bodies.clear()
                self._chars = 0
            self._bodies[key] = prepare(text)
            self._chars += len(self._bodies[key])
        return self._bodies[key]

    def encoded(self, texts: Sequence[str]) -> list[tuple[bytes, bytes]]:
        if len(self._vectors) > _CACHED_VECTORS:
            self._vectors.clear()
        keys = [_digest(text) for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._vectors}
        self._vectors.update(zip(new, self._encode(list(new.values())), strict=True) if new else ())
        return [self._vectors[key] for key in keys]


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def open_store() -> sqlite3.Connection:
    """Return an empty store in memory."""
    conn = sqlite3.connect(":memory:", isolation_level=None)
    for migration in migrations():
        conn.executescript(migration.sql)
    return conn


def fill(conn: sqlite3.Connection, asked: Mapping[str, Any], texts: Texts) -> None:
    """Store a question's haystack as capture would."""
    haystack = zip(asked["haystack_session_ids"], asked["haystack_dates"], asked["haystack_sessions"], strict=True)
    conn.execute("BEGIN")
    for number, (name, told, turns) in enumerate(haystack):
        session, at = f"{number}:{name}", when(told)
        parts = tuple(
            MessagePart(
                session=session, message=f"{session}/{seq}", part=f"{session}/{seq}", seq=seq,
                role="user" if turn["role"] == "user" else "assistant",
                kind="prompt" if turn["role"] == "user" else "reply", at=at + seq, text=turn["content"],
            )
            for seq, turn in enumerate(turns)
        )  # fmt: skip
        bodies = tuple(texts.body(part.text) for part in parts)
        store_batch(
            conn, Source(_HOST, Path(f"/{number}"), session), Prepared(Batch(parts, Cursor(offset=1)), bodies), at
        )
    conn.execute("COMMIT")


def embed(conn: sqlite3.Connection, texts: Texts) -> None:
    """Give the store's messages their vectors, as the daemon's embedding does."""
    conn.execute("BEGIN")
    while (step := vectors.next_step(conn, texts.model, 5_000)) is not None:
        codes = texts.encoded([due.text for due in step.due])
        found = [vectors.Vector(due, signs, code) for due, (signs, code) in zip(step.due, codes, strict=True)]
        vectors.add(conn, texts.model, step, found)
    conn.execute("COMMIT")


@dataclass(frozen=True, slots=True)
class Second:
    """A second embedding beside the static one: what asks it, and what it made of the store."""

    by: Tiered
    index: Indexes


def ask(
    conn: sqlite3.Connection,
    asked: Mapping[str, Any],
    index: Indexes | None,
    by: Provided | None = None,
    second: Second | None = None,
) -> Outcome:
    """Ask the question and return where the sessions that answer it came."""
    began = time.perf_counter()
    read = question.read(asked["question"], when(asked["question_date"]), UTC)
    near: Near | None = None
    if index is not None:
        near = index.search(conn, NearRequest(Path(), read.matter, asked=None if by is None else by.asked(read.matter)))
    if near is not None and second is not None:
        request = NearRequest(Path(), read.matter, asked=second.by.asked(read.matter))
        near = near.with_tier(second.index.search(conn, request))
    words = by_words(conn, read, Chosen())
    others = respelled(conn, read, words.lacking)
    if others is not None:
        read, words = others.question, by_words(conn, others.question, Chosen())
    found = ranked(conn, read, words, Chosen(), _FOUND, near=near)
    took_ms = (time.perf_counter() - began) * 1000
    names = dict(conn.execute("SELECT id, native_id FROM sessions"))
    order = list(dict.fromkeys(names[hit.session].partition(":")[2] for hit in found.messages))
    return _outcome(asked, order, took_ms)


def flatly(asked_all: Iterable[dict[str, Any]]) -> Iterator[Outcome]:
    """Ask questions of the paper's baseline."""
    for asked in asked_all:
        began = time.perf_counter()
        order = flat.order(asked)
        yield _outcome(asked, order, (time.perf_counter() - began) * 1000)


def _outcome(asked: Mapping[str, Any], order: Sequence[str], took_ms: float) -> Outcome:
    places = {name: place for place, name in enumerate(order)}
    wanted = dict.fromkeys(asked["answer_session_ids"])
    return Outcome(
        asked.get("question_type", ""), tuple(places.get(name) for name in wanted), took_ms,
        str(asked.get("question_id", "")),
    )  # fmt: skip


def when(told: str) -> int:
    """Return a date of the data as UTC milliseconds."""
    for form in _FORMS:
        try:
            return int(datetime.strptime(told, form).replace(tzinfo=UTC).timestamp() * 1000)
        except ValueError:
            continue
    return int(datetime.fromisoformat(told).astimezone(UTC).timestamp() * 1000)


def questions(path: Path, sample: int | None) -> Iterator[dict[str, Any]]:
    """Give the questions of a file, or so many of them, always the same ones."""
    chosen: set[int] | None = None
    if sample is not None:
        size = sum(1 for _ in records(path))
        chosen = set(random.Random(0).sample(range(size), min(sample, size)))
    for number, asked in enumerate(records(path)):
        if chosen is None or number in chosen:
            yield asked


def run(
    asked_all: Iterable[dict[str, Any]], *, semantic: bool, by: Provided | None = None, tier: Tiered | None = None
) -> Iterator[Outcome]:
    """Ask questions, each of a store with its haystack; `by` is the embedding that stands for the static one, `tier`
    the one beside it.
    """
    texts, more = Texts(by), None if tier is None else Texts(tier)
    conn, index, second, held = open_store(), None, None, None
    for asked in asked_all:
        haystack = (asked["haystack_session_ids"], asked["haystack_dates"])
        if haystack != held:
            conn.close()
            conn, index, held = open_store(), None, haystack
            fill(conn, asked, texts)
            if semantic:
                index = _indexed(conn, texts)
            if tier is not None and more is not None:
                second = Second(tier, _indexed(conn, more))
        yield ask(conn, asked, index, by, second)
    conn.close()


def _indexed(conn: sqlite3.Connection, texts: Texts) -> Indexes:
    embed(conn, texts)
    index = Indexes(texts.model)
    index.refresh(conn)
    return index


def measures(outcomes: Sequence[Outcome]) -> dict[str, float | int]:
    """Return the measures of a set of outcomes, in per cent and milliseconds."""

    def share(values: Iterator[float]) -> float:
        return round(100 * statistics.fmean(values), 2) if outcomes else 0.0

    took = sorted(one.took_ms for one in outcomes) or [0.0]
    return {
        "n": len(outcomes),
        **{f"R@{k}": share(float(one.any_at(k)) for one in outcomes) for k in (1, 5, 10)},
        "all@5": share(float(one.all_at(5)) for one in outcomes),
        "NDCG@10": share(one.ndcg(10) for one in outcomes),
        "MRR": share(one.reciprocal() for one in outcomes),
        "p50_ms": round(took[len(took) // 2], 2),
        "p95_ms": round(took[int(len(took) * 0.95)], 2),
    }


def table(outcomes: Sequence[Outcome]) -> list[str]:
    """Return the measures by type of question and in all, as lines."""
    by_kind: dict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        by_kind[one.kind].append(one)
    rows = [(kind, measures(some)) for kind, some in sorted(by_kind.items())] + [("all", measures(outcomes))]
    names = list(rows[-1][1])
    return [f"{'':28}" + "".join(f"{name:>9}" for name in names)] + [
        f"{kind:28}" + "".join(f"{value:>9}" for value in found.values()) for kind, found in rows
    ]


def main(arguments: Sequence[str]) -> int:
    """Measure a file; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.eval.retrieval", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--lanes", choices=("default", "lexical", *TIERS, "provider", "flat"), default="default")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--per-question", type=Path)
    given = parser.parse_args(arguments)
    if not given.file.is_file():
        print(f"{given.file} is not there.", file=sys.stderr)
        return 2
    absent = embedding.missing()
    tier = TIERS.get(given.lanes)
    if tier is not None and (absent or tier.missing):
        print(f"{given.lanes} cannot be asked: {absent or tier.missing}.", file=sys.stderr)
        return 2
    if absent and given.lanes == "default":
        print(f"Without the semantic lane: {absent}.", file=sys.stderr)
    by = provided() if given.lanes == "provider" else None
    if by is None and given.lanes == "provider":
        print("MEMD_EMBED_API names no embedding.", file=sys.stderr)
        return 2
    semantic = by is not None or tier is not None or (given.lanes == "default" and not absent)
    asked = questions(given.file, given.sample)
    beside = None if tier is None else Tiered(tier)
    outcomes = list(flatly(asked) if given.lanes == "flat" else run(asked, semantic=semantic, by=by, tier=beside))
    if given.per_question:
        lines = (
            json.dumps({"question_id": one.question_id, "type": one.kind, "places": one.places}) for one in outcomes
        )
        given.per_question.write_text("\n".join(lines) + "\n", "utf-8")
    if given.json:
        print(json.dumps(measures(outcomes)))
    else:
        print("\n".join(table(outcomes)))
        # Kilobytes on Linux, bytes on macOS.
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
        print(f"{len(outcomes)} questions, at most {peak:.0f} MB of memory")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
