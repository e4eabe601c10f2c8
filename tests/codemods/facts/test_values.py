"""Values are followed through names, self.x, parameters, returns and unpacking."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts, Role

HEAD = "import tensorflow as tf\nfrom tensorflow import keras\nAdam = keras.optimizers.Adam\n"


def role_of(text: str, what: str) -> Role | None:
    """The role of the last expression spelled `what`."""
    facts = Facts.of(HEAD + text)
    found = [
        n for n in ast.walk(facts.module) if isinstance(n, ast.expr) and ast.unparse(n) == what
    ]
    loads = [n for n in found if isinstance(getattr(n, "ctx", ast.Load()), ast.Load)]
    return facts.role(max(loads, key=lambda n: (n.lineno, n.col_offset)))


@pytest.mark.parametrize(
    "text",
    [
        "opt = Adam()\nuse(opt)",
        "opt: object = Adam()\nuse(opt)",
        "opt = None\nopt = Adam()\nuse(opt)",
        "first = opt = Adam()\nuse(opt)",
        "lr, opt = 0.1, Adam()\nuse(opt)",
        "[lr, (opt, *rest)] = [0.1, (Adam(), 2)]\nuse(opt)",
        "opt = Adam() if x else keras.optimizers.SGD()\nuse(opt)",
        "if x:\n    opt = Adam()\nelse:\n    opt = keras.optimizers.legacy.SGD(0.1)\nuse(opt)",
        "use(opt := Adam())\nuse(opt)",
        "def make():\n    return Adam()\nopt = make()\nuse(opt)",
        "def make():\n    return 1, Adam()\nn, opt = make()\nuse(opt)",
        "def train(n, opt):\n    use(opt)\ntrain(1, Adam())\ntrain(2, opt=Adam())",
        "def train(opt=Adam()):\n    use(opt)\ntrain()",
        "def train(*, opt=Adam()):\n    use(opt)\ntrain()",
        "class MyAdam(Adam):\n    pass\nopt = MyAdam()\nuse(opt)",
        "class A(Adam):\n    pass\nclass B(A):\n    pass\nopt = B(0.1)\nuse(opt)",
        "opts = (Adam(), 3)\nopt = opts[0]\nuse(opt)",
        "def f():\n    global opt\n    opt = Adam()\ndef g():\n    use(opt)",
        "@tf.function\ndef step(opt):\n    use(opt)\nstep(Adam())",
        "def step(opt):\n    use(opt)\nstep = tf.function(step)\nstep(Adam())",
        "def step(opt):\n    use(opt)\nfast = tf.function(step)\nfast(Adam())",
        "opt = Adam.from_config({})\nuse(opt)",
    ],
)
def test_an_optimizer_is_followed(text: str) -> None:
    assert role_of(text, "opt") is Role.OPTIMIZER


@pytest.mark.parametrize(
    "text",
    [
        "class T:\n    def __init__(self):\n        self.opt = Adam()\n    def run(self):\n        use(self.opt)",
        "class T:\n    opt = Adam()\n    def run(self):\n        use(self.opt)",
        "class T:\n    def __init__(self, opt):\n        self.opt = opt\n    def run(self):\n        use(self.opt)\n"
        "T(Adam()).run()",
        "class T:\n    def run(self):\n        use(self.opt)\nclass U(T):\n    def __init__(self):\n"
        "        self.opt = Adam()",
        "class T:\n    @property\n    def opt(self):\n        return Adam()\n    def run(self):\n        use(self.opt)",
        "class T:\n    def __init__(self):\n        self.opt = Adam()\n    def run(self):\n"
        "        def inner():\n            use(self.opt)",
    ],
)
def test_an_attribute_of_self_is_followed(text: str) -> None:
    assert role_of(text, "self.opt") is Role.OPTIMIZER


def test_an_attribute_of_an_instance_is_followed() -> None:
    text = "class T:\n    def __init__(self):\n        self.opt = Adam()\nt = T()\nuse(t.opt)"
    assert role_of(text, "t.opt") is Role.OPTIMIZER


@pytest.mark.parametrize(
    "text",
    [
        "opt = object()\nuse(opt)",
        "opt = Adam\nuse(opt)",
        "opt = Adam()\nopt = 3\nuse(opt)",
        "def make():\n    yield Adam()\nopt = make()\nuse(opt)",
        "async def make():\n    return Adam()\nopt = make()\nuse(opt)",
        "class Adam:\n    pass\nopt = Adam()\nuse(opt)",
        "def train(opt):\n    use(opt)",
        "for opt in [1, 2]:\n    use(opt)",
        "opt = keras.optimizers.schedules.ExponentialDecay(1, 2, 3)\nuse(opt)",
    ],
)
def test_what_is_no_optimizer_has_not_its_role(text: str) -> None:
    assert role_of(text, "opt") is not Role.OPTIMIZER


@pytest.mark.parametrize(
    "text",
    [
        "ds = tf.data.Dataset.range(9)\nuse(ds)",
        "ds = tf.data.Dataset.range(9).shuffle(2).batch(2)\nuse(ds)",
        "ds = tf.data.TFRecordDataset([])\nds = ds.map(f)\nfor _ in x:\n    ds = ds.batch(2)\nuse(ds)",
        "def pipeline(ds):\n    return ds.batch(2)\nds = pipeline(tf.data.Dataset.range(9))\nuse(ds)",
        "a = tf.data.Dataset.range(9)\nb = a.skip(2)\nds = tf.data.Dataset.zip((a, b))\nuse(ds)",
    ],
)
def test_a_dataset_is_followed_through_its_chain(text: str) -> None:
    assert role_of(text, "ds") is Role.DATASET


def test_iterating_a_dataset_gives_no_dataset() -> None:
    assert role_of("ds = tf.data.Dataset.range(9)\nfor x in ds:\n    use(x)", "x") is None
    assert role_of("ds = tf.data.Dataset.range(9).as_numpy_iterator()\nuse(ds)", "ds") is None


def test_an_unseen_caller_makes_a_parameter_incomplete() -> None:
    text = "def train(opt):\n    use(opt)\ntrain(1)\n"
    for more, complete in (("", True), ("run(train)\n", False)):
        facts = Facts.of(HEAD + text + more)
        use = next(call for call in facts.index.calls if ast.unparse(call) == "use(opt)")
        assert facts.origins(use.args[0]).complete is complete


def test_a_library_decorator_may_call_with_anything() -> None:
    text = "import click\n@click.command()\ndef train(opt=1):\n    use(opt)\ntrain()\n"
    facts = Facts.of(text)
    use = next(call for call in facts.index.calls if ast.unparse(call) == "use(opt)")
    assert not facts.origins(use.args[0]).complete
