"""Which earlier checkpoints matter to the work at hand, and why.

Pure: what is done now and what was done then in, advice out. Something that many earlier
sessions share says little; what few share says much. Better silent than beside the point.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log2

from holdfast.domain.checkpoint import Content, FileRef, Item, is_open
from holdfast.domain.fact import Failure
from holdfast.domain.text import one_line
from holdfast.facts.commands.trouble_ledger import signature
from holdfast.kernel.lazy_values import dataclass, field
from holdfast.language.sentences import word_list
from holdfast.search.tokeniser import has_dense, index_terms, written_words

MOST = 3
_ENOUGH = 2.5  # below that, silence
_NEAR_THE_BEST = 0.4  # of the best one's strength
_FILE, _ERROR, _NAME, _WORD = 3.6, 5.0, 1.0, 0.9
_LOOKED_AT = 0.7  # of what a changed file counts
_MOST_OF_FILES, _MOST_OF_NAMES, _MOST_OF_WORDS = 6.0, 3.0, 3.0
_LEAST_OF_A_FILE = 0.4  # work on one file belongs together, however often it is
_FEW = 12  # sessions; of fewer, "all of them" does not mean common
_NO_SIGN = 0.1
_HALF_IS_ALL = 2.0  # a request that shares half of its words shares what matters
_A_REASON = 0.5  # below that, a likeness is not worth telling
_SHOWN = 3
_Reason = tuple[float, str]  # how strong, in words

# Touched by work of every kind.
_EVERYBODYS = frozenset(
    [
        "changelog.md", "readme.md", "package.json", "package-lock.json", "yarn.lock",
        "pnpm-lock.yaml", "pyproject.toml", "uv.lock", "poetry.lock", "cargo.toml",
        "cargo.lock", "go.mod", "go.sum", "makefile", ".gitignore", "__init__.py",
        "claude.md", "agents.md", "todo.md", "requirements.txt", "tsconfig.json",
    ]
)  # fmt: skip

_MOST_TEXT = 4000  # characters of one text; a longer one is a paste
_LATEST = 3  # requests that say what is wanted now
_LEAST_WORDS = 3  # an error of fewer words may be any error
_MOST_OF_AN_ERROR = 80
_SHORTEST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkProfile:
    """What a session is or was about. A mapping's values are how people say its keys."""

    files: tuple[str, ...] = ()  # changed ones, those most likely needed next first
    looked_at: tuple[str, ...] = ()  # at hand, but not changed
    errors: Mapping[str, str] = field(default_factory=dict)  # by signature
    names: Mapping[str, str] = field(default_factory=dict)  # identifiers, by term
    words: Mapping[str, str] = field(default_factory=dict)  # of requests, by term


@dataclass(frozen=True, slots=True)
class Past:
    """An earlier checkpoint. Of one session several may be asked about."""

    checkpoint_id: str
    session_id: str
    work: WorkProfile


@dataclass(frozen=True, slots=True)
class Advice:
    checkpoint_id: str
    strength: float
    why: tuple[str, ...]  # the strongest reason first


def advise(
    now: WorkProfile,
    past: Sequence[Past],
    background: Sequence[Past],
    limit: int = MOST,
) -> tuple[Advice, ...]:
    """Return what matters, the strongest first, one checkpoint of each session.

    `past` has the newest first, so of equals the newest is taken. `background` is
    what else there is: it only tells how common something is.
    """
    commonness = _Commonness([*past, *background])
    best: dict[str, Advice] = {}
    for each in past:
        advice = _advice(now, each, commonness)
        held = best.get(each.session_id)
        if held is None or advice.strength > held.strength:
            best[each.session_id] = advice
    ranked = sorted(best.values(), key=lambda advice: -advice.strength)
    least = max(_ENOUGH, _NEAR_THE_BEST * ranked[0].strength) if ranked else _ENOUGH
    return tuple(a for a in ranked[:limit] if a.strength >= least)


def same_file(one: str, other: str) -> bool:
    """Say whether two paths mean one file: equal, or one the end of the other."""
    if one == other:
        return True
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    return "/" in shorter and longer.endswith("/" + shorter)


class _Commonness:
    """In how many sessions something occurs, of all that are looked at."""

    def __init__(self, everything: Iterable[Past]) -> None:
        sessions: dict[str, set[str]] = {}
        for past in everything:
            work = past.work
            base_names = (path.rpartition("/")[2].lower() for path in work.files)
            said = sessions.setdefault(past.session_id, set())
            said.update(base_names, work.names, work.words)
        self._sessions = max(_FEW, len(sessions))
        self._counts = Counter(term for said in sessions.values() for term in said)

    def rarity(self, term: str) -> float:
        """Return 1 for what one session of many has, near 0 for what all have."""
        everyone = self._sessions + 1
        return log2(everyone / max(1, self._counts[term])) / log2(everyone)


def _advice(now: WorkProfile, past: Past, commonness: _Commonness) -> Advice:
    then = past.work
    reasons = [
        _errors(now, then),
        _files(now, then, commonness),
        _names(now, then, commonness),
        _words(now, then, commonness),
    ]
    reasons.sort(key=lambda reason: -reason[0])
    why = tuple(text for strength, text in reasons if text and strength >= _A_REASON)
    return Advice(past.checkpoint_id, sum(strength for strength, _ in reasons), why)


def _errors(now: WorkProfile, then: WorkProfile) -> _Reason:
    shared = [said for key, said in now.errors.items() if key in then.errors]
    return (_ERROR, f"met the same error: {shared[0]}") if shared else (0.0, "")


def _files(now: WorkProfile, then: WorkProfile, commonness: _Commonness) -> _Reason:
    shared = {
        path: _file_weight(path, commonness) * share
        for paths, share in ((now.looked_at, _LOOKED_AT), (now.files, 1.0))
        for path in paths
        if any(same_file(path, other) for other in then.files)
    }
    strongest = sorted(shared, key=lambda path: -shared[path])
    strength = min(_MOST_OF_FILES, sum(shared.values()))
    told = _listed([path.rpartition("/")[2] for path in strongest])
    too = " too" if any(path in shared for path in now.files) else ""
    return strength, f"changed {told}{too}" if told else ""


def _file_weight(path: str, commonness: _Commonness) -> float:
    name = path.rpartition("/")[2].lower()
    if name in _EVERYBODYS:
        return _NO_SIGN
    return _FILE * max(_LEAST_OF_A_FILE, commonness.rarity(name))


def _names(now: WorkProfile, then: WorkProfile, commonness: _Commonness) -> _Reason:
    shared = _shared(now.names, then.names, commonness)
    told = _listed([now.names[term] for term in shared])
    strength = min(_MOST_OF_NAMES, _NAME * sum(shared.values()))
    return strength, f"speaks of {told}" if told else ""


def _words(now: WorkProfile, then: WorkProfile, commonness: _Commonness) -> _Reason:
    """A long request has words in common with everything: the share of them counts."""
    shared = _shared(now.words, then.words, commonness)
    everything = sum(commonness.rarity(term) for term in now.words) or 1.0
    strength = sum(shared.values())
    share = min(1.0, _HALF_IS_ALL * strength / everything)
    told = _listed(_joined([now.words[term] for term in shared]))
    strength = min(_MOST_OF_WORDS, _WORD * strength) * share
    return strength, f"is about {told}" if told else ""


def _shared(
    now: Mapping[str, str], then: Mapping[str, str], commonness: _Commonness
) -> dict[str, float]:
    """Return what both have with its rarity, the rarest first."""
    shared = {term: commonness.rarity(term) for term in now if term in then}
    return dict(sorted(shared.items(), key=lambda pair: -pair[1]))


def _joined(words: Iterable[str]) -> list[str]:
    """Return words, with pairs of a script without spaces put together again."""
    joined: list[str] = []
    for word in words:
        before = joined[-1] if joined else ""
        ends = (word[:n] for n in range(len(word) - 1, 0, -1))
        overlap = next((end for end in ends if before.endswith(end)), "")
        if overlap and not (word.isascii() or before.isascii()):
            joined[-1] = before + word.removeprefix(overlap)
        else:
            joined.append(word)
    return list(dict.fromkeys(joined))


def _listed(things: Sequence[str]) -> str:
    more = len(things) - _SHOWN
    shown = ", ".join(things[:_SHOWN])
    return f"{shown} and {more} more" if more > 0 else shown


def changed_files(content: Content) -> tuple[str, ...]:
    """Return the paths that this session itself changed."""
    return tuple(file.path for file in content.files if _is_own_change(file))


def looked_at(content: Content, most: int) -> tuple[str, ...]:
    """Return the files at hand that this session read and did not change."""
    read = (f.path for f in content.files if f.change == "read" and f.origin is None)
    return tuple(read)[:most]


def errors_open(content: Content) -> dict[str, str]:
    """Return the errors that stand, by what stays of them when numbers change."""
    standing = (error for error in content.errors if is_open(error))
    return _by_signature(standing)


def errors_met(content: Content) -> dict[str, str]:
    """Return every error met, open or fixed, and what dead ends ended in."""
    return _by_signature((*content.errors, *content.error_lines, *content.dead_ends))


def names(content: Content, most: int) -> dict[str, str]:
    """Return the identifiers spoken of most, by term."""
    return {name.casefold(): name for name in content.names[:most]}


def wanted_words(content: Content) -> dict[str, str]:
    """Return the telling words of the latest requests, by term."""
    return _telling(item.text for item in content.requests[-_LATEST:])


def told_words(content: Content) -> dict[str, str]:
    """Return the telling words of all that was asked and decided."""
    items = (*content.requests, *content.decisions)
    return _telling((content.title, *(item.text for item in items)))


def _is_own_change(file: FileRef) -> bool:
    return file.change != "read" and file.origin is None


def _by_signature(items: Iterable[Item]) -> dict[str, str]:
    found: dict[str, str] = {}
    for item in items:
        line = _error_line(item)
        key = signature(line)
        if len(written_words(key)) >= _LEAST_WORDS:
            found.setdefault(key, one_line(line, _MOST_OF_AN_ERROR))
    return found


def _error_line(item: Item) -> str:
    """Return what an error says, without what failed with it."""
    fact = item.fact
    if isinstance(fact, Failure) and fact.state != "abandoned" and fact.line:
        return fact.line
    return item.text


def _telling(texts: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        for term, word in _terms(text[:_MOST_TEXT]):
            found.setdefault(term, word)
    return found


def _terms(text: str) -> Iterator[tuple[str, str]]:
    """Yield terms with the word as written; of a script without spaces, the pair."""
    for word in written_words(text):
        is_dense = has_dense(word)
        if word.casefold() in word_list("common") or (
            len(word) < _SHORTEST and not is_dense
        ):
            continue
        terms = (term for term in index_terms(word).split() if len(term) > 1)
        yield from ((term, term if is_dense else word) for term in terms)
