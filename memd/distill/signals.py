"""Signals: what a passage shows of being worth a fact, each by a name that the fitted weights know.

Structure comes first: where a passage stands, how long it is, what it names, what was done around it. These hold in any
language. The cue words of `cues` add to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memd.distill import cues
from memd.distill.cue import Cue
from memd.distill.findings import reports_trouble
from memd.distill.instructions import standing
from memd.distill.passages import Passage
from memd.distill.reasons import is_order
from memd.distill.setting import Setting
from memd.distill.size import size

_LAST: Final = 2
_MANY_PROMPTS: Final = 20
_FEW_PROMPTS: Final = 3
_SIZES: Final = (40, 80, 120, 160, 240, 340)  # in Latin letters, as `size` counts
_ON_SUBJECT: Final = 0.3

_CODE: Final = re.compile(r"`[^`\n]+`")
_COMMAND: Final = re.compile(r"`[^`\n]*\s[^`\n]*`")
_REFERENCE: Final = re.compile(r"\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b|#\d{1,5}\b")
_DASH: Final = re.compile(r"\s[—–-]\s|——|: \S")
_ARROW: Final = re.compile(r"→|->|=>")
_ENGLISH: Final = re.compile(r"\b(?:the|is|a|to|of|and|in|for|it|not|with|on|i|this|you)\b", re.IGNORECASE)
_OPENS: Final = re.compile(r"[:：]\W*$")
_DENIES: Final = Cue(
    r"\b(?:not|never|no|won't|doesn't|isn't|aren't|can't|cannot|without|silently|only|instead|rather)\b",
    r"[不没無无非]|ない|ません|않|없|못",
    r"\b(?:nicht|kein\w*|sin|nunca|sans|pas|non|não|değil|yok|yerine|není|bez|ikke|niet|nie)\b",
    r"\b(?:не|нет|немає|без)\b",
)
_DID: Final = Cue(
    r"\b(?:added|fixed|removed|changed|replaced|moved|renamed|updated|created|implemented|switched|deleted|wrote"
    r"|rewrote|made|now)\b",
    r"添加|修复|修復|删除|刪除|改|ました|했습니다|완료",
    r"\b(?:eklendi|düzeltildi|kaldırıldı|vytvořil\w*|přid\w+|uprav\w+|agregué|añadí|cambi[éo]|hinzugefügt|geändert"
    r"|entfernt|ajouté|supprimé|tilføjet|toegevoegd|dodan\w+)\b",
    r"\b(?:добав\w+|исправ\w+|удал\w+|измен\w+|дода\w+|виправ\w+|видал\w+|змін\w+)\b",
)
_LABEL: Final = re.compile(
    r"^\W*(?:note|caveat|gotcha|important|warning|worth (?:knowing|noting)|heads[- ]up|side note|lesson"
    r"|key (?:finding|point|insight)|bottom line|short answer|注意|提示|重要|坑)\b",
    re.IGNORECASE,
)
_OF_ITSELF: Final = re.compile(r"\bI(?:'ve|'m|'ll|'d)?\b")
# What the reader shall do: a step of a manual, advice, one of several ways.
_MANUAL: Final = Cue(
    r"^\W*(?:(?:(?:step )?\d+[.):]|option \w|then|also|and|or|now|next|please|first|finally|just|you (?:can|should"
    r"|need to|have to))\W+)*"
    r"(?:create|update|change|set|configure|ensure|make sure|add|run|open|go to|navigate|replace|use|install|check"
    r"|verify|try"
    r"|move|copy|remove|delete|restart|redo|click|paste|start|reload|refresh|rename|edit|select|enable|disable|visit"
    r"|download"
    r"|upload|re-?run|build|deploy|test|call|see|find|look|confirm|let me know|provide|share|send)\b",
    r"^\W*(?:请|先|然后|再|接着|可以)?(?:打开|运行|执行|安装|修改|添加|创建|设置|配置|检查|确认|点击|复制|删除|重启"
    r"|使用|进入)(?!了)"
    r"|(?:してください|して下さい|します[。]?$|しましょう)|(?:하세요|하십시오|해주세요|해 ?보세요)",
    r"^\W*(?:\d+[.)]\W*)?(?:configurer?|créer?|ajouter?|installer?|vérifier?|ouvrir|lancer?|exécuter?|remplacer?"
    r"|modifier?|supprimer?"
    r"|configura|crea|agrega|añade|instala|verifica|abre|ejecuta|reemplaza|modifica|elimina|reinicia|erstelle?n?"
    r"|füge|installiere?n?"
    r"|prüfe?n?|öffne?n?|führe?n?|ersetze?n?|starte?n?|crie|adicione|instale|verifique|abra|execute|apri|esegui"
    r"|aggiungi|installa"
    r"|vytvořte?|přidejte?|spusťte?|otevřete?|nainstalujte?|utwórz|dodaj|uruchom|otwórz|zainstaluj)\b"
    r"|\b\w+(?:ın|in|un|ün|ınız|iniz)\W*$",
    r"^\W*(?:\d+[.)]\W*)?\w+(?:йте|ите|ьте|айте|уйте)\b",
)
_LETTERS: Final = re.compile(r"[^\W\d_]")
_FEW_LETTERS: Final = 16
_SHOUTED: Final = 0.7  # share of capitals
_PATH: Final = re.compile(r"(?:[\w.-]+/)[\w.-]+")
_CODE_FOLLOWS: Final = 12  # characters after a passage in which a block of code may open

_SHARED: Final[dict[str, Cue | re.Pattern[str]]] = {
    "question": cues.QUESTION,
    "hypothetical": cues.HYPOTHETICAL,
    "because": cues.BECAUSE,
    "fix": cues.FIX,
    "assertive": cues.ASSERTIVE,
    "temporary": cues.TEMPORARY,
    "standing": cues.STANDING,
    "denies": _DENIES,
    "number": cues.NUMBER,
    "reference": _REFERENCE,
    "command": _COMMAND,
    "code": _CODE,
    "dash": _DASH,
    "ends open": _OPENS,
}
_OF_THE_MODEL: Final[dict[str, Cue | re.Pattern[str]]] = {
    "cause": cues.CAUSE,
    "open": cues.OPEN,
    "proposal": cues.PROPOSAL,
    "vague": cues.VAGUE_SUBJECT,
    "label": _LABEL,
    "did": _DID,
    "arrow": _ARROW,
    "hedged": cues.HEDGED_CAUSE,
    "of itself": _OF_ITSELF,
    "manual": _MANUAL,
}
_OF_THE_USER: Final[dict[str, Cue | re.Pattern[str]]] = {
    "choice": cues.CHOICE,
    "strong choice": cues.STRONG_CHOICE,
    "reversal": cues.REVERSAL,
    "negated": cues.NEGATED_ORDER,
    "accepts": cues.ACCEPT,
    "refuses": cues.REFUSE,
    "talk": cues.ABOUT_TALK,
    "trouble": cues.TROUBLE,
}


def signals(setting: Setting, passage: Passage) -> frozenset[str]:
    """Return the names of the signals that a passage shows."""
    said = _user if passage.anchor.speaker == "user" else _model
    return frozenset((*_shared(setting, passage), *said(setting, passage)))


def shouted(text: str) -> bool:
    """Return whether a text is written in capitals for the most part."""
    letters = _LETTERS.findall(text)
    return len(letters) >= _FEW_LETTERS and sum(map(str.isupper, letters)) > _SHOUTED * len(letters)


def _shared(setting: Setting, passage: Passage) -> Iterator[str]:
    text = passage.text
    yield from (name for name, regex in _SHARED.items() if regex.search(text))
    length = size(text)
    yield from (f"size {limit}" for limit in _SIZES if length > limit)
    # In a text all in capitals no word looks like a name.
    named_in = text.lower() if shouted(text) else text
    named = sum(1 for _ in zip(range(4), cues.IDENTIFIER.finditer(named_in), strict=False))
    yield from (f"names {count}" for count in (1, 2, 4) if named >= count)
    if _PATH.search(text):
        yield "path"
    if passage.opening is not None:
        yield "opened"
    if not _ENGLISH.search(text):
        yield "not english"
    if len(passage.statements) > 1:
        yield "sentences"
    yield from _place(setting, passage)


def _place(setting: Setting, passage: Passage) -> Iterator[str]:
    """Yield where in its message and its session a passage stands, and what was done around it."""
    exchange, total = passage.anchor.exchange, len(setting.thread.exchanges)
    around, central = setting.exchange(passage), setting.central(passage)
    yield from (
        name
        for name, shown in (
            ("near the end", exchange >= total - _LAST),
            ("at the end", exchange == total - 1),
            ("at the beginning", exchange == setting.beginning),
            ("edited", setting.thread.edited(around.first, around.last)),
            ("first of message", passage.number == 0),
            ("last of message", passage.number == passage.total - 1),
            ("many prompts", setting.prompts > _MANY_PROMPTS),
            ("few prompts", setting.prompts <= _FEW_PROMPTS),
            ("on subject", setting.on_subject(passage) > _ON_SUBJECT),
            ("names changed", setting.names_changed(passage)),
            ("changed later", setting.changed_later(passage)),
            *((f"central {limit}", central > limit) for limit in (0.12, 0.24)),
        )
        if shown
    )


def _user(setting: Setting, passage: Passage) -> Iterator[str]:
    text = passage.text
    yield from (name for name, regex in _OF_THE_USER.items() if regex.search(text))
    if passage.anchor.exchange == setting.beginning and (reports_trouble(text) or is_order(text)):
        yield "sets the task"
    before = setting.thread.answered(passage.anchor.exchange)
    if before and cues.QUESTION.search(before[-1].text):
        yield "answers"
    if is_order(text) and not (cues.STANDING.search(text) or cues.BECAUSE.search(text)):
        yield "order"
    rule = max(standing(statement.text) for statement in passage.statements)
    yield from (f"rule {limit}" for limit in (0.3, 0.5, 0.6) if rule > limit)
    found = {draft.rule: draft.confidence for draft in reversed(setting.drafts(passage))}
    if found.get("decision", 0.0) >= 0.45:
        yield "decides"
    told = setting.told(passage)
    if told >= 0.35:
        yield "tells"
    if told >= 0.5:
        yield "tells surely"


def _model(setting: Setting, passage: Passage) -> Iterator[str]:
    text, anchor = passage.text, passage.anchor
    yield from (name for name, regex in _OF_THE_MODEL.items() if regex.search(text))
    yield from (
        name
        for name, shown in (
            ("item", anchor.item),
            ("row", anchor.row),
            ("bold", anchor.bold),
            ("some bold", "**" in text),
            ("final", anchor.final),
            ("under heading", bool(passage.heading)),
            ("only one", passage.total <= 2),
        )
        if shown
    )
    yield from (f"report {limit}" for limit in (4, 12, 25) if passage.total > limit)
    if sum(1 for _ in _CODE.finditer(text)) >= 3:
        yield "much code"
    echo = setting.echo(passage)
    yield from (f"echo {limit}" for limit in (0.3, 0.5, 0.7) if echo > limit)
    if setting.restated(passage):
        yield "restated"
    if setting.failed_before(passage):
        yield "after failure"
    if setting.asked_for_it(passage):
        yield "asked"
    following = setting.next_prompt(passage)
    if following and cues.ACCEPT.match(following):
        yield "accepted"
    found = {draft.rule: draft.confidence for draft in reversed(setting.drafts(passage))}
    yield from (f"cause {limit}" for limit in (0.45, 0.6) if found.get("cause", 0.0) >= limit)
    if "mended" in found:
        yield "mended"
    if found.get("leftover", 0.0) >= 0.45:
        yield "left over"
    if "decision" in found:
        yield "agreed"
    if any(one.command for one in passage.statements):
        yield "command line"
    elif _code_follows(passage):
        yield "code follows"


def _code_follows(passage: Passage) -> bool:
    whole, last = passage.anchor.message.text, passage.statements[-1].text
    end = whole.find(last) + len(last)
    return whole[end : end + _CODE_FOLLOWS].lstrip().startswith("```")
