"""An answer that no command was shaped for is a table where it is one, and is told by its members elsewhere."""

from __future__ import annotations

from memd.doors.cli.plain import lines_of

UID = "0192a0b0-c0d0-7234-8567-89ab23456789"


def test_things_of_one_kind_are_a_table_of_what_they_have_to_tell() -> None:
    rows = [
        {"id": UID, "name": "backup", "paused": True, "failures": 0, "error": None, "params": {"limit": 3, "job": "x"}},
        {"id": UID, "name": "distill\x1b[2J", "paused": False, "failures": 0, "params": {}},
    ]

    assert lines_of(rows, 80) == [
        "ID          NAME        PAUSED  PARAMS",
        "ab23456789  backup      yes     limit: 3, job: x",
        "ab23456789  distill[2J",
    ]


def test_a_time_is_told_where_this_machine_is() -> None:
    head, row = lines_of([{"at": "2026-03-01T10:00:00.000Z", "op": "search"}], 80)

    assert head.split() == ["AT", "OP"]
    assert row.split()[0].startswith("2026-0")
    assert "T" not in row.split()[0]


def test_what_does_not_fit_is_said_to_be_missing() -> None:
    (row,) = [{f"member_{number}": "a dozen chars" for number in range(9)}]

    head, told, _, more = lines_of([row], 80)

    assert max(len(told), len(head)) <= 80
    assert more == "(--json tells member 5, member 6, member 7, member 8 as well.)"


def test_a_list_with_a_few_figures_about_it_is_a_table_and_the_figures() -> None:
    answer = {
        "relations": [
            {"source": f"entity:{UID}", "relation": "uses", "target": f"fact:{UID}", "source_label": "Lamp",
             "target_label": "Oil is dear", "joins": ["tool", "place"]},
        ],
        "total": 21, "next_offset": 20, "sampled": False,
    }  # fmt: skip

    assert lines_of(answer, 80) == [
        "SOURCE  RELATION  TARGET       JOINS",
        "Lamp    uses      Oil is dear  tool, place",
        "",
        "total: 21, next offset: 20",
    ]
    assert lines_of({"relations": [], "total": 0, "next_offset": None, "sampled": False}, 80) == ["Nothing."]
    assert lines_of({"relations": [], "total": 0, "sampled": True}, 80) == ["total: 0", "sampled: true"]
    assert lines_of({"nodes": [{"node": f"entity:{UID}", "relations": 3}]}, 80)[1].split() == ["entity:ab23456789", "3"]


def test_one_thing_with_its_history_is_told_whole() -> None:
    answer = {"fact": {"id": UID, "title": "Lamps", "kind": "note"}, "history": [{"action": "ADD", "reason": "said"}]}

    assert lines_of(answer, 80)[:4] == ["fact:", f"  id: {UID}", "  title: Lamps", "  kind: note"]


def test_what_is_no_table_is_told_by_its_members() -> None:
    assert lines_of([], 80) == ["Nothing."]
    assert lines_of({"total": 0}, 80) == ["total: 0"]
    assert lines_of([{"name": "x", "tags": [["a"]]}], 80) == ["- name: x", "  tags:", "    - - a"]
    assert lines_of([{"text": "two\nlines"}], 80)[0] == "- text: two"
    assert lines_of([{"paused": False}], 80) == ["- paused: false"]
