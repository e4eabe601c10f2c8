"""What stays open and is written to again and again: on rank 0 only."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.output.sinks import Argument, Instead, needs_os, sinks
from distify.codemods.facts.setup.setup import Lines

HEAD = """\
import os
import tensorflow as tf
from pathlib import Path
import tqdm, tqdm.auto, tqdm.autonotebook, tqdm.notebook, tqdm.std

"""


def found(text: str, head: str = HEAD) -> dict[str, str]:
    """What becomes of each place."""
    facts = Facts.of(head + text)
    shown = {}
    for node, place in sinks(facts).items():
        if isinstance(place, Instead):
            shown[ast.unparse(node)] = place.template + (
                f" as {place.first}" if place.first else ""
            )
        elif isinstance(place, Argument):
            called = f" {place.called}" if place.called else ""
            shown[ast.unparse(node)] = f"{place.name}={place.code} at {place.position}{called}"
        else:
            assert isinstance(place, Lines)
            shown[ast.unparse(node)] = (place.before or place.after).strip()
    return shown


NULL = "_ if hvd.rank() == 0 else os.devnull"
BAR = "disable=hvd.rank() != 0 at -1"
EXIST = "exist_ok=True at -1"
SINKS = {
    "w = tf.summary.create_file_writer('a')": {
        "tf.summary.create_file_writer('a')":
            "_ if hvd.rank() == 0 else tf.summary.create_noop_writer()"
    },
    "w = tf.summary.create_file_writer(next(a))": {},
    "f = open('a', 'w')": {"'a'": NULL},
    "f = open(path, 'a')": {"path": NULL},
    "f = open(file=path, mode='wb')": {"path": NULL},
    "f = open(next(a), 'w')": {"next(a)": NULL + " as path"},
    "while open(next(a), 'w'):\n    pass": {},
    "with open(next(a), 'w') as f:\n    g(f)": {"next(a)": NULL + " as path"},
    "with b, open(next(a), 'w') as f:\n    g(f)": {},
    "f = open('a')": {},
    "f = open('a', 'x')": {},
    **{
        f"b = {module}.{name}(a)": {f"{module}.{name}(a)": BAR}
        for module in ("tqdm", "tqdm.auto", "tqdm.autonotebook", "tqdm.notebook", "tqdm.std")
        for name in ("tqdm", "trange", "tqdm_notebook", "tnrange")
    },
    "b = tqdm.tqdm(a, disable=c)": {},
    "b = tqdm.other(a)": {},
    "b = tf.keras.utils.Progbar(a)": {
        "tf.keras.utils.Progbar(a)": "verbose=_ if hvd.rank() == 0 else 0 at 2"
    },
    "if not os.path.exists(a):\n    os.makedirs(a)": {"os.makedirs(a)": EXIST},
    "if not os.path.exists(a):\n    os.mkdir(a)": {"os.mkdir(a)": EXIST + " makedirs"},
    "if not os.path.exists(a):\n    os.makedirs(a, exist_ok=b)": {},
    "if not os.path.exists(a):\n    os.makedirs(a, 0o700, b)": {},
    "if not Path(a).exists():\n    Path(a).mkdir()": {"Path(a).mkdir()": EXIST},
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


@pytest.mark.parametrize(
    ("head", "name", "line"),
    [
        ("import json\nimport tensorflow as tf\n", "os", {"import json": "import os"}),
        ("import tensorflow as tf\n", "os", {"import tensorflow as tf": "import os"}),
        ("import random\nimport tensorflow as tf\n", "os", {"import random": "import os"}),
        ("from __future__ import a\nimport tensorflow as tf\n", "os", {"import tensorflow as tf": "import os"}),
        ("import os as o\nimport tensorflow as tf\n", "o", {}),
        ("import os.path\nimport tensorflow as tf\n", "os", {}),
        ("import tensorflow as tf\nos = 1\n", "os_1", {"import tensorflow as tf": "import os as os_1"}),
    ],
)  # fmt: skip
def test_the_null_device_needs_os(head: str, name: str, line: dict[str, str]) -> None:
    place = {"'a'": f"_ if hvd.rank() == 0 else {name}.devnull"}
    shown = found("f = open('a', 'w')\n", head)
    if name == "os_1":  # whatever it is called
        name = next(iter(shown.values())).partition("else ")[2].partition(".")[0]
        place = {"'a'": f"_ if hvd.rank() == 0 else {name}.devnull"}
        line = {"import tensorflow as tf": f"import os as {name}"}
    assert shown == {**place, **line}
    assert needs_os(Facts.of(head + "f = open('a', 'w')\n"))
    assert not needs_os(Facts.of(head + "f = open('a')\n"))
