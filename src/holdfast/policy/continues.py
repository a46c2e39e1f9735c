"""Does the first prompt of a session continue the work of a checkpoint?

Pure, and without a model: a phrase that says so, something that only that work has (a
path, an identifier, an error, a branch, a label), two content words in common with what
was asked or is open, one where the prompt speaks of it as known ("still", "again", "did
you"), or a very short prompt that names nothing new.
"""

import re
from typing import Literal

from holdfast.domain.checkpoint import Checkpoint, Item
from holdfast.ids import label
from holdfast.patterns import pattern
from holdfast.policy.content_words import content_words, folded, has_run, shared
from holdfast.policy.continuing_phrases import (
    ACTS,
    AGREES,
    ASKS_IN_GENERAL,
    FILLER,
    OTHER,
    PRESUPPOSES,
    REFERS,
    STRONG,
    WEAK,
    WEAK_ANYWHERE,
)
from holdfast.values import dataclass

Answer = Literal["resume", "keep", "discard"]
Sign = Literal["phrase", "name", "words", "known", "short"]

_MOST_TEXT = 2_000  # characters of a prompt that are looked at
_MOST_ITEMS = 12
_ENOUGH_SHARED = 2
_FEW_NEW = 2
_FEW_BESIDE = 1
_SHORT_WORDS, _SHORT_SIGNS = 6, 14
_SHORTEST_NAME = 4
_COMMON_ERRORS = frozenset(
    [
        "Error", "Exception", "AssertionError", "TypeError", "ValueError", "KeyError",
        "RangeError", "ReferenceError", "SyntaxError", "ImportError", "RuntimeError",
    ]
)  # fmt: skip
_COMMON_BRANCHES = frozenset(["main", "master", "dev", "develop", "trunk", "head"])
# Names that every second project has; alone they say nothing.
_COMMON_FILES_TEXT = """
    readme.md readme index.js index.ts index.html main.py main.go main.rs main.tf app.py
    app.js app.ts package.json makefile dockerfile setup.py pyproject.toml __init__.py
    conftest.py cli.py utils.py models.py views.py settings.py config.json style.css
    """
_COMMON_FILES = frozenset(_COMMON_FILES_TEXT.split())
# Parts of paths and branches that every second project has.
_COMMON_PARTS = frozenset(
    content_words(
        "app api branch build client common config core data docs feat feature fix index"
        " lib main manage model module page package public script server service src"
        " static template test type util view web"
    )
)
_PARTS = pattern(r"[/._\-]|(?<=[a-z])(?=[A-Z])")
_DENSE = pattern("[\u0e00-\u0e7f\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_IDENTIFIER = pattern(r"[A-Za-z_$][\w$]*[A-Z_\d][\w$]*|--[\w-]{3,}|\w+\(\)")
_WORD_EDGE = r"(?<![\w-]){}(?![\w-])"
_ANSWERS: tuple[tuple[Answer, re.Pattern[str]], ...] = (
    (
        "discard",
        pattern(
            r"(?:discard|delete|throw (?:it )?away|drop it|remove it)(?![a-z])"
            r"|ลบ|ทิ้ง|삭제|버려|지워"
        ),
    ),
    (
        "keep",
        pattern(r"(?:keep|no|later)(?![a-z])|เก็บ|ไม่|ไว้ก่อน|보관|유지|아니|나중"),
    ),
    (
        "resume",
        pattern(
            r"(?:resume|continue|yes|yeah|y|ok|okay|load it)(?![a-z])"
            r"|ทำต่อ|ต่อ|ใช่|โอเค|ได้|네|예|응|계속|이어서"
        ),
    ),
)
_MOST_ANSWER = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What a checkpoint is known by."""

    labels: tuple[str, ...] = ()
    names: tuple[str, ...] = ()  # identifiers and test names
    paths: tuple[str, ...] = ()
    branch: str = ""
    texts: tuple[str, ...] = ()  # what was asked, what is open, what failed


def work_of(checkpoint: Checkpoint) -> Work:
    """Return what the first prompt of the next session is held against."""
    content = checkpoint.draft.content
    opened = (
        *content.requests[-_MOST_ITEMS:],
        *content.pending[:_MOST_ITEMS],
        *content.next_steps[:_MOST_ITEMS],
        *content.open_questions[:_MOST_ITEMS],
        *content.errors[-_MOST_ITEMS:],
    )
    number = str(checkpoint.number)
    return Work(
        labels=(
            label(checkpoint.number),
            f"{checkpoint.number:05d}",
            f"checkpoint {number}",
            f"#{number}",
            *((checkpoint.name,) if checkpoint.name else ()),
        ),
        names=(*content.names, *_identifiers(content.errors)),
        paths=tuple(file.path for file in content.files),
        branch=checkpoint.draft.code.branch or "",
        texts=(content.title, *(item.text for item in opened)),
    )


def continues(prompt: str, work: Work) -> Sign | None:
    """Return by which sign a prompt continues the work, or None if it does not."""
    text = folded(prompt[:_MOST_TEXT])
    if not text or text.startswith("/"):
        return None
    if _names(prompt[:_MOST_TEXT], text, work):
        return "name"
    return None if OTHER.search(text) else _said(text, work)


def _said(whole: str, work: Work) -> Sign | None:
    text = FILLER.sub("", whole, count=1)
    if not text:
        return "short" if AGREES.match(whole) else None
    ours = content_words(text)
    known = content_words(" \n ".join((*work.texts, *work.names)))
    common = shared(ours, known)
    if STRONG.search(whole) or _says_so(text, ours, common):
        return "phrase"
    if has_run(text, work.texts) or _is_about(text, ours, common):
        return "words"
    if PRESUPPOSES.search(text) and _speaks_of(ours, common, work):
        return "known"
    return "short" if _names_nothing(text) else None


def _is_about(text: str, ours: frozenset[str], common: int) -> bool:
    """Say whether two words are in common; or one, if there is hardly another."""
    if not common or common >= _ENOUGH_SHARED:
        return common > 0
    beside = shared(ours, ours) - common
    return beside <= _FEW_BESIDE and not ASKS_IN_GENERAL.match(text)


def _says_so(text: str, ours: frozenset[str], common: int) -> bool:
    if WEAK.match(text) and _is_bare(text, common):
        return True
    is_free = common > 0 or shared(ours, ours) <= 1
    return is_free and WEAK_ANYWHERE.search(text) is not None


def _speaks_of(ours: frozenset[str], common: int, work: Work) -> bool:
    """Known work is spoken of: one word of it is enough, or hardly any word at all."""
    if common > 0 or shared(ours, ours) <= 1:
        return True
    parts = " ".join((*work.paths, work.branch, *work.names))
    return bool(ours & (content_words(_PARTS.sub(" ", parts)) - _COMMON_PARTS))


def names_it(prompt: str, work: Work) -> bool:
    """Say whether a prompt names the checkpoint itself: its number, label or name."""
    text = folded(prompt[:_MOST_TEXT])
    return any(_has(text, folded(one)) for one in work.labels)


def answer_of(prompt: str) -> Answer | None:
    """Return what a short answer (English, Thai, Korean) says to `resume it?`."""
    text = folded(prompt).strip(" .!?。")
    if len(text) > _MOST_ANSWER:
        return None
    for answer, expression in _ANSWERS:
        if expression.match(text):
            return answer
    return None


def _names(raw: str, text: str, work: Work) -> bool:
    """Say whether a prompt names something that only this work has."""
    if names_it(raw, work):
        return True
    if any(_is_telling(name) and _has(text, folded(name)) for name in work.names):
        return True
    bases = (path.rpartition("/")[2] for path in work.paths)
    stems = (b.partition(".")[0] for b in bases if folded(b) not in _COMMON_FILES)
    if any(_is_telling(stem) and _has(text, folded(stem)) for stem in stems):
        return True
    branch = folded(work.branch)
    if branch and branch not in _COMMON_BRANCHES and _has(text, branch):
        return True
    return ("." in raw or "/" in raw) and any(_has_path(text, p) for p in work.paths)


def _has(text: str, wanted: str) -> bool:
    if len(wanted) < _SHORTEST_NAME or wanted not in text:
        return False
    return re.search(_WORD_EDGE.format(re.escape(wanted)), text) is not None


def _has_path(text: str, path: str) -> bool:
    whole = folded(path)
    base = whole.rpartition("/")[2]
    if "/" in whole and _has(text, whole):
        return True
    return base not in _COMMON_FILES and "." in base and _has(text, base)


def _is_telling(name: str) -> bool:
    """A plain word may be anybody's; an identifier is somebody's."""
    return _IDENTIFIER.fullmatch(name) is not None or "." in name


def _identifiers(items: tuple[Item, ...]) -> tuple[str, ...]:
    found = (_IDENTIFIER.findall(item.text) for item in items[-_MOST_ITEMS:])
    return tuple(
        name
        for names in found
        for name in names
        if name not in _COMMON_ERRORS and len(name) > _SHORTEST_NAME
    )


def _is_bare(text: str, common: int) -> bool:
    """`continue` alone, or with little that is new: `continue with the parser`."""
    rest = WEAK.sub("", text, count=1)
    return common > 0 or len(content_words(rest)) <= _FEW_NEW


def _names_nothing(text: str) -> bool:
    if _DENSE.search(text):
        is_short = len(text) <= _SHORT_SIGNS
        return is_short and bool(ACTS.match(text) or REFERS.search(text))
    if len(text.split()) > _SHORT_WORDS or ASKS_IN_GENERAL.match(text):
        return False
    return len(content_words(text)) <= (1 if REFERS.search(text) else 0)
