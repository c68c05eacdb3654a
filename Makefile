# Two commands set everything up on a fresh machine: `make demo` and `make test`.
# Needed beforehand: Python 3.11 or later with venv, make, and g++ for the emulated tests.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check install --quiet
SUITE  := $(BIN)/python -m pytest --numprocesses auto --dist worksteal --ignore tests/typing
GPU    := $(shell nvidia-smi --query-gpu=name --format=csv,noheader >/dev/null 2>&1 && echo yes)
COMMA  := ,
CUPY   := $(if $(GPU),$(shell nvidia-smi | sed -n 's/.*CUDA Version: \([0-9]*\).*/cupy\1/p' | head -1))

.PHONY: demo test lint types layers suite slow bounds gpu-test bench bench-compare bench-publish docs release clean

demo: $(VENV)/.demo
	$(BIN)/python -m graphla.demo --output demo-output

test: lint types layers suite docs

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	find graphla -name '*.cuh' | xargs $(BIN)/clang-format --dry-run -Werror
	$(BIN)/python -m tests.sizes $(BASE)

types: $(VENV)/.test
	$(BIN)/pyright
	$(BIN)/python -m pytest -q tests/typing

layers: $(VENV)/.test
	$(BIN)/lint-imports

suite: $(VENV)/.test
	$(SUITE) -m "not gpu and not slow"

slow: $(VENV)/.test
	$(SUITE) -m slow

bounds: $(VENV)/.test
	NUMBA_BOUNDSCHECK=1 $(SUITE) -m "not gpu and not slow"

gpu-test: $(VENV)/.test $(VENV)/.demo
	GRAPHLA_ENGINE=cuda $(BIN)/python -m pytest -m gpu --numprocesses auto --maxprocesses 8 --dist worksteal
	$(BIN)/python -m tests.sanitize

bench: $(VENV)/.bench
	$(BIN)/python asv_bench/run_here.py

bench-compare: $(VENV)/.bench
	$(BIN)/python asv_bench/interleaved.py $(or $(BASE),$(error give BASE=, the revision to compare with))

bench-publish: $(VENV)/.bench
	cd asv_bench && ../$(BIN)/asv publish --html-dir ../docs/_build/html/benchmarks

docs: $(VENV)/.docs
	$(BIN)/sphinx-build -W --keep-going --quiet -j auto -b html docs docs/_build/html

release: $(VENV)/.release $(VENV)/.test
	$(BIN)/python -m release $(if $(TAGGED),--tagged) $(if $(QUICK),--no-kernels)

clean:
	rm -rf $(VENV) build dist demo-output docs/_build

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "graphla needs Python 3.11 or later; set PYTHON=python3.x")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml | $(BIN)/python
	$(PIP) -e '.[demo$(if $(CUPY),$(COMMA)$(CUPY))]'
	touch $@

$(VENV)/.%: pyproject.toml | $(BIN)/python
	$(PIP) -e '.[$*]'
	touch $@
