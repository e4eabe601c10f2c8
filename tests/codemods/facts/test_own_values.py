"""Which draws are each worker's own, what seeds them, and which settings are made of one."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts.agreement.orders_by_chance import own_draw
from distify.codemods.facts.facts import Facts
from distify.codemods.facts.own_values import (
    RANK,
    drawn,
    draws,
    is_seeded,
    own_number,
    seeded,
)
from distify.codemods.judge.disagreements import disagreements
from distify.codemods.judge.own import MADE, TEXT, Level
from last_value import last_value

HEAD = """\
import math
import random
import numpy as np
import sklearn.model_selection
import tensorflow as tf
from other import helper, set_all_seeds
{}
"""
NUMPY, PYTHON, TENSORFLOW, TORCH = "numpy.random", "random", "tensorflow.random", "torch"


@pytest.mark.parametrize(
    ("line", "modules"),
    [
        ("", set()),
        ("np.random.seed(1)", {NUMPY}),
        ("np.random.seed(seed=1)", {NUMPY}),
        ("np.random.seed()", set()),
        ("random.seed(1)", {PYTHON}),
        ("random.seed()", set()),
        ("tf.random.set_seed(1)", {TENSORFLOW}),
        ("tf.set_random_seed(1)", {TENSORFLOW}),
        ("tf.compat.v1.set_random_seed(1)", {TENSORFLOW}),
        ("tf.keras.utils.set_random_seed(1)", {NUMPY, PYTHON, TENSORFLOW}),
        ("tf.keras.utils.set_random_seed()", set()),
        ("set_all_seeds()", {NUMPY, PYTHON, TENSORFLOW, TORCH}),
        ("helper.seed_everything(1)", {NUMPY, PYTHON, TENSORFLOW, TORCH}),
        ("book.Seed()", set()),  # nobody knows what a book is
        ("helper(1)", set()),
        ("tf.random.get_seed(1)", set()),
        ("seeds.note(1)", set()),
        ("random.seed(1)\nnp.random.seed(2)", {NUMPY, PYTHON}),
    ],
)
def test_which_numbers_a_program_seeds(line: str, modules: set[str]) -> None:
    assert seeded(last_value(HEAD.format(line) + "0")[0]) == modules


CALLS = {
    # numbers of a module, and whose seed makes all workers draw the same
    "random.random()": PYTHON,
    "random.choice([1, 2])": PYTHON,
    "np.random.rand()": NUMPY,
    "np.random.randint(3)": NUMPY,
    "np.random.permutation(3)": NUMPY,
}


@pytest.mark.parametrize("call", CALLS)
def test_a_draw_is_each_workers_own_unless_its_module_is_seeded(call: str) -> None:
    for line, module in (("", ""), ("random.seed(1)", PYTHON), ("np.random.seed(1)", NUMPY)):
        facts, expr = last_value(HEAD.format(line) + call)
        assert isinstance(expr, ast.Call)
        assert draws(facts, expr) is (module != CALLS[call])
        assert is_seeded(facts, expr) is (module == CALLS[call])


@pytest.mark.parametrize(
    "call",
    [
        *("random.seed(1)", "random.Random(1)", "np.random.default_rng(1)", "math.sqrt(2)"),
        *("helper()", "book.random()", "tf.Variable([2])", "np.random.RandomState(1)"),
    ],
)
def test_what_draws_no_number_of_a_module(call: str) -> None:
    assert not draws(*last_value(HEAD.format("") + call))
    assert not draws(*last_value(HEAD.format("") + "random.random"))


GENERATORS = ("np.random.default_rng", "np.random.RandomState", "random.Random")


@pytest.mark.parametrize("maker", GENERATORS)
@pytest.mark.parametrize(
    ("seed", "is_own"), [("", True), ("None", True), ("seed=None", True), ("0", False), ("seed=3", False)]
)  # fmt: skip
def test_a_generator_is_each_workers_own_unless_it_gets_a_seed(
    maker: str, seed: str, is_own: bool
) -> None:
    head = HEAD.format(f"g = {maker}({seed})\nheld = [g]\nother = g if helper else None")
    for name in ("g", "held[0]", "other"):
        assert draws(*last_value(f"{head}{name}.choice(3)")) is is_own
    facts, made = last_value(f"{head}{maker}({seed})")
    assert isinstance(made, ast.Call)
    assert is_seeded(facts, made) is not is_own


DRAW = "random.random()"


@pytest.mark.parametrize(
    "text",
    [
        DRAW,
        f"0.1 * {DRAW}",
        f"10 ** -{DRAW}",
        f"int({DRAW})",
        f"float({DRAW})",
        f"round({DRAW})",
        f"helper({DRAW})",
        f"str({DRAW})",
        f"math.exp({DRAW})",
        f"r = {DRAW}\nr",
        f"r = 1\nr += {DRAW}\nr",
        f"[1, {DRAW}][1]",
        f"p = {{'a': {DRAW}}}\np['a']",
        f"a, b = 1, {DRAW}\nb",
        f"{DRAW} if helper else 1",
        f"def f():\n    return {DRAW}\n\n\nf()",
    ],
)
def test_a_setting_that_is_made_of_a_draw(text: str) -> None:
    facts, expr = last_value(HEAD.format("") + text)
    found = drawn(facts, expr)
    assert isinstance(found, ast.Call)
    assert ast.unparse(found) == DRAW
    facts, expr = last_value(HEAD.format("random.seed(1)") + text)
    assert drawn(facts, expr) is None


@pytest.mark.parametrize(
    "text",
    [
        "random.sample([1, 2], 2)[0]",
        "a, b = random.sample([1, 2], 2)\nb",
        "for n in random.sample([1, 2], 2):\n    pass\nn",
        "made = [random.sample([1, 2], 2)]\nmade[0][1]",
    ],
)
def test_a_setting_that_is_an_element_of_a_draw(text: str) -> None:
    facts, expr = last_value(HEAD.format("") + text)
    found = drawn(facts, expr)
    assert isinstance(found, ast.Call)
    assert ast.unparse(found) == "random.sample([1, 2], 2)"


@pytest.mark.parametrize(
    "text",
    [
        "3",
        "helper(3)",
        f"len([{DRAW}])",
        f"p = {{'a': {DRAW}, 'b': 1}}\np['b']",
        f"a, b = 1, {DRAW}\na",
        f"class A:\n    pass\n\n\na = A()\na.x = {DRAW}\na.y = 1\na.y",
        "np.random.rand(3).shape",
    ],
)
def test_a_setting_that_is_not(text: str) -> None:
    assert drawn(*last_value(HEAD.format("") + text)) is None


SPLIT = "sklearn.model_selection.train_test_split(a{})"
FOLDS = "sklearn.model_selection.KFold(3{})"


@pytest.mark.parametrize(
    ("call", "line", "is_own"),
    [
        (SPLIT.format(""), "", True),
        (SPLIT.format(", shuffle=True"), "", True),
        (SPLIT.format(", shuffle=flag"), "", True),
        (SPLIT.format(", shuffle=False"), "", False),
        (SPLIT.format(", random_state=0"), "", False),
        (SPLIT.format(", random_state=flag"), "", False),
        (SPLIT.format(", random_state=None"), "", True),
        (SPLIT.format(""), "np.random.seed(1)", False),
        (SPLIT.format(""), "random.seed(1)", True),
        (FOLDS.format(""), "", False),
        (FOLDS.format(", shuffle=True"), "", True),
        (FOLDS.format(", shuffle=False"), "", False),
        (FOLDS.format(", shuffle=True, random_state=1"), "", False),
        ("random.shuffle(a)", "", True),
        ("random.shuffle(a)", "random.seed(1)", False),
        ("np.random.shuffle(a)", "random.seed(1)", True),
        ("tf.random.shuffle(a)", "", True),
        ("tf.random.shuffle(a, 3)", "", False),
        ("tf.random.shuffle(a, seed=3)", "", False),
        ("tf.random.shuffle(a, None)", "", True),
        ("table.sample(frac=1)", "", True),
        ("table.sample(frac=1, random_state=1)", "", False),
        ("table.sample(3)", "", False),
        ("folder.iterdir()", "", True),
        ("random.Random().shuffle(a)", "", True),
        ("random.Random(3).shuffle(a)", "", False),
        ("random.Random().seed(a)", "", False),
        ("shuffle(a)", "", False),
        ("helper(a)", "", False),
        ("math.sqrt(a)", "", False),
    ],
)
def test_an_order_that_each_worker_draws_for_itself(call: str, line: str, is_own: bool) -> None:
    facts, expr = last_value(HEAD.format(line) + call)
    assert isinstance(expr, ast.Call)
    assert (own_draw(facts, expr) is not None) is is_own


NUMBERS = """\
import os
import horovod.tensorflow as hvd
from other import helper
name = "OMPI_COMM_WORLD_RANK"
"""


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("hvd.rank()", RANK),
        ("hvd.rank() == 0", RANK),
        ("int(hvd.rank() > 3)", RANK),
        ("1 if hvd.rank() else 2", RANK),
        ("hvd.rank() is None", ""),
        ("hvd.size()", ""),
        ("helper(hvd.rank())", MADE),
        ("data[hvd.rank()]", MADE),
        ("[hvd.rank(), helper(hvd.rank())]", RANK),
        ("hvd.broadcast_object(hvd.rank())", ""),
        ("os.environ[name]", TEXT),
        ("os.environ.get(name)", TEXT),
        ("os.environ['SLURM_PROCID']", TEXT),
        ("os.environ[name] == '0'", RANK),
        ("os.environ[name] is None", ""),
        ("int(os.environ[name])", RANK),
        ("os.environ[name].startswith('0')", RANK),
        ("not os.environ[name]", TEXT),
        ("name in os.environ", ""),
        ("os.environ['HOME']", ""),
        ("helper()", ""),
    ],
)
def test_what_the_number_of_a_worker_decides(value: str, kind: str) -> None:
    facts, expr = last_value(NUMBERS + value)
    found = own_number(facts, expr).kind
    assert (found if found in (RANK, TEXT, MADE) else "") == kind


CALLED = """\
import numpy as np
import tensorflow as tf
class Watch(tf.keras.callbacks.Callback):
    def on_batch_end(self, batch, logs=None):
        return batch
Watch().on_batch_end({})
"""


@pytest.mark.parametrize(("given", "level"), [("3", Level.SAME), ("np.random.rand()", Level.OWN)])
def test_a_hook_that_the_program_calls_itself_gets_what_it_is_given(
    given: str, level: Level
) -> None:
    facts = Facts.of(CALLED.format(given))
    (returned,) = facts.index.nodes(ast.Return)
    assert returned.value is not None
    assert disagreements(facts).askers.of(returned.value).level is level
