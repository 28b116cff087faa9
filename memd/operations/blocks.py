"""Blocks: small texts that every session is shown, edited by people and agents; what is over its limit is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from anyio import to_thread

from memd.errors import BadParameter, NotFound
from memd.operations.fact_params import time_given
from memd.operations.injection_answers import BlockAnswer
from memd.operations.memory import Memory
from memd.operations.registry import operation
from memd.operations.scope import project_id
from memd.operations.shapes import time_of
from memd.store import blocks, projects
from memd.store.blocks import Block
from memd.store.facts import Connection
from memd.text.redaction import scrub

_PROJECT: Final = {"help": "a folder in the project, its name or its id; none: the block is shown everywhere"}
_LABEL: Final = {"help": "the block's name, one line"}
_AUTHOR: Final = {"help": "who writes it"}


@dataclass(frozen=True, slots=True)
class BlocksParams:
    """Which blocks."""

    project: str | None = field(default=None, metadata={"help": "a project; none: those that are shown everywhere"})
    label: str | None = field(default=None, metadata={"help": "only the one of this name"})
    as_of: str | None = field(default=None, metadata={"help": "as they were at this time"})


@dataclass(frozen=True, slots=True)
class BlockParams:
    """Which block."""

    label: str = field(metadata=_LABEL)
    project: str | None = field(default=None, metadata=_PROJECT)


@dataclass(frozen=True, slots=True)
class GetParams:
    """Which block, and when."""

    label: str = field(metadata=_LABEL)
    project: str | None = field(default=None, metadata=_PROJECT)
    as_of: str | None = field(default=None, metadata={"help": "as it was at this time"})


@dataclass(frozen=True, slots=True)
class SetParams:
    """A block's value."""

    label: str = field(metadata=_LABEL)
    value: str = field(metadata={"help": "what it says"})
    project: str | None = field(default=None, metadata=_PROJECT)
    limit: int | None = field(default=None, metadata={"help": "characters it may hold, 4000 at most; none: 2000"})
    position: int | None = field(default=None, metadata={"help": "its place among the blocks; none: the last"})
    author: str | None = field(default=None, metadata=_AUTHOR)
    known: bool = field(default=False, metadata={"help": "only if there is such a block"})


@dataclass(frozen=True, slots=True)
class AppendParams:
    """A line to be added."""

    label: str = field(metadata=_LABEL)
    text: str = field(metadata={"help": "the line"})
    project: str | None = field(default=None, metadata=_PROJECT)
    author: str | None = field(default=None, metadata=_AUTHOR)


@dataclass(frozen=True, slots=True)
class ReplaceParams:
    """A piece to be replaced."""

    label: str = field(metadata=_LABEL)
    old: str = field(metadata={"help": "a text that stands in it just once"})
    new: str = field(metadata={"help": "what is to stand there instead"})
    project: str | None = field(default=None, metadata=_PROJECT)
    author: str | None = field(default=None, metadata=_AUTHOR)


@operation("blocks.list", reads=True)
async def list_blocks(memory: Memory, params: BlocksParams) -> tuple[BlockAnswer, ...]:
    """List the blocks that a session in a project is shown, in their order.

    Raises NotFound for a project that there is not, BadParameter for a date that is none.
    """
    as_of = time_given(params.as_of, "blocks.list")

    def read(conn: Connection) -> tuple[BlockAnswer, ...]:
        project = project_id(conn, params.project)
        if as_of is None:
            found = blocks.visible(conn, project, params.label)
        else:
            then = blocks.visible_at(conn, project, as_of)
            found = tuple(block for block in then if params.label in (None, block.label))
        return tuple(_answer(conn, block) for block in found)

    return await memory.readers.run(read)


@operation("blocks.get", reads=True)
async def get_block(memory: Memory, params: GetParams) -> BlockAnswer:
    """Show one block.

    Raises NotFound for a block or project that there is not, or was not at the time, BadParameter for a date that is
    none.
    """
    as_of = time_given(params.as_of, "blocks.get")

    def read(conn: Connection) -> BlockAnswer:
        block = blocks.get(conn, project_id(conn, params.project), params.label)
        if as_of is None:
            return _answer(conn, block)
        then = (one for one in blocks.visible_at(conn, block.project_id, as_of) if one.uid == block.uid)
        if (found := next(then, None)) is None:
            raise NotFound("block", params.label)
        return _answer(conn, found)

    return await memory.readers.run(read)


@operation("blocks.set", writes=True)
async def set_block(memory: Memory, params: SetParams) -> BlockAnswer:
    """Give a block its value, making it where there is none; a value over the limit is refused.

    Raises NotFound for a project that there is not, or a block where it has to be known, BadParameter for a label,
    value or limit that cannot be.
    """
    now = memory.clock.now_ms()
    value, label, author = await _said(params.value, params.label, params.author)

    def put(conn: Connection, project: int | None) -> Block:
        if params.known:
            blocks.get(conn, project, label)
        return blocks.put(conn, project, label, value, now, limit=params.limit, position=params.position, author=author)

    return await _write(memory, params.project, put)


@operation("blocks.append", writes=True)
async def append_block(memory: Memory, params: AppendParams) -> BlockAnswer:
    """Add a line to a block; refused when it would be over its limit.

    Raises NotFound, or BadParameter.
    """
    now = memory.clock.now_ms()
    text, label, author = await _said(params.text, params.label, params.author)
    if not text.strip():
        raise BadParameter("blocks.append", "the text says nothing")
    return await _write(
        memory,
        params.project,
        lambda conn, project: blocks.append(conn, project, label, text, now, author),
    )


@operation("blocks.replace", writes=True)
async def replace_block(memory: Memory, params: ReplaceParams) -> BlockAnswer:
    """Replace a piece of a block that stands in it just once.

    Raises NotFound, or BadParameter.
    """
    now = memory.clock.now_ms()
    new, label, author = await _said(params.new, params.label, params.author)
    return await _write(
        memory,
        params.project,
        lambda conn, project: blocks.replace(conn, project, label, params.old, new, now, author),
    )


@operation("blocks.delete", destroys=True)
async def delete_block(memory: Memory, params: BlockParams) -> BlockAnswer:
    """Remove a block and show what it was; its history stays.

    Raises NotFound.
    """
    now = memory.clock.now_ms()
    return await _write(
        memory, params.project, lambda conn, project: blocks.delete(conn, project, params.label, now, None)
    )


async def _write(memory: Memory, project: str | None, change: Callable[[Connection, int | None], Block]) -> BlockAnswer:
    return await memory.writer.run(lambda conn: _answer(conn, change(conn, project_id(conn, project))))


async def _said(text: str, label: str, author: str | None) -> tuple[str, str, str | None]:
    """Return what is to be written without secrets; a text may be long, so not on the loop."""

    def clean() -> tuple[str, str, str | None]:
        return scrub(text).text, scrub(label).text, None if author is None else scrub(author).text

    return await to_thread.run_sync(clean)


def _answer(conn: Connection, block: Block) -> BlockAnswer:
    return BlockAnswer(
        id=block.uid,
        label=block.label,
        value=block.value,
        project=None if block.project_id is None else projects.get(conn, block.project_id).root,
        limit=block.limit,
        size=len(block.value),
        position=block.position,
        author=block.author,
        updated=time_of(block.updated_at),
    )
