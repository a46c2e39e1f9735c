"""What a checkpoint is known by: its names, what is at hand in it, what lies further back."""

import re
from collections.abc import Iterable
from functools import lru_cache

from holdfast.domain.checkpoint import Checkpoint, Content, Item, said_since
from holdfast.kernel.ids import label
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass
from holdfast.language.content_words import content_words, folded
from holdfast.start.continues.phrase_book import said
from holdfast.start.continues.trade_words import trade_words

# ASCII: where words have no spaces, the next one is no part of it.
IDENTIFIER = pattern(r"[A-Za-z_$][\w$]*[A-Z_\d][\w$]*|--[\w-]{3,}|\w+\(\)", re.ASCII)
SHORTEST_NAME = 4
_MOST_ITEMS = 12
_LATEST = 3  # requests that are at hand, beside the first; others are hardly spoken of
_MOST_WORDS = 3_000  # characters of the agent's last message
_MOST_QUESTION = 300
_COMMON_ERRORS = frozenset(
    [
        "Error", "Exception", "AssertionError", "TypeError", "ValueError", "KeyError",
        "RangeError", "ReferenceError", "SyntaxError", "ImportError", "RuntimeError",
    ]
)  # fmt: skip
# Names that every second project has; alone they say nothing.
_COMMON_FILES_TEXT = """
    readme.md readme index.js index.ts index.html main.py main.go main.rs main.tf app.py
    app.js app.ts package.json makefile dockerfile setup.py pyproject.toml __init__.py
    conftest.py cli.py utils.py models.py views.py settings.py config.json style.css
    claude.md agents.md changelog.md contributing.md license requirements.txt go.mod go.sum
    cargo.toml tsconfig.json docker-compose.yml utils.go utils.ts utils.js helpers.py types.ts
    types.go lib.rs mod.rs main.ts main.js index.tsx app.tsx app.vue root.go routes.rb
    routes.py config.py config.ts config.yml constants.py values.yaml package-lock.json
    """
COMMON_FILES = frozenset(_COMMON_FILES_TEXT.split())
_PARTS = pattern(r"[/._\-]|(?<=[a-z])(?=[A-Z])")
_NUMBER = pattern(r"\d[\d.,]*\d")
_ASKED = pattern(r"[^.!?。！？\n]*[?？]\W*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What a checkpoint is known by."""

    labels: tuple[str, ...] = ()
    names: tuple[str, ...] = ()  # identifiers and test names
    paths: tuple[str, ...] = ()
    branch: str = ""
    goal: tuple[str, ...] = ()  # what it is, what was asked first and last
    state: tuple[
        str, ...
    ] = ()  # how it stands: what is open, was told, decided, failed
    far: tuple[str, ...] = ()
    question: str = ""  # what the agent asked and nobody answered
    usual: tuple[str, ...] = ()  # what other work of the project speaks of


class WorkWords(NamedTuple):
    near: frozenset[str]  # of what it is and how it stands
    state: frozenset[str]
    far: frozenset[str]
    usual: frozenset[str]
    trade: frozenset[int]
    numbers: frozenset[str]
    text: str  # all of it, folded
    usual_text: str


def numbers_in(text: str) -> frozenset[str]:
    """Return the numbers in a text; one digit is anybody's."""
    return frozenset(_NUMBER.findall(text))


def base_of(path: str) -> str:
    """Return the name of a file as it is compared."""
    return folded(path).rpartition("/")[2]


def apart(name: str) -> str:
    """Return the words of a path or an identifier: `src/authToken.py`, `src auth Token py`."""
    return _PARTS.sub(" ", name)


def work_of(checkpoint: Checkpoint, others: Iterable[Checkpoint] = ()) -> Work:
    """Return what the first prompt of the next session is held against.

    What other work of the project has too tells nothing about this one.
    """
    content = checkpoint.draft.content
    contents = [other.draft.content for other in others]
    names = {name for one in contents for name in _names(one)}
    paths = {file.path for one in contents for file in one.files}
    return Work(
        labels=_labels(checkpoint),
        names=tuple(name for name in _names(content) if name not in names),
        paths=tuple(file.path for file in content.files if file.path not in paths),
        branch=checkpoint.draft.code.branch or "",
        goal=_goal(content),
        state=_state(content),
        far=(*_far(content), checkpoint.draft.code.branch or ""),
        question=_question(content),
        usual=tuple(text for one in contents for text in _all_of(one)),
    )


@lru_cache(maxsize=64)
def words_of(work: Work) -> WorkWords:
    """Return the words of a work; they are asked for more than once for one prompt."""
    telling = (path for path in work.paths if base_of(path) not in COMMON_FILES)
    texts = (*work.goal, *work.state, *telling)
    far = (*work.far, *work.names, work.branch)
    return WorkWords(
        near=content_words(apart(_text(texts))),
        state=content_words(apart(_text(work.state))),
        far=content_words(apart(_text(far))),
        usual=content_words(apart(_text(work.usual))),
        trade=trade_words(said(folded(_text(texts)))),
        numbers=numbers_in(_text(texts)),
        text=folded(_text((*texts, *far, *work.paths))),
        usual_text=folded(_text(work.usual)),
    )


def _labels(checkpoint: Checkpoint) -> tuple[str, ...]:
    number = checkpoint.number
    return (
        label(number),
        f"{number:05d}",
        f"checkpoint {number}",
        f"#{number}",
        *((checkpoint.name,) if checkpoint.name else ()),
    )


def _names(content: Content) -> tuple[str, ...]:
    return (*content.names, *_identifiers(content.errors))


def _goal(content: Content) -> tuple[str, ...]:
    asked = (*content.requests[:1], *content.requests[1:][-_LATEST:])
    told = (content.title, content.summary, *content.topics)
    return (*told, *(item.text for item in asked))


def _state(content: Content) -> tuple[str, ...]:
    items = (
        *content.pending[:_MOST_ITEMS],
        *content.next_steps[:_MOST_ITEMS],
        *content.open_questions[-_MOST_ITEMS:],
        *content.decisions[-_MOST_ITEMS:],
        *content.discoveries[-_MOST_ITEMS:],
        *content.key_outcomes[-_MOST_ITEMS:],
        *content.in_flight[-_MOST_ITEMS:],
        *content.errors[-_MOST_ITEMS:],
    )
    last = said_since(content) + content.said_before
    return (last[-_MOST_WORDS:], *(item.text for item in items))


def _far(content: Content) -> tuple[str, ...]:
    items = (*content.requests[1:][-_MOST_ITEMS:-_LATEST], *content.story[:_MOST_ITEMS])
    commands = (run.command for run in content.commands[-_MOST_ITEMS:])
    return (*(item.text for item in items), *commands)


def _all_of(content: Content) -> tuple[str, ...]:
    return (*_goal(content), *_state(content), *_far(content))


def _question(content: Content) -> str:
    if content.open_questions:
        return content.open_questions[-1].text
    asked = _ASKED.search(content.last_words[-_MOST_QUESTION:])
    return asked.group().strip() if asked else ""


def _identifiers(items: tuple[Item, ...]) -> tuple[str, ...]:
    found = (IDENTIFIER.findall(item.text) for item in items[-_MOST_ITEMS:])
    return tuple(
        name
        for names in found
        for name in names
        if name not in _COMMON_ERRORS and len(name) > SHORTEST_NAME
    )


def _text(texts: Iterable[str]) -> str:
    return " \n ".join(texts)
