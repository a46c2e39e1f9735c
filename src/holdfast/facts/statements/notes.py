"""What the agent itself writes for a checkpoint, read once and merged on top.

Notes win for wording, the transcript wins for facts: notes have no place for files or
commands, every item they add says that the agent said it, and an instruction that an
agent notes never becomes one of the user's. A note that the transcript contradicts is
kept, and says what contradicts it.

Three claims can be looked up: tests that pass, work that is committed, files that were
changed. What cannot be looked up is not doubted.
"""

import math
import re
from collections.abc import Mapping
from typing import cast

from holdfast.domain.checkpoint import Content, Detail, FileRef
from holdfast.domain.fact import Commit
from holdfast.domain.kinds import NOTED
from holdfast.domain.text import MOST_GIVEN, one_line, storable, visible
from holdfast.facts.commands.command_kinds import kind_of
from holdfast.facts.commands.endings import has_failed
from holdfast.kernel.errors import NotesInvalid
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass, field
from holdfast.language.languages import Cues
from holdfast.language.sentences import sentences

_FAILED = "the last run of `{}` failed"
_TEXTS = ("title", "summary", "work_type", "domain", "mental_model")
_WORD_LISTS = ("topics", "tags")
_DETAIL_FIELDS = ("topic", "text", "files", "commands")
_HINT = 'notes look like `{"title": "…", "next_steps": ["…"]}`'

_PASSES = Cues(lambda spoken: spoken.statements.all_green)
_COMMITTED = Cues(lambda spoken: spoken.statements.committed)
_CHANGED = Cues(lambda spoken: spoken.statements.changed)
_DENIES = Cues(lambda spoken: spoken.statements.denies)

# A path, or the bare name of a file; `Node.js` is none.
_NAMED = (
    r"(?:`[^`\s]+\.[A-Za-z]\w{0,7}`|(?<![\w/:.])(?:[\w.-]+/)+[\w-]+\.[A-Za-z]\w{0,7}\b"
    r"|(?<![\w/:.@-])(?!(?:node|next|nuxt|vue|react|express|three|chart|moment|alpine|d3)\.js\b)[\w-]+"
    r"\.(?:py|[jt]sx?|go|rs|rb|java|kt|cpp|cs|php|sh|sql|md|json|ya?ml|toml|css|html|txt)\b(?![/(]))"
)
_PATH = pattern(_NAMED, re.IGNORECASE)
_DELETED = pattern(
    rf"\b(?:deleted|removed)\s+(?:the\s+)?(?:old\s+)?(?:file\s+)?(?P<after>{_NAMED})(?!['’]s)"
    rf"|(?P<before>{_NAMED})\s+(?:(?:was|is|has\s+been)\s+)(?:deleted|removed)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notes:
    """The notes of one save; every field is optional. `unknown` is kept and reported."""

    title: str = ""
    summary: str = ""
    work_type: str = ""
    domain: str = ""
    mental_model: str = ""
    topics: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    items: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    details: tuple[Detail, ...] = ()
    unknown: Mapping[str, object] = field(default_factory=dict)


def parse_notes(raw: object) -> Notes:
    """Read notes from JSON values; a field that is null counts as not given.

    Raises:
        NotesInvalid: a field has the wrong type, or a number that JSON does not have;
            the message names it.
    """
    if not isinstance(raw, Mapping):
        raise NotesInvalid(f"the notes must be an object, not {_kind(raw)}", hint=_HINT)
    given = {str(key): value for key, value in raw.items() if value is not None}
    texts = {name: _text(given.pop(name, ""), name) for name in _TEXTS}
    words = {name: _texts(given.pop(name, ()), name) for name in _WORD_LISTS}
    items = {name: _texts(given.pop(name), name) for name in NOTED if name in given}
    details = _details(given.pop("details", ()))
    for name, value in given.items():
        _check_numbers(value, name)
    return Notes(
        title=one_line(visible(texts["title"]), MOST_GIVEN),
        summary=texts["summary"],
        work_type=one_line(texts["work_type"], MOST_GIVEN),
        domain=one_line(texts["domain"], MOST_GIVEN),
        mental_model=texts["mental_model"],
        topics=words["topics"],
        tags=words["tags"],
        items=items,
        details=details,
        unknown=given,
    )


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise NotesInvalid(
            f"`{name}` in the notes must be text, not {_kind(value)}", hint=_HINT
        )
    return storable(value).strip()


def _texts(value: object, name: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise NotesInvalid(
            f"`{name}` in the notes must be a list of texts, not {_kind(value)}",
            hint=_HINT,
        )
    texts = (_text(entry, f"{name}[{i}]") for i, entry in enumerate(value))
    return tuple(dict.fromkeys(text for text in texts if text))


def _details(value: object) -> tuple[Detail, ...]:
    if not isinstance(value, list | tuple):
        raise NotesInvalid(
            f"`details` in the notes must be a list of objects, not {_kind(value)}",
            hint=_HINT,
        )
    return tuple(_detail(entry, f"details[{i}]") for i, entry in enumerate(value))


def _detail(value: object, name: str) -> Detail:
    if not isinstance(value, Mapping):
        raise NotesInvalid(
            f"`{name}` in the notes must be an object, not {_kind(value)}", hint=_HINT
        )
    raw = cast("Mapping[str, object]", value)
    given = {key: raw.get(key) for key in _DETAIL_FIELDS}
    return Detail(
        topic=_text(given["topic"] or "", f"{name}.topic") or "notes",
        text=_text(given["text"] or "", f"{name}.text"),
        files=_texts(given["files"] or (), f"{name}.files"),
        ran=tuple(map(_ran, _texts(given["commands"] or (), f"{name}.commands"))),
    )


def _ran(line: str) -> tuple[str, str]:
    """Return a command and, where the agent wrote `make → ok`, what it came to."""
    command, arrow, came = line.partition(" → ")
    return (command, came) if came else (command + arrow, "")


def _check_numbers(value: object, name: str) -> None:
    """Refuse `NaN` and `Infinity`, which Python reads and no record can hold."""
    left = [(value, name)]
    while left:
        value, name = left.pop()
        if isinstance(value, float) and not math.isfinite(value):
            raise NotesInvalid(
                f"`{name}` in the notes must be a number, not {value}", hint=_HINT
            )
        if isinstance(value, Mapping):
            left += [(entry, f"{name}.{key}") for key, entry in value.items()]
        elif isinstance(value, list | tuple):
            left += [(entry, f"{name}[{i}]") for i, entry in enumerate(value)]


def _kind(value: object) -> str:
    """Return what JSON calls a value."""
    if value is None:
        return "null"
    names = {bool: "true or false", int: "a number", float: "a number", str: "text"}
    if type(value) in names:
        return names[type(value)]
    return "an object" if isinstance(value, Mapping) else "a list"


def doubt_of(claim: str, content: Content) -> str:
    """Return what of the transcript contradicts a claim, or nothing."""
    for sentence in sentences(claim):
        if doubt := _doubt(sentence, content):
            return doubt
    return ""


def inherited_doubt(claim: str, content: Content, before: str) -> str:
    """Return what contradicts a claim of an earlier session: what did there, but for
    tests, which count as they went last."""
    if not any(_claims_green(sentence) for sentence in sentences(claim)):
        return before
    ran = [c for c in content.commands if kind_of(c.command) == "test"]
    if red := _red_test(content):
        return _FAILED.format(red)
    return before if not any(c.exit == 0 for c in ran) else ""


def _claims_green(sentence: str) -> bool:
    return bool(_PASSES.search(sentence)) and not _DENIES.search(sentence)


def _doubt(sentence: str, content: Content) -> str:
    denies = _DENIES.search(sentence) is not None
    if not denies and _PASSES.search(sentence) and (red := _red_test(content)):
        return _FAILED.format(red)
    if not denies and _COMMITTED.search(sentence) and not _has_commit(content):
        return "no commit is in the transcript"
    if denies:
        return ""
    gone = (found["after"] or found["before"] for found in _DELETED.finditer(sentence))
    doubts = [_not_deleted(path.strip("`"), content) for path in gone]
    if _CHANGED.search(sentence):
        named = _PATH.findall(sentence)
        doubts += [_untouched(path.strip("`"), content) for path in named]
    return next(filter(None, doubts), "")


def _red_test(content: Content) -> str:
    """Return the test command whose last run failed, if there is one."""
    red = (
        c.command
        for c in content.commands
        if has_failed(c) and kind_of(c.command) == "test"
    )
    return next(red, "")


def _has_commit(content: Content) -> bool:
    told = any(isinstance(item.fact, Commit) for item in content.key_outcomes)
    return told or any(
        kind_of(part) in ("commit", "git") and command.exit == 0
        for command in content.commands
        for part in command.command.split(" && ")
    )


def _untouched(path: str, content: Content) -> str:
    """Say that a file was not changed, if no edit and no command speaks of it."""
    known = _known(path, content)
    if any(file.change != "read" for file in known) or _in_command(path, content):
        return ""
    how = "only read" if known else "never touched"
    return f"{path} was {how} in the transcript"


def _not_deleted(path: str, content: Content) -> str:
    """Say that a file is still there, if it was changed and nothing speaks of its end."""
    ways = {file.change for file in _known(path, content)} - {"read"}
    if not ways or "deleted" in ways or _in_command(path, content):
        return ""
    return f"{path} was {min(ways)}, not deleted, in the transcript"


def _known(path: str, content: Content) -> list[FileRef]:
    wanted = path.removeprefix("./").lstrip("/")
    return [f for f in content.files if f"/{f.path}".endswith(f"/{wanted}")]


def _in_command(path: str, content: Content) -> bool:
    """Say whether a command names a file, and so may have changed it."""
    name = path.rpartition("/")[2]
    return any(name in command.command for command in content.commands)
