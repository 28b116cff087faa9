from __future__ import annotations

import re

import pytest

from memd.distill import cues
from memd.distill.cue import Cue

CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
WORD = re.compile(r"[a-zà-ÿ]{4,}")
CUES = {name: one for name, one in vars(cues).items() if isinstance(one, Cue)}


@pytest.mark.parametrize("name", CUES)
def test_a_pattern_with_cjk_characters_holds_no_latin_words_since_latin_texts_are_not_tried_with_it(name: str) -> None:
    for pattern in CUES[name]._patterns:
        if CJK.search(pattern):
            assert not WORD.search(re.sub(r"\\[a-zA-Z]", "", pattern)), pattern


@pytest.mark.parametrize(
    ("cue", "text"),
    [
        (cues.NARRATION, "Verstanden."),
        (cues.NARRATION, "Gotowe."),
        (cues.NARRATION, "了解しました。"),
        (cues.PLAN, "Ahora voy a leer la tabla"),
        (cues.PLAN, "次にテーブルを読みます"),
        (cues.PLAN, "조석표를 확인하겠습니다."),
        (cues.REFUSE, "nein, so nicht"),
        (cues.REFUSE, "いや、それは違う"),
        (cues.ABOUT_TALK, "responde siempre breve"),
        (cues.ABOUT_TALK, "日本語で"),
    ],
)
def test_the_words_of_every_language_are_tried(cue: Cue, text: str) -> None:
    assert cue.match(text) or cue.search(text)


def test_nothing_is_compiled_before_a_text_asks_for_it() -> None:
    cue = Cue(r"\btide\b", r"潮位", r"\bmarea\b")
    assert not {"_english", "_others"} & set(vars(cue))
    assert cue.search("the tide is high")
    assert "_others" not in vars(cue)
    assert cue.search("la marea sube")
    assert cue.search("潮位が高い")
    assert cue.split("a tide b 潮位 c") == ["a ", " b ", " c"]
