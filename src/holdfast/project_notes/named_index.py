"""Our section in the client's `MEMORY.md`; every other byte of it stays. Pure.

The files are the truth and the section follows them: a bullet without a file goes, a file
without a bullet gets one where there is room. The client reads this file into every
session, so bullets are few and short.
"""

from collections.abc import Sequence

from holdfast.domain.text import one_line, plain
from holdfast.kernel.lazy_patterns import pattern
from holdfast.project_notes.lines import ended, fenced, newline_of, split_lines
from holdfast.project_notes.named_file import NamedFile

MEMORY = "MEMORY.md"
HEADING = "## Active Checkpoints"
RESUME = "Resume any: `continue` or `continue {name}`"
MOST_BULLETS, MOST_CHARACTERS = 5, 100
_TOP = "# Project Memory"
_MORE = "More: "
_BULLET = pattern(r"- \*\*([^*]+)\*\* \([^)]*\) — .*")
_MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec"
_MOST_BRANCH, _LEAST_ABOUT = 24, 28


def bullet(file: NamedFile) -> str:
    """Return a checkpoint's line: `- **api** (main, Jan 18) — rotate() is written`."""
    month, day = int(file.saved[5:7]), file.saved[8:10]
    when = f"{_MONTHS[(month - 1) % 12 * 3 :][:3]} {day}"
    room = min(_MOST_BRANCH, MOST_CHARACTERS - _LEAST_ABOUT - len(file.name))
    branch = one_line(plain(file.branch).replace(")", ""), room)
    head = f"- **{file.name}** ({branch}, {when}) — "
    about = plain(next(iter(file.left_off), ""))
    # A line that ends with its dash is no bullet to whoever reads it.
    return head + (one_line(about, MOST_CHARACTERS - len(head)) or "?")


def named_in(text: str | None) -> tuple[str, ...]:
    """Return the names that the section has bullets for."""
    found = _found(split_lines(text or ""))
    return tuple(found.bullets) if found else ()


def with_index(
    text: str | None, files: Sequence[NamedFile], fresh: str = ""
) -> str | None:
    """Return `MEMORY.md` with the section as the files are; None: leave it alone.

    The bullet of `fresh` is written anew, the others stay as somebody may have put them.
    """
    newline = newline_of(text)
    lines = split_lines(text or "")
    section = _found(lines)
    if not files:
        after = _without(lines, section) if section else lines
    else:
        known = section.bullets if section else {}
        chosen = _chosen(files, known, fresh)
        told = [
            bullet(f) if f.name == fresh else known.get(f.name) or bullet(f)
            for f in chosen
        ]
        more = _more([f.name for f in files if f not in chosen])
        if section:
            after = _rewritten(lines, section, told, more, newline)
        else:
            after = _opened(lines, told, more, newline)
    joined = "".join(after)
    return None if joined == (text or "") else joined


class _Section:
    """Where the section is, from its heading up to its last line of ours."""

    def __init__(self, start: int) -> None:
        self.start, self.end = start, start + 1
        self.bullets: dict[str, str] = {}
        self.ours: dict[int, str] = {}  # place -> bullet, more or resume

    def takes(self, place: int, line: str) -> bool:
        """Look at the next line; say whether the section may go on after it."""
        if line.startswith(("# ", "## ")):
            return False
        if found := _BULLET.fullmatch(line):
            self.bullets.setdefault(found[1], line)
            self.ours[place] = "bullet"
        elif line.startswith(_MORE):
            self.ours[place] = "more"
        elif line == RESUME:
            self.ours[place] = "resume"
        if place in self.ours:
            self.end = place + 1
        return line != RESUME  # what follows it was there before us


def _found(lines: Sequence[str]) -> _Section | None:
    section: _Section | None = None
    covered = _covered(lines)
    for place, line in enumerate(lines):
        if covered[place]:
            continue
        if section is None:
            section = _Section(place) if line.rstrip() == HEADING else None
        elif not section.takes(place, line.rstrip()):
            break
    return section


def _chosen(
    files: Sequence[NamedFile], known: dict[str, str], fresh: str
) -> list[NamedFile]:
    """Return the files that get a bullet: the newest, in the order bullets have."""
    newest = sorted(
        files, key=lambda f: (f.name == fresh, f.saved, f.name), reverse=True
    )[:MOST_BULLETS]
    old = [f for name in known for f in newest if f.name == name]
    return [*old, *(f for f in reversed(newest) if f.name not in known)]


def _more(names: Sequence[str]) -> list[str]:
    """Return the line for those without a bullet, if there are any."""
    for count in range(len(names), -1, -1):
        told = [f"`{name}`" for name in names[:count]]
        told += [f"and {len(names) - count} more"] if count < len(names) else []
        line = _MORE + ", ".join(told)
        if names and len(line) <= MOST_CHARACTERS:
            return [line]
    return []


def _rewritten(
    lines: list[str],
    section: _Section,
    bullets: list[str],
    more: list[str],
    newline: str,
) -> list[str]:
    """Replace our lines where they stand; a line of somebody else keeps its place."""
    kinds = section.ours.values()
    body: list[str] = []
    told = _ended(bullets, newline)
    close = _ended([*more, RESUME], newline)
    if "bullet" not in kinds:
        body += told
    for place in range(section.start + 1, section.end):
        kind = section.ours.get(place)
        if kind == "bullet":
            body, told = body + told, []
        elif kind == "resume":
            body += close
        elif kind is None:
            body.append(lines[place])
    if "resume" not in kinds:
        body += [newline, *close]
    head, tail = lines[: section.start + 1], lines[section.end :]
    ended(head, newline)
    if not tail and not lines[-1].endswith("\n"):
        body[-1] = body[-1].rstrip("\r\n")
    return [*head, *body, *tail]


def _opened(
    lines: list[str], bullets: list[str], more: list[str], newline: str
) -> list[str]:
    """Put the section after the first heading; without one, before everything."""
    block = _ended([HEADING, "", *bullets, "", *more, RESUME], newline)
    if not "".join(lines).strip():
        return [*_ended([_TOP, ""], newline), *block]
    place = _after_heading(lines)
    head, tail = list(lines[:place]), lines[place:]
    ended(head, newline)
    if head and (not tail or not tail[0].strip()):
        return [*head, newline, *block, *tail]
    return [*head, *block, newline, *tail]


def _without(lines: list[str], section: _Section) -> list[str]:
    """Take our lines out again, and the empty line that came with them."""
    body = [
        lines[place]
        for place in range(section.start + 1, section.end)
        if place not in section.ours
    ]
    head, tail = lines[: section.start], lines[section.end :]
    if "".join(body).strip():
        return [*head, lines[section.start], *body, *tail]
    if head and not head[-1].strip():
        return [*head[:-1], *tail]
    if tail and not tail[0].strip():
        return [*head, *tail[1:]]
    return [*head, *tail]


def _after_heading(lines: Sequence[str]) -> int:
    begin = _after_front_matter(lines)
    covered = _covered(lines)
    for place in range(begin, len(lines)):
        if not covered[place] and lines[place].startswith("# "):
            return place + 1
    return begin


def _covered(lines: Sequence[str]) -> list[bool]:
    """A fence in the front matter opens nothing in the text below it."""
    begin = _after_front_matter(lines)
    return [True] * begin + fenced(lines[begin:])


def _after_front_matter(lines: Sequence[str]) -> int:
    if not lines or lines[0].rstrip() != "---":
        return 0
    for place in range(1, len(lines)):
        if lines[place].rstrip() == "---":
            return place + 1
    return 0


def _ended(texts: Sequence[str], newline: str) -> list[str]:
    return [text + newline for text in texts]
