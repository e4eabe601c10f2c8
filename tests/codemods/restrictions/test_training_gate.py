"""T01, T02, T06, R02 and the reasons to skip: what is left untouched, and what it is told."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = "import tensorflow as tf\nfrom tensorflow import keras\n"
FIT = "model = keras.Sequential([])\nmodel.compile('sgd')\nmodel.fit(tf.ones([4, 2]), tf.ones(4))\n"
TAPE = (
    "w = tf.Variable(1.0)\nopt = keras.optimizers.SGD(0.1)\nwith tf.GradientTape() as tape:\n    loss = w * w\n"
    "opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))\n"
)

OWN_METHOD = (  # of a class of the file, in a way that nobody follows
    "import functools\nclass Zoo:\n    def build(self, n):\n        return keras.Sequential([])\n"
    "    small = functools.partialmethod(build, 3)\nZoo().small().fit(x)\n"
)
BY_HAND = (
    "w = tf.Variable(1.0)\nfor step in range(9):\n    with tf.GradientTape() as tape:\n        loss = w * w\n"
    "    w.assign_sub(0.1 * tape.gradient(loss, w))\n"
)
CUSTOM = (
    "with tf.GradientTape() as tape:\n    loss = model(x)\n"
    "engine.update(tape.gradient(loss, model.trainable_variables))\n"
)
METRIC = TAPE.replace("zip(tape.gradient(loss, [w]), [w])", "zip(g, [w])").replace(
    "opt.apply", "g = tape.gradient(loss, [w])\nnorm.assign(tf.linalg.global_norm(g))\nopt.apply"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from models import build\nmodel = build()\nmodel.fit(x)\n", [("T01", 3)]),
        ("def train(model):\n    model.fit(x)\n", [("T01", 3)]),
        (OWN_METHOD, [("T01", 8)]),
        ("def train():\n" + "".join(f"    {line}\n" for line in FIT.splitlines()), [("T01", 6)]),
        (
            FIT
            + TAPE.replace("[w]", "model.weights").replace(
                "keras.optimizers.SGD(0.1)", "model.optimizer"
            ),
            [("R05", 7), ("T02", 10)],
        ),
        (FIT + "class Model(keras.Model):\n    pass\nfrom keras import Model\n", [("R02", 6)]),
        ("with tf.compat.v1.Session() as sess:\n    sess.run(x)\n", [("T06", 3)]),
        ("tf.estimator.Estimator(f).train(g)\n", [("T06", 3)]),
        (BY_HAND, [("G03", 7)]),
        (FIT + BY_HAND, [("G03", 10)]),
        (TAPE + BY_HAND, [("G03", 12)]),
        (BY_HAND.replace("w.assign_sub(", "tf.compat.v1.assign_sub(w, "), [("G03", 7)]),
        (FIT + CUSTOM, [("G03", 8)]),
    ],
)
def test_a_blocked_file_is_left_untouched(text: str, expected: list[tuple[str, int]]) -> None:
    migration = migrate(HEAD + text)
    assert [(finding.code, finding.line) for finding in migration.blocked] == expected
    assert migration.steps == ()
    assert migration.after == HEAD + text
    assert all(finding.message and finding.fix for finding in migration.blocked)


HELD = FIT + BY_HAND.replace("    w.assign_sub(0.1 * tape.gradient(loss, w))\n", "{}\n")
STEPS = {
    "function of the backend": "    keras.backend.update_sub(w, 0.1 * tape.gradient(loss, w))",
    "difference": "    keras.backend.update(w, w - 0.1 * tape.gradient(loss, w))",
    "pairs": "    keras.backend.batch_set_value([(w, w - tape.gradient(loss, w))])",
    "scattered": "    w.scatter_nd_sub([[0]], tape.gradient(loss, w))",
    "made anew": "    w = tf.Variable(w - 0.1 * tape.gradient(loss, w))",
    "method under a name": "    step = w.assign_sub\n    step(tape.gradient(loss, w))",
    "getattr": "    getattr(w, 'assign_sub')(tape.gradient(loss, w))",
    "methodcaller": "    import operator\n    g = tape.gradient(loss, w)\n"
    "    operator.methodcaller('assign_sub', g)(w)",
    "unknown function": "    from zoo import step\n    step(w, tape.gradient(loss, w))",
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_a_step_by_hand_beside_fit_is_named_however_it_is_spelled(step: str) -> None:
    assert {finding.code for finding in migrate(HEAD + HELD.format(step)).blocked} == {"G03"}


@pytest.mark.parametrize(
    "use",
    [
        "print(w, g)",
        "w = tf.Variable(2.0)",
        "norm = tf.Variable(tf.norm(g))",
        "step = w.numpy\n    step(g)",
        "getattr(w, 'dtype')",
        "from zoo import plot\n    plot(g)",
    ],
)
def test_gradients_that_are_looked_at_are_no_step(use: str) -> None:
    text = HEAD + HELD.format(f"    g = tape.gradient(loss, w)\n    {use}")
    assert not migrate(text).blocked


@pytest.mark.parametrize(
    ("call", "method"),
    [
        ("getattr(model, 'fit')(x, y)", "fit"),
        ("import operator\noperator.methodcaller('fit', x, y)(model)", "fit"),
        ("import operator\noperator.attrgetter('train_on_batch')(model)(x, y)", "train_on_batch"),
        ("step = keras.optimizers.SGD().minimize\nstep(loss, [w])", "minimize"),
        ("getattr(keras.optimizers.SGD(), 'minimize')(loss, [w])", "minimize"),
        ("for name in ('fit', 'evaluate'):\n    getattr(model, name)(x, y)", "fit"),
        ("getattr(model, input())(x, y)", "fit"),
    ],
)
def test_a_method_that_is_taken_as_a_value_is_not_called_no_training(
    call: str, method: str
) -> None:
    head, _, _ = FIT.partition("model.fit")
    (found,) = migrate(f"{HEAD}{head}{call}\n").blocked
    assert (found.code, found.fix) == ("T01", f"call `{method}` on a name bound to it") or (
        "methodcaller" in call or "attrgetter" in call
    )
    assert f"`{method}`" in found.message


@pytest.mark.parametrize(
    "call",
    [
        "getattr(model, 'summary')()",
        "for name in ('summary', 'evaluate'):\n    getattr(model, name)()",
        "getattr(model, name)",
        "getattr(model, f'block_{x}')(x)",
        "getattr(model, 'block_' + str(x))(x)",
        "getattr(f, name)(x)",
        "getattr(model)",
        "getattr()()",
        "step = f.go",
    ],
)
def test_other_methods_that_are_taken_train_nothing(call: str) -> None:
    assert migrate(f"{HEAD}model = keras.Sequential([])\n{call}\n").skipped == "no training loop"


def test_a_class_that_hands_its_attributes_on_may_train() -> None:
    head, _, _ = FIT.partition("model.fit")
    text = (
        "class W:\n    def __init__(self, m):\n        self.m = m\n"
        "    def {}(self, name):\n        return getattr(self.m, name)\n\n\nW(model).fit(x, y)\n"
    )
    for hook, codes in (("__getattr__", ["T01"]), ("get", [])):
        assert [f.code for f in migrate(HEAD + head + text.format(hook)).blocked] == codes


@pytest.mark.parametrize(
    "text",
    [
        METRIC,  # of gradients that the optimizer gets as well
        TAPE + "w.assign(1.0)\n",
        FIT + "with tf.GradientTape() as tape:\n    y = model(x)\nx = x + tape.gradient(y, x)\n",
    ],
)
def test_what_is_made_of_gradients_beside_an_optimizer_is_no_training(text: str) -> None:
    assert not migrate(HEAD + text).blocked


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (HEAD + "def f():\n    from horovod import tensorflow\n", "already Horovod"),
        (HEAD + "print(keras.Sequential([]).predict(x))\n", "no training loop"),
        (HEAD + BY_HAND.replace("w.assign_sub", "print"), "no training loop"),
        ("from sklearn.svm import SVC\nimport keras\nSVC().fit(x, y)\n", "no training loop"),
        ("", "no training loop"),
    ],
)
def test_what_is_none_of_its_business_is_skipped(text: str, reason: str) -> None:
    migration = migrate(text)
    assert migration.skipped == reason
    assert not migration.blocked
    assert migration.after == text


def test_what_it_made_is_none_of_its_business() -> None:
    made = migrate(HEAD + FIT).after
    assert made != HEAD + FIT
    assert migrate(made).skipped == "already Horovod"
    assert migrate(made).after == made


@pytest.mark.parametrize(
    "text", [FIT, TAPE, "try:\n    import keras\nexcept ImportError:\n    raise\n" + FIT]
)
def test_what_is_fine_is_not_blocked(text: str) -> None:
    migration = migrate(HEAD + text)
    assert migration.blocked == ()
    assert migration.steps
