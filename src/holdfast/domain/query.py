"""A question to the store, already understood. Parsing it is search/query.py."""

from typing import Literal

from holdfast.domain.checkpoint import Checkpoint
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where to look. `project_id` None means every project."""

    project_id: str | None = None
    workspace: str | None = None

    def in_project(self) -> "Scope":
        """Return the whole project: finding spans it, resuming stays in a workspace."""
        return Scope(project_id=self.project_id)


FilterKind = Literal[
    "checkpoint", "session", "parent", "lineage", "tag", "type", "file", "tool",
    "branch", "topic", "name",
]  # fmt: skip


class Filter(NamedTuple):
    """One filter by itself: `tag:api`."""

    kind: FilterKind
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """The query language of the contract, as values. All filters must hold."""

    words: tuple[str, ...] = ()  # free words, OR-ed, all-words first
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    checkpoint: str | None = None  # id or prefix
    session: str | None = None  # id or prefix
    parent: str | None = None  # checkpoints whose session has this parent
    lineage: str | None = None  # checkpoints of the whole chain of this session
    tags: tuple[str, ...] = ()
    type: str | None = None
    files: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    branch: str | None = None
    topics: tuple[str, ...] = ()
    name: str | None = None
    after: int | None = None  # Unix ms, inclusive
    before: int | None = None  # Unix ms, exclusive
    without: tuple[Filter, ...] = ()  # filters of which none may hold
    latest: bool = False  # only the newest that matches
    sort: Literal["relevance", "asc", "desc"] = "relevance"


@dataclass(frozen=True, slots=True)
class Passage:
    """The words of a record that answered a query, as the record has them."""

    kind: str  # the Content field it is of: title, decisions, errors, requests …
    text: str
    evidence: tuple[str, ...] = ()  # transcript lines where it can be read


@dataclass(frozen=True, slots=True)
class Hit:
    checkpoint: Checkpoint
    score: float
    passage: Passage | None = None  # None: it answered by filters alone


@dataclass(frozen=True, slots=True)
class HealthResult:
    """One line of a health check."""

    name: str
    state: Literal["ok", "warn", "fail"]
    message: str
    hint: str = ""
