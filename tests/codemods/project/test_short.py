"""A project without modules that only count is told what the whole one is told."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from distify.codemods.model import Migration, Options
from distify.codemods.project import migrate as migrating
from distify.codemods.project.short import shortened
from distify.codemods.project.sketch import sketch
from distify.codemods.project.texts import Project

LOOK = Options(only_look=True)
TRAIN = """\
import numpy as np
import tensorflow as tf
{imports}
x = np.ones((64, 4), "float32")
y = np.ones((64, 1), "float32")
epochs, batch, rate, steps = 2, 8, 0.1, None
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
{uses}
model.compile(tf.keras.optimizers.Adam(rate), "mse")
model.fit(x, y, epochs=epochs, batch_size=batch, steps_per_epoch=steps)
model.save("out.h5")
"""
CHAIN = {
    f"pkg/m{n}.py": f"from .m{n - 1} import f{n - 1}\n\n\ndef f{n}(a):\n    return f{n - 1}(a) + a\n"
    for n in range(1, 9)
}
COUNTING = {
    **CHAIN,
    "pkg/__init__.py": "",
    "pkg/m0.py": (
        "START = 3\n\n\nclass Thing:\n    pass\n\n\n"
        "def f0(a):\n    b = 0\n    for c in range(a):\n        b += c * START\n    return b\n"
    ),
}


def project(imports: str, uses: str = "", **others: str) -> Project:
    texts = {f"pkg/{name}.py": text for name, text in others.items()}
    entry = TRAIN.format(imports=imports, uses=uses)
    return Project("train.py", {**COUNTING, **texts, "train.py": entry})


def left_out(given: Project) -> set[str]:
    """The modules of which nothing is read but what is asked for."""
    short = shortened(given)
    return {path for path in short.paths if len(path) == len("pkg/m0.py")} if short else set()


def answers(given: Project) -> Iterator[Migration | None]:
    for migrate in (migrating._migrated, migrating._whole):
        seen = migrate(given, LOOK, "train.py")
        yield seen and seen._replace(modules=tuple(sorted(seen.modules)))


ALL = {f"pkg/m{n}.py" for n in range(9)}


@pytest.mark.parametrize(
    ("imports", "uses", "left"),
    [
        ("from pkg.m8 import f8", "epochs = f8(3)", ALL),
        ("from pkg.m8 import f8", "steps = f8(len(x))", ALL),
        ("from pkg.m8 import f8 as g", "model.add(tf.keras.layers.Dense(g(2)))", ALL),
        ("from pkg.m0 import START, f0", "batch = f0(START)", {"pkg/m0.py"}),
        ("from pkg.m0 import START", "rate = START * 0.1", {"pkg/m0.py"}),
        ("from pkg.m0 import Thing", "print(Thing)", set()),
        ("from pkg import m0", "m0.START = 9", set()),
        ("from pkg import m0", "batch = m0.f0(2)", set()),
        ("import pkg.m0", "batch = pkg.m0.f0(2)", set()),
        ("from pkg.m0 import *", "batch = f0(2)", set()),
        # a function that is handed on may be a schedule, which is written anew where it stands
        ("from pkg.m0 import f0", "tf.keras.callbacks.LearningRateScheduler(f0)", set()),
    ],
)
def test_what_only_counts_is_left_out(imports: str, uses: str, left: set[str]) -> None:
    given = project(imports, uses)
    assert left_out(given) == left
    short, whole = answers(given)
    assert short is not None
    assert short == whole


@pytest.mark.parametrize(
    "text",
    [
        "def f0(a):\n    print(a)\n    return 1\n",
        "def f0(a):\n    return a // 2\n",
        "def f0(a):\n    return [a]\n",
        "def f0(a):\n    return open('x').read()\n",
        "def f0(a):\n    while a:\n        a -= 1\n    return a\n",
        "def f0(a):\n    return other(a)\n",
        "import random\n\n\ndef f0(a):\n    return random.random()\n",
        "from collections import Counter\n\n\ndef f0(a):\n    return Counter(a)\n",
        "N = 1\n\n\ndef f0(a):\n    global N\n    N = a\n    return 1\n",
        "def f0(a):\n    return a\n\n\ndef f0(a):\n    return a + 1\n",
        "def f0(a):\n    return a + 1\n\n\nf0(2)\n",
        "@wraps\ndef f0(a):\n    return a + 1\n",
        "def f0(a, *b):\n    return a\n",
        "# distify: ignore[D107]\ndef f0(a):\n    return a + 1\n",
        "import importlib\n\n\ndef f0(a):\n    return a + 1\n",
        "def f0(a:\n",
    ],
)
def test_what_does_more_is_read(text: str) -> None:
    given = project("from pkg.m8 import f8", "epochs = f8(3)", m0=text)
    assert left_out(given) & {"pkg/m0.py", "pkg/m1.py", "pkg/m8.py"} == set()
    short, whole = answers(given)
    assert short == whole


def test_a_number_that_may_be_one_of_several_is_told_from_its_own_lines() -> None:
    text = "def f9(a):\n    if a:\n        return 1\n    return a * 2\n"
    given = project("from pkg.m9 import f9", "steps = f9(4)", m9=text)
    short = shortened(given)
    assert short is not None
    assert short.project.texts["pkg/m9.py"] == text
    assert len(set(answers(given))) == 1


def test_a_sketch_knows_the_text_alone() -> None:
    text = COUNTING["pkg/m0.py"]
    assert sketch(text) == sketch(text)
    assert [part.name for part in sketch(text).parts] == ["START", "f0"]
    assert sketch(text + "f0(1)\n").parts == ()


KINDS = (
    "    return {}\n",
    "    b = 0\n    for c in range(3):\n        if c % 2:\n            b += {}\n    return b\n",
    "    b = {}\n    return b\n",
    "    return ({}) // 2\n",
    "    print('x')\n    return {}\n",
)
ASKED = ("epochs", "batch", "rate", "steps", "x[0, 0]", "y[0, 0]")


def drawn(seed: int) -> Project:
    """A project of several modules that count, or nearly so."""
    draw = random.Random(seed)
    texts, known = {}, list[str]()
    for number in range(draw.randint(2, 12)):
        used = [name for name in known[-4:] if draw.random() < 0.5]
        terms = ["a", "2", "0.5", *(f"{name}(a)" for name in used)]
        body = draw.choice(KINDS).format(draw.choice([" + ", " * "]).join(terms))
        imports = "".join(f"from .{name} import {name}\n" for name in used)
        texts[f"n{number}"] = f"{imports}\n\ndef n{number}(a):\n{body}"
        known.append(f"n{number}")
    chosen = draw.sample(known, min(3, len(known)))
    uses = "\n".join(f"{draw.choice(ASKED)} = {name}({draw.choice('12')})" for name in chosen)
    return project("\n".join(f"from pkg.{name} import {name}" for name in chosen), uses, **texts)


def test_drawn_projects_are_told_alike() -> None:
    shorter = 0
    for seed in range(24):
        given = drawn(seed)
        shorter += shortened(given) is not None
        short, whole = answers(given)
        assert short == whole, seed
    assert shorter > 12
