"""The few lines of a tool's output that say what came of it.

Written for the output of compilers, test runners, package managers, linters and git.
Words are looked for in the whole text, not line by line, and only lines that may be
told are looked at closer: a long output costs microseconds, and no pattern runs away.
"""

from collections.abc import Iterable, Iterator, Mapping

from holdfast.kernel.lazy_patterns import pattern
from holdfast.session.key_line_words import (
    BARS,
    BOILERPLATE,
    BY_PART,
    BY_WORD,
    COUNTED,
    COUNTS_FAILURES,
    FAILED_ALL_THE_SAME,
    FOREIGN,
    HEADINGS,
    KEYWORDS,
    MENTIONS,
    NO_TEST_FAILED,
    NOTHING_WRONG,
    PRINTED_BY_TESTS,
    SAYS_SOMETHING,
    SAYS_SUCCESS,
    SAYS_WHAT,
    SUMMARIES,
    SUMS_UP,
    TICKS,
    WENT_WELL,
)

MOST_CHARS = 600
_LINE_CHARS = 200
_MOST_LINES = 8
_FALLBACK_LINES = 3
_MOST_HITS = 25  # lines that one phrase may name, and its last
_WINDOW = 20_000
_ANSI = pattern(r"\x1b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z])")
_PLACE = pattern(r":[0-9]+:(?=([0-9])?)")
_FRAME = "-=_*~#.,+|<>^[]{}() \t│─═━┃┌┐└┘├┤╭╮╰╯╷╵"
_CODE_FRAME = ("|", "~", "-->", "╵")
_BOX = "│┃ \t"  # what is drawn beside the lines of a message
# Letters stay, all else becomes a space: in bytes, half the cost of a pattern.
_LETTERS = bytes(
    c if chr(c) in "abcdefghijklmnopqrstuvwxyz'" else 32 for c in range(256)
)
# More than typographic: without such a character no foreign word is looked for.
_IS_FOREIGN = pattern(
    r"[^\x00-\x7f\u00a0\u2010-\u2027\u2030-\u203a\u2190-\u21ff\u2500-\u25a0\u2713-\u2714]"
)
_DIFFS = ("\ndiff --git", "\n@@ ")
_QUIET_HEAD = 600  # of an output that did not fail, only the ends are looked at
_QUIET_TAIL = 1_600
_TAIL = 800  # characters at the end in which a summary is looked for
_Span = tuple[int, int]


def key_lines(output: str, failed: bool) -> str:  # noqa: FBT001  # an output and how it went
    """Return the lines of an output that say what came of it, at most 600 characters."""
    text = _plain(output)
    if not text or text.isspace():
        return ""
    if not failed and len(text) > _QUIET_HEAD + _QUIET_TAIL:
        text = _ends(text)
    # A line before the first makes "at the beginning of a line" one question.
    text = "\n" + text
    # Of all letters this one alone grows when lowered, and would move every place.
    lowered = (text if text.isascii() else text.replace("\u0130", "I")).lower()
    sign = None if failed else _sign_of_failure(text, lowered)
    if failed or sign:
        return _of_failure(text, lowered, sign)
    return _of_success(text, lowered)


def says_failure(output: str) -> bool:
    """Say whether an output tells of a failure, whatever the exit status was."""
    text = "\n" + output
    return _sign_of_failure(text, text.lower()) is not None


def says_success(output: str) -> bool:
    """Say whether an output that tells of no failure tells that all went well."""
    return SAYS_SUCCESS.search(output) is not None


def _plain(output: str) -> str:
    """Return the text as a terminal would show it at last."""
    text = output
    if len(text) > _WINDOW:
        text = text[: _WINDOW // 2] + "\n" + text[-_WINDOW // 2 :]
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    if "\r" in text:  # a progress line overwrites itself
        lines = text.replace("\r\n", "\n").split("\n")
        text = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines)
    return text


def _ends(text: str) -> str:
    """Return the first and the last lines: where a success is announced or summed up."""
    head = text[:_QUIET_HEAD].rpartition("\n")[0]
    tail = text[-_QUIET_TAIL:].partition("\n")[2]
    return f"{head}\n{tail}"


def _sign_of_failure(text: str, lowered: str) -> _Span | None:
    """Return the line by which an output is known to tell of a failure."""
    passed = [*NO_TEST_FAILED.finditer(text)] if "0 fail" in lowered else []
    for part, sign in FAILED_ALL_THE_SAME.items():
        since = passed[-1].end() if passed and part in PRINTED_BY_TESTS else 0
        if part in lowered and (found := sign.search(text, since)):
            is_at_line_break = text[found.start()] == "\n"
            return _line_at(text, found.start() + is_at_line_break)
    if any(part in lowered for part in COUNTED):
        for found in COUNTS_FAILURES.finditer(text):
            start, end = _line_at(text, found.start())
            if not lowered[start:end].lstrip().startswith(WENT_WELL):
                return start, end
    return None


def _of_failure(text: str, lowered: str, sign: _Span | None) -> str:
    """Return the lines that say most; of a failure that only its words tell, the line
    that does is among them, so that what is kept tells it, too."""
    scores, summaries = _scores(text, lowered)
    best = sorted(scores, key=lambda span: (-scores[span], span))
    last = next(
        (
            span
            for span in sorted(summaries, reverse=True)
            if _is_telling(text[span[0] : span[1]])
        ),
        None,
    )
    if last is not None:  # the best line, the last summary, then all the others
        best.remove(last)
        best.insert(1, last)
    kept = {sign: shown_line(text[sign[0] : sign[1]])} if sign else {}
    chosen = kept | dict(_chosen(text, best, kept))
    if not chosen:
        return _last_lines(text)
    return "\n".join(chosen[span] for span in sorted(chosen))


def _scores(text: str, lowered: str) -> tuple[dict[_Span, int], set[_Span]]:
    """Return how much each line says about a failure, and which ones sum it up."""
    scores: dict[_Span, int] = {}
    summaries: set[_Span] = set()
    for phrase, score in _phrases(lowered):
        spans = tuple(_lines_with(lowered, phrase))
        _mark(scores, spans, score)
        if score == SUMS_UP:
            summaries.update(spans)
    if "\nE  " in text:  # pytest's own mark
        _mark(scores, _lines_with(text, "\nE  "), SAYS_WHAT)
    for span, score in _places(text):
        _mark(scores, (span,), score)
    if "traceback (" in lowered:
        _mark(scores, _raised(text, lowered), SAYS_WHAT + 1)
    return scores, summaries


def _phrases(lowered: str) -> Iterator[tuple[str, int]]:
    """Yield the phrases that may occur, and how much each says."""
    for part, phrases in BY_PART.items():
        if part in lowered:
            yield from phrases.items()
    words = lowered.encode("ascii", "replace").translate(_LETTERS).split()
    for word in KEYWORDS.intersection(words):
        yield from BY_WORD[word.decode()].items()
    if not lowered.isascii() and _IS_FOREIGN.search(lowered):
        yield from FOREIGN.items()


def _mark(scores: dict[_Span, int], spans: Iterable[_Span], score: int) -> None:
    for span in spans:
        if score > scores.get(span, 0):
            scores[span] = score


def _lines_with(text: str, phrase: str) -> Iterator[_Span]:
    """Yield where the lines begin and end that have a phrase, each once."""
    skip = 1 if phrase[0] == "\n" else 0
    at = text.find(phrase)
    for _ in range(_MOST_HITS):
        if at < 0:
            return
        span = _line_at(text, at + skip)
        yield span
        at = text.find(phrase, span[1])
    if at >= 0:  # summaries stand at the end
        yield _line_at(text, text.rfind(phrase) + skip)


def _line_at(text: str, at: int) -> _Span:
    end = text.find("\n", at)
    return text.rfind("\n", 0, at) + 1, len(text) if end < 0 else end


def _places(text: str) -> Iterator[tuple[_Span, int]]:
    """Yield lines that begin with `file:line:column:` or `file:line:`."""
    end = 0
    hits = 0
    for found in _PLACE.finditer(text):
        if found.start() < end or hits > _MOST_HITS:
            continue
        span = _line_at(text, found.start())
        end = span[1]
        hits += 1
        file = text[span[0] : found.start()].lstrip()
        if file.startswith("["):  # a task runner's prefix: `[lint:go] `
            file = file.partition("] ")[2]
        if file and " " not in file and "." in file:
            yield span, SAYS_SOMETHING if found[1] else MENTIONS


def _raised(text: str, lowered: str) -> Iterator[_Span]:
    """Yield the line in which the last traceback names what was raised."""
    at = text.find("\n", lowered.rfind("traceback ("))
    while at >= 0:
        start, end = _line_at(text, at + 1)
        if end > start and not text[start].isspace():
            yield start, end
            return
        at = text.find("\n", end)


def _chosen(
    text: str, best: Iterable[_Span], kept: Mapping[_Span, str]
) -> Iterator[tuple[_Span, str]]:
    """Yield the lines to tell, from the best down, as many as there is room for."""
    seen = set(kept.values())
    room = MOST_CHARS - sum(len(line) + 1 for line in seen)
    for start, end in best:
        shown = shown_line(text[start:end])
        if shown in seen or len(shown) >= room or not _is_telling(text[start:end]):
            continue
        seen.add(shown)
        room -= len(shown) + 1
        yield (start, end), shown
        if len(seen) == _MOST_LINES:
            return


def _is_telling(line: str) -> bool:
    """Say whether a line that has a word of failure really speaks of one."""
    lowered = f" {line.lower()}"
    # The name of a test that passed may be "throws an error".
    is_denied = lowered.lstrip().startswith(TICKS) or any(
        sign in lowered for sign in NOTHING_WRONG
    )
    return _is_meaningful(line) and not (
        is_denied and not COUNTS_FAILURES.search(lowered)  # `1 failure, 0 errors`
    )


def _last_lines(text: str) -> str:
    lines = [line for line in text.split("\n") if _is_meaningful(line)]
    kept = [line for line in lines if _is_telling(line)] or lines
    shown = (shown_line(line) for line in kept[-_FALLBACK_LINES:])
    return "\n".join(line for line in shown if line.strip())


def _of_success(text: str, lowered: str) -> str:
    is_commit = text[1] == "[" and "changed" in lowered  # `[branch 1a2b3c4] subject`
    if is_commit or text.startswith(_DIFFS):
        return shown_line(_first_line(text))
    tail = max(0, len(lowered) - _TAIL)
    for part, summaries in SUMMARIES.items():
        if lowered.find(part, tail) < 0:
            continue
        for summary in summaries:
            if (at := lowered.rfind(summary, tail)) >= 0:
                start, end = _line_at(text, at + (summary[0] == "\n"))
                if _is_meaningful(text[start:end]):
                    return shown_line(text[start:end])
    return shown_line(_first_line(text))


def _first_line(text: str) -> str:
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        line = text[start:] if end < 0 else text[start:end]
        if _is_meaningful(line):
            return line
        start += len(line) + 1
    return ""


def _is_meaningful(line: str) -> bool:
    """Say whether a line is more than a frame, a progress bar or boilerplate."""
    bare = line.strip(_FRAME)
    inside = line.lstrip(_BOX)
    if not bare or inside.startswith(_CODE_FRAME) or ("│" in inside and inside != line):
        return False
    lowered = inside.lower()
    if lowered.startswith(BOILERPLATE) or bare.lower().rstrip(":") in HEADINGS:
        return False
    for bar in BARS:  # noqa: SIM110  # any() would cost more than all the rest
        if bar in line:
            return False
    return True


def shown_line(line: str) -> str:
    """Return a line as it is kept: flat, and no longer than a line may be."""
    flat = " ".join(line[: _LINE_CHARS * 4].split()).strip("= ").lstrip(_BOX)
    return flat if len(flat) <= _LINE_CHARS else flat[: _LINE_CHARS - 1] + "…"
