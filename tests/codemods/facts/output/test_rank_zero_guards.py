"""Which statements only rank 0 runs, and where the guard is put around them."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.output.evaluation import stays_inside
from distify.codemods.facts.output.hoisted_values import Hoist
from distify.codemods.facts.output.rank_zero_guards import Guard, Narrow, OnlyThere, places
from distify.codemods.facts.output.side_effects import Effects
from distify.codemods.migrate import migrate
from distify.codemods.rewrites.d203_guard_rank_zero import name

# -- guards --------------------------------------------------------------------------------------
# What goes under a guard, and what every worker still evaluates.

HEAD = """\
import os, random, tempfile
import numpy as np
import tensorflow as tf
from tensorflow import keras

model = keras.Sequential([])
checkpoint = tf.train.Checkpoint()
manager = tf.train.CheckpointManager(checkpoint, "c", 3)
ds = tf.data.Dataset.range(9)


def pure(x):
    return x + 1


def effect(x):
    random.seed(x)
    return x


def grow(rows):
    rows += [1]
    return rows


def generate():
    yield 1


it = generate()
"""
START = HEAD.count("\n")


def planned(text: str) -> list[str]:
    """What is planned, by line of the snippet."""
    facts = Facts.of(HEAD + text)
    found = places(facts)
    shown = set()
    for node, place in found.items():
        line = node.lineno - START  # type: ignore[attr-defined]
        if isinstance(place, Guard):
            shown.add(f"guard {line}")
        elif isinstance(place, Hoist):
            there = " there" if place.only_there else ""
            shown.add(
                f"hoist {line} {name(facts, place)} = {place.unpacked}{ast.unparse(node)}{there}"
            )
        elif isinstance(place, OnlyThere):
            shown.add(f"only there {line} {ast.unparse(node)}")
        else:
            assert isinstance(place, Narrow)
            shown.add(f"narrow {line} {ast.unparse(node)}")
    return sorted(shown)


PLANS = {
    "print(1)": ["guard 1"],
    "print(1)\nprint(2)": ["guard 1", "guard 2"],
    "print(1)\na = pure(2)\nprint(a)": ["guard 1", "guard 2", "guard 3"],
    "print(1)\na = pure(2)\nprint(a)\nf(a)": ["guard 1", "guard 3"],
    "print(1)\na = pure(2)": ["guard 1"],
    "a = pure(2)\nprint(a)": ["guard 2"],
    "print(1)\nf()\nprint(2)": ["guard 1", "guard 3"],
    "if a:\n    print(1)": ["narrow 1 a"],
    "if f():\n    print(1)": ["narrow 1 f()"],
    "if a:\n    print(1)\n    b = 1\nf(b)": ["guard 2"],
    "if a:\n    print(1)\nelse:\n    print(2)": ["guard 1"],
    "if f():\n    print(1)\nelse:\n    print(2)": ["guard 2", "guard 4"],
    "if f():\n    print(1)\nelif g():\n    print(2)": ["guard 2", "narrow 3 g()"],
    "if f():\n    if a:\n        print(1)": ["narrow 2 a"],
    "if a:\n    f()\n    print(1)": ["guard 3"],
    "for i in a:\n    print(i)": ["guard 1"],
    "for i in f():\n    print(i)": ["guard 2"],
    "for i in ds:\n    print(i)": ["guard 2"],
    "for i in it:\n    print(i)": ["guard 2"],
    "for i in a:\n    print(i)\n    f()": ["guard 2"],
    "while a:\n    print(1)": ["guard 2"],
    "try:\n    print(1)\nexcept E:\n    print(2)\nelse:\n    print(3)\nfinally:\n    print(4)":
        ["guard 2", "guard 4", "guard 6", "guard 8"],
    "with a:\n    print(1)": ["guard 2"],
    "with open(p, 'w') as f:\n    f.write(a)": ["guard 1"],
    "with open(p, 'w') as f:\n    f.write(next(it))": [],
    "with open(p) as f:\n    print(1)": ["guard 2"],
    "def f():\n    print(1)": ["guard 2"],
    "class A:\n    def f(self):\n        print(1)": ["guard 3"],
    "lambda: print(1)": [],
    "print(1)\na = []\nfor b in c:\n    a.append(b)\nprint(a)": ["guard 1", "guard 2", "guard 3", "guard 5"],
    "print(1)\na = {}\nif b:\n    a[b] = 1\nprint(a)": ["guard 1", "guard 2", "guard 3", "guard 5"],
    "print(1)\na = []\na.append(1)\nprint(a)\nb = a": ["guard 1", "guard 4"],  # read later
    "a = []\nprint(1)\na.append(1)\nprint(2)": ["guard 2", "guard 4"],  # made before
    "print(1)\na = b\na.append(1)\nprint(2)": ["guard 1", "guard 4"],  # of somebody else
    "print(1)\na = []\na.append(effect(1))\nprint(a)": ["guard 1", "guard 4"],
    "print(1)\na = []\nif a:\n    a.append(1)\nprint(2)\nif b:\n    a.append(1)": ["guard 1", "guard 5"],
    # made in what is around, for something else, too
    "if b:\n    a = []\n    if c:\n        a.append(1)\n        print(a)\n    model.fit(a)": ["guard 5"],
    "print(next(it))": ["guard 1", "hoist 1 item = next(it)"],
    "print('a', next(it))": ["guard 1", "hoist 1 item = next(it)"],
    "print(f'{next(it)}')": ["guard 1", "hoist 1 item = next(it)"],
    "print('{}'.format(next(it)))": ["guard 1", "hoist 1 item = next(it)"],
    "print('%s' % next(it))": ["guard 1", "hoist 1 item = next(it)"],
    "print(*effect(1))": ["guard 1", "hoist 1 result = *effect(1)"],
    "print(1, **effect(1))": ["guard 1", "hoist 1 result = **effect(1)"],
    "print(a.b, next(it))": ["guard 1", "hoist 1 result = a.b", "hoist 1 item = next(it)"],
    "print(a, next(it))": ["guard 1", "hoist 1 item = next(it)"],
    "print(next(it), a.b)": ["guard 1", "hoist 1 item = next(it)"],
    "print(next(it), next(it))": ["guard 1", "hoist 1 item = next(it)", "hoist 1 result_2 = next(it)"],
    "print(a, (a := next(it)))": ["guard 1", "hoist 1 result = a", "hoist 1 result_2 = (a := next(it))"],
    "def f():\n    global a\n\n\nprint(a, next(it))": ["guard 5", "hoist 5 item = next(it)", "hoist 5 result = a"],
    "print(sum(next(it) for i in a))": ["guard 1", "hoist 1 result = sum((next(it) for i in a))"],
    "print(next(it) for i in a)": [],
    "print(pure(1))": ["guard 1"],
    "print(effect(1))": ["guard 1", "hoist 1 result = effect(1)"],
    "print(grow(a))": ["guard 1", "hoist 1 result = grow(a)"],
    "print(model.predict(x))": ["guard 1", "hoist 1 predictions = model.predict(x)"],
    "print(manager.save())": ["guard 1"],
    "path = manager.save()": ["guard 1"],
    "path = manager.save()\nf(path)": ["only there 1 manager.save()"],
    "path: str = manager.save()\nf(path)": ["only there 1 manager.save()"],
    "def f():\n    return manager.save()": ["only there 2 manager.save()"],
    "path = manager.save() or 5\nf(path)": ["only there 1 manager.save() or 5"],
    "x = print(1)\nf(x)": ["only there 1 print(1)"],
    "x = print(1) or 5\nf(x)": [],
    "f(manager.save())": ["only there 1 manager.save()"],
    "f(f'{manager.save()}')": [],
    "if f(manager.save()):\n    pass": ["only there 1 manager.save()"],
    "model.save('a')\nmodel.fit(x)": ["guard 1"],
    "model.save(next(it))": ["guard 1", "hoist 1 item = next(it)"],
    "x = 1": [],
    "f()": [],
    "print(sorted(a, key=pure))": ["guard 1"],
    "print(sorted(a, key=effect))": ["guard 1", "hoist 1 result = sorted(a, key=effect)"],
    "print(list(it))": ["guard 1", "hoist 1 result = list(it)"],
    "print(*it)": [],
    "print([i for i in it])": ["guard 1", "hoist 1 result = [i for i in it]"],
    "print(','.join(it))": ["guard 1", "hoist 1 message = ','.join(it)"],
    "print(queue.get())": ["guard 1", "hoist 1 result = queue.get()"],
    "print(options.get(a))": ["guard 1"],
    "print(a.pop())": ["guard 1", "hoist 1 result = a.pop()"],
    "print(np.random.rand())": ["guard 1", "hoist 1 result = np.random.rand()"],
    "print(np.mean(a))": ["guard 1"],
    "print(open(a).read())": ["guard 1", "hoist 1 result = open(a).read()"],
}  # fmt: skip


@pytest.mark.parametrize("text", PLANS)
def test_what_rank_0_does_alone(text: str) -> None:
    assert planned(text) == sorted(PLANS[text])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return x", True),
        ("return", True),
        ("y = x\n    return y", True),
        ("print(x)", True),
        ("if x:\n        return 1\n    return 2", True),
        ("if effect(x):\n        return 1", False),
        ("for i in x:\n        if i:\n            break\n        continue", True),
        ("for i in it:\n        pass", False),
        ("for x.a in x:\n        pass", False),
        ("for i in x:\n        pass\n    else:\n        effect(x)", False),
        ("with open(x, 'w') as f:\n        f.write(x)", True),
        ("with open(x, 'w') as f.g:\n        pass", False),
        ("with x:\n        pass", False),
        ("while x:\n        pass", False),
        ("x.a = 1", False),
        ("x[0] = 1", False),
        ("a, (b, *c) = x", True),
        ("a, b.c = x", False),
        ("x += 1", False),
        ("y = 0\n    y += x", True),
        ("global y\n    y = 1", False),
        ("raise x", False),
        ("del x", False),
        ("yield x", False),
        ("return effect(x)", False),
        ("return asked(x)", False),
        ("pass", True),
    ],
)
def test_a_function_that_can_be_left_to_one_worker(body: str, expected: bool) -> None:
    facts = Facts.of(HEAD + f"def asked(x):\n    {body}\n")
    function = facts.module.body[-1]
    assert isinstance(function, ast.FunctionDef)
    assert Effects(facts).function(function) is expected


def test_a_coroutine_or_decorated_function_may_do_more() -> None:
    for text in ("async def asked(x):\n    return x\n", "@f\ndef asked(x):\n    return x\n"):
        facts = Facts.of(HEAD + text)
        assert not Effects(facts).function(facts.module.body[-1])  # type: ignore[arg-type]


INSIDE = {
    "{}": True,
    "{}\nf(a)": False,
    "{}\na = 2\nf(a)": True,
    "{}\nif x:\n    a = 2\nf(a)": False,
    "{}\nif x:\n    a = 2\n    f(a)": True,
    "{}\nfor a in x:\n    f(a)": True,
    "{}\nfor b in x:\n    f(a)": False,
    "{}\nwith x as a:\n    f(a)": True,
    "{}\nwith x as b:\n    f(a)": False,
    "{}\nwith x as a:\n    pass\nf(a)": True,
    "{}\na: int = 2\nf(a)": True,
    "{}\na: int\nf(a)": False,
    "{}\nb, (a, c) = x\nf(a)": True,
    "{}\n\n\ndef g():\n    f(a)": False,
    "{}\n\n\ndef g(a):\n    f(a)": True,
    "{}\n\n\ndef g():\n    a = 1\n    f(a)": True,
    "for b in x:\n    f(a)\n    {}": False,
    "while x:\n    {}\n    f(a)": False,
}


@pytest.mark.parametrize("text", INSIDE)
def test_whether_anybody_else_reads_what_a_statement_binds(text: str) -> None:
    facts = Facts.of(text.format("a = 1"))
    bound = next(
        s for s in ast.walk(facts.module) if isinstance(s, ast.Assign) and ast.unparse(s) == "a = 1"
    )
    assert stays_inside(facts, [bound]) is INSIDE[text]


# -- cell marks ----------------------------------------------------------------------------------
# No statement is put around parts of two cells of a script.

HEAD_OF_CELL_MARKS = """\
import numpy as np
from tensorflow import keras

x, y = np.zeros((64, 4)), np.zeros((64, 1))
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y)
"""
ONE = """\
if hvd.rank() == 0:
    print(1)
    {}
    print(2)
"""
TWO = """\
if hvd.rank() == 0:
    print(1)
{}
if hvd.rank() == 0:
    print(2)
"""


@pytest.mark.parametrize("mark", ["# a comment", "# 3 %% of it", "#", "## %%", "# In [3]"])
def test_other_comments_divide_nothing(mark: str) -> None:
    assert migrate(f"{HEAD_OF_CELL_MARKS}print(1)\n{mark}\nprint(2)\n").after.endswith(
        ONE.format(mark)
    )


@pytest.mark.parametrize("mark", ["# %%", "#%%", "# %% [markdown] text", "# In[3]:", "# In[ ]:"])
def test_a_mark_divides(mark: str) -> None:
    assert migrate(f"{HEAD_OF_CELL_MARKS}print(1)\n{mark}\nprint(2)\n").after.endswith(
        TWO.format(mark)
    )


def test_marks_elsewhere_divide_nothing() -> None:
    text = f"# %% one\n{HEAD_OF_CELL_MARKS}print(1)\nprint('# %%')\nprint(2)\n# %% two\n"
    assert migrate(text).after.endswith(
        "if hvd.rank() == 0:\n    print(1)\n    print('# %%')\n    print(2)\n# %% two\n"
    )
