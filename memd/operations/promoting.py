"""Promoting: facts are weighed, what passes is promoted, and every run is written into the diary."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Final

import orjson
from anyio import to_thread

from memd.distill import decay
from memd.distill.promotion import Evidenced, Thresholds, gates, score, signals
from memd.model import Fact
from memd.operations.fact_answers import GateAnswer, PromoteAnswer, PromotionAnswer
from memd.operations.memory import Memory
from memd.operations.pieces import write_in_pieces
from memd.operations.scope import project_id
from memd.operations.telling import told
from memd.store import diary, fact_marks, facts
from memd.store.facts import Connection, FactFilter
from memd.store.uid import uuid7
from memd.text.tokens import terms

__all__ = ["Thresholds"]

_ALL: Final = -1
_DAY_MS: Final = 86_400_000
_SHARED_TERMS: Final = 2


async def run(memory: Memory, project: str | None, thresholds: Thresholds, *, apply: bool) -> PromoteAnswer:
    """Weigh the facts of a project (None: of all) and promote what passes when told to."""
    now = memory.clock.now_ms()
    run_id = uuid7(now)

    def weigh(conn: Connection) -> tuple[tuple[Fact, Evidenced], ...]:
        scope = project_id(conn, project)
        chosen = FactFilter(project_id=scope, everywhere=scope is None)
        found = facts.list_facts(conn, chosen, _ALL)
        weighed = ((fact, _evidenced(conn, fact, now)) for fact in found if fact.origin == "distill")
        return tuple((fact, evidenced) for fact, evidenced in weighed if evidenced is not None)

    weighed = await memory.readers.run(weigh)

    def write(conn: Connection, some: Sequence[tuple[Fact, Evidenced]]) -> tuple[PromotionAnswer, ...]:
        told_of = tuple(_weighed(conn, fact, evidenced, thresholds, now, apply=apply) for fact, evidenced in some)
        for (fact, _), answer in zip(some, told_of, strict=True):
            detail = orjson.dumps({"signals": answer.signals, "gates": answer.gates, "outcome": answer.outcome})
            entry = diary.Entry(run_id, now, fact.uid, apply, answer.passed, detail.decode())
            diary.add(conn, fact.project.id if fact.project else None, entry)
        return told_of

    answers = chain.from_iterable(await write_in_pieces(memory.writer, weighed, write))
    ordered = tuple(sorted(answers, key=lambda one: (not one.passed, -one.score, one.fact.id)))
    promoted = sum(1 for one in ordered if one.passed) if apply else 0
    path = await to_thread.run_sync(_append, memory.paths.data_dir / "diary", now, run_id, ordered, apply)
    return PromoteAnswer(apply, run_id, ordered, promoted, str(path))


def _evidenced(conn: Connection, fact: Fact, now_ms: int) -> Evidenced | None:
    """What speaks for a fact; None when no transcript that says it is left."""
    behind = diary.sessions_behind(conn, fact.id)
    if not behind:
        return None
    prompts = {session: diary.prompts_of(conn, session) for session in behind}
    own = frozenset(terms(f"{fact.title}\n{fact.body}"))
    asked = [prompt for all_of in prompts.values() for prompt in all_of]
    topics = sum(1 for prompt in asked if len(own & frozenset(terms(prompt))) >= _SHARED_TERMS)
    items, last = diary.items(conn, fact.id, orjson.dumps(behind).decode())
    return Evidenced(
        sessions=len(behind),
        topics=topics,
        prompts=len(asked),
        openers=tuple(all_of[0] for all_of in prompts.values() if all_of),
        last_days=max(now_ms - (fact.valid_from if last is None else last), 0) / _DAY_MS,
        items=items,
        text=fact.body,
    )


def _weighed(
    conn: Connection, fact: Fact, evidenced: Evidenced, thresholds: Thresholds, now_ms: int, *, apply: bool
) -> PromotionAnswer:
    found = signals(evidenced)
    passed = gates(evidenced, thresholds)
    ok = all(gate.passed for gate in passed)
    if ok:
        outcome = "promoted" if apply else "would be promoted"
    else:
        outcome = "; ".join(f"{gate.name} {gate.value:g}, {gate.short:g} short" for gate in passed if not gate.passed)
    if ok and apply:
        fact_marks.promoted(conn, fact.id, now_ms, decay.ESTABLISHED_USES, f"score {score(found):.2f}")
        fact = facts.get(conn, fact.id)
    return PromotionAnswer(
        told(conn, fact),
        round(score(found), 6),
        found,
        tuple(GateAnswer(gate.name, gate.value, gate.threshold, gate.passed, gate.short) for gate in passed),
        ok,
        outcome,
    )


def _append(folder: Path, now_ms: int, run_id: str, answers: tuple[PromotionAnswer, ...], apply: bool) -> Path:
    """Append a run to the page of its day and return the page."""
    at = datetime.fromtimestamp(now_ms / 1000, UTC)
    lines = [f"## {at:%H:%M:%S} {'apply' if apply else 'explain'} {run_id}", ""]
    for one in answers:
        shown = ", ".join(f"{name} {value:.2f}" for name, value in one.signals.items())
        # Its id and not its words: what is forgotten is in no file.
        lines.append(f"- {one.fact.id}: score {one.score:.3f} ({shown}): {one.outcome}")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"{at:%Y-%m-%d}.md"
    with path.open("a", encoding="utf-8") as page:
        path.chmod(0o600)
        page.write("\n".join(lines) + "\n\n")
    return path
