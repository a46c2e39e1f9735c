# make try · make test · make quick · make check · make bench · make faults · make fuzz · make walks · make pages · make pictures
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
# Thousands of worlds are laid out and thrown away: in memory, where there is some.
MEMORY := $(shell test -w /dev/shm && echo /dev/shm || echo /tmp)

.PHONY: try test quick check bench faults fuzz walks pages pictures reference clean

try: $(VENV)/.runtime
	@$(BIN)/holdfast demo

test: $(STAMP)
	@$(BIN)/python -m coverage erase
	@$(BIN)/python -m coverage run -m pytest -q -n auto -m "not slow"
	@$(BIN)/python -m coverage combine -q
	@$(BIN)/python -m coverage report

# The pure rooms and the house: no process is started, whatever a test asks for.
PURE := domain language redaction session facts search brief start reports kernel project_notes config app surfaces
quick: $(STAMP)
	@$(BIN)/python -m pytest -q -n auto -p tests.quick -m "not slow and not process" $(addprefix tests/unit/,$(PURE)) tests/house

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP)
	$(BIN)/python -m benchmarks

# Every fault, then the figures of every goal as one table. Writers want a real disk.
FIGURES := build/figures.jsonl
DISKS := tests/faults/test_many_writers.py tests/faults/test_kill_loop.py
STORES := $(addprefix tests/unit/store/test_,checking.py repairing.py upgrades.py)
TRY := HOLDFAST_FIGURES=$(CURDIR)/$(FIGURES) $(BIN)/python -m pytest -q
faults: $(STAMP)
	@mkdir -p build && rm -f $(FIGURES)
	@left=0; \
	TMPDIR=$(MEMORY) $(TRY) -n $(JOBS) tests/faults $(addprefix --ignore=,$(DISKS)) || left=1; \
	$(TRY) $(DISKS) $(STORES) || left=1; \
	$(TRY) -m slow tests/e2e || left=1; \
	$(BIN)/python -m tests.faults.figures $(FIGURES) | tee build/faults.md; \
	exit $$left

# How hard to try, times the examples of an ordinary run, and how many processes.
FUZZ ?= 200
JOBS ?= 2
fuzz: $(STAMP)
	HOLDFAST_FUZZ=$(FUZZ) $(BIN)/python -m pytest -q -n $(JOBS) --timeout=0 tests/fuzz

walks: $(STAMP)
	$(BIN)/python -m pytest -q -n 2 tests/e2e/client tests/e2e/agents

# The page in a real Chromium; without one, these tests are left out and say so.
pages: $(STAMP)
	$(BIN)/python -m pytest -q -n 2 tests/unit/surfaces/test_web_door.py tests/e2e/web

# The pictures of the guide, drawn anew by a Chromium; without one it says so.
pictures: $(STAMP)
	@$(BIN)/python -m docs.pictures

reference: $(STAMP)
	$(BIN)/python -m docs.build

$(VENV)/bin/python:
	@echo "setting up $(VENV)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: $(VENV)/bin/python pyproject.toml constraints.txt
	@echo "installing holdfast"
	@$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(STAMP): $(VENV)/.runtime constraints.txt requirements-dev.txt
	@echo "installing test tools"
	@$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -r requirements-dev.txt
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

# What a user gets, the wheel and the sources in one archive, each installed alone: no
# checkout, no test tools. Both carry the licence.
.PHONY: wheel-test
wheel-test: $(VENV)/bin/python
	@rm -rf build/wheel && mkdir -p build/wheel
	@$(BIN)/python -m pip wheel -q --disable-pip-version-check --no-deps -w build/wheel .
	@$(PYTHON) -m venv build/wheel/maker
	@build/wheel/maker/bin/python -m pip install -q --disable-pip-version-check hatchling
	@build/wheel/maker/bin/python -m hatchling build -t sdist -d build/wheel > /dev/null 2>&1
	@for made in build/wheel/*.whl build/wheel/*.tar.gz; do $(MAKE) -s alone MADE="$$made" || exit 1; done

.PHONY: alone
alone:
	@rm -rf build/wheel/venv && $(PYTHON) -m venv build/wheel/venv
	@build/wheel/venv/bin/python -m pip install -q --disable-pip-version-check -c constraints.txt $(MADE)
	@scratch=$$(mktemp -d) && HOME=$$scratch build/wheel/venv/bin/holdfast demo > build/wheel/demo.txt; rm -rf "$$scratch"
	@grep -q "Carried:" build/wheel/demo.txt
	@cd build/wheel && venv/bin/holdfast-hook SessionStart < /dev/null
	@cd build/wheel && venv/bin/holdfast mcp < ../../tests/fixtures/mcp-hello.jsonl | grep -q checkpoint_save
	@cd build/wheel && venv/bin/python -c "from holdfast.surfaces.web.one_file import joined_modules; assert joined_modules()"
	@ls build/wheel/venv/lib/python3*/site-packages/holdfast-*.dist-info/licenses/LICENSE > /dev/null
	@echo "$(notdir $(MADE)) works alone"
