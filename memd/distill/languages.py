"""Natural languages: which one a rule wants something written or said in."""

from __future__ import annotations

import re
from typing import Final

_NAMES: Final[dict[str, str]] = {
    "english": r"\benglish\b|\binglés\b|\banglais\b|\benglisch\b|\binglese\b|\binglês\b|\bengels\b|\bengelsk\w*"
    r"|\bangielsk\w+|\banglick\w+|\bingilizce\b|\bанглийск\w+|\bанглійськ\w+|英[文语語]|영어",
    "chinese": r"\bchinese\b|\bmandarin\b|\bchino\b|\bchinois\b|\bchinesisch\b|\bcinese\b|中文|汉语|漢語|中国語"
    r"|중국어",
    "japanese": r"\bjapanese\b|\bjaponés\b|\bjaponais\b|\bjapanisch\b|日[语文語]|日本語|일본어",
    "korean": r"\bkorean\b|\bcoreano\b|\bcoréen\b|\bkoreanisch\b|韩[语文]|韓[語文]|韓国語|한국어|한글",
    "german": r"\bgerman\b|\bdeutsch\b|\balemán\b|\ballemand\b|\btedesco\b|\balemão\b|\bduits\b|\btysk\b"
    r"|\bniemieck\w+|\bněmeck\w+|\balmanca\b|\bнемецк\w+|\bнімецьк\w+|德[语文語]|ドイツ語|독일어",
    "french": r"\bfrench\b|\bfrançais\b|\bfrancés\b|\bfranzösisch\b|\bfrancese\b|\bfrancês\b|\bfransızca\b"
    r"|\bфранцузск\w+|法[语文語]|フランス語|프랑스어",
    "spanish": r"\bspanish\b|\bespañol\b|\bcastellano\b|\bespagnol\b|\bspanisch\b|\bspagnolo\b|\bespanhol\b"
    r"|\bispanyolca\b|\bиспанск\w+|西班牙[语文語]|スペイン語|스페인어",
    "portuguese": r"\bportuguese\b|\bportuguês\b|\bportugués\b|\bportugais\b|\bportugiesisch\b|葡萄牙[语文語]",
    "italian": r"\bitalian\b|\bitaliano\b|\bitalien\b|\bitalienisch\b|意大利[语文語]",
    "russian": r"\brussian\b|\bruso\b|\brusse\b|\brussisch\b|\bрусск\w+|по-русски|\bросійськ\w+|俄[语文語]|ロシア語",
    "ukrainian": r"\bukrainian\b|\bукраинск\w+|\bукраїнськ\w+|乌克兰[语文]",
    "polish": r"\bpolish\b(?! up)|\bpolnisch\b|\bpolsk\w+|波兰[语文]",
    "czech": r"\bczech\b|\btschechisch\b|\bčesk\w+|\bčeštin\w+|捷克[语文]",
    "dutch": r"\bdutch\b|\bniederländisch\b|\bnederlands\b|荷兰[语文]",
    "danish": r"\bdanish\b|\bdänisch\b|\bdansk\b|丹麦[语文]",
    "swedish": r"\bswedish\b|\bschwedisch\b|\bsvenska\b|瑞典[语文]",
    "turkish": r"\bturkish\b|\btürkisch\b|\btürkçe\b|土耳其[语文]",
}
_ANY: Final = re.compile("|".join(_NAMES.values()), re.IGNORECASE)
_NAMED: Final = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _NAMES.items()}
# What is written, told by the words for it in several languages.
_THINGS: Final = {
    "commit messages": re.compile(
        r"\bcommits?\b(?:[ -]?(?:messages?|msgs?|nachrichten))?|\b(?:mensajes? de|messages? de) commit\b"
        r"|提交(?:信息|说明|訊息|消息|日志)|コミット|커밋|коммит\w*|коміт\w*",
        re.IGNORECASE,
    ),
    "comments": re.compile(
        r"\b(?:code )?comments?\b|\bcomentarios?\b|\bcommentaires?\b|\bkommentare?\b|注[释釋]|コメント"
        r"|주석|комментари\w+",
        re.IGNORECASE,
    ),
    "answers": re.compile(
        r"\b(?:answers?|reply|replies|respond|responses?|talk|speak|write) (?:to me )?(?:\w+ )?(?:in|be)\b|\bantwort\w*"
        r"|\bresponde\w*|\brépond\w*|\brispond\w*|\b(?:response|answer|reply) language\b|\bresposta\w*"
        r"|\brespuesta\w*|\bréponse\w*|ответ\w*|回[答复覆]|答复|返事|回答|응답|답변|대답|отвеча\w+|відповіда\w+"
        r"|\bcevap\w*",
        re.IGNORECASE,
    ),
    "documentation": re.compile(
        r"\b(?:docs?|documentation|readme|docstrings?|changelog)\b|\bdocumentaci[oó]n\b|\bdokumentation\b|文[档檔]"
        r"|ドキュメント|문서|документаци\w+",
        re.IGNORECASE,
    ),
}
_TURNED_DOWN: Final = re.compile(
    r"(?:\b(?:not|no|never|instead of|rather than|nicht|statt|en vez de|pas|au lieu de|не|вместо)\s+"
    r"(?:(?:in|auf|en)\s+)?|(?:不要?用?|别用?|而不是|ではなく)\s*)$",
    re.IGNORECASE,
)
_BEFORE: Final = 14


def wanted(text: str) -> tuple[str, frozenset[str]] | None:
    """Return the one thing that a text wants in a natural language, and which languages it gives it; None for none."""
    if not _ANY.search(text):
        return None
    named = frozenset(
        name
        for name, regex in _NAMED.items()
        for match in regex.finditer(text)
        if not _TURNED_DOWN.search(text[max(match.start() - _BEFORE, 0) : match.start()])
    )
    if not named:
        return None
    things = [thing for thing, regex in _THINGS.items() if regex.search(text)]
    return (things[0], named) if len(things) == 1 else None
