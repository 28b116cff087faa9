"""Signs: vectors compared by one bit a dimension, which finds those that are worth comparing exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from memd.recall.embedding import signs

if TYPE_CHECKING:
    from numpy.typing import NDArray

COMPARED: Final = 500
"""Vectors that are compared exactly; of the ten best among half a million two in a hundred are not among them."""
_PIECE: Final = 32_768
_WORDS_OF_256: Final = 4


def nearest(held: Any, asked: Any, most: int = COMPARED) -> NDArray[Any]:
    """Return the places of the vectors, by their signs (rows of 64-bit words), that differ least from one vector.

    Of those that differ as much as the last one the later ones are given. Counting how many differ in how many signs
    takes a fourth of the time of sorting them.
    """
    import numpy as np

    if len(held) <= most:
        return np.arange(len(held))
    apart, counts = _apart(held, signs(asked[None]).view(np.uint64)[0])
    last = int(np.searchsorted(np.cumsum(counts), most))
    nearer = np.flatnonzero(apart < last)
    as_near = np.flatnonzero(apart == last)
    return np.concatenate((nearer, as_near[len(as_near) - (most - len(nearer)) :]))


def cosines(codes: Sequence[bytes], asked: Any, floor: float) -> list[float]:
    """Return the cosines of vectors, by their int8 codes, with one of length 1; above `floor` stretched to 0..1."""
    import numpy as np

    if not codes:
        return []
    rows = np.frombuffer(b"".join(codes), np.int8).reshape(len(codes), -1).astype(np.float32)
    found = rows @ asked / np.maximum(np.sqrt(np.einsum("ij,ij->i", rows, rows)), 1e-9)
    rounded: list[float] = np.round((found.astype(np.float64) - floor) / (1 - floor), 4).tolist()
    return rounded


def _apart(held: Any, asked: Any) -> tuple[Any, Any]:
    """Return in how many signs each vector differs from the one asked for, and how many differ in each number of signs.

    Piece by piece, as the caches like it.

    The four counts of a row of 256 are added by one multiplication; 256, all signs the other way, would come out as
    0, and comparing the codes puts that right.
    """
    import numpy as np

    four = held.shape[1] == _WORDS_OF_256
    apart = np.empty(len(held), np.uint8 if four else np.uint16)
    counts = np.zeros(held.shape[1] * 64 + 1, np.int64)
    for start in range(0, len(held), _PIECE):
        ones = np.bitwise_count(held[start : start + _PIECE] ^ asked)
        piece = apart[start : start + _PIECE]
        if four:
            piece[:] = (ones.view(np.uint32).ravel() * np.uint32(0x01010101)) >> np.uint32(24)
        else:
            piece[:] = ones.sum(axis=1, dtype=np.uint16)
        counts += np.bincount(piece, minlength=len(counts))
    return apart, counts
