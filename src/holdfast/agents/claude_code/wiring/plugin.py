"""The plugin as this installation writes it: the repository's, with absolute paths.

The client starts hooks by path, so a virtual environment, pipx and uv tool all work
whatever is on the `PATH` that day.
"""

import json
import os
import shlex
from collections.abc import Iterator, Mapping

import holdfast
from holdfast.kernel.errors import WiringFailed

MARKETPLACE = "holdfast-local"
PLUGIN = f"holdfast@{MARKETPLACE}"
LAUNCHER = "holdfast/hooks/launch"
COMMAND = "holdfast/bin/holdfast"
SCRIPTS = frozenset([LAUNCHER, COMMAND])
_MCP = ".mcp.json"

# A repository can name modules and set PYTHON… variables: -P and -E heed neither. The
# program is named by import, which starts faster than the script pip writes for it.
_LAUNCH = """\
#!/bin/sh
# Written by `holdfast install claude`. Becomes holdfast, so that the client stays its
# parent process; does nothing once holdfast is gone.
python={python}
{missing}
exec "$python" -E -P -c 'from {module} import main; main()' "$@"
"""
_SILENT = '[ -x "$python" ] || exit 0'
_SPOKEN = (
    '[ -x "$python" ] || { echo "holdfast is gone: install it again" >&2; exit 1; }'
)


def plugin_files(python: str, *, mcp: bool) -> dict[str, str]:
    """Return every file of our marketplace directory, by its path inside it.

    Raises:
        WiringFailed: this installation lacks its plugin files.
    """
    files = {f"holdfast/{name}": text for name, text in _templates()}
    files[".claude-plugin/marketplace.json"] = _json(_marketplace())
    files[LAUNCHER] = _launcher(python, "holdfast.surfaces.hooks.main", _SILENT)
    files[COMMAND] = _launcher(python, "holdfast.surfaces.cli.main", _SPOKEN)
    server = {
        "command": "${CLAUDE_PLUGIN_ROOT}/bin/holdfast",
        "args": ["mcp"],
    }
    files[f"holdfast/{_MCP}"] = _json({"mcpServers": {"holdfast": server}})
    if not mcp:
        del files[f"holdfast/{_MCP}"]
    return files


def _templates() -> Iterator[tuple[str, str]]:
    root = _template_root()
    for directory, _, names in os.walk(root):
        for name in names:
            path = os.path.join(directory, name)
            with open(path, encoding="utf-8") as file:
                yield os.path.relpath(path, root), file.read()


def _template_root() -> str:
    """A wheel carries the plugin in the package, a checkout beside the sources."""
    package = os.path.dirname(holdfast.__file__)
    beside = os.path.join(os.path.dirname(os.path.dirname(package)), "plugin")
    for root in (os.path.join(package, "plugin"), beside):
        if os.path.isfile(os.path.join(root, ".claude-plugin", "plugin.json")):
            return root
    raise WiringFailed(
        f"the plugin files are missing beside `{package}`",
        hint="install holdfast again from its wheel or its repository",
    )


def _launcher(python: str, module: str, missing: str) -> str:
    return _LAUNCH.format(python=shlex.quote(python), module=module, missing=missing)


def _marketplace() -> Mapping[str, object]:
    return {
        "name": MARKETPLACE,
        "description": "Written by `holdfast install claude`",
        "owner": {"name": "holdfast"},
        "plugins": [
            {
                "name": "holdfast",
                "source": "./holdfast",
                "description": "Checkpoints of coding-agent sessions",
            }
        ],
    }


def _json(value: Mapping[str, object]) -> str:
    return json.dumps(value, indent=2) + "\n"
