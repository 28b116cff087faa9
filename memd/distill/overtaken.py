"""What the session overtook: what was said before holds no longer.

A later message says a thing is gone: removed, replaced, wrong. Narrow on purpose: all that the later sentence names
has to stand in the earlier one, and a sentence that speaks of the removal itself, or of both old and new, stays. Or a
cause was named, and the person says it is as before; something was not known yet in the midst of the session; a request
was put on hold, and closed in the end.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain, pairwise
from typing import Final

from memd.distill import amending, answers, cues, tongues
from memd.distill.cue import Cue
from memd.distill.findings import reports_trouble
from memd.distill.instructions import is_rule
from memd.distill.reasons import is_order
from memd.distill.reversal import reversed_in
from memd.distill.supplied import supplied
from memd.distill.taken import plain
from memd.distill.thread import Exchange, Statement, Thread
from memd.distill.versions import outdated
from memd.text.tokens import terms

_GONE: Final = re.compile(
    r"\b(?:gone|removed|deleted|dropped|reverted|replaced|rolled back|replaces|wrong|no longer \w+|kaldırıldı|silindi"
    r"|odstraněn\w*|eliminad\w+|supprimé\w*|retiré\w*|removid\w+|entfernt|gelöscht|fjernet|usunięt\w+|удал[её]н\w*"
    r"|убран\w*|видален\w*)\b|移除了?|删除了?|刪除了?|去掉了?|撤回了?|回退了?|を削除|を廃止|(?:을|를)? ?(?:제거|삭제)",
    re.IGNORECASE,
)
_NAMES_AFTER: Final = re.compile(
    r"removed|deleted|dropped|reverted|replaced|rolled|replaces|移除|删除|刪除|去掉|撤回|回退", re.IGNORECASE
)
# "The real problem: it's not about the clock at all."
_NOT_ABOUT: Final = re.compile(
    r"\b(?:real|actual|true) (?:problem|cause|issue|culprit|reason)\b.{0,40}?\bnot (?:about )?(?P<what>[^.!?;:]{3,60}?)"
    r"(?: at all|[.!?;:]|$)",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(r"[.;:!?,，。；：、\n]")
_MOST: Final = 60  # characters before and after that name the thing
_BOTH: Final = re.compile(r"→|->|=>|\binstead of\b|\brather than\b|而不是|代替|대신|yerine")
_EMPTY: Final = frozenset(
    """
    vs then stuff change changes thing code again version part branch test tests file files line lines old new earlier
    also now already so it that this one md back
    """.split()
)
_LEAST: Final = 2  # terms that name a thing well enough
_LAST_EXCHANGES: Final = 2
_NOT_YET: Final = Cue(
    r"\b(?:unverified|not (?:yet )?(?:verified|checked|confirmed|tested)|still (?:running|building|waiting)|in progress"
    r"|(?:haven'?t|have not|couldn'?t|could not|can'?t|cannot) (?:yet )?(?:be )?(?:verif(?:y|ied)|check(?:ed)?"
    r"|confirm(?:ed)?|test(?:ed)?)|(?:is|are) (?:running|building) (?:now|in the background)|waiting for"
    r"|i(?:'m| am| was)? (?:wasn'?t able to|unable to|not able to|couldn'?t|could not|can'?t|cannot) (?:\w+ )?"
    r"(?:find|open|access|reach|connect|locate|see|read|fetch|download|load))\b",
    r"\b(?:not (?:yet )?(?:authenticated|authori[sz]ed|logged in|signed in|connected)|unauthenticated"
    r"|isn'?t (?:authenticated|logged in|running|reachable)|token (?:is )?(?:invalid|expired))\b",
    r"(?:未(?:认证|登录|授权)|没有登录|ログインしていません|認証されていません|未認証|로그인되지|인증되지)",
    r"\b(?:non (?:authentifié|connecté)e?s?|pas (?:authentifié|connecté)e?s?|no (?:está )?autenticad[oa]|sin autenticar"
    r"|nicht (?:angemeldet|eingeloggt|authentifiziert)|non autenticat[oa]|não autenticad[oa])\b",
    r"\bне (?:авторизован|аутентифицирован|залогинен)\w*",
    r"(?:未验证|未驗證|尚未确认|没有验证|进行中|正在运行|等待中)"
    r"|我(?:无法|没法|未能|不能)(?:找到|打开|访问|连接|读取|下载)|(?:見つけられ|開け|接続でき|アクセスでき)ませんでした"
    r"|(?:찾을|열|접속할|접근할|읽을) 수 없(?:습니다|었습니다)"
    r"|(?:未検証|未確認|進行中|実行中|待っています|미검증|확인하지 못|진행 ?중|대기 ?중|실행 ?중)",
    *tongues.NOT_YET,
)
_STILL: Final = Cue(
    r"\b(?:still|again|same (?:error|problem|issue|thing|result)|not fixed|no (?:change|difference)"
    r"|(?:didn'?t|did not|doesn'?t|does not|don'?t) (?:help|fix|work|change))\b",
    r"(?:还是|仍然|依然|又(?:报|出)|一样的(?:错|问题)|還是|同样|没用|まだ|また|同じ|変わら|여전히|아직도|똑같|또)",
    *tongues.STILL,
)
_DEFAULT: Final = Cue(
    r"\b(?:by default|defaults? (?:to|is)|the default)\b",
    r"默认|預設|缺省|デフォルト|既定|기본(?:값|적으로)",
    r"\b(?:par défaut|por defecto|predeterminad[oa]|standardmäßig|per impostazione predefinita|por padrão|domyślnie"
    r"|ve výchozím|varsayılan)\b",
    r"\bпо умолчанию\b",
)
# "Sorry, wrong chat, ignore my last message".
_WRONG_PLACE: Final = Cue(
    r"\bwrong (?:chat|window|tab|thread|session|terminal|repo(?:sitory)?|project|conversation)\b"
    r"|\b(?:ignore|disregard|forget|scratch) (?:my|that|the) (?:last|previous|prior) (?:message|prompt|one|comment)\b"
    r"|\b(?:ignore|disregard) (?:the )?last (?:message|prompt)\b",
    r"发错(?:了|窗口|地方)|(?:忽略|无视)(?:我)?(?:上一?条|刚才的)(?:消息|信息)?"
    r"|誤爆|前のメッセージは無視|방금 메시지는 무시",
    r"\b(?:mensaje equivocado|chat equivocado|falscher chat|falsches fenster|mauvaise (?:fenêtre|conversation))\b",
    r"\bне (?:туда|в тот чат)\b",
)
# "Replaced it with a table" says that the table is there.
_BY: Final = re.compile(r"\s(?:with|by|durch|por|par|avec|con)\s", re.IGNORECASE)
_UNDO: Final = re.compile(r"\s*/undo\s*")
_GOES_ON: Final = 60  # characters of a prompt that only says to go on
_FIRST_WORDS: Final = 200  # characters of a prompt that say how the last attempt went
_AGAIN: Final = 0.6  # share of an unanswered prompt's terms that the next one has
_NUMBERED: Final = re.compile(r"#(\d{1,6})\b")
_NUMBERS: Final = re.compile(r"(?<![\d.])(\d{1,6})(?![\d.])")
_HOLD: Final = Cue(
    r"\b(?:hold|park(?:ed)?|postpone\w*|defer\w*|wait|later|not now|leave (?:it|that) open)\b",
    r"(?:保留|搁置|暂缓|先不|擱置|暫緩|保留する|後回し|見送|보류|나중에|미루)",
    *tongues.HOLD,
)
_CLOSED: Final = Cue(
    r"\b(?:close[sd]?|closing|merge[sd]?|merging|land(?:ed|s)?|superseded)\b",
    r"(?:关闭|合并|關閉|合併|マージ|クローズ|닫|머지|병합)",
    *tongues.CLOSED,
)


def gone(text: str) -> Iterator[frozenset[str]]:
    """Yield the terms of each thing that a sentence says is removed, replaced, wrong, or not what it was about."""
    for match in _NOT_ABOUT.finditer(text):
        found = frozenset(term for term in terms(match["what"]) if len(term) > 1) - _EMPTY
        if len(found) >= _LEAST:
            yield found
    for match in _GONE.finditer(text):
        before = _CLAUSE.split(text[max(match.start() - _MOST, 0) : match.start()])[-1]
        after = _CLAUSE.split(text[match.end() : match.end() + _MOST])[0] if _NAMES_AFTER.match(match[0]) else ""
        for named in (before, _BY.split(after)[0]):
            found = frozenset(term for term in terms(named) if len(term) > 1) - _EMPTY
            if len(found) >= _LEAST:
                yield found


def overtaken(thread: Thread) -> frozenset[Statement]:
    """Return the statements that what came later in the session has overtaken."""
    return frozenset().union(
        _reported_gone(thread),
        _of_the_moment(thread),
        _refuted(thread),
        _thought_over(thread),
        _asked_again(thread),
        _undone(thread),
        _aborted(thread),
        supplied(thread),
        outdated(thread),
        _other_default(thread),
        answers.refused(thread),
        amending.amended(thread),
        _meant_elsewhere(thread),
    )


def _other_default(thread: Thread) -> frozenset[Statement]:
    """Return what the model said to be the default of a thing that has another one since a later exchange."""
    told = [one for one in thread.statements if one.speaker == "assistant" and _DEFAULT.search(one.text)]
    changed: dict[str, int] = {}
    for one in told:
        if cues.FIX.search(one.text) and not (cues.PLAN.match(one.text) or cues.PROPOSAL.search(one.text)):
            changed.update((match[0].strip("`"), one.exchange) for match in cues.IDENTIFIER.finditer(one.text))
    return frozenset(
        one
        for one in told
        if any(changed.get(m[0].strip("`"), -1) > one.exchange for m in cues.IDENTIFIER.finditer(one.text))
    )


def _aborted(thread: Thread) -> frozenset[Statement]:
    """Return what was ordered and said of the work that a person then called off: in the last exchange and before."""
    found: set[Statement] = set()
    for number, exchange in enumerate(thread.exchanges):
        if number == 0 or exchange.prompt is None or not cues.ABORTED.match(exchange.prompt.text):
            continue
        first = number - 1
        while first > 0 and _only_goes_on(thread.exchanges[first]):
            first -= 1
        begun = (one for one in thread.statements if first <= one.exchange < number)
        found.update(one for one in begun if one.speaker == "assistant" or (is_order(one.text) and not is_rule(one)))
    return frozenset(found)


def _meant_elsewhere(thread: Thread) -> frozenset[Statement]:
    """Return what a person said by mistake, in another conversation's stead, with what was answered to it."""
    found: set[Statement] = set()
    for number, exchange in enumerate(thread.exchanges):
        if number and exchange.prompt is not None and _WRONG_PLACE.search(exchange.prompt.text[:_FIRST_WORDS]):
            found.update(one for one in thread.statements if one.exchange == number - 1)
            found.update(one for one in thread.by_message.get(exchange.first, ()) if _WRONG_PLACE.search(one.text))
    return frozenset(found)


def _only_goes_on(exchange: Exchange) -> bool:
    """Return whether a prompt does no more than to have the exchange before it carried out, or called off."""
    told = exchange.prompt.text.strip() if exchange.prompt is not None else ""
    return len(told) <= _GOES_ON and (cues.ACCEPT.match(told) is not None or cues.ABORTED.match(told) is not None)


def _undone(thread: Thread) -> frozenset[Statement]:
    """Return what the model said with the changes that a person then undid: the last reply that told of something."""
    found: set[Statement] = set()
    for at, message in enumerate(thread.messages):
        if message.role == "user" and message.kind == "command" and _UNDO.fullmatch(message.text):
            before = (said for back in range(at - 1, -1, -1) if (said := thread.by_message.get(back)))
            said = next(before, ())
            if said and said[0].speaker == "assistant":
                found.update(said)
    return frozenset(found)


def _of_the_moment(thread: Thread) -> frozenset[Statement]:
    """Return what the model said was not known or done yet, before the last exchanges: those say what became of it."""
    end = len(thread.exchanges) - _LAST_EXCHANGES
    return frozenset(
        one
        for one in thread.statements
        if one.speaker == "assistant" and one.exchange < end and _NOT_YET.search(one.text)
    )


def _refuted(thread: Thread) -> frozenset[Statement]:
    """Return the causes and fixes after which a person said that it is as before, where another cause was found."""
    causes = [one for one in thread.statements if one.speaker == "assistant" and cues.CAUSE.search(one.text)]
    last = max((one.exchange for one in causes), default=-1)
    still = {
        number
        for number, exchange in enumerate(thread.exchanges)
        if 0 < number <= last and exchange.prompt is not None and _STILL.search(exchange.prompt.text[:_FIRST_WORDS])
        if any(reports_trouble(one.text) for one in thread.by_message.get(exchange.first, ()))
    }
    return frozenset(one for one in causes if one.exchange + 1 in still)


def _asked_again(thread: Thread) -> frozenset[Statement]:
    """Return what a person said and nobody answered, where they say most of it again at once: interrupted, put anew."""
    found: set[Statement] = set()
    for one, again in pairwise(thread.exchanges):
        said, anew = thread.by_message.get(one.first, ()), thread.by_message.get(again.first, ())
        if one.final is not None or one.prompt is None or again.prompt is None or thread.edited(one.first, one.last):
            continue
        own = {term for statement in said for term in thread.terms(statement)}
        told = {term for statement in anew for term in thread.terms(statement)}
        if own and len(own & told) >= _AGAIN * len(own):
            found.update(said)
    return frozenset(found)


def _thought_over(thread: Thread) -> frozenset[Statement]:
    """Return the causes that the model named on the way to another one: no file was changed in between, so it went on.

    Two causes in one exchange with a change between them are two troubles, each with its own.
    """
    found: set[Statement] = set()
    last: Statement | None = None
    for one in reversed(thread.statements):
        if one.speaker != "assistant" or not _names_a_cause(one.text):
            continue
        if last is not None and one.exchange == last.exchange and one.position < last.position:
            if not thread.edited(one.position, last.position - 1):
                found.add(one)
        else:
            last = one
    return frozenset(found)


def _names_a_cause(text: str) -> bool:
    return cues.CAUSE.search(text) is not None and not (cues.QUESTION.search(text) or cues.PLAN.match(text))


def closed_later(thread: Thread, statement: Statement, words: str) -> bool:
    """Return whether what `words` put on hold, said at a statement, was closed or merged later: an issue, a request."""
    named = set(_NUMBERED.findall(words))
    if not named or not _HOLD.search(words):
        return False
    told = (one.text for one in thread.statements if one.position > statement.position)
    ran = (run.command for run in thread.runs if run.position > statement.position and run.ok is not False)
    return any(_CLOSED.search(text) and named & set(_NUMBERS.findall(text)) for text in chain(told, ran))


def _reported_gone(thread: Thread) -> frozenset[Statement]:
    """Return the statements of things that the model, in a later message, reported as gone."""
    reported: dict[str, list[tuple[Statement, frozenset[str]]]] = defaultdict(list)
    for later in thread.statements:
        text = later.text
        if later.speaker == "user" or cues.QUESTION.search(text) or cues.PLAN.match(text) or cues.PROPOSAL.search(text):
            continue
        for named in gone(text):
            reported[min(named)].append((later, named))
    if not reported:
        return frozenset()
    found: set[Statement] = set()
    before: Statement | None = None
    for one in thread.statements:
        same = before is not None and (before.message, before.block) == (one.message, one.block)
        around = thread.terms(one) | (thread.terms(before) if same and before is not None else frozenset())
        if _is_overtaken(one, thread.terms(one), around, reported):
            found.add(one)
        before = one
    return frozenset(found)


def _is_overtaken(
    statement: Statement,
    own: frozenset[str],
    around: frozenset[str],
    reported: dict[str, list[tuple[Statement, frozenset[str]]]],
) -> bool:
    """Return whether something is reported gone that a statement names, half of it perhaps in the sentence before."""
    if around.isdisjoint(reported):
        return False
    if _BOTH.search(statement.text) or cues.NEGATED_ORDER.search(statement.text):
        return False
    found = [
        named
        for term in around & reported.keys()
        for later, named in reported[term]
        if named <= around and 2 * len(named & own) >= len(named) and later.position > statement.position
    ]
    # Who speaks of the removal itself, or wanted it, says nothing that it ended.
    wanted = map(plain, reversed_in(statement.text)) if statement.speaker == "user" else ()
    said = (*gone(statement.text), *wanted)
    return bool(found) and not any(named & one for one in said for named in found)
