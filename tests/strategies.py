"""Generated values: any text a transcript may hold, in every part of a draft."""

from typing import Any

from hypothesis import strategies as st

from holdfast.domain.checkpoint import (
    CHECKPOINT_TYPES,
    Checkpoint,
    CommandRef,
    Content,
    Detail,
    Draft,
    FileRef,
    Item,
    Plan,
    SessionFacts,
    ToolRef,
    fact_item,
    last_words as joined_last_words,
)
from holdfast.domain.code import CodeState, LeftOut
from holdfast.domain.event import Tokens
from holdfast.domain.fact import (
    AcceptedPlan,
    AgentReport,
    ChangedFiles,
    ChosenAnswer,
    Commit,
    CreatedFile,
    Failure,
    Goal,
    Note,
    PassingCommand,
    RefusedCall,
    RevertedEdit,
    RewoundRequest,
    RunningWork,
    UnfinishedTurn,
    WaitingPlan,
)
from holdfast.domain.session import Mark

SOURCES = ("user", "agent", "tool", "engine")
CHANGES = ("edited", "created", "deleted", "read")
TRIGGERS = (
    "command", "threshold", "clear", "compact", "exit", "rescue", "restore", "backfill", "import",
    "headless", "merge",
)  # fmt: skip

# Everything but what `domain.text.storable` replaces at a store's door.
texts = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters=["\x00"]), max_size=20
)
numbers = st.integers(0, 2**31)
moments = st.integers(1, 4_000_000_000_000)  # until 2096
ids = st.text("0123456789abcdef-", min_size=1, max_size=12)


def several(values: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(values, max_size=3).map(tuple)


item_facts = (
    st.builds(Failure, texts, texts, st.none() | st.integers(1, 255), st.sampled_from(("open", "fixed", "abandoned")), several(texts), st.integers(1, 9))
    | st.builds(Goal, st.sampled_from(("typed", "plan", "pasted")), texts, texts, texts, several(texts), ids, numbers, moments)
    | st.builds(Note, texts, ids, ids, numbers, ids, texts)
    | st.builds(RefusedCall, texts, texts, texts)
    | st.builds(RewoundRequest, texts, several(texts))
    | st.builds(RevertedEdit, texts, texts, texts)
    | st.builds(Commit, texts)
    | st.builds(PassingCommand, texts, st.booleans())
    | st.builds(CreatedFile, texts, numbers)
    | st.builds(ChangedFiles, numbers, numbers, numbers)
    | st.builds(AgentReport, texts, texts)
    | st.builds(RunningWork, st.sampled_from(("background", "sub-agent", "server", "command")), texts, texts)
    | st.builds(WaitingPlan, texts)
    | st.builds(AcceptedPlan, texts)
    | st.builds(ChosenAnswer, texts, texts)
    | st.builds(UnfinishedTurn, st.sampled_from(("stopped", "about to change", "cut off", "not answered")), several(texts), texts, texts, st.integers(0, 12), several(texts), st.integers(0, 12))
)  # fmt: skip
items = st.builds(
    fact_item, item_facts, st.sampled_from(SOURCES), several(ids), texts
) | st.builds(
    Item,
    texts,
    st.sampled_from(SOURCES),
    several(ids),
    texts,
    st.none() | ids,
    numbers,
    texts,
    texts,
)
own_files = st.builds(FileRef, texts, st.sampled_from(CHANGES), numbers, numbers)
files = own_files | st.builds(
    FileRef, texts, st.sampled_from(CHANGES), numbers, numbers, ids, numbers
)
CONTENT_PARTS = dict[str, Any](
    title=texts,
    summary=texts,
    summary_doubt=texts,
    topics=several(texts),
    work_type=texts,
    domain=texts,
    goal=several(items),
    requests=several(items),
    last_words=texts,
    said_before=texts,
    key_outcomes=several(items),
    decisions=several(items),
    discoveries=several(items),
    pending=several(items),
    next_steps=several(items),
    manual_steps=several(items),
    open_questions=several(items),
    instructions=several(items),
    errors=several(items),
    dead_ends=several(items),
    in_flight=several(items),
    error_lines=several(items),
    story=several(items),
    notes=several(items),
    mental_model=texts,
    files=several(files),
    names=several(texts),
    files_seen=several(texts),
    uncommitted=several(texts),
    technologies=several(texts),
    blockers=several(items),
    commands=several(
        st.builds(
            CommandRef,
            texts,
            st.none() | st.integers(-1, 255),
            texts,
            texts,
            texts,
            ids,
            texts,
        )
    ),
    plan=st.none() | st.builds(Plan, texts, st.none() | numbers, st.none() | numbers),
)


def _content(last_words: str, said_before: str, **parts: Any) -> Content:
    """What was said before the last request stands at the end of the last words."""
    words = joined_last_words(last_words, said_before)
    return Content(last_words=words, said_before=said_before, **parts)


contents = st.builds(_content, **CONTENT_PARTS)
FACTS_PARTS = dict[str, Any](
    message_count=numbers,
    duration_seconds=numbers,
    started_at=numbers,
    files_modified=numbers,
    commands_executed=numbers,
    tools=several(st.builds(ToolRef, texts, numbers, moments, moments)),
    context_tokens=numbers,
    context_percent=st.none() | st.floats(0, 100),
    unread_lines=numbers,
    prompts=st.none() | numbers,
    failed_calls=st.none() | numbers,
    last_turn=st.none() | numbers,
    abandoned=several(st.tuples(numbers, numbers)),
    spent=st.builds(Tokens, numbers, numbers, numbers, numbers, numbers),
    spent_exactly=st.booleans(),
)
facts = st.builds(SessionFacts, **FACTS_PARTS)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2)
    ),
    max_leaves=4,
)
DRAFT_PARTS = dict[str, Any](
    key=ids,
    session_id=st.uuids().map(str),
    agent=st.sampled_from(["claude-code", "codex"]),
    agent_version=texts,
    type=st.sampled_from(CHECKPOINT_TYPES),
    trigger=st.sampled_from(TRIGGERS),
    created_at=moments,
    working_directory=texts,
    hostname=texts,
    project_id=ids,
    project_root=texts,
    project_remote=st.none() | texts,
    workspace=texts,
    name=st.none() | ids,
    replace_name=st.booleans(),
    content=contents,
    facts=facts,
    code=st.builds(
        CodeState,
        branch=st.none() | texts,
        head=st.none() | ids,
        tree=st.none() | ids,
        dirty=st.booleans(),
        uncommitted=st.none() | several(texts),
        left_out=several(st.builds(LeftOut, texts, texts)),
        reason=texts,
    ),
    details=several(
        st.builds(
            Detail,
            texts,
            texts,
            several(texts),
            several(st.tuples(texts, texts)),
            evidence=several(ids),
            snippets=several(st.tuples(texts, texts)),
        )
    ),
    parent_session=st.none() | st.uuids().map(str),
    root_session=st.uuids().map(str),
    merged_from=several(ids),
    forked_at=st.none() | st.just("") | ids,
    tags=several(texts),
    receipt=st.dictionaries(ids, st.tuples(numbers, numbers), max_size=3),
    state_key=ids,
    given_title=st.booleans(),
    given_notes=st.booleans(),
    transcript=texts,
    read_to=st.builds(Mark, numbers, ids, ids),
    extra_notes=st.dictionaries(texts, json_values, max_size=2),
    author=texts,
)
drafts = st.builds(Draft, **DRAFT_PARTS)
checkpoints = st.builds(
    Checkpoint,
    draft=drafts,
    checkpoint_id=ids,
    number=st.integers(1, 10**6),
    sequence=st.integers(1, 10**6),
    master_summary_id=numbers,
    previous_checkpoint=st.none() | ids,
    content_hash=ids,
    name=st.none() | ids,
)
