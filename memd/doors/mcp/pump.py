"""The pump: carries an agent's MCP messages from standard input to memd and the answers back to standard output.

Installed as `<data>/bin/memd-mcp` with the blanks below filled in, and run by the host as
`<python> -I -S <data>/bin/memd-mcp [--profile NAME] [--project FOLDER]`.

Promise: standard output is nothing but the protocol; over within a second of the end of standard input. Where memd does
not run it is started, through whoever looks after it. When memd ends in the middle of a request (an update, a crash),
the conversation is taken up again and the request is sent once more; the second time the agent is told.

Every session of an agent starts this program and keeps it, so it is written for its size and start-up time: only
modules that are compiled into the interpreter or are one small library. Of a message it reads method and id.
"""

# ruff: noqa: I002, SIM105  `__future__` and contextlib are modules on disk that every start would wait for.

import _json  # the C half of json
import _socket
import posix
import select
import sys
import time
from posix import _exit as leave

MCP_SOCKET = b""
DAEMON_SOCKET = b""
GREETINGS = b""
START_COMMAND = ()  # type: tuple[bytes, ...]
START_ENV = {}  # type: dict[bytes, bytes]

# The most impatient hosts wait ten seconds for a server; the answer that memd cannot be reached is one, too. For the
# answer of a tool they wait a minute.
PATIENCE_S = 8.0
TOOL_PATIENCE_S = 40.0
LOOK_UP_S = 2.0
STEP_S = 0.05
# How long after the greeting the process that speaks MCP is started, so that it is there when something is asked: what
# a host does at the start of a session goes first, and a session that is over by then starts nothing.
WARM_S = 1.0
WARM_TRIES = 10
# What has been asked before standard input ended is answered, if that is quick.
FAREWELL_S = 0.8
CHUNK = 1 << 16
ANSWER_LIMIT = 1 << 16
MESSAGE_LIMIT = 4 << 20
PROFILES = ("recall", "record", "full", "thoth", "memvault", "agent_knowledge", "rawthink")
UNREACHABLE = -32000
INITIALIZED = "notifications/initialized"
RESOURCES = "resources/list"
ASKED_BY_ALL = (
    "initialize",
    "server/discover",
    "tools/list",
    "prompts/list",
    "resources/templates/list",
    RESOURCES,
)
VERSION = "io.modelcontextprotocol/protocolVersion"
CANCELLED = "notifications/cancelled"


class UnreachableError(Exception):
    """memd cannot be reached; the message says why."""


class Grammar:
    """What the scanner of json wants to know."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: dict[str, str] = {}  # noqa: RUF012 - dataclasses and typing are modules on disk


class Pump:
    """One conversation: what was asked and not answered yet, and how it began."""

    def __init__(self, header: bytes) -> None:
        self.header = header
        self.version = ""
        self.greeted = False
        self.starter = -1
        self.warm_at_s = 0.0
        self.warm_tries = 0
        self.scan = _json.make_scanner(Grammar)  # type: ignore[arg-type]  # it takes anything with these members
        self.door: _socket.socket | None = None
        self.opening: list[bytes] = []
        self.opening_id: object = None
        self.unwanted: list[object] = []
        self.asked: dict[object, bytes] = {}
        self.again: set[object] = set()
        self.rest = b""
        self.profile, project, folder = (bytes.fromhex(str(told)) for told in self.meaning(header).values())
        # What stands for the agent's project: what it was told, or else the folder it works in.
        self.place = folder + b"/" + project if project.startswith(b".") else project or folder

    def run(self) -> None:
        """Carry messages until standard input ends."""
        poll = select.poll()
        poll.register(0, select.POLLIN)
        begun = []  # type: list[bytes]
        ended = False
        while not ended or (self.asked and self.door):
            known = self.door
            ready = poll.poll(FAREWELL_S * 1000 if ended else self.until_warm_ms())
            if ended and not ready:
                return
            if not ready:
                self.warm()
            for descriptor, _ in ready:
                if descriptor == 0:
                    ended = not self.hear(begun)
                    if ended:
                        poll.unregister(0)
                elif self.door and descriptor == self.door.fileno():
                    self.from_memd()
            if self.door is not known:
                if known:
                    poll.unregister(known.fileno())
                    known.close()
                if self.door:
                    poll.register(self.door.fileno(), select.POLLIN)

    def hear(self, begun: list[bytes]) -> bool:
        """Pass on what standard input holds; False at its end. `begun` are the pieces of a line that is not whole."""
        chunk = posix.read(0, CHUNK)
        begun.append(chunk)
        if b"\n" in chunk or not chunk:
            # Put together once it is whole: a long line costs no more than its length.
            lines = b"".join(begun).split(b"\n")
            begun[:] = [lines.pop()] if chunk else []
            for line in lines:
                self.from_agent(line)
        return bool(chunk)

    def from_agent(self, line: bytes) -> None:
        """Pass a message on."""
        if not line.strip():
            return
        message = self.meaning(line)
        key, method = message.get("id"), message.get("method")
        method = method if isinstance(method, str) else None
        request = is_id(key) and method is not None
        if method == "initialize":
            self.opening, self.opening_id = [line], key
        elif method == INITIALIZED:
            self.opening.append(line)
        elif method == CANCELLED:
            self.drop(message.get("params"))
        if not self.door and method is not None and "id" not in message:
            return  # nobody is there whom it could concern; the greeting is said when there is something to ask
        if request and not self.door and message.get("jsonrpc") == "2.0" and self.answered(message, str(method)):
            return
        if request:
            self.asked[key] = line
            if len(line) >= MESSAGE_LIMIT:
                # memd's end would hang up, and what else was asked of it would go with that.
                self.refuse(key, f"a message may have {MESSAGE_LIMIT >> 20} MB at most")
                return
        try:
            if not self.door:
                self.connect(greet=method != "initialize")
            self.send(line)
        except UnreachableError as error:
            self.refuse_all(error)
        except OSError:
            self.lost()

    def drop(self, params: object) -> None:
        """Not ask again what nobody waits for any more."""
        dropped = params.get("requestId") if isinstance(params, dict) else None
        self.asked = {asked: told for asked, told in self.asked.items() if asked != dropped}

    def answered(self, message: dict[str, object], method: str) -> bool:
        """Answer what every client asks as it comes, in the words that another one was answered."""
        result = b"{}" if method == "ping" and self.greeted else self.known(message, method)
        if not result:
            return False
        show(b'{"jsonrpc":"2.0","id":%b,"result":%b}\n' % (spelt(message["id"]).encode(), result))
        if method in {"initialize", "server/discover"}:
            self.greeted = method == "initialize"
            self.rouse()
            self.warm_at_s, self.warm_tries = time.monotonic() + WARM_S, WARM_TRIES
        elif self.starter > 0 and posix.waitpid(self.starter, posix.WNOHANG)[0]:
            self.starter = -1
        return True

    def known(self, message: dict[str, object], method: str) -> bytes:
        """The result that was given for this before; nothing where none was, or where it has to be looked up."""
        version = version_asked(message, self.version)
        if method == "initialize":
            self.version = version
        if not GREETINGS or not version or method not in ASKED_BY_ALL:
            return b""
        start = method.encode() + b" "
        lines = content(GREETINGS + b"/" + self.profile + b"-" + version.encode()).split(b"\n")
        told = b"".join(line[len(start) :] for line in lines if line.startswith(start))
        if method == RESOURCES and told:
            listed = resources(self.place)
            return told.replace(b'"resources":[]', b'"resources":' + listed) if listed else b""
        return told

    def rouse(self) -> None:
        """Have the daemon started where it does not run; nobody waits for it."""
        try:
            connected(DAEMON_SOCKET).close()
        except UnreachableError:
            pass
        except OSError:
            try:
                self.starter = start()
            except UnreachableError:
                pass

    def until_warm_ms(self) -> float | None:
        """How long nothing has to happen until the process that speaks MCP is started; None: for ever."""
        if self.door or not self.warm_tries:
            return None
        return max(self.warm_at_s - time.monotonic(), 0) * 1000

    def warm(self) -> None:
        """Have the process that speaks MCP started, without waiting for it: something will be asked."""
        self.warm_tries -= 1
        self.warm_at_s += WARM_S
        try:
            door = connected(DAEMON_SOCKET)
            door.sendall(b'{"op":"mcp"}\n')
            door.close()
            self.warm_tries = 0
        except (OSError, UnreachableError):
            pass  # the daemon is still starting

    def from_memd(self) -> None:
        """Pass what was answered on, line by line."""
        chunk = b""
        try:
            chunk = self.door.recv(CHUNK) if self.door else b""
        except OSError:
            pass
        if not chunk:
            self.lost()
            return
        lines = (self.rest + chunk).split(b"\n")
        self.rest = lines.pop()
        told = [line for line in lines if self.is_wanted(line)]
        if told:
            show(b"\n".join(told) + b"\n")

    def is_wanted(self, line: bytes) -> bool:
        """Note that a request was answered; the answer to a greeting that was only repeated is nobody's."""
        if not self.asked and not self.unwanted:
            return bool(line)
        message = self.meaning(line)
        key = message.get("id")
        if not is_id(key) or "method" in message:
            return bool(line)
        if key in self.unwanted and key not in self.asked:
            self.unwanted.remove(key)
            return False
        self.asked.pop(key, None)
        self.again.discard(key)
        return True

    def lost(self) -> None:
        """Take the conversation up again for what was asked; what was sent twice by now is answered by an error."""
        self.hang_up()
        while self.asked:
            for key in [key for key in self.asked if key in self.again]:
                self.refuse(key, "memd ended twice while it worked on this")
            if not self.asked:
                return
            self.again.update(self.asked)
            try:
                self.connect(greet=self.opening_id not in self.asked)
                for line in self.asked.values():
                    self.send(line)
                return
            except UnreachableError as error:
                self.refuse_all(error)
            except OSError:
                self.hang_up()

    def refuse_all(self, error: UnreachableError) -> None:
        """Answer whatever was asked ourselves."""
        self.hang_up()
        for key in list(self.asked):
            self.refuse(key, f"memd cannot be reached: {error}")

    def hang_up(self) -> None:
        """Forget the connection."""
        self.door, self.rest, self.unwanted = None, b"", []

    def refuse(self, key: object, why: str) -> None:
        """Answer a request ourselves."""
        self.asked.pop(key, None)
        self.again.discard(key)
        why = _json.encode_basestring_ascii(f"{why}; `memd doctor` says more.")
        error = f'{{"code":{UNREACHABLE},"message":{why}}}'
        show(f'{{"jsonrpc":"2.0","id":{spelt(key)},"error":{error}}}\n'.encode())

    def connect(self, *, greet: bool) -> None:
        """Reach memd's end; with `greet` say again how the conversation began."""
        self.door = reach(TOOL_PATIENCE_S if greet and self.opening else PATIENCE_S)
        self.send(self.header)
        if greet and self.opening:
            self.unwanted.append(self.opening_id)
            for line in self.opening:
                self.send(line)

    def send(self, line: bytes) -> None:
        """Send a line to memd's end."""
        if self.door:
            self.door.sendall(line + b"\n")

    def meaning(self, line: bytes) -> dict[str, object]:
        """The message as an object; an empty one for anything else, which memd will complain about."""
        try:
            message, _ = self.scan(line.decode("utf-8", "replace").strip(), 0)
        except (ValueError, StopIteration, RecursionError):
            return {}
        return message if isinstance(message, dict) else {}


def is_id(key: object) -> bool:
    """Whether that can be the id of a request: a text or a number, as JSON knows numbers."""
    return (isinstance(key, (str, int)) and not isinstance(key, bool)) or (isinstance(key, float) and key - key == 0)


def spelt(key: object) -> str:
    """The id of a request as JSON."""
    return _json.encode_basestring_ascii(key) if isinstance(key, str) else str(key)


def version_asked(message: dict[str, object], greeted: str) -> str:
    """The protocol version in which a client asks; nothing where it asks for the next page, or in none that is one.

    Since 2026 each request names it, before the greeting did.
    """
    params = message.get("params")
    params = params if isinstance(params, dict) else {}
    meta = params.get("_meta")
    version = meta.get(VERSION, greeted) if isinstance(meta, dict) else greeted
    if message.get("method") == "initialize":
        version = params.get("protocolVersion")
    good = isinstance(version, str) and version.replace("-", "").isdecimal() and version.isascii()
    return version if good and "cursor" not in params else ""


def content(path: bytes) -> bytes:
    """What a file holds; nothing where there is none."""
    try:
        file = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return b""
    told = b""
    try:
        while chunk := posix.read(file, CHUNK):
            told += chunk
    except OSError:
        return b""
    finally:
        posix.close(file)
    return told


def reach(patience_s: float) -> _socket.socket:
    """A connection to the process that speaks MCP, which is started where it does not run, and memd as well."""
    end = time.monotonic() + patience_s
    starter, told_open = 0, False
    while True:
        try:
            return connected(MCP_SOCKET)
        except OSError:
            reason = "nobody listens"
        try:
            refusal = opened(patience_s)
            if not refusal and not told_open:
                told_open = True
                continue
            # Said to be open and yet nobody listens, its socket was removed, say: not asked for without a breath.
            reason = refusal or reason
        except OSError:
            starter = starter or start()
        if starter > 0 and posix.waitpid(starter, posix.WNOHANG)[0]:
            starter = -1
        if time.monotonic() > end:
            raise UnreachableError(reason)
        time.sleep(STEP_S)


def opened(patience_s: float) -> str:
    """Have the daemon open its MCP door; why it could not, or nothing."""
    answer = asked(b'{"op":"mcp"}\n', patience_s)
    return "" if answer.startswith(b'{"ok":true') else message_of(answer)


def resources(place: bytes) -> bytes:
    """The resources of a project, as the daemon lists them; nothing where it does not."""
    project = _json.encode_basestring_ascii(place.decode("utf-8", "replace")).encode()
    try:
        answer = asked(b'{"op":"resources.list","params":{"project":%b},"door":"mcp"}\n' % project, LOOK_UP_S)
    except (OSError, UnreachableError):
        return b""
    begin, end = b'{"ok":true,"result":', b"}\n"
    return answer[len(begin) : -len(end)] if answer.startswith(begin) and answer.endswith(end) else b""


def asked(line: bytes, patience_s: float) -> bytes:
    """The daemon's answer to one line."""
    door = connected(DAEMON_SOCKET)
    door.settimeout(patience_s)
    door.sendall(line)
    answer = b""
    while not answer.endswith(b"\n") and len(answer) < ANSWER_LIMIT:
        chunk = door.recv(CHUNK)
        if not chunk:
            break
        answer += chunk
    door.close()
    return answer


def message_of(answer: bytes) -> str:
    """The sentence in a refusal of the daemon's."""
    told = answer.decode("utf-8", "replace").partition('"message":"')[2].partition('"')[0]
    return told or "the daemon hung up"


def connected(path: bytes) -> _socket.socket:
    """A connection to whoever listens there."""
    # A socket that another user has put there is no memd of ours, and is told nothing.
    if posix.stat(path).st_uid != posix.getuid():
        raise UnreachableError(f"{path.decode('utf-8', 'replace')} belongs to another user")
    door = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    door.connect(path)
    return door


def start() -> int:
    """Have the daemon started; the process that does it. It must not write into the conversation."""
    if not START_COMMAND:
        return -1
    devnull = posix.open("/dev/null", posix.O_RDWR)
    actions = [(posix.POSIX_SPAWN_DUP2, devnull, 0), (posix.POSIX_SPAWN_DUP2, devnull, 1)]
    env = {**posix.environ, **START_ENV}
    try:
        return posix.posix_spawn(START_COMMAND[0], START_COMMAND, env, file_actions=actions)
    except OSError as error:
        raise UnreachableError(f"{START_COMMAND[0].decode('utf-8', 'replace')} cannot be run") from error
    finally:
        posix.close(devnull)


def show(data: bytes) -> None:
    """Write to standard output, past Python's buffer."""
    while data:
        data = data[posix.write(1, data) :]


def header_of(argv: list[str]) -> bytes:
    """The first line of every connection: where the agent works and what it is given. Bytes are spelt in hex."""
    words = {"--profile": b"", "--project": posix.environ.get(b"MEMD_PROJECT", b"")}
    for index, word in enumerate(argv):
        name, equals, value = word.partition("=")
        if name in words:
            value = value if equals else "".join(argv[index + 1 : index + 2])
            words[name] = value.encode("utf-8", "surrogateescape")
    try:
        folder = posix.getcwdb()
    except OSError:
        folder = b""  # it was removed
    host = posix.environ.get(b"CLAUDE_PROJECT_DIR", b"")
    values = (words["--profile"], words["--project"] or host, folder)
    return b'{"profile":"%b","project":"%b","cwd":"%b"}' % tuple(value.hex().encode() for value in values)


def wrong_words(argv: list[str]) -> str:
    """What is wrong with the words that the pump was started with, as a sentence; nothing where they are right."""
    value_of = ""
    for word in argv:
        name, equals, value = ("", "", word) if value_of else word.partition("=")
        if not value_of and name not in {"--profile", "--project"}:
            return f"memd mcp takes --profile and --project, not {word!r}"
        if "--profile" in (name, value_of) and (equals or value_of) and value and value not in PROFILES:
            return f"there is no profile {value!r}; there are {', '.join(PROFILES)}"
        value_of = "" if equals or value_of else name
    return f"{value_of} needs a value" if value_of else ""


if __name__ == "__main__":
    # Not sys.exit(): leaving without tear-down saves a millisecond.
    status = 1
    try:
        wrong = wrong_words(sys.argv[1:])
        if wrong:
            posix.write(2, f"memd: {wrong}.\n".encode("utf-8", "replace"))
            leave(2)
        Pump(header_of(sys.argv[1:])).run()
        status = 0
    except (BrokenPipeError, KeyboardInterrupt):
        status = 0  # the agent has gone
    finally:
        leave(status)
