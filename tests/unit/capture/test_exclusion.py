from __future__ import annotations

from pathlib import Path

from memd.adapter import Batch, Cursor, Event, MessagePart, SessionUpdate
from memd.capture.exclusion import EXCLUDED, Exclusion
from memd.store.ingest import Prepared

HOME = Path("/home/ada")


def exclusion(*patterns: str, own: tuple[Path, ...] = ()) -> Exclusion:
    return Exclusion(patterns, own, HOME)


def said(session: str, part: str) -> MessagePart:
    return MessagePart(session, part, part, 1, "user", "prompt", None, text=part)


def batch(*events: Event) -> Prepared:
    return Prepared(Batch(events, Cursor(offset=9)), tuple(getattr(event, "text", "") for event in events))


def test_a_pattern_covers_a_folder_and_what_lies_in_it() -> None:
    for pattern in ("~/secret", "~/secret/", "~/secret/**", "/home/ada/secret", "*/secret"):
        assert exclusion(pattern).covers("/home/ada/secret")
        assert exclusion(pattern).covers("/home/ada/secret/a/b")
        assert not exclusion(pattern).covers("/home/ada/secrets")
        assert not exclusion(pattern).covers("/home/ada")


def test_a_star_stands_for_any_name() -> None:
    assert exclusion("~/work/*-private").covers("/home/ada/work/shop-private/src")
    assert not exclusion("~/work/*-private").covers("/home/ada/work/shop")


def test_without_a_pattern_nothing_is_covered() -> None:
    assert not exclusion().covers("/home/ada/secret")
    assert not exclusion("~/secret").covers(None)


def test_folders_of_memd_itself_are_always_covered() -> None:
    assert exclusion(own=(HOME / ".cache" / "memd",)).covers(HOME / ".cache" / "memd" / "runs")


def test_events_of_a_session_left_out_are_dropped_and_counted() -> None:
    out = exclusion("~/secret")
    events = (SessionUpdate("s", cwd="/home/ada/secret"), said("s", "hidden"), said("t", "open"))
    found = out.without(batch(*events))
    assert found.batch.events == (said("t", "open"),)
    assert found.bodies == ("open",)
    assert found.batch.skipped == {EXCLUDED: 2}
    assert found.batch.cursor == Cursor(offset=9)


def test_a_session_is_remembered_from_batch_to_batch() -> None:
    out = exclusion("~/secret")
    out.without(batch(SessionUpdate("s", cwd="/home/ada/secret/a")))
    assert out.without(batch(said("s", "hidden"))).batch.events == ()


def test_a_session_that_leaves_the_folder_is_stored_from_there_on() -> None:
    out = exclusion("~/secret")
    events = (
        SessionUpdate("s", cwd="/home/ada/secret"),
        said("s", "hidden"),
        SessionUpdate("s", cwd="/home/ada/shop"),
        said("s", "open"),
    )
    assert out.without(batch(*events)).batch.events == events[2:]


def test_a_batch_with_nothing_to_leave_out_is_the_same() -> None:
    given = batch(SessionUpdate("s", cwd="/home/ada/shop"), said("s", "open"))
    assert exclusion("~/secret").without(given) is given


def test_what_is_said_before_the_folder_is_told_was_said_there() -> None:
    out = exclusion("~/secret")
    assert out.without(batch(said("s", "hidden"), SessionUpdate("s", cwd="/home/ada/secret"))).batch.events == ()


def test_a_session_known_to_be_left_out_is_so_until_it_leaves() -> None:
    out = exclusion("~/secret")
    out.without(batch(SessionUpdate("s", cwd="/home/ada/secret")))
    left = SessionUpdate("s", cwd="/home/ada/shop")
    assert out.without(batch(said("s", "hidden"), left)).batch.events == (left,)


def test_links_and_roundabout_paths_lead_to_the_same_folder(tmp_path: Path) -> None:
    (tmp_path / "disk/secret").mkdir(parents=True)
    (tmp_path / "home").mkdir()
    (tmp_path / "home/secret").symlink_to(tmp_path / "disk/secret")
    out = Exclusion(("~/secret/**",), (), tmp_path / "home")
    out.follow_links()
    assert out.covers(tmp_path / "home/secret/a")
    assert out.covers(tmp_path / "disk/secret/a")
    assert out.covers(f"{tmp_path}/home/shop/../secret/a")
    assert not out.covers(tmp_path / "disk/shop")
