"""The query language: every string is a query, and these are what it means."""

import time
from dataclasses import asdict
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings, strategies as st

from holdfast.domain.query import Query
from holdfast.search.query import MOST_OF_A_KIND, MOST_WORD, misread, parse

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
        pytest.param("「索引」 tag：検索", {"phrases": ("索引",), "tags": ("検索",)}, id="signs of other keyboards"),
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
        pytest.param("query='a b' x", {"words": ("a", "b")}, id="single quotes"),
        pytest.param("/mem-search query=checkpoint latest tag:x", {"latest": True, "tags": ("x",)}, id="quotes taken by a shell"),
        pytest.param("query: planner", {"words": ("query:", "planner")}, id="a colon alone wraps nothing"),
        pytest.param("query planner", {"words": ("query", "planner")}, id="query as a word"),
    ],
)  # fmt: skip
def test_a_query_means_what_it_says(text: str, meaning: dict[str, Any]) -> None:
    """There is no syntax error: what is no filter is a word."""
    assert said(text) == meaning


@pytest.mark.parametrize(
    ("text", "without"),
    [
        pytest.param("-tag:nightly", [("tag", "nightly")], id="tag"),
        pytest.param("-TYPE:Auto", [("type", "auto")], id="type in any case"),
        pytest.param('-file:"a b.py"', [("file", "a b.py")], id="quoted value"),
        pytest.param("-tool:Bash -topic:db", [("tool", "Bash"), ("topic", "db")], id="two"),
        pytest.param("-tag:a -tag:b -tag:a", [("tag", "a"), ("tag", "b")], id="two of a kind"),
        pytest.param("-branch:feat/X", [("branch", "feat/X")], id="branch"),
        pytest.param("-name:API", [("name", "api")], id="name"),
        pytest.param("-session:ABCD", [("session", "abcd")], id="session"),
        pytest.param(f"-parent:{SESSION}", [("parent", SESSION)], id="parent"),
        pytest.param(f"-lineage:{SESSION}", [("lineage", SESSION)], id="lineage"),
        pytest.param(f"-checkpoint:{CHECKPOINT}", [("checkpoint", CHECKPOINT)], id="id"),
    ],
)  # fmt: skip
def test_a_filter_can_be_turned_round(
    text: str, without: list[tuple[str, str]]
) -> None:
    """`-x` excludes, whatever x is: a word, a phrase or a filter."""
    assert said(text) == {"without": tuple(without)}


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        pytest.param("-after:2026-01-18", {"before": TODAY}, id="not after is before"),
        pytest.param("-before:yesterday", {"after": TODAY - DAY}, id="not before is after"),
        pytest.param("-after:2 weeks ago", {"before": NOW - 14 * DAY}, id="without quotes"),
        pytest.param("-after:soon", {"excluded": ("after:soon",)}, id="no date"),
        pytest.param("-sort:asc", {"excluded": ("sort:asc",)}, id="no opposite"),
        pytest.param("-latest", {"excluded": ("latest",)}, id="latest is a word there"),
        pytest.param("-foo:bar", {"excluded": ("foo:bar",)}, id="unknown filter"),
        pytest.param("-tag:", {"excluded": ("tag:",)}, id="no value"),
    ],
)  # fmt: skip
def test_what_is_no_filter_excludes_as_text(text: str, meaning: dict[str, Any]) -> None:
    """There is no syntax error behind a minus either."""
    assert said(text) == meaning


@pytest.mark.parametrize(
    "date",
    [
        "2 weeks ago", "a week ago", "3 days", "last monday", "this week", "last month",
        "jan 2025", "18 January 2025", "2025-01-18 15:30",
    ],
)  # fmt: skip
def test_a_date_of_several_words_needs_no_quotes(date: str) -> None:
    """Where nothing else can be meant, nobody has to think of quotes."""
    quoted = said(f'after:"{date}" x')

    assert quoted["after"] < NOW
    assert said(f"after:{date} x") == quoted
    assert said(f"x after:{date}") == quoted


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        pytest.param("after:today fix", {"after": TODAY, "words": ("fix",)}, id="a word follows"),
        pytest.param("after:may flower", {"after": 1_746_057_600_000, "words": ("flower",)}, id="may"),
        pytest.param("after:2 weeksago", {"words": ("after:2", "weeksago")}, id="no date"),
    ],
)  # fmt: skip
def test_a_date_takes_no_word_that_is_not_its_own(
    text: str, meaning: dict[str, Any]
) -> None:
    """What follows a date is searched for."""
    assert said(text) == meaning


def test_dates_are_those_of_the_user_s_zone() -> None:
    """At 22:30 in New York it is another day than in Bangkok."""
    late = 1_768_879_800_000  # 2026-01-20T03:30:00Z
    new_york, bangkok = ZoneInfo("America/New_York"), ZoneInfo("Asia/Bangkok")

    assert (
        parse("after:today", late, new_york).after == 1_768_798_800_000
    )  # 19th, 05:00Z
    assert (
        parse("after:today", late, bangkok).after == 1_768_842_000_000
    )  # 19th, 17:00Z


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("after:soon x", ("after:soon",), id="date"),
        pytest.param("sort:up", ("sort:up",), id="order"),
        pytest.param("tag: x", ("tag:",), id="no value"),
        pytest.param("foo:bar parser", ("foo:bar",), id="no filter of ours"),
        pytest.param(
            r"https://x.org C:\a std::sort src:a/b.py at:12:30 Makefile:7 10:30 TypeError:",
            (),
            id="addresses, paths, names, lines and times",
        ),
        pytest.param("tag:x after:2d session", (), id="all understood"),
    ],
)
def test_a_filter_that_was_not_understood_can_be_told(
    text: str, words: tuple[str, ...]
) -> None:
    """Searching for `after:soon` as a word is right; being silent about it is not."""
    assert misread(parse(text, NOW)) == words


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
        "latest", "after:", "-after:", "-tag:", "before:", "2w", "last week", "ago", "2026-01-18T", "sort:asc",
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


@given(st.binary(max_size=200), st.sampled_from(["utf-8", "latin-1", "utf-16-le"]))
def test_any_bytes_are_a_query(octets: bytes, encoding: str) -> None:
    """Whatever a terminal, a file or an agent hands over."""
    text = octets.decode(
        encoding, "surrogateescape" if encoding == "utf-8" else "replace"
    )

    query = parse(text, NOW)

    for told in (*query.words, *query.phrases, *query.excluded):
        assert told.strip()
        told.encode()


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
