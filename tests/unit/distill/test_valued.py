"""Two statements that give different values to the same thing cannot both hold, however each of them is put."""

from __future__ import annotations

import pytest

from memd.distill.comparing import compared, features, packed, unpacked
from memd.model import LinkKind


def between(later: str, earlier: str) -> LinkKind | None:
    said = [features("decision", None, text[:80], text, ()) for text in (later, earlier)]
    assert [unpacked(packed(one)) for one in said] == said
    return compared(said[0], said[1])


AT_ODDS = (
    ("Cart cookie lives 30 days, not 60", "but cookie should live 60 days not 14 like the session one"),
    ("Cookie vom Warenkorb doch auf 30 Tage runter, Datenschutz hat gemeckert", "cookie should live 60 days"),
    ("软启动时间 300 改成 500 吧,保险点", "软启动时间 300 ms"),
    ("the harbour cache lives 5 minutes now, not 10", "the harbour cache lives 10 minutes"),
    ("Die Sitzung läuft lieber doch auf 30 Minuten ab", "Die Sitzung läuft auf 20 Minuten ab"),
    ("raise the berth limit from 40 to 60", "the berth limit is 40"),
    ("la sesión dura 20 minutos, no 40", "la sesión dura 40 minutos"),
    ("actually let's use postgres for the job queue, two workers need it", "let's use sqlite for the job queue"),
    ("no, store the tides as parquet", "store the tides as csv"),
)
BOTH_HOLD = (
    ("the upload timeout is now 60 s", "The login timeout is 30 s"),
    ("the pier has 30 berths, not 60", "keep 60 backups"),
    ("the timeout is 60 s now", "the login timeout is 30 s"),  # of which one, it does not say
    ("the cache lives 5 minutes, not 10", "the cache holds 10 MB"),
    ("take option 2 for the lamp", "take option 1 for the lamp post"),
    ("actually use postgres for the berth list", "use sqlite for the job queue"),
)


@pytest.mark.parametrize(("later", "earlier"), AT_ODDS)
def test_another_value_of_the_same_thing_is_told(later: str, earlier: str) -> None:
    assert between(later, earlier) == "slot"
    assert between(earlier, later) == "slot"


@pytest.mark.parametrize(("later", "earlier"), BOTH_HOLD)
def test_values_of_two_things_hold_beside_each_other(later: str, earlier: str) -> None:
    assert between(later, earlier) is None
