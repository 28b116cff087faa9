"""Speed of the pure text functions, in MB/s of UTF-8: `python tests/bench/bench_text.py`.

Clean text is the standard library's own sources and prose made here, in messages of about 2 kB as transcripts have
them; dirty text is the same with a secret in every message.
"""

from __future__ import annotations

import sysconfig
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from memd.text.noise import strip_noise
from memd.text.redaction import redact, scrub
from memd.text.sentences import sentences
from memd.text.tokens import estimate_tokens, match_query, prepare

if TYPE_CHECKING:
    from collections.abc import Callable

MESSAGE_SIZE = 2000
ROUNDS = 5
PROSE = (
    "The worker reads what is new in a transcript and hands rows to the writer; nothing else touches the file. "
    "We decided to keep one connection, because two of them can corrupt the log - see src/store/writer.py:120.\n\n"
)
CHINESE = "我们决定把数据库连接池换成 pgbouncer，因为直接连接在高峰期会超时。useAuthToken 里的重试先不动。\n"
REMINDER = "<system-reminder>\nThe task list is empty. Do not mention this.\n</system-reminder>\n"


def messages(text: str) -> list[str]:
    """Return the text in pieces of the size of a message."""
    return [text[start : start + MESSAGE_SIZE] for start in range(0, len(text), MESSAGE_SIZE)]


def corpora() -> dict[str, list[str]]:
    """Return the texts that are measured, by name."""
    folder = Path(sysconfig.get_path("stdlib"))
    code = "".join(path.read_text("utf-8", "replace") for path in islice(sorted(folder.glob("*.py")), 120))
    return {"code": messages(code), "prose": messages(PROSE * 10_000), "chinese": messages(CHINESE * 8_000)}


def speed(work: Callable[[str], object], texts: list[str]) -> float:
    """Return the best of several rounds in MB/s."""
    size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
    best = float("inf")
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        for text in texts:
            work(text)
        best = min(best, time.perf_counter() - begun)
    return size / best / 1e6


def main() -> None:
    """Print a line for each function and corpus."""
    dirty_line = "DB_PASSWORD=" + "tr0ub4" + "dor" + " and gh" + "p_" + "a1B2c3D4e5F6" * 3 + "\n"
    for name, texts in corpora().items():
        clean = [text for text in texts if not redact(text).hits]
        dirty = [dirty_line + text for text in clean]
        print(f"{name}: {len(texts)} messages, {len(texts) - len(clean)} with something to redact")
        rows: list[tuple[str, Callable[[str], object], list[str]]] = [
            ("prepare", prepare, texts),
            ("redact clean", redact, clean),
            ("redact dirty", redact, dirty),
            ("scrub clean", scrub, clean),
            ("strip_noise clean", strip_noise, texts),
            ("strip_noise dirty", strip_noise, [REMINDER + text for text in texts]),
            ("sentences", sentences, texts),
            ("estimate_tokens", estimate_tokens, texts),
            ("match_query", match_query, texts[:50]),
        ]
        for label, work, sample in rows:
            print(f"  {label:18} {speed(work, sample):9.1f} MB/s")


if __name__ == "__main__":
    main()
