"""What meets a count of steps counts as that does: written so by D106, and proved of each result.

The grid is derived by hand. Two workers take half of the steps each: what one device does after 600
of them happens after 300 of a worker's own; lengths of shares are halved already.
"""

from __future__ import annotations

import re

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.questions import QUESTIONS
from distify.codemods.judge.case import Case
from distify.codemods.judge.obligations import named
from distify.codemods.judge.proof import NOT_PROVED, PROVED, VIOLATED
from distify.codemods.migrate import migrate
from distify.codemods.model import Options

TAPE = """\
import argparse
import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=600)
args = parser.parse_args()
x, y = np.load("x.npy"), np.load("y.npy")
B, E = 32, 10
{number}
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
target = tf.keras.Sequential([tf.keras.layers.Dense(1)])
{data}
opt = tf.keras.optimizers.SGD({rate})
step = 0
for epoch in range(E):
    {loop}
        {use}
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(a) - b)){term}
        g = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(g, model.trainable_variables))
        {adds}
"""
DATASET = "ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(B)"
LOOPS = {
    "data set": (DATASET, "for a, b in ds:", "step += 1"),
    "slices": (
        "",
        "for i in range(len(x) // B):\n        a, b = x[i * B : i * B + B], y[i * B : i * B + B]",
        "step += 1",
    ),
    "numbers": (f"{DATASET}\nn = len(ds)", "for i, (a, b) in enumerate(ds):", "pass"),
    "elements": (f"{DATASET}\nn = len(ds)", "for i, (a, b) in ds.enumerate():", "pass"),
    "order": (
        "",
        "order = np.random.permutation(len(x))\n    for i in range(0, len(x), B):\n"
        "        a, b = x[order[i : i + B]], y[order[i : i + B]]",
        "step = step + 1",
    ),
    "variable": (DATASET, "for a, b in ds:", "many.assign_add(1.0)"),
}
NUMBERS = {"written": "K = 600", "of the whole": "K = 3 * (len(x) // B)", "asked": "K = args.steps"}
OWN = "K = 3 * len(ds)"  # of a share
USES = {
    "rate": ("opt.learning_rate = 0.1 * 0.9 ** (step / K)", "step * hvd.size() / K"),
    "inverse": ("opt.learning_rate = 0.1 / (1 + step / K)", "step * hvd.size() / K"),
    "warm-up": ("opt.learning_rate = 0.1 * min(1.0, step / K)", "step * hvd.size() / K"),
    "at": ("if step == K:\n            opt.learning_rate = 0.01", "step == {K}"),
    "until": ("if step < K:\n            opt.learning_rate = 0.01", "step < K // hvd.size()"),
    "end": ("if step > K:\n            break", "step > {K}"),
    "rhythm": (
        "if step % K == 0:\n            target.set_weights(model.get_weights())",
        "step % {K} == 0",
    ),
    "weight": ("beta = min(1.0, step / K)", "step * hvd.size() / K"),
    "optimizer's": (
        "if int(opt.iterations) > K:\n            opt.learning_rate.assign(0.01)",
        "int(opt.iterations) > K // hvd.size()",
    ),
}
TERMS = {"rhythm": " + tf.reduce_mean(target(a))", "weight": " + beta * tf.reduce_mean(model(a))"}


def program(use: str, loop: str = "data set", number: str = NUMBERS["written"]) -> str:
    data, over, adds = LOOPS[loop]
    made = USES[use][0]
    if loop in ("numbers", "elements"):
        over = f"{over}\n        step = epoch * n + i"
    if loop == "variable":
        made = re.sub(r"\bstep\b", "many", made)
        data += "\nmany = tf.Variable(0.0)"
    first = number if number != OWN else ""
    data += f"\n{OWN}" if number == OWN else ""
    parts = {"number": first, "data": data, "loop": over, "use": made, "adds": adds}
    return TAPE.format(**parts, rate="0.1", term=TERMS.get(use, ""))


def verdict(before: str, after: str) -> str:
    """What the judge says of a result."""
    case = Case({"": after}, {"": before}, "", Options(), QUESTIONS, lambda: Facts.of(after))
    found = {proof.verdict for proof in named("counts").prove(case)}
    return found.pop() if len(found) == 1 else ", ".join(sorted(found))


def result(text: str) -> str:
    found = migrate(text)
    assert not found.blocked, found.blocked
    return found.after


ASIDE = ("data set", "elements")
CELLS = [
    *((use, "data set", number) for use in USES for number in NUMBERS),
    *((use, loop, "written") for use in USES for loop in LOOPS if loop not in ASIDE),
    *((use, "elements", "written") for use in ("rate", "inverse", "warm-up", "weight")),
]


@pytest.mark.parametrize(("use", "loop", "number"), CELLS)
def test_a_count_and_what_it_meets_go_together(use: str, loop: str, number: str) -> None:
    before = program(use, loop, NUMBERS[number])
    after = result(before)
    expected = USES[use][1].format(K="max(1, K // hvd.size())")
    if loop == "variable":
        expected = re.sub(r"\bstep\b", "many", expected)
    assert expected in after, after
    assert verdict(before, after) == PROVED


@pytest.mark.parametrize("use", USES)
def test_without_it_the_result_is_convicted(use: str) -> None:
    before = program(use)
    after = result(before)
    expected = USES[use][1].format(K="max(1, K // hvd.size())")
    plain = expected.replace("max(1, K // hvd.size())", "K").replace("K // hvd.size()", "K")
    broken = after.replace(expected, plain.replace(" * hvd.size()", ""))
    assert broken != after
    assert verdict(before, broken) == VIOLATED
    twice = after.replace(expected, expected.replace("hvd.size()", "hvd.size() * hvd.size()"))
    assert verdict(before, twice.replace("// hvd.size() *", "// hvd.size() //")) == VIOLATED


@pytest.mark.parametrize("loop", ["data set", "numbers"])
@pytest.mark.parametrize("use", [use for use in USES if use != "optimizer's"])
def test_a_length_of_a_share_has_been_divided_with_it(use: str, loop: str) -> None:
    before = program(use, loop, OWN)
    after = result(before)
    assert USES[use][0].splitlines()[0].split(" = ")[-1] in after
    divided = after.replace("K = 3 * len(ds)", "K = 3 * len(ds) // hvd.size()")
    assert divided != after
    assert verdict(before, divided) == VIOLATED


# -- schedules, callbacks, sessions ---------------------------------------------------------------

FIT = """\
import numpy as np
import tensorflow as tf

x, y = np.load("x.npy"), np.load("y.npy")


class Slower(tf.keras.callbacks.Callback):
    def __init__(self, total):
        super().__init__()
        self.total, self.seen = total, 0

    def on_train_batch_begin(self, batch, logs=None):
        part = self.seen / self.total
        tf.keras.backend.set_value(self.model.optimizer.lr, 0.1 * (1 - part))
        self.seen += 1


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD({rate}), "mse")
model.fit(x, y, batch_size=32, epochs=10, callbacks=[{callbacks}])
"""
DECAY = "tf.keras.optimizers.schedules.ExponentialDecay(0.1, {}, 0.9)"


def test_a_callback_counts_the_steps_of_all() -> None:
    before = FIT.format(rate="0.1", callbacks="Slower(10 * len(x) // 32)")
    after = result(before)
    assert "part = self.seen * hvd.size() / self.total" in after
    assert verdict(before, after.replace("seen * hvd.size()", "seen")) == VIOLATED


def test_a_schedule_ends_with_the_training() -> None:
    before = FIT.format(rate=DECAY.format("10 * len(x) // 32"), callbacks="")
    after = result(before)
    assert "max(1, 10 * len(x) // 32 // hvd.size())" in after
    assert verdict(before, after.replace("// 32 // hvd.size()", "// 32")) == VIOLATED


SESSION = """\
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
x, y = np.load("x.npy"), np.load("y.npy")
B = 50
n = len(x) // B
a, b = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32, [None, 1])
w = tf.get_variable("w", [4, 1])
loss = tf.reduce_mean(tf.square(tf.matmul(a, w) - b))
steps = tf.train.get_or_create_global_step()
rate = {rate}
train = tf.train.GradientDescentOptimizer(rate).minimize(loss, steps)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(20):
        for i in range(n):
            sess.run(train, {{a: x[i * B : (i + 1) * B], b: y[i * B : (i + 1) * B]}})
"""
COUNT = "tf.cast(steps, tf.float32)"
RATES = {
    "written": (
        "tf.train.exponential_decay(0.1, steps, 600, 0.9)",
        "max(1, 600 // hvd.size())",
    ),
    "of a share": (
        "tf.train.exponential_decay(0.1, steps, 5 * n, 0.9)",
        "steps, 5 * n, 0.9",
    ),
    "boundaries of a share": (
        "tf.train.piecewise_constant(steps, [5 * n, 9 * n], [0.1, 0.01, 0.001])",
        "[5 * n, 9 * n]",
    ),
    "epochs": (
        "tf.train.exponential_decay(0.1, steps // n, 5, 0.9)",
        "steps // n, 5, 0.9",
    ),
    "warm-up": (
        f"0.1 * tf.minimum(1.0, {COUNT} / 500.0)",
        f"{COUNT} * hvd.size() / 500.0",
    ),
    "warm-up of a share": (
        f"0.1 * tf.minimum(1.0, {COUNT} / (2.0 * n))",
        f"{COUNT} / (2.0 * n)",
    ),
}


@pytest.mark.parametrize("name", RATES)
def test_a_rate_of_a_graph_goes_by_the_job(name: str) -> None:
    rate, expected = RATES[name]
    before = SESSION.format(rate=rate)
    after = result(before)
    assert expected in " ".join(after.split()).replace("( ", "("), after
    assert verdict(before, after) == PROVED


def test_a_share_that_is_divided_once_more_is_convicted() -> None:
    before = SESSION.format(rate=RATES["of a share"][0])
    after = result(before)
    assert verdict(before, after.replace("5 * n", "5 * n // hvd.size()")) == VIOLATED


# -- numbers that count in several ways, and steps of which nobody knows how many there are --------

HAND = """\
import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

hvd.init()
x, y = np.load("x.npy")[hvd.rank() :: hvd.size()], np.load("y.npy")[hvd.rank() :: hvd.size()]
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1 * hvd.size())
step = {begin}
{loop}
    {test}
        optimizer.learning_rate = 0.01 * hvd.size()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(a) - b))
    tape = hvd.DistributedGradientTape(tape)
    g = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(g, model.trainable_variables))
    step += 1
"""
SHARE = "for a, b in ds:"
ALL = "batches = iter(ds.repeat())\nfor turn in range(6000):\n    a, b = next(batches)"
OPEN = "batches = iter(ds.repeat())\nwhile not is_good(model):\n    a, b = next(batches)"
DIVIDED, WRITTEN = "if step == 600 // hvd.size():", "if step == 600:"
EITHER = "if step == (600 if len(x) > 10 else 900 // hvd.size()):"
HAND_CELLS = [
    ("0", SHARE, DIVIDED, PROVED),
    ("0", SHARE, WRITTEN, VIOLATED),
    ("0", SHARE, EITHER, NOT_PROVED),
    ("0", ALL, DIVIDED, VIOLATED),
    ("0", ALL, WRITTEN, PROVED),
    ("0", OPEN, DIVIDED, NOT_PROVED),
    ("0", OPEN, WRITTEN, NOT_PROVED),
    ("0", OPEN, "if turned(step):", PROVED),
    ("last_step()", SHARE, DIVIDED, PROVED),  # of which nobody knows anything
    ("last_step()", SHARE, WRITTEN, VIOLATED),
    ("300", SHARE, DIVIDED, NOT_PROVED),
    ("300 // hvd.size()", SHARE, DIVIDED, PROVED),
]


@pytest.mark.parametrize(("begin", "loop", "test", "expected"), HAND_CELLS)
def test_what_nobody_can_tell_is_not_proved(
    begin: str, loop: str, test: str, expected: str
) -> None:
    text = HAND.format(begin=begin, loop=loop, test=test)
    assert verdict(text, text) == expected


GROWING = [
    "1.0 + (hvd.size() - 1.0) * tf.minimum(done / 0.1, 1.0)",
    "(hvd.size() - 1) * done + 1",
]


@pytest.mark.parametrize("grown", GROWING)
def test_a_rate_that_grows_to_that_of_all_workers_is_no_count(grown: str) -> None:
    rate = f"step += 1\n    done = step / len(ds)\n    optimizer.learning_rate = 0.1 * ({grown})"
    text = HAND.format(begin="0", loop=SHARE, test="if False:").replace("step += 1", rate)
    assert verdict(text, text) == PROVED
    broken = text.replace("len(ds)", "600")
    assert verdict(broken, broken) != PROVED


CRITIC = """\
import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()
model, optimizer = tf.keras.Sequential([tf.keras.layers.Dense(1)]), tf.keras.optimizers.SGD(0.1)
batches = iter(tf.data.Dataset.range(640).shard(hvd.size(), hvd.rank()).repeat().batch(8))


def train(sign):
    with tf.GradientTape() as tape:
        loss = sign * tf.reduce_mean(model(next(batches)))
    tape = hvd.DistributedGradientTape(tape)
    g = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(g, model.trainable_variables))


for step in range({rounds}):
    for _ in range(5):
        train(-1.0)
    train(1.0)
    if step == 600:
        optimizer.learning_rate = 0.01
"""


@pytest.mark.parametrize(
    ("rounds", "expected"), [("6000", PROVED), ("6000 // hvd.size()", VIOLATED)]
)
def test_steps_inside_of_a_round_are_no_rounds(rounds: str, expected: str) -> None:
    text = CRITIC.format(rounds=rounds)
    assert verdict(text, text) == expected


MONITORED = """\
hooks = [hvd.BroadcastGlobalVariablesHook(0){stop}]
with tf.train.MonitoredTrainingSession(hooks=hooks) as sess:
    while not sess.should_stop():
        sess.run(train, {{a: x[:B], b: y[:B]}})
"""


@pytest.mark.parametrize(
    ("stop", "expected"),
    [
        (", tf.train.StopAtStepHook(last_step=6000)", PROVED),
        (", tf.train.StopAtStepHook(last_step=6000 // hvd.size())", VIOLATED),
    ],
)
def test_hooks_say_how_many_steps_a_session_takes(stop: str, expected: str) -> None:
    graph = SESSION.split("with tf.Session")[0].format(rate=RATES["written"][0])
    text = f"import horovod.tensorflow as hvd\n{graph}{MONITORED.format(stop=stop)}"
    assert verdict(text, text) == expected


# -- what goes by a count without being compared with one ------------------------------------------

ONE = program("weight").split("        beta =")[0]
SETS = "            target.set_weights(model.get_weights())"
LOSS = """
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(a) - b)) + lam * tf.reduce_mean(target(a))
        g = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(g, model.trainable_variables))
        step += 1
        losses.append(loss)
"""
GOING = {
    "a stage": (
        f"stage = step // 3000\n        if stage:\n{SETS}",
        "stage = step * hvd.size() // 3000",
    ),
    "the number of a stage": (
        f"if step // 3000 == 1:\n{SETS}",
        "step * hvd.size() // 3000 == 1",
    ),
    "a row of numbers": ("lam = lams[step // 3000]", "lams[step * hvd.size() // 3000]"),
    "what has been collected": (
        f"if len(losses) == 3000:\n{SETS}",
        "len(losses) == 3000 // hvd.size()",
    ),
    "enough of it": (f"if len(losses) > 3000:\n{SETS}", "len(losses) > 3000:"),
    "a rhythm under a name": (f"if every(100, step):\n{SETS}", "step % max(1, n // hvd.size())"),
    "a rhythm of prints": ("if every(100, step):\n            print(step)", "step % n == 0"),
    "a sum": ("lam += 1e-5", "lam += 1e-5 * hvd.size()"),
    "a sum up to a number": ("lam = min(1.0, lam + 1e-5)", "lam + 1e-5 * hvd.size()"),
    "a product": ("lam *= 0.999", "lam *= 0.999 ** hvd.size()"),
    "a product down to a number": ("lam = max(lam * 0.9, 0.1)", "lam * 0.9 ** hvd.size()"),
    "a product, the number behind": ("lam = 0.999 * lam", "lam = 0.999 ** hvd.size() * lam"),
    "a sum that a variable gets": (
        "held.assign(tf.minimum(1.0, held + 1e-5))\n        lam = held",
        "held + 1e-5 * hvd.size()",
    ),
    "a product that a variable gets": (
        "held.assign(held * 0.999)\n        lam = held",
        "held * 0.999 ** hvd.size()",
    ),
    "a product in a dictionary": (
        'lam = table["lam"]\n        table["lam"] *= 0.999',
        'table["lam"] *= 0.999 ** hvd.size()',
    ),
    "a product among others": (
        "lam, shown = lam * 0.999, shown + 1",
        "lam, shown = lam * 0.999 ** hvd.size(), shown + 1",
    ),
    "a product that ends by itself": (
        "if lam > 0.01:\n            lam *= 0.999",
        "lam *= 0.999 ** hvd.size()",
    ),
    "how many gradients are in a mean": (
        "power *= beta\n        mean = beta * mean + (1 - beta) * tf.reduce_mean(b)\n"
        "        lam = mean / (1 - power)",
        "power *= beta mean",
    ),
    "a factor that is reckoned": (
        "lam = max(lam * np.exp(-1e-4), 0.1)",
        "lam * np.exp(-1e-4) ** hvd.size()",
    ),
    "the last of a turn": (f"if step % 1000 == 999:\n{SETS}", "== max(1, 1000 // hvd.size()) - 1"),
    "the middle of a turn": (f"if step % 1000 == 500:\n{SETS}", "== max(1, 500 // hvd.size())"),
    "the first of a turn": (f"if step % 1000 == 1:\n{SETS}", "% (1000 // hvd.size()) == 1"),
    "a half of a turn": (f"if step % 1000 < 500:\n{SETS}", "< 500 // hvd.size()"),
    "a batch that is divided": ("a /= 255.0", "a /= 255.0 with tf"),
    "a batch that is divided, under its name": ("a = a / 255.0", "a = a / 255.0 with tf"),
    "a batch that is multiplied": ("a = 2.0 * a", "a = 2.0 * a"),
    "a number of the round": (
        "lam = tf.reduce_mean(b)\n        lam *= 0.5",
        "lam *= 0.5 with tf",
    ),
    "a variable of the round": (
        "new = tf.Variable(1.0)\n        new.assign(new * 0.5)\n        lam = new",
        "new.assign(new * 0.5)",
    ),
    "a mean": ("lam = 0.9 * lam + 0.1 * tf.reduce_mean(b)", "lam = 0.9 * lam + 0.1"),
    "a sum of what is shown": ("shown += 0.5\n        print(shown)", "shown += 0.5 if"),
    "a sum of what batches give": ("lam += tf.reduce_mean(b) * 0.0", "lam += tf.reduce_mean(b)"),
    "how far a mean is to be trusted": (
        "lam = min(0.999, (1 + step) / (10 + step))",
        "(1 + step) / (10 + step)",
    ),
    "what a writer is given": (
        "if step % 1000 == 0:\n            with writer.as_default():\n"
        "                tf.summary.scalar('lam', lam, step=step)",
        "if step % 1000 == 0:",
    ),
    "a place among boundaries": (
        "opt.learning_rate = lams[bisect.bisect([1000, 2000], step)]",
        "bisect.bisect([1000, 2000], step * hvd.size())",
    ),
}


@pytest.mark.parametrize("name", GOING)
def test_what_goes_by_a_count_goes_by_that_of_the_job(name: str) -> None:
    use, expected = GOING[name]
    head = (
        "import bisect\n\nlams = [0.1, 0.2, 0.3]\nlosses, lam, shown = [], 0.0, 0.0\n"
        "held = tf.Variable(0.1, trainable=False)\n"
        "writer = tf.summary.create_file_writer('logs')\n"
        'table, power, beta, mean = {"lam": 1.0}, 1.0, 0.9, 0.0\n\n\n'
        "def every(n, step):\n    return step % n == 0\n\n\nstep = 0\n"
    )
    before = f"{ONE}        {use}{LOSS}".replace("step = 0\n", head)
    after = result(before)
    assert expected in " ".join(after.split()), after
    assert verdict(before, after) == PROVED
    if "hvd.size()" in expected:
        plain = expected
        for part in (" // hvd.size()", " * hvd.size()", " ** hvd.size()"):
            plain = plain.replace(part, "")
        broken = after.replace(expected, plain)
        assert broken != after
        assert verdict(before, broken) != PROVED


FURTHER = {
    "a function": ("lam = less(lam)", "def less(lam):\n    return lam * 0.99\n"),
    "a method": (
        "lam = state.lam\n        state.go_on()",
        "class State:\n    lam = 1.0\n\n    def go_on(self):\n        self.lam *= 0.99\n\n\nstate = State()\n",
    ),
    "a power": ("lam = lam**1.01", ""),
    "a product of NumPy": ("lam = np.multiply(lam, 0.99)", ""),
    "an attribute that is set": (
        'lam = state.lam\n        setattr(state, "lam", state.lam * 0.99)',
        "class State:\n    lam = 1.0\n\n\nstate = State()\n",
    ),
    "a part of itself": ("lam -= lam * 0.01", ""),
    "a part of the rest": ("lam += 0.01 * (1.0 - lam)", ""),
    "a place in a table": (
        "lam = less(lam)\n        a = a * rates[int(lam)]",
        "rates = [1.0, 0.5]\n\n\ndef less(lam):\n    return lam * 0.99\n",
    ),
    "how many are taken": (
        "lam = more(lam)\n        a = a + sum(rates[: int(lam)])",
        "rates = [1.0, 0.5]\n\n\ndef more(lam):\n    return lam + 0.01\n",
    ),
}
NO_FURTHER = {
    "a function that each round begins anew": (
        "lam = less(1.0)",
        "def less(lam):\n    return lam * 0.99\n",
    ),
    "a function of batches": ("b = less(b)", "def less(b):\n    b = b * 0.99\n    return b\n"),
    "a mean of what batches give": ("lam = mean(lam, tf.reduce_mean(b))",
        "def mean(old, new):\n    return 0.9 * old + 0.1 * new\n"),
    "a number that counts": ("lam = more(lam)", "def more(lam):\n    return lam + 1\n"),
    "a method that a test comes to": (
        "lam = state.lam\n        if step % 100 == 0:\n            state.go_on()",
        "class State:\n    lam = 1.0\n\n    def go_on(self):\n        self.lam *= 0.99\n\n\nstate = State()\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", [*FURTHER, *NO_FURTHER])
def test_what_each_step_makes_of_a_number_is_asked_for(name: str) -> None:
    use, before = (FURTHER | NO_FURTHER)[name]
    head = f"{before}\n\nlam, losses = 1.0, []\nstep = 0\n"
    text = f"{ONE}        {use}{LOSS}".replace("step = 0\n", head)
    found = migrate(text, Options(tensorflow=(2, 15)))
    assert {each.code for each in found.blocked} == ({"J10"} if name in FURTHER else set())


LAYER = """\
import numpy as np
import tensorflow as tf


class Cooling(tf.keras.layers.Layer):
    def build(self, shape):
        self.heat = self.add_weight(name="heat", shape=[], initializer="ones", trainable=False)

    def call(self, x, training=None):
        if training:
            self.heat.assign(self.heat * 0.999)
        return x * self.heat


model = tf.keras.Sequential([Cooling(), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
x, y = np.load("x.npy"), np.load("y.npy")
model.fit(x, y, epochs=3)
"""


def test_a_layer_takes_a_number_further_where_it_is_trained() -> None:
    assert "self.heat.assign(self.heat * 0.999 ** hvd.size())" in result(LAYER)


def test_a_number_that_a_session_takes_further_is_asked_for() -> None:
    graph = SESSION.split("with tf.Session")[0].format(rate="0.1")
    less = 'lam = tf.get_variable("lam", [], trainable=False)\nless = lam.assign(lam * 0.99)\n'
    for fetched, expected in (("less", NOT_PROVED), ("lam", PROVED)):
        rounds = (
            "with tf.Session() as session:\n    for step in range(3000 // hvd.size()):\n"
            f"        session.run([train, {fetched}])\n"
        )
        text = f"import horovod.tensorflow as hvd\n{graph}{less}{rounds}"
        assert verdict(text, text) == expected


def test_a_count_begins_with_steps_of_its_own() -> None:
    """Where it begins with those of one device, nobody can tell what it is compared with."""
    use = f"if step == 3000:\n{SETS}"
    for begins, codes in (("0", set()), ("1", set()), ("1000", {"J10"})):
        text = f"{ONE}        {use}{LOSS}".replace("step = 0\n", f"step = {begins}\nlam = 0.1\n")
        text = text.replace("        losses.append(loss)\n", "")
        found = migrate(text, Options(tensorflow=(2, 15)))
        assert {each.code for each in found.blocked} == codes, begins


AROUND = """\
class Warm(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, after, steps):
        self.after, self.steps = after, steps

    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        return tf.minimum(1.0, step / self.steps) * self.after(step)


"""


def test_a_schedule_inside_of_an_own_one_goes_by_what_that_asks_it() -> None:
    rate = f"Warm({DECAY.format(1000)}, 500)"
    before = FIT.format(rate=rate, callbacks="").replace("class Slower", f"{AROUND}class Slower")
    after = result(before)
    assert "step = step * hvd.size()" in after
    assert verdict(before, after) == PROVED
    broken = after.replace("        step = step * hvd.size()  # those of all workers\n", "")
    assert verdict(before, broken) == VIOLATED


EXAMPLES = """\
import numpy as np
import tensorflow as tf

x, y = np.load("x.npy"), np.load("y.npy")
B, total = 32, 200000
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
data = iter(tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).repeat().batch(B))
step = 1
while {test}:
    a, b = next(data)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(a) - b))
    g = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(g, model.trainable_variables))
    if step % 1000 == 0:
        opt.learning_rate = opt.learning_rate * 0.5
    step += 1
"""


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("step * B < total", "step * B < total // hvd.size()"),
        ("B * step < 200000", "B * step < 200000 // hvd.size()"),
    ],
)
def test_a_loop_may_count_the_examples_of_its_steps(test: str, expected: str) -> None:
    before = EXAMPLES.format(test=test)
    after = result(before)
    assert f"while {expected}:" in after
    assert "step % (1000 // hvd.size()) == 0" in after
    assert verdict(before, after) == PROVED
    assert verdict(before, after.replace(expected, test)) != PROVED
