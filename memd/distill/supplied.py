"""Supplied: what the model found missing in the midst of a session, and then put there, is missing no longer.

Told by the thing's name: close to a word for its absence first ("no `CODEOWNERS`", 缺少, отсутствует), in a later
exchange close to a word for its making, or as a file that was created. The same of work that was not committed or
pushed yet.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from memd.distill import cues
from memd.distill.cue import Cue
from memd.distill.thread import Statement, Thread

_PLAIN: Final = re.compile(r"[^\W\d_]{4,24}")
_NEAR: Final = 48  # characters between a thing's name and the word for its absence or its making
_MISSING: Final = Cue(
    r"\b(?:no|not (?:set|configured|enabled|enforced|defined|present|found|there|required)|missing|lacks?|lacking"
    r"|absent|without|null|unset|isn'?t (?:set|there|configured|enabled)|aren'?t|doesn'?t (?:exist|have)|none)\b",
    r"没有|缺少|缺失|未(?:配置|设置|启用|定义|找到)|不存在|沒有",
    r"(?:が|は)?(?:ない|ありません|無い|存在しない|未設定|未定義|見つから)|없|누락|미설정|존재하지",
    r"\b(?:aucune?|absente?s?|manqu\w+|sans|n['’](?:est|existe|impose|a) pas|n['’]impose aucun|falta\w*|sin"
    r"|no (?:hay|existe|tiene)|ausente\w*|kein\w*|fehl(?:t|en|end\w*)|nicht (?:gesetzt|vorhanden|konfiguriert)|manca\w*"
    r"|nessun\w*|senza|nenhum\w*|não (?:há|existe|tem)|geen|ontbreek\w*"
    r"|mangler|ingen|saknas|brak\w*|chybí|není|yok|eksik)\b",
    r"\b(?:нет|отсутству\w+|не (?:настроен\w*|задан\w*|найден\w*|включ\w+)|без|немає|відсутн\w+)\b",
)
_MADE: Final = Cue(
    r"\b(?:added|created|set(?: up)?|enabled|activated|configured|enforced|implemented|introduced|installed|provided"
    r"|filled in|wrote|written|defined|pushed|committed|merged|in place|now (?:has|have|requires?|exists?|sets?))\b",
    r"添加|新增|创建|启用|配置好|设置了|补上|加上|加了|建立|已(?:推送|提交|配置|设置)",
    r"追加|作成|有効化|設定しました|導入|実装|추가|생성|활성화|설정했|구현|작성했",
    r"\b(?:ajouté\w*|créé\w*|activé\w*|configuré\w*|poussé\w*|renforcé\w*|implémenté\w*|agregad\w+|añadid\w+|cread\w+"
    r"|activad\w+|configurad\w+|implementad\w+|hinzugefügt|angelegt|erstellt|aktiviert|konfiguriert|eingerichtet"
    r"|aggiunt\w+|creat\w+|attivat\w+|adicionad\w+|criad\w+|ativad\w+|toegevoegd|aangemaakt|tilføjet|oprettet|skapad\w*"
    r"|dodan\w+|utworzon\w+|přidán\w*|vytvořen\w*|zapnut\w*|eklendi|oluşturuldu|etkinleştirildi)\b",
    r"\b(?:добав\w+|созда\w+|включ[её]н\w*|настро(?:ен|ил)\w*|дода\w+|створ\w+|увімкн\w+)\b",
)
_NOT_HANDED_IN: Final = Cue(
    r"\b(?:not (?:yet )?(?:been )?(?:pushed|committed|merged|staged)|uncommitted|unpushed|unstaged"
    r"|(?:haven'?t|have not) (?:yet )?(?:pushed|committed|merged))\b",
    r"(?:未|没有?|尚未|还没有?)(?:提交|推送|合并)|未コミット|未プッシュ|커밋(?:하지|되지) 않|미커밋|푸시(?:하지"
    r"|되지) 않",
    r"\b(?:non (?:poussé|commité|committé)\w*|pas encore (?:poussé|commité)\w*|sin (?:commitear|subir)"
    r"|nicht (?:gepusht|committet|eingecheckt)|non (?:pushat\w*|committat\w*)|niet gepusht|ikke pushet)\b",
    r"\b(?:не (?:закоммич\w+|запушен\w*|отправлен\w* в))",
)
# A piece of work by its number, and what somebody says there is none of.
_NUMBERED: Final = re.compile(
    r"\b(?:feature|phase|task|step|story|milestone|module|part|étape|fase|tarea|schritt|этап|задача)s? \d+\b"
    r"|(?:阶段|任务|步骤|功能|フェーズ|タスク|단계) ?\d+",
    re.IGNORECASE,
)
_NONE_OF: Final = re.compile(
    r"\b(?:no|aucune?|ningun[ao]?|ningún|kein(?:e|en|er)?|nessun[ao]?|nenhum[a]?|geen)\s+(?P<what>[^\W\d_]{4,24})"
    r"|(?:没有|缺少|尚无)(?P<zh>[\u3400-\u9fff]{2,4})|\bнет (?P<ru>[^\W\d_]{4,24})",
    re.IGNORECASE,
)
_THERE: Final = Cue(
    r"\b(?:exists?|present|complete[d]?|done|finished|passes|passing|works now|available now|applied"
    r"|successfully)\b|✅",
    r"已?(?:存在|完成|就绪|通过|可用)|完了|存在します|완료|존재",
    r"\b(?:exist(?:e|ent|en|ono)|présente?s?|terminée?s?|appliquée?s?|avec succès|completad[oa]s?|terminad[oa]s?"
    r"|vorhanden|fertig|erledigt|abgeschlossen|completat[oa]|presenti?|concluíd[oa]|hotovo|gotowe|tamamlandı)\b",
    r"\b(?:готово|завершен\w*|выполнен\w*|существу\w+|завершено)\b",
)
_NOT_DONE: Final = Cue(
    r"\b(?:not (?:yet )?(?:completely |fully |entirely )?(?:done|complete[d]?|finished|implemented)|incomplete"
    r"|partial(?:ly)?|half done|unfinished)\b",
    r"未完成|没有?完成|部分完成|还没(?:做|完成|实现)|未完了|未実装|미완료|미구현|부분",
    r"\b(?:pas (?:encore )?(?:terminée?s?|complète?s?|fait)|incomplet\w*|partiel\w*"
    r"|no (?:está )?(?:complet|terminad)\w+|parcial\w*|noch nicht fertig|unvollständig|teilweise"
    r"|non (?:completat|finit)\w+|parzial\w*)\b",
    r"\b(?:не (?:завершен|готов|сделан|реализован)\w*|частично)\b",
)
_NAMES_FILE: Final = re.compile(r"\w\.[a-z]\w{0,5}\b")
_FILE: Final = re.compile(r"[/.]")


def supplied(thread: Thread) -> frozenset[Statement]:
    """Return what the model said to be missing, or not handed in, which a later exchange shows to be there."""
    made, finished = _made(thread), _finished(thread)
    handed_in = max((run.position for run in thread.runs if run.ok is not False and _hands_in(run.command)), default=-1)
    found: set[Statement] = set()
    for one in thread.statements:
        if one.speaker != "assistant":
            continue
        late = one.position < handed_in and _NOT_HANDED_IN.search(one.text) is not None
        looked = _NAMES_FILE.search(one.text) is None  # of a file that was changed it is told what it has not
        lacking = (*_named(one.text, _MISSING), *(_none_of(one.text) if looked else ()))
        if (
            late
            or any(made.get(name, -1) > one.exchange for name in lacking)
            or any(finished.get(name, -1) > one.position for name in _works(one.text, _NOT_DONE))
        ):
            found.add(one)
    return frozenset(found)


def _made(thread: Thread) -> dict[str, int]:
    """Return the last exchange in which each thing is said to have been made, or was created as a file."""
    found: dict[str, int] = defaultdict(lambda: -1)
    for one in thread.statements:
        if one.speaker == "assistant" and not (cues.PLAN.match(one.text) or cues.QUESTION.search(one.text)):
            for name in _named(one.text, _MADE):
                if not _FILE.search(name):
                    found[name] = one.exchange
            if not any(cue.search(one.text) for cue in (_MISSING, _NOT_DONE, cues.OPEN)):
                near = [match.span() for cue in (_THERE, _MADE) for match in cue.every(one.text)]
                found.update(
                    (_stem(word[0]), one.exchange)
                    for word in _PLAIN.finditer(one.text)
                    if any(word.start() - last <= _NEAR and first - word.end() <= _NEAR for first, last in near)
                )
    for number, exchange in enumerate(thread.exchanges):
        for message in thread.messages[exchange.first : exchange.last + 1]:
            for call in message.tool_calls:
                for change in call.changes:
                    if change.op == "create" and call.ok is not False:
                        path = change.path.replace("\\", "/").casefold()
                        found[path.rsplit("/", 1)[-1]] = number
    return dict(found)


def _finished(thread: Thread) -> dict[str, int]:
    """Return the position at which each numbered piece of work was last said to be done."""
    return {
        name: one.position
        for one in thread.statements
        if one.speaker == "assistant" and not (cues.PLAN.match(one.text) or _NOT_DONE.search(one.text))
        for name in _works(one.text, _THERE)
    }


def _works(text: str, cue: Cue) -> Iterator[str]:
    """Yield the pieces of work that a text names by their number, where it has a cue."""
    if cue.search(text):
        yield from (" ".join(match[0].casefold().split()) for match in _NUMBERED.finditer(text))


def _none_of(text: str) -> Iterator[str]:
    for match in _NONE_OF.finditer(text):
        yield _stem(match["what"] or match["zh"] or match["ru"])


def _stem(word: str) -> str:
    """Return the key of a plain word, the same for one and for many of it; no identifier looks like it."""
    return f"~{word.casefold().rstrip('s')}"


def _named(text: str, cue: Cue) -> Iterator[str]:
    """Yield the names of things, without their folders, that stand close to a cue in a text."""
    near = [match.span() for match in cue.every(text)]
    if not near:
        return
    for match in cues.IDENTIFIER.finditer(text):
        if any(match.start() - last <= _NEAR and first - match.end() <= _NEAR for first, last in near):
            name = match[0].strip("`").casefold()
            yield name.rsplit("/", 1)[-1]


def _hands_in(command: str) -> bool:
    return re.search(r"\bgit\s+(?:-\S+\s+)*(?:push|commit|merge)\b", command) is not None
