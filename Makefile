# Everything a person does with this repository. `make` lists it. Needs Python 3.11+ and make, nothing else.
# Debian and Ubuntu: apt-get install make python3 python3-venv

VENV := .venv
BIN := $(VENV)/bin
# The first of these that runs and is new enough makes the environment; PYTHON=… overrides it.
PYTHONS := python3 python3.14 python3.13 python3.12 python3.11
SHARED ?= ../shared

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup hooks run test chaos coverage lint format types imports deps check docs docs-check suites bench changelog wheel clean

help: ## list what can be made
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  \033[36m%-12s\033[0m %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/.run-stamp ## start embedded Neo4j and the API, print their addresses, stay up until Ctrl-C
	@exec $(BIN)/memgraph-svc up $(ARGS)

test: $(VENV)/.dev-stamp ## run the whole test suite (ARGS="tests/unit -x" for a part of it)
	$(BIN)/python -m pytest $(or $(ARGS),-n 2 --dist loadfile)

chaos: $(VENV)/.dev-stamp ## the long campaigns: kills of every process during mixed writes
	MEMGRAPH_TEST_ROUNDS=$(or $(ROUNDS),20) $(BIN)/python -m pytest tests/acceptance/test_kill_mixed.py tests/acceptance/test_kill_ingest.py $(ARGS)

coverage: $(VENV)/.dev-stamp ## run the whole test suite and judge its coverage
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest $(ARGS)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

setup: $(VENV)/.dev-stamp ## make .venv with everything a developer needs

hooks: $(VENV)/.dev-stamp ## check each commit before it is made
	$(BIN)/pre-commit install

lint: $(VENV)/.dev-stamp ## ruff's rules, its format, and the YAML files
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/yamllint --strict .

format: $(VENV)/.dev-stamp ## rewrite the code as ruff wants it
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/.dev-stamp ## pyright: strict on the package, basic on the tests
	$(BIN)/pyright

imports: $(VENV)/.dev-stamp ## the rules about who may import whom
	$(BIN)/lint-imports --no-cache

deps: $(VENV)/.dev-stamp ## declared dependencies against those imported
	$(BIN)/deptry .

check: lint types imports deps docs-check ## every check that needs no server

docs: $(VENV)/.dev-stamp ## write the generated pages of docs/reference again
	$(BIN)/python -m scripts.gen_docs

docs-check: $(VENV)/.dev-stamp ## fail when a generated page is not current
	$(BIN)/python -m scripts.gen_docs --check

suites: $(VENV)/.dev-stamp ## run the outside suites of $(SHARED) against a fresh stack
	PATH="$(CURDIR)/$(BIN):$$PATH" SHARED="$(SHARED)" scripts/suites.sh

bench: $(VENV)/.dev-stamp ## measure against the floor; figures go to benchmarks/
	$(BIN)/python -m benchmarks $(ARGS)

changelog: $(VENV)/.dev-stamp ## show what docs/changes would add to CHANGELOG.md
	$(BIN)/towncrier build --draft --version next

wheel: $(VENV)/.dev-stamp ## build the wheel into dist/
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

clean: ## remove .venv, caches and build results; never data
	rm -rf $(VENV) dist build .pytest_cache .ruff_cache .import_linter_cache .hypothesis htmlcov .coverage .coverage.*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- the environment: used again as long as pyproject.toml is unchanged ---------------------------------------------

$(BIN)/python:
	@found=; for python in $(or $(PYTHON),$(PYTHONS)); do \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found=$$python; break; fi; \
	done; \
	if [ -z "$$found" ]; then echo "Python 3.11 or newer is needed (Debian: apt-get install python3)" >&2; exit 1; fi; \
	if ! "$$found" -c 'import ensurepip' 2>/dev/null; then \
	  echo "$$found lacks the venv module (Debian: apt-get install python3-venv)" >&2; exit 1; fi; \
	echo "making $(VENV) with $$("$$found" --version)"; \
	"$$found" -m venv $(VENV)

# pip before 25.1 knows no dependency groups.
$(VENV)/.pip-stamp: | $(BIN)/python
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	@touch $@

$(VENV)/.run-stamp: pyproject.toml $(VENV)/.pip-stamp
	$(BIN)/python -m pip install --quiet --editable '.[all]'
	@touch $@

$(VENV)/.dev-stamp: pyproject.toml $(VENV)/.pip-stamp
	$(BIN)/python -m pip install --quiet --editable '.[all]' --group dev
	@touch $@ $(VENV)/.run-stamp
