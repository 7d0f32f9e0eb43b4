# `make up` runs Linkwatch, `make test` tests it; both set up what they need first.
PYTHON ?= python3.11
BIN := .venv/bin
.DEFAULT_GOAL := help
.PHONY: help install install-dev up test test-sqlite test-postgres check bench lock clean

help:  ## Show these targets
	@grep -hE '^[a-z%-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

.venv/bin/python:
	@command -v $(PYTHON) >/dev/null || { echo "Linkwatch needs Python 3.11 ($(PYTHON) is not here)."; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq python3.11-venv; } \
		|| { echo "Please install Debian's package python3.11-venv first."; exit 1; }
	$(PYTHON) -m venv .venv

.venv/installed: requirements.txt | .venv/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	@touch $@

.venv/installed-dev: requirements-dev.txt | .venv/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	@touch $@ .venv/installed

install: .venv/installed  ## Make .venv and install what the product needs

install-dev: .venv/installed-dev  ## Install what tests, checks and benches need as well

up: install  ## Run the whole product on HTTP_PORT (8080)
	@exec $(BIN)/python manage.py up

test: install-dev  ## Run the tests on SQLite and, beside that, on PostgreSQL
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target test-sqlite test-postgres

test-sqlite test-postgres: test-%: install-dev  ## The same on one of them
	TEST_DATABASE=$* $(BIN)/python -m pytest -o cache_dir=.pytest_cache/$*

check: install-dev  ## Format, lint, types, layers, migrations, deployment checks
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy .
	$(BIN)/lint-imports
	DATA_DIR=$$(mktemp -d) $(BIN)/python manage.py makemigrations --check --dry-run
	DATA_DIR=$$(mktemp -d) BASE_URL=https://links.example ALLOWED_HOSTS=links.example SECRET_KEY=$$(head -c 40 /dev/urandom | base64) \
		$(BIN)/python manage.py check --deploy --fail-level WARNING

bench: install-dev  ## Run all benches, or one: make bench-check
	@for script in $(filter-out bench/harness.py bench/_%,$(wildcard bench/*.py)); do $(BIN)/python $$script || exit 1; done

bench-%: install-dev
	$(BIN)/python bench/$*.py

lock: install-dev  ## Pin requirements*.in with hashes
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile --quiet --upgrade --python-version 3.11 --generate-hashes --no-emit-index-url --no-header requirements.in -o requirements.txt
	$(BIN)/uv pip compile --quiet --upgrade --python-version 3.11 --generate-hashes --no-emit-index-url --no-header requirements-dev.in -o requirements-dev.txt

clean:  ## Remove what install and the tests made (not the data)
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
