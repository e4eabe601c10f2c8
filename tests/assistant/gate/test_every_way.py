"""Every way to a written file goes through the judge: one who proves nothing lets nothing pass."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from distify.assistant import codemods
from distify.assistant.cli import quick
from distify.assistant.files.choice import Choice
from distify.assistant.files.discovery import Target
from distify.assistant.files.examine import examine_bytes
from distify.assistant.files.outcome import NotJudged
from distify.codemods.model import Options
from obliged import refuse

from ..conftest import Call
from ..notebooks.books import book, code
from .conftest import Oblige

TRAIN = """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.1), loss="mse")
model.fit(tf.random.normal([8, 2]).numpy(), tf.random.normal([8, 1]).numpy(), epochs=1)
"""
MAIN = """\
import tensorflow as tf

from data import dataset

if __name__ == "__main__":
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.SGD(0.1), loss="mse")
    model.fit(dataset())
"""
DATA = """\
import tensorflow as tf


def dataset():
    return tf.data.Dataset.from_tensor_slices((tf.ones((64, 4)), tf.ones((64, 4)))).batch(8)
"""
NOTEBOOK = json.dumps(book(*(code(part) for part in TRAIN.split("\n\n"))))
FILES = {
    "alone.py": TRAIN,
    "main.py": MAIN,
    "data.py": DATA,
    "book.ipynb": NOTEBOOK,
    "pyproject.toml": "",
}
ANSWERS = "\n".join(
    ["version = 1", *(f'[[answers]]\nfile = "{f}"\nrule = "{r.code}"\napply = true\n'
                      for f in FILES for r in codemods.rules())]
)  # fmt: skip
MADE = "= hvd.DistributedOptimizer("
WAYS = {
    "in place": ("migrate",),
    "diff": ("migrate", "--diff"),
    "only told": ("migrate", "--check"),
    "checked": ("check",),
    "edits for programs": ("check", "--format", "json"),
    "fixes for programs": ("check", "--format", "sarif"),
    "a page": ("check", "--format", "html"),
    "in another folder": ("migrate", "--output-dir", "out"),
    "as commits": ("migrate", "--commit"),
    "on a branch": ("migrate", "--commit", "--branch", "new"),
    "played back": ("migrate", "--interactive", "--answers", "answers.toml"),
    "with rules that may be left out": ("migrate", "--unsound"),
    "repaired": ("migrate", "--repair", "auto"),
}


def put(**more: str) -> None:
    for name, text in {**FILES, "answers.toml": ANSWERS, **more}.items():
        Path(name).write_text(text, encoding="utf-8")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        command = ["git", "-c", "user.name=a", "-c", "user.email=b", *words]
        subprocess.run(command, check=True, capture_output=True)


def held() -> dict[str, bytes]:
    """What the files hold, and that of commits."""
    names = subprocess.run(["git", "log", "--all", "--format=%H"], check=True, capture_output=True)
    found = {name: Path(name).read_bytes() for name in FILES}
    return {**found, "commits": names.stdout}


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_written_of_which_nothing_is_proved(
    way: str, call: Call, oblige: Oblige
) -> None:
    put()
    before = held()
    oblige(refuse)
    answer = call(*WAYS[way], ".")
    assert answer.exit_code == 1, answer.output
    assert held() == before
    assert MADE not in "".join(p.read_text() for p in Path().rglob("out/*.py"))
    assert MADE not in answer.stdout
    for name in ("alone.py", "main.py", "book.ipynb"):
        assert name in answer.output


def test_the_same_ways_write_what_is_proved(call: Call, oblige: Oblige) -> None:
    put()
    oblige(lambda case: [])
    assert call("migrate", ".").exit_code == 0
    for name in ("alone.py", "main.py"):
        assert MADE in Path(name).read_text(encoding="utf-8"), name


def test_a_filter_hands_on_what_came_in(call: Call, oblige: Oblige) -> None:
    oblige(refuse)
    answer = call("migrate", "-", stdin=TRAIN.encode())
    assert (answer.exit_code, answer.stdout) == (1, TRAIN)
    assert "nothing is ever proved" in answer.stderr


@pytest.mark.parametrize("options", [[], ["--check"], ["-q"], ["--force-exclude", "--no-cache"]])
def test_a_hook_writes_nothing(
    options: list[str], here: Path, oblige: Oblige, capsys: pytest.CaptureFixture[str]
) -> None:
    put()
    oblige(refuse)
    before = held()
    assert quick.answer(["migrate", *options, "alone.py", "main.py", "data.py"]) == 1
    assert held() == before
    assert "P01" in "".join(capsys.readouterr())


def test_what_was_looked_at_before_is_refused_again(call: Call, oblige: Oblige) -> None:
    """The answer is kept for the next run; the reason has to be, too."""
    put()
    oblige(refuse)
    first, second = call("migrate", "--check", "."), call("migrate", "--check", ".")
    assert (first.exit_code, first.output) == (second.exit_code, second.output) == (1, first.output)


def test_who_forgets_the_judge_gets_no_bytes(oblige: Oblige) -> None:
    outcome = examine_bytes(Target("a.py", ""), TRAIN.encode(), Options())
    assert outcome.after is not None
    assert outcome.migration is not None
    step = outcome.migration.steps[-1]
    changed = step._replace(text=f"{step.text}print(1)\n")
    forged = outcome.migration._replace(steps=(*outcome.migration.steps, changed))
    with pytest.raises(NotJudged):
        _ = outcome._replace(migration=forged).after
    with pytest.raises(NotJudged):
        _ = outcome._replace(migration=None).after


def test_a_choice_is_told_of_in_the_command_to_try() -> None:
    assert "--unsound=size" in Choice((), (), taken_on=["size"]).words
