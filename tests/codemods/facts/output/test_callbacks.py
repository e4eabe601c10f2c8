"""On which workers a callback runs, and what a person is told about it."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.output.callbacks import Where, verdict

HEAD = """\
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
    facts = Facts.of(HEAD + text)
    found = verdict(facts, facts.module.body[-1].value)  # type: ignore[attr-defined]
    assert (found.where, found.note) == VERDICTS[text]


def test_a_callback_out_of_a_pair_is_not_known() -> None:
    facts = Facts.of(HEAD + "a, b = CSVLogger(a)\na")
    assert verdict(facts, facts.module.body[-1].value).where is UNKNOWN  # type: ignore[attr-defined]
