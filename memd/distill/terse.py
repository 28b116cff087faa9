"""Terse: what a person wants to hold from here on, said in so few words that nothing else of it tells so.

"Tabs, not spaces", "no emojis", 代码注释用英文. Chinese says so much of a rule in so few signs that whole lists
of them are terse: which kind of name, text or command is meant, and how it is written or run.
"""

from __future__ import annotations

import re
from typing import Final

from memd.distill.languages import wanted

# A wish of so few words that nothing else of it tells that it stands.
_FEW_WORDS: Final = re.compile(
    # "tabs, not spaces", "pnpm not npm please"
    r"^\W*(?:(?:please|no|and|ok(?:ay)?)\W+)*(?!(?:no|yes|why|maybe|if|better|rather|or|of|i|it|that|this|so|also|but|works?"
    r"|probably|runs|fine|good|nice|certainly|definitely|absolutely|hopefully|surely|done|sure)\b)"
    r"[\w.+#/`-]+(?: [\w.+#/`-]+)?,? (?:and )?not "
    r"(?!(?:yet|now|today|sure|here|there|it|that|this|really|so|bad|working|needed|necessary|important|good|great|ok"
    r"|okay|ready|done|tomorrow|always|only|really|possible|found|a|the|an)\b)[\w.+#/`-]+(?:,? please)?\W*$"
    # "no emojis", "no semicolons please"
    r"|^\W*no (?:more )?(?!need|problems?\b|idea|worr|thanks?\b|longer|matter|one\b|rush|issues?\b|clue|doubt|wait"
    r"|errors?\b|changes?\b|luck|difference|output|response|results?\b|effect|reason|way\b|good\b|hurry|clue|chance|such\b|comments?\W*$"
    r"|more\b|it\b|that\b|this\b|we\b|you\b|he\b|they\b|there\b|i\b|just\b|not\b|but\b|use\b|keep\b|stop\b)"
    r"[\w`./+-]{3,}(?: (?!\w+ed\b|found\b|yet\b|far\b|so\b|either\b)[\w`./+-]+)?(?:,? please|,? ever)?\W*$"
    # "English only", "in German please", "answers in German"
    r"|^\W*(?:in )?(?:english|german|chinese|french|spanish|japanese|korean|dutch|danish|polish|czech|turkish|italian"
    r"|portuguese|russian|ukrainian)(?: only)?,? please\W*$"
    r"|^\W*(?:in )?(?:english|german|chinese|french|spanish|japanese|korean) only\W*$"
    # "不要加注释", "用 npm", "提交信息用英文"
    r"|^\W*(?:不要|别|不许)[加写用改动放删建开][^，。？！了]{1,12}\W*$|^\W*只?用\s*[A-Za-z][\w.+-]{1,20}\W*$"
    r"|^\W*[^，。？！]{0,12}(?:都|一律|统一)?用(?:中文|英文|英语|日文|日语|德语|法语)(?:写|回答|回复|说)?\W*$",
    re.IGNORECASE,
)
_ALL: Final = r"(?:都|也|一律|统一|全部|全都)*"
_LANGUAGES: Final = r"(?:中文|英文|英语|日文|日语|韩文|韩语|德文|德语|法文|法语|俄文|俄语|西班牙语|English|Chinese)"
_KINDS: Final = (
    r"(?:变量|函数|类|方法|文件|目录|文件夹|分支|表|字段|列|接口|路由|常量|组件|测试|用例|缩进|字符串|模块|包|枚举|标签"
    r"|命名|时间|日期|金额|错误码|提交|commit|branch|PR|MR|API|URL|ID|JSON)"
)
_STYLES: Final = (
    r"(?:[大小]?驼峰|下划线|蛇形|短横线|中划线|连字符|[大小]写|(?:\d+ ?|[一二两四八])个空格|空格|制表符|tabs?\b"
    r"|[单双]引号|单数|复数|反引号|snake_case|camelCase|PascalCase|kebab-case|UPPER_CASE|UTC|ISO ?8601)"
)
_WRITTEN: Final = (
    rf"(?!把|将|这|那|先|请把)[^，。；？！\n]{{0,16}}?{_ALL}用\s*{_LANGUAGES}(?:来)?(?:写|回答|回复|说|命名|描述)?"
    rf"|(?!把|将|这|那|先|请把)[^，。；？！\n]{{0,6}}?{_KINDS}[^，。；？！\n把将]{{0,6}}?{_ALL}(?:使用|用|是)\s*{_STYLES}"
    r"(?:命名|缩进|写|表示|法|风格|形式|格式)*"
)
# "变量名用驼峰，文件名用下划线": clause by clause, as one pattern of them all takes time without end.
_WAY: Final = re.compile(rf"(?:而|但)?(?:{_WRITTEN})\W*", re.IGNORECASE)
_CLAUSE_ENDS: Final = re.compile(r"[，,；;、]")
_MOST: Final = 160  # characters of a terse list
_EVENTS: Final = r"(?:提交|合并|合入|推送|发布|发版|部署|上线|push|commit|merge|release|deploy)"
# "提交前跑 `make check`", "PR 标题要带编号": not "提交前先跑一下", which is wanted now.
_BEFORE_EACH: Final = re.compile(
    rf"^\W*{_EVENTS}\s*(?:代码|main|主干)?\s*[之以]?前\s*(?:都|要|得|必须|一定)*\s*(?:跑|执行|运行|过|检查|通知|问)(?!.*一下)"
    r"|^\W*(?:(?:ok|好的?|行|还有|另外)[，,。\s]*)*(?:git\s*)?(?:PR|MR|commit|提交|分支)\s*(?:的)?"
    r"(?:标题|信息|描述|说明|message|名字?)(?:(?:里面?|中)?\s*(?:都|要|得|必须|统一|一律)+|(?:前面|开头|后面)\s*(?:都|要|得|请)*)\s*"
    r"(?:带|写|有|加|包含|注明|附|以|用)",
    re.IGNORECASE,
)
# "测试跑 `pytest -q`，一次不超过 20 个"
_COMMAND_WITHIN: Final = re.compile(
    r"^\W*(?!先|现在|帮我|再)[^，。；？！\n`]{1,12}(?:用|跑|走|执行|运行)\s*`[^`\n]+`\s*[，,；;]\s*"
    r"(?:一次|每次|单次)?\s*(?:别|不要|不能|不许|不得|不超过|最多|至少|勿)\S",
    re.IGNORECASE,
)


# "Comments: German", "커밋 메시지: 한국어로 작성"
_LABELLED: Final = re.compile(r"^\W*(?P<what>[^:：\n]{2,40})[:：]\s*\S[^.。!?！？:：]{0,40}\W*$")


def is_rule(text: str) -> bool:
    """Return whether a sentence is a rule by what it is made of, however few words it has."""
    if any(one.match(text) for one in (_FEW_WORDS, _BEFORE_EACH, _COMMAND_WITHIN)) or _lists_ways(text):
        return True
    labelled = _LABELLED.match(text)
    return labelled is not None and None not in (wanted(text), wanted(f"{labelled['what']}: English"))


def _lists_ways(text: str) -> bool:
    clauses = [one.strip() for one in _CLAUSE_ENDS.split(text)] if len(text) <= _MOST else []
    return bool(clauses) and all(_WAY.fullmatch(one) for one in clauses)
