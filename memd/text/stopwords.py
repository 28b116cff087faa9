"""Stop words: what a question is built from and says nothing of what is looked for."""

from __future__ import annotations

import re
from typing import Final


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


STOP_WORDS: Final = _words(
    """
    a about above after again all also am an and any are as at be because been before being below between both but by
    can cannot could did didn do does doesn doing don done down during each else etc ever every few for from further
    get gets getting got had has hasn have haven having he her here hers him his how however i if in into is isn it its
    just let lets like ll may maybe me might more most much must my no nor not now of off on once one only or other our
    ours out over own please re really s same shall she should shouldn so some still such t than that the their theirs
    them then there these they thing things this those through to too under until up upon us use used using ve very
    want wants was wasn we well were weren what when where whether which while who whom whose why will with within
    without won would wouldn yes yet you your yours
    """
)
"""English words of grammar and of asking, in the form of `memd.text.folding.bare`."""

_CHINESE: Final = _words(
    """
    为什么 怎么样 怎么办 有没有 是不是 能不能 可不可以 什么时候 哪里 哪个 哪些 什么 怎么 如何
    为何 多少 我们 你们 他们 它们 自己 这个 那个 这些 那些 这里 那里 这样 那样 现在 已经
    还是 或者 而且 但是 因为 所以 如果 虽然 然后 以及 关于 对于 可以 应该 需要 一下 一个
    一些 的 了 着 过 吗 呢 吧 啊 呀 和 与 及 或 在 是 有 我 你 您 他 她 它 这 那
    都 也 就 把 被 给 让 请 从
    """
)
_JAPANESE: Final = _words(
    """
    について に関して ください でしょうか ましたか ですか ますか ました ません でした どうやって
    どのように なぜ どこ どれ いつ なに です ます した して する から まで より など
    """
)
# Longest first, so that 为什么 is not read as 为 and 什么.
_CJK_STOP: Final = re.compile("|".join(sorted(_CHINESE | _JAPANESE, key=lambda word: (-len(word), word))))

# Particles that follow a Korean noun without a blank; cut only where two syllables remain.
_KOREAN_ENDING: Final = re.compile(
    "(?<=[\uac00-\ud7a3]{2})(?:에서|으로|부터|까지|에게|한테|이나|은|는|이|가|을|를|에|의|로|와|과|도)$"
)


def cut_cjk_stops(run: str) -> list[str]:
    """Return the pieces of a CJK run between its function words, none when it is nothing else."""
    return [piece for piece in _CJK_STOP.split(run) if piece]


def cut_korean_ending(word: str) -> str:
    """Return a Korean word without the particle at its end (연결을 is 연결)."""
    return _KOREAN_ENDING.sub("", word)
