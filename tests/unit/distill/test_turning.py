"""Which standing claims a change of mind ends, and which only share a word with it."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memd.distill import turning
from memd.distill.comparing import compared, features, lookup_terms, packed, unpacked
from memd.distill.distill import distill
from memd.distill.thread import Thread
from memd.model import FactKind, LinkKind
from tests.unit.distill.claimed import claim, current, judged, story
from tests.unit.distill.talk import Talk

TURNS = [
    # What is given up is named.
    ("The readings should be sent over MQTT.", "MQTT was a mistake, the broker keeps dying. Back to plain HTTP."),
    ("ok then use port 8883 with TLS for the MQTT broker", "MQTT turned out to be a bad idea, plain HTTP."),
    ("We use Fira Sans only from now on.", "forget about Fira Sans, it looks bad on paper: use Atkinson instead"),
    ("Use Fly.io instead, Heroku is too expensive.", "We no longer use Fly.io, we moved to a rented box."),
    ("We use uv in all my projects, never pip.", "uv is out, we use pixi in all my projects now."),
    ("Let's use Gullmq for the queue.", "Gullmq was the wrong choice. Back to a plain table."),
    ("Let's keep the state in Redux.", "we're done with Redux, use a plain store"),
    ("Let's go with Tailwind for the styles.", "I've changed my mind on Tailwind, plain CSS please."),
    ("Use GraphQL for the public API.", "Scratch the GraphQL idea, REST after all."),
    ("Store the photos in S3.", "No more S3, photos stay on the local disk."),
    ("Use poetry for dependencies, always.", "We dropped poetry, use uv everywhere."),
    ("用 Kelp 做缓存", "Kelp 不要了，改回内存缓存"),
    ("部署用 Fly.io", "Fly.io 是个错误，换到自己的机器"),
    ("数据库用 MySQL", "MySQL 不用了，改用 Postgres"),
    ("以后测试都用 jest 跑", "以后别用 jest 了，还是用 vitest 吧"),
    ("通知用 Telegram 发送", "不用 Telegram 了，改用 Signal"),
    ("We deploy with Docker Compose.", "Docker Compose is out, systemd units from now on."),
    ("Emails are sent via SendGrid.", "We got rid of SendGrid, mails go through our own server."),
    ("We use Poetry here.", "poetry's gone, it's uv now"),
    ("用 pnpm 装依赖", "pnpm 是个坑，换回 npm"),
    # What was turned down is wanted after all.
    ("no clamping of the values, keep them raw", "Changed my mind about clamping: clamp them to 0..100."),
    ("All timestamps are stored in UTC, never in local time.", "Timestamps should be local time after all."),
    ("don't send anything over HTTP", "go back to HTTP for the readings"),
    # The same thing is given something else.
    ("Set the alarm threshold to 2000 g.", "The alarm threshold goes back to 1500 g."),
    ("The poll interval should be 30 seconds.", "The poll interval goes back to 60 s."),
    ("Set the retry limit to 3.", "Make the retry limit 5 after all."),
    ("The server listens on port 8080.", "The server listens on port 9090 now, 8080 is taken."),
    ("Deploy with `make push-prod`, never by hand.", "Deploy is `make ship` now, the old deploy target is gone."),
    ("Let's use a deadband of 4 cm instead of a filter: the pump must not start often.", "Make the deadband 6 cm."),
    ("Use port 8787 for the tide server, because 8080 is taken.", "Use port 8788 for the tide server."),
    ("The timeout is 5 s, the lock is slow.", "Actually, raise the timeout to 30 s."),
    ("超时 5 秒", "把超时改成 30 秒"),
    ("告警阈值设为 2000 g", "告警阈值改回 1500 g"),
    ("配置文件用 YAML", "改主意了，配置文件还是用 TOML 吧"),
    ("时间戳都存 UTC", "时间戳还是用本地时间吧"),
]  # fmt: skip

SHARE_A_WORD = [
    ("The readings should be sent over MQTT.", "we're back from lunch, go on with the tests"),
    ("Use fixtures for test data.", "the leap day was a mistake I made in the test data"),
    ("The menu shows lunch at noon, always.", "forget about lunch, let's finish this"),
    ("Use Gullmq for the queue.", "Gullmq is out of memory again on staging"),
    ("Use uv for python packages, always.", "uv 0.5 is out, bump it in CI."),
    ("Use Postgres for the ledger.", "The Postgres column name was a mistake, rename it to paid_at."),
    ("Use tabs for indentation.", "The tabs in the settings dialog are gone, use an accordion."),
    ("Photos are kept in S3.", "The S3 mock in the tests was a mistake, use moto."),
    ("Always run `make check` before a commit.", "the check for lunch orders is gone from the menu"),
    ("Deploy with `make ship`.", "The ship icon is out, use an anchor."),
    ("Emails are sent via SendGrid.", "We got rid of the SendGrid warning in the logs."),
    ("Use Kelp for sessions.", "Kelp for the cache was a mistake, use a dict."),
    ("Keep the sensor interval at 10 min.", "The display interval goes back to 5 min."),
    ("用 Vue 写前端", "Vue 的警告不用管了"),
    ("日志保留 30 天", "备份保留改成 7 天"),
    ("默认语言是英文", "默认主题改成深色"),
    ("Set the alarm threshold to 2000 g.", "The battery threshold goes back to 15 %."),
    ("Set the alarm threshold to 2000 g.", "The humidity alarm interval goes back to 5 minutes."),
    ("The poll interval should be 30 seconds.", "The flush interval goes back to 60 seconds."),
    ("Retries: at most 3 for the upload.", "Retries: at most 5 for the download after all."),
    ("The cache holds at least 3 tables.", "The cache holds at most 9 tables."),
    ("Dark theme by default.", "Forget the dark chocolate, that was a joke."),
    ("logs go to stdout", "logs go to a file"),
    ("Let's use a deadband of 4 cm instead of a filter.", "Make the overlap 6 cm."),
    ("The timeout is 5 s.", "Make the lock timeout 30 s."),
    ("Use a deadband of 4 cm.", "Make the deadband 6 %."),
    ("缓存用 Kelp", "不用了，谢谢"),
    ("告警阈值设为 2000 g", "电池阈值改回 15%"),
    ("时间戳都存 UTC", "导出还是用 CSV 吧"),
]  # fmt: skip


AFTER_ALL = [
    ("图片不要压缩", "图片还是要压缩"),
    ("提交前不用跑测试", "提交前还是要跑测试"),
    ("don't cache the tide table", "cache the tide table after all"),
    ("Use Kelp for the sessions.", "no more kelp please, a dict"),
    ("이미지는 압축하지 않는다", "역시 이미지는 압축하자"),
]


@pytest.mark.parametrize(("old", "new"), AFTER_ALL)
def test_of_one_session_only_what_was_wanted_in_the_end_is_kept(talk: Talk, old: str, new: str) -> None:
    talk.user("add the gauge page").edited("a.py", "Done.").user(old).edited("b.py", "Noted.").user(new).reply("OK.")
    assert [one.body for one in distill(talk.transcript()).candidates] == [new]


@pytest.mark.parametrize(
    "text",
    [
        *(new for _, new in AFTER_ALL),
        "images should be compressed after all",
        "日志还是写标准输出吧",
        "缓存还是别加了",
        "やっぱり画像は圧縮する",
        "mejor sí comprime las imágenes",
        "finalement on garde les images en PNG",
        "всё-таки сжимай картинки",
    ],
)
def test_a_change_of_mind_of_few_words_is_kept(talk: Talk, text: str) -> None:
    talk.user("add the gauge page").edited("a.py", "Done.").user(text).reply("OK.")
    assert text in [one.body for one in distill(talk.transcript()).candidates]


@pytest.mark.parametrize(
    "text",
    [
        "还是要手动刷新才行",
        "还是不行",
        "やっぱりエラーになる",
        "should we compress them after all?",
    ],
)
def test_trouble_that_goes_on_and_a_question_change_no_mind(talk: Talk, text: str) -> None:
    talk.user("add the gauge page").edited("a.py", "Done.").user(text)
    assert list(turning.find(Thread(talk.transcript()))) == []


def link(old: str, new: str) -> LinkKind | None:
    return compared(*(features("decision", None, text[:60], text, ()) for text in (new, old)))


@pytest.mark.parametrize(("old", "new"), TURNS)
def test_a_change_of_mind_ends_what_it_names(old: str, new: str) -> None:
    assert link(old, new) in ("undoes", "slot")
    assert current(judged((claim(old, 1), claim(new, 2)))) == [new]


@pytest.mark.parametrize(("old", "new"), SHARE_A_WORD)
def test_what_only_shares_a_word_stands(old: str, new: str) -> None:
    assert link(old, new) is None
    assert current(judged((claim(old, 1), claim(new, 2)))) == sorted((old, new))


NOTES = [
    ("The retry limit is 3", "The retry limit is 5", True),
    ("The poll interval is 30 s.", "The poll interval is 2 minutes.", False),  # nobody converts units here
    ("The retry limit of the gauge is 3", "The retry limit of the pump is 5", False),
    ("The keeper of pier 12 trims the wick at noon", "The keeper of pier 14 trims the wick at noon", False),
    ("logs go to stdout", "logs go to a file now", True),
    ("logs go to stdout", "logs go to a file", False),
    ("告警阈值是 2000 g", "告警阈值是 1500 g", True),
]


@pytest.mark.parametrize(("old", "new", "ends"), NOTES)
@pytest.mark.parametrize("kinds", [("note", "note"), ("note", "decision"), ("config", "note")])
def test_a_note_that_gives_another_value_ends_what_was_noted_or_decided(
    old: str, new: str, ends: bool, kinds: tuple[FactKind, FactKind]
) -> None:
    said = (claim(old, 1, kind=kinds[0]), claim(new, 2, kind=kinds[1]))
    assert current(judged(said)) == ([new] if ends else sorted((old, new)))


def test_a_note_is_never_one_with_a_decision_that_says_the_same() -> None:
    said = (claim("The retry limit is 3", 1, kind="note"), claim("The retry limit is 3 everywhere", 2))
    assert len(current(judged(said))) == 2


@pytest.mark.parametrize(("old", "new"), TURNS)
def test_both_sides_of_a_change_of_mind_are_found_by_each_other(old: str, new: str) -> None:
    one, other = (features("decision", None, text[:60], text, ()) for text in (old, new))
    asked = {
        pair
        for term, role in lookup_terms(one)
        for pair in ([(term, "key"), (term, "undone")] if role == "word" else [(term, "word")])
    }
    assert asked & lookup_terms(other)


@pytest.mark.parametrize("text", sorted({text for pair in (*TURNS, *SHARE_A_WORD) for text in pair}))
def test_a_statement_is_compared_by_what_was_stored_as_by_what_was_said(text: str) -> None:
    said = features("decision", None, text[:60], text, ())
    assert unpacked(packed(said)) == said


def test_what_earlier_rules_stored_can_still_be_read() -> None:
    import orjson

    said = features("decision", None, "Use kelp.", "Use kelp.", ())
    earlier = orjson.dumps(orjson.loads(packed(said))[:10])
    assert unpacked(earlier).words == said.words


ALL = st.lists(st.sampled_from(list(itertools.chain(*TURNS, *SHARE_A_WORD))), min_size=2, max_size=6, unique=True)


@given(ALL, st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_whatever_is_read_first_the_same_stands(texts: list[str], chance: object) -> None:
    claims = [claim(text, at) for at, text in enumerate(texts, 1)]
    shuffled = list(claims)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]  # a Random, as hypothesis gives it
    assert story(judged(shuffled)) == story(judged(claims))
