"""Which file of a project gets the functions and classes that rules write for Keras 3."""

from __future__ import annotations

from distify.codemods.model import Migration, Options
from distify.codemods.project.migrate import migrate_project
from distify.codemods.project.texts import Project

KERAS_3 = Options(tensorflow=(2, 20))
BUILD = """\
import keras


def build():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(keras.optimizers.SGD(0.1), "mse")
    return model
"""
TUNE = """\
import keras


def tune(model, x, y):
    model.compile(keras.optimizers.SGD(0.01), "mse")
    model.fit(x, y)
"""
MAIN = """\
import numpy as np

from build import build
from tune import tune

x, y = np.ones((8, 4)), np.ones((8, 1))
model = build()
model.fit(x, y)
tune(model, x, y)
"""
FORMS = ("def average_gradients(", "class BroadcastState(", "class AverageMetrics(")


def texts(entry: str = MAIN, **others: str) -> dict[str, str]:
    """What becomes of each file of a project."""
    written = {"train.py": entry, **{f"{name}.py": text for name, text in others.items()}}
    found = migrate_project(Project("train.py", written), KERAS_3, "train.py")
    assert found is not None
    assert found.blocked == ()
    return {
        **written,
        "train.py": found.after,
        **{o.path: _after(o.migration) for o in found.others},
    }


def _after(migration: Migration) -> str:
    return migration.after


def test_a_form_stands_once_where_it_trains_and_is_imported_by_the_others() -> None:
    after = texts(build=BUILD, tune=TUNE)
    for form in FORMS:
        assert [path for path, text in after.items() if form in text] == ["tune.py"]
        assert after["tune.py"].count(form) == 1
    assert "from tune import average_gradients\n" in after["build.py"]
    assert "from tune import AverageMetrics, BroadcastState\n" in after["train.py"]
    assert "class BroadcastState(keras.callbacks.Callback):" in after["tune.py"]


def test_what_one_file_uses_stands_there_and_nothing_is_imported() -> None:
    main = MAIN.replace("model.fit(x, y)\n", "")
    after = texts(main, build=BUILD.replace("    model.compile", "    # model.compile"), tune=TUNE)
    assert all(form in after["tune.py"] for form in FORMS)
    assert "average_gradients" not in after["train.py"] + after["build.py"]


def test_what_the_entry_uses_alone_stays_there() -> None:
    main = MAIN.replace("tune(model, x, y)", "model.fit(x, y)").replace(
        "from tune import tune\n", ""
    )
    after = texts(main, build=BUILD)
    assert "def average_gradients(" in after["build.py"]
    assert all(form in after["train.py"] for form in FORMS[1:])
    assert "BroadcastState" not in after["build.py"]


def test_a_second_run_finds_nothing_to_do() -> None:
    after = texts(build=BUILD, tune=TUNE)
    found = migrate_project(Project("train.py", after), KERAS_3, "train.py")
    assert found is not None
    assert (found.steps, found.others, found.blocked) == ((), (), ())


def test_a_file_that_the_home_imports_cannot_import_it() -> None:
    """Then the file that both can import is the home, though it doesn't train."""
    tune = TUNE.replace("import keras\n", "import keras\n\nfrom build import build\n")
    after = texts(build=BUILD, tune=tune)
    assert "def average_gradients(" in after["build.py"]
    assert "from build import average_gradients\n" in after["tune.py"]
    assert "class BroadcastState(" in after["tune.py"]
