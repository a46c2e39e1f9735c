"""The head of a Markdown file between two lines of `---`: the part of YAML that programs
write there. Pure, and any text has a meaning: what is not understood is left out."""

from collections.abc import Mapping, Sequence

from holdfast.kernel.lazy_patterns import pattern
from holdfast.neighbours.texts import distinct, parsed_json

_FENCE = "---"
_KEY = pattern(r"([A-Za-z_][\w.-]{0,63}):(?:[ \t]+(.*))?")
_BLOCKS = ("|", "|-", "|+", ">", ">-", ">+")
_MOST_LINES = 2_000  # of a head; a text that begins with a rule is no head


class FrontMatter:
    """Fields by their names, `git.branch` where one stands in another; each has the texts
    of its list, or its one text."""

    def __init__(self, fields: Mapping[str, Sequence[str]], body: str) -> None:
        self._fields = {name: distinct(texts) for name, texts in fields.items()}
        self.body = body

    def text(self, name: str) -> str:
        return " ".join(self._fields.get(name, ()))

    def texts(self, name: str) -> tuple[str, ...]:
        return self._fields.get(name, ())


def front_matter(text: str) -> FrontMatter | None:
    """Return the head and the body of a text, or None if it has no head."""
    lines = text.split("\n")
    if lines[0].rstrip() != _FENCE:
        return None
    for number, line in enumerate(lines[1:_MOST_LINES], 1):
        if line.rstrip() == _FENCE:
            body = "\n".join(lines[number + 1 :]).strip()
            return FrontMatter(_fields(lines[1:number]), body)
    return None


def _fields(lines: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    outer = at = ""  # the field on the left margin, and the one that is being read
    depth = 0  # where `at` stands
    for line in lines:
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        indent = len(line) - len(line.lstrip())
        key = _KEY.fullmatch(bare)
        is_inner = bool(outer) and not found[outer] and (at == outer or indent <= depth)
        if key and (indent == 0 or is_inner):
            at = f"{outer}.{key[1]}" if indent else key[1]
            outer, depth = outer if indent else at, indent
            found.setdefault(at, []).extend(_values(key[2] or ""))
        elif bare.startswith("- ") and at:
            found[at].append(_unquoted(bare[2:].strip()))
        elif at and found[at]:
            found[at][-1] += f" {bare}"
        elif at:
            found[at].append(bare)
    return found


def _values(text: str) -> list[str]:
    text = text.strip()
    if not text or text in _BLOCKS:
        return []
    if text.startswith("[") and text.endswith("]"):
        return [_unquoted(part.strip()) for part in text[1:-1].split(",")]
    return [_unquoted(text)]


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] == '"':
        read = parsed_json(text)
        return read if isinstance(read, str) else text[1:-1]
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    return text
