"""Encoding: what a provider answers becomes what is stored. Tasks for worker processes: it is megabytes of JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memd.errors import EmbedFailed
from memd.models.embed import vectors
from memd.recall.embedding import signs, signs_and_codes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ENCODE: Final = "memd.recall.encoding:encode"
MEET: Final = "memd.recall.encoding:meet"
UNRELATED: Final = (
    "The bread is baked at four in the morning.",
    "Why does the build fail on the second machine?",
    "She has played the cello since she was six.",
    "Rename the column and write a migration for it.",
    "The ferry to the island does not run in winter.",
    "Use tabs in Makefiles and spaces everywhere else.",
    "我们决定把日志保存三十天。",
    "A whale can hold its breath for over an hour.",
)
"""Texts that have nothing to do with each other."""
_HIGHEST_FLOOR: Final = 0.95
_APART: Final = 0.05
"""Share of the signs in which a model may differ from itself; two models differ in half of them."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What a provider answered to `count` texts."""

    api: str
    url: str
    content: bytes
    count: int


@dataclass(frozen=True, slots=True)
class Encoded:
    """Signs and codes, one pair a text."""

    dimensions: int
    codes: tuple[tuple[bytes, bytes], ...]


@dataclass(frozen=True, slots=True)
class Met:
    """What there is to know of a model: its dimensions, the cosine of texts that have nothing in common, and the signs
    of UNRELATED by which it is known again.
    """

    dimensions: int
    floor: float
    signs: bytes

    def is_like(self, signs: bytes) -> bool:
        """Tell whether signs are of the same model. What is near zero may fall on either side of it."""
        apart = sum((one ^ other).bit_count() for one, other in zip(self.signs, signs, strict=False))
        return len(signs) == len(self.signs) and apart <= _APART * self.dimensions * len(UNRELATED)


def encode(answered: Answered) -> Encoded:
    """Return what is stored of an answer; raises EmbedFailed for one that is none."""
    rows = _rows(answered)
    return Encoded(rows.shape[1], tuple(signs_and_codes(rows)))


def meet(answers: tuple[Answered, Answered]) -> Met:
    """Return what the answers to UNRELATED, as questions and as texts, tell of a model; raises EmbedFailed."""
    import numpy as np

    questions, texts = map(_rows, answers)
    if questions.shape != texts.shape:
        raise EmbedFailed(answers[0].url, "its vectors of questions and of texts have not the same dimensions")
    cosines = questions @ texts.T
    others = cosines[~np.eye(len(cosines), dtype=bool)]
    floor = round(float(np.clip(others.mean(), 0.0, _HIGHEST_FLOOR)), 4)
    return Met(texts.shape[1], floor, signs(texts).tobytes())


def _rows(answered: Answered) -> NDArray[np.float32]:
    """Return the vectors of an answer as rows of unit length."""
    import numpy as np

    try:
        rows = np.array(vectors(answered.api, answered.content, answered.count), np.float64)
    except ValueError as error:
        raise EmbedFailed(answered.url, str(error)) from error
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows.astype(np.float32)
