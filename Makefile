# What one can do with this checkout. `make help` lists it.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.SUFFIXES:

# The newest Python that all of memd's packages are built for, else any from 3.11 on, unless one is given:
# make install PYTHON=/path/to/python3. (Of 3.14 search by meaning has none yet; an installation works without it.)
# Each is run, because a shim on the PATH may stand for a version that is not there.
# Looked up at first use only.
ifndef PYTHON
PYTHON = $(eval PYTHON := $$(shell $$(FIND_PYTHON)))$(PYTHON)
endif
define FIND_PYTHON
for python in python3.13 python3.12 python3.11 python3 python python3.14; do \
	if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
		command -v "$$python"; break; \
	fi; \
done
endef

VENV := .venv
READY := $(VENV)/.ready
RUN := $(VENV)/bin/python -m
# The Claude Code that tests/hosts runs; another version may be named.
CLAUDE_CODE ?= $(shell sed -n 's/^PINNED_VERSION = "\(.*\)"/\1/p' tests/hosts/claude_code_client.py)
HOSTS_DIR := $(or $(MEMD_TEST_HOSTS_DIR),.hosts)
ARGS ?=
# All tests run on up to four processors (a container may show more than it has); those of one file share what they
# set up. Some of them are quicker by themselves.
SIDE_BY_SIDE := -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder

.PHONY: help
help: ## List the commands
	@echo "memd: a memory for coding agents that nobody has to think of"
	@echo
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -e 's/:.*## /|/' | \
		while IFS='|' read -r name what; do printf '  make %-12s %s\n' "$$name" "$$what"; done

.PHONY: install
install: python ## Install memd for you, register it with your agents, start it (ARGS=--plan only shows)
	@"$(PYTHON)" service/bootstrap.py install $(ARGS)

.PHONY: test
test: $(READY) ## Run the tests (ARGS="tests/unit/text -k redaction" for some; COVERED=1 notes what they cover)
	@$(if $(COVERED),rm -f .coverage .coverage.*)
	@$(RUN) $(if $(COVERED),coverage run -m) pytest -m "not slow" $(if $(ARGS),$(ARGS),$(SIDE_BY_SIDE))

.PHONY: test-offline
test-offline: $(READY) ## Run the tests where there is no network and no key (Linux; ARGS as for test)
	@unshare --user --map-root-user --net sh -c 'ip link set lo up && exec env -i \
		PATH="$$PATH" HOME="$$HOME" LANG=C.UTF-8 $(MAKE) --no-print-directory test ARGS="$(ARGS)"'

.PHONY: check
check: $(READY) lint types ## Everything a change has to pass: lint, types, imports, tests with coverage
	@$(MAKE) --no-print-directory test COVERED=1
	@$(MAKE) --no-print-directory coverage

.PHONY: coverage
coverage: $(READY) ## Tell what the last tests with COVERED=1 covered, and whether that is enough
	@$(RUN) coverage combine --quiet
	@$(RUN) coverage report

.PHONY: lint
lint: $(READY) ## Check style and the import rules
	@$(RUN) ruff check .
	@$(RUN) ruff format --check .
	@$(VENV)/bin/lint-imports

.PHONY: types
types: $(READY) ## Check the types, from nothing
	@$(RUN) mypy --cache-dir=/dev/null

.PHONY: format
format: $(READY) ## Mend what can be mended by itself
	@$(RUN) ruff check --fix .
	@$(RUN) ruff format .

.PHONY: hosts-clients
hosts-clients: $(READY) ## Fetch the coding agents that test-hosts runs
	@command -v npm >/dev/null 2>&1 || { echo "memd: test-hosts needs npm, which comes with Node.js." >&2; exit 1; }
	@mkdir -p "$(HOSTS_DIR)"
	@npm install --prefix "$(HOSTS_DIR)" --no-save --no-package-lock --no-audit --no-fund --loglevel=error \
		"@anthropic-ai/claude-code@$(CLAUDE_CODE)"
	@$(RUN) tests.hosts.clients

.PHONY: test-hosts
test-hosts: hosts-clients ## Run memd with the real agents, offline, half an hour (ARGS="-k codex" for one)
	@$(RUN) pytest tests/hosts $(ARGS)
	@$(RUN) tests.hosts.table

.PHONY: test-inspector
test-inspector: $(READY) ## Have the protocol's own inspector try memd's MCP server (needs npm)
	@$(RUN) pytest tests/contract/doors/test_inspector.py $(ARGS)

.PHONY: soak
soak: $(READY) ## Run the fault tests at full length, with 200 kills (MEMD_KILLS=n for more)
	@MEMD_SOAK=1 $(RUN) pytest tests/integration --timeout=7200 $(ARGS)

.PHONY: bench
bench: $(READY) ## Measure the budgets and write the table into README.md (takes minutes)
	@$(RUN) tests.bench.run_all $(ARGS)

.PHONY: eval-distill
eval-distill: $(READY) ## Score distillation on labelled sessions: GOLD=dir (ARGS="-v --readme")
	@$(if $(GOLD),GOLD="$(GOLD)" )$(RUN) tests.eval.eval_distill $(ARGS)

.PHONY: fit-distill
fit-distill: $(READY) ## Fit distillation's weights on labelled sessions and check them (ARGS=--write keeps them)
	@$(if $(GOLD),GOLD="$(GOLD)" )$(RUN) tests.eval.fit_distill $(ARGS)

.PHONY: eval-retrieval
eval-retrieval: $(READY) ## Score recall on conversations with known answers: DATA=file.jsonl (ARGS="--sample 60 --sets s m7")
	@$(RUN) tests.eval.retrieval_suite $(if $(DATA),--data "$(DATA)") $(ARGS)

.PHONY: eval-coding
eval-coding: $(READY) ## Ask invented projects what their people would ask later (ARGS="-v --write --stories DIR")
	@$(RUN) tests.eval.coding_memory $(ARGS)

.PHONY: eval-updates
eval-updates: $(READY) ## Ask for values and rules that were replaced: is the old one still given (ARGS="-v --json")
	@$(RUN) tests.eval.updates $(ARGS)

.PHONY: eval-changes
eval-changes: $(READY) ## Have invented people change their minds, and tell what holds afterwards (ARGS=-v)
	@$(RUN) tests.eval.changes $(ARGS)

.PHONY: eval-embedders
eval-embedders: $(READY) ## Rank the embeddings that run here on the same, with intervals (ARGS="static minilm --json")
	@$(RUN) tests.eval.embedders $(ARGS)

.PHONY: eval-graph
eval-graph: $(READY) ## Score which relations are found in what is told: DATA=file of cases (ARGS="-v --json")
	@$(RUN) tests.eval.graph $(DATA) $(ARGS)

.PHONY: eval-sureness
eval-sureness: $(READY) ## Score whether search tells what answers from what is only near (ARGS="--fit --json")
	@$(RUN) tests.eval.sureness $(ARGS)

.PHONY: eval-injection
eval-injection: $(READY) ## Score what prompts and sessions are given, over the same (ARGS="-v --write --stories DIR")
	@$(RUN) tests.eval.injection $(ARGS)

.PHONY: fit-injection
fit-injection: $(READY) ## Fit when a prompt is given something, and check it on projects left out (ARGS=-v)
	@$(RUN) tests.eval.injection_fit $(ARGS)

.PHONY: eval-codegraph
eval-codegraph: $(READY) ## Score the code graph: TREES=dir of sources, GOLD=dir of sets (ARGS="--only py-httpx --fn 20")
	@$(RUN) tests.eval.codegraph --trees "$(TREES)" $(if $(GOLD),--gold "$(GOLD)") $(ARGS)

.PHONY: clean
clean: ## Remove everything these commands made in this folder
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache htmlcov dist build
	@rm -rf .coverage .coverage.* .hosts
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: python
python:
	@test -n "$(PYTHON)" || { echo "memd: no Python 3.11 or newer was found;" \
		"install one (Debian, Ubuntu: sudo apt install python3 python3-venv; macOS: brew install python)" \
		"or name it: make install PYTHON=/path/to/python3" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "memd: $(PYTHON) is not Python 3.11 or newer." >&2; exit 1; }

$(READY): pyproject.toml service/bootstrap.py | python
	@echo "==> Preparing $(VENV) for the tests"
	@"$(PYTHON)" service/bootstrap.py develop
	@touch $@
