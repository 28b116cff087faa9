"""A mind changed in everyday words, from one session to the next: what was ends, and what only shares a word stands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memd.distill.distill import distill
from memd.model import Candidate
from tests.eval import changes
from tests.unit.distill.claimed import claim, current, judged
from tests.unit.distill.talk import Talk

_DAY = 86_400_000


def learnt(text: str) -> tuple[Candidate, ...]:
    """What a session in which a person says only this leaves behind."""
    return distill(Talk().user(text).reply("OK.").transcript()).candidates


def held_after(first: str, second: str) -> list[str]:
    """What holds after two sessions, one sentence in each."""
    claims = [
        replace(
            claim(one.body, day * _DAY, kind=one.kind, slot=one.slot, session=day, parts=one.parts),
            title=one.title,
            tags=one.tags,
        )
        for day, said in enumerate((first, second), 1)
        for one in learnt(said)
    ]
    assert {one.session for one in claims} == {1, 2}, [one.body for one in claims]
    return current(judged(claims))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Go with Redis for the job queue, it is already running.", "move the job queue off Redis, use Postgres"),
        ("Let's use Tailwind, the designers know it.", "Tailwind didn't work out, back to plain CSS modules."),
        ("We host everything on Heroku.", "we've moved from Heroku to Render"),
        ("Format Python with black, never by hand.", "ruff format replaces black, line length 100"),
        ("Use Poetry for the packages.", "swap Poetry for uv"),
        ("We use Celery for emails.", "replace Celery by arq for the emails"),
        ("Send the alerts through Slack.", "stop sending alerts to Slack, use PagerDuty"),
        ("Always squash commits before merging.", "no more squashing, keep the commits as they are"),
        ("Run the tests with `pytest -x`.", "we don't use pytest anymore, run `ward` for the tests"),
        ("The main table is called `berths`.", "rename berths to moorings everywhere"),
        ("Cache the forecasts for 10 minutes.", "10 minutes is too long, cache forecasts for 2 minutes only"),
        ("We always send errors to Sentry.", "had enough of Sentry, errors go to GlitchTip"),
        ("Branch off `develop`, never off main.", "develop is gone, branch off main from now on"),
        (
            "The map tiles come from OpenStreetMap's servers.",
            "Don't load tiles from OpenStreetMap any more, we host them",
        ),
        ("Use the Google geocoder for addresses.", "no Google for geocoding please, take Photon"),
        ("We write the docs in AsciiDoc.", "the docs move to Markdown, nobody here writes AsciiDoc"),
        ("图片存在本地磁盘。", "图片不存本地了，放到 OSS"),
        ("消息队列用 RabbitMQ。", "把消息队列从 RabbitMQ 迁到 Kafka。"),
        ("前端打包用 webpack。", "webpack 太慢了，换成 Vite。"),
        ("图表用 ECharts。", "ECharts 包太大，换 Chart.js"),
        ("接口返回用 XML。", "接口别返回 XML 了，统一用 JSON"),
        ("超时设为 30 秒。", "超时 30 秒不够，改成 90 秒"),
    ],
)
def test_a_changed_mind_ends_what_it_changes(first: str, second: str) -> None:
    held = held_after(first, second)
    assert not [one for one in held if first.rstrip(".。") in one]
    assert any(second in one for one in held)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("We use Redis for caching tide tables.", "move the job queue off Redis, use Postgres"),
        ("We use Celery for the nightly report.", "replace Celery by arq for the emails"),
        ("Let's use Vue for the admin pages, because Ida knows it.", "move the date helpers from Vue to Temporal"),
        ("Add comments in English to the public functions, always.", "stop adding emojis to the comments, use words"),
        ("The timeout for uploads is 30 seconds, always.", "make the timeout for downloads 120 seconds"),
        ("Always run the formatter before committing.", "stop running the suite for a typo, run it before a push"),
        ("Keep Redis for rate limiting, because it is fast.", "get rid of the Redis dump files everywhere"),
    ],
)
def test_what_only_shares_a_word_with_it_stands(first: str, second: str) -> None:
    assert any(first in one for one in held_after(first, second))


def test_of_many_changes_of_mind_hardly_any_leaves_the_old() -> None:
    outcomes = [changes.outcome(one) for one in changes.read(changes.CASES)]
    assert len(outcomes) > 100
    assert [one.change.second for one in outcomes if one.stale][3:] == []
    assert sum(one.right for one in outcomes) > 0.7 * len(outcomes)
