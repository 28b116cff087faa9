from __future__ import annotations

from memd.capture.states import Attendance, Ended, OpenSession, WentIdle, next_state

NOW = 1_800_000_000_000
IDLE = 15 * 60_000
FRESH = OpenSession("lines", "a", idle=False, active_at=NOW - 5000)
QUIET = OpenSession("lines", "a", idle=False, active_at=NOW - IDLE)
A, B = ("lines", "a"), ("lines", "b")


def test_a_session_whose_process_is_gone_has_ended_now() -> None:
    assert next_state(FRESH, False, NOW, IDLE) == Ended(FRESH, NOW, "exit")


def test_a_session_with_news_goes_on() -> None:
    assert next_state(FRESH, True, NOW, IDLE) is None
    assert next_state(FRESH, None, NOW, IDLE) is None


def test_a_quiet_session_of_which_nothing_else_is_known_ended_with_its_last_sign_of_life() -> None:
    assert next_state(QUIET, None, NOW, IDLE) == Ended(QUIET, QUIET.active_at, "idle")


def test_a_quiet_session_whose_process_runs_is_idle_once() -> None:
    assert next_state(QUIET, True, NOW, IDLE) == WentIdle(QUIET)
    assert next_state(OpenSession("lines", "a", idle=True, active_at=0), True, NOW, IDLE) is None


def test_a_clock_set_back_ends_nothing() -> None:
    assert next_state(FRESH, None, NOW - 10**9, IDLE) is None


def test_a_session_that_said_something_just_now_goes_on_without_a_process() -> None:
    assert next_state(OpenSession("lines", "a", idle=False, active_at=NOW - 100), False, NOW, IDLE) is None


def test_a_session_listed_no_more_is_over_until_it_is_forgotten() -> None:
    attendance = Attendance()
    assert attendance.take({A: True, B: True}) == {A: True, B: True}
    assert attendance.take({A: True}) == {A: True, B: False}
    assert attendance.take({A: True}) == {A: True, B: False}
    attendance.forget([B])
    assert attendance.take({A: True}) == {A: True}


def test_a_session_listed_again_goes_on() -> None:
    attendance = Attendance()
    attendance.take({A: True})
    attendance.take({})
    assert attendance.take({A: True}) == {A: True}


def test_a_session_listed_with_a_dead_process_is_over() -> None:
    attendance = Attendance()
    assert attendance.take({A: False}) == {A: False}
    assert attendance.take({}) == {}


def test_a_forgotten_session_is_not_missed() -> None:
    attendance = Attendance()
    attendance.take({A: True})
    attendance.forget([A])
    assert attendance.take({}) == {}
