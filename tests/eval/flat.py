"""The paper's own baseline for LongMemEval: BM25 over what the user said, words parted by blanks (Wu et al. 2024).

BM25Okapi as the package rank_bm25 has it (k1 1.5, b 0.75; the rarity of a word that most texts hold is a quarter of the
average), so that what memd finds is compared with a figure that others publish.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

_K1: Final = 1.5
_B: Final = 0.75
_EPSILON: Final = 0.25


def order(asked: Mapping[str, Any]) -> list[str]:
    """Return the ids of a question's sessions, best first."""
    texts = [
        " ".join(turn["content"] for turn in session if turn["role"] == "user").split(" ")
        for session in asked["haystack_sessions"]
    ]
    scores = bm25(asked["question"].split(" "), texts)
    ranked = sorted(range(len(texts)), key=lambda place: -scores[place])
    return list(dict.fromkeys(asked["haystack_session_ids"][place] for place in ranked))


def bm25(query: list[str], texts: list[list[str]]) -> list[float]:
    """Return the score of each text."""
    counts = [Counter(text) for text in texts]
    holding = Counter(word for count in counts for word in count)
    rarity = {word: math.log((len(texts) - n + 0.5) / (n + 0.5)) for word, n in holding.items()}
    average = sum(rarity.values()) / len(rarity) if rarity else 0.0
    rarity = {word: idf if idf >= 0 else _EPSILON * average for word, idf in rarity.items()}
    length = sum(map(len, texts)) / len(texts) if texts else 1.0
    return [
        sum(
            rarity.get(word, 0.0) * count[word] * (_K1 + 1) / (count[word] + _K1 * (1 - _B + _B * len(text) / length))
            for word in query
        )
        for count, text in zip(counts, texts, strict=True)
    ]
