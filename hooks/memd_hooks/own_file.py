"""Own files: whole files of memd's in a host's folder, told from anybody else's by a mark in them."""

from __future__ import annotations

from dataclasses import dataclass

from memd_hooks.jsonc import DocumentError
from memd_hooks.registration import Outcome
from memd_hooks.settings_json import Before


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A file that is memd's as a whole. A file of that name without the mark is somebody's and is never changed."""

    what: str
    """What it is, in words: "the plugin"."""
    content: bytes
    mark: bytes
    kept: bool = False
    """Whether one that is there already is left as it is, because the daemon writes what it knows into it."""

    def put(self, data: bytes | None, before: Before) -> Outcome:
        """The file as it has to be. Raises DocumentError for a file that is not memd's."""
        if data is None:
            return Outcome(self.content, Before(absent=True, blank=""), (f"write {self.what}",))
        if self.mark not in data:
            raise DocumentError("it is not memd's, and memd needs a file of that name for itself")
        if self.kept or data == self.content:
            return Outcome(data, before, ())
        return Outcome(self.content, before, (f"update {self.what}",))

    def take(self, data: bytes | None, before: Before) -> Outcome:
        """No file, unless it is not memd's."""
        if data is None or self.mark not in data:
            return Outcome(data, before, ())
        return Outcome(None, before, (f"remove {self.what}",))
