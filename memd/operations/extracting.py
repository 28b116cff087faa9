"""Extracting: from messages that were handed in to what is kept of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from memd.adapter import MessageKind, Role
from memd.distill import homes
from memd.distill.disclosure import disclosed, only_discloses
from memd.distill.structure import title_of
from memd.errors import BadParameter
from memd.model import Candidate, Distilled, Message, Session, Transcript
from memd.operations.fact_answers import MessagesAnswer
from memd.operations.fact_params import time_given
from memd.operations.items import Item, MessagesParams, Said
from memd.operations.saving import TOO_LONG, Draft, drafted, save
from memd.store.facts import Connection, NewFact
from memd.text.redaction import scrub

NAME: Final = "messages.add"
SHORT: Final = 40
"""Characters under which what was said is not worth looking through."""
_MOST: Final = 2000
_MADE_UP: Final = "messages"
_USERS: Final = frozenset({"user", "human"})
# What hosts call the end of a turn that came to nothing. A reply that was cut at its length says what it says.
_CUT_SHORT: Final = frozenset(
    "abort aborted cancel canceled cancelled interrupted stopped error errored failed failure blocked block refused "
    "refusal content_filter safety timeout timed_out".split()
)


@dataclass(frozen=True, slots=True)
class Given:
    """Messages as they may be kept: without private spans and secrets, those of the system and empty ones left out.

    `messages` are as they would be of a session; each one's row id is its place, from 1.
    """

    messages: tuple[Message, ...]
    passed_over: str | None = None


def given(params: MessagesParams, now_ms: int) -> Given:
    """Return the messages made ready, with why nothing is to be looked for in them.

    Those without a time were said just now, one after the other. Raises BadParameter for none at all, too many, too
    long ones, a time that is none, or for both a text and a list.
    """
    if bool(params.text) == bool(params.messages):
        raise BadParameter(NAME, "either text or messages has to be given")
    said = params.messages or (Said(params.text),)
    if len(said) > _MOST:
        raise BadParameter(NAME, f"there are {len(said)} messages; {_MOST} are the most at a time")
    for place, one in enumerate(said, 1):
        if len(one.content) > TOO_LONG:
            raise BadParameter(NAME, f"message {place} has {len(one.content)} characters; {TOO_LONG} are the most")
    read = (_message(one, place, now_ms - len(said) + place) for place, one in enumerate(said, 1))
    kept = tuple(one for one in read if one.role != "system" and any(char.isalnum() for char in one.text))
    return Given(kept, _why_not(params, kept))


def transcript_of(messages: tuple[Message, ...]) -> Transcript:
    """Return messages as a session, to be distilled."""
    return Transcript(Session(0, _MADE_UP, _MADE_UP, _MADE_UP, messages=len(messages)), messages)


def drafts_of(params: MessagesParams, messages: tuple[Message, ...], distilled: Distilled) -> tuple[Draft, ...]:
    """Return what the user's messages say that is worth keeping, ready to be kept.

    What others say gives those messages their meaning and nothing more.
    """
    by_user = {one.id for one in messages if one.role == "user"}
    found = [
        candidate
        for candidate in distilled.candidates
        if candidate.evidence and all(one.message in by_user for one in candidate.evidence)
        if not only_discloses(candidate.body)
    ]
    known = {candidate.body.casefold() for candidate in found}
    found += [
        candidate
        for message in messages
        if message.id in by_user
        for candidate in map(homes.of_candidate, disclosed(message.text, message.at))
        if not any(candidate.body.casefold() in body for body in known)
    ]
    return tuple(_draft(params, candidate) for candidate in found)


def verbatim(params: MessagesParams, messages: tuple[Message, ...]) -> tuple[Draft, ...]:
    """Return each message as a note of its own, word for word."""
    drafts = []
    for one in messages:
        item = Item(one.text, title_of(one.text), "note", params.project, session=params.session, author=one.role)
        draft = drafted(item, NAME)
        new = replace(draft.new, body=one.text, parts=(), slot=None, valid_from=one.at or 0)
        drafts.append(replace(draft, new=new, again=True))
    return tuple(drafts)


def keep(conn: Connection, drafts: tuple[Draft, ...], taken: int, now_ms: int) -> MessagesAnswer:
    """Keep what was found; raises as `saving.save`."""
    return MessagesAnswer(taken, tuple(save(conn, draft, now_ms) for draft in drafts))


def _draft(params: MessagesParams, candidate: Candidate) -> Draft:
    new = NewFact(
        kind=candidate.kind, title=candidate.title, body=candidate.body, origin="user", valid_from=candidate.at or 0,
        parts=candidate.parts, tags=candidate.tags, slot=candidate.slot, confidence=candidate.confidence,
    )  # fmt: skip
    quote = candidate.evidence[0].quote if candidate.evidence else ""
    return Draft(new, params.project, candidate.everywhere, params.session, again=False, warnings=(), quote=quote)


def _message(said: Said, place: int, at_ms: int) -> Message:
    named = said.role.strip().lower()
    role: Role = "user" if named in _USERS else "system" if named == "system" else "assistant"
    kind: MessageKind = "prompt" if role == "user" else "notice" if role == "system" else "reply"
    at = time_given(said.at, NAME)
    return Message(place, f"m{place}", place, role, kind, at_ms if at is None else at, scrub(said.content).text)


def _why_not(params: MessagesParams, messages: tuple[Message, ...]) -> str | None:
    if params.reason.strip().lower().replace("-", "_") in _CUT_SHORT:
        return f"the turn ended by {params.reason!r}"
    if not messages:
        return "no message says anything"
    if params.infer and sum(len(one.text) for one in messages) < SHORT and not _discloses(messages):
        return f"there are fewer than {SHORT} characters"
    return None


def _discloses(messages: tuple[Message, ...]) -> bool:
    """Whether a short message says something outright all the same; Chinese says in ten characters what takes forty."""
    return any(one.role == "user" and next(disclosed(one.text), None) for one in messages)
