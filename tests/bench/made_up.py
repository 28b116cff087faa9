"""Made-up talk for benchmarks: words as often as English has them, with some Chinese and some pasted errors."""

from __future__ import annotations

import random
from typing import Final

_COMMON: Final = "the to of and a in is that for it we this with be on not are as use can file test so if you".split()
_USUAL: Final = (
    "server client cache database table column index query error timeout retry token config build deploy branch commit"
    " merge release version module package import function method class object string number value key list map queue"
    " worker thread process memory disk network socket request response header body status code user admin login"
    " password session cookie page button form field label color layout style script event handler callback promise"
    " async await lock mutex race crash trace log level debug warning failure success result output input path folder"
    " directory permission owner group link copy move rename delete create update insert select join filter sort"
).split()
_CHINESE: Final = (
    "数据库 缓存 服务器 测试 文件 配置 错误 超时 重试 部署 分支 提交 合并 版本 模块 函数 接口 请求 响应"
    " 状态 用户 登录 会话 页面 按钮 样式 日志 线程 进程 内存 磁盘 网络 权限 目录 路径 更新 删除 查询 索引"
    " 字段 为什么 我们 使用 不要 需要 可以 这个 那个 因为 所以"
).split()  # fmt: skip
_PASTED: Final = (
    "Traceback (most recent call last): File /srv/app/{0}/worker.py line {1} in run result = self.{0}.fetch(timeout)"
    " raise ConnectionError connection to {0} refused after {1} tries"
)

COMMON_QUERIES: Final = ("test file error cache", "server config file build", "the database test timeout")
CJK_QUERIES: Final = ("数", "测", "缓存", "数据库超时", "为什么我们不使用缓存")


def words(chance: random.Random, count: int) -> str:
    """Return so many words: a few in every sentence, some in many, a long tail of rare ones."""
    said = []
    for _ in range(count):
        kind = chance.random()
        if kind < 0.40:
            said.append(chance.choice(_COMMON))
        elif kind < 0.65:
            said.append(_USUAL[min(int(chance.paretovariate(0.6)) - 1, len(_USUAL) - 1)])
        else:
            said.append(rare(chance))
    if chance.random() < 0.08:
        said.append("".join(chance.choice(_CHINESE) for _ in range(8)))
    return " ".join(said)


def rare(chance: random.Random) -> str:
    """Return a word of the long tail: made of syllables, so that it stems and misspells like one."""
    number = int(chance.paretovariate(0.7)) % 60_000
    return "".join("bcdfglmnprst"[digit % 12] + "aeiou"[digit % 5] for digit in _digits(number + 60))


def pasted_error(chance: random.Random, count: int = 200) -> str:
    """Return an error as it is pasted: a traceback with names and numbers, about so many words."""
    said = ""
    while len(said.split()) < count:
        said += _PASTED.format(rare(chance), chance.randrange(9_000)) + "\n"
    return said


def _digits(number: int) -> list[int]:
    digits = []
    while number:
        number, digit = divmod(number, 60)
        digits.append(digit)
    return digits
