"""A model that was saved with Horovod's optimizer can be loaded again."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

HEAD = """\
import tensorflow as tf
from tensorflow.keras.models import load_model

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
"""
ADAM = 'custom_objects={"Adam": tf.keras.optimizers.Adam}'


def migrated(lines: str) -> str:
    found = migrate(HEAD + lines)
    assert not found.blocked
    return " ".join(found.after.replace("'", '"').split()).replace("( ", "(").replace(" )", ")")


FIT = "model.fit(tf.ones((8, 4)), tf.ones((8, 1)))\n"
TOLD = {
    "a string": (
        "model.compile('adam', 'mse')\n"
        + FIT
        + "model.save('m.keras')\nm = load_model('m.keras')\n",
        f'load_model("m.keras", {ADAM})',
    ),
    "inline": (
        "model.compile(tf.keras.optimizers.SGD(0.1), 'mse')\n"
        + FIT
        + "model.save(path)\nm = load_model(path)\n",
        'load_model(path, custom_objects={"SGD": tf.keras.optimizers.SGD})',
    ),
    "legacy, saved by a callback": (
        "opt = tf.keras.optimizers.legacy.Adam(0.1)\nmodel.compile(opt, 'mse')\n"
        "best = tf.keras.callbacks.ModelCheckpoint('b.keras')\n"
        "model.fit(tf.ones((8, 4)), tf.ones((8, 1)), callbacks=[best])\nm = load_model('b.keras')\n",
        'load_model("b.keras", custom_objects={"Adam": tf.keras.optimizers.legacy.Adam})',
    ),
}
NOT_TOLD = {
    "another format": "model.save('m.h5')\nm = load_model('m.h5')\n",
    "another file": "model.save('m.keras')\nm = load_model('base.keras')\n",
    "it says so itself": "model.save('m.keras')\nm = load_model('m.keras', compile=False)\n",
    "only weights": "model.save_weights('w')\nmodel.load_weights('w')\n",
}


@pytest.mark.parametrize("name", TOLD)
def test_told(name: str) -> None:
    before, after = TOLD[name]
    assert after in migrated(before)


@pytest.mark.parametrize("name", NOT_TOLD)
def test_not_told(name: str) -> None:
    assert "custom_objects" not in migrated("model.compile('adam', 'mse')\n" + FIT + NOT_TOLD[name])


def test_a_loop_of_its_own_keeps_its_optimizer() -> None:
    lines = (
        "opt = tf.keras.optimizers.Adam()\nwith tf.GradientTape() as tape:\n"
        "    loss = tf.reduce_sum(model(x))\n"
        "grads = tape.gradient(loss, model.trainable_variables)\n"
        "opt.apply_gradients(zip(grads, model.trainable_variables))\n"
        "model.save('m.keras')\nm = load_model('m.keras')\n"
    )
    assert "custom_objects" not in migrated(lines)


OTHERS = {
    "'m.keras'": True,
    "'m.h5'": False,
    "folder": True,
    "os.path.join(folder, 'm.keras')": True,
    "os.path.join(folder, 'm.h5')": False,
    "os.path.join(folder, name)": True,
    "f'{folder}/m.keras'": True,
    "f'{folder}/m.h5'": False,
    "f'{folder}/m.{name}'": True,
    "folder + 'keras'": True,
    "filepath=folder + '/m.h5'": False,
}


@pytest.mark.parametrize("path", OTHERS)
def test_other_programs_are_thought_of(path: str) -> None:
    start = (
        "import os\nfrom mine import folder, name\n" + HEAD + "model.compile('adam', 'mse')\n" + FIT
    )
    callback = "tf.keras.callbacks.ModelCheckpoint"
    for save in ("model.save", callback, "tf.keras.models.save_model"):
        first = "model, " if save.endswith("save_model") else ""
        notes = migrate(f"{start}{save}({first}{path})\n").notes
        assert ("D206" in [note.code for note in notes]) is OTHERS[path]


def test_a_file_of_another_format_is_not_told_apart_by_its_folder() -> None:
    told = (
        "model.save(os.path.join(folder, 'm.{}'))\nm = load_model(os.path.join(folder, 'm.{}'))\n"
    )
    start = "import os\nfrom mine import folder\nmodel.compile('adam', 'mse')\n" + FIT
    assert ADAM in migrated(start + told.format("keras", "keras"))
    assert ADAM not in migrated(start + told.format("h5", "h5"))
    assert ADAM not in migrated(start + told.format("keras", "h5"))


def test_a_class_goes_by_its_own_name_where_it_was_imported_under_another() -> None:
    alias = "from tensorflow.keras.optimizers import Adam as A\n"
    save = "model.save('m.keras')\nm = load_model('m.keras')\n"
    assert '{"Adam": A}' in migrated(alias + "model.compile('adam', 'mse')\n" + FIT + save)


TRAINED = "model.compile('adam', 'mse')\n" + FIT + "model.save('m.h5')\n"


def test_what_is_trained_on_gets_a_distributed_optimizer() -> None:
    after = migrated(TRAINED + "model = load_model('m.h5')\n" + FIT)
    assert after.count("def distributed(model):") == 1
    assert 'model = distributed(load_model("m.h5"))' in after


def test_it_is_told_the_class_as_well() -> None:
    after = migrated(TRAINED.replace("h5", "keras") + "model = load_model('m.keras')\n" + FIT)
    assert f'distributed(load_model("m.keras", {ADAM}))' in after


def test_one_function_serves_all_of_them_under_a_name_of_its_own() -> None:
    again = "model = load_model('m.h5')\n" + FIT
    after = migrated("def distributed():\n    pass\n" + TRAINED + again + again)
    assert after.count("def distributed_1(model):") == 1
    assert after.count("distributed_1(load_model(") == 2


def test_a_second_run_changes_nothing() -> None:
    after = migrate(HEAD + TRAINED + "model = load_model('m.h5')\n" + FIT).after
    assert migrate(after).after == after
    assert not migrate(after).blocked


STATELESS = {
    "legacy": "opt = tf.keras.optimizers.legacy.Adam(0.1)\nmodel.compile(opt, 'mse')\n",
    "scaled": "tf.keras.mixed_precision.set_global_policy('mixed_float16')\n"
    "model.compile('adam', 'mse')\n",
}


@pytest.mark.parametrize("name", STATELESS)
def test_what_has_no_room_for_its_state_is_refused_with_code_that_works(name: str) -> None:
    head = HEAD + STATELESS[name] + FIT + "model.save('m.h5')\nmodel = load_model('m.h5')\n"
    found = migrate(head + FIT)
    (problem,) = found.blocked
    repair = problem.fix.partition(": ")[2].strip("`")
    assert not migrate(head + repair + "\n" + FIT).blocked


def test_older_versions_are_refused() -> None:
    program = HEAD + TRAINED + "model = load_model('m.h5')\n" + FIT
    assert migrate(program, Options(tensorflow=(2, 10))).blocked
    assert not migrate(program, Options(tensorflow=(2, 11))).blocked


def test_the_rate_of_a_file_is_told_to_be_that_of_who_saved_it() -> None:
    rows = "import numpy as np\nx, y = np.random.rand(64, 4), np.random.rand(64, 1)\n"
    fit = "model.fit(x, y, batch_size=8)\n"
    text = (
        f"{HEAD}{rows}model.compile('adam', 'mse')\n{fit}model.save('m.keras')\n"
        f"model = load_model('m.keras')\n{fit}"
    )
    told = [n for n in migrate(text).notes if n.message.startswith("this goes on with")]
    assert [text.splitlines()[each.line - 1] for each in told] == ["model = load_model('m.keras')"]
    kept = migrate(text, Options(learning_rate="none")).notes
    assert not [n for n in kept if n.message.startswith("this goes on with")]
