"""The terminal: where a command's words go, and what may be done there."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TextIO

from memd.doors.cli.columns import PAGE, clean, wrap

ENDLESS: Final = sys.maxsize
_LEAST: Final = 40
_BAR: Final = 30
_STYLES: Final = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}


@dataclass(frozen=True, slots=True)
class Terminal:
    """Standard output and error. `interactive`: a person sits at both ends; `colour`: escape sequences are welcome."""

    out: TextIO
    err: TextIO
    interactive: bool = False
    colour: bool = False
    columns: int = PAGE
    """The columns that a line of text may take; ENDLESS where a program or a file reads along: nothing is cut then."""
    window: int = 0
    """The columns of the window, where that is wider than text is set."""
    rows: int = 0
    pager: tuple[str, ...] = ()
    """The program that shows what is longer than the screen; none where nobody looks."""

    @classmethod
    def of_process(cls, env: Mapping[str, str]) -> Terminal:
        """Return the terminal this process was started with. NO_COLOR as https://no-color.org has it."""
        shown = sys.stdout.isatty()
        window = max(_LEAST, _window(shown, env))
        for stream in (sys.stdout, sys.stderr):
            # A locale without UTF-8 must not make a fact with an accent fail the command.
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")
        return cls(
            out=sys.stdout,
            err=sys.stderr,
            interactive=shown and sys.stdin is not None and sys.stdin.isatty(),
            colour=shown and not env.get("NO_COLOR") and env.get("TERM") != "dumb",
            columns=min(window, PAGE) if shown else window,
            window=window,
            rows=_rows() if shown else 0,
            pager=_pager(env) if shown else (),
        )

    @property
    def row_columns(self) -> int:
        """The columns that a row of a table may take."""
        return max(self.columns, self.window)

    @property
    def uncut(self) -> bool:
        """Whether lines are whole, however long."""
        return self.columns == ENDLESS

    def tell(self, *sentences: str) -> None:
        """Print sentences, those that are too long for the window broken at blanks; a path stays whole."""
        for sentence in sentences:
            first, *rest = wrap(sentence, self.columns, whole=True)
            self.say(first, *rest)

    def say(self, *lines: str) -> None:
        """Print lines that are known to be fit to be shown."""
        for line in lines:
            self.out.write(line + "\n")

    def say_all(self, lines: Iterable[str]) -> None:
        """Print many lines."""
        self.say(*lines)

    def show(self, lines: Iterable[str]) -> None:
        """Print lines that are read from the top: through the person's pager where they are more than the screen."""
        listed = list(lines)
        pager = self.pager if len(listed) >= self.rows else ()
        if not pager:
            self.say_all(listed)
            return
        import subprocess

        text = "\n".join(listed) + "\n"
        self.out.flush()
        try:
            # less: leave at the end of short texts, let colours through, leave the text on the screen.
            env = {**os.environ, "LESS": os.environ.get("LESS", "FRX")}
            subprocess.run(pager, input=text.encode("utf-8", "replace"), env=env, check=False)
        except OSError:
            self.out.write(text)

    def progress(self, what: str, done: int, total: int) -> None:
        """Show how far something long is, on one line of a terminal that is gone at the end."""
        if not self.interactive:
            return
        filled = _BAR * done // max(total, 1)
        line = f"{what} [{'#' * filled}{'.' * (_BAR - filled)}] {done:,} of {total:,}"
        self.err.write(f"\r{line}" if done < total else f"\r{' ' * len(line)}\r")
        self.err.flush()

    @contextmanager
    def waiting(self, after_s: float = 1.0) -> Iterator[None]:
        """Show, for the length of the block, that the daemon is at work and for how long it has been.

        On one line of a terminal that is gone at the end; nothing where no person looks, or of what is quick.
        """
        if not self.interactive:
            yield
            return
        import threading
        import time

        done, began = threading.Event(), time.monotonic()

        def show() -> None:
            line = ""
            while not done.wait(after_s):
                line = f"memd is at work on it ({time.monotonic() - began:.0f} s)"
                self.err.write(f"\r{line}")
                self.err.flush()
            if line:
                self.err.write(f"\r{' ' * len(line)}\r")
                self.err.flush()

        shown = threading.Thread(target=show, daemon=True)
        shown.start()
        try:
            yield
        finally:
            done.set()
            shown.join()

    def error(self, sentence: str) -> None:
        """Tell what went wrong."""
        self.out.flush()
        self.complain(sentence)

    def complain(self, sentence: str) -> None:
        """Tell what went wrong with the output itself; a line end in a name does not end the line."""
        shown = clean(sentence).replace("\n", "\\n")
        self.err.write(f"memd: {shown}\n")

    def style(self, text: str, style: str) -> str:
        """Return the text in a style, or as it is where colour is not wanted."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.colour else text

    def ask(self, question: str, *, enter: bool = True) -> bool:
        """Ask a yes-or-no question; Enter means what `enter` says, the end of input no."""
        self.out.write(f"{question} [{'Y/n' if enter else 'y/N'}] ")
        self.out.flush()
        answer = sys.stdin.readline()
        word = answer.strip().casefold()
        return bool(answer) and (word in {"y", "yes"} or (enter and not word))


def _rows() -> int:
    import shutil

    return shutil.get_terminal_size((PAGE, 24)).lines


def _pager(env: Mapping[str, str]) -> tuple[str, ...]:
    """Return the person's pager: $MEMD_PAGER, $PAGER, or less where it is there; an empty one means none."""
    import shlex
    import shutil

    for name in ("MEMD_PAGER", "PAGER"):
        if name in env:
            words = tuple(shlex.split(env[name]))
            return words if words and words[0] != "cat" else ()
    less = shutil.which("less", path=env.get("PATH"))
    return (less,) if less and env.get("TERM", "dumb") != "dumb" else ()


def _told_columns(env: Mapping[str, str]) -> int | None:
    told = env.get("COLUMNS", "")
    return int(told) if told.isascii() and told.isdigit() and 0 < int(told) < 100_000 else None


def _window(shown: bool, env: Mapping[str, str]) -> int:
    """Return the columns of the window; where there is none those that COLUMNS tells, else ENDLESS."""
    if not shown:
        return _told_columns(env) or ENDLESS
    import shutil

    return shutil.get_terminal_size((PAGE, 24)).columns
