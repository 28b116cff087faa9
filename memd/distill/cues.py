"""Cues: the words that tell a rule from a remark, a decision from a proposal, a finding from a plan.

English and Chinese in full; of other languages the words that carry the most (`tongues.py`). A cue is searched in a
sentence whose quoted and code parts were kept. What a language's words cannot tell, structure has to
(who speaks, what is bold, what came before and after).
"""

from __future__ import annotations

import re
from typing import Final

from memd.distill import tongues
from memd.distill.cue import Cue

QUESTION: Final = Cue(
    r"[?？]\s*[\"'”’)*_`]*\s*$",
    r"^(?:(?:so|and|but|ok(?:ay)?|hm+|then|well|wait|now|also|yes|no),? )*"
    r"(?:what|which|who|whose|where|when|why|how|is|are|was|were|do|does"
    r"|did|can|could|would|should|shall|will"
    r"|has|have|any)\s+(?:is|are|was|do|does|did|would|should|could|about|many|much|long|often|come|the|this|that|there|it|we|you|i"
    r"|they)\b(?!.*[.!]\s*$)",
    r"(?:吗|呢|么|是不是|要不要|能不能|可不可以|有没有|为什么|怎么办|怎么样|(?:哪个|哪些)(?!.{0,8}都))[^。！]*$",
    r"(?:ですか|ますか|でしょうか|かな)[。\s]*$",
    r"(?:나요|까요|을까|ㄹ까|인가요)[.\s]*$",
    *tongues.QUESTION,
)

HYPOTHETICAL: Final = Cue(
    r"\b(?:if (?:we|you|i|it|they|someone|this|that|anyone|ever)\b|what if|suppose|imagine|in theory"
    r"|would(?:n't)? (?:be|have|need|mean|make|break)"
    r"|could (?:be|also|have|make|use|add|put|do)|might|maybe|perhaps|possibly|some ?day|one day|eventually"
    r"|probably|likely|i guess|i think|i suspect"
    r"|i believe|i assume|not sure|hopefully|seems?|appears? to|looks like|let'?s say|for example|for instance"
    r"|e\.g\.|hypothes[ie]s|theory|suspect)\b",
    r"(?:如果|要是|假如|假设|也许|可能|大概|或许|万一|猜|好像|似乎|应该是|说不定|比如|例如)",
    r"\b(?:quizá|tal vez|si algún día|podría|hipótesis|vielleicht|möglicherweise|könnte|wenn wir|peut-être"
    r"|pourrait|si on|forse|talvez|возможно|наверное|belki)\b",
    r"(?:かもしれ|たぶん|もし|と思い|아마|만약|것 같)",
    *tongues.HYPOTHETICAL,
)

PLAN: Final = Cue(
    r"^(?:now|next|first|then|also|so|ok(?:ay)?|right|good|great|perfect|alright|sure|got it"
    r"|done)?[,.:!\s—-]*(?:let me|let's|i'?ll|i will|i'?m going to|i am going to"
    r"|we'?ll|i'?d|i would|i can|i could|i want to|i need to|i should|time to|going to|about to|let us|now (?:i"
    r"|let|the|for)\b)",
    r"^now,? (?:add|updat|run|check|fix|rewrit|replac|creat|re-?number|remov|mov|verif|writ|implement|chang|edit|wir"
    r"|read|look|test|build|insert|push|commit|set|mak|us|handl|export|import|regist|stag)\w{0,3}\b",
    r"^(?:now|next|then),? \w+ing\b",
    r"^(?:checking|running|looking|reading|searching|adding|updating|creating|fixing|implementing|starting|writing"
    r"|testing|verifying|setting up|trying"
    r"|building|installing|committing|moving on|re-?running|investigating|exploring|reviewing|setting)\b",
    r"^(?:现在|接下来|下面|首先|先|然后|让我|我来|我会|我先|我将|我去|开始)",
    r"^(?:voy a|vamos a|ahora|primero|ich werde|jetzt|zuerst|je (?:vais|vérifie|regarde|corrige|procède|confirme|lance"
    r"|commence|vois)|ich (?:prüfe|schaue|sehe)|reviso|verifico|maintenant|d'abord|vou|agora|сейчас|теперь"
    r"|şimdi|nyní)\b",
    r"^(?:まず|次に|これから|먼저|이제)",
    *tongues.PLAN,
)

PROPOSAL: Final = Cue(
    r"\b(?:i'?d (?:suggest|recommend|go|start|use|prefer|rather|keep|say|first|lean)|i (?:suggest|recommend"
    r"|propose|would)|my recommendation|recommendation:|you (?:can|could|may|might|should)"
    r"|we (?:can|could|may|might|should)|options?|alternatives?|either\b.*\bor\b|want me to|shall i|should i"
    r"|would you like|let me know|say the word"
    r"|if you(?:'d| want| would| prefer| like| need)|do you want|consider|one way|another way)\b",
    r"(?:建议|可以考虑|要不要|推荐|不如|可选|方案[一二三1-3abc]|需要我|要我|你可以|我们可以|如果你|如需)",
    r"\b(?:sugiero|recomiendo|quieres que|podemos|podrías|empfehle|vorschlag|je propose|je suggère|souhaites-tu"
    r"|öneririm|navrhuji|предлагаю)\b",
    r"(?:提案|おすすめ|しますか|추천|제안|드릴까요|할까요)",
    *tongues.PROPOSAL,
)

HEDGED_CAUSE: Final = Cue(
    r"\b(?:maybe|perhaps|might|(?:may|could) (?:also |well )?be|probably|likely|possibly|suspect|guess|hypothes[ie]s"
    r"|i think|first thought|suspicion|not sure|seems?|appears?)\b",
    r"(?:可能|也许|大概|猜|怀疑|初步|似乎|好像|估计)",
    r"\b(?:hipótesis|quizá|sospech|vielleicht|vermut|peut-être|hypothèse|возможно|belki|možná)",
    r"(?:かもしれ|たぶん|推測|아마|추측)",
)

STANDING: Final = Cue(
    r"\b(?:always|never|from (?:now|today|here) on|every ?time|in (?:the )?future|going forward|henceforth|don'?t ever"
    r"|do not ever|at all times|whenever|no matter what|as a rule|rule\b.{0,30}:"
    r"|our (?:rule|convention|policy)|(?:the )?convention (?:is|here)|everywhere|anywhere|must(?: not|n't)?"
    r"|mandatory|required to|forbidden|not allowed|no go|no-go|by default|remember(?: (?:that|to)|(?=\s*[:,–—]))"
    r"|keep (?:it )?in mind|make sure (?:to|that|you)|be sure to|standing (?:rule|order|instruction)"
    r"|without asking|(?:ask|check with|consult|talk to) (?:the )?\w+(?: first)? before"
    r" (?:you (?!start\b|do\b|begin\b)|\w{3,}ing\b|any\b|every\b)"
    r"|(?:stop|quit) \w+ing\b.{0,40}\b(?:all the time|constantly|every)|unless i (?:say|ask|tell)"
    r"|under no circumstances)\b",
    r"(?:以后(?!再(?!也))|今后|从(?:现在|今天|今)(?:起|开始)|一律|总是|永远|从不|绝不|(?<![一二三四五六七八九十百两几数\d])千万|务必|必须|不许|不准|禁止|不得|严禁|记住|记得|统一(?:用|走|使用|放|写|成)|所有.{1,30}都|每次"
    r"|每个.{1,20}都|规范|约定|默认|先(?:问过?|征求|跟|和|与)(?:一下)?(?:我|我们)(?:的意见|说|商量|确认)?|(?:问过我|经我同意)|只用|只能|不要|别再|别用)",
    r"\b(?:siempre|nunca|jamás|a partir de ahora|prohibido|nada de|de ahora en adelante|immer|niemals|\bnie\b"
    r"|ab jetzt|ab sofort|verboten|toujours|jamais|désormais|dorénavant|interdit"
    r"|sempre|mai|mais não|d'ora in poi|de agora em diante|всегда|никогда|отныне|нельзя|обязательно|her zaman|asla"
    r"|bundan sonra|vždy|nikdy|odteď|zawsze|nigdy)\b",
    r"(?:必ず|常に|今後は|禁止|しないで|しないこと|使わない|すること|항상|절대|앞으로|반드시|하지 ?마|금지|무조건)",
    *tongues.STANDING,
)

NEGATED_ORDER: Final = Cue(
    r"\b(?:don'?t|do not|dont|never|no more|stop|avoid|not)\b",
    r"(?:不要|别|不用|不许|禁止|勿|不能|没必要)",
    r"\b(?:no (?:uses?|hagas|pongas)|nicht|kein[e]?|ne\b.{1,20}\bpas|non|não|не|nepoužív\w*)\b",
    r"(?:しない|ないで|지 ?마|말고)",
    *tongues.NEGATED_ORDER,
)

NO_START: Final = Cue(
    r"(?:^|[,;:.]\s+|\band\s+|\bbut\s+|\bso\s+)no\s+(?!need|problem|idea|worries|thanks|longer|matter|one|rush"
    r"|issue|clue|doubt|wait|it|i\b|that|this|we|you|he|they|there|such\b|\w+ (?:failed|passed|found)\b)['\"`]?\w+",
    r"\b(?:only|just)\s+(?:use|on|in|with|through|via|for)\b|\b(?!read\b)\w+ only\b",
)

USE_X_NOT_Y: Final = Cue(
    r"\b(?:use|using|prefer|run|call|write|put|keep|go through)\b.{1,80}?(?:,? (?:and )?(?:not|never|no)\b"
    r"|\binstead of\b|\brather than\b|\bover\b)\s+\S+",
    r"(?:用|走|使用|采用).{1,60}?[，,;；]?(?:不要|别|而不是|不用|不许|而非)",
    r"\b(?:usa|usar|utiliza)\b.{1,60}\b(?:no|en vez de|en lugar de)\b|\b(?:nimm|benutze"
    r"|verwende)\b.{1,60}\b(?:nicht|statt|anstatt)\b|\butilise\b.{1,60}\b(?:pas|au lieu de)\b",
    r"(?:ではなく|じゃなく|대신|말고)",
)

TEMPORARY: Final = Cue(
    r"\b(?:yet|for now|right now|at the moment|this time|for the moment|today|tonight|until|once you"
    r"|before you (?:start|do))\b|^\W*first\b|\b(?:that|this|it|\w+ed) first\b",
    r"(?:先不|暂时|这次|目前|现在先|今天|等会)",
    r"\b(?:todavía|por ahora|de momento|noch nicht|erstmal|vorerst|pour l'instant|por enquanto|пока|şimdilik|zatím)\b",
)

# The person takes one way and leaves another: sure by itself.
STRONG_CHOICE: Final = Cue(
    r"\b(?:let'?s (?:use|go with|stay|keep|stick|drop|switch|abort|cancel)|go(?:ing)? with"
    r"|stick (?:with|to)|stay(?:ing)? (?:on|with)|switch(?:ing)? to|i(?:'d| would) rather"
    r"|we (?:decided|agreed|chose)|decided to|decision:|instead of"
    r"|rather than|revert|undo|get rid of"
    r"|not worth|kill the|forget (?:it|about|that)|don'?t bring|dont bring|pin(?:ned)? (?:it |them |this )?to"
    r"|dont want|don'?t want|use \S+.{0,40}\binstead)\b|^\W*\S+(?: \S+){0,2} then\b",
    r"(?:就用|改用|换成|采用|选用|决定|继续(?:用|放|走)|还是用|撤回|撤销|回退|不迁|放弃|定为|用.{1,20}吧|就按)",
    r"\b(?:vamos con|usemos|prefiero|quítalo|quitalo|mejor (?:usa|guarda)|wir nehmen|nehmen wir|bleiben bei"
    r"|on (?:garde|prend)|plutôt)\b",
    r"(?:にしよう|でいこう|로 하자|로 가자|되돌려)",
)

CHOICE: Final = Cue(
    r"\b(?:let'?s (?:use|go|stay|keep|stick|do|take|make|have|drop|switch|move|abort|cancel)|go(?:ing)? with"
    r"|stick (?:with|to)"
    r"|stay(?:ing)? (?:on|with)|switch(?:ing)? to|move(?:d)? to|we(?:'ll| will| should)? (?:use|go with|stay|keep)"
    r"|i(?:'d| would) rather|i(?:'d)? prefer|i want|i (?:choose|chose|pick|decided)|we (?:decided|agreed|chose"
    r"|want|need|don'?t want)|decided to|decision:|use \S+.{0,40}\binstead|instead of|rather than|is fine"
    r"|fine by me|is ok(?:ay)?\b|is enough|good enough"
    r"|kill|drop|revert|remove|undo|get rid of|ditch|throw (?:out|away)|forget (?:it|about|that)|not worth|keep"
    r"|pin(?:ned)? (?:it |them |this )?to|replace|should be|should (?:not|use|go|live|be|have|stay)|has to be"
    r"|have to be|needs? to be|leave (?:it|the|that)"
    r"|agreed|do (?:option )?[1-9a-d]\b|option [1-9a-d]\b|make it|default(?:s)? (?:to|is)?|put (?:it|them|the))\b",
    r"^\W*\S+(?: \S+){0,3} (?:then|it is)\b|^\W*[1-9]\W",
    r"(?:就用|改用|换成|换到|采用|选用|决定|选择|继续(?:用|放|走)|还是用|保留|撤回|撤销|回退|不迁|去掉|删掉|放弃|改成|定为|默认|统一|就这样|就按|用.{1,20}吧|放(?:在|到))",
    r"\b(?:vamos con|usemos|mejor|prefiero|quit[ao](?:lo)?|dejemos|quédate|wir nehmen|nehmen wir|lieber"
    r"|bleib(?:en)? bei|statt|on (?:garde|prend|utilise)|plutôt|gardons|usiamo|vamos usar|оставь|давай|используем"
    r"|kullanalım|kaldır(?:alım)?|použijeme|necháme)\b",
    r"(?:にしよう|にする|でいこう|やめ|戻して|로 하자|로 가자|하자|빼|되돌려|유지)",
    *tongues.CHOICE,
)

REVERSAL: Final = Cue(
    r"\b(?:revert(?:ed)?|undo(?:ne)?|roll(?:ed)? (?:it |that |this )?back|back ?out|take (?:it|that) (?:out|back)"
    r"|rip (?:it |that )?out|remove|drop|kill|get rid of|throw (?:it |that )?(?:out|away)|scrap|forget|never ?mind"
    r"|scratch that"
    r"|on second thought|changed my mind|was wrong|no longer|not anymore|instead|dont bring|don'?t bring|put (?:it"
    r"|that) back|go back to|back to|as (?:it was )?before|like before)\b",
    r"(?:撤回|撤销|回退|还原|算了|不再|去掉|删掉|改回|放弃|退回|改用|换回|不用了|取消)",
    r"\b(?:quit[ao]\w*|deshaz|revierte|volvamos|mejor no|zurück|rückgängig|doch nicht|annule|enlève|reviens"
    r"|finalement|togli|annulla|desfaz|volta|убери|верни|откати|geri al|kaldır\w*|vrať|zruš)\b",
    r"(?:戻し|やめ|取り消|되돌|취소|빼)",
)

CORRECTS: Final = Cue(  # the speaker's own words before it
    r"^\W*(?:(?:oh,? )?wait\b|hold on\b|no,|actually\b|on second thought|scratch that|sorry,|or rather\b|i mean\b)",
    r"^\W*(?:等等|等一下|等下|不对|不對|不是[，,]|算了|待って|いや|やっぱり|訂正|아니|잠깐|참[,，])",
    r"^\W*(?:espera|mejor dicho|perdón|moment\b|warte|halt,|nein,|attends|en fait|non,|aspetta|anzi|espere|aliás|wacht"
    r"|vent,|vänta|czekaj|počkej|vlastně|dur,|bekle|стой|подожди|точнее|нет,|чекай|зачекай|точніше)",
)

# The whole of what was begun, and no thing of it.
ABORTED: Final = Cue(
    r"^\W*(?:(?:ok(?:ay)?|no|wait|actually|well|hm+|sorry|stop|and|so)\W+)*(?:let'?s |please |just |we )?"
    r"(?:abort|cancel|call it off|never ?mind|forget (?:it|this|that|about it|the whole thing)|drop (?:it|this|that)"
    r"|scrap (?:it|this|that)|leave it (?:be|alone|as it (?:is|was)))(?: (?:it|this|that|everything|all|for now))?"
    r"(?=\W*$|[,.;:—–-])",
    r"^\W*(?:好吧|那|唉)?[,，]?(?:算了|放弃吧|别弄了|不弄了|不做了|取消吧)(?=\W*$|[,，。])|^\W*(?:やめ(?:よう|ます|て)|中止)"
    r"|^\W*(?:그만두자|취소하자|됐어)",
    r"^\W*(?:déjalo|olvídalo|cancela|lass es|vergiss es|laisse tomber|annule tout|lascia stare|deixa pra lá|nech to"
    r"|zruš to|zostaw to|vazgeç|boş ver)(?=\W*$|[,.;:—–-])",
    r"^\W*(?:отмена|забудь|не надо|отбой|забий)(?=\W*$|[,.;:—–-])",
)

ACCEPT: Final = Cue(
    r"^\W*(?:yes|yep|yeah|yup|ok(?:ay)?|sure|agreed|good|great|perfect|fine|right|sounds good|go ahead|do it"
    r"|do that|please do|lgtm|exactly|correct|makes sense|nice|cool|approved|ship it|go for it|let'?s do (?:it"
    r"|that|this)|that works|works for me)\b",
    r"^\W*(?:好|行|可以|对|嗯|没问题|同意|就这样|是的|ok|不错|听你的|按你说的)",
    r"^\W*(?:sí|vale|venga|de acuerdo|bien|perfecto|ja|gut|passt|einverstanden|oui|d'accord|parfait|sì|sim|да"
    r"|хорошо|давай|tamam|evet|olur|jo|dobře|souhlas)\b",
    r"^\W*(?:はい|うん|それで|お願い|いいね|네|응|좋아|그래|오케이)",
    *tongues.ACCEPT,
)

REFUSE: Final = Cue(
    r"^\W*(?:no\b|nope|nah|don'?t|do not|dont|stop|rather not|not (?:now|yet|needed|necessary)|skip)",
    r"^\W*(?:不|别|不用|不要|算了|不行|先不)",
    r"^\W*(?:いや|いいえ|아니)",
    r"^\W*(?:nein|non|não|нет|hayır|ne)\b",
)

BECAUSE: Final = Cue(
    r"\b(?:because|since|cause|cuz|bc|as (?:it|we|the|this|that|they)|so that|otherwise|that'?s why|the reason"
    r"|due to|thanks to|for \w+ reasons?|would (?:just|only)|too (?:slow|much|many|big|complex|hard)|not worth"
    r"|can'?t|needs?)\b",
    r"(?:因为|由于|否则|不然|避免|以免|所以|为了|太(?:麻烦|慢|大|多|复杂)|会(?:导致|直接|让))",
    r"\b(?:porque|ya que|para que|weil|denn|damit|sonst|parce que|car|sinon|perché|потому что|чтобы|иначе|çünkü"
    r"|yoksa|protože|jinak)\b",
    r"(?:から|ので|ため|때문|니까|해서)",
    *tongues.BECAUSE,
)

CAUSE: Final = Cue(
    r"\b(?:root cause|the (?:actual |real |underlying )?(?:cause|culprit|reason|problem|issue|bug|mistake)\s+(?:is"
    r"|was|here|turned|came|lies|lay)|caused by|the cause|turns out|turned out|this is because|that is because"
    r"|that'?s because"
    r"|happens because|happened because|fails? because|failed because|broke because|comes? from|came from|due to"
    r"|stems from|is why|was why|that'?s why|which is why|explains (?:why|the)|the bug|the reason|that is the"
    r"|culprit)\b",
    r"(?:根本原因|根因|原因是|原因在于|问题(?:是|在于|出在)|是因为|导致|造成|罪魁|所以才)",
    r"\b(?:la causa|causa raíz|el problema (?:es|era)|se debe|porque|ursache|grund|liegt (?:an|daran)|la cause"
    r"|le problème (?:est|venait|vient)|вызвано|причина|sebebi|nedeni|příčin\w+)\b",
    r"(?:原因は|根本原因|のが原因|원인은|때문이|문제는)",
    *tongues.CAUSE,
)

TROUBLE: Final = Cue(
    r"\b(?:errors?|exception|traceback|crash(?:es|ed|ing)?|hangs?|freez(?:es|ing)|stuck|broken|flaky|fail(?:s|ed|ing)?"
    r"|bugs?|incident|leaks?|leaking|problems?|wtf|wrong|lose|loses|lost|slow|climbs|resets|timed? ?out|denied"
    r"|not work(?:ing)?|(?:doesn'?t|does not|didn'?t|did not|won'?t) (?:work|start|run|show|load|build|open|seem)"
    r"|keeps? (?:getting|failing|crashing|happening)|restarts every|dies"
    r"|takes? (?:forever|ages|an eternity|(?:too|so|way too) long|\d+ (?:seconds|minutes|hours)))\b",
    r"(?:报错|出错|错误|失败|崩溃|卡住|卡死|特别卡|不工作|异常|怎么回事|報錯|錯誤|失敗|エラー|動かな|動作しな|バグ|おかし|落ちる|落ちた|クラッシュ|固まる"
    r"|에러|오류|실패|버그|안 ?(?:돼|되|나와)|깨져|깨졌)",
    *tongues.TROUBLE,
)

FIX: Final = Cue(
    r"\b(?:fix(?:ed|es)?(?: is| was| by| it| with|:)?|solution|resolved?|solved|the fix|now (?:uses?|returns?"
    r"|handles?|sets?|passes|retries|works?)|replaced|switched to|changed|moved|added|workaround)\b",
    r"(?:修复|解决|改成|改为|修改|换成|加上|方案)",
    r"\b(?:arregl\w+|solución|behoben|lösung|corrigé|correction|исправ\w+|düzelt\w+|oprav\w+)\b",
    r"(?:修正|直し|対応|수정|해결)",
    *tongues.FIX,
)

ASSERTIVE: Final = Cue(
    r"\b(?:only|never|not|isn'?t|aren'?t|won'?t|doesn'?t|don'?t|can'?t|cannot|without|must|needs?|requires?"
    r"|instead|rather than|default|lives? in|stored in|depends on|because|so that|already|no longer|every|always"
    r"|silently|expects?|supports?|is called|means)\b",
    r"(?:只|不|没|必须|需要|默认|依赖|存在|已经|才|而不是|每次|会)",
    r"\b(?:solo|nunca|sin|nur|nicht|ohne|muss|seulement|sans|doit|только|без|нужно|sadece|gerek|jen|musí)\b",
    r"(?:のみ|だけ|ない|必要|만|않|없|필요|해야)",
    *tongues.ASSERTIVE,
)

OPEN: Final = Cue(
    r"\b(?:open(?: question| point| issue)?s?:|still open|to[ -]do\b|(?-i:TODOs?)|todos?(?=\s*[:(–—-])"
    r"|left to do|remaining|not (?:yet )?(?:done"
    r"|verified|tested|committed|implemented|covered|checked|pushed|deployed|fixed|addressed)|(?:isn'?t|aren'?t"
    r"|is not|are not) (?:done|committed|verified|tested|implemented|fixed)"
    r"|one leftover|leftovers?|still (?:uses?|needs?|has to|have to|missing|fails?|to be)|needs? to be (?:done"
    r"|decided|checked|changed|moved|added)|has to (?:be|become)|follow-?ups?|out of scope|pending|unresolved"
    r"|i'?ve left|i left|left (?:it|both|them) (?:un|as)|haven'?t (?:been )?(?:tested|verified|committed|pushed"
    r"|run|touched|done)"
    r"|next (?:step|session|week|time)|later|tomorrow|monday|another day|dont know yet|don'?t know yet|undecided"
    r"|to be decided|tbd|before (?:the|we) (?:release|rollout|merge|ship))\b",
    r"(?:还没|尚未|未完成|待办|待定|遗留|下次|下周|以后再|剩下|后续|没做|暂未|明天)",
    r"\b(?:pendiente|falta|queda por|el lunes|mañana|offen|noch nicht|fehlt noch|reste à|à faire|manca|falta"
    r"|осталось|не сделано|kaldı|zbývá)\b",
    r"(?:未対応|まだ|残って|次回|아직|남아|미완|나중에)",
    *tongues.OPEN,
)

NARRATION: Final = Cue(
    r"^(?:\W*)(?:done|all (?:done|set|good|green|tests? pass)|tests? pass(?:ed)?|committed|pushed|sure|ok(?:ay)?"
    r"|alright|great|perfect|good|got it|understood|thanks|you'?re (?:right|welcome)|sorry|here(?:'s| is| are)"
    r"|both done|that went through|everything|ready|finished|confirmed)\b[^:]{0,40}[.!:]*$",
    r"^(?:完成|好的|跑完了|已完成|收到|明白|没问题|已撤回|以下是)[^：]{0,12}[。！]?$",
    r"\b(?:\d+ (?:of \d+ )?(?:tests?|passed|failed|files? changed))\b",
    *tongues.NARRATION,
)

ABOUT_TALK: Final = Cue(
    r"\b(?:answer|reply|respond|talk|speak|explain|tell me|ask me|call me|write to me|be (?:brief|concise|terse)"
    r"|short answers?|emojis?|summar(?:y|ies)|in (?:english|german|chinese|french|spanish|japanese|korean)"
    r"|sycophan\w*|apologi[sz]e|wait for (?:my|me))\b",
    r"(?:回答|回复|解释|用中文(?:回|答|说)|说中文|叫我|简洁|简短|别废话|表情)",
    r"日本語で|返事|한국어로|답변",
    r"\b(?:responde|antworte|réponds|на русском|cevap)\b",
)

EVERYWHERE: Final = Cue(
    r"\b(?:in|for|across) (?:all|every|any|none|whichever)(?: single)?(?: of)?"
    r"(?: (?:my|our|the))?(?: own| other)? (?:projects?|repos?(?:itor(?:y|ies))?)\b"
    r"|\b(?:across|in) (?:my|our) (?:projects|repos(?:itories)?)\b|\b(?:everywhere|anywhere) i work\b|\bglobally\b"
    r"|\b(?:no matter which|whatever the|whichever|regardless of the) (?:project|repo\w*)\b|[,;] anywhere\W*$"
    r"|\banywhere at all\b",
    r"(?:所有|任何|每个|每一个|全部)(?:我?的)?(?:一个)?(?:项目|仓库|代码库)|哪个(?:项目|仓库|代码库)(?:里|中)?都|全局",
    r"\b(?:en todos (?:mis|los) proyectos|in allen (?:meinen )?projekten|dans tous (?:mes|les) projets)\b",
    *tongues.EVERYWHERE,
)

VAGUE_SUBJECT: Final = re.compile(
    r"^(?:\W*)(?:it|this|that|they|these|those|he|she|there|which|both)\b|^(?:它|这|那|他们|这个|那个)", re.IGNORECASE
)

# Words that look like names of things: what makes a statement worth finding again.
IDENTIFIER: Final = re.compile(
    r"`[^`\n]+`|(?<![\w/.])(?:[\w.-]+/)+[\w.*-]+|\b[\w-]+\.(?:py|ts|tsx|js|jsx|rs|go|java|kt|cs|rb|php|c|h|cpp|md"
    r"|json|ya?ml|toml|lock|sh|sql|css|html|env|txt|ini|cfg|xml|gradle|swift|dart|vue|svelte|tf)\b"
    r"|(?<!\w)--?[a-z][\w-]+|\b[a-z]+(?:_[a-z0-9]+)+\b|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|\b[a-z]+[A-Z]\w*\b"
    r"|\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+\b|\b[A-Z]{2,}\d*\b|@[\w-]+/[\w-]+|\b[a-z]+\d+\b|\b[\w.]+\(\)"
)
NUMBER: Final = re.compile(r"(?<![\w.])\d[\d.,]*\s?(?:%|[a-zA-Z]{1,3}\b|MB|GB|KB|ms|s\b|min|h\b|秒|分钟|天|个)?")
