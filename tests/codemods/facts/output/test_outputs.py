"""Which calls only rank 0 should make."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.output.file_paths import is_path
from distify.codemods.facts.output.outputs import (
    gives_a_path,
    is_file_write,
    is_image,
    is_output,
    is_plain_open,
    opened_to_write,
)

HEAD = """\
import bz2, codecs, csv, gzip, io, lzma, os, pathlib, pickle, sys, tempfile, yaml
from pathlib import Path
import h5py
import numpy as np
import tensorflow as tf
from tensorflow import keras
from PIL import Image

model = keras.Sequential([])
checkpoint = tf.train.Checkpoint(model=model)
manager = tf.train.CheckpointManager(checkpoint, "ckpt", 3)
plain = open("log.txt", "w")
rows = csv.writer(plain)
table = csv.DictWriter(plain, ["a"])
picture = Image.open("a.png").resize((9, 9))
read = open("data.txt")
frame = load_frame()
"""


def last(text: str) -> tuple[Facts, ast.expr]:
    """The facts of a text and the expression of its last statement, at whatever depth."""
    facts = Facts.of(HEAD + text)
    statements = [node for node in ast.walk(facts.module) if isinstance(node, ast.Expr)]
    return facts, max(statements, key=lambda node: node.lineno).value


def call(text: str) -> tuple[Facts, ast.Call]:
    facts, found = last(text)
    assert isinstance(found, ast.Call)
    return facts, found


FUNCTIONS = """
builtins: print
pprint: pprint pp
rich: print
sys.stdout: write writelines flush
sys.stderr: write writelines flush
tqdm: write
tqdm.tqdm: write
tensorflow: print
tensorflow.io: write_file write_graph
tensorflow.io.gfile: remove rmtree
tensorflow.saved_model: save
tensorflow.summary: trace_on trace_off trace_export
tensorflow.profiler.experimental: start stop
tensorflow.keras.models: save_model
tensorflow.keras.saving: save_model
tensorflow.keras.utils: plot_model save_img
tensorflow.keras.preprocessing.image: save_img
matplotlib.pyplot: savefig show imsave
pylab: savefig show imsave
numpy: save savez savez_compressed savetxt
json: dump
pickle: dump
cloudpickle: dump
dill: dump
joblib: dump
scipy.io: savemat
scipy.io.wavfile: write
soundfile: write
imageio: imsave imwrite mimsave mimwrite
imageio.v2: imsave imwrite mimsave mimwrite
imageio.v3: imwrite
skimage.io: imsave
scipy.misc: imsave
cv2: imshow imwrite
os: remove rename replace rmdir unlink
shutil: make_archive move rmtree
"""
NAMES = [
    f"{module}.{name}"
    for module, _, names in (line.partition(": ") for line in FUNCTIONS.strip().splitlines())
    for name in names.split()
]


@pytest.mark.parametrize("name", NAMES)
def test_a_function_that_writes(name: str) -> None:
    assert is_output(*call(f"import {name.rpartition('.')[0]}\n{name}(a, b)"))


METHODS = [
    *(f"model.{name}(a)" for name in ("summary", "save", "save_weights", "export")),
    *(f"checkpoint.{name}(a)" for name in ("save", "write")),
    "manager.save()",
    *(f"frame.to_{kind}(a)" for kind in ["csv", "excel", "feather", "hdf", "parquet", "pickle"]),
    *(f"thing.{name}(a)" for name in ("savefig", "save_weights", "save_pretrained", "tofile")),
    "Path(a).write_text(b)",
    "Path(a).write_bytes(b)",
    "picture.save(a)",
    "keras.utils.array_to_img(a).save(b)",
    "keras.preprocessing.image.array_to_img(a).save(b)",
    "yaml.dump(a, b)",
    "yaml.safe_dump(a, stream=b)",
    "os.makedirs(a)",
    "os.mkdir(a)",
    "class M(keras.Model):\n    def f(self):\n        self.save(a)",
    "class C(keras.callbacks.Callback):\n    def f(self):\n        self.model.save(a)",
    "class C(keras.callbacks.Callback):\n    def f(self):\n"
    "        self.model.get_layer('decoder').save(a)",
    "decoder = model.get_layer('decoder')\ndecoder.save(a)",
]


@pytest.mark.parametrize("text", METHODS)
def test_a_method_that_writes(text: str) -> None:
    assert is_output(*call(text))


NO_OUTPUTS = [
    "thing.save(a)",
    "thing.summary()",
    "model.evaluate(a)",
    "checkpoint.restore(a)",
    "manager.restore_or_initialize()",
    "np.load(a)",
    "yaml.dump(a)",  # gives a text
    "yaml.safe_dump(a, indent=2)",
    "read.write(a)",
    "model.save(tempfile.mkdtemp())",
    "folder = tempfile.TemporaryDirectory()\nmodel.save(os.path.join(folder.name, 'a'))",
    "np.save(tempfile.mktemp(), a)",
    "print(a, file=tempfile.NamedTemporaryFile())",
    "os.makedirs(a, exist_ok=True)",
    "os.makedirs(a, 0o777, True)",
    "if not os.path.exists(a):\n    os.makedirs(a)",
    "if not os.path.isdir(a):\n    os.mkdir(a)",
    "if not tf.io.gfile.exists(a):\n    os.mkdir(a)",
    "if not tf.io.gfile.isdir(a):\n    os.mkdir(a)",
    "if not Path(a).exists():\n    os.mkdir(a)",
    "if not Path(a).is_dir():\n    os.mkdir(a)",
    "try:\n    os.makedirs(a)\nexcept OSError:\n    pass",
    "class T:\n    def savefig(self, a): ...\nT().savefig(a)",
    "class T:\n    def f(self):\n        self.model.save(a)",
    "load_frame().get_layer('decoder').save(a)",
    "class C(keras.callbacks.Callback):\n    def f(self):\n        self.other.save(a)",
    "class T:\n    def to_csv(self, a): ...\nthing.to_csv(a)",
]


@pytest.mark.parametrize("text", NO_OUTPUTS)
def test_what_every_worker_may_do(text: str) -> None:
    assert not is_output(*call(text))


@pytest.mark.parametrize(
    "text",
    [
        "try:\n    os.makedirs(a)\nfinally:\n    b = 1",  # handles nothing
        "if a:\n    os.makedirs(a)",
        "if f(a):\n    os.makedirs(a)",
        "model.save(os.path.join(gettempdir(), 'a'))",
    ],
)
def test_what_looks_like_a_precaution_and_is_none(text: str) -> None:
    assert is_output(*call(text))


@pytest.mark.parametrize("maker", ["mkdtemp", "mkstemp", "mktemp", "NamedTemporaryFile"])
@pytest.mark.parametrize(
    "use",
    ["keras.models.save_model(model, {})", "pickle.dump(a, {})", "frame.to_csv({})"],
)
def test_a_temporary_file_is_each_workers_own(maker: str, use: str) -> None:
    assert not is_output(*call(use.format(f"tempfile.{maker}()")))
    assert not is_output(*call(f"own = tempfile.{maker}()\n" + use.format("own")))


@pytest.mark.parametrize("module", ["", "io.", "codecs.", "gzip.", "bz2.", "lzma."])
@pytest.mark.parametrize("mode", ["w", "wb", "a", "x", "r+"])
def test_a_file_opened_to_write(module: str, mode: str) -> None:
    assert opened_to_write(*last(f"{module}open(a, '{mode}')"))
    assert opened_to_write(*last(f"{module}open(a, mode='{mode}')"))
    assert is_plain_open(*last(f"{module}open(a, '{mode}')")) is (mode not in ("x", "r+"))


@pytest.mark.parametrize(
    "text",
    [
        "Path(a).open('w')",
        "h5py.File(a, 'w')",
        "tf.io.gfile.GFile(a, 'w')",
        "tf.gfile.GFile(a, 'w')",
    ],
)
def test_a_file_for_which_the_null_device_is_no_stand_in(text: str) -> None:
    assert opened_to_write(*last(text))
    assert not is_plain_open(*last(text))


@pytest.mark.parametrize(
    "text",
    [
        "open(a)",
        "open(a, 'rb')",
        "open(a, mode)",
        "open(tempfile.mktemp(), 'w')",
        "connect(a, 'w')",
        "os.open(a, 'w')",
        "'w'",
        "Path(a).open()",
    ],
)
def test_a_file_that_is_not_opened_to_write(text: str) -> None:
    assert not opened_to_write(*last(text))
    assert not is_plain_open(*last(text))


@pytest.mark.parametrize("method", ["write", "writelines", "flush", "close"])
def test_a_write_to_a_file_opened_here(method: str) -> None:
    for opened in ("open(a, 'x')", "Path(a).open('w')"):
        facts, found = call(f"file = {opened}\nfile.{method}(b)")
        assert is_file_write(facts, found.func)
        assert not is_output(facts, found)  # whoever opens it writes: both, or neither


@pytest.mark.parametrize(
    "text",
    ["rows.writerow(a)", "rows.writerows(a)", "table.writeheader()", "plain.write(a)"],
)
def test_a_write_that_the_null_device_swallows_needs_no_guard(text: str) -> None:
    facts, found = call(text)
    assert is_file_write(facts, found.func)
    assert not is_output(facts, found)


@pytest.mark.parametrize(
    "text", ["read.write(a)", "rows.seek(a)", "csv.reader(plain).write(a)", "file.write(a)"]
)
def test_no_write_to_a_file_opened_here(text: str) -> None:
    facts, found = call(text)
    assert not is_file_write(facts, found.func)


def test_a_file_that_may_be_another_one_is_not_known_to_be_written() -> None:
    text = "file = open(a, 'x')\nif b:\n    file = connect()\nfile.write(c)"
    facts, found = call(text)
    assert not is_file_write(facts, found.func)


@pytest.mark.parametrize(
    "text",
    [
        "Path(a)",
        "pathlib.PosixPath(a)",
        "pathlib.WindowsPath(a)",
        "pathlib.PurePath(a)",
        "Path(a) / b",
        "Path.home()",
        "Path(a).parent",
        "p = Path(a)\np",
        "p = Path(a) / b\np.joinpath(c)",
        *(
            f"Path(a).{name}()"
            for name in ["resolve", "absolute", "expanduser", "with_suffix", "with_name", "cwd"]
        ),
    ],
)
def test_a_path(text: str) -> None:
    assert is_path(*last(text))


@pytest.mark.parametrize(
    "text",
    ["a", "a / b", "Path(a).name", "Path(a).read_text()", "os.path.join(a)", "p = p\np", "thing.parent"],
)  # fmt: skip
def test_no_path(text: str) -> None:
    assert not is_path(*last(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("picture", True),
        ("picture.convert('L').crop(a)", True),
        ("image = a\nimage = keras.utils.array_to_img(image)\nimage", True),
        ("Image.fromarray(a)", True),
        ("a", False),
        ("np.zeros(3)", False),
        ("a = b\nb = a\na", False),
    ],
)
def test_an_image_of_pillow(text: str, expected: bool) -> None:
    assert is_image(*last(text)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("checkpoint.save(a)", True),
        ("manager.save()", True),
        ("model.save(a)", False),
        ("save(a)", False),
    ],
)
def test_what_gives_the_path_of_a_checkpoint(text: str, expected: bool) -> None:
    assert gives_a_path(*call(text)) is expected


@pytest.mark.parametrize(
    ("text", "is_left"),
    [
        ("shutil.copy('a', 'b')", True),
        ("shutil.copytree(src='a', dst='b')", True),
        ("shutil.copyfile('a', tempfile.mkdtemp() + '/b')", False),  # staged, by every worker
        ("shutil.copy2(mine + '/a', mine + '/b')", True),  # rank 0 alone wrote it
        ("shutil.copymode('a', 'b')", False),
    ],
)
def test_copies_are_of_rank_zero(text: str, is_left: bool) -> None:
    assert is_output(*call("import shutil\nmine = tempfile.mkdtemp()\n" + text)) is is_left


@pytest.mark.parametrize(
    "opened", ["imageio.get_writer('a.gif')", "cv2.VideoWriter('a.avi', 1, 2)"]
)
def test_films_are_written_by_one(opened: str) -> None:
    facts, found = last(f"import cv2, imageio\nfilm = {opened}\nfilm.append_data(x)\n")
    assert isinstance(found, ast.Call)
    assert is_file_write(facts, found.func)
    (film,) = facts.calls_of("imageio.get_writer", "cv2.VideoWriter")
    assert opened_to_write(facts, film)
    assert not is_plain_open(facts, film)
