"""The state is broadcast after the first step, once for each optimizer and what it trains."""

from __future__ import annotations

import textwrap

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Migration, Options

HEAD = """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
critic = tf.keras.Sequential([tf.keras.layers.Dense(1)])
w = tf.Variable(1.0)


def gradients(variables):
    with tf.GradientTape() as tape:
        loss = model(tf.ones([2, 1])) + w
    return tape.gradient(loss, variables)


start = 0  # head
"""


def outcome(snippet: str, tensorflow: tuple[int, int] = (2, 15)) -> Migration:
    """The migration of the snippet as a part of a program."""
    text = HEAD + textwrap.dedent(snippet).strip("\n ") + "\n"
    return migrate(text, Options(unsound=True, select=frozenset({"D202"}), tensorflow=tensorflow))


def broadcast(snippet: str, tensorflow: tuple[int, int] = (2, 15)) -> str:
    """What becomes of the snippet."""
    found = outcome(snippet, tensorflow)
    assert not found.blocked
    return found.after.partition("# head\n")[2].rstrip("\n")


def block(flag: str, variables: str, optimizer: str) -> str:
    """The lines after `apply_gradients`."""
    return (
        f"if not {flag}:\n"
        f"    hvd.broadcast_variables({variables}, root_rank=0)\n"
        f"    hvd.broadcast_variables({optimizer}, root_rank=0)\n"
        f"    {flag}.assign(True)"
    )


def test_a_loop_of_the_module() -> None:
    after = broadcast(
        """
        opt = tf.keras.optimizers.Adam(0.1)
        for _ in range(3):
            opt.apply_gradients(zip(gradients([w]), [w]))  # step
        """
    )
    assert after == (
        "opt = tf.keras.optimizers.Adam(0.1)\n"
        "broadcast_done = tf.Variable(False, trainable=False)\n"
        "for _ in range(3):\n"
        "    opt.apply_gradients(zip(gradients([w]), [w]))  # step\n"
        + textwrap.indent(block("broadcast_done", "[w]", "opt.variables"), "    ")
    )


VARIABLES = {
    "of a model, the untrainable ones too": (
        "zip(g, model.trainable_variables)",
        "model.variables",
    ),
    "weights": ("zip(g, model.trainable_weights)", "model.weights"),
    "of two models": (
        "zip(g, model.trainable_variables + critic.trainable_variables)",
        "model.variables + critic.variables",
    ),
    "under a name": ("zip(g, both)", "model.variables + critic.variables"),
    "of a list": ("zip(g, [w])", "[w]"),
    "of layers in a list": (
        "zip(g, [*model.trainable_variables, w])",
        "[*model.variables, w]",
    ),
    "of one layer": (
        "zip(g, model.layers[0].trainable_variables)",
        "model.variables",
    ),
    "of pairs": ("[(g[0], w)]", "[w]"),
    "of a comprehension": (
        "[(tf.sign(a), b) for a, b in zip(g, model.trainable_variables)]",
        "model.variables",
    ),
    "of a generator": ("((tf.sign(a), b) for a, b in zip(g, [w]))", "[w]"),
    "of a list of pairs under a name": ("pairs", "[variable for _, variable in pairs]"),
    "by keyword": ("grads_and_vars=zip(g, [w])", "[w]"),
}


@pytest.mark.parametrize(("argument", "variables"), VARIABLES.values(), ids=VARIABLES.keys())
def test_the_variables_are_those_applied(argument: str, variables: str) -> None:
    after = broadcast(
        f"""
        opt = tf.keras.optimizers.SGD(0.1)
        g = gradients([w])
        both = model.trainable_variables + critic.trainable_variables
        pairs = [(a, b) for a, b in sorted(zip(g, both))]
        opt.apply_gradients({argument})
        """
    )
    assert after.endswith(
        f"opt.apply_gradients({argument})\n" + block("broadcast_done", variables, "opt.variables")
    )


def test_pairs_that_can_be_read_once_only_are_named() -> None:
    after = broadcast(
        """
        opt = tf.keras.optimizers.SGD(0.1)
        opt.apply_gradients(filter(all, zip(gradients([w]), [w])))
        """
    )
    assert after.endswith(
        "grads_and_vars = list(filter(all, zip(gradients([w]), [w])))\n"
        "opt.apply_gradients(grads_and_vars)\n"
        + block("broadcast_done", "[variable for _, variable in grads_and_vars]", "opt.variables")
    )


def test_each_optimizer_has_its_flag() -> None:
    after = broadcast(
        """
        one = tf.keras.optimizers.SGD(0.1)
        two = tf.keras.optimizers.SGD(0.1)
        one.apply_gradients(zip(gradients([w]), [w]))
        print("one")
        two.apply_gradients(zip(gradients([w]), model.trainable_variables))
        """
    )
    assert block("one_broadcast_done", "[w]", "one.variables") in after
    assert block("two_broadcast_done", "model.variables", "two.variables") in after


def test_each_set_of_variables_of_an_optimizer_has_its_flag() -> None:
    after = broadcast(
        """
        opt = tf.keras.optimizers.SGD(0.1)
        opt.apply_gradients(zip(gradients([w]), [w]))
        opt.apply_gradients(zip(gradients([w]), model.trainable_variables))
        opt.apply_gradients(zip(gradients([w]), [w]))
        """
    )
    assert after.count(block("opt_broadcast_done_1", "[w]", "opt.variables")) == 2
    assert after.count(block("opt_broadcast_done_2", "model.variables", "opt.variables")) == 1


FLAGS = {
    "in a function": (
        """
        def main():
            opt = tf.keras.optimizers.SGD(0.1)
            for _ in range(3):
                opt.apply_gradients(zip(gradients([w]), [w]))
        main()
        """,
        "    opt = tf.keras.optimizers.SGD(0.1)\n    broadcast_done = tf.Variable(",
    ),
    "on an object": (
        """
        class Trainer:
            def __init__(self):
                self.opt = tf.keras.optimizers.SGD(0.1)
            def step(self):
                self.opt.apply_gradients(zip(gradients([w]), [w]))
        Trainer().step()
        """,
        "        self.broadcast_done = tf.Variable(False, trainable=False)\n",
    ),
    "on an object that is given its optimizer": (
        """
        class Trainer:
            def __init__(self, opt):
                self.opt = opt
            def step(self):
                self.opt.apply_gradients(zip(gradients([w]), [w]))
        Trainer(tf.keras.optimizers.SGD(0.1)).step()
        """,
        "        self.opt = opt\n        self.broadcast_done = tf.Variable(False",
    ),
    "not on a model, which would track it": (
        """
        class Mine(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.opt = tf.keras.optimizers.SGD(0.1)
            def step(self):
                self.opt.apply_gradients(zip(gradients([w]), [w]))
        mine = Mine()
        mine.step()
        """,
        "broadcast_done = tf.Variable(False, trainable=False)\n\n\nclass Mine(",
    ),
    "before a step that is given its optimizer": (
        """
        @tf.function
        def step(opt):
            opt.apply_gradients(zip(gradients([w]), [w]))
        step(tf.keras.optimizers.SGD(0.1))
        """,
        "broadcast_done = tf.Variable(False, trainable=False)\n\n\n@tf.function\ndef step(",
    ),
    "beside the one optimizer that a step is given": (
        """
        opt = tf.keras.optimizers.SGD(0.1)
        def step(optimizer):
            optimizer.apply_gradients(zip(gradients([w]), [w]))
        step(opt)
        """,
        "opt = tf.keras.optimizers.SGD(0.1)\nbroadcast_done = tf.Variable(False",
    ),
    "before a step that is given one that a function makes": (
        """
        def step(optimizer):
            optimizer.apply_gradients(zip(gradients([w]), [w]))
        def main():
            opt = tf.keras.optimizers.SGD(0.1)
            step(opt)
        main()
        """,
        "broadcast_done = tf.Variable(False, trainable=False)\n\n\ndef step(",
    ),
    "set back with each new optimizer": (
        """
        def step(opt):
            opt.apply_gradients(zip(gradients([w]), [w]))
        for fold in range(3):
            opt = tf.keras.optimizers.SGD(0.1)
            step(opt)
        """,
        "    opt = tf.keras.optimizers.SGD(0.1)\n    broadcast_done.assign(False)\n    step(opt)",
    ),
    "set back once behind the last of what is new": (
        """
        def step(model, opt):
            v = model.trainable_variables
            opt.apply_gradients(zip(gradients(v), v))
        for fold in range(3):
            model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
            opt = tf.keras.optimizers.SGD(0.1)
            step(model, opt)
        """,
        "    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        "    opt = tf.keras.optimizers.SGD(0.1)\n    broadcast_done.assign(False)\n    step(",
    ),
    "and behind each where something may be run between": (
        """
        def step(model, opt):
            v = model.trainable_variables
            opt.apply_gradients(zip(gradients(v), v))
        for fold in range(3):
            model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
            kept = warm_up(model)
            opt = tf.keras.optimizers.SGD(0.1)
            step(model, opt)
        """,
        "    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        "    broadcast_done.assign(False)\n    kept = warm_up(model)\n",
    ),
    "once after a loss scale": (
        """
        opt = tf.keras.optimizers.SGD(0.1)
        opt = tf.keras.mixed_precision.LossScaleOptimizer(opt)
        opt.apply_gradients(zip(gradients([w]), [w]))
        """,
        "opt = tf.keras.mixed_precision.LossScaleOptimizer(opt)\nbroadcast_done = tf.Variable(",
    ),
}


@pytest.mark.parametrize(("text", "expected"), FLAGS.values(), ids=FLAGS.keys())
def test_the_flag_lives_with_the_optimizer(text: str, expected: str) -> None:
    after = broadcast(text)
    assert expected in after
    assert after.count("tf.Variable(False, trainable=False)") == 1


CALLS = {
    "legacy": ("tf.keras.optimizers.legacy.SGD(0.1)", (2, 15), "opt.variables()"),
    "older TensorFlow": ("tf.keras.optimizers.SGD(0.1)", (2, 10), "opt.variables()"),
    "TensorFlow 1": (
        "tf.compat.v1.train.GradientDescentOptimizer(0.1)",
        (2, 15),
        "opt.variables()",
    ),
    "a loss scale around a legacy one": (
        "tf.keras.mixed_precision.LossScaleOptimizer(tf.keras.optimizers.legacy.SGD(0.1))",
        (2, 15),
        "opt.variables()",
    ),
    "a loss scale": (
        "tf.keras.mixed_precision.LossScaleOptimizer(tf.keras.optimizers.SGD(0.1))",
        (2, 15),
        "opt.variables",
    ),
}


@pytest.mark.parametrize(("made", "version", "variables"), CALLS.values(), ids=CALLS.keys())
def test_the_optimizer_s_variables_are_read_as_its_class_has_them(
    made: str, version: tuple[int, int], variables: str
) -> None:
    text = f"opt = {made}\nopt.apply_gradients(zip(gradients([w]), [w]))\n"
    assert f"hvd.broadcast_variables({variables}, root_rank=0)" in broadcast(text, version)


def test_a_call_that_is_returned_is_named_first() -> None:
    after = broadcast(
        """
        opt = tf.keras.optimizers.SGD(0.1)
        def step():
            return opt.apply_gradients(zip(gradients([w]), [w]))
        step()
        """
    )
    assert after.endswith(
        "def step():\n"
        "    applied = opt.apply_gradients(zip(gradients([w]), [w]))\n"
        + textwrap.indent(block("broadcast_done", "[w]", "opt.variables"), "    ")
        + "\n    return applied\nstep()"
    )


def test_one_line_is_opened() -> None:
    after = broadcast(
        """
        opt = tf.keras.optimizers.SGD(0.1)
        if w > 0: opt.apply_gradients(zip(gradients([w]), [w]))
        """
    )
    assert "if w > 0:\n    opt.apply_gradients(" in after
    assert after.endswith(textwrap.indent(block("broadcast_done", "[w]", "opt.variables"), "    "))


def test_minimize_is_a_step_too() -> None:
    after = broadcast(
        """
        opt = tf.keras.optimizers.SGD(0.1)
        for _ in range(3):
            opt.minimize(lambda: w * w, [w])
        """
    )
    assert textwrap.indent(block("broadcast_done", "[w]", "opt.variables"), "    ") in after


def test_a_name_that_is_taken_stays() -> None:
    after = broadcast(
        """
        broadcast_done = 1
        opt = tf.keras.optimizers.SGD(0.1)
        opt.apply_gradients(zip(gradients([w]), [w]))
        """
    )
    assert "broadcast_done_1 = tf.Variable(False" in after


def test_fit_broadcasts_by_its_callback() -> None:
    found = outcome(
        """
        class Mine(tf.keras.Model):
            def train_step(self, data):
                self.optimizer.apply_gradients(zip(gradients([w]), [w]))
                return {}
        mine = Mine()
        mine.compile("sgd")
        mine.fit(w)
        """
    )
    assert "D202" not in [step.code for step in found.steps]


def test_a_model_that_the_step_asks_but_does_not_train_is_broadcast_too() -> None:
    after = broadcast(
        """
        opt = tf.keras.optimizers.SGD(0.1)
        target = tf.keras.Sequential()
        known = tf.keras.applications.VGG16()
        def step(x):
            wanted = target(x) + known(x)
            with tf.GradientTape() as tape:
                loss = model(x) - wanted
            g = tape.gradient(loss, model.trainable_variables)
            opt.apply_gradients(zip(g, model.trainable_variables))
            return critic(x)
        step(w)
        """
    )
    assert (
        "    if not broadcast_done:\n"
        "        hvd.broadcast_variables(model.variables, root_rank=0)\n"
        "        hvd.broadcast_variables(target.variables, root_rank=0)\n"
        "        hvd.broadcast_variables(opt.variables, root_rank=0)\n"
    ) in after


def test_a_model_of_which_all_variables_are_applied_is_broadcast_once() -> None:
    after = broadcast(
        """
        opt = tf.keras.optimizers.SGD(0.1)
        def step(net, x):
            with tf.GradientTape() as tape:
                loss = net(x)
            opt.apply_gradients(zip(tape.gradient(loss, net.variables), net.variables))
        step(critic, w)
        """
    )
    assert after.count("hvd.broadcast_variables(net.variables, root_rank=0)") == 1


BATCHES = """
model.compile("sgd", "mse")
for epoch in range(3):
    for x in [w, w]:
        loss = model.train_on_batch(x, x)
        loss += model.train_on_batch(x, x)
"""


def test_train_on_batch_runs_no_callback_that_would_broadcast() -> None:
    text = "import tensorflow as tf\nmodel = tf.keras.Sequential()\nw = tf.ones([1])" + BATCHES
    after = migrate(text, Options(unsound=True, select=frozenset({"D202"}))).after
    assert "import horovod.tensorflow as hvd_tf\n" in after
    assert after.endswith(
        "broadcast_done = tf.Variable(False, trainable=False)\n"
        "for epoch in range(3):\n"
        "    for x in [w, w]:\n"
        "        loss = model.train_on_batch(x, x)\n"
        "        if not broadcast_done:\n"
        "            hvd_tf.broadcast_variables(model.variables, root_rank=0)\n"
        "            hvd_tf.broadcast_variables(model.optimizer.variables, root_rank=0)\n"
        "            broadcast_done.assign(True)\n"
        "        loss += model.train_on_batch(x, x)\n"
    )


def test_train_on_batch_outside_of_a_loop_blocks_the_file() -> None:
    text = (
        "import tensorflow as tf\nmodel = tf.keras.Sequential()\nmodel.compile('sgd')\n"
        "def step(x):\n    model.train_on_batch(x, x)\nstep([1])\n"
    )
    assert "T08" in [finding.code for finding in migrate(text).blocked]


BLOCKED = {
    "in a lambda": """
        opt = tf.keras.optimizers.SGD(0.1)
        step = lambda: opt.apply_gradients(zip(gradients([w]), [w]))
        step()
        """,
    "of any optimizer out of a dictionary": """
        opts = {"a": tf.keras.optimizers.SGD(0.1), "b": tf.keras.optimizers.SGD(0.1)}
        for name in opts:
            opts[name].apply_gradients(zip(gradients([w]), [w]))
        """,
    "of several optimizers under one parameter": """
        one = tf.keras.optimizers.SGD(0.1)
        two = tf.keras.optimizers.SGD(0.1)
        def step(opt):
            opt.apply_gradients(zip(gradients([w]), [w]))
        step(one)
        step(two)
        """,
    "of an optimizer that compile made": """
        model.compile("sgd")
        model.optimizer.apply_gradients(zip(gradients([w]), [w]))
        """,
    "of a model whose compiled step is exported": """
        class Mine(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.opt = tf.keras.optimizers.SGD(0.1)
            @tf.function
            def step(self):
                self.opt.apply_gradients(zip(gradients([w]), [w]))
        mine = Mine()
        mine.step()
        mine.save("folder")
        """,
    "of a model that is made several times": """
        class Mine(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.opt = tf.keras.optimizers.SGD(0.1)
            def step(self):
                self.opt.apply_gradients(zip(gradients([w]), [w]))
        for _ in range(3):
            Mine().step()
        """,
}


@pytest.mark.parametrize("text", BLOCKED.values(), ids=BLOCKED.keys())
def test_a_step_with_no_place_for_the_broadcast_blocks_the_file(text: str) -> None:
    found = outcome(text)
    assert "R08" in [finding.code for finding in found.blocked]
    assert found.after == found.before


HELD = """\
import tensorflow as tf


class Trainer:
    def __init__(self, model, rate):
        self.ckpt = tf.train.Checkpoint(optimizer=tf.keras.optimizers.Adam(rate), model=model)

    @tf.function
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.ckpt.model(x))
        gradients = tape.gradient(loss, self.ckpt.model.trainable_variables)
        self.ckpt.optimizer.apply_gradients(zip(gradients, self.ckpt.model.trainable_variables))


trainer = Trainer(tf.keras.Sequential([tf.keras.layers.Dense(1)]), 0.01)
for x in tf.data.Dataset.from_tensor_slices(tf.ones((8, 4))).batch(2):
    trainer.step(x)
"""


def test_an_optimizer_that_a_checkpoint_holds_has_its_flag_beside_that() -> None:
    found = migrate(HELD)
    assert not found.blocked
    assert "\n        self.broadcast_done = tf.Variable(False, trainable=False)\n" in found.after
    assert "hvd.broadcast_variables(self.ckpt.optimizer.variables, root_rank=0)" in found.after


def test_one_that_is_put_there_later_has_a_flag_of_its_own() -> None:
    later = HELD.replace(
        "\n\n\ntrainer",
        "\n\n    def again(self):\n        "
        "self.ckpt.optimizer = tf.keras.optimizers.SGD(0.1)\n\n\ntrainer",
    )
    found = migrate(later + "trainer.again()\ntrainer.step(x)\n")
    assert not found.blocked
    assert "if not broadcast_flag(self.ckpt.model, self.ckpt.optimizer):\n" in found.after


TWINS = """\
import tensorflow as tf


class One:
    def __init__(self, model):
        self.model = model
        self.optimizer = tf.keras.optimizers.SGD(0.1)

    def train(self, data):
        for x in data:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(self.model(x))
            gradients = tape.gradient(loss, self.model.trainable_variables)
            self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))


class Two(tf.Module):
    def __init__(self, model):
        self.net = model
        self.opt = tf.keras.optimizers.SGD(0.1)

    def train(self, data):
        for x in data:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(self.net(x))
            gradients = tape.gradient(loss, self.net.trainable_variables)
            self.opt.apply_gradients(zip(gradients, self.net.trainable_variables))


data = tf.data.Dataset.from_tensor_slices(tf.ones((8, 4))).batch(2)
first = One(tf.keras.Sequential([tf.keras.layers.Dense(1)]))
first.train(data)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.load_weights("a.h5")
second = {}(model)
second.train(data)
"""


@pytest.mark.parametrize(("name", "is_same"), [("Two", False), ("One", True)])
def test_methods_of_one_name_are_told_apart_by_their_objects(name: str, is_same: bool) -> None:
    """What is loaded before the second training was taken for a change between two steps."""
    found = migrate(TWINS.replace("(tf.Module)", "").format(name))
    assert not found.blocked or is_same
    assert ("broadcast_done.assign(False)" in found.after) <= is_same


OWN = """\
import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.out = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.out(x)

    def learn(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x) - y) ** 2)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))

    def prepare(self, optimizer):
        {prepared}


class Maker:
    def prepare_it(self, net):
        net.prepare(tf.keras.optimizers.Adam(0.1))


net = Net()
Maker().prepare_it(net)
for x, y in tf.data.Dataset.from_tensor_slices((tf.ones((8, 3)), tf.ones((8, 1)))).batch(2):
    net.learn(x, y)
"""
BESIDE = """\
import tensorflow as tf

net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
net.compile(optimizer={optimizer}, loss="mse")


class Loop:
    def __init__(self, net):
        self.net = net

    def learn(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self.net(x) - y) ** 2)
        gradients = tape.gradient(loss, self.net.trainable_variables)
        self.net.optimizer.apply_gradients(zip(gradients, self.net.trainable_variables))


loop = Loop(net)
for x, y in tf.data.Dataset.from_tensor_slices((tf.ones((8, 3)), tf.ones((8, 1)))).batch(2):
    loop.learn(x, y)
"""
KEPT = {
    "by the model itself": (
        OWN.format(prepared='self.compile(loss="mse", optimizer=optimizer)'),
        block("broadcast_done", "self.variables", "self.optimizer.variables"),
    ),
    "by super()": (
        OWN.format(prepared="super().compile(optimizer)"),
        block("broadcast_done", "self.variables", "self.optimizer.variables"),
    ),
    "by a model that another object has": (
        BESIDE.format(optimizer="tf.keras.optimizers.Adam(0.1)"),
        block("broadcast_done", "self.net.variables", "self.net.optimizer.variables"),
    ),
}


@pytest.mark.parametrize(("text", "expected"), KEPT.values(), ids=KEPT)
def test_an_optimizer_that_compile_has_given_to_the_model(text: str, expected: str) -> None:
    """And no flag is set back behind the method that has the model for `self`."""
    found = migrate(text)
    assert found.blocked == ()
    assert textwrap.indent(expected, " " * 8) in found.after
    assert "Adam(0.1 * hvd.size())" in found.after
    assert found.after.count(".assign(False)") == 0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("net = Net()\n", "for _ in range(2):\n    net = Net()\n"),
        ("        net.prepare(tf.keras.optimizers.Adam(0.1))\n", "        net.prepare('adam')\n"),
    ],
)
def test_one_that_nobody_can_place_blocks_the_file(before: str, after: str) -> None:
    text = OWN.format(prepared='self.compile(loss="mse", optimizer=optimizer)')
    assert migrate(text).blocked == ()
    assert [each.code for each in migrate(text.replace(before, after)).blocked][:1] == ["R08"]


SHARP = """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.build((None, 3))
opt = tf.keras.optimizers.SGD(0.1)


@tf.function
def learn(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    first = tape.gradient(loss, model.trainable_variables)
    moves = [0.05 * g / (tf.linalg.global_norm(first) + 1e-12) for g in first]
    for w, e in zip(model.trainable_variables, moves):
        w.{there}
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    second = tape.gradient(loss, model.trainable_variables)
    for w, e in zip(model.trainable_variables, moves):
        w.{back}
    opt.apply_gradients(zip(second, model.trainable_variables))


for x, y in tf.data.Dataset.from_tensor_slices((tf.ones((8, 3)), tf.ones((8, 1)))).batch(2):
    learn(x, y)
"""


@pytest.mark.parametrize(
    ("there", "back"),
    [
        ("assign_add(e)", "assign_sub(e)"),
        ("assign_add(e)", "assign_add(-e)"),
        ("assign(w + e)", "assign(w - e)"),
        ("assign_sub(-e)", "assign_sub(e)"),
    ],
)
def test_weights_that_a_step_moves_to_and_fro_move_alike(there: str, back: str) -> None:
    """Sharpness-aware minimisation: both gradients are averaged, and nothing else is needed."""
    found = migrate(SHARP.format(there=there, back=back))
    assert found.blocked == ()
    assert found.after.count("tape = hvd.DistributedGradientTape(tape)\n") == 2
    assert found.after.count("hvd.broadcast_variables(") == 2


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("        w.assign_sub(e)\n", "        pass\n"),
        ("w.assign_sub(e)", "w.assign_add(e)"),
        (
            "tape.gradient(loss, model.trainable_variables)\n    moves",
            "tape.gradient(loss, model.weights)\n    moves",
        ),
    ],
)
def test_weights_that_are_not_moved_back_are_trained_by_hand(before: str, after: str) -> None:
    text = SHARP.format(there="assign_add(e)", back="assign_sub(e)")
    assert [each.code for each in migrate(text.replace(before, after)).blocked] == ["G03"]


SHAKEN = """\
import tensorflow as tf

net = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
other = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
opt = tf.keras.optimizers.SGD(0.1)


def learn({asked}x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((net(x) - y) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))


def shake({given}):
    for v in net.trainable_variables:
        v.assign_add(tf.random.normal(v.shape))


for x, y in tf.data.Dataset.from_tensor_slices((tf.ones((8, 3)), tf.ones((8, 1)))).batch(2):
    learn({first}x, y)
    shake({second})
"""
SHAKEN_SELF = """\
import tensorflow as tf


class Loop:
    def __init__(self):
        self.net = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
        self.opt = tf.keras.optimizers.SGD(0.1)

    def learn(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self.net(x) - y) ** 2)
        gradients = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(gradients, self.net.trainable_variables))

    def shake(self):
        for v in self.net.trainable_variables:
            v.assign_add(tf.random.normal(v.shape))


loop = Loop()
for x, y in tf.data.Dataset.from_tensor_slices((tf.ones((8, 3)), tf.ones((8, 1)))).batch(2):
    loop.learn(x, y)
    loop.shake()
"""
AT_ONCE = "hvd.broadcast_variables({}.variables, root_rank=0)\n"
RESET = "broadcast_done.assign(False)\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (SHAKEN.format(asked="", given="", first="", second=""), "    " + AT_ONCE.format("net")),
        (SHAKEN_SELF, "        " + AT_ONCE.format("self.net")),
        (  # one name for what may be two models
            SHAKEN.format(asked="net, ", given="net", first="net, ", second="net"),
            "    " + RESET,
        ),
    ],
    ids=["of the module", "of an object", "of parameters"],
)
def test_what_another_function_assigns_is_broadcast_there(text: str, line: str) -> None:
    after = migrate(text).after
    assert f"v.assign_add(tf.random.normal(v.shape))\n{line}" in after


@pytest.mark.parametrize("key", ['"a"', "0"])
def test_an_optimizer_at_a_key_that_is_written_out(key: str) -> None:
    table = f"{{{key}: tf.keras.optimizers.SGD(0.1)}}"
    for made in (table, table.replace("{0: ", "[").replace("}", "]")) if key == "0" else (table,):
        step = f"opts[{key}].apply_gradients(zip(gradients([w]), [w]))\n"
        found = outcome(f"\nopts = {made}\nfor _ in range(9):\n    {step}")
        assert not found.blocked
        assert f"hvd.broadcast_variables(opts[{key}].variables, root_rank=0)" in found.after
        assert found.after.count("broadcast_done = ") == 1


MADE_BY_FUNCTION = """
import tensorflow as tf


def make(model, opt):
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(gradients, model.trainable_variables))

    return step


{over_main}def main():
    net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    opt = tf.keras.optimizers.SGD(0.1)
    step = make(net, opt)
    for _ in range(4):
        step(tf.random.normal((8, 4)))


{call}
"""


@pytest.mark.parametrize(
    ("filled", "is_inside"),
    [
        ({}, True),
        ({"over_main": "@tf.function\n"}, False),
        ({"call": "tf.function(main)()"}, False),
    ],
    ids=["once", "in a graph", "in a graph by a call"],
)
def test_a_step_that_a_function_makes_has_its_flag_there(
    filled: dict[str, str], is_inside: bool
) -> None:
    text = MADE_BY_FUNCTION.format(**{"over_main": "", "call": "main()", **filled})
    options = Options(unsound=True, select=frozenset({"D202"}))
    after = migrate(text, options).after
    flag = "broadcast_done = tf.Variable(False, trainable=False)\n"
    assert (f"opt):\n    {flag}\n    def step" in after) is is_inside
    assert (f"\n{flag}" in after) is not is_inside


def test_a_step_that_is_made_for_each_optimizer_has_one_flag_that_is_set_back() -> None:
    folds = MADE_BY_FUNCTION.format(over_main="", call="for _ in range(2):\n    main()")
    after = migrate(folds, Options(unsound=True, select=frozenset({"D202"}))).after
    assert "\nbroadcast_done = tf.Variable(" in after
    assert "    broadcast_done.assign(False)\n    step = make(" in after
