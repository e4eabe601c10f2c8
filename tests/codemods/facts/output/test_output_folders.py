"""Which folders rank 0 makes alone: those that it fills where a test has not found them."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.output.output_folders import makes_folder
from distify.codemods.facts.output.outputs import is_output

HEAD = """\
import os, shutil, sys, tempfile, urllib.request
from pathlib import Path
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([])
"""
ENSURE = "def ensure(d):\n    os.makedirs(d, exist_ok=True)\n\n\n"
MAKE = "def make(d):\n    os.makedirs(d, exist_ok=True)\n    np.save(d + '/x', x)\n\n\n"
MISSING = "if not os.path.exists('d'):\n"
ALONE = {
    "filled in the same block": f"{MISSING}    os.mkdir('d')\n    np.save('d/x', x)\n",
    "a file is asked for": (
        "if not os.path.isfile('d/x'):\n    os.makedirs('d', exist_ok=True)\n"
        "    with open('d/x', 'w') as f:\n        f.write('a')\n"
    ),
    "a path of pathlib": (
        "d = Path('d')\nif not d.exists():\n    d.mkdir()\n    (d / 'x').write_text('a')\n"
    ),
    "of TensorFlow": (
        "if not tf.io.gfile.isdir('d'):\n    tf.io.gfile.makedirs('d')\n"
        "    tf.io.write_file('d/x', 'a')\n"
    ),
    "what the test found has a name": (
        "there = os.path.isdir('d')\nif not there:\n    os.makedirs('d', exist_ok=True)\n"
        "    np.save('d/x', x)\n"
    ),
    "found to be false": (
        "if os.path.isdir('d') is False:\n    os.makedirs('d')\n    np.save('d/x', x)\n"
    ),
    "else": (
        "if os.path.isdir('d'):\n    pass\nelse:\n    os.makedirs('d')\n    np.save('d/x', x)\n"
    ),
    "behind a return": (
        "def f(d):\n    if os.path.isdir(d):\n        return\n"
        "    os.makedirs(d, exist_ok=True)\n    np.save(d + '/x', x)\n\n\nf('d')\n"
    ),
    "by a helper": f"{MAKE}{MISSING}    make('d')\n",
    "by helpers": f"{ENSURE}{MISSING}    ensure('d')\n    np.save('d/x', x)\n",
    "filled by a helper": (
        "def fill(d):\n    np.save(d + '/x', x)\n\n\n"
        f"{MISSING}    os.makedirs('d', exist_ok=True)\n    fill('d')\n"
    ),
}
BY_ALL = {
    "for checkpoints": "os.makedirs('d', exist_ok=True)\nmodel.save('d/m')\n",
    "for checkpoints, where it is missing": f"{MISSING}    os.makedirs('d')\nmodel.save('d/m')\n",
    "nothing but a word is written": f"{MISSING}    os.makedirs('d')\n    print('made')\n",
    "behind what ends the program": (
        "if not os.path.exists('data'):\n    sys.exit()\n"
        "os.makedirs('d', exist_ok=True)\nnp.save('d/x', x)\n"
    ),
    "where another file is there": (
        "if os.path.exists('w'):\n    os.makedirs('d', exist_ok=True)\n    np.save('d/x', x)\n"
    ),
    "a helper that others call": (
        f"{ENSURE}{MISSING}    ensure('d')\n    np.save('d/x', x)\nensure('logs')\n"
    ),
    "where each machine downloads": (
        f"{MISSING}    os.makedirs('d')\n    urllib.request.urlretrieve(url, 'd/a')\n"
        "    os.remove('d/a')\n"
    ),
    "a folder of the worker's own": (
        "d = tempfile.mkdtemp()\nif not os.path.exists(d + '/a'):\n    os.makedirs(d + '/a')\n"
        "    np.save('x', x)\n"
    ),
}


def made(text: str) -> list[bool]:
    """Of each call that makes a folder, whether only rank 0 makes it."""
    facts = Facts.of(HEAD + text)
    calls = [call for call in facts.index.calls if makes_folder(facts, call)]
    return [is_output(facts, call) for call in calls]


@pytest.mark.parametrize("name", ALONE)
def test_rank_zero_alone(name: str) -> None:
    assert made(ALONE[name]) == [True]


@pytest.mark.parametrize("name", BY_ALL)
def test_every_worker(name: str) -> None:
    assert made(BY_ALL[name]) == [False]
