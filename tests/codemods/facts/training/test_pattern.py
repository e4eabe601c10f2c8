"""By which API a program trains: one pattern, several apart from one another, or none."""

from __future__ import annotations

import math
import sys
from textwrap import indent
from types import FrameType

import pytest

from distify.codemods.facts import Facts, Pattern, training_of
from distify.codemods.migrate import migrate
from distify.codemods.program.parts import FunctionNode

# -- pattern -------------------------------------------------------------------------------------
# The training API pattern of a module, with the evidence for it.

HEAD = "import tensorflow as tf\nfrom tensorflow import keras\n"
MODEL = "model = keras.Sequential([])\n"
APPLY = "opt = keras.optimizers.SGD()\nopt.apply_gradients(zip(g, v))\n"
STEP = (
    "class M(keras.Model):\n    def train_step(self, data):\n"
    "        self.optimizer.apply_gradients(zip(g, v))\nm = M()\n"
)


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("", Pattern.UNKNOWN),
        (MODEL + "model.predict(x)\n", Pattern.UNKNOWN),
        (MODEL + "model.fit(x, y)\n", Pattern.KERAS),
        (MODEL + "history = model.fit(x, y).history\n", Pattern.KERAS),
        ("def f():\n    return keras.Model(a, b)\nm = f()\nm.fit_generator(x)\n", Pattern.KERAS),
        ("class M(keras.Model):\n    def go(self):\n        self.fit(x)\n", Pattern.KERAS),
        (APPLY, Pattern.GRADIENT_TAPE),
        ("def f(opt):\n    opt.apply_gradients(zip(g, v))\n", Pattern.GRADIENT_TAPE),
        (STEP + "m.fit(x)\n", Pattern.KERAS),
        (STEP + "m.train_step(x)\n", Pattern.GRADIENT_TAPE),
        (MODEL + "model.fit(x)\n" + APPLY, Pattern.MULTIPLE),
        ("with tf.compat.v1.Session() as sess:\n    sess.run(op)\n", Pattern.SESSION),
        ("tf.estimator.Estimator(f)\n", Pattern.ESTIMATOR),
        ("tf.compat.v1.train.MonitoredTrainingSession()\n", Pattern.MONITORED_SESSION),
        ("from sklearn.svm import SVC\nSVC().fit(x, y)\n", Pattern.UNKNOWN),
        (
            "from sklearn.svm import SVC\nclf = SVC()\nclf.fit(x)\n" + MODEL + "model.fit(x)\n",
            Pattern.KERAS,
        ),
        ("class T:\n    def fit(self):\n        pass\nT().fit()\n", Pattern.UNKNOWN),
    ],
)
def test_pattern(text: str, pattern: Pattern) -> None:
    facts = Facts.of(HEAD + text)
    assert training_of(facts).pattern is pattern
    assert not training_of(facts).uncertain


@pytest.mark.parametrize(
    "text",
    [
        "from models import build\nmodel = build()\nmodel.fit(x, epochs=3)\n",
        "def train(model):\n    model.fit(x)\n",
        "class T:\n    def run(self):\n        self.model.fit(x)\n",
    ],
)
def test_a_fit_that_cannot_be_traced_is_named(text: str) -> None:
    training = training_of(Facts.of(HEAD + text))
    assert training.pattern is Pattern.UNKNOWN
    assert len(training.uncertain) == 1


def test_evidence_names_the_places_in_order() -> None:
    facts = Facts.of(HEAD + MODEL + "model.fit(x)\nmodel.fit(y)\n")
    assert [(e.line, e.column, e.what) for e in training_of(facts).evidence] == [
        (4, 0, "model.fit"),
        (5, 0, "model.fit"),
    ]


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        (MODEL + "model.fit(x)\n", True),
        (MODEL + "def train():\n    model.fit(x)\n", False),
        (MODEL + "def train():\n    model.fit(x)\nif __name__ == '__main__':\n    train()\n", True),
        (MODEL + "def train(_):\n    model.fit(x)\napp.run(train)\n", True),
        (MODEL + "def train(_):\n    model.fit(x)\nWORK = {'a': train}\nWORK[x](1)\n", True),
        (MODEL + "def train(_):\n    model.fit(x)\nWORK = {'a': train}\n[print][0](1)\n", False),
        (
            MODEL + "class T:\n    def __init__(self):\n        model.fit(x)\n[T, print][x]()\n",
            True,
        ),
        ("class T:\n    def run(self):\n        keras.Model().fit(x)\nT().run()\n", True),
        ("class T:\n    def __init__(self):\n        keras.Model().fit(x)\nT()\n", True),
        ("class T:\n    def run(self):\n        keras.Model().fit(x)\nmake().run()\n", True),
        ("class T:\n    def run(self):\n        keras.Model().fit(x)\nT()\n", False),
        (
            "def make():\n    def step():\n        keras.Model().fit(x)\n    return step\ns = make()\ns()\n",
            True,
        ),
        (
            "def make():\n    def step():\n        keras.Model().fit(x)\n    return step\ns = make()\n",
            False,
        ),
    ],
)
def test_whether_the_module_itself_starts_the_training(text: str, starts: bool) -> None:
    assert training_of(Facts.of(HEAD + text)).starts_here is starts


def test_the_join_is_a_flat_lattice() -> None:
    for one in Pattern:
        for two in Pattern:
            join = one.join(two)
            assert join is two.join(one)
            assert join.join(one) is join
            assert one.join(one) is one
            assert Pattern.UNKNOWN.join(one) is one
            assert Pattern.MULTIPLE.join(one) is Pattern.MULTIPLE


@pytest.mark.parametrize(
    "library",
    [
        "sklearn",
        "xgboost",
        "lightgbm",
        "catboost",
        "statsmodels",
        "scipy",
        "numpy",
        "pandas",
        "umap",
        "imblearn",
        "gensim",
        "tensorflow_text",
        "sentencepiece",
        "hmmlearn",
        "category_encoders",
    ],
)
def test_what_other_libraries_fit_is_none_of_ours(library: str) -> None:
    facts = Facts.of(HEAD + f"import {library}\n{library}.deep.Thing().fit(x)\n")
    assert training_of(facts).pattern is Pattern.UNKNOWN
    assert not training_of(facts).uncertain


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("tf.Session", Pattern.SESSION),
        ("tf.InteractiveSession", Pattern.SESSION),
        ("tf.compat.v1.InteractiveSession", Pattern.SESSION),
        ("tf.train.MonitoredTrainingSession", Pattern.MONITORED_SESSION),
        ("tf.train.MonitoredSession", Pattern.MONITORED_SESSION),
        ("tf.compat.v1.train.MonitoredSession", Pattern.MONITORED_SESSION),
        ("tf.estimator.train_and_evaluate", Pattern.ESTIMATOR),
        ("tf.compat.v1.estimator.train_and_evaluate", Pattern.ESTIMATOR),
        ("tf.estimator.DNNClassifier", Pattern.ESTIMATOR),
    ],
)
def test_the_patterns_of_tensorflow_1(name: str, pattern: Pattern) -> None:
    facts = Facts.of(HEAD + f"session = {name}(a)\nsession.run(b)\n")
    assert training_of(facts).pattern is pattern
    assert [(e.line, e.pattern, e.what) for e in training_of(facts).evidence] == [
        (3, pattern.value, name)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "thing.fit(x)",
        "load().fit(x)",
        "class T(Base):\n    pass\nT().fit(x)",
        "def f(thing):\n    thing.fit(x)",
        "import tensorflow_hub as hub\nhub.thing().fit(x)",
        "thing.fit_generator(x)",
        "thing.train_on_batch(x)",
        "thing.minimize(x)",
        "def f(thing):\n    thing.minimize(x)",
        "tf.contrib.tpu.keras_to_tpu_model(x).fit(x)",
        "train = thing.fit",
        "from mine import model\nmodel.fit(x)",
        "from mine import model\ntrain = model.fit",
        "import mine\nmine.build().fit(x)",
        "class C:\n    pass\nC().model.fit(x)",
        "for m, n in zip([thing], [1]):\n    m.fit(x)",
        "next(iter([thing])).fit(x)",
        "keras.Sequential([]).fit if x else y",
        "import functools\nfunctools.partial(keras.Sequential([]).fit, x)()",
    ],
)
def test_a_fit_of_who_knows_what_is_uncertain(text: str) -> None:
    facts = Facts.of(HEAD + text)
    assert training_of(facts).pattern is Pattern.UNKNOWN
    assert len(training_of(facts).uncertain) == 1


@pytest.mark.parametrize(
    "text",
    [
        "fit(x)",
        "(1).fit(x)",
        "{}.fit(x)",
        "(lambda: 1).fit(x)",
        "class T:\n    pass\nT().fit(x)",
        "import sklearn.svm\nclass T(sklearn.svm.SVC):\n    pass\nT().fit(x)",
        "import sklearn.svm\nsklearn.svm.SVC().transform(x).fit(x)",
        "keras.preprocessing.text.Tokenizer().fit(x)",
        "opt = thing\nopt.minimise(x)",
        "import scipy.optimize\nscipy.optimize.minimize(f, x)",
        "class T:\n    def minimize(self, x):\n        pass\nT().minimize(x)",
        "keras.preprocessing.image.ImageDataGenerator().fit(x)",
        "import sklearn.svm\ntrain = sklearn.svm.SVC().fit",
        "documented = [keras.Model.fit, keras.Sequential.train_on_batch]",
    ],
)
def test_a_fit_of_something_else_is_certain(text: str) -> None:
    facts = Facts.of(HEAD + text)
    assert training_of(facts).pattern is Pattern.UNKNOWN
    assert not training_of(facts).uncertain


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        (MODEL + "model.fit(x)", True),
        ("def f():\n    model = keras.Sequential([])\n    model.fit(x)", False),
        ("def f():\n    model = keras.Sequential([])\n    model.fit(x)\n\n\nf()", True),
        ("def f():\n    model = keras.Sequential([])\n    model.fit(x)\n\n\ndef g():\n    f()\n\n\ng()", True),
        ("def f():\n    model = keras.Sequential([])\n    model.fit(x)\n\n\napp.run(f)", True),
        ("class T:\n    def __init__(self):\n        keras.Sequential([]).fit(x)\n\n\nT()", True),
        ("class T:\n    def go(self):\n        keras.Sequential([]).fit(x)\n\n\nT().go()", True),
        ("class T:\n    def go(self):\n        keras.Sequential([]).fit(x)\n\n\nunknown.go()", True),
        ("class T:\n    def go(self):\n        keras.Sequential([]).fit(x)\n\n\nrun(unknown.go)", True),
        ("class T:\n    def go(self):\n        keras.Sequential([]).fit(x)\n\n\nT()", False),
    ],
)  # fmt: skip
def test_whether_running_the_module_trains(text: str, starts: bool) -> None:
    facts = Facts.of(HEAD + text)
    assert training_of(facts).pattern is Pattern.KERAS
    assert training_of(facts).starts_here is starts


TRAIN = "import sys\nimport {}\n\n\ndef train():\n    keras.Sequential([]).fit(x)\n\n\n"
GROUP = "@click.group()\ndef cli():\n    pass\n\n\n@{}.command('go')\ndef go():\n    train()\n\n\n"
JOBS = "class Jobs:\n    def go(self):\n        train()\n\n\n"


@pytest.mark.parametrize(
    ("module", "text", "starts"),
    [
        ("os", "jobs = {'train': train}\nrun = jobs[sys.argv[1]]\nrun()", True),
        ("os", "jobs = {'train': train}\nprint(jobs)", False),
        ("os", "globals()[sys.argv[1]]()", True),
        ("os", "globals()['__doc__'].strip()", False),
        ("os", JOBS + "getattr(Jobs(), sys.argv[1])()", True),
        ("os", JOBS + "getattr(other, sys.argv[1])()", False),
        ("click", GROUP.format("cli") + "cli()", True),
        ("click", GROUP.format("cli"), False),
        ("click", GROUP.format("other") + "cli()", False),
        ("click", GROUP.format("inner").replace("cli():", "cli():\n    pass\n\n\n@cli.group()\ndef inner():") + "cli()", True),
        ("typer", "app = typer.Typer()\n\n\n@app.command()\ndef go():\n    train()\n\n\napp()", True),
        ("typer", "app = typer.Typer()\n\n\n@app.command()\ndef go():\n    train()\n\n\n", False),
        ("fire", "fire.Fire()", True),
        ("fire", "fire.Fire({'train': train})", True),
        ("fire", JOBS + "fire.Fire(Jobs)", True),
        ("fire", "def other():\n    pass\n\n\nfire.Fire({'train': other})", False),
    ],
)  # fmt: skip
def test_whether_the_command_line_may_start_it(module: str, text: str, starts: bool) -> None:
    facts = Facts.of(HEAD + TRAIN.format(module) + text)
    assert training_of(facts).starts_here is starts


# -- alternatives --------------------------------------------------------------------------------
# A file whose run trains one model by `fit`, or by a tape, is migrated for both.

HEAD_OF_ALTERNATIVES = """import sys
import tensorflow as tf

mode = sys.argv[1]
x = tf.random.normal((64, 4), seed=1)
y = tf.reduce_sum(x, axis=1, keepdims=True)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)
"""
COMPILE = 'model.compile(optimizer, "mse")\n'
FIT = "model.fit(dataset, epochs=2)\n"
TAPE = """for a, b in dataset:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(a) - b) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
"""
MINIMIZE = """for a, b in dataset:
    optimizer.minimize(lambda: tf.reduce_mean((model(a) - b) ** 2), model.trainable_variables)
"""
WRAPPED = "model.compile(hvd.DistributedOptimizer(optimizer), "


def inside(text: str) -> str:
    return indent(text, "    ")


def either(one: str, other: str) -> str:
    return f"if mode == 'a':\n{inside(one)}else:\n{inside(other)}"


def functions(tape: str = TAPE) -> str:
    return f"\n\ndef by_tape():\n{inside(tape)}\n\ndef by_fit():\n{inside(COMPILE + FIT)}\n\n"


RUN = f"\n\ndef run(mode):\n{inside(either(TAPE, COMPILE + FIT))}\n\n"
ONE_OF_THEM = {
    "branches": either(TAPE, COMPILE + FIT),
    "compiled before": COMPILE + either(TAPE, FIT),
    "the other way round": either(COMPILE + FIT, TAPE),
    "functions": functions() + either("by_tape()\n", "by_fit()\n"),
    "chain": either(TAPE, either("pass\n", COMPILE + FIT)),
    "in a function": RUN + "run('a')\n",
}
BOTH = {
    "one behind the other": TAPE + COMPILE + FIT,
    "each in a branch of its own": either(TAPE, "pass\n") + either("pass\n", COMPILE + FIT),
    "one in a branch": f"if mode == 'a':\n{inside(TAPE)}" + COMPILE + FIT,
    "another branch each time": f"for mode in 'ab':\n{inside(either(TAPE, COMPILE + FIT))}",
    "both functions": functions() + "by_tape()\nby_fit()\n",
    "a function twice": RUN + "run('a')\nrun('b')\n",
    "a function in a loop": RUN + "for mode in 'ab':\n    run(mode)\n",
    "the wrapped one": COMPILE
    + either(TAPE.replace("optimizer.apply", "model.optimizer.apply"), FIT),
    "an optimizer that takes gradients": either(MINIMIZE, COMPILE + FIT),
}


@pytest.mark.parametrize("text", ONE_OF_THEM.values(), ids=ONE_OF_THEM)
def test_where_a_run_does_one_of_them_both_are_migrated(text: str) -> None:
    done = migrate(HEAD_OF_ALTERNATIVES + text)
    assert not done.blocked
    after = done.after
    assert after.count(WRAPPED) == 1, after
    assert after.count("DistributedOptimizer(") == after.count("DistributedGradientTape(") == 1
    assert after.count("BroadcastGlobalVariablesCallback(0)") == 1
    assert after.count("broadcast_variables(optimizer.variables") == 1
    assert "optimizer = tf.keras.optimizers.Adam(0.01 * hvd.size())\n" in after
    assert migrate(after).after == after


@pytest.mark.parametrize("text", BOTH.values(), ids=BOTH)
def test_where_a_run_may_do_both_it_is_refused(text: str) -> None:
    done = migrate(HEAD_OF_ALTERNATIVES + text)
    assert "T02" in {finding.code for finding in done.blocked}
    assert done.after == done.before


@pytest.mark.parametrize(
    ("classes", "optimizer"),
    [
        (
            "class Rate(tf.keras.optimizers.schedules.LearningRateSchedule):\n"
            "    def __call__(self, step):\n        return 0.01\n",
            "tf.keras.optimizers.Adam(Rate())",
        ),
        (
            "class Own(tf.keras.optimizers.SGD):\n"
            "    def __init__(self, factor):\n        super().__init__(0.01 * factor)\n",
            "Own(2)",
        ),
    ],
    ids=["schedule", "class"],
)
def test_what_horovod_cannot_rebuild_is_refused(classes: str, optimizer: str) -> None:
    head = HEAD_OF_ALTERNATIVES.replace("tf.keras.optimizers.Adam(0.01)", optimizer)
    head = head.replace("mode = ", f"{classes}\nmode = ")
    done = migrate(head + either(TAPE, COMPILE + FIT))
    assert "R05" in {finding.code for finding in done.blocked}, done.after


# -- pattern cost --------------------------------------------------------------------------------
# What a function trains is told for all functions together, however they call each other.

HEAD_OF_PATTERN_COST = (
    "import tensorflow as tf\n\n\ndef f0(model):\n    model = tf.keras.Sequential()\n"
)
HEAD_OF_PATTERN_COST += "    model.fit([[1.0]], [[1.0]])\n"


def calls(size: int) -> int:
    """The calls of functions that it takes, where each function calls the one before."""
    text = HEAD_OF_PATTERN_COST + "".join(
        f"def f{i + 1}(model):\n    f{i}(model)\n" for i in range(size)
    )
    facts = Facts.of(text)
    training, count = training_of(facts), 0
    functions = [node for node in facts.index.definitions if isinstance(node, FunctionNode)]

    def profile(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        found = {training.summary(function) for function in functions}
    finally:
        sys.setprofile(before)
    assert found == {Pattern.KERAS}
    return count


def test_a_chain_of_calls_is_not_gone_down_once_for_each() -> None:
    assert math.log(calls(200) / calls(100), 2) < 1.1


# -- starts --------------------------------------------------------------------------------------
# What starts a training: groups of commands that others are given, and objects that are called.

TRAINS = """\
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(tf.ones((8, 4)), tf.ones((8, 1)))
"""
DEEPER = TRAINS.replace("    model", "        model")


@pytest.mark.parametrize(
    ("text", "is_started"),
    [
        (f"inner = typer.Typer()\n@inner.command()\ndef run():\n{TRAINS}"
         "app = typer.Typer()\napp.add_typer(inner, name='a')\napp()\n", True),
        (f"inner = typer.Typer()\n@inner.command()\ndef run():\n{TRAINS}"
         "app = typer.Typer()\napp()\n", False),
        (f"@click.command()\ndef run():\n{TRAINS}"
         "cli = click.Group()\ncli.add_command(run)\ncli()\n", True),
        (f"class Loop:\n    def __call__(self):\n{DEEPER}loop = Loop()\nloop()\n", True),
        (f"class Loop:\n    def __call__(self):\n{DEEPER}Loop()()\n", True),
        (f"class Loop:\n    def __call__(self):\n{DEEPER}loop = Loop()\n", False),
        (f"class Base:\n    def __call__(self):\n{DEEPER}class Loop(Base):\n    pass\nLoop()()\n", True),
    ],
)  # fmt: skip
def test_it_is_seen_what_starts_it(text: str, is_started: bool) -> None:
    facts = Facts.of("import click, typer\nimport tensorflow as tf\n" + text)
    assert training_of(facts).starts_here is is_started
