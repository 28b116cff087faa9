"""How-to: a person asks how something is done here, and the reply gives the command.

The commands that prove themselves again and again are found in `commands.py`; this one was asked for in words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from memd.distill.cue import Cue
from memd.distill.draft import Draft
from memd.distill.thread import Statement, Thread
from memd.model import FactPart

CONFIDENCE: Final = 0.6
_LONGEST_QUESTION: Final = 200  # characters
_HOW: Final = Cue(
    r"\b(?:how (?:do|can|should|would|does|to)|what(?:'s| is) the (?:command|way|best way))\b.{0,60}\b(?:runs?|start"
    r"|build|test|deploy|install|bring|launch|execute|stop|kill|restart|migrate|set ?up|connect|open|debug|lint|format"
    r"|serve|publish|release|seed|compile|enable|disable|regenerate|generate|clean|reset|train|flash"
    r"|do (?:it|this|that))\b",
    r"(?:怎么|怎樣|怎样|如何|哪个命令|什么命令).{0,12}(?:运行|启动|跑|编译|构建|测试|部署|安装|停|重启|执行|打开|发布|生成)"
    r"|(?:どうやって|どうすれば|コマンド).{0,16}(?:起動|実行|ビルド|テスト|デプロイ|インストール|停止|動か)"
    r"|어떻게.{0,16}(?:실행|시작|빌드|테스트|배포|설치|중지|돌리)",
    r"\b(?:cómo|como|comment|wie|come|jak|nasıl|hoe|hur|hvordan)\b.{0,50}\b(?:ejecut\w+|corr[eo]\w*|inici\w+|arranc\w+"
    r"|compil\w+|prueb\w+|despl\w+|instal\w+|rod\w+|execut\w+|lanc\w+|lance\w*|démarr\w+|déploy\w+|start\w*|führ\w+"
    r"|bau\w+|build\w*|test\w*|deploy\w*|avvi\w+|esegu\w+|uruch\w+|spust\w+|spouš\w+|çalıştır\w*|başlat\w*|derle\w*"
    r"|kur\w+|kör\w*|kør\w*)\b",
    r"\b(?:как|як)\b.{0,50}\b(?:запус\w+|собра\w+|протест\w+|разверн\w+|установ\w+|останов\w+|перезапус\w+|зібра\w+)\b",
)


def find(thread: Thread) -> Iterator[Draft]:
    """Yield the commands that were given in answer to a question how something is done here."""
    for exchange in thread.exchanges:
        prompt = exchange.prompt
        if prompt is None or len(prompt.text) > _LONGEST_QUESTION or not _HOW.search(prompt.text):
            continue
        for position in range(exchange.first + 1, exchange.last + 1):
            for said in thread.by_message.get(position, ()):
                if said.command:
                    yield _told(thread, exchange.first, said)


def _told(thread: Thread, asked_at: int, command: Statement) -> Draft:
    asked = thread.by_message.get(asked_at, ())
    near = tuple(
        one for one in thread.by_message[command.position] if one.block == command.block and one is not command
    )
    parts = (FactPart("command", command.text),)
    return Draft("config", command, CONFIDENCE, (*near, *asked[-1:]), parts, wording=f"`{command.text}`")
