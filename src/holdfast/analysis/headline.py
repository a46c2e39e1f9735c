"""A title and a few sentences that say what stands, in the words people used."""

import re
from collections.abc import Sequence

from holdfast.analysis.files import modified
from holdfast.analysis.prose import sentences
from holdfast.analysis.requests import answers_question
from holdfast.analysis.speech import telling_sentences, told_done
from holdfast.domain.brief import PASTED, is_open
from holdfast.domain.checkpoint import Content, FileRef
from holdfast.domain.text import one_line, visible
from holdfast.patterns import pattern

MOST_TITLE = 70
_MOST_SENTENCE = 220
_POLITE = pattern(
    r"^(?:(?:ok|okay|yes|yeah|no|so|and|but|now|hi|hey|hello|please|also|then|great|cool|well"
    r"|quick thing|one more thing|next)[,.!:]*\s+)*"
    r"(?:(?:can|could|would|will)\s+(?:you|we|i)\s+(?:please\s+|also\s+|now\s+|maybe\s+)*"
    r"|i(?:'d| would)\s+like\s+(?:you\s+)?to\s+|i\s+want\s+(?:you\s+)?to\s+|let'?s\s+|let\s+us\s+"
    r"|please\s+|we\s+(?:need|should|have)\s+(?:to\s+)?|i\s+think\s+(?:we\s+(?:need|should)\s+(?:to\s+)?)?)?",
    re.IGNORECASE,
)
_MARKER = pattern(r"\[pasted \d+ lines\]")
_ABSTRACT = pattern(
    r"^(?:take a look(?: at)?|do it|do this|fix (?:it|this|that|them)|continue|go on|go ahead"
    r"|(?:draft|open|create)(?: a)? pr(?: please)?|(?:commit|push|merge|rebase)(?: (?:this|it|and push|the changes.*))?"
    r"|implement [\d, and]+|try \d\W*|implement the following plan:?|yes.*|no|(?:i )?(?:also )?got this"
    r" feedback|any suggestions for|regarding)\W*\d*\W*$",
    re.IGNORECASE,
)
# Said about something, but not what is to be done.
_NO_GIST = pattern(
    r"^(?:i (?:get|got|see|also|can't|just|mean|don't|updated)|i'm (?:getting|seeing)|i've|hmm|weird|again"
    r"|what|why|how|where|which|who|when|does|do we|is|are|was|were|did|it'?s|that|this|there|so"
    r"|no|yes|wait|things|regarding|unknown|\W)",
    re.IGNORECASE,
)
_OPENING = pattern(
    r"^(?:i(?:'ve| have)\s+(?:successfully\s+|now\s+|completely\s+)?|successfully\s+|now\s+)",
    re.IGNORECASE,
)
_SHORTEST = 12
_LONGEST_TOLD = 110  # a sentence much longer than a title cannot be cut to one
_LOOK_BACK = 6  # requests


def title_of(content: Content, given: str, red: int) -> str:
    """Return one readable line of at most 70 characters; `red` counts what is broken."""
    told = (
        _last_commit(content)
        or (_from_agent(content) if _is_finished(content) else "")
        or _gist(content)
        or _from_files(content)
        or given
        or "Nothing done yet"
    )
    mark = f"; {red} open error{'' if red == 1 else 's'}" if red else ""
    line = one_line(visible(told).replace("`", ""), MOST_TITLE - len(mark))
    return _capital(line.rstrip(" .;,:?!")) + mark


def summary_of(content: Content) -> str:
    """Return three to five sentences: the goal, what was done, where it stands, next."""
    parts = [_goal(content), _done(content), _stands(content), _open(content)]
    parts.append(_coming(content))
    return " ".join(part for part in parts if part)


def _gist(content: Content) -> str:
    """Return the last request that says what is to be done, as a phrase."""
    phrases: list[str] = []
    for request in reversed(content.requests[-_LOOK_BACK:]):
        phrase = _phrase(request.text)
        about = request.excerpt.split("\n", 1)[0]
        if about.startswith(PASTED) and (not phrase or _ABSTRACT.match(phrase)):
            phrase = about.removeprefix(PASTED)
        if len(phrase) >= _SHORTEST and not _ABSTRACT.match(phrase):
            phrases.append(phrase)
    clear = (phrase for phrase in phrases if not _NO_GIST.match(phrase))
    return next(clear, phrases[0] if phrases else "")


def _phrase(words: str) -> str:
    spoken = sentences(_MARKER.sub("", words))
    for sentence in spoken:
        phrase = _POLITE.sub("", sentence, count=1).strip()
        if len(phrase) >= _SHORTEST and not _ABSTRACT.match(phrase):
            return phrase
    return spoken[0] if spoken else ""


def _last_commit(content: Content) -> str:
    """Return the subject of the last commit, if all the work is in it."""
    commits = [
        item for item in content.key_outcomes if item.text.startswith("committed ")
    ]
    is_last = any(c.command == "git commit" for c in content.commands[:4])
    if not (is_last and commits) or content.pending:
        return ""
    return commits[-1].text.removeprefix('committed "').removesuffix('"')


def _is_finished(content: Content) -> bool:
    """Say whether the agent's last words close the last turn."""
    return not any(item.text.startswith("The ") for item in content.in_flight)


def _from_agent(content: Content) -> str:
    """Return the sentence of the agent's last words that says what was done."""
    told = told_done(content.last_words)
    bare = _OPENING.sub("", told)
    return bare if _SHORTEST < len(bare) <= _LONGEST_TOLD else ""


def _from_files(content: Content) -> str:
    changed = modified(content.files)
    return f"Changed {_some_paths(changed)}" if changed else ""


def _goal(content: Content) -> str:
    gist = _gist(content)
    if not gist:
        return ""
    first = _phrase(content.requests[0].text) if content.requests else ""
    if first and first != gist and not answers_question(content.requests[0].text):
        return (
            f'The session began with "{one_line(first, 120)}"'
            f' and came to "{one_line(gist, 120)}".'
        )
    return f'The user asked: "{one_line(gist, 200)}".'


def _done(content: Content) -> str:
    changed = modified(content.files)
    outcomes = [
        item.text
        for item in content.key_outcomes
        if not item.text.startswith("changed ")
    ]
    if not changed and not outcomes:
        read = len(content.files)
        return f"No file was changed; {read} were read." if read else ""
    parts = []
    if changed:
        added = sum(file.lines_added for file in changed)
        removed = sum(file.lines_removed for file in changed)
        parts.append(f"changed {_some_paths(changed)} (+{added} −{removed})")
    parts += [text for text in outcomes if not text.startswith("created ")][:3]
    return _capital("; ".join(parts)) + "."


def _stands(content: Content) -> str:
    told = telling_sentences(content.last_words)
    return _sentence(one_line(" ".join(told[:2]), _MOST_SENTENCE)) if told else ""


def _open(content: Content) -> str:
    red = [error for error in content.errors if is_open(error)]
    if not red:
        return ""
    more = f" and {len(red) - 1} more" if len(red) > 1 else ""
    return f"Open: {one_line(red[0].text, _MOST_SENTENCE)}{more}."


def _coming(content: Content) -> str:
    if content.next_steps:
        told = "; ".join(one_line(item.text, 100) for item in content.next_steps[:3])
        return f"Next: {told}."
    if content.open_questions:
        return (
            f'Waiting for an answer: "{one_line(content.open_questions[0].text, 200)}"'
        )
    return ""


def _some_paths(files: Sequence[FileRef]) -> str:
    shown = ", ".join(file.path for file in files[:3])
    more = len(files) - 3
    return f"{shown} and {more} more" if more > 0 else shown


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…", "。")) else text + "."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
