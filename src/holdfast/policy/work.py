"""What a checkpoint is known by: its names, what is at hand in it, what lies further back."""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from holdfast.domain.checkpoint import Checkpoint, Content, Item
from holdfast.ids import label
from holdfast.patterns import pattern
from holdfast.policy.content_words import content_words, folded
from holdfast.policy.phrase_book import said
from holdfast.policy.trade_words import trade_words
from holdfast.tuples import NamedTuple
from holdfast.values import dataclass

IDENTIFIER = pattern(r"[A-Za-z_$][\w$]*[A-Z_\d][\w$]*|--[\w-]{3,}|\w+\(\)")
SHORTEST_NAME = 4
_MOST_ITEMS = 12
_OFTEN = 3  # texts that have a word
_LATEST = 3  # requests that are at hand; older ones are hardly spoken of again
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
_ASKED = pattern(r"[^.!?。！？\n]*[?？]\W*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What a checkpoint is known by."""

    labels: tuple[str, ...] = ()
    names: tuple[str, ...] = ()  # identifiers and test names
    paths: tuple[str, ...] = ()
    branch: str = ""
    near: tuple[str, ...] = ()  # what was asked last, what is open, what was said of it
    far: tuple[str, ...] = ()
    question: str = ""  # what the agent asked and nobody answered
    usual: tuple[str, ...] = ()  # what other work of the project speaks of


class WorkWords(NamedTuple):
    near: frozenset[str]
    themes: frozenset[str]  # words that come up again and again: this is about them
    far: frozenset[str]
    usual: frozenset[str]
    trade: frozenset[int]


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
        near=_near(content),
        far=(*_far(content), checkpoint.draft.code.branch or ""),
        question=_question(content),
        usual=tuple(text for one in contents for text in (*_near(one), *_far(one))),
    )


@lru_cache(maxsize=64)
def words_of(work: Work) -> WorkWords:
    """Return the words of a work; they are asked for more than once for one prompt."""
    telling = (path for path in work.paths if base_of(path) not in COMMON_FILES)
    texts = (*work.near, *map(apart, telling))
    counts = Counter(word for text in texts for word in content_words(text))
    return WorkWords(
        near=frozenset(counts),
        themes=frozenset(word for word, count in counts.items() if count >= _OFTEN),
        far=content_words(_text((*work.far, *map(apart, (*work.names, work.branch))))),
        usual=content_words(_text(work.usual)),
        trade=trade_words(said(folded(_text(texts)))),
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


def _near(content: Content) -> tuple[str, ...]:
    items = (
        *content.requests[-_LATEST:],
        *content.pending[:_MOST_ITEMS],
        *content.next_steps[:_MOST_ITEMS],
        *content.open_questions[-_MOST_ITEMS:],
        *content.decisions[-_MOST_ITEMS:],
        *content.discoveries[-_MOST_ITEMS:],
        *content.key_outcomes[-_MOST_ITEMS:],
        *content.in_flight[-_MOST_ITEMS:],
        *content.errors[-_MOST_ITEMS:],
    )
    told = (content.title, content.summary, content.last_words[-_MOST_WORDS:])
    return (*told, *content.topics, *(item.text for item in items))


def _far(content: Content) -> tuple[str, ...]:
    items = (*content.requests[-_MOST_ITEMS:-_LATEST], *content.story[:_MOST_ITEMS])
    commands = (run.command for run in content.commands[-_MOST_ITEMS:])
    return (*(item.text for item in items), *commands)


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
