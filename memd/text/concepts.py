"""Concepts: words of a programmer's day that mean the same work, across spellings, tools and languages.

"Run the suite" and a rule that names `pytest` share no word, nor do 部署 and `deploy`; both share a concept. The table
is small on purpose: what is in it is common to all projects, what is special to one is found by its own words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from memd.text.tokens import terms

_TABLE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "test": """test tests testing tested suite pytest jest vitest nextest mocha rspec unittest junit spec specs
            e2e tox nox coverage covered 覆盖率 测试 单测 用例 テスト 테스트 prueba pruebas teste testes teszt
            testen тест""",
        "build": """build builds building compile compiles compiled compiling compilation bundle 构建 编译 打包
            ビルド 빌드""",
        "deploy": """deploy deploys deployed deploying deployment deployments rollout ship shipping 部署 上线
            デプロイ 배포 despliegue desplegar despliega deploiement deployer deploie ausrollen implantar деплой""",
        "release": """release releases released releasing publish publishes publishing 发布 发版 新版本 リリース
            publicar publica publicacion publier veroffentlichen lancar релиз""",
        "lint": "lint linter linting ruff eslint clippy prettier formatter fmt gofmt rustfmt black 格式化 静态检查",
        "package": """package packages dependency dependencies library libraries install installs installing npm
            pnpm yarn pip uv poetry 依赖 安装 依存 dependencia dependencias instala instalar instale installer
            installe installieren installiere abhangigkeit abhangigkeiten dependances зависимост установ""",
        "database": """database databases db postgres postgresql sqlite mysql mariadb mongodb clickhouse
            timescaledb parquet 数据库 データベース datos datenbank donnees базе базу база""",
        "migration": """migration migrations migrate migrating alembic 迁移 マイグレーション migracion migraciones
            migrar migrationen migracoes миграц""",
        "cache": "cache caches cached caching lru memcached 缓存 キャッシュ 캐시",
        "queue": """queue queues queued job jobs worker workers background celery bullmq sidekiq kafka rabbitmq
            nats cron scheduler scheduled nightly 队列 任务 后台 定时 キュー cola colas fila warteschlange tarea
            tareas очеред""",
        "login": """auth authentication authorization authorize login logins logged jwt oauth password sso 登录
            认证 鉴权 ログイン 認証 contrasena anmeldung einloggen connexion senha авторизац""",
        "commit": "commit commits committed committing 提交 コミット 커밋",
        "branch": "branch branches branching rebase 分支 ブランチ rama ramas zweig branche ветк",
        "merge": """merge merges merged merging pr prs review reviews reviewer approval approve approves approved
            合并 评审 审核 审批 fusionar fusiona zusammenfuhren fusionner слия""",
        "log": "log logs logged logging logger 日志 ログ 로그 registro registros protokoll journal журнал лог",
        "error": """error errors exception exceptions traceback panic panics 错误 异常 报错 エラー 오류 fehler
            erreur erreurs erro erros fallo fallos falla ошибк""",
        "crash": """crash crashes crashed crashing segfault hang hangs hung 崩溃 卡死 挂了 クラッシュ absturz
            sturzt plante planta tumba паден""",
        "memory": "memory oom heap leak leaks leaking killed 内存 メモリ 메모리",
        "slow": """slow slower slowly latency performance perf p95 bottleneck 慢 性能 耗时 延迟 遅い 느린 lento
            lenta langsam lent lente медлен""",
        "api": "api apis endpoint endpoints rest grpc graphql 接口 エンドポイント",
        "styling": "css scss tailwind style styles styling stylesheet 样式 スタイル",
        "comment": """doc docs documentation document comment comments docstring docstrings readme 文档 注释
            ドキュメント comentario comentarios kommentar commentaire documentacion документац""",
        "settings": """config configs configuration configure settings setting yaml toml env environment 配置
            环境变量 設定 configuracion ajustes einstellungen reglages configuracao настройк""",
        "export": "export exports exporting csv xlsx download 导出 エクスポート",
        "time": """timezone timezones utc timestamp timestamps localtime zoneinfo dst daylight 时区 时间戳 夏令时
            タイムゾーン horaria zeitzone fuseau horario hora horas heure uhrzeit часов""",
        "money": "amount amounts money price prices cents currency 金额 价格",
        "vector": "vector vectors embedding embeddings faiss milvus ann 向量 ベクトル",
        "production": "production prod 生产 生产环境 线上 本番",
        "wording": """german english translation translations translate i18n l10n gettext locale locales label
            labels wording language languages 文案 翻译 界面 语言 中文 英文 idioma idiomas traducir traduccion
            sprache ubersetzung langue traduction перевод""",
        "image": """photo photos image images picture pictures thumbnail thumbnails preview previews scan scans
            照片 图片 扫描 缩略图 预览 画像 foto fotos imagen imagenes bild bilder imagem изображен фото""",
        "upload": "upload uploads uploaded uploading 上传 アップロード",
        "storage": "store stores stored storing storage persist persisted bucket s3 minio 存储 存放 存在 保存",
        "hosting": "host hosts hosting hosted server servers cloud 服务器 托管 サーバー",
        "unfinished": """todo todos open left remaining remains leftover unfinished missing pending 待办 遗留 还没
            未完成 pendiente pendientes falta queda pendente offen reste restant осталось""",
        "unsafe": "unsafe safety 不安全",
        "accessibility": "accessibility a11y aria button buttons focus keyboard 无障碍 按钮",
        "secret": """secret secrets token tokens credential credentials 密钥 凭据 clave claves secreto geheimnis
            cle segredo секрет""",
        "font": """font fonts typeface typefaces serif sans typography 字体 宋体 黑体 フォント fuente fuentes
            tipografia police schriftart шрифт""",
        "colour": "color colors colour colours palette shade 颜色 配色 colores couleur farbe farben cor cores цвет",
        "port": "port ports listen listens 端口 ポート puerto puertos porta порт",
        "limit": """limit limits maximum threshold thresholds cap quota 阈值 上限 下限 限制 最多 报警 limite
            limites hochstens grenze maximo лимит""",
        "retry": """retry retries retried attempt attempts tries 重试 reintento reintentos reintentar wiederholen
            reessayer tentativa повтор""",
        "timeout": "timeout timeouts 超时",
        "sampling": "interval intervals poll polling sample samples sampling sampler 轮询 采样 采集 间隔",
        "retention": "retention retain retained purge purged cleanup archive 保留 清理 归档",
        "history": "history historic historical timeseries 历史 时序",
        "network": "network networking multiplayer netcode lockstep rollback 联机 网络",
    }
)

_BY_WORD: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        word: frozenset(name for name, words in _TABLE.items() if word in words.split())
        for listed in _TABLE.values()
        for word in listed.split()
        if word.isascii()
    }
)
CONCEPT_WORDS: Final = _BY_WORD
"""The concepts of each word that is written in letters."""

WORK: Final = frozenset(
    "test build deploy release lint migration cache commit branch merge log export upload retry".split()
)
"""Concepts that are something to be done."""

_BY_CHARACTERS: Final[tuple[tuple[str, str], ...]] = tuple(
    (word, name) for name, listed in _TABLE.items() for word in listed.split() if not word.isascii()
)

# What somebody wants done, told from how it is said: "run the tests", "deploy to staging", 跑一下测试.
_DO: Final = r"(?:run|rerun|re-run|execute|start|launch|kick off|do|make|cut|how (?:do|can|should|to|are)\b.{0,30})"
_INTENTS: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        name: re.compile(pattern, re.IGNORECASE)
        for name, pattern in {
            "test": rf"\b{_DO}\b.{{0,40}}\b(?:tests|suite|specs?|e2e|test(?=\W*$|\W+(?:suite|in|of|for|on|again)\b))\b"
            r"|\btest (?:it|this|that|everything|your)\b"
            r"|(?:跑|运行|执行|怎么).{0,12}(?:测试|单测|用例|tests?)|(?:测试|单测|tests?).{0,8}(?:怎么|跑)",
            "build": rf"^\W*(?:please )?(?:re)?build\b|\b{_DO}\b.{{0,30}}\bbuild\b|(?:怎么|重新).{{0,6}}(?:构建|编译)",
            "deploy": r"\b(?:deploy|roll ?out|ship|push)\b.{0,40}\b(?:to|prod|production|staging|it|this|now|latest)\b"
            rf"|\b{_DO}\b.{{0,30}}\bdeploy(?:ment)?\b|部署|上线",
            "release": rf"\b{_DO}\b.{{0,30}}\breleases?\b|\brelease (?:it|this|v?\d)|发布|发版",
            "commit": r"\b(?:haz|hacer|hagas|mach|mache|fais|faz|fa[cç]a|сделай)\b.{0,12}\bcommit|коммит"
            r"|\bcommit\b.{0,30}\b(?:this|it|that|these|changes|everything|please|message)\b|提交",
            "branch": r"\b(?:create|start|open|make|new|cut)\b.{0,20}\bbranch\b|(?:建|开).{0,6}分支",
            "merge": r"\bmerge\b.{0,30}\b(?:this|it|into|when|to)\b|合并到",
            "package": r"\b(?:add|install|upgrade|update|remove)\b.{0,40}\b(?:package|dependency|library|deps)\b"
            r"|安装|加.{0,10}依赖|which package manager"
            r"|\b(?:npm|pnpm|yarn|bun|pip|pipx|uv|poetry|cargo|go|gem|composer) (?:install|i|add|get|require)\b"
            r"|^\W*(?:please |bitte |por favor )?(?:instala|instale|instalar|installe|installiere|установи)\b"
            r"|^\W*(?:please )?install [\w@/.-]+(?: \w+){0,2}\W*$",
            "migration": r"\b(?:new|add|create|write|make|run)\b.{0,40}\b(?:migrations?|column|table)\b|迁移",
            "log": r"\b(?:add|write|print)\b.{0,40}\b(?:log|logs|logging|log lines?)\b|(?:加|打|写).{0,10}日志",
        }.items()
    }
)


def concepts(text: str) -> frozenset[str]:
    """Return the names of the concepts that a text is about, none for most texts."""
    found: set[str] = set()
    for term in terms(text):
        found |= _BY_WORD.get(term, frozenset())
    if not text.isascii():
        found.update(name for word, name in _BY_CHARACTERS if word in text)
    return frozenset(found)


# What is asked of the past or of how things are here, and not of the world: "why did we", "how do I", 当初为什么.
_OF_HERE: Final = re.compile(
    r"\b(?:why|what|which|where|how|who|when)\b[^.\n]{0,60}\b(?:we|our|us|here|last time)\b"
    r"|^\W*(?:why|which|when|who|in which|what (?:is|are|do|format|kind)|how (?:is|are|do|does|many|long))\b"
    r"|\bwhere (?:is|are|do|does|did)\b|\b(?:did|have|had|do|can|could|should|shall|may|are) we\b|\bcan i\b"
    r"|\bhow do i\b|\blet'?s use\b|\b(?:before|again|last time)\?"
    r"|^\W*(?:por qu[eéê]|en qu[eé]|em que|qu[eé] \w+ (?:usamos|hay|es|son|tenemos|decidimos)|cu[aá]l(?:es)?|qual|quais"
    r"|d[oó]nde|onde|cu[aá]ndo|quando|qui[eé]n(?:es)?|quem|cu[aá]nt[oa]s?|quant[oia]s?|c[oó]mo se|pourquoi|o[uù]\b"
    r"|quel(?:le)?s?|qui\b|combien|quand|comment (?:on|est)|warum|wieso|wo\b|wer\b|wann|welche[rsnm]?"
    r"|wie (?:oft|lange|viele?)|perch[eé]|dove|quale|chi\b|waarom|waar\b|welke"
    r"|почему|зачем|где|кто|когда|сколько|как(?:ой|ая|ие))\b"
    r"|\b(?:otra vez|de nuevo|de novo|wieder|encore|di nuovo|опять|снова)\b|(?<!\w)(?:seguimos|usamos|nuestr[oa]s?) "
    r"|为什么|当初|之前|以前|哪里|哪个|哪些|怎么|还有|现在.{0,20}(?:吗|什么|哪)|なぜ|どこ|왜|어디",
    re.IGNORECASE,
)


def asks_of_here(prompt: str) -> bool:
    """Return whether a prompt asks what was done or decided, or how and where things are in the project at hand."""
    return _OF_HERE.search(prompt) is not None


def intents(prompt: str) -> frozenset[str]:
    """Return the concepts that a prompt wants done, and does not merely mention."""
    return frozenset(name for name, pattern in _INTENTS.items() if pattern.search(prompt))


def words_of(concept: str) -> tuple[str, ...]:
    """Return the words that stand for a concept, () for one that there is not."""
    return tuple(_TABLE.get(concept, "").split())
