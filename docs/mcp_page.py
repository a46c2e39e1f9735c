"""The page about the MCP server, made from what the server itself says."""

import json
from collections.abc import Iterator
from typing import Any

import anyio
from mcp import Client
from mcp.types import Tool

from holdfast.domain.text import tokens
from holdfast.surfaces.mcp.calls import calls_from
from holdfast.surfaces.mcp.long_lines import MOST_BYTES
from holdfast.surfaces.mcp.server import HoldfastServer, Offer, server

_MADE = "<!-- Made by `make reference`; edit the code instead. -->\n"
_ANSWERS = {
    "checkpoint_save": 'as `save --json`; the checkpoint is told by its head. Nothing new, or turned off by the user: `"type": "unchanged"`',
    "checkpoint_get": "the record of `show --json`; `left_out` names the bulk that only `fields` gives. With `fields`, its head and those parts",
    "checkpoint_search": "as `search --json`, with heads and `count`",
    "checkpoint_resume": 'as `resume --json`, with the head, `level`, `checkpoint_id`, `session_id` and `token_count`. Where the user was asked and said no: `"type": "kept"` and no brief',
    "checkpoint_list": "as `list --json`, with heads and `count`",
    "checkpoint_status": "as `status --json`",
    "checkpoint_diff": "as `diff --json`",
    "checkpoint_merge": 'as `merge --json`, with the head; turned off by the user: `"type": "unchanged"`',
    "checkpoint_blame": "as `blame --json` without the lines' text and without empty fields; of more than 200 lines the first, and `left_out` says how many more there are",
    "handoff_write": 'as `handoff write --json`; turned off by the user: `"status": "BROKEN"` with the reason',
    "handoff_check": "as `handoff check --json`",
    "checkpoint_configure": "`success`, `config` with the four values, and `values` with where each comes from",
    "store_checkpoint": "as `checkpoint_save`, with `checkpointId` and `created`",
    "get_latest_checkpoint": 'as `checkpoint_resume` at level `full`, with the record instead of its head and in `say` the words to end with. Nothing saved yet: `{"type": "none", "error": "No checkpoints found"}`, which is no failure',
}


def mcp_page() -> Iterator[str]:
    """Yield the page, line by line."""
    few, every = _ports("default"), _ports("all")
    offers: tuple[Offer, Offer] = ("default", "all")
    costs = {offer: anyio.run(_cost, offer) for offer in offers}
    yield _MADE
    yield "# MCP server\n"
    yield "`holdfast mcp [--tools default|all]` serves an agent over stdio; `holdfast install claude` wires it in, `--no-mcp` leaves it out.\n"
    yield f"Definitions cost {costs['default']} tokens by default and {costs['all']} with `--tools all` (UTF-8 bytes of `tools/list` / 4)."
    yield "Each answer is structured, with the same JSON as text beside it; Claude Code gives its model the structured part alone, so that part is kept short."
    yield "A head is a record's identity, title, summary and branch, under the record's own keys: at most 250 tokens."
    yield 'An error is an execution error with `{"type":"error","code":…,"message":…,"hint":…}`; the codes are in [errors.md](errors.md), and the hint is what to do next.\n'
    yield "Over HTTP, at `/mcp` of `holdfast serve`, a token says which of these tools may be called, and some of them are not there: [the guide](../guides/over-http.md).\n"
    yield from _rules()
    names = {tool.name for tool in few}
    yield "\n## Tools"
    for tool in every:
        yield from _tool(tool, is_default=tool.name in names)
    yield from _others()


def _rules() -> Iterator[str]:
    yield "Without `session_id` the session is the one the client is in now, asked anew at each call through the process that started the server; `CLAUDE_CODE_SESSION_ID` is not looked at, because it is out of date after `/clear`."
    yield 'A call that is repeated with the same `_meta["claudecode/toolUseId"]` is the same save.'
    yield "A taken name is asked about where the client can ask; otherwise the call is refused, and `force` moves the name."
    yield "With `prompt` the user is asked before the agent gets the brief that this session's start offered; a client that cannot ask gets it."
    yield "A session that takes the brief its start offered becomes the child of the one before, and inherits what that left open.\n"
    yield "A call writes only into sessions of the project its server runs in: `session_id` or `project_path` of another one is refused with `PROJ_002`, and what is read of another says so in `from_project` and in the brief."
    yield f"A call is at most {MOST_BYTES:,} bytes long; a longer one is refused with `USE_002`, whatever it asks for, and not read."
    yield "A line that is not JSON is answered with the error -32700 and one that is no message with -32600, with its `id` where it has one."
    yield "When the client closes stdin, calls in flight are finished and answered; a client that has left and reads nothing for 10 seconds is given up, and the server ends."
    yield ""
    yield "Switched off by `HOLDFAST_DISABLE` or `enabled`, the server offers nothing; after `enabled` is set again, from the client's next start on."
    yield "After `holdfast off`, and in a directory that `exclude` names, an agent's call saves and writes nothing and says so; what is stored can still be read."


def _tool(tool: Tool, *, is_default: bool) -> Iterator[str]:
    yield f"\n### {tool.name}\n"
    yield f"{tool.description}"
    if not is_default:
        yield "With `--tools all` only."
    yield f"Answers {_ANSWERS[tool.name]}.\n"
    yield "| parameter | type | meaning |"
    yield "|---|---|---|"
    required = tool.input_schema.get("required", ())
    for name, part in tool.input_schema["properties"].items():
        must = " (required)" if name in required else ""
        yield f"| `{name}`{must} | {_type(part)} | {_meaning(part)} |"


def _type(part: dict[str, Any]) -> str:
    if "enum" in part:
        return " \\| ".join(f"`{json.dumps(value)}`" for value in part["enum"])
    if part["type"] == "array":
        return f"array of {part['items']['type']}"
    return str(part["type"])


def _meaning(part: dict[str, Any]) -> str:
    said = [part.get("description", "")]
    if "maximum" in part:
        said.append(f"{part['minimum']} to {part['maximum']}")
    if "default" in part:
        said.append(f"default `{json.dumps(part['default'])}`")
    return "; ".join(filter(None, said))


def _others() -> Iterator[str]:
    ours = _server("default")
    yield "\n## Resources\n"
    yield "| address | what it is |"
    yield "|---|---|"
    for resource in anyio.run(ours.list_resources):
        yield f"| `{resource.uri}` | {resource.description} |"
    for template in anyio.run(ours.list_resource_templates):
        yield f"| `{template.uri_template}` | {template.description} |"
    yield "\n## Prompts\n"
    yield "| prompt | arguments | what it does |"
    yield "|---|---|---|"
    for prompt in anyio.run(ours.list_prompts):
        arguments = ", ".join(f"`{a.name}`" for a in prompt.arguments or ())
        yield f"| `{prompt.name}` | {arguments} | {prompt.description} |"


def _server(offer: Offer) -> HoldfastServer:
    return server(calls_from({}, project=None, store=None), offer)


def _ports(offer: Offer) -> list[Tool]:
    return anyio.run(_server(offer).list_tools)


async def _cost(offer: Offer) -> int:
    """Return what a client receives for `tools/list`, in tokens."""
    async with Client(_server(offer)) as client:
        listed = await client.list_tools()
    return tokens(listed.model_dump_json(by_alias=True, exclude_none=True))
