# `make up` runs Linkwatch, `make test` tests it; both first install what they need.
# PYTHON: the newest installed version that works. VENV: for a second environment, as in
# `make test-quick VENV=.venv-3.13 PYTHON=python3.13`. ARGS: further arguments for the program of a target.
VENV ?= .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell for python in python3.13 python3.12 python3.11; do \
	$$python -c 'import sqlite3, ssl, venv' 2>/dev/null && echo $$python && break; done)
# Use uv, which takes seconds, if it is on the PATH and reaches the same index as pip; otherwise pip. Both show their progress on a terminal.
define install_pinned
	@echo "Installing the $$(grep -c == $(1)) packages of $(1) into $(VENV): usually half a minute at most."
	@{ command -v uv >/dev/null && uv pip install --require-hashes --python $(BIN)/python --requirements $(1); } \
		|| bash -o pipefail -c '$(BIN)/python -u -m pip install --disable-pip-version-check --require-hashes -r $(1) \
			| while read -r what name; do case $$what in \
				Collecting) n=$$((n+1)); [ ! -t 1 ] || printf "\r  %d fetched, %-40.40s" $$n "$${name%%=*}";; \
				Installing) [ ! -t 1 ] || printf "\r%60s\r" ""; printf "  %d fetched; now they are unpacked\n" $$n;; \
				esac; done'
endef
UV_COMPILE = $(BIN)/uv pip compile --quiet --universal --fork-strategy fewest --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-header $(ARGS)
# Test processes share compiled byte code.
unexport PYTHONDONTWRITEBYTECODE
.DEFAULT_GOAL := help
.PHONY: help install install-dev up dev test test-product test-any test-sqlite test-postgres test-quick check docs release-check sbom wheel image bench lock clean

help:  ## Show these targets
	@grep -hE '^[a-z%-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

$(BIN)/python:
	@[ -n "$(PYTHON)" ] || { echo "Linkwatch needs Python 3.11, 3.12 or 3.13; none of them is here."; exit 1; }
	@set -e; package=$$($(PYTHON) -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'); \
		$(PYTHON) -c 'import ensurepip' 2>/dev/null \
		|| { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq $$package; } \
		|| { echo "Please install Debian's package $$package first."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: requirements.txt | $(BIN)/python
	$(call install_pinned,requirements.txt)
	@touch $@

$(VENV)/installed-dev: requirements-dev.txt | $(BIN)/python
	$(call install_pinned,requirements-dev.txt)
	@touch $@ $(VENV)/installed

$(VENV)/installed-sbom: requirements-sbom.txt | $(BIN)/python
	$(call install_pinned,requirements-sbom.txt)
	@touch $@

install: $(VENV)/installed  ## Make .venv and install what the product needs

install-dev: $(VENV)/installed-dev  ## Also install what tests, checks and benches need

up: install  ## Run the whole product on HTTP_PORT (8080)
	@exec $(BIN)/python manage.py up

dev: install-dev  ## The same, but the web server restarts after each edit
	@exec $(BIN)/python manage.py up --dev

# The first part spends half its time waiting for other processes, so two cores have room for a third part.
# The shortest part is last, so that no core is idle for long.
JOBS ?= 3
test: install-dev  ## Run all tests (ARGS=…): the four parts below, JOBS (3) at a time
	@$(MAKE) --no-print-directory --jobs=$(JOBS) --keep-going --output-sync=target test-product test-postgres test-any test-sqlite

test-product: install-dev  ## Run the tests that start the whole product
test-any: install-dev  ## Run the other tests that do not depend on the database
test-sqlite: install-dev  ## Run the tests that depend on the database, on SQLite
test-postgres: install-dev  ## Run them on PostgreSQL, with the tests that need any one database
test-product test-any test-sqlite test-postgres: test-%:
	TEST_DATABASE=$* $(BIN)/python -m pytest -o cache_dir=.pytest_cache/$* $(ARGS)

test-quick: install-dev  ## Run the quick tests: no processes, no real commits, a few cases of each
	$(BIN)/python -m pytest --quick --sample --numprocesses=$$(nproc) --dist=worksteal $(ARGS)

check: install-dev  ## Format, lint, types, layers, migrations, deployment checks
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy .
	$(BIN)/lint-imports
	DATA_DIR=$$(mktemp -d) $(BIN)/python manage.py makemigrations --check --dry-run
	DATA_DIR=$$(mktemp -d) BASE_URL=https://links.example ALLOWED_HOSTS=links.example SECRET_KEY=$$(head -c 40 /dev/urandom | base64) \
		$(BIN)/python manage.py check --deploy --fail-level WARNING
	if command -v promtool >/dev/null; then cd deploy && promtool check rules alerts.yml && promtool test rules alerts_test.yml alerts_days_test.yml; fi
	deploy/verify
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.compose-spec compose.yaml

release-check:  ## Run all checks of a release in clean clones, with images and new Debians: two hours and more, as root (ARGS=steps)
	@deploy/release-check $(ARGS)

sbom: linkwatch.cdx.json  ## Write a list of all packages with version, hashes and purl (CycloneDX)

linkwatch.cdx.json: requirements.txt requirements-sbom.txt pyproject.toml
	@$(MAKE) --no-print-directory VENV=.venv-sbom .venv-sbom/installed-sbom
	.venv-sbom/bin/cyclonedx-py requirements --output-reproducible --pyproject pyproject.toml --output-file $@ requirements.txt

# The same commit gives the same bytes.
DIST ?= dist
wheel:  ## Build the wheels of server and client into DIST (dist), by pinned build tools
	@$(MAKE) --no-print-directory VENV=.venv-wheel .venv-wheel/installed-wheel
	rm -f $(DIST)/linkwatch_*.whl
	for folder in . client; do \
		SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct 2>/dev/null || echo 1577836800) \
			.venv-wheel/bin/python -m build --wheel --no-isolation --outdir $(DIST) $$folder || exit; \
	done

$(VENV)/installed-wheel: requirements-wheel.txt | $(BIN)/python
	$(call install_pinned,requirements-wheel.txt)
	@touch $@

image: sbom  ## Build the image `linkwatch` with docker and its version as a label (ARGS=…)
	docker build --label org.opencontainers.image.version=$$(sed -n 's/^version = "\(.*\)"$$/\1/p' pyproject.toml) --tag linkwatch $(ARGS) .

# In a separate environment, because neither the product nor CI needs these packages.
docs:  ## Build the documents as a site in site/; broken links fail
	@$(MAKE) --no-print-directory VENV=.venv-docs .venv-docs/installed-docs
	@NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build --clean
	@echo "The site is in site/: open site/index.html, or python3 -m http.server --directory site (for its search)."

$(VENV)/installed-docs: requirements-docs.txt | $(BIN)/python
	$(call install_pinned,requirements-docs.txt)
	@touch $@

bench: install-dev  ## Run all benches, or one: make bench-check
	@for script in $(filter-out bench/harness.py bench/_%,$(wildcard bench/*.py)); do $(BIN)/python $$script || exit 1; done

bench-%: install-dev
	$(BIN)/python bench/$*.py

lock: install-dev  ## Pin the packages of requirements*.in for Python 3.11 to 3.13 (ARGS=--upgrade: newest versions)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(UV_COMPILE) requirements.in -o requirements.txt
	$(UV_COMPILE) requirements-dev.in -o requirements-dev.txt
	$(UV_COMPILE) requirements-docs.in -o requirements-docs.txt
	$(UV_COMPILE) requirements-sbom.in -o requirements-sbom.txt
	$(UV_COMPILE) requirements-wheel.in -o requirements-wheel.txt

clean:  ## Remove the files of install and of the tests, but not the data
	rm -rf linkwatch.cdx.json .venv .venv-* dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis
