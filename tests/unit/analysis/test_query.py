"""The query language: every string is a query, and these are what it means."""

import time
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from holdfast.analysis.query import MOST_OF_A_KIND, MOST_WORD, parse
from holdfast.domain.query import Query

DAY = 86_400_000
NOW = 1_768_749_825_000  # 2026-01-18T15:23:45Z
TODAY = NOW - NOW % DAY
SESSION = "7670db3a-2057-406a-a109-afcedef1cb97"
CHECKPOINT = f"ccp-{SESSION}-01-1737196625000"
EMPTY = asdict(Query())


def said(text: str) -> dict[str, Any]:
    """Return what a query asks beyond the empty query."""
    return {
        field: value
        for field, value in asdict(parse(text, NOW)).items()
        if value != EMPTY[field]
    }


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        pytest.param(
            f'/mem-search query="checkpoint session:{SESSION} latest"',
            {"session": SESSION, "latest": True},
            id="latest of a session",
        ),
        pytest.param(
            f'/mem-search query="checkpoint session:{SESSION}"',
            {"session": SESSION},
            id="all of a session",
        ),
        pytest.param(
            f'/mem-search query="checkpoint parent:{SESSION}"',
            {"parent": SESSION},
            id="of the session before",
        ),
        pytest.param(
            f'/mem-search query="checkpoint:{CHECKPOINT}"',
            {"checkpoint": CHECKPOINT},
            id="by id",
        ),
        pytest.param(
            '/mem-search query="checkpoint latest sort:desc"',
            {"latest": True, "sort": "desc"},
            id="latest of all",
        ),
        pytest.param(
            '/mem-search query="checkpoint after:2025-01-18 before:2025-01-19"',
            {"after": 1_737_158_400_000, "before": 1_737_244_800_000},
            id="one day",
        ),
        pytest.param(
            '/mem-search query="checkpoint:ccp-<session_uuid>-<seq>-<timestamp_ms>"',
            {"checkpoint": "ccp-<session_uuid>-<seq>-<timestamp_ms>"},
            id="template of an id",
        ),
        pytest.param(
            '/mem-search query="checkpoint:ccp-<uuid>-<seq>-<unix_ms>"',
            {"checkpoint": "ccp-<uuid>-<seq>-<unix_ms>"},
            id="short template of an id",
        ),
        pytest.param(
            '/mem-search query="checkpoint session:<session_uuid>"',
            {"session": "<session_uuid>"},
            id="template of a session",
        ),
        pytest.param(
            '/mem-search query="session lineage:<root_session_uuid>"',
            {"lineage": "<root_session_uuid>"},
            id="template of a lineage",
        ),
        pytest.param(
            '/mem-search query="session lineage:<uuid_a>"',
            {"lineage": "<uuid_a>"},
            id="lineage",
        ),
        pytest.param(
            f"checkpoint:{CHECKPOINT}", {"checkpoint": CHECKPOINT}, id="bare id"
        ),
        pytest.param(
            f"checkpoint session:{SESSION}", {"session": SESSION}, id="bare session"
        ),
        pytest.param("checkpoint latest", {"latest": True}, id="bare latest"),
        pytest.param(
            f"session lineage:{SESSION}", {"lineage": SESSION}, id="bare lineage"
        ),
        pytest.param(
            'mcp__plugin_claude-mem_mem-search__search(\n     query: "checkpoint'
            f' session:{SESSION}"\n   )',
            {"session": SESSION},
            id="tool call with a colon",
        ),
        pytest.param(
            "mcp__plugin_claude-mem_mem-search__search(\n"
            '         query="checkpoint session:{session_id}")',
            {"session": "{session_id}"},
            id="tool call",
        ),
    ],
)
def test_the_seed_document_s_own_queries_are_understood(
    text: str, meaning: dict[str, Any]
) -> None:
    """Requirement E3: what people and agents learned to type keeps working."""
    assert said(text) == meaning


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        pytest.param("", {}, id="nothing"),
        pytest.param("  \n\t ", {}, id="blank"),
        pytest.param("parser bug", {"words": ("parser", "bug")}, id="words"),
        pytest.param("bug bug", {"words": ("bug",)}, id="a word twice"),
        pytest.param('"token budget"', {"phrases": ("token budget",)}, id="phrase"),
        pytest.param("“token  budget”", {"phrases": ("token budget",)}, id="curly"),
        pytest.param('say "a b" -c', {"words": ("say",), "phrases": ("a b",), "excluded": ("c",)}, id="mixed"),
        pytest.param('-"a b"', {"excluded": ("a b",)}, id="excluded phrase"),
        pytest.param('-file:"a b"', {"excluded": ("file:a b",)}, id="excluded filter"),
        pytest.param("--no-verify", {"words": ("--no-verify",)}, id="a flag is a word"),
        pytest.param("- --", {"words": ("-", "--")}, id="lone dashes"),
        pytest.param('"', {}, id="lone quote"),
        pytest.param('"open end', {"words": ("open", "end")}, id="unbalanced quote"),
        pytest.param('""', {}, id="empty phrase"),
        pytest.param("checkpoint", {}, id="record kind alone"),
        pytest.param("fix checkpoint", {"words": ("fix", "checkpoint")}, id="kind later"),
        pytest.param('"checkpoint"', {"phrases": ("checkpoint",)}, id="kind quoted"),
        pytest.param("Latest fix", {"words": ("fix",), "latest": True}, id="latest"),
        pytest.param('"latest"', {"phrases": ("latest",)}, id="latest quoted"),
        pytest.param("tag:api tag:db", {"tags": ("api", "db")}, id="two tags"),
        pytest.param("TYPE:Auto", {"type": "auto"}, id="any case"),
        pytest.param('file:"a b.py" file:c.py', {"files": ("a b.py", "c.py")}, id="files"),
        pytest.param("tool:Bash topic:search", {"tools": ("Bash",), "topics": ("search",)}, id="tool, topic"),
        pytest.param("branch:feat/X", {"branch": "feat/X"}, id="branch keeps its case"),
        pytest.param("name:API-Design", {"name": "api-design"}, id="names are lower case"),
        pytest.param("session:ABCDEF12", {"session": "abcdef12"}, id="id in capitals"),
        pytest.param("session:a session:b", {"session": "b"}, id="the last one holds"),
        pytest.param("sort:ASC", {"sort": "asc"}, id="sort"),
        pytest.param("sort:up", {"words": ("sort:up",)}, id="unknown order"),
        pytest.param("foo:bar", {"words": ("foo:bar",)}, id="unknown filter"),
        pytest.param("https://x.org/a", {"words": ("https://x.org/a",)}, id="address"),
        pytest.param("tag:", {"words": ("tag:",)}, id="filter without value"),
        pytest.param("!!! &&", {"words": ("!!!", "&&")}, id="no letters is not nothing"),
        pytest.param("a\x00b \ud800c", {"words": ("a", "b", "c")}, id="unstorable"),
        pytest.param("'; DROP TABLE x --", {"words": ("';", "DROP", "TABLE", "x", "--")}, id="SQL"),
        pytest.param("กู้คืน 保存", {"words": ("กู้คืน", "保存")}, id="any script"),
        pytest.param("/mem-search parser", {"words": ("parser",)}, id="bare command"),
        pytest.param('/holdfast:mem-search query="a"', {"words": ("a",)}, id="our command"),
        pytest.param('query="file:\\"a b\\" c"', {"files": ("a b",), "words": ("c",)}, id="escaped quotes"),
        pytest.param('query="open end', {"words": ("open", "end")}, id="wrapper not closed"),
        pytest.param("query planner", {"words": ("query", "planner")}, id="query as a word"),
    ],
)  # fmt: skip
def test_a_query_means_what_it_says(text: str, meaning: dict[str, Any]) -> None:
    """There is no syntax error: what is no filter is a word."""
    assert said(text) == meaning


@pytest.mark.parametrize(
    ("date", "moment"),
    [
        pytest.param("2026-01-18", TODAY, id="day"),
        pytest.param("20260118", TODAY, id="day without dashes"),
        pytest.param("2026-01", TODAY - 17 * DAY, id="month"),
        pytest.param("2026", TODAY - 17 * DAY, id="year"),
        pytest.param("2026-01-18T15:23:45Z", NOW, id="moment"),
        pytest.param("2026-01-18T16:23:45+01:00", NOW, id="moment with a zone"),
        pytest.param("2026-01-18T15:23:45", NOW, id="moment without a zone is UTC"),
        pytest.param("1970-01-01", 0, id="epoch"),
        pytest.param("today", TODAY, id="today"),
        pytest.param("Yesterday", TODAY - DAY, id="yesterday"),
        pytest.param('"last week"', TODAY - 7 * DAY, id="last week"),
        pytest.param("last-week", TODAY - 7 * DAY, id="last week with a dash"),
        pytest.param("last week", TODAY - 7 * DAY, id="last week without quotes"),
        pytest.param("last_month", TODAY - 30 * DAY, id="last month"),
        pytest.param("3d", NOW - 3 * DAY, id="3d"),
        pytest.param("2w", NOW - 14 * DAY, id="2w"),
        pytest.param("6mo", NOW - 180 * DAY, id="6mo"),
        pytest.param("12h", NOW - DAY // 2, id="12h"),
        pytest.param('"2 weeks ago"', NOW - 14 * DAY, id="quoted"),
        pytest.param("2-weeks-ago", NOW - 14 * DAY, id="dashes"),
        pytest.param("2_weeks_ago", NOW - 14 * DAY, id="underscores"),
        pytest.param("2 weeks ago", NOW - 14 * DAY, id="without quotes"),
        pytest.param("a-day-ago", NOW - DAY, id="a day"),
        pytest.param("90minutes", NOW - 90 * 60_000, id="minutes"),
    ],
)
def test_dates_are_read_as_people_write_them(date: str, moment: int) -> None:
    """`after:` includes its moment and `before:` does not; both read the same dates."""
    assert said(f"after:{date} x") == {"after": moment, "words": ("x",)}
    assert said(f"before:{date}") == {"before": moment}


@pytest.mark.parametrize(
    "date",
    ["soon", "2026-13-01", "2026-02-30", "0w0", "5m", "99999999d", "-1d", "٣", "0000"],
)
def test_a_bad_date_makes_the_filter_a_word(date: str) -> None:
    """A typing error must not turn into an error message, nor into another date."""
    assert said(f"after:{date}") == {"words": (f"after:{date}",)}


def test_a_huge_query_is_cut_and_not_refused() -> None:
    """A pasted log is a query, too."""
    query = parse(" ".join(f"w{n} -x{n} tag:t{n} " for n in range(5_000)), NOW)
    long = parse("a" * 100_000, NOW)

    assert len(query.words) == len(query.excluded) == len(query.tags) == MOST_OF_A_KIND
    assert len(long.words[0]) == MOST_WORD


PIECES = st.sampled_from(
    [
        "checkpoint", "session:", 'query="', "/mem-search ", '"', '\\"', "-", "--", ":",
        "latest", "after:", "before:", "2w", "last week", "ago", "2026-01-18T", "sort:asc",
        'file:"', "tag:x", "(", ")", "*", "^", "NEAR", "OR", "%", "_", "'", ";", "\\",
    ]
)  # fmt: skip


@settings(max_examples=500)
@given(
    st.lists(st.one_of(PIECES, st.text(max_size=8), st.just(" ")), max_size=30)
    .map("".join)
    .flatmap(lambda text: st.sampled_from([text, text + "\ud83d", "\x00" + text])),
    st.integers(0, 4_102_444_800_000),
)
def test_no_text_is_refused(text: str, now_ms: int) -> None:
    """Any string is a valid query, and asking it again means the same."""
    query = parse(text, now_ms)

    assert query == parse(text, now_ms)
    told = "".join((*query.words, *query.phrases, *query.excluded))
    assert "\x00" not in told
    told.encode()  # no surrogate is left


@given(st.datetimes(), st.timezones() | st.none())
def test_no_date_is_refused(moment: Any, zone: Any) -> None:
    """Dates at the ends of time, in any zone, are dates."""
    text = moment.replace(tzinfo=zone).isoformat()

    query = parse(f"after:{text}", NOW)

    assert query.after is not None or query.words == (f"after:{text}",)


@pytest.mark.parametrize(
    "unit",
    [
        "a", "a ", '"', '" ', 'a"', "-", "- ", "x:", 'x:"', "after:", "after:2 ",
        "after:last ", 'query="', "/mem-search ", "((", "a" * 40 + "!", "\\", "“",
        "search(",
    ],
)  # fmt: skip
def test_four_times_the_query_takes_about_four_times_as_long(unit: str) -> None:
    """No query can hold up a server."""

    def cpu_seconds(size: int) -> float:
        text = unit * (size // len(unit))
        runs = []
        for _ in range(4):
            start = time.thread_time()
            parse(text, NOW)
            runs.append(time.thread_time() - start)
        return min(runs)

    assert cpu_seconds(100_000) <= 8 * max(cpu_seconds(25_000), 0.001)
