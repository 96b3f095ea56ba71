# The verbs of the house. `make serve` and `make test` are all that most people need.
PYTHON ?= python3
BIN = .venv/bin

serve: .venv/serve
	$(BIN)/python manage.py serve

test: .venv/dev
	$(BIN)/pytest --cov --numprocesses=auto --dist=worksteal

lint: .venv/dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python manage.py makemigrations --check --dry-run
	HTTPS=1 HSTS=subdomains,preload $(BIN)/python manage.py check --deploy --fail-level WARNING

prove: .venv/dev
	$(BIN)/python -m tests.prove

bench: .venv/dev
	$(BIN)/python -m tests.bench

# Known faults in what constraints.txt pins; asks the network, and says so where it gets no answer.
audit: .venv/audit/made
	.venv/audit/bin/python .ci/audit.py

format: .venv/dev
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format

# All that can be made again; what was played, in var/, stays.
clean:
	rm -rf .venv .coverage .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache test-results *.egg-info var/static var/cache

.venv/serve: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	PIP_CONSTRAINT=constraints.txt $(BIN)/pip install --quiet --disable-pip-version-check -e .
	touch $@

.venv/dev: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	PIP_CONSTRAINT=constraints.txt $(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@ .venv/serve

.venv/audit/made: constraints.txt
	$(PYTHON) -m venv .venv/audit
	.venv/audit/bin/pip install --quiet --disable-pip-version-check 'pip-audit>=2.9,<3' || { echo "Not checked: pip-audit cannot be installed from here."; exit 2; }
	touch $@

.PHONY: audit serve test prove lint bench format clean
