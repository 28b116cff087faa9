"""The setting of a session's passages: what its words, its rules and its tool calls tell about each of them.

Everything that a signal has to know beyond the passage itself is worked out here, once for the session and in time
linear in its text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cached_property
from typing import Final

from memd.distill import cues
from memd.distill.draft import Draft
from memd.distill.findings import told
from memd.distill.passages import Passage, passages
from memd.distill.thread import Exchange, Statement, Thread
from memd.text.tokens import terms

_TITLE_CHARS: Final = 400  # of the first prompt that count as the session's subject
_RESTATED: Final = 0.4  # share of the terms that another message has to hold for a passage to be restated
_FEW_TERMS: Final = 3
_SPOKEN_OF: Final = 24  # terms
_FEW_SPOKEN_OF: Final = 12  # terms; of fewer each one would say too much


class Setting:
    """A thread with its passages, their terms, and the drafts that the rules found in them."""

    def __init__(self, thread: Thread, drafts: Iterable[Draft] = ()) -> None:
        self.thread = thread
        self.passages = passages(thread)
        self.terms = {
            passage: frozenset(t for one in passage.statements for t in thread.terms(one) if len(t) > 1)
            for passage in self.passages
        }
        self._owner = {statement: passage for passage in self.passages for statement in passage.statements}
        found: dict[Passage, list[Draft]] = defaultdict(list)
        for draft in drafts:
            if (passage := self._owner.get(draft.anchor)) is not None:
                found[passage].append(draft)
        self._drafts = dict(found)

    def owner(self, statement: Statement) -> Passage | None:
        """Return the passage that a statement stands in; None for one that no message says."""
        return self._owner.get(statement)

    def drafts(self, passage: Passage) -> tuple[Draft, ...]:
        """Return what the rules found in a passage, the surest first."""
        return tuple(sorted(self._drafts.get(passage, ()), key=lambda draft: (-draft.confidence, draft.anchor.order)))

    def exchange(self, passage: Passage) -> Exchange:
        """Return the exchange that a passage belongs to."""
        return self.thread.exchanges[passage.anchor.exchange]

    @cached_property
    def beginning(self) -> int:
        """The exchange of the first prompt, 0 where there is none."""
        return next((at for at, one in enumerate(self.thread.exchanges) if one.prompt is not None), 0)

    @cached_property
    def prompts(self) -> int:
        """How many prompts the session has."""
        return sum(one.prompt is not None for one in self.thread.exchanges)

    @cached_property
    def _by_message(self) -> dict[int, frozenset[str]]:
        found: dict[int, set[str]] = defaultdict(set)
        for passage, own in self.terms.items():
            found[passage.anchor.position] |= own
        return {position: frozenset(own) for position, own in found.items()}

    @cached_property
    def _asked(self) -> frozenset[str]:
        """The terms of all that the user said."""
        return frozenset(t for passage, own in self.terms.items() if passage.anchor.speaker == "user" for t in own)

    def echo(self, passage: Passage) -> float:
        """Return the share of a passage's terms that the user used, too."""
        own = self.terms[passage]
        return len(own & self._asked) / max(len(own), 1)

    @cached_property
    def _subject(self) -> frozenset[str]:
        first = next((one.prompt.text for one in self.thread.exchanges if one.prompt is not None), "")
        return frozenset(terms(f"{self.thread.session.title or ''} {first[:_TITLE_CHARS]}"))

    def on_subject(self, passage: Passage) -> float:
        """Return the share of a passage's terms that the session's title or its first prompt has."""
        own = self.terms[passage]
        return len(own & self._subject) / max(len(own), 1)

    @cached_property
    def _model_messages(self) -> dict[str, tuple[int, ...]]:
        """The positions of the model's messages that have each term."""
        found: dict[str, list[int]] = defaultdict(list)
        for position, own in self._by_message.items():
            if self.thread.by_message[position][0].speaker == "assistant":
                for term in own:
                    found[term].append(position)
        return {term: tuple(positions) for term, positions in found.items()}

    def restated(self, passage: Passage) -> bool:
        """Return whether the model says much of a passage in another message as well."""
        own = self.terms[passage]
        if len(own) < _FEW_TERMS:
            return False
        shared: Counter[int] = Counter()
        for term in own:
            shared.update(self._model_messages.get(term, ()))
        shared.pop(passage.anchor.position, None)
        return max(shared.values(), default=0) >= _RESTATED * len(own)

    @cached_property
    def _failures(self) -> tuple[int, ...]:
        return tuple(run.position for run in self.thread.runs if run.ok is False)

    def failed_before(self, passage: Passage) -> bool:
        """Return whether a command of the same exchange had failed before a passage was said."""
        at = bisect_left(self._failures, self.exchange(passage).first)
        return at < len(self._failures) and self._failures[at] <= passage.anchor.position

    def next_prompt(self, passage: Passage) -> str:
        """Return what the user said next, "" at the end of the session."""
        after = passage.anchor.exchange + 1
        following = self.thread.exchanges[after].prompt if after < len(self.thread.exchanges) else None
        return following.text if following is not None else ""

    def asked_for_it(self, passage: Passage) -> bool:
        """Return whether the prompt before a passage was a question."""
        prompt = self.exchange(passage).prompt
        return prompt is not None and cues.QUESTION.search(prompt.text.strip()) is not None

    @cached_property
    def _changed(self) -> dict[str, int]:
        """The names of the files that were changed, in lower case, each with the last exchange that changed it."""
        return {
            change.path.replace("\\", "/").rsplit("/", 1)[-1].lower(): number
            for number, exchange in enumerate(self.thread.exchanges)
            for message in self.thread.messages[exchange.first : exchange.last + 1]
            for call in message.tool_calls
            for change in call.changes
        }

    def names_changed(self, passage: Passage) -> bool:
        """Return whether a passage names a file that the session changed: it tells of the change, mostly."""
        low = passage.text.lower()
        return any(name in low for name in self._changed)

    def changed_later(self, passage: Passage) -> bool:
        """Return whether a passage names a file that a later exchange changed: what it tells of it may be over."""
        low = passage.text.lower()
        return any(last > passage.anchor.exchange and name in low for name, last in self._changed.items())

    @cached_property
    def _much_spoken_of(self) -> frozenset[str]:
        """The terms that stand in the most messages of the session."""
        count = Counter(term for own in self._by_message.values() for term in own if len(term) > 2)
        often = sorted((n for n in count.values() if n > 1), reverse=True)[:_SPOKEN_OF]
        # Of those that stand in as many, all or none: which ones come first would be chance.
        least = often[-1] if often else 0
        return frozenset(term for term, n in count.items() if n >= max(least, 2))

    def central(self, passage: Passage) -> float:
        """Return the share of the terms that the session speaks of most which a passage has; 0 in a short session."""
        most = self._much_spoken_of
        return len(self.terms[passage] & most) / len(most) if len(most) >= _FEW_SPOKEN_OF else 0.0

    def told(self, passage: Passage) -> float:
        """Return how sure it is that a person tells in a passage how things are here, 0 to 1."""
        return max(told(statement) for statement in passage.statements)
