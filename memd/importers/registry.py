"""The importers there are, and the task that reads with one of them in a worker process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeVar, cast

from memd.importers import agent_knowledge, claude_mem, host_memory, mem0, memvault, own, rawthink, thoth
from memd.importers.model import Haul, Imported, Importer, Kept, Link, Other
from memd.text.redaction import scrub, scrub_value

TASK: Final = "memd.importers.registry:read"
_FACT: Final = "fact:"
_T = TypeVar("_T", Link, Other)

IMPORTERS: Final[Mapping[str, Importer]] = MappingProxyType(
    {
        importer.name: importer
        for importer in (
            own.IMPORTER,
            thoth.IMPORTER,
            memvault.IMPORTER,
            agent_knowledge.IMPORTER,
            rawthink.IMPORTER,
            claude_mem.IMPORTER,
            mem0.IMPORTER,
            host_memory.IMPORTER,
        )
    }
)


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """What to read, and as what; None: whatever it is."""

    path: Path
    system: str | None


def read(request: ReadRequest) -> Haul | None:
    """Return what a store holds, every text redacted; None when it is no memory that is known.

    Raises ImportRefused for one that is damaged, and OSError.
    """
    importer = recognise(request.path) if request.system is None else IMPORTERS[request.system]
    if importer is None:
        return None
    haul = importer.read(request.path)
    return replace(
        haul,
        items=tuple(map(_clean_item, haul.items)),
        links=tuple(map(_clean_texts, haul.links)),
        others=tuple(map(_clean_texts, haul.others)),
        disputes=tuple(
            replace(one, one=_key(one.one), other=_key(one.other), reason=_clean(one.reason), why=_clean_some(one.why))
            for one in haul.disputes
        ),
    )


def recognise(path: Path) -> Importer | None:
    """Return the importer for a file or folder."""
    return next((importer for importer in IMPORTERS.values() if importer.recognise(path)), None)


def _clean_item(item: Imported) -> Imported:
    return replace(
        item,
        key=_key(item.key),
        title=_clean(item.title),
        project=_project(item.project),
        body=_clean(item.body),
        topic=_clean(item.topic) if item.topic else None,
        author=_clean(item.author) if item.author else None,
        tags=tuple(filter(None, map(_clean, item.tags))),
        parts=tuple((name, text) for name, said in item.parts if (text := _clean(said))),
        more=cast("dict[str, Any]", scrub_value({name: _told(value) for name, value in item.more.items()})),
        kept=None if item.kept is None else _clean_kept(item.kept),
    )


def _told(value: object) -> object:
    """Return a value as JSON can say it: a database may hold bytes in a column of any type."""
    return bytes(value).decode("utf-8", "replace") if isinstance(value, (bytes, bytearray, memoryview)) else value


def _clean_kept(kept: Kept) -> Kept:
    return replace(
        kept,
        noted=replace(kept.noted, domain=_clean_some(kept.noted.domain)),
        metadata=cast("dict[str, Any]", scrub_value(dict(kept.metadata))),
        evidence=tuple(replace(one, quote=_clean(one.quote)) for one in kept.evidence),
        marks=tuple(replace(one, name=_clean(one.name), detail=_clean(one.detail)) for one in kept.marks),
        history=tuple(
            replace(
                one,
                reason=_clean(one.reason),
                old_title=_clean_some(one.old_title),
                old_text=_clean_some(one.old_text),
            )
            for one in kept.history
        ),
    )


def _clean_texts(thing: _T) -> _T:
    """Return a thing with each of its texts redacted."""
    said = {one.name: getattr(thing, one.name) for one in fields(thing)}
    cleaned: dict[str, Any] = {name: _word(name, value) for name, value in said.items() if isinstance(value, str)}
    cleaned |= {name: tuple(map(_clean, value)) for name, value in said.items() if isinstance(value, tuple)}
    return replace(thing, **cleaned)


def _word(name: str, value: str) -> str:
    """Return a text of a thing, redacted by what it is there: a key, a project, a fact that is named by its key."""
    if name == "key":
        return _key(value)
    if name == "project":
        return _project(value) or value
    return f"{_FACT}{_key(value.removeprefix(_FACT))}" if value.startswith(_FACT) else _clean(value)


def _key(key: str) -> str:
    """Return what something is called there, as it may be kept: where it holds a secret, with what tells two apart."""
    clean = scrub(key).text
    return key if clean == key else f"{clean}:{blake2b(key.encode('utf-8', 'replace'), digest_size=6).hexdigest()}"


def _project(named: str | None) -> str | None:
    """Return the name of a project, redacted; a folder stays, as it has to be found, and is redacted after that."""
    return named if named is None or Path(named).is_absolute() else _clean(named)


def _clean_some(text: str | None) -> str | None:
    return None if text is None else _clean(text)


def _clean(text: str) -> str:
    return scrub(text).text.strip()
