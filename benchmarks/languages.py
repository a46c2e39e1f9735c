"""Whether a brief carries as much in other languages as in English.

Makes sessions of one structure in several languages: the same files, commands, edits and
results, the same things said by user and agent. Each is cut after two thirds of its
requests, its brief is made through the command line, and compared with what was said
before and what comes after. There are two books of phrases: one that was looked at while
briefs were made better, and one that was not.
`python -m benchmarks.languages DIR` writes the whole transcripts there and measures
nothing.
"""

import contextlib
import io
import json
import random
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from holdfast.surfaces.cli.main import run

BOOKS = ("languages.json", "languages_unseen.json")
_SESSIONS = 40
_ROUNDS = 1_000
_REQUESTS, _CUT = 16, 11
_BUDGETS = (300, 1000)
_AREAS = ("billing", "orders", "stock", "reports")
_FILES = [
    f"src/{area}/{name}.py"
    for area in _AREAS
    for name in ("totals", "export", "lock", "view")
]
_VERBS = ("compute", "load", "merge", "notify", "rank", "split")
_NAMES = [f"{verb}_{area}" for verb in _VERBS for area in _AREAS]
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_MOST_OF_IT = 0.7
Json = dict[str, Any]
Facts = dict[str, list[str]]


class Session:
    """One session as it is written down: its lines, and what a brief is asked for."""

    def __init__(self, number: int, book: Json, language: int) -> None:
        self.lines: list[Json] = []
        self.before: defaultdict[str, list[str]] = defaultdict(list)
        self.after: defaultdict[str, list[str]] = defaultdict(list)
        self._id = f"{number:08x}-0000-4000-8000-00000000000{language}"
        self._chance = random.Random(number)  # noqa: S311  # repeatable, no secret
        self._book = book
        self._language = language
        self._now = self.before
        self.cut = 0
        requests = self._chance.sample(range(len(book["request"])), _REQUESTS)
        self._known = self._chance.sample(_FILES, 10)
        for place, request in enumerate(requests):
            if place == _CUT:
                self.cut, self._now = len(self.lines), self.after
            self._turn(place, request)

    def _turn(self, place: int, request: int) -> None:
        file, name = self._chance.choice(self._known), self._chance.choice(_NAMES)
        asked = self._phrase("request", request, file=file, name=name)
        if self._book["joined"]:
            more = self._phrase("request", request + 5, file=file, name=name)
            asked = _joined(asked, more)
        if place % 2 == 0:
            rule = self._phrase("rule", place // 2)
            self._now["rules"].append(rule)
            asked = _joined(asked, rule)
        self._now["requests"].append(asked)
        self._write("user", asked)
        self._work(place, file, name)
        self._say(self._closing(place, name))

    def _work(self, place: int, file: str, name: str) -> None:
        other = self._chance.choice(self._known)
        tests = f"pytest tests/{file.split('/')[1]}"
        self._call("Read", {"file_path": f"/shop/{other}"}, f"1\tdef {name}(): ...")
        edit = {"old_string": "pass", "new_string": f"return {name}(order_lines)"}
        self._call(
            "Edit", {"file_path": f"/shop/{file}", **edit}, "The file is updated."
        )
        self._call("Bash", {"command": tests}, f"{place + 3} passed in 0.4s")
        self._now["files"] += [other, file]
        self._now["commands"].append(tests)
        self._now["names"].append(name)
        if place in (3, 6):
            subject = self._phrase("commit", place // 3)
            commit = f'git commit -m "{subject}"'  # French has apostrophes
            self._call("Bash", {"command": commit}, "1 file changed")
            self._now["commits"].append(subject)
        if place == _CUT - 1:
            todos = [self._phrase("todo", number) for number in range(4)]
            listed = [{"content": todo, "status": "pending"} for todo in todos]
            self._call("TodoWrite", {"todos": listed}, "Todos have been modified")
            self._now["todos"] += todos

    def _closing(self, place: int, name: str) -> str:
        said = [self._phrase("said", place)]
        for kind, turn in (("decision", 2), ("decision", 5), ("finding", 4)):
            if turn == place:
                told = self._phrase(kind, turn, name=name)
                self._now[f"{kind}s"].append(told)
                said.append(told)
        if place == _CUT - 1:
            question = self._phrase("question", 0)
            self._now["questions"].append(question)
            said.append(question)
        return "\n\n".join(said)

    def _phrase(self, kind: str, place: int, **names: str) -> str:
        phrases = self._book[kind]
        phrase: str = phrases[place % len(phrases)][self._language]
        return phrase.format(**names)

    def _say(self, text: str) -> None:
        self._write("assistant", [{"type": "text", "text": text}])

    def _call(self, tool: str, given: Json, answer: str) -> None:
        call = f"toolu_{len(self.lines):04d}"
        asked = {"type": "tool_use", "id": call, "name": tool, "input": given}
        self._write("assistant", [asked])
        result = {"type": "tool_result", "tool_use_id": call, "content": answer}
        self._write("user", [result])

    def _write(self, role: str, content: object) -> None:
        number = len(self.lines)
        message: Json = {"role": role, "content": content}
        if role == "assistant":
            message |= {"id": f"msg_{number:04d}", "model": "a-model"}
        self.lines.append(
            {
                "parentUuid": _uuid(number - 1) if number else None,
                "type": role,
                "uuid": _uuid(number),
                "timestamp": f"2026-11-16T08:{number // 60:02d}:{number % 60:02d}.000Z",
                "cwd": "/shop",
                "sessionId": self._id,
                "gitBranch": "main",
                "message": message,
            }
        )


def main() -> None:
    for name in BOOKS:
        print(name.removesuffix(".json"))
        _measure(_book(name))


def _book(name: str) -> Json:
    text = (Path(__file__).parent / name).read_text("utf-8")
    book: Json = json.loads(text)
    return book


def _measure(book: Json) -> None:
    scores: defaultdict[tuple[int, str, str], list[float]] = defaultdict(list)
    languages: list[str] = book["languages"]
    with tempfile.TemporaryDirectory() as scratch:
        for language, name in enumerate(languages):
            for number in range(_SESSIONS):
                session = Session(number, book, language)
                path = _written(
                    session.lines[: session.cut], Path(scratch), name, number
                )
                for budget in _BUDGETS:
                    for metric, score in scores_of(_brief(path, budget), session):
                        scores[budget, metric, name].append(score)
    for budget in _BUDGETS:
        print(f"{budget} tokens, {_SESSIONS} sessions: {' · '.join(languages)}")
        metrics = dict.fromkeys(metric for b, metric, _ in scores if b == budget)
        for metric in metrics:
            means = [_mean(scores[budget, metric, name]) for name in languages]
            print(f"  {metric:16} {' · '.join(f'{mean:.3f}' for mean in means)}")
        first, *others = [scores[budget, "FIDELITY", name] for name in languages]
        gaps = " · ".join(_gap(first, other) for other in others)
        print(f"  {'to the first':16} {gaps}")


def _gap(first: list[float], other: list[float]) -> str:
    """Return by how much one language differs, with its 95 % interval over sessions."""
    pairs = [b - a for a, b in zip(first, other, strict=True)]
    chance = random.Random(1)  # noqa: S311  # repeatable, no secret
    means = sorted(_mean(chance.choices(pairs, k=len(pairs))) for _ in range(_ROUNDS))
    low, high = means[_ROUNDS // 40], means[-_ROUNDS // 40]
    return f"{_mean(pairs):+.3f} ({low:+.3f} to {high:+.3f})"


def _written(lines: Iterable[Json], place: Path, name: str, number: int) -> Path:
    path = place / f"{name.lower()}-{number:02d}.jsonl"
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    path.write_text(text, "utf-8")
    return path


def _joined(asked: str, rule: str) -> str:
    """Return a request with a rule behind it, as sentences of their language."""
    if _CJK.search(asked):
        return f"{asked}{'' if asked.endswith('？') else '。'}{rule}"
    return f"{asked}{'' if asked.endswith('?') else '.'} {rule[0].upper()}{rule[1:]}"


def _uuid(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012x}"


def _brief(path: Path, budget: int) -> str:
    told = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with contextlib.redirect_stdout(told):
        status = run(["brief", str(path), "--budget", str(budget)])
    if status:
        raise SystemExit(f"no brief of {path}")
    told.seek(0)
    return told.read()


def scores_of(brief: str, session: Session) -> Iterator[tuple[str, float]]:
    """Yield how much of each kind the brief has; what comes next counts by its names."""
    before, after = session.before, session.after
    known = {kind: set(before[kind]) for kind in ("files", "commands", "names")}
    future = [
        _share(known[kind].intersection(after[kind]), lambda text: _last(text) in brief)
        for kind in known
    ]
    *earlier, last = before["requests"]
    retained = {
        "last request": _shingled(last, brief),
        "earlier requests": _mean([_shingled(text, brief) for text in earlier[-5:]]),
        **{
            kind: _share(before[kind], lambda text: _is_told(text, brief))
            for kind in ("rules", "todos", "commits")
        },
    }
    yield "FIDELITY", (_mean(future) + _mean(list(retained.values()))) / 2
    yield "what comes next", _mean(future)
    yield from retained.items()
    for kind in ("decisions", "findings", "questions"):
        yield kind, _share(before[kind], lambda text: _is_told(text, brief))


def _last(text: str) -> str:
    return text.rsplit("/", 1)[-1] if text.startswith("src/") else text


def _share(wanted: Collection[str], is_there: Callable[[str], bool]) -> float:
    return sum(map(is_there, wanted)) / len(wanted) if wanted else 1.0


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _is_told(text: str, brief: str) -> bool:
    """Say whether most of a text stands there, its words in their order: single words
    stand in the frame, in commands and in paths too, but only in English."""
    return _shingled(text, brief) >= _MOST_OF_IT


def _shingled(text: str, brief: str) -> float:
    """Return the share of a text's runs of four words, or characters, that are told."""
    wanted, told = _runs(text), _runs(brief)
    return len(wanted & told) / len(wanted) if wanted else float(text in brief)


def _runs(text: str) -> set[tuple[str, ...]]:
    words, signs = re.findall(r"\w+", _CJK.sub(" ", text.lower())), _CJK.findall(text)
    return {
        tuple(row[place : place + 4])
        for row in (words, signs)
        for place in range(len(row) - 3)
    }


def _write_all(place: Path) -> None:
    for name in BOOKS:
        book = _book(name)
        for code, language in enumerate(book["languages"]):
            for count in range(_SESSIONS):
                session = Session(count, book, code)
                label = f"{name.removesuffix('.json')}-{language}"
                _written(session.lines, place, label, count)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        _write_all(Path(sys.argv[1]))
    else:
        main()
