"""Files that rank 0 writes and every worker reads again."""

from __future__ import annotations

import ast
import textwrap

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.output.reloads import waits

HEAD = """\
import cloudpickle, dill, glob, joblib, json, os, pickle, tempfile
import numpy as np
import pandas as pd
import tensorflow as tf
import cv2, h5py, pylib
import matplotlib.pyplot as plt
from PIL import Image
from pathlib import Path
from tensorflow import keras

model = keras.Sequential([])
model.fit(x)
checkpoint = tf.train.Checkpoint(model=model)
manager = tf.train.CheckpointManager(checkpoint, "c", 3)
"""


def lines(text: str) -> list[int]:
    """The lines, counted in `text`, at which every worker waits."""
    facts = Facts.of(HEAD + textwrap.dedent(text))
    found = [place.lineno - HEAD.count("\n") for place in waits(facts)]  # type: ignore[attr-defined]
    return sorted(found)


MODEL = ["model.save('m')", "model.export('m')", "keras.models.save_model(model, 'm')",
         "keras.saving.save_model(model, 'm')", "tf.saved_model.save(model, 'm')"]  # fmt: skip
LOAD = ["keras.models.load_model('m')", "keras.saving.load_model('m')", "tf.saved_model.load('m')"]
OBJECTS = ["pickle", "joblib", "json", "cloudpickle", "dill"]
TEXT = ["tf.io.write_file('t', a)", "frame.to_csv('t')", "Path('t').write_text('t')",
        "file = open('t', 'w')"]  # fmt: skip
READ = ["tf.io.read_file('t')", "tf.data.TextLineDataset('t')", "pd.read_csv('t')",
        "tf.data.experimental.make_csv_dataset('t', 9)",
        "tf.data.experimental.CsvDataset('t', a)"]  # fmt: skip
IMAGES = ["keras.utils.save_img('i', a)", "plt.imsave('i', a)", "cv2.imwrite('i', a)",
          "Image.fromarray(a).save('i')"]  # fmt: skip
SEEN = ["keras.utils.load_img('i')", "plt.imread('i')", "cv2.imread('i')", "Image.open('i')",
        "tf.io.read_file('i')"]  # fmt: skip
PAIRS = [
    *((write, "b = " + read) for write in MODEL for read in LOAD),
    ("model.save_weights('w')", "model.load_weights('w')"),
    ("model.save('w')", "model.load_weights('w')"),
    ("thing.save_weights('w')", "thing.load_weights('w')"),
    ("checkpoint.save('c')", "checkpoint.restore(path)"),
    ("checkpoint.write('c')", "checkpoint.read('c')"),
    ("manager.save()", "manager.restore_or_initialize()"),
    ("manager.save()", "checkpoint.restore(path)"),
    ("checkpoint.save('c')", "b = tf.train.load_checkpoint('c')"),
    ("checkpoint.save('c')", "b = tf.train.latest_checkpoint('c')"),
    *((f"np.{save}('a', b)", f"b = np.{load}('a')")
      for save in ("save", "savez", "savez_compressed", "savetxt")
      for load in ("load", "loadtxt", "genfromtxt")),
    *((f"{one}.dump(a, open('o', 'wb'))", f"b = {other}.load(open('o', 'rb'))")
      for one in OBJECTS for other in ("pickle", one)),
    *((write, "b = " + read) for write in TEXT for read in READ),
    *(("np.save('d/a', b)", f"b = {ask}")
      for ask in ("os.listdir('d')", "os.scandir('d')", "glob.glob('d/*')", "glob.iglob('d/*')")),
    *(("np.save('d', b)", f"b = {ask}")
      for ask in ("os.stat('d')", "os.path.getsize('d')", "os.path.getmtime('d')")),
    *((write, f"b = np.{load}('t')") for write in TEXT for load in ("loadtxt", "genfromtxt")),
    ("np.savetxt('t', b)", "b = pd.read_csv('t')"),
    ("file = tf.io.TFRecordWriter('r')", "b = tf.data.TFRecordDataset('r')"),
    *((write, f"b = {read}") for write in IMAGES for read in SEEN),
    ("plt.savefig('d/a')", "b = tf.keras.utils.image_dataset_from_directory(d)"),
    ("np.save('d/a', b)", "b = tf.data.Dataset.list_files('d/*')"),
    ("np.save('d/a', b)", "b = list(os.walk('d'))"),
    ("np.save('d/a.h5', b)", "b = glob.glob('d/*.h5')"),
    ("thing.save('m')", "b = keras.models.load_model('m')"),
    ("pylib.write_all('m.bin')", "b = pylib.read('m.bin')"),
    ("data.save('d')", "b = tf.data.Dataset.load('d')"),
    ("file = h5py.File('h', 'w')", "b = h5py.File('h', 'r')"),
    ("np.save(where, b)", "b = np.load('a')"),
    ("np.save('a', b)", "b = np.load(where)"),
]  # fmt: skip


@pytest.mark.parametrize(("write", "read"), PAIRS)
def test_who_reads_what_rank_0_writes_waits(write: str, read: str) -> None:
    assert lines(f"{write}\n{read}\n") == [2]
    assert lines(f"{read}\n{write}\n") == []


@pytest.mark.parametrize(
    ("write", "read"),
    [
        ("np.save('a', b)", "b = np.load('other')"),
        ("plt.savefig('a')", "b = np.load('a')"),
        ("file = tf.io.TFRecordWriter('a')", "b = tf.data.TFRecordDataset('b')"),
        ("file = open('r', 'w')", "b = tf.data.TFRecordDataset('r')"),
        ("np.save('a', b)", "b = pickle.load(open('a', 'rb'))"),
        ("np.save('a', b)", "b = keras.models.load_model('a')"),
        ("np.save('d/a', b)", "b = os.listdir('e')"),
        ("np.save(tempfile.mktemp(), b)", "b = np.load(c)"),
        ("pickle.dumps(a)", "b = pickle.load(open('o', 'rb'))"),
        ("model.save('m')", "model.predict(x)"),
        ("checkpoint.save('c')", "model.load_weights('c')"),
        ("thing.write_all('m.h5')", "b = keras.models.load_model('n.h5')"),
        ("tf.io.write_file('t', a)", "b = json.load(open('t'))"),
    ],
)
def test_other_files_are_not_waited_for(write: str, read: str) -> None:
    assert lines(f"{write}\n{read}\n") == []


def test_what_a_callback_of_fit_writes_is_waited_for() -> None:
    text = "model.fit(x, callbacks=[keras.callbacks.ModelCheckpoint('m')])\n"
    assert lines(text + "b = keras.models.load_model('m')\n") == [2]
    assert lines(text + "b = keras.models.load_model('n')\n") == []


CASES = {
    "once for two reads": ("np.save('a', b)\nc = np.load('a')\nd = np.load('a')\n", [2]),
    "again after another write": (
        "np.save('a', b)\nc = np.load('a')\nnp.save('a', c)\nd = np.load('a')\n",
        [2, 4],
    ),
    "before the condition": ("np.save('a', b)\nif c:\n    d = np.load('a')\n", [2]),
    "before the loop": ("np.save('a', b)\nfor c in d:\n    e = np.load('a')\n", [2]),
    "in the loop that writes": (
        "for c in d:\n    np.save('a', c)\n    e = np.load('a')\n",
        [3],
    ),
    "what the round before has written": (
        "for c in d:\n    e = np.load('a')\n    np.save('a', c)\n",
        [2],
    ),
    "before try": (
        "np.save('a', b)\ntry:\n    c = np.load('a')\nexcept OSError:\n    c = 1\n",
        [2],
    ),
    "before with": ("np.save('a', b)\nwith c:\n    d = np.load('a')\n", [2]),
    "the outermost of an elif": (
        "np.save('a', b)\nif c:\n    d = 1\nelif e:\n    d = np.load('a')\n",
        [2],
    ),
    "in a function that is called later": (
        "def f():\n    return np.load('a')\n\n\nnp.save('a', b)\nf()\n",
        [6],
    ),
    "not in a function that is called before": (
        "def f():\n    return np.load('a')\n\n\nf()\nnp.save('a', b)\n",
        [],
    ),
    "written in a function": (
        "def f():\n    np.save('a', b)\n\n\nf()\nc = np.load('a')\n",
        [6],
    ),
    "a value that is printed is read by everyone": ("np.save('a', b)\nprint(np.load('a'))\n", [2]),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES.keys())
def test_where_they_wait(text: str, expected: list[int]) -> None:
    assert lines(text) == expected


KNOWN_PATH = "with open('m.tflite', 'wb') as f:\n    f.write(b)\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (KNOWN_PATH + "a = tf.lite.Interpreter(model_path='m.tflite')\n", [3]),
        (KNOWN_PATH + "p = 'm.tflite'\na = other.library.Reader(p)\n", []),
        (KNOWN_PATH + "import other.library\np = 'm.tflite'\na = other.library.Reader(p)\n", [5]),
        (KNOWN_PATH + "a = tf.lite.Interpreter(model_path='other.tflite')\n", []),
        ("a = tf.lite.Interpreter(model_path='m.tflite')\n" + KNOWN_PATH, []),
        (KNOWN_PATH + "a = os.path.basename('m.tflite')\nprint('m.tflite')\n", []),
        (KNOWN_PATH + "os.remove('m.tflite')\n", []),
        ("import shutil\nshutil.copy('a', 'b')\nm = keras.models.load_model('b')\n", [3]),
        ("import shutil\nshutil.copy('a', 'b')\nm = keras.models.load_model('a')\n", []),
        ("manager.save()\nother = tf.train.CheckpointManager(checkpoint, 'c', 3)\n", [2]),
    ],
)
def test_whoever_is_given_the_path_waits(text: str, found: list[int]) -> None:
    assert lines(text) == found


LOOP = """\
opt = keras.optimizers.SGD(0.1)
def step(x):
    with tf.GradientTape() as tape:
        loss = model(x)
    opt.apply_gradients(zip(tape.gradient(loss, w), w))
for x in data:
    step(x)
"""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("best = checkpoint.save('c')\ncheckpoint.restore(best)\n", ["best"]),
        ("best = None\nfor x in xs:\n    if x:\n        best = manager.save()\n"
         "checkpoint.restore(best)\n", ["best"]),
        ("manager.save()\ncheckpoint.restore(manager.latest_checkpoint)\n", [None]),
        ("best = checkpoint.save('c')\ncheckpoint.restore('c-1')\n", [None]),
    ],
)  # fmt: skip
def test_a_path_that_rank_zero_knows_is_told(text: str, told: list[str | None]) -> None:
    found = waits(Facts.of(HEAD.replace("model.fit(x)\n", LOOP) + text)).values()
    assert [None if path is None else ast.unparse(path) for path in found] == told


def test_what_a_program_leaves_to_one_worker_itself_is_not_waited_for() -> None:
    one = "import horovod.tensorflow as hvd\nif hvd.rank() == 0:\n    checkpoint.save('c')\n"
    assert lines(one + "if hvd.rank() == 0:\n    checkpoint.restore('c-1')\n") == []
    assert lines(one + "checkpoint.restore('c-1')\n") == [4]


@pytest.mark.parametrize("mode", ["", ", 'r'", ", 'rb'", ", mode='r'"])
@pytest.mark.parametrize("write", ["file = open('t', 'w')", "Path('t').write_text('t')"])
def test_a_file_that_is_opened_to_be_read_is_waited_for(write: str, mode: str) -> None:
    assert lines(f"{write}\nagain = open('t'{mode})\n") == [2]
    assert lines(f"{write}\nwith open('t'{mode}) as again:\n    text = again.read()\n") == [2]
    assert lines(f"{write}\nagain = open('other'{mode})\n") == []


def test_a_file_that_is_opened_to_be_written_again_is_not() -> None:
    assert lines("file = open('t', 'w')\nfile.close()\nmore = open('t', 'a')\n") == []
    assert lines("again = open('t')\nfile = open('t', 'w')\n") == []
