"""A broadcast that a flag lets run once is one object's, or there is a flag for each."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.questions import QUESTIONS
from distify.codemods.judge import slots, start
from distify.codemods.judge.case import Case
from distify.codemods.model import Options

HEAD = """\
import horovod.tensorflow as hvd
import tensorflow as tf
hvd.init()
def build(n=1):
    return tf.keras.Sequential([tf.keras.layers.Dense(n)])
def batches():
    return tf.data.Dataset.range(8).shard(hvd.size(), hvd.rank())
done = tf.Variable(False, trainable=False)
"""
STEP = """\
def step(model, optimizer, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    if not done:
        hvd.broadcast_variables(model.variables, root_rank=0)
        hvd.broadcast_variables(optimizer.variables, root_rank=0)
        done.assign(True)
"""
SGD = "tf.keras.optimizers.SGD(0.1 * hvd.size())"
ONE = f"model, optimizer = build(), {SGD}\nfor x in batches():\n    step(model, optimizer, x)\n"


def told(text: str) -> list[str]:
    """What several objects come to a broadcast as, with one flag."""
    text = HEAD + text
    facts = Facts.of(text)
    case = Case({"a.py": text}, {"a.py": ""}, "a.py", Options(), QUESTIONS, lambda: facts)
    return [p.why.split("`")[1] for p in start.prove(case) if not p.holds and not p.code]


PAIRS = (
    STEP.replace("zip(gradients, model.trainable_variables)", "pairs")
    .replace(
        "    optimizer.apply",
        "    pairs = list(zip(gradients, model.trainable_variables))\n    optimizer.apply",
    )
    .replace("model.variables", "[v for _, v in pairs]")
)
LISTED = STEP.replace("hvd.broadcast_variables(model.variables", "hvd.broadcast_variables(variables").replace(
    "    gradients =", "    variables = [*model.trainable_variables, extra]\n    gradients ="
)  # fmt: skip
OBJECTS = (
    "class Trainer:\n    def __init__(self):\n        self.model, self.optimizer = build(), " + SGD + "\n"
    "        self.done = tf.Variable(False, trainable=False)\n"
    + "".join(f"    {line}\n" for line in STEP.splitlines())
    .replace("step(model, optimizer, x)", "step(self, x)")
    .replace("model", "self.model").replace("optimizer.", "self.optimizer.").replace("done", "self.done")
    + "for trainer in [Trainer(), Trainer()]:\n    for x in batches():\n        trainer.step(x)\n"
)  # fmt: skip
TWO = f"a, b = build(), build()\no, p = {SGD}, {SGD}\nfor x in batches():\n    step(a, o, x)\n    step(b, p, x)\n"
FLAGS = """\
flags = {}
def flag(*trained):
    key = tuple(map(weakref.ref, trained))
    if key not in flags:
        flags[key] = tf.Variable(False, trainable=False)
    return flags[key]
"""
BY_KEYS = "done = {}\n" + STEP.replace("done:", "done[id(model), id(optimizer)]:").replace(
    "done.assign", "done[id(model), id(optimizer)].assign"
)
BY_OBJECTS = (
    "import weakref\n"
    + FLAGS
    + STEP.replace("done:", "flag(model, optimizer):").replace(
        "done.assign", "flag(model, optimizer).assign"
    )
)
GRAPHS = (
    "import weakref\n"
    + FLAGS
    + "def make(model, optimizer):\n    @tf.function\n"
    + "".join(f"    {line}\n" for line in BY_OBJECTS.partition("def step")[2].splitlines()).replace(
        "    (model, optimizer, x)", "    def step(x)", 1
    )
    + f"    return step\na, b = make(build(), {SGD}), make(build(), {SGD})\nfor x in batches():\n    a(x)\n    b(x)\n"
)
MADE = "        self.done = tf.Variable(False, trainable=False)\n"
SOUND = {
    "one that is made or read": STEP + ONE.replace("for x", "if old:\n    model = tf.keras.models.load_model('old')\nfor x").replace("\nfor", "\nfor", 1),
    "one by a function that chooses": f"{STEP}def pick(name):\n    if name == 'sgd':\n        return {SGD}\n    return tf.keras.optimizers.Adam(0.1 * hvd.size())\n" + ONE.replace(SGD, "pick(word)"),
    "a name that one assignment binds": STEP + f"model, optimizer = build(), [{SGD} for _ in range(1)][0]\nfor x in batches():\n    step(model, optimizer, x)\n",
    "a list of one model's variables and another one": "extra = tf.Variable(1.0)\n" + LISTED + ONE,
    "a part of one model": STEP.replace("model.variables", "model.heads") + ONE,
    "all variables of several, gathered in each step": (
        "layers = [build(n) for n in range(4)]\n"
        + STEP.replace("model.variables", "variables").replace(
            "    if not", "    variables = [v for layer in layers for v in layer.variables]\n    if not"
        )
        + ONE
    ),
    "variables of one model in pairs that each step makes": PAIRS + ONE,
    "one model": STEP + ONE,
    "a second one that nothing trains": f"{STEP}teacher = build()\n{ONE}",
    "one of two by a choice": STEP + ONE.replace(SGD, f"{SGD} if x0 else tf.keras.optimizers.Adam(1e-3 * hvd.size())"),
    "made anew for each fold, the flag set back": (
        f"{STEP}def train(fold):\n    model, optimizer = build(), {SGD}\n    done.assign(False)\n"
        "    for x in batches():\n        step(model, optimizer, x)\nfor fold in range(3):\n    train(fold)\n"
    ),
    "a flag by its keys": BY_KEYS + TWO,
    "a flag by what is trained": BY_OBJECTS + TWO,
    "a step for each, with a graph of its own": GRAPHS,
    "a flag in the object that holds both": OBJECTS,
}  # fmt: skip
BAD = {
    "a flag by one of two keys": BY_KEYS.replace("id(model), ", "") + f"a, b = build(), build()\no = {SGD}\nfor x in batches():\n    step(a, o, x)\n    step(b, o, x)\n",
    "a flag by one of two objects": BY_OBJECTS.replace("flag(model, optimizer)", "flag(optimizer)") + TWO,
    "a flag by a number that another object may get": BY_OBJECTS.replace("weakref.ref", "id") + TWO,
    "a function that gives one flag": BY_OBJECTS.replace("[key]", "[0]").replace("key not", "0 not") + TWO,
    "two by a loop over what is written out": f"{STEP}a = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nb = tf.keras.Sequential([tf.keras.layers.Dense(2)])\no, p = {SGD}, {SGD}\nfor x in batches():\n    for m, q in ((a, o), (b, p)):\n        step(m, q, x)\n",
    "two by a key": f"{STEP}nets = {{'a': tf.keras.Sequential(), 'b': tf.keras.Sequential()}}\no = {SGD}\nfor x in batches():\n    for name in nets:\n        step(nets[name], o, x)\n",
    "a flag of the class of objects": OBJECTS.replace(MADE, "").replace("class Trainer:\n", "class Trainer:\n    done = tf.Variable(False, trainable=False)\n"),
    "one flag that objects are given": OBJECTS.replace(MADE, "        self.done = done\n"),
    "a list of two models' variables": "extra = tf.Variable(1.0)\n" + LISTED + f"a, b = build(), build()\no, p = {SGD}, {SGD}\nfor x in batches():\n    step(a, o, x)\n    step(b, p, x)\n",
    "a list that another one is put into": LISTED.replace("extra]\n", "extra]\n    variables.extend(model.weights)\n") + "for n in (1, 2):\n    extra, model, optimizer = tf.Variable(1.0), build(), " + SGD + "\n    for x in batches():\n        step(model, optimizer, x)\n",
    "variables that are put into a list": LISTED.replace("[*model.trainable_variables, extra]", "[]\n    variables.extend(model.weights)") + f"a, b = build(), build()\no = {SGD}\nfor x in batches():\n    step(a, o, x)\n    step(b, o, x)\n",
    "parts of two models": f"{STEP.replace('model.variables', 'model.heads')}a, b = build(), build()\no, p = {SGD}, {SGD}\nfor x in batches():\n    step(a, o, x)\n    step(b, p, x)\n",
    "variables of two models in pairs": f"{PAIRS}a, b = build(), build()\no, p = {SGD}, {SGD}\nfor x in batches():\n    step(a, o, x)\n    step(b, p, x)\n",
    "two by name": f"{STEP}a, b = build(), build()\no, p = {SGD}, {SGD}\nfor x in batches():\n    step(a, o, x)\n    step(b, p, x)\n",
    "pairs of a comprehension": f"{STEP}pairs = [(build(n), {SGD}) for n in (4, 8)]\nfor x in batches():\n    for m, o in pairs:\n        step(m, o, x)\n",
    "in a dictionary": f"{STEP}a, b = build(), build()\no = {{'a': {SGD}, 'b': {SGD}}}\nfor x in batches():\n    step(a, o['a'], x)\n    step(b, o['b'], x)\n",
    "a step for each by a factory": "def make(model, optimizer):\n"
    + "".join(f"    {line}\n" for line in STEP.replace("model, optimizer, x", "x").splitlines())
    + f"    return step\nsteps = [make(build(n), {SGD}) for n in (4, 8)]\nfor x in batches():\n    for step in steps:\n        step(x)\n",
    "set back in another place than where they are made": f"{STEP}pairs = [(build(n), {SGD}) for n in (4, 8)]\nfor x in batches():\n    for m, o in pairs:\n        step(m, o, x)\n    done.assign(False)\n",
}  # fmt: skip


@pytest.mark.parametrize("name", SOUND)
def test_nothing_is_told_where_each_has_its_own(name: str) -> None:
    assert told(SOUND[name]) == []


@pytest.mark.parametrize("name", BAD)
def test_several_that_share_one_flag_are_told(name: str) -> None:
    several = ("model", "self.model", "optimizer", "variables", "model.heads")
    assert told(BAD[name]) in [[each] for each in several]


@pytest.mark.parametrize("how", ["@tf.function\ndef step", "def step", "handed"])
def test_a_flag_is_not_made_in_a_second_graph_of_a_function(how: str) -> None:
    text = BY_OBJECTS.replace("def step", how if how != "handed" else "def step") + TWO
    if how == "handed":
        text = text.replace("a, b = build()", "step = tf.function(step)\na, b = build()", 1)
    assert bool(told(text)) == (how != "def step")


FOLDS = """\
model = build()
start = model.get_weights()
first = True
for fold in range(3):
    model.set_weights(start)
    optimizer = tf.keras.optimizers.SGD(0.1 * hvd.size())
    for number, x in enumerate(batches()):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x))
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        if TEST:
            hvd.broadcast_variables(model.variables, root_rank=0)
            first = False
"""
TOLD = "hvd.broadcast_variables(model.variables, root_rank=0)\n"


def put_back(text: str) -> list[str]:
    """The lines that put back what was kept before a broadcast, in a program that is written."""
    text = HEAD + text
    facts = Facts.of(text)
    found = list(start.prove(Case.written(facts)))
    return [text.splitlines()[p.line - 1].strip() for p in found if "were kept" in p.why]


@pytest.mark.parametrize(
    "text",
    [
        FOLDS.replace("TEST", "number == 0"),
        FOLDS.replace("TEST", "first").replace("    optimizer =", "    first = True\n    optimizer ="),
        FOLDS.replace("TEST", "first").replace("    optimizer =", f"    {TOLD}    optimizer ="),
        FOLDS.replace("TEST", "first").replace("start =", f"{TOLD}start ="),
        FOLDS.replace("TEST", "first").replace("start)", "rows)").replace("start =", "rows ="
        ).replace("model.get_weights()", "np.load('kept.npy')"),
        FOLDS.replace("TEST", "is_due(fold)"),
        "model = build()\nstart = model.get_weights()\nmodel.set_weights(start)\n" + STEP + ONE,
        "model = build()\nmodel.compile('sgd', 'mse')\nstart = model.get_weights()\n"
        "for fold in range(3):\n    model.set_weights(start)\n    model.fit(batches(), callbacks="
        "[hvd.keras.callbacks.BroadcastGlobalVariablesCallback(0)])\n",
    ],
)  # fmt: skip
def test_weights_that_all_get_again_may_be_put_back(text: str) -> None:
    assert put_back(text) == []


@pytest.mark.parametrize("test", ["first", "number == 0 and fold == 0", "fold < 1"])
def test_weights_of_before_a_broadcast_that_comes_but_once_are_told(test: str) -> None:
    assert put_back(FOLDS.replace("TEST", test)) == ["model.set_weights(start)"]


GAN = """\
class Gan(tf.keras.Model):
    def compile(self, g_opt, d_opt):
        super().compile()
        self.g_opt, self.d_opt = g_opt, d_opt
    def train_step(self, x):
        with tf.GradientTape(persistent=True) as tape:
            loss = tf.reduce_mean(self.disc(self.gen(x)))
        tape = hvd.DistributedGradientTape(tape)
        for net, opt in ((self.gen, self.g_opt), (self.disc, self.d_opt)):
            opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        return {"loss": loss}
gan = Gan()
gan.compile(tf.keras.optimizers.Ftrl(0.1), tf.keras.optimizers.Adam(0.1))
gan.fit(batches(), callbacks=[hvd.keras.callbacks.BroadcastGlobalVariablesCallback(0)])
"""
FTRL = "tf.keras.optimizers.Ftrl(0.1)"
NEXT = """\
    if not done:
        hvd.broadcast_variables(model.variables, root_rank=0)
        done.assign(True)
"""
TAPE = STEP.partition("    if not done")[0] + NEXT + ONE.replace(SGD, FTRL)


def alone(text: str) -> list[int]:
    """The lines that make an optimizer whose state no broadcast brings to one start."""
    text = HEAD + text
    facts = Facts.of(text)
    case = Case({"a.py": text}, {"a.py": ""}, "a.py", Options(), QUESTIONS, lambda: facts)
    return [p.line for p in start.prove(case) if p.why == slots.LEFT]


@pytest.mark.parametrize(
    "text",
    [
        GAN.replace("Ftrl", "Adam"),
        GAN.replace("Ftrl(0.1)", "SGD(0.1, use_ema=False)"),
        GAN.replace("super().compile()", "super().compile(optimizer=g_opt)"),
        GAN.replace("gan.fit", "hvd.broadcast_variables(gan.g_opt.variables, root_rank=0)\ngan.fit"),
        STEP + ONE.replace(SGD, FTRL),
        f"model = build()\nmodel.compile({FTRL}, 'mse')\nmodel.fit(batches())\n",
        f"{GAN.replace('Ftrl', 'Adam')}unused = {FTRL}\n",
        TAPE.replace("done.assign(True)", "hvd.broadcast_variables([*model.variables, *optimizer.variables], root_rank=0)\n        done.assign(True)"),
    ],
)  # fmt: skip
def test_a_state_that_is_made_of_gradients_or_is_broadcast_is_no_matter(text: str) -> None:
    assert alone(text) == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (GAN, "gan.compile"),
        (GAN.replace("Ftrl(0.1)", "Adam(0.1, use_ema=True)"), "gan.compile"),
        (GAN.replace("Ftrl(0.1)", "legacy.Ftrl(0.1)"), "gan.compile"),
        (TAPE, "model, optimizer = build()"),
    ],
)
def test_a_state_that_is_made_of_weights_is_told(text: str, line: str) -> None:
    lines = (HEAD + text).splitlines()
    assert [lines[number - 1][: len(line)] for number in alone(text)] == [line]
