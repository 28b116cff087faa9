"""The server: one client's MCP session, spoken by the SDK; what is asked is an operation of the daemon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import mcp_types as types
from mcp import MCPError
from mcp.server.lowlevel import Server

from memd import __version__
from memd.doors.mcp.arguments import EVERYWHERE, Call, WrongArguments, brief, called, understand
from memd.doors.mcp.ask import Daemon, Refused
from memd.doors.mcp.cost import definitions
from memd.doors.mcp.guide import PROMPTS, instructions
from memd.doors.mcp.peers import offered
from memd.doors.mcp.placement import Profile, Tool
from memd.doors.mcp.shape import page, plain_hits, text_of, text_page
from memd.doors.protocol import in_words_of
from memd.errors import MemdError
from memd.operations.description import SCHEME, WAKEUP, OperationAnswer

_TEMPLATES: Final = (
    ("fact", "facts.show", "A fact with its evidence and history"),
    ("session", "sessions.show", "A session whole"),
)
_INDEXED: Final = "`memd graph index`"
_OF_IDS: Final = ("fact", "session", "message")
_RESOURCE_CHARS: Final = 60_000


@dataclass(frozen=True, slots=True)
class Client:
    """Who is at the other end: what it may do, and where it works."""

    profile: Profile
    place: str | None


def build(daemon: Daemon, operations: Sequence[OperationAnswer], client: Client) -> Server[Any]:
    """Return the SDK's server for one client."""
    session = _Session(daemon, operations, client)
    return Server(
        "memd",
        version=__version__,
        title="memd",
        instructions=instructions(session.tools),
        on_list_tools=session.list_tools,
        on_call_tool=session.call_tool,
        on_list_resources=session.list_resources,
        on_list_resource_templates=session.list_templates,
        on_read_resource=session.read_resource,
        on_list_prompts=session.list_prompts,
        on_get_prompt=session.get_prompt,
    )


class _Session:
    """The handlers, which all know the client."""

    def __init__(self, daemon: Daemon, operations: Sequence[OperationAnswer], client: Client) -> None:
        self._daemon = daemon
        self._client = client
        self.tools = offered(operations, client.profile)
        self._by_name = {tool.name: tool for tool in self.tools}
        self._listed = [types.Tool.model_validate(told) for told in definitions(self.tools, client.profile)]
        self._root: str | None = None

    async def list_tools(self, ctx: object, params: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=self._listed)

    async def call_tool(self, ctx: object, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = self._by_name.get(params.name)
        if tool is None:
            names = ", ".join(self._by_name)
            raise MCPError(types.INVALID_PARAMS, brief(f"There is no tool {params.name!r} here; there are {names}."))
        try:
            call = understand(tool, params.arguments or {}, self._client.place)
        except WrongArguments as error:
            return _error(str(error))
        try:
            return await self._answer(tool, call)
        except Refused as error:
            op = call.action.operation.name
            sentence = in_words_of(str(error), error.about, op, called(tool, call.action))
            return _error(self._advice(error, sentence, params.arguments or {}))
        except MemdError as error:
            return _error(str(error))

    async def _answer(self, tool: Tool, call: Call) -> types.CallToolResult:
        operation = call.action.operation
        if call.preview:
            asked = {name: value for name, value in call.parameters.items() if name != "project"}
            said = f"This would: {operation.summary} Nothing was done; call again with apply: true. {asked or ''}"
            return _told({"result": {"preview": said.strip()}}, said.strip())
        result = await self._daemon.ask(operation.name, call.parameters)
        if operation.name == "search" and not call.parameters.get("explain"):
            result = plain_hits(result)
        if operation.name == "facts.page":
            part = text_page(result)
        else:
            part = page(result, offset=call.offset, limit=call.limit, max_chars=call.max_chars, paged=call.paged)
        told: dict[str, Any] = {}
        if "project" in call.action.parameters:
            told["project"] = await self._project(call)
        told["result"] = part.value
        if part.next_offset is not None:
            told["next"] = {"offset": part.next_offset, **({"left": part.left} if _is_whole(call, result) else {})}
        return _told(told, _text(told))

    async def _project(self, call: Call) -> str:
        """Return the root of the project that an answer is about."""
        if call.project is None:
            return EVERYWHERE
        if call.told or self._root is None:
            who = await self._daemon.ask("whoami", {"project": call.project})
            root = who["project"] or call.project
            if call.told:
                return str(root)
            self._root = who["project"]
            return str(root)
        return self._root

    def _advice(self, error: Refused, sentence: str, arguments: dict[str, Any]) -> str:
        if error.missing == "project" and "project" not in arguments:
            return f'memd knows no project at {self._client.place} yet; pass project: "all", or another one\'s name.'
        if _INDEXED in sentence and "graph" in self._by_name:
            return sentence.replace(_INDEXED, "graph code_index")
        if error.missing in _OF_IDS:
            return f"{sentence} Ids are in what search and session list tell; their last ten characters do."
        return sentence

    async def list_resources(self, ctx: object, params: object) -> types.ListResourcesResult:
        found = await self._daemon.ask("resources.list", {"project": self._client.place})
        return types.ListResourcesResult(resources=[types.Resource.model_validate(one) for one in found])

    async def list_templates(self, ctx: object, params: object) -> types.ListResourceTemplatesResult:
        templates = [
            types.ResourceTemplate(
                name=name, uri_template=f"{SCHEME}{name}/{{id}}", description=what, mime_type="text/plain"
            )
            for name, _, what in _TEMPLATES
        ]
        return types.ListResourceTemplatesResult(resource_templates=templates)

    async def read_resource(self, ctx: object, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        try:
            text = await self._resource(uri)
        except Refused as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from error
        except MemdError as error:
            raise MCPError(types.INTERNAL_ERROR, str(error)) from error
        contents = types.TextResourceContents(uri=uri, mime_type="text/plain", text=text)
        return types.ReadResourceResult(contents=[contents])

    async def _resource(self, uri: str) -> str:
        if uri == WAKEUP:
            return str((await self._daemon.ask("wakeup", {"project": self._client.place}))["text"])
        kind, _, name = uri.removeprefix(SCHEME).partition("/")
        op = next((op for known, op, _ in _TEMPLATES if known == kind), None)
        if op is None or not name or not uri.startswith(SCHEME):
            raise MCPError(types.INVALID_PARAMS, f"There is no resource {uri!r}.")
        found = await self._daemon.ask(op, {kind: name})
        part = page(found, offset=0, limit=1_000_000, max_chars=_RESOURCE_CHARS)
        rest = f"\n({part.left} more)" if part.left else ""
        return text_of(part.value) + rest

    async def list_prompts(self, ctx: object, params: object) -> types.ListPromptsResult:
        prompts = [
            types.Prompt(
                name=prompt.name,
                description=prompt.description,
                arguments=[
                    types.PromptArgument(name=name, description=what, required=True)
                    for name, what in prompt.arguments.items()
                ],
            )
            for prompt in PROMPTS.values()
            if prompt.tool in self._by_name
        ]
        return types.ListPromptsResult(prompts=prompts)

    async def get_prompt(self, ctx: object, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        prompt = PROMPTS.get(params.name)
        given = params.arguments or {}
        if prompt is None or prompt.tool not in self._by_name:
            raise MCPError(types.INVALID_PARAMS, f"There is no prompt {params.name!r}.")
        missing = [name for name in prompt.arguments if not given.get(name)]
        if missing:
            raise MCPError(types.INVALID_PARAMS, f"The prompt {prompt.name} needs {missing[0]!r}.")
        text = prompt.text
        for name in prompt.arguments:
            text = text.replace(f"{{{name}}}", given[name])
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
        return types.GetPromptResult(description=prompt.description, messages=[message])


def place_of(project: bytes, cwd: bytes) -> str | None:
    """Return what stands for the client's project: what it was told, or else the folder it works in."""
    for raw in (project, cwd):
        word = raw.decode("utf-8", "replace")
        if word:
            return str(Path(cwd.decode("utf-8", "replace"), word)) if word.startswith(("/", ".")) else word
    return None


def _is_whole(call: Call, result: Any) -> bool:
    """Return whether an operation gave all there is, so that what is left of it can be counted."""
    if not call.action.operation.reads or call.paged:
        return False
    return call.most is None or (isinstance(result, list) and len(result) < call.most)


def _text(told: dict[str, Any]) -> str:
    lines = [] if "project" not in told else [f"project: {told['project']}"]
    lines.append(text_of(told["result"]))
    if "next" in told:
        lines.append(f"({told['next'].get('left', 'there is')} more: offset {told['next']['offset']})")
    return "\n".join(lines)


def _told(structured: dict[str, Any], text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], structured_content=structured)


def _error(sentence: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=brief(sentence))], is_error=True)
