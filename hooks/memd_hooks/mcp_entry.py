"""MCP entry: memd among a host's MCP servers, in its JSON settings.

`{"mcpServers": {"memd": {"command": ..., "args": [...]}}}` in nearly all of them; the place and the value differ. A
member of that name that does not run memd's pump is somebody's own choice and is left alone.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memd_hooks.registration import Outcome
from memd_hooks.settings_json import Before, put_member, replace_value, values_of
from memd_hooks.settings_prune import remove_items
from memd_hooks.shim import MCP_NAME

if TYPE_CHECKING:
    from memd_hooks.jsonc import JsonValue
    from memd_hooks.settings_json import Place

SERVER: Final = "memd"
"""The name of memd's server in every host."""


@dataclass(frozen=True, slots=True)
class McpEntry:
    """The member that is wanted. `comments`: the host reads JSON with comments."""

    place: tuple[str, ...]
    value: JsonValue
    comments: bool = False

    def put(self, data: bytes | None, before: Before) -> Outcome:
        """The document with memd's server, and no other byte changed."""
        current = self._current(data)
        if current is None:
            edited = put_member(data, self.place, self.value, before, comments=self.comments)
            return Outcome(edited.data, edited.before, ("add the MCP server",))
        if current == self.value or not is_own(current) or data is None:
            return Outcome(data, before, ())
        return Outcome(
            replace_value(data, self.place, self.value, comments=self.comments), before, ("update the MCP server",)
        )

    def take(self, data: bytes | None, before: Before) -> Outcome:
        """The document without memd's server."""
        if data is None or not is_own(self._current(data)):
            return Outcome(data, before, ())
        after = remove_items(data, self._owned, before, comments=self.comments)
        return Outcome(after, before, ("remove the MCP server",))

    def _owned(self, place: Place, value: JsonValue) -> bool:
        return place == self.place and is_own(value)

    def _current(self, data: bytes | None) -> JsonValue:
        value = values_of(data or b"", comments=self.comments)
        for name in self.place:
            if not isinstance(value, dict):
                return None
            value = value.get(name)
        return value


def is_own(value: JsonValue) -> bool:
    """Whether a server is memd's: it runs a file of the pump's name."""
    return f"/{MCP_NAME}" in json.dumps(value, ensure_ascii=False)
