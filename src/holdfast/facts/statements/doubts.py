"""Which of an agent's claims the transcript contradicts.

Three that can be looked up: tests that pass, work that is committed, files that were
changed. What cannot be looked up is not doubted.
"""

import re

from holdfast.domain.checkpoint import Content, FileRef
from holdfast.domain.fact import Commit
from holdfast.facts.commands.runs import kind_of
from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.languages import Cues
from holdfast.language.prose import sentences

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


def doubt_of(claim: str, content: Content) -> str:
    """Return what of the transcript contradicts a claim, or nothing."""
    for sentence in sentences(claim):
        if doubt := _doubt(sentence, content):
            return doubt
    return ""


def _doubt(sentence: str, content: Content) -> str:
    denies = _DENIES.search(sentence) is not None
    if not denies and _PASSES.search(sentence) and (red := _red_test(content)):
        return f"the last run of `{red}` failed"
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
        c.command for c in content.commands if c.exit and kind_of(c.command) == "test"
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
