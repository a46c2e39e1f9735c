"""Which files a small program names that it writes, moves or removes: Python, JavaScript
and Ruby given on a command line, and patches.

Names are read where they stand as text, or in a variable that was given such a text.
"""

from collections.abc import Iterator, Mapping

from holdfast.domain.code import Deed, ShellChange
from holdfast.kernel.lazy_patterns import pattern

_TEXT = r"[rfbu]?(?P<q>['\"`])(?P<text>[^'\"`\n]+)(?P=q)"
# `path = 'a.py'`, `const p = "a.js"`, `p = Path('a.py')`, and a loop over several.
_GIVEN = pattern(
    r"(?:^|[\n;])[ \t]*(?:(?:const|let|var)\s+)?(?P<name>[A-Za-z_]\w*)\s*=\s*"
    rf"(?:(?:\w+\.)*(?:Path|open|resolve|join)\(\s*)?{_TEXT}\s*\)?\s*(?=[\n;#]|$)"
)
_MANY = pattern(
    r"(?:for\s+(?P<one>[A-Za-z_]\w*)\s+in\s*|(?P<name>[A-Za-z_]\w*)\s*=\s*)"
    r"[\[(](?P<items>[^\])]*)[\])]"
)
_LOOP = pattern(r"for\s+(?:const\s+|let\s+)?(?P<one>\w+)\s+(?:in|of)\s+(?P<many>\w+)\b")
_ITEM = pattern(r"(['\"])([^'\"\n]+)\1")
_NAME = r"(?:(?P<var>[A-Za-z_]\w*)|[rbu]?(?P<q>['\"`])(?P<text>[^'\"`\n]+)(?P=q))"
_DEEDS: Mapping[str, tuple[tuple[Deed, str], ...]] = {
    "python": (
        ("written", rf"\bopen\(\s*{_NAME}\s*,\s*(?:mode\s*=\s*)?['\"](?:[wx]b?\+?|r\+b?)['\"]"),
        ("extended", rf"\bopen\(\s*{_NAME}\s*,\s*(?:mode\s*=\s*)?['\"]ab?\+?['\"]"),
        ("written", rf"(?:Path\(\s*)?{_NAME}\s*\)?\.(?:write_text|write_bytes|touch)\("),
        ("written", rf"(?:Path\(\s*)?{_NAME}\s*\)?\.open\(\s*['\"][wx]"),
        ("removed", rf"\b(?:os\.(?:remove|unlink)|shutil\.rmtree)\(\s*{_NAME}\s*\)"),
        ("removed", rf"(?:Path\(\s*)?{_NAME}\s*\)?\.unlink\("),
        ("moved", rf"\b(?:os\.(?:rename|replace)|shutil\.move)\(\s*{_NAME}\s*,"),
        ("written", rf"\bshutil\.copy\w*\([^,\n]+,\s*{_NAME}\s*\)"),
    ),
    "node": (
        ("written", rf"\b(?:writeFile(?:Sync)?|Bun\.write|writeTextFile(?:Sync)?)\(\s*{_NAME}\s*,"),
        ("extended", rf"\bappendFile(?:Sync)?\(\s*{_NAME}\s*,"),
        ("removed", rf"\b(?:unlink|rm)(?:Sync)?\(\s*{_NAME}\s*[,)]"),
        ("moved", rf"\brename(?:Sync)?\(\s*{_NAME}\s*,"),
        ("written", rf"\bcopyFile(?:Sync)?\([^,\n]+,\s*{_NAME}\s*[,)]"),
    ),
    "ruby": (
        ("written", rf"\bFile\.(?:write|binwrite)\(?\s*{_NAME}\s*,"),
        ("written", rf"\bFile\.open\(?\s*{_NAME}\s*,\s*['\"]w"),
        ("removed", rf"\b(?:File\.delete|FileUtils\.rm(?:_f)?)\(?\s*{_NAME}"),
    ),
}  # fmt: skip
# Without one of them nothing is written, and most small programs only look.
_VERBS = (
    "'w", '"w', "'a'", '"a"', "'r+", '"r+', "rite", "ppend", "touch", "remove", "unlink",
    "rmtree", "ename", "replace(", "move(", "copy", "rm(", "rmSync", "delete", "FileUtils",
)  # fmt: skip
_SAME = {"bun": "node", "deno": "node", "python": "python", "py": "python"}
_COMPILED = {
    program: tuple((deed, pattern(sign)) for deed, sign in signs)
    for program, signs in _DEEDS.items()
}
_SECOND = pattern(r"\s*(?:(?P<var>[A-Za-z_]\w*)|['\"](?P<text>[^'\"\n]+)['\"])\s*\)")
_PATCHED = pattern(
    r"^(?:\*\*\* (?P<how>Update|Add|Delete) File: (?P<named>.+)"
    r"|\*\*\* Move to: (?P<moved>.+)|--- (?P<old>\S+)|\+\+\+ (?P<new>\S+)"
    r"|(?P<line>[+-]))",
    8,  # re.MULTILINE
)


def written_by(program: str, code: str) -> Iterator[ShellChange]:
    """Yield the files that a program's text names as written, moved or removed."""
    signs = _COMPILED.get(_SAME.get(program, program))
    if not signs or not any(verb in code for verb in _VERBS):
        return
    known = _variables(code)
    seen: set[tuple[Deed, str]] = set()
    for deed, sign in signs:
        for found in sign.finditer(code):
            for path in _paths(found["var"], found["text"], known):
                source, named = "", path
                if deed == "moved":
                    to = _SECOND.match(code, found.end())
                    into = to and _paths(to["var"], to["text"], known)
                    if not into:
                        continue
                    source, named = path, into[0]
                if (deed, named) not in seen:
                    seen.add((deed, named))
                    yield ShellChange(deed, named, source=source)


def _paths(
    variable: str | None, text: str | None, known: Mapping[str, tuple[str, ...]]
) -> tuple[str, ...]:
    if text is not None:
        return () if any(sign in text for sign in "{}$%") else (text,)
    return known.get(variable or "", ())


def _variables(code: str) -> dict[str, tuple[str, ...]]:
    """Return the names that were given a text, or several in a list."""
    known: dict[str, tuple[str, ...]] = {
        found["name"]: (found["text"],)
        for found in _GIVEN.finditer(code)
        if not any(sign in found["text"] for sign in "{}$%")
    }
    for found in _MANY.finditer(code):
        if items := tuple(item[2] for item in _ITEM.finditer(found["items"])):
            known[found["one"] or found["name"]] = items
    for found in _LOOP.finditer(code):
        if found["many"] in known:
            known[found["one"]] = known[found["many"]]
    return known


def patched(text: str) -> Iterator[ShellChange]:
    """Yield the files that a patch changes, each with its lines."""
    change: ShellChange | None = None
    old = ""
    for found in _PATCHED.finditer(text):
        if found["line"] and change:
            is_added = found["line"] == "+"
            change = change._replace(
                added=change.added + is_added, removed=change.removed + (not is_added)
            )
        elif found["old"]:
            old = found["old"]
        elif found["moved"] and change:
            path = found["moved"].strip()
            change = change._replace(deed="moved", path=path, source=change.path)
        elif found["how"] or found["new"]:
            if change:
                yield change
            change = _begun(found["how"], found["named"], old, found["new"])
    if change:
        yield change


def _begun(
    how: str | None, named: str | None, old: str, new: str | None
) -> ShellChange:
    if how:
        deed: Deed = {"Update": "edited", "Add": "written", "Delete": "removed"}[how]  # type: ignore[assignment]  # these three
        return ShellChange(deed, (named or "").strip())
    if new == "/dev/null":
        return ShellChange("removed", _side(old))
    return ShellChange("written" if old == "/dev/null" else "edited", _side(new or ""))


def _side(name: str) -> str:
    """Return a file's name without the side that git puts before it."""
    return name[2:] if name.startswith(("a/", "b/")) else name
