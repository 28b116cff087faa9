"""The summary of a session: what was asked, what came of it, and what stayed open."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

import orjson

from memd.distill import cues, leftovers
from memd.distill.calls import arguments
from memd.distill.cue import Cue
from memd.distill.draft import plain, shorten
from memd.distill.remarks import is_courtesy
from memd.distill.shell import purpose, simple_commands
from memd.distill.thread import Exchange, Statement, Thread
from memd.model import Events, Summary

_MAX_TITLE: Final = 80
_MAX_ASKED: Final = 12
_MAX_ASKED_CHARS: Final = 160
_MAX_DONE: Final = 10
_MAX_DONE_CHARS: Final = 220
_MAX_LISTED: Final = 12
_MAX_OPEN: Final = 8
_UNTITLED: Final = "Session without a prompt"
_SMALL_TALK: Final = re.compile(
    r"^\W*(?:yo|sup|wassup|what'?s up|howdy|hiya|ciao|salut|moin|hej|ahoj|selam|merhaba|привет|привіт|здравствуй\w*"
    r"|добрый день|안녕\w*|こんにちは|おはよう|こんばんは)\b.{0,14}$"
    r"|^\W*(?:hi|hello|hey|good (?:morning|evening)|thanks?|thank you|ok(?:ay)?|yes|no|continue|go on|test|ping|你好"
    r"|您好|继续|hola|hallo|bonjour)\b.{0,12}$|^\W*(?:你好|继续|好的)\W*$",
    re.IGNORECASE,
)
# What the model says that it did, or how things are now.
_DID: Final = Cue(
    r"^\W*(?:(?:so|then|and|now|done|fixed)\W+)*(?:(?:i|we)(?:'ve| have)? (?:now |also )?)?"
    r"(?:add|fix|chang|mov|remov|replac|renam|updat|creat|switch|convert|extract|split|set|put|made|wrote|written|built"
    r"|rewrote|implement|install|configur|migrat|refactor|commit|revert|rais|lower|limit|enabl|disabl|wir|patch|mend"
    r"|correct|clean|drop|delet|pin|bump|document|cover|handl|cach|deploy|merg|kept|cut)(?:ed|d|ped|ted|ned|red)?\b"
    r"|\b(?:now (?:pass\w*|works?|returns?|runs?|uses?|is|are|has|have)|(?:pass(?:es)?"
    r"|works?|green|fixed|mended) now)\b",
    r"^\W*(?:我)?(?:已经?|现在)?(?:把|将|已|改成|改为|加(?:了|上)|修(?:复|好|正)|新增|删(?:除|掉)|替换|移到|实现)"
    r"|现在(?:会|是|可以|都|能)|(?:しました|追加し|修正し|변경했|추가했|수정했)",
    r"\b(?:he (?:añadido|cambiado|corregido|movido)|agregu[ée]|ich habe|hinzugefügt|geändert|behoben"
    r"|j'ai (?:ajouté|modifié|corrigé|déplacé)|добавил|исправил|изменил|ekledim|düzelttim|přidal|opravil)\b",
)
_POLITE: Final = re.compile(
    r"^(?:(?:hi|hello|hey|ok(?:ay)?|so|now|please|next thing|next|could you|can you|would you|i(?:'d"
    r"| would) like you to|i want you to|i need you to|let'?s|请|帮我|麻烦)\b[,:!\s]*|(?:请|帮我|麻烦))+",
    re.IGNORECASE,
)


def summarise(thread: Thread, events: Events) -> Summary:
    """Return the summary of a session: a title of at most 80 characters, a Markdown text, and the open ends."""
    left = tuple(dict.fromkeys(_open_ends(thread)))[:_MAX_OPEN]
    return Summary(title=title_of(thread, events), text=_text(thread, events, left), open_ends=left)


def title_of(thread: Thread, events: Events) -> str:
    """Return the host's title, or else the first thing that was really asked, or else what was changed."""
    if thread.session.title and thread.session.title.strip():
        return shorten(" ".join(thread.session.title.split()), _MAX_TITLE)
    for asked in _asked(thread):
        if len(asked) > 8 and not _SMALL_TALK.match(asked):
            return shorten(_POLITE.sub("", asked) or asked, _MAX_TITLE)
    if events.commits:
        return shorten(re.sub(r"^[0-9a-f]{7,40} ", "", events.commits[0]), _MAX_TITLE)
    if events.files_changed:
        return shorten("Changed " + ", ".join(path.rsplit("/", 1)[-1] for path in events.files_changed[:3]), _MAX_TITLE)
    return next(_asked(thread), _UNTITLED)[:_MAX_TITLE]


def _asked(thread: Thread) -> Iterator[str]:
    """Yield what each prompt asks: its own first sentences, on one line."""
    for exchange in thread.exchanges:
        if exchange.prompt is not None:
            said = [plain(one.text) for one in thread.by_message.get(exchange.first, ()) if not is_courtesy(one.text)]
            if said:
                yield " ".join(said)


def _done(thread: Thread) -> Iterator[str]:
    """Yield what each exchange came to: the last reply's first sentence that is no plan, with the one that says what
    was done where that comes behind it."""
    for exchange in thread.exchanges:
        said = thread.by_message.get(exchange.final, ()) if exchange.final is not None else ()
        telling = [one for one in said if _tells(one)]
        found = [one for one in telling if not cues.NARRATION.match(one.text)] or telling
        if found:
            best = next((one for one in found if one.bold), found[0])
            text = plain(best.text)
            did = (
                None
                if best.bold or _DID.search(text)
                else next((one for one in found[1:] if _DID.search(one.text)), None)
            )
            if did is not None:
                # "The cookie had no SameSite. I set it to Lax": the cause alone does not tell that it is mended.
                both = f"{text} {plain(did.text)}"
                text = both if len(both) <= _MAX_DONE_CHARS else plain(did.text)
            yield text


def _tells(statement: Statement) -> bool:
    text = statement.text
    return (
        len(text) > 20
        and not text.endswith((":", "："))
        and not cues.PLAN.match(text)
        and not cues.QUESTION.search(text)
    )


def _text(thread: Thread, events: Events, left: tuple[str, ...]) -> str:
    asked = _different(shorten(one, _MAX_ASKED_CHARS) for one in _asked(thread) if not _SMALL_TALK.match(one))
    done = _different(shorten(one, _MAX_DONE_CHARS) for one in _done(thread))
    worked = [f"`{_one_line(run.command)}`" for run in events.commands if run.ok and _worth_telling(run.command)]
    errors = [
        f"{one.text} — {('fixed' + (': ' + one.fix if one.fix else '')) if one.fixed else 'not fixed'}"
        for one in events.errors
    ]
    sections = (
        ("Asked", _few(asked, _MAX_ASKED)),
        ("Done", _few(done, _MAX_DONE)),
        ("Tools", _tools(thread)),
        ("Files changed", [f"`{path}`" for path in events.files_changed[:_MAX_LISTED]]),
        ("Commands that worked", worked[:_MAX_LISTED]),
        ("Errors", errors[:_MAX_LISTED]),
        ("Commits", list(events.commits[:_MAX_LISTED])),
        ("Packages", [f"{one.action} {one.name}" for one in events.packages[:_MAX_LISTED]]),
        ("Addresses", list(events.urls[:_MAX_LISTED])),
        ("Open ends", list(left)),
    )
    return "\n\n".join(f"**{name}**\n" + "\n".join(f"- {line}" for line in lines) for name, lines in sections if lines)


def _tools(thread: Thread) -> list[str]:
    """Return on one line which tools were called and how often, the one that was called most first."""
    called = Counter(call.name for message in thread.messages for call in message.tool_calls if call.name)
    return [", ".join(f"{name} {count}" for name, count in called.most_common(_MAX_LISTED))] if called else []


def _different(lines: Iterable[str]) -> list[str]:
    """Return the lines without those that say what one before them says."""
    found: dict[str, str] = {}
    for line in lines:
        found.setdefault(" ".join(line.split()).casefold(), line)
    return list(found.values())


def _few(lines: list[str], limit: int) -> list[str]:
    """Return at most `limit` lines: the first half of them and the last half."""
    return lines if len(lines) <= limit else [*lines[: limit // 2], *lines[-limit // 2 :]]


def _one_line(command: str) -> str:
    return shorten(" ".join(command.split()), 120)


def _worth_telling(command: str) -> bool:
    return any(purpose(part) for part in simple_commands(command))


def _open_ends(thread: Thread) -> Iterator[str]:
    yield from _todos(thread)
    for draft in leftovers.find(thread):
        yield shorten(plain(draft.anchor.text), 200)
    yield from _unanswered(thread)
    yield from _failing(thread)


def _failing(thread: Thread) -> Iterator[str]:
    """Yield the last run of tests when it failed; an earlier failure says nothing of how the session ended."""
    tests = [run for run in thread.runs if run.ok is not None and any(purpose(part) == "test" for part in run.parts)]
    if tests and tests[-1].ok is False:
        yield f"Tests failed at the end: `{_one_line(tests[-1].command)}`"


def _unanswered(thread: Thread) -> Iterator[str]:
    """Yield the question that the session ended with, when nobody answered it."""
    if not thread.exchanges:
        return
    last: Exchange = thread.exchanges[-1]
    said = thread.by_message.get(last.final, ()) if last.final is not None else ()
    if said and cues.QUESTION.search(said[-1].text):
        yield shorten(plain(said[-1].text), 200)


def _todos(thread: Thread) -> Iterator[str]:
    """Yield the entries of the last to-do list that were not completed."""
    for message in reversed(thread.messages):
        for call in reversed(message.tool_calls):
            data = arguments(call) if call.kind == "todo" else ""
            entries = data.get("todos") or data.get("plan") if isinstance(data, dict) else None
            if isinstance(entries, str):
                try:
                    entries = orjson.loads(entries)
                except orjson.JSONDecodeError:
                    entries = None
            if isinstance(entries, list):
                for entry in entries:
                    if isinstance(entry, dict) and entry.get("status") in ("pending", "in_progress", "todo", "doing"):
                        text = (
                            entry.get("content") or entry.get("step") or entry.get("description") or entry.get("text")
                        )
                        if isinstance(text, str) and text.strip():
                            yield shorten(" ".join(text.split()), 200)
                return
