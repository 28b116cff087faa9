"""Signs: vectors compared by one bit a dimension, which finds those that are worth comparing exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from memd.recall.embedding import signs

if TYPE_CHECKING:
    from numpy.typing import NDArray

COMPARED: Final = 500
"""Vectors that are compared exactly; of the ten best among half a million two in a hundred are not among them."""
_PIECE: Final = 32_768
_WORDS_OF_256: Final = 4


def nearest(held: Any, asked: Any, most: int = COMPARED) -> NDArray[Any]:
    """Return the places of the vectors, by their signs (rows of 64-bit words), that differ least from one vector."""
    import numpy as np

    apart = _apart(held, signs(asked[None]).view(np.uint64)[0])
    return np.argpartition(apart, most)[:most] if len(apart) > most else np.arange(len(apart))


def cosines(codes: list[bytes], asked: Any, floor: float) -> list[float]:
    """Return the cosines of vectors, by their int8 codes, with one of length 1; above `floor` stretched to 0..1."""
    import numpy as np

    if not codes:
        return []
    rows = np.frombuffer(b"".join(codes), np.int8).reshape(len(codes), -1).astype(np.float32)
    found = rows @ asked / np.maximum(np.linalg.norm(rows, axis=1), 1e-9)
    return [round(float(cosine), 4) for cosine in (found - floor) / (1 - floor)]


def _apart(held: Any, asked: Any) -> Any:
    """Return in how many signs each vector differs from the one asked for, piece by piece as the caches like it.

    The four counts of a row of 256 are added by one multiplication; 256, all signs the other way, would come out as
    0, and comparing the codes puts that right.
    """
    import numpy as np

    four = held.shape[1] == _WORDS_OF_256
    apart = np.empty(len(held), np.uint8 if four else np.uint16)
    for start in range(0, len(held), _PIECE):
        counts = np.bitwise_count(held[start : start + _PIECE] ^ asked)
        if not four:
            apart[start : start + _PIECE] = counts.sum(axis=1, dtype=np.uint16)
            continue
        apart[start : start + _PIECE] = (counts.view(np.uint32).ravel() * np.uint32(0x01010101)) >> np.uint32(24)
    return apart
