"""A fake engine, so that these tests are about the command line alone, and a way to call it."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Callable

import pytest
from click.testing import CliRunner

from distify.assistant import codemods
from distify.assistant.cli.commands import distify
from distify.assistant.files import cache, config, importers, module_texts, projects, requirements
from distify.codemods.model import (
    Evidence,
    Finding,
    Migration,
    Options,
    Step,
    SyntaxProblem,
)

TRAIN = "import tensorflow as tf\nopt = Adam(0.1)\nmodel.fit(x)\n"
MIGRATED = "import tensorflow as tf\nimport horovod\nopt = Adam(0.1 * hvd.size())\nmodel.fit(x)\n"
BLOCKED = "import tensorflow as tf\nwith strategy.scope():\n    model.fit(x)\n"
ALREADY = "import tensorflow as tf\nimport horovod\nmodel.fit(x)\n"
NO_LOOP = "import tensorflow as tf\nprint(tf.__version__)\n"
BROKEN = "import tensorflow as tf\nmodel.fit(x)\ny = = 1\n"


NOTED = Finding(1, 0, "D107", "every worker trains on all of it", severity="note")
CACHES = (
    config.settings,
    config.table,
    config.tools,
    requirements.tensorflow,
    projects.root,
    *module_texts.READ,
    cache.folder_of,
    *importers.READ,
    projects._looked_up,
    projects._reachable,
    projects._uses,
    projects.below,
)


@dataclass(frozen=True)
class FakeRule:
    code: str
    name: str
    summary: str
    before: str = "a\n"
    after: str = "b\n"
    needs: frozenset[str] = frozenset()


RULES = (
    FakeRule("D101", "import-horovod", "Import Horovod beside TensorFlow."),
    FakeRule("D104", "scale-learning-rate", "Scale the learning rate by the number of workers."),
    FakeRule("D203", "guard-rank-zero", "Print and save on one worker only."),
)


def fake_migrate(text: str, options: Options, name: str) -> Migration:
    """Text for text what the real one does, in ten lines."""
    try:
        ast.parse(text)
    except SyntaxError as error:
        raise SyntaxProblem(error.msg, error.lineno or 1, (error.offset or 1) - 1) from error
    if "horovod" in text:
        return Migration(text, "Keras", skipped="already Horovod")
    if ".fit(" not in text:
        return Migration(text, "Unknown", skipped="no training loop")
    line = text[: text.index(".fit(")].count("\n") + 1
    evidence = (Evidence(line, 0, "Keras", "model.fit(...)"),)
    if "strategy" in text:
        finding = Finding(2, 5, "R20", "runs under tf.distribute", "remove the strategy")
        return Migration(text, "Keras", evidence, blocked=(finding,), notes=(NOTED,))
    notes = (NOTED,) if "noted" in text else ()
    left_out = tuple(sorted(options.ignore)) if "needy" in text else ()
    if left_out and not options.unsound:
        finding = Finding(line, 0, "P01", "D302 fit-callbacks is left out: they drift apart")
        return Migration(text, "Keras", evidence, blocked=(finding,))
    steps = []
    if not options.select or "D101" in options.select:
        text = text.replace("as tf\n", "as tf\nimport horovod\n")
        steps.append(Step("D101", text, ((1, 0),)))
    if "D104" not in options.ignore and "(0.1)" in text:
        text = text.replace("(0.1)", "(0.1 * hvd.size())")
        steps.append(Step("D104", text, ((2, 6),)))
    return Migration(
        steps[0].text if not steps else TRAIN,
        "Keras",
        evidence,
        tuple(steps),
        (),
        notes,
        left_out=left_out,
    ).stamped


@pytest.fixture(autouse=True)
def fake_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codemods, "migrate", fake_migrate)
    monkeypatch.setattr(codemods, "rules", lambda: RULES)
    monkeypatch.setattr(codemods, "check_choice", lambda options: None)
    for variable in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture(autouse=True)
def forget() -> None:
    """Settings are read once a run."""
    for cached in CACHES:
        cached.cache_clear()


@dataclass(frozen=True)
class Answer:
    """What a call gave, on each stream."""

    exit_code: int
    stdout_bytes: bytes
    stderr: str

    @property
    def stdout(self) -> str:
        return self.stdout_bytes.decode("utf-8", "replace")

    @property
    def output(self) -> str:
        return self.stdout + self.stderr


Call = Callable[..., Answer]


@pytest.fixture
def call(here: Path) -> Call:
    # click 8.1, the last for Python 3.9, mixes the streams unless it is told not to.
    apart = {"mix_stderr": False} if "mix_stderr" in signature(CliRunner).parameters else {}

    def invoke(*args: str, stdin: bytes = b"", **environment: str) -> Answer:
        for cached in CACHES:
            cached.cache_clear()
        result = CliRunner(**apart).invoke(distify, list(args), input=stdin, env=environment)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Answer(result.exit_code, result.stdout_bytes, result.stderr)

    return invoke
