"""Which lines of an output are told, for the tools that people use."""

import pytest
from hypothesis import given, settings, strategies as st

from holdfast.session.key_lines import MOST_CHARS, key_lines, says_failure

PYTEST = """\
============================= test session starts ==============================
platform linux -- Python 3.11.7, pytest-8.3.4, pluggy-1.5.0
rootdir: /home/me/shop
plugins: cov-5.0.0
collected 12 items

tests/test_cart.py .........F..                                          [100%]

=================================== FAILURES ===================================
_______________________________ test_total_is_net ______________________________

    def test_total_is_net():
>       assert total([1, 2]) == 4
E       assert 3 == 4
E        +  where 3 = total([1, 2])

tests/test_cart.py:14: AssertionError
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_total_is_net - assert 3 == 4
========================= 1 failed, 11 passed in 0.12s =========================
"""
TRACEBACK = """\
Traceback (most recent call last):
  File "/home/me/shop/run.py", line 3, in <module>
    main()
  File "/home/me/shop/run.py", line 9, in main
    raise Closed("the shop is closed")
shop.Closed: the shop is closed
"""
CHAINED = """\
Traceback (most recent call last):
  File "a.py", line 1, in <module>
KeyError: 'price'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "a.py", line 4, in <module>
NoPrice
"""
GO_TEST = """\
Exit code 1
=== RUN   TestTotal
    cart_test.go:9: seeding
    cart_test.go:14: total should be 4, got 3
--- FAIL: TestTotal (0.00s)
=== RUN   TestEmpty
--- PASS: TestEmpty (0.00s)
FAIL
FAIL\tshop/cart\t0.004s
FAIL
"""
GO_BUILD = """\
# shop/cart
cart/cart.go:12:9: undefined: price
"""
CARGO = """\
   Compiling shop v0.1.0 (/home/me/shop)
error[E0382]: borrow of moved value: `cart`
  --> src/main.rs:4:20
   |
3  |     let b = cart;
   |             ---- value moved here
4  |     println!("{}", cart);
   |                    ^^^^ value borrowed here after move

For more information about this error, try `rustc --explain E0382`.
error: could not compile `shop` (bin "shop") due to 1 previous error
"""
CARGO_TEST = """\
    Finished `test` profile [unoptimized] target(s) in 0.40s
     Running unittests src/lib.rs

running 2 tests
test adds ... ok
test subtracts ... ok

test result: ok. 2 passed; 0 failed; 0 ignored; finished in 0.00s
"""
JEST = """\
FAIL src/cart.test.js
  \u25cf total \u203a is net

    expect(received).toBe(expected) // Object.is equality

    Expected: 4
    Received: 3

      at Object.<anonymous> (src/cart.test.js:4:21)

Test Suites: 1 failed, 1 total
Tests:       1 failed, 5 passed, 6 total
"""
VITEST = """\
 FAIL  src/cart.test.ts > total > is net
AssertionError: expected 3 to be 4 // Object.is equality
 \u276f src/cart.test.ts:5:21

 Test Files  1 failed (1)
      Tests  1 failed | 5 passed (6)
"""
TSC = """\
src/cart.ts(3,7): error TS2322: Type 'string' is not a 'number'.
Found 1 error in src/cart.ts:3
"""
ESLINT = """\
/home/me/shop/src/cart.js
  3:7  error  'price' is assigned a value but never used  no-unused-vars

\u2716 1 problem (1 error, 0 warnings)
"""
NPM = """\
npm ERR! code ENOENT
npm ERR! enoent Could not read package.json: ENOENT: no such file
npm ERR! A complete log of this run can be found in: /home/me/.npm/_logs/x.log
"""
MAKE = """\
make[1]: Entering directory '/home/me/shop'
cc -c cart.c
cart.c:3:5: error: unknown type name 'prise'
    3 |     prise total;
      |     ^~~~~
make[1]: *** [Makefile:4: cart.o] Error 1
make[1]: Leaving directory '/home/me/shop'
make: *** [Makefile:2: all] Error 2
"""
JAVA = """\
Exception in thread "main" java.lang.IllegalStateException: closed
\tat shop.Main.main(Main.java:5)
Caused by: java.io.IOException: no key
\t... 1 more
"""
GIT_MERGE = """\
Auto-merging cart.py
CONFLICT (content): Merge conflict in cart.py
Automatic merge failed; fix conflicts and then commit the result.
"""


@pytest.mark.parametrize(
    ("output", "told"),
    [
        pytest.param(
            PYTEST,
            [
                "E assert 3 == 4",
                "E + where 3 = total([1, 2])",
                "tests/test_cart.py:14: AssertionError",
                "FAILED tests/test_cart.py::test_total_is_net - assert 3 == 4",
                "1 failed, 11 passed in 0.12s",
            ],
            id="pytest",
        ),
        pytest.param(TRACEBACK, ["shop.Closed: the shop is closed"], id="a traceback"),
        pytest.param(
            CHAINED, ["KeyError: 'price'", "NoPrice"], id="a chained traceback"
        ),
        pytest.param(
            GO_TEST,
            [
                "cart_test.go:9: seeding",
                "cart_test.go:14: total should be 4, got 3",
                "--- FAIL: TestTotal (0.00s)",
                "FAIL shop/cart 0.004s",
            ],
            id="go test",
        ),
        pytest.param(GO_BUILD, ["cart/cart.go:12:9: undefined: price"], id="go build"),
        pytest.param(
            CARGO,
            [
                "error[E0382]: borrow of moved value: `cart`",
                'error: could not compile `shop` (bin "shop") due to 1 previous error',
            ],
            id="cargo",
        ),
        pytest.param(
            JEST,
            [
                "FAIL src/cart.test.js",
                "● total › is net",
                "expect(received).toBe(expected) // Object.is equality",
                "Expected: 4",
                "Received: 3",
                "Test Suites: 1 failed, 1 total",
                "Tests: 1 failed, 5 passed, 6 total",
            ],
            id="jest",
        ),
        pytest.param(
            VITEST,
            [
                "FAIL src/cart.test.ts > total > is net",
                "AssertionError: expected 3 to be 4 // Object.is equality",
                "Test Files 1 failed (1)",
                "Tests 1 failed | 5 passed (6)",
            ],
            id="vitest",
        ),
        pytest.param(
            TSC,
            [
                "src/cart.ts(3,7): error TS2322: Type 'string' is not a 'number'.",
                "Found 1 error in src/cart.ts:3",
            ],
            id="tsc",
        ),
        pytest.param(
            ESLINT,
            [
                "3:7 error 'price' is assigned a value but never used no-unused-vars",
                "✖ 1 problem (1 error, 0 warnings)",
            ],
            id="eslint",
        ),
        pytest.param(
            NPM,
            [
                "npm ERR! code ENOENT",
                "npm ERR! enoent Could not read package.json: ENOENT: no such file",
            ],
            id="npm",
        ),
        pytest.param(
            MAKE,
            [
                "cart.c:3:5: error: unknown type name 'prise'",
                "make: *** [Makefile:2: all] Error 2",
            ],
            id="make and gcc",
        ),
        pytest.param(
            JAVA,
            [
                'Exception in thread "main" java.lang.IllegalStateException: closed',
                "Caused by: java.io.IOException: no key",
            ],
            id="java",
        ),
        pytest.param(
            GIT_MERGE,
            [
                "CONFLICT (content): Merge conflict in cart.py",
                "Automatic merge failed; fix conflicts and then commit the result.",
            ],
            id="git merge",
        ),
        pytest.param(
            "fatal: not a git repository (or any of the parent directories): .git",
            ["fatal: not a git repository (or any of the parent directories): .git"],
            id="git",
        ),
        pytest.param(
            "  ✓ throws an error when the price is missing (9 ms)\n"
            "  ✔ fails with TypeError: no cart\n"
            "  ✕ sums up the cart (3 ms)\n\nTests: 1 failed, 2 passed, 3 total\n",
            ["✕ sums up the cart (3 ms)", "Tests: 1 failed, 2 passed, 3 total"],
            id="tests that passed have failures in their names",
        ),
        pytest.param(
            "zsh: command not found: pnpm", ["zsh: command not found: pnpm"], id="shell"
        ),
        pytest.param(
            "cart.c:3:5: Fehler: unbekannter Typname »prise«",
            ["cart.c:3:5: Fehler: unbekannter Typname »prise«"],
            id="a compiler that speaks German",
        ),
        pytest.param(
            "致命错误：找不到文件\n编译中断", ["致命错误：找不到文件"], id="Chinese"
        ),
    ],
)
def test_a_failure_says_what_went_wrong(output: str, told: list[str]) -> None:
    """The next session must not run a command again to learn why it failed."""
    assert key_lines(output, failed=True).split("\n") == told


@pytest.mark.parametrize(
    ("output", "told"),
    [
        pytest.param(
            PYTEST.partition("\n====")[0].replace("F..", "...")
            + "\n============ 12 passed in 0.12s ============\n",
            "12 passed in 0.12s",
            id="pytest",
        ),
        pytest.param("ok  \tshop/cart\t0.004s\n", "ok shop/cart 0.004s", id="go test"),
        pytest.param(
            CARGO_TEST,
            "test result: ok. 2 passed; 0 failed; 0 ignored; finished in 0.00s",
            id="cargo test",
        ),
        pytest.param("All checks passed!\n", "All checks passed!", id="ruff"),
        pytest.param(
            "[main 1a2b3c4] cart: round half up\n 1 file changed, 2 insertions(+)\n",
            "[main 1a2b3c4] cart: round half up",
            id="git commit",
        ),
        pytest.param(
            " cart.py | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n",
            "1 file changed, 1 insertion(+), 1 deletion(-)",
            id="git diff --stat",
        ),
        pytest.param(
            "diff --git a/cart.py b/cart.py\n@@ -1 +1 @@\n+# installed by make\n",
            "diff --git a/cart.py b/cart.py",
            id="git diff",
        ),
        pytest.param(
            "\n> shop@1.0.0 build\n> vite build\n\n✓ built in 1.20s\n",
            "✓ built in 1.20s",
            id="npm run build",
        ),
        pytest.param(
            "Downloading model  10%\rDownloading model 100%\nsaved to model.bin\n",
            "saved to model.bin",
            id="a progress line that overwrites itself",
        ),
        pytest.param("  50%|█████     | 5/10\nloss: 0.12\n", "loss: 0.12", id="a bar"),
        pytest.param("\x1b[32m7\x1b[0m rows\n", "7 rows", id="colour"),
        pytest.param('{\n  "name": "shop"\n}\n', '"name": "shop"', id="JSON"),
        pytest.param("-----\n\n=====\n", "", id="frames only"),
        pytest.param("", "", id="nothing"),
        pytest.param("  \n\t\n", "", id="blank"),
    ],
)
def test_a_success_says_its_result_in_one_line(output: str, told: str) -> None:
    """What went well needs a line, not a page."""
    assert key_lines(output, failed=False) == told


@pytest.mark.parametrize(
    ("output", "told"),
    [
        pytest.param(
            "--- FAIL: TestTotal (0.00s)\nFAIL", "--- FAIL", id="go test | tail"
        ),
        pytest.param(
            "E   assert 1 == 2\n1 failed in 0.1s", "assert 1 == 2", id="pytest"
        ),
        pytest.param(GO_BUILD, "undefined: price", id="go build | head"),
        pytest.param(TRACEBACK, "the shop is closed", id="a traceback"),
        pytest.param(
            "error: could not compile `shop`", "could not compile", id="cargo"
        ),
    ],
)
def test_a_failure_that_a_pipe_hid_is_told_as_one(output: str, told: str) -> None:
    """`make test | tail` exits with 0, and agents do that all day."""
    assert told in key_lines(output, failed=False)
    assert says_failure(output)


@pytest.mark.parametrize(
    "output",
    [
        pytest.param(
            " FAIL  src/cart.test.ts > adds\nAssertionError: expected 3 to be 4\n"
            " Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 9 passed (10)\n",
            id="vitest",
        ),
        pytest.param("      Tests  1 failed | 9 passed (10)\n", id="vitest, cut"),
        pytest.param(
            "[ERROR] Tests run: 9, Failures: 1, Errors: 0, Skipped: 0\n"
            "[INFO] BUILD FAILURE\n[INFO] Total time: 4 s\n",
            id="maven",
        ),
        pytest.param("[INFO] BUILD FAILURE\n[INFO] Total time: 4 s\n", id="maven, cut"),
        pytest.param("30 examples, 1 failure, 2 pending\n", id="rspec"),
        pytest.param(
            "Failed examples:\n\nrspec ./spec/cart_spec.rb:31 # Cart is net\n",
            id="rspec, cut",
        ),
        pytest.param("75% tests passed, 1 tests failed out of 4\n", id="ctest"),
        pytest.param("Errors while running CTest\n", id="ctest, cut"),
        pytest.param("a.ts(3,1): error TS2304: Cannot find name 'x'.\n", id="tsc"),
        pytest.param(
            "a.ts:3:1 - error TS2304: Cannot find name 'x'.\n\n3 x\n  ~\n",
            id="tsc pretty",
        ),
        pytest.param(ESLINT, id="eslint"),
        pytest.param("/shop/a.js\n  3:7  error  'x' is unused\n", id="eslint, cut"),
        pytest.param("a.py:3: error: Incompatible types\n", id="mypy"),
        pytest.param(
            "a.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n", id="ruff"
        ),
        pytest.param(
            "FAILURES!\nTests: 10, Assertions: 31, Failures: 1.\n", id="phpunit"
        ),
        pytest.param("  14 passing (212ms)\n  1 failing\n", id="mocha"),
        pytest.param("41 tests completed, 1 failed\n", id="gradle"),
        pytest.param("Ran 12 tests in 0.3s\n\nFAILED (failures=1)\n", id="unittest"),
        pytest.param(
            "Failed!  - Failed:     1, Passed:    20, Skipped:     0\n",
            id="dotnet test",
        ),
        pytest.param("    0 Warning(s)\n    2 Error(s)\n", id="dotnet build"),
        pytest.param("gmake[1]: *** [Makefile:9: x] Error 2\n", id="gmake"),
        pytest.param(
            "Executed 9 tests, with 1 failure (0 unexpected) in 0.1 seconds\n",
            id="swift",
        ),
        pytest.param(
            "  1 failed\n    login.spec.ts:3:1\n  12 passed\n", id="playwright"
        ),
        pytest.param("  ✖  1 of 3 failed (33%)    00:12   9   8   1\n", id="cypress"),
        pytest.param("12 tests, 1 failure\n", id="mix"),
        pytest.param(
            "12 runs, 30 assertions, 1 failures, 0 errors, 0 skips\n", id="minitest"
        ),
        pytest.param("Failed to compile.\n\n./app/p.tsx\n", id="next"),
        pytest.param("╷\n│ Error: Unsupported argument\n│ \n╵\n", id="terraform"),
        pytest.param("21 files inspected, 1 offense detected\n", id="rubocop"),
        pytest.param("webpack 5.9 compiled with 1 error in 200 ms\n", id="webpack"),
        pytest.param("e: file:///a/B.kt:3:1 Unresolved reference: x\n", id="kotlin"),
        pytest.param("7 issues:\n* errcheck: 7\n", id="golangci-lint"),
        pytest.param(
            "building shop\n# shop/cart\ncart/cart.go:12:9: undefined: price\n",
            id="go behind another line",
        ),
        pytest.param(
            "bash: line 1: pytest: command not found\n", id="a program not there"
        ),
        pytest.param("1..2\nok 1 - adds\nnot ok 2 - divides\n", id="tap"),
        pytest.param("Done. PASS=3 WARN=0 ERROR=1 SKIP=2 TOTAL=6\n", id="dbt"),
        pytest.param("/usr/bin/python3: No module named pytest\n", id="no module"),
        pytest.param(
            " 86 pass\n 0 fail\nerror: script `build` ended with 1\n",
            id="an error behind a suite that passed",
        ),
    ],
)
def test_a_failure_is_heard_in_the_words_of_many_tools(output: str) -> None:
    """What is kept of an output must tell the failure as the whole of it does."""
    assert says_failure(output)
    assert says_failure(key_lines(output, failed=False))


@pytest.mark.parametrize(
    "output",
    [
        pytest.param("Tests  0 failed | 9 passed (9)\n", id="none failed"),
        pytest.param("Found 3 errors (3 fixed, 0 remaining).\n", id="all were mended"),
        pytest.param("✖ 3 problems (0 errors, 3 warnings)\n", id="warnings only"),
        pytest.param(
            "  ✓ tells of 2 failures (3 ms)\n  1 passing\n", id="a test's own name"
        ),
        pytest.param("GET /cart answers with a 404 error\n", id="a number, no count"),
        pytest.param("[INFO] Tests run: 9, Failures: 0, Errors: 0\n", id="maven"),
        pytest.param("test result: ok. 2 passed; 0 failed; 0 ignored\n", id="cargo"),
        pytest.param("100% tests passed, 0 tests failed out of 4\n", id="ctest"),
        pytest.param("0 issues.\n", id="golangci-lint"),
        pytest.param("Done. PASS=6 WARN=0 ERROR=0 SKIP=0 TOTAL=6\n", id="dbt"),
        pytest.param("# Cart\n\nTotals are net.\n", id="a heading"),
        pytest.param(
            "cart.test.ts:\nError: no such voucher\n\n 86 pass\n 0 fail\n",
            id="an error that a test provokes",
        ),
    ],
)
def test_a_success_is_no_failure_for_its_words(output: str) -> None:
    """A brief must not call broken what passed."""
    assert not says_failure(output)


def test_what_was_told_of_a_failure_still_says_that_it_was_one() -> None:
    """A kept call has no more than these lines, and no exit status if a pipe hid it."""
    assert says_failure(key_lines(GO_TEST, failed=False))
    assert says_failure(key_lines(CARGO, failed=False))
    assert not says_failure(key_lines(CARGO_TEST, failed=False))
    assert not says_failure("ok shop/cart 0.004s")


@pytest.mark.parametrize(
    ("output", "told"),
    [
        pytest.param("Exit code 1", "", id="a status says nothing"),
        pytest.param("Exit code 2\nnothing here", "nothing here", id="the last lines"),
        pytest.param("0 errors\nall done", "all done", id="no error is none"),
    ],
)
def test_a_failure_without_words_of_failure_says_what_there_is(
    output: str, told: str
) -> None:
    """Not every failure speaks like a compiler."""
    assert key_lines(output, failed=True) == told


def test_the_last_summary_is_told_behind_many_errors() -> None:
    """The count at the end says more than the thirtieth error."""
    errors = "".join(f"src/a.c:{n}:1: error: no such thing {n}\n" for n in range(90))

    told = key_lines(errors + "make: *** [all] Error 1\n", failed=True).split("\n")

    assert told[0] == "src/a.c:0:1: error: no such thing 0"
    assert told[-1] == "make: *** [all] Error 1"
    assert len(told) <= 8


@given(
    lines=st.lists(
        st.sampled_from(["error: ", "fail", ":1:", "\x1b[", "\x1b]0;", "\r", "=" * 90])
        | st.text(max_size=20),
        max_size=60,
    ),
    separator=st.sampled_from(["\n", "", " ", "\r\n"]),
    failed=st.booleans(),
)
@settings(max_examples=200, deadline=None)
def test_no_output_is_told_at_length(
    lines: list[str], separator: str, *, failed: bool
) -> None:
    """Whatever a tool prints, the state stays small and no line is blank."""
    told = key_lines(separator.join(lines), failed)

    assert len(told) <= MOST_CHARS
    assert all(line.strip() for line in told.split("\n")) or told == ""


@pytest.mark.parametrize(
    "unit",
    [
        pytest.param("error: ", id="one line of errors"),
        pytest.param("error:\n", id="a line for each"),
        pytest.param("\x1b]", id="control sequences without end"),
        pytest.param(":1", id="half a place"),
        pytest.param("\r", id="carriage returns"),
        pytest.param("İ", id="a letter that grows"),
        pytest.param("traceback (\n", id="tracebacks"),
    ],
)
def test_a_hostile_output_is_cut_and_costs_no_more(unit: str) -> None:
    """Work is bounded by a window, so a gigabyte costs what a page costs."""
    told = key_lines(unit * 400_000, failed=True)

    assert len(told) <= MOST_CHARS
