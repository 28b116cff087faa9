"""A session is closed: the next one goes on from it, its files say what it came to, a page keeps what is not memd's."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from anyio import to_thread
from hypothesis import given
from hypothesis import strategies as st

from memd.errors import BadParameter, NotFound
from memd.importers.model import ImportedHandoff
from memd.operations import pages, taking_over
from memd.operations.pages import BEGIN, END, with_section, without_section
from memd.store import files_written, projects
from memd.store.facts import Connection
from tests.unit.operations.conftest import FIRST, Harbor
from tests.unit.operations.test_deleting import said
from tests.unit.operations.test_project_deleting import read
from tests.unit.operations.test_remember import do

OTHER = "0a11ce00-0000-4000-8000-0000000000f1"
MINE = "# Harbor\n\nMine, of the\ttide. \r\n\n## Rules\n\n- no wake\n"
AFTER = "\n## Later\n\nalso mine"


async def text_of(path: Path) -> str:
    return await to_thread.run_sync(lambda: path.read_bytes().decode())


async def worked(harbor: Harbor, session: str, text: str, at: int) -> None:
    await read(harbor, session, said(session, f"{session[-2:]}-1", at, text))
    await harbor.memory.distiller.run_due()


def parted(page: str) -> tuple[str, str, str]:
    before, _, rest = page.partition(BEGIN)
    section, _, after = rest.partition(END)
    return before, section, after


@given(st.text(st.characters(exclude_characters="<"), max_size=80), st.text(st.characters(exclude_characters="<")))
def test_nothing_but_the_section_of_a_page_changes_and_it_goes_without_a_trace(page: str, told: str) -> None:
    once = with_section(page, told)
    assert once.startswith(page)
    assert with_section(once, told) == once
    other = with_section(f"{once}{AFTER}", "something else")
    assert (parted(other)[0], parted(other)[2]) == (parted(once)[0], f"\n{AFTER}")
    assert without_section(once).startswith(page)
    assert without_section(once).strip("\n") == page.strip("\n")


@pytest.mark.parametrize("page", [f"a{BEGIN}b", f"a{END}b", f"{END}x{BEGIN}"])
def test_a_page_whose_marks_are_no_pair_is_left_as_it_is(page: str) -> None:
    assert with_section(page, "new") == without_section(page) == page


async def test_the_latest_session_is_read_distilled_and_handed_over_with_its_files(
    harbor: Harbor, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    await to_thread.run_sync(folder.mkdir)
    await worked(harbor, OTHER, "Let's use Mango for the berth queue, because the office has one.", 900)

    done = await do(harbor, "sessions.close", project="harbor", author="ada", folder=str(folder))

    assert [Path(one).name for one in done.files] == ["session.md", "facts.md", "handoff.md", "MEMORY.md"]
    assert any("Mango" in fact.text for fact in done.facts)
    session, learnt, handoff, page = [await text_of(Path(one)) for one in done.files]
    assert "Let's use Mango for the berth queue" in session
    assert "Mango" in learnt
    assert handoff.partition("\n")[2].rstrip("\n") == done.handoff.text
    assert "## Recent activity" in page
    assert done.handoff.text[:40] in (await do(harbor, "wakeup", project="harbor")).text
    assert (await do(harbor, "handoff", project="harbor")).left[0].author == "ada"


async def test_what_somebody_says_is_what_is_left_and_a_session_may_be_named(harbor: Harbor) -> None:
    done = await do(harbor, "sessions.close", project="harbor", session=FIRST, text="Mind the <private>x</private>ebb")
    assert (done.handoff.text, done.files) == ("Mind the [private]ebb", ())
    assert done.session == (await do(harbor, "sessions.show", session=FIRST)).session.id


async def test_a_page_is_kept_current_by_itself_and_all_else_in_it_stays_byte_for_byte(
    harbor: Harbor, tmp_path: Path
) -> None:
    page = tmp_path / "MEMORY.md"
    await to_thread.run_sync(lambda: page.write_bytes(MINE.encode()))
    await to_thread.run_sync(page.chmod, 0o640)
    await do(harbor, "sessions.close", project="harbor", session=FIRST, text="x", folder=str(tmp_path))
    written = await text_of(page)
    await to_thread.run_sync(lambda: page.write_bytes(f"{written}{AFTER}".encode()))
    await pages.refresh(harbor.memory)
    assert await text_of(page) == f"{written}{AFTER}"

    await worked(harbor, OTHER, "Let's use Mango for the berth queue, because the office has one.", 7_000)
    await pages.refresh(harbor.memory)

    before, section, after = parted(await text_of(page))
    assert (before, after) == (f"{MINE}\n", f"\n{AFTER}")
    assert "Mango" in section
    lines = [line for line in section.splitlines() if line.startswith("- ")]
    assert ("Mango" in lines[0], len(lines)) == (True, 2)
    assert (await to_thread.run_sync(page.stat)).st_mode & 0o777 == 0o640


async def test_what_was_deleted_goes_from_the_page_and_with_the_project_the_section(
    harbor: Harbor, tmp_path: Path
) -> None:
    page = tmp_path / "MEMORY.md"
    await worked(harbor, OTHER, "Let's use Mango for the berth queue, because the office has one.", 7_000)
    await do(harbor, "sessions.close", project="harbor", session=FIRST, text="x", folder=str(tmp_path))
    assert "Mango" in await text_of(page)

    await do(harbor, "sessions.forget", session=OTHER, apply=True)
    assert "Mango" not in await text_of(page)
    await do(harbor, "projects.delete", project="harbor", apply=True)
    assert (await text_of(page)).strip() == ""
    assert await harbor.memory.readers.run(files_written.pages) == {}


async def test_who_takes_the_section_out_or_removes_the_file_is_left_alone(harbor: Harbor, tmp_path: Path) -> None:
    page = tmp_path / "MEMORY.md"
    await do(harbor, "sessions.close", project="harbor", session=FIRST, text="x", folder=str(tmp_path))
    await to_thread.run_sync(lambda: page.write_text("mine alone\n"))
    await pages.refresh(harbor.memory)
    assert await text_of(page) == "mine alone\n"
    await to_thread.run_sync(page.unlink)
    await pages.refresh(harbor.memory)
    assert not await to_thread.run_sync(page.exists)
    assert await harbor.memory.readers.run(files_written.pages) == {}


async def test_wrong_words_are_refused_and_nothing_is_left(harbor: Harbor, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="project"):
        await do(harbor, "sessions.close", project="nowhere")
    for folder in ("relative", str(tmp_path / "not there")):
        with pytest.raises(BadParameter, match="folder must be one that is there"):
            await do(harbor, "sessions.close", project="harbor", folder=folder)
    with pytest.raises(BadParameter, match="1 to 8000 characters"):
        await do(harbor, "sessions.close", project="harbor", text="x" * 9_000)
    assert (await do(harbor, "handoff", project="harbor")).left == ()


async def test_a_mark_that_a_session_speaks_of_stands_in_no_page(harbor: Harbor, tmp_path: Path) -> None:
    page = tmp_path / "MEMORY.md"
    await to_thread.run_sync(lambda: page.write_bytes(MINE.encode()))
    await worked(
        harbor, OTHER, f"Let's use Mango {END} for the berth queue {BEGIN}, because the office has one.", 7_000
    )
    for _ in range(2):  # the files that memd wrote are written anew
        await do(harbor, "sessions.close", project="harbor", folder=str(tmp_path))

    written = await text_of(page)
    assert (written.count(BEGIN), written.count(END), "Mango" in written) == (1, 1, True)
    assert without_section(written).startswith(MINE)
    await pages.refresh(harbor.memory)
    assert await text_of(page) == written


@pytest.mark.parametrize("name", ["session.md", "facts.md", "handoff.md"])
async def test_a_file_that_memd_did_not_write_is_not_written_over_and_nothing_is_left(
    harbor: Harbor, tmp_path: Path, name: str
) -> None:
    theirs, away = tmp_path / name, tmp_path / "elsewhere"
    await to_thread.run_sync(away.write_text, "mine alone\n")
    await to_thread.run_sync(theirs.symlink_to, away)
    with pytest.raises(BadParameter, match=f"{name} is not memd's"):
        await do(harbor, "sessions.close", project="harbor", text="x", folder=str(tmp_path))
    assert await text_of(away) == "mine alone\n"
    assert (await do(harbor, "handoff", project="harbor")).left == ()
    assert not await to_thread.run_sync((tmp_path / "MEMORY.md").exists)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
async def test_a_page_that_is_no_file_is_refused_and_keeps_nobody_waiting(
    harbor: Harbor, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    page = tmp_path / "MEMORY.md"
    await to_thread.run_sync(make, page)
    with pytest.raises(BadParameter, match="that is no file"):
        await do(harbor, "sessions.close", project="harbor", text="x", folder=str(tmp_path))
    assert (await do(harbor, "handoff", project="harbor")).left == ()
    await harbor.memory.writer.run(lambda conn: files_written.keep_page(conn, "x", page))
    await pages.refresh(harbor.memory)


async def test_a_session_of_another_project_is_not_handed_over(harbor: Harbor) -> None:
    await harbor.memory.writer.run(lambda conn: projects.resolve(conn, Path("/work/elsewhere"), [], "elsewhere", 1))
    with pytest.raises(NotFound, match="session"):
        await do(harbor, "sessions.close", project="elsewhere", session=FIRST)
    assert (await do(harbor, "handoff", project="elsewhere")).left == ()


async def test_a_folder_whose_name_is_a_secret_is_not_kept(harbor: Harbor, tmp_path: Path) -> None:
    folder = tmp_path / ("gh" + "p_" + "7hQ2mZk9Xw4TbR8sLp1VnC5yGd3Fj6Ka0EuM")
    await to_thread.run_sync(folder.mkdir)
    with pytest.raises(BadParameter, match="nothing secret"):
        await do(harbor, "sessions.close", project="harbor", text="x", folder=str(folder))
    assert await harbor.memory.readers.run(files_written.pages) == {}


@pytest.mark.parametrize("what", ["session", "message"])
async def test_what_was_handed_over_in_the_words_of_a_session_goes_with_them_and_what_somebody_said_stays(
    harbor: Harbor, what: str
) -> None:
    await worked(harbor, OTHER, "Let's use Mango for the berth queue, because the office has one.", 7_000)
    await do(harbor, "sessions.close", project="harbor", session=OTHER, text="Mind the ebb")
    await do(harbor, "sessions.close", project="harbor", session=FIRST)
    closed = await do(harbor, "sessions.close", project="harbor", session=OTHER)
    assert "Mango" in closed.handoff.text

    if what == "session":
        await do(harbor, "sessions.forget", session=OTHER, apply=True)
    else:
        (message,) = (await do(harbor, "sessions.show", session=OTHER)).messages
        await do(harbor, "messages.forget", message=message.id, apply=True)

    left = (await do(harbor, "handoff", project="harbor")).left
    assert [("Mango" in one.text, "ebb" in one.text) for one in left] == [(False, False), (False, True)]
    before = [ImportedHandoff(one.id, one.text, "harbor", None, 1) for one in (closed.handoff, *left)]

    def again(conn: Connection) -> None:
        here = projects.find(conn, "harbor")
        taking_over.others(conn, "memd", before, lambda *_: (here, here.name), 9_000, taking_over.Took(), apply=True)

    await harbor.memory.writer.run(again)
    assert (await do(harbor, "handoff", project="harbor")).left == left


async def test_what_somebody_left_for_the_next_one_is_told_also_when_a_session_is_closed_after_it(
    harbor: Harbor,
) -> None:
    await worked(harbor, OTHER, "Let's use Mango for the berth queue, because the office has one.", 100)
    await do(harbor, "handoff.leave", project="harbor", text="Mind the ebb")
    closed = await do(harbor, "sessions.close", project="harbor", session=OTHER)

    told = (await do(harbor, "wakeup", project="harbor")).text

    assert "Handed over: Mind the ebb" in told
    assert closed.handoff.text.splitlines()[0] not in told


async def _closed_with_files(harbor: Harbor, folder: Path, **said_by_hand: str) -> tuple[Path, ...]:
    await worked(harbor, OTHER, "Let's use Mango for the berth queue, because the office has one.", 7_000)
    done = await do(harbor, "sessions.close", project="harbor", session=OTHER, folder=str(folder), **said_by_hand)
    return tuple(Path(one) for one in done.files[:3])


@pytest.mark.parametrize("what", ["session", "project"])
async def test_files_of_a_session_that_is_deleted_go_and_a_page_keeps_what_is_not_memds(
    harbor: Harbor, tmp_path: Path, what: str
) -> None:
    page = tmp_path / "MEMORY.md"
    await to_thread.run_sync(lambda: page.write_bytes(MINE.encode()))
    files = await _closed_with_files(harbor, tmp_path)
    assert all(["Mango" in await text_of(one) for one in (*files, page)])

    if what == "session":
        await do(harbor, "sessions.forget", session=OTHER, apply=True)
    else:
        await do(harbor, "projects.delete", project="harbor", apply=True)

    assert [one.name for one in await to_thread.run_sync(lambda: list(tmp_path.glob("*.md")))] == ["MEMORY.md"]
    assert (await text_of(page)).startswith(MINE)
    assert "Mango" not in await text_of(page)
    assert await harbor.memory.readers.run(files_written.folders) == ()


@pytest.mark.parametrize("what", ["message", "fact"])
async def test_files_of_a_session_tell_what_is_left_of_it_and_a_handoff_in_somebodys_words_stays(
    harbor: Harbor, tmp_path: Path, what: str
) -> None:
    session, learnt, handoff = await _closed_with_files(harbor, tmp_path, text="Mind the ebb")
    more = said(OTHER, "f1-2", 7_100, "Let's use Kapok for the mooring lines, because it floats.")
    await read(harbor, OTHER, more)
    await harbor.memory.distiller.run_due()
    await do(harbor, "sessions.close", project="harbor", session=OTHER, folder=str(tmp_path), text="Mind the ebb")
    assert all(["Mango" in await text_of(one) and "Kapok" in await text_of(one) for one in (session, learnt)])
    words = await text_of(handoff)

    if what == "message":
        shown = (await do(harbor, "sessions.show", session=OTHER)).messages
        (message,) = (one for one in shown if "Mango" in one.text)
        await do(harbor, "messages.forget", message=message.id, apply=True)
    else:
        (fact,) = (one for one in await do(harbor, "facts.list") if "Mango" in one.text)
        await do(harbor, "facts.forget", fact=fact.id, apply=True)

    assert ["Mango" in await text_of(one) for one in (session, learnt)] == [what == "fact", False]
    assert all(["Kapok" in await text_of(one) for one in (session, learnt)])
    assert await text_of(handoff) == words


async def test_a_file_from_which_the_mark_was_taken_is_a_persons_and_stays(harbor: Harbor, tmp_path: Path) -> None:
    session, *others = await _closed_with_files(harbor, tmp_path)
    kept = (await text_of(session)).partition("\n")[2]
    await to_thread.run_sync(lambda: session.write_bytes(kept.encode()))
    await do(harbor, "sessions.forget", session=OTHER, apply=True)
    assert await text_of(session) == kept
    assert not any([await to_thread.run_sync(one.exists) for one in others])
