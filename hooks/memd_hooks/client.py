"""The hook client: hands one event of a host to the daemon, prints the answer, and is never in the way.

Installed as `<data>/bin/memd-hook` with the two paths below filled in, and run by the host as
`<python> -I -S <data>/bin/memd-hook <host> [<event>]`, with the event as JSON on standard input.

Promise: exit status 0 always; standard output is the daemon's whole answer or nothing; standard error stays empty;
over after a quarter of a second. Where the daemon cannot be reached, one line that says which session
moved (never what was said in it) is left in the spool for its next start.

The host waits for this program at every prompt, so it is written for its start-up time: only modules that are
compiled into the interpreter or are one small library, no json (the daemon speaks the host's JSON; here bytes are only
searched and passed on), no os, no socket, no signal (each of them imports a tree of modules). Measured in README.md.
"""

# ruff: noqa: I002  `from __future__ import annotations` is a module on disk that every prompt would wait for.

import _signal  # type: ignore[import-not-found]  # the C half of signal, which typeshed does not describe
import _socket
import posix
import sys
import time
from posix import _exit as leave

SOCKET_PATH = b""
SPOOL_FOLDER = b""

# Together with the interpreter's own start (about 10 ms, before the first line here) less than 250 ms.
DEADLINE_S = 0.22
# Only a spool on a disk that hangs, or a machine on its knees, can use up this too.
LAST_WORDS_S = 0.2
# Events whose answer is waited for, as each host names them.
ANSWERED = (
    b"SessionStart UserPromptSubmit sessionStart beforeSubmitPrompt userPromptSubmitted BeforeAgent PreToolUse"
).split()
EVENT_LIMIT = 1 << 20
ANSWER_LIMIT = 1 << 18
SPOOL_LIMIT = 8 << 20
# Writes of one page to a file opened with O_APPEND do not mix with those of other hooks.
LINE_LIMIT = 4096

# Environment variables that tell which program runs us: several hosts run the hooks of Claude Code's settings.
MARKERS = (
    b"CLAUDECODE CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_REMOTE CLAUDE_PROJECT_DIR"
    b" CONTINUE_PROJECT_DIR COPILOT_PROJECT_DIR CURSOR_VERSION GEMINI_SESSION_ID VSCODE_PID"
).split()
# What may be kept of an event without its text, and how long it may be: names of things, and words of a closed set.
NAMES = {
    **dict.fromkeys((b"session_id", b"sessionId", b"conversation_id", b"taskId", b"agent_id", b"agentId"), 200),
    **dict.fromkeys((b"transcript_path", b"transcriptPath", b"cwd"), 1500),
}
WORDS = {b"source": 40, b"reason": 40, b"trigger": 40}


class LateError(Exception):
    """The deadline has come."""


def main(argv: list[str]) -> None:
    """Pass the event on standard input to the daemon, and its answer to standard output."""
    # A model that memd itself calls must not be observed, or every observation would start the next one.
    if b"MEMD_INTERNAL" in posix.environ:
        return
    # One timer bounds everything that can wait (standard input, the socket, a full pipe, a slow disk), also what has
    # no time-out of its own. It needs no select module, and the second ring ends what ignores the first.
    _signal.pthread_sigmask(_signal.SIG_UNBLOCK, {_signal.SIGALRM})
    _signal.signal(_signal.SIGALRM, ring)
    _signal.setitimer(_signal.ITIMER_REAL, DEADLINE_S, LAST_WORDS_S)

    host = word(argv[1].encode())
    given = word(argv[2].encode()) if len(argv) > 2 else b""
    chunks: list[bytes] = []
    try:
        read_event(chunks)
        raw = b"".join(chunks)
        event = given or event_name(raw)
        connection = deliver(host, event, raw)
    except (OSError, LateError):
        # Also what was read until the deadline of a standard input that nobody closes.
        spool(host, given, b"".join(chunks))
    else:
        if event in ANSWERED:
            show(answer_of(connection))


def ring(_signum: int, _frame: object) -> None:
    """Raise in whatever is waiting; at the next ring there is no more waiting."""
    _signal.signal(_signal.SIGALRM, lambda *_: leave(0))
    raise LateError


def read_event(chunks: list[bytes]) -> None:
    """Read standard input to its end, keeping a little more than may be sent.

    The rest is read and dropped: a host that meets a closed pipe while it writes may report a failed hook.
    """
    size = 0
    while chunk := posix.read(0, 1 << 16):
        if size <= EVENT_LIMIT:
            chunks.append(chunk)
        size += len(chunk)


def deliver(host: bytes, event: bytes, raw: bytes) -> _socket.socket:
    """The connection on which the daemon will answer, once all bytes are in its hands (or its queue)."""
    # A socket that another user has put there is no daemon of ours, and is told nothing.
    if posix.stat(SOCKET_PATH).st_uid != posix.getuid():
        raise OSError
    if len(raw) > EVENT_LIMIT:
        # Half a JSON document is of no use: send a whole one that says which session it is about.
        raw = b'{"hook_event_name":"%b"%b,"memd_cut":true}' % (event, fields(raw))
    env = b",".join([name for name in MARKERS if name in posix.environ])
    head = b'{"op":"hook","host":"%b","event":"%b","env":"%b","bytes":%d}\n' % (host, event, env, len(raw))
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    connection.connect(SOCKET_PATH)
    connection.sendall(head + raw)
    # What was sent stays readable for the daemon after we are gone, so nobody needs to wait for it to be read.
    connection.shutdown(_socket.SHUT_WR)
    return connection


def answer_of(connection: _socket.socket) -> bytes:
    """The daemon's whole answer, or nothing. It ends with a newline; JSON has none inside. Errors are not for hosts."""
    answer = b""
    while len(answer) <= ANSWER_LIMIT:
        chunk = connection.recv(1 << 16)
        if not chunk:
            return answer if answer.endswith(b"\n") and not answer.startswith(b'{"ok":false') else b""
        answer += chunk
    return b""


def show(answer: bytes) -> None:
    """Write to standard output, past Python's buffer, which would complain at exit if nobody reads."""
    while answer:
        answer = answer[posix.write(1, answer) :]


def spool(host: bytes, given: bytes, raw: bytes) -> None:
    """Leave one line for the daemon's next start; a full, missing or foreign spool is left alone."""
    event, kept = given or event_name(raw), fields(raw)
    stamp = b'"pid":%d,"at_ms":%d' % (posix.getpid(), time.time_ns() // 1_000_000)
    line = b'{"host":"%b","event":"%b"%b,%b}\n' % (host, event, kept, stamp)
    if not event or not kept or len(line) > LINE_LIMIT:
        return
    try:
        posix.mkdir(SPOOL_FOLDER, 0o700)
    except FileExistsError:
        # A hook of `sudo` would leave a file that the daemon cannot read.
        if posix.stat(SPOOL_FOLDER).st_uid != posix.getuid():
            return
    # O_NOFOLLOW and O_NONBLOCK: neither a planted link nor a pipe in that place is written to or waited for.
    flags = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | posix.O_NOFOLLOW | posix.O_NONBLOCK
    file = posix.open(SPOOL_FOLDER + b"/events.ndjson", flags, 0o600)
    if posix.fstat(file).st_size + len(line) <= SPOOL_LIMIT:
        posix.write(file, line)


def fields(raw: bytes) -> bytes:
    """The plain members of an event that name its session, as JSON members each led by a comma."""
    names = {key: text_of(raw, key, longest) for key, longest in NAMES.items()}
    words = {key: word(text_of(raw, key, longest)) for key, longest in WORDS.items()}
    return b"".join([b',"%b":"%b"' % member for member in (names | words).items() if member[1]])


def event_name(raw: bytes) -> bytes:
    """The event's name (VS Code spells the key in its own way), or nothing."""
    return word(text_of(raw, b"hook_event_name", 40) or text_of(raw, b"hookEventName", 40))


def text_of(raw: bytes, key: bytes, longest: int) -> bytes:
    """The first string member `key` of a JSON document, spelt as it is there; nothing if it is long or not plain.

    Quotes inside JSON strings are escaped, so `"key"` before a colon is always a member, never part of a prompt.
    """
    member = b'"%b"' % key
    start = raw.find(member)
    while start >= 0:
        start += len(member)
        # Room for the colon, the quotes and some space between them.
        colon, _, rest = raw[start : start + longest + 12].partition(b'"')
        if colon.strip() == b":":
            value, closing, _ = rest.partition(b'"')
            return value if closing and is_plain(value, longest) else b""
        start = raw.find(member, start)
    return b""


def is_plain(value: bytes, longest: int) -> bool:
    r"""Whether a JSON string's inside can be copied: UTF-8, no control bytes, only the escapes \\, \/ and \uXXXX."""
    bare = value.replace(rb"\\", b"..").replace(rb"\/", b"..").replace(rb"\u", b"..")
    valid = value.decode(errors="ignore").encode() == value
    return len(value) <= longest and b"\\" not in bare and min(bare, default=0) >= 32 and valid


def word(value: bytes) -> bytes:
    """The value if it is one ASCII word (hyphens allowed), else nothing: no text can hide in it."""
    return value if value.isascii() and value.replace(b"-", b"_").decode().isidentifier() else b""


if __name__ == "__main__":
    # Not sys.exit(): leaving without tear-down saves a millisecond, and swallows whatever was raised without a word.
    try:
        main(sys.argv)
    finally:
        leave(0)
