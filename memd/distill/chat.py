"""Chat: what a person says beside the work, and what they ask for right now. Neither is anything to keep.

Told by what a sentence is made of: a closing, the weather, a smile, an order about "it". A sentence that names a thing
of the work, a figure or a standing wish is none, whatever else it says.
"""

from __future__ import annotations

import re
from typing import Final

from memd.distill import cues
from memd.distill.cue import Cue
from memd.distill.size import size

_MOST: Final = 90  # of `size`: small talk is short
_SMILES: Final = re.compile(
    r"(?:[\U0001f600-\U0001f64f\U0001f389\U0001f38a\U0001f41d\U0001f44d\U0001f64c\U0001f680\u2600-\u26c5\u263a\u2764\ufe0f]"
    r"|[:;]-?[)D]|\^\^|\b(?:lol|haha|hehe)\b)\W*$",
    re.IGNORECASE,
)
_LAUGHS: Final = re.compile(
    r"^\W*(?:lol|lmao|rofl|ha(?:ha)+|hehe|ugh|meh|whatever|phew|yay|哈{2,}|嘿嘿|呵呵|唉|笑死)(?![\w-])", re.IGNORECASE
)
_CLOSES: Final = Cue(
    r"\b(?:good ?night|good morning|see (?:you|ya) (?:tomorrow|later|soon|then|on|next)|^\W*(?:see you|bye)\W*$|brb|afk"
    r"|(?:be )?(?:right )?back (?:from|in a|soon)|off to bed|so tired|i'?m (?:tired|hungry)|long day|call it a day"
    r"|gotta go|have to (?:go|run) now|talk (?:soon|later)|that'?s (?:it|all) (?:for (?:today|now|tonight)|from me)"
    r"|(?:done|enough) for (?:today|tonight)|sorry for the delay)\b",
    r"下班|睡觉|晚安|再见|拜拜|明天见|今天(?:就)?(?:先)?到这|先这样|回头聊|收工|辛苦"
    r"|お疲れ|おやすみ|また明日|수고|내일 봐",
)
# What programs may be about as well: then it takes somebody who speaks of themselves.
_LEISURE: Final = Cue(
    r"\b(?:weather|lunch|dinner|breakfast|coffee|weekend|holidays?|vacation|birthday)\b",
    r"天气|午饭|晚饭|早饭|吃饭|周末|咖啡|生日|放假|天氣",
)
_OF_THEMSELVES: Final = Cue(
    r"\b(?:i|i'?m|i'?ll|me|my|we|we'?re|let'?s|you|your|forget|enjoy|happy|nice|lovely|great|awful|terrible|took)\b",
    r"我|咱|你|不错|真好|很|太|愉快|快乐|先去|去",
)
_PRAISES: Final = re.compile(
    r"^\W*(?:btw|by the way|oh|and|also)\b.{1,70}\b(?:nice|lovely|great|beautiful|awesome|gorgeous|fun|good|well)"
    r"(?: (?:today|here|tonight|this (?:week|year|morning|summer)))?\W*$"
    r"|^\W*(?:对了|话说|顺便说一?句|哦对?)[，,].{1,20}(?:不错|真好|太好了|很好|开心|高兴|累|好热|好冷|下雨|漂亮)\W*$",
    re.IGNORECASE,
)
# How long something took, or is away: of a moment that has passed.
_PASSES: Final = re.compile(
    r"^\W*(?:(?:oh|ok|hm+|well|that|it|this|only)\W+)*took (?:me )?(?:about |only |over )?\d+\s?\w*(?: to \w+)?\W*$"
    r"|^\W*(?:lunch|dinner|coffee|break|back|meeting|call)\b.{0,12}\b(?:in|at) \d+(?::\d+)?\s?(?:min\w*|h\w*|pm|am)?\b"
    r"[^`]{0,30}$",
    re.IGNORECASE,
)
# What speaks of the work, however small the talk.
_OF_THE_WORK: Final = Cue(
    r"\b(?:use|store|show|shows|add|set|name|call it|should|must|table|column|page|field|api|files?|button|tests?|code"
    r"|commit|branch|deploy|server|database|function|class|default|config\w*|menu|theme|label|user|users)\b",
    r"(?<!就)用|改|必须|应该|默认|存|字段|页面|按钮|测试|代码|部署|提交|文件|接口|配置|显示",
)
_REQUEST: Final = Cue(
    r"^\W*(?:(?:oh|ok(?:ay)?|so|hi|hello|hey|please|pls|now|then|and|first|next|also|just|maybe"
    r"|(?:can|could|would) you)\W+)*"
    r"(?:(?:have|take) a (?:quick |close |good )?look|look (?:at|into|around|through)|check out|let me know|show me"
    r"|tell me (?:what|how|if|whether|why|which|where|when|your|about)|give me (?:an?|some|the|your|two|three)"
    r"|walk me through|help me|what do you think|any ideas?|explain (?:to me|how|what|why|it|this))\b",
    r"^\W*(?:请|麻烦|先|然后|再)?(?:帮我|给我)?(?:看一?[下看]|看看|说说|讲讲|解释一?下|告诉我|介绍一?下|分析一?下)",
)
_WISHES_TO_BUILD: Final = Cue(
    r"^\W*(?:(?:so|hi|hello|hey|ok(?:ay)?|basically|today)\W+)*(?:i|we)(?:'d| would)? (?:want|need|like|plan|have)"
    r"(?: you)? to (?:build|make|write|create|develop|start|see|know|understand|learn|try|do|get)\b"
    r"(?! (?:sure|it|them|that|this)\b)"
    r"|^\W*(?:i'?m|we'?re|i am|we are) (?:building|making|writing|creating|starting) (?:an?|some|my)\b",
    r"^\W*我们?(?:想|要|打算|需要|准备)(?:做|写|开发|搭|建|学|了解|知道|看看)",
)
_ORDER_ABOUT_IT: Final = re.compile(
    r"^\W*(?:(?:and|then|please|pls|ok(?:ay)?|now|just|so|also|can you|could you)\W+)*"
    r"(?:make (?:it|them|this|that|those|these)(?: all)? (?:a (?:bit|little) |much |way )?"
    r"(?:\w+er|work|pretty|nice|nicer|look (?:nice|good|better)|compile|run|pass|more \w+|less \w+)"
    r"|(?:fix|shrink|clean up|tidy up|speed up|improve|simplify|polish|finish|test|check|explain|show|redo|rewrite"
    r"|continue with|go on with)"
    r" (?:it|them|this|that|those|these|both|all of (?:it|them)))\b[^,;:]{0,30}$"
    r"|^\W*(?:请|再|帮我)?(?:把)?(?:它们?|这个|这些|那个)?(?:改|弄|做|调|变|压)(?:得|到)?(?:更)?(?:小|大|快|慢|短"
    r"|好看|简单|漂亮|清楚)"
    r"(?:一?[点些]|了)?\W*$",
    re.IGNORECASE,
)

# How one thing shall look: "make the button 2 green", "把按钮改成绿色". Nobody asks for it later.
_COLOURS: Final = (
    r"(?:red|green|blue|black|white|yellow|gr[ae]y|purple|orange|pink|teal|brown|gold(?:en)?|silver|transparent)"
)
_LOOKS: Final = re.compile(
    r"^\W*(?:(?:and|then|please|pls|ok(?:ay)?|now|just|so|also|can you|could you)\W+)*(?:make|turn|paint|colou?r)"
    r" (?:the|that|this|my|its) [\w' -]{2,40}? (?:to be |into )?"
    r"(?:(?:a (?:bit|little|tad)|slightly|much|a lot|more|less) )*"
    rf"(?:(?:dark|light|bright|pale)(?:er)? ?)?(?:{_COLOURS}|bigger|smaller|larger|wider|narrower|taller|shorter"
    r"|thicker|thinner|bold(?:er)?|italic|round(?:er|ed)?|darker|lighter|brighter|centered|centred)(?:,? please)?\W*$"
    r"|^\W*(?:请|再|帮我)?把[^，。；！？\n]{1,12}(?:改|变|弄|换)成[^，。；！？\n]{0,3}[红绿蓝黑白黄灰紫橙粉]色?"
    r"(?:的)?(?:吧)?\W*$",
    re.IGNORECASE,
)

# What comes next, by its name alone ("ok now the opening hours banner"), and a text that somebody shall have.
_NAME: Final = (  # a word of a thing's name, and none that tells anything of it
    r"(?!(?:is|are|was|were|has|have|should|must|will|can|does|needs?|goes|not|uses?|\w+ed)\b"
    r"|\w+s\s+(?:to|in|on|at|with|from)\b)[\w'-]+"
)
_NEXT_STEP: Final = Cue(
    r"^\W*(?:(?:ok(?:ay)?|so|and|good|great|nice|alright|perfect)\W+)*(?:now|next|then)\W+(?:for\s+|to\s+|on to\s+)?"
    rf"(?:the|our|my|an?)\s+(?:{_NAME}\s){{0,4}}{_NAME}\W*$",
    r"^\W*(?:好的?|行|嗯)?[，,]?(?:然后|接下来|下一个|下面)(?:是|做|弄|来)?[^，。；！？\s]{2,12}(?:吧|了)?\W*$",
    r"^\W*(?:(?:ok|so|und|et|y|e|a|и)\W+)*(?:jetzt|nun|als nächstes|maintenant|ensuite|ahora|luego|ora|adesso|agora"
    r"|teraz|teď|şimdi)\s+(?:de[rnms]|das|die|le|la|les|el|los|las|il|lo|gli|o|os|as)\s+(?:[\w'-]+\s){0,2}[\w'-]+\W*$",
)
_WRITES_FOR: Final = re.compile(
    r"^\W*(?:(?:please|pls|ok(?:ay)?|now|and|then|also|just|(?:can|could) you)\W+)*(?:write|draft|compose|prepare)\s+"
    r"(?:me|us|him|her|them)\s+(?:an?|some|the|two|three)\b",
    re.IGNORECASE,
)
_ENDS_IN_ORDER: Final = re.compile(
    r"[,;:–—-]\s+(?:please |pls |can you |just |so )?(?:fix|check|clean up|look at|look into|redo|improve)"
    r" (?:it|them|this|that)(?: please)?\W*$|[，,]\s*(?:请|帮我)?(?:修|改|看|查)一?下\W*$",
    re.IGNORECASE,
)


def is_chat(text: str) -> bool:
    """Return whether a person's sentence is beside the work: a goodbye, the weather, a laugh."""
    if _PASSES.match(text):
        return True
    if size(text) > _MOST or _says_of_the_work(text):
        return False
    if _LAUGHS.match(text) or _PRAISES.match(text) or _CLOSES.search(text):
        return True
    if _LEISURE.search(text) and _OF_THEMSELVES.search(text):
        return True
    return _SMILES.search(text) is not None and not (cues.CHOICE.search(text) or cues.BECAUSE.search(text))


def is_request(text: str) -> bool:
    """Return whether a person's sentence only asks for something to be done or told now."""
    if cues.STANDING.search(text) or cues.EVERYWHERE.search(text) or cues.USE_X_NOT_Y.search(text):
        return False
    if _REQUEST.match(text) or (_WISHES_TO_BUILD.match(text) and not cues.NEGATED_ORDER.search(text)):
        return not (cues.REVERSAL.search(text) or cues.BECAUSE.search(text))
    if _WRITES_FOR.match(text) or _LOOKS.match(text):
        return True
    return not _names(text) and any((_NEXT_STEP.match(text), _ORDER_ABOUT_IT.match(text), _ENDS_IN_ORDER.search(text)))


def _says_of_the_work(text: str) -> bool:
    return _names(text) or cues.STANDING.search(text) is not None or _OF_THE_WORK.search(text) is not None


def _names(text: str) -> bool:
    return cues.IDENTIFIER.search(text) is not None or cues.NUMBER.search(text) is not None
