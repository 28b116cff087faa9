from __future__ import annotations

from memd.distill.distill import setting_of
from memd.distill.draft import Draft
from memd.distill.overtaken import gone, overtaken
from memd.distill.signals import signals
from memd.distill.thread import Thread
from memd.distill.weigh import FLOOR, weigh
from memd.distill.worth import Weights, worth
from tests.unit.distill.talk import Talk

KEEP_ALL = Weights({"": 3.0}, {"": 3.0})


def kept(talk: Talk, weights: Weights = KEEP_ALL) -> tuple[Draft, ...]:
    setting, drafts = setting_of(Thread(talk.transcript()))
    return weigh(setting, drafts, weights)


def texts(talk: Talk) -> list[str]:
    return [draft.text for draft in kept(talk)]


def test_exact_names_reasons_and_a_report_at_the_end_make_a_passage_worth_more(talk: Talk) -> None:
    talk.user("where are they").reply("They are stored somewhere else in there, I see.").edited("a.py")
    talk.reply(
        "The refs live in `refs/harbor/*`, not in `refs/heads/*`, because a branch would be listed; fetch them with"
        " `git fetch origin 'refs/harbor/*'`."
    )
    setting, _ = setting_of(Thread(talk.transcript()))
    vague, exact = setting.passages[-2:]
    assert worth(setting, exact) > 2 * worth(setting, vague)
    assert {"command", "denies", "because", "code"} <= signals(setting, exact)


def test_what_no_weight_speaks_for_is_not_kept(talk: Talk) -> None:
    talk.user("The harbour office imports the tides from `tides/legacy.py`, at night.")
    assert kept(talk, Weights({"": -3.0}, {"": -3.0})) == ()
    assert all(draft.confidence >= 0.5 for draft in kept(talk, Weights({"": 0.0}, {"": 0.0})))
    assert FLOOR < 0.5


def test_what_is_said_again_is_one_fact_with_both_places_as_evidence(talk: Talk) -> None:
    talk.user("go").reply("The tide table of 2031 is stored in `tides/table.db` by the importer.")
    talk.user("and?").reply("As before, the tide table of 2031 is stored in `tides/table.db` by the importer.")
    (fact,) = kept(talk)
    assert len({one.message for one in (fact.anchor, *fact.also)}) == 2


def test_short_neighbours_in_a_list_are_one_fact(talk: Talk) -> None:
    talk.user("go").reply(
        "Changed:\n\n- `model.py` reads constants\n- `table.py` caches a year\n\nThe harbour listens on port 8080."
    )
    assert sorted(texts(talk)) == [
        "The harbour listens on port 8080.",
        "`model.py` reads constants `table.py` caches a year",
    ]


def test_each_rule_of_a_paragraph_is_a_fact_of_its_own(talk: Talk) -> None:
    talk.user("Always run `make check` before a commit. Never push to main without asking me.")
    assert len(kept(talk)) == 2


def test_what_a_later_report_says_is_gone_is_no_fact_any_more(talk: Talk) -> None:
    talk.user("go").reply("The fetch is chunked with `--chunk-days`, 92 by default, as the server asks for it.")
    talk.user("simplify").reply("`--chunk-days N` is gone, replaced by whole months.")
    assert not any("92" in text for text in texts(talk))


def test_a_sentence_about_the_removal_itself_stays(talk: Talk) -> None:
    talk.user("delete the research folder, do not archive it").reply("The research folder is deleted.")
    assert overtaken(Thread(talk.transcript())) == frozenset()


def test_what_is_gone_is_read_in_several_languages() -> None:
    assert list(gone("The retry queue was removed.")) == [frozenset(("retry", "queue"))]
    assert list(gone("**IEEE Sembolleri Kaldırıldı**")) == [frozenset(("ieee", "sembolleri"))]
    assert any("httpx" in named for named in gone("`httpx-sse` 제거"))
