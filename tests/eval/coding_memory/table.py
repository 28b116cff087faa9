"""Tables: rates as people read them, and the place in a document between two markers where a table stands."""

from __future__ import annotations

from pathlib import Path


def percent(rate: float | None) -> str:
    """Return a rate in percent, "" for none."""
    return "" if rate is None else f"{100 * rate:.1f}"


def write_between(path: Path, name: str, lines: list[str]) -> None:
    """Put lines between `<!-- name:start -->` and `<!-- name:end -->` of a file. Raises ValueError without markers."""
    text = path.read_text("utf-8")
    start, end = f"<!-- {name}:start -->\n", f"<!-- {name}:end -->"
    if text.count(start) != 1 or text.count(end) != 1:
        raise ValueError(f"{path} has no place marked {start.strip()} … {end}")
    before, _, rest = text.partition(start)
    _, _, after = rest.partition(end)
    path.write_text(before + start + "\n".join(lines) + "\n" + end + after, "utf-8")
