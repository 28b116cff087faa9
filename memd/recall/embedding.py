"""Embedding: what a text means as 256 numbers, without a network and in well under a millisecond.

A static embedding: each token has a vector, and a text is the mean of those of its tokens. The vectors and the
tokenizer are two files that the package `wordllama` (MIT) carries; they are read directly and its code is not run. They
were distilled from the token tables of Llama 2. The package, numpy and tokenizers make up the extra `semantic`; without
them memd searches by words alone.

Format of the vectors: safetensors, a little-endian u64 length, that many bytes of JSON, then the tensors.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import orjson

from memd.recall.packages import file_of, first_missing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WEIGHTS: Final = ("wordllama", "weights/l2_supercat_256.safetensors")
_TOKENIZER: Final = ("wordllama", "tokenizers/l2_supercat_tokenizer_config.json")
_NEEDED: Final = ("numpy", "tokenizers", "wordllama")

MODEL: Final = "wordllama-l2-supercat:256"
"""Stamp of the vectors; others are worked out anew."""
DIMENSIONS: Final = 256


def missing() -> str | None:
    """Return why there is no embedding, None when there is one. Nothing is imported."""
    return first_missing(_NEEDED, (_WEIGHTS, _TOKENIZER))


class StaticEmbedder:
    """Turns texts into vectors. Takes about 0.1 s to make; the vectors of tokens stay on disk until they are used."""

    def __init__(self) -> None:
        import numpy as np
        from tokenizers import Tokenizer

        weights = file_of(*_WEIGHTS)
        self._tokenizer: Any = Tokenizer.from_file(str(file_of(*_TOKENIZER)))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        with weights.open("rb") as file:
            size = int.from_bytes(file.read(8), "little")
            head = orjson.loads(file.read(size))
        tensor = head["embedding.weight"]
        offset = 8 + size + tensor["data_offsets"][0]
        self._tokens = np.memmap(weights, dtype=np.float16, mode="r", offset=offset, shape=tuple(tensor["shape"]))

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row of unit length a text; zeros for a text without a token."""
        import numpy as np

        rows: NDArray[np.float32] = np.zeros((len(texts), self._tokens.shape[1]), np.float32)
        clean = [text.encode("utf-8", "replace").decode() for text in texts]  # lone surrogates
        for row, encoding in zip(rows, self._tokenizer.encode_batch_fast(clean, add_special_tokens=False), strict=True):
            if encoding.ids:
                row[:] = self._tokens[encoding.ids].mean(axis=0, dtype=np.float32)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        return rows


def signs(rows: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return the signs of vectors as bits (`numpy.packbits`), each row filled up with zeros to whole words of 64."""
    import numpy as np

    bits = np.packbits(rows > 0, axis=1)
    return np.pad(bits, ((0, 0), (0, -bits.shape[1] % 8)))


def signs_and_codes(rows: NDArray[np.float32]) -> list[tuple[bytes, bytes]]:
    """Return what is stored of vectors: their signs, and int8 with the largest part at 127."""
    import numpy as np

    largest = np.maximum(np.abs(rows).max(axis=1, keepdims=True), 1e-9)
    codes = np.rint(rows / largest * 127).astype(np.int8)
    bits = signs(rows)
    return [(bits[n].tobytes(), codes[n].tobytes()) for n in range(len(rows))]


def encode(texts: Sequence[str]) -> list[tuple[bytes, bytes]]:
    """Return signs and code of each text. A task for worker processes, which keep the embedder."""
    return signs_and_codes(embedder().embed(texts))


@cache
def embedder() -> StaticEmbedder:
    """Return this process's embedder."""
    return StaticEmbedder()
