# Every target does its own set-up: on a fresh machine it needs Python 3.11 or newer, git and make.
# What was installed is remembered by stamp files that depend on what says what to install.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory
SHELL := /bin/bash

# A Python that is there in name only (a shim, a build without ensurepip) is passed over.
works = $(shell for p in $(1); do \
	$$p -c 'import ensurepip, sys, venv; sys.exit(not $(2) <= sys.version_info[:2] <= $(3))' \
	>/dev/null 2>&1 && echo $$p && break; done)
PYTHON ?= $(call works,python3 python3.11 python3.12 python3.13 python3.14,(3,11),(3,99))
# TensorFlow 2.15 has wheels for Python 3.9 to 3.11.
PYTHON_HVD ?= $(call works,python3.11 python3 python3.10 python3.9,(3,9),(3,11))

VENV := .venv
BIN := $(VENV)/bin
HVD := .venv-hvd
pip = PYTHONWARNINGS=ignore $(1)/bin/python -m pip --disable-pip-version-check -qq
PYTHONS := 3.9 3.10 3.11 3.12 3.13

.PHONY: help
help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## */  make \1\t/' | expand -t 26

# ---------------------------------------------------------------- environments

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "distify: no Python 3.11 or newer with venv found; make PYTHON=/path/to/python3" >&2; exit 2; }
	@$(PYTHON) -m venv $(VENV)

# Whatever is fetched has a hash in locks/, what builds it as well: pip would fetch that unasked.
locked = $(call pip,$(VENV)) install --require-hashes --no-build-isolation --use-pep517 -r $(1)
$(VENV)/.installed: pyproject.toml locks/build.txt locks/action.txt src/distify/__init__.py | $(BIN)/python
	@echo "Installing distify into $(VENV)"
	@$(call locked,locks/build.txt)
	@$(call locked,locks/action.txt)
	@$(call pip,$(VENV)) install --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed locks/dev.txt
	@echo "Installing the development tools into $(VENV)"
	@$(call locked,locks/dev.txt)
	@touch $@

# mypy can't follow an editable install, so the folders are laid out as they are installed.
build/types: pyproject.toml
	@mkdir -p $@/distify
	@ln -sfn ../../../src/distify/__init__.py $@/distify/__init__.py
	@ln -sfn ../../../src/distify/py.typed $@/distify/py.typed
	@ln -sfn ../../../codemods $@/distify/codemods
	@ln -sfn ../../../assistant $@/distify/assistant
	@touch $@

# Horovod is compiled against the TensorFlow that is installed (with its own rendezvous, Gloo, so
# that no MPI is needed). A wheel that pip kept from a build against another one is built anew. Its
# setup.py takes the flags of a make around it for those of its own, and would use one core only.
horovod_build = MAKEFLAGS=-j$$(getconf _NPROCESSORS_ONLN) \
	HOROVOD_WITH_GLOO=1 HOROVOD_WITHOUT_MPI=1 HOROVOD_WITH_TENSORFLOW=1 \
	HOROVOD_WITHOUT_PYTORCH=1 HOROVOD_WITHOUT_MXNET=1 PATH="$(CURDIR)/$(1)/bin:$$PATH" \
	$(call pip,$(1)) install --no-build-isolation $(2) horovod==0.28.1
horovod_works = TF_CPP_MIN_LOG_LEVEL=3 $(1)/bin/python -c \
	'import importlib.util as i, os; i.find_spec("tf_keras") and os.environ.update(TF_USE_LEGACY_KERAS="1"); \
	import horovod.tensorflow.keras as hvd; hvd.init(); assert hvd.gloo_built()'
AGAIN := --no-cache-dir --force-reinstall --no-deps

$(HVD)/bin/python:
	@test -n "$(PYTHON_HVD)" || { echo "distify: TensorFlow 2.15 needs Python 3.9 to 3.11; make PYTHON_HVD=/path/to/python3.11" >&2; exit 2; }
	@$(PYTHON_HVD) -m venv $(HVD)

$(HVD)/.horovod: constraints-horovod.txt | $(HVD)/bin/python
	@echo "Installing TensorFlow into $(HVD)"
	@$(call pip,$(HVD)) install -c constraints-horovod.txt setuptools wheel tensorflow-cpu==2.15.1
	@command -v cmake >/dev/null || $(call pip,$(HVD)) install 'cmake<4'
	@echo "Installing Horovod into $(HVD) (building it takes about five minutes, the first time)"
	@$(call horovod_build,$(HVD),-c constraints-horovod.txt)
	@$(call horovod_works,$(HVD)) || { $(call horovod_build,$(HVD),$(AGAIN)) && $(call horovod_works,$(HVD)); }
	@touch $@

# The oldest and the newest TensorFlow that distify promises with Keras 2, which is tf_keras from 2.16
# on, and those with Keras 3.
TENSORFLOWS := 2.12 2.18
KERAS_3 := 2.20 2.21
PATCHED := 2.19 $(KERAS_3)
TENSORFLOW_2.12 := tensorflow-cpu==2.12.1
TENSORFLOW_2.18 := tensorflow-cpu==2.18.1 tf_keras==2.18.0
.venv-hvd-%/.horovod:
	@test -n "$(PYTHON_HVD)" || { echo "distify: TensorFlow $* needs Python 3.9 to 3.11; make PYTHON_HVD=/path/to/python3.11" >&2; exit 2; }
	@test -x $(@D)/bin/python || $(PYTHON_HVD) -m venv $(@D)
	@echo "Installing TensorFlow $* and Horovod into $(@D) (about five minutes)"
	@$(call pip,$(@D)) install 'setuptools<81' wheel packaging $(TENSORFLOW_$*)
	@command -v cmake >/dev/null || $(call pip,$(@D)) install 'cmake<4'
	@$(call horovod_build,$(@D),--no-cache-dir) && $(call horovod_works,$(@D))
	@touch $@

# Horovod as it was released doesn't compile there.
$(PATCHED:%=.venv-hvd-%/.horovod): .venv-hvd-%/.horovod: assistant/install_horovod.py
	@test -n "$(PYTHON_HVD)" || { echo "distify: TensorFlow $* needs Python 3.9 to 3.12; make PYTHON_HVD=/path/to/python3.11" >&2; exit 2; }
	@test -x $(@D)/bin/python || $(PYTHON_HVD) -m venv $(@D)
	@echo "Installing TensorFlow $* and Horovod into $(@D) (about ten minutes)"
	@$(call pip,$(@D)) install tensorflow-cpu==$*.0
	@$(@D)/bin/python assistant/install_horovod.py $(@D)/bin/python
	@touch $@

# TensorFlow 1 itself, for programs that are plainly its own: what builds Horovod 0.28.1 there is as
# old, and so is Python.
TENSORFLOW_1 := 1.15
PYTHON_1 ?= $(call works,python3.7 $(HOME)/.pyenv/versions/3.7.*/bin/python,(3,7),(3,7))
$(TENSORFLOW_1:%=.venv-hvd-%/.horovod): .venv-hvd-%/.horovod:
	@test -x $(@D)/bin/python || $(PYTHON_1) -m venv $(@D)
	@echo "Installing TensorFlow $* and Horovod into $(@D) (about five minutes)"
	@$(call pip,$(@D)) install --upgrade 'pip<24.1' 'setuptools<66' wheel
	@$(call pip,$(@D)) install tensorflow==$*.5 'protobuf<3.21' 'numpy<1.19' h5py==2.10.0 'cmake<3.28'
	@$(call horovod_build,$(@D),--no-cache-dir) && $(call horovod_works,$(@D))
	@touch $@

$(HVD)/.installed: $(HVD)/.horovod pyproject.toml constraints-horovod.txt src/distify/__init__.py
	@$(call pip,$(HVD)) install -c constraints-horovod.txt -e . 'pytest>=8.2' pytest-xdist
	@touch $@

# uv writes for every platform and Python at once. pip takes no hashes in constraints beside a folder
# that is installed (https://github.com/pypa/pip/issues/9243): constraints.txt has the versions alone.
# Extras stand in the locks: for `coverage[toml]>=7` pip takes the newest one, where only
# `coverage==7.1` is pinned, and then refuses it, as soon as there is a newer one.
compile = $(BIN)/uv pip compile --quiet --no-config --universal --generate-hashes --no-strip-extras $(ARGS) \
	--custom-compile-command 'make lock'
.PHONY: lock
lock: $(VENV)/.installed-dev  ## pin, with hashes, what is asked for; ARGS=--upgrade: the newest
	@$(compile) --python-version 3.9 --group build -o locks/build.txt
	@$(compile) --python-version 3.9 --extra pr -o locks/action.txt pyproject.toml
	@$(compile) --python-version 3.11 --extra dev -o locks/dev.txt pyproject.toml
	@$(compile) --python-version 3.12 --group release -o locks/release.txt
	@$(compile) --python-version 3.11 --group browser -o locks/browser.txt
	@$(compile) --python-version 3.11 --group site -o locks/site.txt
	@{ echo '# For `pip install -c`: the versions of locks/dev.txt, where the hashes are (`make lock`).'; \
	sed -nE -e 's/^([a-z0-9_-]+)\[[^]]*\]/\1/' -e 's/^([a-z0-9][^\]*[^ \]) *\\?$$/\1/p' locks/dev.txt; } > constraints.txt

# ---------------------------------------------------------------- what a user does first

# The proof needs Horovod, which takes five minutes to build: it is shown where that is done.
DEMO := keras_callbacks
say = printf '\n\033[1m$$ %s\033[0m\n' "$(1)"
.PHONY: demo
demo: $(VENV)/.installed  ## one script: its diff and, where Horovod is built, its proof; DEMO=tape_gan: that one
	@scratch=$$(mktemp -d "$${TMPDIR:-/tmp}/distify-demo.XXXXXX") && cp examples/$(DEMO).py $$scratch/train.py && \
	export FORCE_COLOR=1 && distify=$(CURDIR)/$(BIN)/distify && cd $$scratch && \
	$(call say,distify migrate --diff train.py) && { $$distify migrate --diff train.py || test $$? -eq 1; } && \
	$(call say,distify migrate train.py) && $$distify migrate train.py && \
	if test -e $(CURDIR)/$(HVD)/.installed; then $(call say,distify verify train.py) && \
	$(CURDIR)/$(HVD)/bin/distify verify train.py; else printf '\nThe proof needs Horovod: %s\n' \
	'make .venv-hvd/.installed (about five minutes), then make demo again'; fi && \
	printf '\nThe migrated program is %s\n' "$$scratch/train.py"

# ---------------------------------------------------------------- the judges

# Where Python writes no bytecode (PYTHONDONTWRITEBYTECODE, as images of containers set it), each of
# the thousands of commands that tests start would compile all of distify; what is there is read.
compiled = $(1)/bin/python -m compileall -q codemods assistant src

.PHONY: test test-slow coverage test-judged test-mutants test-kills test-nightly test-tlc test-first-hour test-first-hour-bare test-first-hour-2.15 test-distributed test-models test-tensorflows test-tensorflow-1 test-pythons test-stdlib lint format types
test: $(VENV)/.installed-dev  ## what needs no TensorFlow, without what is slow: four minutes
	@$(call compiled,$(VENV))
	@$(BIN)/python -m pytest -q -n auto --dist worksteal -m 'not slow or sample' $(ARGS)

test-slow: $(VENV)/.installed-dev  ## what is slow, but for what is for the night; the gate runs it, too
	@$(call compiled,$(VENV))
	@$(BIN)/python -m pytest -q -n auto --dist worksteal -m 'slow and not sample and not nightly' $(ARGS)

# Every test, for one that is left out covers what no other does; it takes twice as long as without.
coverage: $(VENV)/.installed-dev  ## every test of these, with coverage: for the night
	@rm -f .coverage .coverage.*
	@$(call compiled,$(VENV))
	@$(BIN)/python -m pytest -q -n auto --dist worksteal --cov --cov-report=term:skip-covered $(ARGS)

test-judged: $(VENV)/.installed-dev  ## the suite's proposals, each judged: no more may be unproved than were
	@rm -f build/judged.jsonl && mkdir -p build
	@$(BIN)/python -m pytest -q -n auto --dist worksteal --judged $(CURDIR)/build/judged.jsonl \
		tests/codemods tests/properties $(ARGS)
	@$(BIN)/python bench/ratchet.py build/judged.jsonl

test-kills: $(VENV)/.installed-dev  ## each command ended at 100 moments in each of three ways: hours
	@$(call compiled,$(VENV))
	@$(BIN)/python -m pytest -q -n auto --kills 100 tests/assistant/git/test_ends.py \
		tests/forge/test_ends.py tests/assistant/git/test_kills.py $(ARGS)

test-nightly: $(VENV)/.installed-dev  ## whole stories, and ten times the generated programs and models, other ones each time
	@$(BIN)/python -m pytest -q -n auto --dist worksteal -m nightly $(ARGS)
	@$(BIN)/python -m pytest -q -n auto --dist worksteal --hypothesis-profile=nightly \
		--hypothesis-show-statistics tests/properties tests/codemods/program \
		tests/assistant/verify/model/test_random.py $(ARGS)
	@$(BIN)/python bench/exponents.py
	@$(MAKE) unknown-apis
	@$(MAKE) test-tlc
	@$(MAKE) test-first-hour
	@$(MAKE) test-browser test-site
	@$(MAKE) coverage test-pythons
	@$(MAKE) fuzz-nightly

# tla2tools is in no registry that is used here: name the jar, TLA2TOOLS=/path/to/tla2tools.jar.
test-tlc: $(VENV)/.installed-dev  ## TLC on the modules of --tla, where Java and TLA2TOOLS are there
	@TLA2TOOLS="$(TLA2TOOLS)" $(BIN)/python -m pytest -q -n auto -rs tests/assistant/verify/model/tlc.py $(ARGS)

# Bare: TensorFlow and Horovod come as `distify install-horovod` brings them. The others are there.
hour = $(BIN)/python -m pytest -q -rs tests/first_hour
test-first-hour: test-first-hour-bare test-first-hour-2.15 test-first-hour-2.20  ## every command that a report prints, run as printed

test-first-hour-bare: $(VENV)/.installed-dev
	@$(hour) $(ARGS)

test-first-hour-2.15: $(VENV)/.installed-dev $(HVD)/.installed
	@$(hour) --training-python=$(CURDIR)/$(HVD)/bin/python $(ARGS)

test-first-hour-%: .venv-hvd-%/.horovod $(VENV)/.installed-dev
	@$(hour) --training-python=$(CURDIR)/.venv-hvd-$*/bin/python $(ARGS)

# Three at a time on two cores: a job starts alone, and one that hangs is waited for half a minute.
test-distributed: $(HVD)/.installed  ## the examples for real, on two and three Horovod workers
	@$(call compiled,$(HVD))
	@TF_CPP_MIN_LOG_LEVEL=3 PATH="$(CURDIR)/$(HVD)/bin:$$PATH" $(HVD)/bin/python -m pytest -q -n 3 \
		--dist loadgroup tests/distributed --ignore=tests/distributed/test_tensorflows.py \
		--ignore=tests/distributed/test_tensorflow_1.py --ignore=tests/distributed/test_models.py --ignore=tests/distributed/test_keras_3.py --ignore=tests/distributed/test_keras_3_verify.py $(ARGS)

test-mutants: $(HVD)/.installed  ## sound programs broken in 15 ways, each of them run on workers: hours; ARGS='--few 3'
	@$(call compiled,$(HVD))
	@TF_CPP_MIN_LOG_LEVEL=3 PATH="$(CURDIR)/$(HVD)/bin:$$PATH" $(HVD)/bin/python tests/distributed/mutants.py $(ARGS)

test-models: $(HVD)/.installed  ## every example and hazard as a model, and what long runs say of them
	@$(call compiled,$(HVD))
	@TF_CPP_MIN_LOG_LEVEL=3 PATH="$(CURDIR)/$(HVD)/bin:$$PATH" $(HVD)/bin/python -m pytest -q -n 2 \
		tests/distributed/test_models.py $(ARGS)

test-tensorflows: $(TENSORFLOWS:%=test-tensorflow-%) $(KERAS_3:%=test-keras-3-%) test-tensorflow-1  ## under the oldest and the newest TensorFlow

test-tensorflow-%: .venv-hvd-%/.horovod $(HVD)/.installed
	@TF_CPP_MIN_LOG_LEVEL=3 $(HVD)/bin/python -m pytest -q -n 2 \
		tests/distributed/test_tensorflows.py tests/distributed/test_library.py \
		--training-python=$(CURDIR)/.venv-hvd-$*/bin/python $(ARGS)

test-tensorflow-1: $(HVD)/.installed  ## under TensorFlow 1.15 itself, where there is a Python 3.7
	@test -n "$(PYTHON_1)" || { echo "TensorFlow $(TENSORFLOW_1): no Python 3.7 here, nothing was tested"; exit 0; }; \
	$(MAKE) .venv-hvd-$(TENSORFLOW_1)/.horovod && \
	TF_CPP_MIN_LOG_LEVEL=3 $(HVD)/bin/python -m pytest -q -n 2 tests/distributed/test_tensorflow_1.py \
		--training-python=$(CURDIR)/.venv-hvd-$(TENSORFLOW_1)/bin/python $(ARGS)

test-keras-3-%: .venv-hvd-%/.horovod $(VENV)/.installed-dev
	@TF_CPP_MIN_LOG_LEVEL=3 $(BIN)/python -m pytest -q -n 1 tests/distributed/test_keras_3.py tests/distributed/test_keras_3_verify.py \
		--training-python=$(CURDIR)/.venv-hvd-$*/bin/python $(ARGS)

# An environment of its own, of what a lock names and nothing else.
.venv-%/.locked: locks/%.txt
	@test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	@$(call pip,$(@D)) install --require-hashes -r $<
	@touch $@

.PHONY: test-browser test-site pictures
test-browser: $(VENV)/.installed .venv-browser/.locked  ## the pages of reports in Chromium, which must be here (Debian: chromium)
	@.venv-browser/bin/python -m pytest -q -p no:cacheprovider -c tests/browser/pytest.ini --rootdir tests/browser $(or $(SEEN),tests/browser/reports) $(ARGS)

test-site: site  ## the site in Chromium: its pages, the search, and a script tried out there
	@$(MAKE) test-browser SEEN=tests/browser/site

pictures: export DISTIFY_PICTURES := kept
pictures: $(VENV)/.installed-dev  ## those of docs/, from what distify really shows; tests/test_pictures.py says when
	@$(MAKE) test-browser SEEN=tests/browser/reports/test_pictures.py
	@$(BIN)/python bench/recording.py
	@$(BIN)/python bench/over_step.py

test-pythons: $(PYTHONS:%=test-python-%)  ## the suite under every Python from 3.9 to 3.13 found here

# No constraints here: Python 3.9 gets the last releases that knew it. The action makes itself an
# environment of the machine's own Python, whichever one runs the tests: `make test` sees it once.
test-python-%:
	@python=$$(for p in python$* $$HOME/.pyenv/versions/$*.*/bin/python; do \
		$$p -c 'import ensurepip, sys, venv; sys.exit("%d.%d" % sys.version_info[:2] != "$*")' \
		>/dev/null 2>&1 && echo $$p && break; done); \
	if test -z "$$python"; then echo "Python $*: not on this machine, nothing was tested"; exit 0; fi; \
	set -e; echo "Python $*: $$python"; test -x .venv-$*/bin/python || $$python -m venv .venv-$*; \
	$(call pip,.venv-$*) install -e '.[test]'; $(call compiled,.venv-$*); \
	.venv-$*/bin/python -m pytest -q -n auto --dist worksteal -p no:cacheprovider \
		--ignore=tests/forge/test_action.py $(ARGS)

test-stdlib:  ## the concrete tree on every file of each Python's standard library
	@$(MAKE) test-pythons ARGS='--stdlib tests/codemods/syntax'

lint: $(VENV)/.installed-dev  ## ruff: rules and format
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check

format: $(VENV)/.installed-dev  ## let ruff mend what it can
	@$(BIN)/ruff check --fix
	@$(BIN)/ruff format

types: $(VENV)/.installed-dev build/types  ## mypy, strictly
	@$(BIN)/mypy

.PHONY: bench corpus attack fuzz fuzz-nightly mutants golden clean
bench: $(VENV)/.installed-dev  ## speed against ast, LibCST and fissix on a pinned corpus
	@$(BIN)/python bench/speed.py $(ARGS)

.PHONY: bench-house
bench-house: $(VENV)/.installed-dev  ## modules, complexity, names, circles, and names of APIs outside of library; ARGS=circles: which
	@$(BIN)/python bench/house.py $(ARGS)

# Names alone are asked for, of each library where it is installed; of pandas the newest release.
.venv-apis/.installed:
	@$(PYTHON) -m venv .venv-apis
	@$(call pip,.venv-apis) install numpy pandas
	@touch $@

.PHONY: unknown-apis
unknown-apis: build/types $(HVD)/.installed .venv-hvd-2.20/.horovod .venv-apis/.installed  ## public names of the installed libraries that no row of codemods/library knows
	@for env in $(HVD) .venv-hvd-2.20 .venv-apis; do echo "$$env:"; TF_CPP_MIN_LOG_LEVEL=3 \
		PYTHONPATH=$(CURDIR)/build/types $$env/bin/python bench/unknown_apis.py 2>/dev/null; done

.PHONY: bench-judged bench-judging
bench-judged: $(VENV)/.installed-dev  ## broken results of the examples: how many the judge convicts
	@$(BIN)/python bench/judged_mutants.py $(ARGS)

bench-judging: $(VENV)/.installed-dev  ## what judging adds to a migration
	@$(BIN)/python bench/judging.py $(ARGS)

.PHONY: bench-agreement
bench-agreement: $(VENV)/.installed-dev  ## what it costs to tell whose own the values of a program are
	@$(BIN)/python bench/agreement.py $(ARGS)

.PHONY: bench-averaging
bench-averaging: $(HVD)/.installed .venv-hvd-2.20/.horovod  ## an allreduce for each gradient beside one for all, under Keras 2 and 3
	@for env in $(HVD) .venv-hvd-2.20; do PATH="$(CURDIR)/$$env/bin:$$PATH" TF_CPP_MIN_LOG_LEVEL=3 \
		horovodrun -np 2 --gloo python bench/averaging.py $(ARGS); done

.PHONY: bench-verify
bench-verify: $(HVD)/.installed  ## what the probe of `distify verify` costs a training step
	@$(HVD)/bin/python bench/verify.py $(ARGS)

.PHONY: bench-verdicts
bench-verdicts: $(HVD)/.installed  ## how long a verdict of `distify verify` takes for toys
	@PATH="$(CURDIR)/$(HVD)/bin:$$PATH" $(HVD)/bin/python bench/verdicts.py $(ARGS)

.PHONY: bench-shares
bench-shares: $(HVD)/.installed  ## steps and examples of each worker on 1, 2 and 4 processes, rung by rung
	@PATH="$(CURDIR)/$(HVD)/bin:$$PATH" $(HVD)/bin/python bench/shared_runs.py $(ARGS)

.PHONY: bench-memory
bench-memory: $(HVD)/.installed  ## memory and time of a step whose layers are run again
	@$(HVD)/bin/python bench/memory.py $(ARGS)

.PHONY: bench-loops
bench-loops: $(HVD)/.installed  ## the same of eight loops of other forms
	@$(HVD)/bin/python bench/memory_loops.py $(ARGS)

.PHONY: bench-hook
bench-hook: $(VENV)/.installed-dev  ## what the pre-commit hook costs on one file
	@$(BIN)/python bench/hook.py $(ARGS)

.PHONY: bench-typing
bench-typing: $(VENV)/.installed-dev  ## what an editor waits for while somebody types
	@$(BIN)/python bench/typed_edits.py $(ARGS)

.PHONY: site
site: $(VENV)/.installed-dev .venv-site/.locked  ## the site, strictly, into build/site (npm brings Python for the browser)
	@$(BIN)/python bench/website.py
	@NO_MKDOCS_2_WARNING=1 .venv-site/bin/mkdocs build -q --strict -f build/mkdocs.yml
	@echo "$(CURDIR)/build/site/index.html"

.PHONY: bench-projects
bench-projects: $(VENV)/.installed-dev  ## how the work grows with the modules of a project
	@$(BIN)/python bench/projects.py $(ARGS)

.PHONY: bench-wild
bench-wild: $(VENV)/.installed-dev  ## what becomes of projects as people write them; two minutes
	@$(BIN)/python bench/wild_projects.py $(ARGS)

.PHONY: bench-packages
bench-packages: $(VENV)/.installed-dev  ## whole packages as one project each, beside ast.parse; minutes
	@$(BIN)/python bench/packages.py $(ARGS)

.PHONY: bench-scale
bench-scale: $(VENV)/.installed-dev  ## how the work grows with a program, shape by shape
	@$(BIN)/python bench/scale.py $(ARGS)

corpus: $(VENV)/.installed-dev  ## migrate every file of the pinned corpus and check what is promised
	@$(BIN)/python bench/whole_corpus.py $(ARGS)

# ARGS='--count 1000000 --first 200000 --minutes 60' goes on where another run ended.
attack: $(VENV)/.installed-dev  ## what is random in tests/hostile, with a new seed each time: half an hour
	@seed=$${SEED:-$$(date +%s)}; echo "SEED=$$seed"; \
	ATTACK_SEED=$$seed $(BIN)/python -m pytest -q -n auto tests/hostile --kills $(or $(KILLS),200) $(ARGS) && \
	$(BIN)/python bench/fuzz.py --count 5000 --first $$seed

fuzz-nightly: $(VENV)/.installed-dev  ## 20,000 programs and 20,000 layouts, other ones each night
	@$(BIN)/python bench/fuzz.py --count 20000 --first $${SEED:-$$(date +%s)}

fuzz: $(VENV)/.installed-dev  ## 200,000 programs and 120,000 settings that nobody wrote: a night
	@$(BIN)/python bench/fuzz.py $(ARGS)

mutants: $(VENV)/.installed-dev  ## change codemods/ in many places, one at a time: a test must fail
	@$(BIN)/python bench/mutants.py $(ARGS)

golden: $(VENV)/.installed-dev  ## write the examples' expected diffs and the grammar's tables anew
	@$(BIN)/python -m pytest -q tests/codemods/test_examples.py tests/codemods/test_wished_examples.py tests/assistant/notebooks/test_examples.py \
		tests/codemods/syntax/test_grammar.py --golden

clean:  ## remove everything that these targets made
	rm -rf $(VENV) $(HVD) .venv-hvd-* .venv-3.* build dist .corpus .coverage* htmlcov *.egg-info
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
