"""Taking our items out of a settings file, and nothing else.

What is ours is looked for in the text as it is now, so whatever the person or the host changed since stays. Taking out
what `settings_json.append_item` put in gives back the same bytes for every document. If the `Before` that it returned
is lost, emptied containers are removed and an emptied document becomes `{}`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from memd_hooks.jsonc import Array, JsonValue, Member, Node, Object, after_space, children_of, meaning, scan
from memd_hooks.settings_json import BLANK, Before, Place, decode

Owned: TypeAlias = Callable[[Place, JsonValue], bool]
"""Whether an array's item or an object's member at that place, with that value, is ours as a whole."""


def remove_items(data: bytes, owned: Owned, before: Before, *, comments: bool = False) -> bytes | None:
    """The document without the items and members that are ours, and without the containers that this leaves empty.

    None where nothing is left of a file that did not exist before. Raises DocumentError if the document is not valid.
    """
    bom, text = decode(data)
    if not text.strip(BLANK):
        return data
    root = scan(text, comments=comments)
    pruning = _Pruning(text, owned, before)
    if not pruning.prune(root, ()):
        return (bom + pruning.result()).encode()
    outside = text[: root.start] + text[root.end :]
    if before.blank is None or outside.strip(BLANK):
        return (bom + text[: root.start] + "{}" + text[root.end :]).encode()
    return None if before.absent else (bom + before.blank).encode()


@dataclass(slots=True)
class _Pruning:
    """One pass over a document that collects what is to be cut out of its text."""

    text: str
    owned: Owned
    before: Before
    cuts: list[tuple[int, int, str]] = field(default_factory=list)

    def result(self) -> str:
        """The text after all cuts."""
        text = self.text
        for start, end, instead in sorted(self.cuts, reverse=True):
            text = text[:start] + instead + text[end:]
        return text

    def prune(self, node: Node, place: Place) -> bool:
        """Cut what is ours inside `node`; True if nothing else was there, so that the node itself is to go."""
        doomed: list[bool]
        match node:
            case Array(items=items):
                doomed = [
                    self.owned((*place, index), meaning(item)) or self.prune(item, (*place, index))
                    for index, item in enumerate(items)
                ]
            case Object(members=members):
                doomed = [
                    self.owned((*place, member.name), meaning(member.value))
                    or self.prune(member.value, (*place, member.name))
                    for member in members
                ]
            case _:
                return False
        if not any(doomed):
            return False
        children = children_of(node)
        inside = self.before.inside(place)
        if not all(doomed):
            self._cut_some(children, doomed)
            if inside is not None:
                self._close_up(node, children, doomed)
        elif self._has_comments(node, children, inside):
            self._cut_values(children)
        elif inside is not None:
            self.cuts.append((node.start + 1, node.end - 1, inside))
        else:
            return True
        return False

    def _cut_some(self, children: tuple[Node | Member, ...], doomed: list[bool]) -> None:
        """Cut each doomed child with the comma and space before it; before the first that stays, those after it."""
        first_kept = doomed.index(False)
        for index, child in enumerate(children):
            if not doomed[index]:
                continue
            start, end = child.start, child.end
            if index < first_kept:
                gap_start, gap_end = end, children[index + 1].start
                whole = (start, gap_end)
            else:
                gap_start, gap_end = children[index - 1].end, start
                whole = (gap_start, end)
            comma = after_space(self.text, gap_start)
            if self.text[gap_start:gap_end].strip(BLANK) == ",":
                self.cuts.append((*whole, ""))
            else:
                # Somebody's comment stands between: it stays.
                self.cuts += [(start, end, ""), (comma, comma + 1, "")]

    def _close_up(self, node: Node, children: tuple[Node | Member, ...], doomed: list[bool]) -> None:
        """Cut the line end that came with us from a container that stood there empty, if nobody else began a line."""
        first, last = children[doomed.index(False)], children[-1]
        ours = self.text[last.end : node.end - 1]
        on_one_line = "\n" not in self.text[node.start : first.start]
        if doomed[-1] and on_one_line and not ours.strip(BLANK):
            self.cuts.append((last.end, node.end - 1, ""))

    def _cut_values(self, children: tuple[Node | Member, ...]) -> None:
        """Cut all children and their commas, and leave the comments around them."""
        for child in children:
            comma = after_space(self.text, child.end)
            self.cuts.append((child.start, child.end, ""))
            if self.text.startswith(",", comma):
                self.cuts.append((comma, comma + 1, ""))

    def _has_comments(self, node: Node, children: tuple[Node | Member, ...], inside: str | None) -> bool:
        """Whether there is more between the brackets than children, commas, space and what was there before."""
        edges = [node.start + 1, *(edge for child in children for edge in (child.start, child.end)), node.end - 1]
        gaps = "".join(self.text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True))
        return gaps.replace(",", "").strip(BLANK) not in {"", (inside or "").strip(BLANK).replace(",", "")}
