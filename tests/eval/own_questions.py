"""Questions of our own over sessions of an invented harbour office, where nothing else is at hand to measure with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

_NOW: Final = "2026/11/30 (Mon) 09:00"
_SESSIONS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "storage": ("2026/09/02 (Wed) 10:00", (
        "Where should the tide table live, Postgres or SQLite?",
        "SQLite is enough: one writer, a few thousand rows a year, and the office has no server.",
        "Fine, SQLite it is. Copy the file every night.",
        "Done. `make copy` runs at 02:00 from the crontab.")),
    "crash": ("2026/10/14 (Wed) 16:20", (
        "tide sync dies with `sqlite3.OperationalError: database is locked` since this morning",
        "Two processes write at once. The importer opens its own connection; I let it go through the queue instead.",
        "works, thanks",
        "I added a test that starts both.")),
    "release": ("2026/11/16 (Mon) 11:00", (
        "What do I have to do to cut a release?",
        "Run `make release`, it tags and pushes; the package is built by the runner.",
        "Never push tags by hand again, that broke the last one.",
        "Understood: tags come from `make release` only.")),
    "lamps": ("2026/11/24 (Tue) 09:30", (
        "Pier 12's lamp stays dark. The config says timer, the code reads schedule.",
        "In lamps/config.py `load_timer` looked for `schedule`. I renamed the key to `timer` everywhere.",
        "Good.",
        "The old key still works for a year and warns.")),
    "chinese": ("2026/11/20 (Fri) 14:00", (
        "为什么潮汐表的缓存老是过期？",
        "缓存键里没有时区，换成 UTC 以后就不会提前过期了。",
        "好的，以后一律用 UTC。",
        "已经改好，并加了测试。")),
    "frontend": ("2026/08/11 (Tue) 08:40", (
        "The chart page takes nine seconds to draw.",
        "It fetched every reading; now it asks for one point an hour and draws in 300 ms.",
        "Use plain SVG, no chart library please.",
        "Removed the library, 140 kB less.")),
    "garden": ("2026/07/01 (Wed) 19:00", (
        "My tomatoes have yellow leaves, what can I do?",
        "Most likely they get too much water; let the soil dry and feed them with magnesium.",
        "ok will try",
        "Good luck with them.")),
    "hiring": ("2026/11/09 (Mon) 15:00", (
        "Draft a note to the crew: Bruno takes over the night shift from Chiara.",
        "Here it is: from December on Bruno keeps the night shift. Chiara moves to the pilots.",
        "send it",
        "Copied to the clipboard.")),
}  # fmt: skip
_QUESTIONS: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    ("decision", "What did we choose to keep the tides in, and why not Postgres?", ("storage",)),
    ("decision", "which chart library do we use?", ("frontend",)),
    ("meaning", "How do I publish a new version?", ("release",)),
    ("command", "when does the nightly copy run", ("storage",)),
    ("error", "database is locked", ("crash",)),
    ("error", "why did two processes write at the same time", ("crash",)),
    ("file", "load_timer", ("lamps",)),
    ("file", "what did we change in lamps/config.py", ("lamps",)),
    ("time", "what did we fix last Tuesday?", ("lamps",)),
    ("time", "two weeks ago we talked about tags, what was it", ("release",)),
    ("chinese", "缓存为什么会过期", ("chinese",)),
    ("chinese", "时区用什么", ("chinese",)),
    ("mixed", "潮汐 cache UTC", ("chinese",)),
    ("meaning", "who works after dark now?", ("hiring",)),
    ("meaning", "slow graph rendering", ("frontend",)),
    ("meaning", "plants look sick", ("garden",)),
)


def questions() -> Iterator[dict[str, Any]]:
    """Give the questions in LongMemEval's form."""
    for number, (kind, asked, answers) in enumerate(_QUESTIONS):
        yield {
            "question_id": f"own-{number}",
            "question_type": kind,
            "question": asked,
            "question_date": _NOW,
            "answer_session_ids": list(answers),
            "haystack_session_ids": list(_SESSIONS),
            "haystack_dates": [at for at, _ in _SESSIONS.values()],
            "haystack_sessions": [
                [{"role": ("user", "assistant")[n % 2], "content": text} for n, text in enumerate(turns)]
                for _, turns in _SESSIONS.values()
            ],
        }
