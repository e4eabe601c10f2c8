"""How a `fit` is given its callbacks, and on which workers each of them runs."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.output.callback_lists import ListForm, Where, callback_list, verdict

# -- callback lists ------------------------------------------------------------------------------
# How the callbacks of a fit are given, and which of them only rank 0 keeps.

HEAD = """\
from tensorflow import keras
from tensorflow.keras.callbacks import CSVLogger, EarlyStopping, TensorBoard

model = keras.Sequential([])
own = []
"""


def found(text: str) -> tuple[ListForm, list[str], list[str]]:
    """The form, what rank 0 keeps of displays, and which statements it alone runs."""
    facts = Facts.of(HEAD + text)
    fit = next(call for call in facts.index.calls if ast.unparse(call.func) == "model.fit")
    seen = callback_list(facts, fit)
    assert ListForm.MISSING is seen.form or all(v is not None for _, v in seen.judged)
    return (
        seen.form,
        [ast.unparse(e) for e in seen.rank_zero],
        [ast.unparse(s) for s in seen.guarded],
    )


LOGGER, STOP = "CSVLogger(a)", "EarlyStopping()"
FORMS = {
    "model.fit(x)": (ListForm.MISSING, [], []),
    "model.fit(x, callbacks=None)": (ListForm.MISSING, [], []),
    "model.fit(x, callbacks=0)": (ListForm.FILTERED, [], []),
    f"model.fit(x, callbacks=[{LOGGER}, {STOP}])": (ListForm.DISPLAY, [LOGGER], []),
    f"model.fit(x, callbacks=({LOGGER}, {STOP}))": (ListForm.DISPLAY, [LOGGER], []),
    "model.fit(x, callbacks=[])": (ListForm.DISPLAY, [], []),
    f"model.fit(x, callbacks=[{LOGGER}, *more])": (ListForm.FILTERED, [], []),
    f"model.fit(x, callbacks=[{LOGGER}, make()])": (ListForm.FILTERED, [], []),
    f"model.fit(x, callbacks={STOP})": (ListForm.SINGLE, [], []),
    f"model.fit(x, callbacks={LOGGER})": (ListForm.WRITER, [], []),
    f"one = {STOP}\nmodel.fit(x, callbacks=one)": (ListForm.SINGLE, [], []),
    f"one = {LOGGER} if b else TensorBoard(a)\nmodel.fit(x, callbacks=one)": (ListForm.WRITER, [], []),
    f"one = {LOGGER} if b else {STOP}\nmodel.fit(x, callbacks=one)": (ListForm.FILTERED, [], []),
    f"all = [{LOGGER}, {STOP}]\nmodel.fit(x, callbacks=all)": (ListForm.NAMED, [LOGGER], []),
    f"all = [{STOP}]\nmodel.fit(x, callbacks=all)": (ListForm.NAMED, [], []),
    f"all = [{LOGGER}]\nmodel.fit(x, None, 1, 2, 3, all)": (ListForm.NAMED, [LOGGER], []),
    f"all = []\nall.append({LOGGER})\nall.append({STOP})\nmodel.fit(x, callbacks=all)":
        (ListForm.NAMED, [], [f"all.append({LOGGER})"]),
    f"all = []\nall.insert(0, {LOGGER})\nmodel.fit(x, callbacks=all)":
        (ListForm.NAMED, [], [f"all.insert(0, {LOGGER})"]),
    f"all = []\nall.extend([{STOP}, {LOGGER}])\nmodel.fit(x, callbacks=all)": (ListForm.NAMED, [LOGGER], []),
    f"all = []\nall.extend(({LOGGER},))\nmodel.fit(x, callbacks=all)": (ListForm.NAMED, [LOGGER], []),
    f"all = [{STOP}]\nall += [{LOGGER}]\nmodel.fit(x, callbacks=all)": (ListForm.NAMED, [LOGGER], []),
    f"all = [{LOGGER}]\nif b:\n    all = [TensorBoard(a)]\nmodel.fit(x, callbacks=all)":
        (ListForm.NAMED, [LOGGER, "TensorBoard(a)"], []),
    f"all = [{LOGGER}]\nprint(all)\nlen(all)\nmodel.fit(x, callbacks=all)": (ListForm.NAMED, [LOGGER], []),
    f"all = [{LOGGER}]\nother.fit(x, callbacks=all)\nmodel.fit(x, callbacks=all)":
        (ListForm.NAMED, [LOGGER], []),
    f"def make():\n    return [{LOGGER}]\n\n\nmodel.fit(x, callbacks=make())": (ListForm.NAMED, [LOGGER], []),
    f"def make():\n    all = []\n    all.append({LOGGER})\n    return all\n\n\nmodel.fit(x, callbacks=make())":
        (ListForm.NAMED, [], [f"all.append({LOGGER})"]),
    f"def make():\n    if a:\n        return [{LOGGER}]\n    return []\n\n\nmodel.fit(x, callbacks=make())":
        (ListForm.NAMED, [LOGGER], []),
    f"class T:\n    def a(self):\n        self.all = [{LOGGER}]\n\n    def b(self):\n"
    "        model.fit(x, callbacks=self.all)": (ListForm.NAMED, [LOGGER], []),
    **{
        f"all = [{LOGGER}]\n{use}\nmodel.fit(x, callbacks=all)": (ListForm.FILTERED, [], [])
        for use in (
            "change(all)",
            "all.sort()",
            "all.extend(more)",
            "all.append()",
            "b = all.append",
            "b = all.pop()",
            "b = all",
            "all[0] = b",
            "all.append(make())",
            "all += more",
            "all = more",
            "all, b = more",
            "other.fit(all)",
            "for all in b:\n    pass",
        )
    },
    "model.fit(x, callbacks=make())": (ListForm.FILTERED, [], []),
    "def make():\n    return f()\n\n\nmodel.fit(x, callbacks=make())": (ListForm.FILTERED, [], []),
    "def make():\n    return\n\n\nmodel.fit(x, callbacks=make())": (ListForm.FILTERED, [], []),
    "def make():\n    pass\n\n\nmodel.fit(x, callbacks=make())": (ListForm.FILTERED, [], []),
    "def f(all):\n    model.fit(x, callbacks=all)": (ListForm.FILTERED, [], []),
    "model.fit(x, callbacks=own)": (ListForm.NAMED, [], []),
}  # fmt: skip


@pytest.mark.parametrize("text", FORMS)
def test_how_callbacks_are_given(text: str) -> None:
    assert found(text) == FORMS[text]


# -- callbacks -----------------------------------------------------------------------------------
# On which workers a callback runs, and what a person is told about it.

HEAD_OF_CALLBACKS = """\
import os, tempfile
import horovod.tensorflow.keras as hvd
import tensorflow as tf
import wandb, neptune, mlflow, comet_ml, clearml, aim, dvclive, livelossplot, tqdm, tensorboard
import tensorflow_addons as tfa
import aiming
from tensorflow import keras
from tensorflow.keras.callbacks import *


class Mine(keras.callbacks.Callback):
    pass


class MyStop(EarlyStopping):
    pass


class Posting(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        self.post(logs)

    def post(self, logs):
        aiming.post(logs)


class Saving(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        super().on_epoch_end(epoch, logs)
        self.losses.append(self.model.evaluate(a, verbose=0))
        self.model.save("m.h5")
        with open("log.txt", "a") as file:
            file.write(str(logs))
        print(epoch)


class Foreign(aiming.Callback):
    pass


def told(epoch, logs):
    aiming.post(logs)
"""
CUSTOM = "a custom callback runs on every worker: what it writes is written by each of them"
RANK_ZERO, EVERYWHERE, UNKNOWN = Where.RANK_ZERO, Where.EVERYWHERE, Where.UNKNOWN

VERDICTS = {
    "ModelCheckpoint(a)": (RANK_ZERO, ""),
    "TensorBoard(a)": (RANK_ZERO, ""),
    "TensorBoard(a, update_freq='epoch')": (RANK_ZERO, ""),
    "TensorBoard(a, update_freq=9)": (RANK_ZERO, "what it writes after a batch is the share of worker 0"),
    "CSVLogger(a)": (RANK_ZERO, ""),
    "ProgbarLogger()": (RANK_ZERO, ""),
    "RemoteMonitor()": (RANK_ZERO, ""),
    "keras.callbacks.experimental.CSVLogger(a)": (RANK_ZERO, ""),
    **{
        f"{library}.keras.Callback()": (RANK_ZERO, "")
        for library in ["wandb", "neptune", "mlflow", "comet_ml", "clearml", "aim", "dvclive", "livelossplot", "tqdm"]
    },
    "tensorboard.Callback()": (RANK_ZERO, ""),
    "tfa.callbacks.TQDMProgressBar()": (RANK_ZERO, ""),
    "tfa.callbacks.AverageModelCheckpoint(a)": (EVERYWHERE, CUSTOM),
    "aiming.Callback()": (EVERYWHERE, CUSTOM),
    "CSVLogger(tempfile.mktemp())": (RANK_ZERO, ""),
    "ModelCheckpoint(tempfile.mktemp())": (EVERYWHERE, ""),
    "EarlyStopping()": (EVERYWHERE, ""),
    "ReduceLROnPlateau()": (EVERYWHERE, ""),
    "LearningRateScheduler(a)": (EVERYWHERE, ""),
    "keras.callbacks.History()": (EVERYWHERE, ""),
    "keras.callbacks.BaseLogger()": (EVERYWHERE, ""),
    "MyStop()": (EVERYWHERE, ""),
    "Mine()": (EVERYWHERE, ""),
    "Posting()": (EVERYWHERE, CUSTOM),
    "Saving()": (EVERYWHERE, ""),  # rank 0 alone does what it does
    "Foreign()": (EVERYWHERE, CUSTOM),
    "hvd.callbacks.MetricAverageCallback()": (EVERYWHERE, ""),
    "LambdaCallback(on_epoch_end=lambda e, l: print(e))": (RANK_ZERO, ""),
    "LambdaCallback(lambda e, l: print(e))": (RANK_ZERO, ""),
    "LambdaCallback(on_epoch_end=lambda e, l: aiming.f(e))": (EVERYWHERE, "its functions run on every worker"),
    "LambdaCallback(on_epoch_end=lambda e, l: e)": (EVERYWHERE, ""),
    "LambdaCallback(on_epoch_end=told)": (EVERYWHERE, "its functions run on every worker"),
    "LambdaCallback(lambda e, l: print(e), f)": (EVERYWHERE, "its functions run on every worker"),
    "BackupAndRestore(a)": (Where.REFUSED, ""),
    "keras.callbacks.experimental.BackupAndRestore(a)": (Where.REFUSED, ""),
    "TerminateOnNaN()": (EVERYWHERE, ""),  # one that ends on all takes its place
    "keras.callbacks.SwapEMAWeights()": (EVERYWHERE, ""),
    "keras.callbacks.OfTomorrow()": (EVERYWHERE, CUSTOM),
    "CSVLogger(a) if b else CSVLogger(c)": (RANK_ZERO, ""),
    "CSVLogger(a) if b else EarlyStopping()": (UNKNOWN, ""),
    "CSVLogger(a) if b else BackupAndRestore(c)": (Where.REFUSED, ""),
    "given": (UNKNOWN, ""),
    "(lambda: a)()": (UNKNOWN, ""),
    "[CSVLogger(a)]": (UNKNOWN, ""),
}  # fmt: skip


@pytest.mark.parametrize("text", VERDICTS)
def test_where_a_callback_runs(text: str) -> None:
    facts = Facts.of(HEAD_OF_CALLBACKS + text)
    found = verdict(facts, facts.module.body[-1].value)  # type: ignore[attr-defined]
    assert (found.where, found.note) == VERDICTS[text]


def test_a_callback_out_of_a_pair_is_not_known() -> None:
    facts = Facts.of(HEAD_OF_CALLBACKS + "a, b = CSVLogger(a)\na")
    assert verdict(facts, facts.module.body[-1].value).where is UNKNOWN  # type: ignore[attr-defined]
