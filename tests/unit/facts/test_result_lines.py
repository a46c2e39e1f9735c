"""The one line that says how a command went, for the tools that people use."""

import pytest

from holdfast.facts.commands.result_lines import failure_line, success_line
from holdfast.session.key_lines import key_lines


@pytest.mark.parametrize(
    ("output", "line"),
    [
        pytest.param(
            "╷\n│ Error: Unsupported argument\n│ \n│   on main.tf line 3, in resource:\n"
            "│    3:   colour = 1\n╵\n",
            "Error: Unsupported argument",
            id="terraform",
        ),
        pytest.param(
            "    def test_total():\n>       assert total() == 4\nE       assert 5 == 4\n\n"
            "test_cart.py:88: AssertionError\n"
            "=== short test summary info ===\n"
            "FAILED test_cart.py::test_total - assert 5 == 4\n1 failed in 0.1s\n",
            "FAILED test_cart.py::test_total - assert 5 == 4",
            id="pytest",
        ),
        pytest.param(
            "E       assert 5 == 4\n\ntest_cart.py:88: AssertionError\n1 failed in 0.1s\n",
            "E assert 5 == 4",
            id="pytest without a summary",
        ),
        pytest.param(
            "____ ERROR collecting tests/test_cart.py ____\n"
            "ImportError while importing test module '/shop/tests/test_cart.py'.\n"
            "Traceback:\n/usr/lib/python3/importlib/__init__.py:90: in import_module\n"
            "    return _bootstrap._gcd_import(name)\n"
            "tests/test_cart.py:1: in <module>\n    from shop import total\n"
            "E   ImportError: cannot import name 'total' from 'shop'\n"
            "=== short test summary info ===\nERROR tests/test_cart.py\n1 error in 0.3s\n",
            "E ImportError: cannot import name 'total' from 'shop'",
            id="pytest collecting",
        ),
        pytest.param(
            'Exception encountered at "In [7]":\n'
            "ValueError                                Traceback (most recent call last)\n"
            "Cell In[7], line 3\n----> 3 float(x)\n\n"
            "ValueError: could not convert string to float: 'n/a'\n",
            "ValueError: could not convert string to float: 'n/a'",
            id="a notebook",
        ),
        pytest.param(
            "FAIL src/cart.spec.ts\n  ● total › is net\n\n"
            "    expect(received).toBe(expected) // Object.is equality\n\n"
            "    Expected: 4\n    Received: 3\n\nTests:       1 failed, 9 passed, 10 total\n",
            "● total › is net: Expected: 4, Received: 3",
            id="jest",
        ),
        pytest.param(
            "[ERROR] COMPILATION ERROR : \n"
            "[ERROR] /shop/Cart.java:[57,31] incompatible types: String cannot be int\n"
            "[ERROR] Failed to execute goal compile on project shop: Compilation failure\n",
            "[ERROR] /shop/Cart.java:[57,31] incompatible types: String cannot be int",
            id="maven compiling",
        ),
        pytest.param(
            "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n[ERROR] Failures: \n"
            "[ERROR]   CartTest.isNet:40 expected: <4> but was: <3>\n",
            "[ERROR] CartTest.isNet:40 expected: <4> but was: <3>",
            id="maven testing",
        ),
        pytest.param(
            "Failures:\n\n  1) Cart is net\n     Failure/Error: expect(total).to eq(4)\n\n"
            "       expected: 4\n            got: 3\n\n10 examples, 1 failure\n",
            "1) Cart is net: expected: 4, got: 3",
            id="rspec",
        ),
        pytest.param(
            "[ RUN      ] Cart.Net\n/shop/t.cpp:77: Failure\n"
            "Expected: (total) >= (4), actual: 3 vs 4\n[  FAILED  ] Cart.Net (1 ms)\n",
            "Expected: (total) >= (4), actual: 3 vs 4",
            id="gtest",
        ),
        pytest.param(
            "rails aborted!\n"
            "StandardError: An error has occurred, all later migrations canceled:\n\n"
            'PG::UndefinedColumn: ERROR:  column "net" does not exist\n'
            "/shop/db/migrate/1_net.rb:4:in `change'\n\nCaused by:\n",
            'PG::UndefinedColumn: ERROR: column "net" does not exist',
            id="rails",
        ),
        pytest.param(
            "There was 1 failure:\n\n1) Tests\\CartTest::testNet\n"
            "Failed asserting that 3 matches expected 4.\n\n/shop/CartTest.php:48\n\n"
            "FAILURES!\nTests: 10, Assertions: 31, Failures: 1.\n",
            "1) Tests\\CartTest::testNet: Failed asserting that 3 matches expected 4.",
            id="phpunit",
        ),
        pytest.param(
            "✗ Build failed in 1.2s\nerror during build:\n"
            '[vite]: Rollup failed to resolve import "x" from "src/a.ts".\n',
            '[vite]: Rollup failed to resolve import "x" from "src/a.ts".',
            id="vite",
        ),
        pytest.param(
            "Failed to compile.\n\n./app/page.tsx\n31:9  Error: 'x' is never used.\n",
            "31:9 Error: 'x' is never used.",
            id="next",
        ),
        pytest.param(
            "=== RUN   TestNet\n    cart_test.go:9: Both carts were filled\n"
            "    cart_test.go:14: total should be 4, got 3\n--- FAIL: TestNet (0.00s)\n"
            "FAIL\nFAIL\tshop/cart\t0.004s\n",
            "cart_test.go:14: total should be 4, got 3",
            id="go test",
        ),
        pytest.param(
            "FAIL\tshop/cart\t0.004s\n--- FAIL: TestNet (0.00s)\nok  \tshop/fee\t0.1s\n",
            "--- FAIL: TestNet (0.00s)",
            id="go, the package first",
        ),
        pytest.param(
            "    hooks.go:196: Hook output: 3 carts\n--- FAIL: TestNet (0.00s)\nFAIL\n",
            "--- FAIL: TestNet (0.00s)",
            id="go test that only logs",
        ),
        pytest.param(
            "    a_test.go:3: save: exit status 128\n    a_test.go:4: seeding failed\n"
            "--- FAIL: TestNet (0.00s)\n",
            "a_test.go:4: seeding failed",
            id="a message may end like an announcement",
        ),
        pytest.param(
            "test net ... FAILED\n\nthread 'net' panicked at tests/cart.rs:27:5:\n"
            "assertion `left == right` failed: total\n  left: 3\n right: 4\n\n"
            "test result: FAILED. 3 passed; 1 failed; 0 ignored\n\n"
            "error: test failed, to rerun pass `--test cart`\n",
            "assertion `left == right` failed: total: left: 3, right: 4",
            id="cargo test",
        ),
        pytest.param(
            "#9 1.2 npm error code ERESOLVE\n#9 1.2 npm error ERESOLVE could not resolve\n"
            'ERROR: failed to solve: process "npm ci" did not complete: exit code: 1\n',
            "#9 1.2 npm error ERESOLVE could not resolve",
            id="docker",
        ),
        pytest.param(
            "main.c:(.text+0x1e): undefined reference to `net'\n"
            "collect2: error: ld returned 1 exit status\nmake: *** [all] Error 1\n",
            "main.c:(.text+0x1e): undefined reference to `net'",
            id="ld",
        ),
        pytest.param(
            "./a.ts:3:7 lint/noAny ━━━━━━━\n\n  ✖ Unexpected any.\n\nFound 1 error.\n",
            "✖ Unexpected any.",
            id="biome",
        ),
        pytest.param(
            "In a.sh line 3:\nrm $x\n   ^-- SC2086 (info): Double quote to be safe.\n",
            "^-- SC2086 (info): Double quote to be safe.",
            id="shellcheck",
        ),
        pytest.param(
            'a_test.go:328: 328-354 lines are duplicate of 404-431\nt.Fatalf("error %v", err)\n',
            "a_test.go:328: 328-354 lines are duplicate of 404-431",
            id="code is no message",
        ),
        pytest.param(
            "1 failed, 3 passed in 0.1s\n", "1 failed, 3 passed in 0.1s", id="count"
        ),
        pytest.param("Exit code 1", "", id="nothing"),
    ],
)
def test_a_failure_is_told_by_what_went_wrong(output: str, line: str) -> None:
    """That something failed is known; the next session needs to know what."""
    assert failure_line(key_lines(output, failed=True)) == line


@pytest.mark.parametrize(
    ("output", "line"),
    [
        pytest.param(
            "running\n4 passed in 0.2s\nbye", "4 passed in 0.2s", id="a count"
        ),
        pytest.param("all is well", "", id="no result"),
        pytest.param(
            "Creating pull request for net into main in me/shop\n\n"
            "https://github.com/me/shop/pull/48\n",
            "https://github.com/me/shop/pull/48",
            id="gh pr create",
        ),
        pytest.param(
            "  + create\n\nPlan: 3 to add, 1 to change, 0 to destroy.\n\n"
            "Note: You didn't use the -out option.\n",
            "Plan: 3 to add, 1 to change, 0 to destroy.",
            id="terraform plan",
        ),
        pytest.param(
            "aws_s3_bucket.a: Creating...\n\n"
            "Apply complete! Resources: 3 added, 0 changed, 0 destroyed.\n",
            "Apply complete! Resources: 3 added, 0 changed, 0 destroyed.",
            id="terraform apply",
        ),
        pytest.param("  14:9  error  'x' is unused\n", "", id="a place is no count"),
    ],
)
def test_a_success_is_told_by_its_result(output: str, line: str) -> None:
    """What went well without a figure needs no line."""
    assert success_line(key_lines(output, failed=False)) == line


def test_what_stands_around_a_compilers_error_is_not_the_error() -> None:
    """A template names each place it was needed from before what is wrong with it."""
    output = (
        "core.h: In instantiation of 'int f()':\n"
        "core.h:1777:29: required from 'constexpr int g()'\n"
        "main.cc:4:1: warning: unused variable 'x'\n"
        "core.h:88:3: error: no matching function for call to 'f(x)'\n"
        "core.h:90:3: note: candidate expects 2 arguments\n"
    )
    assert failure_line(output) == (
        "core.h:88:3: error: no matching function for call to 'f(x)'"
    )
