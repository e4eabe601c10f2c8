"""What stays open and is written to again and again: on rank 0 only."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.output.open_sinks import Sink, need_null_device, sinks

HEAD = """\
import os
import tensorflow as tf
from pathlib import Path
import tqdm, tqdm.auto, tqdm.autonotebook, tqdm.notebook, tqdm.std

"""


def found(text: str, head: str = HEAD) -> dict[str, Sink]:
    """What each place is."""
    return {ast.unparse(node): sink for node, sink in sinks(Facts.of(head + text)).items()}


NULL, EVALUATED = Sink.PATH, Sink.EVALUATED_PATH
SINKS = {
    "w = tf.summary.create_file_writer('a')": {
        "tf.summary.create_file_writer('a')": Sink.WRITER
    },
    "w = tf.summary.create_file_writer(next(a))": {
        "tf.summary.create_file_writer(next(a))": Sink.WRITER, "next(a)": Sink.LOGDIR
    },
    "while tf.summary.create_file_writer(next(a)):\n    pass": {},
    "f = open('a', 'w')": {"'a'": NULL},
    "f = open(path, 'a')": {"path": NULL},
    "f = open(file=path, mode='wb')": {"path": NULL},
    "f = open(next(a), 'w')": {"next(a)": EVALUATED},
    "while open(next(a), 'w'):\n    pass": {},
    "with open(next(a), 'w') as f:\n    g(f)": {"next(a)": EVALUATED},
    "with b, open(next(a), 'w') as f:\n    g(f)": {},
    "f = open('a')": {},
    "f = open('a', 'x')": {},
    **{
        f"b = {module}.{name}(a)": {f"{module}.{name}(a)": Sink.BAR}
        for module in ("tqdm", "tqdm.auto", "tqdm.autonotebook", "tqdm.notebook", "tqdm.std")
        for name in ("tqdm", "trange", "tqdm_notebook", "tnrange")
    },
    "b = tqdm.tqdm(a, disable=c)": {},
    "b = tqdm.other(a)": {},
    "b = tf.keras.utils.Progbar(a)": {
        "tf.keras.utils.Progbar(a)": Sink.PROGBAR
    },
    "if not os.path.exists(a):\n    os.makedirs(a)": {"os.makedirs(a)": Sink.FOLDERS},
    "if not os.path.exists(a):\n    os.mkdir(a)": {"os.mkdir(a)": Sink.FOLDER},
    "if not os.path.exists(a):\n    os.makedirs(a, exist_ok=b)": {},
    "if not os.path.exists(a):\n    os.makedirs(a, 0o700, b)": {},
    "if not Path(a).exists():\n    Path(a).mkdir()": {"Path(a).mkdir()": Sink.FOLDERS},
    "if not Path(a).exists():\n    a.mkdir()": {},
    "if b:\n    c = os.makedirs(a)": {},
    "from os import mkdir\nif not os.path.exists(a):\n    mkdir(a)": {},
    "def f():\n    open('a', 'w')": {"'a'": NULL},
}  # fmt: skip


@pytest.mark.parametrize("text", SINKS)
def test_what_stands_there_on_the_other_workers(text: str) -> None:
    assert found(text) == SINKS[text]


def test_what_rank_0_does_alone_anyway_needs_no_stand_in() -> None:
    assert found("print(open('a', 'w'))") == {}
    assert found("if a:\n    print(1)\n    print(open('a', 'w'))") == {}
    assert found("if b:\n    f = open('a', 'w')\n    g(f)") == {"'a'": NULL}


def test_what_runs_before_hvd_init_has_no_rank_to_ask() -> None:
    assert found("", head="f = open('a', 'w')\nimport tensorflow as tf\n") == {}


def test_a_path_of_the_others_is_the_null_device() -> None:
    assert need_null_device(Facts.of(HEAD + "f = open('a', 'w')\n"))
    assert need_null_device(Facts.of(HEAD + "f = open(next(a), 'w')\n"))
    assert not need_null_device(Facts.of(HEAD + "f = open('a')\nb = tqdm.tqdm(a)\n"))
