"""The evaluation asks memd's own recall, and its measures are right."""

from __future__ import annotations

import json
import math
import subprocess
import tracemalloc
from pathlib import Path

import pytest

from memd.recall import embedding
from tests.eval import flat, own_questions, retrieval
from tests.eval.records import records
from tests.eval.retrieval import Outcome

ROOT = Path(__file__).parents[3]


def test_words_alone_answer_what_names_the_thing() -> None:
    outcomes = [one for one in retrieval.run(own_questions.questions(), semantic=False) if one.kind != "meaning"]

    assert retrieval.measures(outcomes)["R@1"] >= 85
    assert retrieval.measures(outcomes)["R@5"] >= 90


@pytest.mark.skipif(embedding.missing() is not None, reason="no embedding")
def test_with_meaning_every_question_of_our_own_is_answered_among_the_first_three() -> None:
    outcomes = list(retrieval.run(own_questions.questions(), semantic=True))

    assert [one.question_id for one in outcomes if not one.any_at(3)] == []


def test_the_measures_are_those_of_the_field() -> None:
    outcomes = [Outcome("a", (0, 6), 1.0, "q1"), Outcome("b", (4,), 2.0, "q2"), Outcome("b", (None,), 3.0, "q3")]

    found = retrieval.measures(outcomes)

    assert (found["n"], found["R@1"], found["R@5"], found["R@10"]) == (3, 33.33, 66.67, 66.67)
    assert found["all@5"] == 33.33
    assert found["MRR"] == 40.0
    assert list(found) == ["n", "R@1", "R@5", "R@10", "all@5", "NDCG@10", "MRR", "p50_ms", "p95_ms"]


def test_a_file_is_measured_and_printed_as_one_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "asked.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in own_questions.questions()), "utf-8")

    assert retrieval.main([str(file), "--lanes", "lexical", "--json", "--sample", "4"]) == 0
    assert json.loads(capsys.readouterr().out)["n"] == 4
    assert retrieval.main([str(tmp_path / "none.jsonl")]) == 2


def test_a_list_of_any_size_is_read_one_record_at_a_time_and_gives_what_lines_give(tmp_path: Path) -> None:
    listed, lines = tmp_path / "asked.json", tmp_path / "asked.jsonl"
    every = [{"id": number, "text": f"潮汐 [{number}] \\" + "tide, } ] " * 20_000} for number in range(60)]
    listed.write_text("\ufeff" + json.dumps(every, indent=2, ensure_ascii=False), "utf-8")
    lines.write_text("\n\n".join(map(json.dumps, every)), "utf-8")

    assert list(records(listed, chunk=1_000)) == list(records(lines)) == every

    tracemalloc.start()
    count = sum(1 for _ in records(listed, chunk=1_000))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 60
    assert peak < listed.stat().st_size / 4


def test_a_file_that_ends_too_soon_is_named_with_the_record(tmp_path: Path) -> None:
    file = tmp_path / "asked.json"
    file.write_text('[{"id": 1}, {"id": 2', "utf-8")
    with pytest.raises(ValueError, match=r"asked\.json, record 2"):
        list(records(file))


def test_what_each_question_came_to_is_written_down_and_makes_the_table_again(tmp_path: Path) -> None:
    file, out = tmp_path / "asked.json", tmp_path / "out.jsonl"
    file.write_text(json.dumps(list(own_questions.questions())), "utf-8")

    assert retrieval.main([str(file), "--lanes", "lexical", "--per-question", str(out)]) == 0
    told = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    again = [Outcome(one["type"], tuple(one["places"]), 0.0, one["question_id"]) for one in told]
    found = list(retrieval.run(own_questions.questions(), semantic=False))

    assert retrieval.table(again)[0].split()[:4] == ["n", "R@1", "R@5", "R@10"]
    for name in ("n", "R@1", "R@5", "R@10", "all@5", "NDCG@10", "MRR"):
        assert retrieval.measures(again)[name] == retrieval.measures(found)[name]
    assert {line.split()[0] for line in retrieval.table(again)[1:]} == {*(one.kind for one in found), "all"}


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no checkout")
@pytest.mark.parametrize("name", ["questions.jsonl", "stories/mine.txt", "cases.txt"])
def test_what_somebody_measures_with_of_his_own_stays_out_of_the_repository(name: str) -> None:
    ignored = subprocess.run(["git", "check-ignore", "-q", f"own/{name}"], cwd=ROOT, check=False)
    assert ignored.returncode == 0


def test_the_papers_baseline_scores_as_its_formula_says() -> None:
    assert flat.bm25(["tide"], [["tide", "table"], ["mast"], ["rope"]]) == pytest.approx(
        [math.log(2.5 / 1.5) * 2.5 / (1 + 1.5 * (0.25 + 0.75 * 2 / (4 / 3))), 0.0, 0.0]
    )
    asked = next(iter(own_questions.questions()))
    assert sorted(flat.order(asked)) == sorted(set(asked["haystack_session_ids"]))
