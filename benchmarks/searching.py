"""What a search costs as the index grows: against a raw FTS5 query for the same terms.

    python -m benchmarks.searching [RECORDS …]      default 1000 and 100000

Goals: a warm query ≤ 2 × a raw query, median and 95th percentile, the ranking alone and
the whole answer (the raw query's ten records are read by the store's own reader, too);
for the commonest terms ≤ 0.1 of ranking all hits, with 9 of the true top 10 kept; index
≤ 1.0 of the text; a save that costs the same at every size; a cold `holdfast search` in
bare starts.
Times are CPU seconds, taken in turns. Records are made up and written by the store's own
writer; the raw index has one row per record and unicode61, as a plain program would. Both
get one record at a time, larger ones many at once, so that they have as many segments.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate, islice
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple

import apsw

from benchmarks.saving import a_usual_draft
from holdfast.domain.checkpoint import Checkpoint, Draft, Item
from holdfast.domain.query import Hit, Query, Scope
from holdfast.store.index_terms import IndexEntry, entry
from holdfast.store.sqlite.finding import at
from holdfast.store.sqlite.search import indexing, postings
from holdfast.store.sqlite.search.searching import best
from holdfast.store.sqlite.store import SqliteStore, open_store
from tests.builders import a_draft

_SIZES = (1_000, 100_000)
_VOCABULARY = 60_000
_SYLLABLES = (
    "ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe",
    "ri", "so", "tu", "va", "we", "xi", "yo", "zu",
)  # fmt: skip
_DENSE = (
    "ตรวจสอบ",
    "บันทึก",
    "รหัสผ่าน",
    "検索",
    "索引",
    "設計",
    "저장",
    "세션",
    "恢复",
    "会话",
)
_FILLERS = (
    "the", "to", "of", "and", "in", "is", "it", "that", "for", "on", "with",
    "as", "was", "at", "by", "we", "this", "not", "are",
)  # fmt: skip
_BATCH = 5000
_ONE_BY_ONE = 1_000  # up to so many records as saves add them, beyond as a rebuild
_DIFFERENT = 30_000  # records that are made up; more of them are the same again
_FIRST = 10_000  # positions far from those of real saves
_QUERIES = 24
_ROUNDS = 5
_COMMONEST = 4
_SAVES = 60
_USUAL_RECORDS = 8_000
_USUAL_PROMPTS = 20
_SAVED = 1_000
_RAW_ADD = "INSERT INTO raw (rowid, text) VALUES (?, ?)"
_INDEX_SIZE = "SELECT sum(pgsize) FROM dbstat WHERE name LIKE 'search%'"


class Filled(NamedTuple):
    """An index with the raw one beside it."""

    store: SqliteStore
    raw: apsw.Connection
    text_bytes: int


def main() -> None:
    sizes = [int(size) for size in sys.argv[1:] if size.isdigit()] or _SIZES
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # a text file
    words = _words()
    saves: dict[int, float] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as scratch:
            filled = _filled(Path(scratch), size, words)
            print(f"{size:,} records, {filled.text_bytes / 1e6:,.1f} MB of text")
            _against_raw(filled, words)
            _common(filled, words)
            _size(filled)
            saves[size] = _save(filled.store)
            filled.store.close()
    first = saves[sizes[0]]
    for size, taken in saves.items():
        times = taken / first
        print(
            f"  a save at {size:>9,}: {taken * 1e3:.2f} ms CPU, {times:.2f} × the first"
        )
    _whole_answers(words)
    _usual_size(words)
    _rebuild()
    _cold()
    print(f"load average {os.getloadavg()[0]:.1f}")


def _words() -> list[str]:
    """Return made-up words, the commonest first."""
    dice = random.Random(7)  # noqa: S311  # made-up words are no secret
    found: dict[str, None] = {}
    while len(found) < _VOCABULARY:
        count = dice.choice((2, 3, 3, 4))
        word = "".join(dice.choice(_SYLLABLES) for _ in range(count))
        found[dice.choice(_DENSE) + word if dice.random() < 0.02 else word] = None
    return list(found)


def _drafts(size: int, words: Sequence[str], prompts: int = 1) -> Iterator[Draft]:
    """Yield records of some twenty words per prompt; every third word says nothing."""
    dice = random.Random(11)  # noqa: S311  # made-up texts are no secret
    weights = list(accumulate(1 / (rank + 2) for rank in range(len(words))))

    def said(least: int, most: int) -> str:
        count = dice.randint(least, most)
        found = dice.choices(words, cum_weights=weights, k=count)
        found[2::3] = dice.choices(_FILLERS, k=len(found[2::3]))
        return " ".join(found)

    for number in range(size):
        yield a_draft(
            said(4, 7),
            project_id=f"{number % 20:016x}",
            requests=tuple(Item(said(8, 28), "user") for _ in range(prompts)),
        )


class Made(NamedTuple):
    """A made-up record as it is indexed."""

    draft: Draft
    entry: IndexEntry
    text: str


def _records(size: int, words: Sequence[str]) -> Iterator[Made]:
    """Yield records; in a large store most have been there before, in another order."""
    dice = random.Random(17)  # noqa: S311  # an order is no secret
    made: list[Made] = []
    for draft in _drafts(min(size, _DIFFERENT), words):
        made.append(Made(draft, entry(draft), _text(draft)))
        yield made[-1]
    for _ in range(_DIFFERENT, size):
        yield dice.choice(made)


def _filled(scratch: Path, size: int, words: Sequence[str]) -> Filled:
    store = open_store(str(scratch / "store"), create=True)
    store.reindex()  # of nothing: what is added now is of this analysis
    raw = apsw.Connection(str(scratch / "raw.db"))
    raw.execute("CREATE VIRTUAL TABLE raw USING fts5 (text, content='')")
    records, position, text_bytes = _records(size, words), _FIRST, 0
    at_once = 1 if size <= _ONE_BY_ONE else _BATCH
    before = time.process_time()
    while batch := list(islice(records, _BATCH)):
        with store._database.writing(durable=False), raw:  # noqa: SLF001  # filling is no promise
            for first in range(0, len(batch), at_once):
                some = batch[first : first + at_once]
                _add(store, raw, position, some)
                position += len(some)
        text_bytes += sum(len(made.text.encode()) for made in batch)
    taken = time.process_time() - before
    print(f"  filled in {taken:.0f} s CPU, both indexes")
    return Filled(store, raw, text_bytes)


def _add(
    store: SqliteStore, raw: apsw.Connection, after: int, records: Sequence[Made]
) -> None:
    """Index some records as one segment of each index: as one save, or as a rebuild."""
    database = store._database  # noqa: SLF001  # filling is no promise
    passages = sum(len(made.entry.passages) for made in records)
    database.rows(indexing._COUNT, {"more": passages})  # noqa: SLF001  # and so is this
    for position, made in enumerate(records, after + 1):
        indexing._write(database, made.draft.project_id, position, made.entry)  # noqa: SLF001
    with raw:  # a savepoint: what is added before it is a segment
        rows = enumerate((made.text for made in records), after + 1)
        raw.executemany(_RAW_ADD, rows)


def _text(draft: Draft) -> str:
    content = draft.content
    items = (*content.requests, *content.decisions)
    return "\n".join((content.title, *(item.text for item in items)))


def _asked(words: Sequence[str]) -> list[list[str]]:
    """Return queries of one to three words, as common as in the texts."""
    dice = random.Random(13)  # noqa: S311  # made-up queries are no secret
    weights = list(accumulate(1 / (rank + 2) for rank in range(len(words))))
    return [
        dice.choices(words, cum_weights=weights, k=1 + number % 3)
        for number in range(_QUERIES)
    ]


def _against_raw(filled: Filled, words: Sequence[str]) -> None:
    pairs = [
        (partial(_ours, filled, terms), partial(_raw, filled, terms))
        for terms in _asked(words)
    ]
    _compared("warm query", pairs)


Call = Callable[[], object]


def _compared(name: str, pairs: Sequence[tuple[Call, Call]]) -> None:
    ours, raw = [], []
    for pair in pairs:
        taken = [(_seconds(pair[0]), _seconds(pair[1])) for _ in range(_ROUNDS)]
        ours.append(min(a for a, _ in taken))
        raw.append(min(b for _, b in taken))
    for figure, of in (("p50", median), ("p95", _p95)):
        a, b = of(ours), of(raw)
        told = f"ours {a * 1e3:8.2f} ms, raw {b * 1e3:8.2f} ms"
        print(f"  {name} {figure}: {told}, ours / raw {a / b:.2f}   goal ≤ 2")


def _whole_answers(words: Sequence[str]) -> None:
    """Compare answers with their records, where records are as long as they usually are."""
    with tempfile.TemporaryDirectory() as scratch:
        store = open_store(f"{scratch}/store", create=True)
        raw = apsw.Connection(f"{scratch}/raw.db")
        raw.execute("CREATE VIRTUAL TABLE raw USING fts5 (text, content='')")
        database = store._database  # noqa: SLF001  # where a record is, is the store's own
        with raw:
            for draft in _drafts(_SAVED, words, _USUAL_PROMPTS):
                store.put(draft)
                with raw:
                    raw.execute(_RAW_ADD, (database.head().position, _text(draft)))
        filled = Filled(store, raw, 0)

        def theirs(terms: Sequence[str]) -> list[Checkpoint]:
            return list(at(database, _raw(filled, terms)))

        def ours(terms: Sequence[str]) -> tuple[Hit, ...]:
            return store.search(Query(words=tuple(terms)), Scope(), 10)

        asked = _asked(words)
        print(f"{_SAVED:,} records of {_USUAL_PROMPTS} prompts, saved one by one")
        _compared(
            "ranking",
            [(partial(_ours, filled, t), partial(_raw, filled, t)) for t in asked],
        )
        _compared("answer", [(partial(ours, t), partial(theirs, t)) for t in asked])
        store.close()


def _p95(values: Sequence[float]) -> float:
    return quantiles(values, n=20)[18]


def _ours(filled: Filled, terms: Sequence[str]) -> list[int]:
    database = filled.store._database  # noqa: SLF001  # rankings, without reading records
    found = best(database, Query(words=tuple(terms)), Scope(), 10)
    return [each.group for each in found]


def _raw(filled: Filled, terms: Sequence[str]) -> list[int]:
    match = " OR ".join(f'"{term}"' for term in terms)
    rows = filled.raw.execute(
        "SELECT rowid FROM raw WHERE raw MATCH ? ORDER BY rank LIMIT 10", (match,)
    )
    return [row[0] for row in rows]


def _common(filled: Filled, words: Sequence[str]) -> None:
    """Compare the commonest terms with ranking all hits, and with the true top ten."""
    kept, ours, everything, raw = [], [], [], []
    usual = postings.AT_ONCE
    for word in words[:_COMMONEST]:
        found = _ours(filled, [word])
        ours.append(_seconds(partial(_ours, filled, [word])))
        raw.append(_seconds(partial(_raw, filled, [word])))
        postings.AT_ONCE = 2**62
        everything.append(_seconds(partial(_ours, filled, [word])))
        kept.append(len(set(found) & set(_ours(filled, [word]))))
        postings.AT_ONCE = usual
    print(
        f"  {_COMMONEST} commonest terms: ours / raw that ranks all hits"
        f" {sum(ours) / sum(raw):.3f}, ours / ours with all hits"
        f" {sum(ours) / sum(everything):.3f}   goal ≤ 0.1 at a million"
    )
    print(f"  of the true top 10 kept {sum(kept) / len(kept):.1f}   goal ≥ 9")


def _size(filled: Filled) -> None:
    database = filled.store._database  # noqa: SLF001  # the port does not tell sizes
    (size,) = database.one("SELECT sum(pgsize) FROM dbstat WHERE name LIKE 'search%'")
    print(f"  index / text {size / filled.text_bytes:.2f}, records of one prompt")


def _usual_size(words: Sequence[str]) -> None:
    """Take the size of the index where records have as much text as they usually do."""
    with tempfile.TemporaryDirectory() as scratch:
        store = open_store(scratch, create=True)
        database = store._database  # noqa: SLF001  # the port does not tell sizes
        drafts = list(_drafts(_USUAL_RECORDS, words, _USUAL_PROMPTS))
        for first in range(0, _USUAL_RECORDS, 500):
            with database.writing(durable=False):
                for number, draft in enumerate(drafts[first : first + 500], first + 1):
                    indexing.add(database, draft, number, entry(draft))
        text_bytes = sum(len(_text(draft).encode()) for draft in drafts)
        (size,) = database.one(_INDEX_SIZE)
        store.close()
    mean = text_bytes / _USUAL_RECORDS / 1000
    told = f"{_USUAL_RECORDS:,} records of {mean:.1f} KB"
    print(f"  index / text {size / text_bytes:.2f}, {told}   goal ≤ 1.0")


def _save(store: SqliteStore) -> float:
    taken = [
        _seconds(partial(store.put, a_usual_draft(number))) for number in range(_SAVES)
    ]
    return median(taken)


def _rebuild() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        store = open_store(scratch, create=True)
        saving = sum(
            _seconds(partial(store.put, a_usual_draft(number))) for number in range(300)
        )
        again = _seconds(partial(store.reindex, anew=True))
        store.close()
    print(
        f"  rebuild of 300 usual records: {again / saving:.2f} of what saving them cost"
    )


def _cold() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch) / "home"
        store = open_store(str(home), create=True)
        for number in range(50):
            store.put(a_usual_draft(number))
        store.close()
        program = str(Path(sys.executable).parent / "holdfast")
        environment = {**os.environ, "HOLDFAST_HOME": str(home), "HOME": scratch}
        calls = {
            "bare": [sys.executable, "-c", "pass"],
            "search": [program, "search", "--all", "parser quotes"],
        }
        taken: dict[str, list[float]] = {name: [] for name in calls}
        for _ in range(15):
            for name, call in calls.items():
                run = partial(
                    subprocess.run,
                    call,
                    check=True,
                    cwd=scratch,
                    env=environment,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
                taken[name].append(_seconds(run, time.perf_counter))
    ratio = min(taken["search"]) / min(taken["bare"])
    print(f"  cold `holdfast search`: {ratio:.1f} bare starts (min of 15)")


def _seconds(
    call: Callable[[], object], clock: Callable[[], float] = time.process_time
) -> float:
    before = clock()
    call()
    return clock() - before


if __name__ == "__main__":
    main()
