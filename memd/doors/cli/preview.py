"""`memd preview`: what would be remembered of a transcript, without daemon or store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from memd.doors.cli import reach
from memd.doors.cli.columns import bullets, one_line, wrap
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.terminal import Terminal
from memd.doors.cli.wording import counted
from memd.preview import preview


class _Fact(msgspec.Struct):
    title: str
    text: str
    type: str
    superseded_by: str | None = None


class _Summary(msgspec.Struct):
    title: str
    text: str
    open_ends: tuple[str, ...] = ()


class _Session(msgspec.Struct):
    native_id: str
    host: str
    messages: int


class _Document(msgspec.Struct):
    session: _Session
    facts: tuple[_Fact, ...]
    summary: _Summary


def run(invocation: Invocation) -> int:
    """Print what distillation makes of the file: an object, or a list of them where it holds several sessions."""
    given = invocation.given
    documents = preview(Path(given.file), given.host, given.session)
    if given.json:
        invocation.terminal.say(reach.json_text(documents[0] if len(documents) == 1 else documents))
        return 0
    for index, document in enumerate(documents):
        if index:
            invocation.terminal.say("")
        invocation.terminal.say_all(lines(msgspec.convert(document, _Document), invocation.terminal))
    return 0


def lines(document: _Document, terminal: Terminal) -> Iterator[str]:
    """Give what would be remembered for people."""
    columns = terminal.columns
    yield from (terminal.style(line, "bold") for line in wrap(one_line(document.summary.title), columns))
    session = document.session
    said = counted(session.messages, "message")
    yield from wrap(f"{one_line(session.native_id)} of {one_line(session.host)}, {said}", columns)
    if document.summary.text:
        yield ""
        yield from wrap(document.summary.text, columns)
    yield ""
    if document.facts:
        yield "Facts:"
        yield from bullets(map(_said, (fact for fact in document.facts if fact.superseded_by is None)), columns)
    else:
        yield "No fact would be kept."
    replaced = [fact for fact in document.facts if fact.superseded_by is not None]
    if replaced:
        yield ""
        yield "Replaced in the same session:"
        yield from bullets((f"{_said(fact)} (now: {one_line(fact.superseded_by or '')})" for fact in replaced), columns)


def _said(fact: _Fact) -> str:
    return f"{fact.type}: {one_line(fact.text or fact.title)}"
