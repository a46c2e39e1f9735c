"""What a session leaves open to the next, and what becomes of it there.

An inherited item stays until it is done, the user revokes it, or several sessions in a
row have not touched it. Whatever is in doubt stays.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import cast

from holdfast.analysis.telling import says_failure
from holdfast.analysis.todos import tasks_of
from holdfast.analysis.turns import steers_client
from holdfast.domain.brief import is_open
from holdfast.domain.checkpoint import INHERITABLE, Checkpoint, Item, Source
from holdfast.domain.session import Inherited, SessionState, Turn
from holdfast.patterns import pattern
from holdfast.tuples import NamedTuple
from holdfast.values import dataclass

FILES = "files"  # the kind of known files: `text` is the path, `excerpt` its change
FORGOTTEN_AFTER = 3  # sessions in a row that did not touch an item
RULES_FORGOTTEN_AFTER = 10
_MOST = 60  # inherited items of a kind; the least touched go first
_MOST_FILES = 200
_MOST_OF = 0.6  # share of an item's words that a prompt must have to speak of it
_FEWEST_WORDS = 2
_SHORTEST_WORD = 3
_LONGEST_PATH = 400
_STOP_WORDS = frozenset(
    [
        "the", "and", "for", "with", "that", "this", "from", "into", "not", "but",
        "are", "was", "were", "will", "can", "should", "must", "have", "has", "had",
        "you", "your", "our", "its", "use", "using", "when", "then", "than", "them",
        "they", "all", "any", "each", "also", "only", "just", "please", "don", "does",
        "make", "sure", "after", "before", "about", "there", "here", "what", "which",
        "who", "how", "why",
    ]
)  # fmt: skip
_UNSPACED = "\u0e00"  # where such scripts begin; they are compared by pairs
_PATH = pattern(r"[\w.~-]*(?:/[\w.~-]+)+|[\w-]+\.[A-Za-z]\w{0,7}\b")
_SENTENCE_END = pattern(r"[.!;](?=\s|$)|[。！；\n]|(?<=[?？])")
_IN_BACKTICKS = pattern(r"`([^`]+)`")
FORBIDS = pattern(
    r"\b(?:not?|never|without|avoid|nicht|kein\w*|pas|jamais|nunca|sin)\b|n't\b"
    r"|ไม่|ห้าม|อย่า|않|말|금지|ない|しない|禁止|不|别|勿"
)


def inherited_from(checkpoint: Checkpoint) -> tuple[Inherited, ...]:
    """Return what a checkpoint leaves open to the session that begins from it."""
    made_by = checkpoint.checkpoint_id
    content = checkpoint.draft.content
    items = [
        Inherited(
            kind,
            item.text,
            item.source,
            item.evidence,
            item.excerpt,
            item.origin or made_by,
            item.age,
        )
        for kind in INHERITABLE
        for item in getattr(content, kind)
        if kind != "errors" or is_open(item)
    ]
    files = [
        Inherited(
            FILES,
            file.path,
            "engine",
            excerpt=file.change,
            origin=file.origin or made_by,
            age=file.age,
        )
        for file in content.files
        if file.change != "deleted"
    ]
    return (*items, *files[:_MOST_FILES])


def carry_on(
    state: SessionState, own: Mapping[str, Sequence[Item]]
) -> dict[str, tuple[Item, ...]]:
    """Return a session's own items of each kind, with the inherited ones that still hold.

    Inherited items come first: they are older. One that the session has itself appears
    once, as the session's own: its origin may be forgotten, what was done here may not.
    """
    session = _Session.of(state)
    carried: dict[str, list[Item]] = {}
    mine = {
        kind: {_normal(kind, item.text) for item in items}
        for kind, items in own.items()
    }
    for item in state.inherited:
        if _normal(item.kind, item.text) in mine.get(item.kind, ()):
            continue
        if (kept := _kept(item, session)) is not None:
            carried.setdefault(item.kind, []).append(kept)
    return {
        kind: (*_fitting(kind, carried.get(kind, [])), *own.get(kind, ()))
        for kind in dict.fromkeys((*own, *carried))
    }


@dataclass(frozen=True, slots=True)
class _Session:
    """What a session says about items it did not make itself."""

    prompts: tuple[str, ...]  # folded to one case
    prompt_words: tuple[frozenset[str], ...]
    all_words: frozenset[str]
    revocations: tuple["Revocation", ...]
    targets: frozenset[str]  # paths that calls were made on, and their last parts
    finished: frozenset[str]  # tasks done or deleted
    went_well: frozenset[str]  # commands, and tools with their file

    @classmethod
    def of(cls, state: SessionState) -> "_Session":
        turns = state.live_turns()
        prompts = tuple(turn.prompt.casefold() for turn in turns if _is_spoken(turn))
        words = tuple(words_in(prompt) for prompt in prompts)
        targets = {call.target for turn in turns for call in turn.calls}
        has_errors = any(item.kind == "errors" for item in state.inherited)
        return cls(
            prompts,
            words,
            frozenset().union(*words),
            tuple(r for prompt in prompts for r in revocations(prompt)),
            frozenset(place for target in targets for place in _places(target)),
            frozenset(
                _normal("pending", task.text)
                for task in tasks_of(turns)
                if task.status in ("completed", "deleted")
            ),
            _went_well(turns, state.cwd) if has_errors else frozenset(),
        )


class Revocation(NamedTuple):
    """A sentence in which the user takes something back."""

    sign: str  # the words that say so
    is_weak: bool  # "no longer" also confirms what was forbidden before
    words: frozenset[str]


def _is_spoken(turn: Turn) -> bool:
    is_command = turn.via == "command"
    return turn.via == "typed" or (is_command and not steers_client(turn.prompt))


def _kept(item: Inherited, session: _Session) -> Item | None:
    """Return an inherited item as the session's content has it, None if it is gone."""
    if _is_done(item, session) or _is_revoked(item, session):
        return None
    age = 0 if _is_touched(item, session) else item.age + 1
    limit = RULES_FORGOTTEN_AFTER if item.kind == "instructions" else FORGOTTEN_AFTER
    # A session of one prompt had no chance to come back to what it inherited: it
    # counts, but nothing is forgotten in it. So `/clear` after each prompt loses nothing.
    if age >= limit and len(session.prompts) > 1:
        return None
    source = cast("Source", item.source)
    return Item(item.text, source, item.evidence, item.excerpt, item.origin, age)


def _is_done(item: Inherited, session: _Session) -> bool:
    if item.kind == "pending":
        return _normal(item.kind, item.text) in session.finished
    if item.kind != "errors":
        return False
    named = _IN_BACKTICKS.match(item.text)
    return named is not None and named[1] in session.went_well


def _went_well(turns: Sequence[Turn], cwd: str) -> frozenset[str]:
    """Return what succeeded, by the names that errors have for it."""
    from holdfast.analysis.commands import (  # noqa: PLC0415  # hooks without errors
        SHELL_TOOLS,
        runs_of,
        steps_of,
    )

    found: set[str] = set()
    for call in (call for turn in turns for call in turn.calls):
        if call.outcome != "ok" or says_failure(call.output):
            continue
        if call.tool in SHELL_TOOLS:
            for run in runs_of((call,), cwd):
                known = (step for step in (run, *steps_of(run)) if not step.hidden)
                found.update(step.shown for step in known)
        else:
            found.add(f"{call.tool} {call.target.rpartition('/')[2]}")
    return frozenset(found)


def _is_revoked(item: Inherited, session: _Session) -> bool:
    if not session.revocations or item.kind == FILES:
        return False
    folded = item.text.casefold()
    wanted = words_in(folded)
    if len(wanted) < _FEWEST_WORDS:
        return False
    forbids = FORBIDS.search(folded) is not None
    return any(
        covers(revocation.words, wanted)
        and revocation.sign not in folded  # else it is said again, not taken back
        and not (revocation.is_weak and forbids)
        for revocation in session.revocations
    )


def _is_touched(item: Inherited, session: _Session) -> bool:
    folded = item.text.casefold()
    if item.kind == FILES:
        return item.text in session.targets or any(
            folded.rpartition("/")[2] in prompt for prompt in session.prompts
        )
    if any(path.lstrip("./") in session.targets for path in _PATH.findall(item.text)):
        return True
    wanted = words_in(folded)
    if not covers(session.all_words, wanted):
        return False
    return any(covers(words, wanted) for words in session.prompt_words)


def covers(words: frozenset[str], wanted: frozenset[str]) -> bool:
    """Say whether most of the wanted words are there, and more than a chance one."""
    if not wanted:
        return False
    found = len(words & wanted)
    return found >= min(_FEWEST_WORDS, len(wanted)) and found >= _MOST_OF * len(wanted)


@lru_cache(maxsize=512)  # each rule is asked by each prompt after it
def words_in(folded: str) -> frozenset[str]:
    """Return the words of a text that carry meaning."""
    found: set[str] = set()
    for run in _run().findall(folded):
        if run[0] >= _UNSPACED:
            found.update(run[i : i + 2] for i in range(max(1, len(run) - 1)))
        elif len(run) >= _SHORTEST_WORD and run not in _STOP_WORDS:
            found.add(run)
    return frozenset(found)


def revocations(prompt: str) -> Iterator[Revocation]:
    """Yield the sentences of a prompt, folded to one case, that take something back."""
    for sentence in _SENTENCE_END.split(prompt):
        bare = sentence.strip()
        if not bare or bare[-1] in "?？":
            continue
        if found := _takes_back().search(bare):
            yield Revocation(found[1] or found[2], is_weak=False, words=words_in(bare))
        elif found := _ends().search(bare):
            yield Revocation(found[0], is_weak=True, words=words_in(bare))


def _places(target: str) -> Iterator[str]:
    """Yield the ways to name a path: whole, and by each of its endings."""
    if not target or len(target) > _LONGEST_PATH or any(c in target for c in "\n |;"):
        return  # a command
    parts = target.strip("/").split("/")
    yield target
    for start in range(len(parts)):
        yield "/".join(parts[start:])


def _fitting(kind: str, items: list[Item]) -> list[Item]:
    most = _MOST_FILES if kind == FILES else _MOST
    if len(items) <= most:
        return items
    kept = sorted(range(len(items)), key=lambda i: (items[i].age, i))[:most]
    return [items[i] for i in sorted(kept)]


def _normal(kind: str, text: str) -> str:
    """Return a text as it is compared; a path is only ever itself."""
    if kind == FILES:
        return text
    return " ".join(_run().findall(text.casefold())) or text


# Compiled when first needed: a hook that only asks what was left open pays for none.
@cache
def _run() -> re.Pattern[str]:
    """Return what a word is, or a run of a script that puts no space between words."""
    return re.compile(
        r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
        r"|[^\W_]+"
    )


@cache
def _takes_back() -> re.Pattern[str]:
    """Return how a sentence says that something is to be forgotten."""
    return re.compile(
        r"""^(?:\W*\b(?:ok|okay|please|actually|now|and|so|then|just|lets|let's|you\scan|we\scan
              |yes|no(?=,)|alors|bitte|por\sfavor)\b){0,3}
            \W*\b(forget|ignore|disregard|drop|skip|cancel|scrap|abandon|never\s?mind
              |oubli(?:e|ez|ons)|ignorez|laissez?\stomber|annulez?|vergiss|vergesst|ignoriere
              |olvid(?:a|e|ad)|ignora|cancela|esque(?:ce|ça))\b(?!\s(?:pas|nicht)\b)
          | (\bno\sneed\s(?:to|for)\b | \bnot\sneeded\b | ไม่ต้อง | ยกเลิก | เลิกใช้ | (?<!อย่า)ลืม
          | 잊어 | 무시(?!하지) | 취소 | 필요\s?없 | 忘れて | 無視して | もう不要 | 取り消 | 必要(?:は)?ない
          | (?<!不要)(?<!别)忘(?:记|掉|了) | (?<!不要)(?<!别)忽略 | 取消 | 不用再 | 不需要)
        """,
        re.VERBOSE,
    )


@cache
def _ends() -> re.Pattern[str]:
    """Return how a sentence says that something is no longer so."""
    return re.compile(
        r"\bno\slonger\b|\bany\s?more\b|\bplus\sbesoin\b|\bnicht\smehr\b|\bya\sno\b"
        r"|\bnão\smais\b|더\s?이상|不再"
    )
