"""The words by which `key_lines` knows what an output says."""

import re

from holdfast.kernel.lazy_patterns import pattern

# How much a line says about a failure if a phrase is in it.
SAYS_WHAT = 4
SAYS_SOMETHING = 3
SUMS_UP = 2
MENTIONS = 1
# By a part of the phrase: these are also inside of longer words (`ValueError`).
BY_PART = {
    "err": {
        "error:": SAYS_WHAT, "error[": SAYS_WHAT, "error ts": SAYS_WHAT,
        "err!": SAYS_WHAT, " error ": SAYS_SOMETHING, "error -": SAYS_SOMETHING,
        "errors": SUMS_UP, "error": MENTIONS,
    },
    "fail": {
        "failed": SUMS_UP, "\nfail\t": SUMS_UP, "--- fail": SUMS_UP,
        "failure": SUMS_UP, "fail": MENTIONS,
    },
    "exception": {"exception": SAYS_WHAT},
    "panic": {"panic:": SAYS_WHAT, "panicked": SAYS_WHAT},
    "***": {"***": SUMS_UP},
    "1) ": {"\n1) ": SAYS_SOMETHING, " 1) ": SAYS_SOMETHING},
    "\nnot ok": {"\nnot ok": SUMS_UP},
}  # fmt: skip
# By a whole word of the phrase: one pass over the text finds all of these.
BY_WORD = {
    **{
        word: {phrase: SAYS_WHAT}
        for word, phrase in {
            "fatal": "fatal", "assertionerror": "assertionerror", "found": "not found",
            "could": "could not ", "defined": "is not defined", "used": "and not used",
            "can't": "can't ", "couldn't": "couldn't ", "such": "no such ",
            "named": "no module named", "undefined": "undefined", "unable": "unable to",
            "unresolved": "unresolved", "unrecognized": "unrecognized",
            "unknown": "unknown ", "unexpected": "unexpected", "timed": "timed out",
            "denied": "denied", "refused": "refused", "caused": "caused by",
            "dumped": "core dumped", "cannot": "cannot ", "conflict": "conflict (",
            "segmentation": "segmentation fault", "memory": "out of memory",
            "syntax": "syntax", "parse": "parse error", "mismatch": "mismatch",
            "mismatched": "mismatched", "deadlock": "deadlock", "race": "data race",
        }.items()
    },
    "exist": {"does not exist": SAYS_WHAT, "doesn't exist": SAYS_WHAT},
    **{
        word: {phrase: SAYS_SOMETHING}
        for word, phrase in {
            "allowed": "not allowed", "permitted": "not permitted",
            "enough": "not enough", "unsupported": "unsupported",
            "unreachable": "unreachable", "assert": "assert", "assertion": "assertion",
            "timeout": "timeout", "expected": "expected", "received": "received:",
            "rejected": "rejected", "aborted": "aborted", "killed": "killed",
            "terminated": "terminated", "invalid": "invalid", "missing": "missing",
            "must": "must ", "should": "should ", "exists": "already exists",
            "incompatible": "incompatible", "illegal": "illegal", "corrupt": "corrupt",
            "overflow": "overflow", "many": "too many", "ambiguous": "ambiguous",
            "violates": "violates", "violation": "violation", "want": "want ",
            "unused": "unused", "got": "got: ", "left": " left: ", "right": " right: ",
        }.items()
    },
    "actual": {"actual: ": SAYS_SOMETHING, "actual  : ": SAYS_SOMETHING},
    "problems": {"problems (": SUMS_UP},
    "issues": {"issues:": SUMS_UP, "issues.": SUMS_UP},
}  # fmt: skip
KEYWORDS = frozenset(word.encode() for word in BY_WORD)
# Marks of test runners and linters, and the same words in the languages that
# compilers, git and shells are translated into.
FOREIGN = {
    **dict.fromkeys(("✕", "✗", "✖", "×", "●"), SAYS_SOMETHING),
    **dict.fromkeys(
        (
            "fehler", "erreur", "échec", "échou", "错误", "錯誤", "失败", "失敗",
            "找不到", "未找到", "エラー", "見つかりません", "오류", "에러", "실패",
            "찾을 수 없", "ข้อผิดพลาด", "ล้มเหลว", "ไม่พบ", "ошибка", "не удалось",
            "não encontrad", "no se encontr",
        ),
        SAYS_WHAT,
    ),
}  # fmt: skip
# A command whose failure was hidden by a pipe (`make | tail`) still failed: what says
# so, by a part of it in small letters.
FAILED_ALL_THE_SAME = {
    "fail": pattern(
        r"\n[ \t]*(?:--- FAIL|FAIL(?:ED)?[ \t:]|FAILURES!|Failed!|Failed to compile)"
        r"|(?i:test result: failed|build fail(?:ed|ure)|error task failed"
        r"|compilation fail(?:ed|ure)|error command failed|tests? failed:)"
        r"|ELIFECYCLE|\] Failed to execute goal",
    ),
    "err": pattern(
        r"\n[ \t]*(?:[│|] )?(?i:\[?error(?:\]|:|\[| in | during build:|s while running ))"
        r"|: (?:fatal )?error: |[:-] error TS[0-9]|npm ERR!|npm error |\nERRORS!"
        r"|\n[ \t]*[0-9]+:[0-9]+[ \t]+(?i:error)[ \t:]",
    ),
    "traceback (": pattern(r"Traceback \(most recent call last\)"),
    "fatal: ": pattern(r"\n(?i:fatal: )"),
    "panic: ": pattern(r"\npanic: "),
    ": *** ": pattern(r"\n[ \t]*\w*make(?:\[[0-9]+\])?: \*\*\* "),
    "\nnot ok": pattern(r"\nnot ok\b"),
    "issues:": pattern(r"\n[1-9][0-9]* issues:"),
    "\nrspec ./": pattern(r"\nrspec \./\S+:[0-9]+ # "),
    "command not found": pattern(r": command not found"),
    "\n# ": pattern(  # Go's compiler
        r"\n# [^\n]+\n(?:vet: )?[^\s:]+\.go:[0-9]+:[0-9]+: "
    ),
    ": no module named": pattern(r"\n\S*python[0-9.]*: No module named "),
    "\ne: ": pattern(r"\ne: (?:file:|/)\S"),
}
# A suite that counts its tests, none of them failed: what stands above in these words was
# printed by what it tried.
PRINTED_BY_TESTS = ("err", "traceback (")
NO_TEST_FAILED = pattern(
    r"(?<![\w.])(?:[1-9][0-9]{0,6} pass(?:ed|ing)?\b[^\n]{0,40}\n?[^\n]{0,20}(?<![\w.])0 fail(?:ed|ures|ing)?\b"
    r"|0 fail(?:ed|ures|ing)?\b[^\n]{0,20}(?<![\w.])[1-9][0-9]{0,6} pass(?:ed|ing)?\b)"
)
# How many failed. A `404 error` is no count of errors, and what was mended is over.
COUNTS_FAILURES = pattern(
    r"(?<![\w:.%/#=-])(?:[1-9][0-9]{0,6}[ ]{1,4}(?:tests? |suites? )?(?:failed|failing)"
    r"|1[ ]{1,4}(?:error|failure|offense)s?|[1-9][0-9]{0,6}[ ]{1,4}(?:errors|failures|offenses))"
    r"(?![\w=-])(?! \([0-9]+ fixed, 0 remaining)"
    r"|(?<![a-z] )\b(?:failed|failures|errors?)(?:[ ]?:[ ]{0,8}|=)[1-9][0-9]{0,6}(?![\w.])"
    r"|(?<![\w.])[1-9][0-9]{0,6} Error\(s\)|(?<=\n)[#ℹ] fail [1-9][0-9]{0,6}\b",
    re.IGNORECASE,
)
COUNTED = ("fail", "error", "offense")  # one of these is in every such count
TICKS = ("✓", "✔", "√")  # before the name of a test that passed
WENT_WELL = (*TICKS, "ok ", "ok\t", "pass")  # a line that begins so did
# What an output says of a run that went well, where the status says nothing.
SAYS_SUCCESS = pattern(
    r"\b(?:passed|passing|success\w*|succeeded|no (?:issues|errors|problems|warnings|offenses)"
    r"|0 (?:failed|failures|errors|issues|problems|offenses)|up[ -]to[ -]date)\b"
    r"|\b(?:built|done|finished|compiled|audited|installed|added)\b[^\n]{1,40}\b(?:in|packages?)\b"
    r"|^(?:ok|PASS|nothing to be done|finished `|[#ℹ] (?:pass [1-9]\d*|fail 0))\b|\b(?:exit|rc|status)[\w ]{0,12}[=: ]{1,3}0\b",
    re.IGNORECASE | re.MULTILINE,
)
# What sums up a success, by a part of it, the better ones first.
SUMMARIES = {
    "pass": (" passed", "# pass ", "ℹ pass "),
    "ok": ("test result: ok", "ok  \t", "ok \t"),
    "test": ("tests:",),
    "success": ("build success", "successfully", "success:"),
    "0 ": ("0 issues", "found 0 ", "0 errors", "0 fail"),
    "no ": ("no issues", "no errors", "no problems"),
    "ed ": ("audited ", "compiled ", "installed ", "deployed ", "published "),
    "changed": ("files changed", "file changed"),
    "finished ": ("finished `", "finished dev", "finished release", "finished in "),
    " in ": ("done in ", "built in "),
    " to add": ("plan: ",),
    " complete!": ("apply complete!", "destroy complete!"),
    "\nhttps://": ("\nhttps://",),
}
NOTHING_WRONG = (
    " 0 error", "no error", " 0 fail", "no fail", "without error", " 0 problem", " 0 issue", "no issue",
    "rust_backtrace", "complete log of this run", " info ", " debug ",
)  # fmt: skip
BOILERPLATE = (
    "exit code", "shell cwd was reset", "<persisted-output", "output too large",
    "preview (first", "total ", "=== run", "=== pause", "=== cont",
    "=== name", "--- pass", "--- skip", "platform ", "rootdir:", "plugins:",
    "cachedir:", "configfile:", "collected ", "collecting", "running ", "doc-tests",
    "downloading", "downloaded", "compiling ", "checking ", "fetching", "resolving",
    "requirement already", "using cached", "go: downloading", "go: finding",
    "remote: counting", "remote: compress", "remote: enumerat", "remote: total",
    "receiving objects", "unpacking objects", "writing objects",
    "enumerating objects", "counting objects", "compressing objects",
    "delta compression", "from git", "to git", "* branch", "updating files",
    "npm warn", "npm notice", "> ", "$ ", "+ ", "make[", "make: enter", "make: leav",
    "?   \t", "at ", 'file "', "goroutine ", "note:", "help:", "hint:", "warning:",
    "info:", "debug:", "progress", "usage:", "rerun",
    "the above exception", "during handling of", "stack backtrace",
    "for more information", "loading ",
    "waiting for", "pass ", "runs ", "func ", "def ", "class ",
)  # fmt: skip
HEADINGS = frozenset(
    [
        "fail", "failures", "failed", "error", "errors", "test session starts",
        "short test summary info", "warnings summary",
    ]
)  # fmt: skip
BARS = ("█", "▓", "░", "━━", "#####", "=====>", ".....", "%|", "⠋", "⠙", "⠹", "⠸")
# What a shell says of a program that is not there, in the languages it is translated into.
PROGRAM_NOT_FOUND = pattern(
    r"(?:^|[\s:])(?P<one>[\w./+-]+): (?:command )?not found|command not found: (?P<two>\S+)"
    r"|'?(?P<three>[\w./\\+-]+)'? is not recognized as|^\S+: No module named (?P<five>\w+)"
    r"|(?P<four>[\w./+-]+) ?: (?:Befehl nicht gefunden|Kommando nicht gefunden|commande introuvable"
    r"|(?:orden|comando) no encontrad[ao]|comando não encontrado|comando non trovato|команда не найдена"
    r"|未找到命令|找不到命令|コマンドが見つかりません|명령어를 찾을 수 없|không tìm thấy lệnh|ไม่พบคำสั่ง)",
    re.IGNORECASE | re.MULTILINE,
)
