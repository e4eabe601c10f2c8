"""Programs with one or several models and optimizers, by the form in which a step gets them."""

from __future__ import annotations

HEAD = """\
import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(64, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)


def build(n):
    hidden = tf.keras.layers.Dense(n, activation="relu", input_shape=(4,))
    return tf.keras.Sequential([hidden, tf.keras.layers.Dense(1)])


"""
STEP = """\
def step(model, optimizer, inputs, targets):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(inputs) - targets) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


"""
INLINE = STEP.partition(":\n")[2].partition("    return loss")[0]
SGD = "tf.keras.optimizers.SGD(0.05)"
LOOP = "for inputs, targets in data:\n"


def inside(code: str, depth: int) -> str:
    return "".join(f"{'    ' * depth}{line}\n" for line in code.splitlines())


MAKER = (
    "def make_step(model, optimizer):\n    @tf.function\n"
    + inside(STEP.replace("model, optimizer, inputs", "inputs").rstrip(), 1)
    + "\n    return step\n\n\n"
)
OBJECT = (
    "class Member:\n    def __init__(self, n):\n"
    f"        self.model, self.optimizer = build(n), {SGD}\n\n"
    + inside(STEP.rstrip(), 1)
    .replace("step(model, optimizer,", "step(self,")
    .replace(" model.", " self.model.")
    .replace("(model(", "(self.model(")
    .replace(" optimizer.", " self.optimizer.")
    + "\n\n"
)
MODULE = OBJECT.replace("Member:", "Member(tf.Module):").replace(
    "        self.model,", "        super().__init__()\n        self.model,"
)
AGENT = (
    "class Agent:\n    def __init__(self):\n        self.actor, self.critic = build(4), build(8)\n"
    f"        self.actor_opt, self.critic_opt = {SGD}, {SGD}\n\n"
    + inside(STEP.rstrip().replace("step(model", "step(self, model"), 1)
    + "\n    def learn(self, inputs, targets):\n"
    "        self.step(self.actor, self.actor_opt, inputs, targets)\n"
    "        self.step(self.critic, self.critic_opt, inputs, targets)\n\n\n"
)
PAIRS = f"models = [build(n) for n in (4, 8)]\noptimizers = [{SGD} for _ in models]\n"
TWO = f"a, b = build(4), build(8)\nopt_a, opt_b = {SGD}, {SGD}\n"
EACH = LOOP + "    step(a, opt_a, inputs, targets)\n    step(b, opt_b, inputs, targets)\n"
ZIPPED = "    for model, optimizer in zip(models, optimizers):\n"
OF_PAIR, OF_SELF = "broadcast_flag(model, optimizer)", "self.broadcast_done"
ONE = "broadcast_done"

# By their names, the text behind HEAD, and what the broadcast is asked by.
PROGRAMS: dict[str, tuple[str, str]] = {
    "one, by parameters": (
        f"{STEP}model, optimizer = build(4), {SGD}\n{LOOP}"
        "    step(model, optimizer, inputs, targets)\n",
        ONE,
    ),
    "two by their names": (STEP + TWO + EACH, OF_PAIR),
    "two, made by a function": (
        f"{STEP}def make():\n    return {SGD}\n\n\n"
        + TWO.replace(f"{SGD}, {SGD}", "make(), make()")
        + EACH,
        OF_PAIR,
    ),
    "lists that are zipped": (
        STEP + PAIRS + LOOP + ZIPPED + "        step(model, optimizer, inputs, targets)\n",
        OF_PAIR,
    ),
    "lists that are appended to": (
        f"{STEP}models, optimizers = [], []\nfor n in (4, 8):\n    models.append(build(n))\n"
        f"    optimizers.append({SGD})\n{LOOP}    for i in range(2):\n"
        "        step(models[i], optimizers[i], inputs, targets)\n",
        OF_PAIR,
    ),
    "no function": (PAIRS + LOOP + ZIPPED + inside(INLINE, 1), OF_PAIR),
    "dictionaries": (
        f"{STEP}models = {{'a': build(4), 'b': build(8)}}\n"
        f"optimizers = {{name: {SGD} for name in models}}\n{LOOP}    for name in models:\n"
        "        step(models[name], optimizers[name], inputs, targets)\n",
        OF_PAIR,
    ),
    "a dictionary of pairs": (
        f"{STEP}nets = {{n: (build(n), {SGD}) for n in (4, 8)}}\n{LOOP}"
        "    for net, opt in nets.values():\n        step(net, opt, inputs, targets)\n",
        OF_PAIR,
    ),
    "a tuple that is written out": (
        f"{STEP}{TWO}{LOOP}    for net, opt in ((a, opt_a), (b, opt_b)):\n"
        "        step(net, opt, inputs, targets)\n",
        OF_PAIR,
    ),
    "a step for each": (
        f"{MAKER}first, second = make_step(build(4), {SGD}), make_step(build(8), {SGD})\n{LOOP}"
        "    first(inputs, targets)\n    second(inputs, targets)\n",
        OF_PAIR,
    ),
    "a list of steps": (
        f"{MAKER}steps = [make_step(build(n), {SGD}) for n in (4, 8)]\n{LOOP}"
        "    for step in steps:\n        step(inputs, targets)\n",
        OF_PAIR,
    ),
    "a partial call": (
        f"from functools import partial\n\n\n{STEP}train = partial(step, build(4), {SGD})\n{LOOP}"
        "    train(inputs, targets)\n",
        ONE,
    ),
    "partial calls in a list": (
        f"from functools import partial\n\n\n{STEP}steps = [\n    partial(step, build(4), {SGD}),\n"
        f"    partial(step, build(8), {SGD}),\n]\n{LOOP}    for train in steps:\n"
        "        train(inputs, targets)\n",
        OF_PAIR,
    ),
    "a lambda": (
        f"{STEP}model, optimizer = build(4), {SGD}\n"
        "train = lambda batch: step(model, optimizer, *batch)\n"
        "for batch in data:\n    train(batch)\n",
        ONE,
    ),
    "objects": (
        f"{OBJECT}members = [Member(n) for n in (4, 8)]\n{LOOP}    for member in members:\n"
        "        member.step(inputs, targets)\n",
        OF_SELF,
    ),
    "objects that track variables": (
        f"{MODULE}members = [Member(n) for n in (4, 8)]\n{LOOP}    for member in members:\n"
        "        member.step(inputs, targets)\n",
        "broadcast_flag(self.model, self.optimizer)",
    ),
    "an object with two": (
        f"{AGENT}agent = Agent()\n{LOOP}    agent.learn(inputs, targets)\n",
        OF_PAIR,
    ),
    "folds": (
        f"{STEP}for fold in range(2):\n    model, optimizer = build(4), {SGD}\n"
        + inside(f"{LOOP}    step(model, optimizer, inputs, targets)\n", 1),
        ONE,
    ),
    "a function that trains, called for each": (
        f"{STEP}def train(model):\n    optimizer = {SGD}\n"
        + inside(f"{LOOP}    step(model, optimizer, inputs, targets)\n", 1)
        + "\n\ntrain(build(4))\ntrain(build(8))\n",
        OF_PAIR,
    ),
    "one optimizer for two models": (
        f"{STEP}optimizer = {SGD}\n".replace("optimizers.SGD", "optimizers.legacy.SGD")
        + "a, b = build(4), build(8)\n"
        + LOOP
        + "    step(a, optimizer, inputs, targets)\n    step(b, optimizer, inputs, targets)\n",
        OF_PAIR,
    ),
    "layers, each with a rate of its own": (
        f"model = build(4)\ngroups = [(model.layers[0], {SGD}), (model.layers[1], {SGD})]\n{LOOP}"
        "    with tf.GradientTape(persistent=True) as tape:\n"
        "        loss = tf.reduce_mean((model(inputs) - targets) ** 2)\n"
        "    for layer, optimizer in groups:\n"
        "        gradients = tape.gradient(loss, layer.trainable_variables)\n"
        "        optimizer.apply_gradients(zip(gradients, layer.trainable_variables))\n",
        OF_PAIR,
    ),
    "compiled models in turns": (
        "models = [build(n) for n in (4, 8)]\nfor model in models:\n"
        f'    model.compile({SGD}, "mse")\n{LOOP}    for model in models:\n'
        "        model.train_on_batch(inputs, targets)\n",
        "broadcast_flag(model)",
    ),
    "a new one in the place of an old one": (
        STEP + PAIRS + "for epoch in range(4):\n"
        + inside(LOOP + ZIPPED + "        step(model, optimizer, inputs, targets)\n", 1)
        + f"    models[epoch % 2], optimizers[epoch % 2] = build(4), {SGD}\n",
        OF_PAIR,
    ),
}  # fmt: skip
