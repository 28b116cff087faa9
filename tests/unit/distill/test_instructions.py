from __future__ import annotations

import pytest

from memd.distill import instructions
from memd.distill.distill import distill
from memd.distill.instructions import LIKELY, standing
from memd.distill.thread import Thread
from tests.unit.distill.talk import Talk

STANDING = [
    "Commit messages bitte auf Englisch, auch wenn ich Deutsch schreibe",
    "stop apologizing all the time",
    "还有 git 提交信息前面加上任务号，TC-12 那种",
    "also don't run `cargo fmt` on the whole repo pls, the vendored crates get reformatted",
    "remember: rspec needs Postgres running, `docker compose up -d db` first",
    "always run the linter before you commit",
    "never push to main without asking",
    "use `pnpm`, not npm, npm breaks the lockfile",
    "from now on every migration gets a lock_timeout",
    "no unwrap outside of tests",
    "please use tabs instead of spaces in the Makefile",
    "rule for this project: no timeouts longer than 10 minutes",
    "don't ever edit files below vendor/",
    "这个项目只用 pnpm，不要用 npm",
    "以后所有时间都走 dates.ts 的 fmt",
    "记住，提交前必须跑 lint",
    "a partir de ahora no uses apply en los dataframes",
    "ab jetzt immer mit `make check` prüfen",
    "toujours utiliser `uv run`, jamais pip",
    "Never write to the customs ledger without asking the keeper first.",
    "From now on answer in German.",
    "no emojis please",
    "Benutze immer Tabs, niemals Leerzeichen",
    "ne committe jamais sans demander",
    "nunca hagas push a main",
    "отныне отвечай по-русски",
    "завжди запускай `make check` перед комітом",
    "いつも `make check` を実行してからコミットして",
    "mainに直接pushしないで",
    "항상 `make check` 를 실행하고 커밋해",
    "以後都用 pnpm，不要用 npm",
    "her zaman `make check` çalıştır",
    "vždy spusť `make check` před commitem",
    "kør altid `make check` før commit",
    "no emojis",
    "no semicolons please",
    "tabs, not spaces",
    "pnpm not npm please",
    "Docker, not Podman",
    "english only",
    "in German please",
    "用npm",
    "不要加注释",
    "提交信息用英文",
    "千万别把密码写进日志",
    "commit message 用英文写，代码注释也用英文。",
    "文档用中文，提交说明用英文",
    "变量名用驼峰，文件名用下划线。",
    "表名用复数",
    "缩进用 4 个空格",
    "接口字段一律用 snake_case",
    "测试跑 `pytest -q`，别加 -x。",
    "回填用 `tidectl backfill --from 2026-01`，一次不要超过 20 天。",
    "导入走 `tidectl load`，每次最多 500 行",
    "提交前跑 `make check`",
    "合并前必须过 lint",
    "PR 标题要带工单号",
    "let's keep it small: never add a dependency without asking",
    "我们决定以后每次发布都打 tag",
    "but ask me before you add a dependency",
    "ask us first before touching the schema of the harbour",
    "check with me before any release",
    "加新的依赖之前先问我",
    "I use pnpm in all my projects",
]
NOT_STANDING = [
    "ask me before you start",
    "I'll ask you before I merge it",
    "the comments are in English",
    "can you please translate the comments to English?",
    "stop the server first",
    "let's use SQLite instead of Postgres for the tides, because the office has no server and must work offline",
    "fix the failing test in src/tide.py",
    "We decided to keep the ferry plan in YAML rather than TOML, because the ferrymen edit it by hand.",
    "24h is fine, the app never retries later than that",
    "you use three values although the function only takes 2",
    "I was using the other service, but it is not working",
    "we never had this problem before",
    "I always forget the flag",
    "oh wow so it never limited anything",
    "ci is red on the branch, only the lint job",
    "can you always reproduce that?",
    "should we never cache this?",
    "why does it always fail?",
    "dont optimise yet",
    "run the tests again",
    "the build fails with a timeout in CI",
    "what is the best way to do this",
    "commit this and push",
    "看一下这个报错",
    "the tests are slow in all my projects",
    "能不能以后再改？",
    "no errors",
    "no thanks",
    "no such file",
    "no tests failed",
    "no changes yet",
    "no comments",
    "maybe not",
    "sure, not now",
    "works, not perfect",
    "ok not bad",
    "不要管它",
    "Let's use a ring buffer instead of a queue: the probe must never wait longer than a tide or it drifts.",
    "let's go with Zig rather than C - the loader must not depend on libc",
    "我们决定用 Polars 代替 Pandas，因为每次都要读三千万行",
    "我们选 SQLite——服务器上必须离线也能用",
    "日志一共有三千万行",
    "把这个变量名改成驼峰",
    "no, not blue.",
    "这个文件名用下划线有问题",
    "用英文写一封邮件给港务局",
    "提交前先跑一下测试",
    "先跑 `make check`，别的等会再说",
    "标题用蓝色，字再大一点",
    "这里用中文显示",
]


@pytest.mark.parametrize("text", STANDING)
def test_a_standing_instruction_is_known(text: str) -> None:
    assert standing(text) >= LIKELY


@pytest.mark.parametrize("text", NOT_STANDING)
def test_a_request_for_now_or_a_question_is_none(text: str) -> None:
    assert standing(text) < LIKELY


def test_the_model_gives_no_instructions(talk: Talk) -> None:
    talk.reply("You should always run the linter and never push to main.")
    assert list(instructions.find(Thread(talk.transcript()))) == []


def test_the_reason_and_the_rejected_way_are_parts_of_an_instruction(talk: Talk) -> None:
    talk.user("use `cargo nextest run`, not cargo test. the cli tests share one temp folder")
    (draft,) = (one for one in instructions.find(Thread(talk.transcript())) if one.confidence >= LIKELY)
    parts = {part.name: part.text for part in draft.parts}
    assert parts["because"] == "the cli tests share one temp folder"
    assert "cargo test" in parts["rejected"]
    assert draft.slot == "command:test"


def test_what_to_do_instead_is_no_reason(talk: Talk) -> None:
    talk.user("never paint the lamps blue. use the colour of the harbour")
    (draft, *_) = instructions.find(Thread(talk.transcript()))
    assert "because" not in {part.name for part in draft.parts}


@pytest.mark.parametrize(
    ("text", "everywhere"),
    [
        ("in all my projects, always answer in English", True),
        ("always use make check here", False),
        ("In all my projects I want short answers.", True),
        ("for all my projects, answer briefly", True),
        ("en todos mis proyectos quiero respuestas cortas", True),
        ("In allen meinen Projekten will ich kurze Antworten, keine Emojis", True),
        ("我所有的项目都要简短的回答", True),
        ("所有项目都不要用 npm", True),
        ("I use pnpm in all my projects", True),
    ],
)
def test_only_what_the_person_says_holds_everywhere_does(talk: Talk, text: str, everywhere: bool) -> None:
    talk.user(text)
    (draft,) = instructions.find(Thread(talk.transcript()))
    assert draft.everywhere is everywhere


def test_how_to_talk_is_a_preference_and_how_to_build_a_convention(talk: Talk) -> None:
    talk.user("always answer in short sentences").user("always build with `make all`")
    assert [draft.kind for draft in instructions.find(Thread(talk.transcript()))] == ["preference", "convention"]


@pytest.mark.parametrize("text", [text for text in STANDING if standing(text) >= 0.6])
def test_an_instruction_that_leaves_no_doubt_is_kept_however_short_it_is(talk: Talk, text: str) -> None:
    talk.user("add a table of ferries").reply("Done.").edited("ferries.py").user(text).reply("Noted.")
    found = [one for one in distill(talk.transcript()).candidates if text in one.body]
    assert [one.kind for one in found] in (["convention"], ["preference"])


@pytest.mark.parametrize(
    "label", ["Constraints:", "CONTRAINTES :", "Some rules for the code:", "注意事项：", "Regeln:"]
)
def test_what_stands_in_a_list_of_rules_is_one(talk: Talk, label: str) -> None:
    talk.user(f"Add the tide table.\n\n{label}\n- the gauge module stays as it is\n- one table for each pier")
    found = [draft.anchor.text for draft in instructions.find(Thread(talk.transcript())) if draft.confidence >= LIKELY]
    assert found == ["the gauge module stays as it is", "one table for each pier"]


def test_what_stands_in_another_list_is_none(talk: Talk) -> None:
    talk.user("Rules are fine.\n\nSteps:\n- the gauge module is read\n- one table is made")
    assert [one for one in instructions.find(Thread(talk.transcript())) if one.confidence >= LIKELY] == []


def test_a_long_list_that_comes_to_nothing_is_read_at_once() -> None:
    assert standing(" \t" + "用英文写，" * 139 + "!") == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "Comments: German",
        "기본 응답 언어: 한국어",
        "코드 주석: 한국어로 작성",
        "커밋 메시지: 한국어로 작성",
        "提交信息：英文",
    ],
)
def test_a_language_that_stands_behind_the_name_of_what_is_written_is_a_rule(text: str) -> None:
    assert standing(text) >= LIKELY


@pytest.mark.parametrize("text", ["error: English text in the comments", "title: Learn Chinese", "user: German sailor"])
def test_a_language_behind_any_other_name_is_none(text: str) -> None:
    assert standing(text) == 0.0
