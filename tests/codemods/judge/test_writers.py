"""Who writes which file, and who waits for it: what is proved, what isn't, what a rule mends."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.questions import QUESTIONS
from distify.codemods.judge import writers
from distify.codemods.judge.case import Case
from distify.codemods.migrate import migrate
from distify.codemods.model import Options

HEAD = """\
import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
import urllib.request
import uuid
import zipfile
import contextlib
import cv2
import glob
import pylib
import horovod.tensorflow as hvd
import h5py
import numpy as np
import pandas as pd
import tensorflow as tf
hvd.init()
"""
LINES = HEAD.count("\n")
WAIT = "hvd.broadcast(0, root_rank=0)\n"
ZERO, FIRST = "if hvd.rank() == 0:\n    ", "if hvd.local_rank() == 0:\n    "
IN_TURNS = f"if hvd.local_rank() != 0:\n    {WAIT}%sif hvd.local_rank() == 0:\n    {WAIT}"


def lines_told(text: str) -> list[int]:
    """The lines of a result, counted behind its imports, at which something isn't proved."""
    text = HEAD + text
    facts = Facts.of(text)
    case = Case({"a.py": text}, {"a.py": ""}, "a.py", Options(), QUESTIONS, lambda: facts)
    return sorted(p.line - LINES for p in writers.prove(case) if not p.holds)


SAVER = "saver = tf.compat.v1.train.Saver()\n"
SOUND = {
    "all wait for a session's checkpoint": f"{SAVER}{ZERO}saver.save(sess, 'm/a')\n{WAIT}saver.restore(sess, 'm/a')\n",
    "another checkpoint": f"{SAVER}{ZERO}saver.save(sess, 'm/a')\nsaver.restore(sess, 'old/a')\n",
    "nothing is written": "x = np.load('x.npy')\nprint(open('a').read())\n",
    "rank 0 takes away what all make again": f"import shutil\n{ZERO}shutil.rmtree('d')\ntf.io.gfile.makedirs('d')\n",
    "rank 0 writes": f"{ZERO}np.save('a.npy', 1)\n",
    "a worker without a number before it leaves": "def f():\n    if hvd.rank() != 0:\n        return\n    np.save('a.npy', 1)\nf()\n",
    "by a name for the test": "chief = hvd.rank() == 0 and True\nif chief:\n    os.remove('a')\n",
    "in a function that rank 0 alone calls": f"def f():\n    np.save('a.npy', 1)\n{ZERO}f()\n",
    "in one of one that it calls": f"def g():\n    os.remove('a')\ndef f():\n    g()\n{ZERO}f()\n",
    "in a class that it makes": f"class A:\n    def on_epoch_end(self, epoch, logs=None):\n        np.save('a.npy', 1)\n{ZERO}a = A()\n",
    "in a ring of functions that rank 0 calls": f"def f(n):\n    os.remove('a')\n    g(n - 1)\ndef g(n):\n    f(n)\n{ZERO}f(1)\n",
    "a choice": "x = np.save('a.npy', 1) if hvd.rank() == 0 else None\n",
    "nowhere on the others": "f = open('a.txt' if hvd.rank() == 0 else os.devnull, 'w')\n",
    "by a name": "path = 'a.txt' if hvd.rank() == 0 else os.devnull\nf = open(path, 'w')\n",
    "a path by number": "np.save(f'part-{hvd.rank()}.npy', 1)\n",
    "by a name, in a folder": "path = os.path.join('d', str(hvd.rank()) + '.npy')\nnp.save(path, 1)\n",
    "a temporary folder": "d = tempfile.mkdtemp()\nnp.save(os.path.join(d, 'a'), 1)\nshutil.rmtree(d)\n",
    "of a `with`": "with tempfile.TemporaryDirectory() as d:\n    open(d + '/a', 'w').write('')\n",
    "a name that nobody else has": "np.save(f'{uuid.uuid4()}.npy', 1)\n",
    "a temporary download": "path, _ = urllib.request.urlretrieve('https://a')\n",
    "a buffer": "import io\nb = io.BytesIO()\nnp.save(b, 1)\n",
    "a file of rank 0's": f"{ZERO}with open('a', 'wb') as f:\n        np.save(f, 1)\n",
    "folders that may be there": "os.makedirs('d', exist_ok=True)\npathlib.Path('e').mkdir(exist_ok=True)\n",
    "and rank 0 writes into them": f"pathlib.Path('d').mkdir(exist_ok=True)\n{ZERO}np.save('d/a.npy', 1)\n",
    "an empty file": "open('a', 'w').close()\n",
    "one whose error is taken": "try:\n    os.mkdir('d')\nexcept FileExistsError:\n    pass\n",
    "what may be gone": "with contextlib.suppress(FileNotFoundError):\n    os.remove('a')\n",
    "a tree that may be gone": "shutil.rmtree('d', ignore_errors=True)\n",
    "a command that looks": "os.system('nvidia-smi 2>/dev/null | head -3')\nout = subprocess.check_output(['git', 'log', '-1'])\n",
    "or makes a folder that may be there": "subprocess.run(['mkdir', '-p', 'd'])\n",
    "one of rank 0's": f"{ZERO}os.system('rm -rf d')\n{WAIT}x = np.load('d/x.npy')\n",
    "a download of one of each machine": f"{FIRST}urllib.request.urlretrieve('https://a', 'a')\n{WAIT}x = np.load('a')\n",
    "what asks for a file, in turns": IN_TURNS % "if not os.path.exists('a'):\n    urllib.request.urlretrieve('https://a', 'a')\n",
    "and all read it behind that": IN_TURNS % "if not os.path.exists('a'):\n    urllib.request.urlretrieve('https://a', 'a')\n" + "x = np.load('a')\n",
    "the archive of a folder that is asked for": IN_TURNS % "if not os.path.isdir('d'):\n    urllib.request.urlretrieve('https://a', 'a.zip')\n    zipfile.ZipFile('a.zip').extractall('d')\n" + "x = np.load('d/x.npy')\n",
    "where it is not there": IN_TURNS % "if os.path.exists('a'):\n    print(1)\nelse:\n    urllib.request.urlretrieve('https://a', 'a')\n" + "x = np.load('a')\n",
    "by a path that has a name": "p = pathlib.Path('d') / 'a.npy'\n" + IN_TURNS % "if not p.exists():\n    urllib.request.urlretrieve('https://a', p)\n" + "x = np.load(p)\n",
    "downloads of a library": IN_TURNS % "(x, y), _ = tf.keras.datasets.mnist.load_data()\n",
    "one of each machine writes what all of it read": f"{FIRST}np.save('/tmp/a.npy', 1)\n{WAIT}x = np.load('/tmp/a.npy')\n",
    "rank 0's, that it reads itself": f"{ZERO}np.save('/tmp/a.npy', 1)\n{ZERO}x = np.load('/tmp/a.npy')\n",
    "written, waited for, read": f"{ZERO}np.save('a.npy', 1)\n{WAIT}x = np.load('a.npy')\n",
    "read by rank 0 itself": f"{ZERO}np.save('a.npy', 1)\n{ZERO}x = np.load('a.npy')\n",
    "another file is read": f"{ZERO}np.save('a.npy', 1)\nx = np.load('b.npy')\n",
    "in another folder": f"{ZERO}np.save('d/' + name, 1)\nx = np.load('e/' + name)\n",
    "read before, and a step between": "x = np.load('a.npy')\n" f"{WAIT}{ZERO}np.save('a.npy', 1)\n",
    "where it may go on": f"if os.path.exists('w'):\n    x = np.load('w')\nfor _ in range(9):\n    hvd.allreduce(1)\n{ZERO}np.save('w', 1)\n",
    "the wait is in a function": f"def wait():\n    {WAIT}{ZERO}np.save('a.npy', 1)\nwait()\nx = np.load('a.npy')\n",
    "a folder that all make, own files in it": "os.makedirs('d', exist_ok=True)\nnp.save(f'd/{hvd.rank()}.npy', 1)\n",
    "outside code that gives a text": "import yaml\ntext = yaml.dump({'a': 1})\nx = pylib.write_all('a b')\n",
    "a function of its own that is called so": "def save(path):\n    print(path)\nsave('a.npy')\n",
    "another kind of file is listed": f"{ZERO}np.save('d/a.npy', 1)\nx = glob.glob('d/*.csv')\n",
    "own files beside one of rank 0's": f"np.save(f'd/{{hvd.rank()}}.npy', 1)\n{ZERO}np.save('d/all.npy', 1)\n",
}  # fmt: skip

BAD = {
    "a session's checkpoint": (f"{SAVER}{ZERO}saver.save(sess, 'm/a')\nsaver.restore(sess, 'm/a')\n", [4]),
    "the last one": (f"{SAVER}{ZERO}saver.save(sess, 'm/a')\ns = tf.compat.v1.train.latest_checkpoint('m')\n", [4]),
    "all write": ("np.save('a.npy', 1)\n", [1]),
    "a file": ("with open('a', 'w') as f:\n    f.write('')\n", [1]),
    "by a mode that has a name": ("mode = 'a'\nf = open('a', mode)\n", [2]),
    "a frame": ("pd.DataFrame().to_csv('a.csv')\n", [1]),
    "numbers of a file": ("with h5py.File('a.h5', 'w') as f:\n    f['a'] = 1\n", [1]),
    "a path object": ("p = pathlib.Path('a') / 'b'\np.write_text('')\n", [2]),
    "by the name of outside code": ("pylib.save(1, 'a.onnx')\npylib.f().to_html('a.html')\n", [1, 2]),
    "which puts them together": ("pylib.export(model, os.path.join(d, 'model'))\n", [1]),
    "a film": ("v = cv2.VideoWriter('a.mp4', 0, 20, (8, 8))\n", [1]),
    "rank 0 writes, outside code reads": (f"{ZERO}pylib.save(1, 'a.bin')\nx = pylib.session('a.bin')\n", [3]),
    "by a path that is put together": (
        f"path = os.path.join(d, 'a')\n{ZERO}pylib.save(1, path)\nx = pylib.session(path)\n",
        [4],
    ),
    "a pattern that it is like": (f"{ZERO}np.save('d/a.npy', 1)\nx = glob.glob('d/*.npy')\n", [3]),
    "all remove": ("os.remove('a')\nshutil.rmtree('b')\n", [1, 2]),
    "rank 0 takes away what the others make": (
        f"{ZERO}shutil.rmtree('d')\nif hvd.rank() > 0:\n    tf.io.gfile.makedirs('d')\n",
        [4],
    ),
    "rank 0 takes away where each writes its own": (
        f"{ZERO}shutil.rmtree('d')\ntf.io.gfile.makedirs('d')\nnp.save(f'd/{{hvd.rank()}}.npy', 1)\n",
        [4],
    ),
    "all move": ("os.rename('a', 'b')\n", [1, 1]),
    "what others are given to remove": ("list(map(os.remove, ['a', 'b']))\n", [1]),
    "all make a new folder": ("os.makedirs('a')\n", [1]),
    "all ask for it at once": (
        "if not os.path.exists('a'):\n    urllib.request.urlretrieve('https://a', 'a')\n",
        [2],
    ),
    "all unpack": ("zipfile.ZipFile('a').extractall('d')\n", [1]),
    "one by one": ("a = tarfile.open('a')\nfor n in a.getnames():\n    a.extract(n, 'd')\n", [3]),
    "all run a command": ("os.system('rm -rf d')\n", [1]),
    "a list of words": ("subprocess.run(['mv', 'a', 'b'], check=True)\n", [1]),
    "one that nobody can tell": ("subprocess.Popen(command)\n", [1]),
    "output that goes to a file": ("os.system('ls > files.txt')\n", [1]),
    "in a function that all call": (f"def f():\n    np.save('a.npy', 1)\n{ZERO}f()\nf()\n", [2]),
    "in a ring of functions, of which all call one": (
        f"def f(n):\n    os.remove('a')\n    g(n - 1)\ndef g(n):\n    f(n)\n{ZERO}f(1)\ng(2)\n",
        [2],
    ),
    "in a class that all make": (
        "class A:\n    def on_epoch_end(self, epoch, logs=None):\n        np.save('a.npy', 1)\na = A()\n",
        [3],
    ),
    "all but rank 0": ("if hvd.rank() > 0:\n    np.save('a.npy', 1)\n", [2]),
    "two paths for many": ("np.save('a' if hvd.rank() == 0 else 'b', 1)\n", [1]),
    "numbers of a machine": ("np.save(f'{hvd.local_rank()}.npy', 1)\n", [1]),
    "a download in turns that asks for nothing": (
        IN_TURNS % "urllib.request.urlretrieve('https://a', 'a')\n",
        [3],
    ),
    "one that may be asked for again": (
        IN_TURNS
        % "if again or not os.path.exists('a'):\n    urllib.request.urlretrieve('https://a', 'a')\n"
        + "x = np.load('a')\n",
        [7],
    ),
    "one that is got anew where it is there": (
        IN_TURNS % "if os.path.exists('a'):\n    urllib.request.urlretrieve('https://a', 'a')\n"
        + "x = np.load('a')\n",
        [7],
    ),
    "one that asks for another file": (
        IN_TURNS % "if not os.path.exists('b'):\n    urllib.request.urlretrieve('https://a', 'a')\n"
        + "x = np.load('a')\n",
        [7],
    ),
    "a download in turns that asks for nothing, and is read": (
        IN_TURNS % "urllib.request.urlretrieve('https://a', 'a')\n" + "x = np.load('a')\n",
        [3],
    ),
    "read before it is written": (f"{ZERO}np.save('a.npy', 1)\nx = np.load('a.npy')\n", [3]),
    "through a table": (f"{ZERO}pd.DataFrame().to_parquet('a')\nx = pd.read_parquet('a')\n", [3]),
    "its folder is listed": (f"{ZERO}np.save('d/a.npy', 1)\nx = os.listdir('d')\n", [3]),
    "by the same name": (
        f"path = os.path.join(d, 'a')\n{ZERO}np.save(path, 1)\nx = np.load(path)\n",
        [4],
    ),
    "in a function": (
        f"def f():\n    return np.load('a.npy')\n{ZERO}np.save('a.npy', 1)\nx = f()\n",
        [2],
    ),
    "moved, then read": (f"{ZERO}shutil.move('a', 'b')\nx = np.load('b')\n", [3]),
    "a wait on one way alone": (
        f"{ZERO}np.save('a.npy', 1)\nif late:\n    {WAIT}x = np.load('a.npy')\n",
        [5],
    ),
    "removed while others read": (f"x = np.load('a.npy')\n{ZERO}os.remove('a.npy')\n", [3]),
    "by a command": (f"x = np.load('d/a.npy')\n{ZERO}os.system('rm -r d')\n", [3]),
    "in the next round": (
        "for n in names:\n    x = open(n).read()\n    if not x and hvd.rank() == 0:\n        os.remove(n)\n",
        [4],
    ),
    "removed in a turn": (
        IN_TURNS % "a = tf.keras.utils.get_file('a', 'https://a')\nif hvd.rank() == 0:\n    os.remove(a)\n",
        [5],
    ),
    "a folder of rank 0, filled by one of each machine": (
        f"{ZERO}os.makedirs('d')\n{FIRST}urllib.request.urlretrieve('https://a', 'd/a')\n",
        [4],
    ),
    "a folder that each machine has, of rank 0's": (
        f"{ZERO}np.save('/tmp/a.npy', 1)\n{WAIT}x = np.load('/tmp/a.npy')\n",
        [4],
    ),
    "a folder of rank 0, own files in it": (
        f"{ZERO}os.makedirs('d', exist_ok=True)\nnp.save(f'd/{{hvd.rank()}}.npy', 1)\n",
        [3],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SOUND)
def test_nothing_is_told_of_what_is_sound(name: str) -> None:
    assert lines_told(SOUND[name]) == []


@pytest.mark.parametrize("name", BAD)
def test_what_workers_would_do_to_a_file_together_is_told(name: str) -> None:
    text, lines = BAD[name]
    assert lines_told(text) == lines


def test_the_proof_names_what_must_be_so_of_folders() -> None:
    text = f"{HEAD}{ZERO}np.save('a.npy', 1)\n"
    case = Case({"a.py": text}, {"a.py": ""}, "a.py", Options(), QUESTIONS, lambda: Facts.of(text))
    (proof,) = writers.prove(case)
    assert proof.holds
    assert any("shared by all machines" in each for each in proof.assumptions)


def test_deep_calls_and_long_chains_are_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writers, "wrapped", lambda case, name: ())  # today's checks go no deeper
    deep = "".join(f"def f{n}():\n    f{n + 1}()\n" for n in range(2000))
    chain = "if a == 0:\n    pass\n" + "".join(f"elif a == {n}:\n    g({n})\n" for n in range(1500))
    text = (
        f"{deep}def f2000():\n    np.save('a.npy', 1)\ndef g(n):\n    os.remove('b')\n{chain}f0()\n"
    )
    assert lines_told(text) == [4002, 4004]


PROGRAM = """\
import os
import subprocess
import urllib.request

import keras
import numpy as np

{}x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer=keras.optimizers.SGD(learning_rate=0.1), loss="mse")
model.fit(x, y, batch_size=32, epochs=2)
"""
REFUSED = {
    "what a command gives is needed by all": "out = subprocess.check_output(['make'])\nprint(out)\n",
    "what a download gives": "path, _ = urllib.request.urlretrieve('https://a', 'x.npy')\nx = np.load(path)\n",
    "it is there, and is taken away": (
        "for n in ['a', 'b']:\n    path = keras.utils.get_file(n, 'https://a', extract=True)\n    os.remove(path)\n"
    ),
    "others call it": "list(map(os.remove, ['a', 'b']))\n",
}  # fmt: skip
WRITTEN = {
    "a command": ("os.system('rm -rf a')\n", "    os.system('rm -rf a')\nhvd.broadcast(0, root_rank=0)"),
    "a folder, and what is downloaded into it": (
        "os.makedirs('a')\nurllib.request.urlretrieve('https://a', 'a/b')\n",
        "    os.makedirs('a')\n    urllib.request.urlretrieve('https://a', 'a/b')\nhvd.broadcast(0, root_rank=0)",
    ),
    "a file that is uploaded": (
        "np.save('a.npy', 1)\nos.system('aws s3 cp a.npy s3://a')\n",
        "    np.save('a.npy', 1)\n    os.system('aws s3 cp a.npy s3://a')\nhvd.broadcast(0, root_rank=0)",
    ),
    "a loop that cleans a folder": (
        "for n in sorted(os.listdir('a')):\n    if not open(os.path.join('a', n)).read():\n        os.remove(os.path.join('a', n))\n",
        "    for n in sorted(os.listdir('a')):\n        if not open(os.path.join('a', n)).read():\n            os.remove(",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_rule_makes_right_is_refused_with_choices(name: str) -> None:
    seen = migrate(PROGRAM.format(REFUSED[name]), Options(tensorflow=(2, 20)), "a.py")
    (found,) = seen.blocked
    assert (found.code, found.obligation) == ("J11", "writers")
    assert found.fix.count("accept[writers]") == 1
    taken = Options(tensorflow=(2, 20), taken_on=frozenset({"writers"}))
    assert not migrate(PROGRAM.format(REFUSED[name]), taken, "a.py").blocked


NEW = "more = 1\nif not os.path.exists('a'):\n    os.makedirs('a'){}\n"
DECIDES = {
    "what is there": NEW.format("\nelse:\n    more = 2"),
    "what was missing": NEW.format("\n    more = 2"),
}


@pytest.mark.parametrize("name", DECIDES)
def test_a_folder_that_another_worker_may_have_made_decides_nothing(name: str) -> None:
    def found(text: str) -> list[str]:
        before = PROGRAM.format(text).replace("epochs=2", "epochs=more")
        return [each.code for each in migrate(before, Options(tensorflow=(2, 20)), "a.py").blocked]

    assert found(DECIDES[name]) == ["J11"]
    assert not found(NEW.format("\n    folder = 'b'\n    print(folder)"))


@pytest.mark.parametrize("name", WRITTEN)
def test_what_a_rule_makes_right_is_written(name: str) -> None:
    before, after = WRITTEN[name]
    seen = migrate(PROGRAM.format(before), Options(tensorflow=(2, 20)), "a.py")
    assert not seen.blocked
    assert f"if hvd.rank() == 0:\n{after}" in seen.after
    assert any(proof.obligation == "writers" and proof.holds for proof in seen.proofs)


READ_FIRST = """\
z = np.load("d/z.npy")
hvd.broadcast(0, root_rank=0)  # wait until all have read it
if hvd.rank() == 0:
    print("read")
    {}
"""


@pytest.mark.parametrize("away", ["os.remove('d/z.npy')", "shutil.rmtree('d')"])
def test_all_have_read_what_rank_0_takes_away(away: str) -> None:
    lines = f"import shutil\nz = np.load('d/z.npy')\nprint('read')\n{away}\n"
    seen = migrate(PROGRAM.format(lines), Options(tensorflow=(2, 20)), "a.py")
    assert not seen.blocked
    assert READ_FIRST.format(away).replace('"', "'") in seen.after.replace('"', "'")


def test_nobody_waits_for_a_list_of_paths() -> None:
    lines = "paths = []\nfor n in range(9):\n    path = f'{n}.npy'\n    np.save(path, n)\n"
    lines += "    paths.append(path)\n    if n > 3:\n        os.remove(paths.pop(0))\n"
    seen = migrate(PROGRAM.format(lines), Options(tensorflow=(2, 20)), "a.py")
    assert not seen.blocked
    assert "until all have read" not in seen.after
