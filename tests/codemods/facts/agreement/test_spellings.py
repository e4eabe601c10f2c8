"""One question, many spellings: a value that all workers share, or one of a worker's own.

`VALUE` stands for the value: where it is shared every spelling is shared, where it is a worker's own
none is.
"""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.input_files import is_shared

HEAD = """\
import argparse, collections, dataclasses, functools, itertools, random, types
from math import fabs as ask
import numpy as np
import tensorflow as tf
from tqdm import tqdm

args = argparse.ArgumentParser().parse_args()
"""
SPELLINGS = {
    "name": "n = VALUE\nask(n)",
    "tuple": "n, m = VALUE, 1\nask(n)",
    "starred": "n, *m = VALUE, 1, 2\nask(n)",
    "list": "n = [VALUE]\nask(n[0])",
    "whole list": "n = [VALUE]\nask(n)",
    "slice": "n = [1, VALUE][1:]\nask(n)",
    "dictionary": "n = {'a': VALUE}\nask(n['a'])",
    "get": "n = {'a': VALUE}\nask(n.get('a', 1))",
    "nested": "n = {'a': {'b': VALUE}}\nask(n['a']['b'])",
    "stored": "n = {}\nn['a'] = VALUE\nask(n['a'])",
    "joined": "n = [1] + [VALUE]\nask(n)",
    "grown": "n = [1]\nn += [VALUE]\nask(n)",
    "namespace": "n = types.SimpleNamespace(a=VALUE)\nask(n.a)",
    "namespace stored": "n = types.SimpleNamespace()\nn.a = VALUE\nask(n.a)",
    "namespace spread": "n = types.SimpleNamespace(**{'a': VALUE})\nask(n.a)",
    "argparse namespace": "n = argparse.Namespace(a=VALUE)\nask(n.a)",
    "dataclass": "@dataclasses.dataclass\nclass C:\n    a: int = 1\nn = C(VALUE)\nask(n.a)",
    "dataclass default": "@dataclasses.dataclass\nclass C:\n    a: int = VALUE\nask(C().a)",
    "dataclass factory": "@dataclasses.dataclass\nclass C:\n    a: list = dataclasses.field(default_factory=lambda: [VALUE])\nask(C().a[0])",
    "named tuple": "C = collections.namedtuple('C', 'a b')\nask(C(VALUE, 1).a)",
    "class attribute": "class C:\n    a = VALUE\nask(C.a)",
    "attribute": "class C:\n    def __init__(self):\n        self.a = VALUE\nask(C().a)",
    "property": "class C:\n    @property\n    def a(self):\n        return VALUE\nask(C().a)",
    "setattr": "class C:\n    pass\nn = C()\nsetattr(n, 'a', VALUE)\nask(getattr(n, 'a'))",
    "function": "def f():\n    return VALUE\nask(f())",
    "default": "def f(n=VALUE):\n    return n\nask(f())",
    "argument": "def f(n):\n    return n\nask(f(n=VALUE))",
    "spread": "def f(*n):\n    return n[0]\nask(f(VALUE))",
    "partial": "f = functools.partial(max, VALUE)\nask(f(1))",
    "lambda": "f = lambda: VALUE\nask(f())",
    "closure": "def f():\n    n = VALUE\n    def g():\n        return n\n    return g\nask(f()())",
    "nonlocal": "def f():\n    n = 1\n    def g():\n        nonlocal n\n        n = VALUE\n    g()\n    return n\nask(f())",
    "generator": "def f():\n    yield VALUE\nask(next(f()))",
    "loop": "for n in [VALUE]:\n    ask(n)",
    "enumerate": "for i, n in enumerate([VALUE]):\n    ask(n)",
    "zip": "for i, n in zip([1], [VALUE]):\n    ask(n)",
    "progress": "for i, n in tqdm(enumerate([VALUE])):\n    ask(n)",
    "comprehension": "ask([n + 1 for n in [VALUE]])",
    "map": "ask(list(map(lambda n: n + 1, [VALUE])))",
    "sorted": "ask(sorted([VALUE, 1])[0])",
    "choice": "ask(1 if VALUE else 2)",
    "or": "ask(VALUE or 1)",
    "walrus": "if (n := VALUE):\n    pass\nask(n)",
    "try": "n = VALUE\ntry:\n    print(n)\nfinally:\n    ask(n)",
    "condition": "n = 1\nif VALUE:\n    n = 2\nask(n)",
    "early return": "def f():\n    if VALUE:\n        return 1\n    return 2\nask(f())",
    "break": "n = 0\nfor i in range(9):\n    if VALUE:\n        break\n    n += 1\nask(n)",
    "how far": "n = 0\nfor i in range(VALUE):\n    n += 1\nask(n)",
    "rounds": "n = 0\nwhile n < VALUE:\n    n += 1\nask(n)",
    "counted": "kept = []\nfor i in range(9):\n    if VALUE:\n        kept.append(i)\nask(len(kept))",
    "counted copy": "kept = []\nif VALUE:\n    kept += [1]\nask(len(list(kept)))",
    "times": "ask(len([0] * VALUE))",
    "sifted": "ask(len([i for i in range(9) if i > VALUE]))",
    "yielded": "def f():\n    if VALUE:\n        yield 1\nn = 0\nfor i in f():\n    n += 1\nask(n)",
    "array": "ask(np.array([VALUE]).sum())",
    "tensor": "ask(int(tf.constant(VALUE).numpy()))",
    "text": "ask(f'{VALUE:5}')",
    "variable": "n = tf.Variable(VALUE)\nask(int(n))",
    "variable set": "n = tf.Variable(0)\nn.assign(VALUE)\nask(n.numpy())",
    "variable under a condition": "n = tf.Variable(0)\nif VALUE:\n    n.assign_add(1)\nask(n)",
    "checkpoint": "n = tf.train.Checkpoint(step=tf.Variable(VALUE))\nask(int(n.step))",
    "checkpoint counted": "n = tf.train.Checkpoint(step=tf.Variable(0))\nn.step.assign_add(VALUE)\nask(int(n.step))",
    "checkpoint kept": "class C:\n    def __init__(self):\n        self.c = tf.train.Checkpoint(step=tf.Variable(0))\n    def go(self):\n        self.c.step.assign_add(VALUE)\n        ask(self.c.step)",
}  # fmt: skip


def shared(text: str) -> bool:
    facts = Facts.of(HEAD + text)
    asked = [call for call in facts.index.calls if getattr(call.func, "id", "") == "ask"]
    return is_shared(facts, asked[-1].args[0])


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_what_is_shared_is_so_in_every_spelling(spelling: str) -> None:
    assert shared(SPELLINGS[spelling].replace("VALUE", "args.n"))


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_what_is_a_workers_own_is_so_in_every_spelling(spelling: str) -> None:
    assert not shared(SPELLINGS[spelling].replace("VALUE", "random.random()"))


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_what_nobody_knows_is_shared_in_no_spelling(spelling: str) -> None:
    assert not shared("from somewhere import f\n" + SPELLINGS[spelling].replace("VALUE", "f()"))


OPTIONS = [
    "import click\n@click.command()\n@click.option('--n')\ndef main(n):\n    ask(n)\nmain()",
    "import click\n@click.group()\n@click.argument('n')\ndef main(n, **rest):\n    ask(rest['m'])\nmain()",
    "from absl import app\ndef main(n):\n    ask(n[1])\napp.run(main)",
    "import fire\ndef main(n=3):\n    ask(n)\nfire.Fire(main)",
    "from absl import flags\nflags.DEFINE_integer('n', 3, '')\nask(flags.FLAGS.n)",
    "from absl import flags\nN = flags.DEFINE_integer('n', 3, '')\nask(N.value)",
    "FLAGS = tf.compat.v1.app.flags.FLAGS\nask(FLAGS.n)",
    "opt = tf.keras.optimizers.Adam()\nask(int(opt.iterations.numpy()) % 9)",
    "def f(opt):\n    ask(opt.iterations % 9)",
    "def f(x):\n    ask(x.shape[0] == 4)",
    "def f(x):\n    ask(x.get_shape().as_list()[0])",
    "from settings import N\nask(N)",
    "import settings\nask(settings.SIZES['a'])",
]


@pytest.mark.parametrize("text", OPTIONS)
def test_what_the_user_or_the_file_says_is_shared(text: str) -> None:
    assert shared(text)


@pytest.mark.parametrize(
    "text",
    [
        "from threading import Thread\ndef main(n):\n    ask(n)\nThread(target=main).start()",
        "@wrapped\ndef main(n):\n    ask(n)\nmain()",
        "from settings import N\nask(N())",
        "from settings import NS\nask(NS['a']())",
        "from settings import Base\nclass C(Base):\n    pass\nask(C().n)",
        "class C(tf.keras.Model):\n    pass\nask(C().predict(1))",
        "class C(tf.keras.Model):\n    pass\nask(C()(1))",
        "ask(functools.reduce(lambda a, b: random.random(), [1, 2]))",
        "ask(sorted([1, 2], key=lambda n: random.random())[0])",
        "n = iter([1, 2])\nif random.random() < 1:\n    next(n)\nask(next(n))",
        "def f(n):\n    ask(n.size)",
        "kept = []\nfill(kept)\nask(len(kept))",
    ],
)
def test_what_cannot_be_followed_is_not_shared(text: str) -> None:
    assert not shared(text)
