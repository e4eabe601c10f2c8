"""Where the flag of a broadcast lives, and where it is set back."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.gradients.broadcast_flags import Flag, flag_of, resets
from distify.codemods.facts.gradients.changed_state import all_writes
from distify.codemods.facts.gradients.state_broadcasts import broadcasts

# -- flags ---------------------------------------------------------------------------------------
# Where the flag of a broadcast lives.

HEAD = """\
import tensorflow as tf
from tensorflow import keras

SGD = keras.optimizers.SGD
"""
APPLY = "opt.apply_gradients(g)\n"


def placed(text: str) -> str:
    """The flag of the last application: how it is spelled, made and set back, by line; or why none."""
    facts = Facts.of(HEAD + text)
    first = HEAD.count("\n")
    step = max(facts.calls("apply_gradients"), key=lambda call: call.lineno)
    flag = flag_of(facts, step)
    if not isinstance(flag, Flag):
        return flag.why.partition(",")[0]
    again = resets(facts, [step], flag)
    if not isinstance(again, list):
        return again.why.partition(",")[0]
    after = [f"{spelled(holder)} after {s.lineno - first}" for s, holder in flag.after.items()]
    before = [f"before {s.lineno - first}" for s in flag.before]
    reset = [f"reset {s.lineno - first}" for s in again]
    where = spelled(flag.holder).format("F")
    return f"{where}: {'; '.join([*after, *before, *reset])}"


def spelled(holder: ast.expr | None) -> str:
    return "{}" if holder is None else f"{ast.unparse(holder)}.{{}}"


UNPLACED = "this changes what is trained"
UNTRACED = "nobody can tell where this optimizer is made"
SEVERAL = "several optimizers are used through this name"
T = "class T:\n    def __init__(self):\n        self.opt = SGD(0.1)\n\n    def step(self):\n        self."
M = T.replace("class T:", "class T({}):") + APPLY
PLACES = {
    "opt = SGD(0.1)\n" + APPLY: "F: {} after 1",
    "opt = None\nopt = SGD(0.1)\n" + APPLY: "F: {} after 2",
    "if a:\n    opt = SGD(0.1)\nelse:\n    opt = SGD(0.2)\n" + APPLY: "F: {} after 2; {} after 4",
    "opt = SGD(0.1)\nopt = wrap(opt)\n" + APPLY: "F: {} after 2",
    "opt = SGD(0.1)\nopt = SGD(0.2)\n" + APPLY: "F: {} after 1; {} after 2",
    "opt = SGD(0.1)\nif a:\n    opt = wrap(opt)\n" + APPLY: "F: {} after 1; {} after 3",
    "def f():\n    opt = SGD(0.1)\n    " + APPLY: "F: {} after 2",
    "opt = SGD(0.1)\n\n\ndef f():\n    " + APPLY: "F: {} after 1",
    "def f():\n    global opt\n    opt = SGD(0.1)\n\n\ndef g():\n    " + APPLY + "\n\nf()\ng()\n": "F: before 6",
    "def step(opt):\n    " + APPLY + "\n\nstep(SGD(0.1))\n": "F: before 1",
    "def step(opt):\n    " + APPLY + "\n\nfor a in b:\n    o = SGD(0.1)\n    step(o)\n": "F: before 1; reset 6",
    "def step(opt):\n    " + APPLY + "\n\nstep(SGD(0.1))\nstep(SGD(0.2))\n": SEVERAL,
    "def step(opt):\n    " + APPLY + "\n\na = SGD(0.1)\nb = SGD(0.2)\nstep(a)\nstep(b)\n": SEVERAL,
    "def step(opt):\n    " + APPLY + "\n\nif x:\n    a = SGD(0.1)\nelse:\n    a = SGD(0.2)\nstep(a)\n":
        "F: before 1",
    "def step(opt):\n    " + APPLY + "\n\nfor a in b:\n    step(f(SGD(0.1)))\n": UNTRACED,
    "def step(opt):\n    " + APPLY + "\n\nfor a in b:\n    step(SGD(0.1))\n": "F: before 1; reset 6",
    "def step(opt):\n    " + APPLY + "\n\nfor a in b:\n    if step(SGD(0.1)):\n        pass\n": UNPLACED,
    "def step(opt):\n    " + APPLY + "\n\nstep(make())\n": UNTRACED,
    "def step(opt):\n    " + APPLY: UNTRACED,
    "for opt in a:\n    " + APPLY: UNTRACED,
    APPLY: UNTRACED,
    "make()." + APPLY: UNTRACED,
    "f().opt.apply_gradients(g)\n": UNTRACED,
    "thing." + APPLY: UNTRACED,
    T + APPLY: "self.F: self.{} after 3",
    T + APPLY + "\n\nt = T()\nt." + APPLY: "t.F: self.{} after 3",
    T.replace("SGD(0.1)", "None") + APPLY: UNTRACED,
    T.replace("self.opt = SGD(0.1)", "self.opt, a = make()") + APPLY: "self.F: self.{} after 3",
    T.replace("self.opt = SGD(0.1)", "self.opt = SGD(0.1)\n        self.opt = wrap(self.opt)") + APPLY:
        "self.F: self.{} after 4",
    T.replace("self.opt = SGD(0.1)", "self.opt += 1") + APPLY: UNTRACED,
    **{
        M.format(base) + "\n\nT()\n": "F: before 1"
        for base in ("tf.Module", "keras.layers.Layer", "keras.Model", "keras.Sequential")
    },
    M.format("keras.callbacks.Callback") + "\n\nT()\n": "self.F: self.{} after 3",
    M.format("keras.Model"): "`T` is made several times",
    M.format("keras.Model") + "\n\nT()\nT()\n": "`T` is made several times",
    M.format("keras.Model") + "\n\nfor a in b:\n    T()\n": "`T` is made several times",
    M.format("keras.Model") + "\n\nt = T()\nt.save('a')\n": "F: before 1",
}  # fmt: skip


@pytest.mark.parametrize("text", PLACES)
def test_where_a_flag_lives(text: str) -> None:
    assert placed(text) == PLACES[text]


EXPORTED = "a SavedModel of `T` takes its training step along"
COMPILED = M.format("keras.Model").replace("    def step", "    @tf.function\n    def step")


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        ("t.save('a')", EXPORTED),
        ("t.save(a + '.tf')", EXPORTED),
        ("tf.saved_model.save(t, 'a')", EXPORTED),
        ("t.save('a.h5')", "F: before 1"),
        ("t.save(a + '.hdf5')", "F: before 1"),
        ("t.save('a.keras')", "F: before 1"),
        ("t.save_weights('a')", "F: before 1"),
        ("other.save('a')", "F: before 1"),
        ("", "F: before 1"),
    ],
)
def test_a_compiled_step_is_not_exported_without_its_flag(use: str, expected: str) -> None:
    assert placed(COMPILED + f"\n\nt = T()\n{use}\n") == expected
    called = COMPILED.replace("@tf.function", "@tf.function(jit_compile=False)")
    assert placed(called + f"\n\nt = T()\n{use}\n") == expected


# -- flag resets ---------------------------------------------------------------------------------
# Where the flag of a broadcast is set back: behind what changes the state between two steps.

HEAD_OF_FLAG_RESETS = """\
import tensorflow as tf
from tensorflow import keras

tau = 0.01
def make():
    return keras.Sequential([])

model = make()
other = make()
ckpt = tf.train.Checkpoint(model=model)
opt = keras.optimizers.SGD(0.1)
def step(model, opt):
    opt.apply_gradients(zip(g, model.trainable_variables))
"""
FIRST = HEAD_OF_FLAG_RESETS.count("\n")


def set_back(text: str) -> list[int]:
    """The lines behind which the flag is set back, or why the loop is refused."""
    found = broadcasts(Facts.of(HEAD_OF_FLAG_RESETS + text))
    assert not found.problems, found.problems
    every = (*found.batches, *found.applications)
    return sorted(statement.lineno - FIRST for one in every for statement in one.resets)


STEP = "step(model, opt)\n"
LOOP = "for x in data:\n    {}\n    " + STEP
SLOWLY = (
    "for t, s in zip(model.variables, model.variables):\n        t.assign({0} * s + (1 - {0}) * t)"
)
MINE = "mine = keras.optimizers.SGD(0.1)\n"
BEFORE = "kept = model.get_weights()\n"
KEPT = {
    "what comes before the first step": "model.load_weights('a.h5')\n" + STEP,
    "what comes behind the last": STEP + "model.load_weights('a.h5')\n",
    "another model": STEP + "other.set_weights(w)\n" + STEP,
    "a new model, which has a flag of its own": STEP + "model = make()\n" + STEP,
    "a model for each fold, before the optimizer that has the flag": (
        STEP + "for x in data:\n    model = make()\n    mine = keras.optimizers.SGD(0.1)\n"
        "    for batch in x:\n"
        "        mine.apply_gradients(zip(g, model.trainable_variables))\n"
    ),
    "weights that are read here": LOOP.format("model.set_weights(model.get_weights())"),
    "a target that follows": LOOP.format(
        "for t, s in zip(other.variables, model.variables):\n        t.assign(s)"
    ),
    "a target that follows slowly": LOOP.format(SLOWLY.format("tau")),
    "a target that follows by a function": (
        "def follow(a, b, rate):\n    return rate * a + (1 - rate) * b\n"
        + LOOP.format(
            "for t, s in zip(other.variables, model.variables):\n"
            "        t.assign(follow(s, t, 0.1))"
        )
    ),
    "a structure that follows": LOOP.format(
        "tf.nest.map_structure(lambda t, s: t.assign(0.9 * t + 0.1 * s),"
        " model.variables, model.variables)"
    ),
    "lists of variables under names": (
        "ts, ss = other.variables, model.variables\n"
        + LOOP.format("for t, s in zip(ts, ss):\n        t.assign(0.9 * t + 0.1 * s)")
    ),
    "a moving mean of its own": (
        "means = [tf.Variable(v) for v in model.variables]\n"
        + LOOP.format("for m, v in zip(means, model.variables):\n        m.assign(0.9 * m + v)")
    ),
    "clipped weights": LOOP.format(
        "[v.assign(tf.clip_by_value(v, -1.0, 1.0)) for v in model.trainable_variables]"
    ),
    "scattered zeros": LOOP.format(
        "model.layers[0].kernel.scatter_nd_update([[0]], tf.zeros([1]))"
    ),
    "zeros by another name": "put = model.layers[0].bias.assign\n"
    + LOOP.format("put(tf.zeros([1]))"),
    "zeros of TensorFlow 1": LOOP.format(
        "tf.compat.v1.assign(model.layers[0].bias, tf.zeros([1]))"
    ),
    "zeros": LOOP.format("model.layers[0].bias.assign(tf.zeros([1]))"),
    "weights that were read in this turn": LOOP.format(
        "w = model.get_weights()\n    model.set_weights([0.5 * each for each in w])"
    ),
    "weights that were read in this turn, one after the other": LOOP.format(
        "w = model.get_weights()\n    for i in range(9):\n        w[i] = 0.5 * w[i]\n"
        "    model.set_weights(w)"
    ),
    "a rate": LOOP.format("opt.learning_rate.assign(rate)"),
    "a metric": (
        "class Mean(keras.metrics.Metric):\n    def __init__(self):\n"
        "        self.total = self.add_weight('t')\n    def update_state(self, y):\n"
        "        self.total.assign_add(y)\n" + LOOP.format("Mean().update_state(x)")
    ),
    "made once, in a function": "def main():\n    model = make()\n    step(model, opt)\nmain()\n",
    "a model with its own optimizer and flag": (
        "for fold in folds:\n    mine = keras.optimizers.SGD(0.1)\n    net = make()\n"
        "    for x in data:\n        mine.apply_gradients(zip(g, net.trainable_variables))\n" + STEP
    ),
}
SET_BACK = {
    "weights of before": (LOOP.format("model.set_weights(kept)"), [2]),
    "a model by another name": (
        "learner, rate = model, 1\n" + LOOP.format("learner.set_weights(kept)"),
        [3],
    ),
    "a file": (STEP + "model.load_weights('a.h5')\n" + STEP, [2]),
    "a checkpoint": (STEP + "ckpt.restore(path).expect_partial()\n" + STEP, [2]),
    "another optimizer": (STEP + "opt = keras.optimizers.SGD(0.1)\n" + STEP, [2]),
    "a model for each fold": (LOOP.format("model = make()"), [2]),
    "the weights of another": (LOOP.format("model.set_weights(make().get_weights())"), [2]),
    "copied variables": (
        LOOP.format("for v, w in zip(model.variables, kept):\n        v.assign(w)"),
        [2],
    ),
    "a list of what each gives": (
        LOOP.format("[v.assign(w) for v, w in zip(model.variables, kept)]"),
        [2],
    ),
    "by number": (
        LOOP.format("for i, v in enumerate(model.weights):\n        v.assign(k[i])"),
        [2],
    ),
    "a structure": (
        LOOP.format("tf.nest.map_structure(lambda a, b: a.assign(b), model.variables, kept)"),
        [2],
    ),
    "in one variable of one layer": (LOOP.format("model.layers[3].kernel.assign(x)"), [2]),
    "in one layer": (LOOP.format("model.layers[3].set_weights(kept)"), [2]),
    "by an unknown rate": (LOOP.format(SLOWLY.format("f(x)")), [2]),
    "noise": (LOOP.format("[v.assign_add(tf.random.normal([])) for v in model.weights]"), [2]),
    "half of what was kept": (
        BEFORE + LOOP.format("model.set_weights([0.5 * w for w in kept])"),
        [3],
    ),
    "between what was kept and what a turn makes of it": (
        "for x in data:\n    old = model.get_weights()\n    " + STEP + "    "
        "new = model.get_weights()\n    for i in range(9):\n"
        "        new[i] = old[i] + 0.5 * (new[i] - old[i])\n    model.set_weights(new)\n",
        [7],
    ),
    "noise, one after the other": (
        LOOP.format(
            "w = model.get_weights()\n    for i in range(9):\n"
            "        w[i] = w[i] + np.random.rand()\n    model.set_weights(w)"
        ),
        [5],
    ),
    "copies by TensorFlow": (
        "kept = [tf.identity(v) for v in model.variables]\n"
        + LOOP.format("for v, w in zip(model.variables, kept):\n        v.assign(w)"),
        [3],
    ),
    "what the last turn kept": (
        BEFORE + "for x in data:\n    model.set_weights(kept)\n    " + STEP + "    "
        "kept = model.get_weights()\n",
        [3],
    ),
    "shadows that began before": (
        "means = [tf.Variable(v) for v in model.variables]\n"
        + LOOP.format("for m, v in zip(means, model.variables):\n        v.assign(m)"),
        [3],
    ),
    "the optimizer's": (
        LOOP.format("for v, w in zip(opt.variables, k):\n        v.assign(w)"),
        [2],
    ),
    "scattered": (LOOP.format("model.layers[0].kernel.scatter_nd_update([[0]], kept)"), [2]),
    "slices": (LOOP.format("model.layers[0].kernel.scatter_update(kept)"), [2]),
    "of TensorFlow 1": (LOOP.format("tf.compat.v1.assign(model.layers[0].bias, kept)"), [2]),
    "by another name": (
        "put = model.layers[0].bias.assign\n" + LOOP.format("put(kept)"),
        [3],
    ),
    "by the backend": (LOOP.format("keras.backend.set_value(model.layers[0].bias, kept)"), [2]),
    "a helper that assigns": (
        "def again(net, values):\n    for v, w in zip(net.variables, values):\n"
        "        v.assign(w)\n" + LOOP.format("again(model, kept)"),
        [2],
    ),
    "a helper of who knows what": (
        "def copy(a, b):\n    a.assign(b)\n" + LOOP.format("each(copy, model.variables, kept)"),
        [2],
    ),
    "in a helper": ("def again():\n    model.set_weights(kept)\n" + LOOP.format("again()"), [2]),
}


@pytest.mark.parametrize("name", KEPT)
def test_what_is_the_same_on_all_workers_sets_nothing_back(name: str) -> None:
    assert set_back(KEPT[name]) == []


@pytest.mark.parametrize("name", SET_BACK)
def test_the_next_step_broadcasts_what_was_changed(name: str) -> None:
    text, lines = SET_BACK[name]
    assert set_back(text) == lines


def test_a_variable_of_its_own_counts() -> None:
    text = MINE + "w = tf.Variable(f())\nkept = w.numpy()\nfor x in data:\n    {}\n    "
    text += "mine.apply_gradients(zip(g, [w]))\n" + STEP
    assert set_back(text.format("w.assign(kept)")) == [5]
    assert set_back(text.format("w.assign(tf.maximum(w, 0.0))")) == []


def test_a_model_in_the_model_counts() -> None:
    text = MINE + "inner = make()\nouter = keras.Sequential([inner])\nfor x in data:\n"
    text += "    {}.set_weights(k)\n    mine.apply_gradients(zip(g, outer.trainable_variables))\n"
    text += STEP
    assert set_back(text.format("inner")) == [5]
    assert set_back(text.format("other")) == []


def test_a_batch_whose_helper_changes_the_model_has_a_flag_that_the_helper_sees() -> None:
    text = "def again():\n    model.set_weights(kept)\nmodel.compile('sgd', 'mse')\n"
    text += "for x in data:\n    again()\n    model.train_on_batch(x, x)\n"
    found = broadcasts(Facts.of(HEAD_OF_FLAG_RESETS.partition("def step")[0] + text))
    (batch,) = found.batches
    assert not found.problems
    assert [ast.unparse(key) for key in batch.flag.keys] == ["model"]
    assert [ast.unparse(each) for each in batch.resets] == ["model.set_weights(kept)"]


def test_what_a_function_gives_back_counts_where_it_is_called() -> None:
    text = "def again():\n    return model.set_weights(kept)\n" + LOOP.format("again()")
    assert set_back(text) == [4]
    nested = text.replace("again()\n    opt", "deeper()\n    opt").replace(
        "def again", "def deeper():\n    return again()\ndef again", 1
    )
    assert set_back(nested.replace("    again()", "    deeper()")) == [6]


def test_a_function_that_is_never_called_sets_nothing_back() -> None:
    text = "def again():\n    return model.set_weights(kept)\n" + LOOP.format("pass")
    assert set_back(text) == []


def test_a_change_in_a_function_that_others_may_call_is_refused() -> None:
    text = "def again():\n    return model.set_weights(kept)\nhand_on(again)\n"
    (problem,) = broadcasts(Facts.of(HEAD_OF_FLAG_RESETS + text + LOOP.format("pass"))).problems
    assert "changes what is trained" in problem.why


def test_an_object_sets_back_its_own_flag() -> None:
    text = STEP + (
        "class Trainer:\n    def __init__(self):\n        self.net = make()\n"
        "        self.opt = keras.optimizers.SGD(0.1)\n"
        "    def again(self):\n        self.net.set_weights(kept)\n"
        "    def train(self):\n"
        "        self.opt.apply_gradients(zip(g, self.net.trainable_variables))\n"
        "t = Trainer()\nfor fold in folds:\n    t.again()\n    t.train()\n"
    )
    assert set_back(text) == [7]


@pytest.mark.parametrize(
    ("text", "is_any"),
    [
        ("net.fit(x)", False),
        ("w.assign(w * 0.5)", True),
        ("net.load_weights('a.h5')", True),
        ("tf.keras.backend.set_value(w, 0)", True),
        ("tf.compat.v1.assign(w, 0)", True),
        ("tf.compat.v1.scatter_update(w, i, 0)", True),
        ("w.scatter_update(tf.IndexedSlices(x, i))", True),
        ("put = w.assign\nput(0)", True),
        ("put = w.assign\nother(0)", False),
        ("put = w.assign", False),
    ],
)
def test_whether_anything_is_written_into_state(text: str, is_any: bool) -> None:
    assert any(all_writes(Facts.of(f"import tensorflow as tf\n{text}\n"))) is is_any
