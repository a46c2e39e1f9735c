"""What a session is about: topics, kind of work, field, and the identifiers in play."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import exp2

from holdfast.domain.checkpoint import FileRef, Item
from holdfast.domain.event import EDITING, SHELL
from holdfast.domain.session import Call, Turn
from holdfast.domain.text import identifiers
from holdfast.facts.commands.meaningful import is_own
from holdfast.facts.work.files import stem_of
from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.language import Language
from holdfast.language.languages import Cues
from holdfast.language.sentences import PASTED, word_list

_MOST_TOPICS = 6
_WORD = pattern(r"[A-Za-z][a-z]{2,}|[A-Z]{3,}(?![a-z])")
_FRAGMENT = pattern(r"[^\W\d_]{3,}")

# What is written down with any work says nothing of its field.
_WRITTEN_ALONG = pattern(
    r"(?:^|/)(?:CHANGELOG|CHANGES|HISTORY|NEWS|RELEASE[-_ ]?NOTES|VERSION)(?:\.\w+)?$",
    re.IGNORECASE,
)
_RARE = ("data",)  # fields whose files are few beside the code that reads them
_DOCS = (".md", ".mdx", ".rst", ".txt", ".adoc")
_FIELDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("mobile", pattern(r"\.(?:swift|kt|kts|dart|m|mm)$|(?:^|/)(?:android|ios)/")),
    ("frontend", pattern(r"\.(?:tsx|jsx|vue|svelte|css|scss|sass|less|html?|astro)$")),
    ("devops", pattern(
        r"(?:^|/)(?:Dockerfile|docker-compose|Makefile|Jenkinsfile|\.github/|\.gitlab|helm/|k8s/"
        r"|terraform/|ansible/)|\.(?:tf|hcl|sh|bash|nix)$")),
    ("data", pattern(r"\.(?:sql|ipynb|parquet|csv|r|rmd)$|(?:^|/)(?:dbt|notebooks|etl)/", re.IGNORECASE)),
    ("docs", pattern(r"\.(?:md|mdx|rst|adoc)$")),
    ("backend", pattern(
        r"\.(?:py|go|rs|java|rb|php|cs|ts|js|mjs|c|cc|cpp|h|hpp|ex|exs|scala|clj|erl|lua|zig|proto)$")),
)  # fmt: skip

_MOST_NAMES = 80

# Calls after which a mention counts half as much: what is at hand comes back at once,
# what the work is about comes back all the time.
_AT_HAND, _ABOUT = 5, 60
_ABOUT_SHARE = 0.1
_COUNTS_FOR = 240  # calls; older mentions change nothing
_WRITTEN = 0.7  # of the many names in a piece of code each counts less
_SPOKEN = 0.7  # what was said counts less than what was done
_CUT = 350  # characters; a longer text may end in half a name


def _asks_for(kind: str) -> Callable[[Language], str]:
    return lambda spoken: spoken.requests.kinds.get(kind, "")


_KINDS = {
    kind: Cues(_asks_for(kind))
    for kind in (
        "debugging",
        "testing",
        "documentation",
        "refactoring",
        "planning",
        "research",
    )
}


def topics_of(texts: Sequence[str], files: Sequence[FileRef]) -> tuple[str, ...]:
    """Return the few words that name the work, the most telling first.

    A word counts if people came back to it or a changed file is called by it.
    """
    count: Counter[str] = Counter()
    for text in texts:
        count.update(dict.fromkeys(_words(PASTED.sub("", text)), 2))
    for file in files[:40]:
        weight = 1 if file.change == "read" else 3
        count.update(dict.fromkeys(_words(stem_of(file.path)), weight))
    ranked = sorted(count.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(word for word, weight in ranked if weight > 2)[:_MOST_TOPICS]  # noqa: PLR2004  # more than one mention


def work_type_of(
    requests: Sequence[Item], files: Sequence[FileRef], *, has_plan: bool
) -> str:
    """Return the kind of work, by what was asked and what was changed."""
    changed = [file.path for file in files if file.change != "read"]
    written = [path for path in changed if not _WRITTEN_ALONG.search(path)]
    if written and all(path.endswith(_DOCS) for path in written):
        return "documentation"
    if has_plan and not changed:
        return "planning"
    count = _kinds_asked(requests)
    tests = [path for path in changed if "test" in path.lower()]
    if not tests:
        count.pop("testing", None)
    elif len(tests) == len(changed):
        count["testing"] += 2
    if not changed:
        return _top(count, ("planning", "research", "debugging"), 1) or "research"
    count.pop("research", None)
    least = max(1, len(requests) * 0.5)
    return _top(count, tuple(count), least) or "development"


def names_of(
    turns: Sequence[Turn], files: Sequence[FileRef], wrote: Sequence[tuple[str, str]]
) -> tuple[str, ...]:
    """Return identifiers by how often and how lately they were used.

    `wrote` holds the names in what was written last, by call.
    """
    score: defaultdict[str, float] = defaultdict(float)
    for text, weight in _texts(turns, dict(wrote)):
        for name in identifiers(text):
            score[name] += weight
    known = {stem_of(file.path) for file in files}
    ranked = sorted(score.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(name for name, _ in ranked if name not in known)[:_MOST_NAMES]


def _kinds_asked(requests: Sequence[Item]) -> Counter[str]:
    return Counter(
        kind
        for request in requests
        for kind, expression in _KINDS.items()
        if expression.search(request.text[:2000])
    )


def domain_of(files: Sequence[FileRef]) -> str:
    """Return the field of work, by the files: what was changed counts most."""
    count: Counter[str] = Counter()
    for file in files:
        if _WRITTEN_ALONG.search(file.path):
            continue
        for field, expression in _FIELDS:
            if expression.search(file.path):
                weight = 1 if file.change == "read" else 4
                count[field] += 2 * weight if field in _RARE else weight
                break
    return _top(count, tuple(name for name, _ in _FIELDS), 1) or "general"


def _words(text: str) -> Iterable[str]:
    empty = _empty_words()
    for fragment in _FRAGMENT.findall(text[:4000]):
        if fragment.isascii():
            for word in _WORD.findall(fragment):
                lowered = word.lower()
                if lowered not in empty:
                    yield lowered


@cache
def _empty_words() -> frozenset[str]:
    return word_list("common") | word_list("small")


def _top(count: Counter[str], order: Sequence[str], least: float) -> str | None:
    ranked = [name for name in order if count[name] >= least]
    return max(ranked, key=lambda name: count[name]) if ranked else None


def _texts(
    turns: Sequence[Turn], wrote: Mapping[str, str]
) -> Iterator[tuple[str, float]]:
    """Yield what names stand in, with its weight, from the end as far as it counts."""
    age = 0
    for turn in reversed(turns):
        freshest = _freshness(age)
        for call in reversed(turn.calls):
            is_edit = call.role in EDITING
            text = wrote.get(call.call_id) or _text(call)
            yield text, _freshness(age) * (_WRITTEN if is_edit else 1)
            age += 1
        for said in turn.said:
            yield said.text, _SPOKEN * freshest
        yield turn.prompt[:4000], freshest
        if age > _COUNTS_FOR:
            return


def _freshness(age: int) -> float:
    return exp2(-age / _AT_HAND) + _ABOUT_SHARE * exp2(-age / _ABOUT)


def _text(call: Call) -> str:
    """Return the part of a call in which names stand for code."""
    if call.role in EDITING:
        is_cut = len(call.detail) >= _CUT
        return call.detail.rpartition(" ")[0] if is_cut else call.detail
    if call.role == "search":
        return call.target.replace("\\b", " ")  # a pattern's word boundary
    return call.target if call.role in SHELL and not is_own(call) else ""
