"""What is said beside the work or asked for right now, and what only looks like it."""

from __future__ import annotations

import pytest

from memd.distill.distill import distill
from memd.distill.remarks import tells
from tests.unit.distill.talk import Talk


@pytest.fixture
def talk() -> Talk:
    return Talk()


def said(talk: Talk) -> list[tuple[str, str]]:
    return [(one.kind, one.body) for one in distill(talk.transcript()).candidates]


@pytest.mark.parametrize(
    "text",
    [
        "对了，天气不错",
        "谢谢，今天就到这里。",
        "对了，蜂蜜收成不错 😄",
        "先这样，明天见",
        "哈哈，太搞笑了",
        "周末愉快！",
        "不用了，谢谢",
        "我想做一个聊天应用",
        "帮我看一下这个仓库",
        "把它弄小一点",
        "I want to build a chat app in Rust.",
        "I'd like to understand how the importer works",
        "Have a look at the repo.",
        "can you take a quick look at the failing job",
        "walk me through the parser",
        "tell me what you think is missing",
        "Make them smaller.",
        "fix it please",
        "X was a mistake I made in the test data, fix it",
        "lol that's ugly.",
        "whatever, keep it.",
        "forget about lunch, let's finish this",
        "we're back from lunch",
        "that's it for today, see you tomorrow",
        "oh, the weather is lovely today",
        "good morning, long day ahead",
        "btw the harvest was really good this year",
        "Sorry for the delay, dinner took ages :)",
        "ok now the opening hours banner",
        "next: the login page",
        "then the berth list please",
        "jetzt die Startseite",
        "maintenant la page des marées",
        "ahora la página de mareas",
        "接下来做登录页",
        "please write her a nice text for the holiday closing 24.12.-1.1.",
        "can you draft them a short mail about the new berths",
        "make the button 2 green",
        "ok now make the gauge title a bit bigger please",
        "把按钮2改成绿色",
    ],
)
def test_small_talk_and_requests_tell_nothing(text: str) -> None:
    assert not tells(text, "user")


@pytest.mark.parametrize(
    "text",
    [
        "The menu shows lunch at noon, always.",
        "then the tests run in CI",
        "so now the cache uses redis",
        "now the API returns 404",
        "jetzt die Karten nur noch als SVG ausliefern, PNG ist zu groß",
        "Set the coffee timer to 4 min.",
        "Use the weekend rate for Saturdays.",
        "weekend days should be grey in the calendar",
        "The harbour closes for the holidays, so jobs pause",
        "birthdays are stored without the year",
        "no lunch break in the schedule table",
        "don't deploy on weekends, ever",
        "see you is the label of the button",
        "I want to make a rule: never force push",
        "I want all dates in UTC",
        "I want to drop the cache",
        "I want to make some changes, i don't want rotating machine ids",
        "We need to make releases reproducible because the auditors check them",
        "tell me before you push, always",
        "always show me the diff before you commit :)",
        "make it blue",
        "drop it, we use Postgres",
        "keep it in `tides.py`",
        "let's go with Tern :)",
        "no emojis in commit messages lol",
        "Markdown files then.",
        "以后天气数据用 UTC 存",
        "午饭时间段不许部署",
        "改用 Signal 😄",
        "我要把测试改成 vitest",
    ],
)
def test_what_speaks_of_the_work_is_no_small_talk(text: str) -> None:
    assert tells(text, "user")


def test_a_prompt_that_only_asks_leaves_nothing(talk: Talk) -> None:
    talk.user("The images are 9 MB each. Make them smaller.").edited("shrink.py", "Done.")
    talk.user("lol that's ugly. whatever, keep it.").reply("All right.")
    talk.user("谢谢，今天就到这里。对了，蜂蜜收成不错 😄").reply("恭喜！")
    assert said(talk) == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("oh, one thing: never commit the `hives.db` file", "never commit the `hives.db` file"),
        (
            "hmm wait, the scale id should be a string, not a number",
            "the scale id should be a string, not a number",
        ),
        ("对了，以后提交信息都用中文写", "以后提交信息都用中文写"),
        ("well-known ports must never be hard coded", "well-known ports must never be hard coded"),
    ],
)
def test_a_fact_is_said_without_what_only_opens_a_sentence(talk: Talk, text: str, kept: str) -> None:
    talk.user("make a start").edited("hives.py", "Done.").user(text).reply("Noted.")
    assert kept in [body for _, body in said(talk)]


def test_what_is_put_on_a_list_is_a_task_and_no_choice(talk: Talk) -> None:
    talk.user("add the export").edited("export.py", "Done.")
    talk.user("ok leave it for now, TODO: the CSV export needs a header row").reply("Noted.")
    assert [kind for kind, _ in said(talk)] == ["task"]


def test_a_todo_app_is_nothing_that_was_put_off(talk: Talk) -> None:
    talk.user("add the export").edited("export.py", "Done.")
    talk.user("the todo list page must show `due_at` in local time").reply("Noted.")
    assert "task" not in [kind for kind, _ in said(talk)]


def test_the_names_of_a_tables_columns_are_no_support_of_a_choice(talk: Talk) -> None:
    table = "| | Kelp | Tern |\n|---|---|---|\n| install | one 40 MB file | pip plus `libtern` |\n"
    talk.user("compare kelp and tern").reply(f"Here:\n\n{table}\nI recommend Kelp because it needs no libraries.")
    talk.user("ok, Kelp then").edited("print.py", "Switched to Kelp.")
    assert said(talk)
    assert all("|" not in body and "Kelp — Tern" not in body for _, body in said(talk))


@pytest.mark.parametrize(
    "text", ["alarm at 1500 g in 10 min", "hives 20 m from the fence", "we store weights in grams"]
)
def test_what_is_settled_in_a_figure_or_a_word_is_kept(talk: Talk, text: str) -> None:
    talk.user("make a start").edited("hives.py", "Done.").user(text).edited("hives.py", "Set.")
    assert ("decision", text) in said(talk)


@pytest.mark.parametrize(
    "text", ["lunch in 10 min, go on", "took 10 min to build", "I waited 20 s for it", "Nice then."]
)
def test_a_figure_of_what_merely_happens_settles_nothing(talk: Talk, text: str) -> None:
    talk.user("make a start").edited("hives.py", "Done.").user(text).reply("ok")
    assert all(text not in body for _, body in said(talk))


def test_two_words_pick_what_the_reply_before_spoke_of(talk: Talk) -> None:
    talk.user("where should notes go?").reply("We could keep notes as Markdown files in `notes/` or in a database.")
    talk.user("Markdown files then.").edited("notes/a.md", "Done.")
    assert [kind for kind, body in said(talk) if body.startswith("Markdown files then.")] == ["decision"]


@pytest.mark.parametrize(
    "text",
    [
        "Deploy is `make ship` now, the old deploy target is gone",
        "Timestamps should be local time after all",
        "The alarm threshold goes back to 1500 g",
        "uv is out, we use pixi in all my projects now",
        "Changed my mind about clamping, keep the raw values",
        "Kelp was a mistake, back to a plain table",
        "Kelp 不要了，改回内存缓存",
        "时间戳还是用本地时间吧",
    ],
)
def test_a_change_of_mind_is_learnt_however_short_it_is(talk: Talk, text: str) -> None:
    for number in range(8):
        talk.user(f"add harbour number {number}").edited(f"harbour{number}.py", "Done.")
    talk.user(text).edited("hives.py", "Changed.")
    found = [one for one in distill(talk.transcript()).candidates if text in one.body]
    assert [one.kind for one in found] in (["decision"], ["convention"])
    assert [one.everywhere for one in found] == ["all my projects" in text]


@pytest.mark.parametrize(
    "text",
    [
        "don't add emojis to my READMEs, in any repo",
        "in none of my repos may the default branch be master",
        "don't squash commits, anywhere",
        "use conventional commits in every project",
        "no trailing whitespace in any of my repos",
        "任何仓库里都不要提交 .env 文件",
        "不管哪个项目都用中文写提交信息",
        "所有仓库都不要用 master 分支",
    ],
)
def test_what_is_said_of_any_project_holds_everywhere_in_a_long_session_too(talk: Talk, text: str) -> None:
    for number in range(9):
        talk.user(f"add harbour number {number}").edited(f"harbour{number}.py", f"`harbour{number}.py` is there.")
    talk.user(text).reply("Understood.")
    found = [one for one in distill(talk.transcript()).candidates if text in one.body]
    assert [one.everywhere for one in found] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "don't use print anywhere in the parser",
        "never call `open` anywhere else",
        "every project page must have a title",
        "the importer must never clone any repo twice",
        "哪个项目的进度条最慢就先显示哪个，不要排序",
    ],
)
def test_what_is_said_of_this_projects_own_things_holds_here(talk: Talk, text: str) -> None:
    talk.user("make a start").edited("hives.py", "Done.").user(text).reply("Understood.")
    assert [one.everywhere for one in distill(talk.transcript()).candidates if text in one.body] in ([False], [])
