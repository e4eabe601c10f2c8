"""Which values every worker computes alike."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.input_files import is_shared

HEAD = """\
import argparse, collections, math, os, pathlib, random, time
import numpy as np
import tensorflow as tf
import tqdm
from absl import flags
from math import fabs as ask

args = argparse.ArgumentParser().parse_args()
ds = tf.data.Dataset.range(9)
own = random.random()
"""


def shared(text: str) -> bool:
    """Whether the argument of the last `ask(…)` is the same on every worker."""
    facts = Facts.of(HEAD + text)
    asked = [call for call in facts.index.calls if getattr(call.func, "id", "") == "ask"]
    return is_shared(facts, max(asked, key=lambda call: call.lineno).args[0])


TENSORS = [
    "cast",
    "constant",
    "convert_to_tensor",
    "equal",
    "not_equal",
    "less",
    "less_equal",
    "greater",
    "greater_equal",
    "logical_and",
    "logical_or",
    "logical_not",
    "identity",
    "size",
    "shape",
    "rank",
    "minimum",
    "maximum",
    "zeros",
    "ones",
]

SHARED = [
    "1",
    "'a'",
    "args.epochs",
    "args.epochs * 2 - 1",
    "tf.random.stateless_uniform([], seed=(1, 2))",
    "not args.train",
    "args.a if args.b else args.c",
    "math.sqrt(args.n)",
    "flags.FLAGS.steps",
    "os.environ['A']",
    "os.environ.get('A')",
    "os.getenv('A')",
    "os.path.join('a', args.b)",
    "pathlib.Path(args.a)",
    "sorted(args.a)",
    "isinstance(args, object)",
    "np.ceil(args.n / 2)",
    "open(args.a)",
    "open('a').read()",
    *(f"tf.{name}(args.n)" for name in TENSORS),
    "tf.math.ceil(args.n)",
    "tf.executing_eagerly()",
    "range(args.n)",
    "lambda: 1",
    "next(iter([args.a, 1]))",
    "len(own)",
    "len(args.files)",
    "own.shape",
    "opt.iterations",
    "[args.a, 1]",
    "{'a': args.b}",
    "(1, 2)",
    "f'{args.a}'",
    "args.name.upper()",
    "args.a == 1 and args.b",
    "args[0]",
    "int",
]
OWN = [
    "own",
    "own + 1",
    "random.random()",
    "tf.random.stateless_uniform([], seed=(1, own))",
    "time.time()",
    "np.random.rand()",
    "input()",
    "open(args.a, 'r+')",
    "open(own)",
    "open(os.listdir('a')[0])",
    "open(args.a) if os.path.exists(args.a) else 1",
    "id(args)",
    "range(own)",
    "next(iter([own]))",
    "math.sqrt(own)",
    "tf.constant(own)",
    "tf.reduce_sum(args.x)",
    "tf.math.ceil(own)",
    "tf.random.uniform([])",
    "np.ceil(own)",
    "max(1, own)",
    "sorted(args.a, key=own)",
    "os.listdir('a')",
    "os.path.exists('a')",
    "unknown",
    "unknown()",
    "[own]",
    "{'a': own}",
    "own if args.a else 1",
    "1 if own else 2",
    "own.real",
    "own.upper()",
    "args.find(own)",
    "not own",
    "own > 1",
    "f'{own}'",
]


@pytest.mark.parametrize(
    ("text", "expected"), [*((t, True) for t in SHARED), *((t, False) for t in OWN)]
)
def test_an_expression(text: str, expected: bool) -> None:
    assert shared(f"ask({text})") is expected


def test_what_a_coroutine_waits_for_is_its_own() -> None:
    assert not shared("async def f():\n    ask(await args.a)")
    assert not shared("def f():\n    ask((yield))")


LOOPS = [
    ("for i in range(own):\n    ask(i)", True),
    ("for i in tf.range(9):\n    ask(i)", True),
    ("for i in np.arange(9):\n    ask(i)", True),
    ("for i in tqdm.trange(9):\n    ask(i)", True),
    ("for i, x in enumerate(ds):\n    ask(i)", True),
    ("for i, x in enumerate(ds):\n    ask(x)", False),
    ("for i, x in enumerate([1, args.a]):\n    ask(x)", True),
    ("for i, x in tqdm.tqdm(enumerate(ds)):\n    ask(i)", True),
    ("for i in tqdm.tqdm(range(9)):\n    ask(i)", True),
    ("for i in reversed(range(9)):\n    ask(i)", True),
    ("for i in sorted(args.rates):\n    ask(i)", True),
    ("for i in list(range(9)):\n    ask(i)", True),
    ("for i in zip(range(9)):\n    ask(i)", True),
    ("for x in ds:\n    ask(x)", False),
    ("for x in tqdm.tqdm(ds):\n    ask(x)", False),
    ("for x in [1, args.a]:\n    ask(x)", True),
    ("for x in [1, own]:\n    ask(x)", False),
    ("for x in unknown:\n    ask(x)", False),
]


@pytest.mark.parametrize(("text", "expected"), LOOPS)
def test_an_element(text: str, expected: bool) -> None:
    assert shared(text) is expected


NAMES = [
    ("n = 0\nask(n)", True),
    ("n = own\nask(n)", False),
    ("n = 1 if args.a else 2\nask(n)", True),
    ("n = 1 if own else 2\nask(n)", False),  # a loop that ends by it would end for one worker
    ("n = 0\nn += 1\nask(n)", True),
    ("n = 0\nn += own\nask(n)", False),
    ("n = 0\nwhile n < 9:\n    n += 1\nask(n)", True),
    ("n = 0\nif args.a:\n    n = 1\nask(n)", True),
    ("n = 0\nif own:\n    n = 1\nask(n)", False),
    ("n = 0\nif own:\n    n += 1\nask(n)", False),
    ("n = 0\nwhile own:\n    n += 1\nask(n)", False),
    ("n = 0\nfor x in ds:\n    if own:\n        continue\n    n += 1\nask(n)", False),
    ("a, n = 1, own\nask(n)", False),
    ("a, n = own, 1\nask(n)", True),
    ("def f(n):\n    ask(n)\n\n\nf(1)\nf(args.a)", True),
    ("def f(n):\n    ask(n)\n\n\nf(1)\nf(own)", False),
    ("def f(n):\n    ask(n)", False),
    ("def f():\n    return args.a\n\n\nask(f())", True),
    ("def f():\n    return own\n\n\nask(f())", False),
    ("def f():\n    if args.a:\n        return 1\n    return 2\n\n\nask(f())", True),
    ("def f():\n    if own:\n        return 1\n    return 2\n\n\nask(f())", False),
    ("def f():\n    if own:\n        return 1\n    return 2\n\n\nn = f()\nask(n)", False),
    ("def f():\n    while own:\n        return 1\n    return 2\n\n\nask(f())", False),
    ("class T:\n    def __init__(self):\n        self.n = 0\n\n    def f(self):\n        ask(self.n)", True),
    ("class T:\n    def __init__(self):\n        self.n = own\n\n    def f(self):\n        ask(self.n)", False),
    (
        "class T:\n    def __init__(self):\n        self.n = 0\n\n    def f(self):\n        if own:\n"
        "            self.n = 1\n        ask(self.n)",
        False,
    ),
    ("import settings\nask(settings.N)", True),
    ("from settings import N\nask(N)", True),
    ("def f():\n    pass\n\n\nask(f)", True),
    ("class C:\n    pass\n\n\nask(C)", True),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), NAMES)
def test_a_name(text: str, expected: bool) -> None:
    assert shared(text) is expected


@pytest.mark.parametrize("fill", ["append(X)", "extend([X])", "insert(0, X)", "appendleft(X)"])
@pytest.mark.parametrize("made", ["[]", "list()", "[1]", "collections.deque()"])
def test_a_list_that_is_filled(fill: str, made: str) -> None:
    _filled(fill, made)


@pytest.mark.parametrize("fill", ["add(X)", "update([X])"])
@pytest.mark.parametrize("made", ["{1}", "set()", "set([1])"])
def test_a_set_that_is_filled(fill: str, made: str) -> None:
    _filled(fill, made)


@pytest.mark.parametrize("fill", ["update(a=X)", "update({'a': X})", "setdefault('a', X)"])
@pytest.mark.parametrize("made", ["{}", "dict()", "dict(b=1)", "collections.OrderedDict()"])
def test_a_dictionary_that_is_filled(fill: str, made: str) -> None:
    _filled(fill, made)


def _filled(fill: str, made: str) -> None:
    """What is in it decides about it, and nothing that is in another one."""
    alike, own = fill.replace("X", "args.a"), fill.replace("X", "own")
    assert shared(f"kept = {made}\nkept.{alike}\nask(kept)")
    assert not shared(f"kept = {made}\nkept.{own}\nask(kept)")
    assert shared(f"kept = {made}\nother = {made}\nother.{own}\nask(kept)")


@pytest.mark.parametrize(
    "resize",
    [
        "append",
        "appendleft",
        "extend",
        "insert",
        "add",
        "update",
        "pop",
        "popleft",
        "remove",
        "clear",
    ],
)
def test_the_length_of_a_container(resize: str) -> None:
    text = "kept = collections.deque()\n{}kept.{}(1)\nask(len(kept))"
    assert shared(text.format("", resize))
    assert shared(text.format("for x in ds:\n    ", resize))
    assert not shared(text.format("if own:\n    ", resize))


@pytest.mark.parametrize("assign", ["assign", "assign_add", "assign_sub"])
def test_a_variable_that_counts(assign: str) -> None:
    assert shared("n = tf.Variable(0)\nask(n)")
    assert not shared("n = tf.Variable(own)\nask(n)")
    assert shared(f"n = tf.Variable(0)\nn.{assign}(1)\nask(n)")
    assert not shared(f"n = tf.Variable(0)\nn.{assign}(own)\nask(n)")
    assert shared(f"n = tf.Variable(0)\nm = tf.Variable(0)\nm.{assign}(own)\nask(n)")


def test_a_list_that_is_drawn_from_is_as_long_as_before() -> None:
    text = "memory = []\nfor n in range(9):\n    memory.append(n)\n    {}(memory, 2)\n    ask(len(memory))\n"
    assert shared(text.format("random.sample"))
    assert not shared("from other import change\n" + text.format("change"))


def test_what_an_average_gives_is_the_same_whatever_it_is_of() -> None:
    begin = "import horovod.tensorflow as hvd\nlosses = []\nfor x in ds:\n    losses.append(own)\n"
    assert shared(begin + "ask(hvd.allreduce(tf.constant(np.mean(losses))).numpy())\n")
    assert not shared(begin + "ask(tf.constant(np.mean(losses)).numpy())\n")
