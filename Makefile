# Everything a person does with a checkout. `make` alone lists it.

PYTHON := .venv/bin/python
GAME ?= marbles
PLAY_ARGS ?=
# Files are shared out in the order of tests/conftest.py, the longest ones first.
PYTEST_ARGS ?= -n 2 --dist loadfile --no-loadscope-reorder
FUZZ_SECONDS ?= 600
FUZZ_ARGS ?=
REFERENCES ?=

.DEFAULT_GOAL := help
.PHONY: help setup play test lint format types architecture unit fuzz site references clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-20s %s\n", $$1, $$2 }'

setup: ## make .venv and install the project with what tests and checks need
	@scripts/setup

play: ## set up if need be, then play (GAME=marbles PLAY_ARGS="--headless")
	@scripts/install-system-packages
	@scripts/setup --play
	@.venv/bin/renderwright play $(GAME) $(PLAY_ARGS)

test: ## set up if need be, then run every check and test
	@scripts/install-system-packages --tests
	@scripts/setup
	@$(MAKE) --no-print-directory lint types architecture unit

lint: setup ## style (ruff)
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .

format: setup ## put the code into the project's style
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .

types: setup ## types (mypy)
	@scripts/layout
	$(PYTHON) -m mypy

architecture: setup ## which package may import which (import-linter)
	.venv/bin/lint-imports

unit: setup ## the tests (pytest; PYTEST_ARGS="-n 4 --dist loadfile --no-loadscope-reorder")
	$(PYTHON) -m pytest $(PYTEST_ARGS)

fuzz: setup ## long random tests (FUZZ_SECONDS=600 FUZZ_ARGS="packing --cases 50000")
	$(PYTHON) tests/fuzz/run.py --seconds $(FUZZ_SECONDS) $(FUZZ_ARGS)

site: setup ## the documentation as a site, in build/site/html, its links checked
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	$(PYTHON) scripts/site_pages.py

references: setup ## make the reference pictures of the tests anew (REFERENCES="bloom fog")
	PYTHONPATH=tests $(PYTHON) tests/references/regenerate.py $(REFERENCES)

clean: ## remove everything that setting up and running made
	rm -rf .venv out build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
