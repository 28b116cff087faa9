"""Possible: lists of what only could be: options nobody has taken yet, causes that are guessed at, ideas.

Their items are worded as facts; that they are none stands above them. What a person takes of such a list the rules of
answers, picks and agreement find.
"""

from __future__ import annotations

from typing import Final

from memd.distill.cue import Cue
from memd.distill.thread import Statement

_POSSIBLE: Final = Cue(
    r"\bhypothes[ei]s\b|\b(?:possible|potential|likely|probable|common|usual|typical|candidate|suspected)"
    r" (?:\w+ )?(?:causes?|reasons?|culprits?|issues?|problems?|explanations?|suspects?|scenarios?|root causes?"
    r"|fixes|solutions?|workarounds?|approaches|improvements?|enhancements?|extensions?|next steps?)\b"
    r"|\b(?:could|might|may|can|would|is|are|be|it'?s|that'?s) (?:\w+ )?(?:be |caused by |due to )*"
    r"(?:one|some|any) of (?:the |these |those )?(?:following|two|three|four|several|few|things|\d)\b"
    r"|\b(?:almost always|usually|often|typically|most likely|probably)(?: \w+){0,3}\W*$"
    r"|^\W*(?:(?:here (?:are|is)|there are|these are|you have|we have|and|so|the|your|our|some|two|three|four|several"
    r"|other|few|a|my|main|available|remaining|\d)\W+)*(?:options?|alternatives?|choices|ideas|suggestions?)\b"
    r"|\b(?:have|are|has|with|see|consider)(?: \w+){0,3} (?:options|alternatives|choices|ways|possibilities)\b"
    r"|^\W*(?:option|alternative|variant|approach|hypothesis) (?:[a-e1-9]|one|two|three)\b"
    r"|\bnice[- ]to[- ]haves?\b|\b(?:optional|future) (?:\w+ )?(?:improvements?|enhancements?|follow[- ]ups?|hardening"
    r"|work|polish|additions?|extras?)\b|\bif (?:it|that|this|things?|something|anything|the \w+) (?:still )?(?:fails?"
    r"|happens|breaks|persists?|doesn'?t|does not|isn'?t|is not)\b|\bwhat (?:could|might|may) (?:be|have|cause|go)\b",
    r"(?:可能的?(?:原因|情况|问题|方案|解释)|(?:几|两|三|四|多)[种个](?:方案|选择|办法|方法|选项|可能|思路)|可选(?:方案|项)|备选|^\W*选项"
    r"|^\W*方案\s?[一二三四1-4A-Da-d]|假设[:：]|通常是因为|多半是|如果(?:还是|仍然)(?:不行|报错|失败))"
    r"|(?:考えられる原因|原因の候補|選択肢|候補|仮説|可能性|案[A-C1-3])"
    r"|(?:가능한 원인|원인 후보|옵션|선택지|가설|대안)",
    r"\b(?:posibles? (?:causas?|soluci\w+|motivos?)|opciones|alternativas|hipótesis|mögliche (?:ursachen?|gründe"
    r"|lösungen)|optionen|alternativen|hypothesen|(?:causes?|raisons?|pistes?|solutions?) possibles|hypothèses"
    r"|possibili (?:cause|soluzioni)|opzioni|possíveis (?:causas|soluções)|opções|možné (?:příčiny|řešení)|možnosti"
    r"|możliwe (?:przyczyny|rozwiązania)|opcje|olası (?:nedenler|çözümler)|seçenekler)\b",
    r"\b(?:возможн\w+ (?:причин\w+|решени\w+|вариант\w+)|вариант\w*|гипотез\w*|можлив\w+ (?:причин\w+|рішенн\w+)"
    r"|варіант\w*)\b|\b(?:одн(?:им|ой|а) из|один із)\b",
)


def only_possible(opening: Statement | None, heading: str) -> bool:
    """Return whether what opens a list, or the heading it stands under, says that its items only could be."""
    return (opening is not None and possible(opening.text)) or possible(heading)


def possible(text: str) -> bool:
    """Return whether a heading, or a sentence that opens a list, says that what follows only could be."""
    return bool(text) and _POSSIBLE.search(text) is not None
