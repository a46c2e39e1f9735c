"""What a run that went well says about another one that failed."""

import pytest

from holdfast.facts.content import content_of
from tests.sessions import asks, edits, runs, session


def _is_mended(failed: str, *green: str) -> bool:
    went_well = [runs(command, "ok") for command in green]
    state = session(asks("go"), runs(failed, fails="assert 1 == 2"), *went_well)
    (error,) = content_of(state).errors
    return error.text.endswith("(fixed since)")


@pytest.mark.parametrize(
    ("failed", "green"),
    [
        ("pytest tests/test_b.py", "pytest tests/test_a.py"),
        ("pytest tests/test_b.py::test_x", "pytest tests/test_a.py"),
        ("pytest tests/ab/test_x.py", "pytest tests/a"),
        ("pytest", "pytest tests/test_a.py"),
        ("pytest", "pytest -k parser"),
        ("pytest -m slow", "pytest -m fast"),
        ("pytest tests/test_b.py", "uv run pytest --tb short tests/test_a.py"),
        ("python -m pytest tests/test_b.py", "python3 -m pytest -q tests/test_a.py"),
        ("python -m unittest tests.test_b", "python -m unittest tests.test_a"),
        ("tox -e py312", "tox -e lint"),
        ("npx vitest run src/b.test.ts", "npx vitest run src/a.test.ts"),
        ("npx vitest run", "npx vitest run src/a.test.ts"),
        ("vitest run -t 'reads twice'", "vitest run -t 'writes once'"),
        ("jest b.spec.ts", "jest a.spec.ts"),
        ("yarn jest src/b.spec.ts", "yarn jest src/a.spec.ts --coverage"),
        ("npm test -- b.test.js", "npm test -- a.test.js"),
        ("npm test", "npm test -- a.test.js"),
        ("npm run test:e2e", "npm run test:unit"),
        ("npm test", "npm run test:unit"),
        ("pnpm --filter web test", "pnpm --filter api test"),
        ("yarn test src/b.test.ts", "yarn test src/a.test.ts"),
        ("bun test b.test.ts", "bun test a.test.ts"),
        ("deno test b_test.ts", "deno test a_test.ts"),
        ("mocha test/b.js", "mocha test/a.js"),
        ("npx playwright test b.spec.ts", "npx playwright test a.spec.ts"),
        ("npx playwright test --grep pay", "npx playwright test --grep login"),
        ("cargo test parser::", "cargo test lexer::"),
        ("cargo test", "cargo test parser::"),
        ("cargo test -p core", "cargo test -p cli"),
        ("cargo test", "cargo test --lib"),
        ("cargo test --features tls", "cargo test"),
        ("go test ./pkg/b", "go test ./pkg/a/..."),
        ("go test ./pkg/a/inner", "go test ./pkg/a"),
        ("go test ./...", "go test ./pkg/a"),
        ("go test ./...", "go test"),
        ("go test -tags=integration ./...", "go test ./..."),
        ("go test ./x -run 'TestA|TestB'", "go test ./x -run TestA"),
        ("gotestsum ./pkg/b", "gotestsum ./pkg/a"),
        ("bundle exec rspec spec/b_spec.rb", "bundle exec rspec spec/a_spec.rb"),
        ("rspec spec/a_spec.rb", "rspec spec/a_spec.rb:12"),
        ("dotnet test --filter B", "dotnet test --filter A"),
        ("dotnet test", "dotnet test --filter A"),
        ("vendor/bin/phpunit tests/BTest.php", "vendor/bin/phpunit tests/ATest.php"),
        ("phpunit --filter testB", "phpunit --filter testA"),
        ("mvn -Dtest=B test", "mvn -Dtest=A test"),
        ("mvn -Dtest=AB test", "mvn clean test -Dtest=A"),
        ("mvn test", "mvn -pl core test"),
        ("./gradlew test --tests shop.BTest", "./gradlew test --tests shop.ATest"),
        ("mix test test/b_test.exs", "mix test test/a_test.exs"),
        ("swift test --filter B", "swift test --filter A"),
        ("ctest -R b", "ctest -R a"),
        ("bats test/b.bats", "bats test/a.bats"),
        ("bazel test //b/...", "bazel test //a/..."),
        ("make test-e2e", "make test-unit"),
        ("make test", "make test TESTS=tests/test_a.py"),
        ("mise run test:integration", "mise run test:unit"),
        ("bash test_b.sh", "bash test_a.sh"),
        ("pytest", "go test ./..."),
        ("pytest", "ruff check ."),
        ("ruff check src/b.py", "ruff check src/a.py"),
        ("mypy src", "ruff check src"),
        ("npm run typecheck", "npm run lint"),
        ("mypy src", "make lint"),
        ("npm run build", "npm install"),
        ("ruff check . && pytest tests/test_b.py", "ruff check ."),
        ("pytest tests/test_a.py tests/test_b.py", "pytest tests/test_a.py"),
        ("eslint src/pages/list.tsx", "eslint src/shop/*.tsx"),
        ("cd web && eslint src/a.ts", "eslint src/a.ts"),
        ("eslint api/src/a.ts", "cd web && eslint ."),
    ],
)
def test_a_part_that_went_well_mends_nothing_outside_of_it(
    failed: str, green: str
) -> None:
    """Who is told that a red test was fixed does not look at it again."""
    assert not _is_mended(failed, green)


@pytest.mark.parametrize(
    ("failed", "green"),
    [
        ("pytest tests/test_b.py", "pytest"),
        ("pytest tests/test_b.py", "pytest -x --tb short -n 4"),
        ("pytest tests/test_b.py", "pytest ."),
        ("pytest tests/unit/test_b.py", "pytest tests/unit"),
        ("pytest tests/unit/test_b.py", "pytest ./tests/unit/"),
        ("pytest tests/test_b.py::test_x", "pytest tests/test_a.py tests/test_b.py"),
        ("pytest -k parser tests", "pytest tests"),
        ("pytest -k parser_reads", "pytest -k 'lexer or parser'"),
        ("pytest tests/test_b.py", "make test"),
        ("pytest tests/test_b.py", "make lint test"),
        ("make test", "pytest"),
        ("make test-unit", "make test"),
        ("npx vitest run src/b.test.ts", "npx vitest run"),
        ("npx vitest run src/auth/b.test.ts", "npx vitest run auth"),
        ("npx vitest run src/b.test.ts", "npm test"),
        ("npm test -- b.test.js", "npm test"),
        ("npm run test:unit", "npm test"),
        ("jest src/b.spec.ts", "jest b.spec.ts"),
        ("npx jest src/b.spec.ts", "npm test -- src/b.spec.ts"),
        ("cargo test parser::reads", "cargo test parser"),
        ("cargo test parser::", "cargo test"),
        ("cargo test -p core", "cargo test --workspace"),
        ("cargo test parser", "cargo test --features tls -- --nocapture"),
        ("go test ./pkg/b", "go test ./..."),
        ("go test ./pkg/a/inner", "go test ./pkg/a/..."),
        ("go test ./x -run TestA", "go test -race -timeout 60s ./x"),
        ("go test ./x -run TestA", "go test ./x -run 'TestA|TestB'"),
        ("go test -tags=integration ./x", "go test -tags integration ./..."),
        ("go test ./pkg/b", "mise run test:ci"),
        ("go test ./pkg/b", "gotestsum ./..."),
        ("rspec spec/a_spec.rb:12", "rspec spec/a_spec.rb"),
        ("rspec spec/models/a_spec.rb", "rspec spec/models"),
        ("dotnet test --filter A", "dotnet test"),
        ("phpunit tests/ATest.php", "phpunit"),
        ("mvn -Dtest=A#reads test", "mvn -Dtest=A test"),
        ("mvn -Dtest=A test", "mvn clean verify test"),
        ("./gradlew test --tests shop.ATest", "./gradlew clean test"),
        ("mix test test/a_test.exs:4", "mix test"),
        ("bazel test //a:x", "bazel test //..."),
        ("ruff check src/a.py", "ruff check src tests"),
        ("eslint src", "npm run lint"),
        ("golangci-lint run", "mise run lint"),
        ("mypy src", "make check"),
        ("npx tsc --noEmit", "npm run typecheck"),
        ("go build ./cmd/x", "go build ./..."),
        ("eslint src/pages/list.tsx", "eslint src/pages/*.tsx"),
        ("cd web && eslint src/a.ts", "eslint web/src/a.ts"),
        (
            "cd web && eslint src/a.ts --max-warnings 0",
            "eslint web/src/a.ts --max-warnings 0",
        ),
        ("eslint web/src/a.ts", "cd web && eslint ."),
        ("cd api && pytest tests/test_a.py", "pytest api"),
    ],
)
def test_a_run_that_has_it_all_mends_what_failed_in_it(failed: str, green: str) -> None:
    """A mended error in the brief sends the next session after ghosts."""
    assert _is_mended(failed, green)


@pytest.mark.parametrize(
    ("failed", "green"),
    [
        ("pytest a.py b.py", ("pytest a.py", "pytest b.py")),
        ("ruff check . && pytest", ("ruff check .", "pytest")),
        ("npm run lint && npm test", ("npm run lint && npm test && npm run build",)),
    ],
)
def test_what_failed_is_mended_once_each_part_of_it_went_well(
    failed: str, green: tuple[str, ...]
) -> None:
    """Which part of a chain failed is not known, so all of them must pass."""
    assert _is_mended(failed, *green)
    assert len(green) == 1 or not _is_mended(failed, green[0])


@pytest.mark.parametrize(
    ("failed", "green"),
    [
        ("kubectl apply -f k8s/pdb.yaml", "kubectl apply -f k8s/netpol.yaml"),
        ("kubectl --context s drain node-1", "kubectl --context s drain node-2"),
        ("helm upgrade ingress charts/ingress", "helm upgrade metrics charts/metrics"),
        ("psql -d shop -f down.sql", "psql -d shop -f up.sql"),
        ("python manage.py loaddata x", "python manage.py collectstatic"),
    ],
)
def test_a_program_that_did_something_else_mends_nothing(
    failed: str, green: str
) -> None:
    """One program does many things; what it could not do is still to be done."""
    assert not _is_mended(failed, green)


@pytest.mark.parametrize(
    ("failed", "green"),
    [
        ("python eval/all.py --full", "python eval/all.py --full --batch 16"),
        ("helm upgrade ingress charts/in", "helm upgrade ingress charts/in --wait"),
        ("git pull", "git pull --rebase origin main"),
        ("git stash && git checkout main && git pull", "git checkout -b next"),
        (
            "git push origin main --tags",
            (
                "git checkout -b release/3.2 && git push origin release/3.2 && gh pr create"
                ' --title "release: v0.16.0" --body "The tag is pushed; this brings main up to it."'
            ),
        ),
    ],
)
def test_what_was_tried_again_in_another_way_is_mended(failed: str, green: str) -> None:
    """Whoever finds the right option does not come back to the wrong one."""
    assert _is_mended(failed, green)


def test_a_backtick_in_a_command_does_not_end_its_quotation() -> None:
    """What the error said stands behind it, between backticks of its own."""
    content = content_of(session(asks("go"), runs("make 'a`b'", fails="error: no")))

    assert content.errors[0].text == "`make 'a'b'` → exit 1: error: no"


def test_a_failure_is_told_with_the_files_that_were_changed_until_it_was_ended() -> (
    None
):
    """Who meets it again looks there first; what was changed before or after is no fix."""
    state = session(
        asks("go"),
        edits("src/before.py"),
        runs("pytest", fails="FAILED test_a - assert 1 == 2"),
        edits("src/cart.py"),
        edits("src/fee.py"),
        edits("src/cart.py"),
        runs("pytest", "5 passed"),
        edits("src/after.py"),
    )

    (error,) = content_of(state).errors

    assert error.about == "mended in: cart.py, fee.py"


def test_an_open_failure_has_no_fix() -> None:
    """Edits that did not help are none."""
    failed = runs("pytest", fails="FAILED test_a - assert 1 == 2")

    (error,) = content_of(session(asks("go"), failed, edits("a.py"), failed)).errors

    assert error.about == ""
