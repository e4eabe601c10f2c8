"""Settings that a study of Optuna proposes: to each worker its own, if nothing makes them alike."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

SEARCH = """\
import numpy as np
import optuna
import tensorflow as tf

x = np.load("x.npy")


def objective(trial):
    rate = trial.suggest_float("rate", 1e-4, 1e-2, log=True)
    {setting}
    model = tf.keras.Sequential([tf.keras.layers.Dense({units}), tf.keras.layers.Dense(4)])
    model.compile(tf.keras.optimizers.Adam({rate}), "mse")
    history = model.fit(x, x, epochs=3, validation_split=0.2)
    return history.history["val_loss"][-1]


study = optuna.create_study({study})
study.optimize(objective, n_trials=5)
"""
ASKED = {
    "a rate": ("pass", "8", "rate"),
    "units": ("pass", 'trial.suggest_int("units", 4, 8)', "0.1"),
    "of a dictionary": ('p = {"n": trial.suggest_categorical("n", [4, 8])}', 'p["n"]', "0.1"),
    "a power": ('n = trial.suggest_int("n", 2, 4)', "2**n", "0.1"),
}
SEEDED = "sampler=optuna.samplers.TPESampler(seed=0)"


def told(name: str, study: str = "") -> list[tuple[str, str]]:
    setting, units, rate = ASKED[name]
    text = SEARCH.format(setting=setting, units=units, rate=rate, study=study)
    return [(each.code, each.fix) for each in migrate(text).blocked]


@pytest.mark.parametrize("name", ASKED)
def test_each_workers_study_proposes_for_itself(name: str) -> None:
    [(code, fix)] = told(name)
    assert code == "T07"
    assert SEEDED in fix


@pytest.mark.parametrize("name", ASKED)
def test_studies_of_one_seed_propose_alike(name: str) -> None:
    assert told(name, SEEDED) == []


def test_a_study_that_all_workers_share_gives_each_another_trial() -> None:
    found = told("a rate", SEEDED + ', storage="sqlite:///study.db"')
    assert [code for code, _ in found] == ["T07"]


def test_what_no_setting_hangs_on() -> None:
    text = SEARCH.format(setting="print(rate)", units="8", rate="0.1", study="")
    assert not migrate(text).blocked
