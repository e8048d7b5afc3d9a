"""The server: the tools as the Model Context Protocol has them, over standard input and output."""

from __future__ import annotations

import json
import threading
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from .._util.text import install_command
from ..errors import AlgorithmError
from .call import Answer, Limits, call_tool
from .files import Folders
from .schema import tool_schema
from .tools import TOOLS

if TYPE_CHECKING:
    from mcp.server import Server

_ABOUT = (
    "Solves imperfect-information games, and proves how good the answer is. A game is a name "
    "such as kuhn, 'leduc(ranks=4)' or openspiel:NAME, or a file. exploitability is exact: payoff "
    "per game that a best response wins, 0 at a Nash equilibrium of a two-player zero-sum game. "
)


def make_server(folders: Folders, limits: Limits) -> Server[Any]:
    """Return the server, which whoever has it runs on streams of its choice.

    Parameters
    ----------
    folders : Folders
        What tools may read and write.
    limits : Limits
        What a call may take. One call is worked on at a time; others wait.

    Raises
    ------
    AlgorithmError
        The SDK of the protocol is not installed.
    """
    try:
        import anyio
        import mcp.types as protocol
        from mcp.server import Server
    except ImportError as error:
        raise AlgorithmError(
            "The server needs the SDK of the Model Context Protocol, which cannot be imported here: "
            f"{install_command('mcp')}."
        ) from error
    turn = anyio.Lock()
    tools = [
        protocol.Tool(
            name=name,
            description=tool.about,
            input_schema=tool_schema(tool, writes=folders.write is not None),
            annotations=protocol.ToolAnnotations(
                read_only_hint=not tool.saves or folders.write is None,
                destructive_hint=False,
                open_world_hint=False,
            ),
        )
        for name, tool in TOOLS.items()
    ]

    async def list_tools(context: Any, parameters: Any) -> Any:
        return protocol.ListToolsResult(tools=tools)

    async def call(context: Any, parameters: Any) -> Any:
        if parameters.name not in TOOLS:
            answer = Answer({"error": f"There is no tool {parameters.name!r}."}, True)
        else:
            async with turn:
                answer = await _work(parameters.name, parameters.arguments or {})
        text = json.dumps(answer.content, ensure_ascii=False)
        return protocol.CallToolResult(
            content=[protocol.TextContent(type="text", text=text)],
            structured_content=answer.content,
            is_error=answer.is_error,
        )

    async def _work(name: str, values: dict[str, Any]) -> Answer:
        ending = threading.Event()

        def work() -> Answer:
            return call_tool(name, values, folders=folders, limits=limits, ending=ending)

        try:
            return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
        finally:
            ending.set()

    return Server(
        "equilibrist",
        version=version("equilibrist"),
        instructions=_ABOUT + _limits_text(folders, limits),
        on_list_tools=list_tools,
        on_call_tool=call,
    )


def _limits_text(folders: Folders, limits: Limits) -> str:
    """Return what a client is told of the limits."""
    if folders.write is None:
        saving = "Nothing is written."
    else:
        saving = "Runs are saved in one folder, by a name, where the parameter save is given."
    return (
        f"A run iterates for {limits.seconds:g} seconds at most, a call takes "
        f"{limits.seconds + limits.grace:g} seconds and {limits.memory_gb:g} GB of memory at most, and is "
        f"ended beyond; long lists of an answer are cut, which left_out tells. {saving}"
    )


def serve_stdio(folders: Folders, limits: Limits) -> None:
    """Answer a client over standard input and output until it leaves."""
    server = make_server(folders, limits)
    import anyio
    from mcp.server.stdio import stdio_server

    async def serve() -> None:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    anyio.run(serve)
