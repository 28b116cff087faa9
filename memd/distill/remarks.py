"""Remarks: what people and models say without telling anything that could be kept.

A guess, a question, thanks, hearsay, a wish that holds of any project. What stays of a passage without them is weighed.
"""

from __future__ import annotations

import re
from typing import Final

from memd.distill import cues, tongues
from memd.distill.chat import is_chat, is_request
from memd.distill.cue import Cue
from memd.distill.size import size

_REDACTED: Final = re.compile(r"[=:]\s*\S*\[redacted:")  # an assignment that held a secret tells nothing without it
_SPECULATES: Final = re.compile(
    r"\b(?:if (?:we|i|it|they) ever|some ?day|one day|in theory|what if|hypothetically|si algún día|si un jour"
    r"|falls wir|если когда-нибудь|якщо колись)\b|(?:万一|要是以后|如果以后|假如)|(?:もしいつか|언젠가)",
    re.IGNORECASE,
)
# How it would be if something were so, which it is not.
_COUNTERFACTUAL: Final = Cue(
    r"\bif (?:we|i|you|they|it|there|this|that) (?:had|were|was|did)\b.{0,80}\b(?:could|would|might)\b"
    r"|\b(?:could|would|might)\b.{0,80}\bif (?:we|i|you|they|it|there|this|that) (?:had|were|did)\b",
    *tongues.COUNTERFACTUAL,
)
# What is left of a sentence whose middle was a block of code: "I'm getting ... when building on the new laptop".
_ONLY_LINKS: Final = re.compile(r"(?:\W*https?://\S+)+\W*")
_TORN_CLAUSE: Final = re.compile(
    r"^\W*(?:(?:when|while|after|before) \w+ing\b[^,;:]{0,80}|i(?:'m| am) (?:getting|seeing)|i (?:get|see)"
    r"|(?:it|this) (?:says|prints|gives))\W*$",
    re.IGNORECASE,
)
_SHORT_COMPLAINT: Final = 40  # of `size`
_COMPLAINS: Final = re.compile(
    r"^\W*(?:(?:hm+|ugh|oh|ok(?:ay)?|damn|and|but|now|so)\W+)*(?:the |my |our |this |that |all )?[\w' -]{1,24}?"
    r" (?:is|are|'s|keeps?|still|just)? ?(?:red|broken|failing|fails|failed|down|dead|stuck|crashing|crashes|hangs"
    r"|flaky|not working|slow|annoying)(?: (?:again|now|too|still|today))?\W*$",
    re.IGNORECASE,
)
_IF_THERE: Final = Cue(
    r"\bif (?:\w+ ){1,3}(?:exists?|is (?:present|there))\b|\bif there is one\b"
    r"|\bif (?:it'?s|it is|you|not|that'?s|they'?re)?\s*(?:have(?:n'?t| not)|not|don'?t have (?:it|them)|isn'?t)? ?"
    r"(?:already|yet) (?:done|installed|set|there|created|present)\b|\bif you (?:haven'?t|have not)\b",
    r"(?:如果|若)(?:还|尚)?(?:没有?|未)(?:安装|创建|配置)|まだ(?:なら|の場合|インストールしていな)"
    r"|아직 .{0,12}(?:않았다면|안 했다면)",
    r"\b(?:si ce n'est pas (?:déjà )?(?:fait|le cas)|si aún no|si no lo has|falls (?:noch )?nicht (?:schon |bereits )?"
    r"(?:geschehen|installiert|vorhanden)|se non (?:l'hai|è già)|caso ainda não|pokud (?:ještě|už) ne\w*"
    r"|jeśli jeszcze nie"
    r"|henüz .{0,20}(?:değilse|ysanız))\b",
    r"\b(?:если (?:ещё|еще) не|якщо (?:ще|досі) не)\b",
    *tongues.IF_THERE,
)
# What somebody thought turned out otherwise, and what they try is not settled yet.
_MISTOOK: Final = Cue(
    r"\bi (?:thought|assumed|had assumed|believed|was under the impression)\b",
    r"(?:我(?:还|原本|本来)?以为|原以为)|と思ってた|と思っていた|(?:ㄴ|은|는) 줄 알았",
    r"\b(?:pensé|creía|creí|je pensais|je croyais|ich dachte|pensavo|achei|pensei|sanmıştım|sanıyordum|myslel jsem"
    r"|myślałem|jeg troede)\b",
    r"\b(?:я думал\w*|я считал\w*|думала|гадав|я вважа\w*)\b",
)
_TRIES: Final = Cue(
    r"^\W*(?:ok(?:ay)?,? |then |so |and |now )*(?:let'?s |let me |maybe |please |can we |could we )?try\b"
    r"|\b(?:i'?d like to|i want to|wanna|let'?s) (?:try|experiment|test)\b|\btry\b[^.]*\?",
    r"(?:我?想试|试一?[下试]|要不试)|試してみ|해 ?보[자고]",
    r"\b(?:prueba|probemos|essaie|essayons|versuch|probier|deneyelim|zkusme|zkus|spróbuj)\b",
    r"\b(?:попробу\w+|спробу\w+)\b",
)
_OFFERS: Final = re.compile(
    r"\bwould be an? (?:alternative|option)\b|;\s+or,?\s+\w|\bSEARCH(?:/REPLACE)?\s+(?:block|section)"
    r"|\b[Bb]lo\w+ SEARCH\b|^\W*(?:options?|alternatives?)(?: for [^:]{1,40})?:|^\W*alternatively\b"
    r"|\banother (?:option|way|approach)\b|^\W*(?:for example|e\.g\.|examples?|exemple|ejemplo|beispiel|esempio|exemplo"
    r"|příklad|przykład|örnek|пример|приклад|例如|示例|例|예(?:시)?)\W{0,4}[:：]"
    r"|^\W*(?:next|further|other|další|następne|prochaines|próximos|weitere|nächste|дальнейшие|следующие) (?:\w+ )?"
    r"(?:could|might|would|by mohly|mogłyby|pourraient|podrían|könnten|potrebbero|poderiam|могли бы|могут)\b"
    r"|\bwould help (?:to )?(?:identify|with|you)\b",
    re.IGNORECASE,
)
# What the model could do as well, if the person wants it.
_IF_YOU_WANT: Final = Cue(
    r"^\W*(?:(?:and|or|but|also)\W+)?(?:if you(?:'d| would)? (?:want|like|prefer|wish)\b|if you(?:'d| would) rather\b"
    r"|want me to\b|let me know if\b|just (?:say|tell me)\b|i(?:'m| am) happy to\b|i can (?:also|then) \w+)"
    r"|\bif you(?:'d)? (?:want|like|prefer)[.!]?\W*$",
    r"^\W*(?:如果|若|要是)(?:你|您)(?:还|也)?(?:想|需要|愿意|希望|要|觉得)|^\W*(?:如需|需要的话|要的话)|^\W*(?:你)?如果(?:想|愿意|需要)[^，]{0,12}[，,]我",
    r"^\W*(?:必要(?:なら|であれば|に応じて)|ご希望|よければ|よろしければ|希望があれば)|^\W*(?:원하(?:시면|면|신다면)|필요하(?:시면|면))",
    r"^\W*(?:(?:et|y|e|und|ou|o)\W+)?(?:si tu (?:veux|préfères|souhaites)|si vous (?:voulez|préférez|souhaitez)"
    r"|dis-moi (?:si|et)|si (?:quieres|quiere|prefieres|deseas|lo deseas|gustas)|wenn (?:du|sie) (?:willst|möchtest"
    r"|magst|wollen|möchten)|falls (?:du|sie) (?:willst|möchtest|wollen|möchten)|se (?:vuoi|preferisci|desideri|quiser"
    r"|preferir)|pokud (?:chceš|chcete)|jeśli (?:chcesz|chcecie)|isterse(?:n|niz))\b",
    r"^\W*(?:если (?:хочешь|хотите|нужно|желаете|надо)|якщо (?:хочеш|хочете|бажаєте|потрібно))\b",
)
# What a page or a file wants of its readers is nobody's wish here, and what the model ignored even less.
_REPORTS_ORDERS: Final = re.compile(
    r"\b(?:tells?|told|instructs?|instructed|asks?|asked|wants?|urges?|orders?)\s+"
    r"(?:ai |coding |the |any |all )*"
    r"(?:agents?|assistants?|ais?|models?|llms?|readers?|contributors?|me|us)\b"
    r"|\b(?:injected|injection|embedded instructions?)\b"
    r"|\b(?:did not|didn't|won't|will not|not) follow(?:ing)? (?:that|it|them|those|the)\b|\bwhich i ignored\b"
    r"|提示注入|注入的指令|忽略了",
    re.IGNORECASE,
)
# Who thinks aloud has not found it yet.
_THINKS_ALOUD: Final = Cue(
    r"^\W*(?:(?:but|oh|ah|ok(?:ay)?|and|so)\W+)*(?:wait|hold on|hm{2,}|let me think)\b(?=\W)",
    r"^\W*(?:但是?|不过|啊|嗯)?[，,]?(?:等等|等一下|等下|不对|让我想想)(?=[，,。.！!—–-])|^\W*(?:待って|いや待)"
    r"|^\W*(?:잠깐|잠시만)(?=\W)",
    r"^\W*(?:(?:mais|pero|aber|ma|mas|ale|ama|maar|men)\W+)*(?:attends|attendez|espera|warte|moment mal|aspetta|espere"
    r"|wacht|vent|vänta|czekaj|počkej|bekle|dur)\b(?=\W)",
    r"^\W*(?:(?:но|але|а)\W+)*(?:стоп|погоди|подожди\w*|постой\w*|чекай|зачекай\w*)(?=\W)",
)
# What the model says to have been asked or given, before it tells anything.
_ACKNOWLEDGES: Final = Cue(
    r"^\W*(?:(?:ok(?:ay)?|great|sure|right|perfect)\W+)*(?:thank(?:s| you) for (?:\w+ing|the|your|that|this)\b"
    r"|based on your (?:request|description|message)\b|i (?:understand|see) (?:that )?you(?:'d| would|'re"
    r"| are)? (?:want|like|need|ask)"
    r"|you(?:'d| would)? (?:want|like) me to\b|since you(?:'ve| have)? (?:not|asked|want)\b|i'?ll assume\b)",
    r"^\W*(?:好的?[，,])?(?:感谢(?:你|您)|谢谢(?:你|您)的|根据(?:你|您)的(?:要求|需求|描述)|我(?:理解|明白)(?:你"
    r"|您)(?:想|要|希望))"
    r"|^\W*(?:ご依頼|ご質問|ご提供)|^\W*(?:요청하신|말씀하신)",
    r"^\W*(?:rozumím, že|rozumiem, że|je comprends que|merci (?:pour|de)|entiendo que|gracias por|ich verstehe, dass"
    r"|danke für"
    r"|capisco che|grazie per|entendo que|obrigad[oa] por|anladım|ik begrijp dat)\b",
    r"^\W*(?:я (?:понимаю|понял\w*), что вы|спасибо за|я розумію, що)\b",
)
# What this session's sandbox let the model do says nothing of the project.
# "I'm reading the nearby tests now": not "I'm going with a queue", "I'm keeping the table".
_AT_WORK: Final = Cue(
    r"^\W*(?:(?:now|next|so|also|then|meanwhile)\W+)?i(?:'m| am)(?: now| also| just| currently| then| next)? (?:check"
    r"|read|search|look|re-?run|run|grab|pull|trac|inspect|verify|validat|confirm|stag|poll|start|open|compar|review|load"
    r"|edit|patch|writ|fetch|scan|digg|test|rebas|commit|push|install|build|explor|investigat|walk|gather|queu|wait"
    r"|do|rewrit|clean|try|dispatch)ing\b",
)
_OF_THE_SANDBOX: Final = Cue(
    r"\b(?:environment|sandbox|session|workspace|filesystem|file system) (?:is|was) (?:currently )?(?:read[- ]only"
    r"|restricted|sandboxed)"
    r"|\b(?:network|internet) access (?:is|was) (?:restricted|disabled|blocked|not available)"
    r"|\bread[- ]only (?:sandbox|environment|mode|session)"
    r"|\b(?:i|we) (?:did ?n[o']t|couldn'?t|could not|was(?:n'?t| not) able to|haven'?t|have not|cannot"
    r"|can'?t) (?:run|execute|verify|test)\b"
    r".{0,80}\b(?:here|sandbox|environment|read[- ]only|permissions?|approval|network|in this session)\b",
    r"(?:当前|目前|该|这个)?(?:环境|沙箱|沙盒)(?:是|为|处于)?只读|网络(?:访问)?(?:受限|被禁)|(?:没有?|未"
    r"|无法)(?:运行|执行).{0,30}(?:沙箱|只读|环境限制|权限)"
    r"|(?:サンドボックス|読み取り専用).{0,30}(?:実行でき|実行していません|制限)|(?:샌드박스|읽기 전용).{0,30}(?:실행"
    r"|제한)",
    r"\b(?:environnement|sandbox|bac à sable|entorno|umgebung|ambiente|ortam|prostředí"
    r"|środowisko) (?:\w+ ){0,3}(?:lecture seule"
    r"|solo lectura|schreibgeschützt|sola lettura|somente leitura|salt okunur|jen pro čtení|tylko do odczytu)\b",
    r"\b(?:окружение|среда|песочниц\w+|середовище) (?:\w+ ){0,3}(?:только для чтения|лише для читання|ограничен\w*)\b",
)
# The subject of a commit, suggested as it is.
_SUBJECT_LINE: Final = re.compile(
    r"^\W*(?:feat|fix|docs|chore|refactor|tests?|style|perf|ci|build|revert)(?:\([^)]{1,40}\))?!?: [^.]+$"
)
# Somebody else's word, and not known to be so.
_HEARSAY: Final = Cue(
    r"\b(?:i(?:'ve| have)? (?:also )?heard|supposedly|reportedly|rumou?r has it|people say|someone (?:said|told me)"
    r"|they say|allegedly)\b",
    r"听说|据说|有人说",
    *tongues.HEARSAY,
)
# What anybody wants of any project ("clean code, please") says nothing of this one.
_OF_ANY_PROJECT: Final = Cue(
    r"\b(?:best practices?|clean code|high[- ]quality|production[- ](?:ready|grade|quality)|state of the art"
    r"|(?:good|great|best|nice|amazing|excellent|smooth) (?:user experience|ux|quality|job|work|app|design)"
    r"|as (?:good|well|clean|simple|nice|robust) as (?:possible|you can)|do your best|(?:be|being) (?:very )?(?:careful"
    r"|thorough)|think (?:hard\w*|carefully|step by step|deep\w*)|make it (?:perfect|beautiful|awesome|amazing"
    r"|professional|robust))\b",
    r"最佳实践|高质量|用户体验(?:要)?(?:好|更好|最好)|代码(?:要)?(?:整洁|干净|优雅)|仔细(?:想|思考|检查)|认真",
    *tongues.OF_ANY_PROJECT,
)
_MOST_OF_ANY: Final = 100  # of `size`: a longer sentence says more than that
_THANKS: Final = Cue(
    r"^\W*(?:(?:oh|ah+|aha|wow|hm+|ha(?:ha)*|ok(?:ay)?|yes|yeah|yep|well|and|but|that'?s|that is|it'?s|this is|what an?"
    r"|very|really|so|such an?|many|much|good|nice|great|cool|awesome|perfect|excellent|fantastic|lovely|brilliant"
    r"|amazing|beautiful|sweet|neat|super|fine|wonderful|one|job|work|catch|point|idea|find|stuff|thinking|spotted"
    r"|spot|done"
    r"|call|question|news|thanks?|thank|thx|ty|cheers|you|a lot|again|man|bro|mate|for (?:that|this|the help"
    r"|your help)|hi|hello|hey|morning|afternoon|evening|there|all|everyone|got it|understood|i see"
    r"|makes sense|to know|lol)\b\W*)+$",
    r"^\W*(?:(?:哦|噢|嗯|哈+|好的?|不错|很好|太好了|太棒了|真棒|厉害|谢谢你?|不用了|不客气|多谢|辛苦了?|你好|早上好"
    r"|明白了?|知道了|懂了|原来如此"
    r"|了|啊|呀|吧)\W*)+$",
    *tongues.THANKS,
)
# What the model says to have heard, of the message before and of none that follows.
_HEARD: Final = Cue(
    r"^\W*(?:(?:ok(?:ay)?|yes|sure|right|good|great|fine|alright|all right|of course|makes sense|thanks?|perfect|got it"
    r"|noted|understood)\W+)*"
    r"(?:will do|got it|agreed|remembered|(?:i(?:'ve| have)? )?(?:noted|understood|remembered)\b[^.`]{0,40}"
    r"|i'?ll (?:remember|bear|keep|do) (?:it|that|this|so)\b[^.`]{0,40}|ok(?:ay)?|sure|right|of course|makes sense"
    r"|sounds good|you'?re welcome|you got it|roger|copy that|consider it done)\W*$",
    r"^\W*(?:(?:好的?|嗯|行|明白|没问题|收到|可以)[，,。!！\s]*)*(?:我?(?:会|已经?)?(?:记住|记下|记好|记着|知道|明白"
    r"|了解|收到|懂|听懂)了?"
    r"|好的?|没问题|可以|行|嗯|遵命|照办|以后(?:会)?(?:注意|照做)|我会注意(?:的)?)(?:[，,。!！~\s]*)$"
    r"|^\W*(?:了解(?:しました|です)?|承知(?:しました|です)?|わかりました|かしこまりました|はい)\W*$"
    r"|^\W*(?:알겠습니다|네|기억하겠습니다)\W*$",
    r"^\W*(?:entendido|anotado|de acuerdo|vale|verstanden|notiert|alles klar|compris|noté|d'accord|capito|annotato"
    r"|entendi|anotei|rozumím|zrozumiano|anlaşıldı|tamam)\W*$",
    r"^\W*(?:понял\w*|понятно|запомнил\w*|хорошо|зрозумі\w+)\W*$",
)
# "A or not A" asks what follows: 要不要, 能不能.
_A_NOT_A: Final = re.compile(r"(\w)[不没沒]\1")
# What asks for no more than a nod: "every commit is signed, right?".
_TAG: Final = Cue(
    r",\s*(?:right|ok(?:ay)?|yes|no|isn'?t it|aren'?t they|don'?t you think|correct|agreed)\W*$",
    r"[，,](?:好吗|好嗎|好不好|对吗|对吧|對吧|行吗|可以吗|是吧)\W*$|(?:よね|ですね|죠|지요)\W*$",
    *tongues.TAG,
)
# What a question may want: "that should not be cached, right?", "ok, but never on Fridays?".
_WANTS: Final = Cue(
    r"(?:^\W*(?:(?:and|but|so|ok(?:ay)?|please|also)\W+)*|[,;:.!]\s+(?:(?:and|but|so|please)\s+)?)"
    r"(?:don'?t|do not|dont|never|no more|stop|avoid)\b|\b(?:should|must|ought to|better|rather) (?:not|never)\b"
    r"|\b(?:should|must)n'?t\b|\bno\b|\bi (?:don'?t|do not|dont) (?:want|need|like)\b|\bi(?:'d| would) rather\b",
    r"不要|别|不许|禁止|勿|不该|不应该",
    r"(?:しない|ないで|지 ?마|말고)",
    *tongues.NEGATED_ORDER,
)
_SHORT_NARRATION: Final = 60  # characters


def is_courtesy(text: str) -> bool:
    """Return whether a sentence is thanks, praise or a greeting, and nothing more."""
    return _THANKS.match(text) is not None


def only_heard(text: str) -> bool:
    """Return whether a sentence only says that what came before it was heard ("noted", 记住了)."""
    return _HEARD.match(text) is not None or is_courtesy(text)


def tells(text: str, speaker: str) -> bool:
    """Return whether a sentence that `speaker` ("user", "assistant") says tells something that could be kept."""
    if _REDACTED.search(text) or _SPECULATES.search(text) or _COUNTERFACTUAL.search(text):
        return False
    return _a_person_tells(text) if speaker == "user" else _the_model_tells(text)


def _a_person_tells(text: str) -> bool:
    if _ONLY_LINKS.fullmatch(text) or _TORN_CLAUSE.match(text) or _only_complains(text):
        return False
    if _MISTOOK.search(text) or _TRIES.search(text) or _HEARSAY.search(text) or is_courtesy(text):
        return False
    return not (_only_asks(text) or _of_any_project(text) or is_chat(text) or is_request(text))


def _the_model_tells(text: str) -> bool:
    return not (
        _OFFERS.search(text)
        or _IF_YOU_WANT.search(text)
        or _IF_THERE.search(text)
        or cues.HEDGED_CAUSE.search(text)
        or cues.QUESTION.search(text)
        or _REPORTS_ORDERS.search(text)
        or _THINKS_ALOUD.match(text)
        or _OF_THE_SANDBOX.search(text)
        or _ACKNOWLEDGES.match(text)
        or _SUBJECT_LINE.match(text)
        or cues.PLAN.match(text)
        or _AT_WORK.match(text)
        or (len(text) < _SHORT_NARRATION and cues.NARRATION.match(text))
    )


def _only_complains(text: str) -> bool:
    """Return whether a person says in few words that something is wrong, and names nothing ("the ci is red")."""
    if size(text) > _SHORT_COMPLAINT or any(cue.search(text) for cue in (cues.IDENTIFIER, cues.NUMBER, cues.BECAUSE)):
        return False
    return _COMPLAINS.match(text) is not None


def _only_asks(text: str) -> bool:
    """Return whether a person's sentence asks and does not want anything at the same time ("should not be, right?")."""
    if not cues.QUESTION.search(text):
        return False
    told = _A_NOT_A.split(text, maxsplit=1)[0]
    return not (_WANTS.search(told) or (_TAG.search(text) and cues.STANDING.search(told)))


def _of_any_project(text: str) -> bool:
    return (
        size(text) <= _MOST_OF_ANY
        and _OF_ANY_PROJECT.search(text) is not None
        and not (cues.IDENTIFIER.search(text) or cues.NUMBER.search(text) or cues.STANDING.search(text))
    )
