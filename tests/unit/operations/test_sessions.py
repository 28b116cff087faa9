from __future__ import annotations

import orjson
import pytest

from memd.errors import BadParameter, NotFound
from memd.model import CommandRun, Distilled, ErrorSeen, Events, PackageChange, Summary
from memd.operations.answers import SessionAnswer
from memd.operations.sessions import list_sessions, show_session
from memd.store import sessions, summaries
from memd.store.facts import Connection
from tests.unit.operations.conftest import AGENT, ELSEWHERE, FIRST, HOST, Harbor


async def natives(harbor: Harbor, **params: object) -> list[str]:
    return sorted(session.native_id for session in await list_sessions.call(harbor.memory, params))


async def first(harbor: Harbor) -> SessionAnswer:
    (found,) = [one for one in await list_sessions.call(harbor.memory, {}) if one.native_id == FIRST]
    return found


async def test_all_sessions_are_listed_with_those_of_agents(harbor: Harbor) -> None:
    assert await natives(harbor) == [FIRST, ELSEWHERE, AGENT]
    assert await natives(harbor, subagents=False) == [FIRST, ELSEWHERE]
    assert len(await natives(harbor, limit=1)) == 1


async def test_pages_hold_every_session_once_and_in_their_order(harbor: Harbor) -> None:
    whole = await list_sessions.call(harbor.memory, {})
    pages = [await list_sessions.call(harbor.memory, {"limit": 1, "offset": place}) for place in range(4)]

    assert tuple(one for page in pages for one in page) == whole
    assert await list_sessions.call(harbor.memory, {"offset": 2}) == whole[2:]
    then = await list_sessions.call(harbor.memory, {"as_of": "2027-01-01", "limit": 2, "offset": 1})
    assert [one.native_id for one in then] == [one.native_id for one in whole[1:]]
    with pytest.raises(BadParameter, match="offset must be 0 or more"):
        await list_sessions.call(harbor.memory, {"offset": -1})


async def test_sessions_are_listed_by_project_whatever_it_is_called_by(harbor: Harbor) -> None:
    for word in (str(harbor.root), str(harbor.root / "docs"), "harbor"):
        assert await natives(harbor, project=word, subagents=False) == [FIRST]


async def test_sessions_are_listed_by_host(harbor: Harbor) -> None:
    assert await natives(harbor, host="somebody_else") == []
    assert len(await natives(harbor, host=HOST)) == 3


async def test_a_project_that_is_not_known_is_named(harbor: Harbor) -> None:
    for word in ("lighthouse", "/home/ada/lighthouse"):
        with pytest.raises(NotFound, match="lighthouse"):
            await natives(harbor, project=word)


async def test_the_json_of_a_session_is_as_documented(harbor: Harbor) -> None:
    told = orjson.loads(orjson.dumps(await first(harbor)))

    promised = {
        "native_id": FIRST,
        "host": "claude_code",
        "project": str(harbor.root),
        "title": "Where the tides live",
        "started": "2026-11-29T10:00:00.001Z",
        "ended": "2026-11-29T10:01:00.000Z",
        "messages": 4,
        "parent": None,
    }
    assert {key: told[key] for key in promised} == promised
    assert len(told["id"]) == 36


async def test_a_session_is_shown_whole(harbor: Harbor) -> None:
    shown = await show_session.call(harbor.memory, {"session": FIRST})
    prompt, reply, dead_end, last = shown.messages
    (call,) = reply.tool_calls

    assert (prompt.role, prompt.kind, prompt.at) == ("user", "prompt", "2026-11-29T10:00:00.001Z")
    assert (call.name, call.ok, call.exit_code, call.output) == ("Bash", False, 2, "barnacle not found")
    assert (dead_end.abandoned, last.abandoned) == (True, False)
    assert [agent.native_id for agent in shown.subagents] == [AGENT]
    assert shown.summary is not None
    assert shown.summary.open_ends == ("No test yet",)


async def test_a_session_is_found_by_any_of_its_names(harbor: Harbor) -> None:
    session = await first(harbor)

    for name in (session.id, session.id[-10:], session.id[-8:], FIRST, FIRST[-12:], AGENT[:10]):
        shown = await show_session.call(harbor.memory, {"session": name})
        assert shown.session.native_id == (AGENT if name == AGENT[:10] else FIRST)


async def test_a_name_that_could_mean_several_sessions_is_refused(harbor: Harbor) -> None:
    with pytest.raises(BadParameter, match="could be any of") as refused:
        await show_session.call(harbor.memory, {"session": FIRST[:8]})

    assert refused.value.exit_status == 2


async def test_a_name_that_means_none_is_refused(harbor: Harbor) -> None:
    with pytest.raises(NotFound, match="There is no session 'zz'"):
        await show_session.call(harbor.memory, {"session": "zz"})


async def test_the_end_of_a_session_can_be_shown_alone_and_without_its_tools(harbor: Harbor) -> None:
    whole = await show_session.call(harbor.memory, {"session": FIRST})
    tail = await show_session.call(harbor.memory, {"session": FIRST, "tail": 2})
    bare = await show_session.call(harbor.memory, {"session": FIRST, "tools": False})

    assert tail.messages == whole.messages[-2:]
    assert any(message.tool_calls for message in whole.messages)
    assert not any(message.tool_calls for message in bare.messages)
    assert [message.text for message in bare.messages] == [one.text for one in whole.messages if one.text]
    with pytest.raises(BadParameter, match="tail"):
        await show_session.call(harbor.memory, {"session": FIRST, "tail": 0})


async def test_what_happened_in_a_session_is_told_when_asked_for(harbor: Harbor) -> None:
    happened = Events(
        commands=(CommandRun("make tide", False), CommandRun("uv add ebb", True)),
        commits=("0a1b2c3 Tides",),
        errors=(ErrorSeen("barnacle not found", True, "uv add barnacle"),),
        packages=(PackageChange("barnacle", "add"),),
        urls=("https://harbor.example/tides",),
    )

    def write(conn: Connection) -> None:
        session = sessions.find(conn, FIRST)
        summaries.save(conn, session.id, Distilled(Summary("Tides", ""), (), happened), session.revision, 1)
        conn.execute(
            "INSERT INTO file_changes (session_id, tool_call_id, path, op)"
            " SELECT ?, id, '/home/ada/harbor/tide.py', 'update' FROM tool_calls LIMIT 1",
            (session.id,),
        )

    await harbor.memory.writer.run(write)
    plain = await show_session.call(harbor.memory, {"session": FIRST})
    told = (await show_session.call(harbor.memory, {"session": FIRST, "events": True, "tail": 1})).events

    assert plain.events is None
    assert told is not None
    assert (told.commands[0].command, told.commands[0].ok, told.commits) == ("make tide", False, ("0a1b2c3 Tides",))
    assert (told.errors[0].text, told.errors[0].fix) == ("barnacle not found", "uv add barnacle")
    assert ([(one.name, one.action) for one in told.packages], told.urls) == ([("barnacle", "add")], happened.urls)
    assert (told.files, told.tools) == (("/home/ada/harbor/tide.py",), {"Bash": 1})
    assert len(told.topics) == len({one.text for one in plain.messages if one.kind == "prompt" and not one.abandoned})
    with pytest.raises(BadParameter, match="leave out events or as_of"):
        await show_session.call(harbor.memory, {"session": FIRST, "events": True, "as_of": "2026-11-29"})
