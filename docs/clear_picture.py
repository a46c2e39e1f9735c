"""The picture of the moment after `/clear`: the screen of the real client, and what the model
was told with the next prompt. `make pictures` draws it anew.

The client is the one from npm, in a scratch home with holdfast installed into it; only the
model is made up: it follows a script on loopback. Rows above the line of the clear (the
client's banner) are left out, so that no directory of the machine that draws is shown.
"""

import io
import re
import tempfile
from itertools import groupby
from pathlib import Path

from pyte.screens import Char
from rich.console import Console
from rich.style import Style
from rich.terminal_theme import MONOKAI
from rich.text import Text

from tests.e2e.client.clients import VERSIONS, Client, ClientMissing, installed
from tests.e2e.client.day import DONE, INSTRUCTION, replies, told
from tests.e2e.client.stub import serving
from tests.e2e.client.terminal import Terminal
from tests.e2e.client.world import World, a_project

PICTURE = "after-clear.svg"
_WIDTH = 112
_ASKED = f"Make parser.py accept nested quotes. {INSTRUCTION}"
_LINE, _PROMPT = "SessionStart:clear says", "continue"
_BRIEF, _RECEIPT_END = "# Resuming ", "All: holdfast show"
_WHOLE_SCREEN = {"CLAUDE_CODE_NO_FLICKER": "1"}
# As rich has it, without the font that it would fetch from somebody's server.
_FORMAT = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal"><rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def draw(place: Path) -> str:
    """Draw the picture; return why not where the client cannot be had, else nothing."""
    try:
        client = installed(VERSIONS[-1])
    except ClientMissing as missing:
        return f"{PICTURE} is not drawn: {missing}"
    screen, brief = _walk(client)
    picture = _svg(screen, brief, f"Claude Code {client.version} · after /clear")
    (place / PICTURE).write_text(picture, encoding="utf-8")
    return ""


def _walk(client: Client) -> tuple[list[Text], str]:
    """Work, clear, say `continue`: the rows of the screen, and what the model was told."""
    with tempfile.TemporaryDirectory() as root, serving() as stub:
        home = Path(root) / "user"
        home.mkdir()
        world = World(
            client=client,
            stub=stub,
            home=home,
            project=a_project(Path(root) / "parser"),
            data=home / ".local" / "share" / "holdfast",
        )
        world.holdfast("install", "claude", "--no-mcp").check_returncode()
        with world.sit_down(**_WHOLE_SCREEN) as terminal:
            stub.will(*replies(world))
            terminal.type(_ASKED)
            terminal.wait_for(DONE)
            terminal.type("/clear")
            terminal.wait_for(_LINE)
            terminal.wait_until(lambda: DONE not in terminal.shown, "fresh screen")
            world.wait_for_saves()
            terminal.type(_PROMPT)
            terminal.wait_for("● ok")
            return _rows(terminal), _brief_in(told(world))


def _rows(terminal: Terminal) -> list[Text]:
    """The screen from the line of the clear to the prompt after it, with its colours."""
    shown = terminal.rows
    texts = ["".join(char.data for char in row) for row in shown]
    first = next(n for n, text in enumerate(texts) if _LINE in text)
    last = next(n for n, text in enumerate(texts) if f"❯ {_PROMPT}" in text.replace("\xa0", " "))  # fmt: skip
    return [_drawn(row) for row in shown[first : last + 1]]


def _drawn(row: list[Char]) -> Text:
    text = Text()
    for style, chars in groupby(row, _style):
        text.append("".join(char.data for char in chars), style)
    text.rstrip()
    return text


def _style(char: Char) -> Style:
    return Style(
        color=_colour(char.fg),
        bgcolor=_colour(char.bg),
        bold=char.bold,
        italic=char.italics,
        reverse=char.reverse,
    )


def _colour(name: str) -> str | None:
    if name == "default":
        return None
    if re.fullmatch("[0-9a-f]{6}", name):
        return f"#{name}"
    bright, _, rest = name.partition("bright")
    named = {"brown": "yellow"}.get(rest or bright, rest or bright)
    return f"bright_{named}" if rest else named


def _brief_in(conversation: str) -> str:
    """What our hook told the model: from the brief's heading to its receipt."""
    lines = conversation.splitlines()
    first = next(n for n, line in enumerate(lines) if _BRIEF in line)
    last = next(n for n, line in enumerate(lines) if _RECEIPT_END in line)
    heading = _BRIEF + lines[first].partition(_BRIEF)[2]
    return "\n".join((heading, *lines[first + 1 : last + 1]))


def _svg(screen: list[Text], brief: str, title: str) -> str:
    console = Console(
        width=_WIDTH, record=True, file=io.StringIO(), force_terminal=True,
        color_system="truecolor", highlight=False, markup=False, emoji=False,
    )  # fmt: skip
    for row in screen:
        console.print(row, no_wrap=True, crop=True)
    console.print()
    console.rule("what the model was told with that prompt", style="dim", align="left")
    console.print()
    for line in brief.splitlines():
        style = "bold" if line.startswith("#") else ""
        console.print(Text(line, style=style))
    return console.export_svg(
        title=title, theme=MONOKAI, code_format=_FORMAT, unique_id="clear"
    )
