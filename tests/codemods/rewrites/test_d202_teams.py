"""Optimizers that always step together share one flag and one broadcast, and no others do."""

from __future__ import annotations

import textwrap

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import tensorflow as tf

a = tf.keras.Sequential([tf.keras.layers.Dense(1)])
b = tf.keras.Sequential([tf.keras.layers.Dense(1)])
a_opt = tf.keras.optimizers.Adam(0.1)
b_opt = tf.keras.optimizers.Adam(0.1)


def gradients(model):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(tf.ones([2, 1])))
    return tape.gradient(loss, model.trainable_variables)


"""
A = "a_opt.apply_gradients(zip(gradients(a), a.trainable_variables))"
B = "b_opt.apply_gradients(zip(gradients(b), b.trainable_variables))"
STEP = f"def step():\n    {A}\n    {B}\n\n\n"
FOR = "for _ in range(3):\n    "


def migrated(text: str) -> str:
    """The program with a loop, migrated; nothing may be in the way."""
    found = migrate(HEAD + textwrap.dedent(text))
    assert not found.blocked
    assert migrate(found.after).after == found.after
    return found.after


TOGETHER = {
    "in a function": STEP + FOR + "step()\n",
    "in a loop": f"{FOR}{A}\n    {B}\n",
    "on one line": f"{FOR}{A}; {B}\n",
    "gradients between": f"{FOR}{A}\n    g = gradients(b)\n"
    "    b_opt.apply_gradients(zip(g, b.trainable_variables))\n",
    "a tape between": f"{FOR}{A}\n    with tf.GradientTape() as tape:\n        loss = b(tf.ones([2, 1]))\n"
    "    g = tape.gradient(loss, b.trainable_variables)\n"
    "    b_opt.apply_gradients(zip(g, b.trainable_variables))\n",
    "compiled": "@tf.function\n" + STEP + FOR + "step()\n",
}


@pytest.mark.parametrize("text", TOGETHER.values(), ids=list(TOGETHER))
def test_one_flag_and_one_broadcast_behind_the_last(text: str) -> None:
    after = migrated(text)
    assert after.count("tf.Variable(False, trainable=False)") == 1
    assert after.count("if not broadcast_done:") == 1
    assert after.index("b_opt.apply") < after.index("if not broadcast_done:")
    made = "b_opt = tf.keras.optimizers.Adam(0.1)\nbroadcast_done = "
    assert made in after
    lines = ["a.variables", "a_opt.variables", "b.variables", "b_opt.variables"]
    calls = [line.strip() for line in after.splitlines() if "broadcast_variables(" in line]
    assert calls == [f"hvd.broadcast_variables({each}, root_rank=0)" for each in lines]


APART = {
    "every second time": f"for i in range(3):\n    {A}\n    if i % 2:\n        {B}\n",
    "the second one in a loop": f"{FOR}{A}\n    for _ in range(2):\n        {B}\n",
    "a way out between": f"def step(x):\n    {A}\n    if x:\n        return\n    {B}\n\n\n{FOR}step(0)\n",
    "the next round between": f"for i in range(3):\n    {A}\n    if i:\n        continue\n    {B}\n",
    "something kept between": f"kept = []\n{FOR}{A}\n    kept.append(a.get_weights())\n    {B}\n",
    "a pause between": f"def steps():\n    while True:\n        {A}\n        x = yield 1\n        {B}\n\n\n"
    "work = steps()\n" + FOR + "next(work)\n",
    "one of them alone elsewhere": f"{FOR}{A}\n{FOR}{A}\n    {B}\n",
    "in two functions": f"def one():\n    {A}\n\n\ndef two():\n    {B}\n\n\n{FOR}one()\n    two()\n",
    "another model between": f"c = a\n{FOR}c_opt.apply_gradients(zip(gradients(c), c.trainable_variables))\n"
    f"    c = b\n    {B}\n".replace("c_opt", "a_opt"),
}


@pytest.mark.parametrize("text", APART.values(), ids=list(APART))
def test_each_has_its_flag_where_one_may_step_without_the_other(text: str) -> None:
    found = migrate(HEAD + text)
    assert found.blocked or found.after.count("tf.Variable(False, trainable=False)") >= 2


def test_optimizers_of_different_objects_keep_theirs() -> None:
    text = HEAD.replace("a_opt = ", "class C: pass\nbox = C()\nbox.opt = ") + (
        f"{FOR}{A.replace('a_opt', 'box.opt')}\n    {B}\n"
    )
    found = migrate(text)
    assert found.blocked or found.after.count("tf.Variable(False, trainable=False)") == 2


def test_a_class_has_one_flag_behind_its_last_optimizer() -> None:
    made = (
        "class Pair:\n    def __init__(self):\n        self.a_opt = tf.keras.optimizers.Adam(0.1)\n"
    )
    made += "        self.b_opt = tf.keras.optimizers.Adam(0.1)\n        self.steps = 0\n\n    def step(self):\n"
    steps = f"        self.{A}\n        self.{B}\n\n\npair = Pair()\n{FOR}pair.step()\n"
    after = migrated(made + steps)
    assert "Adam(0.1)\n        self.broadcast_done = tf.Variable(" in after
    assert after.count("self.broadcast_done") == 3


def test_weights_that_are_put_back_are_broadcast_at_once() -> None:
    after = migrated(STEP + "before = a.get_weights()\nstep()\na.set_weights(before)\nstep()\n")
    behind = "a.set_weights(before)\nhvd.broadcast_variables(a.variables, root_rank=0)\nstep()\n"
    assert behind in after
    assert "broadcast_done.assign(False)" not in after


def test_values_that_variables_get_are_broadcast_at_once() -> None:
    noise = "for w in a.trainable_variables:\n    w.assign_add(tf.random.normal(w.shape))\n"
    after = migrated(f"{FOR}{A}\n    {B}\n    {noise}".replace("\n    w.", "\n        w."))
    behind = "w.assign_add(tf.random.normal(w.shape))\n    hvd.broadcast_variables(a.variables, "
    assert behind in after
    assert "broadcast_done.assign(False)" not in after


def test_a_file_that_is_read_sets_the_flag_of_both_back() -> None:
    after = migrated(STEP + "step()\na.load_weights('a.h5')\nstep()\n")
    assert after.count("broadcast_done.assign(False)") == 1
    assert after.count("broadcast_done = tf.Variable(False, trainable=False)") == 1


def test_both_are_made_anew_for_each_round() -> None:
    head = HEAD.replace(HEAD[HEAD.index("a_opt") : HEAD.index("def gradients")], "\n")
    made = "".join(f"    {one}_opt = tf.keras.optimizers.Adam(0.1)\n" for one in "ab")
    rounds = (
        f"def run():\n{made}    for _ in range(3):\n        {A}\n        {B}\n\n\nrun()\nrun()\n"
    )
    found = migrate(head + rounds)
    assert not found.blocked
    assert f"{made}    broadcast_done = tf.Variable(False, trainable=False)\n" in found.after


def test_one_that_steps_alone_elsewhere_is_broadcast_behind_each_of_its_steps() -> None:
    after = migrated(APART["one of them alone elsewhere"]).splitlines()
    steps = [at for at, line in enumerate(after) if ".apply_gradients(" in line]
    flags = [f"    if not {name}_broadcast_done:" for name in ("a_opt", "a_opt", "b_opt")]
    assert [after[at + 1] for at in steps] == flags


def test_a_flag_is_no_deeper_than_one_of_its_optimizers() -> None:
    made = "b_opt = tf.keras.optimizers.Adam(0.1)\n"
    inside = f"if tf.executing_eagerly():\n    {made}else:\n    raise SystemExit\n"
    after = migrate(HEAD.replace(made, inside) + f"{FOR}{A}\n    {B}\n").after
    assert "\na_opt_broadcast_done = tf.Variable(False, trainable=False)\nif tf.exec" in after
    assert "\n    b_opt_broadcast_done = tf.Variable(False, trainable=False)\n" in after


def test_variables_that_only_the_pairs_of_a_step_name_are_broadcast_behind_it() -> None:
    pairs = "from own import pairs\n\n" + HEAD
    steps = f"{FOR}a_opt.apply_gradients(pairs(gradients(a)))\n    b_opt.apply_gradients(pairs(gradients(b)))\n"
    found = migrate(pairs + steps)
    assert found.blocked or found.after.count("tf.Variable(False, trainable=False)") == 2
