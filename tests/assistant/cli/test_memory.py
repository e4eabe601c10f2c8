"""`distify memory`: what is asked, in which order schedules are tried, and what is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from distify.assistant.cli.commands import distify
from distify.assistant.verify.run import program_python
from distify.assistant.verify.run import step_memory as memory_of
from distify.assistant.verify.run.installed import SettingProblem
from distify.assistant.verify.run.step_memory import Measured
from distify.codemods.facts.layers.layer_lists import cost

LOOP = """\
import tensorflow as tf

w = tf.Variable(tf.ones([4, 4]))


def net(x):
    for i in range(64):
        x = tf.tanh(tf.matmul(x, w))
{more}    return x


with tf.GradientTape() as tape:
    loss = tf.reduce_sum(net(tf.ones([8, 4])))
tf.keras.optimizers.SGD(0.1).apply_gradients([(tape.gradient(loss, w), w)])
"""
SECOND = "    for i in range(9):\n        x = tf.sin(tf.matmul(x, w))\n"
LEFT = "    for i in range(9):\n        x = tf.sin(x) + tf.random.gamma([4], 1.0)\n"


@pytest.fixture(autouse=True)
def fake_engine() -> None:
    """The real one is asked here."""


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "train.py"
    path.write_text(LOOP.format(more=""))
    monkeypatch.chdir(tmp_path)
    return path


@pytest.fixture
def sizes(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """What a step needs, by a word of the text that is run: the last one that stands there."""
    found = {"def net": 100e6, "loop_segments": 40e6, "loop_binomial": 30e6, "loop_halves": 20e6}

    def measure(job: Any, python: str, text: bytes, *_: Any) -> Measured:
        size = [each for word, each in found.items() if word.encode() in text][-1]
        return Measured(size, 0.5, "CPU:0") if size else Measured(why="it ended with 1: no data")

    monkeypatch.setattr(memory_of, "measure", measure)
    monkeypatch.setattr(program_python, "likeliest", lambda named: ("python", {}, None))
    return found


def run(*arguments: str) -> Result:
    return CliRunner().invoke(distify, ["memory", "train.py", *arguments])


@pytest.mark.usefixtures("script", "sizes")
def test_without_a_budget_three_are_measured() -> None:
    done = run()
    assert done.exit_code == 0
    names = [line.split("  ")[1] for line in done.output.splitlines() if " a step" in line]
    assert names == ["as written", "sqrt", "halves"]
    assert "line 7: keeps 80.0 MB; of 64 outputs of steps about 7 are kept" in done.output
    assert "80% need not be kept" in done.output


@pytest.mark.usefixtures("script", "sizes")
@pytest.mark.parametrize(
    ("budget", "chosen", "code"),
    [
        ("1GB", "fits into 1.00 GB as it is written", 0),
        ("50MB", 'recompute = "sqrt" is the cheapest', 0),
        ("35 MB", 'recompute = "binomial", snapshots = 8 is the cheapest', 0),
        ("20MB", 'recompute = "halves" is the cheapest', 0),
        ("19 MiB", "nothing fits into 19.9 MB", 1),
        ("1MB", "nothing fits into 1.0 MB", 1),
    ],
)
def test_the_cheapest_that_fits_is_chosen(budget: str, chosen: str, code: int) -> None:
    done = run("--budget", budget)
    assert chosen in done.output
    assert done.exit_code == code


def test_the_order_is_that_of_runs() -> None:
    from distify.assistant.cli.memory import SCHEDULES

    runs = [cost(s.form, 64, 1, s.snapshots)[1] for s in SCHEDULES if s.form]
    assert runs == sorted(runs)


@pytest.mark.usefixtures("sizes")
def test_each_of_several_loops_is_measured_and_what_is_left_is_named(script: Path) -> None:
    script.write_text(LOOP.format(more=SECOND + LEFT))
    before = script.read_text()
    done = run()
    assert "line 7: keeps 80.0 MB; " in done.output
    assert "line 9: keeps 80.0 MB; " in done.output
    assert "line 11: this loop keeps what each of its steps, 9 in all," in done.output
    assert "`tf.random.gamma` draws anew" in done.output
    assert script.read_text() == before


@pytest.mark.usefixtures("sizes")
def test_where_nothing_is_rewritten_that_is_said(script: Path) -> None:
    script.write_text(
        LOOP.format(more="").replace("x = tf.tanh(", "x = tf.random.gamma([4], 1.0) + (")
    )
    done = run("--budget", "1MB")
    assert "nothing here is rewritten" in done.output
    assert done.exit_code == 1


@pytest.mark.usefixtures("script")
def test_a_run_that_fails_is_told(sizes: dict[str, float]) -> None:
    sizes["def net"] = 0.0
    done = run()
    assert done.exit_code == 2
    assert "nothing was measured: it ended with 1: no data" in done.output


@pytest.mark.usefixtures("script", "sizes")
def test_a_missing_python_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(named: str | None) -> Any:
        raise SettingProblem("no Python was found")

    monkeypatch.setattr(program_python, "likeliest", none)
    done = run()
    assert done.exit_code == 2
    assert "no Python was found" in done.output


@pytest.mark.usefixtures("script")
@pytest.mark.parametrize("size", ["0GB", "much", "-1MB", "6XB"])
def test_what_is_no_size_is_told(size: str) -> None:
    done = run("--budget", size)
    assert done.exit_code == 2
    assert "no size such as 6GB" in done.output
