"""The training API pattern of a module, with the evidence for it."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts, Pattern, training_of

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
