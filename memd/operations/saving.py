"""Saving: what was handed in, made ready and stored. Every text is redacted before anything else is done with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, cast

from memd.distill import stating
from memd.distill.comparing import digest
from memd.distill.slots import slot_of
from memd.distill.stating import Stated
from memd.distill.structure import learnings_of, parts_of, title_of, topic_key
from memd.errors import BadParameter, MemdError
from memd.model import Evidence, Fact, FactPart, Project, Session
from memd.operations import domains as domains_
from memd.operations import relating
from memd.operations.fact_answers import (
    BatchAnswer,
    LearnAnswer,
    PromptAnswer,
    RememberAnswer,
    SimilarAnswer,
    TopicAnswer,
)
from memd.operations.fact_params import epistemic_of, json_of, kind_of, time_given
from memd.operations.items import BatchParams, Item, LearnParams, PromptParams, PromptsParams, SummaryParams
from memd.operations.scope import project_id, project_of
from memd.operations.shapes import time_of
from memd.operations.telling import told
from memd.store import facts, prompts, sessions
from memd.store.facts import Connection, NewFact
from memd.text.redaction import scrub, scrub_value

LONG: Final = 100_000
"""Characters above which a text is kept with a warning."""
TOO_LONG: Final = 1_000_000
MOST_FACTS: Final = 100
"""Facts of a batch: it is one transaction, and everybody else waits for it."""
MOST_NAMED: Final = 200
_SAME_PROMPT_MS: Final = 30_000
_MOST: Final = 1000
_SLOTTED: Final = ("decision", "preference", "convention", "config")


@dataclass(frozen=True, slots=True)
class Draft:
    """A thing to keep, cleaned and checked, before it is known where it belongs."""

    new: NewFact
    project: str | None
    everywhere: bool
    session: str | None
    again: bool
    warnings: tuple[str, ...]
    quote: str = ""
    """What was said in the session it comes from; empty: the title."""


def clean(text: str) -> str:
    """Return a text as it may be written down: private spans stripped, secrets redacted."""
    return scrub(text).text.strip()


def measured(name: str, text: str) -> str:
    """Return a text cleaned; raises BadParameter when it is longer than a million characters."""
    if len(text) > TOO_LONG:
        raise BadParameter(name, f"the text has {len(text)} characters; {TOO_LONG} are the most")
    return clean(text)


def said(name: str, text: str) -> str:
    """Return a text cleaned; raises BadParameter when it says nothing or is longer than a million characters."""
    cleaned = measured(name, text)
    if not any(char.isalnum() for char in cleaned):
        raise BadParameter(name, "the text says nothing")
    return cleaned


def length_warnings(text: str) -> tuple[str, ...]:
    """Return what there is to say of a text's length; however long it is, it is kept whole."""
    return (f"the text has {len(text)} characters; shorter ones are found better",) if len(text) > LONG else ()


def drafted(item: Item, name: str = "facts.remember", domains: tuple[str, ...] = ()) -> Draft:
    """Return an item made ready; raises BadParameter. `domains` are those that it may be of, none: any."""
    domain = domains_.checked(item.domain, domains, name)
    domains_.told_apart(item.kind, domains, name)
    kind = kind_of(item.kind, name)
    text = item.text or ". ".join(filter(None, (item.decided, item.because)))
    body = said(name, text)
    if not 0 <= item.confidence <= 1:
        raise BadParameter(name, f"confidence must be from 0 to 1, not {item.confidence}")
    title = clean(item.title) or title_of(item.decided or body)
    parts = _parts(item, body)
    slot = slot_of(f"{title}. {body}") if kind in _SLOTTED and len(body) <= 2000 else None
    new = NewFact(
        kind=kind, title=title, body=body, origin="user", valid_from=time_given(item.since, name) or 0, parts=parts,
        tags=tuple(dict.fromkeys(filter(None, map(clean, item.tags)))), slot=slot,
        topic=clean(item.topic or "") or None,
        epistemic=epistemic_of(item.epistemic, name), confidence=item.confidence, evergreen=item.evergreen,
        author=clean(item.author or "") or None, basis=item.basis, visibility=item.visibility,
        domain=clean(domain or "") or None,
        metadata=json_of(cast("Mapping[str, object]", scrub_value(dict(item.metadata))), name),
    )  # fmt: skip
    return Draft(new, item.project, item.scope == "everywhere", item.session, item.again, length_warnings(body))


def drafted_all(params: BatchParams, domains: tuple[str, ...] = ()) -> tuple[Draft, ...]:
    """Return the facts of a batch made ready; raises BadParameter that names the item, or for too many of them."""
    if len(params.facts) > MOST_FACTS or max(len(params.entities), len(params.relations)) > MOST_NAMED:
        raise BadParameter(
            "facts.batch",
            f"{MOST_FACTS} facts, {MOST_NAMED} entities and {MOST_NAMED} relations are the most that are kept together;"
            " send several batches",
        )
    drafts = []
    for place, item in enumerate(params.facts, 1):
        try:
            drafts.append(drafted(replace(item, project=item.project or params.project), "facts.batch", domains))
        except BadParameter as error:
            raise BadParameter("facts.batch", f"fact {place}: {error.problem}") from error
    return tuple(drafts)


def save(conn: Connection, draft: Draft, now_ms: int) -> RememberAnswer:
    """Keep a thing and tell what became of it. Raises NotFound for an unknown project or session."""
    session = None if draft.session is None else sessions.find(conn, draft.session)
    project, assumed = _place(conn, draft, session)
    new = replace(
        draft.new,
        project_id=None if project is None else project.id,
        session_id=None if session is None else session.id,
        valid_from=draft.new.valid_from or now_ms,
        evidence=() if session is None else (Evidence(0, session.id, draft.quote or draft.new.title, now_ms),),
    )
    stated = _of_topic(conn, new, now_ms) or stating.state(conn, new, now_ms, again=draft.again)
    return _answer(conn, stated, draft.warnings, assumed)


def save_all(conn: Connection, params: BatchParams, drafts: tuple[Draft, ...], now_ms: int) -> BatchAnswer:
    """Keep a batch; whatever is raised undoes all of it. Raises BadParameter that names the item."""
    answers = []
    for place, draft in enumerate(drafts, 1):
        try:
            answers.append(save(conn, draft, now_ms))
        except MemdError as error:
            raise BadParameter("facts.batch", f"fact {place}: {str(error).rstrip('.')}") from error
    project = project_id(conn, params.project)
    entities = relating.add_entities(conn, params.entities, project, now_ms)
    relations = relating.add_relations(conn, params.relations, project, now_ms)
    return BatchAnswer(tuple(answers), entities, relations)


def learnings(params: LearnParams) -> tuple[Draft, ...]:
    """Return the learnings that a text lists, made ready; raises BadParameter for a text without the heading."""
    items = learnings_of(params.text)
    if items is None:
        raise BadParameter("facts.learn", "the text has no heading such as `## Key Learnings:` with a list under it")
    return tuple(
        drafted(Item(text, kind="learning", project=params.project, session=params.session), "facts.learn")
        for text in items
        if any(char.isalnum() for char in clean(text))
    )


def save_learnings(conn: Connection, drafts: tuple[Draft, ...], now_ms: int) -> LearnAnswer:
    """Keep learnings; those that are known are counted."""
    answers = [save(conn, draft, now_ms) for draft in drafts]
    learnt = tuple(answer for answer in answers if answer.action != "NONE")
    return LearnAnswer(learnt, len(answers) - len(learnt))


def summary_item(params: SummaryParams) -> Item:
    """Return a session's summary as a thing to keep."""
    return Item(params.text, kind="session_summary", session=params.session)


def save_summary(conn: Connection, params: SummaryParams, draft: Draft, now_ms: int) -> RememberAnswer:
    """Keep a summary under its session's own topic, so that another one is its next version."""
    session = sessions.find(conn, params.session)
    answer = save(conn, replace(draft, new=replace(draft.new, topic=facts.summary_topic(session.uid))), now_ms)
    sessions.set_title(conn, session.id, draft.new.title)
    return answer


def save_prompt(conn: Connection, params: PromptParams, text: str, now_ms: int) -> PromptAnswer:
    """Keep a prompt. Raises BadParameter for one that says nothing, NotFound for an unknown project or session."""
    if not text:
        raise BadParameter("prompts.save", "the text says nothing")
    session = None if params.session is None else sessions.find(conn, params.session)
    project = project_of(conn, params.project) or (session.project if session else None)
    kept = prompts.save(
        conn, text, digest(text), now_ms, _SAME_PROMPT_MS, session_id=None if session is None else session.id,
        project_id=None if project is None else project.id,
    )  # fmt: skip
    return replace(_prompt(kept), warnings=length_warnings(text))


def prompts_of(conn: Connection, params: PromptsParams) -> tuple[PromptAnswer, ...]:
    """Return kept prompts, the newest first. Raises NotFound, or BadParameter for a limit out of range."""
    if not 1 <= params.limit <= _MOST or params.offset < 0:
        raise BadParameter("prompts.list", f"limit must be from 1 to {_MOST} and offset 0 or more")
    of = None if params.session is None else sessions.find(conn, params.session).id
    as_of = time_given(params.as_of, "prompts.list")
    project = project_id(conn, params.project)
    found = prompts.list_prompts(conn, project, of, params.limit, params.offset, until=as_of)
    return tuple(map(_prompt, found))


def topic_for(title: str, kind: str) -> TopicAnswer:
    """Return a topic key for a title. Raises BadParameter for a kind that there is not."""
    return TopicAnswer(topic_key(kind_of(kind, "facts.topic"), clean(title)))


def _parts(item: Item, body: str) -> tuple[FactPart, ...]:
    given = (
        [FactPart("decided", item.decided)] * bool(item.decided)
        + [FactPart("because", item.because)] * bool(item.because)
        + [FactPart("rejected", text) for text in item.rejected]
        + [FactPart("touches", text) for text in item.touches]
    )
    cleaned = (replace(part, text=clean(part.text)) for part in given)
    return (*(part for part in cleaned if part.text), *parts_of(body))


def _place(conn: Connection, draft: Draft, session: Session | None) -> tuple[Project | None, Mapping[str, str] | None]:
    if draft.everywhere:
        return None, None
    project = project_of(conn, draft.project)
    if project is None and draft.project is not None:
        project_id(conn, draft.project)  # raises that there is none
    if project is not None:
        return project, None
    if session is not None and session.project is not None:
        return session.project, {"project": f"{session.project.root} (the session's)"}
    return None, {"project": "everywhere (neither a project nor a session with one was named)"}


def _of_topic(conn: Connection, new: NewFact, now_ms: int) -> Stated | None:
    """What becomes of something saved under a topic that is in use: the next version, in its place."""
    if new.topic is None:
        return None
    chosen = facts.FactFilter(project_id=new.project_id, everywhere=new.project_id is None, topic=new.topic)
    known = [fact for fact in facts.list_facts(conn, chosen) if _scope(fact) == new.project_id]
    if not known:
        return None
    fact = known[0]
    if (fact.title, fact.body) == (new.title, new.body):
        return stating.repeat(conn, fact.id, new, now_ms)
    return stating.reword(conn, fact.id, new, now_ms, f"was saved again under the topic {new.topic!r}")


def _scope(fact: Fact) -> int | None:
    return None if fact.project is None else fact.project.id


def _answer(
    conn: Connection, stated: Stated, warnings: tuple[str, ...], assumed: Mapping[str, str] | None
) -> RememberAnswer:
    return RememberAnswer(
        fact=told(conn, stated.fact),
        action=stated.action,
        reason=stated.reason,
        revision=stated.fact.revision,
        repeats=stated.fact.repeats,
        replaced=tuple(fact.uid for fact in stated.replaced),
        contradicts=tuple(fact.uid for fact in stated.contradicts),
        similar=tuple(SimilarAnswer(fact.uid, fact.title, score, fact.status) for fact, score in stated.similar),
        warnings=warnings,
        assumed=assumed,
    )


def _prompt(prompt: prompts.Prompt) -> PromptAnswer:
    return PromptAnswer(prompt.uid, prompt.text, prompt.session, prompt.project, time_of(prompt.at), prompt.repeats)
