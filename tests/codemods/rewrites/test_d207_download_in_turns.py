"""The first worker of each machine downloads, and nobody is left waiting."""

from __future__ import annotations

import textwrap

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

HEAD = """\
import os
import shutil
import subprocess
import urllib.request
import zipfile

import gdown
import sklearn.datasets
import tensorflow as tf
import tensorflow_datasets as tfds
import transformers
import tensorflow_hub as hub
from tensorflow.keras.applications import MobileNetV2
from tensorflow import keras
import pylib

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
"""
FIT = "model.fit(pylib.x, pylib.y)\n"
BEFORE = "if hvd.local_rank() != 0:\n    hvd.broadcast(0, root_rank=0)  # wait while the machine's first worker downloads\n"
AFTER = "if hvd.local_rank() == 0:\n    hvd.broadcast(0, root_rank=0)  # now the others find it\n"
WAIT = "hvd.broadcast(0, root_rank=0)  # wait for the download\n"
COMMAND = "hvd.broadcast(0, root_rank=0)  # wait for the command\n"
UNPACKED = "hvd.broadcast(0, root_rank=0)  # wait for the unpacked files\n"


def becomes(snippet: str) -> tuple[str, list[str]]:
    """What a text between the model and its training becomes, and what notes say of it."""
    found = migrate(HEAD + textwrap.dedent(snippet).lstrip("\n") + FIT, Options())
    assert not found.blocked
    assert found.steps
    again = migrate(found.after)
    assert again.after == found.after
    after = found.after.partition("compile(optimizer")[2].partition("\n")[2]
    notes = [note.message for note in found.notes if note.code == "H01"]
    return after.partition("model.fit")[0], notes


def turn(text: str, indent: str = "") -> str:
    """The text within its turn."""
    return textwrap.indent(f"{BEFORE}{text}{AFTER}", indent)


KEPT = [
    "(x, y), _ = tf.keras.datasets.mnist.load_data()\n",
    "(x, y), _ = keras.datasets.cifar10.load_data()\n",
    "path = tf.keras.utils.get_file('a', 'https://b')\n",
    "base = MobileNetV2(include_top=False)\n",
    "base = MobileNetV2((96, 96, 3), 1.0, False, 'imagenet')\n",
    "base = tf.keras.applications.resnet50.ResNet50(weights=pylib.weights)\n",
    "ds, info = tfds.load('mnist', with_info=True)\n",
    "x = [tf.keras.utils.get_file(n, 'https://b/' + n) for n in ('a', 'b')]\n",
    "tfds.builder('mnist').download_and_prepare()\n",
    "data = sklearn.datasets.fetch_openml('mnist_784')\n",
    "size = len(tfds.load('mnist', split='train'))\n",
]


@pytest.mark.parametrize("text", KEPT)
def test_what_keeps_its_files_takes_turns(text: str) -> None:
    assert becomes(text) == (turn(text), [])


CASES = {
    "neighbours share a turn": (
        "a = tfds.load('a')\nn = 'b' + 'c'\nb = tfds.load(n)\npylib.go()\nc = tfds.load('c')\n",
        turn("a = tfds.load('a')\nn = 'b' + 'c'\nb = tfds.load(n)\n")
        + "pylib.go()\n"
        + turn("c = tfds.load('c')\n"),
    ),
    "a question whether it is there belongs to the turn": (
        "if not os.path.isfile('a'):\n    urllib.request.urlretrieve('https://b', 'a')\n",
        turn("if not os.path.isfile('a'):\n    urllib.request.urlretrieve('https://b', 'a')\n"),
    ),
    "so does what it asks to be there": (
        "try:\n    a = tfds.load('a')\nexcept OSError:\n    a = tfds.load('b')\n",
        turn("try:\n    a = tfds.load('a')\nexcept OSError:\n    a = tfds.load('b')\n"),
    ),
    "a choice takes one turn": (
        "if pylib.small:\n    a = tfds.load('a')\nelif pylib.b:\n    a = tfds.load('b')\nelse:\n    a = 1\n",
        turn(
            "if pylib.small:\n    a = tfds.load('a')\nelif pylib.b:\n    a = tfds.load('b')\nelse:\n    a = 1\n"
        ),
    ),
    "a loop takes one turn": (
        "for n in pylib.names:\n    a[n] = tfds.load(n)\n",
        turn("for n in pylib.names:\n    a[n] = tfds.load(n)\n"),
    ),
    "in a function": (
        "def load():\n    a = tfds.load('a')\n    return a\na = load()\n",
        "def load():\n" + turn("a = tfds.load('a')\n", "    ") + "    return a\na = load()\n",
    ),
    "what is returned is named": (
        "def load():\n    return tfds.load('a')['train']\na = load()\n",
        "def load():\n"
        + turn("downloaded = tfds.load('a')['train']\n", "    ")
        + "    return downloaded\na = load()\n",
    ),
    "what is printed is named before": (
        "print(tfds.load('a'))\n",
        turn("result = tfds.load('a')\n") + "if hvd.rank() == 0:\n    print(result)\n",
    ),
    "in a block": (
        "with tf.device('/cpu:0'):\n    a = tfds.load('a')\n",
        "with tf.device('/cpu:0'):\n" + turn("a = tfds.load('a')\n", "    "),
    ),
    "what downloads each time is for one alone": (
        "urllib.request.urlretrieve('https://b', 'a')\n",
        "if hvd.local_rank() == 0:\n    urllib.request.urlretrieve('https://b', 'a')\n" + WAIT,
    ),
    "a program that downloads": (
        "os.system('wget https://b')\nos.system('ls')\n",
        "if hvd.local_rank() == 0:\n    os.system('wget https://b')\n" + WAIT + "os.system('ls')\n",
    ),
    "outside of a condition all wait": (
        "if pylib.download:\n    gdown.download('https://b', 'a')\n",
        "if pylib.download and hvd.local_rank() == 0:\n    gdown.download('https://b', 'a')\n"
        + WAIT,
    ),
    "an archive is unpacked by one alone": (
        "with zipfile.ZipFile('a.zip') as archive:\n    archive.extractall('a')\n",
        "with zipfile.ZipFile('a.zip') as archive:\n    if hvd.local_rank() == 0:\n"
        "        archive.extractall('a')\n    " + UNPACKED,
    ),
    "so are those of other libraries and programs": (
        "shutil.unpack_archive('a.zip', 'a')\nos.system('unzip -q b.zip')\n"
        "os.system('tar xzf c.tgz')\nos.system('tar czf d.tgz a')\n",
        "if hvd.local_rank() == 0:\n    shutil.unpack_archive('a.zip', 'a')\n"
        + UNPACKED
        + "if hvd.local_rank() == 0:\n    os.system('unzip -q b.zip')\n"
        + UNPACKED
        + "if hvd.local_rank() == 0:\n    os.system('tar xzf c.tgz')\n"
        + UNPACKED
        + "if hvd.rank() == 0:\n    os.system('tar czf d.tgz a')\n"
        + COMMAND,
    ),
    "what asks for the folder shares the turn of its download": (
        "if not os.path.exists('a.zip'):\n    urllib.request.urlretrieve('https://b', 'a.zip')\n"
        "if not os.path.isdir('a'):\n    zipfile.ZipFile('a.zip').extractall('a')\n",
        turn(
            "if not os.path.exists('a.zip'):\n"
            "    urllib.request.urlretrieve('https://b', 'a.zip')\n"
            "if not os.path.isdir('a'):\n    zipfile.ZipFile('a.zip').extractall('a')\n"
        ),
    ),
    "a command that changes files is rank 0's": (
        "os.system('mkdir d')\nsubprocess.run(['mv', 'a', 'b'], check=True)\n",
        "if hvd.rank() == 0:\n    os.system('mkdir d')\n"
        + COMMAND
        + "if hvd.rank() == 0:\n    subprocess.run(['mv', 'a', 'b'], check=True)\n"
        + COMMAND,
    ),
    "so is one that nobody can tell": (
        "subprocess.check_call(pylib.command)\n",
        "if hvd.rank() == 0:\n    subprocess.check_call(pylib.command)\n" + COMMAND,
    ),
    "what is installed is for a machine": (
        "os.system('pip install -q a')\n",
        "if hvd.local_rank() == 0:\n    os.system('pip install -q a')\n" + COMMAND,
    ),
    "into a folder that rank 0 makes, rank 0 downloads": (
        "os.makedirs('d')\nurllib.request.urlretrieve('https://b', os.path.join('d', 'a'))\n",
        "if hvd.rank() == 0:\n    os.makedirs('d')\n"
        "    urllib.request.urlretrieve('https://b', os.path.join('d', 'a'))\n" + WAIT,
    ),
    "or by a name, and by a command": (
        "d = pylib.folder\nos.mkdir(d)\nos.system('wget -P ' + d + ' https://b')\n",
        "d = pylib.folder\nif hvd.rank() == 0:\n    os.mkdir(d)\n"
        "    os.system('wget -P ' + d + ' https://b')\n" + WAIT,
    ),
    "one file of an archive": (
        "with zipfile.ZipFile('a.zip') as archive:\n    for n in archive.namelist():\n"
        "        archive.extract(n, 'a')\n",
        "with zipfile.ZipFile('a.zip') as archive:\n    for n in archive.namelist():\n"
        "        if hvd.local_rank() == 0:\n            archive.extract(n, 'a')\n    " + UNPACKED,
    ),
    "and behind a loop, once": (
        "for n in pylib.names:\n    gdown.download(n, 'a')\n    gdown.download(n, 'b')\n",
        "for n in pylib.names:\n    if hvd.local_rank() == 0:\n"
        "        gdown.download(n, 'a')\n        gdown.download(n, 'b')\n" + WAIT,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_it_stands_where_all_pass(name: str) -> None:
    before, after = CASES[name]
    assert becomes(before) == (after, [])


@pytest.mark.parametrize("given", ["extract=True", "extract=pylib.all", "**pylib.options"])
def test_who_extracts_an_archive_again_is_waited_for(given: str) -> None:
    text = f"path = keras.utils.get_file('a.tgz', 'https://b', {given})\n"
    again = "hvd.broadcast(0, root_rank=0)  # each of them extracts it again\n"
    assert becomes(text) == (turn(text) + again, [])
    once = text.replace(given, "extract=False, untar=True")
    assert becomes(once) == (turn(once), [])


UNTOUCHED = [
    "base = MobileNetV2(weights=None)\n",
    "base = MobileNetV2((96, 96, 3), 1.0, False, None)\n",
    "base = MobileNetV2(weights='mine.h5')\n",
    "ds = tfds.load('mnist', download=False)\n",
    "path, _ = urllib.request.urlretrieve('https://b')\n",
    "layer = hub.KerasLayer('https://tfhub.dev/a/1')\n",
    "bert = transformers.TFBertModel.from_pretrained('bert-base-uncased')\n",
    "data = pylib.load_data()\n",
    "os.system('nvidia-smi')\n",
    "subprocess.run(['git', 'log', '-1'])\nout = subprocess.check_output('ls -l', shell=True)\n",
    "os.system('mkdir -p d/e')\n",
    "(x, y) = tf.keras.datasets.mnist\n",
    "import tempfile\nzipfile.ZipFile('a.zip').extractall(tempfile.mkdtemp())\n",
    "names = zipfile.ZipFile('a.zip').namelist()\n",
    "def extractall(a):\n    return a\nx = extractall('a')\n",
    "import tempfile\ngdown.download('https://b', tempfile.mkdtemp() + '/a')\n",
]


@pytest.mark.parametrize("text", UNTOUCHED)
def test_what_downloads_nothing_or_locks_its_cache_stays(text: str) -> None:
    assert becomes(text) == (text, [])


LEFT = {
    "a lambda": "load = lambda: tfds.load('a')\n",
    "a generator": "all = (tfds.load(n) for n in pylib.names)\n",
    "a generator function": "def all():\n    yield tfds.load('a')\n",
    "what a dataset calls": (
        "def read(name):\n    return tf.keras.utils.get_file('a', name)\n"
        "names = pylib.names.map(read)\n"
    ),
    "a value that only a new download gives": "path = gdown.download('https://b', 'a')\n",
    "an archive whose unpacking gives a value": "all = zipfile.ZipFile('a').extractall('b')\n",
    "arguments that all have to evaluate": "gdown.download(next(pylib.urls), 'a')\n",
    "a way out of the condition": (
        "def load():\n    if not os.path.exists('a'):\n"
        "        urllib.request.urlretrieve('https://b', 'a')\n        return None\n    return 1\n"
        "load()\n"
    ),
    "who raises and goes on in a function that may leave": (
        "def load():\n    try:\n        return tfds.load('a')\n    except OSError:\n        return None\n"
        "a = load()\n"
    ),
    "each worker's own decision": "import random\nwhile random.random() < 0.5:\n    a = tfds.load('a')\n    if a:\n        break\n    model.fit(a)\n",
}


@pytest.mark.parametrize("name", LEFT)
def test_where_nobody_can_wait_it_is_noted(name: str) -> None:
    found = migrate(HEAD + LEFT[name] + FIT, Options(unsound=True))
    assert [n for n in (*found.notes, *found.blocked) if n.code == "H01"]
    assert BEFORE not in found.after
    assert WAIT not in found.after


def test_no_turn_stands_within_another() -> None:
    """Who waits in the inner one would wait for a worker that waits in the outer one."""
    text = "def make(a):\n    b = tfds.load('b')\n    return b\nx = make(tfds.load('a'))\n"
    after, notes = becomes(text)
    assert after.startswith("def make(a):\n" + turn("b = tfds.load('b')\n", "    "))
    assert after.endswith("x = make(tfds.load('a'))\n")
    assert len(notes) == 1


def test_nor_around_a_wait_for_a_file_of_rank_zero() -> None:
    text = """
        import numpy as np
        def keep(x):
            np.save("x.npy", x)
            return np.load("x.npy")
        x = keep(tfds.load("a"))
        """
    after, notes = becomes(text)
    assert 'x = keep(tfds.load("a"))\n' in after
    assert BEFORE not in after
    assert len(notes) == 1


def test_data_that_is_trained_on_in_the_same_statement_is_noted() -> None:
    found = migrate(HEAD + "model.fit(tfds.load('a'))\n")
    assert BEFORE not in found.after


def test_a_program_that_takes_turns_itself_is_left_alone() -> None:
    text = (
        HEAD + "import horovod.tensorflow.keras as hvd\nhvd.init()\n" + turn("x = tfds.load('a')\n")
    )
    found = migrate(text + FIT)
    assert found.after.count("local_rank() != 0") == 1
    own = text.replace("'a'", "'a%d' % hvd.rank()").replace(BEFORE, "").replace(AFTER, "")
    assert BEFORE not in migrate(own + FIT).after


SESSION = """\
{}
x = tf.placeholder(tf.float32, [None, 3])
train = tf.train.AdamOptimizer(0.1).minimize(tf.get_variable("w", []) * x)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for step in range(9):
    sess.run(train, {{x: data.train.next_batch(8)}})
"""
V1, TF = "import tensorflow.compat.v1 as tf\n", "import tensorflow as tf\n"
TUTORIALS = "from tensorflow.examples.tutorials.mnist import input_data\n"


@pytest.mark.parametrize(
    ("imports", "call"),
    [
        (V1, "tf.keras.datasets.mnist.load_data()"),
        (V1, "tf.keras.utils.get_file('a', 'https://b')"),
        (TF, "tf.keras.datasets.mnist.load_data()"),
        (TF + TUTORIALS, "input_data.read_data_sets('a')"),
        (TF + "import input_data\n", "input_data.read_data_sets('a')"),
        (TF, "tf.contrib.learn.datasets.load_dataset('mnist')"),
    ],
)
def test_in_a_session_nobody_can_wait_and_a_note_says_so(imports: str, call: str) -> None:
    """`hvd.broadcast(0, root_rank=0)` fails in a graph: a number has no name."""
    found = migrate(SESSION.format(f"{imports}data = {call}"))
    assert found.blocked == ()
    assert f"\ndata = {call}\n" in found.after
    assert "hvd.broadcast(" not in found.after
    (remark,) = (each for each in found.notes if each.code == "H01")
    assert "each over what the others wrote" in remark.message
    assert remark.fix == "run the script once on one worker before"


def test_in_a_session_an_archive_is_said_to_be_unpacked() -> None:
    call = "import shutil\nshutil.unpack_archive('a.zip', 'b')\ndata = input_data.read()"
    found = migrate(SESSION.format(TF + "import input_data\n" + call))
    assert [n.message[:28] for n in found.notes if n.code == "H01"] == [
        "every worker unpacks this to"
    ]
