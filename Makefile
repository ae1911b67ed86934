# One command for each intention. Every target sets up what it needs by itself: a fresh machine
# wants only make and Python 3.11 or newer.

SHELL := /bin/bash
.DEFAULT_GOAL := help

VENV ?= .venv
EXTRAS := train,data,minari,serve,notebooks,torchrl,openspiel,frames,docs,dev
BIN := $(VENV)/bin
READY := $(VENV)/.ready
CONSTRAINTS ?= constraints.txt
WORKERS ?= 2
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

# What is never imported need not be compiled to bytecode.
PIP := $(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --no-compile \
	$(if $(CONSTRAINTS),--constraint $(CONSTRAINTS))
# As many processes as cores test at once; more threads in each would only be in each other's way.
PYTEST := OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest --quiet --numprocesses $(WORKERS) --dist worksteal

# An environment that sees all of the first one; what is installed into it comes first. RLlib wants
# an older Gymnasium, and the lowest versions that pyproject.toml names are tested, too.
RAY := $(VENV)-ray/bin/python
RAY_READY := $(VENV)-ray/.ready
LOWEST := $(VENV)-lowest/bin/python
LOWEST_READY := $(VENV)-lowest/.ready
PACKAGES := import sysconfig; print(sysconfig.get_path("purelib"))
define BESIDE
@test -x $(1) || $(BIN)/python -m venv --without-pip $(patsubst %/bin/python,%,$(1))
@echo "import site; site.addsitedir('$$($(BIN)/python -c '$(PACKAGES)')')" \
	> "$$($(1) -c '$(PACKAGES)')/beside.pth"
endef

# The rules, as the coverage gate counts them.
RULES := phases/* bank.py units.py turns.py rng.py scoring.py engine.py
# What notebooks showed when they ran last.
EXECUTED := build/notebooks
COMMA := ,
EMPTY :=

# Idle threads sleep: spinning ones make a busy machine many times slower.
export OMP_WAIT_POLICY := PASSIVE

.PHONY: help setup setup-ray hooks fmt lint types warm test test-all test-nojit test-ray test-lowest \
	test-newest notebooks docs reference reference-check feature-statistics puzzles golden pictures \
	structure dist bench load check train play serve clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(READY): pyproject.toml $(CONSTRAINTS)
	@test -n "$(PYTHON)" || { echo "prico needs Python 3.11 or newer; none was found"; exit 1; }
	@echo "Setting up $(VENV) (once; a few minutes) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) torch==2.13.0
	@$(PIP) --editable '.[$(EXTRAS)]'
	@touch $@

setup: $(READY)  ## editable install with everything for development
	@echo "Ready: source $(BIN)/activate, or use the make targets."

hooks: $(READY)  ## run the linters before every Git commit of this clone
	@printf '#!/bin/sh\nexec make lint\n' > "$$(git rev-parse --git-path hooks)/pre-commit"
	@chmod +x "$$(git rev-parse --git-path hooks)/pre-commit"

fmt: $(READY)  ## format, sort imports, and strip notebooks of their outputs
	@$(BIN)/ruff check --select I --fix --quiet .
	@$(BIN)/ruff format .
	@$(BIN)/python -m tests.pages.notebook_form

lint: $(READY)  ## ruff and import-linter
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports --no-cache

types: $(READY)  ## mypy, strict
	@$(BIN)/mypy

warm: $(READY)  ## compile everything once, so that parallel tests find it compiled
	@$(BIN)/prico warm

test: warm  ## the fast tests and doctests
	@$(PYTEST) -m "not slow and not training and not performance and not notebook"

test-all: warm  ## adds slow tests and training smoke runs
	@$(PYTEST) -m "not performance and not notebook"

# Texts, drawings and files are the same Python either way: they are tested over compiled rules.
test-nojit: $(READY)  ## the rules with the compiler off; fails below 95 % of lines or branches
	@NUMBA_DISABLE_JIT=1 $(PYTEST) -m "not slow and not training and not performance" \
		--cov=prico_env/core --cov-branch --cov-report= tests/rules tests/oracle \
		tests/serialization/test_records.py tests/text/test_errors.py \
		tests/properties/test_invariants.py --ignore tests/rules/test_coverage_of_rules.py
	@$(BIN)/python -m coverage json --quiet \
		--include="$(subst $(EMPTY) $(EMPTY),$(COMMA),$(addprefix prico_env/core/,$(RULES)))"
	@$(BIN)/python .ci/coverage_gate.py coverage.json 95

$(RAY_READY): $(READY)
	@echo "Setting up $(VENV)-ray (once; half a gigabyte) ..."
	$(call BESIDE,$(RAY))
	@$(RAY) -m pip install --quiet --quiet --disable-pip-version-check --no-compile \
		$(if $(CONSTRAINTS),--constraint <(grep -v ^gymnasium= $(CONSTRAINTS))) --editable '.[rllib]'
	@touch $@

setup-ray: $(RAY_READY)  ## an environment beside the first one, for Ray and RLlib

test-ray: $(RAY_READY) warm  ## Ray and RLlib, in a virtual environment of their own
	@$(RAY) -m pytest --quiet tests/training/learning/test_rllib.py \
		tests/training/learning/test_ray_actors.py

$(LOWEST_READY): $(READY) .ci/requirements.py
	@echo "Setting up $(VENV)-lowest (once) ..."
	$(call BESIDE,$(LOWEST))
	@$(LOWEST) -m pip install --quiet --quiet --disable-pip-version-check --no-compile \
		--no-warn-conflicts \
		--requirement <($(BIN)/python .ci/requirements.py --lowest train serve torchrl openspiel)
	@touch $@

test-lowest: $(LOWEST_READY)  ## a part of the tests at the lowest versions that pyproject.toml names
	@NUMBA_DISABLE_JIT=1 $(LOWEST) -m pytest --quiet -m "not slow" tests/rules/test_captain.py \
		tests/text/test_errors.py tests/agents/test_registry.py tests/render/test_registry.py
	@$(LOWEST) -m pytest --quiet tests/contract/test_pettingzoo.py tests/contract/test_sb3.py \
		-k "api_test or learns_on_it or pictures"

test-newest:  ## a part of the tests on the newest Python, Debian's where this machine has none
	@.ci/newest $(VENV)-newest

notebooks: warm  ## run every notebook in fast mode, and keep what it showed for the site
	@PRICO_EXECUTED=$(EXECUTED) $(PYTEST) -m notebook tests/pages
	@touch $(EXECUTED)/.done

$(EXECUTED)/.done: $(wildcard notebooks/*.ipynb)
	@$(MAKE) --no-print-directory notebooks

docs: $(READY) $(EXECUTED)/.done  ## the site of the pages, notebooks and API reference, strictly
	@$(BIN)/python .ci/build_site.py --notebooks $(EXECUTED)

# One picture is of a game; its few hundred decisions are sooner played uncompiled than compiled.
reference: $(READY)  ## write the generated reference pages
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m prico_env.reference
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m prico_training.reference

reference-check: $(READY)  ## fail when a generated page is stale
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m prico_env.reference --check
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m prico_training.reference --check

feature-statistics: warm  ## measure the means and deviations of features again
	@$(BIN)/python -m prico_training.feature_statistics

puzzles: warm  ## ask the agents that come along for the best action of puzzles, and write the page
	@$(BIN)/prico puzzles --json docs/puzzles.json
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m prico_training.reference

golden: warm  ## rewrite stored transcripts; review the diff like code
	@$(BIN)/python -m tests.golden.write

pictures: warm  ## take the README's pictures of the pages anew, with Chromium
	@$(BIN)/python -m tests.training.ui.pictures

structure: $(READY)  ## function lengths, import levels, and names that occur twice
	@$(BIN)/python .ci/structure.py

# The wheel is built from the source distribution, so the one cannot lack what the other needs.
dist: $(READY)  ## the source distribution and the wheel, checked for publishing
	@rm -rf dist
	@$(BIN)/python -m build --no-isolation --outdir dist . > /dev/null
	@$(BIN)/python -m twine check --strict dist/*

bench: warm  ## speed, with the machine and versions it was measured on
	@$(BIN)/prico bench

load: warm  ## what 200 browsers get of the page's server, without and with searches going on
	@$(BIN)/prico bench --load

check:  ## exactly what CI runs
	@./.ci/run

train: warm  ## train an agent by self-play and rank it (about five minutes)
	@$(BIN)/prico train

play: warm  ## play against the built-in agents in the terminal
	@$(BIN)/prico play

serve: warm  ## play against them in a browser
	@$(BIN)/prico serve --open

clean:  ## remove what tools left behind, but not the environment
	@rm -rf .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage \
		coverage.json build dist ./*.egg-info
	@find . -name __pycache__ -not -path './$(VENV)*' -prune -exec rm -rf {} +
