"""Cursor's editor databases, `state.vscdb`: conversations of gigabytes, read by key, and what they belong to.

    globalStorage/state.vscdb     cursorDiskKV: composerData:<id>, bubbleId:<id>:<bubble>; composerHeaders (3.12 on)
    workspaceStorage/<hash>/      ItemTable: the chats of up to 0.43, conversations standing in composer.composerData,
                                  or their ids alone; workspace.json names the folder

Only named keys of ItemTable are ever asked for: others hold access tokens. A key that is written anew gets a new row
number, so after one walk over all conversations those whose rows lie beyond the last row number have changed.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from memd.adapter import Batch, Cursor, Event, ReadLimits, SessionUpdate, Source
from memd.errors import TranscriptError
from memd_adapters.cursor_composer import Bubbles, Composer, Conversation, folder_of, workspace_of
from memd_adapters.cursor_pieces import Progress, tell_whole
from memd_adapters.cursor_state import State, texts_in
from memd_adapters.cursor_tools import object_in
from memd_adapters.jsonl_rows import Json, Row, parse_line
from memd_adapters.shaping import text_of
from memd_adapters.sqlite_source import HostDatabase, Value, open_database, same_stamp, stamp, stamped

_CHATS: Final = "workbench.panel.aichat.view.aichat.chatdata"
_COMPOSERS: Final = "composer.composerData"
_HEADERS: Final = "composer.composerHeaders"
_PANES: Final = "workbench.panel.composerChatViewPane."
_PROJECTS: Final = "glass.localAgentProjects.v1"
_MEMBERS: Final = "glass.localAgentProjectMembership.v1"
_DATA: Final = "composerData:"
_BUBBLE: Final = "bubbleId:"
_MOST_DIRTY: Final = 600
_MOST_LINKS: Final = 600
_ROW_BYTES: Final = 64 << 20
_SMALL_FILE_BYTES: Final = 1 << 20


def read_state(source: Source, cursor: Cursor | None, limits: ReadLimits) -> Batch:
    """Read on in a database of the editor; see `memd.adapter.Adapter.read`."""
    now = stamp(source.path)
    restarted = cursor is not None and cursor.offset > 0 and cursor.inode != now.inode
    state = State() if cursor is None or restarted else State.load(cursor.state)
    if cursor is not None and not state.more and same_stamp(cursor, now):
        return Batch((), cursor)
    with open_database(source.path) as database:
        if not has_state_tables(database):
            raise TranscriptError(source.path, "is no database of Cursor: it has no ItemTable")
        reading = _Reading(source.path, database, state, limits.batch_bytes)
        reading.run()
    offset = reading.bytes + (0 if cursor is None or restarted else cursor.offset)
    return Batch(
        events=tuple(reading.events),
        cursor=stamped(now, offset, state.dump(), more=state.more),
        more=state.more,
        restarted=restarted,
        skipped=+reading.skipped,
        lines=reading.rows,
    )


def has_state_tables(database: HostDatabase) -> bool:
    """Tell whether a database has the editor's tables."""
    return any(database.columns(table) >= {"key", "value"} for table in ("ItemTable", "cursorDiskKV"))


def holds_conversations(database: HostDatabase) -> bool:
    """Tell whether an editor's database is Cursor's: others have the same table, and no conversations in it."""
    if database.columns("cursorDiskKV"):
        return True
    values = Values(database, "ItemTable")
    return any(values.raw(key) is not None for key in (_CHATS, _COMPOSERS, _HEADERS))


class Values:
    """The values of a table of keys, which is there or not."""

    def __init__(self, database: HostDatabase, table: str) -> None:
        self._database = database
        self._one = f"SELECT CAST(value AS BLOB), length(value) FROM {table} WHERE key = ?"  # noqa: S608 - a constant
        self._range = f"SELECT key FROM {table} WHERE key > ? AND key < ? ORDER BY key"  # noqa: S608 - a constant
        self._there = database.columns(table) >= {"key", "value"}
        self.bytes_read = 0

    def raw(self, key: str) -> bytes | None:
        """Return a value as its bytes."""
        row = self._database.row(self._one, (key,)) if self._there else None
        value = row[0] if row is not None else None
        if not isinstance(value, bytes) or len(value) > _ROW_BYTES:
            return None
        self.bytes_read += len(value)
        return value

    def parsed(self, key: str, skipped: Counter[str] | None = None) -> Row | None:
        """Return the object that a value is the JSON of."""
        raw = self.raw(key)
        found = parse_line(raw, Counter() if skipped is None else skipped) if raw else []
        return found[0] if len(found) == 1 else None

    def keys(self, prefix: str, after: str = "") -> Iterator[str]:
        """Yield the keys that begin with a prefix, in their order, those after one that is given."""
        if self._there:
            end = prefix[:-1] + chr(ord(prefix[-1]) + 1)
            for (key,) in self._database.rows(self._range, (after or prefix, end)):
                if isinstance(key, str):
                    yield key


class _Reading:
    """One read."""

    def __init__(self, path: Path, database: HostDatabase, state: State, batch_bytes: int) -> None:
        self._path = path
        self._database = database
        self._state = state
        self._left = max(batch_bytes, 1)
        self._values = Values(database, "cursorDiskKV")
        self._items = Values(database, "ItemTable")
        self._folder = _folder_beside(path)
        self._listed: dict[str, Row] | None = None
        self.events: list[Event] = []
        self.skipped: Counter[str] = Counter()
        self.bytes = 0
        self.rows = 0

    def run(self) -> None:
        """Read until the batch is full or there is nothing more."""
        state = self._state
        self._find_changed()
        state.more = not (self._walk() and self._tell_dirty() and self._tell_items())

    def _find_changed(self) -> None:
        """Note the conversations whose rows were written since the last read; all of them at the first one."""
        state, database = self._state, self._database
        if not database.columns("cursorDiskKV"):
            state.walk = None
            return
        last = database.row("SELECT rowid, key FROM cursorDiskKV ORDER BY rowid DESC LIMIT 1")
        row, key = (_number(last[0]), str(last[1])) if last else (0, "")
        there = database.row("SELECT key FROM cursorDiskKV WHERE rowid = ?", (state.row,)) if state.row else None
        renumbered = row < state.row or (there is not None and there[0] != state.key)
        if renumbered:
            state.walk, state.dirty = "", []
        elif state.row or state.walk != "":
            found = database.rows("SELECT key FROM cursorDiskKV WHERE rowid > ?", (state.row,))
            changed = dict.fromkeys(composer for (written,) in found if (composer := _composer_of(written)))
            state.dirty = list(dict.fromkeys((*state.dirty, *changed)))
            if len(state.dirty) > _MOST_DIRTY:
                state.walk, state.dirty = "", []
        state.row, state.key = row, key

    def _walk(self) -> bool:
        state = self._state
        if state.walk is None:
            return True
        after = f"{_DATA}{state.walk}" if state.walk else ""
        for key in self._values.keys(_DATA, after):
            if self._left <= 0:
                return False
            composer = key.removeprefix(_DATA)
            if not self._tell_composer(composer):
                return False
            state.walk = composer
        state.walk = None
        return True

    def _tell_dirty(self) -> bool:
        state = self._state
        while state.dirty:
            if self._left <= 0 or not self._tell_composer(state.dirty[0]):
                return False
            del state.dirty[0]
        return True

    def _tell_composer(self, composer_id: str) -> bool:
        """Tell what is new of a conversation; return whether that was all.

        It costs what was told or what was read for it, whichever is more: the values hold much besides.
        """
        read, told = self._values.bytes_read, self.bytes
        done = self._tell_stored(composer_id)
        self._spend(max(self._values.bytes_read - read - (self.bytes - told), 1))
        return done

    def _tell_stored(self, composer_id: str) -> bool:
        data = self._values.parsed(f"{_DATA}{composer_id}", self.skipped)
        self.rows += 1
        if data is None:
            return True
        composer = Composer(composer_id, data)
        inline = composer.inline()

        def bubble(bubble_id: str) -> Row | None:
            return self._values.parsed(f"{_BUBBLE}{composer_id}:{bubble_id}") or inline.get(bubble_id)

        return self._tell(composer, bubble, self._orphans(composer))

    def _orphans(self, composer: Composer) -> dict[str, bool]:
        """Return the bubbles that the conversation's list does not name, and whether the list was written later."""
        prefix = f"{_BUBBLE}{composer.id}:"
        members = set(composer.order())
        found = self._database.rows(
            "SELECT key, rowid < (SELECT rowid FROM cursorDiskKV WHERE key = ?) FROM cursorDiskKV"
            " WHERE key > ? AND key < ? ORDER BY rowid",
            (f"{_DATA}{composer.id}", prefix, prefix[:-1] + ";"),
        )
        bubbles = {key.removeprefix(prefix): earlier == 1 for key, earlier in found if isinstance(key, str)}
        return {bubble: earlier for bubble, earlier in bubbles.items() if bubble not in members}

    def _tell(self, composer: Composer, bubble: Bubbles, orphans: Mapping[str, bool]) -> bool:
        header = self._header(composer.id)
        cwd = workspace_of(composer.data, header) or self._folder
        progress = self._state.progress.get(composer.id, Progress())
        skipped = self.skipped if not progress.count else Counter[str]()
        pieces = Conversation(composer, cwd, bubble, skipped).pieces(orphans)
        if not pieces:
            return True
        events, spent, done = tell_whole(composer.id, pieces, progress, self._left)
        self._state.note(composer.id, progress)
        self.events.append(composer.update(header, cwd))
        self.events += events
        self._spend(spent)
        return done

    def _spend(self, spent: int) -> None:
        self.bytes += spent
        self._left -= spent

    def _header(self, composer: str) -> Row:
        """Return what the lists of conversations say of one: its name, its folder, whether it is a subagent's."""
        columns = self._database.columns("composerHeaders")
        if columns >= {"composerId", "value"}:
            row = self._database.row(
                "SELECT CAST(value AS BLOB) FROM composerHeaders WHERE composerId = ?", (composer,)
            )
            found = parse_line(row[0], Counter()) if row is not None and isinstance(row[0], bytes) else []
            if found:
                return found[0]
        if self._listed is None:
            self._listed = dict(self._listed_composers())
        return self._listed.get(composer, {})

    def _listed_composers(self) -> Iterator[tuple[str, Row]]:
        """Yield what the older lists, which are single values, say of each conversation."""
        projects = {}
        listed = self._items.raw(_PROJECTS)
        for project in _array(listed):
            workspace = project.get("workspace")
            if isinstance(workspace, dict) and (name := text_of(project, "id")):
                projects[name] = workspace
        for member, project_id in (self._items.parsed(_MEMBERS) or {}).items():
            if isinstance(project_id, str) and project_id in projects:
                yield member, {"workspaceIdentifier": projects[project_id]}
        for header in _rows(self._items.parsed(_HEADERS), "allComposers"):
            if (composer_id := text_of(header, "composerId")) and "workspaceIdentifier" in header:
                yield composer_id, header

    def _tell_items(self) -> bool:
        """Tell the conversations that stand in single values, and which conversations belong to this workspace."""
        chats = self._changed_item(_CHATS)
        for tab in _rows(chats, "tabs"):
            if session := text_of(tab, "tabId"):
                self._tell_chat(session, tab)
        composers = self._changed_item(_COMPOSERS)
        for row in _rows(composers, "allComposers"):
            if (chat := text_of(row, "composerId")) and (composer := Composer(chat, row)).order():
                self._left = max(self._left, 1)
                while not self._tell(composer, composer.inline().get, {}):
                    self._left = 1 << 20
        if self._folder is not None and self._path.parent.parent.name == "workspaceStorage":
            self._link(composers or {})
        return True

    def _tell_chat(self, session: str, tab: Row) -> None:
        """Tell a chat of up to 0.43; its bubbles have neither ids nor times."""
        bubbles = {str(number): bubble for number, bubble in enumerate(_rows(tab, "bubbles"))}
        headers: list[Json] = [{"bubbleId": key} for key in bubbles]
        row: Row = {"fullConversationHeadersOnly": headers, "name": tab.get("chatTitle")}
        composer = Composer(session, row)
        while not self._tell(composer, bubbles.get, {}):
            self._left = 1 << 20

    def _changed_item(self, key: str) -> Row | None:
        """Return a value that is not what it was at the last read."""
        raw = self._items.raw(key)
        if raw is None:
            return None
        digest = hashlib.blake2b(raw, digest_size=8).hexdigest()
        if self._state.items.get(key) == digest:
            return None
        self._state.items[key] = digest
        self.rows += 1
        return self._items.parsed(key, self.skipped)

    def _link(self, composers: Row) -> None:
        """Tell the folder of conversations that are listed here, are kept in the global database and do not say it."""
        listed = [text_of(row, "composerId") for row in _rows(composers, "allComposers")]
        listed += [key.removeprefix(_PANES) for key in self._items.keys(_PANES)]
        for name in ("selectedComposerIds", "lastFocusedComposerIds"):
            listed += texts_in(composers.get(name))
        wanted = [composer for composer in dict.fromkeys(filter(None, listed)) if composer not in self._state.links]
        shared = self._path.parents[2] / "globalStorage" / self._path.name
        if not wanted or not shared.is_file():
            return
        with open_database(shared) as database:
            values = Values(database, "cursorDiskKV")
            for composer in wanted:
                data = values.parsed(f"{_DATA}{composer}")
                if data is not None and Composer(composer, data).order():
                    self._state.links = [*self._state.links, composer][-_MOST_LINKS:]
                    if workspace_of(data, {}) is None:
                        self.events.append(SessionUpdate(composer, cwd=self._folder))


def _folder_beside(path: Path) -> str | None:
    """Return the folder that the `workspace.json` beside a workspace's database names."""
    try:
        with (path.parent / "workspace.json").open("rb") as file:
            row = object_in(file.read(_SMALL_FILE_BYTES).decode("utf-8", "replace"))
    except OSError:
        return None
    return folder_of(row.get("folder")) if row is not None else None


def _composer_of(key: Value) -> str | None:
    """Return the conversation that a row belongs to."""
    if not isinstance(key, str):
        return None
    if key.startswith(_DATA):
        return key.removeprefix(_DATA)
    return key.split(":", 2)[1] if key.startswith(_BUBBLE) and key.count(":") > 1 else None


def _rows(row: Row | None, key: str) -> list[Row]:
    value = row.get(key) if row is not None else None
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _array(raw: bytes | None) -> list[Row]:
    found = parse_line(b'{"items":' + raw + b"}", Counter()) if raw else []
    return _rows(found[0], "items") if len(found) == 1 else []


def _number(value: Value) -> int:
    return value if type(value) is int else 0
