"""Loggers of experiments run on rank 0 alone; what the program reads back is alive on all."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

HEAD = """\
import numpy as np
import tensorflow as tf
import aim, clearml, comet_ml, mlflow, neptune, tensorboardX, wandb
import pylib
x, y = np.load("x.npy"), np.load("y.npy")
"""
FIT = "m = tf.keras.Sequential([])\nm.compile('sgd')\nm.fit(x, y)\n"


def migrated(text: str) -> tuple[list[str], list[str]]:
    """The lines between the data and the model, and the messages of D204."""
    found = migrate(HEAD + text + FIT, Options(width=120))
    assert found.steps
    assert not found.blocked
    lines = found.after.partition('np.load("y.npy")\n')[2].partition("m = tf.keras")[0]
    return lines.strip().splitlines(), [n.message for n in found.notes if n.code == "D204"]


SILENCED = {
    "wandb.init(project='p')": "wandb.init(project='p', mode=None if hvd.rank() == 0 else \"disabled\")",
    "r = wandb.init(mode=x)": 'r = wandb.init(mode=x if hvd.rank() == 0 else "disabled")',
    "r = neptune.init_run()": 'r = neptune.init_run(mode="async" if hvd.rank() == 0 else "debug")',
    "e = comet_ml.Experiment()": "e = comet_ml.Experiment(disabled=False if hvd.rank() == 0 else True)",
    "w = tensorboardX.SummaryWriter('a')": (
        "w = tensorboardX.SummaryWriter('a', write_to_disk=True if hvd.rank() == 0 else False)"
    ),
}


@pytest.mark.parametrize("text", SILENCED)
def test_the_runs_of_the_others_take_all_calls_and_write_nothing(text: str) -> None:
    assert migrated(text + "\n") == ([SILENCED[text]], [])


def test_what_is_read_of_a_run_is_left_alone() -> None:
    text = "print(wandb.config.lr)\nrate = wandb.config.lr\nwandb.log({'a': 1})\nwandb.finish()\n"
    assert migrated(text)[0][-3:] == text.splitlines()[1:]


def test_statements_of_mlflow_run_on_rank_zero() -> None:
    text = "mlflow.start_run()\nmlflow.log_param('a', 1)\nmlflow.tensorflow.autolog()\nmlflow.end_run()\n"
    guarded = [f"    {line}" for line in text.splitlines()]
    assert migrated(text) == (["if hvd.rank() == 0:", *guarded], [])


ENTERED = "mlflow.start_run(run_name='a') if hvd.rank() == 0 else contextlib.nullcontext()"
KEPT = {
    "entered": (
        "with mlflow.start_run(run_name='a'):\n    mlflow.log_param('a', 1)\n    y = y + 1\n",
        f"with {ENTERED}:\n    if hvd.rank() == 0:\n        mlflow.log_param('a', 1)\n    y = y + 1\n",
    ),
    "entered and shown": (
        "with mlflow.start_run(run_name='a') as r:\n    y = y + 1\n    print(r.info.run_id)\n",
        f"with {ENTERED} as r:\n    y = y + 1\n    if hvd.rank() == 0:\n        print(r.info.run_id)\n",
    ),
    "registered": (
        "with mlflow.start_run(run_name='a') as r:\n    y = y + 1\n    mlflow.register_model(r.info.run_id, 'm')\n",
        f"with {ENTERED} as r:\n    y = y + 1\n    if hvd.rank() == 0:\n        mlflow.register_model(r.info.run_id, 'm')\n",
    ),
    "a statement": (
        "clearml.Task.init('a')\ny = y + 1\n",
        "if hvd.rank() == 0:\n    clearml.Task.init('a')\ny = y + 1\n",
    ),
    "never read": (
        "task = clearml.Task.init('a')\ny = y + 1\n",
        "task = clearml.Task.init('a') if hvd.rank() == 0 else None\ny = y + 1\n",
    ),
    "only written to": (
        "run = aim.Run()\nrun['rate'] = 0.1\ny = y + 1\nrun.track(float(y[0]), name='y')\n",
        "run = aim.Run() if hvd.rank() == 0 else None\nif hvd.rank() == 0:\n    run['rate'] = 0.1\n"
        "y = y + 1\nif hvd.rank() == 0:\n    run.track(float(y[0]), name='y')\n",
    ),
}


@pytest.mark.parametrize("name", KEPT)
def test_a_run_that_only_output_reads_is_that_of_rank_zero(name: str) -> None:
    before, after = KEPT[name]
    lines, notes = migrated(before)
    assert ("\n".join(lines) + "\n", notes) == (after, [])


def test_what_enters_nothing_is_imported() -> None:
    found = migrate(HEAD + KEPT["entered"][0] + FIT)
    assert "import contextlib\n" in found.after
    assert found.after == migrate(found.after).after
    assert "contextlib" not in migrate(HEAD + KEPT["never read"][0] + FIT).after


READ = [
    "mlflow.start_run()\ni = mlflow.active_run().info.run_id\n",
    "with mlflow.start_run():\n    i = mlflow.active_run().info.run_id\n",
    "r = mlflow.start_run()\ni = r.info.run_id\n",
    "with mlflow.start_run() as r:\n    y = y * r.data\n",
    "task = clearml.Task.init('a')\nx = task.connect(x)\n",
    "clearml.Task.init('a')\nlogger = clearml.Logger.current_logger()\n",
    "run = aim.Run()\npylib.watch(run)\n",
    "run = aim.Run()\ny = y * run['rate']\n",
    "pylib.watch(aim.Run())\n",
    "wandb.init(**pylib.options)\n",
]


@pytest.mark.parametrize("text", READ)
def test_a_run_that_all_would_read_is_named(text: str) -> None:
    lines, notes = migrated(text)
    assert lines[0] == text.splitlines()[0]
    assert len(notes) == 1
    assert "a run of its own" in notes[0]


def test_the_fix_of_the_note_is_one() -> None:
    """The same as `hvd.rank() == 0` and a broadcast of what is read, by hand."""
    text = "import horovod.tensorflow as hvd\nhvd.init()\nrun_id = None\n"
    text += "if hvd.rank() == 0:\n    r = mlflow.start_run()\n    run_id = r.info.run_id\n"
    text += "run_id = hvd.broadcast_object(run_id, root_rank=0)\n"
    found = migrate(HEAD + text + FIT)
    assert not found.blocked
    assert "D204" not in [note.code for note in found.notes]
    assert text.partition("hvd.init()\n")[2] in found.after


@pytest.mark.parametrize(
    "text",
    [
        "name = wandb.util.generate_id()\n",
        "experiment = pylib.Experiment()\n",
        "pylib.init(mode=None)\n",
    ],
)
def test_what_is_no_such_call_or_hides_its_arguments_stays(text: str) -> None:
    assert migrated(text) == (text.splitlines(), [])


def test_a_path_of_summaries_that_may_have_an_effect_is_named_first() -> None:
    text = "w = tf.summary.create_file_writer(pylib.x('a'), name='b')\n"
    lines, _ = migrated(text)
    assert lines[0] == "logdir = pylib.x('a')"
    assert "tf.summary.create_file_writer(logdir, name='b')" in "\n".join(lines)
    assert "create_noop_writer()" in lines[-1] + lines[-2]
