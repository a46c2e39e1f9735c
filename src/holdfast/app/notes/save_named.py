"""Saving under a name: a name from the work, who has it, the file beside the record.

The store is what counts; the file is for people and for the client's memory.
"""

from contextlib import suppress

from holdfast.app.checkpoints.drafting import SaveRequest
from holdfast.app.checkpoints.session import read_session
from holdfast.app.notes.named_files import Naming, owner_of, reindex, secure, text_in
from holdfast.app.ports import Ports
from holdfast.domain.checkpoint import Content, Draft, PutResult
from holdfast.domain.text import plain
from holdfast.facts.content import content_of
from holdfast.kernel.clock import local_time
from holdfast.kernel.errors import FileRefused, HoldfastError, NameInvalid, NameTaken
from holdfast.kernel.ids import label, name as checked
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import replace
from holdfast.project_notes.named_file import (
    file_name,
    left_off,
    named_file,
    read_named,
    says_the_same,
)
from holdfast.store.port import Finding, Store

_CLIENT = "claude-code"
_MOST_WORDS, _LEAST_WORDS = 4, 2
_MOST_CHARACTERS = 40
# Not `\w`: the vowels of some scripts are marks, not letters.
_BETWEEN = pattern(r"[\s/,:;!?\"'()\[\]{}<>|`—–·_=+*#-]+")
_MAINLINE = ("main", "master", "trunk", "develop", "dev", "head")
# Words that say nothing about which work it is.
_EMPTY = pattern(
    r"a|an|the|and|or|but|of|for|to|in|on|at|by|with|from|into|as|is|are|was|be|been|it|its"
    r"|this|that|these|those|i|you|we|they|he|she|me|my|your|our|their|please|can|could|would"
    r"|should|will|do|does|did|done|make|let|lets|need|want|try|get|got|go|now|then|also|just"
    r"|not|no|yes|ok|so|if|when|why|what|how|which|again|still|all|some|any|one|user|asked"
    r"|session|began|came|changed|nothing|yet|like|explain|option"
)


def put_named(
    draft: Draft, ports: Ports, store: Store
) -> tuple[PutResult, tuple[str, ...]]:
    """Keep a draft that has a name and write its file; say what is missing.

    Raises:
        NameTaken: the name belongs to another checkpoint, or to a file.
    """
    naming = _begun(draft, ports, store)
    try:
        kept = store.put(draft)
    except NameTaken as taken:
        raise _explained(taken, draft, store) from None
    return kept, _filed(naming, kept, ports) if naming else ()


def suggested(request: SaveRequest, ports: Ports) -> str:
    """Return a name for a session's work, made from the work."""
    state = read_session(
        request.session_id, request.transcript, ports.transcripts, None
    ).state
    content = content_of(state, request.notes)
    redact = ports.redactor.text
    clean = replace(
        content,
        title=redact(request.title or content.title),
        topics=tuple(map(redact, content.topics)),
        summary=redact(content.summary),
    )
    return suggested_name(clean, None if request.title else state.branch or None)


def _begun(draft: Draft, ports: Ports, store: Finding) -> Naming | None:
    """Look at what a save by name would replace; None: there is no file to write.

    Raises:
        NameTaken: a file has the name that no record accounts for.
    """
    memory = ports.memory_of(draft.workspace) if draft.agent == _CLIENT else None
    if draft.name is None or memory is None:
        return None
    owner = owner_of(draft.name, draft.project_id, store)
    naming = Naming(draft.name, draft.workspace, memory, owner)
    text = _text_there(naming)
    if text is None:
        return naming
    if draft.replace_name:
        with suppress(FileRefused):  # then it stays, which is told with the save
            secure(naming, text, ports)  # before the save, which is to be the newest
    elif owner is None:
        raise _taken_by_file(draft.name, text)
    return naming


def _text_there(naming: Naming) -> str | None:
    try:
        return text_in(naming.memory, naming.name)
    except FileRefused:
        return None  # the attempt to write it tells why


def _filed(naming: Naming, kept: PutResult, ports: Ports) -> tuple[str, ...]:
    """Write the file of a kept checkpoint and its bullet; return what is missing."""
    name, text = naming.name, named_file(naming.name, kept.checkpoint.draft)

    def rewrite(before: str | None) -> str | None:
        if before is None or says_the_same(before, text):
            return text  # a retry that was faster wrote it
        if kept.outcome == "unchanged":
            return None  # somebody may have edited it since
        secure(naming, before, ports)
        return text

    try:
        naming.memory.change(file_name(name), rewrite)
        reindex(naming.memory, fresh=name)
    except HoldfastError as trouble:
        return (f"the file of `{name}`: {trouble.message}",)
    return ()


def _explained(taken: NameTaken, draft: Draft, store: Finding) -> NameTaken:
    """Return the error with when the name's owner was saved, and where it left off."""
    owner = owner_of(draft.name or "", draft.project_id, store)
    if owner is None:
        return taken
    saved, branch = local_time(owner.draft.created_at), owner.draft.code.branch
    where = f" on `{plain(branch)}`" if branch else ""
    return NameTaken(
        f"`{draft.name}` is already the name of {label(owner.number)},"
        f" saved {saved}{where}. Left off: {left_off(owner.draft)[0]}",
        hint=taken.hint,
    )


def _taken_by_file(name: str, text: str) -> NameTaken:
    said = read_named(name, text)
    if said is None:
        return NameTaken(
            f"`{file_name(name)}` is there and was not written by holdfast",
            hint="choose another name",
        )
    about = said.left_off[0] if said.left_off else "?"
    return NameTaken(
        f"`{name}` is already the name of a checkpoint file, saved {said.saved}"
        f" on `{plain(said.branch)}`. Left off: {plain(about)}",
        hint="choose another name, or replace it with `--force`",
    )


def suggested_name(content: Content, branch: str | None) -> str:
    """Return two to four words of the work, as a name; `work` if nothing tells more.

    A branch that is not the main line was named for the work by a person.
    """
    named = _words((branch or "").rpartition("/")[2])
    if named == named[:1] and "".join(named) in _MAINLINE:
        named = []
    told = [
        [word for word in _words(text) if not _EMPTY.fullmatch(word)]
        for text in (content.title, " ".join(content.topics), content.summary)
    ]
    for words in (named, *told):
        if len(words) >= _LEAST_WORDS:
            return _named("-".join(_fitting(words)))
    return _named("-".join((*(named or told[0]), "work")))


def _words(text: str) -> list[str]:
    found = (word.strip(".").lower() for word in _BETWEEN.split(text))
    return [word for word in found if word]


def _fitting(found: list[str]) -> list[str]:
    words = found[:_MOST_WORDS]
    while len("-".join(words)) > _MOST_CHARACTERS and len(words) > 1:
        words.pop()
    return words


def _named(text: str) -> str:
    try:
        return checked(text[:_MOST_CHARACTERS])
    except NameInvalid:
        return "work"
