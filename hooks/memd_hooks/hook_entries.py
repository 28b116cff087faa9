"""Hook entries: our handlers in a host's JSON settings, as something that can be registered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memd_hooks.hook_groups import register, unregister
from memd_hooks.jsonc import DocumentError
from memd_hooks.registration import Outcome
from memd_hooks.settings_json import BLANK, Before, decode, values_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memd_hooks.hook_groups import Wanted
    from memd_hooks.jsonc import JsonValue


@dataclass(frozen=True, slots=True)
class HookEntries:
    """The wanted handlers. `required` are members without which the host ignores the file, and their values."""

    wanted: Wanted
    required: Mapping[str, JsonValue] = field(default_factory=dict)

    def put(self, data: bytes | None, before: Before) -> Outcome:
        """The document with our handlers, and no other byte changed."""
        if self.required and not _has_value(data):
            bom, blank = decode(data or b"")
            before = Before(absent=data is None, blank=blank)
            done = register((bom + self._bare()).encode(), before, self.wanted)
            return Outcome(done.data, done.before, done.steps)
        document = values_of(data or b"", comments=self.wanted.comments)
        for name, value in self.required.items():
            if not isinstance(document, dict) or document.get(name) != value:
                raise DocumentError(f'it has no "{name}": {value}, without which its hooks are not read')
        done = register(data, before, self.wanted)
        return Outcome(done.data, done.before, done.steps)

    def take(self, data: bytes | None, before: Before) -> Outcome:
        """The document without our handlers."""
        if data is None:
            return Outcome(None, before, ())
        done = unregister(data, before, self.wanted)
        after = done.data
        if done.steps and after is not None and before.blank is not None and after.decode("utf-8-sig") == self._bare():
            bom, _ = decode(after)
            after = None if before.absent else (bom + before.blank).encode()
        return Outcome(after, before, done.steps)

    def _bare(self) -> str:
        """The document that we begin with where there was none."""
        members = ",\n".join(f'  "{name}": {value}' for name, value in self.required.items())
        return f"{{\n{members}\n}}\n"


def _has_value(data: bytes | None) -> bool:
    return data is not None and bool(decode(data)[1].strip(BLANK))
