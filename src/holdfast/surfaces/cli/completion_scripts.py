"""Completion scripts, made from the parsers' own tables. Pure."""

import argparse
from collections.abc import Callable, Iterator, Mapping

from holdfast.config import KEYS
from holdfast.kernel.lazy_values import dataclass
from holdfast.surfaces.cli.commands import SUMMARIES
from holdfast.surfaces.cli.parse import command_module, command_parser

# What a word stands for, by the name its help gives it; the rest are files.
_REFERENCES = ("REF", "A", "B", "NAME")
_SESSION = "ID"
_ASKS = {
    "references": "holdfast completion references 2>/dev/null",
    "sessions": "holdfast completion sessions 2>/dev/null",
}


@dataclass(frozen=True, slots=True)
class Values:
    """What may stand in one place: words that are known, or that are asked for."""

    words: tuple[str, ...] = ()
    asked: str = ""  # a key of `_ASKS`

    @property
    def shell(self) -> str:
        """The shell command that prints them; empty: files."""
        if self.asked:
            return _ASKS[self.asked]
        return f"echo '{' '.join(self.words)}'" if self.words else ""


@dataclass(frozen=True, slots=True)
class Option:
    flag: str
    help: str
    values: Values | None  # None: it takes none


@dataclass(frozen=True, slots=True)
class CompletedCommand:
    summary: str
    options: tuple[Option, ...]
    words: Values


Table = Mapping[str, CompletedCommand]


def table() -> Table:
    """Return what every command takes, as its parser says."""
    return {name: _command(name) for name in SUMMARIES}


def _command(name: str) -> CompletedCommand:
    module = command_module(name)
    actions = command_parser(name, module)._actions  # noqa: SLF001  # argparse has no public list
    options = [
        Option(flag, action.help or "", None if action.nargs == 0 else _values(action))
        for action in actions
        for flag in action.option_strings
        if flag.startswith("--")
    ]
    placed = [_values(action) for action in actions if not action.option_strings]
    known = tuple(getattr(module, "ACTIONS", ()))
    if name == "config":
        known += tuple(key.key for key in KEYS)
    elif name == "completion":
        known = tuple(SCRIPTS)
    words = Values(known) if known else next(iter(placed), Values())
    return CompletedCommand(SUMMARIES[name], tuple(options), words)


def _values(action: argparse.Action) -> Values:
    if action.choices:
        return Values(tuple(map(str, action.choices)))
    if action.metavar in _REFERENCES and not (
        action.option_strings and action.metavar == "NAME"
    ):
        return Values(asked="references")
    return Values(asked="sessions") if action.metavar == _SESSION else Values()


def _words_function(commands: Table) -> Iterator[str]:
    """Yield a function of bash and zsh: what may stand where, given the command, the word
    before and the beginning of this one."""
    yield "__holdfast_words() {"
    yield '    case "$1 $2" in'
    for name, command in commands.items():
        for option in command.options:
            if option.values is not None:
                says = option.values.shell or ":"
                yield f'        "{name} {option.flag}") {says}; return ;;'
    yield "    esac"
    yield '    case "$1 $3" in'
    yield f"        ' '*) echo '{' '.join(commands)}' ;;"
    for name, command in commands.items():
        flags = " ".join(option.flag for option in command.options)
        yield f"        '{name} -'*) echo '{flags}' ;;"
        yield f"        '{name} '*) {command.words.shell or ':'} ;;"
    yield "    esac"
    yield "}"


_FIND_COMMAND = """\
    local command="" word skip=""
    for word in "${before[@]}"; do
        if [[ -n $skip ]]; then skip=""; continue; fi
        case "$word" in
            --project|--store) skip=1 ;;
            -*) ;;
            *) command="$word"; break ;;
        esac
    done
"""


def bash(commands: Table) -> str:
    """Return the script for bash."""
    words = "\n".join(_words_function(commands))
    return f"""\
# Completion of holdfast for bash: source it, or put it where bash-completion looks.
{words}

_holdfast() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" before=("${{COMP_WORDS[@]:1:COMP_CWORD-1}}")
{_FIND_COMMAND}    local words
    words="$(__holdfast_words "$command" "${{COMP_WORDS[COMP_CWORD-1]}}" "$current")"
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}}
complete -o default -F _holdfast holdfast
"""


def zsh(commands: Table) -> str:
    """Return the script for zsh."""
    words = "\n".join(_words_function(commands))
    return f"""\
#compdef holdfast
# Completion of holdfast for zsh: source it after compinit, or put it into $fpath as _holdfast.
{words}

_holdfast() {{
    local current="${{words[CURRENT]}}"
    local -a before found
    before=("${{(@)words[2,CURRENT-1]}}")
{_FIND_COMMAND}    found=(${{=$(__holdfast_words "$command" "${{words[CURRENT-1]}}" "$current")}})
    if (( ${{#found}} )); then compadd -- "${{found[@]}}"; else _files; fi
}}
if [[ "${{funcstack[1]}}" = _holdfast ]]; then _holdfast "$@"; else compdef _holdfast holdfast; fi
"""


def fish(commands: Table) -> str:
    """Return the script for fish."""
    return "\n".join(_fish_lines(commands)) + "\n"


def _fish_lines(commands: Table) -> Iterator[str]:
    yield "# Completion of holdfast for fish: save it as holdfast.fish in ~/.config/fish/completions."
    yield "complete -c holdfast -e"
    for name, command in commands.items():
        says = _quoted(command.summary)
        yield f"complete -c holdfast -n __fish_use_subcommand -f -a {name} -d {says}"
        here = f"complete -c holdfast -n '__fish_seen_subcommand_from {name}'"
        if command.words.shell:
            yield f"{here} -f -a '({_fish_asks(command.words)})'"
        for option in command.options:
            flag = f"{here} -l {option.flag[2:]} -d {_quoted(option.help)}"
            if option.values is None:
                yield flag
            elif option.values.shell:
                yield f"{flag} -x -a '({_fish_asks(option.values)})'"
            else:
                yield f"{flag} -r"


def _fish_asks(values: Values) -> str:
    return values.shell if values.asked else f'printf "%s\\n" {" ".join(values.words)}'


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SCRIPTS: Mapping[str, Callable[[Table], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
