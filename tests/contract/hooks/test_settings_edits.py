"""Surgical edits of settings files: what goes in comes out, and no other byte moves."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memd_hooks.jsonc import DocumentError, JsonValue, meaning, scan
from memd_hooks.settings_json import Before, append_item, replace_text, values_of
from memd_hooks.settings_prune import remove_items

EVENTS = ("SessionStart", "Stop")
OURS: JsonValue = {"hooks": [{"type": "command", "command": "/x/memd-hook claude_code", "timeout": 5}]}


def ours(_place: object, value: JsonValue) -> bool:
    return value == OURS


def put_in(data: bytes | None, before: Before = Before(), *, comments: bool = False) -> tuple[bytes, Before]:  # noqa: B008
    for event in EVENTS:
        edited = append_item(data, ("hooks", event), OURS, before, comments=comments)
        data, before = edited.data, edited.before
    assert data is not None
    return data, before


# Documents in any layout: random values, printed with random white space between the tokens.
spaces = st.text(" \t\n\r", max_size=3)
scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5)).map(
    lambda value: json.dumps(value, ensure_ascii=False)
) | st.sampled_from(["1e5", "-0.5E+3", r'"é\"\\"', '"// no comment"', '"]}"'])


@st.composite
def laid_out(draw: st.DrawFn, elements: list[str], brackets: str, gaps: st.SearchStrategy[str] = spaces) -> str:
    text = brackets[0] + draw(gaps)
    for index, element in enumerate(elements):
        text += ("," + draw(gaps) if index else "") + element + draw(gaps)
    return text + brackets[1]


def lists(elements: st.SearchStrategy[str], fewest: int = 0) -> st.SearchStrategy[str]:
    return st.lists(elements, min_size=fewest, max_size=3).flatmap(lambda items: laid_out(items, "[]"))


def objects(members: st.SearchStrategy[dict[str, str]]) -> st.SearchStrategy[str]:
    def print_members(members: dict[str, str]) -> st.SearchStrategy[str]:
        return spaces.flatmap(
            lambda gap: laid_out([f"{json.dumps(key)}{gap}:{gap}{value}" for key, value in members.items()], "{}")
        )

    return members.flatmap(print_members)


others = st.dictionaries(st.sampled_from(["model", "env", "Café", "x y"]), scalars, max_size=3)
values = st.recursive(scalars, lambda inner: lists(inner) | objects(st.dictionaries(st.text(max_size=3), inner)))
events = st.fixed_dictionaries({}, optional={"SessionStart": lists(values), "Stop": lists(values), "Other": values})
settings = st.builds(
    lambda first, hooks, last: first | hooks | {key: value for key, value in last.items() if key not in first},
    others,
    st.fixed_dictionaries({}, optional={"hooks": objects(events)}),
    others,
)
documents = st.builds(
    lambda bom, before, text, after: (bom + before + text + after).encode(),
    st.sampled_from(["", "\ufeff"]),
    spaces,
    objects(settings) | st.just(""),
    spaces,
)


@given(documents)
@example(b"")
@example(b"{}")
@example(b" {\n}\r\n")
@example(b'{"hooks": {}}')
@example(b'{\n  "hooks": {"SessionStart": []}\n}')
def test_taking_out_what_was_put_in_gives_back_every_document(data: bytes) -> None:
    with_ours, before = put_in(data)
    assert remove_items(with_ours, ours, before) == data
    hooks = json.loads(with_ours.decode("utf-8-sig"))["hooks"]
    assert [hooks[event][-1] for event in EVENTS] == [OURS, OURS]


@given(documents)
def test_only_bytes_are_added(data: bytes) -> None:
    with_ours, _ = put_in(data)
    rest = iter(with_ours)
    # Every byte of the document is there still, in its order; white space inside empty brackets is laid out anew.
    assert all(byte in rest for byte in data.replace(b" ", b"").replace(b"\t", b"").translate(None, b"\r\n"))


@given(documents)
def test_nothing_else_in_the_document_changes_its_meaning(data: bytes) -> None:
    with_ours, _ = put_in(data)
    expected = values_of(data)
    assert isinstance(expected, dict)
    for event in EVENTS:
        hooks = expected.setdefault("hooks", {})
        assert isinstance(hooks, dict)
        groups = hooks.setdefault(event, [])
        assert isinstance(groups, list)
        groups.append(OURS)
    assert values_of(with_ours) == expected


@given(documents)
def test_without_the_memory_the_meaning_still_comes_back(data: bytes) -> None:
    def without_empties(value: JsonValue) -> JsonValue:
        assert isinstance(value, dict)
        hooks = value.get("hooks")
        if isinstance(hooks, dict):
            kept = {event: groups for event, groups in hooks.items() if groups or event not in EVENTS}
            value = {key: kept if key == "hooks" else item for key, item in value.items() if key != "hooks" or kept}
        return value

    removed = remove_items(put_in(data)[0], ours, Before())
    assert removed is not None
    assert values_of(removed) == without_empties(values_of(data))


used = st.builds(
    lambda first, hooks, text: (text, first | hooks),
    others,
    st.fixed_dictionaries(
        {"hooks": objects(st.fixed_dictionaries({"SessionStart": lists(values, 1)}, optional={"Stop": lists(values)}))}
    ),
    spaces,
).flatmap(lambda found: objects(st.just(found[1])).map(lambda text: (found[0] + text).encode()))


@given(used)
def test_what_the_person_changed_meanwhile_stays(data: bytes) -> None:
    """A setting at the top and a group before and after ours: the same edits, with memd and without, end alike."""

    def edit(document: bytes) -> bytes:
        text = document.decode().replace("{", '{"mine": 1, ', 1)
        return re.sub(r'("SessionStart"\s*:\s*\[)', r'\1{"hooks": []}, ', text, count=1).encode()

    with_ours, before = put_in(data)
    assert remove_items(edit(with_ours), ours, before) == edit(data)
    again, before = put_in(edit(with_ours), before)
    assert remove_items(again, ours, before) == edit(data)


def test_a_group_that_the_person_added_after_ours_stays() -> None:
    with_ours, before = put_in(b'{\n  "model": "opus"\n}\n')
    theirs = with_ours.replace(
        b'"timeout": 5\n          }\n        ]\n      }\n',
        b'"timeout": 5\n          }\n        ]\n      },\n      {\n        "hooks": []\n      }\n',
        1,
    )
    assert theirs != with_ours
    assert remove_items(theirs, ours, before) == (
        b'{\n  "model": "opus",\n  "hooks": {\n'
        b'    "SessionStart": [\n      {\n        "hooks": []\n      }\n    ]\n  }\n}\n'
    )


def test_an_ordinary_settings_file_looks_as_if_a_person_had_written_it() -> None:
    data = b'{\r\n\t"model": "opus",\r\n\t"hooks": {\r\n\t\t"Stop": [{"hooks": []}]\r\n\t}\r\n}\r\n'
    assert append_item(data, ("hooks", "Stop"), {"a": 1}, Before()).data == data.replace(b"[]}]", b'[]}, {"a": 1}]')
    assert append_item(data, ("hooks", "New"), {"a": 1}, Before()).data == data.replace(
        b"[]}]\r\n", b'[]}],\r\n\t\t"New": [\r\n\t\t\t{\r\n\t\t\t\t"a": 1\r\n\t\t\t}\r\n\t\t]\r\n'
    )


def test_no_file_becomes_a_file_and_no_file_again() -> None:
    data, before = put_in(None)
    assert data.startswith(b'{\n  "hooks": {\n    "SessionStart": [\n      {\n')
    assert data.endswith(b"}\n")
    assert before == Before(absent=True, blank="")
    assert remove_items(data, ours, before) is None


def test_a_file_that_memd_made_stays_when_the_person_has_put_something_into_it() -> None:
    data, before = put_in(None)
    kept = remove_items(data.replace(b"{", b'{\n  "model": "opus",', 1), ours, before)
    assert kept is not None
    assert json.loads(kept) == {"model": "opus"}


def test_a_host_that_prints_the_file_anew_does_not_hide_what_is_ours() -> None:
    """Claude Code writes its settings as JSON.stringify(settings, null, 2) does."""
    data, before = put_in(b'{"model":"opus"}')
    anew = json.dumps(json.loads(data), indent=2).encode()
    assert remove_items(anew, ours, before) == b'{\n  "model": "opus"\n}'


def test_containers_that_were_empty_before_are_not_forgotten_over_a_second_install() -> None:
    first, before = put_in(b'{"hooks": {  }}')
    removed = remove_items(first, lambda place, value: "Stop" in place and value == OURS, before)
    assert removed is not None
    again, before = put_in(removed.replace(b"SessionStart", b"Renamed"), before)
    assert remove_items(again, ours, before) == b'{"hooks": {  }}'


def test_containers_that_the_person_removed_are_not_brought_back() -> None:
    _, before = put_in(b'{"hooks": {}}')
    again, before = put_in(b'{"model": "opus"}', before)
    assert remove_items(again, ours, before) == b'{"model": "opus"}'


JSONC = """{
  // which model
  "model": "opus", /* the big one */
  "hooks": {
    "SessionStart": [
      {"a": 1}, // first
      {"b": 2}, // last
    ],
    "Stop": [ /* nothing yet */ ],
  },
}
"""


def test_comments_and_trailing_commas_survive() -> None:
    with_ours, before = put_in(JSONC.encode(), comments=True)
    assert remove_items(with_ours, ours, before, comments=True) == JSONC.encode()
    assert values_of(with_ours, comments=True) != values_of(JSONC.encode(), comments=True)


@pytest.mark.parametrize(
    ("data", "left"),
    [
        (b'{"a": [1, /* ours: */ "x", 2]}', b'{"a": [1 /* ours: */ , 2]}'),
        (b'{"a": ["x", // ours\n 2]}', b'{"a": [ // ours\n 2]}'),
        (b'{"a": [ // ours\n "x", "x" ]}', b'{"a": [ // ours\n   ]}'),
        (b'{"a": ["x",], "b": 1}', b'{"b": 1}'),
    ],
)
def test_a_comment_beside_ours_is_the_persons(data: bytes, left: bytes) -> None:
    assert remove_items(data, lambda _, value: value == "x", Before(), comments=True) == left
    scan(left.decode(), comments=True)


jsonc_gaps = st.lists(st.sampled_from([" ", "\n", "// one\n", "/* , ] two */", "/**/", "\r\n"]), max_size=3).map(
    "".join
)


@given(
    st.lists(st.sampled_from(['"x"', '"y"', '{"deep": ["x"]}', '{"deep": ["x", 1]}']), max_size=5).flatmap(
        lambda items: laid_out(items, "[]", jsonc_gaps)
    ),
    st.booleans(),
)
def test_removal_leaves_a_valid_document_and_every_comment(text: str, trailing: bool) -> None:
    if trailing and values_of(text.encode(), comments=True):
        text = text[:-1] + ",]"
    removed = remove_items(text.encode(), lambda _, value: value == "x", Before(), comments=True)
    assert removed is not None
    for comment in ("// one\n", "/* , ] two */", "/**/"):
        assert removed.count(comment.encode()) == text.count(comment)
    assert b'"x"' not in removed
    left = values_of(removed, comments=True)
    if left != {}:
        assert isinstance(left, list)
        assert [item for item in left if item == "y"] == [
            item for item in json.loads(json.dumps(values_of(text.encode(), comments=True))) if item == "y"
        ]


def test_a_text_is_replaced_in_place() -> None:
    data = b'\xef\xbb\xbf{ "a" : [ 1, {"command":"old" , "t": 5} ] }'
    assert replace_text(data, ("a", 1, "command"), 'n"ew é') == data.replace(b'"old"', '"n\\"ew é"'.encode())


@given(values)
def test_every_valid_document_means_what_the_json_module_says(text: str) -> None:
    assert meaning(scan(text)) == json.loads(text)


@given(st.text('{}[]:,"\\/ \n0-1.eatrulsfn*', max_size=12))
def test_no_text_is_accepted_that_the_json_module_refuses(text: str) -> None:
    try:
        read = meaning(scan(text))
    except DocumentError:
        return
    assert read == json.loads(text)


BROKEN = {
    "a comment": (b"{\n  // model\n}", "line 2, column 3"),
    "a trailing comma": (b'{"a": 1,}', "line 1, column 9"),
    "no end": (b'{"a": [1, 2', "line 1, column 12"),
    "two documents": (b"{} {}", "line 1, column 4"),
    "NaN": (b'{"a": NaN}', "line 1, column 7"),
    "a leading zero": (b'{"a": 01}', "line 1, column 7"),
    "single quotes": (b"{'a': 1}", "line 1, column 2"),
    "a raw line end in a string": (b'{"a": "x\ny"}', "line 1, column 7"),
    "not UTF-8": (b'{"a": "\xff"}', "not UTF-8"),
    "too deep": (b'{"a":' + b"[" * 300 + b"]" * 300 + b"}", "nested too deeply"),
    "a merge conflict": (b"<<<<<<< HEAD\n{}", "line 1, column 1"),
    "no object": (b"[]", "the document is not an object"),
    "hooks are a list": (b'{"hooks": []}', "hooks is not an object"),
    "an event is an object": (b'{"hooks": {"SessionStart": {}}}', "hooks.SessionStart is not a list"),
    "an event is null": (b'{"hooks": {"SessionStart": null}}', "hooks.SessionStart is not a list"),
    "doubled hooks": (b'{"hooks": {}, "hooks": {}}', '"hooks" stands there twice'),
}


@pytest.mark.parametrize(("data", "problem"), BROKEN.values(), ids=BROKEN)
def test_what_cannot_be_read_for_certain_is_refused_with_its_place(data: bytes, problem: str) -> None:
    with pytest.raises(DocumentError, match=problem.replace("(", "\\(")):
        put_in(data)


@pytest.mark.parametrize(
    ("edit", "without_us"),
    [
        (b'{"model": "x",', b'{"model": "x"}\n'),
        (b'{ "model": "x", "env": {},', b'{ "model": "x", "env": {}}\n'),
        (b'{\n  "model": "x",', b'{\n  "model": "x"\n}\n'),
    ],
)
def test_what_a_person_wrote_right_after_the_brace_of_an_empty_document_stays_on_its_line(
    edit: bytes, without_us: bytes
) -> None:
    data, before = put_in(b"{}\n")
    assert remove_items(data.replace(b"{", edit, 1), ours, before) == without_us
