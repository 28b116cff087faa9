"""Changed minds: `python -m tests.eval.changes [-v] [FILE]`.

Somebody says in one session how things are to be, and in a later one that they are to be otherwise, in everyday words.
Both are distilled and judged as the daemon does it, without a store. Told is how often what holds afterwards is right:
the old is gone, the new is there, and what only shares a word with it stands. The rules were made with the first set in
view; each further one was measured before anything was changed for it, and then used as well.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from memd.distill.distill import distill
from memd.model import Transcript
from tests.unit.distill.claimed import claim, current, judged
from tests.unit.distill.talk import Talk

CASES: Final = Path(__file__).with_name("changes.txt")
_DAY_MS: Final = 86_400_000


@dataclass(frozen=True, slots=True)
class Change:
    """Two sessions of one project; `old` may hold no longer, `new` has to, and `stays` still does."""

    group: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    old: str
    new: str
    stays: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a change."""

    change: Change
    held: tuple[str, ...]
    stale: bool
    missing: bool
    lost: bool

    @property
    def right(self) -> bool:
        return not (self.stale or self.missing or self.lost)


def read(path: Path) -> Iterator[Change]:
    """Yield the changes in a file."""
    group = ""
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("= "):
            group = line[2:]
        elif line and not line.startswith("#"):
            first, second, old, new, stays = (part.strip() for part in line.split(" | "))
            yield Change(group, _parts(first), _parts(second), "" if old == "-" else old, new, _parts(stays))


def outcome(change: Change) -> Outcome:
    """Return what holds after both sessions."""
    claims = [
        replace(
            claim(one.body, day * _DAY_MS, kind=one.kind, slot=one.slot, session=day, parts=one.parts),
            title=one.title,
            tags=one.tags,
        )
        for day, said in enumerate((change.first, change.second), 1)
        for one in distill(_session(said)).candidates
    ]
    standings = judged(claims)
    held = tuple(current(standings))
    before = {
        one.voice.body for one in standings if one.until is None and all(said.session == 1 for said in one.claims)
    }
    return Outcome(
        change,
        held,
        stale=bool(change.old) and any(change.old.casefold() in one.casefold() for one in before),
        missing=not any(change.new.casefold() in one.casefold() for one in held),
        lost=any(not any(part.casefold() in one.casefold() for one in held) for part in change.stays),
    )


def _session(said: Sequence[str]) -> Transcript:
    talk = Talk()
    for text in said:
        talk.user(text).reply("OK.")
    return talk.transcript()


def _parts(text: str) -> tuple[str, ...]:
    return () if text == "-" else tuple(text.split(" // "))


def main() -> None:
    """Print the figures of each group, and with -v what went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-v", "--verbose", action="store_true", help="tell each change that went wrong")
    parser.add_argument("file", type=Path, nargs="?", default=CASES)
    chosen = parser.parse_args()
    outcomes = [outcome(change) for change in read(chosen.file)]
    for group in dict.fromkeys(one.change.group for one in outcomes):
        some = [one for one in outcomes if one.change.group == group]
        print(
            f"{group}: {len(some)} changes, right {sum(one.right for one in some)}; the old still holds"
            f" {sum(one.stale for one in some)}, the new is missing {sum(one.missing for one in some)}, what should"
            f" stay is not there {sum(one.lost for one in some)}"
        )
    for one in outcomes if chosen.verbose else ():
        if not one.right:
            print(f"{' / '.join(one.change.second)}\n    {one.held}")


if __name__ == "__main__":
    main()
