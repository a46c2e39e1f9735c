"""What a session is about: topics, kind of work, field."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from holdfast.domain.checkpoint import FileRef, Item
from holdfast.facts.work.files import stem_of
from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.small_words import SMALL

_MOST_TOPICS = 6
_MARKER = pattern(r"\[pasted \d+ lines\]")
_WORD = pattern(r"[A-Za-z][a-z]{2,}|[A-Z]{3,}(?![a-z])")
_FRAGMENT = pattern(r"[^\W\d_]{3,}")
# Words that every session has, and parts that every path has.
COMMON = frozenset(
    [
        "about", "above", "already", "anything", "approach", "available", "basically",
        "consider", "existing", "far", "goes", "per", "yeah", "saved", "shouldn", "noticed",
        "clearly", "checked", "doesn", "wasn", "isn", "couldn", "wouldn", "hmm", "okay", "actually", "add", "added", "adding", "after", "again",
        "agent", "all", "also", "always", "and", "another", "any", "app", "apply",
        "are", "ask", "back", "bad", "base", "because", "been", "before", "being",
        "below", "better", "bin", "both", "branch", "build", "but", "call",
        "called", "can", "case", "change", "changed", "changes", "check", "claude",
        "clean", "cmd", "code", "command", "commit", "common", "completely",
        "const", "correct", "could", "create", "created", "current", "data",
        "default", "delete", "did", "different", "does", "doing", "done", "don",
        "each", "edit", "ensure", "error", "even", "every", "example", "expected",
        "fail", "failed", "failing", "failure", "file", "files", "find", "first",
        "fix", "fixed", "follow", "for", "found", "from", "full", "func",
        "function", "general", "get", "give", "given", "go", "going", "good", "got",
        "had", "happens", "has", "have", "help", "her", "here", "his", "home",
        "how", "https", "idea", "implement", "import", "include", "index", "info",
        "init", "inside", "instead", "internal", "into", "issue", "its", "itself",
        "json", "just", "keep", "kind", "know", "last", "less", "let", "lets",
        "lib", "like", "line", "lines", "list", "local", "log", "look", "looks",
        "made", "main", "make", "many", "may", "maybe", "mean", "means", "method",
        "might", "mod", "more", "most", "move", "much", "must", "name", "need",
        "needed", "needs", "never", "new", "next", "none", "not", "note", "now",
        "null", "object", "off", "old", "once", "one", "only", "open", "option",
        "other", "our", "out", "output", "over", "own", "package", "part", "pass",
        "path", "paths", "place", "please", "pkg", "possible", "problem", "project",
        "prompt", "provide", "pull", "push", "put", "question", "quick", "read",
        "really", "reason", "remove", "removed", "rename", "repo", "result",
        "return", "review", "right", "root", "run", "running", "same", "saw", "say",
        "see", "seems", "session", "set", "setup", "should", "show", "showing",
        "shows", "side", "simple", "since", "some", "something", "src", "start",
        "state", "still", "stop", "string", "support", "sure", "system", "take",
        "task", "tell", "test", "testing", "tests", "text", "than", "that", "the",
        "their", "them", "then", "there", "these", "they", "thing", "things",
        "think", "this", "those", "through", "time", "todo", "too", "tool", "top",
        "true", "try", "two", "type", "under", "understand", "update", "updated",
        "use", "used", "user", "users", "using", "util", "utils", "value",
        "version", "very", "want", "was", "way", "we", "well", "were", "what",
        "when", "where", "which", "while", "who", "why", "will", "with", "without",
        "work", "working", "works", "would", "write", "yes", "yet", "you", "your",
    ]
)  # fmt: skip
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("debugging", pattern(
        r"\b(?:bugs?|debug\w*|crash\w*|broken|fail(?:s|ed|ing|ure)?|errors?|wrong|why (?:is|does|do"
        r"|are)|fix(?:es|ed|ing)?|issue|regression|panic|traceback)\b|修复|报错|แก้บั๊ก|버그|不具合", re.IGNORECASE)),
    ("testing", pattern(r"\b(?:tests?|testing|coverage|specs?|e2e|tdd)\b|测试|ทดสอบ|테스트", re.IGNORECASE)),
    ("documentation", pattern(
        r"\b(?:docs?|documentation|readme|changelog|comments?|guide|diagrams?)\b|文档|เอกสาร|문서", re.IGNORECASE)),
    ("refactoring", pattern(
        r"\b(?:refactor\w*|renam\w+|extract|clean ?up|simplif\w+|dedup\w*|duplicat\w+|mov(?:e|ing)"
        r"|restructur\w+|reorgani[sz]\w+)\b|重构|리팩터", re.IGNORECASE)),
    ("planning", pattern(
        r"\b(?:plan|planning|design|architecture|propos\w+|approach|options?|strategy|roadmap"
        r"|brainstorm)\b|方案|设计|วางแผน|설계|計画", re.IGNORECASE)),
    ("research", pattern(
        r"\b(?:explain|investigate|research|explore|understand|how does|what is|compare|review"
        r"|summari[sz]e)\b|解释|调查|อธิบาย|설명|調査", re.IGNORECASE)),
)  # fmt: skip
# What is written down with any work says nothing of its field.
_WRITTEN_ALONG = pattern(
    r"(?:^|/)(?:CHANGELOG|CHANGES|HISTORY|NEWS|RELEASE[-_ ]?NOTES|VERSION)(?:\.\w+)?$",
    re.IGNORECASE,
)
_RARE = ("data",)  # fields whose files are few beside the code that reads them
_DOCS = (".md", ".mdx", ".rst", ".txt", ".adoc")
_FIELDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("mobile", pattern(r"\.(?:swift|kt|kts|dart|m|mm)$|(?:^|/)(?:android|ios)/")),
    ("frontend", pattern(r"\.(?:tsx|jsx|vue|svelte|css|scss|sass|less|html?|astro)$")),
    ("devops", pattern(
        r"(?:^|/)(?:Dockerfile|docker-compose|Makefile|Jenkinsfile|\.github/|\.gitlab|helm/|k8s/"
        r"|terraform/|ansible/)|\.(?:tf|hcl|sh|bash|nix)$")),
    ("data", pattern(r"\.(?:sql|ipynb|parquet|csv|r|rmd)$|(?:^|/)(?:dbt|notebooks|etl)/", re.IGNORECASE)),
    ("docs", pattern(r"\.(?:md|mdx|rst|adoc)$")),
    ("backend", pattern(
        r"\.(?:py|go|rs|java|rb|php|cs|ts|js|mjs|c|cc|cpp|h|hpp|ex|exs|scala|clj|erl|lua|zig|proto)$")),
)  # fmt: skip


def topics_of(texts: Sequence[str], files: Sequence[FileRef]) -> tuple[str, ...]:
    """Return the few words that name the work, the most telling first.

    A word counts if people came back to it or a changed file is called by it.
    """
    count: Counter[str] = Counter()
    for text in texts:
        count.update(dict.fromkeys(_words(_MARKER.sub("", text)), 2))
    for file in files[:40]:
        weight = 1 if file.change == "read" else 3
        count.update(dict.fromkeys(_words(stem_of(file.path)), weight))
    ranked = sorted(count.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(word for word, weight in ranked if weight > 2)[:_MOST_TOPICS]  # noqa: PLR2004  # more than one mention


def work_type_of(
    requests: Sequence[Item], files: Sequence[FileRef], *, has_plan: bool
) -> str:
    """Return the kind of work, by what was asked and what was changed."""
    changed = [file.path for file in files if file.change != "read"]
    written = [path for path in changed if not _WRITTEN_ALONG.search(path)]
    if written and all(path.endswith(_DOCS) for path in written):
        return "documentation"
    if has_plan and not changed:
        return "planning"
    count = _kinds_asked(requests)
    tests = [path for path in changed if "test" in path.lower()]
    if not tests:
        count.pop("testing", None)
    elif len(tests) == len(changed):
        count["testing"] += 2
    if not changed:
        return _top(count, ("planning", "research", "debugging"), 1) or "research"
    count.pop("research", None)
    least = max(1, len(requests) * 0.5)
    return _top(count, tuple(count), least) or "development"


def _kinds_asked(requests: Sequence[Item]) -> Counter[str]:
    return Counter(
        kind
        for request in requests
        for kind, expression in _KINDS
        if expression.search(request.text[:2000])
    )


def domain_of(files: Sequence[FileRef]) -> str:
    """Return the field of work, by the files: what was changed counts most."""
    count: Counter[str] = Counter()
    for file in files:
        if _WRITTEN_ALONG.search(file.path):
            continue
        for field, expression in _FIELDS:
            if expression.search(file.path):
                weight = 1 if file.change == "read" else 4
                count[field] += 2 * weight if field in _RARE else weight
                break
    return _top(count, tuple(name for name, _ in _FIELDS), 1) or "general"


def _words(text: str) -> Iterable[str]:
    for fragment in _FRAGMENT.findall(text[:4000]):
        if fragment.isascii():
            for word in _WORD.findall(fragment):
                lowered = word.lower()
                if lowered not in COMMON and lowered not in SMALL:
                    yield lowered


def _top(count: Counter[str], order: Sequence[str], least: float) -> str | None:
    ranked = [name for name in order if count[name] >= least]
    return max(ranked, key=lambda name: count[name]) if ranked else None
