"""What a command is for, for the tools that people use."""

import pytest

from holdfast.facts.commands.command_kinds import kind_of
from holdfast.facts.commands.runs import shown_command

_BY_KIND = {
    "test": """
        python manage.py test orders
        ./manage.py test
        ./mvnw test
        mvn -q -pl billing verify
        mvn -B test
        bin/rails test
        rails test test/models
        turbo run test
        npx turbo test --filter=web
        nx test web
        npx nx run-many -t test
        php artisan test
        flutter test
        dart test
        sbt test
        sbt "testOnly *Cart*"
        zig build test
        cargo nextest run
        cargo test --workspace
        uv run pytest -q
        poetry run pytest
        hatch run test
        hatch test
        deno test
        bun test
        xcodebuild test -scheme App
        xcodebuild -scheme App test
        swift test
        lein test
        stack test
        cabal test
        dbt test
        ./gradlew test
        ./gradlew :app:testDebugUnitTest
        gradle integrationTest
        make test-unit
        make unit-tests
        npm t
        npm run test:unit
        yarn workspace web test
        pnpm -F web test
        pnpm --filter web run test
        dotnet test
        mix test
        rake spec
        bundle exec rspec
        bin/rspec
        vendor/bin/pest
        vendor/bin/phpunit
        composer test
        python -m pytest
        python -m unittest discover
        nox -s tests
        tox -e py311
        go test ./...
        gotestsum ./...
        bazel test //...
        meson test -C build
        ctest --test-dir build
        ./run_tests.sh
        scripts/test.sh
        python run_tests.py
        molecule test
        helm unittest chart
        forge test
        hardhat test
        karma start
        ava
        cypress run
        playwright test
        npx wdio run
        docker compose run web pytest
        docker compose exec api npm test
        node --test
        elixir -S mix test
        rebar3 eunit
        ./build/tests --gtest_filter=A
    """,
    "check": """
        gradle check
        ./gradlew check
        ./gradlew ktlintCheck
        ./gradlew detekt
        terraform validate
        terraform plan -out p
        terraform fmt -check
        tofu plan
        ansible-lint site.yml
        ansible-playbook site.yml --syntax-check
        cargo check
        cargo clippy
        cargo fmt --check
        flutter analyze
        dart analyze
        npm run lint
        pnpm typecheck
        yarn type-check
        npx biome check
        npx oxlint
        deno lint
        deno check main.ts
        svelte-check
        vue-tsc --noEmit
        vendor/bin/phpstan analyse
        vendor/bin/psalm
        vendor/bin/php-cs-fixer fix --dry-run
        bundle exec rubocop
        mix credo
        mix format --check-formatted
        swiftlint
        ktlint
        hadolint Dockerfile
        yamllint .
        markdownlint .
        stylelint "**/*.css"
        buf lint
        helm lint chart
        kubeconform d.yaml
        actionlint
        tflint
        python manage.py check
        python manage.py makemigrations --check
        staticcheck ./...
        go vet ./...
        black --check .
        isort --check .
        bandit -r src
        basedpyright
        uv run ruff check
        uvx ty check
        hlint src
        clang-tidy a.cpp
        cppcheck .
        npm audit
        nix flake check
        sqlfluff lint
    """,
    "build": """
        ./gradlew build
        ./gradlew assembleDebug
        dbt build
        dbt run
        dbt compile
        zig build
        cargo build --release
        go build ./...
        npm run build
        npx next build
        npx vite build
        mvn -q compile
        mvn package
        stack build
        cabal build
        swift build
        xcodebuild -scheme App
        sbt compile
        lein uberjar
        flutter build apk
        dotnet build
        dotnet publish
        make
        make all
        cmake --build build
        ninja -C build
        meson compile -C build
        docker build -t api .
        docker compose build
        nix build
        bazel build //...
        terraform apply -auto-approve
        terraform init
        pulumi up
        cdk deploy
        python -m build
        python manage.py migrate
        bin/rails db:migrate
        alembic upgrade head
        mix compile
        mkdocs build
        latexmk -pdf a.tex
        g++ a.cpp -o a
        rustc a.rs
        pip install -r r.txt
        bundle install
        npx prisma generate
        npx prisma migrate dev
        gcc a.c
    """,
    "run": """
        python train.py
        ./entire list
        kubectl -n test apply -f d.yaml
        psql test -c 'select 1'
        createdb test
        curl -s localhost/test
        docker run --rm test
        ansible-playbook site.yml
        python scripts/make_report.py
        aws s3 cp a s3://test/b
        python -m shop.check_stock
        npx create-next-app web
    """,
    "server": """
        npm run dev
        npm start
        npx next dev
        python manage.py runserver
        uvicorn app:app
        docker compose up -d
        bin/rails s
        flask run
        flutter run
        hugo server
        mkdocs serve
        php artisan serve
        mix phx.server
    """,
    "git": """
        git push
        git checkout test
        git merge build
        git stash pop
        git rebase main
    """,
}


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        pytest.param(line.strip(), kind, id=line.strip())
        for kind, lines in _BY_KIND.items()
        for line in lines.strip().splitlines()
    ],
)
def test_a_command_is_known_by_its_program_or_its_task(command: str, kind: str) -> None:
    """What tests, checks or builds is judged by what it prints, and told first."""
    assert kind_of(shown_command(command)) == kind


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        pytest.param("pip install pytest", "build", id="a tool that is fetched"),
        pytest.param("npm install test-utils", "build", id="a package named so"),
        pytest.param("npm run build:dev", "build", id="a build for development"),
        pytest.param("go build ./cmd/test", "build", id="a path"),
        pytest.param("ruff check . && pytest", "test", id="the test of a chain"),
        pytest.param("docker run --rm test", "run", id="an image named so"),
    ],
)
def test_a_word_that_names_no_task_says_nothing(command: str, kind: str) -> None:
    """Much is called `test` that tests nothing."""
    assert kind_of(command) == kind
